//! Parts that run side by side: who takes part in them, and whether they end.

use super::resolve::Protocols;
use super::tree::{Item, Name, Tree};
use crate::report::Report;
use laban::diagnostic::{Code, Diagnostic, quote};
use laban::text::Span;
use std::collections::{HashMap, HashSet};

/// Whether parts have no role in common; complains if they do. Returns also how many statements were looked at.
pub(super) fn are_independent(tree: &Tree<'_>, span: Span, parts: &[usize], report: &mut Report) -> (bool, usize) {
    let mut looked_at = 0;
    let mut owners: HashMap<&str, usize> = HashMap::new();
    for (number, &part) in parts.iter().enumerate() {
        let mut shared = None;
        looked_at += each_role(tree, part, &mut |role| {
            if *owners.entry(role.text).or_insert(number) != number && shared.is_none() {
                shared = Some(role);
            }
        });
        if let Some(role) = shared {
            let role_name = quote(role.text);
            let message =
                format!("a `par` whose parts share the role {role_name} cannot be expressed as a choreography");
            let diagnostic = Diagnostic::new(Code::Syntax, span, message).label("not supported");
            let hint = "let each role take part in one of the parts, or write the messages one after the other";
            report.add(diagnostic.at(role.span, "it takes part here, and in an earlier part").hint(hint));
            return (false, looked_at);
        }
    }
    (true, looked_at)
}

/// Whether a block of a protocol may go on forever, as far as one can see at once: it has a loop, or calls something
/// twice.
pub(super) fn may_go_on(tree: &Tree<'_>, protocols: &Protocols<'_, '_>, protocol: usize, block: usize) -> bool {
    let mut called = HashSet::new();
    let mut work = vec![(protocol, block)];
    while let Some((caller, block)) = work.pop() {
        for item in &tree.blocks[block] {
            match item {
                Item::Loop { .. } | Item::Continue { .. } => return true,
                Item::Do(call) => {
                    let Some(protocol) = protocols.called(caller, call, &mut Report::default()) else { continue };
                    if !called.insert(protocol) {
                        return true;
                    }
                    work.push((protocol, tree.protocols[protocol].body));
                }
                Item::Choice { branches: blocks, .. } | Item::Parallel { parts: blocks, .. } => {
                    work.extend(blocks.iter().map(|&block| (caller, block)));
                }
                Item::Message { .. } | Item::Refused(_) => {}
            }
        }
    }
    false
}

/// All roles that are named in a block and the blocks in it. Returns how many statements there are.
fn each_role<'a>(tree: &Tree<'a>, block: usize, visit: &mut dyn FnMut(Name<'a>)) -> usize {
    let mut count = 0;
    let mut work = vec![block];
    while let Some(block) = work.pop() {
        for item in &tree.blocks[block] {
            count += 1;
            match item {
                Item::Message { from, to, .. } => {
                    visit(*from);
                    to.iter().for_each(|&to| visit(to));
                }
                Item::Choice { at, branches, .. } => {
                    visit(*at);
                    work.extend(branches);
                }
                Item::Parallel { parts, .. } => work.extend(parts),
                Item::Loop { body, .. } => work.push(*body),
                Item::Do(call) => call.roles.iter().for_each(|&(role, _)| visit(role)),
                Item::Continue { .. } | Item::Refused(_) => {}
            }
        }
    }
    count
}

//! Where the nodes of a protocol lead to, without those that do nothing.
//!
//! A node that only says where to go on is passed by, and so is a choice all of whose branches are the same: nobody has
//! to decide anything there. What goes round in a circle of such nodes never does anything, and that is an error.

use crate::protocol::{GlobalStep, Protocol};
use crate::report::Report;
use laban::diagnostic::{Code, Diagnostic};

/// For each node of a protocol, the first one on its way that does something.
pub(super) struct Settled(Vec<usize>);

impl Settled {
    pub(super) fn new(protocol: &Protocol, report: &mut Report) -> Self {
        let gotos = protocol.nodes.iter().map(|node| match node.step {
            GlobalStep::Goto(next) => Some(next),
            _ => None,
        });
        let mut gotos: Vec<Option<usize>> = gotos.collect();
        let settled = settle(&gotos, |circle| {
            let span = circle.first().and_then(|&node| protocol.nodes.get(node)).map(|node| node.span);
            report.add(
                Diagnostic::new(Code::UnguardedLoop, span.unwrap_or_default(), "nothing ever happens in this loop")
                    .label("it loops without a message or a decision")
                    .hint("put a message into the loop, or leave the loop out"),
            );
        });
        let settled = Settled(settled);
        if !protocol.is_exact && settled.pass_by_choices(protocol, &mut gotos) {
            // Choices that are no choices go round in a circle only if they did so before.
            return Settled(settle(&gotos, |_| {}));
        }
        settled
    }

    /// Where a node leads to.
    pub(super) fn of(&self, node: usize) -> usize {
        self.0.get(node).copied().unwrap_or(node)
    }

    /// Adds the choices that decide nothing to those that only go on elsewhere. Returns whether there are any. A
    /// choice is looked at after those in its branches, so that a choice between two ways to the same place is found
    /// however deep they are.
    fn pass_by_choices(&self, protocol: &Protocol, gotos: &mut [Option<usize>]) -> bool {
        let mut found = false;
        let mut met = vec![false; protocol.nodes.len()];
        // Nodes to look at, and whether what is in their branches has been looked at.
        let mut work: Vec<(usize, bool)> = (0..protocol.nodes.len()).rev().map(|node| (node, false)).collect();
        while let Some((node, is_done)) = work.pop() {
            let Some(GlobalStep::Choice { branches, .. }) = protocol.nodes.get(node).map(|node| &node.step) else {
                continue;
            };
            if !is_done {
                if !std::mem::replace(&mut met[node], true) {
                    work.push((node, true));
                    work.extend(branches.iter().map(|&branch| (self.of(branch), false)));
                }
                continue;
            }
            let leads_to = |&branch: &usize| {
                let settled = self.of(branch);
                gotos.get(settled).copied().flatten().unwrap_or(settled)
            };
            let Some(first) = branches.first().map(leads_to) else { continue };
            let is_end = |node: usize| protocol.nodes.get(node).is_none_or(|node| node.step == GlobalStep::End);
            let is_same = |branch: &usize| {
                let other = leads_to(branch);
                other == first || is_end(first) && is_end(other)
            };
            if first != node && branches.iter().all(is_same) {
                gotos[node] = Some(first);
                found = true;
            }
        }
        found
    }
}

/// Follows the ways from node to node. `circle` is told the nodes of each way that never ends.
fn settle(gotos: &[Option<usize>], mut circle: impl FnMut(&[usize])) -> Vec<usize> {
    const UNKNOWN: usize = usize::MAX;
    let mut settled = vec![UNKNOWN; gotos.len()];
    let mut on_path = vec![false; gotos.len()];
    let mut path: Vec<usize> = Vec::new();
    for start in 0..settled.len() {
        let mut at = start;
        let end = loop {
            match settled.get(at) {
                Some(&known) if known != UNKNOWN => break known,
                Some(_) if on_path[at] => {
                    let first = path.iter().position(|&node| node == at).unwrap_or(0);
                    circle(&path[first..]);
                    break at;
                }
                _ => {}
            }
            let Some(next) = gotos.get(at).copied().flatten() else { break at };
            path.push(at);
            on_path[at] = true;
            at = next;
        };
        for node in path.drain(..).chain([end]) {
            if let Some(settled) = settled.get_mut(node) {
                *settled = end;
            }
        }
    }
    settled
}

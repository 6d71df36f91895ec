//! Printing on one line.
//!
//! Everything is written straight to where it goes, with a stack of what is still to be written behind open forks. The
//! layout over several lines uses the same functions for what it puts on one.

use super::notation::{Arms, Notation};
use super::sink::{Buffered, Sink};
use crate::syntax::channel::{ChannelDeclaration, ChannelItem};
use crate::syntax::tree::{ArenaRange, Arm, Language, Procedure, Term, TermId, Tree, Unit};
use std::fmt::{self, Display, Formatter, Write};

/// A tree on one line, without its comments.
///
/// ```
/// use laban::syntax::{Compact, parse_network};
///
/// let source = "p {\n  main {\n    q!<x>; // a comment\n    0\n  }\n}\n| q { main { p?; stop } }";
/// let line = Compact(&parse_network(source).tree).to_string();
/// assert_eq!(line, "p { main { q!<x>; stop } } | q { main { p?; stop } }");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Compact<'a, L: Language>(pub &'a Tree<L>);

impl<L: Notation> Display for Compact<'_, L> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let tree = self.0;
        let mut out = Buffered::new(out);
        let mut rest = Rest::default();
        for (index, unit) in tree.units.iter().enumerate() {
            if index > 0 {
                out.write_char(' ')?;
                out.write_str(L::BETWEEN_UNITS)?;
                out.write_char(' ')?;
            }
            for declaration in tree.channels_before(index) {
                write_channels(tree, declaration, &mut out)?;
                out.write_char(' ')?;
            }
            write_unit(tree, unit, &mut out, &mut rest)?;
        }
        out.finish()
    }
}

/// What is still to be written of the forks that are open. Kept by callers, to be used again.
#[derive(Debug, Default)]
pub(super) struct Rest(Vec<Task>);

#[derive(Debug)]
enum Task {
    Term(TermId),
    Else(TermId),
    /// The branches of an offer, or the items of `choose` or `any`, from some one on; what comes before it, and what
    /// comes behind the last.
    Branches(ArenaRange, &'static str, &'static str),
}

/// The beginning of a declaration of channels.
pub(super) const CHANNELS: &str = "channels";

/// Writes `channels …;`.
pub(super) fn write_channels<L: Language>(
    tree: &Tree<L>,
    declaration: &ChannelDeclaration,
    out: &mut impl Sink,
) -> fmt::Result {
    out.write_str(CHANNELS)?;
    for (number, item) in declaration.items.iter().enumerate() {
        out.write_str(if number > 0 { ", " } else { " " })?;
        write_channel(tree, item, out)?;
    }
    out.write_char(';')
}

/// Writes `queue 4` or `a -> b queue 4`.
pub(super) fn write_channel<L: Language>(tree: &Tree<L>, item: &ChannelItem, out: &mut impl Sink) -> fmt::Result {
    if let Some((from, to)) = item.ends {
        write!(out, "{} -> {} ", tree.text(from), tree.text(to))?;
    }
    write!(out, "{}", item.channel)
}

/// Writes a process, or a part of a choreography.
pub(super) fn write_unit<L: Notation>(
    tree: &Tree<L>,
    unit: &Unit,
    out: &mut impl Sink,
    rest: &mut Rest,
) -> fmt::Result {
    let named = unit.name.is_some();
    if named {
        write_unit_header(tree, unit, out)?;
    }
    let mut before = if named { " " } else { "" };
    for procedure in &unit.procedures {
        out.write_str(before)?;
        write_procedure_header(tree, procedure, out)?;
        write_block(tree, procedure.body, out, rest)?;
        before = " ";
    }
    for main in &unit.mains {
        out.write_str(before)?;
        out.write_str(MAIN)?;
        write_block(tree, main.body, out, rest)?;
        before = " ";
    }
    match named {
        true if unit.procedures.is_empty() && unit.mains.is_empty() => out.write_char('}'),
        true => out.write_str(" }"),
        false => Ok(()),
    }
}

/// The beginning of a `main`.
pub(super) const MAIN: &str = "main {";

/// Writes `service p {`.
pub(super) fn write_unit_header<L: Language>(tree: &Tree<L>, unit: &Unit, out: &mut impl Sink) -> fmt::Result {
    if unit.service.is_some() {
        out.write_str("service ")?;
    }
    if let Some(name) = unit.name {
        out.write_name(tree, name)?;
    }
    out.write_str(" {")
}

/// Writes `def X {`.
pub(super) fn write_procedure_header<L: Language>(
    tree: &Tree<L>,
    procedure: &Procedure,
    out: &mut impl Sink,
) -> fmt::Result {
    out.write_str("def ")?;
    out.write_name(tree, procedure.name)?;
    out.write_str(" {")
}

/// Writes the rest of a block of which the brace has been written.
pub(super) fn write_block<L: Notation>(
    tree: &Tree<L>,
    body: TermId,
    out: &mut impl Sink,
    rest: &mut Rest,
) -> fmt::Result {
    out.write_char(' ')?;
    write_body(tree, body, out, rest)?;
    out.write_str(" }")
}

/// Writes a term and all that follows it.
pub(super) fn write_body<L: Notation>(
    tree: &Tree<L>,
    body: TermId,
    out: &mut impl Sink,
    Rest(rest): &mut Rest,
) -> fmt::Result {
    let has_idle = !tree.idle.is_empty();
    rest.clear();
    rest.push(Task::Term(body));
    while let Some(task) = rest.pop() {
        let mut id = match task {
            Task::Term(id) => id,
            Task::Else(id) => {
                out.write_str(" else ")?;
                id
            }
            Task::Branches(arms, before, behind) => {
                let Some(arm) = arms.of(&tree.arms).first() else {
                    out.write_str(behind)?;
                    continue;
                };
                out.write_str(before)?;
                if let Some(label) = arm.label {
                    out.write_name(tree, label)?;
                    out.write_str(": ")?;
                }
                rest.push(Task::Branches(ArenaRange { start: arms.start + 1, ..arms }, ", ", behind));
                arm.body
            }
        };
        loop {
            if has_idle {
                write_idle(tree, id, out)?;
            }
            match tree.term(id) {
                Term::Act(action, next) => {
                    L::write_action(tree, &action, out)?;
                    out.write_str("; ")?;
                    id = next;
                    continue;
                }
                Term::Stop => out.write_str("stop")?,
                Term::Call(name) => out.write_name(tree, name)?,
                Term::Missing => {}
                Term::Fork(fork, arms) => {
                    L::write_fork(tree, &fork, out)?;
                    match L::arms(&fork) {
                        Arms::Branches => rest.push(Task::Branches(arms, "", "}")),
                        Arms::Items(_) => rest.push(Task::Branches(arms, " ", " }")),
                        Arms::One => {
                            let Some(arm) = arms.of(&tree.arms).first() else { break };
                            write_label(tree, arm, out)?;
                            out.write_str("; ")?;
                            id = arm.body;
                            continue;
                        }
                        Arms::Outcomes => {
                            out.write_char(' ')?;
                            let mut arms = arms.of(&tree.arms).iter();
                            let then = arms.next();
                            rest.extend(arms.next().map(|arm| Task::Else(arm.body)));
                            rest.extend(then.map(|arm| Task::Term(arm.body)));
                        }
                    }
                }
            }
            break;
        }
    }
    Ok(())
}

/// Writes the word `idle` and a space, if a term has it before it.
#[inline]
pub(super) fn write_idle<L: Language>(tree: &Tree<L>, id: TermId, out: &mut impl Sink) -> fmt::Result {
    match tree.idle(id).is_some() {
        true => out.write_str("idle "),
        false => Ok(()),
    }
}

/// Writes `p&label`.
pub(super) fn write_one<L: Notation>(
    tree: &Tree<L>,
    fork: &L::Fork,
    arms: ArenaRange,
    out: &mut impl Sink,
) -> fmt::Result {
    L::write_fork(tree, fork, out)?;
    arms.of(&tree.arms).iter().try_for_each(|arm| write_label(tree, arm, out))
}

fn write_label<L: Language>(tree: &Tree<L>, arm: &Arm, out: &mut impl Sink) -> fmt::Result {
    arm.label.map_or(Ok(()), |label| out.write_name(tree, label))
}

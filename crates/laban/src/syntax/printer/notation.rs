//! How the pieces of each language are written.

use crate::syntax::tree::{
    Choreographies, GlobalAction, GlobalFork, GlobalInteraction, Language, LocalAction, LocalFork, Networks, Tree,
};
use std::fmt::{self, Write};

/// A language that can be printed.
pub trait Notation: Language {
    /// What separates two units.
    const BETWEEN_UNITS: &'static str;

    /// Writes an action, without the semicolon behind it.
    fn write_action(tree: &Tree<Self>, action: &Self::Action, out: &mut impl Write) -> fmt::Result;

    /// Writes what comes before the first arm of a fork: `if condition then` or `p&{`.
    fn write_fork(tree: &Tree<Self>, fork: &Self::Fork, out: &mut impl Write) -> fmt::Result;

    /// Whether a fork is an offer, with labels and braces, rather than an `if`.
    fn is_offer(fork: &Self::Fork) -> bool;
}

impl Notation for Networks {
    const BETWEEN_UNITS: &'static str = "|";

    fn write_action(tree: &Tree<Self>, action: &LocalAction, out: &mut impl Write) -> fmt::Result {
        match *action {
            LocalAction::Send { to, expression } => {
                let expression = tree.text(expression);
                out.write_str(tree.text(to))?;
                out.write_str("!<")?;
                out.write_str(expression)?;
                // Without the space the two would make an arrow.
                out.write_str(if expression.ends_with('-') { " >" } else { ">" })
            }
            LocalAction::Receive { from } => {
                out.write_str(tree.text(from))?;
                out.write_char('?')
            }
            LocalAction::Select { to, label } => {
                out.write_str(tree.text(to))?;
                out.write_char('+')?;
                out.write_str(tree.text(label))
            }
        }
    }

    fn write_fork(tree: &Tree<Self>, fork: &LocalFork, out: &mut impl Write) -> fmt::Result {
        match *fork {
            LocalFork::If { condition } => {
                out.write_str("if ")?;
                out.write_str(tree.text(condition))?;
                out.write_str(" then")
            }
            LocalFork::Offer { from } => {
                out.write_str(tree.text(from))?;
                out.write_str("&{")
            }
        }
    }

    fn is_offer(fork: &LocalFork) -> bool {
        matches!(fork, LocalFork::Offer { .. })
    }
}

impl Notation for Choreographies {
    const BETWEEN_UNITS: &'static str = "||";

    fn write_action(tree: &Tree<Self>, action: &GlobalAction, out: &mut impl Write) -> fmt::Result {
        match action {
            GlobalAction::Interaction(interaction) => write_interaction(tree, interaction, out),
            GlobalAction::Group(members) => {
                let mut before = "(";
                for interaction in members.of(&tree.interactions) {
                    out.write_str(before)?;
                    write_interaction(tree, interaction, out)?;
                    before = ", ";
                }
                out.write_char(')')
            }
        }
    }

    fn write_fork(tree: &Tree<Self>, fork: &GlobalFork, out: &mut impl Write) -> fmt::Result {
        let GlobalFork::If { process, condition } = *fork;
        out.write_str("if ")?;
        out.write_str(tree.text(process))?;
        out.write_char('.')?;
        out.write_str(tree.text(condition))?;
        out.write_str(" then")
    }

    fn is_offer(_: &GlobalFork) -> bool {
        false
    }
}

fn write_interaction(
    tree: &Tree<Choreographies>,
    interaction: &GlobalInteraction,
    out: &mut impl Write,
) -> fmt::Result {
    match *interaction {
        GlobalInteraction::Communicate { from, expression, to } => {
            out.write_str(tree.text(from))?;
            out.write_char('.')?;
            out.write_str(tree.text(expression))?;
            out.write_str(" -> ")?;
            out.write_str(tree.text(to))
        }
        GlobalInteraction::Select { from, to, label } => {
            out.write_str(tree.text(from))?;
            out.write_str(" -> ")?;
            out.write_str(tree.text(to))?;
            out.write_char('[')?;
            out.write_str(tree.text(label))?;
            out.write_char(']')
        }
    }
}

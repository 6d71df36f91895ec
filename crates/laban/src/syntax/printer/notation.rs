//! How the pieces of each language are written.

use super::sink::Sink;
use crate::syntax::tree::{
    Choreographies, GlobalAction, GlobalFork, GlobalInteraction, LabelledValue, Language, LocalAction, LocalFork, Name,
    Networks, Tree,
};
use std::fmt;

/// A language that can be printed.
pub trait Notation: Language {
    /// What separates two units.
    const BETWEEN_UNITS: &'static str;

    /// Writes an action, without the semicolon behind it.
    fn write_action(tree: &Tree<Self>, action: &Self::Action, out: &mut impl Sink) -> fmt::Result;

    /// Writes what comes before the first arm of a fork: `if condition then`, `p&{` or `any {`.
    fn write_fork(tree: &Tree<Self>, fork: &Self::Fork, out: &mut impl Sink) -> fmt::Result;

    /// How the arms of a fork are written.
    fn arms(fork: &Self::Fork) -> Arms;
}

/// How the arms of a fork are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arms {
    /// `if condition then … else …`
    Outcomes,
    /// `p&{label: …, …}`
    Branches,
    /// `any { …, … }`; with how many words there are before the brace.
    Items(usize),
    /// `p&label; …`: one arm, which goes on like an action.
    One,
}

impl Notation for Networks {
    const BETWEEN_UNITS: &'static str = "|";

    fn write_action(tree: &Tree<Self>, action: &LocalAction, out: &mut impl Sink) -> fmt::Result {
        match *action {
            LocalAction::Send { to, expression } => {
                out.write_name(tree, to)?;
                out.write_char('!')?;
                write_value(tree, expression, out)
            }
            LocalAction::Receive { from } => {
                out.write_name(tree, from)?;
                out.write_char('?')
            }
            LocalAction::Select { to, label } => {
                out.write_name(tree, to)?;
                out.write_char('+')?;
                out.write_name(tree, label)
            }
            LocalAction::SelectValue { to, content } => {
                let LabelledValue { label, expression } = tree.labelled(content);
                out.write_name(tree, to)?;
                out.write_char('+')?;
                out.write_name(tree, label)?;
                write_value(tree, expression, out)
            }
        }
    }

    fn write_fork(tree: &Tree<Self>, fork: &LocalFork, out: &mut impl Sink) -> fmt::Result {
        match *fork {
            LocalFork::If { condition } => {
                out.write_str("if ")?;
                out.write_name(tree, condition)?;
                out.write_str(" then")
            }
            LocalFork::Offer { from } => {
                out.write_name(tree, from)?;
                out.write_str("&{")
            }
            LocalFork::OfferOne { from } => {
                out.write_name(tree, from)?;
                out.write_char('&')
            }
            LocalFork::Choose => out.write_str("choose {"),
            LocalFork::Any => out.write_str("any {"),
        }
    }

    fn arms(fork: &LocalFork) -> Arms {
        match fork {
            LocalFork::If { .. } => Arms::Outcomes,
            LocalFork::Offer { .. } => Arms::Branches,
            LocalFork::OfferOne { .. } => Arms::One,
            LocalFork::Choose | LocalFork::Any => Arms::Items(1),
        }
    }
}

/// Writes `<expression>`.
fn write_value(tree: &Tree<Networks>, expression: Name, out: &mut impl Sink) -> fmt::Result {
    out.write_char('<')?;
    out.write_name(tree, expression)?;
    // Without the space the two would make an arrow.
    out.write_str(if tree.text(expression).ends_with('-') { " >" } else { ">" })
}

impl Notation for Choreographies {
    const BETWEEN_UNITS: &'static str = "||";

    fn write_action(tree: &Tree<Self>, action: &GlobalAction, out: &mut impl Sink) -> fmt::Result {
        match action {
            GlobalAction::Interaction(interaction) => write_interaction(tree, interaction, Arrow::AtOnce, out),
            GlobalAction::Put(message) => write_interaction(tree, &tree.interaction(*message), Arrow::IntoQueue, out),
            GlobalAction::Take { from, to } => {
                out.write_name(tree, *to)?;
                out.write_str(" <~ ")?;
                out.write_name(tree, *from)
            }
            GlobalAction::Group(members) => {
                let mut before = "(";
                for interaction in members.of(&tree.interactions) {
                    out.write_str(before)?;
                    write_interaction(tree, interaction, Arrow::AtOnce, out)?;
                    before = ", ";
                }
                out.write_char(')')
            }
        }
    }

    fn write_fork(tree: &Tree<Self>, fork: &GlobalFork, out: &mut impl Sink) -> fmt::Result {
        match *fork {
            GlobalFork::If { process, condition } => {
                out.write_str("if ")?;
                out.write_name(tree, process)?;
                out.write_char('.')?;
                out.write_name(tree, condition)?;
                out.write_str(" then")
            }
            GlobalFork::Choose { process } => {
                out.write_str("choose ")?;
                out.write_name(tree, process)?;
                out.write_str(" {")
            }
            GlobalFork::Any => out.write_str("any {"),
        }
    }

    fn arms(fork: &GlobalFork) -> Arms {
        match fork {
            GlobalFork::If { .. } => Arms::Outcomes,
            GlobalFork::Choose { .. } => Arms::Items(2),
            GlobalFork::Any => Arms::Items(1),
        }
    }
}

/// When a message is taken.
#[derive(Debug, Clone, Copy)]
enum Arrow {
    AtOnce,
    IntoQueue,
}

impl Arrow {
    fn write(self, out: &mut impl Sink) -> fmt::Result {
        match self {
            Arrow::AtOnce => out.write_str(" -> "),
            Arrow::IntoQueue => out.write_str(" ~> "),
        }
    }
}

fn write_interaction(
    tree: &Tree<Choreographies>,
    interaction: &GlobalInteraction,
    arrow: Arrow,
    out: &mut impl Sink,
) -> fmt::Result {
    match *interaction {
        GlobalInteraction::Communicate { from, expression, to } => {
            out.write_name(tree, from)?;
            out.write_char('.')?;
            out.write_name(tree, expression)?;
            arrow.write(out)?;
            out.write_name(tree, to)
        }
        GlobalInteraction::Select { from, to, label } => {
            out.write_name(tree, from)?;
            arrow.write(out)?;
            out.write_name(tree, to)?;
            write_label(tree, label, out)
        }
        GlobalInteraction::SelectValue { from, to, content } => {
            let LabelledValue { label, expression } = tree.labelled(content);
            out.write_name(tree, from)?;
            out.write_char('.')?;
            out.write_name(tree, expression)?;
            arrow.write(out)?;
            out.write_name(tree, to)?;
            write_label(tree, label, out)
        }
    }
}

/// Writes `[label]`.
fn write_label(tree: &Tree<Choreographies>, label: Name, out: &mut impl Sink) -> fmt::Result {
    out.write_char('[')?;
    out.write_name(tree, label)?;
    out.write_char(']')
}

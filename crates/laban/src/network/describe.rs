//! What a process does next, and what it wants, in words.
//!
//! Borrowing wrappers with `Display`: a [`State`] reads as it does in a network, and a [`Wish`] as the second half of a
//! sentence that starts with the name of a process.

use super::{Content, Network, ProcessId, State};
use crate::diagnostic::{MOST_LISTED, listed, quote};
use crate::syntax::Symbol;
use std::fmt::{Display, Formatter, Result};

/// What a process at an action waits to do with its partner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// Send a value.
    Send {
        /// Who is to receive it.
        to: ProcessId,
        /// The value.
        expression: Symbol,
    },
    /// Receive a value.
    Receive {
        /// Who is to send it.
        from: ProcessId,
    },
    /// Select a label.
    Select {
        /// Who is to be told.
        to: ProcessId,
        /// The label.
        label: Symbol,
    },
    /// Select a label and send a value with it.
    SelectValue {
        /// Who is to be told.
        to: ProcessId,
        /// The label.
        label: Symbol,
        /// The value.
        expression: Symbol,
    },
    /// Wait for one of several labels.
    Offer {
        /// Who is to select.
        from: ProcessId,
        /// The labels that are offered.
        labels: Vec<Symbol>,
    },
    /// Do whichever can be done first.
    Any {
        /// What can be done.
        wishes: Vec<Wish>,
        /// One of those who have to take part.
        partner: ProcessId,
    },
}

impl Wish {
    /// What a process wants in this state, with each item of a race; nothing if it has stopped or decides.
    pub fn all(network: &Network, state: State) -> Vec<Wish> {
        match state {
            State::Any { items } => {
                network.arms(items).iter().filter_map(|&item| Wish::of(network, network.state(item))).collect()
            }
            other => Wish::of(network, other).into_iter().collect(),
        }
    }

    /// What a process wants in this state; `None` if it has stopped, decides, or wants any of several things.
    pub fn of(network: &Network, state: State) -> Option<Wish> {
        match state {
            State::Send { to, expression, .. } => Some(Wish::Send { to, expression }),
            State::Receive { from, .. } => Some(Wish::Receive { from }),
            State::Select { to, label, .. } => Some(Wish::Select { to, label }),
            State::SelectValue { to, label, expression, .. } => Some(Wish::SelectValue { to, label, expression }),
            State::Offer { from, branches } => {
                let labels = branches.of(&network.branches).iter().map(|branch| branch.label).collect();
                Some(Wish::Offer { from, labels })
            }
            State::Stop | State::If { .. } | State::Choose { .. } | State::Any { .. } => None,
        }
    }

    /// The process that has to take part; one of them, where there are several.
    pub fn partner(&self) -> ProcessId {
        match *self {
            Wish::Send { to, .. } | Wish::Select { to, .. } | Wish::SelectValue { to, .. } => to,
            Wish::Receive { from } | Wish::Offer { from, .. } => from,
            Wish::Any { partner, .. } => partner,
        }
    }

    /// Whether it is to send or to select, rather than to receive or to offer.
    pub fn sends(&self) -> bool {
        matches!(self, Wish::Send { .. } | Wish::Select { .. } | Wish::SelectValue { .. })
    }

    /// The wish in words: "wants to send `price` to `seller`". The alternate form (`{:#}`) leaves out which labels are
    /// offered.
    pub fn describe<'a>(&'a self, network: &'a Network) -> DescribedWish<'a> {
        DescribedWish { network, wish: self }
    }
}

impl State {
    /// What a process does next as its text writes it: `seller!<title>`, `buyer?`, `seller+ok`, `buyer&{ok, again}`,
    /// `if happy`, `any { a?, b? }` or `stop`.
    pub fn describe(self, network: &Network) -> DescribedState<'_> {
        DescribedState { network, state: self }
    }
}

/// A state that prints itself.
#[derive(Debug, Clone, Copy)]
pub struct DescribedState<'a> {
    network: &'a Network,
    state: State,
}

impl Display for DescribedState<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let name = |process| self.network.process_name(process);
        let text = |symbol| self.network.names.text(symbol);
        let item = |state| DescribedState { network: self.network, state: self.network.state(state) };
        match self.state {
            State::Stop => write!(f, "stop"),
            State::SelectValue { to, label, expression, .. } => {
                write!(f, "{}+{}<{}>", name(to), text(label), text(expression))
            }
            State::Choose { arms } => write!(f, "choose of {}", arms.len()),
            State::Any { items } => {
                let items = self.network.arms(items);
                write!(f, "any {{ ")?;
                for (index, &state) in items.iter().take(MOST_LISTED).enumerate() {
                    // An item is not a race itself.
                    write!(f, "{}{}", if index > 0 { ", " } else { "" }, item(state))?;
                }
                write!(f, "{} }}", if items.len() > MOST_LISTED { ", …" } else { "" })
            }
            State::Send { to, expression, .. } => write!(f, "{}!<{}>", name(to), text(expression)),
            State::Receive { from, .. } => write!(f, "{}?", name(from)),
            State::Select { to, label, .. } => write!(f, "{}+{}", name(to), text(label)),
            State::If { condition, .. } => write!(f, "if {}", text(condition)),
            State::Offer { from, branches } => {
                let branches = branches.of(&self.network.branches);
                write!(f, "{}&{{", name(from))?;
                for (index, branch) in branches.iter().take(MOST_LISTED).enumerate() {
                    write!(f, "{}{}", if index > 0 { ", " } else { "" }, text(branch.label))?;
                }
                write!(f, "{}}}", if branches.len() > MOST_LISTED { ", …" } else { "" })
            }
        }
    }
}

/// A wish that prints itself.
#[derive(Debug, Clone, Copy)]
pub struct DescribedWish<'a> {
    network: &'a Network,
    wish: &'a Wish,
}

impl Display for DescribedWish<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let name = |process| quote(self.network.process_name(process));
        let text = |symbol| quote(self.network.names.text(symbol));
        match self.wish {
            Wish::Send { to, expression } => write!(f, "wants to send {} to {}", text(*expression), name(*to)),
            Wish::Receive { from } => write!(f, "waits for a value from {}", name(*from)),
            Wish::Select { to, label } => write!(f, "wants to select {} at {}", text(*label), name(*to)),
            Wish::SelectValue { to, label, expression } => {
                write!(f, "wants to select {} with {} at {}", text(*label), text(*expression), name(*to))
            }
            Wish::Offer { from, .. } if f.alternate() => write!(f, "waits for a label from {}", name(*from)),
            Wish::Any { wishes, .. } => {
                let mut wishes = wishes.iter();
                f.write_str("waits ")?;
                for (index, wish) in wishes.by_ref().take(MOST_LISTED).enumerate() {
                    f.write_str(if index > 0 { " or " } else { "" })?;
                    match wish {
                        Wish::Send { to, expression } => write!(f, "to send {} to {}", text(*expression), name(*to))?,
                        Wish::Receive { from } => write!(f, "for a value from {}", name(*from))?,
                        Wish::Select { to, label } | Wish::SelectValue { to, label, .. } => {
                            write!(f, "to select {} at {}", text(*label), name(*to))?;
                        }
                        Wish::Offer { from, .. } => write!(f, "for a label from {}", name(*from))?,
                        Wish::Any { .. } => {}
                    }
                }
                match wishes.len() {
                    0 => Ok(()),
                    more => write!(f, " or {more} other things"),
                }
            }
            Wish::Offer { from, labels } => {
                let labels = listed(labels.iter().map(|&label| self.network.names.text(label)), "and");
                write!(f, "offers {labels} to {}", name(*from))
            }
        }
    }
}

impl Content {
    /// What a message has in it: `title` for a value, `[ok]` for a label, and `title[ok]` for both.
    pub fn describe(self, network: &Network) -> DescribedContent<'_> {
        DescribedContent { network, content: self }
    }
}

/// What a message has in it, and prints itself.
#[derive(Debug, Clone, Copy)]
pub struct DescribedContent<'a> {
    network: &'a Network,
    content: Content,
}

impl Display for DescribedContent<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if let Some(value) = self.content.value() {
            write!(f, "{}", self.network.text(value))?;
        }
        match self.content.label() {
            Some(label) => write!(f, "[{}]", self.network.text(label)),
            None => Ok(()),
        }
    }
}

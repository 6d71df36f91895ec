//! Random messages that wait: which interactions go through a queue, and when they are received.
//!
//! A message that waits is put into its queue where the interaction would be, and taken some actions later: still
//! before the end of what both branches of a conditional share, and before the body ends or calls a procedure. So
//! queues are empty wherever a loop begins, and what follows a conditional is received in both branches or in none. An
//! interaction at once is preceded by the taking of all that waits between the same two.

use super::choreography::{Acts, Writer};
use super::parameters::Parameters;
use crate::random::SeededRng;
use crate::syntax::{ArenaRange, GlobalAction, Span, Term, TermId};

/// How an interaction is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sending {
    /// Sent and received at once.
    AtOnce,
    /// Put into a queue, and taken after so many actions.
    Waits(u32),
    /// In a group, with those next to it that are in a group, too.
    InGroup,
}

/// How long a message waits at most, in actions.
const LONGEST_WAIT: u32 = 6;
/// The most members of a group.
const LARGEST_GROUP: usize = 3;

/// A message that was put and not yet taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiting {
    from: u32,
    to: u32,
    /// After how many actions it is taken.
    left: u32,
}

impl Acts {
    /// Chooses so many interactions that wait, and for how long; about a third of them are in groups.
    pub(super) fn draw_queues(&mut self, parameters: &Parameters, rng: &mut SeededRng) {
        self.sendings = vec![Sending::AtOnce; self.interactions.len()];
        let mut left: Vec<usize> = (0..self.interactions.len()).collect();
        for _ in 0..parameters.queues {
            let Some(index) = rng.index(left.len()) else { break };
            let chosen = left.swap_remove(index);
            self.sendings[chosen] = match rng.below_u32(3) {
                0 => Sending::InGroup,
                _ => Sending::Waits(rng.below_u32(LONGEST_WAIT)),
            };
        }
    }

    fn sending(&self, index: usize) -> Sending {
        self.sendings.get(index).copied().unwrap_or(Sending::AtOnce)
    }
}

impl Writer<'_> {
    /// Writes some interactions that follow each other.
    pub(super) fn send_all(&mut self, start: usize, end: usize) {
        let mut index = start;
        while index < end {
            let drawn = self.acts.interactions[index];
            match self.acts.sending(index) {
                Sending::AtOnce => {
                    self.take_from(drawn.from, drawn.to);
                    let interaction = self.interaction(drawn);
                    self.act(interaction);
                    index += 1;
                }
                Sending::Waits(left) => {
                    let interaction = self.interaction(drawn);
                    let message = self.tree.push_interaction(interaction);
                    self.write(GlobalAction::Put(message));
                    // Its own putting counts, too.
                    self.waiting.push(Waiting { from: drawn.from, to: drawn.to, left: left + 1 });
                    index += 1;
                }
                Sending::InGroup => {
                    let members = (index..end).take(LARGEST_GROUP);
                    let count = members.take_while(|&index| self.acts.sending(index) == Sending::InGroup).count();
                    let members: Vec<_> =
                        (index..index + count).map(|index| self.interaction(self.acts.interactions[index])).collect();
                    let start = self.tree.interactions.len() as u32;
                    self.tree.interactions.extend(members);
                    let end = self.tree.interactions.len() as u32;
                    self.write(GlobalAction::Group(ArenaRange { start, end }));
                    index += count;
                }
            }
            self.waiting.iter_mut().for_each(|waiting| waiting.left -= 1);
            self.take_those(|waiting| waiting.left == 0);
        }
    }

    /// Writes that everything is taken that waits.
    pub(super) fn take_all(&mut self) {
        self.take_those(|_| true);
    }

    /// Writes that everything is taken that waits between two processes.
    pub(super) fn take_from(&mut self, from: u32, to: u32) {
        self.take_those(|waiting| (waiting.from, waiting.to) == (from, to));
    }

    fn take_those(&mut self, is_taken: impl Fn(&Waiting) -> bool) {
        if self.waiting.is_empty() {
            return;
        }
        let taken: Vec<Waiting> = self.waiting.iter().copied().filter(|waiting| is_taken(waiting)).collect();
        self.waiting.retain(|waiting| !is_taken(waiting));
        for Waiting { from, to, .. } in taken {
            let to = self.process(to);
            let from = self.process(from);
            self.write(GlobalAction::Take { from, to });
        }
    }

    fn write(&mut self, action: GlobalAction) {
        let next = TermId(self.tree.terms.len() as u32 + 1);
        self.tree.push(Term::Act(action, next), Span::default());
    }
}

//! Chooses who acts next, at random but from a seed, so that a run can be repeated.

use super::Session;
use crate::network::ProcessId;
use crate::random::SeededRng;
use crate::semantics::{Action, Step};
use crate::syntax::Symbol;

/// Keeps the stream of random numbers apart from those of the generators.
const PURPOSE: u64 = 4;

/// How a process decides, every time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// With a condition.
    Decision {
        /// Who.
        process: ProcessId,
        /// What decides.
        condition: Symbol,
        /// Whether it is true.
        holds: bool,
    },
    /// By nobody's expression; where there are not so many items, the rule does not apply.
    Choice {
        /// Who.
        process: ProcessId,
        /// Which item, from 0.
        arm: u32,
    },
}

impl Rule {
    /// The outcome that the rule prescribes for an action, if it is about it.
    fn outcome(self, action: Action) -> Option<usize> {
        match (self, action) {
            (Rule::Decision { process, condition, holds }, Action::Decision { process: decides, condition: what })
                if (process, condition) == (decides, what) =>
            {
                Some(usize::from(!holds))
            }
            (Rule::Choice { process, arm }, Action::Choice { process: chooses, arms })
                if process == chooses && arm < arms =>
            {
                Some(arm as usize)
            }
            _ => None,
        }
    }
}

/// Chooses steps: every possible action has the same probability, and so do all outcomes of a decision, unless there
/// is a rule for it. Each interaction that can come first in a race is an action of its own, so races are fair.
///
/// Its choices depend only on the seed and on the sessions it was asked about before.
///
/// ```
/// use laban::simulate::{Scheduler, Session, Status};
///
/// let text = "p { main { q!<x>; q?; stop } } | q { main { p?; p!<y>; stop } }";
/// let network = laban::analyse(text).into_network().unwrap();
/// let mut session = Session::new(&network);
/// let mut scheduler = Scheduler::new(7, Vec::new());
/// while let Some(step) = scheduler.choose(&session) {
///     assert!(session.take(step));
/// }
/// assert_eq!(session.status(), Status::Stopped);
/// assert_eq!(session.len(), 2);
/// ```
#[derive(Debug, Clone)]
pub struct Scheduler {
    rng: SeededRng,
    rules: Vec<Rule>,
}

impl Scheduler {
    /// The scheduler of a seed. Of several rules for a decision the last counts.
    pub fn new(seed: u64, rules: Vec<Rule>) -> Self {
        Scheduler { rng: SeededRng::for_purpose(seed, PURPOSE), rules }
    }

    /// What happens next; `None` if nothing can.
    pub fn choose(&mut self, session: &Session<'_>) -> Option<Step> {
        let index = self.rng.index(session.action_count())?;
        let action = session.action(index)?;
        let outcome = match action {
            Action::Interaction(_) | Action::Put(_) | Action::Take(_) | Action::Race => 0,
            Action::Decision { .. } | Action::Choice { .. } => {
                // Draw a number even where a rule decides, so that the rest of the run does not depend on the rule.
                let thrown = self.rng.below(action.outcomes());
                self.rules.iter().rev().find_map(|rule| rule.outcome(action)).unwrap_or(thrown)
            }
        };
        action.step(outcome)
    }
}

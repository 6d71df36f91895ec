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
pub struct Rule {
    /// Who.
    pub process: ProcessId,
    /// What decides.
    pub condition: Symbol,
    /// Whether it is true.
    pub holds: bool,
}

/// Chooses steps: every possible action has the same probability, and so do both outcomes of a decision, unless
/// there is a rule for it.
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
            Action::Interaction(_) | Action::Race => 0,
            Action::Choice { arms, .. } => self.rng.below(arms as usize),
            Action::Decision { process, condition } => {
                // Draw a number even where a rule decides, so that the rest of the run does not depend on the rule.
                let thrown = self.rng.below(2) == 0;
                let applies = |rule: &&Rule| rule.process == process && rule.condition == condition;
                usize::from(!self.rules.iter().rev().find(applies).map_or(thrown, |rule| rule.holds))
            }
        };
        action.step(outcome)
    }
}

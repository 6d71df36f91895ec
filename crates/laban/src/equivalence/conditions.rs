//! Comparing decisions whatever their conditions.
//!
//! To compare two networks by who decides, all conditions are made the same before. An answer then has that one text in
//! it; the run is followed again to put back what each process really decides, in the words of the first network.

use super::difference::{Contrast, Difference, Instead, Side};
use super::verify::Conditions;
use crate::network::{Network, ProcessId, State, StateId};
use crate::semantics::{Configuration, Queues, Step};
use crate::syntax::Symbol;

/// What stands for every condition.
const SAME: Symbol = Symbol(0);

/// A step as it is compared.
pub(super) fn compared(step: Step, conditions: Conditions) -> Step {
    match (step, conditions) {
        (Step::Decision { process, holds, .. }, Conditions::Any) => Step::Decision { process, condition: SAME, holds },
        _ => step,
    }
}

/// The network with one condition in place of all.
pub(super) fn without_conditions(network: &Network) -> Network {
    let mut network = network.clone();
    for state in &mut network.states {
        if let State::If { condition, .. } = state {
            *condition = SAME;
        }
    }
    network
}

/// The step with the condition that its process decides in a network, where it is there.
pub(super) fn with_condition(step: Step, network: &Network, at: &Configuration) -> Step {
    match step {
        Step::Decision { process, holds, .. } => match at.state(network, process) {
            State::If { condition, .. } => Step::Decision { process, condition, holds },
            _ => step,
        },
        _ => step,
    }
}

/// The difference with the conditions of two joined networks, which start in these states.
pub(super) fn put_back(mut difference: Difference, network: &Network, starts: &[Vec<StateId>; 2]) -> Difference {
    let [mut first, mut second] =
        starts.each_ref().map(|starts| Configuration { states: starts.clone(), queues: Queues::default() });
    for step in &mut difference.run {
        let own = with_condition(*step, network, &second);
        second.take(network, own);
        *step = with_condition(*step, network, &first);
        first.take(network, *step);
    }
    for (possible, at) in difference.possible.iter_mut().zip([&first, &second]) {
        possible.iter_mut().for_each(|step| *step = with_condition(*step, network, at));
    }
    if let Contrast::Step { step, side, instead } = &mut difference.reason {
        let (here, there) = match side {
            Side::First => (&first, &second),
            Side::Second => (&second, &first),
        };
        *step = with_condition(*step, network, here);
        instead.iter_mut().for_each(|instead| decide(instead, network, there));
    }
    difference
}

/// Says what a process decides that decides instead of something else.
fn decide(instead: &mut Instead, network: &Network, at: &Configuration) {
    let decided = |process: ProcessId| match at.state(network, process) {
        State::If { condition, .. } => Some(condition),
        _ => None,
    };
    if let State::If { condition, .. } = &mut instead.state
        && let Some(own) = decided(instead.process)
    {
        *condition = own;
    }
}

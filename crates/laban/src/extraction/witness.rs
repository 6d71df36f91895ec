//! Witnesses made shorter.
//!
//! A search tells states apart by their markings and so comes to a cycle later than a reader would: the states of the
//! cycle may have been there before. A run is cut at the first state that lies on the cycle, which is turned to begin
//! there.

use super::Failure;
use crate::network::{Network, ProcessId, State, StateId};
use crate::semantics::{Step, moves};
use rustc_hash::FxHashMap;

/// More local states than this are not remembered for the sake of a shorter text.
const MOST_REMEMBERED: usize = 10_000_000;

/// The same failure of a component, with a shorter run if there is one.
pub(super) fn shortened(network: &Network, processes: &[ProcessId], failure: Failure) -> Failure {
    match failure {
        Failure::Livelock { run, cycle } if cycle.len().saturating_mul(processes.len()) <= MOST_REMEMBERED => {
            let (run, cycle) = turned(network, processes, run, cycle);
            Failure::Livelock { run, cycle }
        }
        other => other,
    }
}

fn turned(
    network: &Network,
    processes: &[ProcessId],
    mut run: Vec<Step>,
    mut cycle: Vec<Step>,
) -> (Vec<Step>, Vec<Step>) {
    let mut row = Row::start(network, processes);
    run.iter().for_each(|&step| row.take(step));
    let mut on_cycle: FxHashMap<Vec<StateId>, usize> = FxHashMap::default();
    for (place, &step) in cycle.iter().enumerate() {
        on_cycle.entry(row.states.clone()).or_insert(place);
        row.take(step);
    }
    let mut row = Row::start(network, processes);
    for done in 0..run.len() {
        if let Some(&place) = on_cycle.get(&row.states) {
            run.truncate(done);
            cycle.rotate_left(place);
            break;
        }
        row.take(run[done]);
    }
    (run, cycle)
}

/// Where the processes of a component are. There may be many components: the processes of the others are left out.
struct Row<'a> {
    network: &'a Network,
    /// In the order of their numbers.
    processes: &'a [ProcessId],
    states: Vec<StateId>,
}

impl<'a> Row<'a> {
    fn start(network: &'a Network, processes: &'a [ProcessId]) -> Self {
        let states =
            processes.iter().map(|&process| network.process(process).map_or(StateId(0), |known| known.start)).collect();
        Row { network, processes, states }
    }

    fn take(&mut self, step: Step) {
        let place = |process| self.processes.binary_search(&process).ok();
        let state = |process| place(process).map_or(State::Stop, |place| self.network.state(self.states[place]));
        for (process, state) in moves(self.network, step, state).unwrap_or_default() {
            if let Ok(place) = self.processes.binary_search(&process) {
                self.states[place] = state;
            }
        }
    }
}

//! Witnesses made shorter.
//!
//! A search tells states apart by their markings and so comes to a cycle later than a reader would: the states of the
//! cycle may have been there before. A run is cut at the first state that lies on the cycle, which is turned to begin
//! there. A deadlock beside which others go on is cut where somebody is stuck for the first time. Where queues grow
//! forever, it is enough to show how each goes round once.

use super::Failure;
use super::explain::{Witness, explain};
use super::one_round::one_round;
use crate::network::{Network, ProcessId, StateId};
use crate::semantics::{Queues, Step, Waits, moves, steps_of};
use rustc_hash::FxHashMap;

/// More local states than this are not remembered for the sake of a shorter text.
const MOST_REMEMBERED: usize = 10_000_000;

/// The same failure of a component, with a shorter run if there is one.
pub(super) fn shortened(network: &Network, processes: &[ProcessId], failure: Failure) -> Failure {
    match failure {
        Failure::Deadlock { run } if run.len().saturating_mul(processes.len()) <= MOST_REMEMBERED => {
            Failure::Deadlock { run: until_stuck(network, processes, run) }
        }
        Failure::Livelock { run, cycle } if cycle.len().saturating_mul(processes.len()) <= MOST_REMEMBERED => {
            let (run, cycle) = turned(network, processes, run, cycle);
            Failure::Livelock { run, cycle }
        }
        Failure::Orphan { run, cycle, from, to } if cycle.len().saturating_mul(processes.len()) <= MOST_REMEMBERED => {
            let (run, cycle) = turned(network, processes, run, cycle);
            Failure::Orphan { run, cycle, from, to }
        }
        Failure::Unbounded { run, cycle } if cycle.len() <= MOST_REMEMBERED => {
            let shorter = one_round(network, &run, &cycle).map(|cycle| Failure::Unbounded { run: run.clone(), cycle });
            // It has to show the same.
            let holds = |shorter: &Failure| explain(network, &Witness::new(processes, shorter)).is_ok();
            shorter.filter(holds).unwrap_or(Failure::Unbounded { run, cycle })
        }
        other => other,
    }
}

/// While others can still go on, the run may end as soon as somebody is stuck.
fn until_stuck(network: &Network, processes: &[ProcessId], mut run: Vec<Step>) -> Vec<Step> {
    let mut row = Row::start(network, processes);
    run.iter().for_each(|&step| row.take(step));
    let nothing_left =
        |&process: &ProcessId| steps_of(network, process, &row.queues, |process| row.at(process)).next().is_none();
    if processes.iter().all(nothing_left) {
        return run;
    }
    let mut row = Row::start(network, processes);
    for done in 0..run.len() {
        let at = |process| row.at(process);
        if !Waits::new(network, processes, &row.queues, at).deadlocked(network, at).is_empty() {
            run.truncate(done);
            break;
        }
        row.take(run[done]);
    }
    run
}

fn turned(
    network: &Network,
    processes: &[ProcessId],
    mut run: Vec<Step>,
    mut cycle: Vec<Step>,
) -> (Vec<Step>, Vec<Step>) {
    let mut row = Row::start(network, processes);
    run.iter().for_each(|&step| row.take(step));
    let mut on_cycle: FxHashMap<(Vec<StateId>, Queues), usize> = FxHashMap::default();
    for (place, &step) in cycle.iter().enumerate() {
        on_cycle.entry(row.place()).or_insert(place);
        row.take(step);
    }
    let mut row = Row::start(network, processes);
    for done in 0..run.len() {
        if let Some(&place) = on_cycle.get(&row.place()) {
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
    queues: Queues,
}

impl<'a> Row<'a> {
    fn start(network: &'a Network, processes: &'a [ProcessId]) -> Self {
        let states =
            processes.iter().map(|&process| network.process(process).map_or(StateId(0), |known| known.start)).collect();
        Row { network, processes, states, queues: Queues::default() }
    }

    /// Where a process is; nowhere, if it is in another component.
    fn at(&self, process: ProcessId) -> StateId {
        self.processes.binary_search(&process).map_or(StateId(u32::MAX), |place| self.states[place])
    }

    /// Where all of them are, and what lies in the queues.
    fn place(&self) -> (Vec<StateId>, Queues) {
        (self.states.clone(), self.queues.clone())
    }

    fn take(&mut self, step: Step) {
        let Some(moves) = moves(self.network, step, &self.queues, |process| self.at(process)) else { return };
        self.queues.apply(step);
        for (process, state) in moves {
            if let Ok(place) = self.processes.binary_search(&process) {
                self.states[place] = state;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::network::{Interaction, lower};
    use crate::syntax::parse_network;

    /// Two who go on forever beside so many others who wait for somebody who has stopped.
    fn beside(others: usize) -> (Network, Vec<ProcessId>, Step) {
        let text = "p { def X { q!<x>; X } main { X } } | q { def X { p?; X } main { X } } | r { main { stop } }";
        let waiting: String = (0..others).map(|number| format!(" | s{number} {{ main {{ r?; stop }} }}")).collect();
        let network = lower(&parse_network(&format!("{text}{waiting}")).tree).network.unwrap();
        let content =
            network.items(network.process(ProcessId(0)).unwrap().start).find_map(|item| item.sent()).unwrap().1;
        let step = Step::Interaction(Interaction { from: ProcessId(0), to: ProcessId(1), content });
        let processes = network.process_ids().collect();
        (network, processes, step)
    }

    /// All failures with a run and a cycle of so many steps.
    fn failures(step: Step, run: usize, cycle: usize) -> [Failure; 3] {
        let [p, q] = [0, 1].map(ProcessId);
        let [run, cycle] = [run, cycle].map(|length| vec![step; length]);
        [
            Failure::Deadlock { run: if cycle.len() > run.len() { cycle.clone() } else { run.clone() } },
            Failure::Livelock { run: run.clone(), cycle: cycle.clone() },
            Failure::Orphan { run, cycle, from: p, to: q },
        ]
    }

    #[test]
    fn a_run_ends_where_the_cycle_begins_or_somebody_is_stuck() {
        let (network, processes, step) = beside(1);
        for (number, failure) in failures(step, 3, 2).into_iter().enumerate() {
            let short = shortened(&network, &processes, failure);
            assert_eq!((short.run().len(), short.cycle().len()), (0, if number == 0 { 0 } else { 2 }), "{short:?}");
        }
    }

    #[test]
    fn what_is_too_long_to_be_remembered_is_left_as_it_is() {
        let (network, processes, step) = beside(3_200);
        let long = MOST_REMEMBERED / processes.len() + 1;
        for (number, failure) in failures(step, 1, long).into_iter().enumerate() {
            let short = shortened(&network, &processes, failure);
            let expected = if number == 0 { (long, 0) } else { (1, long) };
            assert_eq!((short.run().len(), short.cycle().len()), expected, "{number}");
        }
    }
}

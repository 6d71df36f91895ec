//! The naive twin of the search with races: every configuration, every interleaving, and the definitions word for word.

use laban::Verdict;
use laban::network::{Network, ProcessId, State};
use laban::semantics::{Configuration, Step};
use std::collections::BTreeMap;

/// More configurations than this are not looked at.
const MOST: usize = 3000;

/// Everything that a network can come to.
pub(crate) struct Space<'a> {
    network: &'a Network,
    configurations: Vec<Configuration>,
    /// For each, what can happen and where it leads.
    steps: Vec<Vec<(Step, usize)>>,
}

impl<'a> Space<'a> {
    /// All configurations that can be reached, unless there are too many.
    pub(crate) fn new(network: &'a Network) -> Option<Self> {
        let start = Configuration::start(network);
        let mut number = BTreeMap::from([(start.clone(), 0)]);
        let mut space = Space { network, configurations: vec![start], steps: Vec::new() };
        while let Some(at) = space.configurations.get(space.steps.len()).cloned() {
            let mut steps = Vec::new();
            for step in at.steps(network) {
                let mut next = at.clone();
                assert!(next.take(network, step));
                let fresh = number.len();
                let target = *number.entry(next.clone()).or_insert(fresh);
                if target == fresh {
                    space.configurations.push(next);
                }
                steps.push((step, target));
            }
            space.steps.push(steps);
            if number.len() > MOST {
                return None;
            }
        }
        Some(space)
    }

    /// A deadlock counts more than starvation.
    pub(crate) fn verdict(&self, fair: bool) -> Verdict {
        if (0..self.configurations.len()).any(|at| self.has_deadlock(at)) {
            return Verdict::Deadlock;
        }
        match self.network.process_ids().any(|process| self.is_starved(process, fair)) {
            true => Verdict::Livelock,
            false => Verdict::Extracted,
        }
    }

    fn state(&self, at: usize, process: ProcessId) -> State {
        self.configurations[at].state(self.network, process)
    }

    fn may_wait(&self, at: usize, process: ProcessId) -> bool {
        let service = self.network.processes()[process.index()].service;
        let idle = self.network.is_idle(self.configurations[at].at(self.network, process));
        service || idle || self.state(at, process) == State::Stop
    }

    /// A closed set that has nothing to do is dead, and whoever has stopped is; an arrow to the dead does not count.
    /// Every set of processes is tried.
    fn has_deadlock(&self, at: usize) -> bool {
        let count = self.network.processes().len();
        let mut dead: Vec<bool> = self.network.process_ids().map(|one| self.state(at, one) == State::Stop).collect();
        loop {
            let mut changed = false;
            for set in 1..1usize << count {
                let is_in = |process: ProcessId| set >> process.index() & 1 == 1;
                let members = || self.network.process_ids().filter(|&process| is_in(process));
                if members().all(|process| dead[process.index()]) {
                    continue;
                }
                let closed = members().all(|process| {
                    let mut partners = self.network.partners(self.state(at, process));
                    partners.all(|partner| is_in(partner) || dead[partner.index()])
                });
                let busy = self.steps[at].iter().any(|(step, _)| step.actors().all(is_in));
                if closed && !busy {
                    members().for_each(|process| dead[process.index()] = true);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        self.network.process_ids().any(|process| dead[process.index()] && !self.may_wait(at, process))
    }

    /// Starts with all configurations and throws out what violates the definition, until nothing changes.
    fn is_starved(&self, process: ProcessId, fair: bool) -> bool {
        let mut left: Vec<bool> = (0..self.configurations.len()).map(|at| !self.may_wait(at, process)).collect();
        loop {
            let mut changed = false;
            for at in 0..left.len() {
                if left[at] && !self.stays(at, process, fair, &left) {
                    left[at] = false;
                    changed = true;
                }
            }
            if !changed {
                return left.iter().any(|&left| left);
            }
        }
    }

    fn stays(&self, at: usize, process: ProcessId, fair: bool, left: &[bool]) -> bool {
        let steps = &self.steps[at];
        if steps.is_empty() {
            return false;
        }
        let interactions = steps.iter().filter(|(step, _)| matches!(step, Step::Interaction(_)));
        let mut interactions =
            interactions.map(|(step, target)| step.actors().all(|one| one != process) && left[*target]);
        if !interactions.all(|fine| fine) {
            return false;
        }
        self.network.process_ids().all(|one| {
            let own =
                || steps.iter().filter(|(step, _)| !matches!(step, Step::Interaction(_)) && step.initiator() == one);
            let decides = own().next().is_some();
            let stays = match fair {
                true => own().all(|(_, target)| left[*target]),
                false => own().any(|(_, target)| left[*target]),
            };
            !decides || one != process && stays
        })
    }
}

//! The naive twin of the searches with races and with queues: every configuration, every interleaving, and the
//! definitions word for word.

use laban::Verdict;
use laban::network::{Channel, Interaction, Network, ProcessId, State};
use laban::semantics::{Configuration, Step};
use std::collections::{BTreeSet, HashMap};

/// More configurations than this are not looked at.
const MOST: usize = 3000;

/// How much is looked at with queues that are never taken from.
const SOME: usize = 300;

/// With more messages in a queue than this, nothing is looked at then.
const LONGEST: usize = 6;

/// Everything that a network can come to, or the beginning of it.
pub(crate) struct Space<'a> {
    network: &'a Network,
    configurations: Vec<Configuration>,
    /// For each, what can happen and where it leads; `None` where that was not looked at.
    steps: Vec<Option<Vec<(Step, usize)>>>,
}

/// What is wrong with a network.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Failures {
    pub(crate) deadlock: bool,
    pub(crate) orphan: bool,
    pub(crate) livelock: bool,
}

impl Failures {
    pub(crate) fn is_safe(self) -> bool {
        self == Failures::default()
    }
}

impl<'a> Space<'a> {
    /// All configurations that can be reached, unless there are too many.
    pub(crate) fn new(network: &'a Network) -> Option<Self> {
        let space = Space::beginning(network, MOST, usize::MAX);
        space.is_complete().then_some(space)
    }

    /// The configurations that are reached first, about so many. Those with more messages in one queue than given are
    /// not looked at.
    pub(crate) fn beginning(network: &'a Network, most: usize, longest: usize) -> Self {
        let after = |at: &Configuration, step: Step| {
            let mut next = at.clone();
            assert!(next.take(network, step));
            next
        };
        Space::explored(network, vec![Configuration::start(network)], most, longest, after)
    }

    /// What is reached from these configurations, which are different.
    fn explored(
        network: &'a Network,
        starts: Vec<Configuration>,
        most: usize,
        longest: usize,
        after: impl Fn(&Configuration, Step) -> Configuration,
    ) -> Self {
        let mut number: HashMap<Configuration, usize> = starts.iter().cloned().zip(0..).collect();
        let mut space = Space { network, configurations: starts, steps: Vec::new() };
        while let Some(at) = space.configurations.get(space.steps.len()).cloned() {
            if number.len() > most || at.queues.iter().any(|(_, _, messages)| messages.len() > longest) {
                space.steps.push(None);
                continue;
            }
            let mut steps = Vec::new();
            for step in at.steps(network) {
                let next = after(&at, step);
                let fresh = number.len();
                let target = *number.entry(next.clone()).or_insert(fresh);
                if target == fresh {
                    space.configurations.push(next);
                }
                steps.push((step, target));
            }
            space.steps.push(Some(steps));
        }
        space
    }

    /// Whether these are all configurations.
    pub(crate) fn is_complete(&self) -> bool {
        self.steps.iter().all(|steps| steps.is_some())
    }

    pub(crate) fn configurations(&self) -> &[Configuration] {
        &self.configurations
    }

    /// A deadlock counts more than a lost message, and that more than starvation.
    pub(crate) fn verdict(&self, fair: bool) -> Verdict {
        if self.reaches_deadlock() {
            return Verdict::Deadlock;
        }
        match self.network.process_ids().any(|process| self.is_starved(process, [fair, !fair])[usize::from(fair)]) {
            true => Verdict::Livelock,
            false => Verdict::Extracted,
        }
    }

    /// Everything that is wrong. If these are not all configurations, there may be more.
    pub(crate) fn failures(&self, fair: bool) -> Failures {
        self.all_failures()[usize::from(fair)]
    }

    /// The same if decisions are not fair, and if they are: what is looked at is the same.
    pub(crate) fn all_failures(&self) -> [Failures; 2] {
        let queues: BTreeSet<(ProcessId, ProcessId)> =
            self.configurations.iter().flat_map(|at| at.queues.iter().map(|(from, to, _)| (from, to))).collect();
        let deadlock = self.reaches_deadlock();
        let mut failures = [Failures { deadlock, orphan: false, livelock: false }; 2];
        for (from, to) in queues {
            let forgotten = self.is_forgotten(from, to, failures.map(|failures| failures.orphan));
            failures.iter_mut().zip(forgotten).for_each(|(failures, forgotten)| failures.orphan |= forgotten);
        }
        for process in self.network.process_ids() {
            let starved = self.is_starved(process, failures.map(|failures| failures.livelock));
            failures.iter_mut().zip(starved).for_each(|(failures, starved)| failures.livelock |= starved);
        }
        failures
    }

    fn reaches_deadlock(&self) -> bool {
        (0..self.configurations.len()).any(|at| self.has_deadlock(at))
    }

    fn state(&self, at: usize, process: ProcessId) -> State {
        self.configurations[at].state(self.network, process)
    }

    fn may_wait(&self, at: usize, process: ProcessId) -> bool {
        let service = self.network.processes()[process.index()].service;
        let idle = self.network.is_idle(self.configurations[at].at(self.network, process));
        service || idle || self.state(at, process) == State::Stop
    }

    /// Who has to act so that a process can do something that it cannot do yet: by rendezvous all its partners, with
    /// queues whoever sends into an empty one and whoever takes from a full one.
    fn needs(&self, at: usize, process: ProcessId) -> Vec<ProcessId> {
        let Configuration { queues, .. } = &self.configurations[at];
        let items = self.network.items(self.configurations[at].at(self.network, process));
        let needed = |item: State| {
            let partner = item.partner()?;
            let takes = matches!(item, State::Receive { .. } | State::Offer { .. });
            let (from, to) = if takes { (partner, process) } else { (process, partner) };
            let waits = match self.network.channel(from, to) {
                Channel::Rendezvous => true,
                Channel::Queue { .. } if takes => queues.len(from, to) == 0,
                Channel::Queue { bound } => bound.is_some_and(|bound| queues.len(from, to) >= bound as usize),
            };
            waits.then_some(partner)
        };
        items.filter_map(needed).collect()
    }

    /// Whether somebody is dead who has not stopped and may not wait.
    fn has_deadlock(&self, at: usize) -> bool {
        let Some(steps) = &self.steps[at] else { return false };
        let acts = |process: ProcessId| steps.iter().any(|(step, _)| step.actors().any(|actor| actor == process));
        let is_fine = |process: &ProcessId| self.may_wait(at, *process);
        if self.network.process_ids().all(|process| is_fine(&process) || acts(process)) {
            return false;
        }
        !self.dead(at).iter().all(is_fine)
    }

    /// Who will never act again. A closed set that has nothing to do is dead, and whoever has stopped is; an arrow to
    /// the dead does not count. Every set of processes is tried.
    pub(crate) fn dead(&self, at: usize) -> Vec<ProcessId> {
        let steps = self.steps[at].as_deref().unwrap_or_default();
        let count = self.network.processes().len();
        let needs: Vec<Vec<ProcessId>> = self.network.process_ids().map(|process| self.needs(at, process)).collect();
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
                    needs[process.index()].iter().all(|&partner| is_in(partner) || dead[partner.index()])
                });
                let busy = steps.iter().any(|(step, _)| step.actors().all(is_in));
                if closed && !busy {
                    members().for_each(|process| dead[process.index()] = true);
                    changed = true;
                }
            }
            if !changed {
                return self.network.process_ids().filter(|process| dead[process.index()]).collect();
            }
        }
    }

    /// The same where some queues are never taken from and some steps are never taken. If it does not matter what else
    /// comes into such a queue, there may be an end to the configurations even if there is none without that.
    fn without(&self, untaken: impl Fn(ProcessId, ProcessId) -> bool, with: &impl Fn(Step) -> bool) -> Self {
        let is_short = |at: &&Configuration| at.queues.iter().all(|(_, _, messages)| messages.len() <= 2);
        let starts: Vec<Configuration> = self.configurations.iter().filter(is_short).take(SOME).cloned().collect();
        let keeps = |at: &Configuration, step: Step| match step {
            Step::Put(Interaction { from, to, .. }) => {
                let is_endless = self.network.channel(from, to) == Channel::Queue { bound: None };
                is_endless && untaken(from, to) && at.queues.len(from, to) > 0
            }
            _ => false,
        };
        Space::explored(self.network, starts, SOME * 4, LONGEST, |at, step| {
            let mut next = at.clone();
            if with(step) {
                assert!(next.take(self.network, step));
                if keeps(at, step) {
                    next.queues = at.queues.clone();
                }
            }
            next
        })
    }

    /// Whether a process may be left out forever while something happens; what is known already need not be found out.
    fn is_starved(&self, process: ProcessId, known: [bool; 2]) -> [bool; 2] {
        let with = |step: Step| step.actors().all(|one| one != process);
        let found = or(known, |fair| self.starves(process, fair, &with));
        if self.is_complete() || found == [true; 2] {
            return found;
        }
        let without = self.without(|_, to| to == process, &with);
        or(found, |fair| without.starves(process, fair, &with))
    }

    fn starves(&self, process: ProcessId, fair: bool, with: &impl Fn(Step) -> bool) -> bool {
        let waits = |at: usize| !self.may_wait(at, process) && self.steps[at].as_ref().is_some_and(|s| !s.is_empty());
        self.can_go_on(fair, waits, with)
    }

    /// Whether a message may lie in a queue forever: because others go on without it, or because nothing can happen.
    fn is_forgotten(&self, from: ProcessId, to: ProcessId, known: [bool; 2]) -> [bool; 2] {
        let takes = |step: Step| matches!(step, Step::Take(it) if (it.from, it.to) == (from, to));
        let with = |step: Step| !takes(step);
        let found = or(known, |fair| self.forgets(from, to, fair, &with));
        if self.is_complete() || found == [true; 2] {
            return found;
        }
        let without = self.without(|one, other| (one, other) == (from, to), &with);
        or(found, |fair| without.forgets(from, to, fair, &with))
    }

    fn forgets(&self, from: ProcessId, to: ProcessId, fair: bool, with: &impl Fn(Step) -> bool) -> bool {
        let lies = |at: usize| self.configurations[at].queues.len(from, to) > 0;
        self.can_go_on(fair, lies, with)
    }

    /// Whether it can go on forever within these configurations, with these steps only. Starts with all configurations
    /// and throws out what violates the definition, until nothing changes.
    fn can_go_on(&self, fair: bool, within: impl Fn(usize) -> bool, with: &impl Fn(Step) -> bool) -> bool {
        let mut left: Vec<bool> =
            (0..self.configurations.len()).map(|at| self.steps[at].is_some() && within(at)).collect();
        loop {
            let mut changed = false;
            for at in (0..left.len()).rev() {
                if left[at] && !self.stays(at, fair, with, &left) {
                    left[at] = false;
                    changed = true;
                }
            }
            if !changed {
                return left.iter().any(|&left| left);
            }
        }
    }

    /// Decisions are made by an adversary, unless they are fair, and all else happens some time if it can.
    fn stays(&self, at: usize, fair: bool, with: &impl Fn(Step) -> bool, left: &[bool]) -> bool {
        let steps = self.steps[at].as_deref().unwrap_or_default();
        let mut others = steps.iter().filter(|(step, _)| !step.is_decision());
        if !others.all(|&(step, target)| with(step) && left[target]) {
            return false;
        }
        self.network.process_ids().all(|one| {
            let own = || steps.iter().filter(|(step, _)| step.is_decision() && step.initiator() == one);
            let decides = own().next().is_some();
            let stays = match fair {
                true => own().all(|(_, target)| left[*target]),
                false => own().any(|(_, target)| left[*target]),
            };
            !decides || own().all(|&(step, _)| with(step)) && stays
        })
    }
}

/// What is known, or found out now, if decisions are not fair and if they are.
fn or(known: [bool; 2], find_out: impl Fn(bool) -> bool) -> [bool; 2] {
    [known[0] || find_out(false), known[1] || find_out(true)]
}

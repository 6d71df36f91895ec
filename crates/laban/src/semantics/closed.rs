//! Who can still act, and which sets of processes are closed.
//!
//! Draw an arrow from each process to the partners that its present head needs: by rendezvous those that it names, and
//! with queues the sender if the queue is empty, and the receiver if it is full. Who can put or take needs nobody; a
//! message that is the oldest and does not fit never will, so nobody can help who waits at it. Who can reach nobody
//! along the arrows that can act is *dead*: it will never act again, whatever the others do. A set of processes is
//! *closed* if no arrow leaves it, except to the dead: what happens outside of it changes nothing inside it.
//! `docs/algorithm.md` has the argument. Like everything in this room it is written to be obviously right; the search
//! has its own.

use super::configuration::steps_of;
use super::{Queues, Step};
use crate::network::{Network, ProcessId, State, StateId};

/// The waits among some processes that interact with nobody else.
#[derive(Debug, Clone)]
pub struct Waits {
    /// The processes, in order.
    processes: Vec<ProcessId>,
    /// For each, the places of those that its head needs, in order.
    arrows: Vec<Vec<usize>>,
    /// For each, what can happen at its initiative.
    steps: Vec<Vec<Step>>,
    /// For each, whether it may act some time.
    live: Vec<bool>,
}

impl Waits {
    /// The waits among some processes, where it is known what lies in the queues and in which state each of them is.
    pub fn new(network: &Network, processes: &[ProcessId], queues: &Queues, at: impl Fn(ProcessId) -> StateId) -> Self {
        let mut processes = processes.to_vec();
        processes.sort_unstable();
        processes.dedup();
        let place = |process: &ProcessId| processes.binary_search(process).ok();
        let arrows = processes.iter().map(|&process| {
            let needed = network.items(at(process)).filter_map(|item| needed(network, process, item, queues));
            let mut partners: Vec<usize> = needed.filter_map(|partner| place(&partner)).collect();
            partners.sort_unstable();
            partners.dedup();
            partners
        });
        let arrows: Vec<Vec<usize>> = arrows.collect();
        let steps: Vec<Vec<Step>> =
            processes.iter().map(|&process| steps_of(network, process, queues, &at).collect()).collect();
        // Who can act at once, and then whoever waits for somebody who may act.
        let mut live = vec![false; processes.len()];
        let mut work: Vec<usize> = Vec::new();
        for actor in steps.iter().flatten().flat_map(|step| step.actors()).filter_map(|actor| place(&actor)) {
            if !std::mem::replace(&mut live[actor], true) {
                work.push(actor);
            }
        }
        let mut waiting = vec![Vec::new(); processes.len()];
        for (index, partners) in arrows.iter().enumerate() {
            partners.iter().for_each(|&partner| waiting[partner].push(index));
        }
        while let Some(one) = work.pop() {
            for &other in &waiting[one] {
                if !std::mem::replace(&mut live[other], true) {
                    work.push(other);
                }
            }
        }
        Waits { processes, arrows, steps, live }
    }

    /// Whether a process will never act again, whatever the others do. Who has stopped is dead.
    pub fn is_dead(&self, process: ProcessId) -> bool {
        self.processes.binary_search(&process).is_ok_and(|index| !self.live[index])
    }

    /// The processes that will never act again, in order.
    pub fn dead(&self) -> impl Iterator<Item = ProcessId> {
        self.processes.iter().zip(&self.live).filter(|(_, live)| !**live).map(|(&process, _)| process)
    }

    /// The smallest closed set that has these processes in it, in order; the dead are left out.
    pub fn closure(&self, seeds: impl IntoIterator<Item = ProcessId>) -> Vec<ProcessId> {
        let mut reached = vec![false; self.processes.len()];
        let mut work: Vec<usize> = Vec::new();
        let seeds = seeds.into_iter().filter_map(|seed| self.processes.binary_search(&seed).ok());
        for seed in seeds.filter(|&seed| self.live[seed]) {
            if !std::mem::replace(&mut reached[seed], true) {
                work.push(seed);
            }
        }
        while let Some(one) = work.pop() {
            for &other in self.arrows[one].iter().filter(|&&other| self.live[other]) {
                if !std::mem::replace(&mut reached[other], true) {
                    work.push(other);
                }
            }
        }
        self.processes.iter().zip(reached).filter(|(_, reached)| *reached).map(|(&process, _)| process).collect()
    }

    /// Everything that can happen at the initiative of these processes, in their order.
    pub fn steps<'a>(&'a self, among: &'a [ProcessId]) -> impl Iterator<Item = Step> + 'a {
        let places = among.iter().filter_map(|process| self.processes.binary_search(process).ok());
        places.flat_map(|place| self.steps[place].iter().copied())
    }

    /// The processes that are dead although they have not stopped, are not services and are not idle: a deadlock.
    pub fn deadlocked(&self, network: &Network, at: impl Fn(ProcessId) -> StateId) -> Vec<ProcessId> {
        let is_stuck = |process: &ProcessId| {
            let state = at(*process);
            network.state(state) != State::Stop && !network.may_wait(*process, state)
        };
        self.dead().filter(is_stuck).collect()
    }
}

/// Who has to act so that a process can do what it sends or receives here; nobody if it can at once, or never.
fn needed(network: &Network, process: ProcessId, item: State, queues: &Queues) -> Option<ProcessId> {
    let partner = item.partner()?;
    let waits = match item {
        State::Receive { .. } | State::Offer { .. } => {
            !network.channel(partner, process).is_queue() || queues.len(partner, process) == 0
        }
        _ => !network.channel(process, partner).is_queue() || !queues.has_room(network, process, partner),
    };
    waits.then_some(partner)
}

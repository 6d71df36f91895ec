//! When a queue needs more room, and when no room will ever do.
//!
//! A queue gets room for one more if processes wait for each other and one of them only waits to send to it; if a race
//! is looked at in which somebody waits to send to it who could otherwise go on to something else, which might then
//! come first; or if somebody is starved while another only waits to send to it. `docs/algorithm.md` has the argument.

use super::graph::Way;
use super::heads::NONE;
use super::position::Position;
use super::queues::EMPTY;
use super::scene::{Held, Scene};
use super::search::{End, Search};
use crate::network::ProcessId;
use crate::semantics::{Action, Step};

impl Search<'_> {
    /// The queue that somebody waits to send to who will never act again unless it gets more room: that with the
    /// least.
    pub(super) fn held_up(&self) -> Option<u32> {
        let dead = |held: &&Held| !self.scene.live[held.process as usize];
        self.least(self.scene.held.iter().filter(dead).map(|held| held.queue))
    }

    fn least(&self, queues: impl Iterator<Item = u32>) -> Option<u32> {
        queues.min_by_key(|&queue| (self.queues.capacity(queue), queue))
    }

    /// Finds who will never act again although it must, or a message that will never be taken.
    pub(super) fn find_stuck(&self, node: u32, position: &Position) -> Result<(), End> {
        let (heads, scene) = (self.heads, &self.scene);
        let dead = |process: u32| {
            !scene.live[process as usize] && (scene.held.is_empty() || !scene.is_held(heads, &position.states, process))
        };
        for (process, &state) in (0u32..).zip(&position.states) {
            if !scene.live[process as usize] && !heads.head(state).may_wait && dead(process) {
                return Err(End::Deadlock(node));
            }
        }
        for (number, &content) in (0u32..).zip(&position.queues) {
            let Some(&oldest) = self.queues.messages(content).first() else { continue };
            let queue = heads.queues[number as usize];
            let receiver = position.states[queue.to as usize];
            if !self.queues.may_take(heads, receiver, queue.from, oldest) || dead(queue.to) {
                return Err(End::Orphan(node, number));
            }
        }
        Ok(())
    }

    /// The queue that needs more room for a race to be looked at as a whole: somebody in it waits to send to that
    /// queue, who could otherwise go on to something else.
    pub(super) fn tied(&self, position: &Position, members: &[bool]) -> Option<u32> {
        if self.scene.held.is_empty() {
            return None;
        }
        let states = &position.states;
        let mut inside = (0..members.len()).filter(|&process| members[process]);
        if !inside.any(|process| Scene::races(self.heads, states[process])) {
            return None;
        }
        let runs_ahead = |held: &&Held| {
            let state = states[held.process as usize];
            if Scene::races(self.heads, state) {
                return true;
            }
            let after = self.queues.after_sending(state);
            if after == NONE {
                return false;
            }
            // Who then waits for the one that it sends to, and nobody else, goes on only after that one did.
            let to = self.heads.queues[held.queue as usize].to;
            let back = self.heads.queue(to, held.process);
            let is_empty = back == NONE || position.queues[back as usize] == EMPTY;
            let waits = self.heads.sends(after).is_empty() && self.heads.partners(after) == [to];
            // Unless that one would also do something else with it.
            let mut answers = self.heads.sends(states[to as usize]).iter();
            let meets = answers.any(|sent| sent.to == held.process && sent.queue == NONE);
            !(waits && is_empty && !meets)
        };
        let held = self.scene.held.iter().filter(|held| members[held.process as usize]);
        self.least(held.filter(runs_ahead).map(|held| held.queue))
    }

    /// A queue that somebody waits to send to all along a cycle.
    pub(super) fn held_on(&mut self, cycle: &[(u32, usize)]) -> Option<u32> {
        if self.heads.queues.is_empty() {
            return None;
        }
        let mut acts = vec![false; self.layout.count];
        for &(node, number) in cycle {
            self.ways.of(node)[number].actors.iter().for_each(|&actor| acts[actor as usize] = true);
        }
        let mut held = Vec::new();
        let mut position = Position::default();
        for &(node, _) in cycle {
            self.layout.unpack(self.heads, self.store.row(node), &mut position);
            self.scene.look(self.heads, &self.queues, &position);
            let waiting = self.scene.held.iter().filter(|held| !acts[held.process as usize]);
            held.extend(waiting.map(|held| held.queue));
        }
        self.least(held.into_iter())
    }

    /// Gives a queue room for one more, and looks again at the nodes where somebody waited for it.
    pub(super) fn give_room(&mut self, queue: u32) -> Result<(), End> {
        if self.queues.capacity(queue) >= self.most_room {
            return Err(End::NoRoom);
        }
        self.queues.raise(queue);
        let again = std::mem::take(&mut self.full_at[queue as usize]);
        self.work.extend(again);
        Ok(())
    }

    /// Notes which queues some wait for in a node who will never act again unless these get more room.
    pub(super) fn note_stuck(&mut self, node: u32, position: &Position) {
        let dead = |held: &&Held| !self.scene.live[held.process as usize];
        let queues = self.scene.held.iter().filter(dead).map(|held| held.queue).collect();
        self.stuck.entry(position.states.clone()).or_default().push((node, queues));
    }

    /// Ends the search if some waited for each other on the way to a node for want of room, and everything is the same
    /// here but for longer queues: it will be so again and again.
    pub(super) fn find_growth(&mut self, node: u32, position: &Position) -> Result<(), End> {
        let Some(stuck) = self.stuck.get(&position.states) else { return Ok(()) };
        let mut before = Position::default();
        let mut ways = Vec::new();
        let mut at = node;
        while let Some(&(parent, way)) = self.parents.get(at as usize)
            && parent != NONE
        {
            ways.push(way);
            at = parent;
            for (_, queues) in stuck.iter().filter(|(stuck, _)| *stuck == at) {
                self.layout.unpack(self.heads, self.store.row(at), &mut before);
                if self.grows(&before, position, &ways, queues) {
                    return Err(End::Unbounded(at, node));
                }
            }
        }
        Ok(())
    }

    /// Whether what leads from one position to a later one, given in reverse, can be done again and again, with more
    /// each time in some queues.
    fn grows(&self, before: &Position, after: &Position, reversed: &[Way], queues: &[u32]) -> bool {
        let length = |content: u32| self.queues.messages(content).len();
        let grown = |queue: usize| length(after.queues[queue]).cmp(&length(before.queues[queue]));
        let all = 0..before.queues.len();
        let may_grow = |queue: usize| grown(queue).is_eq() || self.heads.queues[queue].bound == NONE;
        all.clone().all(|queue| grown(queue).is_ge() && may_grow(queue))
            && queues.iter().all(|&queue| grown(queue as usize).is_gt())
            && all.into_iter().all(|queue| self.repeats(queue, self.queues.messages(before.queues[queue]), reversed))
    }

    /// Whether what is taken from a queue on some ways, given in reverse, is what lies in it then, when they are gone
    /// again and again.
    fn repeats(&self, queue: usize, before: &[u32], reversed: &[Way]) -> bool {
        let queue = self.heads.queues[queue];
        let ends = (self.heads.processes[queue.from as usize], self.heads.processes[queue.to as usize]);
        let (mut put, mut taken) = (Vec::new(), Vec::new());
        for way in reversed.iter().rev() {
            match self.heads.actions[way.action as usize] {
                Action::Put(it) if (it.from, it.to) == ends => put.push(way.action - 1),
                Action::Take(it) if (it.from, it.to) == ends => taken.push(way.action - 2),
                _ => {}
            }
        }
        // Two words that repeat, and agree for as long as both of their periods, are the same.
        let length = before.len() + put.len() + taken.len();
        let there = before.iter().chain(put.iter().cycle()).take(length);
        taken.is_empty() || there.eq(taken.iter().cycle().take(length))
    }

    /// How a node was reached first.
    pub(super) fn path_to(&self, node: u32) -> Vec<Step> {
        let mut run = Vec::new();
        let mut at = node;
        while let Some(&(parent, way)) = self.parents.get(at as usize)
            && parent != NONE
        {
            let action = self.heads.actions.get(way.action as usize);
            run.extend(action.and_then(|action| action.step(way.outcome() as usize)));
            at = parent;
        }
        run.reverse();
        run
    }

    /// The queues that hold a message somewhere in the graph, with the most that they hold.
    pub(super) fn longest(&self) -> Vec<(ProcessId, ProcessId, u32)> {
        if self.heads.queues.is_empty() {
            return Vec::new();
        }
        let mut longest = vec![0; self.heads.queues.len()];
        let mut position = Position::default();
        for node in self.ways.reachable() {
            self.layout.unpack(self.heads, self.store.row(node), &mut position);
            for (longest, &content) in longest.iter_mut().zip(&position.queues) {
                *longest = self.queues.messages(content).len().max(*longest);
            }
        }
        let process = |number: u32| self.heads.processes[number as usize];
        let used = self.heads.queues.iter().zip(longest).filter(|(_, longest)| *longest > 0);
        used.map(|(queue, longest)| (process(queue.from), process(queue.to), longest as u32)).collect()
    }
}

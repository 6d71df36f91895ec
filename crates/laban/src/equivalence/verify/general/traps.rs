//! Traps: sets of pairs from which some processes can be kept from acting forever.
//!
//! A *trap* for some processes is a set of pairs, none of them an end, in which none of these processes acts, that no
//! interaction leaves, and that each decision can stay in: one of its outcomes does (all of them, if decisions are
//! fair). The greatest trap is a greatest fixed point: start with all pairs that might be in it and throw out what
//! does not fit, until nothing changes. If there is a trap there is one within a strong component of the graph, so
//! edges between components count as leaving. These kinds of traps are looked for:
//!
//! - where a process is left that may not wait forever: it is *starved*;
//! - where something can happen all the time that somebody idly waits for, and nobody takes part in it: it is
//!   *forgotten*. What would come of it has never been looked at;
//! - where a message waits in a queue all the time, and nobody takes any from it: it is *never taken*.

use super::super::NotVerified;
use super::super::VerifyOptions;
use super::super::mismatch::{Mismatch, Reason};
use super::pairs::{Owed, Pairs};
use crate::graph::{Graph, strong_components};
use crate::network::{Interaction, ProcessId};
use crate::semantics::Step;

/// Checks that nobody is starved, nothing forgotten and no message left in a queue forever.
pub(super) fn check(pairs: &Pairs<'_>, options: &VerifyOptions<'_>) -> Result<(), NotVerified> {
    let mut traps = Traps::new(pairs, options.fair);
    if traps.candidates.is_empty() {
        return Ok(());
    }
    let scene = pairs.scene;
    let interrupt = || (options.limits.stop)().map_or(Ok(()), |reason| Err(NotVerified::Undecided(reason)));
    for &process in scene.members() {
        interrupt()?;
        traps.spring(&[process], |pair| scene.must_act(pairs.row(pair), process));
        if let Some((pair, cycle)) = traps.lasso() {
            let state = scene.at(pairs.row(pair), process);
            let reason = Reason::Starved { process, state, cycle };
            return Err(Mismatch { run: pairs.run_to(pair), reason }.into());
        }
    }
    let mut owed = pairs.owed.clone();
    owed.sort_unstable();
    let mut is_owed = vec![false; pairs.len()];
    for same in owed.chunk_by(|one, other| (one.actors, one.is_elsewhere) == (other.actors, other.is_elsewhere)) {
        let [first, ..] = same else { continue };
        interrupt()?;
        same.iter().for_each(|owed| is_owed[owed.pair as usize] = true);
        let (one, other) = first.actors;
        let actors: Vec<ProcessId> = std::iter::once(one).chain(other).collect();
        traps.spring(&actors, |pair| is_owed[pair as usize]);
        if let Some((pair, cycle)) = traps.lasso() {
            let reason = pairs.forgotten(Owed { pair, ..*first }, None, cycle);
            return Err(Mismatch { run: pairs.run_to(pair), reason }.into());
        }
        same.iter().for_each(|owed| is_owed[owed.pair as usize] = false);
    }
    for &(from, to) in &scene.growth.queues {
        interrupt()?;
        let takes = |step: Step| matches!(step, Step::Take(taken) if (taken.from, taken.to) == (from, to));
        let waits = |pair: u32| pairs.moment(pair).length(from, to) > 0 && !pairs.steps(pair).any(takes);
        traps.spring(&[], waits);
        if let Some((pair, cycle)) = traps.lasso()
            && let Some(content) = pairs.moment(pair).oldest(from, to)
        {
            let message = Interaction { from, to, content };
            let reason = Reason::NeverTaken { message, state: pairs.moment(pair).at(to), cycle };
            return Err(Mismatch { run: pairs.run_to(pair), reason }.into());
        }
    }
    Ok(())
}

struct Traps<'a> {
    pairs: &'a Pairs<'a>,
    /// The pairs of the greatest trap for nobody: any other is in it.
    candidates: Vec<u32>,
    /// For each pair, whether it is in the trap.
    inside: Vec<bool>,
    /// For each item of a pair in the trap, how many of its edges stay in it.
    staying: Vec<u32>,
    /// The same in the greatest trap for nobody.
    staying_at_first: Vec<u32>,
    /// For each item, its pair.
    pair_of: Vec<u32>,
    /// The strong component of each pair.
    component_of: Vec<u32>,
    /// For each item, whether all its edges must stay in a trap.
    is_strict: Vec<bool>,
    /// For each pair, where the edges that lead to it are among all of them; and where those of the last one end.
    first_sources: Vec<usize>,
    /// The items that these edges belong to.
    sources: Vec<u32>,
    /// For each process that takes part, the pairs where it acts.
    acting: Vec<Vec<u32>>,
    /// Pairs that have been thrown out, while it is not known yet what else has to go.
    work: Vec<u32>,
}

impl<'a> Traps<'a> {
    fn new(pairs: &'a Pairs<'a>, fair: bool) -> Self {
        let count = pairs.len() as u32;
        let mut traps = Traps {
            pairs,
            candidates: Vec::new(),
            inside: Vec::new(),
            staying: Vec::new(),
            staying_at_first: Vec::new(),
            pair_of: Vec::new(),
            component_of: Vec::new(),
            is_strict: Vec::new(),
            first_sources: Vec::new(),
            sources: Vec::new(),
            acting: Vec::new(),
            work: Vec::new(),
        };
        let mut graph = Graph::new();
        for pair in 0..count {
            graph.push(0, pairs.targets(pair).iter().copied());
        }
        let components = strong_components(&graph);
        if !components.cyclic.contains(&true) {
            return traps;
        }
        let component = |pair: u32| components.component_of[pair as usize];
        let stays = |pair: u32, target: u32| component(pair) == component(target);
        traps.inside = (0..count).map(|pair| components.on_cycle(pair)).collect();
        let mut counts = vec![0; count as usize + 1];
        for pair in 0..count {
            for item in pairs.items(pair) {
                let is_strict = fair || !item.decides;
                let targets = pairs.targets_of(item);
                let inner = targets.iter().filter(|&&target| stays(pair, target));
                inner.clone().for_each(|&target| counts[target as usize + 1] += 1);
                let staying = inner.count();
                traps.inside[pair as usize] &= staying == targets.len() || !is_strict && staying > 0;
                traps.pair_of.push(pair);
                traps.is_strict.push(is_strict);
                traps.staying.push(staying as u32);
            }
        }
        for pair in 0..count as usize {
            counts[pair + 1] += counts[pair];
        }
        traps.first_sources.clone_from(&counts);
        traps.sources = vec![0; counts.last().copied().unwrap_or(0)];
        let mut number = 0;
        for pair in 0..count {
            for item in pairs.items(pair) {
                for &target in pairs.targets_of(item).iter().filter(|&&target| stays(pair, target)) {
                    let place = &mut counts[target as usize];
                    traps.sources[*place] = number;
                    *place += 1;
                }
                number += 1;
            }
        }
        traps.work = (0..count).filter(|&pair| !traps.inside[pair as usize]).collect();
        traps.settle(count as usize - traps.work.len());
        traps.candidates = (0..count).filter(|&pair| traps.inside[pair as usize]).collect();
        traps.staying_at_first.clone_from(&traps.staying);
        traps.component_of = components.component_of;
        traps.note_actors();
        traps
    }

    /// Notes where each process acts.
    fn note_actors(&mut self) {
        let scene = self.pairs.scene;
        self.acting = vec![Vec::new(); scene.members().len()];
        let acting = &mut self.acting;
        let mut add = |process: ProcessId, pair: u32| {
            if let Some(place) = scene.place(process)
                && acting[place].last() != Some(&pair)
            {
                acting[place].push(pair);
            }
        };
        for &pair in &self.candidates {
            for step in self.pairs.steps(pair) {
                step.actors().for_each(|actor| add(actor, pair));
            }
        }
    }

    /// Finds the greatest trap for some processes among the pairs of a kind.
    fn spring(&mut self, processes: &[ProcessId], is_of_kind: impl Fn(u32) -> bool) {
        self.work.clear();
        self.staying.copy_from_slice(&self.staying_at_first);
        for &pair in &self.candidates {
            let is_in = is_of_kind(pair);
            self.inside[pair as usize] = is_in;
            if !is_in {
                self.work.push(pair);
            }
        }
        for place in processes.iter().filter_map(|&process| self.pairs.scene.place(process)) {
            for &pair in &self.acting[place] {
                if std::mem::replace(&mut self.inside[pair as usize], false) {
                    self.work.push(pair);
                }
            }
        }
        self.settle(self.candidates.len() - self.work.len());
    }

    /// Throws out what does not fit any more, of so many pairs that are still in the trap.
    fn settle(&mut self, mut remain: usize) {
        // Once nothing is left, nothing more can go.
        while remain > 0
            && let Some(gone) = self.work.pop()
        {
            let sources = self.first_sources[gone as usize]..self.first_sources[gone as usize + 1];
            for &source in &self.sources[sources] {
                let item = source as usize;
                let pair = self.pair_of[item];
                if !self.inside[pair as usize] {
                    continue;
                }
                self.staying[item] -= 1;
                if self.is_strict[item] || self.staying[item] == 0 {
                    self.inside[pair as usize] = false;
                    remain -= 1;
                    self.work.push(pair);
                }
            }
        }
    }

    /// The sides of a pair that stay in the trap, and where they lead.
    fn sides_within(&self, pair: u32) -> impl Iterator<Item = (usize, u32)> {
        let component = |pair: u32| self.component_of[pair as usize];
        let stays = move |target: u32| self.inside[target as usize] && component(target) == component(pair);
        self.pairs.targets(pair).iter().copied().enumerate().filter(move |&(_, target)| stays(target))
    }

    /// A pair of the trap, if there is one, and what can happen from there until it comes back.
    fn lasso(&self) -> Option<(u32, Vec<Step>)> {
        let mut at = self.candidates.iter().copied().find(|&pair| self.inside[pair as usize])?;
        // Each pair of the trap leads to another, so this comes round.
        let mut met = vec![false; self.inside.len()];
        while !std::mem::replace(&mut met[at as usize], true) {
            at = self.sides_within(at).next()?.1;
        }
        Some((at, self.shortest_cycle(at)))
    }

    /// A shortest way from a pair back to it within the trap.
    fn shortest_cycle(&self, start: u32) -> Vec<Step> {
        let mut parents: Vec<Option<(u32, usize)>> = vec![None; self.inside.len()];
        let mut queue = std::collections::VecDeque::from([start]);
        while parents[start as usize].is_none()
            && let Some(pair) = queue.pop_front()
        {
            for (side, target) in self.sides_within(pair) {
                if parents[target as usize].is_none() {
                    parents[target as usize] = Some((pair, side));
                    queue.push_back(target);
                }
            }
        }
        let mut cycle = Vec::new();
        let mut at = start;
        while let Some((parent, side)) = parents[at as usize] {
            cycle.extend(self.pairs.step(parent, side));
            at = parent;
            if at == start {
                break;
            }
        }
        cycle.reverse();
        cycle
    }
}

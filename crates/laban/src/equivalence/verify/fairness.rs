//! Nobody is starved: on each cycle each process acts that still runs and is not a service.
//!
//! Let a process be *avoided* from a junction if there is an infinite path from there on which it runs and never acts.
//! That is a greatest fixed point: start with everyone who runs, and strike out whom no edge avoids,
//!
//! > avoided(u) = union over the edges u → v of (avoided(v) without those who act on the edge).
//!
//! It is found for all processes at once, with a set of processes as a row of bits. Junctions are looked at in the
//! postorder of a depth-first search, so that what an edge leads to is known before, but for edges back to the *head*
//! of a loop. Every infinite path comes to some head again and again, so once nobody is avoided from a head, nobody is
//! starved: a single loop, however it branches, takes one pass.

use super::cast::Part;
use super::mismatch::{Mismatch, Reason};
use super::walk::{Edge, NONE, Walk};
use super::witness::{self, Stretch};
use crate::choreography::Node;
use crate::graph::{Graph, strong_components};
use crate::network::{Interaction, ProcessId};
use crate::semantics::Configuration;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Checks the cycles of a part that has been walked.
pub(super) fn check(walk: &Walk<'_>, part: &Part) -> Result<(), Mismatch> {
    if !walk.met_again {
        return Ok(());
    }
    let Some(mut cycles) = Cycles::new(walk, part) else { return Ok(()) };
    match cycles.starved() {
        None => Ok(()),
        Some((slot, position)) => Err(cycles.explain(slot, position)),
    }
}

/// The junctions that lie on cycles.
struct Cycles<'a> {
    walk: &'a Walk<'a>,
    part: &'a Part,
    /// The junctions on cycles, in postorder.
    order: Vec<u32>,
    /// For each of them, by place in the order, the edges that stay in its component, as places.
    next: Vec<[u32; 2]>,
    /// For each place, whether an edge leads back to it.
    is_head: Vec<bool>,
    /// How many words a set of processes takes.
    words: usize,
    /// For each place the set of those that are avoided.
    avoided: Vec<u64>,
    /// For each edge the set of those who act on it.
    actors: Vec<u64>,
}

impl<'a> Cycles<'a> {
    /// Finds the cycles and who runs on them; `None` if there are none.
    fn new(walk: &'a Walk<'a>, part: &'a Part) -> Option<Self> {
        let mut graph = Graph::with_capacity(walk.junctions.len(), 2 * walk.junctions.len());
        for junction in &walk.junctions {
            graph.push(0, junction.next.into_iter().filter(|&target| target != NONE));
        }
        let components = strong_components(&graph);
        if !components.cyclic.contains(&true) {
            return None;
        }
        let component = |junction: u32| components.component_of[junction as usize];
        let kept = |edge: Edge| -> Option<u32> {
            let target = walk.junctions[edge.from as usize].next[edge.side];
            (target != NONE && component(target) == component(edge.from)).then_some(target)
        };

        let words = part.slots.len().div_ceil(64);
        let (order, place_of, is_head) = postorder(walk.junctions.len(), |node| components.on_cycle(node), kept);
        let mut cycles = Cycles {
            walk,
            part,
            next: Vec::with_capacity(order.len()),
            is_head,
            words,
            avoided: vec![0; order.len() * words],
            actors: vec![0; order.len() * 2 * words],
            order,
        };
        // Stopped is stopped, so the same processes run everywhere in a component. A cycle is entered from elsewhere,
        // so one of its nodes has several incoming edges and a row.
        let mut running_of = vec![usize::MAX; components.count()];
        let mut running = Vec::new();
        for &junction in &cycles.order {
            let known = &mut running_of[component(junction) as usize];
            if *known == usize::MAX
                && let Some(row) = walk.stored_row(&walk.junctions[junction as usize])
            {
                *known = running.len();
                cycles.push_running(&row, &mut running);
            }
        }
        for place in 0..cycles.order.len() {
            let junction = cycles.order[place];
            let targets = [0, 1].map(|side| kept(Edge { from: junction, side }));
            cycles.next.push(targets.map(|target| target.map_or(NONE, |target| place_of[target as usize])));
            // To begin with, everyone who runs counts as avoided.
            if let Some(set) = running.get(running_of[component(junction) as usize]..) {
                cycles.avoided[place * words..(place + 1) * words].copy_from_slice(&set[..words]);
            }
            cycles.note_actors(place);
        }
        Some(cycles)
    }

    /// Adds the set of those who run in a row.
    fn push_running(&self, row: &[u32], sets: &mut Vec<u64>) {
        let set = sets.len();
        sets.resize(set + self.words, 0);
        for (number, &state) in row.iter().enumerate() {
            if self.walk.runs_in(self.part.slots.start + number, state) {
                sets[set + number / 64] |= 1 << (number % 64);
            }
        }
    }

    /// Notes who acts on the edges of a junction.
    fn note_actors(&mut self, place: usize) {
        for side in 0..2 {
            if self.next[place][side] == NONE {
                continue;
            }
            let set = (2 * place + side) * self.words;
            let mut add = |process: ProcessId| {
                let number = self.walk.cast.player(process).slot as usize - self.part.slots.start;
                self.actors[set + number / 64] |= 1 << (number % 64);
            };
            for (_, node) in Stretch::new(self.walk, Edge { from: self.order[place], side }) {
                match *node {
                    Node::Interaction { interaction: Interaction { from, to, .. }, .. } => {
                        add(from);
                        add(to);
                    }
                    Node::If { process, .. } => add(process),
                    Node::Stop | Node::Group { .. } | Node::Choose { .. } | Node::Any { .. } => {}
                    Node::Put { .. } | Node::Take { .. } => {}
                }
            }
        }
    }

    /// Someone who is avoided forever, as a number among the slots of the part, and a head from which that is so.
    fn starved(&mut self) -> Option<(usize, usize)> {
        let count = self.order.len();
        for place in 0..count {
            self.strike_out(place);
        }
        let heads: Vec<usize> = (0..count).filter(|&place| self.is_head[place]).collect();
        let mut open = heads.iter().filter(|&&head| self.avoids_someone(head)).count();
        if open == 0 {
            return None;
        }
        // Whoever looks at a place that has changed has to look again, in the same order.
        let mut sources = vec![Vec::new(); count];
        for (place, targets) in self.next.iter().enumerate() {
            for &target in targets.iter().filter(|&&target| target != NONE) {
                sources[target as usize].push(place as u32);
            }
        }
        let mut waiting = vec![true; count];
        let mut queue: BinaryHeap<Reverse<u32>> = (0..count as u32).map(Reverse).collect();
        while let Some(Reverse(place)) = queue.pop() {
            waiting[place as usize] = false;
            let was_open = self.is_head[place as usize] && self.avoids_someone(place as usize);
            if !self.strike_out(place as usize) {
                continue;
            }
            if was_open && !self.avoids_someone(place as usize) {
                open -= 1;
                if open == 0 {
                    return None;
                }
            }
            for &source in &sources[place as usize] {
                if !std::mem::replace(&mut waiting[source as usize], true) {
                    queue.push(Reverse(source));
                }
            }
        }
        let first = |head: usize| {
            let set = &self.avoided[head * self.words..(head + 1) * self.words];
            let word = set.iter().position(|&word| word != 0)?;
            Some((word * 64 + set[word].trailing_zeros() as usize, head))
        };
        heads.into_iter().filter_map(first).min()
    }

    /// Leaves at a place only those whom one of its edges avoids. Returns whether that changes anything.
    #[inline]
    fn strike_out(&mut self, place: usize) -> bool {
        let mut changed = false;
        let words = self.words;
        for word in 0..words {
            let before = self.avoided[place * words + word];
            let mut avoided = 0;
            for side in 0..2 {
                let target = self.next[place][side];
                if target != NONE {
                    let actors = self.actors[(2 * place + side) * words + word];
                    avoided |= self.avoided[target as usize * words + word] & !actors;
                }
            }
            // Some of its targets may not have been looked at yet; a set only ever shrinks.
            avoided &= before;
            self.avoided[place * words + word] = avoided;
            changed |= avoided != before;
        }
        changed
    }

    fn avoids_someone(&self, place: usize) -> bool {
        self.avoided[place * self.words..(place + 1) * self.words].iter().any(|&word| word != 0)
    }

    fn contains(set: &[u64], number: usize) -> bool {
        set.get(number / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    /// Whether an edge stays on a cycle and the process does not act on it.
    fn avoids(&self, place: usize, side: usize, number: usize) -> bool {
        let set = (2 * place + side) * self.words;
        self.next[place][side] != NONE && !Self::contains(&self.actors[set..set + self.words], number)
    }

    /// A run to a cycle that avoids a process, and the cycle.
    fn explain(&self, number: usize, head: usize) -> Mismatch {
        // From a place that avoids the process there is an edge that does to another; so this comes round.
        let mut met = vec![false; self.order.len()];
        let mut at = head;
        while !std::mem::replace(&mut met[at], true) {
            let onward = (0..2).filter(|&side| self.avoids(at, side, number)).map(|side| self.next[at][side] as usize);
            let mut onward = onward
                .filter(|&next| Self::contains(&self.avoided[next * self.words..(next + 1) * self.words], number));
            at = onward.next().unwrap_or(at);
        }
        let mut place_of = vec![NONE; self.walk.junctions.len()];
        for (place, &junction) in self.order.iter().enumerate() {
            place_of[junction as usize] = place as u32;
        }
        let allowed = |edge: Edge| match place_of[edge.from as usize] {
            NONE => false,
            place => self.avoids(place as usize, edge.side, number),
        };
        let junction = self.order[at];
        let cycle = witness::steps(self.walk, &witness::shortest(self.walk, junction, junction, allowed));
        let run = witness::run_to(self.walk, junction);
        let process = self.walk.cast.process_at[self.part.slots.start + number];
        let mut configuration = Configuration::start(self.walk.network);
        for &step in &run {
            configuration.take(self.walk.network, step);
        }
        let state = configuration.states[process.index()];
        Mismatch { run, reason: Reason::Starved { process, state, cycle } }
    }
}

/// A postorder of some nodes, the place of each node in it, and for each place whether an edge leads back to it.
fn postorder(
    count: usize,
    is_in: impl Fn(u32) -> bool,
    target: impl Fn(Edge) -> Option<u32>,
) -> (Vec<u32>, Vec<u32>, Vec<bool>) {
    const ON_PATH: u32 = NONE - 1;
    let mut order = Vec::new();
    let mut place_of = vec![NONE; count];
    let mut leads_back = vec![false; count];
    let mut path: Vec<Edge> = Vec::new();
    for root in (0..count as u32).filter(|&node| is_in(node)) {
        if place_of[root as usize] != NONE {
            continue;
        }
        place_of[root as usize] = ON_PATH;
        path.push(Edge { from: root, side: 0 });
        while let Some(edge) = path.last_mut() {
            if edge.side == 2 {
                place_of[edge.from as usize] = order.len() as u32;
                order.push(edge.from);
                path.pop();
                continue;
            }
            let next = target(*edge);
            edge.side += 1;
            let Some(next) = next else { continue };
            match place_of[next as usize] {
                NONE => {
                    place_of[next as usize] = ON_PATH;
                    path.push(Edge { from: next, side: 0 });
                }
                ON_PATH => leads_back[next as usize] = true,
                _ => {}
            }
        }
    }
    let is_head = order.iter().map(|&node| leads_back[node as usize]).collect();
    (order, place_of, is_head)
}

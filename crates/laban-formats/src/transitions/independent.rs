//! Messages that are independent of the others of their state.
//!
//! If what some roles do next does not depend on what others do meanwhile, an automaton has all orders of it, and a
//! choreography one: what comes later in its text, and is done by others, may happen before. So if some messages of a
//! state are independent of the others there, the others can be left out: they are there again afterwards.
//!
//! A set of messages of a state is independent if it is there, unchanged, in all states that the others can reach
//! without it, if none of its roles does anything else on the way, and if it leads to the same whether it comes before
//! or after each step of the others. What is left out must not be put off forever, in a circle of states in which it is
//! left out each time; then what was kept there is left out instead.

use super::{Transition, Transitions, have_role_in_common};
use crate::report::Report;
use std::collections::{BTreeMap, HashMap, HashSet};

/// How many edges are looked at before it is given up: so many for each edge that there is, and so many more.
const MOST_WORK: (usize, usize) = (64, 1 << 20);
/// How many of them for one set.
const MOST_FOR_SET: usize = 1 << 14;

/// What is kept in a state: the edges whose number this is.
type Kept = HashMap<usize, Vec<usize>>;

impl Transitions {
    /// Leaves out the messages that can wait, where there are several senders and receivers.
    pub(super) fn leave_out_independent(&mut self, reached: &[bool], report: &mut Report) {
        let edges: usize = self.states.iter().map(|state| state.edges.len()).sum();
        let mut work = edges.saturating_mul(MOST_WORK.0).saturating_add(MOST_WORK.1);
        // The states in which some edges can be left out, with what is kept in each.
        let mut order = Vec::new();
        let mut kept = Kept::new();
        for number in (0..self.states.len()).filter(|&number| reached[number]) {
            let sets = self.sets(number);
            if sets.len() < 2 {
                continue;
            }
            if let Some(set) = sets.into_iter().find(|set| self.can_be_kept(number, set, &mut work)) {
                kept.insert(number, set);
                order.push(number);
            }
        }
        // Each time something would be put off forever, it is kept in one more state.
        for _ in 0..=order.len() {
            let (state, put_off) = match self.put_off(&order, &kept, &mut work) {
                PutOff::Nothing => return self.leave_out(&order, &kept, report),
                PutOff::Edge { state, edge } => (state, edge),
                PutOff::Unknown => break,
            };
            let set = self.sets(state).into_iter().find(|set| set.contains(&put_off));
            match set.filter(|set| self.can_be_kept(state, set, &mut work)) {
                Some(set) => kept.insert(state, set),
                None => kept.remove(&state),
            };
        }
        // What could not be put right stays as it is.
        self.leave_out(&order, &Kept::new(), report);
    }

    /// Whether a set of edges of a state can be said, and is independent.
    fn can_be_kept(&self, state: usize, set: &[usize], work: &mut usize) -> bool {
        if !have_role_in_common(set.iter().map(|&edge| &self.states[state].edges[edge])) {
            return false;
        }
        let for_set = MOST_FOR_SET.min(*work);
        let mut left = for_set;
        let is_independent = self.is_independent(state, set, &mut left);
        *work -= for_set - left;
        is_independent
    }

    fn leave_out(&mut self, order: &[usize], kept: &Kept, report: &mut Report) {
        let mut remarked = false;
        for state in order {
            let Some(kept) = kept.get(state) else { continue };
            let state = &mut self.states[*state];
            let edges = std::mem::take(&mut state.edges);
            let (kept, left): (Vec<_>, Vec<_>) =
                edges.into_iter().enumerate().partition(|(number, _)| kept.contains(number));
            state.edges = kept.into_iter().map(|(_, edge)| edge).collect();
            if let (false, Some((_, edge))) = (remarked, left.first()) {
                remarked = true;
                let text = "messages that are independent of each other are written one after the other; \
                            in which order they happen stays open";
                report.remark(edge.span, text);
            }
        }
    }

    /// The edges of a state, those together of which somebody takes part in both. One set if they need not be apart.
    fn sets(&self, state: usize) -> Vec<Vec<usize>> {
        let edges = &self.states[state].edges;
        if have_role_in_common(edges.iter()) {
            return vec![(0..edges.len()).collect()];
        }
        // For each edge, another one of its set, or itself.
        let mut leads: Vec<usize> = (0..edges.len()).collect();
        fn lead(leads: &mut [usize], mut edge: usize) -> usize {
            while leads[edge] != edge {
                leads[edge] = leads[leads[edge]];
                edge = leads[edge];
            }
            edge
        }
        let mut last: HashMap<usize, usize> = HashMap::new();
        for (number, edge) in edges.iter().enumerate() {
            for role in [edge.from, edge.to] {
                if let Some(before) = last.insert(role, number) {
                    let (one, other) = (lead(&mut leads, before), lead(&mut leads, number));
                    leads[one.max(other)] = one.min(other);
                }
            }
        }
        let mut sets: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for number in 0..edges.len() {
            sets.entry(lead(&mut leads, number)).or_default().push(number);
        }
        sets.into_values().collect()
    }

    /// Whether a set of edges of a state is independent.
    fn is_independent(&self, start: usize, set: &[usize], work: &mut usize) -> bool {
        let own: Vec<&Transition> = set.iter().filter_map(|&number| self.states[start].edges.get(number)).collect();
        let mut met = HashSet::from([start]);
        let mut next = vec![start];
        while let Some(number) = next.pop() {
            let Some(state) = self.states.get(number) else { return false };
            let Some(rest) = work.checked_sub(1 + state.edges.len() * own.len()) else { return false };
            *work = rest;
            let (mine, others): (Vec<&Transition>, Vec<&Transition>) =
                state.edges.iter().partition(|edge| own.iter().any(|own| own.says_the_same(edge)));
            let touches = others.iter().any(|other| own.iter().any(|own| own.meets(other)));
            if state.may_end || mine.len() != own.len() || touches {
                return false;
            }
            for other in others {
                for &edge in &mine {
                    let length = |state: usize| self.states.get(state).map_or(0, |state| state.edges.len());
                    let both = length(edge.target) + length(other.target);
                    let Some(rest) = work.checked_sub(1 + both) else { return false };
                    *work = rest;
                    let one = self.after(edge.target, other);
                    if one.is_none() || one != self.after(other.target, edge) {
                        return false;
                    }
                }
                if met.insert(other.target) {
                    next.push(other.target);
                }
            }
        }
        true
    }

    /// Where the message of an edge leads to from another state, if it leads to one place only.
    fn after(&self, state: usize, edge: &Transition) -> Option<usize> {
        let mut same = self.states.get(state)?.edges.iter().filter(|other| other.says_the_same(edge));
        let only = same.next()?.target;
        same.next().is_none().then_some(only)
    }

    /// An edge that is left out in all states of a circle, and one of these states.
    fn put_off(&self, order: &[usize], kept: &Kept, work: &mut usize) -> PutOff {
        let left = |state: usize| {
            let kept = kept.get(&state);
            let edges = self.states[state].edges.iter().enumerate();
            edges.filter(move |(number, _)| kept.is_some_and(|kept| !kept.contains(number)))
        };
        for &start in order {
            for (_, edge) in left(start) {
                // A walk through states in which it is left out: does it come back?
                let mut met = HashSet::new();
                let mut next: Vec<usize> = vec![start];
                while let Some(state) = next.pop() {
                    for &number in kept.get(&state).map_or(&[][..], |kept| kept) {
                        let target = self.states[state].edges[number].target;
                        let Some(rest) = work.checked_sub(1 + self.states[target].edges.len()) else {
                            return PutOff::Unknown;
                        };
                        *work = rest;
                        let Some((again, _)) = left(target).find(|(_, other)| other.says_the_same(edge)) else {
                            continue;
                        };
                        if target == start {
                            return PutOff::Edge { state: start, edge: again };
                        }
                        if met.insert(target) {
                            next.push(target);
                        }
                    }
                }
            }
        }
        PutOff::Nothing
    }
}

/// What would be put off forever.
enum PutOff {
    Nothing,
    /// This edge of this state.
    Edge {
        state: usize,
        edge: usize,
    },
    /// It would take too long to find out.
    Unknown,
}

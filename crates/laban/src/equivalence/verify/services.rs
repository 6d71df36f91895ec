//! Which services a choreography leaves in the middle of a conversation.
//!
//! A service may wait forever, so a certificate says nothing of where it waits. Here each service is followed alone: a
//! *pair* is a node of the choreography and the state of the service, which moves only where the service acts. It is
//! left in a state if it can be that it never acts again: a greatest fixed point, like starvation, but for one process
//! and with the ends of the choreography in it. Whether the choreography describes the network is not asked.

use super::VerifyOptions;
use super::cast::Cast;
use super::general::Script;
use super::service_left::{Rests, ServiceLeft, is_service};
use crate::choreography::{Choreography, Node, NodeId};
use crate::network::{Interaction, Network, ProcessId, State, StateId};
use crate::semantics::{Configuration, Step, moved};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// How often it is asked whether to stop.
const OFTEN: usize = 4096;

/// The services that are left in the middle of a conversation where a choreography stops or loops without them, each
/// with a short run. Meant for a choreography that describes the network. When the limits are reached, it gives what it
/// has found.
pub fn services_left(network: &Network, choreography: &Choreography, options: &VerifyOptions<'_>) -> Vec<ServiceLeft> {
    let Some(rests) = Rests::new(network) else { return Vec::new() };
    let Ok(cast) = Cast::new(network, choreography) else { return Vec::new() };
    let script = Script::new(network, choreography);
    let mut left = Vec::new();
    for process in network.process_ids().filter(|&process| is_service(network, process)) {
        let part = cast.slot(process).and_then(|slot| cast.parts.iter().find(|part| part.slots.contains(&slot)));
        let Some(part) = part else { continue };
        let stage = Stage { network, choreography, script: &script, cast: &cast, process, rests: &rests };
        let Some(pairs) = Pairs::walk(&stage, part.start, options) else { break };
        left.extend(pairs.left(&stage, options.fair));
    }
    left
}

/// What a service is followed in.
struct Stage<'a> {
    network: &'a Network,
    choreography: &'a Choreography,
    script: &'a Script<'a>,
    cast: &'a Cast,
    /// The service.
    process: ProcessId,
    rests: &'a Rests,
}

/// How the outcomes of a node count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Nothing more happens.
    End,
    /// There is one outcome, or the world decides among several: all have to be reckoned with.
    World,
    /// Somebody else decides.
    Decision,
    /// The service acts.
    Own,
}

/// A node of the choreography, and where the service is then.
struct Pair {
    node: NodeId,
    state: StateId,
    kind: Kind,
    /// Where the outcomes lead, in their order.
    next: Vec<u32>,
    /// The pair from which it was reached first, and with which outcome.
    from: (u32, usize),
}

/// Everything that can come, in the order of a breadth-first walk.
struct Pairs(Vec<Pair>);

impl Pairs {
    /// Nothing if the work is to stop.
    fn walk(stage: &Stage<'_>, start: NodeId, options: &VerifyOptions<'_>) -> Option<Self> {
        let first = stage.network.process(stage.process)?.start;
        let mut pairs: Vec<Pair> = Vec::new();
        let mut known: FxHashMap<(NodeId, StateId), u32> = FxHashMap::default();
        let mut add = |pairs: &mut Vec<Pair>, node: NodeId, state: StateId, from: (u32, usize)| {
            *known.entry((node, state)).or_insert_with(|| {
                pairs.push(Pair { node, state, kind: Kind::End, next: Vec::new(), from });
                pairs.len() as u32 - 1
            })
        };
        add(&mut pairs, start, first, (0, 0));
        let mut index = 0;
        while let Some(&Pair { node, state, .. }) = pairs.get(index) {
            let is_too_many = options.limits.max_states.is_some_and(|most| pairs.len() > most);
            // Not at once, so that what is small is always known.
            if is_too_many || (index + 1) % OFTEN == 0 && (options.limits.stop)().is_some() {
                return None;
            }
            let (kind, outcomes) = stage.outcomes(node, state);
            let mut next = Vec::with_capacity(outcomes.len());
            for (outcome, (node, state)) in outcomes.into_iter().enumerate() {
                next.push(add(&mut pairs, node, state, (index as u32, outcome)));
            }
            pairs[index].kind = kind;
            pairs[index].next = next;
            index += 1;
        }
        Some(Pairs(pairs))
    }

    /// For each pair, whether the service is left there: it may be that it never acts again.
    fn avoided(&self, stage: &Stage<'_>, fair: bool) -> Vec<bool> {
        let Pairs(pairs) = self;
        let mut avoided: Vec<bool> =
            pairs.iter().map(|pair| pair.kind != Kind::Own && stage.rests.is_left(stage.network, pair.state)).collect();
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); pairs.len()];
        for (pair, number) in pairs.iter().zip(0..) {
            pair.next.iter().for_each(|&next| before[next as usize].push(number));
        }
        let holds = |avoided: &[bool], pair: &Pair| {
            let mut next = pair.next.iter().map(|&next| avoided[next as usize]);
            match pair.kind {
                Kind::End => true,
                Kind::Decision if !fair => next.any(|avoided| avoided),
                Kind::World | Kind::Decision => next.all(|avoided| avoided),
                Kind::Own => false,
            }
        };
        let mut work: Vec<u32> = (0..pairs.len() as u32).rev().collect();
        while let Some(number) = work.pop() {
            let pair = &pairs[number as usize];
            if avoided[number as usize] && !holds(&avoided, pair) {
                avoided[number as usize] = false;
                work.extend(before[number as usize].iter().filter(|&&one| avoided[one as usize]));
            }
        }
        avoided
    }

    /// How the service is left, if it is: at an end of the choreography if that is not further away than a cycle.
    fn left(&self, stage: &Stage<'_>, fair: bool) -> Option<ServiceLeft> {
        let avoided = self.avoided(stage, fair);
        let first = avoided.iter().position(|&avoided| avoided)?;
        let Pairs(pairs) = self;
        let (way, again) = self.way_on(&avoided, first);
        let end = pairs.iter().zip(&avoided).position(|(pair, &avoided)| avoided && pair.kind == Kind::End);
        let mut path = self.path_to(first);
        path.extend(way);
        let (path, again) = match end.map(|end| self.path_to(end)) {
            Some(to_end) if to_end.len() <= path.len() => (to_end, None),
            _ => (path, again),
        };
        // Where the cycle starts, as a place in the path.
        let again = again.and_then(|again| path.iter().position(|&(pair, _)| pair == again)).unwrap_or(path.len());
        let state = pairs[first].state;
        let state = path.last().map_or(state, |&(pair, outcome)| pairs[pairs[pair].next[outcome] as usize].state);
        let mut at = Configuration::start(stage.network);
        let (mut run, mut cycle) = (Vec::new(), Vec::new());
        for (place, &(pair, outcome)) in path.iter().enumerate() {
            let Some(step) = stage.step(&at, pairs[pair].node, outcome) else { continue };
            at.take(stage.network, step);
            if place < again { &mut run } else { &mut cycle }.push(step);
        }
        // With queues it is not known which label a service takes, and so a way may not be one.
        let is_way = !stage.network.has_queues() || at.at(stage.network, stage.process) == state;
        is_way.then_some(ServiceLeft { process: stage.process, state, run, cycle })
    }

    /// The way from the start to a pair: pairs with the outcome taken there.
    fn path_to(&self, goal: usize) -> Vec<(usize, usize)> {
        let mut path = Vec::new();
        let mut at = goal;
        while at != 0 {
            let (from, outcome) = self.0[at].from;
            path.push((from as usize, outcome));
            at = from as usize;
        }
        path.reverse();
        path
    }

    /// A way on from a pair without the service: to the nearest end or, if there is none, until a pair comes again, and
    /// then which.
    fn way_on(&self, avoided: &[bool], first: usize) -> (Vec<(usize, usize)>, Option<usize>) {
        let Pairs(pairs) = self;
        let on = |at: usize| {
            let outcomes = pairs[at].next.iter().map(|&next| next as usize).enumerate();
            outcomes.filter(|&(_, next)| avoided[next])
        };
        let mut from: Vec<Option<(usize, usize)>> = vec![None; pairs.len()];
        let mut queue = VecDeque::from([first]);
        while let Some(at) = queue.pop_front() {
            if pairs[at].kind == Kind::End {
                let mut way = Vec::new();
                let mut at = at;
                while let Some((before, outcome)) = from[at] {
                    way.push((before, outcome));
                    at = before;
                }
                way.reverse();
                return (way, None);
            }
            for (outcome, next) in on(at) {
                if next != first && from[next].is_none() {
                    from[next] = Some((at, outcome));
                    queue.push_back(next);
                }
            }
        }
        let mut seen = vec![false; pairs.len()];
        let (mut way, mut at) = (Vec::new(), first);
        while !std::mem::replace(&mut seen[at], true) {
            let Some((outcome, next)) = on(at).next() else { break };
            way.push((at, outcome));
            at = next;
        }
        (way, Some(at))
    }
}

impl Stage<'_> {
    /// What can come of a node, and where the service is then.
    fn outcomes(&self, node: NodeId, state: StateId) -> (Kind, Vec<(NodeId, StateId)>) {
        let decides = |process: ProcessId, outcomes: Vec<NodeId>| {
            if self.cast.player(process).process != self.process {
                return (Kind::Decision, outcomes.into_iter().map(|next| (next, state)).collect());
            }
            let mut states = Vec::new();
            if self.network.state(state).decides() {
                self.network.successors(state, |next| states.push(next));
            }
            (Kind::Own, outcomes.into_iter().zip(states).collect())
        };
        match self.script.node(node) {
            Node::Stop | Node::Group { .. } => (Kind::End, Vec::new()),
            Node::Put { .. } | Node::Take { .. } if !self.network.has_queues() => (Kind::End, Vec::new()),
            Node::Put { interaction, next } => {
                let interaction = self.cast.interaction(interaction);
                if interaction.from != self.process {
                    return (Kind::World, vec![(next, state)]);
                }
                let moved = moved(self.network, interaction, self.process, state);
                (Kind::Own, moved.map(|state| (next, state)).into_iter().collect())
            }
            Node::Take { from, to, next } => {
                let [from, to] = [from, to].map(|process| self.cast.player(process).process);
                if to != self.process {
                    return (Kind::World, vec![(next, state)]);
                }
                let mut states = Vec::new();
                for item in self.network.items_with(state, from) {
                    match item {
                        State::Receive { next, .. } => states.push(next),
                        State::Offer { branches, .. } => {
                            states.extend(self.network.branches(branches).iter().map(|branch| branch.next));
                        }
                        _ => {}
                    }
                }
                (Kind::Own, states.into_iter().map(|state| (next, state)).collect())
            }
            Node::Interaction { interaction, next } => {
                let interaction = self.cast.interaction(interaction);
                if ![interaction.from, interaction.to].contains(&self.process) {
                    return (Kind::World, vec![(next, state)]);
                }
                let moved = moved(self.network, interaction, self.process, state);
                (Kind::Own, moved.map(|state| (next, state)).into_iter().collect())
            }
            Node::If { process, then, otherwise, .. } => decides(process, vec![then, otherwise]),
            Node::Choose { process, arms } => decides(process, self.choreography.arms(arms).to_vec()),
            Node::Any { items } => {
                (Kind::World, self.choreography.arms(items).iter().map(|&item| (item, state)).collect())
            }
        }
    }

    /// What happens at a node with this outcome, in the names of the network; nothing at a race, before one of its
    /// items.
    fn step(&self, at: &Configuration, node: NodeId, outcome: usize) -> Option<Step> {
        match self.script.node(node) {
            Node::Interaction { interaction, .. } => Some(Step::Interaction(self.cast.interaction(interaction))),
            Node::Put { interaction, .. } => Some(Step::Put(self.cast.interaction(interaction))),
            Node::Take { from, to, .. } => {
                let [from, to] = [from, to].map(|process| self.cast.player(process).process);
                let content = at.queues.oldest(from, to)?;
                Some(Step::Take(Interaction { from, to, content }))
            }
            Node::If { process, .. } | Node::Choose { process, .. } => {
                let process = self.cast.player(process).process;
                match at.state(self.network, process) {
                    State::If { condition, .. } => Some(Step::Decision { process, condition, holds: outcome == 0 }),
                    State::Choose { .. } => Some(Step::Choice { process, arm: outcome as u32 }),
                    _ => None,
                }
            }
            Node::Stop | Node::Group { .. } | Node::Any { .. } => None,
        }
    }
}

//! Choreographies that run out of order.
//!
//! A step may be taken before others that come before it if none of them concerns its processes, and before a decision
//! or a race of others if it comes first whatever the outcome. What is left then is a term that the choreography does
//! not have: it is added after its own nodes. How two systems are compared is not known here.
//!
//! A message that waits is two steps, each of one process; where there is a queue, so is every interaction. What can be
//! taken depends on what lies in the queues, which is not part of a term.

use super::common::Translation;
use super::conditions::compared;
use super::verify::Conditions;
use crate::choreography::{Choreography, Node, NodeId};
use crate::network::{Interaction, ProcessId};
use crate::semantics::{Queues, Step};
use crate::syntax::{ArenaRange, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// A set of processes, as bits.
pub(super) type Processes = u128;

fn bit(process: ProcessId) -> Processes {
    1 << (process.0 % 128)
}

pub(super) fn actors(step: Step) -> Processes {
    step.actors().fold(0, |all, process| all | bit(process))
}

/// What is possible from a state.
#[derive(Debug, Clone, Default)]
pub(super) struct Ahead {
    /// The steps, each with the state that it leads to.
    pub(super) steps: Vec<(Step, u32)>,
    /// Whether more is possible for these processes is not known.
    pub(super) open: Processes,
}

impl Ahead {
    /// Where a step leads, if it is possible.
    pub(super) fn find(&self, step: Step, conditions: Conditions) -> Option<u32> {
        let step = compared(step, conditions);
        self.steps.iter().find(|&&(other, _)| compared(other, conditions) == step).map(|&(_, after)| after)
    }
}

/// How many nodes one question may look at.
const FUEL: usize = 20_000;

/// A choreography and what becomes of it when steps are taken out of order: more nodes, after its own.
pub(super) struct Terms<'a> {
    choreography: &'a Choreography,
    translation: Translation,
    conditions: Conditions,
    /// The nodes that have been added, by what they are.
    terms: FxHashMap<Key, u32>,
    grown: Vec<Node>,
    /// What choices and races lead to: those of the choreography, and then those of nodes that have been added.
    arms: Vec<NodeId>,
    /// How many more nodes the present question may look at.
    fuel: usize,
    /// From whom and to whom there are queues.
    queues: FxHashSet<(ProcessId, ProcessId)>,
}

/// What a node is, in a form that can be looked up.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    Event(Event, u32),
    If(ProcessId, u32, u32, u32),
    Choose(ProcessId, Vec<u32>),
    Any(Vec<u32>),
}

/// What a term can begin with that is no decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Event {
    Both(Interaction),
    Put(Interaction),
    /// From whom, and who takes it.
    Take(ProcessId, ProcessId),
}

impl Event {
    fn node(self, next: NodeId) -> Node {
        match self {
            Event::Both(interaction) => Node::Interaction { interaction, next },
            Event::Put(interaction) => Node::Put { interaction, next },
            Event::Take(from, to) => Node::Take { from, to, next },
        }
    }
}

impl<'a> Terms<'a> {
    /// The terms of a choreography, whose names and processes are translated.
    pub(super) fn new(choreography: &'a Choreography, translation: Translation, conditions: Conditions) -> Self {
        let (terms, grown, arms) = (FxHashMap::default(), Vec::new(), choreography.arms.clone());
        let queues = FxHashSet::default();
        Terms { choreography, translation, conditions, terms, grown, arms, fuel: 0, queues }
    }

    /// The queues that the choreography needs, in the numbers of both systems.
    pub(super) fn needed_queues(&self) -> Vec<(ProcessId, ProcessId)> {
        let mut needed = Vec::new();
        for &node in &self.choreography.nodes {
            match node {
                Node::Put { interaction, .. } => needed.push((interaction.from, interaction.to)),
                Node::Take { from, to, .. } => needed.push((from, to)),
                Node::Group { members, .. } => {
                    let members = self.choreography.members(members).iter();
                    needed.extend(members.map(|member| (member.from, member.to)));
                }
                _ => {}
            }
        }
        let translated = |&(from, to): &_| (self.translation.process(from), self.translation.process(to));
        needed.iter().map(translated).collect()
    }

    /// Says between whom there are queues, in the numbers of both systems.
    pub(super) fn set_queues(&mut self, queues: impl Iterator<Item = (ProcessId, ProcessId)>) {
        self.queues = queues.collect();
    }

    /// Begins a new question.
    pub(super) fn refuel(&mut self) {
        self.fuel = FUEL;
    }

    fn node(&self, id: NodeId) -> Node {
        match id.index().checked_sub(self.choreography.nodes.len()) {
            None => self.choreography.node(id),
            Some(index) => self.grown.get(index).copied().unwrap_or(Node::Stop),
        }
    }

    fn add(&mut self, key: Key, node: Node) -> u32 {
        let next = (self.choreography.nodes.len() + self.grown.len()) as u32;
        *self.terms.entry(key).or_insert_with(|| {
            self.grown.push(node);
            next
        })
    }

    /// Adds a node that has arms, unless it is there.
    fn add_with_arms(&mut self, key: Key, arms: &[u32], node: impl Fn(ArenaRange) -> Node) -> u32 {
        if let Some(&known) = self.terms.get(&key) {
            return known;
        }
        let start = self.arms.len() as u32;
        self.arms.extend(arms.iter().map(|&arm| NodeId(arm)));
        self.add(key, node(ArenaRange { start, end: self.arms.len() as u32 }))
    }

    /// What a node begins with, and what follows, if it is no decision, race or end. Where there is a queue, an
    /// interaction is two events, and a group is all that is put, then all that is taken.
    fn event(&mut self, node: Node) -> Option<(Event, NodeId)> {
        match node {
            Node::Interaction { interaction, next } => Some(self.halved(interaction, next)),
            Node::Put { interaction, next } => Some((Event::Put(interaction), next)),
            Node::Take { from, to, next } => Some((Event::Take(from, to), next)),
            Node::Group { members, next } => {
                let members = self.choreography.members(members);
                let takes = members.iter().rev().map(|member| Event::Take(member.from, member.to));
                let puts = members.iter().rev().map(|&member| Event::Put(member));
                let mut events: Vec<Event> = takes.chain(puts).collect();
                let first = events.pop()?;
                let next = events.into_iter().fold(next.0, |after, event| self.before(event, after));
                Some((first, NodeId(next)))
            }
            Node::Stop | Node::If { .. } | Node::Choose { .. } | Node::Any { .. } => None,
        }
    }

    fn halved(&mut self, interaction: Interaction, next: NodeId) -> (Event, NodeId) {
        let Interaction { from, to, .. } = interaction;
        let has_queue = !self.queues.is_empty()
            && self.queues.contains(&(self.translation.process(from), self.translation.process(to)));
        match has_queue {
            true => (Event::Put(interaction), NodeId(self.before(Event::Take(from, to), next.0))),
            false => (Event::Both(interaction), next),
        }
    }

    /// What the items of a race begin with, and what follows each.
    fn items(&mut self, items: ArenaRange) -> Vec<(Event, NodeId)> {
        let items = items.of(&self.arms).to_vec();
        items.into_iter().filter_map(|item| self.event(self.node(item))).collect()
    }

    /// The step that an event is, if it is possible with what lies in the queues.
    fn step(&self, event: Event, queues: &Queues) -> Option<Step> {
        match event {
            Event::Both(interaction) => Some(Step::Interaction(self.translation.interaction(interaction))),
            Event::Put(interaction) => Some(Step::Put(self.translation.interaction(interaction))),
            Event::Take(from, to) => {
                let (from, to) = (self.translation.process(from), self.translation.process(to));
                queues.oldest(from, to).map(|content| Step::Take(Interaction { from, to, content }))
            }
        }
    }

    /// The processes of an event.
    fn actors_of(&self, event: Event) -> Processes {
        match event {
            Event::Both(interaction) => actors(Step::Interaction(self.translation.interaction(interaction))),
            Event::Put(interaction) => bit(self.translation.process(interaction.from)),
            Event::Take(_, to) => bit(self.translation.process(to)),
        }
    }

    /// What is possible from a node, with what lies in the queues.
    pub(super) fn possible(&mut self, start: NodeId, distance: usize, queues: &Queues) -> Ahead {
        let mut work = vec![Work::Look { id: start, blocked: 0, distance }];
        let mut found: Vec<Ahead> = Vec::new();
        while let Some(next) = work.pop() {
            let ahead = match next {
                Work::Look { id, .. } if self.node(id) == Node::Stop => Ahead::default(),
                Work::Look { blocked, distance, .. } if distance == 0 || self.fuel == 0 => {
                    Ahead { steps: Vec::new(), open: !blocked }
                }
                Work::Look { id, blocked, distance } => {
                    self.fuel -= 1;
                    let node = self.node(id);
                    let ways = self.ways(node);
                    // What may be done there is what those do who are not blocked now.
                    let (after, distance) = (blocked | self.blocks(node, &ways), distance - 1);
                    let look = |&(_, id): &(Option<Event>, NodeId)| Work::Look { id, blocked: after, distance };
                    // The last one is looked at first.
                    let looks: Vec<Work> = ways.iter().rev().map(look).collect();
                    work.push(Work::Before { node, ways, blocked });
                    work.extend(looks);
                    continue;
                }
                Work::Before { node, ways, blocked } => {
                    let after = found.split_off(found.len().saturating_sub(ways.len()));
                    match (node, &ways[..]) {
                        (Node::If { process, condition, then, otherwise }, _) => {
                            self.conditional((process, condition), [then, otherwise], blocked, &after)
                        }
                        (Node::Choose { process, arms }, _) => self.choice(process, arms, blocked, &after),
                        (Node::Any { .. }, _) => self.race(&ways, blocked, &after, queues),
                        (_, &[(Some(event), next)]) => {
                            let rest = after.into_iter().next().unwrap_or_default();
                            self.after_event((event, next), blocked, rest, queues)
                        }
                        _ => Ahead::default(),
                    }
                }
            };
            found.push(ahead);
        }
        found.pop().unwrap_or_default()
    }

    /// Where a node leads, and the events on the way.
    fn ways(&mut self, node: Node) -> Vec<(Option<Event>, NodeId)> {
        match node {
            Node::If { then, otherwise, .. } => vec![(None, then), (None, otherwise)],
            Node::Choose { arms, .. } => arms.of(&self.arms).iter().map(|&arm| (None, arm)).collect(),
            Node::Any { items } => self.items(items).into_iter().map(|(event, next)| (Some(event), next)).collect(),
            _ => self.event(node).map(|(event, next)| (Some(event), next)).into_iter().collect(),
        }
    }

    /// The processes that cannot go past a node before it is done.
    fn blocks(&self, node: Node, ways: &[(Option<Event>, NodeId)]) -> Processes {
        match node {
            Node::If { process, .. } | Node::Choose { process, .. } => bit(self.translation.process(process)),
            _ => ways.iter().filter_map(|&(event, _)| event).fold(0, |all, event| all | self.actors_of(event)),
        }
    }

    /// What is possible from an event, given what is possible after it for those that it does not concern.
    fn after_event(
        &mut self,
        (event, next): (Event, NodeId),
        blocked: Processes,
        rest: Ahead,
        queues: &Queues,
    ) -> Ahead {
        let mut ahead = Ahead { steps: Vec::with_capacity(rest.steps.len() + 1), open: rest.open };
        if blocked & self.actors_of(event) == 0 {
            ahead.steps.extend(self.step(event, queues).map(|step| (step, next.0)));
        }
        for (step, after) in rest.steps {
            ahead.steps.push((step, self.before(event, after)));
        }
        ahead
    }

    /// The term that begins with an event.
    fn before(&mut self, event: Event, after: u32) -> u32 {
        self.add(Key::Event(event, after), event.node(NodeId(after)))
    }

    /// What is possible from a conditional, given what is possible in its branches for those that do not decide.
    fn conditional(
        &mut self,
        (process, condition): (ProcessId, Symbol),
        branches: [NodeId; 2],
        blocked: Processes,
        after: &[Ahead],
    ) -> Ahead {
        let decides = self.translation.process(process);
        let (open, common) = in_all(after, self.conditions);
        let mut ahead = Ahead { steps: Vec::new(), open };
        if blocked & bit(decides) == 0 {
            let condition = self.translation.symbol(condition);
            for (holds, after) in [true, false].into_iter().zip(branches) {
                ahead.steps.push((Step::Decision { process: decides, condition, holds }, after.0));
            }
        }
        for (step, after) in common {
            let [then, otherwise] = after[..] else { continue };
            let node = Node::If { process, condition, then: NodeId(then), otherwise: NodeId(otherwise) };
            ahead.steps.push((step, self.add(Key::If(process, condition.0, then, otherwise), node)));
        }
        ahead
    }

    /// What is possible from a choice, given what is possible in its arms for those that do not choose.
    fn choice(&mut self, process: ProcessId, arms: ArenaRange, blocked: Processes, after: &[Ahead]) -> Ahead {
        let chooses = self.translation.process(process);
        let (open, common) = in_all(after, self.conditions);
        let mut ahead = Ahead { steps: Vec::new(), open };
        if blocked & bit(chooses) == 0 {
            let arms = arms.of(&self.arms).iter().zip(0..);
            ahead.steps.extend(arms.map(|(&next, arm)| (Step::Choice { process: chooses, arm }, next.0)));
        }
        for (step, arms) in common {
            let key = Key::Choose(process, arms.clone());
            ahead.steps.push((step, self.add_with_arms(key, &arms, |arms| Node::Choose { process, arms })));
        }
        ahead
    }

    /// What is possible from a race, given what is possible after its items for those that take part in none. An item
    /// may come first although others still have to wait for what comes before the race.
    fn race(
        &mut self,
        ways: &[(Option<Event>, NodeId)],
        blocked: Processes,
        after: &[Ahead],
        queues: &Queues,
    ) -> Ahead {
        let items: Vec<(Event, NodeId)> = ways.iter().filter_map(|&(event, next)| Some((event?, next))).collect();
        let (open, common) = in_all(after, self.conditions);
        let mut ahead = Ahead { steps: Vec::new(), open };
        for &(event, next) in &items {
            if blocked & self.actors_of(event) == 0 {
                ahead.steps.extend(self.step(event, queues).map(|step| (step, next.0)));
            }
        }
        for (step, after) in common {
            let items: Vec<u32> =
                items.iter().zip(after).map(|(&(event, _), after)| self.before(event, after)).collect();
            let key = Key::Any(items.clone());
            ahead.steps.push((step, self.add_with_arms(key, &items, |items| Node::Any { items })));
        }
        ahead
    }
}

/// Of what is possible after each outcome, what is possible after all of them, and where it leads then; and for whom it
/// is not known.
fn in_all(outcomes: &[Ahead], conditions: Conditions) -> (Processes, Vec<(Step, Vec<u32>)>) {
    let mut open = outcomes.iter().map(|outcome| outcome.open).reduce(|one, other| one & other).unwrap_or(0);
    let mut common = Vec::new();
    let mut seen: FxHashSet<Step> = FxHashSet::default();
    for &(step, _) in outcomes.iter().flat_map(|outcome| &outcome.steps) {
        if !seen.insert(compared(step, conditions)) {
            continue;
        }
        let after: Vec<Option<u32>> = outcomes.iter().map(|outcome| outcome.find(step, conditions)).collect();
        let mut without = outcomes.iter().zip(&after).filter(|(_, after)| after.is_none());
        match after.iter().copied().collect::<Option<Vec<u32>>>() {
            Some(after) => common.push((step, after)),
            None if without.all(|(outcome, _)| actors(step) & !outcome.open == 0) => open |= actors(step),
            None => {}
        }
    }
    (open, common)
}

/// What is left to do to find out what is possible.
enum Work {
    /// Look at a node, for processes that are not blocked by what comes before it.
    Look { id: NodeId, blocked: Processes, distance: usize },
    /// What comes after a node has been looked at: put the node before it.
    Before { node: Node, ways: Vec<(Option<Event>, NodeId)>, blocked: Processes },
}

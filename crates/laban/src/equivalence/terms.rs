//! Choreographies that run out of order.
//!
//! A step may be taken before others that come before it if none of them concerns its processes, and before a decision
//! or a race of others if it comes first whatever the outcome. What is left then is a term that the choreography does
//! not have: it is added after its own nodes. How two systems are compared is not known here.

use super::common::Translation;
use super::conditions::compared;
use super::verify::Conditions;
use crate::choreography::{Choreography, Node, NodeId};
use crate::network::{Interaction, ProcessId};
use crate::semantics::Step;
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
}

/// What a node is, in a form that can be looked up.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    Interaction(Interaction, u32),
    If(ProcessId, u32, u32, u32),
    Choose(ProcessId, Vec<u32>),
    Any(Vec<u32>),
}

impl<'a> Terms<'a> {
    /// The terms of a choreography, whose names and processes are translated.
    pub(super) fn new(choreography: &'a Choreography, translation: Translation, conditions: Conditions) -> Self {
        let (terms, grown, arms) = (FxHashMap::default(), Vec::new(), choreography.arms.clone());
        Terms { choreography, translation, conditions, terms, grown, arms, fuel: 0 }
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

    /// The interactions that the items of a race begin with, and what follows each.
    fn items(&self, items: ArenaRange) -> impl DoubleEndedIterator<Item = (Interaction, NodeId)> {
        items.of(&self.arms).iter().filter_map(|&item| match self.node(item) {
            Node::Interaction { interaction, next } => Some((interaction, next)),
            _ => None,
        })
    }

    /// What is possible from a node.
    pub(super) fn possible(&mut self, start: NodeId, distance: usize) -> Ahead {
        let mut work = vec![Work::Look { id: start, blocked: 0, distance }];
        let mut found: Vec<Ahead> = Vec::new();
        while let Some(next) = work.pop() {
            let ahead = match next {
                Work::Look { id, blocked, distance } => match self.node(id) {
                    Node::Stop | Node::Group { .. } | Node::Put { .. } | Node::Take { .. } => Ahead::default(),
                    _ if distance == 0 || self.fuel == 0 => Ahead { steps: Vec::new(), open: !blocked },
                    node => {
                        self.fuel -= 1;
                        work.push(Work::Before { node, blocked });
                        let (blocked, distance) = (blocked | self.blocks(node), distance - 1);
                        let look = |id: NodeId| Work::Look { id, blocked, distance };
                        // The last one is looked at first.
                        match node {
                            Node::Interaction { next, .. } => work.push(look(next)),
                            Node::If { then, otherwise, .. } => work.extend([look(otherwise), look(then)]),
                            Node::Choose { arms, .. } => {
                                work.extend(arms.of(&self.arms).iter().rev().map(|&arm| look(arm)));
                            }
                            Node::Any { items } => work.extend(self.items(items).rev().map(|(_, next)| look(next))),
                            Node::Stop | Node::Group { .. } | Node::Put { .. } | Node::Take { .. } => {}
                        }
                        continue;
                    }
                },
                Work::Before { node, blocked } => {
                    let after = found.split_off(found.len().saturating_sub(self.count_after(node)));
                    match node {
                        Node::Interaction { interaction, next } => {
                            let rest = after.into_iter().next().unwrap_or_default();
                            self.interaction(interaction, next, blocked, rest)
                        }
                        Node::If { process, condition, then, otherwise } => {
                            self.conditional((process, condition), [then, otherwise], blocked, &after)
                        }
                        Node::Choose { process, arms } => self.choice(process, arms, blocked, &after),
                        Node::Any { items } => self.race(items, blocked, &after),
                        Node::Stop | Node::Group { .. } | Node::Put { .. } | Node::Take { .. } => Ahead::default(),
                    }
                }
            };
            found.push(ahead);
        }
        found.pop().unwrap_or_default()
    }

    /// How many nodes are looked at after one.
    fn count_after(&self, node: Node) -> usize {
        match node {
            Node::Stop | Node::Group { .. } | Node::Put { .. } | Node::Take { .. } => 0,
            Node::Interaction { .. } => 1,
            Node::If { .. } => 2,
            Node::Choose { arms, .. } => arms.of(&self.arms).len(),
            Node::Any { items } => self.items(items).count(),
        }
    }

    /// The processes that cannot go past a node before it is done.
    fn blocks(&self, node: Node) -> Processes {
        let actors = |interaction| actors(Step::Interaction(self.translation.interaction(interaction)));
        match node {
            Node::Interaction { interaction, .. } => actors(interaction),
            Node::If { process, .. } | Node::Choose { process, .. } => bit(self.translation.process(process)),
            Node::Any { items } => self.items(items).fold(0, |all, (interaction, _)| all | actors(interaction)),
            Node::Stop | Node::Group { .. } | Node::Put { .. } | Node::Take { .. } => 0,
        }
    }

    /// What is possible from an interaction, given what is possible after it for those that it does not concern.
    fn interaction(&mut self, interaction: Interaction, next: NodeId, blocked: Processes, rest: Ahead) -> Ahead {
        let step = Step::Interaction(self.translation.interaction(interaction));
        let mut ahead = Ahead { steps: Vec::with_capacity(rest.steps.len() + 1), open: rest.open };
        if blocked & actors(step) == 0 {
            ahead.steps.push((step, next.0));
        }
        for (step, after) in rest.steps {
            ahead.steps.push((step, self.before(interaction, after)));
        }
        ahead
    }

    /// The term that begins with an interaction.
    fn before(&mut self, interaction: Interaction, after: u32) -> u32 {
        let node = Node::Interaction { interaction, next: NodeId(after) };
        self.add(Key::Interaction(interaction, after), node)
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
    fn race(&mut self, items: ArenaRange, blocked: Processes, after: &[Ahead]) -> Ahead {
        let items: Vec<(Interaction, NodeId)> = self.items(items).collect();
        let (open, common) = in_all(after, self.conditions);
        let mut ahead = Ahead { steps: Vec::new(), open };
        for &(interaction, next) in &items {
            let step = Step::Interaction(self.translation.interaction(interaction));
            if blocked & actors(step) == 0 {
                ahead.steps.push((step, next.0));
            }
        }
        for (step, after) in common {
            let items: Vec<u32> =
                items.iter().zip(after).map(|(&(interaction, _), after)| self.before(interaction, after)).collect();
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
    Before { node: Node, blocked: Processes },
}

//! The paper's own comparison, on choreographies as they are written.
//!
//! All pairs of states that the same steps lead to are compared, whatever the order of the steps, up to a bound. A
//! choreography runs out of order: a step may be taken before others that come before it if none of them concerns
//! its processes. It may be taken before a conditional of another process, too, if it comes first in both branches.
//! Where a loop goes on without the processes of a step, looking further ahead may or may not find it: then the
//! answer may be that it is not known. So there are three answers; an exact comparison never contradicts the two
//! certain ones.

use super::common::{Common, Translation};
use super::compare::System;
use super::difference::{Contrast, Difference, Side};
use crate::choreography::{Choreography, Node, NodeId};
use crate::limits::{Limits, StopReason};
use crate::network::{Interaction, Network, ProcessId};
use crate::semantics::{Configuration, Step};
use crate::syntax::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};

/// How far to go.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// The most pairs of states.
    pub pairs: usize,
    /// The most actions of a choreography to look ahead for what is possible.
    pub ahead: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { pairs: 10_000, ahead: 40 }
    }
}

/// The result of a bounded comparison.
#[derive(Debug, Clone)]
pub enum Bounded {
    /// They can do the same.
    Same,
    /// They cannot.
    Different(Box<Difference>),
    /// A bound or a limit was reached.
    Unknown(StopReason),
}

/// Compares two systems, as far as the bounds and the limits allow; the states are pairs.
pub fn bounded(first: System<'_>, second: System<'_>, bounds: Bounds, limits: &Limits<'_>) -> Bounded {
    let mut common = Common::default();
    let (Some(mut one), Some(mut other)) = (Runner::new(first, &mut common), Runner::new(second, &mut common)) else {
        return Bounded::Unknown(StopReason::Bounds);
    };
    let mut certain = true;
    let mut known: FxHashSet<(u32, u32)> = FxHashSet::default();
    // Each pair with the one that it was reached from, and the step.
    let mut pairs: Vec<(u32, u32, usize, Option<Step>)> = vec![(one.start(), other.start(), 0, None)];
    known.insert((pairs[0].0, pairs[0].1));
    let mut next = 0;
    while let Some(&(left, right, ..)) = pairs.get(next) {
        if pairs.len() > bounds.pairs {
            return Bounded::Unknown(StopReason::Bounds);
        }
        if limits.max_states.is_some_and(|most| pairs.len() > most) {
            return Bounded::Unknown(limits.too_many());
        }
        if let Some(reason) = (limits.stop)() {
            return Bounded::Unknown(reason);
        }
        let (lefts, rights) = (one.ahead(left, bounds.ahead), other.ahead(right, bounds.ahead));
        for (here, there, side) in [(&lefts, &rights, Side::First), (&rights, &lefts, Side::Second)] {
            for &(step, after) in &here.steps {
                match there.find(step) {
                    Some(also) if side == Side::First => {
                        if known.insert((after, also)) {
                            pairs.push((after, also, next, Some(step)));
                        }
                    }
                    Some(_) => {}
                    None if actors(step) & !there.open == 0 => certain = false,
                    None => {
                        let mut run = Vec::new();
                        let mut at = next;
                        while let (.., before, Some(step)) = pairs[at] {
                            run.push(step);
                            at = before;
                        }
                        run.reverse();
                        let possible =
                            [&lefts, &rights].map(|ahead| ahead.steps.iter().map(|&(step, _)| step).collect());
                        let reason = Contrast::Step { step, side, instead: Vec::new() };
                        let Common { names, processes, .. } = common;
                        return Bounded::Different(Box::new(Difference { names, processes, run, reason, possible }));
                    }
                }
            }
        }
        next += 1;
    }
    if certain { Bounded::Same } else { Bounded::Unknown(StopReason::Bounds) }
}

/// A set of processes, as bits.
type Processes = u128;

fn bit(process: ProcessId) -> Processes {
    1 << (process.0 % 128)
}

fn actors(step: Step) -> Processes {
    step.actors().fold(0, |all, process| all | bit(process))
}

/// What is possible from a state.
#[derive(Debug, Clone, Default)]
struct Ahead {
    steps: Vec<(Step, u32)>,
    /// Whether more is possible for these processes is not known.
    open: Processes,
}

impl Ahead {
    fn find(&self, step: Step) -> Option<u32> {
        self.steps.iter().find(|&&(other, _)| other == step).map(|&(_, after)| after)
    }
}

/// Runs a system; its states are numbers.
enum Runner<'a> {
    Network { network: &'a Network, translation: Translation, states: States<Configuration> },
    Choreography(Terms<'a>),
}

struct States<T> {
    all: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T: Clone + Eq + std::hash::Hash> States<T> {
    fn number(&mut self, state: T) -> u32 {
        let next = self.all.len() as u32;
        *self.numbers.entry(state).or_insert_with_key(|state| {
            self.all.push(state.clone());
            next
        })
    }
}

impl<'a> Runner<'a> {
    fn new(system: System<'a>, common: &mut Common) -> Option<Self> {
        let runner = match system {
            System::Network(network) => {
                let processes = network.processes.iter().map(|process| process.name);
                let translation = common.add(&network.names, processes);
                let mut states = States { all: Vec::new(), numbers: FxHashMap::default() };
                states.number(Configuration::start(network));
                Runner::Network { network, translation, states }
            }
            System::Choreography(choreography) => {
                if choreography.nodes.iter().any(|node| matches!(node, Node::Group { .. })) {
                    return None;
                }
                let translation = common.add(&choreography.names, choreography.processes.iter().copied());
                let terms = FxHashMap::default();
                let mut parts = States { all: Vec::new(), numbers: FxHashMap::default() };
                parts.number(choreography.starts.clone());
                Runner::Choreography(Terms { choreography, translation, terms, grown: Vec::new(), parts, fuel: 0 })
            }
        };
        (common.processes.len() <= Processes::BITS as usize).then_some(runner)
    }

    fn start(&self) -> u32 {
        0
    }

    fn ahead(&mut self, state: u32, distance: usize) -> Ahead {
        match self {
            Runner::Network { network, translation, states } => {
                let here = states.all[state as usize].clone();
                let steps = here.steps(network).into_iter().map(|step| {
                    let mut after = here.clone();
                    after.take(network, step);
                    (translation.step(step), states.number(after))
                });
                Ahead { steps: steps.collect(), open: 0 }
            }
            Runner::Choreography(terms) => {
                let parts = terms.parts.all[state as usize].clone();
                let mut all = Ahead::default();
                terms.fuel = FUEL;
                for (number, &part) in parts.iter().enumerate() {
                    let ahead = terms.possible(part, distance);
                    all.open |= ahead.open;
                    for (step, after) in ahead.steps {
                        let mut parts = parts.clone();
                        parts[number] = NodeId(after);
                        all.steps.push((step, terms.parts.number(parts)));
                    }
                }
                all
            }
        }
    }
}

/// How many nodes one question may look at.
const FUEL: usize = 20_000;

/// A choreography and what becomes of it when steps are taken out of order: more nodes, after its own.
struct Terms<'a> {
    choreography: &'a Choreography,
    translation: Translation,
    /// The nodes that have been added, by what they are.
    terms: FxHashMap<Key, u32>,
    grown: Vec<Node>,
    /// States: one node for each part.
    parts: States<Vec<NodeId>>,
    fuel: usize,
}

/// What a node is, in a form that can be looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Interaction(Interaction, u32),
    If(ProcessId, u32, u32, u32),
}

impl Terms<'_> {
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

    /// What is possible from a node.
    fn possible(&mut self, start: NodeId, distance: usize) -> Ahead {
        let mut work = vec![Work::Look { id: start, blocked: 0, distance }];
        let mut found: Vec<Ahead> = Vec::new();
        while let Some(next) = work.pop() {
            let ahead = match next {
                Work::Look { id, blocked, distance } => match self.node(id) {
                    Node::Stop | Node::Group { .. } => Ahead::default(),
                    _ if distance == 0 || self.fuel == 0 => Ahead { steps: Vec::new(), open: !blocked },
                    node => {
                        self.fuel -= 1;
                        let distance = distance - 1;
                        work.push(Work::Before { node, blocked });
                        let blocked = blocked | self.blocks(node);
                        // The last one is looked at first.
                        if let Node::If { otherwise, .. } = node {
                            work.push(Work::Look { id: otherwise, blocked, distance });
                        }
                        if let Node::Interaction { next: id, .. } | Node::If { then: id, .. } = node {
                            work.push(Work::Look { id, blocked, distance });
                        }
                        continue;
                    }
                },
                Work::Before { node, blocked } => {
                    let last = found.pop().unwrap_or_default();
                    match node {
                        Node::Interaction { interaction, next } => self.interaction(interaction, next, blocked, last),
                        Node::If { process, condition, then, otherwise } => {
                            let one = found.pop().unwrap_or_default();
                            self.conditional((process, condition), [then, otherwise], blocked, [one, last])
                        }
                        Node::Stop | Node::Group { .. } | Node::Choose { .. } | Node::Any { .. } => last,
                    }
                }
            };
            found.push(ahead);
        }
        found.pop().unwrap_or_default()
    }

    /// The processes that cannot go past a node before it is done.
    fn blocks(&self, node: Node) -> Processes {
        match node {
            Node::Interaction { interaction, .. } => {
                actors(Step::Interaction(self.translation.interaction(interaction)))
            }
            Node::If { process, .. } | Node::Choose { process, .. } => bit(self.translation.process(process)),
            Node::Stop | Node::Group { .. } | Node::Any { .. } => 0,
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
            let node = Node::Interaction { interaction, next: NodeId(after) };
            ahead.steps.push((step, self.add(Key::Interaction(interaction, after), node)));
        }
        ahead
    }

    /// What is possible from a conditional, given what is possible in its branches for those that do not decide.
    fn conditional(
        &mut self,
        (process, condition): (ProcessId, Symbol),
        branches: [NodeId; 2],
        blocked: Processes,
        [one, other]: [Ahead; 2],
    ) -> Ahead {
        let decides = self.translation.process(process);
        let mut ahead = Ahead { steps: Vec::new(), open: one.open & other.open };
        if blocked & bit(decides) == 0 {
            let condition = self.translation.symbol(condition);
            for (holds, after) in [true, false].into_iter().zip(branches) {
                ahead.steps.push((Step::Decision { process: decides, condition, holds }, after.0));
            }
        }
        for (here, there) in [(&one, &other), (&other, &one)] {
            for &(step, _) in &here.steps {
                if there.find(step).is_none() && actors(step) & !there.open == 0 {
                    ahead.open |= actors(step);
                }
            }
        }
        for (step, after) in one.steps {
            let Some(also) = other.find(step) else { continue };
            let key = Key::If(process, condition.0, after, also);
            let node = Node::If { process, condition, then: NodeId(after), otherwise: NodeId(also) };
            ahead.steps.push((step, self.add(key, node)));
        }
        ahead
    }
}

/// What is left to do to find out what is possible.
enum Work {
    /// Look at a node, for processes that are not blocked by what comes before it.
    Look { id: NodeId, blocked: Processes, distance: usize },
    /// What comes after a node has been looked at: put the node before it.
    Before { node: Node, blocked: Processes },
}

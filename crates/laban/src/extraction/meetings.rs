//! Which actions of a network meet: who receives what is sent somewhere, in the graph that a search has found.
//!
//! A symbolic execution graph says which interactions happen, but not at which actions of the text: a process may do
//! the same in several places. [`Meetings`] walks the graph together with the network as it was written, and keeps the
//! two places of each interaction. Where nobody races, whatever can happen at all happens somewhere in that graph; with
//! races, so does each way that they can go.

use super::execution_graph::ExecutionGraph;
use super::outcome::{Component, Found};
use crate::limits::Limits;
use crate::network::{Content, Interaction, Network, ProcessId, State, StateId};
use crate::semantics::{Configuration, Step};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The actions of a network that meet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Meetings {
    /// Who sends or selects, and who receives or offers, in order.
    pairs: Vec<(StateId, StateId)>,
    /// The same with each turned round, in order.
    turned: Vec<(StateId, StateId)>,
    is_complete: bool,
}

impl Meetings {
    /// Walks what was found of each component of a network. The states of the limits are pairs of a node and a
    /// configuration.
    pub fn new(network: &Network, components: &[Component], limits: &Limits<'_>) -> Self {
        let mut walk = Walk { network, pairs: BTreeSet::new(), limits, steps: 0 };
        let mut is_complete = true;
        for component in components {
            is_complete &= match &component.found {
                Found::Graph(graph) => walk.through(graph),
                Found::Failure(_, graph) => {
                    walk.through(graph);
                    false
                }
                Found::Undecided(_) => false,
            };
        }
        let pairs: Vec<(StateId, StateId)> = walk.pairs.into_iter().collect();
        let mut turned: Vec<(StateId, StateId)> = pairs.iter().map(|&(sender, receiver)| (receiver, sender)).collect();
        turned.sort_unstable();
        Meetings { pairs, turned, is_complete }
    }

    /// All of them: who sends or selects, and who receives or offers.
    pub fn pairs(&self) -> &[(StateId, StateId)] {
        &self.pairs
    }

    /// Whether actions meet nowhere else: there is a choreography, and all of it was walked through.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The actions that an action meets, whichever side it is on.
    pub fn of(&self, state: StateId) -> impl Iterator<Item = StateId> {
        [&self.pairs, &self.turned].into_iter().flat_map(move |pairs| {
            let from = pairs.partition_point(|&(one, _)| one < state);
            pairs[from..].iter().take_while(move |&&(one, _)| one == state).map(|&(_, other)| other)
        })
    }
}

/// A node, where the network is, and who has put what lies in the queues.
type Point = (u32, Configuration, BTreeMap<(ProcessId, ProcessId), VecDeque<StateId>>);

struct Walk<'a> {
    network: &'a Network,
    pairs: BTreeSet<(StateId, StateId)>,
    limits: &'a Limits<'a>,
    steps: usize,
}

impl Walk<'_> {
    /// Walks through a graph; returns whether all of it.
    fn through(&mut self, graph: &ExecutionGraph) -> bool {
        let start: Point = (0, Configuration::start(self.network), BTreeMap::new());
        let mut known = BTreeSet::from([start.clone()]);
        let mut work = vec![start];
        while let Some((node, at, senders)) = work.pop() {
            self.steps += 1;
            let is_enough = self.limits.max_states.is_some_and(|most| self.steps > most);
            if is_enough || self.steps.is_multiple_of(256) && (self.limits.stop)().is_some() {
                return false;
            }
            let action = graph.action(node).and_then(|action| graph.describe(action));
            for (outcome, edge) in graph.edges(node).iter().enumerate() {
                let (mut next, mut senders) = (at.clone(), senders.clone());
                if let Some(step) = action.and_then(|action| action.step(outcome)) {
                    self.note(&at, step, &mut senders);
                    if !next.take(self.network, step) {
                        continue;
                    }
                }
                let point = (edge.target(), next, senders);
                if known.insert(point.clone()) {
                    work.push(point);
                }
            }
        }
        true
    }

    /// Notes who meets whom in a step.
    fn note(
        &mut self,
        at: &Configuration,
        step: Step,
        senders: &mut BTreeMap<(ProcessId, ProcessId), VecDeque<StateId>>,
    ) {
        match step {
            Step::Interaction(interaction) => {
                let pair = self.sender(at, interaction).zip(self.receiver(at, interaction));
                self.pairs.extend(pair);
            }
            Step::Put(interaction) => {
                let queue = senders.entry((interaction.from, interaction.to)).or_default();
                queue.extend(self.sender(at, interaction));
            }
            Step::Take(interaction) => {
                let key = (interaction.from, interaction.to);
                let Some(queue) = senders.get_mut(&key) else { return };
                let pair = queue.pop_front().zip(self.receiver(at, interaction));
                if queue.is_empty() {
                    senders.remove(&key);
                }
                self.pairs.extend(pair);
            }
            Step::Decision { .. } | Step::Choice { .. } => {}
        }
    }

    fn sender(&self, at: &Configuration, Interaction { from, to, content }: Interaction) -> Option<StateId> {
        self.items(at.at(self.network, from)).find(|&item| {
            let sent = self.network.state(item).sent();
            sent.is_some_and(|(partner, what, _)| (partner, what) == (to, content))
        })
    }

    fn receiver(&self, at: &Configuration, Interaction { from, to, content }: Interaction) -> Option<StateId> {
        self.items(at.at(self.network, to)).find(|&item| match (self.network.state(item), content) {
            (State::Receive { from: partner, .. }, Content::Value(_)) => partner == from,
            (
                State::Offer { from: partner, branches },
                Content::Label(label) | Content::LabelledValue { label, .. },
            ) => partner == from && self.network.branch(branches, label).is_some(),
            _ => false,
        })
    }

    /// The items of a race, or the state itself.
    fn items(&self, state: StateId) -> impl Iterator<Item = StateId> {
        let (own, items) = match self.network.state(state) {
            State::Any { items } => (None, self.network.arms(items)),
            _ => (Some(state), &[] as &[StateId]),
        };
        own.into_iter().chain(items.iter().copied())
    }
}

//! One part of a choreography and the processes around it: where they are, and what happens at a node.

use super::super::Conditions;
use super::super::cast::{Cast, Part};
use super::super::mismatch::Reason;
use super::super::obstacle::{Obstacle, obstacle, sender, taker};
use super::growth::Growth;
use super::moment::Moment;
use super::script::Script;
use crate::choreography::{Choreography, Node, NodeId};
use crate::network::{Interaction, Network, ProcessId, State, StateId};
use crate::semantics::Step;
use std::collections::BTreeSet;

/// No state: that of a process which takes part elsewhere.
const NOWHERE: StateId = StateId(u32::MAX);

/// One part of a choreography, and the network.
pub(super) struct Scene<'a> {
    pub(super) network: &'a Network,
    choreography: &'a Choreography,
    pub(super) script: &'a Script<'a>,
    pub(super) cast: &'a Cast,
    pub(super) part: &'a Part,
    conditions: Conditions,
    /// The processes that are absent from the choreography and could be idle: they never leave their start.
    absent: Vec<ProcessId>,
    /// The absent that wait idly, and the absent that these wait for.
    waiting_everywhere: BTreeSet<ProcessId>,
    /// The queues in which messages wait somewhere; each has a column in the rows, after the local states.
    pub(super) growth: Growth,
}

impl<'a> Scene<'a> {
    pub(super) fn new(
        network: &'a Network,
        choreography: &'a Choreography,
        script: &'a Script<'a>,
        cast: &'a Cast,
        part: &'a Part,
        conditions: Conditions,
    ) -> Self {
        let is_absent = |process: &ProcessId| cast.slot(*process).is_none();
        // Nobody asks for them if nobody is idle.
        let absent = match network.idle.is_empty() && !script.has_services {
            true => Vec::new(),
            false => network.process_ids().filter(is_absent).collect(),
        };
        let growth = Growth::new(script, cast, part.start);
        let waiting_everywhere = BTreeSet::new();
        let mut scene =
            Scene { network, choreography, script, cast, part, conditions, absent, waiting_everywhere, growth };
        scene.waiting_everywhere = scene.find_waiting_everywhere();
        scene
    }

    fn find_waiting_everywhere(&self) -> BTreeSet<ProcessId> {
        let start = |process: ProcessId| self.network.process(process).map_or(NOWHERE, |process| process.start);
        let waits = |process: &ProcessId| self.waits(*process, start(*process));
        let mut work: Vec<ProcessId> = self.absent.iter().copied().filter(waits).collect();
        let mut found: BTreeSet<ProcessId> = work.iter().copied().collect();
        // With queues, whoever is absent waits itself.
        while let Some(process) = work.pop().filter(|_| !self.network.has_queues()) {
            let partners = self.network.partners(self.network.state(start(process)));
            work.extend(partners.filter(|&other| self.cast.slot(other).is_none() && found.insert(other)));
        }
        found
    }

    /// How many numbers a row has.
    pub(super) fn width(&self) -> usize {
        self.part.slots.len() + self.growth.queues.len()
    }

    /// Where the content of a queue is in the rows of this part, if messages ever wait in it.
    pub(super) fn column(&self, from: ProcessId, to: ProcessId) -> Option<usize> {
        let place = self.growth.queues.binary_search(&(from, to)).ok()?;
        Some(self.part.slots.len() + place)
    }

    /// The processes that take part.
    pub(super) fn members(&self) -> &'a [ProcessId] {
        self.cast.process_at.get(self.part.slots.clone()).unwrap_or(&[])
    }

    /// The place of a process in the rows of this part, if it takes part.
    pub(super) fn place(&self, process: ProcessId) -> Option<usize> {
        let slot = self.cast.slot(process).filter(|slot| self.part.slots.contains(slot))?;
        Some(slot - self.part.slots.start)
    }

    /// Whether a process takes part in another part, so that it is not known here where it is.
    pub(super) fn is_elsewhere(&self, process: ProcessId) -> bool {
        self.cast.slot(process).is_some_and(|slot| !self.part.slots.contains(&slot))
    }

    /// In which state a process is. Whoever is absent is where it starts; whoever takes part elsewhere is nowhere.
    pub(super) fn at(&self, row: &[u32], process: ProcessId) -> StateId {
        match self.place(process) {
            Some(place) => row.get(place).map_or(NOWHERE, |&state| StateId(state)),
            None if self.is_elsewhere(process) => NOWHERE,
            None => self.network.process(process).map_or(NOWHERE, |process| process.start),
        }
    }

    /// Whether a process is left that may not wait forever.
    pub(super) fn must_act(&self, row: &[u32], process: ProcessId) -> bool {
        !self.network.may_wait(process, self.at(row, process))
    }

    /// The processes that wait idly. Services are among them only where what they send is kept in queues.
    pub(super) fn idle<'b>(&'b self, row: &'b [u32]) -> impl Iterator<Item = ProcessId> + 'b {
        let candidates = if self.network.idle.is_empty() && !self.script.has_services { &[] } else { self.members() };
        let is_idle = move |process: &ProcessId| self.waits(*process, self.at(row, *process));
        candidates.iter().chain(&self.absent).copied().filter(is_idle)
    }

    /// Whether a process waits idly in a state, or as a service whose messages are kept.
    fn waits(&self, process: ProcessId, state: StateId) -> bool {
        let is_service = self.network.process(process).is_some_and(|process| process.service);
        if is_service { self.script.has_services } else { self.network.is_idle(state) }
    }

    /// Whether a process is absent from the choreography and waits idly, or is waited for by such a process. Then that
    /// is so in each of its parts, and whoever could come to it is looked at in his own part, where it is known what
    /// he does.
    pub(super) fn waits_in_all_parts(&self, process: ProcessId) -> bool {
        self.waiting_everywhere.contains(&process)
    }

    /// What happens at a node. A group is its first event.
    pub(super) fn node(&self, id: NodeId) -> Node {
        self.script.node(id)
    }

    /// What can come first at a node: the items of a race, or the node itself.
    pub(super) fn items<'b>(&'b self, node: &'b NodeId) -> &'b [NodeId] {
        match self.node(*node) {
            Node::Stop | Node::Group { .. } => &[],
            Node::Any { items } => self.choreography.arms(items),
            _ => std::slice::from_ref(node),
        }
    }

    /// Whether somebody decides at a node.
    pub(super) fn decides(&self, item: NodeId) -> bool {
        matches!(self.node(item), Node::If { .. } | Node::Choose { .. })
    }

    /// Who decides at an item.
    pub(super) fn decider(&self, item: NodeId) -> Option<ProcessId> {
        match self.node(item) {
            Node::If { process, .. } | Node::Choose { process, .. } => Some(self.cast.player(process).process),
            _ => None,
        }
    }

    /// The step that an item takes with one of its outcomes, and the node that follows.
    pub(super) fn step(&self, moment: Moment<'_>, item: NodeId, outcome: usize) -> Option<(Step, NodeId)> {
        match self.node(item) {
            Node::Stop | Node::Group { .. } | Node::Any { .. } => None,
            Node::Interaction { .. } | Node::Put { .. } | Node::Take { .. } if outcome > 0 => None,
            Node::Interaction { interaction, next } => {
                Some((Step::Interaction(self.cast.interaction(interaction)), next))
            }
            Node::Put { interaction, next } => Some((Step::Put(self.cast.interaction(interaction)), next)),
            Node::Take { from, to, next } => {
                let [from, to] = [from, to].map(|process| self.cast.player(process).process);
                let content = moment.oldest(from, to)?;
                Some((Step::Take(Interaction { from, to, content }), next))
            }
            Node::If { process, then, otherwise, .. } => {
                let process = self.cast.player(process).process;
                let State::If { condition, .. } = self.network.state(moment.at(process)) else { return None };
                let next = *[then, otherwise].get(outcome)?;
                Some((Step::Decision { process, condition, holds: outcome == 0 }, next))
            }
            Node::Choose { process, arms } => {
                let process = self.cast.player(process).process;
                let next = *self.choreography.arms(arms).get(outcome)?;
                Some((Step::Choice { process, arm: outcome as u32 }, next))
            }
        }
    }

    /// Checks that an item is possible, at its own node or in a race.
    pub(super) fn check(&self, moment: Moment<'_>, node: NodeId, item: NodeId) -> Result<(), Reason> {
        let found = match self.node(item) {
            Node::Interaction { interaction, .. } => self.not_together(moment, self.cast.interaction(interaction)),
            Node::Put { interaction, .. } => {
                for (&message, member) in self.script.messages(item).iter().zip(0..) {
                    let Interaction { from, to, .. } = self.cast.interaction(message);
                    if let Some(oldest) = moment.oldest(from, to) {
                        let (node, state) = (item, moment.at(to));
                        let obstacle = Obstacle::QueueNotEmpty { from, oldest };
                        return Err(Reason::GroupNotEnabled {
                            node,
                            member,
                            takes: false,
                            process: to,
                            state,
                            obstacle,
                        });
                    }
                }
                self.not_put(moment, self.cast.interaction(interaction))
            }
            Node::Take { from, to, .. } => {
                let [from, to] = [from, to].map(|process| self.cast.player(process).process);
                self.not_taken(moment, from, to)
            }
            _ => self.not_decided(moment.row, item),
        };
        let Some((process, obstacle)) = found else { return Ok(()) };
        let state = moment.at(process);
        if let Some(member) = self.script.member(item) {
            let takes = matches!(self.node(item), Node::Take { .. });
            let node = self.script.written(item);
            return Err(Reason::GroupNotEnabled { node, member, takes, process, state, obstacle });
        }
        Err(match node == item {
            true => Reason::NotEnabled { node, process, state, obstacle },
            false => Reason::ItemNotEnabled { node, item, process, state, obstacle },
        })
    }

    /// Who is not ready for a message that is sent and taken at once, and why.
    fn not_together(&self, moment: Moment<'_>, interaction: Interaction) -> Option<(ProcessId, Obstacle)> {
        if moment.moves(Step::Interaction(interaction)).is_some() {
            return None;
        }
        let Interaction { from, to, .. } = interaction;
        if moment.is_ready(from, interaction)
            && let Some(oldest) = moment.oldest(from, to)
        {
            return Some((to, Obstacle::QueueNotEmpty { from, oldest }));
        }
        Some(obstacle(self.network, interaction, |process| moment.at(process)))
    }

    /// Who does not put a message into a queue, and why.
    fn not_put(&self, moment: Moment<'_>, interaction: Interaction) -> Option<(ProcessId, Obstacle)> {
        let Interaction { from, to, .. } = interaction;
        if !moment.is_queue(from, to) {
            return Some((from, Obstacle::NoQueue { from, to }));
        }
        if let Some(obstacle) = sender(self.network, interaction, moment.at(from)) {
            return Some((from, obstacle));
        }
        (!moment.has_room(from, to)).then(|| (from, Obstacle::QueueFull { to, length: moment.length(from, to) }))
    }

    /// Who does not take the oldest message of a queue, and why.
    fn not_taken(&self, moment: Moment<'_>, from: ProcessId, to: ProcessId) -> Option<(ProcessId, Obstacle)> {
        let obstacle = if !moment.is_queue(from, to) {
            Obstacle::NoQueue { from, to }
        } else if let Some(obstacle) = taker(self.network, from, moment.at(to)) {
            obstacle
        } else {
            match moment.oldest(from, to) {
                None => Obstacle::QueueEmpty { from },
                Some(content) if moment.is_ready(to, Interaction { from, to, content }) => return None,
                Some(oldest) => Obstacle::OldestDoesNotFit { from, oldest },
            }
        };
        Some((to, obstacle))
    }

    /// Who does not decide, or choose, as an item says, and why; nothing if it does.
    fn not_decided(&self, row: &[u32], item: NodeId) -> Option<(ProcessId, Obstacle)> {
        let process = self.decider(item)?;
        let obstacle = match (self.choreography.node(item), self.network.state(self.at(row, process))) {
            (Node::If { .. }, State::If { .. }) if self.conditions == Conditions::Any => return None,
            (Node::If { condition, .. }, State::If { condition: here, .. }) => {
                if here == self.cast.symbol(condition) {
                    return None;
                }
                Obstacle::OtherCondition
            }
            (Node::Choose { arms, .. }, State::Choose { arms: here }) => {
                if here.len() == arms.len() {
                    return None;
                }
                Obstacle::OtherArms
            }
            (_, State::Stop) => Obstacle::Stopped,
            _ => Obstacle::OtherAction,
        };
        Some((process, obstacle))
    }
}

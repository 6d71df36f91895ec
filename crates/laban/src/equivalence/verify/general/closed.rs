//! Closed sets of processes: what happens outside of one changes nothing inside it.
//!
//! Draw an arrow from each process to the partners that its present state names. A set is closed if no arrow leaves it.
//! Arrows to processes that can never act again could be left out, but need not be: such processes lead only to others
//! of their kind, and nothing can happen among these. An arrow to a process of another part of the choreography is left
//! out if that process never names the one where the arrow starts.
//!
//! With queues, who can take a message or put one needs nobody for it, and draws no arrow. But a choreography may hold
//! a sender back, until its message is taken right after it was put (`p.e -> q`). Then the sender draws an arrow to the
//! receiver, and must not be [tied](ClosedSet::tied): whatever it would do if it ran ahead may concern only these two.

use super::moment::Moment;
use super::scene::Scene;
use crate::network::{Content, Interaction, ProcessId, State, StateId};
use crate::semantics::{NO_QUEUES, Step, steps_of};
use rustc_hash::FxHashMap;

/// The smallest closed set that has some processes in it, and what can happen in it.
#[derive(Default)]
pub(super) struct ClosedSet {
    /// Who is in it, in the order in which they were found.
    members: Vec<ProcessId>,
    /// For each process of the network, whether it is in the set.
    is_member: Vec<bool>,
    /// A process of the set and one of another part, which may interact: the set cannot be closed within the part.
    pub(super) leaves: Option<(ProcessId, ProcessId)>,
    /// The processes that decide.
    pub(super) deciders: Vec<ProcessId>,
    /// The interactions that can happen, and messages that can be put or taken.
    pub(super) interactions: Vec<Step>,
    /// A process that is held back although it could run ahead and meet others.
    pub(super) tied: Option<ProcessId>,
    /// For states that send, what follows after all messages to the same receiver; nothing if there is no end to them.
    after_sends: FxHashMap<StateId, Option<StateId>>,
}

impl ClosedSet {
    /// Finds the smallest closed set that has these processes in it. If it is known what a choreography lists, in
    /// order, senders are held back whose messages are not put by themselves there.
    pub(super) fn find(
        &mut self,
        moment: Moment<'_>,
        seeds: impl IntoIterator<Item = ProcessId>,
        listed: Option<&[Step]>,
    ) {
        let scene = moment.scene;
        let network = scene.network;
        // Of the last set.
        for member in self.members.drain(..) {
            self.is_member[member.index()] = false;
        }
        self.is_member.resize(network.processes.len(), false);
        self.leaves = None;
        self.tied = None;
        self.deciders.clear();
        self.interactions.clear();
        for seed in seeds {
            self.add(seed);
        }
        let has_queues = network.has_queues();
        let mut looked_at = 0;
        while let Some(&member) = self.members.get(looked_at) {
            looked_at += 1;
            let state = network.state(moment.at(member));
            match state {
                State::If { .. } | State::Choose { .. } => self.deciders.push(member),
                _ if has_queues => self.look_at(moment, member, listed),
                _ => {
                    network.partners(state).for_each(|partner| self.need(scene, member, partner));
                    if !matches!(state, State::Stop | State::Receive { .. } | State::Offer { .. }) {
                        let steps = steps_of(network, member, &NO_QUEUES, |process| moment.at(process));
                        self.interactions.extend(steps);
                    }
                }
            }
        }
    }

    /// Whether a process is in the set.
    pub(super) fn contains(&self, process: ProcessId) -> bool {
        self.is_member.get(process.index()).copied().unwrap_or(false)
    }

    /// Draws the arrows of a process that can do something with others, and notes what can happen, where there are
    /// queues.
    fn look_at(&mut self, moment: Moment<'_>, member: ProcessId, listed: Option<&[Step]>) {
        let (scene, network) = (moment.scene, moment.scene.network);
        let state = moment.at(member);
        for item in network.items(state) {
            let Some(partner) = item.partner() else { continue };
            let Some((content, next)) = sent(item) else {
                match moment.oldest(partner, member) {
                    None => self.need(scene, member, partner),
                    Some(content) => {
                        let taken = Interaction { from: partner, to: member, content };
                        self.interactions.extend(moment.is_ready(member, taken).then_some(Step::Take(taken)));
                    }
                }
                continue;
            };
            let message = Interaction { from: member, to: partner, content };
            let put = Step::Put(message);
            if !moment.is_queue(member, partner) {
                self.need(scene, member, partner);
                self.interactions.extend(moment.moves(Step::Interaction(message)).map(|_| Step::Interaction(message)));
            } else if !moment.has_room(member, partner) {
                self.need(scene, member, partner);
            } else if is_put(listed, put) || matches!(network.state(state), State::Any { .. }) {
                // With a queue, each of several items is a free choice.
                self.interactions.push(put);
            } else {
                self.need(scene, member, partner);
                self.interactions.extend(moment.moves(Step::Interaction(message)).map(|_| Step::Interaction(message)));
                if !self.is_untied(moment, member, partner, next, listed) {
                    self.tied.get_or_insert(member);
                }
            }
        }
    }

    /// Whether all that a process could do if it ran ahead of the others concerns only itself and who receives its
    /// message: it would send more to the same one, and then stop or wait for an answer that cannot be there before
    /// something happens that is listed.
    fn is_untied(
        &mut self,
        moment: Moment<'_>,
        process: ProcessId,
        receiver: ProcessId,
        next: StateId,
        listed: Option<&[Step]>,
    ) -> bool {
        let network = moment.scene.network;
        let Some(after) = self.after_sends(moment, receiver, next) else { return true };
        match network.state(after) {
            State::Stop => true,
            State::Receive { from, .. } | State::Offer { from, .. } if from == receiver => {
                let answers = |item: State| {
                    let content = sent(item).filter(|_| item.partner() == Some(process)).map(|(content, _)| content);
                    content.map(|content| Interaction { from: receiver, to: process, content })
                };
                let mut answers = network.items(moment.at(receiver)).filter_map(answers);
                match moment.is_queue(receiver, process) {
                    true => {
                        let is_listed = |answer: Interaction| is_put(listed, Step::Put(answer));
                        moment.length(receiver, process) == 0 && answers.all(is_listed)
                    }
                    false => answers.next().is_none(),
                }
            }
            _ => false,
        }
    }

    /// The state after all messages to the same receiver; nothing if there is no end to them.
    fn after_sends(&mut self, moment: Moment<'_>, receiver: ProcessId, start: StateId) -> Option<StateId> {
        let network = moment.scene.network;
        let mut way = Vec::new();
        let mut at = start;
        let end = loop {
            let state = network.state(at);
            let Some((_, next)) = sent(state).filter(|_| state.partner() == Some(receiver)) else { break Some(at) };
            if let Some(&known) = self.after_sends.get(&at) {
                break known;
            }
            // Until it is known better: whoever comes back here sends forever.
            self.after_sends.insert(at, None);
            way.push(at);
            at = next;
        };
        for state in way {
            self.after_sends.insert(state, end);
        }
        end
    }

    /// Draws an arrow.
    fn need(&mut self, scene: &Scene<'_>, member: ProcessId, partner: ProcessId) {
        if !scene.is_elsewhere(partner) {
            self.add(partner);
        } else if !scene.waits_in_all_parts(member) && names(scene, partner, member) {
            self.leaves.get_or_insert((member, partner));
        }
    }

    fn add(&mut self, process: ProcessId) {
        if let Some(is_member) = self.is_member.get_mut(process.index())
            && !std::mem::replace(is_member, true)
        {
            self.members.push(process);
        }
    }
}

/// Whether a message is put by itself; so are all if nothing is listed.
fn is_put(listed: Option<&[Step]>, put: Step) -> bool {
    listed.is_none_or(|listed| listed.binary_search(&put).is_ok())
}

/// What is sent in a state, and what follows.
fn sent(state: State) -> Option<(Content, StateId)> {
    match state {
        State::Send { expression, next, .. } => Some((Content::Value(expression), next)),
        State::Select { label, next, .. } => Some((Content::Label(label), next)),
        State::SelectValue { label, expression, next, .. } => {
            Some((Content::LabelledValue { label, value: expression }, next))
        }
        _ => None,
    }
}

/// Whether a process names another in any of its states.
fn names(scene: &Scene<'_>, process: ProcessId, other: ProcessId) -> bool {
    let Some(process) = scene.network.process(process) else { return false };
    process.states.of(&scene.network.states).iter().any(|state| state.partner() == Some(other))
}

//! Follows a choreography and a network together, event by event: groups are written out, and what is handed over
//! through a queue is put and then taken. And whether a mismatch is what it claims to be.

use laban::choreography::{Choreography, Node, NodeId};
use laban::equivalence::{Mismatch, Obstacle, Reason};
use laban::network::{Content, Interaction, Network, ProcessId, State, StateId};
use laban::semantics::{Configuration, Step};
use laban::syntax::Symbol;
use std::collections::BTreeSet;

/// A place in a choreography: a node, and how many events of its group have happened.
pub(super) type Place = (NodeId, usize);

/// A step and the states of those who act.
pub(super) type Local = (Step, Vec<StateId>);

#[derive(Clone, Copy)]
pub(super) struct Walker<'a> {
    pub(super) network: &'a Network,
    pub(super) choreography: &'a Choreography,
}

/// One way to go on: a step, and what follows. A decision has several.
pub(super) type Way = (Step, Place);

impl Walker<'_> {
    fn process(self, process: ProcessId) -> ProcessId {
        self.network.process_named(self.choreography.process_name(process)).unwrap()
    }

    fn symbol(self, symbol: Symbol) -> Symbol {
        self.network.names().find(self.choreography.text(symbol)).unwrap_or(Symbol(u32::MAX))
    }

    fn interaction(self, Interaction { from, to, content }: Interaction) -> Interaction {
        let content = match content {
            Content::Value(value) => Content::Value(self.symbol(value)),
            Content::Label(label) => Content::Label(self.symbol(label)),
            Content::LabelledValue { label, value } => {
                Content::LabelledValue { label: self.symbol(label), value: self.symbol(value) }
            }
        };
        Interaction { from: self.process(from), to: self.process(to), content }
    }

    /// Taking what is oldest now; if there is nothing, a step that is not possible.
    fn taken(self, from: ProcessId, to: ProcessId, at: &Configuration) -> Step {
        let (from, to) = (self.process(from), self.process(to));
        let content = at.queues.oldest(from, to).unwrap_or(Content::Value(Symbol(u32::MAX)));
        Step::Take(Interaction { from, to, content })
    }

    /// What can come first at a place: for each item, one way for each outcome.
    pub(super) fn items(self, (node, done): Place, at: &Configuration) -> Vec<Vec<Way>> {
        let to = |next: NodeId| (next, 0);
        match self.choreography.node(node) {
            Node::Stop => Vec::new(),
            Node::Any { items } => {
                self.choreography.arms(items).iter().flat_map(|&item| self.items((item, 0), at)).collect()
            }
            Node::Interaction { interaction, next } => {
                vec![vec![(Step::Interaction(self.interaction(interaction)), to(next))]]
            }
            Node::Put { interaction, next } => vec![vec![(Step::Put(self.interaction(interaction)), to(next))]],
            Node::Take { from, to: taker, next } => vec![vec![(self.taken(from, taker, at), to(next))]],
            Node::Group { members, next } => {
                let members = self.choreography.members(members);
                let step = match members.get(done) {
                    Some(&member) => Step::Put(self.interaction(member)),
                    None => match members.get(done - members.len()) {
                        Some(member) => self.taken(member.from, member.to, at),
                        None => return Vec::new(),
                    },
                };
                let following = if done + 1 == 2 * members.len() { to(next) } else { (node, done + 1) };
                vec![vec![(step, following)]]
            }
            Node::If { process, condition, then, otherwise } => {
                let (process, condition) = (self.process(process), self.symbol(condition));
                let step = |holds| Step::Decision { process, condition, holds };
                vec![vec![(step(true), to(then)), (step(false), to(otherwise))]]
            }
            Node::Choose { process, arms } => {
                let process = self.process(process);
                let arms = self.choreography.arms(arms);
                vec![(0..).zip(arms).map(|(arm, &next)| (Step::Choice { process, arm }, to(next))).collect()]
            }
        }
    }

    /// All ways on from a place that are possible.
    pub(super) fn ways(self, place: Place, at: &Configuration) -> Vec<Way> {
        let ways = self.items(place, at).into_iter().flatten();
        ways.filter(|&(step, _)| at.clone().take(self.network, step)).collect()
    }

    pub(super) fn starts(self) -> BTreeSet<Place> {
        self.choreography.starts().iter().map(|&start| (start, 0)).collect()
    }

    /// What happens in a choreography, event by event; nothing if there is no end to it.
    pub(super) fn everything(self, most: usize) -> Option<BTreeSet<Local>> {
        let mut steps = BTreeSet::new();
        for start in self.starts() {
            let mut met = BTreeSet::from([(start, Configuration::start(self.network))]);
            let mut work: Vec<_> = met.iter().cloned().collect();
            while let Some((place, at)) = work.pop() {
                if met.len() > most {
                    return None;
                }
                for (step, next) in self.ways(place, &at) {
                    let mut after = at.clone();
                    for event in self.events(step) {
                        let states = event.actors().map(|actor| after.states[actor.index()]).collect();
                        steps.insert((event, states));
                        assert!(after.take(self.network, event));
                    }
                    if met.insert((next, after.clone())) {
                        work.push((next, after));
                    }
                }
            }
        }
        Some(steps)
    }

    /// A step as events: what is handed over through a queue is put and taken.
    pub(super) fn events(self, step: Step) -> Vec<Step> {
        match step {
            Step::Interaction(message) if self.network.channel(message.from, message.to).is_queue() => {
                vec![Step::Put(message), Step::Take(message)]
            }
            step => vec![step],
        }
    }

    /// The places that a run may lead to, if it is possible.
    fn follow(self, mut places: BTreeSet<Place>, at: &mut Configuration, run: &[Step]) -> Option<BTreeSet<Place>> {
        for &step in run {
            let ways = places.iter().flat_map(|&place| self.items(place, at)).flatten();
            let next = ways.filter(|&(candidate, _)| candidate == step).map(|(_, next)| next).collect();
            if !at.take(self.network, step) {
                return None;
            }
            places = next;
        }
        Some(places)
    }

    /// Whether a mismatch is what it claims to be: its run is one of the network and of the choreography, and after it
    /// there is what the reason says.
    pub(super) fn is_true(self, mismatch: &Mismatch) -> bool {
        use Reason::{AbsentProcess, SharedProcess, UnknownProcess};
        if matches!(mismatch.reason, AbsentProcess { .. } | SharedProcess { .. } | UnknownProcess { .. }) {
            return mismatch.run.is_empty();
        }
        let mut at = Configuration::start(self.network);
        let Some(places) = self.follow(self.starts(), &mut at, &mismatch.run) else { return false };
        places.into_iter().any(|place| self.holds(place, &at, &mismatch.reason))
    }

    fn may_wait(self, at: &Configuration, process: ProcessId) -> bool {
        self.network.may_wait(process, at.states[process.index()])
    }

    fn holds(self, place: Place, at: &Configuration, reason: &Reason) -> bool {
        let (node_here, _) = place;
        let network = self.network;
        let is_at = |process: ProcessId, state: StateId| at.states[process.index()] == state;
        let can = |step: Step| at.clone().take(network, step);
        let listed: Vec<Step> = self.items(place, at).into_iter().flatten().map(|(step, _)| step).collect();
        let comes_back = |cycle: &[Step]| {
            let mut after = at.clone();
            let places = self.follow(BTreeSet::from([place]), &mut after, cycle);
            places.filter(|places| !cycle.is_empty() && places.contains(&place)).map(|_| after)
        };
        let is_refused = |step: Step, process: ProcessId, obstacle: Obstacle| {
            // A decision on another condition is possible for nobody; a choice among others may be.
            let concerns = step.interaction().is_none_or(|one| one.from == process || one.to == process);
            concerns && (!can(step) || matches!(obstacle, Obstacle::OtherArms | Obstacle::QueueNotEmpty { .. }))
        };
        match reason {
            Reason::GroupNotEnabled {
                node,
                member,
                process,
                obstacle: Obstacle::QueueNotEmpty { from, oldest },
                ..
            } => {
                let Node::Group { members, .. } = self.choreography.node(*node) else { return false };
                let message = self.interaction(self.choreography.members(members)[*member]);
                place == (*node, 0)
                    && (message.from, message.to) == (*from, *process)
                    && at.queues.oldest(*from, *process) == Some(*oldest)
            }
            Reason::NotEnabled { node, process, state, obstacle }
            | Reason::GroupNotEnabled { node, process, state, obstacle, .. } => {
                *node == node_here
                    && is_at(*process, *state)
                    && listed.iter().all(|&step| is_refused(step, *process, *obstacle))
            }
            Reason::ItemNotEnabled { node, item, process, state, obstacle } => {
                let steps = self.items((*item, 0), at).into_iter().flatten();
                *node == node_here
                    && self.choreography.successors(*node).any(|one| one == *item)
                    && is_at(*process, *state)
                    && steps.into_iter().all(|(step, _)| is_refused(step, *process, *obstacle))
            }
            Reason::Overlooked { node, missing, process, state } => {
                *node == node_here
                    && is_at(*process, *state)
                    && missing.first().is_some_and(|step| step.initiator() == *process)
                    && missing.iter().all(|&step| !listed.contains(&step) && can(step))
            }
            Reason::RunsAhead { node, process, state } => {
                let puts = at.steps_of(network, *process);
                *node == node_here
                    && is_at(*process, *state)
                    && !puts.is_empty()
                    && puts.iter().all(|put| matches!(put, Step::Put(_)) && !listed.contains(put))
            }
            Reason::DecidesFirst { node, process, state } => {
                *node == node_here && is_at(*process, *state) && at.state(network, *process).decides()
            }
            Reason::AcrossParts { process, state, other } => {
                is_at(*process, *state) && network.partners(network.state(*state)).any(|partner| partner == *other)
            }
            Reason::Forgotten { node, process, state, step, cycle } => {
                let acts = |one: &Step| one.actors().any(|actor| step.actors().any(|other| other == actor));
                is_at(*process, *state)
                    && self.may_wait(at, *process)
                    && can(*step)
                    && match node {
                        Some(node) => *node == node_here && listed.is_empty() && cycle.is_empty(),
                        None => !cycle.iter().any(acts) && comes_back(cycle).as_ref() == Some(at),
                    }
            }
            Reason::StopsEarly { node, running } => {
                let is_left = |process: ProcessId, state| is_at(process, state) && !self.may_wait(at, process);
                *node == node_here
                    && listed.is_empty()
                    && !running.is_empty()
                    && running.iter().all(|&(process, state)| is_left(process, state))
            }
            Reason::Starved { process, state, cycle } => {
                is_at(*process, *state)
                    && !self.may_wait(at, *process)
                    && cycle.iter().all(|step| step.actors().all(|actor| actor != *process))
                    && comes_back(cycle).as_ref() == Some(at)
            }
            Reason::MessageLeft { node, message, state } => {
                *node == node_here
                    && listed.is_empty()
                    && is_at(message.to, *state)
                    && at.queues.oldest(message.from, message.to) == Some(message.content)
            }
            Reason::NeverTaken { message, state, cycle } => {
                let takes =
                    |step: &Step| matches!(step, Step::Take(one) if (one.from, one.to) == (message.from, message.to));
                is_at(message.to, *state)
                    && at.queues.oldest(message.from, message.to) == Some(message.content)
                    && !cycle.iter().any(takes)
                    && comes_back(cycle).as_ref() == Some(at)
            }
            Reason::QueueGrows { from, to, more, cycle, .. } => {
                let after = comes_back(cycle);
                *more > 0 && after.is_some_and(|after| after.queues.len(*from, *to) == at.queues.len(*from, *to) + more)
            }
            Reason::GroupNotSupported { .. }
            | Reason::UnknownProcess { .. }
            | Reason::SharedProcess { .. }
            | Reason::AbsentProcess { .. } => false,
        }
    }

    /// Whether a process has only one thing to do, with nobody else to choose from.
    pub(super) fn is_plain(self, at: &Configuration, process: ProcessId) -> bool {
        !matches!(at.state(self.network, process), State::Any { .. })
    }
}

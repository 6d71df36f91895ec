//! The naive twin of the check with races: the definition word for word, every pair in a map, every set of pairs thrown
//! out step by step. It finds all that is wrong rather than the first thing.

use laban::choreography::{Choreography, Node, NodeId};
use laban::equivalence::{Conditions, Mismatch, Reason};
use laban::network::{Content, Interaction, Network, ProcessId, State, StateId};
use laban::semantics::{Configuration, Step, Waits};
use laban::syntax::Symbol;
use std::collections::{BTreeMap, BTreeSet};

pub(super) use crate::verify::kind::{Kind, kind};

/// More pairs than this are not looked at.
const MOST: usize = 400;

type Pair = (NodeId, Configuration);

/// Something that can come first: its steps, one for each outcome, and the nodes that follow.
type Item = Vec<(Step, NodeId)>;

/// A step and the states of those who act.
pub(super) type Local = (Step, Vec<StateId>);

pub(super) struct Twin<'a> {
    pub(super) network: &'a Network,
    pub(super) choreography: &'a Choreography,
    pub(super) fair: bool,
    pub(super) conditions: Conditions,
}

/// What is wrong, and what happens.
#[derive(Debug, Default)]
pub(super) struct Judgement {
    pub(super) wrong: BTreeSet<Kind>,
    pub(super) steps: BTreeSet<Local>,
}

/// The pairs of a part, each with its items and where their steps lead.
type Pairs = BTreeMap<Pair, Vec<Vec<(Step, Pair)>>>;

impl Twin<'_> {
    /// All that is wrong; nothing if there are too many pairs.
    pub(super) fn judge(&self) -> Option<Judgement> {
        let only = |kind| Some(Judgement { wrong: BTreeSet::from([kind]), steps: BTreeSet::new() });
        let mut numbers = (0..self.choreography.processes().len() as u32).map(ProcessId);
        if numbers.any(|process| self.process(process).is_none()) {
            return only(Kind::Unknown);
        }
        let parts: Vec<BTreeSet<ProcessId>> =
            self.choreography.starts().iter().map(|&start| self.members(start)).collect();
        let all: BTreeSet<ProcessId> = parts.iter().flatten().copied().collect();
        if all.len() < parts.iter().map(BTreeSet::len).sum() {
            return only(Kind::Shared);
        }
        let start = Configuration::start(self.network);
        let is_missing = |process: &ProcessId| !all.contains(process) && !self.may_wait(&start, *process);
        if self.network.process_ids().any(|process| is_missing(&process)) {
            return only(Kind::Absent);
        }
        let mut judgement = Judgement::default();
        for (&start, members) in self.choreography.starts().iter().zip(&parts) {
            let elsewhere = all.difference(members).copied().collect();
            Part { twin: self, members, elsewhere }.judge(start, &mut judgement)?;
        }
        Some(judgement)
    }

    fn process(&self, process: ProcessId) -> Option<ProcessId> {
        self.network.process_named(self.choreography.process_name(process))
    }

    fn symbol(&self, symbol: Symbol) -> Symbol {
        self.network.names().find(self.choreography.text(symbol)).unwrap_or(Symbol(u32::MAX))
    }

    fn may_wait(&self, configuration: &Configuration, process: ProcessId) -> bool {
        let service = self.network.processes()[process.index()].service;
        service
            || configuration.has_stopped(self.network, process)
            || self.network.is_idle(configuration.states[process.index()])
    }

    /// What can come first at a node, in the names of the network. A step that a process is not at has a name of its
    /// own that is not in the network.
    fn items(&self, node: NodeId, configuration: &Configuration) -> Vec<Item> {
        match self.choreography.node(node) {
            Node::Stop | Node::Group { .. } | Node::Put { .. } | Node::Take { .. } => Vec::new(),
            Node::Any { items } => {
                self.choreography.arms(items).iter().flat_map(|&item| self.items(item, configuration)).collect()
            }
            Node::Interaction { interaction: Interaction { from, to, content }, next } => {
                let content = match content {
                    Content::Value(value) => Content::Value(self.symbol(value)),
                    Content::Label(label) => Content::Label(self.symbol(label)),
                    Content::LabelledValue { label, value } => {
                        Content::LabelledValue { label: self.symbol(label), value: self.symbol(value) }
                    }
                };
                let (from, to) = (self.process(from).unwrap(), self.process(to).unwrap());
                vec![vec![(Step::Interaction(Interaction { from, to, content }), next)]]
            }
            Node::If { process, condition, then, otherwise } => {
                let process = self.process(process).unwrap();
                let condition = match (self.conditions, configuration.state(self.network, process)) {
                    (Conditions::Any, State::If { condition, .. }) => condition,
                    _ => self.symbol(condition),
                };
                let step = |holds| Step::Decision { process, condition, holds };
                vec![vec![(step(true), then), (step(false), otherwise)]]
            }
            Node::Choose { process, arms } => {
                let process = self.process(process).unwrap();
                let arms = self.choreography.arms(arms);
                let fits = match configuration.state(self.network, process) {
                    State::Choose { arms: here } => here.len() == arms.len(),
                    _ => false,
                };
                let number = |arm: u32| if fits { arm } else { u32::MAX };
                vec![(0..).zip(arms).map(|(arm, &next)| (Step::Choice { process, arm: number(arm) }, next)).collect()]
            }
        }
    }

    fn members(&self, start: NodeId) -> BTreeSet<ProcessId> {
        let configuration = Configuration::start(self.network);
        let mut met = BTreeSet::new();
        let mut work = vec![start];
        let mut members = BTreeSet::new();
        while let Some(node) = work.pop() {
            if !met.insert(node) {
                continue;
            }
            work.extend(self.choreography.successors(node));
            for (step, _) in self.items(node, &configuration).into_iter().flatten() {
                members.extend(step.actors());
            }
            if let Node::Group { members: group, .. } = self.choreography.node(node) {
                let group = self.choreography.members(group).iter();
                members.extend(group.flat_map(|one| [one.from, one.to]).map(|process| self.process(process).unwrap()));
            }
        }
        members
    }

    /// Whether a mismatch is what it claims to be: its run is one of the network and of the choreography, and after it
    /// there is what the reason says.
    pub(super) fn is_true(&self, mismatch: &Mismatch) -> bool {
        if matches!(kind(&mismatch.reason), Kind::Unknown | Kind::Shared | Kind::Absent) {
            return mismatch.run.is_empty();
        }
        let mut configuration = Configuration::start(self.network);
        let start = self.choreography.starts().iter().copied().collect();
        let Some(nodes) = self.follow(start, &mut configuration, &mismatch.run) else { return false };
        nodes.into_iter().any(|node| self.holds(&(node, configuration.clone()), &mismatch.reason))
    }

    /// The nodes that a run may lead to, if it is possible: a race may have been spoilt so that it has an item twice.
    fn follow(
        &self,
        mut nodes: BTreeSet<NodeId>,
        configuration: &mut Configuration,
        run: &[Step],
    ) -> Option<BTreeSet<NodeId>> {
        for &step in run {
            let steps = nodes.iter().flat_map(|&node| self.items(node, configuration)).flatten();
            let next = steps.filter(|&(candidate, _)| candidate == step).map(|(_, next)| next).collect();
            if !configuration.take(self.network, step) {
                return None;
            }
            nodes = next;
        }
        Some(nodes)
    }

    fn can(&self, configuration: &Configuration, step: Step) -> bool {
        configuration.clone().take(self.network, step)
    }

    fn holds(&self, pair: &Pair, reason: &Reason) -> bool {
        let (at, configuration) = pair;
        let is_at = |process: ProcessId, state: StateId| configuration.states[process.index()] == state;
        let listed: Vec<Step> = self.items(*at, configuration).into_iter().flatten().map(|(step, _)| step).collect();
        let comes_back = |cycle: &[Step], without: &[ProcessId]| {
            let mut after = configuration.clone();
            cycle.iter().all(|step| step.actors().all(|actor| !without.contains(&actor)))
                && self.follow(BTreeSet::from([*at]), &mut after, cycle).is_some_and(|nodes| nodes.contains(at))
                && after == *configuration
        };
        match reason {
            Reason::NotEnabled { node, process, state, .. } => {
                let concerns = |step: Step| step.actors().any(|actor| actor == *process);
                node == at
                    && is_at(*process, *state)
                    && listed.iter().all(|&step| concerns(step) && !self.can(configuration, step))
            }
            Reason::ItemNotEnabled { node, item, process, state, .. } => {
                let items = self.items(*item, configuration);
                node == at
                    && self.choreography.successors(*at).any(|one| one == *item)
                    && is_at(*process, *state)
                    && items.iter().flatten().all(|&(step, _)| {
                        step.actors().any(|actor| actor == *process) && !self.can(configuration, step)
                    })
            }
            Reason::Overlooked { node, missing, process, state } => {
                node == at
                    && is_at(*process, *state)
                    && missing.first().is_some_and(|step| step.initiator() == *process)
                    && missing.iter().all(|&step| !listed.contains(&step) && self.can(configuration, step))
            }
            Reason::DecidesFirst { node, process, state } => {
                node == at
                    && is_at(*process, *state)
                    && configuration.state(self.network, *process).decides()
                    && listed.iter().all(|step| step.initiator() != *process || step.actors().count() == 2)
            }
            Reason::AcrossParts { process, state, other } => {
                is_at(*process, *state)
                    && self.network.partners(self.network.state(*state)).any(|partner| partner == *other)
            }
            Reason::Forgotten { node, process, state, step, cycle } => {
                let actors: Vec<ProcessId> = step.actors().collect();
                is_at(*process, *state)
                    && self.network.is_idle(*state)
                    && self.can(configuration, *step)
                    && match node {
                        Some(node) => node == at && self.choreography.node(*at) == Node::Stop && cycle.is_empty(),
                        None => !cycle.is_empty() && comes_back(cycle, &actors),
                    }
            }
            Reason::StopsEarly { node, running } => {
                node == at
                    && self.choreography.node(*at) == Node::Stop
                    && !running.is_empty()
                    && running
                        .iter()
                        .all(|&(process, state)| is_at(process, state) && !self.may_wait(configuration, process))
            }
            Reason::Starved { process, state, cycle } => {
                is_at(*process, *state)
                    && !self.may_wait(configuration, *process)
                    && !cycle.is_empty()
                    && comes_back(cycle, &[*process])
            }
            Reason::GroupNotSupported { node } => {
                node == at && matches!(self.choreography.node(*at), Node::Group { .. })
            }
            _ => false,
        }
    }
}

/// One part, with who takes part in it and who in others.
struct Part<'a> {
    twin: &'a Twin<'a>,
    members: &'a BTreeSet<ProcessId>,
    elsewhere: BTreeSet<ProcessId>,
}

impl Part<'_> {
    fn judge(&self, start: NodeId, judgement: &mut Judgement) -> Option<()> {
        let network = self.twin.network;
        let mut pairs: Pairs = BTreeMap::new();
        let mut work = vec![(start, Configuration::start(network))];
        while let Some(pair) = work.pop() {
            if pairs.contains_key(&pair) {
                continue;
            }
            if pairs.len() == MOST {
                return None;
            }
            let (node, configuration) = &pair;
            judgement.wrong.extend(self.wrong_at(*node, configuration));
            let mut items = Vec::new();
            for item in self.twin.items(*node, configuration) {
                let mut edges = Vec::new();
                for (step, next) in item {
                    let mut after = configuration.clone();
                    if after.take(network, step) {
                        let states = step.actors().map(|actor| configuration.states[actor.index()]).collect();
                        judgement.steps.insert((step, states));
                        work.push((next, after.clone()));
                        edges.push((step, (next, after)));
                    }
                }
                items.push(edges);
            }
            pairs.insert(pair, items);
        }
        let must_act = |pair: &Pair, process| !self.twin.may_wait(&pair.1, process);
        if self.members.iter().any(|&process| self.is_trapped(&pairs, &[process], |pair| must_act(pair, process))) {
            judgement.wrong.insert(Kind::Starved);
        }
        let mut forgettable: BTreeMap<(Vec<ProcessId>, Kind), BTreeSet<&Pair>> = BTreeMap::new();
        for pair in pairs.keys() {
            for (actors, kind) in self.awaited(&pair.1) {
                forgettable.entry((actors, kind)).or_default().insert(pair);
            }
        }
        for ((actors, kind), places) in &forgettable {
            if self.is_trapped(&pairs, actors, |pair| places.contains(pair)) {
                judgement.wrong.insert(*kind);
            }
        }
        Some(())
    }

    /// What is wrong at one pair.
    fn wrong_at(&self, node: NodeId, configuration: &Configuration) -> BTreeSet<Kind> {
        let mut wrong = BTreeSet::new();
        let choreography = self.twin.choreography;
        let items = self.twin.items(node, configuration);
        let is_possible = |item: &Item| item.iter().all(|&(step, _)| self.twin.can(configuration, step));
        let seeds: Vec<ProcessId> = items.iter().flatten().flat_map(|(step, _)| step.actors()).collect();
        match choreography.node(node) {
            Node::Group { .. } | Node::Put { .. } | Node::Take { .. } => {
                wrong.insert(Kind::Group);
            }
            Node::Stop => {
                if self.members.iter().any(|&process| !self.twin.may_wait(configuration, process)) {
                    wrong.insert(Kind::StopsEarly);
                }
                wrong.extend(self.awaited(configuration).into_iter().map(|(_, kind)| kind));
            }
            Node::Any { .. } if !items.iter().all(is_possible) => {
                wrong.insert(Kind::ItemNotEnabled);
            }
            _ if !items.iter().all(is_possible) => {
                wrong.insert(Kind::NotEnabled);
            }
            _ => {
                if !self.leaving(configuration, &seeds).is_empty() {
                    wrong.insert(Kind::AcrossParts);
                }
                let listed: BTreeSet<Step> = items.iter().flatten().map(|&(step, _)| step).collect();
                let waits = self.waits(configuration);
                for step in waits.steps(&waits.closure(seeds.iter().copied())) {
                    if !listed.contains(&step) {
                        let interacts = matches!(step, Step::Interaction(_));
                        wrong.insert(if interacts { Kind::Overlooked } else { Kind::DecidesFirst });
                    }
                }
            }
        }
        wrong
    }

    /// Where everybody is; whoever takes part elsewhere is nowhere.
    fn waits(&self, configuration: &Configuration) -> Waits {
        let network = self.twin.network;
        let here: Vec<ProcessId> = network.process_ids().filter(|process| !self.elsewhere.contains(process)).collect();
        let at = |process: ProcessId| match self.elsewhere.contains(&process) {
            true => StateId(u32::MAX),
            false => configuration.states[process.index()],
        };
        Waits::new(network, &here, &configuration.queues, at)
    }

    /// Who, among those that some processes wait for, may interact with a process that takes part elsewhere.
    fn leaving(&self, configuration: &Configuration, seeds: &[ProcessId]) -> BTreeSet<ProcessId> {
        let network = self.twin.network;
        let mut reached: BTreeSet<ProcessId> = seeds.iter().copied().collect();
        let mut leaving = BTreeSet::new();
        loop {
            let before = reached.len();
            for process in reached.clone() {
                for partner in network.partners(configuration.state(network, process)) {
                    if !self.elsewhere.contains(&partner) {
                        reached.insert(partner);
                        continue;
                    }
                    let states = network.processes()[partner.index()].states;
                    let mut states = (states.start..states.end).map(|state| network.state(StateId(state)));
                    // Whoever is absent and idle waits in that part as well, and so does whom it waits for.
                    if !self.waits_in_all_parts(process) && states.any(|state| state.partner() == Some(process)) {
                        leaving.insert(process);
                    }
                }
            }
            if reached.len() == before {
                return leaving;
            }
        }
    }

    /// Whether a process is absent from all parts, and idle from the start or waited for by one that is so.
    fn waits_in_all_parts(&self, process: ProcessId) -> bool {
        let network = self.twin.network;
        let start = |process: ProcessId| network.processes()[process.index()].start;
        let is_absent = |process: ProcessId| !self.members.contains(&process) && !self.elsewhere.contains(&process);
        let is_idle =
            |process: ProcessId| !network.processes()[process.index()].service && network.is_idle(start(process));
        let mut waiting: BTreeSet<ProcessId> =
            network.process_ids().filter(|&process| is_absent(process) && is_idle(process)).collect();
        for _ in network.process_ids() {
            let partners = waiting.iter().flat_map(|&process| network.partners(network.state(start(process))));
            let more: Vec<ProcessId> = partners.filter(|&process| is_absent(process)).collect();
            waiting.extend(more);
        }
        waiting.contains(&process)
    }

    /// What can happen that somebody idly waits for, by who would act.
    fn awaited(&self, configuration: &Configuration) -> BTreeSet<(Vec<ProcessId>, Kind)> {
        let network = self.twin.network;
        let waits = self.waits(configuration);
        let mut found = BTreeSet::new();
        for process in network.process_ids().filter(|process| !self.elsewhere.contains(process)) {
            let is_service = network.processes()[process.index()].service;
            if is_service || !network.is_idle(configuration.states[process.index()]) {
                continue;
            }
            for step in waits.steps(&waits.closure([process])) {
                found.insert((step.actors().collect(), Kind::Forgotten));
            }
            for process in self.leaving(configuration, &[process]) {
                found.insert((vec![process], Kind::AcrossParts));
            }
        }
        found
    }

    /// Whether there is a set of pairs of a kind from which these processes can be kept from acting forever.
    fn is_trapped(&self, pairs: &Pairs, processes: &[ProcessId], is_of_kind: impl Fn(&Pair) -> bool) -> bool {
        let mut left: BTreeSet<&Pair> = pairs.keys().filter(|pair| is_of_kind(pair)).collect();
        loop {
            let stays = |pair: &Pair| {
                let items = &pairs[pair];
                !items.is_empty()
                    && items.iter().all(|item| {
                        let acts = |step: Step| step.actors().any(|actor| processes.contains(&actor));
                        let is_decision = item.iter().any(|(step, _)| !matches!(step, Step::Interaction(_)));
                        let mut edges = item.iter().map(|(step, target)| !acts(*step) && left.contains(target));
                        match is_decision && !self.twin.fair {
                            true => edges.any(|stays| stays),
                            false => !item.is_empty() && edges.all(|stays| stays),
                        }
                    })
            };
            let next: BTreeSet<&Pair> = left.iter().copied().filter(|pair| stays(pair)).collect();
            if next.len() == left.len() {
                return !left.is_empty();
            }
            left = next;
        }
    }
}

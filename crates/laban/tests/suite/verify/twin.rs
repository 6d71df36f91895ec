//! The naive twin: every pair in a map, every process and every cycle looked at by itself. It finds all that is wrong
//! rather than the first thing, so what the fast check says must be among it.

use laban::choreography::{Choreography, Node, NodeId};
use laban::equivalence::{Mismatch, Reason};
use laban::network::{Content, Interaction, Network, ProcessId, StateId};
use laban::semantics::{Configuration, Step};
use laban::syntax::Symbol;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) use super::kind::{Kind, kind};

struct Twin<'a> {
    network: &'a Network,
    choreography: &'a Choreography,
}

type Pair = (NodeId, Configuration);

impl Twin<'_> {
    fn process(&self, process: ProcessId) -> Option<ProcessId> {
        self.network.process_named(self.choreography.process_name(process))
    }

    fn symbol(&self, symbol: Symbol) -> Symbol {
        self.network.names().find(self.choreography.text(symbol)).unwrap_or(Symbol(u32::MAX))
    }

    fn interaction(&self, interaction: Interaction) -> Option<Step> {
        let content = match interaction.content {
            Content::Value(symbol) => Content::Value(self.symbol(symbol)),
            Content::Label(symbol) => Content::Label(self.symbol(symbol)),
            Content::LabelledValue { label, value } => {
                Content::LabelledValue { label: self.symbol(label), value: self.symbol(value) }
            }
        };
        let (from, to) = (self.process(interaction.from)?, self.process(interaction.to)?);
        Some(Step::Interaction(Interaction { from, to, content }))
    }

    /// The steps of a node that is not a group, with where they lead.
    fn steps(&self, node: NodeId) -> Vec<(Step, NodeId)> {
        match self.choreography.node(node) {
            Node::Stop | Node::Group { .. } | Node::Put { .. } | Node::Take { .. } => Vec::new(),
            Node::Interaction { interaction, next } => vec![(self.interaction(interaction).unwrap(), next)],
            Node::If { process, condition, then, otherwise } => {
                let (process, condition) = (self.process(process).unwrap(), self.symbol(condition));
                let step = |holds| Step::Decision { process, condition, holds };
                vec![(step(true), then), (step(false), otherwise)]
            }
            Node::Choose { process, arms } => {
                let process = self.process(process).unwrap();
                let arms = self.choreography.arms(arms).iter().enumerate();
                arms.map(|(arm, &next)| (Step::Choice { process, arm: arm as u32 }, next)).collect()
            }
            Node::Any { .. } => panic!("this twin does not know races"),
        }
    }

    fn members(&self, start: NodeId) -> BTreeSet<ProcessId> {
        let mut met = BTreeSet::new();
        let mut work = vec![start];
        let mut members = BTreeSet::new();
        while let Some(node) = work.pop() {
            if !met.insert(node) {
                continue;
            }
            work.extend(self.choreography.successors(node));
            members.extend(self.steps(node).into_iter().flat_map(|(step, _)| step.actors().collect::<Vec<_>>()));
            if let Node::Group { members: group, .. } = self.choreography.node(node) {
                let group = self.choreography.members(group).iter();
                members.extend(group.flat_map(|one| [one.from, one.to]).map(|process| self.process(process).unwrap()));
            }
        }
        members
    }

    fn may_wait(&self, process: ProcessId) -> bool {
        self.network.processes()[process.index()].service
    }

    fn walk(&self, start: NodeId, members: &BTreeSet<ProcessId>, wrong: &mut BTreeSet<Kind>) {
        let mut pairs: BTreeMap<Pair, Vec<(Step, Pair)>> = BTreeMap::new();
        let mut work = vec![(start, Configuration::start(self.network))];
        while let Some(pair) = work.pop() {
            if pairs.contains_key(&pair) {
                continue;
            }
            let (node, configuration) = &pair;
            let mut edges = Vec::new();
            match self.choreography.node(*node) {
                Node::Stop => {
                    let done = |&process: &ProcessId| {
                        configuration.has_stopped(self.network, process) || self.may_wait(process)
                    };
                    if !members.iter().all(done) {
                        wrong.insert(Kind::StopsEarly);
                    }
                }
                Node::Group { .. } | Node::Put { .. } | Node::Take { .. } => {
                    wrong.insert(Kind::Group);
                }
                _ => {
                    for (step, next) in self.steps(*node) {
                        let mut after = configuration.clone();
                        if after.take(self.network, step) {
                            edges.push((step, (next, after)));
                        } else {
                            wrong.insert(Kind::NotEnabled);
                        }
                    }
                }
            }
            work.extend(edges.iter().map(|(_, target)| target.clone()));
            pairs.insert(pair, edges);
        }
        for &process in members.iter().filter(|&&process| !self.may_wait(process)) {
            if pairs.keys().any(|pair| self.comes_back_without(&pairs, pair, process)) {
                wrong.insert(Kind::Starved);
            }
        }
    }

    fn comes_back_without(&self, pairs: &BTreeMap<Pair, Vec<(Step, Pair)>>, start: &Pair, process: ProcessId) -> bool {
        let mut met = BTreeSet::new();
        let mut work = vec![start];
        while let Some(pair) = work.pop() {
            if pair.1.has_stopped(self.network, process) {
                continue;
            }
            for (step, target) in &pairs[pair] {
                if step.actors().all(|actor| actor != process) {
                    if target == start {
                        return true;
                    }
                    if met.insert(target) {
                        work.push(target);
                    }
                }
            }
        }
        false
    }
}

/// All kinds of things that are wrong.
pub(crate) fn verify(network: &Network, choreography: &Choreography) -> BTreeSet<Kind> {
    let twin = Twin { network, choreography };
    let numbers = (0..choreography.processes().len() as u32).map(ProcessId);
    if numbers.into_iter().any(|process| twin.process(process).is_none()) {
        return BTreeSet::from([Kind::Unknown]);
    }
    let parts: Vec<BTreeSet<ProcessId>> = choreography.starts().iter().map(|&start| twin.members(start)).collect();
    let all: BTreeSet<ProcessId> = parts.iter().flatten().copied().collect();
    if all.len() < parts.iter().map(BTreeSet::len).sum() {
        return BTreeSet::from([Kind::Shared]);
    }
    let start = Configuration::start(network);
    let fine = |process| all.contains(&process) || twin.may_wait(process) || start.has_stopped(network, process);
    if !network.process_ids().all(fine) {
        return BTreeSet::from([Kind::Absent]);
    }
    let mut wrong = BTreeSet::new();
    for (&start, members) in choreography.starts().iter().zip(&parts) {
        twin.walk(start, members, &mut wrong);
    }
    wrong
}

/// Whether a mismatch is what it claims to be: its run is one of the network and of the choreography, and after it
/// there is what the reason says.
pub(crate) fn is_true(network: &Network, choreography: &Choreography, mismatch: &Mismatch) -> bool {
    let twin = Twin { network, choreography };
    if matches!(kind(&mismatch.reason), Kind::Unknown | Kind::Shared | Kind::Absent) {
        return mismatch.run.is_empty();
    }
    choreography.starts().iter().any(|&start| {
        let mut pair = (start, Configuration::start(network));
        follow(&twin, &mut pair, &mismatch.run) && holds(&twin, &pair, &mismatch.reason)
    })
}

fn follow(twin: &Twin<'_>, (node, configuration): &mut Pair, run: &[Step]) -> bool {
    run.iter().all(|&step| {
        let Some((_, next)) = twin.steps(*node).into_iter().find(|&(candidate, _)| candidate == step) else {
            return false;
        };
        *node = next;
        configuration.take(twin.network, step)
    })
}

fn holds(twin: &Twin<'_>, pair: &Pair, reason: &Reason) -> bool {
    let network = twin.network;
    let (at, configuration) = pair;
    let waits = |process: ProcessId, state: StateId| {
        configuration.states[process.index()] == state
            && !configuration.has_stopped(network, process)
            && !twin.may_wait(process)
    };
    match reason {
        Reason::NotEnabled { node, process, state, .. } => {
            node == at
                && configuration.states[process.index()] == *state
                && twin.steps(*at).iter().all(|&(step, _)| {
                    step.actors().any(|actor| actor == *process) && !configuration.clone().take(network, step)
                })
        }
        Reason::StopsEarly { node, running } => {
            node == at
                && twin.choreography.node(*at) == Node::Stop
                && !running.is_empty()
                && running.iter().all(|&(process, state)| waits(process, state))
        }
        Reason::Starved { process, state, cycle } => {
            let mut after = pair.clone();
            !cycle.is_empty()
                && waits(*process, *state)
                && cycle.iter().all(|step| step.actors().all(|actor| actor != *process))
                && follow(twin, &mut after, cycle)
                && after == *pair
        }
        Reason::GroupNotSupported { node } => node == at && matches!(twin.choreography.node(*at), Node::Group { .. }),
        _ => false,
    }
}

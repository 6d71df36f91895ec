//! Whether two choreographies are the same but for how they are laid out.
//!
//! Choreographies are graphs, and graphs can be compared node by node: names of procedures, unrolled loops and the
//! order of parts do not matter then, nor does the order of the items of a race. Two that are alike can do the same,
//! whether they have a projection or not, and it takes hardly any time to find out. Two that are not alike may still be
//! able to do the same, by doing independent things in another order.

use super::common::{Common, Translation};
use super::verify::Conditions;
use crate::choreography::{Choreography, Node, NodeId};
use crate::graph::{Graph, minimise};
use crate::network::{Interaction, ProcessId};
use crate::syntax::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};

/// What happens at a node, whatever follows.
#[derive(PartialEq, Eq, Hash)]
enum Action {
    Stop,
    Interactions(Vec<Interaction>),
    Put(Interaction),
    /// From whom, and who takes it.
    Take(ProcessId, ProcessId),
    /// With what decides, if that matters.
    If(ProcessId, Option<Symbol>),
    Choose(ProcessId, u32),
    Any(u32),
}

/// Whether two choreographies have bisimilar graphs, part by part.
pub(super) fn alike(first: &Choreography, second: &Choreography, conditions: Conditions) -> bool {
    let mut common = Common::default();
    let mut numbers: FxHashMap<Action, u64> = FxHashMap::default();
    let mut graph = Graph::with_capacity(first.nodes.len() + second.nodes.len(), first.nodes.len() * 2);
    let end = graph.push(number(&mut numbers, Action::Stop), []);
    let mut starts: [Vec<u32>; 2] = [Vec::new(), Vec::new()];
    for (starts, choreography) in starts.iter_mut().zip([first, second]) {
        let translation = common.add(&choreography.names, choreography.processes.iter().copied());
        let offset = graph.len() as u32;
        let target = |node: u32| if (node as usize) < choreography.nodes.len() { offset + node } else { end };
        for &node in &choreography.nodes {
            let label = number(&mut numbers, action(choreography, &translation, node, conditions));
            match node {
                Node::Stop => graph.push(label, []),
                Node::Interaction { next, .. }
                | Node::Group { next, .. }
                | Node::Put { next, .. }
                | Node::Take { next, .. } => graph.push(label, [target(next.0)]),
                Node::If { then, otherwise, .. } => graph.push(label, [target(then.0), target(otherwise.0)]),
                Node::Choose { arms, .. } => graph.push(label, choreography.arms(arms).iter().map(|arm| target(arm.0))),
                Node::Any { items } => {
                    let begins = |item: &NodeId| match choreography.node(*item) {
                        Node::Interaction { interaction, .. } | Node::Put { interaction, .. } => {
                            let Interaction { from, to, content } = translation.interaction(interaction);
                            let is_put = matches!(choreography.node(*item), Node::Put { .. });
                            Some((is_put, from, to, Some(content)))
                        }
                        Node::Take { from, to, .. } => {
                            Some((true, translation.process(from), translation.process(to), None))
                        }
                        _ => None,
                    };
                    let mut items = choreography.arms(items).to_vec();
                    items.sort_by_cached_key(begins);
                    graph.push(label, items.into_iter().map(|item| target(item.0)))
                }
            };
        }
        starts.extend(choreography.starts.iter().map(|start| target(start.0)));
    }
    let classes = minimise(&graph).class_of;
    let [one, other] = starts.map(|starts| {
        let mut parts: Vec<u32> = starts.iter().map(|&start| classes[start as usize]).collect();
        // A part in which nothing happens is as good as none.
        parts.retain(|&class| class != classes[end as usize]);
        parts.sort_unstable();
        parts
    });
    one == other
}

fn number(numbers: &mut FxHashMap<Action, u64>, action: Action) -> u64 {
    let next = numbers.len() as u64;
    *numbers.entry(action).or_insert(next)
}

fn action(choreography: &Choreography, translation: &Translation, node: Node, conditions: Conditions) -> Action {
    match node {
        Node::Stop => Action::Stop,
        Node::Interaction { interaction, .. } => Action::Interactions(vec![translation.interaction(interaction)]),
        Node::Group { members, .. } => {
            let members = members.of(&choreography.members).iter();
            let mut members: Vec<Interaction> = members.map(|&member| translation.interaction(member)).collect();
            // Nobody can tell in which order it happens, unless somebody does several things.
            let (mut senders, mut receivers) = (FxHashSet::default(), FxHashSet::default());
            if members.iter().all(|member| senders.insert(member.from) && receivers.insert(member.to)) {
                members.sort_unstable();
            }
            Action::Interactions(members)
        }
        Node::Put { interaction, .. } => Action::Put(translation.interaction(interaction)),
        Node::Take { from, to, .. } => Action::Take(translation.process(from), translation.process(to)),
        Node::If { process, condition, .. } => {
            let condition = match conditions {
                Conditions::ByText => Some(translation.symbol(condition)),
                Conditions::Any => None,
            };
            Action::If(translation.process(process), condition)
        }
        Node::Choose { process, arms } => Action::Choose(translation.process(process), arms.len() as u32),
        Node::Any { items } => Action::Any(items.len() as u32),
    }
}

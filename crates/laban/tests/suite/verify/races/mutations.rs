//! Mistakes in choreographies and networks with races.

use laban::choreography::{Choreography, ChoreographyParts, Node, NodeId};
use laban::generate::SeededRng;
use laban::network::{Content, Interaction, Network, NetworkParts, ProcessId, State, StateId};
use laban::syntax::ArenaRange;

/// A choreography with something changed, unless what came out is not one.
pub(crate) fn choreography(rng: &mut SeededRng, choreography: &Choreography) -> Option<Choreography> {
    let mut parts = choreography.clone().into_parts();
    change(rng, &mut parts);
    Choreography::from_parts(parts).ok()
}

fn arms(parts: &mut ChoreographyParts, arms: &[NodeId]) -> ArenaRange {
    let start = parts.arms.len() as u32;
    parts.arms.extend_from_slice(arms);
    ArenaRange { start, end: parts.arms.len() as u32 }
}

fn change(rng: &mut SeededRng, parts: &mut ChoreographyParts) {
    let count = parts.nodes.len();
    let (at, target) = (rng.below(count), NodeId(rng.below(count) as u32));
    let races: Vec<usize> = (0..count).filter(|&node| matches!(parts.nodes[node], Node::Any { .. })).collect();
    // A race is the most interesting place.
    let at = if !races.is_empty() && rng.below(2) == 0 { races[rng.below(races.len())] } else { at };
    let node = parts.nodes[at];
    parts.nodes[at] = match node {
        Node::Any { items } => race(rng, parts, items, target),
        _ if rng.below(12) == 0 => Node::Stop,
        Node::Interaction { interaction, next } => match rng.below(6) {
            // Race it with another.
            0 => {
                let item = parts.nodes.len() as u32;
                parts.nodes.push(node);
                Node::Any { items: arms(parts, &[NodeId(item), target]) }
            }
            1 | 2 => Node::Interaction { interaction, next: target },
            3 => {
                let Interaction { from, to, content } = interaction;
                Node::Interaction { interaction: Interaction { from: to, to: from, content }, next }
            }
            4 => {
                let Interaction { from, to, content } = interaction;
                let content = match content {
                    Content::LabelledValue { label, .. } => Content::Label(label),
                    Content::Label(label) | Content::Value(label) => Content::Value(label),
                };
                Node::Interaction { interaction: Interaction { from, to, content }, next }
            }
            // One after the other may be swapped, if they have nothing to do with each other.
            _ => match parts.nodes[next.index()] {
                Node::Interaction { interaction: second, next: behind } => {
                    parts.nodes.push(Node::Interaction { interaction, next: behind });
                    Node::Interaction { interaction: second, next: NodeId(count as u32) }
                }
                Node::If { process, condition, then, otherwise } => {
                    let copies = [then, otherwise].map(|next| Node::Interaction { interaction, next });
                    parts.nodes.extend(copies);
                    let [then, otherwise] = [0, 1].map(|copy| NodeId(count as u32 + copy));
                    Node::If { process, condition, then, otherwise }
                }
                _ => node,
            },
        },
        Node::If { process, condition, then, otherwise } => match rng.below(6) {
            // What follows comes first.
            4 | 5 => match first_interaction(parts, then) {
                Some((interaction, then)) => {
                    parts.nodes.push(Node::If { process, condition, then, otherwise });
                    Node::Interaction { interaction, next: NodeId(count as u32) }
                }
                None => node,
            },
            0 => Node::If { process, condition, then: otherwise, otherwise: then },
            1 => Node::If { process, condition, then, otherwise: target },
            2 => Node::If { process, condition: parts.processes[0], then, otherwise },
            _ => Node::Choose { process, arms: arms(parts, &[then, otherwise]) },
        },
        Node::Choose { process, arms: range } => {
            let mut own = range.of(&parts.arms).to_vec();
            if let Some((interaction, next)) = first_interaction(parts, own[0])
                && rng.below(3) == 0
            {
                own[0] = next;
                let later = Node::Choose { process, arms: arms(parts, &own) };
                parts.nodes.push(later);
                parts.nodes[at] = Node::Interaction { interaction, next: NodeId(count as u32) };
                return;
            }
            match rng.below(4) {
                0 => own.reverse(),
                1 if own.len() > 1 => drop(own.pop()),
                2 => own.push(target),
                _ => own[0] = target,
            }
            Node::Choose { process, arms: arms(parts, &own) }
        }
        Node::Stop | Node::Group { .. } | Node::Put { .. } | Node::Take { .. } => parts.nodes[target.index()],
    };
}

/// The interaction at a node, or the last one of a race, and what follows it.
fn first_interaction(parts: &ChoreographyParts, node: NodeId) -> Option<(Interaction, NodeId)> {
    let items = match parts.nodes[node.index()] {
        Node::Any { items } => items.of(&parts.arms),
        _ => &[node],
    };
    items.iter().rev().find_map(|item| match parts.nodes[item.index()] {
        Node::Interaction { interaction, next } => Some((interaction, next)),
        _ => None,
    })
}

/// A race with an item dropped or added, or written as something else.
fn race(rng: &mut SeededRng, parts: &mut ChoreographyParts, items: ArenaRange, target: NodeId) -> Node {
    let mut own = items.of(&parts.arms).to_vec();
    let place = rng.below(own.len());
    let first_of = |node: Node| match node {
        Node::Interaction { interaction, .. } => [interaction.from, interaction.to],
        Node::If { process, .. } | Node::Choose { process, .. } => [process; 2],
        _ => [ProcessId(0); 2],
    };
    let actors = first_of(parts.nodes[own[place].index()]);
    match rng.below(6) {
        0 => return parts.nodes[own[place].index()],
        1 => {
            let process = actors[rng.below(2)];
            return Node::Choose { process, arms: arms(parts, &own) };
        }
        2 if own.len() > 1 => {
            let condition = parts.processes[0];
            return Node::If { process: actors[rng.below(2)], condition, then: own[0], otherwise: own[1] };
        }
        3 => {
            own.remove(place);
        }
        4 => {
            own.insert(place, target);
        }
        _ => {
            if let Node::Interaction { interaction, .. } = parts.nodes[own[place].index()] {
                own[place] = NodeId(parts.nodes.len() as u32);
                parts.nodes.push(Node::Interaction { interaction, next: target });
            }
        }
    }
    own.dedup();
    Node::Any { items: arms(parts, &own) }
}

/// A network with something changed.
pub(crate) fn network(rng: &mut SeededRng, network: &Network) -> Option<Network> {
    let mut parts: NetworkParts = network.clone().into_parts();
    let process = rng.below(parts.processes.len());
    let states = parts.processes[process].states;
    let at = states.start as usize + rng.below(states.len());
    let target = StateId(states.start + rng.below(states.len()) as u32);
    let other = ProcessId(rng.other_than(process, parts.processes.len()) as u32);
    match rng.below(5) {
        0 => parts.processes[process].service ^= true,
        2 => redirect(&mut parts.states[at], other),
        1 => {
            parts.idle.resize(parts.states.len(), false);
            let waits = matches!(parts.states[at], State::Receive { .. } | State::Offer { .. } | State::Any { .. });
            parts.idle[at] ^= waits;
        }
        _ => match &mut parts.states[at] {
            State::Send { next, .. }
            | State::Receive { next, .. }
            | State::Select { next, .. }
            | State::SelectValue { next, .. } => *next = target,
            State::If { then, otherwise, .. } => (*then, *otherwise) = (*otherwise, target),
            State::Choose { arms } | State::Any { items: arms } => arms.end -= 1,
            State::Offer { branches, .. } => branches.end -= 1,
            State::Stop => parts.processes[process].start = target,
        },
    }
    Network::from_parts(parts).ok()
}

/// A network in which fewer processes, or none, may wait forever.
pub(super) fn strict_network(rng: &mut SeededRng, network: &Network) -> Option<Network> {
    let mut parts: NetworkParts = network.clone().into_parts();
    parts.idle.iter_mut().for_each(|idle| *idle &= rng.below(4) == 0);
    parts.processes.iter_mut().for_each(|process| process.service &= rng.below(4) == 0);
    Network::from_parts(parts).ok()
}

/// A network in which two processes name each other somewhere.
pub(super) fn linked_network(rng: &mut SeededRng, network: &Network) -> Option<Network> {
    let mut parts: NetworkParts = network.clone().into_parts();
    let one = rng.below(parts.processes.len());
    let other = rng.other_than(one, parts.processes.len());
    for (own, partner) in [(one, other), (other, one)] {
        let states = parts.processes[own].states;
        let at = states.start as usize + rng.below(states.len());
        redirect(&mut parts.states[at], ProcessId(partner as u32));
    }
    Network::from_parts(parts).ok()
}

fn redirect(state: &mut State, partner: ProcessId) {
    match state {
        State::Send { to, .. } | State::Select { to, .. } | State::SelectValue { to, .. } => *to = partner,
        State::Receive { from, .. } | State::Offer { from, .. } => *from = partner,
        _ => {}
    }
}

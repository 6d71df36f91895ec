//! Choreographies for random networks with queues, made without a search: everything that can happen at each
//! configuration, or one thing after the other in some order, which may be right or wrong.

use super::walker::Walker;
use laban::choreography::{Choreography, ChoreographyParts, Node, NodeId};
use laban::generate::SeededRng;
use laban::network::{Content, Interaction, Network, ProcessId, State};
use laban::semantics::{Configuration, Step};
use laban::syntax::{ArenaRange, Symbol};
use std::collections::BTreeMap;

/// More nodes than this are not made.
const MOST: usize = 300;

/// How a choreography is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// All that can happen, everywhere.
    Everything,
    /// One thing after the other, where a process with a race does all that can happen in its closed set.
    InTurns,
    /// Anything.
    AtRandom,
}

/// A configuration and whose turn it is.
type Key = (Configuration, usize);

struct Maker<'a> {
    network: &'a Network,
    parts: ChoreographyParts,
    known: BTreeMap<Key, NodeId>,
    work: Vec<(Key, NodeId)>,
    style: Style,
}

/// Makes a choreography for a network, if that does not take too many nodes.
pub(super) fn choreography(network: &Network, style: Style, rng: &mut SeededRng) -> Option<Choreography> {
    let parts = ChoreographyParts {
        names: network.names().clone(),
        processes: network.processes().iter().map(|process| process.name).collect(),
        ..ChoreographyParts::default()
    };
    let mut maker = Maker { network, parts, known: BTreeMap::new(), work: Vec::new(), style };
    let start = maker.node((Configuration::start(network), 0));
    maker.parts.starts.push(start);
    while let Some(((at, turn), node)) = maker.work.pop() {
        if maker.parts.nodes.len() > MOST {
            return None;
        }
        let made = maker.make(&at, turn, rng);
        maker.parts.nodes[node.index()] = made;
    }
    Choreography::from_parts(maker.parts).ok()
}

impl Maker<'_> {
    /// The node of a configuration, which may have to be made.
    fn node(&mut self, key: Key) -> NodeId {
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let node = self.new_node(Node::Stop);
        self.known.insert(key.clone(), node);
        self.work.push((key, node));
        node
    }

    fn new_node(&mut self, node: Node) -> NodeId {
        self.parts.nodes.push(node);
        NodeId(self.parts.nodes.len() as u32 - 1)
    }

    fn arms(&mut self, arms: &[NodeId]) -> ArenaRange {
        let start = self.parts.arms.len() as u32;
        self.parts.arms.extend_from_slice(arms);
        ArenaRange { start, end: self.parts.arms.len() as u32 }
    }

    /// The node after some steps.
    fn after(&mut self, at: &Configuration, steps: &[Step], turn: usize) -> NodeId {
        let mut after = at.clone();
        for &step in steps {
            assert!(after.take(self.network, step));
        }
        self.node((after, turn))
    }

    fn make(&mut self, at: &Configuration, turn: usize, rng: &mut SeededRng) -> Node {
        let steps = at.steps(self.network);
        let count = self.network.processes().len();
        let mut actors: Vec<ProcessId> = steps.iter().flat_map(|step| step.actors()).collect();
        actors.sort_unstable();
        actors.dedup();
        if actors.is_empty() {
            return Node::Stop;
        }
        match self.style {
            Style::Everything => return self.any(at, &steps, false, 0),
            Style::AtRandom => {
                if let Some(group) = self.group(at, rng) {
                    return group;
                }
            }
            Style::InTurns => {}
        }
        let place = actors.iter().position(|actor| actor.index() >= turn).unwrap_or(0);
        let process = match self.style {
            Style::InTurns => actors[place],
            _ => actors[rng.below(actors.len())],
        };
        let turn = if self.style == Style::InTurns { (process.index() + 1) % count } else { 0 };
        let walker = Walker { network: self.network, choreography: &Choreography::default() };
        let own = at.steps_of(self.network, process);
        if walker.is_plain(at, process) && !own.is_empty() {
            if let [Step::Put(message)] = own[..]
                && rng.below(3) > 0
                && at.clone().take(self.network, Step::Interaction(message))
            {
                let next = self.after(at, &[Step::Interaction(message)], turn);
                return Node::Interaction { interaction: message, next };
            }
            return self.any(at, &own, false, turn);
        }
        let all: Vec<ProcessId> = self.network.process_ids().collect();
        let waits = at.waits(self.network, &all);
        let steps: Vec<Step> = waits.steps(&waits.closure([process])).collect();
        let hands_over = rng.below(2) == 0;
        self.any(at, &steps, hands_over, turn)
    }

    /// A node for some steps: an `any` if there are several. What can be taken at once may be handed over.
    fn any(&mut self, at: &Configuration, steps: &[Step], hands_over: bool, turn: usize) -> Node {
        let mut items: Vec<Node> = Vec::new();
        for &step in steps {
            let item = match step {
                Step::Put(message) if hands_over && at.clone().take(self.network, Step::Interaction(message)) => {
                    let next = self.after(at, &[Step::Interaction(message)], turn);
                    Node::Interaction { interaction: message, next }
                }
                Step::Interaction(interaction) => {
                    Node::Interaction { interaction, next: self.after(at, &[step], turn) }
                }
                Step::Put(interaction) => Node::Put { interaction, next: self.after(at, &[step], turn) },
                Step::Take(Interaction { from, to, .. }) => {
                    Node::Take { from, to, next: self.after(at, &[step], turn) }
                }
                Step::Decision { process, condition, holds: true } => {
                    let other = Step::Decision { process, condition, holds: false };
                    let [then, otherwise] = [step, other].map(|step| self.after(at, &[step], turn));
                    Node::If { process, condition, then, otherwise }
                }
                Step::Choice { process, arm: 0 } => {
                    let State::Choose { arms } = at.state(self.network, process) else { continue };
                    let count = arms.len() as u32;
                    let arms = (0..count).map(|arm| self.after(at, &[Step::Choice { process, arm }], turn));
                    let arms: Vec<NodeId> = arms.collect();
                    Node::Choose { process, arms: self.arms(&arms) }
                }
                Step::Decision { .. } | Step::Choice { .. } => continue,
            };
            items.push(item);
        }
        match items[..] {
            [item] => item,
            _ => {
                let items: Vec<NodeId> = items.into_iter().map(|item| self.new_node(item)).collect();
                Node::Any { items: self.arms(&items) }
            }
        }
    }

    /// Several messages at once, if they can all be put and then taken, and somebody feels like it.
    fn group(&mut self, at: &Configuration, rng: &mut SeededRng) -> Option<Node> {
        if rng.below(3) > 0 {
            return None;
        }
        let mut after = at.clone();
        let mut members: Vec<Interaction> = Vec::new();
        for _ in 0..rng.between(2, 4) {
            let puts: Vec<Interaction> = after
                .steps(self.network)
                .into_iter()
                .filter_map(|step| match step {
                    Step::Put(message) => Some(message),
                    _ => None,
                })
                .collect();
            if puts.is_empty() {
                break;
            }
            let message = puts[rng.below(puts.len())];
            assert!(after.take(self.network, Step::Put(message)));
            members.push(message);
        }
        if members.len() < 2 {
            return None;
        }
        for &Interaction { from, to, .. } in &members {
            let content = after.queues.oldest(from, to)?;
            if !after.take(self.network, Step::Take(Interaction { from, to, content })) {
                return None;
            }
        }
        let start = self.parts.members.len() as u32;
        self.parts.members.extend(members);
        let members = ArenaRange { start, end: self.parts.members.len() as u32 };
        Some(Node::Group { members, next: self.node((after, 0)) })
    }
}

/// A choreography with something changed, unless what came out is not one.
pub(super) fn changed(rng: &mut SeededRng, choreography: &Choreography) -> Option<Choreography> {
    let mut parts = choreography.clone().into_parts();
    change(rng, &mut parts);
    Choreography::from_parts(parts).ok()
}

fn change(rng: &mut SeededRng, parts: &mut ChoreographyParts) {
    let count = parts.nodes.len();
    let (at, target) = (rng.below(count), NodeId(rng.below(count) as u32));
    let node = parts.nodes[at];
    parts.nodes[at] = match node {
        _ if rng.below(12) == 0 => Node::Stop,
        // What follows leads elsewhere.
        Node::Put { interaction, .. } if rng.below(6) == 0 => Node::Put { interaction, next: target },
        Node::Take { from, to, .. } if rng.below(6) == 0 => Node::Take { from, to, next: target },
        Node::Interaction { interaction, .. } if rng.below(6) == 0 => Node::Interaction { interaction, next: target },
        // Handed over rather than put, or put and never taken.
        Node::Put { interaction, next } if rng.below(4) == 0 => Node::Interaction { interaction, next },
        Node::Interaction { interaction, next } if rng.below(4) == 0 => Node::Put { interaction, next },
        Node::Interaction { interaction, next } if rng.below(3) == 0 => {
            let take = NodeId(count as u32);
            parts.nodes.push(Node::Take { from: interaction.from, to: interaction.to, next });
            Node::Put { interaction, next: take }
        }
        // Left out.
        Node::Put { next, .. } | Node::Take { next, .. } | Node::Interaction { next, .. } if rng.below(5) == 0 => {
            parts.nodes[next.index()]
        }
        Node::Put { interaction, next } => match parts.nodes[next.index()] {
            following if rng.below(3) > 0 => swapped(parts, node, following),
            _ => {
                let Interaction { from, to, content } = interaction;
                let content = match content {
                    Content::Value(_) => Content::Value(Symbol(rng.below(parts.names.len()) as u32)),
                    other => other,
                };
                match rng.below(2) {
                    0 => Node::Put { interaction: Interaction { from, to, content }, next },
                    _ => Node::Take { from, to, next },
                }
            }
        },
        Node::Take { from, to, next } => match parts.nodes[next.index()] {
            following if rng.below(3) > 0 => swapped(parts, node, following),
            _ => match rng.below(2) {
                0 => Node::Take { from: to, to: from, next },
                _ => Node::Take { from: ProcessId(rng.below(parts.processes.len()) as u32), to, next },
            },
        },
        Node::Interaction { next, .. } => {
            let following = parts.nodes[next.index()];
            swapped(parts, node, following)
        }
        Node::Group { members, next } => group(rng, parts, members, next),
        Node::Any { items } => {
            let mut own = items.of(&parts.arms).to_vec();
            let place = rng.below(own.len());
            match rng.below(3) {
                0 => return parts.nodes[at] = parts.nodes[own[place].index()],
                1 => drop(own.remove(place)),
                _ => own.insert(place, target),
            }
            let start = parts.arms.len() as u32;
            parts.arms.extend(own);
            Node::Any { items: ArenaRange { start, end: parts.arms.len() as u32 } }
        }
        Node::If { process, condition, then, otherwise } => match rng.below(3) {
            0 => Node::If { process, condition, then: otherwise, otherwise: then },
            1 => Node::If { process, condition, then, otherwise: target },
            // What follows comes first.
            _ => match parts.nodes[then.index()] {
                Node::Put { interaction, next } => {
                    parts.nodes.push(Node::If { process, condition, then: next, otherwise });
                    Node::Put { interaction, next: NodeId(count as u32) }
                }
                _ => node,
            },
        },
        Node::Choose { process, arms } => {
            let own = arms.of(&parts.arms).to_vec();
            let start = parts.arms.len() as u32;
            parts.arms.extend(own.into_iter().rev());
            Node::Choose { process, arms: ArenaRange { start, end: parts.arms.len() as u32 } }
        }
        Node::Stop => parts.nodes[target.index()],
    };
}

/// Two nodes one after the other, the other way round; before a decision, in both of its branches.
fn swapped(parts: &mut ChoreographyParts, first: Node, second: Node) -> Node {
    let count = parts.nodes.len() as u32;
    let with_next = |node: Node, next: NodeId| match node {
        Node::Put { interaction, .. } => Some(Node::Put { interaction, next }),
        Node::Take { from, to, .. } => Some(Node::Take { from, to, next }),
        Node::Interaction { interaction, .. } => Some(Node::Interaction { interaction, next }),
        Node::Group { members, .. } => Some(Node::Group { members, next }),
        _ => None,
    };
    let behind = match second {
        Node::Put { next, .. }
        | Node::Take { next, .. }
        | Node::Interaction { next, .. }
        | Node::Group { next, .. } => next,
        Node::If { process, condition, then, otherwise } => {
            let copies: Vec<Node> = [then, otherwise].into_iter().filter_map(|next| with_next(first, next)).collect();
            parts.nodes.extend(copies);
            return Node::If { process, condition, then: NodeId(count), otherwise: NodeId(count + 1) };
        }
        _ => return first,
    };
    let (Some(late), Some(early)) = (with_next(first, behind), with_next(second, NodeId(count))) else { return first };
    parts.nodes.push(late);
    early
}

/// A group that is split, in order or not, without one of its messages, or with them in another order.
fn group(rng: &mut SeededRng, parts: &mut ChoreographyParts, members: ArenaRange, next: NodeId) -> Node {
    let mut own = members.of(&parts.members).to_vec();
    let place = rng.below(own.len());
    let count = parts.nodes.len() as u32;
    let start = parts.members.len() as u32;
    match rng.below(5) {
        // One after the other.
        0 => {
            let Some((&first, rest @ [_, ..])) = own.split_first() else { return Node::Group { members, next } };
            parts.members.extend_from_slice(rest);
            let members = ArenaRange { start, end: parts.members.len() as u32 };
            parts.nodes.push(Node::Group { members, next });
            return Node::Interaction { interaction: first, next: NodeId(count) };
        }
        // All handed over.
        1 => {
            let last = own.len() as u32 - 1;
            for (number, &interaction) in own.iter().enumerate().skip(1) {
                let next = if number as u32 == last { next } else { NodeId(count + number as u32) };
                parts.nodes.push(Node::Interaction { interaction, next });
            }
            let next = if last == 0 { next } else { NodeId(count) };
            return Node::Interaction { interaction: own[0], next };
        }
        2 if own.len() > 1 => drop(own.remove(place)),
        2 | 3 => own.reverse(),
        _ => own.insert(place, own[rng.below(own.len())]),
    }
    parts.members.extend(own);
    Node::Group { members: ArenaRange { start, end: parts.members.len() as u32 }, next }
}

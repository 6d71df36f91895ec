//! From a graph of actions to text.
//!
//! Which nodes become procedures, and how they are called, is decided in `outline`, for both languages.

use super::{Choreography, Node, NodeId};
use crate::network::{self, Content, ProcessId};
use crate::outline::{Naming, Outline, Shape, Start, Writable, name, write};
use crate::syntax::{
    ArenaRange, Arm, Choreographies, ChoreographyTree, GlobalAction, GlobalFork, GlobalInteraction, LabelledId, Name,
    Symbol, Term, TermId, Tree,
};
use rustc_hash::FxHashMap;

/// The choreography as a syntax tree, with procedures named in the order in which a reader meets their calls.
pub fn read_off(choreography: &Choreography) -> ChoreographyTree {
    read_off_with(choreography, Naming::default())
}

/// The choreography as a syntax tree, with its [procedures](Choreography::procedures) named as they are, as long as no
/// two of one part are called the same, and with the places of its nodes as those of the terms. What it says is what
/// [`read_off`] says; for a choreography that comes from the text of another tool, names and places are those of that
/// text.
pub fn read_off_named(choreography: &Choreography) -> ChoreographyTree {
    let mut suggested: FxHashMap<u32, Symbol> = FxHashMap::default();
    for &(node, name) in &choreography.procedures {
        suggested.entry(node.0).or_insert(name);
    }
    read_off_with(choreography, Naming { suggested, places: &choreography.origins, ..Naming::default() })
}

fn read_off_with(choreography: &Choreography, naming: Naming<'_>) -> ChoreographyTree {
    let count = choreography.nodes.len();
    // There are a few more terms than nodes, for calls.
    let room = count + count / 8 + 8;
    let tree = Tree {
        names: choreography.names.clone(),
        terms: Vec::with_capacity(room),
        spans: Vec::with_capacity(room),
        ..Tree::default()
    };
    let starts = choreography.starts.iter();
    let parts: Vec<Start> =
        starts.map(|start| Start { node: start.0, nodes: 0..count, name: None, service: None }).collect();
    let naming = Naming { processes: choreography.processes.iter().copied().collect(), ..naming };
    write(choreography, tree, &parts, naming)
}

impl Writable<Choreographies> for Choreography {
    fn term(&self, node: u32, tree: &mut ChoreographyTree, after: TermId, next: &mut Vec<u32>) -> Term<Choreographies> {
        match self.node(NodeId(node)) {
            Node::Stop => Term::Stop,
            Node::Interaction { interaction, next: follows } => {
                next.push(follows.0);
                // Each form by itself: to put the pieces together in one place takes longer.
                let (from, to) = (self.name_of(interaction.from), self.name_of(interaction.to));
                match interaction.content {
                    Content::Value(value) => {
                        let sent = GlobalInteraction::Communicate { from, expression: name(value), to };
                        Term::Act(GlobalAction::Interaction(sent), after)
                    }
                    Content::Label(label) => {
                        let told = GlobalInteraction::Select { from, to, label: name(label) };
                        Term::Act(GlobalAction::Interaction(told), after)
                    }
                    Content::LabelledValue { .. } => {
                        Term::Act(GlobalAction::Interaction(self.written(interaction, tree)), after)
                    }
                }
            }
            Node::Group { next: follows, .. } | Node::Put { next: follows, .. } | Node::Take { next: follows, .. } => {
                next.push(follows.0);
                Term::Act(self.waiting(NodeId(node), tree), after)
            }
            Node::If { process, condition, then, otherwise } => {
                next.extend([then.0, otherwise.0]);
                let start = tree.arms.len() as u32;
                tree.arms.extend([Arm { label: None, body: after }; 2]);
                let process = self.name_of(process);
                Term::Fork(GlobalFork::If { process, condition: name(condition) }, ArenaRange { start, end: start + 2 })
            }
            Node::Choose { process, arms } => {
                let fork = GlobalFork::Choose { process: self.name_of(process) };
                Term::Fork(fork, self.write_arms(arms, tree, after, next))
            }
            Node::Any { items } => Term::Fork(GlobalFork::Any, self.write_arms(items, tree, after, next)),
        }
    }
}

impl Choreography {
    fn name_of(&self, process: ProcessId) -> Name {
        name(self.processes.get(process.index()).copied().unwrap_or(Symbol(u32::MAX)))
    }

    /// The arms of a choice or the items of a race.
    fn write_arms(
        &self,
        arms: ArenaRange,
        tree: &mut ChoreographyTree,
        after: TermId,
        next: &mut Vec<u32>,
    ) -> ArenaRange {
        next.extend(self.arms(arms).iter().map(|node| node.0));
        let start = tree.arms.len() as u32;
        tree.arms.extend(std::iter::repeat_n(Arm { label: None, body: after }, arms.len()));
        ArenaRange { start, end: tree.arms.len() as u32 }
    }

    /// A node with messages that may wait.
    #[cold]
    fn waiting(&self, node: NodeId, tree: &mut ChoreographyTree) -> GlobalAction {
        match self.node(node) {
            Node::Put { interaction, .. } => {
                let message = self.written(interaction, tree);
                GlobalAction::Put(tree.push_interaction(message))
            }
            Node::Take { from, to, .. } => GlobalAction::Take { from: self.name_of(from), to: self.name_of(to) },
            other => {
                let members = if let Node::Group { members, .. } = other { members } else { ArenaRange::default() };
                let start = tree.interactions.len() as u32;
                for &member in members.of(&self.members) {
                    let member = self.written(member, tree);
                    tree.interactions.push(member);
                }
                GlobalAction::Group(ArenaRange { start, end: tree.interactions.len() as u32 })
            }
        }
    }

    #[cold]
    fn written(&self, interaction: network::Interaction, tree: &mut ChoreographyTree) -> GlobalInteraction {
        let (from, to) = (self.name_of(interaction.from), self.name_of(interaction.to));
        match interaction.content {
            Content::Value(expression) => GlobalInteraction::Communicate { from, expression: name(expression), to },
            Content::Label(label) => GlobalInteraction::Select { from, to, label: name(label) },
            Content::LabelledValue { label, value } => {
                GlobalInteraction::SelectValue { from, to, content: push_labelled(tree, label, value) }
            }
        }
    }
}

#[cold]
fn push_labelled(tree: &mut ChoreographyTree, label: Symbol, value: Symbol) -> LabelledId {
    tree.push_labelled(name(label), name(value))
}

impl Outline for Choreography {
    fn count(&self) -> usize {
        self.nodes.len()
    }

    fn starts(&self) -> Vec<u32> {
        self.starts.iter().map(|start| start.0).collect()
    }

    fn shape(&self, node: u32) -> Shape {
        match self.node(NodeId(node)) {
            Node::Stop => Shape::Stop,
            Node::Interaction { next, .. }
            | Node::Group { next, .. }
            | Node::Put { next, .. }
            | Node::Take { next, .. } => Shape::Action(next.0),
            Node::If { .. } | Node::Choose { .. } => Shape::Fork,
            Node::Any { .. } => Shape::Race,
        }
    }

    fn successors(&self, node: u32, successors: &mut Vec<u32>) {
        match self.node(NodeId(node)) {
            Node::Stop => {}
            Node::Interaction { next, .. }
            | Node::Group { next, .. }
            | Node::Put { next, .. }
            | Node::Take { next, .. } => successors.push(next.0),
            Node::If { then, otherwise, .. } => successors.extend([then.0, otherwise.0]),
            Node::Choose { arms, .. } => successors.extend(self.arms(arms).iter().map(|arm| arm.0)),
            Node::Any { items } => {
                let after = self.arms(items).iter().flat_map(|&item| Choreography::successors(self, item));
                successors.extend(after.map(|next| next.0));
            }
        }
    }
}

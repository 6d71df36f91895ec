//! From a graph of actions to text: which nodes become procedures, and what they are called.
//!
//! Which nodes these are is decided in `outline`; here they are named and written down.

use super::{Choreography, Node, NodeId};
use crate::network::Content;
use crate::outline::{Outline, Shape, procedures};
use crate::syntax::{
    ArenaRange, Arm, ChoreographyTree, GlobalAction, GlobalFork, Interaction, Main, Name, Procedure, Span, Symbol,
    Term, TermId, Tree, Unit,
};

/// The choreography as a syntax tree, with procedures named in the order in which a reader meets their calls.
pub fn read_off(choreography: &Choreography) -> ChoreographyTree {
    let named = procedures(choreography);
    // There are a few more terms than nodes, for calls.
    let room = choreography.nodes.len() + choreography.nodes.len() / 8 + 8;
    let mut is_process = vec![false; choreography.names.len()];
    choreography.processes.iter().for_each(|name| is_process[name.index()] = true);
    let mut reader = Reader {
        choreography,
        tree: Tree {
            names: choreography.names.clone(),
            terms: Vec::with_capacity(room),
            spans: Vec::with_capacity(room),
            ..Tree::default()
        },
        named,
        name_of: vec![None; choreography.nodes.len()],
        met: Vec::new(),
        next_number: 1,
        is_process,
        alone: false,
    };
    reader.alone = reader.named.iter().filter(|&&named| named).count() == 1;
    for &start in &choreography.starts {
        reader.part(start);
    }
    reader.tree
}

struct Reader<'a> {
    choreography: &'a Choreography,
    tree: ChoreographyTree,
    named: Vec<bool>,
    /// The name of each node that has been met and is a procedure.
    name_of: Vec<Option<Symbol>>,
    /// The procedures of the current part, in the order in which they are met.
    met: Vec<NodeId>,
    next_number: u32,
    /// For each symbol whether a process has that name.
    is_process: Vec<bool>,
    /// There is only one procedure: it needs no number.
    alone: bool,
}

impl Reader<'_> {
    fn part(&mut self, start: NodeId) {
        self.met.clear();
        let mut procedures = Vec::new();
        let main = self.body(start, true);
        let mut next = 0;
        while let Some(&node) = self.met.get(next) {
            let body = self.body(node, false);
            if let Some(symbol) = self.name_of[node.index()] {
                let name = Name { symbol, span: Span::default() };
                procedures.push(Procedure { name, body, span: Span::default() });
            }
            next += 1;
        }
        let mains = vec![Main { body: main, span: Span::default() }];
        self.tree.units.push(Unit { name: None, service: None, procedures, mains, span: Span::default() });
    }

    /// Writes down what follows from a node, up to the next calls.
    fn body(&mut self, start: NodeId, may_call_at_once: bool) -> TermId {
        let first = TermId(self.tree.terms.len() as u32);
        // Arms whose body is still to be written.
        let mut open: Vec<(usize, NodeId)> = Vec::new();
        let mut at = start;
        let mut may_call = may_call_at_once;
        loop {
            let id = TermId(self.tree.terms.len() as u32);
            let after = TermId(id.0 + 1);
            let term = match self.choreography.node(at) {
                _ if may_call && self.named[at.index()] => Term::Call(self.call(at)),
                Node::Stop => Term::Stop,
                Node::Interaction { interaction, next } => {
                    at = next;
                    Term::Act(GlobalAction::Interaction(self.interaction(interaction)), after)
                }
                Node::Group { members, next } => {
                    at = next;
                    let start = self.tree.interactions.len() as u32;
                    for &member in members.of(&self.choreography.members) {
                        let member = self.interaction(member);
                        self.tree.interactions.push(member);
                    }
                    let range = ArenaRange { start, end: self.tree.interactions.len() as u32 };
                    Term::Act(GlobalAction::Group(range), after)
                }
                Node::If { process, condition, then, otherwise } => {
                    let start = self.tree.arms.len();
                    self.tree.arms.push(Arm { label: None, body: after });
                    self.tree.arms.push(Arm { label: None, body: after });
                    open.push((start + 1, otherwise));
                    at = then;
                    let range = ArenaRange { start: start as u32, end: start as u32 + 2 };
                    Term::Fork(GlobalFork::If { process: self.process(process), condition: name(condition) }, range)
                }
            };
            self.tree.push(term, Span::default());
            may_call = true;
            if matches!(term, Term::Stop | Term::Call(_)) {
                let Some((arm, node)) = open.pop() else { return first };
                self.tree.arms[arm].body = after;
                at = node;
            }
        }
    }

    fn call(&mut self, node: NodeId) -> Name {
        if let Some(symbol) = self.name_of[node.index()] {
            return name(symbol);
        }
        let symbol = loop {
            let text = match self.alone && self.next_number == 1 {
                true => "X".to_string(),
                false => format!("X{}", self.next_number),
            };
            self.next_number += 1;
            // A process of that name would be confusing.
            let symbol = self.choreography.names.find(&text);
            if symbol.is_none_or(|symbol| !self.is_process[symbol.index()]) {
                break self.tree.names.intern(&text);
            }
        };
        self.name_of[node.index()] = Some(symbol);
        self.met.push(node);
        name(symbol)
    }

    fn process(&self, process: crate::network::ProcessId) -> Name {
        name(self.choreography.processes.get(process.index()).copied().unwrap_or(Symbol(u32::MAX)))
    }

    fn interaction(&self, interaction: crate::network::Interaction) -> Interaction {
        let (from, to) = (self.process(interaction.from), self.process(interaction.to));
        match interaction.content {
            Content::Value(expression) => Interaction::Communicate { from, expression: name(expression), to },
            Content::Label(label) => Interaction::Select { from, to, label: name(label) },
        }
    }
}

fn name(symbol: Symbol) -> Name {
    Name { symbol, span: Span::default() }
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
            Node::Interaction { next, .. } | Node::Group { next, .. } => Shape::Action(next.0),
            Node::If { .. } => Shape::Fork,
        }
    }

    fn successors(&self, node: u32, successors: &mut Vec<u32>) {
        successors.extend(Choreography::successors(self, NodeId(node)).map(|next| next.0));
    }
}

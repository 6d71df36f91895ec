//! Turns a syntax tree into a graph of actions, or into a list of what is ill-formed.

use super::{Choreography, Node, NodeId};
use crate::diagnostic::{Code, Diagnostic, has_errors, quote};
use crate::network::{Content, Interaction, ProcessId};
use crate::scope::{MOST_DIAGNOSTICS, Scope, unused_procedures};
use crate::syntax::{
    self, ArenaRange, Choreographies, ChoreographyTree, GlobalAction, GlobalFork, Name, Span, Term, TermId, Unit,
    Values,
};

/// A choreography if the tree is well-formed, and what is wrong with it if not.
#[derive(Debug)]
pub struct LoweredChoreography {
    /// The graph; `None` if there are errors.
    pub choreography: Option<Choreography>,
    /// What is wrong, in the order of the text; includes warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// For each node of the graph, its term.
    pub terms: Vec<TermId>,
}

/// Turns what each `main` can reach into a graph.
pub fn lower(tree: &ChoreographyTree) -> LoweredChoreography {
    let mut lowering = Lowering {
        tree,
        process_of: vec![NONE; tree.names.len()],
        part_of: Vec::new(),
        node_of: vec![NONE; tree.terms.len()],
        choreography: Choreography {
            nodes: Vec::with_capacity(tree.terms.len()),
            origins: Vec::with_capacity(tree.terms.len()),
            ..Choreography::default()
        },
        values: Values::new(&tree.names),
        terms: Vec::new(),
        work: Vec::new(),
        diagnostics: Vec::new(),
    };
    lowering.units();
    let Lowering { mut choreography, mut diagnostics, terms, values, .. } = lowering;
    let failed = has_errors(&diagnostics);
    if !failed {
        diagnostics.extend(unused_procedures(tree, |_| OWNER.to_string()));
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span.start);
    if failed {
        return LoweredChoreography { choreography: None, diagnostics, terms: Vec::new() };
    }
    choreography.names = values.into_names();
    LoweredChoreography { choreography: Some(choreography), diagnostics, terms }
}

const NONE: u32 = u32::MAX;
const OWNER: &str = "the choreography";

struct Lowering<'a> {
    tree: &'a ChoreographyTree,
    /// For each symbol, the process of that name.
    process_of: Vec<u32>,
    /// For each process, the part it belongs to and where it was first named.
    part_of: Vec<(usize, Span)>,
    /// For each term that is not a call, its node.
    node_of: Vec<u32>,
    choreography: Choreography,
    values: Values,
    terms: Vec<TermId>,
    work: Vec<TermId>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Lowering<'a> {
    #[cold]
    fn report(&mut self, diagnostic: impl FnOnce(&Self) -> Diagnostic) {
        if self.diagnostics.len() < MOST_DIAGNOSTICS {
            let diagnostic = diagnostic(self);
            self.diagnostics.push(diagnostic);
        }
    }

    fn units(&mut self) {
        let tree = self.tree;
        let Some(first) = tree.units.first() else {
            self.report(|_| Diagnostic::new(Code::Empty, Span::default(), "there is nothing here"));
            return;
        };
        let mut scope = Scope::new(tree, first);
        for (part, unit) in tree.units.iter().enumerate() {
            let before = self.diagnostics.len();
            scope.enter(unit, || OWNER.to_string(), &mut self.diagnostics);
            let cyclic = self.diagnostics[before..].iter().any(|diagnostic| diagnostic.code == Code::UnguardedLoop);
            if !cyclic {
                self.check_guards(unit);
            }
            self.check_unit(part, unit, &scope);
            if self.diagnostics.is_empty() {
                self.lower_unit(unit, &scope);
            }
        }
    }

    fn check_guards(&mut self, unit: &Unit) {
        for procedure in &unit.procedures {
            if let Term::Call(callee) = self.tree.term(procedure.body) {
                self.report(|lowering| {
                    let name = quote(lowering.tree.text(procedure.name));
                    let callee_text = quote(lowering.tree.text(callee));
                    let message = format!("procedure {name} only calls {callee_text}");
                    Diagnostic::new(Code::UnguardedProcedure, callee.span, message)
                        .label("an action must come first")
                        .hint(format!("call {callee_text} directly wherever {name} is called"))
                });
            }
        }
    }

    /// Checks every term of a part, whether it can be reached or not, and numbers the processes.
    fn check_unit(&mut self, part: usize, unit: &Unit, scope: &Scope<'a, Choreographies>) {
        let tree = self.tree;
        let mains = unit.mains.iter().map(|main| main.body);
        let bodies = mains.chain(unit.procedures.iter().map(|procedure| procedure.body));
        let mut work: Vec<TermId> = bodies.collect();
        work.reverse();
        while let Some(mut term) = work.pop() {
            loop {
                match tree.term(term) {
                    Term::Act(action, next) => {
                        match action {
                            GlobalAction::Interaction(interaction) => self.check_interaction(part, interaction),
                            GlobalAction::Group(members) => self.check_group(part, members),
                        }
                        term = next;
                        continue;
                    }
                    Term::Fork(GlobalFork::If { process, .. }, arms) => {
                        self.process(part, process);
                        work.extend(arms.of(&tree.arms).iter().rev().map(|arm| arm.body));
                    }
                    Term::Call(name) => {
                        if scope.find(name.symbol).is_none() {
                            scope.unknown_procedure(name, OWNER, &mut self.diagnostics);
                        }
                    }
                    Term::Stop | Term::Missing => {}
                }
                break;
            }
        }
    }

    /// The number of a process, which must not belong to another part.
    #[inline]
    fn process(&mut self, part: usize, name: Name) -> ProcessId {
        let slot = &mut self.process_of[name.symbol.index()];
        if *slot == NONE {
            *slot = self.choreography.processes.len() as u32;
            self.choreography.processes.push(name.symbol);
            self.part_of.push((part, name.span));
            return ProcessId(*slot);
        }
        let process = ProcessId(*slot);
        let (first_part, first) = self.part_of[process.index()];
        if first_part != part {
            // Report it once.
            self.part_of[process.index()].0 = part;
            self.report(|lowering| {
                let text = quote(lowering.tree.text(name));
                let message = format!("process {text} takes part in two parallel parts");
                Diagnostic::new(Code::SharedProcess, name.span, message)
                    .label("here")
                    .at(first, "and here")
                    .hint("parts joined by `||` are independent: a process belongs to only one of them")
            });
        }
        process
    }

    #[inline]
    fn check_interaction(&mut self, part: usize, interaction: syntax::GlobalInteraction) {
        let (from, to) = ends(interaction);
        self.process(part, from);
        self.process(part, to);
        if from.symbol == to.symbol {
            self.report(|lowering| {
                let name = quote(lowering.tree.text(from));
                Diagnostic::new(Code::SelfCommunication, to.span, format!("process {name} communicates with itself"))
                    .label("this is the process itself")
                    .hint("a process can only communicate with others; what happens inside it needs no action")
            });
        }
    }

    /// In a group, a process sends at most once and receives at most once.
    fn check_group(&mut self, part: usize, members: ArenaRange) {
        let members = members.of(&self.tree.interactions);
        let mut senders: Vec<(u32, Span)> = Vec::new();
        let mut receivers: Vec<(u32, Span)> = Vec::new();
        for &member in members {
            self.check_interaction(part, member);
            let (from, to) = ends(member);
            senders.push((from.symbol.0, from.span));
            receivers.push((to.symbol.0, to.span));
        }
        for (mut roles, does) in [(senders, "sends"), (receivers, "receives")] {
            roles.sort_unstable();
            for pair in roles.windows(2) {
                let ((first, place), (second, again)) = (pair[0], pair[1]);
                if first == second {
                    self.report(|lowering| {
                        let name = quote(lowering.tree.names.text(syntax::Symbol(first)));
                        let message = format!("process {name} {does} twice in one group");
                        Diagnostic::new(Code::GroupConflict, again, message)
                            .label("again here")
                            .at(place, "first here")
                            .hint("a process does one thing at a time: write two actions")
                    });
                }
            }
        }
    }

    fn lower_unit(&mut self, unit: &Unit, scope: &Scope<'a, Choreographies>) {
        let Some(head) = unit.mains.first().and_then(|main| scope.head(main.body)) else { return };
        let start = self.goto(scope, head);
        self.choreography.starts.push(start);
        while let Some(term) = self.work.pop() {
            let node = match self.tree.term(term) {
                Term::Act(GlobalAction::Interaction(interaction), next) => {
                    let interaction = self.interaction(interaction);
                    Node::Interaction { interaction, next: self.goto(scope, next) }
                }
                Term::Act(GlobalAction::Group(range), next) => {
                    let start = self.choreography.members.len() as u32;
                    for &member in range.of(&self.tree.interactions) {
                        let member = self.interaction(member);
                        self.choreography.members.push(member);
                    }
                    let members = ArenaRange { start, end: self.choreography.members.len() as u32 };
                    Node::Group { members, next: self.goto(scope, next) }
                }
                Term::Fork(GlobalFork::If { process, condition }, arms) => {
                    let (then, otherwise) = match arms.of(&self.tree.arms) {
                        [then, otherwise] => (then.body, otherwise.body),
                        _ => (term, term),
                    };
                    let process = ProcessId(self.process_of[process.symbol.index()]);
                    let then = self.goto(scope, then);
                    let otherwise = self.goto(scope, otherwise);
                    Node::If { process, condition: condition.symbol, then, otherwise }
                }
                Term::Stop | Term::Call(_) | Term::Missing => Node::Stop,
            };
            let number = self.node_of[term.index()] as usize;
            self.choreography.nodes[number] = node;
        }
        for procedure in &unit.procedures {
            let node = scope.head(procedure.body).map_or(NONE, |head| self.node_of[head.index()]);
            if node != NONE {
                self.choreography.procedures.push((NodeId(node), procedure.name.symbol));
            }
        }
    }

    fn goto(&mut self, scope: &Scope<'a, Choreographies>, target: TermId) -> NodeId {
        let head = scope.head(target).unwrap_or(target);
        let slot = &mut self.node_of[head.index()];
        if *slot == NONE {
            *slot = self.choreography.nodes.len() as u32;
            self.choreography.nodes.push(Node::Stop);
            self.choreography.origins.push(origin(self.tree, head));
            self.terms.push(head);
            self.work.push(head);
        }
        NodeId(*slot)
    }

    fn interaction(&mut self, interaction: syntax::GlobalInteraction) -> Interaction {
        let (from, to) = ends(interaction);
        let content = match interaction {
            syntax::GlobalInteraction::Communicate { expression, .. } => {
                Content::Value(self.values.of(expression.symbol))
            }
            syntax::GlobalInteraction::Select { label, .. } => Content::Label(label.symbol),
        };
        let process = |name: Name| ProcessId(self.process_of[name.symbol.index()]);
        Interaction { from: process(from), to: process(to), content }
    }
}

/// Where a term is in the text; a decision is only its `if p.condition`, since what follows has places of its own.
fn origin(tree: &ChoreographyTree, term: TermId) -> Span {
    let span = tree.span(term);
    match tree.term(term) {
        Term::Fork(GlobalFork::If { condition, .. }, _) if condition.span.end > span.start => {
            Span::new(span.start, condition.span.end)
        }
        _ => span,
    }
}

fn ends(interaction: syntax::GlobalInteraction) -> (Name, Name) {
    match interaction {
        syntax::GlobalInteraction::Communicate { from, to, .. }
        | syntax::GlobalInteraction::Select { from, to, .. } => (from, to),
    }
}

//! Turns a syntax tree into a graph of actions, or into a list of what is ill-formed.

use super::{Choreography, Node, NodeId, race, waiting};
use crate::diagnostic::{Code, Diagnostic, has_errors, quote};
use crate::lowering::{Lowering, NONE, each_term};
use crate::network::{Content, Interaction, ProcessId};
use crate::scope::{Scope, unused_procedures};
use crate::syntax::{
    self, ArenaRange, Choreographies, ChoreographyTree, GlobalAction, GlobalFork, LabelledId, Name, Span, Term, TermId,
    Unit,
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
    let choreography = Choreography {
        nodes: Vec::with_capacity(tree.terms.len()),
        origins: Vec::with_capacity(tree.terms.len()),
        ..Choreography::default()
    };
    let mut lowering = ChoreographyLowering {
        shared: Lowering::new(tree),
        part_of: Vec::new(),
        choreography,
        terms: Vec::with_capacity(tree.terms.len()),
        has_split: false,
    };
    lowering.units();
    let ChoreographyLowering { shared, mut choreography, terms, has_split, .. } = lowering;
    let Lowering { mut diagnostics, values, .. } = shared;
    let mut failed = has_errors(&diagnostics);
    choreography.names = values.into_names();
    if !failed && has_split {
        diagnostics.extend(waiting::check(&choreography));
        failed = has_errors(&diagnostics);
    }
    if !failed {
        diagnostics.extend(unused_procedures(tree, |_| OWNER.to_string()));
        diagnostics.extend(race::single_items(tree));
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span.start);
    if failed {
        return LoweredChoreography { choreography: None, diagnostics, terms: Vec::new() };
    }
    LoweredChoreography { choreography: Some(choreography), diagnostics, terms }
}

const OWNER: &str = "the choreography";

struct ChoreographyLowering<'a> {
    shared: Lowering<'a, Choreographies>,
    /// For each process, the part it belongs to and where it was first named.
    part_of: Vec<(usize, Span)>,
    choreography: Choreography,
    /// For each node, its term.
    terms: Vec<TermId>,
    /// Whether messages are put into queues or taken from them.
    has_split: bool,
}

impl<'a> ChoreographyLowering<'a> {
    fn units(&mut self) {
        let tree = self.shared.tree;
        let Some(first) = tree.units.first() else {
            self.shared.report(|_| Diagnostic::new(Code::Empty, Span::default(), "there is nothing here"));
            return;
        };
        let mut scope = Scope::new(tree, first);
        for (part, unit) in tree.units.iter().enumerate() {
            let before = self.shared.diagnostics.len();
            scope.enter(unit, || OWNER.to_string(), &mut self.shared.diagnostics);
            let cyclic =
                self.shared.diagnostics[before..].iter().any(|diagnostic| diagnostic.code == Code::UnguardedLoop);
            if !cyclic {
                self.check_guards(unit);
            }
            self.check_unit(part, unit, &scope);
            if self.shared.diagnostics.is_empty() {
                self.lower_unit(unit, &scope);
            }
        }
    }

    fn check_guards(&mut self, unit: &Unit) {
        for procedure in &unit.procedures {
            if let Term::Call(callee) = self.shared.tree.term(procedure.body) {
                self.shared.report(|lowering| {
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
        let tree = self.shared.tree;
        let mains = unit.mains.iter().map(|main| main.body);
        let bodies = mains.chain(unit.procedures.iter().map(|procedure| procedure.body));
        let mut bodies: Vec<TermId> = bodies.collect();
        bodies.reverse();
        each_term(tree, bodies, |term| match *term {
            Term::Act(GlobalAction::Interaction(interaction), _) => self.check_interaction(part, interaction),
            Term::Act(GlobalAction::Group(members), _) => {
                members.of(&tree.interactions).iter().for_each(|&member| self.check_interaction(part, member));
            }
            Term::Act(GlobalAction::Put(message), _) => {
                self.has_split = true;
                self.check_interaction(part, tree.interaction(message));
            }
            Term::Act(GlobalAction::Take { from, to }, _) => {
                self.has_split = true;
                self.check_ends(part, from, to);
            }
            Term::Fork(GlobalFork::If { process, .. } | GlobalFork::Choose { process }, _) => {
                self.process(part, process);
            }
            Term::Fork(GlobalFork::Any, items) => race::check_items(&mut self.shared, items),
            Term::Call(name) => scope.check_call(name, || OWNER.to_string(), &mut self.shared.diagnostics),
            Term::Stop | Term::Missing => {}
        });
    }

    /// The number of a process, which must not belong to another part.
    #[inline]
    fn process(&mut self, part: usize, name: Name) -> ProcessId {
        let slot = &mut self.shared.process_of[name.symbol.index()];
        if *slot == NONE {
            *slot = self.choreography.processes.len() as u32;
            self.choreography.processes.push(name.symbol);
            self.part_of.push((part, name.span));
            return ProcessId(*slot);
        }
        let process = ProcessId(*slot);
        if self.part_of[process.index()].0 != part {
            self.shared_process(part, process, name);
        }
        process
    }

    #[cold]
    fn shared_process(&mut self, part: usize, process: ProcessId, name: Name) {
        // Report it once.
        let (owner, first) = &mut self.part_of[process.index()];
        *owner = part;
        let first = *first;
        self.shared.report(|lowering| {
            let text = quote(lowering.tree.text(name));
            let message = format!("process {text} takes part in two parallel parts");
            Diagnostic::new(Code::SharedProcess, name.span, message)
                .label("here")
                .at(first, "and here")
                .hint("parts joined by `||` are independent: a process belongs to only one of them")
        });
    }

    #[inline]
    fn check_interaction(&mut self, part: usize, interaction: syntax::GlobalInteraction) {
        let (from, to) = ends(interaction);
        self.check_ends(part, from, to);
    }

    #[inline]
    fn check_ends(&mut self, part: usize, from: Name, to: Name) {
        self.process(part, from);
        self.process(part, to);
        if from.symbol == to.symbol {
            self.shared.report(|lowering| {
                let name = quote(lowering.tree.text(from));
                Diagnostic::new(Code::SelfCommunication, to.span, format!("process {name} communicates with itself"))
                    .label("this is the process itself")
                    .hint("a process can only communicate with others; what happens inside it needs no action")
            });
        }
    }

    fn lower_unit(&mut self, unit: &Unit, scope: &Scope<'a, Choreographies>) {
        let Some(head) = unit.mains.first().and_then(|main| scope.head(main.body)) else { return };
        let start = self.goto(scope, head);
        self.choreography.starts.push(start);
        while let Some(term) = self.shared.work.pop() {
            let Some(term) = self.lower_row(term, scope) else { continue };
            let mut source = term;
            let node = loop {
                break match self.shared.tree.term(source) {
                    Term::Act(GlobalAction::Interaction(interaction), next) => {
                        let interaction = self.interaction(interaction);
                        Node::Interaction { interaction, next: self.goto(scope, next) }
                    }
                    Term::Act(action, next) => {
                        let next = self.goto(scope, next);
                        self.waiting(action, next)
                    }
                    Term::Fork(GlobalFork::If { process, condition }, arms) => {
                        let (then, otherwise) = match arms.of(&self.shared.tree.arms) {
                            [then, otherwise] => (then.body, otherwise.body),
                            _ => (term, term),
                        };
                        let process = ProcessId(self.shared.process(process.symbol));
                        let then = self.goto(scope, then);
                        let otherwise = self.goto(scope, otherwise);
                        Node::If { process, condition: condition.symbol, then, otherwise }
                    }
                    Term::Fork(GlobalFork::Choose { process }, arms) => {
                        let process = ProcessId(self.shared.process(process.symbol));
                        Node::Choose { process, arms: self.arms(scope, arms) }
                    }
                    // A race of one item is that item.
                    Term::Fork(GlobalFork::Any, items) if items.len() == 1 => {
                        source = items.of(&self.shared.tree.arms).first().map_or(source, |only| only.body);
                        continue;
                    }
                    Term::Fork(GlobalFork::Any, items) => Node::Any { items: self.arms(scope, items) },
                    Term::Stop | Term::Call(_) | Term::Missing => Node::Stop,
                };
            };
            let number = self.shared.number_of[term.index()] as usize;
            self.choreography.nodes[number] = node;
        }
        for procedure in &unit.procedures {
            let node = scope.head(procedure.body).map_or(NONE, |head| self.shared.number_of[head.index()]);
            if node != NONE {
                self.choreography.procedures.push((NodeId(node), procedure.name.symbol));
            }
        }
    }

    /// What a choice or a race leads to.
    fn arms(&mut self, scope: &Scope<'a, Choreographies>, arms: ArenaRange) -> ArenaRange {
        let arms = arms.of(&self.shared.tree.arms).iter();
        let nodes: Vec<NodeId> = arms.map(|arm| self.goto(scope, arm.body)).collect();
        let start = self.choreography.arms.len() as u32;
        self.choreography.arms.extend(nodes);
        ArenaRange { start, end: self.choreography.arms.len() as u32 }
    }

    /// Lowers interactions that follow each other, from a term that has a number. Returns the term behind them, unless
    /// that has been lowered or will be.
    #[inline]
    fn lower_row(&mut self, mut term: TermId, scope: &Scope<'a, Choreographies>) -> Option<TermId> {
        let tree = self.shared.tree;
        while let Some(&Term::Act(GlobalAction::Interaction(interaction), target)) = tree.terms.get(term.index()) {
            let follows = scope.head(target).unwrap_or(target);
            let known = self.shared.number_of[follows.index()];
            // What has no number yet is lowered next, so it need not be put to the work first.
            let next = if known == NONE { self.add(follows) } else { NodeId(known) };
            let interaction = self.interaction(interaction);
            let number = self.shared.number_of[term.index()];
            self.choreography.nodes[number as usize] = Node::Interaction { interaction, next };
            if known != NONE {
                return None;
            }
            term = follows;
        }
        Some(term)
    }

    #[inline]
    fn goto(&mut self, scope: &Scope<'a, Choreographies>, target: TermId) -> NodeId {
        let head = scope.head(target).unwrap_or(target);
        let known = self.shared.number_of[head.index()];
        if known != NONE {
            return NodeId(known);
        }
        self.shared.work.push(head);
        self.add(head)
    }

    /// A new node for a term that has none.
    #[inline]
    fn add(&mut self, term: TermId) -> NodeId {
        let number = self.choreography.nodes.len() as u32;
        self.choreography.nodes.push(Node::Stop);
        self.choreography.origins.push(origin(self.shared.tree, term));
        self.terms.push(term);
        self.shared.number_of[term.index()] = number;
        NodeId(number)
    }

    /// An action with messages that may wait.
    #[cold]
    fn waiting(&mut self, action: GlobalAction, next: NodeId) -> Node {
        match action {
            GlobalAction::Interaction(interaction) => {
                Node::Interaction { interaction: self.interaction(interaction), next }
            }
            GlobalAction::Group(range) => {
                let start = self.choreography.members.len() as u32;
                for &member in range.of(&self.shared.tree.interactions) {
                    let member = self.interaction(member);
                    self.choreography.members.push(member);
                }
                Node::Group { members: ArenaRange { start, end: self.choreography.members.len() as u32 }, next }
            }
            GlobalAction::Put(message) => {
                Node::Put { interaction: self.interaction(self.shared.tree.interaction(message)), next }
            }
            GlobalAction::Take { from, to } => {
                let process = |name: Name| ProcessId(self.shared.process(name.symbol));
                Node::Take { from: process(from), to: process(to), next }
            }
        }
    }

    #[cold]
    fn labelled(&mut self, content: LabelledId) -> Content {
        let syntax::LabelledValue { label, expression } = self.shared.tree.labelled(content);
        Content::LabelledValue { label: label.symbol, value: self.shared.values.of(expression.symbol) }
    }

    #[inline]
    fn interaction(&mut self, interaction: syntax::GlobalInteraction) -> Interaction {
        let (from, to) = ends(interaction);
        let content = match interaction {
            syntax::GlobalInteraction::Communicate { expression, .. } => {
                Content::Value(self.shared.values.of(expression.symbol))
            }
            syntax::GlobalInteraction::Select { label, .. } => Content::Label(label.symbol),
            syntax::GlobalInteraction::SelectValue { content, .. } => self.labelled(content),
        };
        let process = |name: Name| ProcessId(self.shared.process(name.symbol));
        Interaction { from: process(from), to: process(to), content }
    }
}

/// Where a term is in the text; a decision is only its `if p.condition` or `choose p`, and a race only its `any`, since
/// what follows has places of its own.
fn origin(tree: &ChoreographyTree, term: TermId) -> Span {
    let span = tree.span(term);
    // Most terms are none of these.
    let Some(&Term::Fork(fork, arms)) = tree.terms.get(term.index()) else { return span };
    match Term::<Choreographies>::Fork(fork, arms) {
        Term::Fork(GlobalFork::If { condition, .. }, _) if condition.span.end > span.start => {
            Span::new(span.start, condition.span.end)
        }
        Term::Fork(GlobalFork::Choose { process }, _) if process.span.end > span.start => {
            Span::new(span.start, process.span.end)
        }
        // In a tree that was not read from a text, the items may be elsewhere.
        Term::Fork(GlobalFork::Any, items) => {
            let first = items.of(&tree.arms).first().map_or(Span::default(), |item| tree.span(item.body));
            match span.start <= first.start && first.end <= span.end {
                true => Span::new(span.start, span.end.min(span.start + "any".len() as u32)),
                false => span,
            }
        }
        _ => span,
    }
}

pub(super) fn ends(interaction: syntax::GlobalInteraction) -> (Name, Name) {
    match interaction {
        syntax::GlobalInteraction::Communicate { from, to, .. }
        | syntax::GlobalInteraction::SelectValue { from, to, .. }
        | syntax::GlobalInteraction::Select { from, to, .. } => (from, to),
    }
}

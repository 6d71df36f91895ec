//! The names in a text: what each of them names, and where else that is named.
//!
//! A process is named where it is defined and wherever others talk to it; a procedure belongs to its process, or to its
//! part of a choreography; a label belongs to those who use it: a selection of `ok` by `p` at `q` has nothing to do
//! with one by `q` at `p`.

use laban::SyntaxTree;
use laban::syntax::{
    ChoreographyTree, GlobalAction, GlobalFork, GlobalInteraction, Language, LocalAction, LocalFork, Name, NetworkTree,
    Symbol, Term, TermId, Tree,
};
use laban::text::Span;

/// What a name names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Entity {
    /// A process.
    Process(Symbol),
    /// A procedure of a process, or of a part of a choreography, given its number.
    Procedure(u32, Symbol),
    /// A label that one process selects at another.
    Label {
        /// Who selects.
        from: Symbol,
        /// Who offers.
        to: Symbol,
        /// What.
        label: Symbol,
    },
}

/// What is done with a name somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// A process or procedure is defined, or a label is offered.
    Definition,
    /// It is talked to, called or selected.
    Use,
}

/// A name somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Occurrence {
    pub(crate) span: Span,
    pub(crate) entity: Entity,
    pub(crate) role: Role,
}

/// All names in a text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    /// In the order of the text.
    occurrences: Vec<Occurrence>,
}

impl Names {
    pub(crate) fn of(tree: &SyntaxTree) -> Self {
        let mut names = Names::default();
        match tree {
            SyntaxTree::Network(tree) => names.add_network(tree),
            SyntaxTree::Choreography(tree) => names.add_choreography(tree),
        }
        names.occurrences.sort_by_key(|one| one.span);
        names
    }

    /// All of them, in the order of the text.
    pub(crate) fn all(&self) -> &[Occurrence] {
        &self.occurrences
    }

    /// The name at an offset, also right behind it.
    pub(crate) fn at(&self, offset: u32) -> Option<&Occurrence> {
        let after = self.occurrences.partition_point(|one| one.span.start <= offset);
        self.occurrences[..after].last().filter(|one| offset <= one.span.end)
    }

    /// Wherever the same is named.
    pub(crate) fn same(&self, entity: Entity) -> impl Iterator<Item = &Occurrence> {
        self.occurrences.iter().filter(move |one| one.entity == entity)
    }

    /// Where it is defined.
    pub(crate) fn definitions(&self, entity: Entity) -> impl Iterator<Item = &Occurrence> {
        self.same(entity).filter(|one| one.role == Role::Definition)
    }

    fn add(&mut self, name: Name, entity: Entity, role: Role) {
        // What was left out of the text has no place.
        if name.span.start < name.span.end {
            self.occurrences.push(Occurrence { span: name.span, entity, role });
        }
    }

    fn add_process(&mut self, name: Name) {
        self.add(name, Entity::Process(name.symbol), Role::Use);
    }

    /// The procedures of all units.
    fn add_procedures<L: Language>(&mut self, tree: &Tree<L>) {
        for (number, unit) in tree.units.iter().enumerate() {
            for procedure in &unit.procedures {
                let entity = Entity::Procedure(number as u32, procedure.name.symbol);
                self.add(procedure.name, entity, Role::Definition);
            }
        }
    }

    fn add_network(&mut self, tree: &NetworkTree) {
        self.add_procedures(tree);
        for name in tree.units.iter().filter_map(|unit| unit.name) {
            self.add(name, Entity::Process(name.symbol), Role::Definition);
        }
        let items = tree.channels.iter().flat_map(|declaration| &declaration.items);
        items.filter_map(|item| item.ends).flat_map(|(from, to)| [from, to]).for_each(|name| self.add_process(name));
        for (index, term) in tree.terms.iter().enumerate() {
            let Some(unit) = unit_at(tree, tree.span(TermId(index as u32)).start) else { continue };
            let own = tree.units[unit].name.map(|name| name.symbol);
            match *term {
                Term::Call(name) => self.add(name, Entity::Procedure(unit as u32, name.symbol), Role::Use),
                Term::Act(action, _) => {
                    let (partner, label) = partner_and_label(tree, action);
                    self.add_process(partner);
                    if let (Some(label), Some(own)) = (label, own) {
                        let entity = Entity::Label { from: own, to: partner.symbol, label: label.symbol };
                        self.add(label, entity, Role::Use);
                    }
                }
                Term::Fork(LocalFork::Offer { from } | LocalFork::OfferOne { from }, arms) => {
                    self.add_process(from);
                    for label in arms.of(&tree.arms).iter().filter_map(|arm| arm.label) {
                        let Some(own) = own else { continue };
                        let entity = Entity::Label { from: from.symbol, to: own, label: label.symbol };
                        self.add(label, entity, Role::Definition);
                    }
                }
                Term::Fork(LocalFork::If { .. } | LocalFork::Choose | LocalFork::Any, _)
                | Term::Stop
                | Term::Missing => {}
            }
        }
    }

    fn add_choreography(&mut self, tree: &ChoreographyTree) {
        self.add_procedures(tree);
        for (index, term) in tree.terms.iter().enumerate() {
            let Some(unit) = unit_at(tree, tree.span(TermId(index as u32)).start) else { continue };
            match *term {
                Term::Call(name) => self.add(name, Entity::Procedure(unit as u32, name.symbol), Role::Use),
                Term::Act(GlobalAction::Interaction(interaction), _) => self.add_interaction(tree, interaction),
                Term::Act(GlobalAction::Put(id), _) => self.add_interaction(tree, tree.interaction(id)),
                Term::Act(GlobalAction::Group(members), _) => {
                    members.of(&tree.interactions).iter().for_each(|&one| self.add_interaction(tree, one));
                }
                Term::Act(GlobalAction::Take { from, to }, _) => {
                    [from, to].into_iter().for_each(|name| self.add_process(name));
                }
                Term::Fork(GlobalFork::If { process, .. } | GlobalFork::Choose { process }, _) => {
                    self.add_process(process);
                }
                Term::Fork(GlobalFork::Any, _) | Term::Stop | Term::Missing => {}
            }
        }
    }

    fn add_interaction(&mut self, tree: &ChoreographyTree, interaction: GlobalInteraction) {
        let (from, to, label) = match interaction {
            GlobalInteraction::Communicate { from, to, .. } => (from, to, None),
            GlobalInteraction::Select { from, to, label } => (from, to, Some(label)),
            GlobalInteraction::SelectValue { from, to, content } => (from, to, Some(tree.labelled(content).label)),
        };
        self.add_process(from);
        self.add_process(to);
        if let Some(label) = label {
            self.add(label, Entity::Label { from: from.symbol, to: to.symbol, label: label.symbol }, Role::Use);
        }
    }
}

/// With whom an action is, and its label if it selects one.
pub(crate) fn partner_and_label(tree: &NetworkTree, action: LocalAction) -> (Name, Option<Name>) {
    match action {
        LocalAction::Send { to, .. } => (to, None),
        LocalAction::Receive { from } => (from, None),
        LocalAction::Select { to, label } => (to, Some(label)),
        LocalAction::SelectValue { to, content } => (to, Some(tree.labelled(content).label)),
    }
}

/// The number of the unit in which an offset is.
pub(crate) fn unit_at<L: Language>(tree: &Tree<L>, offset: u32) -> Option<usize> {
    let after = tree.units.partition_point(|unit| unit.span.start <= offset);
    let index = after.checked_sub(1)?;
    (offset <= tree.units[index].span.end).then_some(index)
}

/// The innermost term at an offset.
pub(crate) fn term_at<L: Language>(tree: &Tree<L>, offset: u32) -> Option<TermId> {
    let after = tree.spans.partition_point(|span| span.start <= offset);
    let contains = |&index: &usize| tree.spans[index].start <= offset && offset <= tree.spans[index].end;
    (0..after).rev().find(contains).map(|index| TermId(index as u32))
}

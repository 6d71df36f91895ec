//! Selections to be inserted into a tree, and the tree with selections in it.

use crate::syntax::{Arm, ChoreographyTree, GlobalAction, GlobalInteraction, Name, Span, Symbol, Term, TermId, Tree};

/// A selection to be added before a term of the text. In a list of them, those before the same term are in the order
/// in which they will be made, and lists are sorted by term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Selection {
    pub(super) before: TermId,
    pub(super) from: Symbol,
    pub(super) to: Symbol,
    pub(super) label: Symbol,
}

/// A tree with selections in it.
pub(super) struct Grown {
    pub(super) tree: ChoreographyTree,
    /// For a selection right before each of its terms: which term of the text it comes before, and its index in the
    /// list of selections.
    positions: Vec<(TermId, usize)>,
}

impl Grown {
    /// Adds a selection to a list, right before a term of the grown tree.
    pub(super) fn add(
        &self,
        selections: &[Selection],
        term: TermId,
        [from, to, label]: [Symbol; 3],
    ) -> Option<Vec<Selection>> {
        let &(before, index) = self.positions.get(term.index())?;
        let mut longer = Vec::with_capacity(selections.len() + 1);
        longer.extend_from_slice(selections.get(..index)?);
        longer.push(Selection { before, from, to, label });
        longer.extend_from_slice(selections.get(index..)?);
        Some(longer)
    }

    /// For a selection right before a term of the grown tree: which term of the text it comes before, and its index in
    /// the list of selections.
    pub(super) fn position(&self, term: TermId) -> Option<(TermId, usize)> {
        self.positions.get(term.index()).copied()
    }
}

/// Puts selections into a tree. The terms get new numbers, in the same order.
pub(super) fn grow(old: &ChoreographyTree, selections: &[Selection]) -> Grown {
    // The new number of a term, or of the first selection before it.
    let number = |term: TermId| TermId(term.0 + selections.partition_point(|selection| selection.before < term) as u32);
    let mut tree: ChoreographyTree = Tree { names: old.names.clone(), ..Tree::default() };
    let mut positions = Vec::with_capacity(old.terms.len() + selections.len());
    let mut pending = selections.iter().enumerate().peekable();
    for (index, (&term, &span)) in old.terms.iter().zip(&old.spans).enumerate() {
        let id = TermId(index as u32);
        while let Some((position, selection)) = pending.next_if(|(_, selection)| selection.before == id) {
            let at = Span::new(span.start, span.start);
            let name = |symbol: Symbol| Name { symbol, span: at };
            let (from, to, label) = (name(selection.from), name(selection.to), name(selection.label));
            let next = TermId(tree.terms.len() as u32 + 1);
            tree.push(Term::Act(GlobalAction::Interaction(GlobalInteraction::Select { from, to, label }), next), at);
            positions.push((id, position));
        }
        let term = match term {
            Term::Act(action, next) => Term::Act(action, number(next)),
            other => other,
        };
        tree.push(term, span);
        positions.push((id, pending.peek().map_or(selections.len(), |&(position, _)| position)));
    }
    tree.arms = old.arms.iter().map(|arm| Arm { body: number(arm.body), ..*arm }).collect();
    tree.units = old.units.clone();
    for unit in &mut tree.units {
        unit.procedures.iter_mut().for_each(|procedure| procedure.body = number(procedure.body));
        unit.mains.iter_mut().for_each(|main| main.body = number(main.body));
    }
    tree.interactions = old.interactions.clone();
    tree.labelled_values = old.labelled_values.clone();
    tree.comments = old.comments.clone();
    Grown { tree, positions }
}

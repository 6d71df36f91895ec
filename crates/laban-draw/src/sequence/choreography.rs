//! The diagrams of a choreography.

use super::bodies::{Bodies, Interest, ends};
use super::writer::{Writer, count, is_folded};
use super::{Diagram, Item, Sequence};
use crate::focus::Focus;
use crate::text::counted;
use laban::syntax::{ChoreographyTree, GlobalAction, GlobalFork, GlobalInteraction, Name, Term, TermId};

/// The diagrams of a choreography: for each parallel part its `main`, then the procedures that are not loops.
///
/// A conditional is a frame with two sections. A procedure that is entered in one place and otherwise called from
/// within only is drawn there, as a loop; every other call is a reference to the diagram of the procedure.
pub fn choreography(tree: &ChoreographyTree, focus: &Focus) -> Sequence {
    let interest = Interest::new(tree, focus);
    let mut sequence = Sequence::default();
    let mut drawn = vec![false; tree.terms.len()];
    let mut room = focus.max_items;
    let (mut missing, mut missing_parts) = (0, 0);
    for (part, unit) in tree.units.iter().enumerate() {
        // The first is drawn in any case, and of many small ones not all.
        let full = room == 0 || sequence.diagrams.len() >= focus.max_items;
        if full && part > 0 {
            missing_parts += 1;
            continue;
        }
        let bodies = Bodies::new(tree, unit, &interest);
        // The diagram of each body.
        let mut diagram_of = vec![None; bodies.bodies.len()];
        let first = sequence.diagrams.len();
        let mut left_out = Vec::new();
        for (number, body) in bodies.bodies.iter().enumerate() {
            if !body.reached || body.nested || number > 0 && !body.busy {
                continue;
            }
            if number > 0 && room == 0 {
                missing += 1;
                continue;
            }
            diagram_of[number] = Some(sequence.diagrams.len());
            let diagram = Diagram { title: title(tree, body.name), part, ..Diagram::default() };
            let goes_on = bodies.goes_on(tree, number);
            let writer =
                Writer::new(tree, &interest, &bodies, focus.max_depth, (&mut room, &mut drawn), diagram, goes_on);
            let (diagram, skipped) = writer.write(number);
            sequence.diagrams.push(diagram);
            left_out.push(skipped);
        }
        // Procedures that concern nobody in the focus are not drawn, so nobody has counted them.
        for body in bodies.bodies.iter().filter(|body| body.reached && !body.busy) {
            let skipped = body.terms.iter().filter(|term| !drawn[term.index()]);
            left_out[0] += skipped.map(|&term| interactions(tree, term)).sum::<usize>();
        }
        for (diagram, left_out) in sequence.diagrams[first..].iter_mut().zip(left_out) {
            if left_out > 0 {
                let are = if left_out == 1 { "is" } else { "are" };
                diagram.remarks.push(format!("{} of others {are} left out", counted(left_out, "interaction")));
            }
            for item in &mut diagram.items {
                if let Item::Reference { diagram, .. } = item {
                    *diagram = diagram.and_then(|body| diagram_of.get(body).copied().flatten());
                }
            }
        }
    }
    finish(&mut sequence, missing, missing_parts);
    let items = sequence.diagrams.iter().flat_map(|diagram| &diagram.items);
    sequence.is_whole = !focus.is_narrow() && missing == 0 && missing_parts == 0 && !items.into_iter().any(is_folded);
    sequence
}

/// The processes that are named in a choreography, in the order of the text.
pub fn participants(tree: &ChoreographyTree) -> Vec<&str> {
    let mut seen = vec![false; tree.names.len()];
    let mut names = Vec::new();
    let mut meet = |name: Name| {
        if let Some(seen) = seen.get_mut(name.symbol.index())
            && !std::mem::replace(seen, true)
        {
            names.push(tree.text(name));
        }
    };
    for term in &tree.terms {
        match term {
            Term::Act(GlobalAction::Interaction(interaction), _) => both(*interaction, &mut meet),
            Term::Act(GlobalAction::Group(range), _) => {
                range.of(&tree.interactions).iter().for_each(|&interaction| both(interaction, &mut meet));
            }
            Term::Act(GlobalAction::Put(message), _) => both(tree.interaction(*message), &mut meet),
            Term::Act(GlobalAction::Take { from, to }, _) => [*to, *from].into_iter().for_each(&mut meet),
            Term::Fork(GlobalFork::If { process, .. } | GlobalFork::Choose { process }, _) => meet(*process),
            Term::Fork(GlobalFork::Any, _) | Term::Stop | Term::Call(_) | Term::Missing => {}
        }
    }
    names
}

fn both(interaction: GlobalInteraction, mut meet: impl FnMut(Name)) {
    let (from, to) = ends(interaction);
    meet(from);
    meet(to);
}

/// How many interactions a term is.
fn interactions(tree: &ChoreographyTree, term: TermId) -> usize {
    match tree.term(term) {
        Term::Act(action, _) => count(action),
        _ => 0,
    }
}

fn title(tree: &ChoreographyTree, name: Option<laban::syntax::Symbol>) -> String {
    name.map_or("main", |name| tree.names.text(name)).to_string()
}

/// Titles tell diagrams apart: one alone needs none, and parts are numbered if there are several.
fn finish(sequence: &mut Sequence, missing: usize, missing_parts: usize) {
    let parts = sequence.parts() + missing_parts;
    match sequence.diagrams.as_mut_slice() {
        [alone] if parts == 1 => alone.title.clear(),
        several if parts > 1 => {
            let mut before = None;
            for diagram in several {
                let part = diagram.part + 1;
                // The first of each part is its `main`.
                diagram.title = match before.replace(diagram.part) == Some(diagram.part) {
                    true => format!("part {part}: {}", diagram.title),
                    false => format!("part {part}"),
                };
            }
        }
        _ => {}
    }
    for (missing, what) in [(missing, "more procedure"), (missing_parts, "more part")] {
        if missing > 0 {
            let are = if missing == 1 { "is" } else { "are" };
            sequence.remarks.push(format!("{} {are} not drawn", counted(missing, what)));
        }
    }
}

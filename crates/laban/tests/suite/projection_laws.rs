//! Laws of projection and amendment, on random choreographies.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::cases;
use crate::choreographies::{Shape, lower, text, tree};
use laban::choreography::{Amended, Node, amend, project};
use laban::generate::SeededRng;
use laban::syntax::{ChoreographyTree, Comparable, GlobalAction, Term};

/// The terms without the selections that were added, compared with those of the text that was amended.
fn only_selections_were_added(before: &ChoreographyTree, amended: &Amended) -> bool {
    let after = &amended.tree;
    let mut added = 0;
    let kept = after.terms.iter().zip(&after.spans).filter(|(term, span)| {
        let new = span.start == span.end && matches!(term, Term::Act(GlobalAction::Interaction(_), _));
        added += usize::from(new);
        !new
    });
    let kept: Vec<_> = kept.collect();
    let same = kept.len() == before.terms.len()
        && kept.iter().zip(before.terms.iter().zip(&before.spans)).all(|((one, place), (other, span))| {
            *place == span
                && match (one, other) {
                    (Term::Stop, Term::Stop) => true,
                    (Term::Call(a), Term::Call(b)) => a.eq_ignoring_spans(b),
                    (Term::Act(a, _), Term::Act(b, _)) => a.eq_ignoring_spans(b),
                    (Term::Fork(a, x), Term::Fork(b, y)) => a.eq_ignoring_spans(b) && x == y,
                    _ => false,
                }
        });
    same && added == 2 * amended.added.len()
}

#[test]
fn amended_choreographies_project_and_have_only_selections_more() {
    let cases = cases(2_000);
    let (mut projectable, mut added, mut given_up) = (0, 0, 0);
    for seed in 0..cases {
        let mut dice = SeededRng::new(seed);
        let shape = Shape::random(&mut dice);
        let text = text(&mut dice, shape);
        let before = tree(&text);
        let amended = amend(&before).unwrap_or_else(|error| panic!("seed {seed}: {text}: {error:?}"));
        let after = lower(&amended.tree);
        assert!(project(&after).is_ok(), "seed {seed}: {text}");
        assert!(only_selections_were_added(&before, &amended), "seed {seed}: {text}");
        let had_projection = project(&lower(&before)).is_ok();
        assert_eq!(amended.added.is_empty(), had_projection, "seed {seed}: {text}");
        if had_projection {
            assert!(amended.tree.eq_ignoring_spans(&before), "seed {seed}: {text}");
            projectable += 1;
        }
        given_up += u64::from(!amended.fewest);
        added += amended.added.len();
        assert!(after.nodes().iter().all(|node| !matches!(node, Node::Group { .. })));
    }
    let told = format!("{projectable} had a projection; {added} pairs of selections added; {given_up} given up");
    assert!(projectable >= cases / 5 && added as u64 >= cases / 2 && given_up <= cases / 100, "{told}");
}

/// A place where a process could be told: a conditional of the text, and who.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    /// Where the branches begin in the text.
    branches: [usize; 2],
    number: usize,
    from: String,
    to: String,
}

fn places(tree: &ChoreographyTree) -> Vec<Place> {
    let choreography = lower(tree);
    let processes: Vec<&str> = choreography.processes().iter().map(|&name| choreography.text(name)).collect();
    let mut places = Vec::new();
    for (number, term) in tree.terms.iter().enumerate() {
        let Term::Fork(laban::syntax::GlobalFork::If { process, .. }, arms) = *term else { continue };
        let [then, otherwise] = arms.of(&tree.arms) else { continue };
        let branches = [then, otherwise].map(|arm| tree.span(arm.body).start as usize);
        let from = tree.text(process);
        for to in processes.iter().filter(|&&to| to != from) {
            places.push(Place { branches, number, from: from.to_string(), to: to.to_string() });
        }
    }
    places
}

/// The text with selections at some places. Labels are the same everywhere, or different at each conditional.
fn told(text: &str, places: &[&Place], different: bool) -> String {
    let mut insertions: Vec<(usize, String)> = Vec::new();
    for place in places {
        for (branch, letter) in place.branches.into_iter().zip(["L", "R"]) {
            let suffix = if different { format!("_{}", place.number) } else { String::new() };
            insertions.push((branch, format!("{} -> {}[{letter}{suffix}]; ", place.from, place.to)));
        }
    }
    insertions.sort();
    let mut out = String::new();
    let mut at = 0;
    for (place, insertion) in insertions {
        out.push_str(&text[at..place]);
        out.push_str(&insertion);
        at = place;
    }
    out.push_str(&text[at..]);
    out
}

/// Whether selections at some `count` places do, according to `enough`.
fn any_subset<'a>(places: &'a [Place], count: usize, enough: &mut dyn FnMut(&[&'a Place]) -> bool) -> bool {
    fn choose<'a>(
        places: &'a [Place],
        count: usize,
        chosen: &mut Vec<&'a Place>,
        enough: &mut dyn FnMut(&[&'a Place]) -> bool,
    ) -> bool {
        if count == 0 {
            return enough(chosen);
        }
        for (number, place) in places.iter().enumerate() {
            chosen.push(place);
            if choose(&places[number + 1..], count - 1, chosen, enough) {
                return true;
            }
            chosen.pop();
        }
        false
    }
    choose(places, count, &mut Vec::new(), enough)
}

#[test]
fn no_fewer_selections_would_do() {
    let cases = cases(400);
    let mut compared = 0;
    for seed in 0..cases {
        let mut dice = SeededRng::new(seed);
        let (processes, procedures) = (3 + dice.below(2), dice.below(2));
        let text = text(&mut dice, Shape { processes, procedures, actions: 10, conditionals: 45, words: 1, parts: 0 });
        let before = tree(&text);
        let amended = amend(&before).unwrap();
        let places = places(&before);
        if !(2..=3).contains(&amended.added.len()) || places.len() > 16 {
            continue;
        }
        compared += 1;
        for fewer in 1..amended.added.len() {
            let mut enough = |chosen: &[&Place]| {
                let projects = |different| project(&lower(&tree(&told(&text, chosen, different)))).is_ok();
                [false, true].into_iter().any(projects)
            };
            assert!(!any_subset(&places, fewer, &mut enough), "seed {seed}: {text}: {fewer} would do");
        }
    }
    assert!(compared >= cases / 20, "only {compared} amendments of two or three pairs were compared");
}

/// Who is told about which conditional, and by which labels.
fn added(text: &str) -> Vec<String> {
    let amended = amend(&tree(text)).unwrap();
    assert!(amended.fewest);
    let name = |symbol| amended.tree.names.text(symbol).to_string();
    let words = amended.added.iter().map(|added| {
        let [from, condition, to, then, otherwise] =
            [added.from, added.condition, added.to, added.then, added.otherwise].map(name);
        format!("{from}.{condition}: {to} {then} {otherwise}")
    });
    words.collect()
}

#[test]
fn a_process_is_told_where_it_first_has_to_know() {
    assert_eq!(added("main { if p.e then stop else q.y -> p; stop }"), ["p.e: q L R"]);
    assert_eq!(added("main { if p.e then q.x -> p; stop else q.x -> p; stop }"), Vec::<String>::new());
    // An inner conditional cannot be decided by telling about an outer one, and makes that one clash.
    let nested = "main { if p.e then if q.f then r.x -> q; stop else r.y -> q; stop else r.x -> q; stop }";
    assert_eq!(added(nested), ["p.e: q L R", "p.e: r L R", "q.f: r L R"]);
}

#[test]
fn telling_about_a_conditional_that_makes_no_difference_can_be_cheaper() {
    // r could be told by q and by d; but as it waits for p anyway in the other branches, p may as well tell it.
    let text = "main { p.x -> q; p.x -> d; if d.e then d -> q[k]; d -> p[k]; p -> r[m]; stop
        else d -> q[n]; d -> p[n]; if q.e then q -> p[k]; if p.f then stop else stop else q -> p[n]; p -> r[o]; stop }";
    assert_eq!(added(text), ["p.f: r L R"]);
}

#[test]
fn labels_that_would_be_taken_for_others_are_changed() {
    assert_eq!(added("main { if p.e then stop else p -> q[L]; stop }"), ["p.e: q L R"]);
    let text = "main { if d.e then d -> p[k]; if p.e then stop else q.x -> p; stop
        else d -> p[n]; p -> q[L]; q.y -> p; stop }";
    assert_eq!(added(text), ["p.e: q L1 R1"]);
}

//! Laws of projection and amendment, on random choreographies.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::choreographies::{Shape, lower, text, tree};
use crate::long_cases;
use laban::choreography::{self, Amended, Choreography, Node, amend, project};
use laban::generate::SeededRng;
use laban::network::{Content, ProcessId};
use laban::syntax::{ChoreographyTree, Compact, Comparable, GlobalAction, GlobalFork, Term};
use laban::{AmendOptions, Limits, ProjectOptions, StopReason, Unamendable};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The terms without the selections that were added, compared with those of the text that was amended.
pub(crate) fn only_selections_were_added(before: &ChoreographyTree, amended: &Amended) -> bool {
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
    same && added == amended.added.len()
}

#[test]
fn amended_choreographies_project_and_have_only_selections_more() {
    let cases = long_cases(700, 2_000);
    let (mut projectable, mut added, mut given_up) = (0, 0, 0);
    for seed in 0..cases {
        let mut dice = SeededRng::new(seed);
        // Mostly small ones: for a large one it takes long to find out that there are too many ways.
        let mut shape = Shape::random(&mut dice);
        if !dice.one_in(12) {
            shape.actions = shape.actions.min(5);
            shape.procedures = shape.procedures.min(1);
        }
        let text = text(&mut dice, shape);
        let before = tree(&text);
        let amended =
            amend(&before, &AmendOptions::default()).unwrap_or_else(|error| panic!("seed {seed}: {text}: {error:?}"));
        let after = lower(&amended.tree);
        assert!(project(&after, &ProjectOptions::default()).is_ok(), "seed {seed}: {text}");
        assert!(only_selections_were_added(&before, &amended), "seed {seed}: {text}");
        let had_projection = project(&lower(&before), &ProjectOptions::default()).is_ok();
        assert_eq!(amended.added.is_empty(), had_projection, "seed {seed}: {text}");
        if had_projection {
            assert!(amended.tree.eq_ignoring_spans(&before), "seed {seed}: {text}");
            projectable += 1;
        }
        given_up += u64::from(!amended.fewest);
        added += amended.added.len();
        assert!(after.nodes().iter().all(|node| !matches!(node, Node::Group { .. })));
    }
    let counts = format!("{projectable} had a projection; {added} selections added; {given_up} given up");
    assert!(
        projectable > cases / 10 && added as u64 > cases / 2 && given_up > cases / 40 && given_up < cases / 4,
        "{counts}"
    );
}

/// A selection that could be added: where in the text, and what.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Insertion {
    place: usize,
    selection: String,
    /// The number of its label, if that is a new one.
    new_label: Option<usize>,
}

impl Insertion {
    fn at(self, place: usize) -> Self {
        Insertion { place, ..self }
    }
}

/// All places of a text: before each term that is not an item of a race. None is left out for being as good as another.
fn places(tree: &ChoreographyTree) -> Vec<usize> {
    let is_item = |place: usize| {
        let mut races = tree.terms.iter().filter_map(|term| match term {
            Term::Fork(GlobalFork::Any, items) => Some(items.of(&tree.arms)),
            _ => None,
        });
        races.any(|items| items.iter().any(|item| tree.span(item.body).start as usize == place))
    };
    let mut places: Vec<usize> = tree.spans.iter().map(|span| span.start as usize).collect();
    places.retain(|&place| !is_item(place));
    places.sort_unstable();
    places.dedup();
    places
}

/// All selections that could be made by one process at another, at the start: with each label of the text, and with
/// new ones.
fn selections(tree: &ChoreographyTree, new_labels: usize) -> Vec<Insertion> {
    let choreography = lower(tree);
    let processes: Vec<&str> = choreography.processes().iter().map(|&name| choreography.text(name)).collect();
    let mut selections = Vec::new();
    for from in &processes {
        for to in processes.iter().filter(|&to| to != from) {
            let mut labels: Vec<(String, Option<usize>)> =
                (0..new_labels).map(|number| (format!("new{number}"), Some(number))).collect();
            for node in choreography.nodes() {
                let Node::Interaction { interaction, .. } = node else { continue };
                let Content::Label(label) = interaction.content else { continue };
                let ends = [interaction.from, interaction.to].map(|process| choreography.process_name(process));
                if ends == [*from, *to] {
                    labels.push((choreography.text(label).to_string(), None));
                }
            }
            labels.sort();
            labels.dedup();
            selections.extend(labels.into_iter().map(|(label, new_label)| {
                let selection = format!("{from} -> {to}[{label}]; ");
                Insertion { place: 0, selection, new_label }
            }));
        }
    }
    selections
}

/// The text with selections in it; those at the same place in the order in which they are given.
fn with_selections(text: &str, insertions: &[&Insertion]) -> String {
    let mut insertions = insertions.to_vec();
    insertions.sort_by_key(|insertion| insertion.place);
    let mut out = String::new();
    let mut at = 0;
    for Insertion { place, selection, .. } in insertions {
        out.push_str(&text[at..*place]);
        out.push_str(selection);
        at = *place;
    }
    out + &text[at..]
}

/// A choreography, and which of its processes are services.
struct Question<'a> {
    text: &'a str,
    services: &'a [&'a str],
}

impl Question<'_> {
    /// Whether there is a projection with some selections. Between processes of different parts there can be none.
    fn do_these(&self, selections: &[&Insertion]) -> bool {
        let amended = choreography::lower(&tree(&with_selections(self.text, selections))).choreography;
        amended.is_some_and(|amended| has_projection(&amended, self.services))
    }

    /// Whether some `count` selections do, in whatever order.
    fn some_do<'a>(&self, all: &'a [Insertion], count: usize, chosen: &mut Vec<&'a Insertion>) -> bool {
        if count == 0 {
            return self.do_these(chosen);
        }
        let new_labels = chosen.iter().filter_map(|insertion| insertion.new_label).max().map_or(0, |last| last + 1);
        for insertion in all {
            // Of two at different places the order does not matter, nor do the names of new labels.
            let is_in_order = chosen.last().is_none_or(|last| last.place <= insertion.place)
                && insertion.new_label.is_none_or(|label| label <= new_labels);
            if is_in_order {
                chosen.push(insertion);
                if self.some_do(all, count - 1, chosen) {
                    return true;
                }
                chosen.pop();
            }
        }
        false
    }
}

pub(crate) fn has_projection(choreography: &Choreography, services: &[&str]) -> bool {
    let named = |process: &ProcessId| services.contains(&choreography.process_name(*process));
    let services: Vec<ProcessId> =
        (0..choreography.processes().len() as u32).map(ProcessId).filter(|process| named(process)).collect();
    project(choreography, &ProjectOptions { services: &services, ..ProjectOptions::default() }).is_ok()
}

/// Whether no selections do that are one fewer than those of the amendment; gives how many were tried. Nothing if it is
/// not certain that the amendment is least, or there are too many ways to try them all.
pub(crate) fn compare_with_fewer(seed: u64, text: &str, services: &[&str]) -> Option<usize> {
    /// The most ways to add selections that are tried for one choreography.
    const MOST_WAYS: usize = 4_000;
    /// How many questions the amendment may ask. It is exact with fewer in nearly all of these choreographies.
    const MOST_QUESTIONS: usize = 10_000;
    let before = tree(text);
    let asked = AtomicUsize::new(0);
    let stop = || (asked.fetch_add(1, Relaxed) > MOST_QUESTIONS).then_some(StopReason::Timeout);
    let limits = Limits { stop: &stop, ..Limits::default() };
    let amended = match amend(&before, &AmendOptions { services, limits, ..AmendOptions::default() }) {
        Ok(amended) => amended,
        Err(Unamendable::Undecided(StopReason::Timeout)) => return None,
        Err(error) => panic!("seed {seed}: {text}: {error}"),
    };
    assert!(!amended.added.is_empty(), "seed {seed}: {text}");
    let fewer = amended.added.len() - 1;
    let all: Vec<Insertion> = places(&before)
        .into_iter()
        .flat_map(|place| selections(&before, fewer).into_iter().map(move |found| found.at(place)))
        .collect();
    let ways = all.len().checked_pow(fewer as u32).unwrap_or(usize::MAX);
    if !amended.fewest || ways > MOST_WAYS {
        return None;
    }
    let mut chosen = Vec::new();
    let some_do = Question { text, services }.some_do(&all, fewer, &mut chosen);
    let with = if services.is_empty() { "" } else { "a is a service: " };
    assert!(
        !some_do,
        "seed {seed}: {fewer} would do: {with}{text}\n{}\n{}",
        Compact(&amended.tree),
        with_selections(text, &chosen)
    );
    Some(fewer)
}

/// Looks at all ways to add one selection less. That is enough: where still fewer do, one more does no harm at the
/// start.
#[test]
fn no_fewer_selections_would_do_wherever_they_are_and_whoever_makes_them() {
    /// The most terms that a choreography may have.
    const MOST_TERMS: usize = 9;
    let cases = long_cases(6_000, 16_000);
    // How many were compared, by how many selections were tried.
    let mut compared = [0; 6];
    for seed in 0..cases {
        let mut dice = SeededRng::new(seed);
        let (processes, procedures) = (2 + dice.below(2), dice.below(3));
        let (actions, words) = (2 + dice.below(5), 1 + dice.below(2));
        let text = text(&mut dice, Shape { processes, procedures, actions, conditionals: 60, words, parts: 5 });
        let services: &[&str] = if dice.one_in(4) { &["a"] } else { &[] };
        let before = tree(&text);
        if before.terms.len() > MOST_TERMS || has_projection(&lower(&before), services) {
            continue;
        }
        if let Some(fewer) = compare_with_fewer(seed, &text, services) {
            compared[fewer.min(5)] += 1;
        }
    }
    let all = compared.iter().sum::<u64>();
    assert!(
        all > cases / 9 && compared[..3].iter().all(|&count| count > cases / 160) && compared[1] > cases / 32,
        "{compared:?}"
    );
}

/// What is added, and the whole text.
fn amended(text: &str) -> String {
    let amended = amend(&tree(text), &AmendOptions::default()).unwrap();
    assert!(amended.fewest);
    Compact(&amended.tree).to_string()
}

#[test]
fn whoever_decides_tells_in_both_branches_where_no_fewer_do() {
    assert_eq!(
        amended("main { if p.e then stop else q.y -> p; stop }"),
        "main { if p.e then p -> q[L]; stop else p -> q[R]; q.y -> p; stop }"
    );
    let same = "main { if p.e then q.x -> p; stop else q.x -> p; stop }";
    assert_eq!(amended(same), same);
}

#[test]
fn a_selection_that_is_there_is_put_to_use() {
    assert_eq!(
        amended("main { if p.e then p -> q[yes]; q.x -> p; stop else stop }"),
        "main { if p.e then p -> q[yes]; q.x -> p; stop else p -> q[R]; stop }"
    );
}

#[test]
fn a_process_that_has_been_told_tells_another_where_that_takes_fewer() {
    assert_eq!(
        amended("main { if p.e then p -> q[l]; q -> r[ok]; r.x -> q; stop else p -> q[r]; stop }"),
        "main { if p.e then p -> q[l]; q -> r[ok]; r.x -> q; stop else p -> q[r]; q -> r[R]; stop }"
    );
}

#[test]
fn one_selection_for_each_of_three_branches_does() {
    assert_eq!(
        amended("main { if p.e then if p.f then r.a -> p; stop else r.b -> p; stop else r.c -> p; stop }"),
        "main { if p.e then if p.f then p -> r[L]; r.a -> p; stop else p -> r[R]; r.b -> p; stop \
         else p -> r[R1]; r.c -> p; stop }"
    );
}

#[test]
fn a_label_that_is_selected_in_one_branch_can_be_selected_in_the_other_too() {
    // q is not told either: it does the same in both branches now, and nobody needs to know.
    assert_eq!(
        amended("main { if p.e then q -> r[l]; stop else stop }"),
        "main { if p.e then q -> r[l]; stop else q -> r[l]; stop }"
    );
}

#[test]
fn a_selection_goes_into_the_arm_of_the_conditional_of_its_own_process_that_lacks_it() {
    // Both arms of the first `if p.f` lead to the same place. It is the second that must select as the other one does.
    let text = "def X { s.y -> q; stop } \
                main { if q.e then if p.f then X else X else if p.f then X else p -> r[l]; X }";
    let amended = amend(&tree(text), &AmendOptions { services: &["r"], ..AmendOptions::default() }).unwrap();
    assert!(amended.fewest);
    assert_eq!(
        Compact(&amended.tree).to_string(),
        "def X { s.y -> q; stop } \
         main { if q.e then if p.f then X else p -> r[l]; X else if p.f then X else p -> r[l]; X }"
    );
}

#[test]
fn a_service_that_is_done_in_one_branch_may_tell_somebody_in_the_other() {
    // It waits there until it has told; that it tells c is of use twice.
    let text = "def X { if a.e then stop else stop } def Y { if c.e then stop else X } main { if a.e then Y else X }";
    let amended = amend(&tree(text), &AmendOptions { services: &["a"], ..AmendOptions::default() }).unwrap();
    assert!(amended.fewest && has_projection(&lower(&amended.tree), &["a"]));
    assert_eq!(amended.added.len(), 2, "{}", Compact(&amended.tree));
}

#[test]
fn a_large_choreography_is_amended_without_trying_all_ways() {
    let mut text = String::new();
    for number in 0..200 {
        let (next, after) = ((number + 1) % 200, (number + 2) % 200);
        text += &format!("def X{number} {{ b.x{number} -> c; if a.e then X{next} else X{after} }} ");
    }
    let amended = amend(&tree(&(text + "main { X0 }")), &AmendOptions::default()).unwrap();
    assert!(!amended.fewest && project(&lower(&amended.tree), &ProjectOptions::default()).is_ok());
}

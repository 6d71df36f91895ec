//! What users read: diagnostics that point at the cause first, and long stories cut short.

use super::{deadlock, network, steps, witness};
use laban::diagnostic::{Code, Note};
use laban::extraction::explain::{WitnessKind, explain};
use laban::semantics::Configuration;

#[test]
fn every_step_points_at_both_of_its_actions() {
    let source = "p { main { q!<x>; if c then q+l; q?; stop else q+l; q?; stop } } | q { main { p?; p&{l: stop} } }";
    let network = network(source);
    let explanation = explain(&network, &deadlock(&network).unwrap()).unwrap();
    let places: Vec<(&str, Option<&str>)> = explanation
        .run
        .iter()
        .map(|event| (event.span.text(source), event.partner_span.map(|span| span.text(source))))
        .collect();
    assert_eq!(places[0], ("q!<x>", Some("p?")));
    assert_eq!(places[1].1, None);
    assert!(places[1].0.starts_with("if c"));
    assert_eq!(places[2], ("q+l", Some("p&{l: stop}")));
}

#[test]
fn a_diagnostic_points_at_the_cause_first() {
    let source =
        "a { main { b?; stop } } | b { main { c?; a!<x>; stop } } | c { main { if e then b!<y>; stop else stop } }";
    let network = network(source);
    let explanation = explain(&network, &deadlock(&network).unwrap()).unwrap();
    let diagnostic = explanation.diagnostic(&network);
    assert_eq!(diagnostic.code, Code::Deadlock);
    assert_eq!(diagnostic.primary.span.text(source), "c?");
    assert_eq!(diagnostic.primary.label, "`b` waits for a value from `c`, which has stopped");
    assert_eq!(diagnostic.secondary[0].span.text(source), "b?");
    assert_eq!(diagnostic.secondary[0].label, "`a` waits for a value from `b`, which waits for `c`");
    assert_eq!(diagnostic.notes[0].one_line(), "after one step: c decides e: no");
    assert_eq!(
        diagnostic.hints,
        [
            "this happens when `e` is false at `c`; when it is true, `b` can go on",
            "`c` does not tell `b` the outcome of `e`: add a selection to each branch",
        ]
    );
}

#[test]
fn services_that_wait_are_mentioned() {
    let source = "p { main { q?; stop } } | q { main { p?; stop } } | service s { main { p?; stop } }";
    let network = network(source);
    let explanation = explain(&network, &deadlock(&network).unwrap()).unwrap();
    let notes = explanation.diagnostic(&network).notes;
    let notes: Vec<String> = notes.iter().map(Note::one_line).collect();
    assert_eq!(notes, ["stuck from the start, before any step", "`s` is also waiting; that is fine, it is a service"]);
}

#[test]
fn a_run_of_a_million_steps_is_kept_and_cut_short_in_messages() {
    let source = "p { def X { if again then q!<x>; X else stop } main { X } } | q { def X { p?; X } main { X } }";
    let network = network(source);
    let rounds = 500_000;
    let mut at = Configuration::start(&network);
    let round = steps(&network, &mut at, "p decides again: yes; p.x -> q");
    let mut run = round.repeat(rounds);
    run.extend(steps(&network, &mut at, "p decides again: no"));
    let witness = witness(WitnessKind::Deadlock, &[0, 1], run, vec![]);
    let explanation = explain(&network, &witness).unwrap();
    assert_eq!(explanation.run.len(), 2 * rounds + 1);
    let note = explanation.diagnostic(&network).notes[0].one_line();
    assert!(note.starts_with("after 1000001 steps: p decides again: yes; p.x -> q; "), "{note}");
    assert!(note.contains("; … 999989 more …; ") && note.ends_with("; p.x -> q; p decides again: no"), "{note}");
    let lines = explanation.diagnostic(&network).notes[0].lines();
    assert_eq!(lines.len(), 1 + 6 + 1 + 6);
    assert_eq!(lines[6], "      6. p.x -> q");
    assert_eq!(lines[7], "      …  999989 more steps");
    assert_eq!(lines[13], "1000001. p decides again: no");
}

#[test]
fn a_run_of_more_than_a_few_steps_has_a_numbered_line_for_each() {
    let note = |count: usize| Note::run("the run", &vec!["p.x -> q"; count], |step| (*step).to_string());
    assert_eq!(note(3).lines(), ["the run: p.x -> q; p.x -> q; p.x -> q"]);
    assert_eq!(note(4).lines(), ["the run:", "1. p.x -> q", "2. p.x -> q", "3. p.x -> q", "4. p.x -> q"]);
    assert_eq!(note(4).one_line(), "the run: p.x -> q; p.x -> q; p.x -> q; p.x -> q");
    let long = note(14).lines();
    assert_eq!(long[6..9], [" 6. p.x -> q", " …  2 more steps", " 9. p.x -> q"]);
    assert_eq!(long.last().map(String::as_str), Some("14. p.x -> q"));
    assert_eq!(note(13).lines()[7], " …  1 more step");
    assert_eq!(note(12).lines().len(), 13);
}

#[test]
fn a_circle_of_many_is_cut_short_in_messages() {
    let count = 100_000;
    let process = |number: usize| {
        let (before, after) = ((number + count - 1) % count, (number + 1) % count);
        format!("p{number} {{ main {{ p{before}?; p{after}!<x>; stop }} }}")
    };
    let source: Vec<String> = (0..count).map(process).collect();
    let network = network(&source.join("|"));
    let component: Vec<u32> = (0..count as u32).collect();
    let explanation = explain(&network, &witness(WitnessKind::Deadlock, &component, vec![], vec![])).unwrap();
    assert_eq!(explanation.circles().next().unwrap().len(), count);
    assert_eq!(
        explanation.summary(&network),
        "deadlock: 100000 processes wait in a circle, each for the next: \
         `p0`, `p99999`, `p99998`, `p99997`, `p99996` and 99995 others"
    );
    let diagnostic = explanation.diagnostic(&network);
    assert_eq!(diagnostic.secondary.len(), 11);
    assert_eq!(diagnostic.notes[1].one_line(), "99988 more processes are stuck");
}

#[test]
fn long_expressions_are_cut_in_sentences() {
    let source = format!(
        "p {{ main {{ q!<{}>; q!<{}>; stop }} }} | q {{ main {{ p?; stop }} }}",
        "x".repeat(5000),
        "y".repeat(5000)
    );
    let network = network(&source);
    let explanation = explain(&network, &deadlock(&network).unwrap()).unwrap();
    let diagnostic = explanation.diagnostic(&network);
    assert!(diagnostic.message.len() < 200 && diagnostic.notes[0].one_line().len() < 200, "{diagnostic:?}");
}

#[test]
fn a_step_that_is_short_in_characters_is_shown_whole() {
    let value = "ä".repeat(80);
    let source = format!("p {{ main {{ q!<{value}>; q?; stop }} }} | q {{ main {{ p?; stop }} }}");
    let network = network(&source);
    let explanation = explain(&network, &deadlock(&network).unwrap()).unwrap();
    let note = explanation.diagnostic(&network).notes[0].one_line();
    assert_eq!(note, format!("after one step: p.{value} -> q"));
}

#[test]
fn one_more_process_that_is_stuck_is_one_process() {
    let waiting = (1..=13).map(|number| format!(" | p{number} {{ main {{ hub?; stop }} }}"));
    let network = network(&format!("hub {{ main {{ stop }} }}{}", waiting.collect::<String>()));
    let explanation = explain(&network, &deadlock(&network).unwrap()).unwrap();
    let notes: Vec<String> = explanation.diagnostic(&network).notes.iter().map(Note::one_line).collect();
    assert_eq!(notes, ["stuck from the start, before any step", "1 more process is stuck"]);
}

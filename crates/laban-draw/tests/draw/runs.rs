//! The diagram of a run says where everybody is at its end.

use crate::{examples, network};
use laban::semantics::{Configuration, Step};
use laban::simulate::{Scheduler, Session};
use laban_draw::Focus;
use laban_draw::sequence::{self, MermaidSequence, SvgSequence, SvgSteps};
use std::collections::BTreeSet;

/// Takes the first possible step this many times, and draws that.
fn check(source: &str, steps: usize, focus: &Focus, expected: &str) {
    let network = network(source);
    let mut here = Configuration::start(&network);
    let mut run = Vec::new();
    for _ in 0..steps {
        let step = here.steps(&network)[0];
        here.take(&network, step);
        run.push(step);
    }
    let sequence = sequence::run(&network, &run, focus);
    let drawn = MermaidSequence(&sequence).to_string();
    let lines = |text: &str| text.lines().map(|line| line.trim().to_string()).filter(|line| !line.is_empty()).collect();
    let (drawn, expected): (Vec<String>, Vec<String>) = (lines(&drawn), lines(expected));
    assert_eq!(drawn, expected, "{source}");
}

#[test]
fn those_who_have_stopped_and_those_who_are_stuck_get_a_note() {
    check(
        "a { main { b!<x>; stop } } | b { main { a?; c?; a?; stop } } | service c { main { b+l; stop } }",
        1,
        &Focus::default(),
        "sequenceDiagram
         title 1 step, then a deadlock
         participant a
         participant b
         participant c as service c
         a->>b: x
         Note over a: has stopped
         rect rgba(207, 34, 46, 0.25)
         Note over b: stuck, waits for a value from `c`
         end
         Note over c: service, wants to select `l` at `b`",
    );
}

#[test]
fn those_who_wait_for_somebody_who_goes_on_get_no_note() {
    check(
        "a { def X { b!<x>; X } main { X } } | b { def X { a?; X } main { X } } | c { main { a?; stop } }
         | d { main { e?; stop } } | e { main { d?; stop } } | f { main { stop } }",
        2,
        &Focus::default(),
        "sequenceDiagram
         title 2 steps, some are stuck, and there is more to come
         participant a
         participant b
         participant c
         participant d
         participant e
         participant f
         a->>b: x
         a->>b: x
         rect rgba(207, 34, 46, 0.25)
         Note over d: stuck, waits for a value from `e`
         end
         rect rgba(207, 34, 46, 0.25)
         Note over e: stuck, waits for a value from `d`
         end
         Note over f: has stopped",
    );
}

#[test]
fn a_run_is_cut_to_its_focus_and_its_length() {
    let source = "a { main { if k then b!<x>; b!<y>; b!<z>; c!<u>; stop else b!<x>; stop } }
         | b { main { a?; a?; a?; stop } } | c { main { a?; stop } }";
    check(
        source,
        5,
        &Focus { processes: vec!["b".into()], max_items: 2, ..Focus::default() },
        "sequenceDiagram
         title 5 steps, then all have stopped
         participant a
         participant b
         a->>b: x
         Note over a,b: … 1 more step
         a->>b: z
         Note over a: has stopped
         Note over b: has stopped
         Note over a,b: 2 steps of others are left out",
    );
}

#[test]
fn of_very_many_processes_those_who_do_nothing_get_no_lane() {
    let mut source = "a { main { b!<x>; stop } } | b { main { a?; stop } }".to_string();
    (0..100).for_each(|number| source.push_str(&format!(" | p{number} {{ main {{ stop }} }}")));
    check(
        &source,
        1,
        &Focus::default(),
        "sequenceDiagram
         title 1 step, then all have stopped
         participant a
         participant b
         a->>b: x
         Note over a: has stopped
         Note over b: has stopped
         Note over a,b: 100 processes that did nothing are left out",
    );
}

#[test]
fn a_page_finds_every_step_and_the_picture_stays_the_same() {
    for (name, source) in examples("net").into_iter().filter(|(name, _)| name != "ill-formed") {
        let network = network(&source);
        let mut scheduler = Scheduler::new(3, Vec::new());
        let mut session = Session::new(&network);
        while let Some(step) = scheduler.choose(&session).filter(|_| session.len() < 40) {
            assert!(session.take(step));
        }
        let steps: Vec<Step> = session.taken().iter().map(|taken| taken.step).collect();
        let drawn = sequence::run(&network, &steps, &Focus::default());
        let marked = SvgSteps(&drawn).to_string();
        let document = roxmltree::Document::parse(&marked).unwrap_or_else(|error| panic!("{name}: {error}"));
        let groups = |class: &str| {
            let all = document.descendants().filter(|node| node.attribute("class") == Some(class));
            all.collect::<Vec<_>>()
        };
        let mut found: Vec<usize> = Vec::new();
        for group in groups("step") {
            let number = |name: &str| group.attribute(name).and_then(|value| value.parse::<usize>().ok());
            found.extend(number("data-step").into_iter().chain(number("data-taken")));
        }
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, (0..steps.len()).collect::<Vec<_>>(), "{name}");
        let lanes: BTreeSet<&str> = groups("lane").iter().filter_map(|lane| lane.attribute("data-process")).collect();
        assert_eq!(lanes.len(), drawn.diagrams[0].lanes.len(), "{name}");

        // Without the groups, it is the picture that everybody gets.
        let plain = SvgSequence(&drawn).to_string();
        let shapes = |text: &str| {
            let is_shape =
                |line: &&str| !line.starts_with("<g class=\"step\"") && !line.starts_with("<g class=\"lane\"");
            let shapes = text.lines().filter(is_shape).filter(|&line| line != "</g>").map(str::to_string);
            shapes.collect::<Vec<_>>()
        };
        assert_eq!(shapes(&marked), shapes(&plain), "{name}");
    }
}

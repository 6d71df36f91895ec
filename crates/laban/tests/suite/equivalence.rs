//! How differences are shown, what counts as one, and how far comparisons go.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::choreographies::read;
use laban::Limits;
use laban::choreography::{Choreography, Node, project};
use laban::equivalence::{
    Bounded, Bounds, Equivalence, EquivalenceOptions, System, bounded, compare, equivalent_networks,
};
use laban::extraction::search;
use laban::generate::SeededRng;
use laban::network::{self, Network};
use laban::syntax::parse_network;
use laban::{AmendOptions, ProjectOptions};
use std::fmt::Write;

fn net(text: &str) -> Network {
    let parsed = parse_network(text);
    assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
    network::lower(&parsed.tree).network.unwrap_or_else(|| panic!("{text}"))
}

/// The difference between two choreographies, in words.
#[track_caller]
fn check(one: &str, other: &str, expected: &str) {
    let (one, other) = (read(one), read(other));
    let systems = (System::Choreography(&one), System::Choreography(&other));
    let comparison = compare(systems.0, systems.1, &EquivalenceOptions::default(), Bounds::default());
    assert_eq!(words(&comparison.answer), expected);
}

/// An answer in words.
pub(crate) fn words(answer: &Equivalence) -> String {
    match answer {
        Equivalence::Same { .. } => "same".to_string(),
        Equivalence::Undecided { .. } => "unknown".to_string(),
        Equivalence::Different(difference) => difference.sentence("the first", "the second"),
    }
}

#[test]
fn being_stuck_is_not_stopping_but_no_difference() {
    let stops = net("a { main { b!<x>; stop } } | b { main { a?; stop } }");
    let stuck = net("a { main { b!<x>; b!<y>; stop } } | b { main { a?; stop } }");
    let ends = |one: &Network, other: &Network| match equivalent_networks(one, other, &EquivalenceOptions::default()) {
        Equivalence::Same { ends, .. } => ends.map(|ends| ends.sentence("the first", "the second")),
        other => panic!("{other:?}"),
    };
    assert_eq!(ends(&stops, &stops), None);
    assert_eq!(ends(&stuck, &stuck), None);
    let words = "after `a.x -> b`, `a` waits to send `y` to `b` forever in the first but has stopped in the second";
    assert_eq!(ends(&stuck, &stops).as_deref(), Some(words));
    assert!(ends(&stops, &stuck).is_some_and(|words| words.contains("in the second but has stopped in the first")));
    for (sends, waits) in [("b+l", "to select `l` at `b`"), ("b+l<y>", "to select `l` at `b`, with `y`,")] {
        let selects = net(&format!("a {{ main {{ b!<x>; {sends}; stop }} }} | b {{ main {{ a?; stop }} }}"));
        let words = format!("after `a.x -> b`, `a` waits {waits} forever in the first but has stopped in the second");
        assert_eq!(ends(&selects, &stops), Some(words));
    }
    let waits = "service b { main { a?; a?; stop } }";
    assert_eq!(ends(&net(&format!("a {{ main {{ b!<x>; stop }} }} | {waits}")), &stops), None, "a service may wait");
}

#[test]
fn another_value() {
    check(
        "main { a.x -> b; c.y -> d; stop }",
        "main { a.x -> b; c.z -> d; stop }",
        "the first can do `c.y -> d`, but the second cannot: there, `c` sends `z` to `d`",
    );
}

#[test]
fn another_order_of_dependent_actions() {
    check(
        "main { a.x -> b; b.y -> c; b -> a[l]; stop }",
        "main { a.x -> b; b -> a[l]; b.y -> c; stop }",
        "after `a.x -> b`, the first can do `b.y -> c`, but the second cannot: there, `b` selects `l` at `a`",
    );
}

#[test]
fn another_order_of_independent_actions_is_no_difference() {
    check("main { a.x -> b; c.y -> d; stop }", "main { c.y -> d; a.x -> b; stop }", "same");
    check(
        "main { if a.e then c.y -> d; stop else c.y -> d; stop }",
        "main { c.y -> d; if a.e then stop else stop }",
        "same",
    );
}

#[test]
fn branches_the_other_way_round() {
    check(
        "main { if a.t then a -> b[yes]; stop else a -> b[no]; stop }",
        "main { if a.t then a -> b[no]; stop else a -> b[yes]; stop }",
        "after `a decides t: yes`, the first can do `a -> b[yes]`, but the second cannot: there, `a` selects `no` at `b`",
    );
}

#[test]
fn a_decision_less() {
    check(
        "main { a.x -> b; if a.t then stop else stop }",
        "main { a.x -> b; stop }",
        "after `a.x -> b`, the first can let `a` decide `t`, but the second cannot: there, `a` has stopped",
    );
}

#[test]
fn a_loop_that_ends() {
    check(
        "def X { a.x -> b; X } main { X }",
        "main { a.x -> b; a.x -> b; stop }",
        "after `a.x -> b`, `a.x -> b`, the first can do `a.x -> b`, but the second cannot: both have stopped there",
    );
}

#[test]
fn what_comes_after_a_loop_of_others_is_not_forgotten() {
    check(
        "def X { a.x -> b; c.y -> d; X } main { a -> c[go]; X }",
        "def X { a.x -> b; c.y -> d; a.x -> b; c.z -> d; X } main { a -> c[go]; X }",
        "after `a -> c[go]`, `c.y -> d`, the first can do `c.y -> d`, but the second cannot: there, `c` sends `z` to `d`",
    );
}

#[test]
fn without_a_projection_the_comparison_is_bounded() {
    let one = read("main { if a.e then b.x -> c; stop else b.y -> c; stop }");
    let other = read("main { if a.e then b.x -> c; stop else b.z -> c; stop }");
    let run = |one: &Choreography, other: &Choreography| {
        let systems = (System::Choreography(one), System::Choreography(other));
        compare(systems.0, systems.1, &EquivalenceOptions::default(), Bounds::default())
    };
    let in_another_order = read("main { if a.e then b.x -> c; stop else d.v -> f; b.y -> c; stop }");
    let reordered = read("main { if a.e then b.x -> c; stop else b.y -> c; d.v -> f; stop }");
    let bounded = run(&in_another_order, &reordered);
    assert!(bounded.answer.is_same() && !bounded.is_exact());
    assert_eq!(
        run(&one, &other).difference().unwrap().sentence("the first", "the second"),
        "after `a decides e: no`, the first can do `b.y -> c`, but the second cannot"
    );
}

#[test]
fn services_are_compared_on_demand() {
    let one = net("p { main { q!<x>; stop } } | service q { def X { p?; X } main { X } }");
    let other = net("p { main { q!<x>; stop } } | q { def X { p?; X } main { X } }");
    assert!(equivalent_networks(&one, &other, &EquivalenceOptions::default()).is_same());
    let answer =
        equivalent_networks(&one, &other, &EquivalenceOptions { services: true, ..EquivalenceOptions::default() });
    assert_eq!(
        answer.difference().unwrap().sentence("one", "the other"),
        "`q` is a service in one but not in the other"
    );
}

#[test]
fn a_process_that_never_acts_may_be_missing() {
    let one = net("p { main { q!<x>; stop } } | q { main { p?; stop } } | r { main { stop } }");
    let other = net("q { main { p?; stop } } | p { main { q!<x>; stop } }");
    assert!(equivalent_networks(&one, &other, &EquivalenceOptions::default()).is_same());
}

#[test]
fn a_choreography_extracted_with_a_service_is_that_network() {
    let text = "a { def X { b!<y>; if e then log!<x>; X else X } main { X } } | b { def X { a?; X } main { X } }
        | service log { def X { a?; X } main { X } }";
    let network = net(text);
    let choreography = search(&network, &Default::default()).choreography.unwrap();
    let comparison = compare(
        System::Choreography(&choreography),
        System::Network(&network),
        &EquivalenceOptions { services: true, ..EquivalenceOptions::default() },
        Bounds::default(),
    );
    assert!(comparison.is_exact() && comparison.answer.is_same());
}

#[test]
fn a_limit_leaves_it_undecided() {
    let one = read("def X { a.x -> b; a.y -> b; X } main { X }");
    let other = read("def X { a.x -> b; a.y -> b; a.x -> b; a.z -> b; X } main { X }");
    let (one, other) = (
        project(&one, &ProjectOptions::default()).unwrap().network,
        project(&other, &ProjectOptions::default()).unwrap().network,
    );
    let limits = Limits { max_states: Some(1), ..Limits::default() };
    let answer = equivalent_networks(&one, &other, &EquivalenceOptions { limits, ..EquivalenceOptions::default() });
    assert!(matches!(answer, Equivalence::Undecided { .. }));
}

#[test]
fn very_many_actions_go_there_and_back_on_a_small_stack() {
    let work = || {
        let mut dice = SeededRng::new(1);
        let mut text = String::new();
        let (blocks, actions) = (crate::scaled(600, 2_000), 50);
        for block in 0..blocks {
            let _ = write!(text, "def B{block} {{ ");
            for number in 0..actions {
                let from = dice.below(6);
                let to = (from + 1 + dice.below(5)) % 6;
                let _ = write!(text, "p{from}.m{number} -> p{to}; ");
            }
            let _ = write!(text, "if p{}.c then B{} else ", dice.below(6), (block + 1) % blocks);
            let next = if block + 2 < blocks { format!("B{} }} ", block + 2) } else { "stop } ".to_string() };
            text.push_str(&next);
        }
        text.push_str("main { B0 }");
        let tree = laban::syntax::parse_choreography(&text).tree;
        let amended = laban::choreography::amend(&tree, &AmendOptions::default()).unwrap();
        let choreography = laban::choreography::lower(&amended.tree).choreography.unwrap();
        let network = project(&choreography, &ProjectOptions::default()).unwrap().network;
        let again = search(&network, &Default::default()).choreography.unwrap();
        assert!(
            equivalent_networks(
                &project(&again, &ProjectOptions::default()).unwrap().network,
                &network,
                &EquivalenceOptions::default()
            )
            .is_same()
        );
    };
    std::thread::Builder::new().stack_size(256 * 1024).spawn(work).unwrap().join().unwrap();
}

#[test]
fn examples_are_the_same_after_extraction() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (mut compared, mut races) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "net") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let Some(network) = network::lower(&parse_network(&text).tree).network else { continue };
        let Some(choreography) = search(&network, &Default::default()).choreography else { continue };
        let systems = (System::Choreography(&choreography), System::Network(&network));
        let comparison = compare(systems.0, systems.1, &EquivalenceOptions::default(), Bounds::default());
        if text.contains("any {") {
            // What comes of a race may have no projection; then it is compared as it is written, as far as that goes.
            assert!(comparison.answer.difference().is_none(), "{path:?}");
            races += usize::from(comparison.answer.is_same());
            continue;
        }
        assert!(comparison.is_exact() && comparison.answer.is_same(), "{path:?}");
        compared += 1;
    }
    assert!(compared > 20 && races >= 5, "{compared} without races, {races} with races");
}

/// The choreographies of a folder, by their text: whole files, or of goldens the part before the first command.
fn choreographies(folder: &str, extension: &str) -> Vec<(String, Choreography)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    let read = paths.into_iter().filter_map(|path| {
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.split("\n===").next().unwrap_or_default().to_string();
        let parsed = laban::syntax::parse_choreography(&text);
        let choreography = laban::choreography::lower(&parsed.tree).choreography?;
        parsed.diagnostics.is_empty().then_some((path.display().to_string(), choreography))
    });
    read.collect()
}

fn compared(one: &Choreography, other: &Choreography, limits: Limits<'_>) -> laban::equivalence::Comparison {
    let options = EquivalenceOptions { limits, ..EquivalenceOptions::default() };
    compare(System::Choreography(one), System::Choreography(other), &options, Bounds::default())
}

#[test]
fn a_choreography_is_the_same_as_itself_whether_it_has_a_projection_or_not() {
    let all = [("../../examples", "chor"), ("../laban-cli/tests/goldens/projection", "txt")];
    let mut unprojectable = 0;
    for (name, choreography) in all.into_iter().flat_map(|(folder, extension)| choreographies(folder, extension)) {
        let comparison = compared(&choreography, &choreography, Limits::states(0));
        assert!(comparison.answer.is_same() && comparison.is_exact(), "{name}");
        unprojectable += u32::from(project(&choreography, &ProjectOptions::default()).is_err());
    }
    assert!(unprojectable >= 25, "{unprojectable}");
}

#[test]
fn names_of_procedures_and_the_order_of_parts_make_no_difference() {
    let mut unprojectable = 0;
    for seed in 0..crate::cases(2_000) {
        let mut dice = SeededRng::new(seed);
        let shape = crate::choreographies::Shape {
            procedures: 1 + dice.below(4),
            ..crate::choreographies::Shape::random(&mut dice)
        };
        let text = crate::choreographies::text(&mut dice, shape);
        let renamed = text.replace('X', "Buy").replace('Y', "Sell").replace('Z', "Wait").replace('W', "X");
        let swapped = match renamed.split_once(" || ") {
            Some((first, second)) => format!("{second} || {first} || main {{ stop }}"),
            None => renamed,
        };
        let (one, other) = (read(&text), read(&swapped));
        let comparison = compared(&one, &other, Limits::states(0));
        assert!(comparison.answer.is_same() && comparison.is_exact(), "seed {seed}: {text}");
        unprojectable += u32::from(project(&one, &ProjectOptions::default()).is_err());
    }
    assert!(unprojectable > 600, "{unprojectable} have no projection");
}

#[test]
fn choreographies_with_groups_are_compared_message_by_message() {
    check("main { (a.x -> b, b.y -> a); stop }", "main { (b.y -> a, a.x -> b); stop }", "same");
    let other_value =
        "the first can let `a` put `x` into the queue to `b`, but the second cannot: there, `a` sends `z` to `b`";
    check("main { (a.x -> b, b.y -> a); stop }", "main { (b.y -> a, a.z -> b); stop }", other_value);
}

#[test]
fn the_bounded_comparison_looks_as_far_ahead_as_it_is_told_to() {
    let many = "p.x -> q; ".repeat(15_000);
    let (one, other) = (read(&format!("main {{ {many}r.y -> s; stop }}")), read(&format!("main {{ {many}stop }}")));
    let (one, other) = (System::Choreography(&one), System::Choreography(&other));
    let bounds = Bounds { pairs: 1, ahead: usize::MAX };
    let Bounded::Different(difference) = bounded(one, other, bounds, &Limits::default()) else {
        panic!("the last step of the one comes first in it, too");
    };
    assert!(difference.run.is_empty());
}

#[test]
fn nothing_comes_after_an_end_however_near_one_looks() {
    let (one, other) = (read("main { p.x -> q; stop }"), read("main { p.x -> q; stop } || main { r.y -> s; stop }"));
    for ahead in 1..4 {
        let bounds = Bounds { pairs: 10, ahead };
        let answer = bounded(System::Choreography(&one), System::Choreography(&other), bounds, &Limits::default());
        let Bounded::Different(difference) = answer else { panic!("they differ") };
        assert_eq!(difference.sentence("one", "two"), "two can do `r.y -> s`, but one cannot");
    }
}

/// What comes after more than 20,000 others is not looked at, however far one may look.
#[test]
fn a_question_looks_at_so_many_nodes() {
    let after = |count: usize| read(&format!("main {{ {} r.y -> s; stop }}", "p.x -> q; ".repeat(count)));
    let other = read("main { p.x -> q; stop } || main { r.z -> s; stop }");
    let bounds = Bounds { pairs: 1, ahead: 30_000 };
    let answer = |one: &Choreography| {
        bounded(System::Choreography(one), System::Choreography(&other), bounds, &Limits::default())
    };
    assert!(matches!(answer(&after(19_000)), Bounded::Different(_)));
    assert!(matches!(answer(&after(20_001)), Bounded::Unknown(_)));
}

/// Where there is a queue, each interaction on it is a message that is put and one that is taken.
#[test]
fn whatever_waits_somewhere_has_a_queue() {
    let without = |text: &str, left_out: fn(Node) -> bool| {
        let mut parts = read(text).into_parts();
        for node in (0..parts.nodes.len()).rev() {
            if let (true, Node::Put { next, .. } | Node::Take { next, .. }) =
                (left_out(parts.nodes[node]), parts.nodes[node])
            {
                parts.nodes[node] = parts.nodes[next.index()];
            }
        }
        Choreography::from_parts(parts).unwrap()
    };
    let sentence = |one: &Choreography, other: &Choreography| {
        let bounds = Bounds::default();
        match bounded(System::Choreography(one), System::Choreography(other), bounds, &Limits::default()) {
            Bounded::Different(difference) => difference.sentence("one", "two"),
            _ => "no difference is found".to_string(),
        }
    };
    // Messages that are only put.
    let is_take = |node: Node| matches!(node, Node::Take { .. });
    let one = without("main { p.x ~> q; q <~ p; p.y -> q; stop }", is_take);
    let two = without("main { p.x ~> q; q <~ p; stop }", is_take);
    assert_eq!(
        sentence(&one, &two),
        "after `p puts x into the queue to q`, one can let `p` put `y` into the queue to `q`, but two cannot"
    );
    // Messages that are only taken.
    let is_put = |node: Node| matches!(node, Node::Put { .. });
    let one = without("main { p.x ~> q; q <~ p; p.y -> q; stop }", is_put);
    let two = without("main { p.x ~> q; q <~ p; stop }", is_put);
    assert_eq!(sentence(&one, &two), "one can let `p` put `y` into the queue to `q`, but two cannot");
    // Messages that cross.
    let (one, two) =
        (read("main { (p.x -> q, q.z -> p); p.y -> q; stop }"), read("main { (p.x -> q, q.z -> p); stop }"));
    assert!(sentence(&one, &two).ends_with("one can let `p` put `y` into the queue to `q`, but two cannot"));
}

/// In a system with choices, those who have none are still followed under one schedule.
#[test]
fn parts_that_have_nothing_to_do_with_each_other_are_compared_one_by_one() {
    // Two who talk, and two others, and somebody who waits for both in vain.
    let talk = |rest: &str| {
        let pair = |one: &str, other: &str| {
            format!(
                "{one} {{ def X {{ {other}!<x>; {other}?; X }} main {{ X }} }}
                 | {other} {{ def X {{ {one}?; {one}!<y>; X }} main {{ X }} }} | "
            )
        };
        format!("{} {} r {{ main {{ {rest} stop }} }}", pair("a", "b"), pair("c", "d"))
    };
    let choice = |rest: &str| {
        format!("s {{ main {{ choose {{ t!<x>; stop, t!<y>; stop }} }} }} | t {{ main {{ s?; {rest} stop }} }}")
    };
    let pairs =
        |one: &str, other: &str| match equivalent_networks(&net(one), &net(other), &EquivalenceOptions::default()) {
            Equivalence::Same { pairs, .. } => pairs,
            answer => panic!("{}", words(&answer)),
        };
    let (talks, choices) = ([talk("a?; c?;"), talk("c?; a?;")], [choice(""), choice("s?;")]);
    let both = [0, 1].map(|side| format!("{} | {}", talks[side], choices[side]));
    assert_eq!(pairs(&both[0], &both[1]), pairs(&talks[0], &talks[1]) + pairs(&choices[0], &choices[1]));
}

//! Projections of choices and races: what they look like, the messages where there isn't one, and that a network
//! follows the choreography that it was projected from.

use crate::choreographies::{lower, read, tree};
use crate::projection;
use crate::projection_laws::{compare_with_fewer, has_projection, only_selections_were_added};
use crate::{cases, long_cases};
use laban::choreography::{Choreography, Node, NodeId, NotProjected, ProjectOptions, amend, project};
use laban::equivalence::{Mismatch, NotVerified, Reason, VerifyOptions, verify};
use laban::generate::SeededRng;
use laban::network::{self, Network, ProcessId, State};
use laban::semantics::{Configuration, Step};
use laban::syntax::Compact;
use laban::{AmendOptions, Unamendable};
use std::collections::BTreeSet;

#[track_caller]
fn check(text: &str, expected: &str) {
    projection::check(text, expected);
    assert_eq!(strays(&read(text), &project(&read(text), &ProjectOptions::default()).unwrap().network), None);
}

/// What is wrong with a choreography that has no projection.
pub(crate) fn messages(text: &str) -> Vec<String> {
    let choreography = read(text);
    let failures =
        project(&choreography, &ProjectOptions::default()).err().map_or(Vec::new(), NotProjected::into_reasons);
    failures.iter().map(|failure| failure.diagnostic(&choreography).message).collect()
}

/// Where a network does not follow a choreography, by the plain semantics: both are walked together, and at each node
/// all that can happen within a closed set must be what the node says.
pub(crate) fn strays(choreography: &Choreography, network: &Network) -> Option<String> {
    let all: Vec<ProcessId> = network.process_ids().collect();
    for &start in choreography.starts() {
        let mut seen: BTreeSet<(u32, Configuration)> = BTreeSet::new();
        let mut work = vec![(start, Configuration::start(network))];
        while let Some((node, configuration)) = work.pop() {
            if seen.len() > 20_000 || !seen.insert((node.0, configuration.clone())) {
                continue;
            }
            let steps: Vec<(Step, NodeId)> = steps(choreography, node);
            if steps.is_empty() {
                let running = acting(choreography, start)
                    .into_iter()
                    .find(|&process| !configuration.has_stopped(network, process));
                if let Some(process) = running {
                    return Some(format!("{} has not stopped", network.process_name(process)));
                }
            }
            let expected: BTreeSet<Step> = steps.iter().map(|&(step, _)| step).collect();
            let waits = configuration.waits(network, &all);
            let closed = waits.closure(expected.iter().flat_map(|step| step.actors()));
            let possible: BTreeSet<Step> = waits.steps(&closed).collect();
            let decides = expected.iter().any(|step| !matches!(step, Step::Interaction(_)));
            if possible != expected && !(decides && expected.is_subset(&possible)) {
                return Some(format!("{possible:?} instead of {expected:?}"));
            }
            for (step, next) in steps {
                let mut after = configuration.clone();
                assert!(after.take(network, step));
                work.push((next, after));
            }
        }
    }
    None
}

/// What happens at a node, and where it leads.
fn steps(choreography: &Choreography, node: NodeId) -> Vec<(Step, NodeId)> {
    match choreography.node(node) {
        Node::Stop => Vec::new(),
        Node::Interaction { interaction, next } => vec![(Step::Interaction(interaction), next)],
        Node::Group { .. } | Node::Put { .. } | Node::Take { .. } => panic!("a group was projected"),
        Node::If { process, condition, then, otherwise } => {
            let step = |holds: bool| Step::Decision { process, condition, holds };
            vec![(step(true), then), (step(false), otherwise)]
        }
        Node::Choose { process, arms } => {
            let arms = choreography.arms(arms).iter().enumerate();
            arms.map(|(arm, &next)| (Step::Choice { process, arm: arm as u32 }, next)).collect()
        }
        Node::Any { items } => choreography.arms(items).iter().flat_map(|&item| steps(choreography, item)).collect(),
    }
}

/// The processes that act in a part.
fn acting(choreography: &Choreography, start: NodeId) -> Vec<ProcessId> {
    let mut acting = BTreeSet::new();
    let mut seen = BTreeSet::from([start]);
    let mut work = vec![start];
    while let Some(node) = work.pop() {
        acting.extend(steps(choreography, node).iter().flat_map(|(step, _)| step.actors()));
        work.extend(choreography.successors(node).filter(|&next| seen.insert(next)));
    }
    acting.into_iter().collect()
}

#[test]
fn a_choice_of_several_arms_is_one_of_the_process_that_chooses() {
    check(
        "main { choose p { p -> q[l]; stop, p.x -> q[m]; q.y -> p; stop, p -> q[n]; stop } }",
        "p { main { choose { q+l; stop, q+m<x>; q?; stop, q+n; stop } } } |
         q { main { p&{l: stop, m: p!<y>; stop, n: stop} } }",
    );
}

#[test]
fn a_server_without_memory_takes_requests_in_any_order() {
    check(
        "def X { any { a.x -> s; X, b.y -> s; X, c -> s[l]; X } } main { X }",
        "a { def X { s!<x>; X } main { X } } |
         s { def X { any { a?; X, b?; X, c&{l: X} } } main { X } } |
         b { def X { s!<y>; X } main { X } } |
         c { def X { s+l; X } main { X } }",
    );
}

#[test]
fn clients_wait_for_the_answer_to_their_own_request() {
    check(
        "def X { any { a.x -> s; s.r -> a; X, b.y -> s; s.r -> b; X } } main { X }",
        "a { def X { s!<x>; s?; X } main { X } } |
         s { def X { any { a?; a!<r>; X, b?; b!<r>; X } } main { X } } |
         b { def X { s!<y>; s?; X } main { X } }",
    );
}

#[test]
fn a_hub_that_gives_is_a_hub_as_well() {
    check(
        "def X { any { s.x -> a; X, s.x -> b; X, s -> b[l]; b.y -> s; X } } main { X }",
        "s { def X { any { a!<x>; X, b!<x>; X, b+l; b?; X } } main { X } } |
         a { def X { s?; X } main { X } } |
         b { def X { any { s?; X, s&{l: s!<y>; X} } } main { X } }",
    );
}

#[test]
fn a_client_that_comes_second_is_told_by_the_hub() {
    check(
        "main { any { a.x -> s; s -> b[no]; stop, b.y -> s; s -> a[no]; stop } }",
        "a { main { any { s!<x>; stop, s&{no: stop} } } } |
         s { main { any { a?; b+no; stop, b?; a+no; stop } } } |
         b { main { any { s!<y>; stop, s&{no: stop} } } }",
    );
}

#[test]
fn offers_of_one_client_are_one_item() {
    check(
        "def X { any { a -> s[l]; X, a -> s[m]; s.y -> b; X, b.z -> s; X } } main { X }",
        "a { def X { any { s+l; X, s+m; X } } main { X } } |
         s { def X { any { a&{l: X, m: b!<y>; X}, b?; X } } main { X } } |
         b { def X { any { s!<z>; X, s?; X } } main { X } }",
    );
}

#[test]
fn two_processes_can_race_with_each_other_both_ways() {
    check(
        "main { any { p.x -> q; stop, q.y -> p; q.z -> p; stop } }",
        "p { main { any { q!<x>; stop, q?; q?; stop } } } | q { main { any { p?; stop, p!<y>; p!<z>; stop } } }",
    );
}

#[test]
fn whoever_is_not_told_which_comes_first_is_named_with_the_hub() {
    assert_eq!(
        messages("main { any { a.x -> s; stop, b.y -> s; stop } }"),
        [
            "`a` is not told by `s` which comes first: it must do `s!<x>; …` if `a.x -> s` comes first, and `stop` if \
             `b.y -> s` does",
            "`b` is not told by `s` which comes first: it must do `stop` if `a.x -> s` comes first, and `s!<y>; …` if \
             `b.y -> s` does"
        ]
    );
    assert_eq!(
        messages("main { any { a.x -> s; s.v -> c; stop, b.y -> s; s.w -> b; s.x -> a; s -> c[l]; stop } }").first(),
        Some(
            &"`c` is not told by `s` which comes first: it must do `s?; …` if `a.x -> s` comes first, and `s&{l: …}` \
              if `b.y -> s` does"
                .to_string()
        )
    );
}

#[test]
fn whoever_is_not_told_what_is_chosen_is_named_with_the_arms() {
    assert_eq!(
        messages("main { choose p { stop, stop, q.x -> p; stop } }"),
        ["`q` is not told what `p` chooses: it must do `stop` in its first arm, and `p!<x>; …` in its third arm"]
    );
}

#[test]
fn a_hub_that_receives_two_values_from_one_process_does_the_same_after_both() {
    check(
        "def X { any { a.x -> s; X, a.y -> s; X, b.z -> s; X } } main { X }",
        "a { def X { any { s!<x>; X, s!<y>; X } } main { X } } |
         s { def X { any { a?; X, b?; X } } main { X } } |
         b { def X { s!<z>; X } main { X } }",
    );
    assert_eq!(
        messages("def X { any { a.x -> s; X, a.y -> s; s.w -> a; X, b.z -> s; X } } main { X }"),
        ["`s` is not told by `a` which comes first: it must do `any { …}` if `a.x -> s` comes first, and `a!<w>; …` \
             if `a.y -> s` does"]
    );
}

#[test]
fn a_race_without_a_process_in_all_its_items_has_no_projection() {
    let text = "main { any { a.x -> s; stop, b.y -> t; stop } }";
    let reason = "the items of this `any` have no process in common, so nobody can tell the others which came first";
    assert_eq!(messages(text), [reason]);
    match amend(&tree(text), &AmendOptions::default()) {
        Err(Unamendable::Unprojectable(reasons)) => assert_eq!(reasons[0].diagnostic(&read(text)).message, reason),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_client_does_not_race_where_its_hub_could_do_both() {
    // If a does not know what d decides, then neither a nor s knows whose turn it is.
    let text =
        "def X { any { a.x -> s; X, b.y -> s; Y } } def Y { if d.e then a.x -> s; X else s -> a[l]; X } main { X }";
    assert!(!messages(text).is_empty());
}

/// A random choreography with choices and races, as text.
fn random_text(rng: &mut SeededRng, size: usize) -> String {
    let processes = 3 + rng.below(3);
    let procedures = rng.below(3);
    let mut text = String::new();
    for name in &["X", "Y"][..procedures] {
        text += &format!("def {name} {{ ");
        let budget = 1 + rng.below(size);
        fill(rng, processes, procedures, budget, true, &mut text);
        text += " } ";
    }
    text += "main { ";
    let budget = 1 + rng.below(size);
    fill(rng, processes, procedures, budget, true, &mut text);
    text + " }"
}

fn interaction(rng: &mut SeededRng, [from, to]: [&str; 2]) -> String {
    let (value, label) = (["x", "y"][rng.below(2)], ["l", "m"][rng.below(2)]);
    match rng.below(5) {
        0 | 1 => format!("{from}.{value} -> {to}"),
        2 | 3 => format!("{from} -> {to}[{label}]"),
        _ => format!("{from}.{value} -> {to}[{label}]"),
    }
}

fn fill(rng: &mut SeededRng, processes: usize, procedures: usize, budget: usize, guard: bool, text: &mut String) {
    const NAMES: [&str; 5] = ["a", "b", "c", "d", "s"];
    let mut guard = guard;
    let mut left = budget;
    while left > 0 {
        left -= 1;
        let kind = rng.below(10);
        // Mostly the same hub: where two are each a hub of the other, selections may not help.
        let first = if rng.chance(60) { 0 } else { rng.below(processes) };
        let second = 1 + rng.below(processes - 1);
        let (first, second) = (NAMES[first], NAMES[(first + second) % processes]);
        if kind < 2 && !guard {
            text.push_str(&format!("choose {first} {{ "));
            for arm in 0..2 + rng.below(2) {
                text.push_str(if arm > 0 { ", " } else { "" });
                fill(rng, processes, procedures, left / 2, guard, text);
            }
            text.push_str(" }");
            return;
        }
        if kind < 6 && left > 0 {
            let mut items: Vec<String> = Vec::new();
            for _ in 0..2 + rng.below(2) {
                let client = NAMES[rng.below(processes)];
                let client = if client == first { second } else { client };
                let pair = if rng.one_in(4) { [first, client] } else { [client, first] };
                let item = interaction(rng, pair);
                if !items.contains(&item) {
                    items.push(item);
                }
            }
            if items.len() > 1 {
                text.push_str("any { ");
                for (number, item) in items.iter().enumerate() {
                    text.push_str(if number > 0 { ", " } else { "" });
                    text.push_str(&format!("{item}; "));
                    fill(rng, processes, procedures, left / 2, false, text);
                }
                text.push_str(" }");
                return;
            }
        }
        text.push_str(&format!("{}; ", interaction(rng, [first, second])));
        guard = false;
    }
    match procedures > 0 && !guard && rng.chance(75) {
        true => text.push_str(["X", "Y"][rng.below(procedures)]),
        false => text.push_str("stop"),
    }
}

#[test]
fn networks_follow_the_choreographies_that_they_are_projected_from() {
    let cases = cases(20_000);
    let (mut projected, mut certified, mut races, mut both) = (0, 0, 0, 0);
    for seed in 0..cases {
        let mut rng = SeededRng::new(seed);
        let text = random_text(&mut rng, 6);
        let choreography = lower(&tree(&text));
        let Ok(projection) = project(&choreography, &ProjectOptions::default()) else { continue };
        let network = projection.network;
        assert_eq!(
            strays(&choreography, &network),
            None,
            "seed {seed}: {text}\n{}",
            Compact(&projection_tree(&network))
        );
        // A choreography may starve somebody; then its projection does.
        match verify(&network, &choreography, &VerifyOptions::default()) {
            Ok(_) => certified += 1,
            Err(NotVerified::Mismatch(Mismatch { reason: Reason::Starved { .. }, .. })) => {}
            Err(error) => panic!("seed {seed}: {text}: {error:?}"),
        }
        projected += 1;
        races += u64::from(choreography.nodes().iter().any(|node| matches!(node, Node::Any { .. })));
        both += u64::from(has_told_client(&network));
    }
    assert!(projected > cases / 20 && races > cases / 50 && both > cases / 200, "{projected}, {races}, {both}");
    assert!(certified > projected / 2, "{certified} of {projected}");
}

fn projection_tree(network: &Network) -> laban::syntax::NetworkTree {
    network::read_off(network, &[])
}

/// Whether some process waits to be told and could also act itself.
fn has_told_client(network: &Network) -> bool {
    let mixes = |state: &State| {
        let State::Any { items } = *state else { return false };
        let offers = |&&item: &&network::StateId| matches!(network.state(item), State::Offer { .. });
        let items = network.arms(items);
        let told = items.iter().filter(offers).count();
        told > 0 && told < items.len()
    };
    network.states().iter().any(mixes)
}

/// The amended text.
fn amended(text: &str) -> String {
    let amended = amend(&tree(text), &AmendOptions::default()).unwrap();
    assert!(amended.fewest, "{}", Compact(&amended.tree));
    Compact(&amended.tree).to_string()
}

#[test]
fn the_hub_tells_those_who_come_second() {
    assert_eq!(
        amended("main { any { a.x -> s; stop, b.y -> s; stop } }"),
        "main { any { a.x -> s; s -> b[L]; stop, b.y -> s; s -> a[R]; stop } }"
    );
}

#[test]
fn whoever_chooses_tells_in_each_arm() {
    assert_eq!(
        amended("main { choose p { q.x -> p; stop, q.y -> p; stop } }"),
        "main { choose p { p -> q[L]; q.x -> p; stop, p -> q[R]; q.y -> p; stop } }"
    );
    assert_eq!(
        amended("main { choose p { q.x -> p; stop, q.y -> p; stop, q.z -> p; stop } }"),
        "main { choose p { p -> q[A1]; q.x -> p; stop, p -> q[A2]; q.y -> p; stop, p -> q[A3]; q.z -> p; stop } }"
    );
}

#[test]
fn whoever_knows_which_value_it_was_tells_the_hub() {
    assert_eq!(
        amended("def X { any { a.x -> s; X, a.y -> s; s.w -> a; X, b.z -> s; X } } main { X }"),
        "def X { any { a.x -> s; a -> s[A1]; X, a.y -> s; a -> s[A2]; s.w -> a; X, b.z -> s; X } } main { X }"
    );
}

#[test]
fn amended_choices_and_races_project_and_have_only_selections_more() {
    let cases = long_cases(100, 250);
    let (mut added, mut refused, mut given_up) = (0, 0, 0);
    for seed in 0..cases {
        let mut rng = SeededRng::new(seed);
        let text = random_text(&mut rng, 4);
        let before = tree(&text);
        let had_projection = has_projection(&lower(&before), &[]);
        let amended = match amend(&before, &AmendOptions::default()) {
            Ok(amended) => amended,
            Err(Unamendable::Unprojectable(reasons)) => {
                assert!(!reasons.is_empty() && !had_projection, "seed {seed}: {text}");
                refused += 1;
                continue;
            }
            Err(error) => panic!("seed {seed}: {text}: {error}"),
        };
        let after = lower(&amended.tree);
        let projection = project(&after, &ProjectOptions::default())
            .unwrap_or_else(|error| panic!("seed {seed}: {text}: {error:?}\n{}", Compact(&amended.tree)));
        assert_eq!(strays(&after, &projection.network), None, "seed {seed}: {text}");
        assert!(only_selections_were_added(&before, &amended), "seed {seed}: {text}");
        assert_eq!(amended.added.is_empty(), had_projection, "seed {seed}: {text}");
        added += amended.added.len() as u64;
        given_up += u64::from(!amended.fewest);
    }
    assert!(added > cases && refused < cases / 10 && given_up < cases / 2, "{added}, {refused}, {given_up}");
}

#[test]
fn no_fewer_selections_would_do_for_choices_and_races() {
    /// The most terms that a choreography may have.
    const MOST_TERMS: usize = 9;
    let cases = cases(4_000);
    let mut compared = [0; 6];
    for seed in 0..cases {
        let mut rng = SeededRng::new(seed);
        let text = random_text(&mut rng, 4);
        let before = tree(&text);
        let services: &[&str] = if rng.one_in(4) { &["a"] } else { &[] };
        let choreography = lower(&before);
        if before.terms.len() > MOST_TERMS || !choreography.has_choices() || has_projection(&choreography, services) {
            continue;
        }
        if amend(&before, &AmendOptions { services, ..AmendOptions::default() }).is_err() {
            continue;
        }
        if let Some(fewer) = compare_with_fewer(seed, &text, services) {
            compared[fewer.min(5)] += 1;
        }
    }
    assert!(compared[0] >= cases / 80 && compared[1] >= cases / 40 && compared[2] >= cases / 200, "{compared:?}");
}

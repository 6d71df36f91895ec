//! Comparing systems with choices, races, labelled values and idle waits: by hand, by laws and against a naive twin.

mod generator;
mod twin;
mod written;

use crate::cases;
use generator::{KINDS, Shape, System, random};
use laban::equivalence::{Bounded, Bounds, Conditions, Equivalence, EquivalenceOptions, bounded, equivalent_networks};
use laban::generate::SeededRng;
use laban::network::{Network, components};
use laban::semantics::{Configuration, Step};
use laban::{Limits, analyse};
use twin::{Verdict, replay};

fn shape(dice: &mut SeededRng) -> Shape {
    let (loops, couples) = (dice.chance(70), dice.chance(40));
    Shape { depth: 1 + usize::from(!couples) + dice.below(2), arms: dice.chance(85), loops, couples }
}

fn network(system: &System) -> Option<Network> {
    analyse(system.text()).into_network().ok()
}

fn compared(one: &Network, other: &Network, conditions: Conditions) -> Equivalence {
    equivalent_networks(one, other, &EquivalenceOptions { conditions, ..EquivalenceOptions::default() })
}

#[test]
fn the_walk_by_closed_sets_agrees_with_all_interleavings() {
    let cases = cases(12_000);
    let (mut same, mut different, mut walked, mut large, mut ends, mut by_name) = (0, 0, 0, 0, 0, 0);
    let mut kinds = [0; KINDS.len()];
    for seed in 0..cases {
        let mut dice = SeededRng::new(seed);
        let shape = shape(&mut dice);
        let one = random(&mut dice, shape);
        let mut other = one.clone();
        if dice.chance(50) {
            other = other.shuffled(&mut dice);
        }
        if dice.chance(50) {
            other = other.unrolled(&mut dice);
        }
        if dice.chance(40) {
            other = other.padded();
        }
        let mut edits = Vec::new();
        for _ in 0..dice.below(3) {
            let kind = dice.below(KINDS.len());
            if let Some(edited) = other.edited(&mut dice, kind) {
                other = edited;
                edits.push(kind);
            }
        }
        let (Some(first), Some(second)) = (network(&one), network(&other)) else { continue };
        let conditions = if dice.chance(30) { Conditions::Any } else { Conditions::ByText };
        let expected = twin::compare(&first, &second, conditions, 2_000);
        let context = || format!("seed {seed}, {conditions:?}:\n{}\n{}", one.text(), other.text());
        for (one, other) in [(&first, &second), (&second, &first)] {
            match (compared(one, other, conditions), expected) {
                (Equivalence::Same { pairs, ends: found }, Verdict::Same { ends: expected, pairs: all }) => {
                    assert_eq!(found.is_some(), expected, "{}", context());
                    found.iter().for_each(|found| replay(found, one, other, conditions));
                    same += 1;
                    walked += u32::from(pairs > 3);
                    large += u32::from(all > 20 && pairs > 3);
                    ends += u32::from(expected);
                }
                (Equivalence::Different(difference), Verdict::Different) => {
                    replay(&difference, one, other, conditions);
                    by_name += u32::from(difference.is_about_a_name());
                    different += 1;
                }
                (_, Verdict::TooMany) => continue,
                (found, expected) => panic!("{}\n{expected:?}, but {found:?}", context()),
            }
            edits.iter().for_each(|&kind| kinds[kind] += 1);
        }
    }
    let told = format!(
        "{same} same ({walked} not at once, {large} large, {ends} with different ends), {different} different \
         ({by_name} by a name), edits {kinds:?}"
    );
    let cases = cases as u32;
    assert!(same > cases && different > cases / 3 && walked > cases / 4, "{told}");
    assert!(large > cases / 12 && ends > cases / 200 && by_name > cases / 40, "{told}");
    assert!(kinds.iter().all(|&count| count > cases / 10), "{told}");
}

#[test]
fn unrolling_and_the_order_of_items_make_no_difference() {
    let cases = cases(4_000);
    let mut compared = 0;
    for seed in 0..cases {
        let mut dice = SeededRng::new(seed);
        let shape = Shape { arms: true, ..shape(&mut dice) };
        let one = random(&mut dice, shape);
        let other = one.unrolled(&mut dice).shuffled(&mut dice);
        let padded = other.padded();
        let (Some(first), Some(second), Some(third)) = (network(&one), network(&other), network(&padded)) else {
            continue;
        };
        for conditions in [Conditions::ByText, Conditions::Any] {
            let same = |one: &Network, other: &Network| self::compared(one, other, conditions).is_same();
            let context = || format!("seed {seed}:\n{}\n{}", one.text(), padded.text());
            assert!(same(&first, &first), "{}", context());
            assert!(same(&first, &second) && same(&second, &first), "{}", context());
            assert!(same(&first, &third) && same(&third, &second), "{}", context());
        }
        compared += 1;
    }
    assert!(compared > cases / 2, "{compared}");
}

/// The choreography of a network that has no loops, by the book: all that can happen within one closed set at a time.
fn choreography(network: &Network, at: &Configuration) -> String {
    let component: Vec<_> = network.process_ids().collect();
    let waits = at.waits(network, &component);
    let Some(live) = component.iter().find(|&&process| !waits.is_dead(process)) else { return "stop".to_string() };
    let set = waits.closure([*live]);
    let decides = set.iter().find(|&&process| at.state(network, process).decides());
    let among = decides.map_or(set.clone(), |&process| vec![process]);
    let name = |process| network.process_name(process);
    let after: Vec<(Step, String)> = waits
        .steps(&among)
        .map(|step| {
            let mut after = at.clone();
            after.take(network, step);
            (step, choreography(network, &after))
        })
        .collect();
    let words: Vec<String> = after
        .iter()
        .map(|(step, rest)| match step {
            Step::Interaction(_) => format!("{}; {rest}", step.describe(network)),
            _ => rest.clone(),
        })
        .collect();
    match (after.first().map(|(step, _)| *step), &words[..]) {
        (Some(Step::Decision { process, condition, .. }), [then, otherwise]) => {
            format!("if {}.{} then {then} else {otherwise}", name(process), network.text(condition))
        }
        (Some(Step::Choice { process, .. }), arms) => format!("choose {} {{ {} }}", name(process), arms.join(", ")),
        (_, [only]) => only.clone(),
        (_, items) => format!("any {{ {} }}", items.join(", ")),
    }
}

#[test]
fn a_choreography_as_written_does_what_its_network_does() {
    let cases = cases(3_000);
    let (mut same, mut different, mut races) = (0, 0, 0);
    for seed in 0..cases {
        let mut dice = SeededRng::new(seed);
        let shape = Shape { depth: 3 + dice.below(2), arms: true, loops: false, couples: dice.chance(30) };
        let system = random(&mut dice, shape);
        let Some(first) = network(&system) else { continue };
        let text = format!("main {{ {} }}", choreography(&first, &Configuration::start(&first)));
        if text.len() > 4_000 {
            continue;
        }
        let written = analyse(&text).into_choreography().unwrap_or_else(|_| panic!("seed {seed}: {text}"));
        let bounds = Bounds { pairs: 3_000, ahead: 60 };
        let compare = |network: &Network| bounded((&written).into(), network.into(), bounds, &Limits::default());
        match compare(&first) {
            Bounded::Same => same += 1,
            Bounded::Different(difference) => panic!(
                "seed {seed}:\n{}\n{text}\n{}",
                system.text(),
                difference.sentence("the choreography", "the network")
            ),
            Bounded::Unknown(_) => continue,
        }
        races += u32::from(text.contains("any {") && components(&first).len() == 1);
        let kind = dice.below(KINDS.len());
        let Some(second) = system.edited(&mut dice, kind).as_ref().and_then(network) else { continue };
        let is_same = compared(&first, &second, Conditions::ByText).is_same();
        match compare(&second) {
            Bounded::Same => assert!(is_same, "seed {seed}"),
            Bounded::Different(_) => {
                assert!(!is_same, "seed {seed}");
                different += 1;
            }
            Bounded::Unknown(_) => {}
        }
    }
    let told = format!("{same} same, {races} with races; {different} different after an edit");
    let cases = cases as u32;
    assert!(same > cases / 2 && races > cases / 20 && different > cases / 20, "{told}");
}

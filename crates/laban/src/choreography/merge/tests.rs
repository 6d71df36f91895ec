//! Ways to what does not merge: with and without what is known from earlier questions.

#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use crate::choreography::{Choreography, lower, unfold::Unfolded};
use crate::random::SeededRng;
use crate::syntax::parse_choreography;
use std::borrow::Cow;
use std::ops::Range;

/// A random choreography with conditionals inside each other and one after the other, some that join again, and loops.
fn random_text(rng: &mut SeededRng, loops: bool) -> String {
    let mut text = String::new();
    for procedure in 0..3 {
        text += &format!("def X{procedure} {{ a.go -> b; ");
        let length = 1 + rng.below(8);
        let calls = if loops { 0..3 } else { procedure + 1..3 };
        fill(rng, length, calls, &mut text);
        text += " } ";
    }
    text += "main { ";
    let length = 4 + rng.below(12);
    fill(rng, length, 0..3, &mut text);
    text + " }"
}

/// Writes a random body of at most so many terms from its start to each of its ends.
fn fill(rng: &mut SeededRng, length: usize, calls: Range<usize>, text: &mut String) {
    // For each `else` that is still to be written, how much may follow.
    let mut others = Vec::new();
    let mut left = length;
    loop {
        while left > 0 {
            left -= 1;
            match rng.below(8) {
                0 => *text += "a -> c[l]; ",
                1 => *text += "b -> c[m]; ",
                2 | 3 => *text += "b.x -> c; ",
                4 => *text += "a.x -> b; ",
                _ => {
                    *text += if rng.chance(70) { "if a.e then " } else { "if b.e then " };
                    others.push(left);
                }
            }
        }
        match rng.below(3) {
            0 | 1 if !calls.is_empty() => *text += &format!("X{}", calls.start + rng.below(calls.len())),
            _ => *text += "stop",
        }
        let Some(other) = others.pop() else { return };
        *text += " else ";
        left = other;
    }
}

/// Follows a way from a conditional to what does not merge, step by step.
fn check_way(merging: &Merging<'_>, conditional: u32, way: Way) {
    let pairs = merging.known.pairs(way);
    let roots: Vec<[u32; 2]> = merging.roots(conditional).iter().map(|pair| pair.points).collect();
    assert!(roots.contains(&pairs[0].points));
    for (pair, next) in pairs.iter().zip(&pairs[1..]) {
        let [one, other] = pair.points;
        match next.via {
            Via::Root { .. } => panic!("a way has one root"),
            Via::Others { side, point } => {
                assert!(pair.points[side] == point && merging.view.is_open(point));
                let successors: Vec<NodeId> = merging.view.choreography.successors(NodeId(point)).collect();
                assert!(successors.contains(&next.nodes[side]) && next.points[1 - side] == pair.points[1 - side]);
            }
            Via::Both { arms } => {
                assert!(![one, other].iter().any(|&point| merging.view.is_open(point)));
                assert!(merging.view.together(one, other));
                let mut followed = Vec::new();
                merging.follow(one, other, |nodes, arms| followed.push((nodes, arms)));
                assert!(followed.contains(&(next.nodes, arms)));
            }
        }
        assert_eq!(next.points, next.nodes.map(|node| merging.view.point(node)));
    }
    let [one, other] = pairs[pairs.len() - 1].points;
    assert!(![one, other].iter().any(|&point| merging.view.is_open(point)) && !merging.view.together(one, other));
    // The steps are those of the pairs.
    let steps = merging.known.steps(way);
    let mut expected: Vec<([u32; 2], Option<[usize; 2]>)> = Vec::new();
    for (number, pair) in pairs.iter().enumerate() {
        match pairs.get(number + 1).map(|next| next.via) {
            Some(Via::Both { arms }) => expected.push((pair.points, Some(arms))),
            Some(_) => {}
            None => expected.push((pair.points, None)),
        }
    }
    let steps: Vec<_> = steps.iter().map(|step| (step.points, step.arms)).collect();
    assert_eq!(steps, expected);
}

fn merging<'a>(unfolded: &'a Unfolded<'a>, part: &Part, process: ProcessId, shortest: usize) -> Merging<'a> {
    let view = View::new(unfolded, part, process, Vec::new());
    Merging { pairs_for_the_shortest: shortest, ..Merging::new(view, Limits::default()) }
}

fn choreography(text: &str) -> Choreography {
    lower(&parse_choreography(text).tree).choreography.unwrap()
}

#[test]
fn what_is_known_from_earlier_questions_changes_no_answer_and_each_way_can_be_followed() {
    let (mut clashes, mut merges, mut longer) = (0, 0, 0);
    for seed in 0..400 {
        let mut rng = SeededRng::new(seed);
        let loops = rng.chance(50);
        let text = random_text(&mut rng, loops);
        let choreography = choreography(&text);
        let unfolded = Unfolded::new(Cow::Borrowed(&choreography), &Limits::default()).unwrap();
        let part = Part::new(&unfolded.choreography, choreography.starts[0]);
        for &process in &part.processes {
            for tells in [false, true] {
                let mut known = merging(&unfolded, &part, process, 0);
                let mut any = [false; 2];
                for conditional in known.conditionals(&part) {
                    // The twin knows nothing.
                    let mut twin = merging(&unfolded, &part, process, usize::MAX);
                    twin.view.told.clone_from(&known.view.told);
                    let (found, expected) = (known.clash(conditional).unwrap(), twin.clash(conditional).unwrap());
                    any[0] |= found.is_some();
                    any[1] |= expected.is_some();
                    // Where others loop, two conditionals may be to blame, and it depends on the order which one is.
                    assert!(loops || found.is_some() == expected.is_some(), "seed {seed}: {text}");
                    let (Some((_, way)), Some((_, shortest))) = (found, expected) else {
                        merges += 1;
                        continue;
                    };
                    clashes += 1;
                    check_way(&known, conditional, way);
                    check_way(&twin, conditional, shortest);
                    let lengths = [known.known.pairs(way).len(), twin.known.pairs(shortest).len()];
                    assert!(loops || lengths[0] >= lengths[1], "seed {seed}: {text}");
                    longer += usize::from(lengths[0] > lengths[1]);
                    if tells {
                        known.tell(conditional);
                    }
                }
                assert!(tells || any[0] == any[1], "seed {seed}: {text}");
            }
        }
    }
    assert!(clashes > 2_000 && merges > 300 && longer > 20, "{clashes} clashes, {merges} merge, {longer} longer");
}

#[test]
fn a_very_long_way_is_cut_short_before_its_last_steps() {
    // Whoever is told nothing receives one message more or less, and that shows at the end only.
    let messages = "b.x -> c; ".repeat(3_000);
    let text = format!(
        "def M {{ {messages} stop }} \
         main {{ if a.e then if a.f then b.y -> c; M else M else if a.g then M else b.y -> c; M }}"
    );
    let choreography = choreography(&text);
    let unfolded = Unfolded::new(Cow::Borrowed(&choreography), &Limits::default()).unwrap();
    let part = Part::new(&unfolded.choreography, choreography.starts[0]);
    let process = part.processes[2];
    assert_eq!(choreography.process_name(process), "c");
    let mut merging = merging(&unfolded, &part, process, 8);
    let mut lengths = Vec::new();
    for conditional in merging.conditionals(&part) {
        let Some((arms, way)) = merging.clash(conditional).unwrap() else { panic!("nobody tells c") };
        lengths.push((merging.known.pairs(way).len(), merging.known.steps(way).len()));
        let Some(Unprojectable::Uninformed { behaviours, clash, .. }) = merging.describe(conditional, arms, way) else {
            panic!("c is told nothing");
        };
        let mut sides = behaviours;
        sides.sort();
        assert_eq!(sides, ["… b?; b?; b?; b?; …", "… b?; b?; b?; stop"]);
        assert_eq!(clash.iter().filter(|node| node.is_some()).count(), 1);
    }
    assert!(lengths.iter().all(|&(pairs, _)| pairs > 3_000), "{lengths:?}");
    assert!(lengths.iter().any(|&(_, steps)| steps < 1_100), "{lengths:?}");
}

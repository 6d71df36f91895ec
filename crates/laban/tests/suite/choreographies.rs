//! Random choreographies as text, from a seed, for the tests of this folder.
//!
//! Few names are used, so that behaviours often merge, loops often meet and labels often clash.

#![allow(dead_code, missing_docs, unreachable_pub, clippy::panic)]

use laban::AmendOptions;
use laban::choreography::{self, Choreography};
use laban::generate::SeededRng;
use laban::syntax::{self, ChoreographyTree, Compact};

/// What to make.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub processes: usize,
    pub procedures: usize,
    /// The most actions of a body.
    pub actions: usize,
    /// How many actions of a hundred are conditionals.
    pub conditionals: usize,
    /// How many different values, labels and conditions there are.
    pub words: usize,
    /// How many of a hundred have a second part.
    pub parts: usize,
}

impl Shape {
    /// A shape that is mostly small.
    pub fn random(rng: &mut SeededRng) -> Self {
        Shape {
            processes: 2 + rng.below(4),
            procedures: rng.below(4),
            actions: 1 + rng.below(9),
            conditionals: 10 + rng.below(30),
            words: 1 + rng.below(3),
            parts: 10,
        }
    }
}

const PROCESSES: [&str; 6] = ["a", "b", "c", "d", "g", "h"];
const OTHERS: [&str; 6] = ["p", "q", "r", "s", "t", "u"];
const PROCEDURES: [&str; 4] = ["X", "Y", "Z", "W"];

/// The text of a choreography.
pub fn text(rng: &mut SeededRng, shape: Shape) -> String {
    let first = part(rng, shape, &PROCESSES);
    match rng.chance(shape.parts) {
        true => format!("{first} || {}", part(rng, shape, &OTHERS)),
        false => first,
    }
}

fn part(rng: &mut SeededRng, shape: Shape, processes: &[&str]) -> String {
    let mut text = String::new();
    for name in &PROCEDURES[..shape.procedures] {
        let body = body(rng, shape, processes, 1);
        text.push_str(&format!("def {name} {{ {body} }} "));
    }
    let body = body(rng, shape, processes, 0);
    text.push_str(&format!("main {{ {body} }}"));
    text
}

/// A body of at least so many actions.
fn body(rng: &mut SeededRng, shape: Shape, processes: &[&str], least: usize) -> String {
    let mut text = String::new();
    let budget = rng.below(shape.actions) + least;
    fill(rng, shape, processes, budget, &mut text);
    text
}

fn fill(rng: &mut SeededRng, shape: Shape, processes: &[&str], budget: usize, text: &mut String) {
    let process = |rng: &mut SeededRng| processes[rng.below(shape.processes)];
    let mut left = budget;
    while left > 0 {
        left -= 1;
        if rng.chance(shape.conditionals) {
            let (decides, condition) = (process(rng), ["e", "f", "i"][rng.below(shape.words)]);
            text.push_str(&format!("if {decides}.{condition} then "));
            let then = rng.below(left + 1);
            fill(rng, shape, processes, then, text);
            text.push_str(" else ");
            fill(rng, shape, processes, left - then, text);
            return;
        }
        let from = process(rng);
        let to = loop {
            let to = process(rng);
            if to != from {
                break to;
            }
        };
        let word = rng.below(shape.words);
        match rng.one_in(2) {
            true => text.push_str(&format!("{from}.{} -> {to}; ", ["x", "y", "z"][word])),
            false => text.push_str(&format!("{from} -> {to}[{}]; ", ["l", "m", "L"][word])),
        }
    }
    match shape.procedures > 0 && rng.chance(65) {
        true => text.push_str(PROCEDURES[rng.below(shape.procedures)]),
        false => text.push_str("stop"),
    }
}

pub fn tree(text: &str) -> ChoreographyTree {
    let parsed = syntax::parse_choreography(text);
    assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
    parsed.tree
}

pub fn lower(tree: &ChoreographyTree) -> Choreography {
    let lowered = choreography::lower(tree);
    lowered.choreography.unwrap_or_else(|| panic!("{:?}", lowered.diagnostics))
}

pub fn read(text: &str) -> Choreography {
    lower(&tree(text))
}

/// A random choreography that has a projection, as text.
pub fn projectable(rng: &mut SeededRng, shape: Shape) -> String {
    let text = text(rng, shape);
    match choreography::amend(&tree(&text), &AmendOptions::default()) {
        Ok(amended) => Compact(&amended.tree).to_string(),
        Err(error) => panic!("{text}: {error:?}"),
    }
}

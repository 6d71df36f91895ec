//! Random choreographies as text, from a seed, for the tests of this folder.
//!
//! Few names are used, so that behaviours often merge, loops often meet and labels often clash.

#![allow(dead_code, missing_docs, unreachable_pub, clippy::panic)]

use laban::choreography::{self, Choreography};
use laban::syntax::{self, ChoreographyTree, Compact};

/// A source of numbers that are the same on every machine (splitmix64).
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1))
    }

    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, which must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.roll() % limit as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// How many cases a law is tried on: `LABAN_CASES`, if set.
pub fn cases(usual: u64) -> u64 {
    std::env::var("LABAN_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

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
    pub fn random(dice: &mut Dice) -> Self {
        Shape {
            processes: 2 + dice.below(4),
            procedures: dice.below(4),
            actions: 1 + dice.below(9),
            conditionals: 10 + dice.below(30),
            words: 1 + dice.below(3),
            parts: 10,
        }
    }
}

const PROCESSES: [&str; 6] = ["a", "b", "c", "d", "g", "h"];
const OTHERS: [&str; 6] = ["p", "q", "r", "s", "t", "u"];
const PROCEDURES: [&str; 4] = ["X", "Y", "Z", "W"];

/// The text of a choreography.
pub fn text(dice: &mut Dice, shape: Shape) -> String {
    let first = part(dice, shape, &PROCESSES);
    match dice.chance(shape.parts) {
        true => format!("{first} || {}", part(dice, shape, &OTHERS)),
        false => first,
    }
}

fn part(dice: &mut Dice, shape: Shape, processes: &[&str]) -> String {
    let mut text = String::new();
    for name in &PROCEDURES[..shape.procedures] {
        let body = body(dice, shape, processes, 1);
        text.push_str(&format!("def {name} {{ {body} }} "));
    }
    let body = body(dice, shape, processes, 0);
    text.push_str(&format!("main {{ {body} }}"));
    text
}

/// A body of at least so many actions.
fn body(dice: &mut Dice, shape: Shape, processes: &[&str], least: usize) -> String {
    let mut text = String::new();
    let budget = dice.below(shape.actions) + least;
    fill(dice, shape, processes, budget, &mut text);
    text
}

fn fill(dice: &mut Dice, shape: Shape, processes: &[&str], budget: usize, text: &mut String) {
    let process = |dice: &mut Dice| processes[dice.below(shape.processes)];
    let mut left = budget;
    while left > 0 {
        left -= 1;
        if dice.chance(shape.conditionals) {
            let (decides, condition) = (process(dice), ["e", "f", "i"][dice.below(shape.words)]);
            text.push_str(&format!("if {decides}.{condition} then "));
            let then = dice.below(left + 1);
            fill(dice, shape, processes, then, text);
            text.push_str(" else ");
            fill(dice, shape, processes, left - then, text);
            return;
        }
        let from = process(dice);
        let to = loop {
            let to = process(dice);
            if to != from {
                break to;
            }
        };
        let word = dice.below(shape.words);
        match dice.chance(50) {
            true => text.push_str(&format!("{from}.{} -> {to}; ", ["x", "y", "z"][word])),
            false => text.push_str(&format!("{from} -> {to}[{}]; ", ["l", "m", "L"][word])),
        }
    }
    match shape.procedures > 0 && dice.chance(65) {
        true => text.push_str(PROCEDURES[dice.below(shape.procedures)]),
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
pub fn projectable(dice: &mut Dice, shape: Shape) -> String {
    let text = text(dice, shape);
    match choreography::amend(&tree(&text)) {
        Ok(amended) => Compact(&amended.tree).to_string(),
        Err(error) => panic!("{text}: {error:?}"),
    }
}

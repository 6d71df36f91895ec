//! Random choreographies as text, from a seed, for the tests of this folder.
//!
//! Few names are used, so that behaviours often merge, loops often meet and labels often clash.

#![allow(dead_code, missing_docs, unreachable_pub, clippy::panic)]

use laban::choreography::{self, Choreography};
use laban::syntax::{self, ChoreographyTree, GlobalAction, GlobalFork, Interaction, Term, TermId};

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
        }
    }
}

const PROCESSES: [&str; 6] = ["a", "b", "c", "d", "g", "h"];
const PROCEDURES: [&str; 4] = ["X", "Y", "Z", "W"];

/// The text of a choreography.
pub fn text(dice: &mut Dice, shape: Shape) -> String {
    let mut text = String::new();
    for name in &PROCEDURES[..shape.procedures] {
        let body = body(dice, shape, true);
        text.push_str(&format!("def {name} {{ {body} }} "));
    }
    let body = body(dice, shape, false);
    text.push_str(&format!("main {{ {body} }}"));
    text
}

fn body(dice: &mut Dice, shape: Shape, guarded: bool) -> String {
    let mut text = String::new();
    let budget = dice.below(shape.actions) + usize::from(guarded);
    fill(dice, shape, budget, &mut text);
    text
}

fn fill(dice: &mut Dice, shape: Shape, budget: usize, text: &mut String) {
    let process = |dice: &mut Dice| PROCESSES[dice.below(shape.processes)];
    let mut left = budget;
    while left > 0 {
        left -= 1;
        if dice.chance(shape.conditionals) {
            let (decides, condition) = (process(dice), ["e", "f", "i"][dice.below(shape.words)]);
            text.push_str(&format!("if {decides}.{condition} then "));
            let then = dice.below(left + 1);
            fill(dice, shape, then, text);
            text.push_str(" else ");
            fill(dice, shape, left - then, text);
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

/// The text of a tree, on one line.
pub fn print(tree: &ChoreographyTree) -> String {
    let mut text = String::new();
    for (number, unit) in tree.units.iter().enumerate() {
        text.push_str(if number > 0 { " || " } else { "" });
        for procedure in &unit.procedures {
            text.push_str(&format!("def {} {{ {} }} ", tree.text(procedure.name), print_body(tree, procedure.body)));
        }
        for main in &unit.mains {
            text.push_str(&format!("main {{ {} }}", print_body(tree, main.body)));
        }
    }
    text
}

fn print_body(tree: &ChoreographyTree, mut term: TermId) -> String {
    let mut text = String::new();
    loop {
        match tree.term(term) {
            Term::Stop | Term::Missing => return text + "stop",
            Term::Call(name) => return text + tree.text(name),
            Term::Act(GlobalAction::Group(_), next) => term = next,
            Term::Act(GlobalAction::Interaction(interaction), next) => {
                text.push_str(&match interaction {
                    Interaction::Communicate { from, expression, to } => {
                        format!("{}.{} -> {}; ", tree.text(from), tree.text(expression), tree.text(to))
                    }
                    Interaction::Select { from, to, label } => {
                        format!("{} -> {}[{}]; ", tree.text(from), tree.text(to), tree.text(label))
                    }
                });
                term = next;
            }
            Term::Fork(GlobalFork::If { process, condition }, arms) => {
                let arms: Vec<String> = arms.of(&tree.arms).iter().map(|arm| print_body(tree, arm.body)).collect();
                let (process, condition) = (tree.text(process), tree.text(condition));
                return text + &format!("if {process}.{condition} then {} else {}", arms[0], arms[1]);
            }
        }
    }
}

/// A random choreography that has a projection, as text.
pub fn projectable(dice: &mut Dice, shape: Shape) -> String {
    let text = text(dice, shape);
    match choreography::amend(&tree(&text)) {
        Ok(amended) => print(&amended.tree),
        Err(error) => panic!("{text}: {error:?}"),
    }
}

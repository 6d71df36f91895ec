//! Random choreographies from a seed: conditionals, groups, calls forth and back, parallel parts, and names that other
//! programs trip over.

use laban::generate::SeededRng;

/// Names that are words or signs of Mermaid, PlantUML, DOT or SVG.
pub(crate) const NAMES: &[&str] = &[
    "end",
    "loop",
    "alt",
    "par",
    "and",
    "note",
    "ref",
    "rect",
    "participant",
    "actor",
    "as",
    "graph",
    "subgraph",
    "digraph",
    "node",
    "edge",
    "strict",
    "title",
    "style",
    "class",
    "click",
    "default",
    "P0",
    "n1",
    "over",
    "opt",
    "it's",
    "über_größe",
    "данные",
    "數據",
    "a_very_long_name_that_nobody_would_choose_for_a_process",
];

/// Expressions of the same kind.
pub(crate) const EXPRESSIONS: &[&str] = &[
    "x",
    "price",
    "end",
    "f(a, b)",
    "\"quoted; text\"",
    "a -> b",
    "x <b>bold</b>",
    "#35;",
    "%%{init: {}}%%",
    "a; b",
    "$x$",
    "[[link]]",
    "\"**strong** //soft// __under__\"",
    "\\n\\N\\l",
    "&lt;",
    "`code`",
    "{a: 1, b: 2}",
    "a | b",
    "x := y",
    "an expression that is much longer than what anybody would want to see on an arrow of a diagram",
    "日本語の長い説明文",
    "🙂🙃",
    "a\u{202e}b",
    "%date()",
    "!include x",
    "'comment",
    "~tilde~",
    "@startuml",
    "<U+0041>",
    "wrap: no",
    "1. x",
    "- y",
];

pub(crate) struct Generator {
    random: SeededRng,
    /// Characters of expressions that break the text of a choreography are only wanted in names that are made by hand.
    nasty: bool,
}

impl Generator {
    pub(crate) fn new(seed: u64) -> Self {
        Generator { random: SeededRng::new(seed), nasty: seed % 2 == 1 }
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.random.below(end)
    }

    /// A choreography as text.
    pub(crate) fn choreography(&mut self) -> String {
        let parts = if self.below(5) == 0 { 1 + self.below(4) } else { 1 };
        let mut used = 0;
        let mut text = Vec::new();
        for _ in 0..parts {
            let most = if self.below(8) == 0 { 30 } else { 6 };
            let count = 2 + self.below(most);
            let people: Vec<String> = (used..used + count).map(|number| self.name(number)).collect();
            used += count;
            text.push(self.part(&people));
        }
        text.join(" || ")
    }

    fn name(&mut self, number: usize) -> String {
        match NAMES.get(number % (2 * NAMES.len())) {
            Some(&name) if self.nasty && number < NAMES.len() => name.to_string(),
            _ => format!("p{number}"),
        }
    }

    fn part(&mut self, people: &[String]) -> String {
        let procedures = self.below(4);
        let mut text = String::new();
        for number in 0..procedures {
            let body = self.body(people, procedures, 5, true);
            text.push_str(&format!("def X{number} {{ {body} }} "));
        }
        let body = self.body(people, procedures, 6, false);
        text + &format!("main {{ {body} }}")
    }

    fn body(&mut self, people: &[String], procedures: usize, room: usize, guarded: bool) -> String {
        let mut text = String::new();
        let mut steps = self.below(room) + usize::from(guarded);
        while steps > 0 {
            steps -= 1;
            if self.below(12) == 0 {
                let (one, two) = (self.interaction(people), self.interaction(people));
                text.push_str(&format!("({one}, {two}); "));
            } else if self.below(8) == 0 {
                let (halves, between) = (self.halves(people), self.interaction(people));
                text.push_str(&match self.below(4) {
                    0 => format!("{}; ", halves[0]),
                    1 => format!("{}; ", halves[1]),
                    2 => format!("{}; {}; ", halves[0], halves[1]),
                    _ => format!("{}; {between}; {}; ", halves[0], halves[1]),
                });
            } else {
                text.push_str(&self.interaction(people));
                text.push_str("; ");
            }
        }
        match self.below(if room > 1 { 8 } else { 2 }) {
            0 => text + "stop",
            1 if procedures > 0 => text + &format!("X{}", self.below(procedures)),
            1 => text + "stop",
            2 => {
                let who = people[self.below(people.len())].clone();
                let items: Vec<String> =
                    (0..1 + self.below(4)).map(|_| self.body(people, procedures, room - 1, false)).collect();
                text + &format!("choose {who} {{ {} }}", items.join(", "))
            }
            3 => {
                let items: Vec<String> =
                    (0..2 + self.below(3)).map(|_| self.body(people, procedures, room - 1, true)).collect();
                let items: Vec<String> =
                    items.iter().map(|item| format!("{}; {item}", self.interaction(people))).collect();
                text + &format!("any {{ {} }}", items.join(", "))
            }
            _ => {
                let who = &people[self.below(people.len())];
                let condition = self.expression();
                let then = self.body(people, procedures, room - 1, false);
                let otherwise = self.body(people, procedures, room - 1, false);
                text + &format!("if {who}.{condition} then {then} else {otherwise}")
            }
        }
    }

    /// A message that waits: where it is put, and where it is taken.
    fn halves(&mut self, people: &[String]) -> [String; 2] {
        let from = self.below(people.len());
        let to = (from + 1 + self.below(people.len() - 1)) % people.len();
        let (from, to) = (&people[from], &people[to]);
        let put = match self.below(3) {
            0 => format!("{from} ~> {to}[{}]", NAMES[self.below(12)]),
            1 => format!("{from}.{} ~> {to}[{}]", self.expression(), NAMES[self.below(12)]),
            _ => format!("{from}.{} ~> {to}", self.expression()),
        };
        [put, format!("{to} <~ {from}")]
    }

    fn interaction(&mut self, people: &[String]) -> String {
        let from = self.below(people.len());
        let to = (from + 1 + self.below(people.len() - 1)) % people.len();
        let (from, to) = (&people[from], &people[to]);
        match self.below(6) {
            0 | 1 => format!("{from} -> {to}[{}]", NAMES[self.below(12)]),
            2 => format!("{from}.{} -> {to}[{}]", self.expression(), NAMES[self.below(12)]),
            _ => format!("{from}.{} -> {to}", self.expression()),
        }
    }

    /// An expression in brackets, so that whatever it is, it is one; or a plain one.
    fn expression(&mut self) -> String {
        let expression = EXPRESSIONS[self.below(if self.nasty { EXPRESSIONS.len() } else { 4 })];
        let plain = expression.chars().all(|character| character.is_alphanumeric());
        match plain {
            true => expression.to_string(),
            false => format!("({expression})"),
        }
    }
}

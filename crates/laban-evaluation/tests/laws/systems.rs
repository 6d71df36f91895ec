//! Networks and choreographies, made of bytes.

use std::fmt::Write;

/// How deep behaviours are nested at most.
const DEEPEST: u32 = 5;

/// How deep choreographies are: to amend one takes longer than to extract one.
const DEEPEST_GLOBAL: u32 = 4;

/// Processes, by name.
const NAMES: [&str; 4] = ["p", "q", "r", "s"];

/// What a network may have.
#[derive(Debug, Clone, Copy)]
pub struct Features {
    /// `any`, `idle`.
    pub races: bool,
    /// `channels queue;`.
    pub queues: bool,
    /// `service`.
    pub services: bool,
}

/// Bytes that are used up one by one. When there are no more, every decision is the first of its ways.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn below(&mut self, count: usize) -> usize {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(first) % count
    }

    fn other(&mut self, process: usize, count: usize) -> usize {
        (process + 1 + self.below(count - 1)) % count
    }

    /// What ends a body: `stop`, or a call of one of so many procedures. It takes no byte if there are none.
    fn end(&mut self, procedures: usize) -> String {
        let choice = if procedures == 0 { 0 } else { self.below(procedures + 1) };
        if choice == 0 { "stop".to_string() } else { format!("X{}", choice - 1) }
    }
}

/// A network, made of bytes.
pub fn network(bytes: &[u8], features: Features) -> String {
    let mut bytes = Bytes(bytes);
    let mut text = String::new();
    if features.queues {
        text.push_str(["", "channels queue; ", "channels queue 1; ", "channels q -> p queue; "][bytes.below(4)]);
    }
    let count = 2 + bytes.below(3);
    for (process, name) in NAMES.iter().enumerate().take(count) {
        let joined = if process > 0 { " | " } else { "" };
        let service = if features.services && bytes.below(16) == 15 { "service " } else { "" };
        let procedures = bytes.below(3);
        let _ = write!(text, "{joined}{service}{name} {{ ");
        let mut local = Local { bytes: &mut bytes, process, count, procedures, features };
        for procedure in 0..procedures {
            let _ = write!(text, "def X{procedure} {{ {} }} ", local.action(DEEPEST - 1));
        }
        let _ = write!(text, "main {{ {} }} }}", local.body(DEEPEST));
    }
    text
}

/// What is put into texts: the words and signs of the language, and what looks like them.
const PIECES: [&str; 44] = [
    "p",
    "q",
    "X0",
    "x1",
    "a_name_that_is_long",
    "exactly8",
    "é",
    "ab日",
    "def",
    "main",
    "if",
    "then",
    "else",
    "stop",
    "0",
    "service",
    "channels",
    "idle",
    "any",
    "choose",
    "{",
    "}",
    "(",
    ")",
    "[",
    "<",
    ">",
    ";",
    ",",
    ":",
    ".",
    "!",
    "?",
    "+",
    "&",
    "|",
    "||",
    "->",
    "-",
    "\"x\"",
    "\"",
    "// c\n",
    "/* c */",
    "\u{a0}",
];

/// A network, made of bytes, with a few pieces put in, doubled or left out somewhere: the last bytes say where.
pub fn edited_network(bytes: &[u8]) -> String {
    let (rest, edits) = bytes.split_at(bytes.len().saturating_sub(9));
    let mut text = network(rest, Features { races: true, queues: true, services: true });
    let mut edits = Bytes(edits);
    for _ in 0..edits.below(3) {
        let place = edits.below(256) * 256 + edits.below(256);
        let Some((at, _)) = text.char_indices().nth(place % text.chars().count().max(1)) else { return text };
        let end = (at + 1 + place / 256 % 5..text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(text.len());
        match edits.below(PIECES.len() + 20) {
            piece if piece < PIECES.len() => text.insert_str(at, PIECES[piece]),
            other if other % 2 == 0 => text.replace_range(at..end, ""),
            _ => {
                let part = text[at..end].to_string();
                text.insert_str(at, &part);
            }
        }
    }
    text
}

struct Local<'a, 'b> {
    bytes: &'a mut Bytes<'b>,
    process: usize,
    count: usize,
    procedures: usize,
    features: Features,
}

impl Local<'_, '_> {
    fn body(&mut self, depth: u32) -> String {
        if depth == 0 || self.bytes.below(4) == 0 {
            return self.bytes.end(self.procedures);
        }
        self.action(depth)
    }

    fn action(&mut self, depth: u32) -> String {
        let ways = if self.features.races { 10 } else { 8 };
        match self.bytes.below(ways) {
            6 => format!("if c{} then {} else {}", self.bytes.below(2), self.body(depth - 1), self.body(depth - 1)),
            7 => format!("choose {{ {}, {} }}", self.body(depth - 1), self.body(depth - 1)),
            8 => format!("any {{ {}, {} }}", self.item(depth), self.item(depth)),
            9 => format!("idle {}", self.waits(depth)),
            _ => self.item(depth),
        }
    }

    /// Something with one partner.
    fn item(&mut self, depth: u32) -> String {
        let partner = NAMES[self.bytes.other(self.process, self.count)];
        match self.bytes.below(4) {
            0 => format!("{partner}!<{}>; {}", ["x", "y"][self.bytes.below(2)], self.body(depth - 1)),
            1 => format!("{partner}?; {}", self.body(depth - 1)),
            2 => format!("{partner}+{}; {}", ["l", "m"][self.bytes.below(2)], self.body(depth - 1)),
            _ => format!("{partner}&{{ l: {}, m: {} }}", self.body(depth - 1), self.body(depth - 1)),
        }
    }

    fn waits(&mut self, depth: u32) -> String {
        let partner = NAMES[self.bytes.other(self.process, self.count)];
        match self.bytes.below(2) {
            0 => format!("{partner}?; {}", self.body(depth - 1)),
            _ => format!("{partner}&{{ l: {}, m: {} }}", self.body(depth - 1), self.body(depth - 1)),
        }
    }
}

/// A choreography, made of bytes.
pub fn choreography(bytes: &[u8]) -> String {
    let mut bytes = Bytes(bytes);
    let count = 2 + bytes.below(3);
    let procedures = bytes.below(3);
    let mut global = Global { bytes: &mut bytes, count, procedures };
    let mut text = String::new();
    for procedure in 0..procedures {
        let _ = write!(text, "def X{procedure} {{ {} }} ", global.action(DEEPEST_GLOBAL - 1));
    }
    let _ = write!(text, "main {{ {} }}", global.body(DEEPEST_GLOBAL));
    text
}

struct Global<'a, 'b> {
    bytes: &'a mut Bytes<'b>,
    count: usize,
    procedures: usize,
}

impl Global<'_, '_> {
    fn body(&mut self, depth: u32) -> String {
        if depth == 0 || self.bytes.below(5) == 0 {
            return self.bytes.end(self.procedures);
        }
        self.action(depth)
    }

    fn action(&mut self, depth: u32) -> String {
        let from = self.bytes.below(self.count);
        let (name, to) = (NAMES[from], NAMES[self.bytes.other(from, self.count)]);
        match self.bytes.below(8) {
            0..3 => format!("{name}.{} -> {to}; {}", ["x", "y"][self.bytes.below(2)], self.body(depth - 1)),
            3..6 => format!("{name} -> {to}[{}]; {}", ["l", "m"][self.bytes.below(2)], self.body(depth - 1)),
            6 => {
                let condition = self.bytes.below(2);
                format!("if {name}.c{condition} then {} else {}", self.body(depth - 1), self.body(depth - 1))
            }
            _ => format!("choose {name} {{ {}, {} }}", self.body(depth - 1), self.body(depth - 1)),
        }
    }
}

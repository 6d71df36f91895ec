//! Random texts of both languages, with white space and comments wherever they may be, all from a seed.

use laban::generate::SeededRng;
use laban::syntax::Kind;

/// Says what was being checked when a check fails.
pub(crate) struct OnPanic(pub(crate) String);

impl Drop for OnPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("while checking {}", self.0);
        }
    }
}

/// The tokens of a random text.
pub(crate) fn tokens(dice: &mut SeededRng, kind: Kind) -> Vec<String> {
    let mut writer = Writer { dice, kind, tokens: Vec::new() };
    writer.units();
    writer.tokens
}

/// Puts random gaps between tokens: `comments` in ten of them are comments.
pub(crate) fn text(dice: &mut SeededRng, tokens: &[String], comments: usize) -> String {
    let mut text = String::new();
    let mut number = 0;
    for token in tokens {
        gap(dice, &mut text, comments, &mut number);
        if text.chars().next_back().zip(token.chars().next()).is_some_and(|(before, after)| would_join(before, after)) {
            text.push(' ');
        }
        text.push_str(token);
    }
    gap(dice, &mut text, comments, &mut number);
    text
}

fn would_join(before: char, after: char) -> bool {
    let in_word = |character: char| character.is_alphanumeric() || character == '_' || character == '\'';
    (in_word(before) && in_word(after))
        || matches!((before, after), ('-' | '~', '>') | ('<', '~') | ('/', '/') | ('/', '*') | ('|', '|'))
}

fn gap(dice: &mut SeededRng, text: &mut String, comments: usize, number: &mut usize) {
    while dice.below(10) < comments {
        blank(dice, text);
        *number += 1;
        // A slash before a comment would make another one of it.
        if text.ends_with('/') {
            text.push(' ');
        }
        let words =
            dice.pick(&["", " why", " \"", " p!<x> ", " {", " /* ", " // ", " é\t ", " *", " \\", " a \r b", "/"]);
        match dice.below(5) {
            0 => text.push_str(&format!("//{number}{words}\n")),
            1 => text.push_str(&format!("//{number}{words}\r\n")),
            2 => text.push_str(&format!("/*{number}\n   {words}\n\n */")),
            3 => text.push_str(&format!("/* {number}\r\n{words} */")),
            _ => text.push_str(&format!("/*{number}{words}*/")),
        }
    }
    blank(dice, text);
}

fn blank(dice: &mut SeededRng, text: &mut String) {
    text.push_str(dice.pick(&["", "", "", " ", " ", "  \t", "\n", "\r\n", "\n\n", "\n \n\n", "\u{a0}", "\u{feff}"]));
}

const NAMES: &[&str] = &[
    "p",
    "q",
    "buyer",
    "channels",
    "queue",
    "X",
    "X'",
    "_",
    "käufer",
    "買",
    "service",
    "a_process_with_quite_a_long_name",
    "1",
    "'0",
    "l",
];

struct Writer<'a> {
    dice: &'a mut SeededRng,
    kind: Kind,
    tokens: Vec<String>,
}

/// What closes an expression.
#[derive(Clone, Copy, PartialEq)]
enum Close {
    Angle,
    Then,
    Arrow,
    Bracket,
}

impl Writer<'_> {
    fn put(&mut self, token: &str) {
        self.tokens.push(token.to_string());
    }

    fn name(&mut self) {
        let name = self.dice.pick(NAMES);
        self.put(name);
    }

    fn units(&mut self) {
        for index in 0..1 + self.dice.below(3) {
            match (self.kind, index) {
                (_, 0) => {}
                (Kind::Network, _) => self.put("|"),
                (Kind::Choreography, _) => self.put("||"),
            }
            if self.kind == Kind::Network {
                if self.dice.one_in(4) {
                    self.channels();
                }
                if self.dice.one_in(4) {
                    self.put("service");
                }
                self.name();
                self.put("{");
            }
            for _ in 0..self.dice.below(3) {
                self.put("def");
                self.name();
                self.block();
            }
            let mains = if self.dice.one_in(8) { 2 * self.dice.below(2) } else { 1 };
            for _ in 0..mains.max(usize::from(self.kind == Kind::Choreography)) {
                self.put("main");
                self.block();
            }
            if self.kind == Kind::Network {
                self.put("}");
            }
        }
    }

    /// How messages get there, for all or for some.
    fn channels(&mut self) {
        self.put("channels");
        for index in 0..1 + self.dice.below(4) {
            if index > 0 {
                self.put(",");
            }
            if !self.dice.one_in(3) {
                self.name();
                self.put("->");
                self.name();
            }
            let channel = self.dice.pick(&["rendezvous", "queue"]);
            self.put(channel);
            if channel == "queue" && self.dice.one_in(2) {
                let bound = self.dice.pick(&["1", "4", "24", "4294967295"]);
                self.put(bound);
            }
        }
        self.put(";");
    }

    fn block(&mut self) {
        self.put("{");
        let depth = self.dice.below(4);
        self.body(depth);
        self.put("}");
    }

    fn body(&mut self, depth: usize) {
        for _ in 0..self.dice.below(4) {
            match self.kind {
                Kind::Network => self.local_action(),
                Kind::Choreography => self.global_action(),
            }
            self.put(";");
        }
        match self.dice.below(if depth == 0 { 3 } else { 6 }) {
            0 => self.put("stop"),
            1 => self.put("0"),
            2 => self.name(),
            choice => {
                if choice == 3 && self.kind == Kind::Network {
                    self.name();
                    self.put("&");
                    self.put("{");
                    for index in 0..1 + self.dice.below(3) {
                        if index > 0 {
                            self.put(",");
                        }
                        self.name();
                        self.put(":");
                        self.body(depth - 1);
                    }
                    self.put("}");
                    return;
                }
                self.put("if");
                if self.kind == Kind::Choreography {
                    self.name();
                    self.put(".");
                }
                self.expression(Close::Then, 2);
                self.put("then");
                self.body(depth - 1);
                self.put("else");
                self.body(depth - 1);
            }
        }
    }

    fn local_action(&mut self) {
        self.name();
        match self.dice.below(3) {
            0 => self.put("?"),
            1 => {
                self.put("+");
                self.name();
            }
            _ => {
                self.put("!");
                self.put("<");
                self.expression(Close::Angle, 2);
                self.put(">");
            }
        }
    }

    fn global_action(&mut self) {
        match self.dice.below(6) {
            0 => {}
            1 => {
                self.name();
                self.put("<~");
                return self.name();
            }
            2 => return self.interaction("~>"),
            _ => return self.interaction("->"),
        }
        self.put("(");
        for index in 0..1 + self.dice.below(3) {
            if index > 0 {
                self.put(",");
            }
            self.interaction("->");
        }
        self.put(")");
    }

    fn interaction(&mut self, arrow: &str) {
        self.name();
        let has_value = self.dice.one_in(2);
        if has_value {
            self.put(".");
            self.expression(Close::Arrow, 2);
        }
        self.put(arrow);
        self.name();
        if !has_value || self.dice.one_in(4) {
            self.put("[");
            self.name();
            self.put("]");
        }
    }

    fn expression(&mut self, close: Close, depth: usize) {
        let least = usize::from(close != Close::Bracket);
        for _ in 0..least + self.dice.below(4) {
            match self.dice.below(8) {
                0 if depth > 0 => {
                    let (open, shut) = [("(", ")"), ("[", "]"), ("{", "}"), ("<", ">")][self.dice.below(4)];
                    self.put(open);
                    self.expression(if open == "<" { close } else { Close::Bracket }, depth - 1);
                    self.put(shut);
                }
                1 => {
                    let quoted = self.dice.pick(&["\"\"", "\" > // \"", "\"(\"", "\"é; }\t/*\"", "\"then\"", "\"\\\""]);
                    self.put(quoted);
                }
                2 | 3 => {
                    let operator = self.dice.pick(&[
                        "+", "-", "*", "/", "=", "&", "|", "||", "!", "?", ".", ",", ":", "∧", "%", "#", "\\", "🙂",
                        "-", "/", "\u{301}", "~",
                    ]);
                    self.put(operator);
                }
                4 => {
                    let odd = match close {
                        Close::Angle => self.dice.pick(&["if", "then", "main", "stop", "0", "->"]),
                        Close::Then => self.dice.pick(&["<", ">", "->", "stop", "0"]),
                        Close::Arrow => self.dice.pick(&["<", ">", "stop", "0"]),
                        Close::Bracket => self.dice.pick(&[";", "def", "else", ",", "<", ">", "->", "then"]),
                    };
                    self.put(odd);
                }
                _ => self.name(),
            }
        }
    }
}

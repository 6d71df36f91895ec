//! JSON with places: values in a list, so that a deep nest is as good as any other text.

use crate::report::Report;
use laban::diagnostic::{Code, Diagnostic};
use laban::text::Span;

/// A value. Others are meant by their numbers.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Null,
    Truth(bool),
    /// A number that is whole and not negative, and small enough; other numbers have no use here.
    Number(Option<u32>),
    Text(String),
    List(Vec<usize>),
    Object(Vec<(String, usize)>),
}

/// All values of a text, each with its place. The first is the outermost.
#[derive(Debug, Default)]
pub(super) struct Json {
    values: Vec<(Value, Span)>,
}

impl Json {
    /// The value with a number; nothing if there is none.
    pub(super) fn value(&self, number: usize) -> (&Value, Span) {
        self.values.get(number).map_or((&Value::Null, Span::default()), |(value, span)| (value, *span))
    }

    /// The number of a part of an object, if it has it; what is written last counts.
    pub(super) fn part(&self, object: usize, key: &str) -> Option<usize> {
        match self.value(object).0 {
            Value::Object(parts) => parts.iter().rev().find(|(name, _)| name == key).map(|&(_, value)| value),
            _ => None,
        }
    }

    /// Reads a text. After a mistake it says so and gives up.
    pub(super) fn read(text: &str, offset: u32, report: &mut Report) -> Option<Json> {
        let mut parser = Parser { text, at: 0, json: Json::default(), open: Vec::new() };
        match parser.read() {
            Ok(()) => {
                let spans = parser.json.values.iter_mut().map(|(_, span)| span);
                spans.for_each(|span| *span = Span::new(span.start + offset, span.end + offset));
                Some(parser.json)
            }
            Err(expected) => {
                let at = parser.at.min(text.len()) as u32 + offset;
                let message = format!("this is not JSON: expected {expected}");
                report.add(Diagnostic::new(Code::Syntax, Span::new(at, at), message).label("here"));
                None
            }
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    json: Json,
    /// The lists and objects that are not closed, the innermost last.
    open: Vec<usize>,
}

impl Parser<'_> {
    fn read(&mut self) -> Result<(), &'static str> {
        if self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        self.start_value(None)?;
        while let Some(&container) = self.open.last() {
            self.blanks();
            let (is_list, is_empty) = match self.json.value(container).0 {
                Value::List(items) => (true, items.is_empty()),
                Value::Object(parts) => (false, parts.is_empty()),
                _ => (false, true),
            };
            if self.eat(if is_list { ']' } else { '}' }) {
                self.close();
                continue;
            }
            if !is_empty {
                if !self.eat(',') {
                    return Err(if is_list { "`,` or `]`" } else { "`,` or `}`" });
                }
                self.blanks();
            }
            let key = match is_list {
                true => None,
                false => {
                    let key = self.string()?;
                    self.blanks();
                    if !self.eat(':') {
                        return Err("`:`");
                    }
                    Some(key)
                }
            };
            self.start_value(key)?;
        }
        self.blanks();
        if self.at < self.text.len() { Err("the end of the text") } else { Ok(()) }
    }

    /// Reads a value, or the start of one, and puts it into the innermost list or object.
    fn start_value(&mut self, key: Option<String>) -> Result<(), &'static str> {
        self.blanks();
        let start = self.at;
        let rest = self.text.get(start..).unwrap_or("");
        let number = self.json.values.len();
        let mut opens = false;
        let value = match rest.chars().next() {
            Some('{') => {
                self.at += 1;
                opens = true;
                Value::Object(Vec::new())
            }
            Some('[') => {
                self.at += 1;
                opens = true;
                Value::List(Vec::new())
            }
            Some('"') => Value::Text(self.string()?),
            Some('-' | '0'..='9') => {
                let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')));
                let digits = rest.get(..end.unwrap_or(rest.len())).unwrap_or("");
                self.at += digits.len();
                if digits.parse::<f64>().is_err() {
                    self.at = start;
                    return Err("a number");
                }
                Value::Number(digits.parse().ok())
            }
            _ => {
                let words = [("true", Value::Truth(true)), ("false", Value::Truth(false)), ("null", Value::Null)];
                let word = words.into_iter().find(|(word, _)| rest.starts_with(word));
                let Some((word, value)) = word else { return Err("a value") };
                self.at += word.len();
                value
            }
        };
        self.json.values.push((value, Span::new(start as u32, self.at as u32)));
        if let Some((container, _)) = self.open.last().and_then(|&open| self.json.values.get_mut(open)) {
            match (container, key) {
                (Value::List(items), _) => items.push(number),
                (Value::Object(parts), Some(key)) => parts.push((key, number)),
                _ => {}
            }
        }
        if opens {
            self.open.push(number);
        }
        Ok(())
    }

    fn close(&mut self) {
        let end = self.at as u32;
        if let Some((_, span)) = self.open.pop().and_then(|closed| self.json.values.get_mut(closed)) {
            span.end = end;
        }
    }

    fn string(&mut self) -> Result<String, &'static str> {
        if !self.eat('"') {
            return Err("a string");
        }
        let mut string = String::new();
        loop {
            let rest = self.text.get(self.at..).unwrap_or("");
            let Some(plain) = rest.find(['"', '\\']) else { return Err("`\"` at the end of the string") };
            string.push_str(rest.get(..plain).unwrap_or(""));
            self.at += plain;
            if self.eat('"') {
                return Ok(string);
            }
            self.at += 1;
            let escaped = self.text.get(self.at..).unwrap_or("").chars().next();
            self.at += escaped.map_or(0, char::len_utf8);
            string.push(match escaped {
                Some(character @ ('"' | '\\' | '/')) => character,
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some('b') => '\u{8}',
                Some('f') => '\u{c}',
                Some('u') => self.unicode()?,
                _ => return Err("a character that can follow `\\`"),
            });
        }
    }

    /// What follows `\u`; two halves of a character are one.
    fn unicode(&mut self) -> Result<char, &'static str> {
        const EXPECTED: &str = "four digits of a character after `\\u`";
        let first = self.hexadecimal().ok_or(EXPECTED)?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first).ok_or(EXPECTED);
        }
        if !self.text.get(self.at..).is_some_and(|rest| rest.starts_with("\\u")) {
            return Err("the second half of the character");
        }
        self.at += 2;
        let second = self.hexadecimal().filter(|second| (0xdc00..0xe000).contains(second)).ok_or(EXPECTED)?;
        char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)).ok_or(EXPECTED)
    }

    fn hexadecimal(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }

    fn blanks(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or("");
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    fn eat(&mut self, character: char) -> bool {
        let is_there = self.text.get(self.at..).is_some_and(|rest| rest.starts_with(character));
        self.at += if is_there { character.len_utf8() } else { 0 };
        is_there
    }
}

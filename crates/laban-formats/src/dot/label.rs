//! What is written on an edge: `B!login(i32)`, `A?ok()`, or sender and receiver, `A B!login`.

use crate::system::{Direction, Message, Payload};

/// A label of an edge, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Label<'a> {
    pub(crate) direction: Direction,
    /// The other process.
    pub(crate) partner: &'a str,
    /// The process itself, if the label says so.
    pub(crate) own: Option<&'a str>,
    pub(crate) message: Message,
    /// What was read but is not checked.
    pub(crate) unchecked: Option<&'static str>,
}

/// Whether a text looks like the label of an edge of a local automaton.
pub(crate) fn is_local_label(text: &str) -> bool {
    Label::new(text).is_some()
}

impl<'a> Label<'a> {
    pub(crate) fn new(text: &'a str) -> Option<Self> {
        let at = text.find(['!', '?'])?;
        let (roles, rest) = (text[..at].trim(), &text[at..]);
        let direction = if rest.starts_with('!') { Direction::Send } else { Direction::Receive };
        // `!!` asks for a connection and `??` takes it: messages as well.
        let rest = rest[1..].strip_prefix(&rest[..1]).unwrap_or(&rest[1..]);
        let mut words = roles.split_whitespace();
        let (partner, own) = match (words.next()?, words.next(), words.next()) {
            (partner, None, _) => (partner, None),
            (sender, Some(receiver), None) => match direction {
                Direction::Send => (receiver, Some(sender)),
                Direction::Receive => (sender, Some(receiver)),
            },
            _ => return None,
        };
        let in_role = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '[' | ']' | '-' | '.');
        if !partner.chars().all(in_role) {
            return None;
        }
        let (message, unchecked) = message(rest.trim());
        Some(Label { direction, partner, own, message, unchecked })
    }
}

/// A message `label(x: i32, bool){refinement}[assignment]`, of which all but the label may be missing.
fn message(text: &str) -> (Message, Option<&'static str>) {
    let Some(open) = text.find('(') else { return (Message::label(text), None) };
    let label = text[..open].trim().to_string();
    let (inside, after) = match closing(&text[open..]) {
        Some(close) => (&text[open + 1..open + close], text[open + close + 1..].trim()),
        None => (&text[open + 1..], ""),
    };
    let unchecked = match after.chars().next() {
        Some('{') => Some("the condition on this message is not checked"),
        Some(_) => Some("what follows this message is not checked"),
        None => None,
    };
    let sorts: Vec<String> = parts(inside).map(sort).collect();
    let text = inside.split_whitespace().collect::<Vec<_>>().join(" ");
    let payload = (!text.is_empty()).then(|| Payload { text, sort: sorts.join(", ") });
    (Message { label, payload }, unchecked)
}

/// Where the parenthesis that a text starts with is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The parts between commas that are in no brackets.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0usize;
    text.split(move |c: char| {
        match c {
            '(' | '<' | '[' | '{' => depth += 1,
            ')' | '>' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
}

/// The type of `x: i32` or `i32`.
fn sort(part: &str) -> String {
    let part = match part.split_once(':') {
        Some((_, rest)) if !rest.starts_with(':') => rest,
        _ => part,
    };
    part.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_taken_apart() {
        let label = Label::new("B!lhs(x: i32, Vec<(a, b)>){x < 3}").unwrap();
        assert_eq!((label.direction, label.partner, label.own), (Direction::Send, "B", None));
        assert_eq!(label.message.label, "lhs");
        assert_eq!(label.message.sort(), "i32, Vec<(a, b)>");
        assert!(label.unchecked.is_some());
        let label = Label::new("D S?count").unwrap();
        assert_eq!((label.direction, label.partner, label.own), (Direction::Receive, "D", Some("S")));
        assert_eq!(Label::new("B!!connect()").unwrap().message.label, "connect");
        assert_eq!(Label::new("B?(int)").unwrap().message.label, "");
        assert!(Label::new("A->B:m").is_none() && Label::new("x > 3 ! y").is_none() && Label::new("").is_none());
    }
}

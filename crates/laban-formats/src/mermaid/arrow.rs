//! Arrows: from left to right, to the left, or both ways.

/// An arrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Arrow {
    /// Where it starts in the text.
    pub(super) start: usize,
    /// How many bytes it has.
    pub(super) length: usize,
    pub(super) direction: Direction,
    /// Whether its head says that the message is lost.
    pub(super) lost: bool,
    /// Whether its head is open: the sender does not wait.
    pub(super) open: bool,
    /// Whether it is dashed.
    pub(super) dashed: bool,
}

/// Which way an arrow points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Right,
    Left,
    Both,
}

/// The first arrow of a text, up to a colon or a character that ends a statement.
pub(super) fn first_arrow(text: &str) -> Option<Arrow> {
    for (start, character) in text.char_indices() {
        match character {
            ':' | ';' | '\n' => return None,
            '-' | '<' | '/' | '\\' => {
                if let Some(arrow) = arrow_at(&text[start..]) {
                    return Some(Arrow { start, ..arrow });
                }
            }
            _ => {}
        }
    }
    None
}

/// The arrow that a text starts with.
pub(super) fn arrow_at(text: &str) -> Option<Arrow> {
    let arrow = |rest: &str, direction, head: char| Arrow {
        start: 0,
        length: text.len() - rest.len(),
        direction,
        lost: head.eq_ignore_ascii_case(&'x'),
        open: head == ')',
        dashed: text.trim_start_matches(['<', '/', '\\', '|']).starts_with("--"),
    };
    if let Some(rest) = text.strip_prefix("<<") {
        let rest = dashes(rest)?.strip_prefix(">>")?;
        return Some(arrow(rest, Direction::Both, '>'));
    }
    for head in ["/|", "\\|", "//", "\\\\"] {
        if let Some(rest) = text.strip_prefix(head).and_then(dashes) {
            return Some(arrow(rest, Direction::Left, '>'));
        }
    }
    let rest = dashes(text)?;
    for head in [">>", ">", "x", "X", ")", "|\\", "|/", "\\\\", "//"] {
        if let Some(rest) = rest.strip_prefix(head) {
            return Some(arrow(rest, Direction::Right, head.chars().next().unwrap_or('>')));
        }
    }
    None
}

/// What follows one dash or two.
fn dashes(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('-')?;
    Some(rest.strip_prefix('-').unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_is_the_longest_at_the_first_place_where_there_is_one() {
        let found = |text: &str| {
            first_arrow(text).map(|arrow| &text[arrow.start..arrow.start + arrow.length]).unwrap_or("none").to_string()
        };
        for (text, expected) in [
            ("A->>B: x", "->>"),
            ("A-->>B: x->y", "-->>"),
            ("A ->B", "->"),
            ("A-->B", "-->"),
            ("API-Server-xB", "-x"),
            ("a--b--)B", "--)"),
            ("A<<-->>B: x", "<<-->>"),
            ("A-|\\B", "-|\\"),
            ("A//--B", "//--"),
            ("A-\\\\B", "-\\\\"),
            ("User/Browser->>B", "->>"),
            ("A: B->>C", "none"),
            ("A-B", "none"),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }
}

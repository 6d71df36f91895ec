//! Messages: two ends and an arrow between them, in all the ways in which an arrow can be drawn.
//!
//! A line is a message only if all of it is one. So a participant may have a keyword for a name, and the text of a
//! fragment may have arrows in it.

/// A line that is a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Arrow<'a> {
    /// What is on the left, and on the right; nothing is outside of the diagram.
    pub(super) ends: [Option<EndName<'a>>; 2],
    /// Whether a message goes from left to right.
    pub(super) forward: bool,
    /// Whether a message goes from right to left.
    pub(super) backward: bool,
    /// Whether the arrow says that the message is lost.
    pub(super) lost: bool,
    /// Whether it has a head as Laban draws it for a message that is put into a queue.
    pub(super) queued: bool,
    /// Whether the line of the arrow is dashed.
    pub(super) dashed: bool,
    /// Whether it is not drawn.
    pub(super) hidden: bool,
    /// What is activated by it: `++`, `--`, `**`, `!!`, or several of them; may be empty.
    pub(super) activation: &'a str,
    /// The text; may be empty.
    pub(super) text: &'a str,
}

/// Somebody at the end of an arrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EndName<'a> {
    pub(super) name: &'a str,
    /// The name that is shown, if that is given, too.
    pub(super) shown: Option<&'a str>,
}

/// The characters of a name without quotes.
pub(crate) fn is_in_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '@' | '$')
}

/// Reads a line that is a message.
pub(super) fn arrow(line: &str) -> Option<Arrow<'_>> {
    let mut cursor = Cursor(line);
    if cursor.eat("&") {
        cursor.blanks();
    }
    if let Some(rest) = cursor.0.strip_prefix('{') {
        let (anchor, rest) = rest.split_once('}')?;
        if !anchor.chars().all(is_in_name) {
            return None;
        }
        cursor = Cursor(rest.trim_start());
    }
    let (left, is_marked) = match cursor.0.chars().next()? {
        '[' if cursor.0[1..].starts_with(['-', '<', 'o', 'x', '/', '\\']) => {
            cursor.eat("[");
            (None, true)
        }
        '?' => {
            cursor.eat("?");
            (None, true)
        }
        _ => (cursor.end(), false),
    };
    let is_apart = cursor.blanks() || is_marked;
    let tail = cursor.tail(is_apart);
    let body = cursor.body()?;
    let head = cursor.head();
    if cursor.eat("(") {
        let (number, rest) = cursor.0.split_once(')')?;
        number.chars().all(|c| c.is_ascii_digit()).then_some(())?;
        cursor = Cursor(rest);
    }
    cursor.blanks();
    let right = if cursor.eat("]") || cursor.eat("?") { None } else { cursor.end() };
    let is_nobody = left.is_none() && right.is_none();
    let (activation, text) = cursor.rest_of_message()?;
    let forward = head.contains(['>', '\\', '/', 'x']);
    let backward = tail.contains('<') || tail.contains(['\\', '/', 'x']) && !forward;
    if is_nobody || !forward && !backward {
        return None;
    }
    Some(Arrow {
        ends: [left, right],
        forward,
        backward,
        lost: head.contains('x') || tail.contains('x'),
        queued: match if forward { head } else { tail } {
            "\\\\" | "//" => true,
            ">>" | "<<" => !body.dashed,
            _ => false,
        },
        dashed: body.dashed,
        hidden: body.hidden,
        activation,
        text,
    })
}

struct Cursor<'a>(&'a str);

struct Body {
    dashed: bool,
    hidden: bool,
}

impl<'a> Cursor<'a> {
    fn eat(&mut self, piece: &str) -> bool {
        match self.0.strip_prefix(piece) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    /// Skips blanks. Returns whether there are any.
    fn blanks(&mut self) -> bool {
        let rest = self.0.trim_start();
        let found = rest.len() < self.0.len();
        self.0 = rest;
        found
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.0.split_at(length);
        self.0 = rest;
        taken
    }

    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let length = self.0.find(|c| !fits(c)).unwrap_or(self.0.len());
        self.take(length)
    }

    fn quoted(&mut self) -> Option<&'a str> {
        let (inside, rest) = self.0.strip_prefix('"')?.split_once('"')?;
        self.0 = rest;
        (!inside.is_empty()).then_some(inside)
    }

    /// What follows blanks, `as` and blanks.
    fn alias(&self) -> Option<&'a str> {
        let rest = self.0.trim_start();
        let alias = rest.strip_prefix("as").filter(|alias| alias.starts_with(char::is_whitespace))?;
        (rest.len() < self.0.len()).then(|| alias.trim_start())
    }

    /// The name of a participant, perhaps with the name that is shown.
    fn end(&mut self) -> Option<EndName<'a>> {
        if self.0.starts_with('"') {
            let shown = self.quoted()?;
            if let Some(alias) = self.alias() {
                let mut after = Cursor(alias);
                let name = after.take_while(is_in_name);
                if !name.is_empty() {
                    self.0 = after.0;
                    return Some(EndName { name, shown: Some(shown) });
                }
            }
            return Some(EndName { name: shown, shown: None });
        }
        let name = self.take_while(is_in_name);
        if name.is_empty() {
            return None;
        }
        if let Some(alias) = self.alias() {
            let mut after = Cursor(alias);
            if let Some(shown) = after.quoted() {
                self.0 = after.0;
                return Some(EndName { name, shown: Some(shown) });
            }
        }
        Some(EndName { name, shown: None })
    }

    /// What the arrow has at its left end. A cross or a circle is apart from the name before it.
    fn tail(&mut self, is_apart: bool) -> &'a str {
        let all = self.0;
        if is_apart && all.starts_with(['o', 'x']) && all[1..].starts_with(['<', '/', '\\', '-', '[']) {
            self.take(1);
        }
        for head in ["<<", "<", "//", "/", "\\\\", "\\"] {
            if self.eat(head) {
                break;
            }
        }
        &all[..all.len() - self.0.len()]
    }

    /// The line of the arrow, with its style before, in or after the dashes.
    fn body(&mut self) -> Option<Body> {
        let mut dashes = self.take_while(|c| c == '-').len();
        let mut style = "";
        if self.0.starts_with('[') && !self.0.starts_with("[[") {
            let (inside, rest) = self.0[1..].split_once(']')?;
            (style, self.0) = (inside, rest);
            dashes += self.take_while(|c| c == '-').len();
        }
        let words = || style.split([',', ';']).map(str::trim).filter(|word| !word.is_empty());
        let is = |wanted: &str| words().any(|word| word.eq_ignore_ascii_case(wanted));
        let known = ["bold", "plain", "norank", "single", "dotted", "dashed", "hidden"];
        let is_known = |word: &str| {
            word.starts_with('#') || word.starts_with("thickness=") || known.contains(&word.to_lowercase().as_str())
        };
        if !words().all(is_known) {
            return None;
        }
        let body = Body { dashed: dashes > 1 || is("dotted") || is("dashed"), hidden: is("hidden") };
        (dashes > 0).then_some(body)
    }

    /// What the arrow has at its right end. A cross or a circle is apart from the name after it; without such a name,
    /// it is a name itself.
    fn head(&mut self) -> &'a str {
        let all = self.0;
        for head in [">>", ">", "//", "/", "\\\\", "\\"] {
            if self.eat(head) {
                break;
            }
        }
        if self.0.starts_with(['o', 'x']) {
            let after = &self.0[1..];
            let is_end = |c: char| is_in_name(c) || matches!(c, '"' | ']' | '?');
            if after.starts_with(|c: char| c.is_whitespace() || matches!(c, ']' | '?'))
                && after.trim_start().starts_with(is_end)
            {
                self.take(1);
            }
        }
        &all[..all.len() - self.0.len()]
    }

    /// What follows the right end: what is activated, and the text. Nothing if something else follows.
    fn rest_of_message(mut self) -> Option<(&'a str, &'a str)> {
        self.blanks();
        if self.0.starts_with("<<") {
            self.0 = self.0.split_once(">>")?.1.trim_start();
        }
        let activation = self.take_while(|c| matches!(c, '+' | '-' | '*' | '!'));
        if activation.len() == 1 {
            return None;
        }
        self.blanks();
        if self.eat("#") {
            self.take_while(|c| c.is_alphanumeric() || matches!(c, '\\' | '/' | '|' | '-' | '_'));
            self.blanks();
        }
        if self.0.starts_with("[[") {
            self.0 = self.0.split_once("]]")?.1.trim_start();
        }
        match self.0.strip_prefix(':') {
            Some(text) => Some((activation, text.trim())),
            None => self.0.is_empty().then_some((activation, "")),
        }
    }
}

//! From the lines of one diagram to a [`Diagram`].

use super::arrow::{Arrow, EndName, arrow};
use super::calls::Calls;
use super::drawing;
use super::kind::kind_of;
use super::names::Participants;
use super::preprocess::Preprocessor;
use super::statement::{Statement, Statements};
use super::words::{Closer, declared, decoded, has_text, is_heading, text_of, without_colours, without_decoration};
use crate::report::Report;
use crate::sequence::{Diagram, End, FragmentKind, Line, LineKind};
use laban::diagnostic::{Code, Diagnostic, quote};
use laban::text::Span;
use std::collections::BTreeSet;

/// What was found in a block.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) diagram: Diagram,
    pub(super) report: Report,
    /// What it looks like, and where, if it is not a sequence diagram.
    pub(super) other: Option<(&'static str, Span)>,
}

/// Reads the lines of a diagram.
pub(super) fn read(statements: Statements<'_>, name: &str, span: Span) -> Found {
    let mut reader = Reader {
        statements,
        found: Found { diagram: Diagram { title: name.to_string(), span, ..Diagram::default() }, ..Found::default() },
        participants: Participants::default(),
        preprocessor: Preprocessor::default(),
        calls: Calls::default(),
        last: None,
        autoactivate: false,
        is_drawing: false,
        fragments: Vec::new(),
        never_closed: BTreeSet::new(),
    };
    if let Some(span) = drawing::mark(reader.statements.clone()) {
        reader.is_drawing = true;
        reader.add(span, LineKind::Drawing);
    }
    while let Some(statement) = reader.statements.next() {
        match statement {
            Ok(statement) => reader.statement(statement),
            Err(span) => {
                let diagnostic = Diagnostic::new(Code::UnclosedComment, span, "this comment is never closed");
                reader.found.report.add(diagnostic.hint("end it with `'/`"));
            }
        }
    }
    reader.finish()
}

struct Reader<'a> {
    statements: Statements<'a>,
    found: Found,
    participants: Participants,
    preprocessor: Preprocessor,
    calls: Calls,
    /// The last message.
    last: Option<(End, End)>,
    autoactivate: bool,
    /// Whether Laban has drawn it.
    is_drawing: bool,
    /// For each open fragment: its line, and whether it has a second branch.
    fragments: Vec<usize>,
    /// What does not end anything in the rest of the text, so that it is looked for only once.
    never_closed: BTreeSet<Closer>,
}

impl<'a> Reader<'a> {
    fn add(&mut self, span: Span, kind: LineKind) {
        self.found.diagram.lines.push(Line { span, kind });
    }

    /// Skips the lines up to the one that closes a block. Returns the last line that was skipped, or nothing, and
    /// nothing skipped, if no line closes it.
    fn skip_to(&mut self, closer: Closer) -> Option<Statement<'a>> {
        if self.never_closed.contains(&closer) {
            return None;
        }
        let mut ahead = self.statements.clone();
        while let Some(line) = ahead.raw() {
            if closer.ends(&line.text) {
                self.statements = ahead;
                return Some(line);
            }
        }
        self.never_closed.insert(closer);
        None
    }

    /// Skips the lines up to the bracket that closes those of this line.
    fn skip_braces(&mut self, line: &str) {
        let balance = |line: &str| line.matches('{').count() as i64 - line.matches('}').count() as i64;
        let mut depth = balance(line);
        while depth > 0 {
            let Some(line) = self.statements.raw() else { return };
            depth += balance(&line.text);
        }
    }

    fn statement(&mut self, statement: Statement<'a>) {
        if statement.text.starts_with('!') {
            if let Some(end) = self.preprocessor.directive(&statement, &mut self.found.report) {
                self.skip_to(Closer::Directive(end));
            }
            return;
        }
        if statement.text.is_empty() || !self.preprocessor.counts() {
            return;
        }
        let text = self.preprocessor.replaced(statement.text);
        let statement = Statement { text, span: statement.span };
        match arrow(&statement.text).filter(|_| !is_heading(&statement.text)) {
            Some(arrow) => self.message(&statement, &arrow),
            None => {
                if !self.keyword(&statement) {
                    self.not_known(&statement);
                }
            }
        }
    }

    /// A line that no sequence diagram has.
    fn not_known(&mut self, statement: &Statement<'_>) {
        if let Some(kind) = kind_of(&statement.text) {
            self.found.other.get_or_insert((kind, statement.span));
        }
        let message = format!("{} is not a line of a sequence diagram", quote(&statement.text));
        self.found.report.add(
            Diagnostic::new(Code::Syntax, statement.span, message)
                .label("not understood")
                .hint("a message is written `A -> B: text`; a name with blanks or signs needs quotes"),
        );
    }

    fn not_closed(&mut self, span: Span, what: &str, end: &str) {
        let diagnostic = Diagnostic::new(Code::Unclosed, span, format!("this {what} is never closed"));
        self.found.report.add(diagnostic.label(format!("`{end}` is missing")));
    }

    fn end_of(&mut self, statement: &Statement<'_>, end: Option<EndName<'_>>) -> End {
        match end {
            Some(EndName { name, shown }) => {
                End::Participant(self.participants.named(name, shown, statement.place(name)))
            }
            None => End::Outside,
        }
    }

    fn message(&mut self, statement: &Statement<'_>, arrow: &Arrow<'_>) {
        let [left, right] = arrow.ends.map(|end| self.end_of(statement, end));
        if arrow.hidden {
            return;
        }
        let text = decoded(arrow.text).into_owned();
        let ways = [(arrow.forward, left, right), (arrow.backward, right, left)];
        for (_, from, to) in ways.into_iter().filter(|&(is_way, ..)| is_way) {
            let text = text.clone();
            let kind = match self.is_drawing {
                true => LineKind::Drawn { from, to, text, is_selection: arrow.dashed, is_queued: arrow.queued },
                false => LineKind::Message { from, to, text, lost: arrow.lost },
            };
            self.add(statement.span, kind);
            self.last = Some((from, to));
        }
        // The first way counts for who is called.
        let (from, to) = if arrow.forward { (left, right) } else { (right, left) };
        let mut rest = arrow.activation;
        while let Some((sign, after)) = rest.split_at_checked(2) {
            match sign {
                "++" | "**" => self.activate(Some(from), to),
                "--" => self.deactivate(from),
                "!!" => self.deactivate(to),
                _ => {}
            }
            rest = after;
        }
        if self.autoactivate && arrow.activation.is_empty() {
            if arrow.dashed {
                self.deactivate(from);
            } else {
                self.activate(Some(from), to);
            }
        }
    }

    fn activate(&mut self, from: Option<End>, to: End) {
        if let End::Participant(to) = to {
            self.calls.activate(from, to);
        }
    }

    fn deactivate(&mut self, who: End) {
        if let End::Participant(who) = who {
            self.calls.deactivate(who);
        }
    }

    /// A line that starts with a keyword. Returns whether it is one.
    fn keyword(&mut self, statement: &Statement<'_>) -> bool {
        let text: &str = &statement.text;
        if let Some(sign) = text.chars().next().filter(|c| !c.is_alphanumeric()) {
            return self.signs(sign, statement);
        }
        let length = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
        let (word, rest) = text.split_at(length);
        let is_word = rest.is_empty() || rest.starts_with(char::is_whitespace);
        let word = word.to_lowercase();
        let after = rest.trim();
        match word.as_str() {
            "alt" => return self.open(FragmentKind::Alt, rest, statement.span),
            "opt" => return self.open(FragmentKind::Opt, rest, statement.span),
            "loop" => return self.open(FragmentKind::Loop, rest, statement.span),
            "par" | "par2" => return self.open(FragmentKind::Par, rest, statement.span),
            "break" => return self.open(FragmentKind::Break, rest, statement.span),
            "critical" => return self.open(FragmentKind::Critical, rest, statement.span),
            "group" => return self.open(FragmentKind::Group, rest, statement.span),
            "note" | "hnote" | "rnote" => return self.note(rest, statement),
            "ref" => return self.reference(rest, statement),
            "title" | "header" | "footer" | "caption" | "legend" => return self.heading(&word, rest, statement),
            _ => {}
        }
        if !is_word {
            return false;
        }
        match word.as_str() {
            "participant" | "actor" | "boundary" | "control" | "entity" | "database" | "collections" | "queue" => {
                self.declaration(after, statement)
            }
            "create" => {
                let kind = after.split_whitespace().next().unwrap_or("").to_lowercase();
                let kinds =
                    ["participant", "actor", "boundary", "control", "entity", "database", "collections", "queue"];
                let is_kind = kinds.contains(&kind.as_str()) && after.len() > kind.len();
                self.declaration(if is_kind { after[kind.len()..].trim_start() } else { after }, statement)
            }
            "activate" | "deactivate" | "destroy" => self.activation(&word, after, statement),
            "autoactivate" => {
                self.autoactivate = after.eq_ignore_ascii_case("on");
                true
            }
            "return" => self.answer(after, statement),
            "else" | "also" => self.next_branch(after, statement.span),
            "end" if after.eq_ignore_ascii_case("box") => true,
            "end" => self.close(statement.span),
            "skinparam" | "skinparamlocked" | "sprite" => {
                if text.ends_with('{') {
                    self.skip_braces(text);
                }
                true
            }
            "newpage" => {
                self.found.report.remark(statement.span, "the diagram goes on: a new page means nothing here");
                true
            }
            "left" | "right" | "center" => {
                let (second, rest) = after.split_at(after.find(char::is_whitespace).unwrap_or(after.len()));
                let second = second.to_lowercase();
                ["header", "footer", "title", "caption"].contains(&second.as_str())
                    && self.heading(&second, rest, statement)
            }
            "box" | "endbox" | "autonumber" | "hide" | "show" | "scale" | "mainframe" | "ignore" | "allow_mixing"
            | "url" | "rotate" | "minwidth" | "footbox" | "language" | "order" | "remove" | "restore" | "hnote"
            | "listsprite" | "set" | "skin" => true,
            _ => false,
        }
    }

    /// A line that starts with a sign.
    fn signs(&mut self, sign: char, statement: &Statement<'_>) -> bool {
        let text: &str = &statement.text;
        match sign {
            '=' => text.starts_with("=="),
            '.' => text.starts_with("..."),
            '…' => true,
            '|' => text.starts_with("||") && text.ends_with("||"),
            '{' => {
                // How long it takes from one place to another.
                let between = text.split_once('}').map_or("", |(_, rest)| rest).trim_start();
                between.starts_with("<->") && between[3..].trim_start().starts_with('{')
            }
            '/' | '&' => {
                let rest = text[1..].trim_start();
                let word = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("").to_lowercase();
                ["note", "hnote", "rnote"].contains(&word.as_str()) && self.note(&rest[word.len()..], statement)
            }
            '<' if text.to_lowercase().starts_with("<style") => {
                if !text.contains("</style>") && self.skip_to(Closer::Style).is_none() {
                    self.not_closed(statement.span, "style", "</style>");
                }
                true
            }
            _ => false,
        }
    }

    fn open(&mut self, kind: FragmentKind, rest: &str, span: Span) -> bool {
        let Some(guard) = without_colours(rest) else { return false };
        let is_race = self.is_drawing && kind == FragmentKind::Group && guard == "race";
        let kind = if is_race { FragmentKind::Par } else { kind };
        self.fragments.push(self.found.diagram.lines.len());
        self.add(span, LineKind::Open(kind, decoded(guard).into_owned()));
        true
    }

    fn next_branch(&mut self, after: &str, span: Span) -> bool {
        let guard = without_colours(after).unwrap_or(after);
        let Some(&opened) = self.fragments.last() else {
            self.outside(span, "else");
            return true;
        };
        if let LineKind::Open(kind, _) = &mut self.found.diagram.lines[opened].kind {
            match kind {
                // With a second branch, these are nothing else but an alt.
                FragmentKind::Group | FragmentKind::Opt | FragmentKind::Critical => *kind = FragmentKind::Alt,
                FragmentKind::Alt | FragmentKind::Par => {}
                FragmentKind::Loop | FragmentKind::Break => {
                    let word = if *kind == FragmentKind::Loop { "loop" } else { "break" };
                    let message = format!("`else` in a `{word}` cannot be expressed as a choreography");
                    let opening = self.found.diagram.lines[opened].span;
                    self.found.report.add(
                        Diagnostic::new(Code::Syntax, span, message)
                            .label("not supported")
                            .at(opening, "in this fragment")
                            .hint("use `alt` for what may happen instead"),
                    );
                    return true;
                }
            }
        }
        self.add(span, LineKind::Next(decoded(guard).into_owned()));
        true
    }

    fn close(&mut self, span: Span) -> bool {
        match self.fragments.pop() {
            Some(_) => self.add(span, LineKind::Close),
            None => self.outside(span, "end"),
        }
        true
    }

    fn outside(&mut self, span: Span, word: &str) {
        let message = format!("`{word}` without a fragment");
        let diagnostic = Diagnostic::new(Code::Syntax, span, message).label("nothing is open here");
        self.found
            .report
            .add(diagnostic.hint("a fragment starts with `alt`, `opt`, `loop`, `par`, `break` or `group`"));
    }

    fn note(&mut self, rest: &str, statement: &Statement<'_>) -> bool {
        if !rest.is_empty() && !rest.starts_with(|c: char| c.is_whitespace() || c == ':' || c == '#') {
            return false;
        }
        if let Some(text) = text_of(rest) {
            if self.is_drawing {
                let over = drawing::over(rest, &self.participants);
                self.add(statement.span, LineKind::Note(over, decoded(text).into_owned()));
            }
            return true;
        }
        let found = self.skip_to(Closer::Note).is_some();
        if !found && !rest.trim_start().starts_with('"') {
            self.not_closed(statement.span, "note", "end note");
            return true;
        }
        found
    }

    fn reference(&mut self, rest: &str, statement: &Statement<'_>) -> bool {
        let rest =
            rest.trim_start().trim_start_matches(|c: char| c == '#' || c.is_alphanumeric() && !rest.starts_with(' '));
        let Some(over) = rest.trim_start().strip_prefix("over") else { return false };
        let mut span = statement.span;
        let mut text = text_of(over).unwrap_or("").to_string();
        if !has_text(over) {
            let start = self.statements.clone();
            match self.skip_to(Closer::Ref) {
                Some(end) => {
                    span = span.to(end.span);
                    let mut lines = start;
                    text = lines
                        .raw()
                        .filter(|line| line.span != end.span)
                        .map_or_else(String::new, |line| line.text.into_owned());
                }
                None => self.not_closed(statement.span, "reference", "end ref"),
            }
        }
        self.add(span, LineKind::Reference(decoded(&text).into_owned()));
        true
    }

    /// A title and the like: one line, or lines up to an end.
    fn heading(&mut self, word: &str, rest: &str, statement: &Statement<'_>) -> bool {
        if !rest.is_empty() && !rest.starts_with(|c: char| c.is_whitespace() || c == ':') {
            return false;
        }
        let text = rest.trim().trim_start_matches(':').trim();
        let sides = ["left", "right", "center", "top", "bottom"];
        let (closer, is_block, end) = match word {
            "title" => (Closer::Title, text.is_empty(), "end title"),
            "header" => (Closer::Header, text.is_empty(), "end header"),
            "footer" => (Closer::Footer, text.is_empty(), "end footer"),
            "caption" => (Closer::Caption, text.is_empty(), "end caption"),
            _ => (Closer::Legend, text.split_whitespace().all(|word| sides.contains(&word)), "end legend"),
        };
        let mut title = text.to_string();
        if is_block {
            let mut lines = self.statements.clone();
            if self.skip_to(closer).is_none() {
                self.not_closed(statement.span, word, end);
            } else if let Some(first) = lines.raw() {
                title = first.text.into_owned();
            }
        }
        if word == "title" && self.found.diagram.title.is_empty() {
            self.found.diagram.title = title.trim_matches('"').to_string();
        }
        true
    }

    fn declaration(&mut self, after: &str, statement: &Statement<'_>) -> bool {
        let Some((name, shown, rest)) = declared(after) else { return false };
        match without_decoration(rest) {
            Some("") => {}
            Some("[") => {
                if self.skip_to(Closer::Bracket).is_none() {
                    self.not_closed(statement.span, "declaration", "]");
                }
            }
            _ => return false,
        }
        self.participants.declare(name, shown, statement.place(name));
        true
    }

    fn activation(&mut self, word: &str, after: &str, statement: &Statement<'_>) -> bool {
        if after.is_empty() {
            if word == "deactivate" {
                self.calls.answer();
            }
            return word == "deactivate";
        }
        let Some((name, shown, _)) = declared(after) else { return false };
        let who = self.participants.named(name, shown, statement.place(name));
        if word == "activate" {
            let caller = self.last.filter(|&(_, to)| to == End::Participant(who)).map(|(from, _)| from);
            self.calls.activate(caller, who);
        } else {
            self.calls.deactivate(who);
        }
        true
    }

    /// `return`: the answer to the last call.
    fn answer(&mut self, text: &str, statement: &Statement<'_>) -> bool {
        let answer = match self.calls.answer() {
            Some((from, Some(to))) => Some((End::Participant(from), to)),
            _ => self.last.map(|(from, to)| (to, from)),
        };
        let Some((from, to)) = answer else {
            let diagnostic = Diagnostic::new(Code::Syntax, statement.span, "`return` has no call to answer");
            self.found.report.add(
                diagnostic
                    .label("nobody called")
                    .hint("a call activates the one who is called, as in `A -> B ++: text`; or write the answer as `B --> A: text`"),
            );
            return true;
        };
        let text = without_colours(text).unwrap_or(text);
        let text = text.strip_prefix(':').unwrap_or(text).trim().to_string();
        self.add(statement.span, LineKind::Message { from, to, text, lost: false });
        self.last = Some((from, to));
        true
    }

    fn finish(mut self) -> Found {
        while let Some(opened) = self.fragments.pop() {
            let span = self.found.diagram.lines[opened].span;
            self.found.report.remark(span, "`end` is missing: this fragment ends with the diagram");
            let end = self.found.diagram.span.end;
            self.add(Span::new(end, end), LineKind::Close);
        }
        self.found.diagram.participants = self.participants.list;
        self.found
    }
}

//! From a text without comments to terms. `;` binds more than `+`, and that more than `|`.

use super::term::{Choreography, Term};
use crate::report::Report;
use crate::roles::Roles;
use crate::scanner::{Comments, Scanner};
use crate::source::Source;
use crate::system::{Message, Word};
use laban::diagnostic::{Code, Diagnostic};
use laban::text::Span;

/// Reads a text.
pub(super) fn parse(source: &Source<'_>, report: &mut Report) -> Choreography {
    let mut parser = Parser {
        scanner: Scanner::new(source, Comments::default()),
        choreography: Choreography::default(),
        roles: Roles::default(),
        has_guards: false,
        loops: 0,
    };
    parser.text();
    report.append(parser.scanner.report);
    parser.choreography
}

struct Parser<'a> {
    scanner: Scanner<'a>,
    choreography: Choreography,
    roles: Roles,
    /// Whether it has been said that guards are not looked at.
    has_guards: bool,
    /// How many loops are open.
    loops: usize,
}

/// What a term is in, and how it ends.
#[derive(Debug, Clone, Copy)]
enum Bracket {
    Text,
    Brace,
    Parenthesis,
    /// `sel {`, with who decides.
    Choice(Option<usize>),
    /// `repeat {`, with who decides.
    Repeat(Option<usize>),
    /// `*`, which ends with `@`.
    Star,
}

impl Bracket {
    fn is_loop(self) -> bool {
        matches!(self, Bracket::Repeat(_) | Bracket::Star)
    }

    fn close(self) -> &'static str {
        match self {
            Bracket::Text => "",
            Bracket::Parenthesis => ")",
            Bracket::Star => "@",
            Bracket::Brace | Bracket::Choice(_) | Bracket::Repeat(_) => "}",
        }
    }
}

/// A bracket that is open, and what is in it so far: in sequence, as branches, and side by side.
struct Open {
    bracket: Bracket,
    span: Span,
    sequence: Vec<usize>,
    branches: Vec<usize>,
    sides: Vec<usize>,
    plus: Option<Span>,
    bar: Option<Span>,
}

impl Open {
    fn new(bracket: Bracket, span: Span) -> Self {
        Open { bracket, span, sequence: Vec::new(), branches: Vec::new(), sides: Vec::new(), plus: None, bar: None }
    }
}

impl Parser<'_> {
    fn text(&mut self) {
        let start = self.scanner.here();
        let mut open = vec![Open::new(Bracket::Text, start)];
        // Whether a term comes next, and not what joins terms.
        let mut expects_term = true;
        while let Some(inner) = open.last_mut() {
            if expects_term {
                match self.term() {
                    Some(Begun::Term(term)) => {
                        inner.sequence.push(term);
                        expects_term = false;
                    }
                    Some(Begun::Open(begun)) => {
                        self.loops += usize::from(begun.bracket.is_loop());
                        open.push(begun);
                    }
                    None => {
                        self.skip();
                        expects_term = false;
                    }
                }
                continue;
            }
            self.guard();
            let here = self.scanner.here();
            if self.scanner.eat(";") {
                // A `;` before the end of a block is harmless.
                let ends = matches!(self.scanner.peek(), None | Some('}' | ')'));
                expects_term = !ends;
            } else if self.scanner.eat("+") {
                inner.plus.get_or_insert(here);
                self.end_sequence(&mut open);
                expects_term = true;
            } else if self.scanner.eat("|") {
                inner.bar.get_or_insert(here);
                self.end_branches(&mut open);
                expects_term = true;
            } else if self.scanner.at_end() || self.scanner.rest().starts_with(['}', ')', '@']) {
                if self.close(&mut open).is_none() {
                    return;
                }
            } else {
                self.scanner.expected("`;`, `+`, `|` or the end");
                self.skip();
            }
        }
    }

    /// Skips to where something may go on.
    fn skip(&mut self) {
        while !self.scanner.at_end() && !self.scanner.rest().starts_with([';', '+', '|', '}', ')', '@']) {
            self.scanner.skip_character();
        }
    }

    /// Reads the beginning of a term.
    fn term(&mut self) -> Option<Begun> {
        let here = self.scanner.here();
        let opened = |bracket: Bracket| Some(Begun::Open(Open::new(bracket, here)));
        if self.scanner.eat("(o)") {
            let here = here.to(self.scanner.position());
            if self.loops > 0 {
                let text = "`(o)` in a loop is read as nothing: who decides about the loop does so before each round";
                self.scanner.report.remark(here, text);
            }
            return Some(Begun::Term(self.choreography.add(here, Term::Nothing)));
        } else if self.scanner.eat("{") {
            return opened(Bracket::Brace);
        } else if self.scanner.eat("(") {
            return opened(Bracket::Parenthesis);
        } else if self.scanner.eat("*") {
            return opened(Bracket::Star);
        }
        let word = self.word("a message, `sel`, `repeat`, `*` or a bracket")?;
        let is_arrow = self.scanner.rest().starts_with("->") || self.scanner.rest().starts_with("=>");
        match word.text.as_str() {
            _ if is_arrow => self.message(&word).map(Begun::Term),
            "sel" | "branch" | "choice" => {
                let decider = self.decider()?;
                opened(Bracket::Choice(decider))
            }
            "repeat" => {
                let decider = self.decider()?;
                opened(Bracket::Repeat(decider))
            }
            "let" | "do" => {
                let what = format!("`{}`", word.text);
                let hint = "write what the name stands for in its place";
                self.scanner.report.inexpressible(word.span, &what, hint);
                self.scanner.cut_off();
                None
            }
            _ => {
                self.scanner.expected("`->` or `=>`");
                None
            }
        }
    }

    /// Who decides, if that is said, and the brace.
    fn decider(&mut self) -> Option<Option<usize>> {
        let decider = match self.scanner.peek() {
            Some('{') => None,
            _ => Some(self.word("the role that decides, or `{`")?),
        };
        let decider = decider.map(|word| self.roles.number(&mut self.choreography.protocol, &word));
        self.scanner.expect("{").then_some(decider)
    }

    fn word(&mut self, what: &str) -> Option<Word> {
        let word = self.scanner.identifier();
        if word.is_none() {
            self.scanner.expected(what);
        }
        word
    }

    /// `A -> B: m` or `A => B, C: m`, after the first role.
    fn message(&mut self, from: &Word) -> Option<usize> {
        let several = self.scanner.eat("=>");
        if !several {
            self.scanner.expect("->").then_some(())?;
        }
        let from_role = self.roles.number(&mut self.choreography.protocol, from);
        let mut to = Vec::new();
        loop {
            let word = self.word("the role that receives")?;
            to.push(self.roles.number(&mut self.choreography.protocol, &word));
            if !several || !self.scanner.eat(",") {
                break;
            }
        }
        self.scanner.expect(":").then_some(())?;
        let label = self.label()?;
        let span = from.span.to(label.span);
        if to.len() > 1 {
            let text = "a message to several roles is written as one message after the other";
            self.scanner.report.remark(span, text);
        }
        let message = Message::label(label.text);
        Some(self.choreography.add(span, Term::Message { from: from_role, to, message }))
    }

    fn label(&mut self) -> Option<Word> {
        let opened = self.scanner.here();
        if self.scanner.eat("\"") {
            let Some(length) = self.scanner.raw_rest().find('"') else {
                let message = "this quote is never closed";
                self.scanner.report.add(Diagnostic::new(Code::Unclosed, opened, message).label("opened here"));
                self.scanner.cut_off();
                return None;
            };
            let label = self.scanner.take(length);
            self.scanner.take(1);
            return Some(label);
        }
        let label = self.scanner.word(|c| !c.is_whitespace() && !";+|{}()*@%:".contains(c));
        if label.is_none() {
            self.scanner.expected("a message");
        }
        label
    }

    /// `unless A % text, B % text`.
    fn guard(&mut self) {
        while self.scanner.rest().strip_prefix("unless").is_some_and(|rest| rest.starts_with(char::is_whitespace)) {
            let here = self.scanner.here();
            self.scanner.eat("unless");
            if !std::mem::replace(&mut self.has_guards, true) {
                self.scanner.report.remark(here, "what follows `unless` is ignored");
            }
            let rest = self.scanner.raw_rest();
            let length = rest.find(['+', '}', ')', '|', ';', '\n']).unwrap_or(rest.len());
            self.scanner.take(length);
        }
    }

    /// What is in sequence becomes a branch.
    fn end_sequence(&mut self, open: &mut [Open]) {
        let Some(inner) = open.last_mut() else { return };
        let parts = std::mem::take(&mut inner.sequence);
        let term = match parts.as_slice() {
            [] => self.choreography.add(inner.span, Term::Nothing),
            [only] => *only,
            [first, ..] => {
                let span = self.choreography.terms.get(*first).map_or(inner.span, |&(span, _)| span);
                self.choreography.add(span, Term::Sequence(parts))
            }
        };
        inner.branches.push(term);
    }

    /// What are branches become one side.
    fn end_branches(&mut self, open: &mut [Open]) {
        self.end_sequence(open);
        let Some(inner) = open.last_mut() else { return };
        let branches = std::mem::take(&mut inner.branches);
        let decider = match inner.bracket {
            Bracket::Choice(decider) => decider,
            _ => None,
        };
        let span = if decider.is_some() { inner.span } else { inner.plus.unwrap_or(inner.span) };
        inner.plus = None;
        let term = match branches.as_slice() {
            [only] => *only,
            _ => self.choreography.add(span, Term::Choice { decider, branches }),
        };
        inner.sides.push(term);
    }

    /// Closes the innermost bracket; nothing if that was the text itself.
    fn close(&mut self, open: &mut Vec<Open>) -> Option<()> {
        self.end_branches(open);
        let inner = open.pop()?;
        self.loops -= usize::from(inner.bracket.is_loop());
        let sides = inner.sides;
        let term = match sides.as_slice() {
            [only] => *only,
            _ => self.choreography.add(inner.bar.unwrap_or(inner.span), Term::Parallel(sides)),
        };
        let here = self.scanner.here();
        let close = inner.bracket.close();
        if matches!(inner.bracket, Bracket::Text) {
            self.choreography.root = term;
            if !self.scanner.at_end() {
                self.scanner.expected("the end of the text");
            }
            return None;
        }
        if !self.scanner.eat(close) {
            if !self.scanner.is_cut_off {
                let message = format!("`{close}` is missing");
                let diagnostic = Diagnostic::new(Code::Unclosed, inner.span, message).label("opened here");
                self.scanner.report.add(diagnostic.at(here, format!("`{close}` was expected here")));
                self.scanner.cut_off();
            }
            return None;
        }
        let term = match inner.bracket {
            Bracket::Star => {
                let decider = self.word("the role that decides")?;
                let span = inner.span.to(inner.span);
                let decider = Some(self.roles.number(&mut self.choreography.protocol, &decider));
                self.choreography.add(span, Term::Loop { decider, body: term })
            }
            Bracket::Repeat(decider) => self.choreography.add(inner.span, Term::Loop { decider, body: term }),
            _ => term,
        };
        open.last_mut()?.sequence.push(term);
        Some(())
    }
}

/// A term that was read, or a bracket that was opened.
enum Begun {
    Term(usize),
    Open(Open),
}

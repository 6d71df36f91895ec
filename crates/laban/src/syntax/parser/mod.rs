//! From text to trees.
//!
//! A hand-written parser over the tokens of the whole text. It always returns a tree; where the text is wrong it says
//! so, skips to a place where it can go on, and leaves [`Term::Missing`] behind. One explicit stack of open forks
//! replaces recursion, so depth does not matter, and every skip moves forward, so the time is linear in the text.
//!
//! This file holds what both languages share: the cursor, names, expressions and the way from one mistake to the next
//! line of sense. [`body`] parses chains of actions, [`unit`] what is around them; [`network`] and [`choreography`] say
//! what an action is, and [`likely_mistake`] knows what is often written in place of something else.

mod body;
mod channels;
mod choreography;
mod expression;
mod likely_mistake;
mod network;
mod plain;
mod unit;

use super::Span;
use super::brackets::Brackets;
use super::lexer::{MOST_DIAGNOSTICS, Tokens, lex, lex_from};
use super::names::Symbol;
use super::token::{Token, TokenKind};
use super::tree::{Arm, Choreographies, Language, Name, Networks, TermId, Tree};
use crate::diagnostic::{Code, Diagnostic, quote};
use body::{Frame, Grammar};

/// A tree and what is wrong with the text.
#[derive(Debug)]
pub struct Parsed<L: Language> {
    /// The tree; with [`Term::Missing`](super::Term::Missing) in it if the text has errors.
    pub tree: Tree<L>,
    /// What is wrong, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Which language a text is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// What each process does.
    Network,
    /// What all do together.
    Choreography,
}

/// Parses a network.
pub fn parse_network(source: &str) -> Parsed<Networks> {
    let mut tree = Tree::with_names((source.len() / BYTES_PER_NAME).min(MOST_NAMES));
    tree.terms.reserve(source.len() / BYTES_PER_TERM);
    tree.spans.reserve(source.len() / BYTES_PER_TERM);
    tree.arms.reserve((source.len() / BYTES_PER_ARM).min(MOST_ARMS));
    match plain::processes(source, &mut tree) {
        None => Parsed { tree, diagnostics: Vec::new() },
        Some(rest) => parse(source, rest, tree),
    }
}

/// Parses a choreography.
pub fn parse_choreography(source: &str) -> Parsed<Choreographies> {
    parse(source, 0, Tree::with_names((source.len() / BYTES_PER_NAME).min(MOST_NAMES)))
}

/// In how many bytes of a text there is a new name, about.
const BYTES_PER_NAME: usize = 13;
/// For how many names there is room to begin with: a long text often has few.
const MOST_NAMES: usize = 1 << 14;
/// How many bytes of a text a term takes, about.
const BYTES_PER_TERM: usize = 5;
/// In how many bytes of a text there is an arm of a fork, where there are forks.
const BYTES_PER_ARM: usize = 64;
/// For how many arms there is room to begin with.
const MOST_ARMS: usize = 1 << 14;

/// Which language a text seems to be written in: a choreography starts with `def` or `main`, a network with a name. A
/// text that starts with an interaction is a choreography without its `main`.
pub fn detect(source: &str) -> Kind {
    // The beginning of a text is enough, unless it opens with a long comment.
    let mut length = 256;
    loop {
        let mut end = length.min(source.len());
        while !source.is_char_boundary(end) {
            end += 1;
        }
        let tokens = lex(&source[..end]).tokens;
        let is_text = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.span.text(source) == text);
        let telling = |at: &usize| match tokens[*at].kind {
            TokenKind::OpenBrace | TokenKind::Semicolon | TokenKind::Arrow => true,
            // `~>` or `<~`
            TokenKind::Other => is_text(*at, "~") && (is_text(*at + 1, ">") || is_text(*at - 1, "<")),
            _ => false,
        };
        // The last word may have been cut in two.
        let first = tokens.first().map(|token| token.kind).filter(|_| tokens.len() > 2 || end == source.len());
        let told = (1..tokens.len()).find(telling).map(|at| tokens[at].kind);
        // `channels a -> b queue;` has an arrow in it.
        let declares =
            tokens.get(1).is_some_and(|second| second.kind == TokenKind::Identifier) && is_text(0, "channels");
        match (first, told) {
            (_, Some(_)) if declares => return Kind::Network,
            (Some(TokenKind::Def | TokenKind::Main), _) | (_, Some(TokenKind::Arrow | TokenKind::Other)) => {
                return Kind::Choreography;
            }
            (_, Some(_)) => return Kind::Network,
            _ if end == source.len() => return Kind::Network,
            _ => {}
        }
        length *= 8;
    }
}

/// These bytes as text, or why they are not text.
pub fn source_text(bytes: &[u8]) -> Result<&str, Diagnostic> {
    if u32::try_from(bytes.len()).is_err() {
        let message = "the text is too long: the limit is 4 GiB";
        return Err(Diagnostic::new(Code::TooLong, Span::default(), message));
    }
    str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to() as u32;
        let line = 1 + bytes[..at as usize].iter().filter(|&&byte| byte == b'\n').count();
        let message = format!("this is not UTF-8 text: byte {}, on line {line}, does not start a character", at + 1);
        Diagnostic::new(Code::NotText, Span::new(at, at), message).hint("save the file as UTF-8")
    })
}

/// Parses the rest of a text, with a tree of what comes before.
fn parse<L: Grammar>(source: &str, start: usize, mut tree: Tree<L>) -> Parsed<L> {
    let Tokens { tokens, comments, diagnostics } = lex_from(source, start);
    tree.comments.extend(comments);
    // A term takes about four tokens.
    let terms = tokens.len() / 4 + 1;
    tree.terms.reserve(terms);
    tree.spans.reserve(terms);
    let mut parser = Parser {
        source,
        // The bar before the rest is done with.
        at: usize::from(start > 0),
        tokens,
        quiet_at: usize::MAX,
        tree,
        diagnostics,
        frames: Vec::new(),
        pending: Vec::new(),
        brackets: None,
        misnamed: Vec::new(),
        scratch: String::new(),
    };
    parser.units();
    let Parser { tree, mut diagnostics, .. } = parser;
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span.start);
    Parsed { tree, diagnostics }
}

struct Parser<'a, L: Language> {
    source: &'a str,
    tokens: Vec<Token>,
    at: usize,
    /// A token that was reported already: one mistake, one message.
    quiet_at: usize,
    tree: Tree<L>,
    diagnostics: Vec<Diagnostic>,
    /// The forks that are open.
    frames: Vec<Frame>,
    /// Their arms so far; an inner fork's lie behind its outer's, and leave when it closes.
    pending: Vec<Arm>,
    /// Which brackets close which; made when first asked for.
    brackets: Option<Brackets>,
    /// The names with a `-` in them that were reported already.
    misnamed: Vec<Symbol>,
    scratch: String,
}

impl<L: Language> Parser<'_, L> {
    fn current(&self) -> Token {
        self.tokens[self.at]
    }

    fn kind(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    fn kind_after(&self, distance: usize) -> TokenKind {
        self.tokens.get(self.at + distance).map_or(TokenKind::End, |token| token.kind)
    }

    /// Goes to the next token; stays at the end.
    fn advance(&mut self) -> Token {
        let token = self.current();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.advance();
        }
        found
    }

    /// The token before this one.
    fn previous(&self) -> Span {
        match self.at {
            0 => Span::default(),
            at => self.tokens[at - 1].span,
        }
    }

    /// Where the token before this one ends.
    fn previous_end(&self) -> Span {
        self.previous().after()
    }

    /// The text of the token before this one.
    fn word_before(&self) -> &str {
        self.text(self.previous())
    }

    fn text(&self, span: Span) -> &str {
        span.text(self.source)
    }

    /// Reports a mistake at the current token, once.
    #[cold]
    fn report(&mut self, diagnostic: impl FnOnce(&Self) -> Diagnostic) {
        let said = self.quiet_at == self.at || self.kind() == TokenKind::LoneQuote;
        if !said && self.diagnostics.len() < MOST_DIAGNOSTICS {
            let diagnostic = diagnostic(self);
            self.diagnostics.push(diagnostic);
        }
        self.quiet_at = self.at;
    }

    /// Reports that something else was expected at the current token.
    #[cold]
    fn expected(&mut self, what: &str, hint: Option<&str>) {
        self.report(|parser| {
            let diagnostic = parser.unexpected(what);
            match hint {
                Some(hint) => diagnostic.hint(hint),
                None => diagnostic,
            }
        });
    }

    fn unexpected(&self, what: &str) -> Diagnostic {
        let token = self.current();
        let found = self.found();
        let code = match token.kind {
            TokenKind::Other => Code::UnknownCharacter,
            _ => Code::Syntax,
        };
        Diagnostic::new(code, token.span, format!("expected {what}, found {found}")).label(format!("expected {what}"))
    }

    /// What messages call the current token.
    fn found(&self) -> String {
        let token = self.current();
        match token.kind {
            TokenKind::End => "the end of the text".to_string(),
            _ => quote(self.text(token.span)),
        }
    }

    fn expect(&mut self, kind: TokenKind, hint: Option<&str>) -> bool {
        let found = self.eat(kind);
        if !found {
            self.expected(kind.describe(), hint);
        }
        found
    }

    /// A name of something, such as a process or a label.
    #[inline(always)]
    fn name(&mut self, of: &str) -> Option<Name> {
        let token = self.current();
        if token.kind != TokenKind::Identifier {
            self.no_name(of);
            return None;
        }
        self.at += 1;
        match self.kind() {
            TokenKind::Other => Some(self.hyphenated(token.span)),
            _ => Some(self.intern(token.span)),
        }
    }

    #[cold]
    fn no_name(&mut self, of: &str) {
        let token = self.current();
        if token.kind.is_reserved_word() && !matches!(self.kind_after(1), TokenKind::Identifier) {
            self.report(|parser| {
                let word = quote(parser.text(token.span));
                let message = format!("{word} is a reserved word and cannot name {of}");
                Diagnostic::new(Code::ReservedWord, token.span, message)
                    .label(format!("expected the name of {of}"))
                    .hint("choose another name")
            });
        } else {
            self.expected(&format!("the name of {of}"), None);
        }
    }

    fn intern(&mut self, span: Span) -> Name {
        Name { symbol: self.tree.names.intern_at(span, self.source), span }
    }

    /// Goes past the current token, with all that is in its brackets.
    fn step_over(&mut self) {
        let closed = match self.kind() {
            TokenKind::OpenBrace | TokenKind::OpenBracket | TokenKind::OpenParenthesis => self.matching(self.at),
            _ => None,
        };
        match closed {
            Some(close) => self.at = close + 1,
            None => {
                self.advance();
            }
        }
    }

    /// Skips what cannot be understood, up to a token at which some rule can go on. Brackets are skipped as a whole.
    fn skip(&mut self, stop_at_semicolon: bool) {
        use TokenKind::*;
        loop {
            match self.kind() {
                End | CloseBrace | Comma | Else | Bar | DoubleBar | Def | Main => return,
                Semicolon if stop_at_semicolon => return,
                _ => self.step_over(),
            }
        }
    }

    fn fill(&mut self, hole: Hole, id: TermId) {
        match hole {
            Hole::None => {}
            Hole::Arm(index) => {
                if let Some(arm) = self.pending.get_mut(index) {
                    arm.body = id;
                }
            }
        }
    }
}

/// The place in the tree that the next term goes to.
#[derive(Debug, Clone, Copy)]
enum Hole {
    /// The beginning of a body, or the place after an action, which knows that the next term follows it.
    None,
    /// The body of an arm in [`Parser::pending`].
    Arm(usize),
}

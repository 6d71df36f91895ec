//! Modules and protocols as they are written.
//!
//! Blocks lie side by side and have numbers, so that nothing here is deep.

use laban::text::Span;
use std::borrow::Cow;

/// A name, and where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Name<'a> {
    pub(super) text: &'a str,
    pub(super) span: Span,
}

/// A name with dots, without blanks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct QualifiedName<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) span: Span,
}

impl QualifiedName<'_> {
    /// What is before the last dot, and what is behind it.
    pub(super) fn split(&self) -> (&str, &str) {
        self.text.rsplit_once('.').unwrap_or(("", &self.text))
    }
}

/// All texts together.
#[derive(Debug, Default)]
pub(super) struct Tree<'a> {
    pub(super) modules: Vec<Module<'a>>,
    pub(super) protocols: Vec<Declared<'a>>,
    pub(super) blocks: Vec<Vec<Item<'a>>>,
    /// How many loops there are; each has a number.
    pub(super) loops: usize,
    /// What was read but is not checked: how often, and where first.
    pub(super) unchecked: Vec<(Unchecked, usize, Span)>,
}

/// What is read but not checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unchecked {
    Annotation,
    Refinement,
    Variable,
    Time,
    Connection,
    Crash,
}

/// A text.
#[derive(Debug, Default)]
pub(super) struct Module<'a> {
    pub(super) name: Option<QualifiedName<'a>>,
    /// The name of its file, without folders.
    pub(super) stem: &'a str,
    pub(super) imports: Vec<Import<'a>>,
}

/// A module that another one uses.
#[derive(Debug)]
pub(super) struct Import<'a> {
    pub(super) module: QualifiedName<'a>,
    /// What it is called here.
    pub(super) alias: Option<Name<'a>>,
    /// The only protocol of it that is used, in `from module import protocol as alias`.
    pub(super) member: Option<Name<'a>>,
}

/// A protocol.
#[derive(Debug)]
pub(super) struct Declared<'a> {
    pub(super) module: usize,
    pub(super) name: Name<'a>,
    pub(super) is_auxiliary: bool,
    /// Whether it says what one role does, and which.
    pub(super) is_local: bool,
    pub(super) own_role: Option<Name<'a>>,
    pub(super) is_nested: bool,
    pub(super) parameters: Vec<Name<'a>>,
    pub(super) roles: Vec<Name<'a>>,
    pub(super) body: usize,
    /// Something in its head that cannot be expressed.
    pub(super) refused: Option<Refused>,
}

/// Something that cannot be expressed as a choreography.
#[derive(Debug, Clone, Copy)]
pub(super) struct Refused {
    pub(super) span: Span,
    pub(super) what: &'static str,
    pub(super) hint: &'static str,
}

/// A statement.
#[derive(Debug)]
pub(super) enum Item<'a> {
    Message { span: Span, message: Signature<'a>, from: Name<'a>, to: Vec<Name<'a>> },
    Choice { span: Span, at: Name<'a>, branches: Vec<usize> },
    Parallel { span: Span, parts: Vec<usize> },
    Loop { name: Name<'a>, number: usize, body: usize },
    Continue { span: Span, name: Name<'a>, target: Option<usize> },
    Do(Box<Call<'a>>),
    Refused(Refused),
}

impl Item<'_> {
    /// Where it is, without the blocks in it.
    pub(super) fn span(&self) -> Span {
        match self {
            Item::Message { span, .. }
            | Item::Choice { span, .. }
            | Item::Parallel { span, .. }
            | Item::Continue { span, .. } => *span,
            Item::Loop { name, .. } => name.span,
            Item::Do(call) => call.span,
            Item::Refused(refused) => refused.span,
        }
    }
}

/// A sub-protocol with its roles.
#[derive(Debug)]
pub(super) struct Call<'a> {
    pub(super) span: Span,
    pub(super) protocol: QualifiedName<'a>,
    pub(super) arguments: Vec<Signature<'a>>,
    /// Who takes part, and as whom if that is said: `A as X`.
    pub(super) roles: Vec<(Name<'a>, Option<Name<'a>>)>,
}

/// A message: a label, and what comes with it.
#[derive(Debug, Clone)]
pub(super) struct Signature<'a> {
    pub(super) label: Option<Name<'a>>,
    /// Whether there are parentheses: if not, it may be a parameter.
    pub(super) is_literal: bool,
    pub(super) payload: Vec<PayloadElement<'a>>,
}

/// One thing that comes with a label: `x: int`, `int`.
#[derive(Debug, Clone)]
pub(super) struct PayloadElement<'a> {
    pub(super) name: Option<Name<'a>>,
    pub(super) sort: &'a str,
    pub(super) span: Span,
    /// Whether it is a session, `P@A`.
    pub(super) is_delegated: bool,
}

impl<'a> Tree<'a> {
    /// Notes something that is not checked.
    pub(super) fn leave_unchecked(&mut self, what: Unchecked, span: Span) {
        match self.unchecked.iter_mut().find(|(other, _, _)| *other == what) {
            Some((_, count, _)) => *count += 1,
            None => self.unchecked.push((what, 1, span)),
        }
    }

    pub(super) fn add_block(&mut self, items: Vec<Item<'a>>) -> usize {
        self.blocks.push(items);
        self.blocks.len() - 1
    }
}

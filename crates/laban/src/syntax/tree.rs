//! Syntax trees of the two languages.
//!
//! The languages differ in what an action is and in what a body can branch on; everything around these is the same:
//! bodies that are chains of actions and end in `stop`, a call or a fork, and units that consist of procedures and a
//! `main`. So there is one tree, over a [`Language`]. All terms of a text lie in one flat arena in the order in which
//! the text names them: a tree of any depth is dropped, compared and walked without recursion.

use super::Span;
use super::names::{Names, Symbol};

/// What is particular to a language.
pub trait Language: Copy + std::fmt::Debug {
    /// What goes on in one step and is followed by one continuation.
    type Action: Copy + std::fmt::Debug + Comparable;
    /// What a body can branch on.
    type Fork: Copy + std::fmt::Debug + Comparable;
}

/// The language of networks: what each process does.
#[derive(Debug, Clone, Copy)]
pub enum Networks {}

/// The language of choreographies: what all do together.
#[derive(Debug, Clone, Copy)]
pub enum Choreographies {}

impl Language for Networks {
    type Action = LocalAction;
    type Fork = LocalFork;
}

impl Language for Choreographies {
    type Action = GlobalAction;
    type Fork = GlobalFork;
}

/// A name and its place in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name {
    /// Which name.
    pub symbol: Symbol,
    /// Where.
    pub span: Span,
}

/// The number of a term in its tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub u32);

impl TermId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of a label with a value in its tree: there are few of them, and a term need not have room for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelledId(pub u32);

/// A label and the value that is sent with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LabelledValue {
    /// The label.
    pub label: Name,
    /// The value.
    pub expression: Name,
}

/// A stretch of an arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ArenaRange {
    /// The first element.
    pub start: u32,
    /// The one after the last.
    pub end: u32,
}

impl ArenaRange {
    /// The elements themselves.
    pub fn of<T>(self, arena: &[T]) -> &[T] {
        arena.get(self.start as usize..self.end as usize).unwrap_or(&[])
    }

    /// How many there are.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// One step of a process.
#[derive(Debug, Clone, Copy)]
pub enum LocalAction {
    /// `to!<expression>`
    Send {
        /// Who receives.
        to: Name,
        /// What is sent.
        expression: Name,
    },
    /// `from?`
    Receive {
        /// Who sends.
        from: Name,
    },
    /// `to+label`
    Select {
        /// Who is told.
        to: Name,
        /// What.
        label: Name,
    },
    /// `to+label<expression>`: a label and a value in one message.
    SelectValue {
        /// Who is told.
        to: Name,
        /// Which label, and what is sent with it; see [`Tree::labelled`].
        content: LabelledId,
    },
}

/// Where a process branches.
#[derive(Debug, Clone, Copy)]
pub enum LocalFork {
    /// `if condition then … else …`
    If {
        /// What decides.
        condition: Name,
    },
    /// `from&{label: …, …}`
    Offer {
        /// Who selects.
        from: Name,
    },
    /// `from&label; …`: an offer of one label, written without braces.
    OfferOne {
        /// Who selects.
        from: Name,
    },
    /// `choose { …, … }`: the process decides.
    Choose,
    /// `any { …, … }`: whichever comes first.
    Any,
}

/// One step of a choreography.
#[derive(Debug, Clone, Copy)]
pub enum GlobalAction {
    /// One communication or selection.
    Interaction(GlobalInteraction),
    /// `(p.e -> q, q.f -> p)`: several at once; a stretch of [`Tree::interactions`].
    Group(ArenaRange),
}

/// A communication or selection from one process to another.
#[derive(Debug, Clone, Copy)]
pub enum GlobalInteraction {
    /// `from.expression -> to`
    Communicate {
        /// Who sends.
        from: Name,
        /// What.
        expression: Name,
        /// Who receives.
        to: Name,
    },
    /// `from -> to[label]`
    Select {
        /// Who selects.
        from: Name,
        /// Who is told.
        to: Name,
        /// What.
        label: Name,
    },
    /// `from.expression -> to[label]`: a label and a value in one message.
    SelectValue {
        /// Who selects.
        from: Name,
        /// Who is told.
        to: Name,
        /// Which label, and what is sent with it; see [`Tree::labelled`].
        content: LabelledId,
    },
}

/// Where a choreography branches.
#[derive(Debug, Clone, Copy)]
pub enum GlobalFork {
    /// `if process.condition then … else …`
    If {
        /// Who decides.
        process: Name,
        /// What decides.
        condition: Name,
    },
    /// `choose process { …, … }`: a process decides.
    Choose {
        /// Who decides.
        process: Name,
    },
    /// `any { …, … }`: whichever comes first.
    Any,
}

/// A piece of a body.
#[derive(Debug, Clone, Copy)]
pub enum Term<L: Language> {
    /// Done.
    Stop,
    /// Go on with a procedure.
    Call(Name),
    /// An action and what follows it.
    Act(L::Action, TermId),
    /// A fork and its arms, a stretch of [`Tree::arms`]: `then` and `else`, the branches of an offer, or the items of
    /// `choose` or `any`.
    Fork(L::Fork, ArenaRange),
    /// Something that could not be parsed; there is a diagnostic for it.
    Missing,
}

/// One arm of a fork.
#[derive(Debug, Clone, Copy)]
pub struct Arm {
    /// The label of a branch; none for `then`, `else` and the items of `choose` and `any`.
    pub label: Option<Name>,
    /// What follows.
    pub body: TermId,
}

/// A named body.
#[derive(Debug, Clone, Copy)]
pub struct Procedure {
    /// Its name.
    pub name: Name,
    /// What it does.
    pub body: TermId,
    /// The whole definition, from `def` to its brace.
    pub span: Span,
}

/// The `main` of a unit.
#[derive(Debug, Clone, Copy)]
pub struct Main {
    /// What it does.
    pub body: TermId,
    /// The whole of it, from `main` to its brace.
    pub span: Span,
}

/// Procedures and a main: a process of a network, or one of the parallel parts of a choreography.
#[derive(Debug, Clone)]
pub struct Unit {
    /// The name of the process; none in a choreography.
    pub name: Option<Name>,
    /// The word `service`, if the process is declared one.
    pub service: Option<Span>,
    /// Its procedures.
    pub procedures: Vec<Procedure>,
    /// Its mains: one, in a well-formed text.
    pub mains: Vec<Main>,
    /// The whole of it.
    pub span: Span,
}

/// The syntax tree of a text.
#[derive(Debug, Clone)]
pub struct Tree<L: Language> {
    /// The names in it.
    pub names: Names,
    /// The processes of a network, or the parallel parts of a choreography.
    pub units: Vec<Unit>,
    /// All terms.
    pub terms: Vec<Term<L>>,
    /// Where each term is: its own first line for an action, the whole for a fork.
    pub spans: Vec<Span>,
    /// The arms of all forks.
    pub arms: Vec<Arm>,
    /// The members of all groups.
    pub interactions: Vec<GlobalInteraction>,
    /// All labels that have a value with them.
    pub labelled_values: Vec<LabelledValue>,
    /// The terms that have `idle` before them, and where, in the order of the text.
    pub idle: Vec<Idle>,
    /// The comments, in the order of the text.
    pub comments: Vec<Span>,
}

/// The word `idle`: the process may wait forever at the term behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Idle {
    /// The term.
    pub term: TermId,
    /// Where the word is.
    pub span: Span,
}

/// A network as text.
pub type NetworkTree = Tree<Networks>;
/// A choreography as text.
pub type ChoreographyTree = Tree<Choreographies>;

impl<L: Language> Default for Tree<L> {
    fn default() -> Self {
        Tree {
            names: Names::new(),
            units: Vec::new(),
            terms: Vec::new(),
            spans: Vec::new(),
            arms: Vec::new(),
            interactions: Vec::new(),
            labelled_values: Vec::new(),
            idle: Vec::new(),
            comments: Vec::new(),
        }
    }
}

impl<L: Language> Tree<L> {
    /// The term of this number; [`Term::Missing`] for a number of another tree.
    pub fn term(&self, id: TermId) -> Term<L> {
        self.terms.get(id.index()).copied().unwrap_or(Term::Missing)
    }

    /// Where a term is.
    pub fn span(&self, id: TermId) -> Span {
        self.spans.get(id.index()).copied().unwrap_or_default()
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        self.names.text(name.symbol)
    }

    /// A label and the value that is sent with it; nameless for a number of another tree.
    pub fn labelled(&self, id: LabelledId) -> LabelledValue {
        let nameless = Name { symbol: Symbol(u32::MAX), span: Span::default() };
        let known = self.labelled_values.get(id.0 as usize).copied();
        known.unwrap_or(LabelledValue { label: nameless, expression: nameless })
    }

    /// Adds a label and the value that is sent with it.
    pub fn push_labelled(&mut self, label: Name, expression: Name) -> LabelledId {
        self.labelled_values.push(LabelledValue { label, expression });
        LabelledId(self.labelled_values.len() as u32 - 1)
    }

    /// The word `idle` before a term, if it is there.
    pub fn idle(&self, id: TermId) -> Option<Idle> {
        let found = self.idle.binary_search_by_key(&id, |idle| idle.term).ok()?;
        self.idle.get(found).copied()
    }

    /// Where a term begins, with the word `idle` if there is one.
    pub fn start(&self, id: TermId) -> u32 {
        self.idle(id).map_or(self.span(id), |idle| idle.span).start
    }

    /// Adds a term.
    pub fn push(&mut self, term: Term<L>, span: Span) -> TermId {
        let id = TermId(self.terms.len() as u32);
        self.terms.push(term);
        self.spans.push(span);
        id
    }

    /// Whether the other tree says the same, wherever it is and however it is laid out.
    ///
    /// Terms and names are numbered in the order of the text, so it is enough to compare the arenas.
    pub fn eq_ignoring_spans(&self, other: &Self) -> bool {
        self.names == other.names
            && all_same(&self.terms, &other.terms, |a, b| match (a, b) {
                (Term::Stop, Term::Stop) | (Term::Missing, Term::Missing) => true,
                (Term::Call(a), Term::Call(b)) => a.eq_ignoring_spans(b),
                (Term::Act(a, next), Term::Act(b, other_next)) => next == other_next && a.eq_ignoring_spans(b),
                (Term::Fork(a, arms), Term::Fork(b, other_arms)) => arms == other_arms && a.eq_ignoring_spans(b),
                _ => false,
            })
            && all_same(&self.arms, &other.arms, |a, b| a.body == b.body && a.label.eq_ignoring_spans(&b.label))
            && all_same(&self.labelled_values, &other.labelled_values, |a, b| {
                a.label.eq_ignoring_spans(&b.label) && a.expression.eq_ignoring_spans(&b.expression)
            })
            && all_same(&self.idle, &other.idle, |a, b| a.term == b.term)
            && all_same(&self.interactions, &other.interactions, GlobalInteraction::eq_ignoring_spans)
            && all_same(&self.units, &other.units, |a, b| {
                a.name.eq_ignoring_spans(&b.name)
                    && a.service.is_some() == b.service.is_some()
                    && all_same(&a.procedures, &b.procedures, |a, b| {
                        a.name.eq_ignoring_spans(&b.name) && a.body == b.body
                    })
                    && all_same(&a.mains, &b.mains, |a, b| a.body == b.body)
            })
    }
}

fn all_same<T>(one: &[T], other: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| same(a, b))
}

/// Things that can be the same at different places.
pub trait Comparable {
    /// Whether the other is the same, apart from its place.
    fn eq_ignoring_spans(&self, other: &Self) -> bool;
}

impl Comparable for Name {
    fn eq_ignoring_spans(&self, other: &Self) -> bool {
        self.symbol == other.symbol
    }
}

impl Comparable for Option<Name> {
    fn eq_ignoring_spans(&self, other: &Self) -> bool {
        self.map(|name| name.symbol) == other.map(|name| name.symbol)
    }
}

impl Comparable for LocalAction {
    fn eq_ignoring_spans(&self, other: &Self) -> bool {
        use LocalAction::*;
        match (self, other) {
            (Send { to, expression }, Send { to: a, expression: b }) => {
                to.eq_ignoring_spans(a) && expression.eq_ignoring_spans(b)
            }
            (Receive { from }, Receive { from: a }) => from.eq_ignoring_spans(a),
            (Select { to, label }, Select { to: a, label: b }) => to.eq_ignoring_spans(a) && label.eq_ignoring_spans(b),
            (SelectValue { to, content }, SelectValue { to: a, content: b }) => to.eq_ignoring_spans(a) && content == b,
            _ => false,
        }
    }
}

impl Comparable for LocalFork {
    fn eq_ignoring_spans(&self, other: &Self) -> bool {
        match (self, other) {
            (LocalFork::If { condition }, LocalFork::If { condition: a }) => condition.eq_ignoring_spans(a),
            (LocalFork::Offer { from }, LocalFork::Offer { from: a })
            | (LocalFork::OfferOne { from }, LocalFork::OfferOne { from: a }) => from.eq_ignoring_spans(a),
            (LocalFork::Choose, LocalFork::Choose) | (LocalFork::Any, LocalFork::Any) => true,
            _ => false,
        }
    }
}

impl Comparable for GlobalInteraction {
    fn eq_ignoring_spans(&self, other: &Self) -> bool {
        use GlobalInteraction::*;
        match (self, other) {
            (Communicate { from, expression, to }, Communicate { from: a, expression: b, to: c }) => {
                from.eq_ignoring_spans(a) && expression.eq_ignoring_spans(b) && to.eq_ignoring_spans(c)
            }
            (Select { from, to, label }, Select { from: a, to: b, label: c }) => {
                from.eq_ignoring_spans(a) && to.eq_ignoring_spans(b) && label.eq_ignoring_spans(c)
            }
            (SelectValue { from, to, content }, SelectValue { from: a, to: b, content: c }) => {
                from.eq_ignoring_spans(a) && to.eq_ignoring_spans(b) && content == c
            }
            _ => false,
        }
    }
}

impl Comparable for GlobalAction {
    fn eq_ignoring_spans(&self, other: &Self) -> bool {
        match (self, other) {
            (GlobalAction::Interaction(a), GlobalAction::Interaction(b)) => a.eq_ignoring_spans(b),
            (GlobalAction::Group(a), GlobalAction::Group(b)) => a == b,
            _ => false,
        }
    }
}

impl Comparable for GlobalFork {
    fn eq_ignoring_spans(&self, other: &Self) -> bool {
        use GlobalFork::*;
        match (self, other) {
            (If { process, condition }, If { process: a, condition: b }) => {
                process.eq_ignoring_spans(a) && condition.eq_ignoring_spans(b)
            }
            (Choose { process }, Choose { process: a }) => process.eq_ignoring_spans(a),
            (Any, Any) => true,
            _ => false,
        }
    }
}

//! Syntax trees of the two languages.
//!
//! The languages differ in what an action is and in what a body can branch on; everything around these is the same:
//! bodies that are chains of actions and end in `stop`, a call or a fork, and units that consist of procedures and a
//! `main`. So there is one tree, over a [`Language`]. All terms of a text lie in one flat arena in the order in which
//! the text names them: a tree of any depth is dropped, compared and walked without recursion.

use super::Span;
use super::channel::ChannelDeclaration;
use super::comparable::Comparable;
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

/// The number of a message that is put into a queue in its tree, for the same reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InteractionId(pub u32);

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
    /// `p.e ~> q`, `p ~> q[l]`, `p.e ~> q[l]`: a message is put into a queue; see [`Tree::interaction`].
    Put(InteractionId),
    /// `to <~ from`: the oldest message is taken from a queue.
    Take {
        /// Who put it there.
        from: Name,
        /// Who takes it.
        to: Name,
    },
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
    /// The members of all groups, and all messages that are put into a queue.
    pub interactions: Vec<GlobalInteraction>,
    /// All labels that have a value with them.
    pub labelled_values: Vec<LabelledValue>,
    /// The terms that have `idle` before them, and where, in the order of the text.
    pub idle: Vec<Idle>,
    /// What is said of channels, in the order of the text; at most once before each process.
    pub channels: Vec<ChannelDeclaration>,
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
            channels: Vec::new(),
            comments: Vec::new(),
        }
    }
}

impl<L: Language> Tree<L> {
    /// An empty tree with room for this many names.
    pub(super) fn with_names(count: usize) -> Self {
        Tree { names: Names::with_capacity(count), ..Tree::default() }
    }

    /// The term of this number; [`Term::Missing`] for a number of another tree.
    pub fn term(&self, id: TermId) -> Term<L> {
        self.terms.get(id.index()).copied().unwrap_or(Term::Missing)
    }

    /// What is said of channels before a process.
    pub fn channels_before(&self, unit: usize) -> impl Iterator<Item = &ChannelDeclaration> {
        self.channels.iter().filter(move |declaration| declaration.unit == unit)
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

    /// The message that is put into a queue; nameless for a number of another tree.
    pub fn interaction(&self, id: InteractionId) -> GlobalInteraction {
        let nameless = Name { symbol: Symbol(u32::MAX), span: Span::default() };
        let known = self.interactions.get(id.0 as usize).copied();
        known.unwrap_or(GlobalInteraction::Select { from: nameless, to: nameless, label: nameless })
    }

    /// Adds a message that is put into a queue.
    pub fn push_interaction(&mut self, interaction: GlobalInteraction) -> InteractionId {
        self.interactions.push(interaction);
        InteractionId(self.interactions.len() as u32 - 1)
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
}

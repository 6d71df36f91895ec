//! Text and trees, in both directions.
//!
//! [`parse_network`] and [`parse_choreography`] always give a tree and a list of diagnostics; [`pretty`](Pretty) and
//! [`compact`](Compact) print a tree so that it parses back to itself. Nothing here knows what a network means: whether
//! names are defined and calls are guarded is asked of the models that are made from trees.

mod brackets;
mod channel;
mod comparable;
mod lexer;
mod names;
mod parser;
mod printer;

mod token;
mod tree;
mod values;

pub use crate::text::Span;
pub use channel::{Channel, ChannelDeclaration, ChannelItem};
pub use comparable::Comparable;
pub use lexer::{Tokens, lex};
pub use names::{Names, Symbol};
pub use parser::{Kind, Parsed, detect, parse_choreography, parse_network, source_text};
pub use printer::{Arms, Compact, Notation, Pretty, Sink};
pub use token::{Token, TokenKind};
pub use tree::{
    ArenaRange, Arm, Choreographies, ChoreographyTree, GlobalAction, GlobalFork, GlobalInteraction, Idle,
    InteractionId, LabelledId, LabelledValue, Language, LocalAction, LocalFork, Main, Name, NetworkTree, Networks,
    Procedure, Term, TermId, Tree, Unit,
};
pub(crate) use values::Values;

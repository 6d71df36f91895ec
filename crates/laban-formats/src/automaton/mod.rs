//! Choreography automata as graphs for Graphviz, as Corinne has them: edges are labelled `A->B:m`.
//!
//! An edge without a label points at the state where it all starts; a state without edges is an end. A message is a
//! label; `m(int)` is one with a sort, `m<x>` one with a value, and `<x>` a value alone. States are read as any global
//! automaton is: see `transitions`.

mod read;
mod write;

pub(crate) use read::{looks_like, read};
pub use write::write_automaton;

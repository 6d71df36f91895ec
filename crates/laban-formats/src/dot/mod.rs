//! Local automata as graphs for Graphviz: what nuScr, rumpsteak and Scribble (`-fsm`) print, one graph for each
//! process.
//!
//! A system has one graph, and mostly one file, for each process. The name of the graph is that of the process, unless
//! it is just `G`: then the name of the file tells. The first state that is mentioned is where the process starts,
//! unless an edge without a label points at another one. Of DOT, this is what automata need: no subgraphs, no HTML.

pub(crate) mod graph;
mod label;
mod read;

pub(crate) use label::is_local_label;
pub(crate) use read::{marked_start, read};

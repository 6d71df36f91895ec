//! Sequence diagrams, whatever language they are written in: their lines, and what these mean.
//!
//! The readers of Mermaid and PlantUML give a [`Diagram`], which is a list of lines; [`meaning`] makes a protocol of
//! it, by rules that are the same for both.

mod diagram;
mod meaning;

pub(crate) use diagram::{Diagram, End, FragmentKind, Line, LineKind, Participant};
pub(crate) use meaning::meaning;

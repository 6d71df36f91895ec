//! Sequence diagrams, whatever language they are written in: their lines, and what these mean.
//!
//! The readers of Mermaid and PlantUML give a [`Diagram`] for each diagram of a text, which is a list of lines;
//! [`read`] chooses one and makes a protocol of it, by rules that are the same for both.

mod amend;
mod choose;
mod deciders;
mod diagram;
mod drawing;
mod fragments;
mod layout;
mod meaning;
mod places;
mod remarks;
mod untold;
mod write;

pub use amend::{AddedArrow, AmendedDiagram, NotAmended, amend_diagram};
pub(crate) use choose::{chosen, read};
pub(crate) use diagram::{DRAWING, Diagram, End, FragmentKind, Line, LineKind, Participant};
pub use untold::explain_untold;
pub use write::{write_mermaid, write_plantuml};

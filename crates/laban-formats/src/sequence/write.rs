//! Choreographies as sequence diagrams, as Laban draws them, with texts of any length.
//!
//! A drawing has everything in it, and a comment says how it is meant, so that it reads back as the same choreography.
//! Only texts with characters that cannot be seen are refused: they would not be in the picture.

use crate::flat::Unsayable;
use laban::Choreography;
use laban::choreography::{Node, read_off_named};
use laban::network::{Interaction, ProcessId};
use laban::syntax::Symbol;
use laban::text::is_hidden;
use laban_draw::Focus;
use laban_draw::sequence::{self, MermaidInFull, PlantUmlInFull};

/// A choreography as a sequence diagram in Mermaid, which reads back as the same choreography.
///
/// ```
/// let choreography = laban::analyse("main { p.x -> q; stop }").into_choreography().expect("it is one");
/// let diagram = laban_formats::write_mermaid(&choreography).expect("Mermaid can say it");
/// assert!(diagram.ends_with("  p->>q: x\n"));
/// ```
pub fn write_mermaid(choreography: &Choreography) -> Result<String, Unsayable> {
    check_texts(choreography)?;
    Ok(MermaidInFull(&whole_drawing(choreography)).to_string())
}

/// A choreography as sequence diagrams in PlantUML, which read back as the same choreography. Each procedure that is
/// not a loop has a diagram of its own.
///
/// ```
/// let choreography = laban::analyse("main { p.x -> q; stop }").into_choreography().expect("it is one");
/// let diagram = laban_formats::write_plantuml(&choreography).expect("PlantUML can say it");
/// assert!(diagram.ends_with("P0 -> P1 : x\n@enduml\n"));
/// ```
pub fn write_plantuml(choreography: &Choreography) -> Result<String, Unsayable> {
    check_texts(choreography)?;
    Ok(PlantUmlInFull(&whole_drawing(choreography)).to_string())
}

/// The diagrams of a choreography, with nothing left out.
fn whole_drawing(choreography: &Choreography) -> sequence::Sequence {
    let everything = Focus { max_items: usize::MAX, max_nodes: usize::MAX, max_depth: usize::MAX, ..Focus::default() };
    sequence::choreography(&read_off_named(choreography), &everything)
}

/// Refuses texts with characters that are not drawn.
fn check_texts(choreography: &Choreography) -> Result<(), Unsayable> {
    let check = |process: ProcessId, text: Symbol| {
        let is_lost = |character: char| is_hidden(character) || character.is_whitespace() && character != ' ';
        match choreography.text(text).contains(is_lost) {
            true => Err(Unsayable {
                process: choreography.process_name(process).to_string(),
                what: "a value or a condition with characters that cannot be seen".to_string(),
            }),
            false => Ok(()),
        }
    };
    let check_all = |interactions: &[Interaction]| {
        let values = interactions.iter().filter_map(|one| Some((one.from, one.content.value()?)));
        values.into_iter().try_for_each(|(from, value)| check(from, value))
    };
    choreography.nodes().iter().try_for_each(|node| match *node {
        Node::Interaction { interaction, .. } | Node::Put { interaction, .. } => check_all(&[interaction]),
        Node::Group { members, .. } => check_all(choreography.members(members)),
        Node::If { process, condition, .. } => check(process, condition),
        Node::Stop | Node::Take { .. } | Node::Choose { .. } | Node::Any { .. } => Ok(()),
    })
}

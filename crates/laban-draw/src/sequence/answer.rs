//! The answer of an extraction: the choreography, or the run to each failure.

use super::{Sequence, choreography, witness};
use crate::focus::Focus;
use laban::{Extraction, Network};

/// The diagrams of an answer: of the choreography, or of every failure.
pub fn answer(extraction: &Extraction, network: &Network, focus: &Focus) -> Sequence {
    match extraction.tree() {
        Some(tree) => {
            let services = network.processes().iter().filter(|process| process.service);
            let services = services.map(|process| network.text(process.name));
            choreography(tree, focus).with_services(services)
        }
        None => {
            let mut drawn: Vec<Sequence> = Vec::new();
            let mut room = focus.max_items;
            // The first is drawn in any case.
            for explanation in extraction.explanations() {
                if room == 0 && !drawn.is_empty() {
                    break;
                }
                let witness = witness(network, explanation, &Focus { max_items: room, ..focus.clone() });
                room = room.saturating_sub(witness.steps().max(1));
                drawn.push(witness);
            }
            let missing = extraction.explanations().len() - drawn.len();
            let mut all = Sequence::beside(drawn);
            if missing > 0 {
                let failures = if missing == 1 { "1 more failure is" } else { &format!("{missing} more failures are") };
                all.remarks.push(format!("{failures} not drawn"));
            }
            all
        }
    }
}

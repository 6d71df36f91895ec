//! What is drawn of an answer.

use laban::Extraction;
use laban::extraction::Component;
use laban::network::Network;
use laban_draw::sequence::{self, Sequence};
use laban_draw::{Focus, Picture, beside, symbolic};

/// The diagrams of an answer: of the choreography, or of every failure.
pub fn sequence_of(answer: &Extraction, network: &Network, focus: &Focus) -> Sequence {
    match answer.tree() {
        Some(tree) => {
            let services = network.processes().iter().filter(|process| process.service);
            let services = services.map(|process| network.text(process.name));
            sequence::choreography(tree, focus).with_services(services)
        }
        None => {
            let mut drawn: Vec<Sequence> = Vec::new();
            let mut room = focus.max_items;
            // The first is drawn in any case.
            for explanation in answer.explanations() {
                if room == 0 && !drawn.is_empty() {
                    break;
                }
                let witness = sequence::witness(network, explanation, &Focus { max_items: room, ..focus.clone() });
                room = room.saturating_sub(witness.steps().max(1));
                drawn.push(witness);
            }
            let missing = answer.explanations().len() - drawn.len();
            let mut all = Sequence::beside(drawn);
            if missing > 0 {
                let failures = if missing == 1 { "1 more failure is" } else { &format!("{missing} more failures are") };
                all.remarks.push(format!("{failures} not drawn"));
            }
            all
        }
    }
}

/// The graphs that a search finds; nothing if it was given up.
pub fn graphs(answer: &Extraction, network: &Network, focus: &Focus) -> Option<Picture> {
    let searched = answer.searched(network);
    let draw = |component: &Component| {
        let names: Vec<&str> = component.processes.iter().map(|&process| searched.process_name(process)).collect();
        Some((names.join(", "), symbolic(searched, &component.processes, &component.found, focus)?))
    };
    let pictures = answer.components().iter().map(draw).collect::<Option<Vec<_>>>();
    // Each of them is small enough, but not yet all together.
    pictures.map(|pictures| beside(pictures).folded(focus.max_nodes))
}

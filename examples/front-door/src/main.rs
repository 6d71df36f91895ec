//! Extracts the choreography of a network, verifies, projects and draws it: one text, parsed once.

use laban::{EquivalenceOptions, ExtractOptions, Pretty, ProjectOptions, VerifyOptions};
use laban_draw::{Focus, sequence};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let network = laban::analyse(include_str!("../../buyer-seller.net")).into_network()?;
    let extraction = laban::extract(&network, &ExtractOptions::default())?;
    let (Some(choreography), Some(tree)) = (extraction.choreography(), extraction.tree()) else {
        return Err(extraction.explanations()[0].reason(&network).into());
    };
    println!("{}", Pretty { tree, source: "" });

    let certificate = laban::verify(&network, choreography, &VerifyOptions::default())?;
    println!("{} actions checked", certificate.pairs);

    let projection = laban::project(choreography, &ProjectOptions::default())?;
    let comparison = laban::equivalent(&projection.network, &network, &EquivalenceOptions::default());
    println!("projected again: {}", if comparison.is_same() { "the same network" } else { "another network" });

    let diagram = sequence::choreography(tree, &Focus::default());
    println!("{}", sequence::MermaidSequence(&diagram));
    Ok(())
}

//! Laban's own drawings of choreographies read back as the same choreographies: those of all examples, and of random
//! ones.

use crate::cases;
use laban::choreography::{Node, read_off_named};
use laban::equivalence::Equivalence;
use laban::generate::{self, Parameters, SeededRng};
use laban::{Choreography, EquivalenceOptions, ExtractOptions, Limits, Model};
use laban_draw::Focus;
use laban_draw::sequence::{self, MermaidSequence};
use laban_formats::{Format, Source, detect, read, write_mermaid};
use std::fs;
use std::path::Path;

/// Reads a drawing back, which has to be the choreography that was drawn.
fn assert_reads_back(what: &str, choreography: &Choreography, drawing: &str) {
    assert_eq!(detect("", drawing), Some(Format::Mermaid), "{what}:\n{drawing}");
    let reading = read(Format::Mermaid, &[Source::new("", drawing)]);
    let report = reading.report.clone();
    let Some(again) = reading.into_choreography() else { panic!("{what}:\n{drawing}\n{report:?}") };
    let comparison = laban::equivalent(choreography, &again, &EquivalenceOptions::default());
    // Graphs that are alike need no further comparison.
    let is_alike = matches!(comparison.answer, Equivalence::Same { pairs: 0, .. }) && comparison.is_exact();
    let printed = laban::Pretty { tree: &read_off_named(&again), source: "" }.to_string();
    assert!(is_alike, "{what}:\n{drawing}\n{printed}");
}

/// The choreographies of the examples: those that are written down, and those of networks.
fn examples() -> Vec<(String, Choreography)> {
    let mut found = Vec::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|end| end == "net" || end == "chor")) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match laban::analyse(fs::read_to_string(path).unwrap()).into_model() {
            Ok(Model::Choreography(choreography)) => found.push((name, choreography)),
            Ok(Model::Network(network)) => {
                let options = ExtractOptions { limits: Limits::states(20_000), ..ExtractOptions::default() };
                let answer = laban::extract(&network, &options).unwrap();
                found.extend(answer.choreography().map(|choreography| (name, choreography.clone())));
            }
            Err(_) => {}
        }
    }
    found
}

#[test]
fn drawings_of_the_examples_read_back() {
    let examples = examples();
    assert!(examples.len() > 35, "{}", examples.len());
    let has = |kind: fn(&Node) -> bool| examples.iter().filter(|(_, one)| one.nodes().iter().any(kind)).count();
    assert!(has(|node| matches!(node, Node::Group { .. })) > 0);
    assert!(has(|node| matches!(node, Node::Put { .. })) > 0);
    assert!(has(|node| matches!(node, Node::Any { .. })) > 0);
    assert!(has(|node| matches!(node, Node::Choose { .. })) > 0);
    for (name, choreography) in &examples {
        assert_reads_back(name, choreography, &write_mermaid(choreography).unwrap());
        let tree = read_off_named(choreography);
        let drawing = MermaidSequence(&sequence::choreography(&tree, &Focus::default())).to_string();
        assert_reads_back(name, choreography, &drawing);
    }
}

#[test]
fn drawings_of_random_choreographies_read_back() {
    let mut procedures = 0;
    let mut races = 0;
    let mut waiting = 0;
    let mut decisions = 0;
    for seed in 0..cases(400) {
        let mut rng = SeededRng::keyed([seed, 0xd1, 0, 0]);
        let (ifs, calls) = (rng.below_u32(6), rng.below_u32(6));
        let size = 6 + ifs + calls + rng.below_u32(30);
        let (any, queues) = match rng.below_u32(2) {
            0 => (rng.below_u32(4), 0),
            _ => (0, rng.below_u32(4)),
        };
        let parameters =
            Parameters::new(size + any + queues, 2 + rng.below_u32(6), ifs, calls).with_races(any).with_queues(queues);
        let tree = generate::choreography(&parameters, rng.long()).unwrap_or_else(|error| panic!("{seed}: {error}"));
        let choreography = laban::choreography::lower(&tree).choreography.unwrap();
        let drawing = write_mermaid(&choreography).unwrap();
        assert_reads_back(&format!("seed {seed}"), &choreography, &drawing);
        procedures += u32::from(drawing.contains("go on with"));
        waiting += u32::from(choreography.has_queues());
        races += u32::from(choreography.nodes().iter().any(|node| matches!(node, Node::Any { .. })));
        decisions += u32::from(choreography.nodes().iter().any(|node| matches!(node, Node::If { .. })));
    }
    let counts = [procedures, decisions, races, waiting];
    assert!(counts.iter().zip([50, 150, 100, 50]).all(|(&count, floor)| count > floor), "{counts:?}");
}

#[test]
fn texts_of_any_length_and_with_any_signs_read_back() {
    let long = "very ".repeat(100);
    let text = format!(
        "main {{ p.\"{long}\" -> q; if p.\"is  it; #35; <br> so: -> %% ?\" then p.[1] -> q; p.x.y -> q[l]; \
         q -> p[end]; stop else p.(a -> b) -> q; p -> q[m]; stop }} \
         || main {{ end_.\"&lt; [x] takes a from b\" -> Note; Loop {{}} stop }}"
    )
    .replace("Loop {} ", "");
    let choreography = laban::analyse(text.as_str()).into_choreography().unwrap_or_else(|error| panic!("{error}"));
    let drawing = write_mermaid(&choreography).unwrap();
    assert_reads_back("signs", &choreography, &drawing);
    // A picture has no room for such a text, and so does not claim to be the choreography.
    let picture = MermaidSequence(&sequence::choreography(&read_off_named(&choreography), &Focus::default()));
    assert!(drawing.contains("laban: choreography") && !picture.to_string().contains("laban:"));
}

#[test]
fn what_is_left_out_of_a_picture_is_not_read_as_if_it_were_all() {
    let text = "main { p.a -> q; q.b -> r; r.c -> p; stop }";
    let choreography = laban::analyse(text).into_choreography().unwrap();
    let tree = read_off_named(&choreography);
    for focus in
        [Focus { max_items: 2, ..Focus::default() }, Focus { processes: vec!["p".to_string()], ..Focus::default() }]
    {
        let picture = MermaidSequence(&sequence::choreography(&tree, &focus)).to_string();
        assert!(!picture.contains("laban:"), "{picture}");
    }
}

#[test]
fn characters_that_cannot_be_seen_are_refused() {
    let choreography = laban::analyse("main { p.\"a\u{200b}b\" -> q; stop }").into_choreography().unwrap();
    let refusal = write_mermaid(&choreography).unwrap_err().to_string();
    assert!(refusal.contains("`p` has a value or a condition with characters that cannot be seen"), "{refusal}");
}

//! Laban's own drawings of choreographies read back as the same choreographies: those of all examples, and of random
//! ones.

use crate::cases;
use laban::choreography::{Node, read_off_named};
use laban::equivalence::Equivalence;
use laban::generate::{self, Parameters, SeededRng};
use laban::{Choreography, EquivalenceOptions, ExtractOptions, Limits, Model};
use laban_draw::Focus;
use laban_draw::sequence::{self, MermaidSequence, PlantUml};
use laban_formats::{Format, Source, detect, read, write_mermaid, write_plantuml};
use std::fs;
use std::path::Path;

/// The languages of drawings.
const LANGUAGES: [Format; 2] = [Format::Mermaid, Format::PlantUml];

/// A choreography as a drawing.
fn written(format: Format, choreography: &Choreography) -> String {
    let write = if format == Format::Mermaid { write_mermaid } else { write_plantuml };
    write(choreography).unwrap()
}

/// A choreography as a picture, with everything in it that there is room for.
fn picture(format: Format, choreography: &Choreography, focus: &Focus) -> String {
    let sequence = sequence::choreography(&read_off_named(choreography), focus);
    match format {
        Format::Mermaid => MermaidSequence(&sequence).to_string(),
        _ => PlantUml(&sequence).to_string(),
    }
}

/// Reads a drawing back, which has to be the choreography that was drawn.
fn assert_reads_back(what: &str, format: Format, choreography: &Choreography, drawing: &str) {
    assert_eq!(detect("", drawing), Some(format), "{what}:\n{drawing}");
    let reading = read(format, &[Source::new("", drawing)]);
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
        for format in LANGUAGES {
            assert_reads_back(name, format, choreography, &written(format, choreography));
            assert_reads_back(name, format, choreography, &picture(format, choreography, &Focus::default()));
        }
    }
}

#[test]
fn drawings_of_random_choreographies_read_back() {
    let mut procedures = 0;
    let mut parts = 0;
    let mut races = 0;
    let mut waiting = 0;
    let mut decisions = 0;
    for seed in 0..cases(5_000) {
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
        for format in LANGUAGES {
            let drawing = written(format, &choreography);
            assert_reads_back(&format!("seed {seed}"), format, &choreography, &drawing);
            procedures += u32::from(drawing.contains("go on with") || drawing.contains("ref over"));
        }
        parts += u32::from(choreography.starts().len() > 1);
        waiting += u32::from(choreography.has_queues());
        races += u32::from(choreography.nodes().iter().any(|node| matches!(node, Node::Any { .. })));
        decisions += u32::from(choreography.nodes().iter().any(|node| matches!(node, Node::If { .. })));
    }
    let counts = [procedures, decisions, races, waiting];
    let is_covered = counts.iter().zip([1_250, 1_900, 1_250, 600]).all(|(&count, floor)| count > floor);
    assert!(is_covered, "{counts:?}, and {parts} with several parts");
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
    for format in LANGUAGES {
        let drawing = written(format, &choreography);
        assert_reads_back("signs", format, &choreography, &drawing);
        // A picture has no room for such a text, and so does not claim to be the choreography.
        let picture = picture(format, &choreography, &Focus::default());
        assert!(drawing.contains("laban: choreography") && !picture.contains("laban:"), "{drawing}\n{picture}");
    }
}

#[test]
fn what_is_left_out_of_a_picture_is_not_read_as_if_it_were_all() {
    let text = "main { p.a -> q; q.b -> r; r.c -> p; stop }";
    let choreography = laban::analyse(text).into_choreography().unwrap();
    for focus in
        [Focus { max_items: 2, ..Focus::default() }, Focus { processes: vec!["p".to_string()], ..Focus::default() }]
    {
        for format in LANGUAGES {
            let picture = picture(format, &choreography, &focus);
            assert!(!picture.contains("laban:"), "{picture}");
        }
    }
}

#[test]
fn characters_that_cannot_be_seen_are_refused() {
    let choreography = laban::analyse("main { p.\"a\u{200b}b\" -> q; stop }").into_choreography().unwrap();
    assert!(write_plantuml(&choreography).is_err());
    let refusal = write_mermaid(&choreography).unwrap_err().to_string();
    assert!(refusal.contains("`p` has a value or a condition with characters that cannot be seen"), "{refusal}");
}

/// Everything that a drawing has a sign for, with procedures and parts.
const EVERYTHING: &str = "def X { p.a' -> q; if q.\"c\" then q -> p[l]; X else q -> p[r]; Y } \
     def Y { p.v ~> q; p ~> q[m]; q <~ p; q <~ p; choose p { p -> q[x]; Y, p -> q[y]; stop } } \
     main { if p.here then X else Y } || def X { (r.1 -> s, t.2 -> u); s.z_1 -> r; X } \
     def Z { any { r -> s[one]; stop, t -> s[two]; X } } main { if r.b then X else if r.c then Z else Z }";

#[test]
fn selections_and_messages_in_queues_are_told_apart() {
    let choreography =
        laban::analyse("main { p -> q[l]; p ~> q[l]; q <~ p; p.v ~> q; q <~ p; p.w ~> q[m]; q <~ p; stop }")
            .into_choreography()
            .unwrap();
    for format in LANGUAGES {
        assert_reads_back("queues", format, &choreography, &written(format, &choreography));
    }
}

#[test]
fn diagrams_of_procedures_and_parts_are_one_drawing() {
    let choreography = laban::analyse(EVERYTHING).into_choreography().unwrap_or_else(|error| panic!("{error}"));
    let drawing = write_plantuml(&choreography).unwrap();
    assert!(drawing.matches("@startuml\n' laban: choreography\n").count() > 2, "{drawing}");
    assert_reads_back("blocks", Format::PlantUml, &choreography, &drawing);
    // Two drawings in a text are two.
    let reading = read(Format::PlantUml, &[Source::new("", &format!("{drawing}\n{drawing}"))]);
    let report = reading.report.clone();
    assert!(reading.into_choreography().is_none(), "{report:?}");
    assert!(report.diagnostics[0].message.contains("there are 2 diagrams"), "{report:?}");
}

#[test]
fn a_choreography_in_which_nothing_happens_reads_back() {
    let choreography = laban::analyse("main { stop }").into_choreography().unwrap();
    for format in LANGUAGES {
        assert_reads_back("nothing", format, &choreography, &written(format, &choreography));
    }
}

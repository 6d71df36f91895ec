//! What the library says where the command has goldens: the same sentences at the same places, with the same labels,
//! notes and hints, and nothing else. How they are laid out is for the tests of the command.

use laban::analyse;
use laban::diagnostic::{Diagnostic, Note};
use laban::equivalence::{Equivalence, EquivalenceOptions, System};
use laban::network::Network;
use laban::text::{Columns, LineTable};
use laban::{Choreography, ExtractOptions, Limits, Model, NotVerified, Pretty, VerifyOptions};
use laban::{equivalent, extract, services_left, verify};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A golden without options: what is given, and what the command prints.
struct Golden {
    name: String,
    given: String,
    shown: String,
}

/// The goldens of a folder in which a command is run without options.
fn goldens(folder: &str, command: &str) -> Vec<Golden> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../laban-cli/tests/goldens").join(folder);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        let text = fs::read_to_string(path).unwrap();
        let mut parts = text.split("=== laban ");
        let given = parts.next().unwrap().to_string();
        let plain = |part: &str| {
            let (header, shown) = part.split_once('\n')?;
            let is_plain = header.starts_with(command) && !header.contains("--");
            is_plain.then(|| shown.to_string())
        };
        found.extend(parts.find_map(plain).map(|shown| Golden { name, given, shown }));
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}

/// The sentences, places, notes and hints of diagnostics about a text, a line each.
pub(crate) fn lines(text: &str, diagnostics: &[Diagnostic]) -> Vec<String> {
    let index = LineTable::new(text);
    let mut lines = Vec::new();
    for diagnostic in diagnostics {
        let Diagnostic { code, severity, message, primary, notes, hints, .. } = diagnostic;
        lines.push(format!("{}[{}]: {message}", severity.as_str(), code.as_str()));
        let place = index.position(text, primary.span.start as usize, Columns::Characters);
        lines.push(format!("--> {}:{}", place.line + 1, place.column + 1));
        lines.extend(notes.iter().flat_map(Note::lines).map(|line| line.trim_start().to_string()));
        lines.extend(hints.iter().cloned());
    }
    lines
}

/// The same lines as a golden shows them, without the excerpts.
fn shown(golden: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in golden.lines() {
        let trimmed = line.trim_start();
        let is_title = ["error[", "warning[", "note["].iter().any(|start| line.starts_with(start));
        let is_excerpt = trimmed.trim_start_matches(|character: char| character.is_ascii_digit()).trim_start();
        if is_title {
            lines.push(line.to_string());
        } else if let Some(place) = trimmed.strip_prefix("--> ") {
            let place: Vec<&str> = place.rsplitn(3, ':').collect();
            lines.push(format!("--> {}:{}", place[1], place[0]));
        } else if let Some(text) = trimmed.strip_prefix("= note: ").or_else(|| trimmed.strip_prefix("= help: ")) {
            lines.push(text.to_string());
        } else if !trimmed.is_empty() && !is_excerpt.starts_with('|') && !trimmed.starts_with(":::") && trimmed != "..."
        {
            lines.push(trimmed.to_string());
        }
    }
    lines
}

/// Checks what the library says against a golden.
#[track_caller]
fn check(golden: &Golden, before: &str, said: &[(&str, Vec<Diagnostic>)]) {
    let expected = golden.shown.strip_prefix(before).unwrap_or_else(|| panic!("{}: not {before}", golden.name));
    let actual: Vec<String> = said.iter().flat_map(|(text, diagnostics)| lines(text, diagnostics)).collect();
    assert_eq!(actual, shown(expected), "{}", golden.name);
    let diagnostics = said.iter().flat_map(|said| &said.1);
    let places = diagnostics.flat_map(|diagnostic| diagnostic.secondary.iter().chain([&diagnostic.primary]));
    let said: BTreeSet<&str> = places.map(|place| place.label.as_str()).filter(|label| !label.is_empty()).collect();
    for label in &said {
        assert!(expected.contains(label), "{}: {label}", golden.name);
    }
    for label in expected.lines().filter_map(label) {
        assert!(said.iter().any(|said| label.ends_with(said)), "{}: nothing says {label}", golden.name);
    }
}

/// The label in a line below a line of the source, if there is one.
fn label(line: &str) -> Option<&str> {
    let below = line.trim_start().strip_prefix('|')?;
    let label = below.trim_start_matches([' ', '|', '^', '-', '_']);
    (!label.is_empty()).then_some(label)
}

fn network(text: &str) -> Network {
    analyse(text).into_network().unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn choreography(text: &str) -> Choreography {
    analyse(text).into_choreography().unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

#[test]
fn what_extraction_says_is_what_its_goldens_show() {
    for (folder, least) in [("failures", 100), ("services", 8), ("queues", 5)] {
        let goldens = goldens(folder, "extract");
        assert!(goldens.len() >= least, "{folder}: {}", goldens.len());
        for golden in goldens {
            let network = network(&golden.given);
            let options = ExtractOptions::default();
            let mut answer = extract(&network, &options).unwrap();
            answer.try_other_channels(&network, &options);
            let printed = answer.tree().map_or_else(String::new, |tree| Pretty { tree, source: "" }.to_string());
            let failures = answer.explanations().iter().map(|explanation| explanation.diagnostic(&network));
            let left = answer.services_left(&network, Limits::default());
            let left = left.iter().map(|left| left.diagnostic(&network));
            let said = failures.chain(answer.capacities_note(&network, &options)).chain(left).collect();
            check(&golden, &printed, &[(&golden.given, said)]);
        }
    }
}

#[test]
fn what_verification_says_is_what_its_goldens_show() {
    let goldens = goldens("mismatches", "verify");
    assert!(goldens.len() >= 10, "{}", goldens.len());
    for golden in goldens {
        let (first, second) = golden.given.split_once("---\n").unwrap();
        let (network, choreography) = (network(first), choreography(second));
        let options = VerifyOptions::default();
        let Err(NotVerified::Mismatch(mismatch)) = verify(&network, &choreography, &options) else {
            panic!("{} is a mismatch", golden.name)
        };
        assert!(services_left(&network, &choreography, &options).is_empty(), "{}", golden.name);
        let (said, places) = (mismatch.diagnostic(&network, &choreography), mismatch.places(&network));
        check(&golden, "", &[(second, vec![said]), (first, places)]);
    }
}

#[test]
fn what_a_comparison_says_is_what_its_goldens_show() {
    let goldens = goldens("equivalence", "equiv");
    assert!(goldens.len() >= 25, "{}", goldens.len());
    for golden in goldens {
        let (first, second) = golden.given.split_once("---\n").unwrap();
        let models = [first, second].map(|text| analyse(text).into_model().unwrap());
        let name = |model: &Model, name: &str| match model {
            Model::Network(_) => format!("{name}.net"),
            Model::Choreography(_) => format!("{name}.chor"),
        };
        let names = [name(&models[0], "first"), name(&models[1], "second")];
        let [one, other] = models.each_ref().map(System::from);
        let comparison = equivalent(one, other, &EquivalenceOptions::default());
        let sentence = match &comparison.answer {
            Equivalence::Same { ends: None, .. } => format!("{} and {} can do the same\n", names[0], names[1]),
            Equivalence::Same { ends: Some(difference), .. } | Equivalence::Different(difference) => {
                let run = difference.note().map_or_else(Vec::new, |note| note.lines());
                assert_eq!(run.is_empty(), !golden.shown.contains("\n  the run of "), "{}", golden.name);
                run.iter().for_each(|line| assert!(golden.shown.contains(line), "{}: {line}", golden.name));
                difference.summary(&names[0], &names[1])
            }
            Equivalence::Undecided { .. } => "no difference".to_string(),
        };
        assert!(golden.shown.contains(&sentence), "{}: {sentence}\n{}", golden.name, golden.shown);
    }
}

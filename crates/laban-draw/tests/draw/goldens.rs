//! What drawings look like. `UPDATE_GOLDENS=1 cargo test -p laban-draw --test draw` writes them anew.

use crate::differences::differences;
use crate::generator::Generator;
use crate::geometry::random_network;
use crate::{choreography, example_pictures, example_sequences, explanations, network};
use laban::extraction::{Options, extract};
use laban_draw::sequence::{self, Markdown, Mermaid, PlantUml, Svg as SequenceSvg};
use laban_draw::{self as draw, Dot, Focus, Svg, automata, communications};
use std::path::{Path, PathBuf};

/// With groups, procedures that are no loops, a loop within a loop, and a long expression.
const ALL_KINDS: &str = "
def Again { if a.tired then a -> b[rest]; Rest else a -> b[on]; Work }
def Work { (a.question -> b, b.answer -> a); if b.done then b -> a[done]; Again else b -> a[more]; Work }
def Rest { b.dream(of: 'things', that: 'are', much: 'too long', to: 'show') -> c; c -> a[wake]; stop }
def Check { c.sum -> a; if a.right then Rest else Check }
main { a.hello -> c; if c.known then Again else if a.sure then Check else Check }
";

fn check(name: &str, drawn: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/draw/goldens").join(name);
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        return std::fs::write(path, drawn).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(expected == drawn, "{name} is not as expected; it is now:\n{drawn}");
}

fn check_sequence(name: &str, diagrams: &sequence::Sequence) {
    check(&format!("{name}.mmd"), &Mermaid(diagrams).to_string());
    check(&format!("{name}.puml"), &PlantUml(diagrams).to_string());
    check(&format!("{name}.svg"), &SequenceSvg(diagrams).to_string());
    if diagrams.diagrams.len() > 1 {
        check(&format!("{name}.md"), &Markdown(diagrams).to_string());
    }
}

fn check_picture(name: &str, picture: &draw::Picture) {
    check(&format!("{name}.mmd"), &draw::Mermaid(picture).to_string());
    check(&format!("{name}.dot"), &Dot(picture).to_string());
    check(&format!("{name}.svg"), &Svg(picture).to_string());
}

/// What is kept is what is drawn, so that no picture of something that is gone stays behind.
#[test]
fn every_golden_is_drawn() {
    let mut names: Vec<String> = example_sequences().into_iter().map(|(name, _)| name).collect();
    names.extend(example_pictures().into_iter().map(|(name, _)| name));
    names.extend(["all-kinds", "all-kinds-focus-c", "all-kinds-folded", "crowd", "pair"].map(String::from));
    names.extend(differences().into_iter().map(|(name, _)| name));
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/draw/goldens");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(names.iter().any(|one| one == name), "{name} is not drawn any more");
    }
}

#[test]
fn sequence_diagrams_of_examples() {
    for (name, diagrams) in example_sequences() {
        check_sequence(&name, &diagrams);
    }
}

#[test]
fn graphs_of_examples() {
    for (name, picture) in example_pictures() {
        check_picture(&name, &picture);
    }
}

#[test]
fn differences_between_systems() {
    for (name, diagrams) in differences() {
        check_sequence(&name, &diagrams);
    }
}

#[test]
fn all_kinds_of_items() {
    let tree = choreography(ALL_KINDS);
    check_sequence("all-kinds", &sequence::choreography(&tree, &Focus::default()));
    let focus = Focus { processes: vec!["c".into()], ..Focus::default() };
    check_sequence("all-kinds-focus-c", &sequence::choreography(&tree, &focus));
    let few = Focus { max_items: 6, ..Focus::default() };
    check_sequence("all-kinds-folded", &sequence::choreography(&tree, &few));
}

/// Many participants, with some messages far across.
pub(crate) fn crowd() -> String {
    let mut text = "main { ".to_string();
    for number in 0..29 {
        text.push_str(&format!("worker{number}.token -> worker{}; ", number + 1));
    }
    text.push_str("worker29.result -> worker0; if worker0.enough then ");
    for number in 1..30 {
        text.push_str(&format!("worker0 -> worker{number}[done]; "));
    }
    text + "stop else worker7.retry -> worker9; stop }"
}

#[test]
fn thirty_participants() {
    let diagrams = sequence::choreography(&choreography(&crowd()), &Focus::default());
    check("crowd.svg", &SequenceSvg(&diagrams).to_string());
}

#[test]
fn two_participants() {
    let diagrams = sequence::choreography(&choreography("main { p.x -> q; q -> p[ok]; stop }"), &Focus::default());
    check_sequence("pair", &diagrams);
}

/// Drawings for other programs to look at: many of them in the directory `DRAWINGS`, or a few in a temporary one.
#[test]
fn drawings_for_other_programs() {
    let asked = std::env::var_os("DRAWINGS").map(PathBuf::from);
    let (choreographies, networks) = if asked.is_some() { (1000, 100) } else { (10, 5) };
    let folder = asked.unwrap_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("drawings"));
    std::fs::create_dir_all(&folder).unwrap();
    let written = std::cell::Cell::new(0);
    let write = |name: String, text: String| {
        assert!(!text.trim().is_empty(), "{name} is empty");
        std::fs::write(folder.join(name), text).unwrap();
        written.set(written.get() + 1);
    };
    let write_sequence = |name: &str, diagrams: &sequence::Sequence| {
        write(format!("{name}.mmd"), Mermaid(diagrams).to_string());
        write(format!("{name}.md"), Markdown(diagrams).to_string());
        write(format!("{name}.puml"), PlantUml(diagrams).to_string());
        write(format!("{name}.svg"), SequenceSvg(diagrams).to_string());
    };
    let write_picture = |name: &str, picture: &draw::Picture| {
        write(format!("{name}.mmd"), draw::Mermaid(picture).to_string());
        write(format!("{name}.dot"), Dot(picture).to_string());
        write(format!("{name}.svg"), Svg(picture).to_string());
    };
    for (name, diagrams) in example_sequences() {
        write_sequence(&name, &diagrams);
    }
    for (name, picture) in example_pictures() {
        write_picture(&name, &picture);
    }
    for (name, diagrams) in differences() {
        write_sequence(&name, &diagrams);
    }
    for seed in 0..choreographies {
        let tree = choreography(&Generator::new(seed).choreography());
        write_sequence(&format!("generated-{seed}"), &sequence::choreography(&tree, &Focus::default()));
    }
    for seed in 0..networks {
        let network = network(&random_network(seed));
        write_picture(&format!("generated-communications-{seed}"), &communications(&network, &Focus::default()));
        write_picture(&format!("generated-automata-{seed}"), &automata(&network, &Focus::default()));
        let extraction = extract(&network, &Options::default());
        for (number, explanation) in explanations(&network, &extraction).iter().enumerate() {
            let diagrams = sequence::witness(&network, explanation, &Focus::default());
            write_sequence(&format!("generated-witness-{seed}-{number}"), &diagrams);
        }
    }
    assert!(written.get() > 4 * choreographies + 6 * networks, "{} drawings", written.get());
}

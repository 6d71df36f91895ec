//! What drawings look like. `UPDATE_GOLDENS=1 cargo test -p laban-draw` writes them anew.
//!
//! Each file in `goldens/` has the drawings of one example as text, in every language that there is for them. SVG is
//! hard to review, so there is one file for each of a dozen shapes; what is true of all others is in `geometry`.

use crate::differences::differences;
use crate::generator::Generator;
use crate::geometry::random_network;
use crate::{choreography, example_pictures, example_sequences, explanations, network, races};
use laban::extraction::{ExtractOptions, search};
use laban::network::{Channel, Channels, Content, Interaction};
use laban::semantics::Step;
use laban_draw::sequence::{self, Markdown, MermaidSequence, PlantUml, SvgSequence};
use laban_draw::{self as draw, Dot, Focus, Svg, automata, communications};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// With groups, procedures that are not loops, a loop within a loop, and a long expression.
const ALL_KINDS: &str = "
def Again { if a.tired then a -> b[rest]; Rest else a -> b[on]; Work }
def Work { (a.question -> b, b.answer -> a); if b.done then b -> a[done]; Again else b -> a[more]; Work }
def Rest { b.dream(of: 'things', that: 'are', much: 'too long', to: 'show') -> c; c -> a[wake]; stop }
def Check { c.sum -> a; if a.right then Rest else Check }
main { a.hello -> c; if c.known then Again else if a.sure then Check else Check }
";

/// Messages that cross, that are taken in another order, and that are taken elsewhere than they are put.
const WAITING: &str = "
def Ahead { a.next ~> b; b <~ a; if b.full then b -> a[wait]; Last else b ~> a[go]; a <~ b; Ahead }
def Last { b <~ a; stop }
main { a.question ~> c; c.question ~> a; a <~ c; c <~ a; c.one ~> a; c ~> a[two]; a.three ~> c[four];
  a <~ c; c <~ a; a <~ c; a.first ~> b; Ahead }
";

/// The SVG files: one for each shape that a drawing can have.
const SHAPES: [&str; 18] = [
    "all-kinds",
    "all-kinds-folded",
    "barrier-symbolic-0",
    "buyer-seller-hasty-protocol",
    "crowd",
    "forgotten-else.net-0",
    "mismatch-value",
    "pair",
    "paper-livelock-absent.net-0",
    "paper-livelock-absent-symbolic-0",
    "races-auction",
    "races-auction-protocol",
    "races-balancer-automata",
    "races-one-way-symbolic-0",
    "two-buyer-automata",
    "two-buyer-communications",
    "waiting",
    "waiting-run",
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/draw/goldens")
}

/// All goldens, by the name of the file.
static DRAWN: LazyLock<BTreeMap<String, String>> = LazyLock::new(drawn);

fn drawn() -> BTreeMap<String, String> {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let mut write = |file: &str, name: &str, blocks: &[(&str, String)]| {
        let text = files.entry(format!("{file}.md")).or_insert_with(|| format!("# {file}\n"));
        text.push_str(&format!("\n## {name}\n"));
        for (language, block) in blocks {
            // The fence around Markdown is longer than those in it.
            let fence = if *language == "markdown" { "````" } else { "```" };
            text.push_str(&format!("\n{fence}{language}\n{block}{fence}\n"));
        }
    };
    let mut shapes: BTreeMap<String, String> = BTreeMap::new();
    for (name, diagrams) in
        example_sequences().into_iter().chain(differences()).chain(made_up()).chain(races::sequences())
    {
        let file = name.split(".").next().unwrap_or(&name);
        let file = match file.split_once('-') {
            Some((kind @ ("mismatch" | "difference" | "all" | "races" | "waiting"), _)) => kind,
            _ => file,
        };
        let mut blocks =
            vec![("mermaid", MermaidSequence(&diagrams).to_string()), ("plantuml", PlantUml(&diagrams).to_string())];
        if name == "all-kinds" {
            blocks.push(("markdown", Markdown(&diagrams).to_string()));
        }
        write(file, &name, &blocks);
        shapes.insert(name, SvgSequence(&diagrams).to_string());
    }
    for (name, picture) in example_pictures().into_iter().chain(races::pictures()) {
        let kind = ["-communications", "-automata", "-symbolic-0", "-symbolic-1", "-protocol"];
        let file = kind.iter().find_map(|kind| name.strip_suffix(kind)).unwrap_or(&name);
        let file = if file.starts_with("races-") { "races" } else { file };
        write(file, &name, &[("mermaid", draw::Mermaid(&picture).to_string()), ("dot", Dot(&picture).to_string())]);
        shapes.insert(name, Svg(&picture).to_string());
    }
    for shape in SHAPES {
        let svg = shapes.remove(shape).unwrap_or_else(|| panic!("{shape} is not drawn"));
        files.insert(format!("{shape}.svg"), svg);
    }
    files
}

/// Sequence diagrams of choreographies that are not examples.
fn made_up() -> Vec<(String, sequence::Sequence)> {
    let tree = choreography(ALL_KINDS);
    let all = Focus::default();
    let focus = Focus { processes: vec!["c".into()], ..Focus::default() };
    let few = Focus { max_items: 6, ..Focus::default() };
    let found = [
        ("all-kinds", sequence::choreography(&tree, &all)),
        ("all-kinds-focus-c", sequence::choreography(&tree, &focus)),
        ("all-kinds-folded", sequence::choreography(&tree, &few)),
        ("waiting", sequence::choreography(&choreography(WAITING), &all)),
        ("waiting-focus-c", sequence::choreography(&choreography(WAITING), &focus)),
        ("waiting-run", waiting_run()),
        ("crowd", sequence::choreography(&choreography(&crowd()), &all)),
        ("pair", sequence::choreography(&choreography("main { p.x -> q; q -> p[ok]; stop }"), &all)),
    ];
    found.into_iter().map(|(name, diagrams)| (name.to_string(), diagrams)).collect()
}

/// A run in which messages wait, and one is never taken.
fn waiting_run() -> sequence::Sequence {
    let text =
        "a { main { b!<x>; b!<y>; c+l; b?; stop } } | b { main { a!<z>; a?; stop } } | c { main { a&{l: stop} } }";
    let mut network = network(text);
    network.set_channels(Channels::all(Channel::Queue { bound: None }));
    let named = |name: &str| network.process_named(name).unwrap();
    let symbol = |name: &str| network.names().find(name).unwrap();
    let [a, b, c] = ["a", "b", "c"].map(named);
    let [x, y, z] = ["x", "y", "z"].map(|name| Content::Value(symbol(name)));
    let message = |from, to, content| Interaction { from, to, content };
    let steps = [
        Step::Put(message(a, b, x)),
        Step::Put(message(b, a, z)),
        Step::Put(message(a, b, y)),
        Step::Take(message(a, b, x)),
        Step::Interaction(message(a, c, Content::Label(symbol("l")))),
        Step::Take(message(b, a, z)),
    ];
    sequence::run(&network, &steps, &Focus::default())
}

#[test]
fn drawings_are_as_they_were() {
    let drawn = &*DRAWN;
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        for (name, text) in drawn {
            std::fs::write(folder().join(name), text).unwrap();
        }
    }
    let read = |name: &str| std::fs::read_to_string(folder().join(name)).unwrap_or_default();
    let changed: Vec<&str> =
        drawn.iter().filter(|(name, text)| read(name) != **text).map(|(name, _)| name.as_str()).collect();
    assert!(changed.is_empty(), "{changed:?} changed; UPDATE_GOLDENS=1 writes them anew, and git shows the difference");
    assert!(drawn.len() > 50, "{} files", drawn.len());
}

/// No picture of something that is gone stays behind.
#[test]
fn every_golden_is_drawn() {
    let drawn = &*DRAWN;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(drawn.contains_key(&name), "{name} is not drawn any more");
    }
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
        write(format!("{name}.mmd"), MermaidSequence(diagrams).to_string());
        write(format!("{name}.md"), Markdown(diagrams).to_string());
        write(format!("{name}.puml"), PlantUml(diagrams).to_string());
        write(format!("{name}.svg"), SvgSequence(diagrams).to_string());
    };
    let write_picture = |name: &str, picture: &draw::Picture| {
        write(format!("{name}.mmd"), draw::Mermaid(picture).to_string());
        write(format!("{name}.dot"), Dot(picture).to_string());
        write(format!("{name}.svg"), Svg(picture).to_string());
    };
    for (name, diagrams) in example_sequences() {
        write_sequence(&name, &diagrams);
    }
    for (name, picture) in example_pictures().into_iter().chain(races::pictures()) {
        write_picture(&name, &picture);
    }
    for (name, diagrams) in differences().into_iter().chain(races::sequences()) {
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
        let extraction = search(&network, &ExtractOptions::default());
        for (number, explanation) in explanations(&network, &extraction).iter().enumerate() {
            let diagrams = sequence::witness(&network, explanation, &Focus::default());
            write_sequence(&format!("generated-witness-{seed}-{number}"), &diagrams);
        }
    }
    assert!(written.get() > 4 * choreographies + 6 * networks, "{} drawings", written.get());
}

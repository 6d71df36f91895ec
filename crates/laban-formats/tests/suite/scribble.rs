//! Protocols of Scribble and nuScr that are written and read back, and what several files say together.

use crate::{cases, read_text};
use laban::Choreography;
use laban::choreography::{Node, NodeId};
use laban::generate::{self, Parameters, SeededRng};
use laban::network::{Channel, Channels, Content, Interaction, ProcessId};
use laban_formats::{Format, ReadOptions, Source, Unsayable, imports, read, read_with, write_nuscr, write_scribble};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// A random choreography; in some, each branch of a decision is made to begin with a message of the decider.
fn random_choreography(seed: u64) -> Choreography {
    let mut rng = SeededRng::keyed([seed, 0x5c, 0, 0]);
    let processes = 2 + rng.below_u32(4);
    let (ifs, procedures) = (rng.below_u32(5), rng.below_u32(5));
    let races = u32::from(rng.below_u32(8) == 0);
    let size = 4 + ifs + races + procedures + rng.below_u32(16);
    let parameters = Parameters::new(size, processes, ifs, procedures).with_races(races);
    let tree = generate::choreography(&parameters, rng.long()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let choreography = laban::choreography::lower(&tree).choreography.unwrap();
    if rng.below_u32(10) == 0 { choreography } else { with_announcements(choreography, &mut rng) }
}

/// Puts a selection of the decider before each branch that does not begin with a message of it.
fn with_announcements(choreography: Choreography, rng: &mut SeededRng) -> Choreography {
    let count = choreography.processes().len() as u32;
    if count < 2 {
        return choreography;
    }
    let mut parts = choreography.into_parts();
    let mut announce = |parts: &mut laban::choreography::ChoreographyParts, decider: ProcessId, next: NodeId| {
        let from = match parts.nodes[next.index()] {
            Node::Interaction { interaction, .. } => Some(interaction.from),
            Node::If { process, .. } if rng.below_u32(2) == 0 => Some(process),
            _ => None,
        };
        if from == Some(decider) {
            return next;
        }
        let to = ProcessId((decider.0 + 1 + rng.below_u32(count - 1)) % count);
        let label = parts.names.intern(&format!("way{}", rng.below_u32(3)));
        let value = parts.names.intern(&format!("x + {}", rng.below_u32(2)));
        let content = match rng.below_u32(4) {
            0 => Content::Value(value),
            1 => Content::LabelledValue { label, value },
            _ => Content::Label(label),
        };
        parts.nodes.push(Node::Interaction { interaction: Interaction { from: decider, to, content }, next });
        NodeId(parts.nodes.len() as u32 - 1)
    };
    for number in 0..parts.nodes.len() {
        match parts.nodes[number] {
            Node::If { process, condition, then, otherwise } => {
                let then = announce(&mut parts, process, then);
                let otherwise = announce(&mut parts, process, otherwise);
                parts.nodes[number] = Node::If { process, condition, then, otherwise };
            }
            Node::Choose { process, arms } => {
                for arm in arms.start as usize..arms.end as usize {
                    let next = parts.arms[arm];
                    parts.arms[arm] = announce(&mut parts, process, next);
                }
            }
            _ => {}
        }
    }
    parts.origins.clear();
    Choreography::from_parts(parts).unwrap()
}

/// The node where something happens first; a decision between ways to the same place is nothing.
fn settled(choreography: &Choreography, node: NodeId) -> NodeId {
    if !matches!(choreography.node(node), Node::If { .. } | Node::Choose { .. }) {
        return node;
    }
    let mut next: Vec<NodeId> = choreography.successors(node).map(|next| settled(choreography, next)).collect();
    next.dedup();
    if let [only] = next[..] { only } else { node }
}

/// Where two choreographies differ, up to names and conditions. With `values_are_labels`, a value of the first is a
/// label of the second.
fn difference(one: &Choreography, other: &Choreography, values_are_labels: bool) -> Option<String> {
    let mut names: HashMap<(&str, String), String> = HashMap::new();
    let mut back: HashMap<(&str, String), String> = HashMap::new();
    let mut same = |kind: &'static str, first: &str, second: &str| {
        let (first, second) = (first.to_string(), second.to_string());
        *names.entry((kind, first.clone())).or_insert(second.clone()) == second
            && *back.entry((kind, second)).or_insert(first.clone()) == first
    };
    let mut work = vec![(one.starts()[0], other.starts()[0])];
    let mut met: HashSet<(NodeId, NodeId)> = HashSet::new();
    while let Some((first, second)) = work.pop() {
        let (first, second) = (settled(one, first), settled(other, second));
        if !met.insert((first, second)) {
            continue;
        }
        let (here, there) = (one.node(first), other.node(second));
        let fits = match (here, there) {
            (Node::Stop, Node::Stop) => true,
            (Node::Interaction { interaction: a, .. }, Node::Interaction { interaction: b, .. }) => {
                let roles = same("role", one.process_name(a.from), other.process_name(b.from))
                    && same("role", one.process_name(a.to), other.process_name(b.to));
                roles
                    && match (a.content.label(), b.content.label()) {
                        (Some(label), Some(named)) => same("label", one.text(label), other.text(named)),
                        (None, None) => true,
                        (None, Some(named)) => values_are_labels && same("label", "", other.text(named)),
                        (Some(_), None) => false,
                    }
            }
            (Node::If { process, .. } | Node::Choose { process, .. }, Node::Choose { process: decider, .. }) => {
                same("role", one.process_name(process), other.process_name(decider))
            }
            _ => false,
        };
        let next: [Vec<NodeId>; 2] = [one.successors(first).collect(), other.successors(second).collect()];
        if !fits || next[0].len() != next[1].len() {
            return Some(format!("{here:?} and {there:?}"));
        }
        let [first, second] = next;
        work.extend(first.into_iter().zip(second));
    }
    (one.starts().len() != other.starts().len()).then(|| "the parts".to_string())
}

#[derive(Debug, Default)]
struct Covered {
    written: u64,
    loops: u64,
    calls: u64,
    choices: u64,
    refused: u64,
}

fn round_trips(
    format: Format,
    wanted: u64,
    write: impl Fn(&Choreography, &str) -> Result<String, Unsayable>,
) -> Covered {
    let mut covered = Covered::default();
    let mut seed = 0;
    while covered.written < cases(wanted) {
        seed += 1;
        let choreography = random_choreography(seed);
        let text = match write(&choreography, "P") {
            Ok(text) => text,
            Err(error) => {
                let expected = [
                    "a race",
                    "does not begin with a message",
                    "leads back to itself without a message",
                    "nobody who takes part",
                ];
                assert!(expected.iter().any(|expected| error.what.contains(expected)), "seed {seed}: {error}");
                covered.refused += 1;
                continue;
            }
        };
        covered.written += 1;
        covered.loops += u64::from(text.contains("rec "));
        covered.calls += u64::from(text.contains("do "));
        covered.choices += u64::from(text.contains("choice at "));
        let reading = read_text(format, &text);
        let report = reading.report.clone();
        let back = reading.into_choreography().unwrap_or_else(|| panic!("seed {seed}: {report:?}\n{text}"));
        let difference = difference(&choreography, &back, format == Format::Nuscr);
        assert_eq!(difference, None, "seed {seed}\n{text}");
        assert!(report.remarks.is_empty(), "seed {seed}: {report:?}\n{text}");
        assert_eq!(write(&choreography, "P").as_deref(), Ok(text.as_str()), "seed {seed}");
    }
    covered
}

#[test]
fn protocols_of_scribble_read_back_to_the_same_choreography() {
    let covered = round_trips(Format::Scribble, 5_000, write_scribble);
    let enough = covered.loops > 500 && covered.calls > 250 && covered.choices > 2_500;
    assert!(enough && covered.refused > 50 && covered.refused < covered.written, "{covered:?}");
}

#[test]
fn protocols_of_nuscr_read_back_to_the_same_choreography() {
    let covered = round_trips(Format::Nuscr, 5_000, write_nuscr);
    assert!(covered.loops > 500 && covered.calls > 250 && covered.choices > 2_500, "{covered:?}");
}

fn choreography(text: &str) -> Choreography {
    laban::analyse(text).into_choreography().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn a_choreography_is_written_as_people_write_it() {
    let text = "def X { buyer.price * 2 -> seller; if seller.(price > 10) then seller -> buyer[yes]; buyer.street -> seller[from]; stop
        else seller -> buyer[no]; X } main { X }";
    let scribble = "module Haggle;

type <laban> \"price_2\" from \"price_2\" as price_2;
type <laban> \"street\" from \"street\" as street;

global protocol Haggle(role buyer, role seller) {
  rec X {
    (price_2) from buyer to seller; // price * 2
    choice at seller { // (price > 10)
      yes() from seller to buyer;
      from_(street) from buyer to seller;
    } or {
      no() from seller to buyer;
      continue X;
    }
  }
}
";
    assert_eq!(write_scribble(&choreography(text), "Haggle").unwrap(), scribble);
    let nuscr = write_nuscr(&choreography(text), "").unwrap();
    assert!(
        nuscr.starts_with(
            "global protocol Protocol(role buyer, role seller) {\n  rec X {\n    value(price_2: value) from"
        )
    );
}

#[test]
fn names_of_a_protocol_are_kept() {
    let text = "module P;\n\nglobal protocol P(role A, role B) {\n  rec Loop {\n    1() from A to B;\n    choice at B {\n      2() from B to A;\n      continue Loop;\n    } or {\n      3() from B to A;\n    }\n  }\n}\n";
    let choreography = read_text(Format::Scribble, text).into_choreography().unwrap();
    assert_eq!(write_scribble(&choreography, "P").unwrap(), text);
}

#[test]
fn what_is_called_from_several_places_is_a_protocol() {
    let text = "def X { a -> b[x]; b -> c[x]; c -> a[x]; X } main { if a.c then a -> b[l]; a -> c[l]; X else a -> b[r]; a -> c[r]; X }";
    let scribble = write_scribble(&choreography(text), "P").unwrap();
    assert!(scribble.contains("aux global protocol X(role a, role b, role c) {"), "{scribble}");
    assert_eq!(scribble.matches("do X(a, b, c);").count(), 3, "{scribble}");
}

#[test]
fn what_protocols_cannot_say_is_named() {
    for (text, what) in [
        (
            "main { if a.c then b.x -> a; stop else a.x -> b; stop }",
            "`a` has a decision with a branch that does not begin",
        ),
        ("main { if a.c then stop else a.x -> b; stop }", "`a` has a decision with a branch that does not begin"),
        ("main { any { a -> c[l]; b -> c[r]; stop, b -> c[r]; a -> c[l]; stop } }", "`a` has a race (`any`)"),
        ("main { (a.x -> b, b.y -> a); stop }", "`a` has messages that cross each other"),
        ("main { a.x ~> b; b.y -> a; b <~ a; stop }", "`a` has a message that waits in a queue"),
        ("main { a.x -> b; stop } || main { c.x -> d; stop }", "`c` has a part that has nothing to do with the others"),
        ("main { stop }", "nobody who takes part"),
    ] {
        for written in [write_scribble(&choreography(text), "P"), write_nuscr(&choreography(text), "P")] {
            let error = written.expect_err(text).to_string();
            assert!(error.contains(what), "{error}");
        }
    }
}

#[test]
fn imports_are_listed_and_read_together() {
    let main = "module a.Main; import a.b.C; import d.E as F; from g.H import P;\nglobal protocol M(role A, role B) { do a.b.C.P(A, B); do F.Q(B, A); do P(A, B); }";
    let names: Vec<String> = imports(Format::Scribble, main).into_iter().map(|module| module.text).collect();
    assert_eq!(names, ["a.b.C", "d.E", "g.H"]);
    assert!(imports(Format::Mermaid, main).is_empty());
    let others = [
        ("a/b/C.scr", "module a.b.C; import g.H; global protocol P(role A, role B) { c() from A to B; do H.P(A, B); }"),
        ("d/E.scr", "module d.E; global protocol Q(role A, role B) { e() from A to B; }"),
        ("g/H.scr", "module g.H; global protocol P(role A, role B) { h() from A to B; }"),
    ];
    let mut sources = vec![Source::new("a/Main.scr", main)];
    let mut offset = main.len() as u32;
    for (name, text) in others {
        sources.push(Source { name, text, offset });
        offset += text.len() as u32;
    }
    let reading = read(Format::Scribble, &sources);
    let expected = choreography("main { A -> B[c]; A -> B[h]; B -> A[e]; A -> B[h]; stop }");
    assert!(crate::alike(reading.choreography().unwrap(), &expected));
    let reading = read(Format::Scribble, &sources[..2]);
    let messages: Vec<&str> = reading.report.diagnostics.iter().map(|mistake| mistake.message.as_str()).collect();
    assert_eq!(
        messages,
        ["the module of `H.P` is not here", "the module of `F.Q` is not here", "the module of `P` is not here"]
    );
}

#[test]
fn one_of_several_protocols_is_chosen() {
    let text = "global protocol One(role A, role B) { one() from A to B; } global protocol Two(role A, role B) { two() from A to B; }";
    let label = |protocol: Option<&str>| {
        let options = ReadOptions { protocol, ..ReadOptions::default() };
        let reading = read_with(Format::Scribble, &[Source::new("", text)], &options);
        let choreography = reading.into_choreography()?;
        let label = match choreography.nodes()[0] {
            Node::Interaction { interaction, .. } => interaction.content.label(),
            _ => None,
        };
        label.map(|label| choreography.text(label).to_string())
    };
    assert_eq!(label(Some("Two")).as_deref(), Some("two"));
    assert_eq!(label(Some("1")).as_deref(), Some("one"));
    assert_eq!(label(Some("Three")), None);
    assert_eq!(label(None), None);
}

#[test]
fn protocols_that_grow_without_end_are_refused_and_large_ones_are_read() {
    let refused = |text: &str, what: &str| {
        let messages = read_text(Format::Scribble, text).report.diagnostics;
        assert!(messages.iter().any(|mistake| mistake.message.contains(what)), "{messages:?}");
    };
    refused("global protocol P(role A, role B) { m() from A to B; do P(B, A); n() from A to B; }", "calls itself");
    let mutual = "global protocol P(role A, role B) { m() from A to B; do Q(A, B); n() from A to B; }
        aux global protocol Q(role A, role B) { choice at A { x() from A to B; do P(A, B); } or { y() from A to B; } z() from A to B; }";
    refused(mutual, "calls itself");
    // Each of forty protocols calls the next one twice, and the last one does nothing.
    let mut text = String::new();
    for number in 0..40 {
        let _ =
            writeln!(text, "global protocol P{number}(role A, role B) {{ do P{0}(A, B); do P{0}(A, B); }}", number + 1);
    }
    text.push_str("global protocol P40(role A, role B) { }");
    refused(&text, "too large");
    // Loops of sub-protocols with all orders of roles are finite.
    let rotate = "global protocol P(role A, role B, role C) { m() from A to B; n() from B to C; do P(B, C, A); }";
    assert_eq!(read_text(Format::Scribble, rotate).into_choreography().unwrap().nodes().len(), 6);
}

#[test]
fn deep_and_long_protocols_are_ordinary_protocols() {
    let depth = crate::scaled(50_000, 100_000);
    let within = |inside: String| format!("global protocol P(role A, role B, role C, role D) {{ {inside} }}");
    let repeated = move |piece: &str| piece.repeat(depth);
    let run = move || {
        let deep = format!(
            "{}m() from A to B;{}",
            repeated("rec X { m() from A to B; choice at A { "),
            repeated(" } or { n() from A to B; continue X; } }")
        );
        let statements = within("m(int) from A to B;".repeat(10 * depth));
        for (text, is_read) in [
            (within(deep), true),
            (statements, true),
            (within(format!("{}m() from A to B;{}", repeated("par { "), repeated(" }"))), true),
            (
                within(format!("{}m() from A to B;{}", repeated("par { k() from C to D; } and { "), repeated(" }"))),
                false,
            ),
            (within(repeated("choice at A { ")), false),
            (within(repeated("m(")), false),
            (within(repeated("rec X [")), false),
            (repeated("(* "), false),
            (
                format!(
                    "global protocol P({}role Z) {{ m() from A to Z; }}",
                    (0..depth).map(|number| format!("role A{number}, ")).collect::<String>()
                ),
                false,
            ),
            (within(repeated("m() from AA to B; do Q(A, B); ")), false),
            (repeated("global protocol P(role A, role B) { m() from A to B; }"), false),
        ] {
            let reading = read_text(Format::Scribble, &text);
            assert_eq!(reading.model.is_some(), is_read, "{:?}", reading.report.diagnostics.first());
            if let Some(choreography) = reading.choreography() {
                write_scribble(choreography, "P").unwrap();
            }
        }
    };
    std::thread::Builder::new().stack_size(1 << 18).spawn(run).unwrap().join().unwrap();
}

#[test]
fn a_label_stays_as_it_is_if_it_has_other_payloads_only_between_other_roles() {
    let text = "global protocol P(role A, role B, role C) { m(int) from A to B; m() from B to C; m(str) from C to A; }";
    let reading = read_text(Format::Scribble, text);
    let choreography = reading.choreography().unwrap();
    let printed = laban::Compact(&laban::choreography::read_off(choreography)).to_string();
    assert_eq!(printed, "main { A.int -> B[m]; B -> C[m]; C.str -> A[m]; stop }");
    assert!(reading.report.renamed.is_empty(), "{:?}", reading.report);
    let text = "global protocol P(role A, role B) { m(int) from A to B; m() from A to B; }";
    let reading = read_text(Format::Scribble, text);
    assert_eq!(reading.report.renamed[0].name, "m_int");
}

#[test]
fn local_protocols_send_with_queues() {
    let text = "local protocol P(self A, role B) { m() to B; } local protocol P(role A, self B) { m() from A; }";
    let analysis = read_text(Format::Scribble, text).into_analysis(Format::Scribble, text);
    let network = analysis.into_network().unwrap();
    assert_eq!(*network.channels(), Channels::all(Channel::Queue { bound: None }));
}

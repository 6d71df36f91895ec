//! Files of other tools, as they are: what is said about them, folders, blocks of Markdown, and conversions.
//!
//! Goldens are in `goldens/formats`, each named after the file that its commands read.

use crate::common::goldens::{compare, goldens};
use crate::common::{file, laban, laban_with_input, root};
use std::fs;
use std::path::Path;

/// A folder of its own with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    let folder = files.iter().map(|(file_name, text)| file(name, file_name, text)).collect::<Vec<_>>();
    Path::new(&folder[0]).parent().expect("a folder").to_str().expect("a readable path").to_string()
}

#[test]
fn files_of_other_tools_are_shown_as_their_goldens_say() {
    let mut all = goldens("formats");
    assert!(all.len() >= 10, "{} goldens", all.len());
    for golden in &mut all {
        golden.file(&golden.name.clone(), &golden.given.clone());
        for command in golden.commands() {
            golden.show(&command);
        }
    }
    compare(&all);
}

#[test]
fn every_example_of_another_tool_is_read() {
    let mut count = 0;
    for entry in fs::read_dir(root().join("examples/formats")).expect("the examples are there") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        let run = laban(&["check", "--format", "concise", &format!("examples/formats/{name}")]);
        assert_eq!(run.code, Some(0), "{name}: {}{}", run.out, run.err);
        assert!(run.out.contains("well-formed") || run.out.contains("extractable"), "{name}: {}", run.out);
        count += 1;
    }
    assert!(count >= 8, "{count} examples");
}

#[test]
fn a_text_on_standard_input_is_recognised_by_its_content() {
    let local = "A: B!hello; end\nB: A?hello; end\n";
    let run = laban_with_input(&["extract", "-"], local.as_bytes());
    assert_eq!((run.code, run.out.as_str()), (Some(0), "main { A -> B[hello]; stop }\n"), "{}", run.err);
    assert_eq!(run.err, "<stdin>: local types of KMC, with queues; `--channels rendezvous` changes that\n");
    // Whoever says which channels there are knows.
    let run = laban_with_input(&["extract", "--channels", "queue", "-"], local.as_bytes());
    assert_eq!(run.err, "");
    let own = laban_with_input(&["extract", "-"], b"p { main { q!<x>; stop } } | q { main { p?; stop } }");
    assert_eq!((own.out.as_str(), own.err.as_str()), ("main { p.x -> q; stop }\n", ""));
}

#[test]
fn names_that_end_in_net_or_chor_are_never_anything_else() {
    let local = file("formats-names", "local.net", "A: B!hello; end\nB: A?hello; end\n");
    for arguments in [vec!["check", &local], vec!["check", "--from", "kmc", &local]] {
        let run = laban(&arguments);
        assert_eq!(run.code, Some(2));
        assert!(run.out.contains("does not parse"), "{}", run.out);
    }
}

#[test]
fn a_format_can_be_insisted_on() {
    let path = file("formats-from", "odd.txt", "A: B!hello; end\nB: A?hello; end\n");
    assert_eq!(laban(&["check", "--from", "kmc", &path]).code, Some(0));
    assert_eq!(laban(&["check", "--from", "fsa", &path]).code, Some(2));
    assert_eq!(laban(&["check", "--from", "net", &path]).code, Some(2));
    assert_eq!(laban(&["check", "--from", "promela", &path]).code, Some(2));
}

#[test]
fn a_folder_is_the_files_in_it() {
    let services = folder(
        "formats-services",
        &[
            ("alice.net", "alice { main { bob!<x>; stop } }"),
            ("bob.net", "bob { main { alice?; stop } }"),
            ("README.md", "# Services\n"),
            ("Makefile", "all:\n"),
            (".hidden.net", "nonsense"),
        ],
    );
    let protocol = file("formats-protocol", "protocol.mmd", "sequenceDiagram\n  alice->>bob: x\n");
    let run = laban(&["verify", &services, &protocol]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert_eq!(laban(&["extract", &services]).out, "main { alice.x -> bob; stop }\n");
    assert_eq!(laban(&["run", &services]).code, Some(0));
    // One for itself, and together.
    assert_eq!(laban(&["check", &services]).code, Some(2));
    assert_eq!(laban(&["check", "--together", &services]).code, Some(0));
}

#[test]
fn graphs_of_one_folder_are_one_system() {
    let one = "examples/formats/relay";
    assert_eq!(laban(&["extract", one]).code, Some(0));
    let parts = ["a", "b", "c"].map(|name| format!("{one}/{name}.dot"));
    let [a, b, c] = [&parts[0], &parts[1], &parts[2]];
    assert_eq!(laban(&["check", a, b, c]).code, Some(0));
    let run = laban(&["check", a, b]);
    assert_eq!(run.code, Some(2));
    assert!(run.out.contains("there is no process `c`") && run.out.contains("b.dot:1:"), "{}", run.out);
}

#[test]
fn local_protocols_in_several_files_are_one_network() {
    let files = [
        ("A.scr", "module Relay_A;\nlocal protocol Relay at A(role B, role C) { hello() to B; bye() from C; }\n"),
        ("B.scr", "module Relay_B;\nlocal protocol Relay at B(role A, role C) { hello() from A; on() to C; }\n"),
        ("C.scr", "module Relay_C;\nlocal protocol Relay at C(role A, role B) { on() from B; bye() to A; }\n"),
    ];
    let all = folder("formats-local", &files);
    let [a, b, c] = ["A", "B", "C"].map(|name| format!("{all}/{name}.scr"));
    let run = laban(&["extract", "--format", "compact", &a, &b, &c]);
    let expected = "main { A -> B[hello]; B -> C[on]; C -> A[bye]; stop }";
    assert_eq!((run.code, run.out.trim_end()), (Some(0), expected), "{}", run.err);
    assert_eq!(laban(&["extract", "--format", "compact", &all]).out, run.out);
    let run = laban(&["check", &a, &b, &c]);
    assert_eq!((run.code, run.out.lines().count()), (Some(0), 1), "{}", run.out);
    // Global protocols are systems of their own.
    let global = "global protocol P(role A, role B) { m() from A to B; }";
    let two = folder("formats-global", &[("a.scr", global), ("b.scr", global)]);
    let run = laban(&["extract", &format!("{two}/a.scr"), &format!("{two}/b.scr")]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("each of these files is a system of its own"), "{}", run.err);
}

#[test]
fn files_that_do_not_belong_together_are_refused() {
    let local = "A: B!hello; end\nB: A?hello; end\n";
    let mixed = folder("formats-mixed", &[("a.net", "a { main { stop } }"), ("b.txt", local)]);
    let run = laban(&["extract", &mixed]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("they are in different languages"), "{}", run.err);
    let twice = folder("formats-twice", &[("a.txt", local), ("b.txt", local)]);
    let run = laban(&["extract", &twice]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("each of these files is a system of its own"), "{}", run.err);
    let nothing = folder("formats-nothing", &[("README", "nothing")]);
    let run = laban(&["extract", &nothing]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("is a folder without networks or choreographies"), "{}", run.err);
}

#[test]
fn modules_that_are_imported_are_found_beside_the_file_or_around_it() {
    let main = "module a.b.Main;\nimport a.b.Part;\nimport a.Other;\n\
                global protocol Main(role A, role B) { m() from A to B; do Part.P(A, B); do Other.Q(A, B); }\n";
    let part = "module a.b.Part;\nglobal protocol P(role A, role B) { p() from A to B; }\n";
    let other = "module a.Other;\nglobal protocol Q(role A, role B) { q() from B to A; }\n";
    let root = folder("formats-imports", &[("x.txt", "")]);
    fs::create_dir_all(format!("{root}/a/b")).expect("folders");
    fs::write(format!("{root}/a/b/Main.scr"), main).expect("a file");
    fs::write(format!("{root}/a/b/Part.scr"), part).expect("a file");
    let path = format!("{root}/a/b/Main.scr");
    let run = laban(&["check", &path]);
    assert_eq!(run.code, Some(2), "{}{}", run.out, run.err);
    assert!(run.err.contains("the module `a.Other` that it imports is not in a file beside it"), "{}", run.err);
    fs::write(format!("{root}/a/Other.scr"), other).expect("a file");
    let run = laban(&["convert", "--to", "chor", &path]);
    let text = "main { A -> B[m]; A -> B[p]; B -> A[q]; stop }\n";
    assert_eq!((run.code, run.out.as_str()), (Some(0), text), "{}", run.err);
}

#[test]
fn blocks_of_markdown_are_read_in_place() {
    let text = "# Protocol\n\n```mermaid\nsequenceDiagram\n  alice->>bob: x\n  alice->>bob: y\n```\n";
    let protocol = file("formats-markdown", "protocol.md", text);
    let network = file("formats-markdown", "n.net", "alice { main { bob!<x>; stop } } | bob { main { alice?; stop } }");
    let run = laban(&["verify", "--format", "concise", &network, &protocol]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.out.contains(&format!("{protocol}:6:3: error[mismatch]")), "{}", run.out);
}

#[test]
fn a_markdown_file_with_thousands_of_blocks_is_read_only_where_one_is_named() {
    let text = "```mermaid\nsequenceDiagram\nA->>B: x\n```\n".repeat(5_000);
    let page = file("formats-blocks", "page.md", &text);
    let run = laban(&["check", &page]);
    assert_eq!(run.code, Some(2), "{}", run.err);
    assert!(run.err.contains("has 5000 blocks, too many for a file of this size"), "{}", run.err);
    let run = laban(&["check", "--protocol", "4999", &page]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let run = laban(&["project", &page]);
    assert!(run.err.contains("3 (line 10, mermaid)") && run.err.contains("and 4980 more"), "{}", run.err);
}

#[test]
fn what_is_converted_to_json_and_back_is_the_same() {
    let mut count = 0;
    for entry in fs::read_dir(root().join("examples")).expect("the examples are there") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        if !name.ends_with(".net") && !name.ends_with(".chor") || name == "ill-formed.net" {
            continue;
        }
        let json = laban(&["convert", &format!("examples/{name}"), "--to", "json"]);
        assert_eq!(json.code, Some(0), "{name}: {}", json.err);
        let ending = if name.ends_with(".net") { "net" } else { "chor" };
        let back = laban_with_input(&["convert", "-", "--to", ending], json.out.as_bytes());
        assert_eq!(back.code, Some(0), "{name}: {}", back.err);
        // Names of procedures are not in it, and states that are never reached are not in the text.
        let path = file("formats-json", &name, &back.out);
        let same = laban(&["equiv", "--services", &format!("examples/{name}"), &path]);
        let is_bounded = same.code == Some(3);
        assert!(same.code == Some(0) || is_bounded, "{name}: {}{}", same.out, same.err);
        let again = laban(&["convert", &path, "--to", "json"]);
        let once_more = laban_with_input(&["convert", "-", "--to", "json"], again.out.as_bytes());
        assert_eq!(again.out, once_more.out, "{name}");
        count += 1;
    }
    assert!(count >= 60, "{count} examples");
}

#[test]
fn the_name_of_the_output_says_what_to_write() {
    let out = file("formats-output", "two-buyer.fsa", "");
    let run = laban(&["convert", "examples/two-buyer.net", "-o", &out]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.contains("works by rendezvous, and the tools of fsa take it for one with queues"), "{}", run.err);
    assert!(fs::read_to_string(&out).expect("it is there").starts_with(".outputs alice\n"));
    let unknown = file("formats-output", "two-buyer.txt", "as it was");
    assert_eq!(laban(&["convert", "examples/two-buyer.net", "-o", &unknown]).code, Some(2));
    assert_eq!(fs::read_to_string(&unknown).expect("it is there"), "as it was");
}

#[test]
fn what_a_format_cannot_say_is_named() {
    let service = file("formats-cannot", "s.net", "p { main { q!<x>; stop } }\n| service q { main { p?; stop } }");
    let run = laban(&["convert", &service, "--to", "fsa"]);
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
    assert!(run.err.contains("error[inexpressible]: `q` has ") && run.err.contains("s.net:2:"), "{}", run.err);
    let parallel = laban(&["convert", "examples/paper-independent-loops.net", "--to", "aldebaran"]);
    assert_eq!(parallel.code, Some(1));
    assert!(parallel.err.contains("--no-split"), "{}", parallel.err);
    let whole = laban(&["convert", "examples/paper-independent-loops.net", "--to", "aldebaran", "--no-split"]);
    assert_eq!(whole.code, Some(0), "{}", whole.err);
}

#[test]
fn networks_of_other_tools_are_in_batches() {
    let local = "A: B!hello; end\nB: A?hello; end\n";
    let many = folder("formats-batch", &[("a.net", "a { main { stop } }"), ("b.txt", local), ("c.txt", "nothing")]);
    let run = laban(&["batch", "--quiet", "--no-times", &many]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let outcomes: Vec<&str> = run.out.lines().filter(|line| line.contains(r#""outcome":"extracted""#)).collect();
    assert_eq!(outcomes.len(), 2, "{}", run.out);
    assert!(run.out.contains(r#""choreography":"main { A -> B[hello]; stop }""#), "{}", run.out);
    let protocol = laban(&["batch", "--quiet", "examples/formats/oauth.scr"]);
    assert_eq!(protocol.code, Some(2));
    assert!(protocol.out.contains("is a choreography; a network is needed here"), "{}", protocol.out);
}

#[test]
fn a_result_is_not_written_over_a_file_of_another_language() {
    let text = fs::read_to_string(root().join("examples/formats/forgotten.nuscr")).expect("the example is there");
    let path = file("formats-output", "order.nuscr", &text);
    for command in ["amend", "project"] {
        let run = laban(&[command, "--service", "Carrier", &path, "-o", &path]);
        assert_eq!(run.code, Some(2), "{command}: {}", run.err);
        assert!(run.err.contains("by its name, and what is written is"), "{command}: {}", run.err);
        assert_eq!(fs::read_to_string(&path).expect("it is still there"), text);
    }
}

#[test]
fn a_check_of_a_protocol_that_was_given_up_is_undecided() {
    let diagram = "sequenceDiagram\n  alt a\n    A->>B: x\n    B->>C: y\n  else\n    A->>B: z\n  end\n";
    let path = file("formats-given-up", "flow.mmd", diagram);
    let run = laban(&["check", "--max-states", "1", &path]);
    assert_eq!(run.code, Some(3), "{}{}", run.out, run.err);
    assert!(run.out.contains("undecided whether everybody is told enough"), "{}", run.out);
}

#[test]
fn a_choreography_of_nobody_has_no_network_in_any_language() {
    let path = file("formats-nobody", "nobody.chor", "main { stop }");
    for target in ["net", "fsa", "kmc", "promela", "aldebaran"] {
        let run = laban(&["convert", &path, "--to", target]);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{target}: {}", run.err);
        assert!(run.err.contains("has no processes"), "{target}: {}", run.err);
    }
    let run = laban(&["graph", "--of", "seg", &path]);
    assert_eq!(run.code, Some(2), "{}", run.err);
}

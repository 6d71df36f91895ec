//! Drawings on the command line: every kind in every language, what there is not, focus, and folding.

use crate::common::{Run, file, laban, root};
use std::fs;

const GRAPHS: [(&str, &str); 3] = [("dot", "digraph {\n"), ("mermaid", "flowchart "), ("svg", "<svg ")];
const SEQUENCES: [(&str, &str); 4] =
    [("mermaid", "sequenceDiagram\n"), ("markdown", "```mermaid\n"), ("plantuml", "@startuml\n"), ("svg", "<svg ")];

/// The examples that are well-formed.
fn examples(ending: &str) -> Vec<String> {
    let folder = fs::read_dir(root().join("examples")).expect("the folder is there");
    let names = folder.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names
        .filter(|name| name.ends_with(ending) && name != "ill-formed.net")
        .map(|name| format!("examples/{name}"))
        .collect();
    names.sort();
    assert!(names.len() > 4);
    names
}

fn starts(run: &Run, start: &str) -> bool {
    // The document of a diagram that has a title begins with it.
    run.out.starts_with(start) || start.starts_with("```") && run.out.starts_with("## ") && run.out.contains(start)
}

#[test]
fn every_example_is_drawn_in_every_way() {
    for name in examples(".net").iter().chain(&examples(".chor")) {
        let network = name.ends_with(".net");
        let projected = name != "examples/unprojectable.chor" && name != "examples/buyer-seller-hasty.chor";
        for of in ["communications", "automata", "seg"] {
            for (format, start) in GRAPHS {
                let run = laban(&["graph", name, "--of", of, "--format", format]);
                if projected {
                    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{name}");
                    assert!(starts(&run, start), "{name}: {}", run.out);
                } else {
                    assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{name}");
                    assert!(run.err.starts_with("error[unprojectable]: "), "{name}: {}", run.err);
                    assert!(run.err.ends_with("--of sequence works without\n"), "{name}: {}", run.err);
                }
            }
        }
        let extracted = !network || laban(&["extract", "--format", "compact", name]).code == Some(0);
        for (format, start) in SEQUENCES {
            let run = laban(&["graph", name, "--of", "sequence", "--format", format]);
            assert_eq!((run.code, run.err.is_empty()), (Some(i32::from(!extracted)), extracted), "{name}: {}", run.err);
            assert!(starts(&run, start), "{name}: {}", run.out);
            if network {
                let same = laban(&["extract", "--format", format, name]);
                assert_eq!((same.code, same.out), (run.code, run.out), "{name}");
                // Only who extracts is told of services that are left in the middle, and of the queues that are needed.
                let told = ["warning[service-left]: ", "note[queues]: "].map(|start| same.err.starts_with(start));
                assert!(same.err == run.err || told.contains(&true), "{name}: {}", same.err);
            }
        }
        for (format, start) in GRAPHS {
            let run = laban(&["graph", name, "--of", "protocol", "--format", format]);
            assert_eq!((run.code, run.err.is_empty()), (Some(i32::from(!extracted)), extracted), "{name}: {}", run.err);
            assert!(starts(&run, if extracted { start } else { "" }), "{name}: {}", run.out);
            assert_eq!(run.out.is_empty(), !extracted, "{name}");
        }
    }
}

#[test]
fn what_is_drawn_by_default_depends_on_the_file() {
    assert!(laban(&["graph", "examples/two-buyer.net"]).out.starts_with("digraph {\n  rankdir=LR;"));
    let run = laban(&["graph", "examples/two-buyer.chor"]);
    assert!(run.out.starts_with("sequenceDiagram\n"), "{}", run.out);
    assert_eq!(run.out, laban(&["graph", "examples/two-buyer.net", "--of", "sequence"]).out);
    assert!(laban(&["graph", "examples/two-buyer.chor", "--of", "protocol"]).out.starts_with("digraph {"));
}

#[test]
fn a_language_that_there_is_not_is_refused_with_those_that_there_are() {
    let refused = |arguments: &[&str], hint: &str| {
        let run = laban(arguments);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(run.err.starts_with("error: ") && run.err.contains(hint), "{arguments:?}: {}", run.err);
    };
    refused(&["graph", "examples/two-buyer.chor", "--format", "dot"], "--of protocol");
    refused(&["graph", "examples/two-buyer.net", "--of", "sequence", "--format", "dot"], "plantuml or svg");
    for of in ["communications", "automata", "seg", "protocol"] {
        for format in ["plantuml", "markdown"] {
            refused(&["graph", "examples/two-buyer.net", "--of", of, "--format", format], "dot, mermaid or svg");
        }
    }
    refused(&["graph", "examples/two-buyer.net", "--format", "marmaid"], "'mermaid'");
    refused(&["verify", "examples/two-buyer.net", "examples/two-buyer.chor", "--format", "sgv"], "plantuml, svg");
    refused(&["extract", "examples/two-buyer.net", "--focus", "bob"], "--format mermaid");
    refused(&["extract", "examples/two-buyer.net", "--format", "json", "--max-nodes", "3"], "--format mermaid");
}

#[test]
fn a_process_that_there_is_not_is_refused_with_one_that_there_is() {
    for arguments in [
        &["graph", "examples/two-buyer.net", "--focus", "alice,bbo"][..],
        &["graph", "examples/two-buyer.net", "--of", "automata", "--process", "bbo"],
        &["graph", "examples/two-buyer.chor", "--focus", "bbo"],
        &["graph", "examples/two-buyer.chor", "--of", "seg", "--focus", "bbo"],
        &["extract", "examples/two-buyer.net", "--format", "svg", "--focus", "bbo"],
    ] {
        let run = laban(arguments);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert_eq!(run.err, "error: --focus: there is no process `bbo`; did you mean `bob`?\n", "{arguments:?}");
    }
    let run = laban(&["graph", "examples/two-buyer.chor", "--of", "seg", "--service", "bbo"]);
    assert_eq!(run.err, "error: --service: there is no process `bbo`; did you mean `bob`?\n");
}

#[test]
fn a_focus_leaves_out_what_concerns_others_and_says_so() {
    let run = laban(&["graph", "examples/two-buyer.chor", "--focus", "alice"]);
    assert!(run.out.contains("of others are left out") && !run.out.contains("address"), "{}", run.out);
    let both = laban(&["graph", "examples/two-buyer.chor", "--focus", "alice,bob"]);
    let twice = laban(&["graph", "examples/two-buyer.chor", "--focus", "alice", "--process", "bob"]);
    assert!(both.out.contains("address"), "{}", both.out);
    assert_eq!(both.out, twice.out);
    let drawn = |of: &str| laban(&["graph", "examples/bookstore.net", "--of", of, "--focus", "shipper"]).out;
    assert!(drawn("automata").contains("shipper") && !drawn("automata").contains("label=\"store\""));
    assert!(drawn("seg").contains("-> shipper") && !drawn("seg").contains("customer -> store"), "{}", drawn("seg"));
    assert!(!drawn("protocol").contains("customer -> store"), "{}", drawn("protocol"));
    let run = laban(&["graph", "examples/logistic.net", "--focus", "consignee"]);
    assert!(run.out.contains("left out"), "{}", run.out);
    let run = laban(&["extract", "examples/forgotten-else.net", "--format", "mermaid", "--focus", "shipper"]);
    assert!(run.out.contains("stuck, waits for a value") && !run.out.contains(": order"), "{}", run.out);
}

#[test]
fn a_large_drawing_is_folded_and_says_how_much() {
    for of in ["automata", "seg", "protocol"] {
        for format in ["dot", "mermaid", "svg"] {
            let run = laban(&["graph", "examples/logistic.net", "--of", of, "--format", format, "--max-nodes", "6"]);
            assert!(run.out.contains("more node") || run.out.contains("more group"), "{of}: {}", run.out);
        }
    }
    let run = laban(&["graph", "examples/logistic.net", "--max-nodes", "2"]);
    assert!(run.out.contains("more nodes\""), "{}", run.out);
    for format in ["mermaid", "markdown", "plantuml", "svg"] {
        let run = laban(&["extract", "examples/logistic.net", "--format", format, "--max-nodes", "6"]);
        assert!(run.out.contains("more steps"), "{format}: {}", run.out);
    }
    // Several parts together are no larger than one alone.
    let count = |file: &str| {
        let run = laban(&["graph", file, "--of", "seg", "--max-nodes", "12"]);
        run.out.lines().filter(|line| line.contains("shape=")).count()
    };
    assert!(count("examples/logistic-2x.net") <= 14, "{}", count("examples/logistic-2x.net"));
}

#[test]
fn every_failure_is_drawn() {
    let text = "a { main { b?; stop } } | b { main { a?; stop } } | c { main { d!<x>; stop } } | d { main { stop } }";
    let path = file("diagrams", "two.net", text);
    let run = laban(&["graph", &path, "--of", "sequence"]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("par part 1#58; deadlock from the start"), "{}", run.out);
    assert!(run.out.contains("and part 2#58; deadlock from the start"), "{}", run.out);
    assert_eq!(run.out.matches("stuck, ").count(), 3, "{}", run.out);
    assert_eq!(run.err.matches("error[deadlock]").count(), 2, "{}", run.err);
    let run = laban(&["extract", &path, "--format", "plantuml"]);
    assert_eq!((run.code, run.out.matches("@startuml").count()), (Some(1), 2), "{}", run.out);
}

#[test]
fn a_search_that_is_given_up_draws_nothing() {
    for arguments in [&["graph", "--of", "sequence"][..], &["graph", "--of", "seg"], &["extract", "--format", "svg"]] {
        let run = laban(&[arguments, &["--max-states", "3", "examples/two-buyer.net"]].concat());
        assert_eq!((run.code, run.out.as_str()), (Some(3), ""), "{arguments:?}");
        assert!(run.err.starts_with("error: undecided: "), "{arguments:?}: {}", run.err);
    }
}

#[test]
fn differences_are_drawn_and_described_on_standard_error() {
    let mismatch = ["examples/buyer-seller.net", "examples/buyer-seller-hasty.chor"];
    for command in ["verify", "equiv"] {
        for (format, start) in SEQUENCES {
            let run = laban(&[command, "--format", format, mismatch[0], mismatch[1]]);
            assert_eq!(run.code, Some(1), "{command}");
            assert!(starts(&run, start), "{command}: {}", run.out);
            assert!(run.out.contains("after 3 steps"), "{command}: {}", run.out);
            assert!(run.err.contains("title"), "{command}: {}", run.err);
        }
    }
    let run = laban(&["verify", "--format", "mermaid", mismatch[0], mismatch[1]]);
    assert!(
        run.out.contains(
            "in the network\n    rect rgba(207, 34, 46, 0.25)\n      Note over buyer: instead, wants to select `ok`"
        ),
        "{}",
        run.out
    );
    let run = laban(&["equiv", "--format", "mermaid", mismatch[0], "examples/ping-pong.net"]);
    assert!(
        run.out.contains("Note over buyer,seller: only in examples/buyer-seller.net\n    buyer->>seller: title\n"),
        "{}",
        run.out
    );
}

#[test]
fn where_there_is_no_difference_there_is_nothing_to_draw() {
    let run = laban(&["verify", "--format", "svg", "examples/two-buyer.net", "examples/two-buyer.chor"]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""));
    assert!(run.err.contains("describes"), "{}", run.err);
    let run = laban(&["equiv", "--format", "svg", "examples/two-buyer.net", "examples/two-buyer.chor"]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""));
    assert!(run.err.contains("can do the same"), "{}", run.err);
    // They can do the same, but the one is stuck where the other has stopped.
    let stuck = file("diagrams", "stuck.net", "p { main { q?; stop } } | q { main { stop } }");
    let stopped = file("diagrams", "stopped.net", "p { main { stop } } | q { main { stop } }");
    let run = laban(&["equiv", "--format", "mermaid", &stuck, &stopped]);
    assert_eq!(run.code, Some(0));
    assert!(run.out.contains("stuck, waits for a value from `q` forever"), "{}", run.out);
}

#[test]
fn services_are_told_apart_in_the_diagram_of_what_is_extracted() {
    for arguments in [["extract", "examples/bookstore.net"], ["graph", "examples/bookstore.net"]] {
        let of: &[&str] = if arguments[0] == "graph" { &["--of", "sequence"] } else { &[] };
        for (format, shown) in
            [("mermaid", "as service shipper"), ("plantuml", "\"service shipper\""), ("svg", "box dashed")]
        {
            let run = laban(&[&arguments[..], of, &["--format", format]].concat());
            assert!(run.out.contains(shown), "{format}: {}", run.out);
        }
    }
    let run = laban(&["graph", "--service", "seller", "examples/two-buyer.chor"]);
    assert!(run.out.contains("as service seller"), "{}", run.out);
}

#[test]
fn a_long_diagram_comes_with_a_remark_how_to_make_it_smaller() {
    let text = format!("main {{ {} stop }}", "p.x -> q; ".repeat(201));
    let path = file("diagrams", "long.chor", text);
    let run = laban(&["graph", &path]);
    assert_eq!(run.err, "the diagram has 201 steps; --focus and --max-nodes make it smaller\n");
    assert_eq!(laban(&["graph", "--max-nodes", "300", &path]).err, "");
    let text = format!("main {{ {} stop }}", "p.x -> q; ".repeat(200));
    assert_eq!(laban(&["graph", &file("diagrams", "short.chor", text)]).err, "");
}

#[test]
fn of_many_failures_and_many_parts_only_some_are_drawn() {
    let pairs = |deadlocked: bool| -> String {
        let pair = |number: usize| match deadlocked {
            true => {
                format!("a{number} {{ main {{ b{number}?; stop }} }} | b{number} {{ main {{ a{number}?; stop }} }}")
            }
            false => {
                format!("a{number} {{ main {{ b{number}!<x>; stop }} }} | b{number} {{ main {{ a{number}?; stop }} }}")
            }
        };
        (0..300).map(pair).collect::<Vec<_>>().join(" | ")
    };
    let stuck = file("diagrams", "many-failures.net", pairs(true));
    let run = laban(&["extract", "--format", "mermaid", "--max-nodes", "5", &stuck]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("295 more failures are not drawn"), "{}", run.out);
    assert!(run.out.lines().count() < 60, "{}", run.out);
    let fine = file("diagrams", "many-parts.net", pairs(false));
    let run = laban(&["extract", "--format", "mermaid", "--max-nodes", "5", &fine]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("295 more parts are not drawn"), "{}", run.out);
    assert!(run.out.lines().count() < 60, "{}", run.out);
}

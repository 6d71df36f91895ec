//! `laban run`: dialogues as goldens, and what is true whatever is asked for.
//!
//! A golden in `goldens/run/` has the answers, and the commands that they are given to; or, with a line `---` between
//! them, a network and the answers. `UPDATE_GOLDENS=1 cargo test -p laban-cli --test suite run` writes down what is
//! printed now.

use crate::common::goldens::{compare, goldens};
use crate::common::{file, laban, laban_with_input, root};
use std::fs;

#[test]
fn dialogues_go_as_written_down() {
    let mut goldens = goldens("run");
    for golden in &mut goldens {
        let given = golden.given.clone();
        let (network, answers) = match given.split_once("---\n") {
            Some((network, answers)) => (Some(network), answers),
            None => (None, given.as_str()),
        };
        if let Some(network) = network {
            golden.file("given.net", network);
        }
        let mut commands = golden.commands();
        if commands.is_empty() {
            commands.push("run --step given.net".to_string());
        }
        for command in commands {
            let run = golden.show_with_input(&command, network.is_none(), answers);
            assert!(matches!(run.code, Some(0 | 1)), "{}: {run:?}", golden.name);
        }
    }
    assert!(goldens.len() >= 8, "{}", goldens.len());
    compare(&goldens);
}

#[test]
fn the_dialogue_in_the_documents_is_one_of_these() {
    let golden = fs::read_to_string(root().join("crates/laban-cli/tests/goldens/run/deadlock-and-back.txt")).unwrap();
    let (_, dialogue) = golden.split_once("exit status 0\n").expect("a dialogue");
    let document = fs::read_to_string(root().join("docs/commands.md")).unwrap();
    let shown =
        document.split("```text\n$ laban run --step examples/forgotten-else.net\n").nth(1).expect("it is shown");
    assert_eq!(shown.split("```").next().unwrap(), dialogue);
}

#[test]
fn the_same_seed_prints_the_same_bytes() {
    for format in ["text", "json", "mermaid", "plantuml", "svg"] {
        let run = |seed: &str| laban(&["run", "examples/two-phase-commit.net", "--seed", seed, "--format", format]);
        let (first, second) = (run("7"), run("7"));
        assert_eq!(first.code, Some(0), "{}", first.err);
        assert_eq!(first.out, second.out);
        assert!((0..20).any(|seed| run(&seed.to_string()).out.len() != first.out.len()), "{format}: chance has a say");
    }
}

#[test]
fn json_of_a_run_has_steps_with_places_and_where_everyone_is() {
    let run = laban(&["run", "--format", "json", "--decide", "seller.inStock=no", "examples/forgotten-else.net"]);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    let run: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(run["outcome"], "deadlock");
    assert_eq!(run["kind"], "network");
    assert_eq!(run["reason"], "`shipper` waits for a value from `seller`, which has stopped");
    let steps = run["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 3);
    assert_eq!(steps[0]["step"], "buyer.order -> seller");
    assert_eq!([&steps[0]["kind"], &steps[0]["from"], &steps[0]["to"]], ["value", "buyer", "seller"]);
    assert_eq!([&steps[0]["line"], &steps[0]["column"]], [7, 10]);
    assert_eq!([&steps[0]["partner"]["line"], &steps[0]["partner"]["column"]], [11, 5]);
    assert_eq!(steps[1]["kind"], "decision");
    assert_eq!(steps[1]["holds"], false);
    assert_eq!(steps[2]["label"], "no");
    assert_eq!(run["states"][2]["process"], "shipper");
    assert_eq!(run["states"][2]["next"], "seller?");
    assert_eq!(run["states"][2]["stopped"], false);
    assert_eq!(run["witnesses"][0]["stuck"][0]["process"], "shipper");

    let run = laban(&["run", "--format", "json", "--max-steps", "5", "examples/ping-pong.net"]);
    assert_eq!(run.code, Some(0));
    let run: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(run["outcome"], "limit");
    assert_eq!(run["same_as_after"], 3);
}

#[test]
fn of_a_dialogue_the_run_is_all_that_comes_to_the_standard_output() {
    let answers = b"1\n1 no\n1\n";
    let run = laban_with_input(&["run", "--step", "--format", "json", "examples/forgotten-else.net"], answers);
    assert_eq!(run.code, Some(1));
    let record: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(record["steps"].as_array().unwrap().len(), 3);
    assert!(run.err.contains("1) buyer.order -> seller") && run.err.contains("error[deadlock]"), "{}", run.err);
    let run = laban_with_input(&["run", "--step", "--format", "mermaid", "examples/forgotten-else.net"], answers);
    assert!(run.out.starts_with("sequenceDiagram") && run.out.contains("stuck"), "{}", run.out);
}

#[test]
fn what_cannot_be_run_is_reported() {
    let bad = |arguments: &[&str], code: i32, message: &str| {
        let run = laban(arguments);
        assert_eq!(run.code, Some(code), "{arguments:?}: {}", run.err);
        assert!(run.err.contains(message), "{}", run.err);
        assert_eq!(run.out, "");
    };
    bad(&["run", "examples/ill-formed.net"], 2, "error[self-communication]");
    bad(&["run", "--step", "examples/ill-formed.net"], 2, "error[self-communication]");
    bad(&["run", "examples/nowhere.net"], 2, "no such file");
    bad(&["run", "--step", "-"], 2, "--step reads your answers from standard input");
    bad(&["run", "examples/unprojectable.chor"], 1, "`laban amend` adds the missing selections");
    bad(&["run", "--service", "sellr", "examples/buyer-seller.net"], 2, "did you mean `seller`?");
    bad(&["run", "--service", "sellr", "examples/two-buyer.chor"], 2, "did you mean `seller`?");
    bad(&["run", "--decide", "sellr.x=yes", "examples/buyer-seller.net"], 2, "did you mean `seller`?");
    bad(&["run", "--decide", "buyer.hapy=yes", "examples/buyer-seller.net"], 2, "did you mean `happy`?");
    bad(&["run", "--decide", "seller.x=yes", "examples/buyer-seller.net"], 2, "it decides nothing");
    bad(&["run", "--decide", "buyer.happy", "examples/buyer-seller.net"], 2, "such as buyer.happy=no");
    bad(&["run", "--max-steps", "lots", "examples/buyer-seller.net"], 2, "--max-steps");
}

#[test]
fn a_network_from_the_standard_input_is_run() {
    let network = b"p { main { q!<x>; stop } } | q { main { p?; stop } }";
    let run = laban_with_input(&["run", "-"], network);
    assert_eq!(run.code, Some(0));
    assert!(run.out.starts_with("1  p.x -> q\n\nall have stopped after 1 step (seed 0)\n"), "{}", run.out);
    assert!(run.out.contains("<stdin>:1:19"), "{}", run.out);
}

#[test]
fn a_service_may_wait_at_the_end() {
    let text = "p { main { q!<x>; stop } } | q { def X { p?; X } main { X } }";
    let path = file("run", "waits.net", text);
    assert_eq!(laban(&["run", &path]).code, Some(1));
    let run = laban(&["run", "--service", "q", &path]);
    assert_eq!(run.code, Some(0));
    assert!(run.out.contains("all have stopped after 1 step, but for the service `q`, which may wait"), "{}", run.out);
}

#[test]
fn whatever_bytes_are_answered_the_dialogue_goes_on() {
    let mut answers: Vec<u8> = (0..=255).collect();
    answers.extend(b"\n\x1b[31m\n");
    answers.extend(vec![b'x'; 100_000]);
    answers.extend(b"\n1\nh\n");
    let run = laban_with_input(&["run", "--step", "examples/ping-pong.net"], &answers);
    assert_eq!(run.code, Some(0));
    assert!(run.out.ends_with("\n1  ping.ball -> pong\n\n1 step so far\n"), "{}", run.out);
    assert!(!run.out.contains('\x1b'), "what is typed does not reach the terminal");
    assert!(run.out.lines().all(|line| line.chars().count() < 200));
}

#[test]
fn a_line_that_is_too_long_is_no_order() {
    let answers = [&[b' '; 5000][..], b"1\nq\n"].concat();
    let run = laban_with_input(&["run", "--step", "examples/ping-pong.net"], &answers);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("unknown command `"), "{}", run.out);
    assert!(!run.out.contains("ping.ball -> pong\n   "), "nothing has happened: {}", run.out);
}

#[test]
fn where_a_part_is_stuck_and_another_goes_on_both_are_reported() {
    let network = b"a { main { b?; stop } } | b { main { a?; stop } } \
        | c { def X { d!<x>; X } main { X } } | d { def X { c?; X } main { X } }";
    let run = laban_with_input(&["run", "--max-steps", "3", "-"], network);
    assert_eq!(run.code, Some(1), "{}", run.out);
    assert!(run.out.contains("3 steps; more can happen, but some processes are stuck"), "{}", run.out);
}

/// Those who are stuck interact with those who go on, so they are in one part with them.
const STUCK_BESIDE_A_LOOP: &[u8] = b"a { main { c?; b?; stop } } | b { main { a?; stop } } \
    | c { def X { d!<x>; X } main { a!<go>; X } } | d { def X { c?; X } main { X } }";

#[test]
fn a_deadlock_beside_a_loop_is_reported() {
    let run = laban_with_input(&["run", "--max-steps", "4", "-"], STUCK_BESIDE_A_LOOP);
    assert_eq!(run.code, Some(1), "{}", run.out);
    assert!(run.out.contains("4 steps; more can happen, but some processes are stuck"), "{}", run.out);
    assert!(run.out.contains("error[deadlock]: `a` and `b` wait for each other"), "{}", run.out);
    let run = laban_with_input(&["run", "--max-steps", "4", "--format", "json", "-"], STUCK_BESIDE_A_LOOP);
    assert!(run.out.contains("\"outcome\":\"deadlock\""), "{}", run.out);
    // Without the deadlock, nobody is stuck.
    let network =
        b"a { main { c?; stop } } | c { def X { d!<x>; X } main { a!<go>; X } } | d { def X { c?; X } main { X } }";
    assert_eq!(laban_with_input(&["run", "--max-steps", "4", "-"], network).code, Some(0));
}

#[test]
fn a_deadlock_beside_a_loop_is_shown_once_in_a_dialogue_and_again_after_it_was_undone() {
    let path = file("run", "beside.net", STUCK_BESIDE_A_LOOP);
    for (answers, shown) in [("1\n", 1), ("1\n1\n1\n", 1), ("1\n1\nu 2\n1\n", 2), ("1\nu\nr\n1\n", 2)] {
        let run = laban_with_input(&["run", "--step", &path], format!("{answers}q\n").as_bytes());
        assert_eq!(run.out.matches("error[deadlock]").count(), shown, "{answers:?}: {}", run.out);
    }
}

#[test]
fn arrows_take_no_action_and_a_line_says_so() {
    let run = laban_with_input(&["run", "--step", "examples/ping-pong.net"], b"\x1b[A\n1\x1b[D\n\x7f\n");
    assert_eq!(run.code, Some(0));
    assert_eq!(run.out.matches("editing keys do not work here").count(), 3, "{}", run.out);
    assert!(run.out.ends_with("nothing has happened yet\n"), "{}", run.out);
    let answers = b"1\n1\n\x1b[A\nno\n";
    let run = laban_with_input(&["run", "--step", "examples/forgotten-else.net"], answers);
    assert!(run.out.contains("editing keys do not work here"), "{}", run.out);
    assert!(run.out.ends_with("2  seller decides inStock: no\n\n2 steps so far\n"), "{}", run.out);
}

#[test]
fn of_many_processes_and_long_runs_only_a_few_lines_are_shown() {
    let unit = |number: usize| {
        format!("p{number} {{ main {{ q{number}!<x>; stop }} }} | q{number} {{ main {{ p{number}?; stop }} }}")
    };
    let text: Vec<String> = (0..500).map(unit).collect();
    let path = file("run", "many.net", text.join("\n| "));
    let run = laban_with_input(&["run", "--step", &path], b"1\na 50\nu 30\ns\nq\n");
    let (dialogue, _) = run.out.split_once("> q\n").unwrap();
    assert_eq!(run.code, Some(0));
    assert!(dialogue.contains("1000 processes, 0 have stopped"), "{dialogue}");
    assert!(dialogue.contains("… and 980 more"), "{dialogue}");
    assert!(dialogue.contains("… and 480 more; `l` lists them all"), "{dialogue}");
    assert!(dialogue.contains("  … 30 steps\n"), "{dialogue}");
    assert!(dialogue.contains("undid 30 steps, back after step 21"), "{dialogue}");
    assert!(dialogue.lines().count() < 250, "{}", dialogue.lines().count());
    let run = laban(&["run", "--max-steps", "1000", &path]);
    assert!(run.out.ends_with("all have stopped after 500 steps (seed 0)\n  1000 processes, 1000 have stopped\n"));
    // Who asks gets all.
    let run = laban_with_input(&["run", "--step", &path], b"s all\nl\nq\n");
    assert!(
        run.out.contains("  p499  q499!<x>  line 500\n") && run.out.contains("500) p499.x -> q499\n"),
        "{}",
        run.out
    );
}

#[test]
fn a_million_actions_are_no_matter() {
    let text = format!(
        "p {{ main {{ {} stop }} }} | q {{ main {{ {} stop }} }}",
        "q!<x>; ".repeat(1_000_000),
        "p?; ".repeat(1_000_000)
    );
    let path = file("run", "long.net", text);
    let answers = b"a 999999\n1\nu 1000000\nr 1000000\n";
    let run = laban_with_input(&["run", "--step", "--max-steps", "1000000", "--format", "plantuml", &path], answers);
    assert_eq!(run.code, Some(0));
    assert!(run.err.contains("undid 1000000 steps, back at the start"), "{}", run.err);
    assert!(run.err.contains("all have stopped after 1000000 steps"), "{}", run.err);
    assert!(run.err.lines().count() < 120 && run.out.lines().count() < 1000);
}

#[test]
fn json_of_a_run_has_messages_that_were_put_and_taken_and_what_lies_in_queues() {
    let text = b"channels queue; p { main { q!<a>; q+l<b>; stop } } | q { main { p?; stop } }";
    let run = laban_with_input(&["run", "--format", "json", "-"], text);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    let run: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(run["outcome"], "orphan");
    let steps = run["steps"].as_array().unwrap();
    let find = |what: &str| steps.iter().find(|step| step["step"] == what).unwrap();
    let put = find("p puts b[l] into the queue to q");
    assert_eq!([&put["kind"], &put["from"], &put["to"], &put["label"], &put["value"]], ["put", "p", "q", "l", "b"]);
    assert_eq!([&put["line"], &put["column"]], [1, 35]);
    let take = find("q takes a from p");
    assert_eq!([&take["kind"], &take["from"], &take["to"], &take["value"]], ["take", "p", "q", "a"]);
    assert_eq!([&take["line"], &take["column"]], [1, 65]);
    assert!(take.get("label").is_none() && take.get("partner").is_none());
    let queues = serde_json::json!([{"from": "p", "to": "q", "messages": [{"label": "l", "value": "b"}]}]);
    assert_eq!(run["queues"], queues);
}

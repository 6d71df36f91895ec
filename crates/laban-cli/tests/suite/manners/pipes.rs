//! Commands whose output nobody reads any more: they end at once.

use super::*;
use crate::common::interrupts::endless;

#[test]
fn a_closed_pipe_ends_batch_at_once() {
    for jobs in ["1", "2"] {
        let mut batch = start(&["batch", "--jobs", jobs, "-"]);
        batch.write(&format!("a\t{GOOD}\n"));
        batch.line();
        // Its input stays open, and nothing more comes.
        batch.close_output();
        let run = batch.end();
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    }
}

#[test]
fn a_closed_pipe_ends_generate_at_once() {
    let arguments = ["generate", "--size", "20", "--processes", "4", "--count", "4000000000"];
    let mut generate = start(&arguments);
    assert_eq!(generate.line(), "testId\tnetwork\n");
    generate.close_output();
    let run = generate.end();
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
}

#[test]
fn a_closed_pipe_ends_watching_at_once() {
    let mut watch = start(&["extract", "--watch", "examples/ping-pong.net"]);
    watch.line();
    watch.close_output();
    assert_eq!(watch.end().code, Some(0));
}

#[test]
fn a_closed_pipe_ends_an_evaluation_which_can_go_on() {
    let out = folder("evaluate-pipe");
    let mut evaluate = start(&["evaluate", "--quick", "--out", text(&out)]);
    evaluate.close_output();
    let run = evaluate.end();
    assert_eq!(run.code, Some(3), "{}", run.err);
    assert!(run.err.contains("interrupted: run the same command again to continue"), "{}", run.err);
}

#[test]
fn a_closed_pipe_ends_extract_and_check_at_once() {
    let path = file("closed-pipe", "endless.net", endless(""));
    for arguments in [vec!["extract", &path], vec!["check", &path, &path, &path]] {
        let mut running = start(&arguments);
        running.close_output();
        let run = running.end();
        assert_eq!((run.code, run.err.as_str()), (Some(3), ""), "{arguments:?}");
    }
}

#[test]
fn an_answer_that_is_known_at_once_has_its_exit_status_even_if_nobody_reads_it() {
    for (command, name, code) in
        [("extract", "two-buyer.net", 0), ("check", "two-buyer.net", 0), ("check", "deadlock-circle.net", 1)]
    {
        let mut running = start(&[command, &format!("examples/{name}")]);
        running.close_output();
        let run = running.end();
        assert_eq!(run.code, Some(code), "{command} {name}: {}", run.err);
    }
}

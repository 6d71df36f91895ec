//! From choreographies to networks: `laban project` and `laban amend`.
//!
//! `goldens/projection` has choreographies, most of them without a projection, with what the user sees and what
//! `laban amend` makes of them. `UPDATE_GOLDENS=1 cargo test -p laban-cli --test suite projection` writes down what is
//! printed now; read the difference before you commit it.

use crate::common::goldens::{compare, goldens};
use crate::common::{file, laban, laban_with_input};

const TOLD: &str = "main { if p.e then p -> q[l]; q.x -> p; stop else p -> q[r]; stop }";
const NOT_TOLD: &str = "main { if p.e then q.x -> p; stop else stop }";

#[test]
fn what_is_not_told_is_shown_as_its_golden_says_and_can_be_amended() {
    let (mut unprojectable, mut queues) = (0, 0);
    let mut goldens = goldens("projection");
    for golden in &mut goldens {
        let file = format!("{}.chor", golden.name);
        golden.file(&file, &golden.given);
        let mut commands = golden.commands();
        if commands.is_empty() {
            commands = vec![format!("project {file}"), format!("amend {file}")];
        }
        let project = commands.iter().find(|command| command.starts_with("project")).expect("it is projected").clone();
        if golden.show(&project).code == Some(0) {
            // What can be projected comes back as it is.
            let amended = golden.run(&project.replace("project", "amend"));
            let same = golden.run(&format!("fmt --stdout {file}")).out;
            assert_eq!((amended.code, amended.out, amended.err.as_str()), (Some(0), same, ""), "{}", golden.name);
            continue;
        }
        unprojectable += 1;
        let amended = golden.show(&project.replace("project", "amend"));
        if amended.code == Some(1) {
            queues += 1;
            assert!(golden.given.contains('~'), "{}: {}", golden.name, amended.err);
            continue;
        }
        assert_eq!(amended.code, Some(0), "{}", golden.name);
        assert!(amended.err.lines().all(|line| line.contains(": added ")), "{}: {}", golden.name, amended.err);
        golden.file("amended.chor", &amended.out);
        let projected = golden.run(&project.replace(&file, "amended.chor"));
        assert_eq!((projected.code, projected.err.as_str()), (Some(0), ""), "{}", golden.name);
        let at_once = golden.run(&format!("{project} --amend"));
        assert_eq!((at_once.code, at_once.out), (Some(0), projected.out), "{}", golden.name);
        // And it can be extracted again.
        golden.file("projected.net", &golden.run(&project.replace(&file, "amended.chor")).out);
        let same = golden.run("equiv projected.net amended.chor");
        assert_eq!(same.code, Some(0), "{}: {}{}", golden.name, same.out, same.err);
    }
    compare(&goldens);
    assert!(unprojectable >= 25 + queues, "{unprojectable} without a projection, {queues} of them queues");
    assert!(queues >= 1 && goldens.len() > unprojectable, "some for their queues, and some that can be projected");
}

#[test]
fn a_projection_is_a_result_and_the_lack_of_one_is_a_negative_answer() {
    let run = laban_with_input(&["project", "--compact", "-"], TOLD.as_bytes());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert_eq!(
        run.out,
        "p { main { if e then q+l; q?; stop else q+r; stop } } | q { main { p&{l: p!<x>; stop, r: stop} } }\n"
    );
    let run = laban_with_input(&["project", "-"], NOT_TOLD.as_bytes());
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
    assert!(run.err.starts_with("error[unprojectable]: `q` is not told what `p` decides"), "{}", run.err);
    assert!(run.err.contains("--> <stdin>:1:8"), "{}", run.err);
}

#[test]
fn one_process_can_be_asked_for() {
    let path = file("project", "told.chor", TOLD);
    let run = laban(&["project", "--process", "q", &path]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), "q { main { p&{l: p!<x>; stop, r: stop} } }\n"));
    assert_eq!(laban(&["project", "--process", "q", "--process", "p", &path]).out, laban(&["project", &path]).out);
    let path = file("project", "names.chor", "main { buyer.x -> seller; stop }");
    for arguments in [["project", "--process"], ["project", "--service"], ["amend", "--service"]] {
        let run = laban(&[arguments[0], arguments[1], "sellr", &path]);
        let expected = format!("error: {}: there is no process `sellr`; did you mean `seller`?\n", arguments[1]);
        assert_eq!((run.code, run.out.as_str(), run.err), (Some(2), "", expected));
    }
}

#[test]
fn an_unknown_process_is_reported_before_anything_is_amended() {
    let run = laban_with_input(&["project", "--amend", "--process", "nobody", "-"], NOT_TOLD.as_bytes());
    assert_eq!(
        (run.code, run.err.as_str()),
        (Some(2), "error: --process: there is no process `nobody`; there are `p`, `q`\n")
    );
}

#[test]
fn what_is_missing_can_be_read_by_programs() {
    for command in ["project", "amend"] {
        let overtakes = "main { p.x ~> q; p.y -> q; q <~ p; stop }";
        let run = laban_with_input(&[command, "--format", "json", "-"], overtakes.as_bytes());
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
        let object: serde_json::Value = serde_json::from_str(run.err.trim()).expect("one object");
        assert_eq!((&object["code"], &object["primary"]["column"]), (&"queue-projection".into(), &18.into()));
    }
    let run = laban_with_input(&["project", "--format", "concise", "-"], NOT_TOLD.as_bytes());
    assert_eq!(
        run.err,
        "<stdin>:1:8: error[unprojectable]: `q` is not told what `p` decides: it must do `p!<x>; …` if `e` is true, \
         and `stop` if not\n"
    );
}

#[test]
fn amendment_lists_what_it_adds_apart_from_the_result() {
    let run = laban_with_input(&["amend", "--compact", "-"], NOT_TOLD.as_bytes());
    assert_eq!(run.code, Some(0));
    assert_eq!(run.out, "main { if p.e then p -> q[L]; q.x -> p; stop else p -> q[R]; stop }\n");
    assert_eq!(run.err, "<stdin>:1:8: after `if p.e`: added p -> q[L] and p -> q[R]\n");
}

#[test]
fn a_network_is_not_projected() {
    for command in ["project", "amend"] {
        let run = laban(&[command, "examples/two-buyer.net"]);
        assert_eq!(run.code, Some(2));
        assert_eq!(
            run.err,
            "error: examples/two-buyer.net is a network; a choreography is needed here: `laban extract` finds one\n"
        );
        let run = laban_with_input(&[command, "-"], b"main { X }");
        assert_eq!(run.code, Some(2));
        assert!(run.err.contains("error[unknown-procedure]"), "{}", run.err);
    }
}

/// A choreography in which `r` has to remember which of the last 40 labels were `a`: its projection has 2^40 states.
fn exponential(last: &str) -> String {
    let mut text =
        "def S0 { if p.c then p -> r[a]; S0 else if p.d then p -> r[b]; S0 else p -> r[a]; S1 }\n".to_string();
    for number in 1..40 {
        let next = number + 1;
        text += &format!("def S{number} {{ if p.c then p -> r[a]; S{next} else p -> r[b]; S{next} }}\n");
    }
    text + &format!("def S40 {{ p -> r[end]; r.{last} -> p; S0 }} main {{ S0 }}\n")
}

#[test]
fn limits_bound_project_amend_graph_and_equiv() {
    let [large, other, missing] =
        [("x", exponential("x")), ("y", exponential("y")), ("not-told", NOT_TOLD.to_string())]
            .map(|(name, text)| file("limits", &format!("{name}.chor"), text));
    let [large, other, missing] = [&large, &other, &missing].map(String::as_str);
    for (arguments, message) in [
        (vec!["project", "--max-states", "1000", large], "undecided: gave up after 1000 states\n"),
        (vec!["project", "--timeout", "0.1", large], "undecided: gave up after 0.1 s\n"),
        (
            vec!["graph", "--of", "automata", "--max-states", "1000", large],
            "error: undecided: gave up after 1000 states; this drawing needs the projection\n",
        ),
        (vec!["amend", "--max-states", "0", missing], "undecided: gave up after 0 states\n"),
        (vec!["project", "--amend", "--max-states", "0", missing], "undecided: gave up after 0 states\n"),
    ] {
        let run = laban(&arguments);
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(3), "", message), "{arguments:?}");
    }
    for limit in [["--max-states", "1000"], ["--timeout", "0.1"]] {
        let run = laban(&["equiv", limit[0], limit[1], large, other]);
        assert_eq!(run.code, Some(3), "{run:?}");
        let run = laban(&["equiv", limit[0], limit[1], large, large]);
        assert_eq!(run.code, Some(0), "{run:?}");
    }
    // Whether selections are missing is known without a projection.
    assert_eq!(laban(&["amend", "--timeout", "60", large]).code, Some(0));
}

#[test]
fn a_choreography_without_processes_has_no_network_to_print() {
    for text in ["main { stop }", "main { stop } || main { stop }"] {
        for option in ["--compact", "--amend", "--format=full"] {
            let run = laban_with_input(&["project", option, "-"], text.as_bytes());
            assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{text}: {run:?}");
            assert!(run.err.contains("a network has at least one"), "{text}: {run:?}");
        }
    }
}

//! Comparing systems: `laban equiv` and `laban verify`.
//!
//! `goldens/equivalence` has pairs of networks and choreographies, most of them different, with what the user
//! sees. `UPDATE_GOLDENS=1 cargo test -p laban-cli --test suite equivalence` writes down what is printed now; read the
//! difference before you commit it.

use crate::common::goldens::{compare, goldens};
use crate::common::{file, laban, laban_with_input};
use std::collections::BTreeMap;

const NETWORK: &str = "p { main { q!<x>; stop } } | q { main { p?; stop } }";
const CHOREOGRAPHY: &str = "main { p.x -> q; stop }";
const OTHER: &str = "main { p.y -> q; stop }";

#[test]
fn what_differs_is_shown_as_its_golden_says() {
    let mut goldens = goldens("equivalence");
    let mut answers: BTreeMap<i32, usize> = BTreeMap::new();
    for golden in &mut goldens {
        for command in golden.commands() {
            let words: Vec<&str> = command.split(' ').collect();
            let &[.., first, second] = words.as_slice() else { panic!("{}: {command}", golden.name) };
            let (one, other) = golden.given.split_once("---\n").expect("two texts");
            golden.file(first, one);
            golden.file(second, other);
            let code = golden.show(&command).code.expect("it exits");
            *answers.entry(code).or_default() += 1;
            let swapped: Vec<&str> = words[..words.len() - 2].iter().copied().chain([second, first]).collect();
            assert_eq!(golden.run(&swapped.join(" ")).code, Some(code), "{}: the other way round", golden.name);
        }
    }
    compare(&goldens);
    assert!(answers[&1] >= 20 && answers[&0] >= 4, "{answers:?}");
    assert!(answers.keys().all(|code| [0, 1, 3].contains(code)), "{answers:?}");
}

#[test]
fn each_of_the_two_can_be_the_standard_input() {
    let network = file("equiv", "one.net", NETWORK);
    let run = laban_with_input(&["equiv", &network, "-"], CHOREOGRAPHY.as_bytes());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert_eq!(run.out, format!("{network} and <stdin> can do the same\n"));
    assert_eq!(laban_with_input(&["equiv", "-", &network], CHOREOGRAPHY.as_bytes()).code, Some(0));
    assert_eq!(laban_with_input(&["verify", &network, "-"], CHOREOGRAPHY.as_bytes()).code, Some(0));
    for command in ["equiv", "verify"] {
        let run = laban_with_input(&[command, "-", "-"], b"");
        assert_eq!((run.code, run.err.as_str()), (Some(2), "error: only one of the two can be standard input\n"));
    }
}

#[test]
fn answers_can_be_read_by_programs() {
    let network = file("equiv-json", "one.net", NETWORK);
    let other = file("equiv-json", "other.chor", OTHER);
    let answer = |arguments: &[&str]| {
        let run = laban(arguments);
        assert_eq!(run.err, "");
        (run.code, serde_json::from_str::<serde_json::Value>(&run.out).expect("one object"))
    };
    let (code, same) = answer(&["equiv", "--format", "json", &network, &network]);
    assert_eq!((code, &same["outcome"], &same["exact"]), (Some(0), &"same".into(), &true.into()));
    let (code, different) = answer(&["equiv", "--format", "json", &network, &other]);
    assert_eq!((code, &different["outcome"]), (Some(1), &"different".into()));
    assert_eq!(different["first_can"], serde_json::json!(["p.x -> q"]));
    assert_eq!(different["second_can"], serde_json::json!(["p.y -> q"]));
    assert!(different["reason"].as_str().is_some_and(|reason| reason.contains("p.x -> q")));
    let run = laban(&["verify", "--format", "json", &network, &other]);
    assert_eq!(run.code, Some(1));
    for line in run.out.lines() {
        serde_json::from_str::<serde_json::Value>(line).expect("a line is an object");
    }
}

#[test]
fn limits_give_an_answer_that_is_none() {
    let one = "def X { p.x -> q; if p.e then p -> q[l]; X else p -> q[r]; stop } main { X }";
    let other = "def X { p.x -> q; if p.e then p -> q[l]; X else p -> q[r]; stop }
                 main { p.x -> q; if p.e then p -> q[l]; X else p -> q[r]; p.y -> q; stop }";
    let (one, other) = (file("equiv-limits", "one.chor", one), file("equiv-limits", "other.chor", other));
    assert_eq!(laban(&["equiv", &one, &other]).code, Some(1));
    let run = laban(&["equiv", "--max-states", "1", &one, &other]);
    assert_eq!(run.code, Some(3), "{}", run.out);
    assert!(run.out.starts_with("not known within the limits"), "{}", run.out);
}

#[test]
fn files_in_the_wrong_order_are_reported() {
    let network = file("verify", "one.net", NETWORK);
    let choreography = file("verify", "one.chor", CHOREOGRAPHY);
    let run = laban(&["verify", &network, &choreography]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert_eq!(run.out, format!("{choreography} describes {network}: 1 action checked\n"));
    let run = laban(&["verify", &choreography, &network]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    assert_eq!(
        run.err,
        format!("error: {choreography} is a choreography, which comes last; usage: laban verify NET… CHOR\n")
    );
}

#[test]
fn both_files_are_looked_at_before_giving_up() {
    let one = file("equiv-bad", "one.net", "p { main { q?; stop } }");
    let other = file("equiv-bad", "other.chor", "main { X }");
    let run = laban(&["equiv", &one, &other]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    assert!(run.err.contains("unknown-process") && run.err.contains("unknown-procedure"), "{}", run.err);
    let run = laban(&["equiv", &one, "missing.net"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("cannot read missing.net: no such file"), "{}", run.err);
}

#[test]
fn services_of_a_network_are_known_by_name() {
    let network = "buyer { main { bank!<x>; stop } } | bank { def X { buyer?; X } main { X } }";
    let network = file("verify-services", "bank.net", network);
    let choreography = file("verify-services", "bank.chor", "main { buyer.x -> bank; stop }");
    assert_eq!(laban(&["verify", &network, &choreography]).code, Some(1));
    assert_eq!(laban(&["verify", "--service", "bank", &network, &choreography]).code, Some(0));
    let run = laban(&["verify", "--service", "bnak", &network, &choreography]);
    assert_eq!(run.code, Some(2));
    assert_eq!(run.err, "error: --service: there is no process `bnak`; did you mean `bank`?\n");
}

#[test]
fn verify_names_all_services_that_there_are_not() {
    let net = file("verify-services", "a.net", "p { main { q!<x>; stop } } | q { main { p?; stop } }");
    let chor = file("verify-services", "a.chor", "main { p.x -> q; stop }");
    let run = laban(&["verify", "--service", "nobody", "--service", "P", &net, &chor]);
    assert_eq!(run.code, Some(2));
    let expected = "error: --service: there is no process `nobody`; there are `p`, `q`\n\
                    error: --service: there is no process `P`; did you mean `p`?\n";
    assert_eq!(run.err, expected);
    let run = laban(&["verify", "--format", "github", "--service", "nobody", "--service", "P", &net, &chor]);
    assert_eq!(run.out.lines().filter(|line| line.starts_with("::error ")).count(), 2, "{}", run.out);
}

//! `laban generate`, `laban fuzz` and `laban unroll`.

use crate::common::{laban, laban_with_input};

const SMALL: [&str; 9] = ["generate", "--size", "12", "--processes", "4", "--ifs", "2", "--procedures", "2"];

fn generate(more: &[&str]) -> crate::common::Run {
    laban(&[&SMALL, more].concat())
}

#[test]
fn one_network_can_be_extracted_and_compared_with_its_choreography() {
    let network = generate(&["--seed", "5"]);
    let choreography = generate(&["--seed", "5", "--as", "choreography"]);
    assert_eq!((network.code, choreography.code), (Some(0), Some(0)));
    assert_eq!(laban_with_input(&["extract", "-"], network.out.as_bytes()).code, Some(0));
    let path = crate::common::file("generate", "seed-5.chor", &choreography.out);
    assert_eq!(laban_with_input(&["equiv", "-", &path], network.out.as_bytes()).code, Some(0));
    assert_eq!(generate(&["--seed", "5"]).out, network.out);
    assert_ne!(generate(&["--seed", "6"]).out, network.out);
}

#[test]
fn several_networks_are_what_batch_reads() {
    let run = generate(&["--count", "7"]);
    assert!(run.out.starts_with("testId\tnetwork\nC1\t"), "{}", run.out);
    let batch = laban_with_input(&["batch", "-"], run.out.as_bytes());
    assert_eq!((batch.code, batch.out.lines().count()), (Some(0), 7), "{}", batch.out);
    let run = generate(&["--count", "3", "--as", "choreography"]);
    assert_eq!(run.out.matches("*** C").count(), 3);
    assert!(run.out.contains("*** C3 ***\ndef "), "{}", run.out);
}

#[test]
fn impossible_parameters_are_refused() {
    for (size, processes, ifs, procedures, message) in [
        ("5", "1", "0", "0", "an interaction needs two processes"),
        ("5", "3", "6", "0", "there cannot be more conditionals than actions"),
        ("5", "3", "0", "6", "there cannot be more procedures than actions"),
    ] {
        let run =
            laban(&["generate", "--size", size, "--processes", processes, "--ifs", ifs, "--procedures", procedures]);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
        assert!(run.err.contains(message), "{}", run.err);
    }
}

#[test]
fn fuzzing_says_what_it_has_changed() {
    let run = laban(&["fuzz", "examples/two-buyer.net", "--deletions", "1", "--swaps", "1", "--seed", "3"]);
    assert_eq!(run.code, Some(0));
    assert_eq!(run.err.lines().count(), 2, "{}", run.err);
    assert!(run.err.contains("deleted `") && run.err.contains("swapped `"), "{}", run.err);
    assert_eq!(laban_with_input(&["fmt", "-"], run.out.as_bytes()).code, Some(0));
    assert_eq!(laban(&["fuzz", "examples/two-buyer.net"]).err, "nothing was changed\n");
    assert_eq!(laban(&["fuzz", "examples/two-buyer.chor", "--swaps", "1"]).code, Some(2));
}

#[test]
fn unrolling_keeps_what_a_network_does() {
    for seed in ["0", "1", "2", "3"] {
        let run = laban(&["unroll", "examples/streaming.net", "--seed", seed]);
        assert_eq!(run.code, Some(0));
        assert!(!run.err.is_empty());
        let same = laban_with_input(&["equiv", "-", "examples/streaming.net"], run.out.as_bytes());
        assert_eq!(same.code, Some(0), "{}{}", run.out, same.err);
    }
}

#[test]
fn there_is_no_network_of_size_zero() {
    for count in ["1", "3"] {
        let run = laban(&["generate", "--size", "0", "--processes", "2", "--count", count]);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.err.contains("no network of size 0"), "{run:?}");
    }
    let run = laban(&["generate", "--size", "0", "--processes", "2", "--as", "choreography"]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), "main { stop }\n"));
}

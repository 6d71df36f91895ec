//! Mistakes and what the user sees, one file each in `goldens/`: the source, and for each command a line that
//! starts with `===` and what it prints. The folder says what the source is: a network or choreography with mistakes
//! (`laban check`), a network without a choreography, with a service that is left in the middle or with queues that it
//! needs (`laban extract`), a
//! choreography without a projection (`laban project`), or, with a line `---` between them, a network and a
//! choreography that does not describe it (`laban verify`).
//!
//! `UPDATE_GOLDENS=1 cargo test -p laban-cli --test suite goldens` writes down what is printed now; read the difference
//! before you commit it.

use crate::common::goldens::{Golden, compare, goldens};
use laban::diagnostic::Code;

/// The folders, with the command that is run where a golden names none. `projection.rs` runs those of `projection`.
const FOLDERS: [(&str, &str); 6] = [
    ("network", "check NAME.net"),
    ("choreography", "check NAME.chor"),
    ("failures", "extract NAME.net"),
    ("services", "extract NAME.net"),
    ("queues", "extract NAME.net"),
    ("mismatches", "verify NAME.net NAME.chor"),
];
const PROJECTION: &str = "projection";

#[test]
fn every_mistake_is_shown_as_its_golden_says() {
    for (folder, command) in FOLDERS {
        let mut goldens = goldens(folder);
        for golden in &mut goldens {
            let command = command.replace("NAME", &golden.name);
            let files: Vec<&str> = command.split(' ').skip(1).collect();
            let contents: Vec<&str> = golden.given.split("---\n").collect();
            assert_eq!(files.len(), contents.len(), "{command}: one text for each file");
            for (file, content) in files.iter().zip(contents) {
                golden.file(file, content);
            }
            let mut commands = golden.commands();
            if commands.is_empty() {
                commands.push(command);
            }
            for command in commands {
                golden.show(&command);
            }
        }
        compare(&goldens);
    }
}

#[test]
fn there_are_enough_goldens_and_every_code_has_one() {
    let mistakes = |golden: &Golden| {
        golden.expected.lines().filter(|line| line.starts_with("error[") || line.starts_with("warning[")).count()
    };
    let ill_formed = [goldens("network"), goldens("choreography")].concat();
    assert!(ill_formed.len() >= 60, "{} goldens", ill_formed.len());
    let several = ill_formed.iter().filter(|golden| mistakes(golden) > 1).count();
    assert!(several >= 12, "{several} goldens with more than one mistake");
    let (failures, mismatches, projections) = (goldens("failures"), goldens("mismatches"), goldens(PROJECTION));
    assert!(failures.len() >= 45, "{} failures", failures.len());
    assert!(mismatches.len() >= 10, "{} mismatches", mismatches.len());
    assert!(projections.len() >= 50, "{} projections", projections.len());
    let services = goldens("services");
    assert!(services.len() >= 8, "{} services", services.len());
    let with_queues = failures.iter().filter(|golden| golden.name.starts_with("queue-")).count();
    assert!(with_queues >= 40, "{with_queues} failures with queues");
    let queues = goldens("queues");
    assert!(queues.len() >= 5, "{} networks that work with queues", queues.len());
    let all = [ill_formed, failures, services, queues, mismatches, projections, goldens("formats")].concat();
    // Text that is no text cannot be written into a golden, and `bad_input.rs` has it; `ci_formats.rs` has differences.
    let elsewhere = [Code::NotText, Code::TooLong, Code::Difference, Code::DifferencePlace];
    for code in Code::ALL.iter().filter(|code| !elsewhere.contains(code)) {
        let shown = format!("[{}]: ", code.as_str());
        assert!(all.iter().any(|golden| golden.expected.contains(&shown)), "no golden shows {}", code.as_str());
    }
}

#[test]
fn a_failure_is_a_negative_answer_and_nothing_else() {
    for golden in [goldens("failures"), goldens("mismatches")].concat() {
        for (command, status, _) in golden.answers() {
            assert_eq!(status, "1", "{}: {command}", golden.name);
        }
    }
}

#[test]
fn a_choreography_without_a_projection_is_a_negative_answer_and_nothing_else() {
    let mut negative = 0;
    for golden in goldens(PROJECTION) {
        for (command, status, answer) in golden.answers() {
            let is_negative = answer.lines().any(|line| line.starts_with("error["));
            assert_eq!(status, if is_negative { "1" } else { "0" }, "{}: {command}", golden.name);
            negative += usize::from(is_negative);
        }
    }
    assert!(negative >= 40, "{negative} negative answers");
}

//! Messages that wait, in choreographies: what is certainly wrong with them, and what is not.

use laban::choreography::{lower, read_off};
use laban::syntax::{Compact, parse_choreography};

/// What is said of a choreography: the code, and the text that it points at.
fn said(source: &str) -> Vec<String> {
    let parsed = parse_choreography(source);
    assert_eq!(parsed.diagnostics, [], "{source}");
    let lowered = lower(&parsed.tree);
    let line = |diagnostic: &laban::Diagnostic| {
        format!("{} {}", diagnostic.code.as_str(), diagnostic.primary.span.text(source))
    };
    assert_eq!(lowered.choreography.is_some(), lowered.diagnostics.is_empty());
    lowered.diagnostics.iter().map(line).collect()
}

const FINE: &[&str] = &[
    "main { p.x ~> q; q <~ p; stop }",
    "main { p.x ~> q; p ~> q[l]; p.y ~> q[m]; q <~ p; q <~ p; q <~ p; stop }",
    "main { p.x ~> q; q.y ~> p; p <~ q; q <~ p; stop }",
    // A producer that runs ahead by one, forever.
    "def X { p.y ~> q; q <~ p; X } main { p.x ~> q; X }",
    // One path puts nothing, so something might be wrong, but not for certain.
    "def X { q <~ p; stop } main { if r.c then p.x ~> q; X else X }",
    "def X { if p.c then p.x ~> q; X else Y } def Y { if q.d then q <~ p; Y else stop } main { X }",
    "main { any { p.x ~> q; q <~ p; stop, r.y ~> q; q <~ r; stop } }",
    "main { p.x ~> q; r.y ~> q; any { q <~ p; q <~ r; stop, q <~ r; q <~ p; stop } } || main { a.x -> b; stop }",
    // The group takes the oldest message, and leaves its own.
    "def X { (p.y -> q); X } main { p.x ~> q; X }",
    "main { (p.x -> q, p.y -> q, q.z -> p, r.a -> q); stop }",
];

#[test]
fn what_may_be_right_is_accepted_and_read_off_as_it_was() {
    for source in FINE {
        assert_eq!(said(source), [""; 0], "{source}");
        let choreography = lower(&parse_choreography(source).tree).choreography.unwrap();
        assert!(choreography.has_queues());
        if !source.contains("def") {
            assert_eq!(Compact(&read_off(&choreography)).to_string(), *source);
        }
    }
}

#[test]
fn a_message_must_be_put_before_it_is_taken() {
    assert_eq!(said("main { q <~ p; stop }"), ["nothing-to-take q <~ p"]);
    assert_eq!(said("main { q <~ p; p.x ~> q; stop }"), ["nothing-to-take q <~ p"]);
    assert_eq!(said("main { p.x ~> q; p <~ q; stop }"), ["nothing-to-take p <~ q"]);
    assert_eq!(said("main { p.x ~> q; q <~ p; q <~ p; stop }"), ["nothing-to-take q <~ p"]);
    assert_eq!(said("main { if r.c then p.x ~> q; q <~ p; q <~ p; stop else stop }"), ["nothing-to-take q <~ p"]);
    assert_eq!(said("def X { p.x ~> q; q <~ p; q <~ p; X } main { X }"), ["nothing-to-take q <~ p"]);
    assert_eq!(
        said("main { p.x ~> q; any { q <~ p; stop, q <~ r; q <~ p; stop } } || main { a.x -> b; stop }"),
        ["nothing-to-take q <~ r"]
    );
}

#[test]
fn a_message_that_is_put_must_be_taken() {
    assert_eq!(said("main { p.x ~> q; stop }"), ["never-taken p.x ~> q"]);
    assert_eq!(said("def X { p.x ~> q; r.y -> q; X } main { X }"), ["never-taken p.x ~> q"]);
    assert_eq!(said("main { p.x ~> q; p.y ~> q; q <~ p; stop }"), ["never-taken stop"]);
    assert_eq!(said("main { p.x ~> q; if p.c then q <~ p; stop else stop }"), ["never-taken stop"]);
    assert_eq!(said("main { p.x ~> q; if p.c then q <~ p; p.y ~> q; q <~ p; stop else stop }"), ["never-taken stop"]);
}

#[test]
fn the_ends_of_a_message_are_two_processes_of_one_part() {
    assert_eq!(said("main { p.x ~> p; stop }"), ["self-communication p"]);
    assert_eq!(said("main { p <~ p; stop }"), ["self-communication p"]);
    assert_eq!(said("main { p.x -> q; stop } || main { r <~ q; stop }"), ["shared-process q"]);
}

#[test]
fn items_of_a_race_that_begin_alike_are_refused() {
    let alike = "main { any { p.x ~> q; q <~ p; stop, p.x ~> q; q <~ p; r.y -> q; stop } }";
    assert_eq!(said(alike), ["duplicate-item p.x ~> q"]);
    let taken = "main { p.x ~> q; any { q <~ p; stop, q <~ p; r.y -> q; stop } }";
    assert_eq!(said(taken), ["duplicate-item q <~ p"]);
}

#[test]
fn counting_ends_however_large_the_choreography() {
    let puts: String = (0..20_000).map(|number| format!("p.x{number} ~> q; ")).collect();
    assert_eq!(said(&format!("def X {{ {puts} if p.c then X else Y }} def Y {{ q <~ p; Y }} main {{ X }}")), [""; 0]);
    let pairs: String = (0..2_000).map(|number| format!("p{number}.x ~> q{number}; ")).collect();
    assert!(said(&format!("main {{ {pairs} stop }}")).iter().all(|line| line.starts_with("never-taken ")));
}

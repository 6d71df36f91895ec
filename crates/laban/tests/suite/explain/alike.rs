//! A cycle may end in other states than it began in, if they behave the same.

use super::{livelock, network};
use laban::extraction::explain::{ReplayError, explain};
use laban::network::ProcessId;

/// Whether the cycle is closed in which `c` goes from one state to another that has this behaviour in place of that.
fn is_closed(one: &str, other: &str) -> bool {
    let network = network(&format!(
        "p {{ def X {{ c+l; X }} main {{ X }} }} | c {{ def X {{ p&{{l: Y, m: {one}}} }} def Y {{ p&{{l: X, m: {other}}} }} \
         main {{ X }} }} | q {{ main {{ c?; stop }} }} | r {{ main {{ p?; stop }} }}"
    ));
    match explain(&network, &livelock(&network, "", "p -> c[l]")) {
        Ok(_) => true,
        Err(error) => {
            assert_eq!(error, ReplayError::NotClosed(ProcessId(1)), "{one} and {other}");
            false
        }
    }
}

#[test]
fn a_cycle_is_closed_by_states_that_behave_the_same_and_by_no_others() {
    let behaviours = [
        "stop",
        "q!<x>; stop",
        "q!<y>; stop",
        "p!<x>; stop",
        "q?; stop",
        "idle q?; stop",
        "p?; stop",
        "q+a; stop",
        "q+b; stop",
        "p+a; stop",
        "q+a<x>; stop",
        "q+b<x>; stop",
        "q+a<y>; stop",
        "q&{a: stop}",
        "q&{b: stop}",
        "p&{a: stop}",
        "q&{a: stop, b: stop}",
        "q&{a: stop, b: q?; stop}",
        "if e then stop else stop",
        "if f then stop else stop",
        "if e then q?; stop else stop",
        "if e then stop else q?; stop",
        "choose { stop, q?; stop }",
        "choose { q?; stop, stop }",
        "choose { stop, q?; stop, stop }",
        "any { q?; stop, p?; stop }",
        "any { q?; stop, p?; q?; stop }",
        "any { q?; stop, p?; stop, q!<x>; stop }",
    ];
    for one in behaviours {
        for other in behaviours {
            assert_eq!(is_closed(one, other), one == other, "{one} and {other}");
        }
    }
}

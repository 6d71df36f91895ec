//! Services that are left in the middle of a conversation, each with how it comes to that.

use laban::equivalence::{VerifyOptions, services_left, verify};
use laban::{Choreography, Network, analyse};

fn read(net: &str, chor: &str) -> (Network, Choreography) {
    let network = analyse(net).into_network().unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let choreography = analyse(chor).into_choreography().unwrap_or_else(|wrong| panic!("{wrong:?}"));
    (network, choreography)
}

/// Which services are left, after which steps and while which repeat.
fn left(net: &str, chor: &str, fair: bool) -> Vec<String> {
    let (network, choreography) = read(net, chor);
    let options = VerifyOptions { fair, ..VerifyOptions::default() };
    assert!(verify(&network, &choreography, &options).is_ok(), "it is not a choreography of this network");
    told(&network, &choreography, fair)
}

fn told(network: &Network, choreography: &Choreography, fair: bool) -> Vec<String> {
    let left = services_left(network, choreography, &VerifyOptions { fair, ..VerifyOptions::default() });
    let one = |left: &laban::ServiceLeft| {
        let steps = |steps: &[laban::semantics::Step]| {
            steps.iter().map(|step| step.describe(network).to_string()).collect::<Vec<_>>().join(", ")
        };
        let name = network.process_name(left.process);
        format!("{name} after [{}], then [{}]", steps(&left.run), steps(&left.cycle))
    };
    left.iter().map(one).collect()
}

/// A service that is asked, and then told that this is done.
const SERVICE: &str = "service s { def X { p?; p&{ done: X } } main { X } }";

#[test]
fn with_fair_decisions_a_loop_that_can_be_left_leaves_no_service() {
    let net = format!("p {{ def X {{ if c then s+done; stop else X }} main {{ s!<x>; X }} }} | {SERVICE}");
    let chor = "def X { if p.c then p -> s[done]; stop else X } main { p.x -> s; X }";
    assert_eq!(left(&net, chor, false), ["s after [p.x -> s], then [p decides c: no]"]);
    assert!(left(&net, chor, true).is_empty());
}

#[test]
fn of_an_end_and_a_loop_the_nearer_one_is_shown() {
    let q = "q { def X { p&{l: p?; X, m: p!<z>; X, n: stop} } main { X } }";
    // The loop comes first.
    let net = format!(
        "p {{ def L {{ q+l; q!<y>; L }} main {{ if c then s!<x>; L else q+m; q?; q+m; q?; q+n; s!<x>; stop }} }} | {q} | {SERVICE}"
    );
    let chor = "def L { p -> q[l]; p.y -> q; L }
        main { if p.c then p.x -> s; L else p -> q[m]; q.z -> p; p -> q[m]; q.z -> p; p -> q[n]; p.x -> s; stop }";
    assert_eq!(left(&net, chor, false), ["s after [p decides c: yes, p.x -> s], then [p -> q[l], p.y -> q]"]);
    // The end does, although the loop starts before.
    let net = format!(
        "p {{ def L {{ q+l; q!<y>; L }} main {{ if c then s!<x>; L else q+n; s!<x>; stop }} }} | {q} | {SERVICE}"
    );
    let chor = "def L { p -> q[l]; p.y -> q; L } main { if p.c then p.x -> s; L else p -> q[n]; p.x -> s; stop }";
    assert_eq!(left(&net, chor, false), ["s after [p decides c: no, p -> q[n], p.x -> s], then []"]);
}

#[test]
fn an_end_that_can_be_reached_is_shown_rather_than_a_loop_on_the_way() {
    let net = format!(
        "p {{ def L {{ if c then L else q!<y>; stop }} main {{ s!<x>; L }} }} | service q {{ main {{ p?; stop }} }} | {SERVICE}"
    );
    let chor = "def L { if p.c then L else p.y -> q; stop } main { p.x -> s; L }";
    assert_eq!(left(&net, chor, false), ["s after [p.x -> s, p decides c: no, p.y -> q], then []"]);
}

#[test]
fn a_choice_is_part_of_the_way() {
    let net = format!("p {{ main {{ choose {{ s!<x>; s+done; stop, s!<x>; stop }} }} }} | {SERVICE}");
    let chor = "main { choose p { p.x -> s; p -> s[done]; stop, p.x -> s; stop } }";
    assert_eq!(left(&net, chor, false), ["s after [p chooses item 2, p.x -> s], then []"]);
}

#[test]
fn a_service_that_puts_and_takes_is_followed() {
    let net = "channels queue; p { main { s!<x>; stop } } | service s { def X { p?; p&{ done: X } } main { X } }";
    assert_eq!(
        left(net, "main { p.x ~> s; s <~ p; stop }", false),
        ["s after [p puts x into the queue to s, s takes x from p], then []"]
    );
    let net =
        "channels queue; p { main { s!<x>; s?; stop } } | service s { def X { p?; p!<a>; p&{ done: X } } main { X } }";
    assert_eq!(
        left(net, "main { p.x -> s; s.a ~> p; p <~ s; stop }", false),
        ["s after [p.x -> s, s puts a into the queue to p, p takes a from s], then []"]
    );
    let net = "channels queue; p { main { s!<x>; s?; stop } } | service s { def X { p?; p!<a>; X } main { X } }";
    assert!(left(net, "main { p.x -> s; s.a ~> p; p <~ s; stop }", false).is_empty());
}

/// Such a choreography describes no network without queues; it ends where a message would wait.
#[test]
fn without_queues_nothing_comes_after_a_message_that_waits() {
    let net = "p { main { s!<x>; s+done; stop } } | service s { def X { p?; p&{ done: X } } main { X } }";
    let (network, choreography) = read(net, "main { p.x -> s; p ~> s[done]; s <~ p; stop }");
    assert!(verify(&network, &choreography, &VerifyOptions::default()).is_err());
    assert_eq!(told(&network, &choreography, false), ["s after [p.x -> s], then []"]);
}

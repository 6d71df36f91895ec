//! Every reason, with the sentence that a reader sees, and loops, services and parts by hand.

use super::{twin, verify};
use laban::choreography::{self, Choreography, ChoreographyParts, Node, NodeId};
use laban::equivalence::{Mismatch, Obstacle, Reason};
use laban::network::{self, Network, NetworkParts, ProcessId, State, StateId};
use laban::syntax;

fn network(text: &str) -> Network {
    let parsed = syntax::parse_network(text);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    network::lower(&parsed.tree).network.unwrap()
}

fn choreography(text: &str) -> Choreography {
    let parsed = syntax::parse_choreography(text);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    choreography::lower(&parsed.tree).choreography.unwrap()
}

/// Checks that they agree.
fn agrees(net: &str, chor: &str) {
    let (network, choreography) = (network(net), choreography(chor));
    assert_eq!(twin::verify(&network, &choreography), Default::default(), "the twin disagrees");
    if let Err(mismatch) = verify(&network, &choreography) {
        panic!("{}", mismatch.explain(&network, &choreography));
    }
}

/// Checks that they differ, and the message.
fn differs(net: &str, chor: &str, sentence: &str) -> Mismatch {
    let (network, choreography) = (network(net), choreography(chor));
    let mismatch = verify(&network, &choreography).expect_err("they do not agree");
    assert_eq!(mismatch.explain(&network, &choreography), sentence);
    assert!(twin::verify(&network, &choreography).contains(&twin::kind(&mismatch.reason)));
    assert!(twin::is_true(&network, &choreography, &mismatch), "{mismatch:?}");
    mismatch
}

fn obstacle(mismatch: &Mismatch) -> Option<Obstacle> {
    match mismatch.reason {
        Reason::NotEnabled { obstacle, .. } => Some(obstacle),
        _ => None,
    }
}

const SHOP: &str = "
    buyer { def Ask { seller!<title>; seller?; if happy then seller+ok; stop else seller+again; Ask } main { Ask } }
    | seller { def Serve { buyer?; buyer!<price>; buyer&{ ok: stop, again: Serve } } main { Serve } }";

#[test]
fn a_label_with_another_value_is_another_message() {
    let mismatch = differs(
        "p { main { q+l<x>; stop } } | q { main { p&{l: stop} } }",
        "main { p.y -> q[l]; stop }",
        "the choreography starts with `p.y -> q[l]`, but `p` wants to select `l` at `q`, with `x`",
    );
    assert!(obstacle(&mismatch).is_some());
    agrees("p { main { q+l<x>; stop } } | q { main { p&{l: stop} } }", "main { p.x -> q[l]; stop }");
}

#[test]
fn a_buyer_and_a_seller_agree_with_their_choreography() {
    agrees(
        SHOP,
        "def X { buyer.title -> seller; seller.price -> buyer;
                 if buyer.happy then buyer -> seller[ok]; stop else buyer -> seller[again]; X } main { X }",
    );
}

#[test]
fn a_choreography_may_be_unrolled() {
    agrees(
        SHOP,
        "def X { buyer.title -> seller; seller.price -> buyer; if buyer.happy then buyer -> seller[ok]; stop else
                 buyer -> seller[again]; buyer.title -> seller; seller.price -> buyer;
                 if buyer.happy then buyer -> seller[ok]; stop else buyer -> seller[again]; X }
         main { buyer.title -> seller; seller.price -> buyer;
                 if buyer.happy then buyer -> seller[ok]; stop else buyer -> seller[again]; X }",
    );
}

#[test]
fn a_network_may_be_unrolled() {
    agrees(
        "a { def X { b!<x>; b!<x>; X } main { X } } | b { def Y { a?; a?; a?; Y } main { Y } }",
        "def X { a.x -> b; X } main { X }",
    );
}

#[test]
fn independent_actions_may_come_in_any_order() {
    let net = "a { main { b!<x>; c!<y>; stop } } | b { main { a?; d!<z>; stop } } | c { main { a?; stop } } | d { main { b?; stop } }";
    agrees(net, "main { a.x -> b; a.y -> c; b.z -> d; stop }");
    agrees(net, "main { a.x -> b; b.z -> d; a.y -> c; stop }");
}

#[test]
fn a_receiver_that_waits_for_another_is_named() {
    let mismatch = differs(
        "a { main { b!<x>; stop } } | b { main { c?; a?; stop } } | c { main { d!<z>; b!<y>; stop } } | d { main { c?; stop } }",
        "main { c.z -> d; a.x -> b; c.y -> b; stop }",
        "after `c.z -> d`, the choreography goes on with `a.x -> b`, but `b` waits for a value from `c`",
    );
    assert_eq!(obstacle(&mismatch), Some(Obstacle::OtherAction));
    assert_eq!(mismatch.run.len(), 1);
}

#[test]
fn each_obstacle_is_told_apart() {
    let check = |net: &str, chor: &str, sentence: &str, expected: Obstacle| {
        assert_eq!(obstacle(&differs(net, chor, sentence)), Some(expected));
    };
    let send = "a { main { b!<x>; stop } } | b { main { a?; stop } }";
    check(
        send,
        "main { a.y -> b; stop }",
        "the choreography starts with `a.y -> b`, but `a` wants to send `x` to `b`",
        Obstacle::OtherValue,
    );
    check(
        send,
        "main { a.x -> b; a.x -> b; stop }",
        "after `a.x -> b`, the choreography goes on with `a.x -> b`, but `a` has stopped",
        Obstacle::Stopped,
    );
    check(
        "a { main { b!<x>; b!<x>; stop } } | b { main { a?; stop } }",
        "main { a.x -> b; a.x -> b; stop }",
        "after `a.x -> b`, the choreography goes on with `a.x -> b`, but `b` has stopped",
        Obstacle::Stopped,
    );
    check(
        send,
        "main { b.x -> a; stop }",
        "the choreography starts with `b.x -> a`, but `b` waits for a value from `a`",
        Obstacle::OtherAction,
    );
    check(
        send,
        "main { a -> b[x]; stop }",
        "the choreography starts with `a -> b[x]`, but `a` wants to send `x` to `b`",
        Obstacle::OtherAction,
    );
    check(
        send,
        "main { if a.x then a.x -> b; stop else a.x -> b; stop }",
        "the choreography starts with `if a.x`, but `a` wants to send `x` to `b`",
        Obstacle::OtherAction,
    );
    check(
        "a { main { b+l; stop } } | b { main { a&{ m: stop, n: stop } } }",
        "main { a -> b[l]; stop }",
        "the choreography starts with `a -> b[l]`, but `b` offers `a` only `m` and `n`",
        Obstacle::NotOffered,
    );
    check(
        "a { main { b+l; stop } } | b { main { a&{ l: stop, m: stop } } }",
        "main { a -> b[m]; stop }",
        "the choreography starts with `a -> b[m]`, but `a` wants to select `l` at `b`",
        Obstacle::OtherLabel,
    );
    check(
        "a { main { if c then b!<x>; stop else b!<y>; stop } } | b { main { a?; stop } }",
        "main { if a.d then a.x -> b; stop else a.y -> b; stop }",
        "the choreography starts with `if a.d`, but `a` has to decide `c`",
        Obstacle::OtherCondition,
    );
    check(
        "a { main { if c then b!<x>; stop else b!<y>; stop } } | b { main { a?; stop } }",
        "main { if a.c then a.x -> b; stop else a.x -> b; stop }",
        "after `a decides c: no`, the choreography goes on with `a.x -> b`, but `a` wants to send `y` to `b`",
        Obstacle::OtherValue,
    );
    check(
        "a { main { stop } } | b { main { c?; stop } } | c { main { b!<x>; stop } }",
        "main { c.x -> b; if a.c then stop else stop }",
        "after `c.x -> b`, the choreography goes on with `if a.c`, but `a` has stopped",
        Obstacle::Stopped,
    );
}

#[test]
fn a_choreography_must_not_stop_early() {
    let mismatch = differs(
        "a { main { b!<x>; b!<y>; stop } } | b { main { a?; a?; stop } }",
        "main { a.x -> b; stop }",
        "after `a.x -> b`, the choreography stops, but `a` wants to send `y` to `b` and `b` waits for a value from `a`",
    );
    assert!(matches!(mismatch.reason, Reason::StopsEarly { running, .. } if running.len() == 2));
}

#[test]
fn services_may_wait_at_the_end_and_on_cycles_and_outside() {
    agrees("a { main { log!<x>; stop } } | service log { def L { a?; L } main { L } }", "main { a.x -> log; stop }");
    agrees(
        "a { def X { b!<x>; X } main { log!<x>; X } } | b { def Y { a?; Y } main { Y } } | service log { def L { a?; L } main { L } }",
        "def X { a.x -> b; X } main { a.x -> log; X }",
    );
    agrees(
        "a { main { b!<x>; stop } } | b { main { a?; stop } } | service log { def L { a?; L } main { L } }",
        "main { a.x -> b; stop }",
    );
    agrees("service a { def X { b!<x>; X } main { X } } | service b { def Y { a?; Y } main { Y } }", "main { stop }");
}

#[test]
fn a_loop_must_not_starve_anyone() {
    let mismatch = differs(
        "a { def X { b!<x>; X } main { log!<x>; X } } | b { def Y { a?; Y } main { Y } } | log { def L { a?; L } main { L } }",
        "def X { a.x -> b; X } main { a.x -> log; X }",
        "after `a.x -> log`, the choreography can repeat `a.x -> b` forever while `log` waits for a value from `a`",
    );
    assert!(matches!(mismatch.reason, Reason::Starved { process: ProcessId(2), cycle, .. } if cycle.len() == 1));
}

#[test]
fn who_has_stopped_is_not_starved() {
    agrees(
        "a { def X { b!<x>; X } main { log!<x>; X } } | b { def Y { a?; Y } main { Y } } | log { main { a?; stop } }",
        "def X { a.x -> b; X } main { a.x -> log; X }",
    );
}

/// Two loops through one another: each has a head of its own. The inner one leaves out c.
#[test]
fn an_inner_loop_may_starve_someone_whom_the_outer_does_not() {
    let net = |worker: &str| {
        format!(
            "a {{ def X {{ c!<x>; Y }} def Y {{ b!<x>; if again then Y else X }} main {{ X }} }}
             | b {{ def B {{ a?; B }} main {{ B }} }} | {worker} c {{ def C {{ a?; C }} main {{ C }} }}"
        )
    };
    let chor = "def X { a.x -> c; Y } def Y { a.x -> b; if a.again then Y else X } main { X }";
    agrees(&net("service"), chor);
    let mismatch = differs(
        &net(""),
        chor,
        "after `a.x -> c`, the choreography can repeat `a.x -> b`, `a decides again: yes` forever \
         while `c` waits for a value from `a`",
    );
    assert!(matches!(mismatch.reason, Reason::Starved { process: ProcessId(2), .. }));
}

/// A cycle with two ways in, so that none of its nodes lies on every way to it.
#[test]
fn loops_with_two_heads_are_looked_at_whole() {
    let net = "a { def X { b!<x>; if again then Y else Y } def Y { c!<x>; X } main { if left then X else Y } }
        | b { def B { a?; B } main { B } } | c { def C { a?; C } main { C } }";
    agrees(net, "def X { a.x -> b; if a.again then Y else Y } def Y { a.x -> c; X } main { if a.left then X else Y }");
    let net = "a { def X { b!<x>; if again then Y else X } def Y { c!<x>; X } main { if left then X else Y } }
        | b { def B { a?; B } main { B } } | c { def C { a?; C } main { C } }";
    differs(
        net,
        "def X { a.x -> b; if a.again then Y else X } def Y { a.x -> c; X } main { if a.left then X else Y }",
        "after `a decides left: yes`, the choreography can repeat `a.x -> b`, `a decides again: no` forever \
         while `c` waits for a value from `a`",
    );
}

/// Processes that are connected, in a branch nobody takes twice, but loop on their own.
#[test]
fn two_independent_loops_must_take_turns() {
    let net = "a { def X { b!<x>; X } main { c!<go>; X } } | b { def Y { a?; Y } main { Y } }
        | c { def X { d!<y>; X } main { a?; X } } | d { def Y { c?; Y } main { Y } }";
    agrees(net, "def X { a.x -> b; c.y -> d; X } main { a.go -> c; X }");
    agrees(net, "def X { a.x -> b; a.x -> b; c.y -> d; X } main { a.go -> c; X }");
    differs(
        net,
        "def X { a.x -> b; X } main { a.go -> c; c.y -> d; X }",
        "after `a.go -> c`, `c.y -> d`, the choreography can repeat `a.x -> b` forever \
         while `c` wants to send `y` to `d`",
    );
}

#[test]
fn parts_are_followed_one_by_one() {
    let net = "a { def X { b!<x>; X } main { X } } | b { def Y { a?; Y } main { Y } }
        | c { main { d!<y>; stop } } | d { main { c?; stop } }";
    agrees(net, "def X { a.x -> b; X } main { X } || main { c.y -> d; stop }");
    agrees(net, "main { c.y -> d; stop } || def X { a.x -> b; X } main { X }");
    differs(
        net,
        "def X { a.x -> b; X } main { X } || main { c.z -> d; stop }",
        "the choreography starts with `c.z -> d`, but `c` wants to send `y` to `d`",
    );
    // What is independent need not be kept apart.
    agrees(net, "def X { a.x -> b; X } main { c.y -> d; X }");
}

#[test]
fn names_are_matched_by_their_text() {
    let net = "b { main { a?; stop } } | a { main { b!<f(x, y)>; stop } }";
    agrees(net, "main { a.f(x, y) -> b; stop }");
    differs(
        net,
        "main { a.f(x, y) -> b; a.more -> c; stop }",
        "the choreography has a process `c`, which is not in the network",
    );
    // A name of the network that is no process.
    let (network, choreography) = (network(net), choreography("main { a.f(x, y) -> b; if zoe.x then stop else stop }"));
    assert!(matches!(verify(&network, &choreography).unwrap_err().reason, Reason::UnknownProcess { .. }));
}

#[test]
fn a_process_that_has_something_to_do_must_occur() {
    let net = "a { main { b!<x>; stop } } | b { main { a?; stop } } | c { main { a?; stop } }";
    differs(net, "main { a.x -> b; stop }", "`c` waits for a value from `a`, but is not in the choreography");
    // In a procedure that is never called, it does not occur either.
    differs(
        "a { main { b!<x>; stop } } | b { main { a?; stop } } | c { main { if e then stop else stop } }",
        "def Never { if c.e then stop else stop } main { a.x -> b; stop }",
        "`c` has to decide `e`, but is not in the choreography",
    );
    agrees("a { main { b!<x>; stop } } | b { main { a?; stop } } | c { main { stop } }", "main { a.x -> b; stop }");
}

#[test]
fn groups_need_asynchrony() {
    differs(
        "a { main { b!<x>; b?; stop } } | b { main { a!<y>; a?; stop } }",
        "main { (a.x -> b, b.y -> a); stop }",
        "the choreography starts with `(a.x -> b, b.y -> a)`, several interactions at once, \
         which needs asynchronous communication",
    );
}

#[test]
fn a_process_in_two_parts_is_refused() {
    let network = network("a { main { b!<x>; b!<x>; stop } } | b { main { a?; a?; stop } }");
    let mut parts = choreography("main { a.x -> b; stop }").into_parts();
    parts.starts.push(parts.starts[0]);
    let choreography = Choreography::from_parts(parts).unwrap();
    let mismatch = verify(&network, &choreography).unwrap_err();
    assert_eq!(mismatch.explain(&network, &choreography), "`a` takes part in two parallel parts of the choreography");
}

#[test]
fn parts_may_share_their_end() {
    let network = network(
        "a { main { b!<x>; stop } } | b { main { a?; stop } } | c { main { d!<x>; stop } } | d { main { c?; stop } }",
    );
    let mut parts = choreography("main { a.x -> b; stop } || main { c.x -> d; stop }").into_parts();
    let Node::Interaction { next: end, .. } = parts.nodes[parts.starts[0].index()] else { panic!() };
    let second = parts.starts[1].index();
    if let Node::Interaction { next, .. } = &mut parts.nodes[second] {
        *next = end;
    }
    let choreography = Choreography::from_parts(parts).unwrap();
    assert_eq!(verify(&network, &choreography).unwrap().ends, 2);
}

#[test]
fn parts_with_numbers_that_lead_nowhere_make_no_choreography() {
    let parts = || choreography("main { a.x -> b; stop }").into_parts();
    assert!(Choreography::from_parts(parts()).is_ok());
    let damages: [fn(&mut ChoreographyParts); 5] = [
        |lost| match &mut lost.nodes[0] {
            Node::Interaction { next, .. } => *next = NodeId(77),
            _ => panic!(),
        },
        |lost| lost.starts.push(NodeId(99)),
        |lost| lost.processes.truncate(1),
        |lost| lost.processes[1] = lost.processes[0],
        |lost| lost.origins.truncate(1),
    ];
    for damage in damages {
        let mut lost = parts();
        damage(&mut lost);
        assert!(Choreography::from_parts(lost).is_err());
    }
}

#[test]
fn parts_with_numbers_that_lead_nowhere_make_no_network() {
    let text = "a { main { b!<x>; b+l; stop } } | b { main { a?; a&{l: stop, r: stop} } }";
    let parts = || network(text).into_parts();
    assert!(Network::from_parts(parts()).is_ok());
    let damages: [fn(&mut NetworkParts); 7] = [
        |lost| lost.states.truncate(2),
        |lost| lost.processes[0].start = StateId(99),
        |lost| lost.processes[1].name = lost.processes[0].name,
        |lost| lost.branches.truncate(1),
        |lost| lost.branches.swap(0, 1),
        |lost| lost.states.push(State::Stop),
        |lost| lost.states[0] = State::Receive { from: ProcessId(0), next: StateId(0) },
    ];
    for (number, damage) in damages.iter().enumerate() {
        let mut lost = parts();
        damage(&mut lost);
        assert!(Network::from_parts(lost).is_err(), "damage {number}");
    }
}

/// The walk comes to the loop by the long way first.
#[test]
fn the_run_to_a_cycle_is_a_shortest_one() {
    let mismatch = differs(
        "a { def Z { b!<z>; Z } main { if long then b!<x>; b!<x>; b!<x>; b!<x>; Z else b!<x>; Z } }
         | b { def B { a?; B } main { B } } | c { main { if e then a?; stop else a?; stop } }",
        "def Z { a.z -> b; Z }
         main { if c.e then
                    if a.long then a.x -> b; a.x -> b; a.x -> b; a.x -> b; Z else a.x -> b; Z
                else if a.long then a.x -> b; a.x -> b; a.x -> b; a.x -> b; Z else a.x -> b; Z }",
        "after `c decides e: yes`, `a decides long: no`, `a.x -> b`, the choreography can repeat `a.z -> b` forever \
         while `c` waits for a value from `a`",
    );
    assert_eq!(mismatch.run.len(), 3);
}

#[test]
fn long_runs_are_cut_to_their_end() {
    differs(
        "a { main { b!<x>; b!<x>; b!<x>; b!<x>; b!<x>; b!<y>; stop } } | b { def B { a?; B } main { B } }",
        "main { a.x -> b; a.x -> b; a.x -> b; a.x -> b; a.x -> b; a.x -> b; stop }",
        "after 5 steps up to `a.x -> b`, the choreography goes on with `a.x -> b`, but `a` wants to send `y` to `b`",
    );
}

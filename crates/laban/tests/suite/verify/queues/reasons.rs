//! Queues by hand: what agrees, and what does not, with the sentence that a reader sees.

use super::verify;
use super::walker::Walker;
use laban::choreography::Node;
use laban::equivalence::VerifyOptions;
use laban::{Choreography, Limits, Network, StopReason, analyse};

pub(super) fn read(network: &str, choreography: &str) -> (Network, Choreography) {
    let network = analyse(network).into_network().unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let choreography = analyse(choreography).into_choreography().unwrap_or_else(|wrong| panic!("{wrong:?}"));
    (network, choreography)
}

/// Checks that they agree, whether or not decisions are fair.
pub(super) fn agrees(net: &str, chor: &str) {
    let (network, choreography) = read(net, chor);
    for fair in [false, true] {
        if let Err(mismatch) = verify(&network, &choreography, fair) {
            panic!("{}", mismatch.explain(&network, &choreography));
        }
    }
}

/// Checks that they differ, the message and the hint.
pub(super) fn differs(net: &str, chor: &str, sentence: &str, hint: &str) {
    differs_without(net, chor, |_| false, sentence, hint);
}

/// Checks that they differ if some messages are not put or taken, the message and the hint. As a text such a
/// choreography may already be refused.
fn differs_without(net: &str, chor: &str, is_left_out: impl Fn(Node) -> bool, sentence: &str, hint: &str) {
    let (network, choreography) = read(net, chor);
    let mut parts = choreography.into_parts();
    for node in (0..parts.nodes.len()).rev() {
        if let (true, Node::Put { next, .. } | Node::Take { next, .. }) =
            (is_left_out(parts.nodes[node]), parts.nodes[node])
        {
            parts.nodes[node] = parts.nodes[next.index()];
        }
    }
    let choreography = Choreography::from_parts(parts).unwrap();
    let mismatch = verify(&network, &choreography, false).expect_err("they do not agree");
    let diagnostic = mismatch.diagnostic(&network, &choreography);
    assert_eq!(diagnostic.message, sentence);
    assert_eq!(diagnostic.hints.join("; "), hint);
    let walker = Walker { network: &network, choreography: &choreography };
    assert!(walker.is_true(&mismatch), "{mismatch:?}");
    assert_eq!(mismatch.clone().on(&network), mismatch);
}

fn is_put(node: Node) -> bool {
    matches!(node, Node::Put { .. })
}

fn is_take(node: Node) -> bool {
    matches!(node, Node::Take { .. })
}

const GREETINGS: &str = "channels queue; a { main { b!<hi>; b?; stop } } | b { main { a!<ho>; a?; stop } }";

#[test]
fn greetings_cross_in_a_group() {
    agrees(GREETINGS, "main { (a.hi -> b, b.ho -> a); stop }");
    agrees(GREETINGS, "main { (b.ho -> a, a.hi -> b); stop }");
}

#[test]
fn greetings_cross_as_split_events() {
    agrees(GREETINGS, "main { a.hi ~> b; b.ho ~> a; b <~ a; a <~ b; stop }");
    agrees(GREETINGS, "main { b.ho ~> a; a.hi ~> b; b <~ a; a <~ b; stop }");
    agrees(GREETINGS, "main { a.hi ~> b; b.ho ~> a; any { b <~ a; a <~ b; stop, a <~ b; b <~ a; stop } }");
}

#[test]
fn greetings_do_not_cross_by_rendezvous() {
    differs(
        GREETINGS,
        "main { a.hi -> b; b.ho -> a; stop }",
        "the choreography starts with `a.hi -> b`, but `b` wants to send `ho` to `a`",
        "",
    );
    // Once one of them is there, the other may be handed over.
    agrees(GREETINGS, "main { a.hi ~> b; b.ho -> a; b <~ a; stop }");
}

const ALTERNATING_BIT: &str = "channels queue;
    a { def X { b&{ack0: b!<zero>; b&{ack1: b!<one>; X}} } main { b!<zero>; b!<one>; X } }
    | b { def Y { a?; a+ack0; a?; a+ack1; Y } main { Y } }";

#[test]
fn the_alternating_bit_has_two_messages_in_flight() {
    agrees(
        ALTERNATING_BIT,
        "def X { (a.one -> b, b -> a[ack0]); (a.zero -> b, b -> a[ack1]); X } main { a.zero -> b; X }",
    );
    agrees(
        ALTERNATING_BIT,
        "def X { b <~ a; b -> a[ack0]; a.zero ~> b; b <~ a; b -> a[ack1]; a.one ~> b; X }
         main { a.zero ~> b; a.one ~> b; X }",
    );
}

#[test]
fn a_group_needs_all_its_messages() {
    differs(
        ALTERNATING_BIT,
        "def X { (a.one -> b, b -> a[ack0]); a.zero -> b; b -> a[ack1]; X } main { a.zero -> b; X }",
        "after 5 steps up to `a <~ b`, the choreography goes on with `a.zero -> b`, but `b` wants to select \
         `ack1` at `a`",
        "",
    );
    differs(
        ALTERNATING_BIT,
        "def X { (a.one -> b, b -> a[ack1]); (a.zero -> b, b -> a[ack1]); X } main { a.zero -> b; X }",
        "after `a.zero -> b`, `a.one ~> b`, the choreography goes on with `b ~> a[ack1]`, a part of `(a.one -> \
         b, b -> a[ack1])`, but `b` wants to select `ack0` at `a`",
        "",
    );
    differs(
        ALTERNATING_BIT,
        "def X { (a.one -> b, b -> a[ack0]); (a.zero -> b, b -> a[ack1]); X } main { a.zero ~> b; X }",
        "after `a.zero ~> b`, the choreography goes on with `a.one ~> b`, a part of `(a.one -> b, b -> \
         a[ack0])`, but `b` has not taken `zero` from `a` yet",
        "",
    );
}

#[test]
fn in_a_ring_all_may_send_first() {
    let net = "channels queue; a { def X { b!<x>; c?; X } main { X } } | b { def X { c!<y>; a?; X } main { X } }
        | c { def X { a!<z>; b?; X } main { X } }";
    agrees(net, "def X { (a.x -> b, b.y -> c, c.z -> a); X } main { X }");
    agrees(net, "def X { a.x ~> b; b.y ~> c; c.z -> a; b <~ a; c <~ b; X } main { X }");
    differs(
        net,
        "def X { (a.x -> b, b.y -> c); c.z -> a; X } main { X }",
        "after `a.x ~> b`, `b.y ~> c`, `b <~ a`, the choreography goes on with `c <~ b`, a part of `(a.x -> b, \
         b.y -> c)`, but `c` wants to send `z` to `a`",
        "",
    );
    differs(
        net,
        "def X { (a.x -> b, b.y -> c); X } main { X }",
        "after `a.x ~> b`, `b.y ~> c`, `b <~ a`, the choreography goes on with `c <~ b`, a part of `(a.x -> b, \
         b.y -> c)`, but `c` wants to send `z` to `a`",
        "",
    );
}

const PIPELINE: &str = "channels queue;
    client { def X { server!<request>; server?; X } main { server!<request>; X } }
    | server { def X { client?; client!<reply>; X } main { X } }";

#[test]
fn requests_may_be_pipelined() {
    agrees(
        PIPELINE,
        "def X { client.request ~> server; server <~ client; server.reply -> client; X }
         main { client.request ~> server; X }",
    );
    agrees(
        PIPELINE,
        "def X { (client.request -> server, server.reply -> client); X } main { client.request -> server; X }",
    );
}

#[test]
fn a_message_waits_behind_others() {
    differs(
        PIPELINE,
        "def X { client.request -> server; X } main { client.request ~> server; X }",
        "after `client.request ~> server`, the choreography goes on with `client.request -> server`, but \
         `server` has not taken `request` from `client` yet",
        "`->` hands a message over at once; this one waits: `client.request ~> server` and, later, `server <~ \
         client`",
    );
}

#[test]
fn what_is_put_must_be_what_is_sent() {
    differs(
        PIPELINE,
        "main { client.order ~> server; server <~ client; stop }",
        "the choreography starts with `client.order ~> server`, but `client` wants to send `request` to `server`",
        "",
    );
    differs_without(
        PIPELINE,
        "main { client.request ~> server; server <~ client; stop }",
        is_put,
        "the choreography starts with `server <~ client`, but the queue from `client` to `server` is empty",
        "",
    );
    differs(
        PIPELINE,
        "main { server.reply ~> client; client.request -> server; client <~ server; stop }",
        "the choreography starts with `server.reply ~> client`, but `server` waits for a value from `client`",
        "",
    );
}

#[test]
fn no_queue_grows_forever() {
    let net =
        "channels queue; a { def X { b!<x>; b!<y>; b?; X } main { X } } | b { def X { a?; a!<z>; X } main { X } }";
    differs(
        net,
        "def X { a.x -> b; a.y ~> b; b.z -> a; X } main { X }",
        "the choreography can repeat `a.x -> b`, `a.y ~> b`, `b.z -> a`, and each time one more message is left \
         in the queue from `a` to `b`",
        "what comes round must take as many messages from each queue as it puts there",
    );
    let net = "channels queue; a { def X { b!<x>; b!<y>; X } main { X } } | b { def X { a?; X } main { X } }";
    differs(
        net,
        "def X { a.x ~> b; a.y ~> b; b <~ a; X } main { X }",
        "the choreography can repeat `a.x ~> b`, `a.y ~> b`, `b <~ a`, and each time one more message is left \
         in the queue from `a` to `b`",
        "what comes round must take as many messages from each queue as it puts there",
    );
    differs_without(
        net,
        "def X { a.x ~> b; b <~ a; a.y -> b; X } main { X }",
        is_take,
        "after `a.x ~> b`, the choreography goes on with `a.y -> b`, but `b` has not taken `x` from `a` yet",
        "`->` hands a message over at once; this one waits: `a.y ~> b` and, later, `b <~ a`",
    );
}

const PRODUCER: &str = "channels queue; p { def X { q!<x>; X } main { X } } | q { def X { p?; X } main { X } }";

#[test]
fn a_producer_may_not_run_ahead_forever() {
    let sentence = "after `p.x ~> q`, the choreography can repeat `p.x ~> q`, and each time one more message is left in the \
                    queue from `p` to `q`";
    let hint = "what comes round must take as many messages from each queue as it puts there";
    differs_without(PRODUCER, "def X { p.x ~> q; q <~ p; X } main { X }", is_take, sentence, hint);
}

#[test]
fn a_producer_may_run_ahead_and_need_not() {
    agrees(PRODUCER, "def X { p.x -> q; X } main { X }");
    agrees(PRODUCER, "def X { p.x ~> q; q <~ p; X } main { X }");
    agrees(PRODUCER, "def X { p.x ~> q; q <~ p; X } main { p.x ~> q; p.x ~> q; X }");
    agrees(PRODUCER, "def X { (p.x -> q, p.x -> q); X } main { X }");
}

#[test]
fn a_queue_may_be_full() {
    let net = PRODUCER.replace("queue;", "queue 2;");
    agrees(&net, "def X { p.x ~> q; q <~ p; X } main { p.x ~> q; X }");
    differs(
        &net,
        "def X { p.x ~> q; q <~ p; X } main { p.x ~> q; p.x ~> q; X }",
        "after `p.x ~> q`, `p.x ~> q`, the choreography goes on with `p.x ~> q`, but `p` has to wait: the queue \
         to `q` is full, with 2 messages",
        "",
    );
}

#[test]
fn messages_may_be_handed_over_beside_queues() {
    let net = "channels queue, b -> a rendezvous; a { main { b!<hi>; b?; stop } } | b { main { a!<ho>; a?; stop } }";
    agrees(net, "main { a.hi ~> b; b.ho -> a; b <~ a; stop }");
    differs(
        net,
        "main { (a.hi -> b, b.ho -> a); stop }",
        "after `a.hi ~> b`, the choreography goes on with `b.ho ~> a`, a part of `(a.hi -> b, b.ho -> a)`, but \
         there is no queue from `b` to `a`",
        "`channels b -> a queue;` at the top of the network lets messages wait",
    );
    differs(
        net,
        "main { a.hi ~> b; b.ho ~> a; b <~ a; a <~ b; stop }",
        "after `a.hi ~> b`, the choreography goes on with `b.ho ~> a`, but there is no queue from `b` to `a`",
        "`channels b -> a queue;` at the top of the network lets messages wait",
    );
}

#[test]
fn all_messages_are_taken_before_the_end() {
    let net = "channels queue; a { main { b!<x>; b!<y>; stop } } | b { main { a?; stop } }";
    differs_without(
        net,
        "main { a.x -> b; a.y ~> b; b <~ a; stop }",
        is_take,
        "after `a.x -> b`, `a.y ~> b`, the choreography stops, but `y` from `a` is still in the queue to `b`: \
         `b` has stopped",
        "",
    );
    differs(
        net,
        "main { (a.x -> b, a.y -> b); stop }",
        "after `a.x ~> b`, `a.y ~> b`, `b <~ a`, the choreography goes on with `b <~ a`, a part of `(a.x -> b, \
         a.y -> b)`, but `b` has stopped",
        "",
    );
    differs(
        net,
        "main { a.x -> b; stop }",
        "after `a.x -> b`, the choreography stops, but `a` wants to send `y` to `b`",
        "",
    );
}

#[test]
fn a_message_may_not_stay_forever() {
    let net = "channels queue; a { def X { b&{more: X, done: stop} } main { c!<news>; X } }
        | b { def X { if go then a+more; X else a+done; c!<now>; stop } main { X } }
        | c { main { idle b?; a?; stop } }";
    let chor = "def X { if b.go then b -> a[more]; X else b -> a[done]; b.now -> c; c <~ a; stop }
        main { a.news ~> c; X }";
    differs(
        net,
        chor,
        "after `a.news ~> c`, the choreography can repeat `b decides go: yes`, `b -> a[more]` forever while \
         `news` from `a` stays in the queue to `c`: `c` waits for a value from `b`",
        "",
    );
    let (network, choreography) = read(net, chor);
    assert!(verify(&network, &choreography, true).is_ok());
}

#[test]
fn the_oldest_message_must_fit() {
    let net = "channels queue; a { main { if c then b+yes; stop else b+no; stop } } | b { main { a&{yes: stop} } }";
    differs(
        net,
        "main { if a.c then a ~> b[yes]; b <~ a; stop else a ~> b[no]; b <~ a; stop }",
        "after `a decides c: no`, `a ~> b[no]`, the choreography goes on with `b <~ a`, but the oldest message \
         from `a` is `[no]`, and `b` offers `a` only `yes`",
        "",
    );
    let net = "channels queue; a { main { b+yes; stop } } | b { main { a?; stop } }";
    differs(
        net,
        "main { a ~> b[yes]; b <~ a; stop }",
        "after `a ~> b[yes]`, the choreography goes on with `b <~ a`, but the oldest message from `a` is \
         `[yes]`, and `b` waits for a value from `a`",
        "",
    );
}

#[test]
fn nobody_is_starved() {
    let net = "channels queue; a { def X { if c then b!<x>; X else d!<y>; X } main { X } }
        | b { def X { a?; X } main { X } } | d { def X { a?; X } main { X } }";
    let (network, choreography) = read(net, "def X { if a.c then a.x -> b; X else a.y -> d; X } main { X }");
    assert!(verify(&network, &choreography, true).is_ok());
    differs(
        net,
        "def X { if a.c then a.x -> b; X else a.y -> d; X } main { X }",
        "the choreography can repeat `a decides c: no`, `a.y -> d` forever while `b` waits for a value from `a`",
        "if `b` may wait forever, make it a service: `service b { … }` or `--service b`",
    );
    differs(
        net,
        "def X { if a.c then a.x ~> b; b <~ a; X else a.y -> d; X } main { X }",
        "the choreography can repeat `a decides c: no`, `a.y -> d` forever while `b` waits for a value from `a`",
        "if `b` may wait forever, make it a service: `service b { … }` or `--service b`",
    );
}

#[test]
fn without_queues_no_message_waits() {
    let net = "a { main { b!<x>; stop } } | b { main { a?; stop } }";
    differs_without_queues(
        net,
        "main { a.x ~> b; b <~ a; stop }",
        "the choreography starts with `a.x ~> b`, a message that waits, which needs asynchronous communication",
    );
    differs_without_queues(
        net,
        "main { (a.x -> b); stop }",
        "the choreography starts with `(a.x -> b)`, several interactions at once, which needs asynchronous \
         communication",
    );
}

fn differs_without_queues(net: &str, chor: &str, sentence: &str) {
    let (network, choreography) = read(net, chor);
    let mismatch = verify(&network, &choreography, false).expect_err("they do not agree");
    let diagnostic = mismatch.diagnostic(&network, &choreography);
    assert_eq!(diagnostic.message, sentence);
    assert_eq!(
        diagnostic.hints,
        ["`channels queue;` at the top of the network, or `--channels queue`, lets messages wait"]
    );
}

#[test]
fn a_long_choreography_has_limits() {
    let (network, choreography) = read(PRODUCER, "def X { p.x ~> q; q <~ p; X } main { p.x ~> q; X }");
    let options = VerifyOptions { limits: Limits::states(2), ..VerifyOptions::default() };
    let stopped = laban::equivalence::verify(&network, &choreography, &options);
    assert_eq!(stopped, Err(laban::equivalence::NotVerified::Undecided(StopReason::MaxStates(2))));
}

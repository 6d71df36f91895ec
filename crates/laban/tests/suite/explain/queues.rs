//! Networks with queues that fail, each in its own way, with all that is known about each; and witnesses that are
//! refused because they do not show what they claim.

use super::facts::check_network;
use super::{deadlock, network, steps};
use laban::extraction::explain::{ReplayError, Witness, WitnessKind, explain};
use laban::network::{Channel, Channels, Network};
use laban::semantics::Configuration;

/// The network with a queue between any two processes.
pub(super) fn queues(source: &str, bound: Option<u32>) -> Network {
    let mut network = network(source);
    network.set_channels(Channels::all(Channel::Queue { bound }));
    network
}

/// All processes are in one component.
pub(super) fn claim(network: &Network, kind: WitnessKind, run: &str, cycle: &str) -> Witness {
    let mut at = Configuration::start(network);
    let run = steps(network, &mut at, run);
    let cycle = steps(network, &mut at, cycle);
    Witness { kind, component: network.process_ids().collect(), run, cycle }
}

fn orphan(network: &Network, from: &str, to: &str, run: &str, cycle: &str) -> Witness {
    let find = |name: &str| network.process_ids().find(|&process| network.process_name(process) == name).unwrap();
    claim(network, WitnessKind::Orphan { from: find(from), to: find(to) }, run, cycle)
}

fn check_orphan(source: &str, (from, to): (&str, &str), run: &str, cycle: &str, expected: &str) {
    let network = queues(source, None);
    check_network(source, &network, |network| orphan(network, from, to, run, cycle), expected);
}

fn check_deadlock(source: &str, bound: Option<u32>, expected: &str) {
    let network = queues(source, bound);
    check_network(source, &network, |network| deadlock(network).unwrap(), expected);
}

fn check_cycle(source: &str, kind: WitnessKind, run: &str, cycle: &str, expected: &str) {
    let network = queues(source, None);
    check_network(source, &network, |network| claim(network, kind, run, cycle), expected);
}

fn refused(source: &str, bound: Option<u32>, witness: impl Fn(&Network) -> Witness) -> ReplayError {
    let network = queues(source, bound);
    let error = explain(&network, &witness(&network)).unwrap_err();
    assert!(!error.to_string().is_empty());
    error
}

#[test]
fn the_receiver_has_stopped() {
    check_orphan(
        "p { main { q!<x>; q!<y>; stop } } | q { main { p?; stop } }",
        ("p", "q"),
        "p puts x into the queue to q; q takes x from p; p puts y into the queue to q",
        "",
        "run: p puts x into the queue to q; q takes x from p; p puts y into the queue to q
         p -> q: y, Stopped
         hint: q takes y from p
         = orphan: `q` never takes `y` from `p`: it has stopped",
    );
}

#[test]
fn many_messages_are_left() {
    check_orphan(
        "p { main { q!<a>; q+b; q+c<d>; q!<e>; stop } } | q { main { stop } }",
        ("p", "q"),
        "p puts a into the queue to q; p puts [b] into the queue to q; p puts d[c] into the queue to q; \
         p puts e into the queue to q",
        "",
        "run: p puts a into the queue to q; p puts [b] into the queue to q; p puts d[c] into the queue to q; p puts e into the queue to q
         p -> q: a [b] d[c] e, Stopped
         hint: q takes a from p
         = orphan: `q` never takes 4 messages from `p`, the oldest `a`: it has stopped",
    );
}

#[test]
fn the_receiver_is_a_service_that_waits_for_another() {
    check_orphan(
        "p { main { q!<x>; stop } } | service q { main { r?; p?; stop } } | r { main { stop } }",
        ("p", "q"),
        "p puts x into the queue to q",
        "",
        "run: p puts x into the queue to q
         p -> q: x, Waits
         waiting service q: r?, stopped, free
         hint: q takes x from p
         = orphan: `q` never takes `x` from `p`: it waits for a value from `r`, which has stopped",
    );
}

#[test]
fn the_receiver_never_receives_again_from_the_sender_who_goes_on() {
    check_orphan(
        "p { def X { q!<x>; X } main { X } } | q { def X { r?; X } main { p?; X } } | r { def X { q!<y>; X } main { X } }",
        ("p", "q"),
        "p puts x into the queue to q; q takes x from p; p puts x into the queue to q",
        "",
        "run: p puts x into the queue to q; q takes x from p; p puts x into the queue to q
         p -> q: x, NeverReceived
         hint: q takes x from p
         = orphan: `q` never takes `x` from `p`: whatever it does from here on, it does not receive that",
    );
}

#[test]
fn the_receiver_loops_without_taking_it() {
    check_orphan(
        "p { main { q!<x>; stop } }
         | q { def X { if c then p?; stop else r!<y>; X } main { X } } | r { def X { q?; X } main { X } }",
        ("p", "q"),
        "p puts x into the queue to q",
        "q decides c: no; q puts y into the queue to r; r takes y from q",
        "run: p puts x into the queue to q
         cycle: q decides c: no; q puts y into the queue to r; r takes y from q
         p -> q: x, Ignored
         hint: q takes x from p
         hint: taken but for q.c false
         = orphan: `q` may never take `x` from `p`: it can loop forever without receiving from `p`",
    );
}

#[test]
fn a_decision_leaves_a_message() {
    check_orphan(
        "p { main { q!<x>; stop } } | q { main { if hungry then p?; stop else stop } }",
        ("p", "q"),
        "q decides hungry: no; p puts x into the queue to q",
        "",
        "run: q decides hungry: no; p puts x into the queue to q
         p -> q: x, Stopped
         hint: q takes x from p
         hint: taken but for q.hungry false
         = orphan: `q` never takes `x` from `p`: it has stopped",
    );
}

#[test]
fn a_decision_that_leaves_one_message_either_way_is_not_blamed() {
    // If `q` were hungry, it would take `x` when `y` lies there already, and leave that.
    check_orphan(
        "p { main { q!<x>; q!<y>; r!<z>; stop } } | q { main { if hungry then r?; p?; stop else stop } }
         | r { main { p?; q!<w>; stop } }",
        ("p", "q"),
        "q decides hungry: no; p puts x into the queue to q; p puts y into the queue to q",
        "",
        "run: q decides hungry: no; p puts x into the queue to q; p puts y into the queue to q
         p -> q: x y, Stopped
         hint: q takes x from p
         = orphan: `q` never takes `x` and `y` from `p`: it has stopped",
    );
}

#[test]
fn of_many_decisions_the_one_of_the_receiver_is_tried_even_if_it_is_the_first() {
    let others = ["a", "b", "c", "d"];
    let deciders: String = others
        .iter()
        .map(|name| format!(" | {name} {{ main {{ if e then p!<1>; stop else p!<2>; stop }} }}"))
        .collect();
    let receives: String = others.iter().map(|name| format!("{name}?; ")).collect();
    let source = format!(
        "p {{ main {{ {receives}q!<x>; stop }} }} | q {{ main {{ if hungry then p?; stop else stop }} }}{deciders}"
    );
    let network = queues(&source, None);
    let run: String = others
        .iter()
        .map(|name| format!("; {name} decides e: yes; {name} puts 1 into the queue to p; p takes 1 from {name}"))
        .collect();
    let run = format!("q decides hungry: no{run}; p puts x into the queue to q");
    let explanation = explain(&network, &orphan(&network, "p", "q", &run, "")).unwrap();
    let said = explanation.hints.last().unwrap().text(&network, &explanation);
    assert_eq!(said, "this happens when `hungry` is false at `q`; when it is true, nothing is left there");
}

#[test]
fn only_the_message_that_a_witness_is_about_is_ignored() {
    // `r` takes one message from `q` each time round, so that what lies in that queue is taken later.
    check_orphan(
        "p { main { q!<x>; stop } }
         | q { def X { if c then p?; stop else r!<y>; X } main { X } } | r { def X { q?; X } main { X } }",
        ("p", "q"),
        "p puts x into the queue to q; q decides c: no; q puts y into the queue to r",
        "q decides c: no; q puts y into the queue to r; r takes y from q",
        "run: p puts x into the queue to q; q decides c: no; q puts y into the queue to r
         cycle: q decides c: no; q puts y into the queue to r; r takes y from q
         p -> q: x, Ignored
         q -> r: y, Open
         hint: q takes x from p
         hint: taken but for q.c false
         = orphan: `q` may never take `x` from `p`: it can loop forever without receiving from `p`",
    );
}

#[test]
fn the_oldest_message_is_another_label() {
    check_deadlock(
        "a { main { b+okay; b?; stop } } | b { main { a&{ok: a!<x>; stop, no: a!<y>; stop} } }",
        None,
        "run: a puts [okay] into the queue to b
         a: b?, cannot take [okay] from a, on 0
         b: a&{ok no}, oldest is [okay], in 0
         a -> b: [okay], DoesNotFit
         0: message from a: b
         hint: label, meant None
         = deadlock: `b` offers `ok` and `no` to `a`, but the oldest message from `a` is the label `okay`, and `a` waits for `b`",
    );
}

#[test]
fn the_oldest_message_is_a_value_and_the_label_lies_behind_it() {
    check_deadlock(
        "a { main { b!<x>; b+ok; stop } } | b { main { a&{ok: a?; stop} } }",
        None,
        "run: a puts x into the queue to b; a puts [ok] into the queue to b
         b: a&{ok}, oldest is x, in 0
         a -> b: x [ok], DoesNotFit
         0: message from a: b
         hint: order, [ok] later
         = deadlock: `b` offers `ok` to `a`, but the oldest message from `a` is the value `x`",
    );
}

#[test]
fn the_oldest_message_is_a_label_for_one_who_wants_a_value_and_another_waits() {
    check_deadlock(
        "a { main { b+go; stop } } | b { main { a?; c!<x>; stop } } | c { main { b?; stop } }",
        None,
        "run: a puts [go] into the queue to b
         b: a?, oldest is [go], in 0
         c: b?, cannot take [go] from a, on 0
         a -> b: [go], DoesNotFit
         0: message from a: b
         hint: label for value, a b
         = deadlock: `b` waits for a value from `a`, but the oldest message from `a` is the label `go`, and `c` waits for `b`",
    );
}

#[test]
fn one_of_several_items_has_a_message_that_does_not_fit() {
    check_deadlock(
        "a { main { b+go; stop } } | b { main { any { a&{stay: stop}, c?; stop } } } | c { main { b?; stop } }",
        None,
        "run: a puts [go] into the queue to b
         b: any of 2, oldest is [go], in 0
         c: b?, cannot take [go] from a, on 0
         a -> b: [go], DoesNotFit
         0: message from a: b
         hint: label, meant None
         = deadlock: `b` waits for a label from `a` or for a value from `c`; but the oldest message from `a` is the label `go` and `c` waits for a value from `b`, and `c` waits for `b`",
    );
}

#[test]
fn a_later_message_does_not_fit_what_is_wanted_from_somebody_else() {
    check_deadlock(
        "a { main { b+go; b!<x>; stop } } | b { main { any { a&{stay: stop}, c?; stop } } } | c { main { b?; stop } }",
        None,
        "run: a puts [go] into the queue to b; a puts x into the queue to b
         b: any of 2, oldest is [go], in 0
         c: b?, cannot take [go] from a, on 0
         a -> b: [go] x, DoesNotFit
         0: message from a: b
         hint: label, meant None
         = deadlock: `b` waits for a label from `a` or for a value from `c`; but the oldest message from `a` is the label `go` and `c` waits for a value from `b`, and `c` waits for `b`",
    );
}

#[test]
fn a_queue_is_full_and_the_receiver_waits_for_another() {
    check_deadlock(
        "p { main { q!<a>; q!<b>; r!<c>; stop } } | q { main { r?; p?; p?; stop } } | r { main { p?; q!<d>; stop } }",
        Some(1),
        "run: p puts a into the queue to q
         p: q!<b>, waits for r, in 0
         q: r?, waits for p, in 0
         r: p?, waits for q, in 0
         p -> q: a, Waits
         0: circle: p q r
         = deadlock: `p` waits for `q`, `q` for `r` and `r` for `p`",
    );
}

#[test]
fn two_have_filled_each_others_queues() {
    check_deadlock(
        "p { main { q!<a>; q!<b>; q?; q?; stop } } | q { main { p!<c>; p!<d>; p?; p?; stop } }",
        Some(1),
        "run: p puts a into the queue to q; q puts c into the queue to p
         p: q!<b>, both send, in 0
         q: p!<d>, both send, in 0
         p -> q: a, Waits
         q -> p: c, Waits
         0: circle: p q
         = deadlock: `p` and `q` wait for each other: both want to send, but the queues between them are full",
    );
}

#[test]
fn all_wait_and_the_queues_are_empty() {
    check_deadlock(
        "p { main { q?; q!<a>; stop } } | q { main { p?; p!<b>; stop } }",
        None,
        "p: q?, both receive, in 0
         q: p?, both receive, in 0
         0: circle: p q
         = deadlock: `p` and `q` wait for each other: both want to receive",
    );
}

#[test]
fn somebody_is_starved_while_messages_wait() {
    check_cycle(
        "p { def X { q!<a>; X } main { X } } | q { def X { p?; X } main { X } } | r { main { q?; stop } }",
        WitnessKind::Livelock,
        "p puts a into the queue to q",
        "p puts a into the queue to q; q takes a from p",
        "run: p puts a into the queue to q
         cycle: p puts a into the queue to q; q takes a from p
         r: q?, busy, in 0
         p -> q: a, Open
         0: busy q: r
         q does q takes a from p
         hint: services r
         = livelock: `r` may never act: `p` and `q` can loop forever without it",
    );
}

pub(super) const LOCKSTEP: &str =
    "p { def X { q!<a>; q!<b>; q?; X } main { X } } | q { def X { p?; p!<ok>; X } main { X } }";
pub(super) const ROUND: &str = "p puts a into the queue to q; p puts b into the queue to q; q takes a from p; \
     q puts ok into the queue to p; p takes ok from q";

#[test]
fn two_are_sent_for_each_that_is_taken() {
    check_cycle(
        LOCKSTEP,
        WitnessKind::Unbounded,
        "",
        ROUND,
        "cycle: p puts a into the queue to q; p puts b into the queue to q; q takes a from p; q puts ok into the queue to p; p takes ok from q
         p -> q: b, Open
         p -> q: 2 sent, 1 taken
         hint: keep up, p 2 q 1
         = unbounded: the queue from `p` to `q` grows forever: each time round, `p` sends 2 messages and `q` takes 1",
    );
}

pub(super) const LABELS: &str = "p { def X { q+a; q+b; q?; X } main { X } }
     | q { def X { p&{a: p!<ok>; X, b: p!<ok>; X} } main { X } }";

#[test]
fn labels_have_to_repeat_themselves_too() {
    let round = |takes: &str| {
        format!(
            "p puts [a] into the queue to q; p puts [b] into the queue to q; q takes [{takes}] from p; \
             q puts ok into the queue to p; p takes ok from q; "
        )
    };
    let once = refused(LABELS, None, |network| claim(network, WitnessKind::Unbounded, "", &round("a")));
    assert!(matches!(once, ReplayError::NotRepeatable { .. }), "{once:?}");
    let twice = format!("{}{}", round("a"), round("b"));
    check_cycle(
        LABELS,
        WitnessKind::Unbounded,
        "",
        &twice,
        "cycle: p puts [a] into the queue to q; p puts [b] into the queue to q; q takes [a] from p; q puts ok into the queue to p; p takes ok from q; p puts [a] into the queue to q; p puts [b] into the queue to q; q takes [b] from p; q puts ok into the queue to p; p takes ok from q
         p -> q: [a] [b], Open
         p -> q: 2 sent, 1 taken
         hint: keep up, p 2 q 1
         = unbounded: the queue from `p` to `q` grows forever: each time round, `p` sends 2 messages and `q` takes 1",
    );
}

#[test]
fn three_that_go_round_at_different_speeds() {
    // Each message of `a` makes two of `b`, and each of these two of `c`; but `a` waits for only one of them.
    check_cycle(
        "a { def X { b!<x>; c?; X } main { X } } | b { def X { a?; c!<y>; c!<y>; X } main { X } }
         | c { def X { b?; a!<z>; X } main { X } }",
        WitnessKind::Unbounded,
        "",
        "a puts x into the queue to b; b takes x from a; b puts y into the queue to c; b puts y into the queue to c; \
         c takes y from b; c puts z into the queue to a; a takes z from c",
        "cycle: a puts x into the queue to b; b takes x from a; b puts y into the queue to c; b puts y into the queue to c; c takes y from b; c puts z into the queue to a; a takes z from c
         b -> c: y, Open
         b -> c: 2 sent, 1 taken
         hint: keep up, b 2 c 1
         = unbounded: the queue from `b` to `c` grows forever: each time round, `b` sends 2 messages and `c` takes 1",
    );
}

const PIPE: &str = "p { def X { q!<a>; X } main { X } } | q { def X { p?; X } main { X } }";

#[test]
fn who_may_run_ahead_need_not() {
    let put = "p puts a into the queue to q";
    let take = "q takes a from p";
    let claimed = |run: &str, cycle: &[&str]| {
        let cycle = cycle.join("; ");
        refused(PIPE, None, |network| claim(network, WitnessKind::Unbounded, run, &cycle))
    };
    assert!(matches!(claimed("", &[put]), ReplayError::Unfair(_)));
    assert_eq!(claimed("", &[put, put, take]), ReplayError::NotUnbounded);
    assert_eq!(claimed("", &[put, take]), ReplayError::NotUnbounded);
    assert_eq!(claimed("", &[]), ReplayError::NoCycle);
    let twice = format!("{put}; {put}");
    assert!(matches!(claimed(&twice, &[put, take, take]), ReplayError::NotRepeatable { .. }));
    let full =
        refused(PIPE, Some(3), |network| claim(network, WitnessKind::Unbounded, "", &[put, put, take].join("; ")));
    assert!(matches!(full, ReplayError::NotRepeatable { .. }), "{full:?}");
}

#[test]
fn a_message_that_is_taken_is_not_left() {
    let (put, take) = ("p puts a into the queue to q", "q takes a from p");
    let claimed = |run: &str, cycle: &str| refused(PIPE, None, |network| orphan(network, "p", "q", run, cycle));
    assert_eq!(claimed("", ""), ReplayError::NotLeft);
    assert_eq!(claimed(put, ""), ReplayError::NotLeft);
    assert_eq!(claimed(put, &format!("{put}; {take}")), ReplayError::NotLeft);
    assert!(matches!(claimed(put, put), ReplayError::Unfair(_)));
}

#[test]
fn nothing_is_left_in_a_queue_that_is_not_used() {
    let source = format!("{PIPE} | r {{ main {{ stop }} }}");
    let cycle = "p puts a into the queue to q; q takes a from p";
    assert_eq!(refused(&source, None, |network| orphan(network, "r", "q", "", cycle)), ReplayError::NotLeft);
}

#[test]
fn who_can_take_a_message_is_not_left_out_of_a_cycle() {
    let source = "p { def X { q!<a>; X } main { X } } | q { main { p?; stop } } | r { main { q?; stop } }";
    let error =
        refused(source, None, |network| claim(network, WitnessKind::Livelock, "", "p puts a into the queue to q"));
    assert!(matches!(error, ReplayError::Unfair(_)), "{error:?}");
}

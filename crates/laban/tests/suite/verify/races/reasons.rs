//! Servers, locks and choices by hand, each with the sentence that a reader sees.

use super::twin::{self, Twin};
use laban::equivalence::{Conditions, Mismatch, Obstacle, Reason, VerifyOptions};
use laban::{Choreography, Limits, Network, StopReason, analyse};

fn read(network: &str, choreography: &str) -> (Network, Choreography) {
    (analyse(network).into_network().unwrap(), analyse(choreography).into_choreography().unwrap())
}

fn verify(network: &Network, choreography: &Choreography, fair: bool, conditions: Conditions) -> Result<(), Mismatch> {
    let twin = Twin { network, choreography, fair, conditions };
    let wrong = twin.judge().unwrap().wrong;
    let answer = super::verify(network, choreography, fair, conditions);
    match &answer {
        Ok(()) => assert_eq!(wrong, Default::default(), "the twin disagrees"),
        Err(mismatch) => {
            assert!(wrong.contains(&twin::kind(&mismatch.reason)), "{mismatch:?} is not among {wrong:?}");
            assert!(twin.is_true(mismatch), "{mismatch:?}");
        }
    }
    answer
}

/// Checks that they agree, whether or not decisions are fair.
fn agrees(net: &str, chor: &str) {
    let (network, choreography) = read(net, chor);
    for fair in [false, true] {
        if let Err(mismatch) = verify(&network, &choreography, fair, Conditions::ByText) {
            panic!("{}", mismatch.explain(&network, &choreography));
        }
    }
}

/// Checks that they differ, the message and the hint.
fn differs(net: &str, chor: &str, sentence: &str, hint: &str) {
    let (network, choreography) = read(net, chor);
    let mismatch = verify(&network, &choreography, false, Conditions::ByText).expect_err("they do not agree");
    let diagnostic = mismatch.diagnostic(&network, &choreography);
    assert_eq!(diagnostic.message, sentence);
    assert_eq!(diagnostic.hints.join("; "), hint);
}

const SERVER: &str = "
    a { def X { s!<x>; s?; X } main { X } } | b { def X { s!<y>; s?; X } main { X } }
    | s { def X { any { a?; a!<u>; X, b?; b!<v>; X } } main { X } }";

#[test]
fn a_server_takes_whichever_request_comes_first() {
    agrees(SERVER, "def X { any { a.x -> s; s.u -> a; X, b.y -> s; s.v -> b; X } } main { X }");
}

#[test]
fn a_race_may_be_unrolled() {
    agrees(
        SERVER,
        "def X { any { a.x -> s; s.u -> a; any { b.y -> s; s.v -> b; X, a.x -> s; s.u -> a; X }, b.y -> s; s.v -> b; X } }
         main { X }",
    );
}

#[test]
fn who_races_for_the_server_is_not_overlooked() {
    differs(
        SERVER,
        "def X { a.x -> s; s.u -> a; b.y -> s; s.v -> b; X } main { X }",
        "the choreography starts with `a.x -> s`, but `b.y -> s` could come first",
        "write an `any` with all of them: `any { a.x -> s; …, b.y -> s; … }`",
    );
}

#[test]
fn an_item_that_is_missing_is_named() {
    differs(
        "a { main { s!<x>; stop } } | b { main { s!<y>; stop } } | c { main { s!<z>; stop } }
         | s { main { any { a?; any { b?; c?; stop, c?; b?; stop }, b?; a?; c?; stop, c?; a?; b?; stop } } }",
        "main { any { a.x -> s; any { b.y -> s; c.z -> s; stop, c.z -> s; b.y -> s; stop },
                      b.y -> s; a.x -> s; c.z -> s; stop } }",
        "the choreography starts with `any { a.x -> s, b.y -> s }`, but `c.z -> s` could come first",
        "add what else can happen to the `any`: `c.z -> s; …`",
    );
}

#[test]
fn an_item_that_cannot_happen_is_named() {
    differs(
        "a { main { s!<x>; stop } } | b { main { s?; s!<y>; stop } }
         | s { main { any { a?; b!<go>; b?; stop, b?; a?; stop } } }",
        "main { any { a.x -> s; s.go -> b; b.y -> s; stop, b.y -> s; a.x -> s; stop } }",
        "the choreography starts with an `any` that lists `b.y -> s`, but `b` waits for a value from `s`",
        "",
    );
}

#[test]
fn a_server_that_waits_for_one_only_does_not_race() {
    agrees(
        "a { main { s!<x>; stop } } | b { main { s?; s!<y>; stop } }
         | s { main { any { a?; b!<go>; b?; stop, b?; a?; stop } } }",
        "main { a.x -> s; s.go -> b; b.y -> s; stop }",
    );
}

#[test]
fn who_may_decide_to_take_part_decides_first() {
    let network = "a { main { s!<x>; stop } } | p { main { if late then s!<y>; stop else s!<z>; stop } }
                   | s { main { any { a?; p?; stop, p?; a?; stop } } }";
    differs(
        network,
        "main { a.x -> s; if p.late then p.y -> s; stop else p.z -> s; stop }",
        "the choreography starts with `a.x -> s`, but `p` may decide `late` first and then take part",
        "put the decision of `p` before it; what happens then may differ",
    );
    agrees(
        network,
        "main { if p.late then any { a.x -> s; p.y -> s; stop, p.y -> s; a.x -> s; stop }
                else any { a.x -> s; p.z -> s; stop, p.z -> s; a.x -> s; stop } }",
    );
}

#[test]
fn a_process_may_choose() {
    let network = "p { def X { choose { q+more; X, q+again<n>; X, q+done; stop } } main { X } }
                   | q { def X { p&{ more: X, again: X, done: stop } } main { X } }";
    agrees(network, "def X { choose p { p -> q[more]; X, p.n -> q[again]; X, p -> q[done]; stop } } main { X }");
    differs(
        network,
        "def X { choose p { p -> q[more]; X, p -> q[done]; stop } } main { X }",
        "the choreography starts with `choose p`, but `p` has to choose one of 3",
        "",
    );
    differs(
        network,
        "def X { choose p { p -> q[more]; X, p.m -> q[again]; X, p -> q[done]; stop } } main { X }",
        "after `p chooses item 2`, the choreography goes on with `p.m -> q[again]`, but `p` wants to select `again` at \
         `q`, with `n`",
        "",
    );
    differs(
        network,
        "def X { if p.c then p -> q[more]; X else p -> q[done]; stop } main { X }",
        "the choreography starts with `if p.c`, but `p` has to choose",
        "",
    );
}

#[test]
fn a_race_is_no_choice() {
    differs(
        SERVER,
        "def X { choose s { a.x -> s; s.u -> a; X, b.y -> s; s.v -> b; X } } main { X }",
        "the choreography starts with `choose s`, but `s` waits in `any { a?, b? }`",
        "",
    );
}

#[test]
fn a_decision_may_starve_and_a_race_does_not() {
    let network = "d { def X { if left then a!<x>; X else b!<x>; X } main { X } }
                   | a { def X { d?; X } main { X } } | b { def X { d?; X } main { X } }";
    let text = "def X { if d.left then d.x -> a; X else d.x -> b; X } main { X }";
    differs(
        network,
        text,
        "the choreography can repeat `d decides left: no`, `d.x -> b` forever while `a` waits for a value from `d`",
        "if `a` may wait forever, make it a service: `service a { … }` or `--service a`",
    );
    let (network, choreography) = read(network, text);
    assert_eq!(verify(&network, &choreography, true, Conditions::ByText), Ok(()));
}

#[test]
fn a_race_that_a_decision_avoids_starves() {
    // Whether a gets the lock is a race; whether b lets go of it is b's decision.
    let network = "a { main { s!<x>; stop } }
        | b { def X { s!<y>; Y } def Y { if keep then s+keep; Y else s+free; X } main { X } }
        | s { def X { any { a?; Z, b?; Y } } def Y { b&{ keep: Y, free: X } }
              def Z { b?; W } def W { b&{ keep: W, free: Z } } main { X } }";
    let text = "def X { any { a.x -> s; Z, b.y -> s; Y } }
        def Y { if b.keep then b -> s[keep]; Y else b -> s[free]; X }
        def Z { b.y -> s; W } def W { if b.keep then b -> s[keep]; W else b -> s[free]; Z } main { X }";
    differs(
        network,
        text,
        "after `b.y -> s`, the choreography can repeat `b decides keep: yes`, `b -> s[keep]` forever while `a` wants \
         to send `x` to `s`",
        "if `a` may wait forever, make it a service: `service a { … }` or `--service a`",
    );
    let (network, choreography) = read(network, text);
    assert_eq!(verify(&network, &choreography, true, Conditions::ByText), Ok(()));
}

const IDLE: &str = "a { main { s!<x>; stop } } | b { main { s!<y>; stop } }
                    | s { def X { idle any { a?; X, b?; X } } main { X } }";

#[test]
fn an_idle_server_need_not_stop() {
    agrees(IDLE, "main { any { a.x -> s; b.y -> s; stop, b.y -> s; a.x -> s; stop } }");
}

#[test]
fn an_idle_server_takes_what_comes() {
    differs(
        IDLE,
        "main { any { a.x -> s; b.y -> s; stop, b.y -> s; stop } }",
        "after `b.y -> s`, the choreography stops, but `a` wants to send `x` to `s`",
        "",
    );
}

#[test]
fn what_an_idle_process_waits_for_is_not_forgotten() {
    let network = "service a { main { s!<x>; stop } } | s { main { idle a?; p?; stop } }
                   | p { def X { q!<y>; X } main { X } } | q { def X { p?; X } main { X } }";
    differs(
        network,
        "def X { p.y -> q; X } main { X }",
        "the choreography can repeat `p.y -> q` forever although `a.x -> s` can happen",
        "",
    );
    differs(
        "service a { main { s!<x>; stop } } | s { main { idle a?; p?; stop } } | p { main { stop } }",
        "main { stop }",
        "the choreography stops at once, but `a.x -> s` can happen",
        "",
    );
    differs(
        "service a { main { b!<x>; stop } } | service b { main { a?; s!<y>; stop } } | s { main { idle b?; a?; stop } }",
        "main { stop }",
        "the choreography stops at once, but `a.x -> b` can happen, which `s` may be waiting for",
        "",
    );
}

#[test]
fn clients_that_never_come_leave_an_idle_server_alone() {
    agrees(
        "a { def X { if c then b+on; X else b+off; s!<x>; stop } main { X } }
         | b { def X { a&{ on: X, off: stop } } main { X } } | s { main { idle a?; stop } }",
        "def X { if a.c then a -> b[on]; X else a -> b[off]; a.x -> s; stop } main { X }",
    );
}

#[test]
fn parts_that_can_meet_are_not_independent() {
    differs(
        "a { main { b!<x>; stop } } | b { main { any { a?; stop, c?; a?; stop } } }
         | c { main { choose { d!<y>; stop, b!<z>; stop } } } | d { main { idle c?; stop } }",
        "main { a.x -> b; stop } || main { choose c { c.y -> d; stop, c.y -> d; stop } }",
        "at the start, `b` waits in `any { a?, c? }`, but `c` takes part in another part of the choreography than `b`",
        "write the two parts as one, without `||`",
    );
}

#[test]
fn whoever_waits_idly_and_takes_part_nowhere_is_in_nobodys_way() {
    agrees(
        "a { main { idle b?; stop } } | b { def X { if c then idle a?; X else X } main { X } }
         | d { def X { if c then X else X } main { X } }",
        "def X { if b.c then stop else X } main { X } || def X { if d.c then X else X } main { X }",
    );
    // What it waits for takes part nowhere, either.
    agrees(
        "service p { main { s!<x>; stop } } | q { def X { idle p?; X } main { X } }
         | r { def X { if c then X else X } main { X } }
         | s { def X { if c then idle p&{ l: X, m: X } else X } main { X } }",
        "def X { if s.c then stop else X } main { X } || def X { if r.c then X else X } main { X }",
    );
    // Somebody could come to it.
    differs(
        "a { main { idle b?; stop } } | b { def X { if c then a!<x>; X else X } main { X } }
         | d { def X { if c then X else X } main { X } }",
        "def X { if b.c then stop else X } main { X } || def X { if d.c then X else X } main { X }",
        "after `b decides c: yes`, the choreography stops, but `b` wants to send `x` to `a`",
        "",
    );
}

#[test]
fn only_the_name_of_a_condition_may_differ() {
    let network = "p { main { if happy then q+l; stop else q+m; stop } } | q { main { p&{ l: stop, m: stop } } }";
    let text = "main { if p.glad then p -> q[l]; stop else p -> q[m]; stop }";
    differs(
        network,
        text,
        "the choreography starts with `if p.glad`, but `p` has to decide `happy`",
        "only the name of the condition differs: `--conditions any` ignores it",
    );
    let (network, choreography) = read(network, text);
    assert_eq!(verify(&network, &choreography, false, Conditions::Any), Ok(()));
    let (_, other) = read("p { main { stop } }", "main { if p.glad then p -> q[m]; stop else p -> q[l]; stop }");
    let mismatch = verify(&network, &other, false, Conditions::Any).unwrap_err();
    assert_eq!(
        mismatch.explain(&network, &other),
        "after `p decides happy: yes`, the choreography goes on with `p -> q[m]`, but `p` wants to select `l` at `q`"
    );
}

#[test]
fn a_server_with_many_clients() {
    let clients = 256;
    let process = |client: usize| format!("c{client} {{ def X {{ s!<x>; s?; X }} main {{ X }} }} | ");
    let item = |client: usize| format!("c{client}?; c{client}!<y>; X");
    let items: Vec<String> = (0..clients).map(item).collect();
    let network: String = (0..clients).map(process).collect();
    let network = format!("{network} s {{ def X {{ idle any {{ {} }} }} main {{ X }} }}", items.join(", "));
    let item = |client: usize| format!("c{client}.x -> s; s.y -> c{client}; X");
    let items = |count: usize| (0..count).map(item).collect::<Vec<_>>().join(", ");
    let (network, all) = read(&network, &format!("def X {{ any {{ {} }} }} main {{ X }}", items(clients)));
    assert_eq!(super::verify(&network, &all, false, Conditions::ByText), Ok(()));
    let text = format!("def X {{ any {{ {} }} }} main {{ X }}", items(clients - 1));
    let most = analyse(&text).into_choreography().unwrap();
    let mismatch = super::verify(&network, &most, false, Conditions::ByText).unwrap_err();
    // The last one does not occur at all.
    assert_eq!(mismatch.explain(&network, &most), "`c255` wants to send `x` to `s`, but is not in the choreography");
    let limited = VerifyOptions { limits: Limits::states(100), ..VerifyOptions::default() };
    let answer = laban::verify(&network, &all, &limited).map_err(|error| error.to_string());
    assert_eq!(answer.unwrap_err(), format!("undecided: {}", StopReason::MaxStates(100)));
    let interrupted = Limits { max_states: None, stop: &|| Some(StopReason::Interrupted) };
    let answer = laban::verify(&network, &all, &VerifyOptions { limits: interrupted, ..VerifyOptions::default() });
    assert_eq!(answer.map_err(|error| error.to_string()).unwrap_err(), "undecided: interrupted");
}

#[test]
fn of_those_who_wait_idly_the_one_who_waits_for_it_is_named() {
    differs(
        "x { def X { y!<a>; y?; X } main { X } } | y { def X { x?; x!<b>; X } main { X } }
         | never { main { stop } } | other { main { idle never?; stop } } | w { main { idle v?; stop } }
         | service v { main { u!<m>; w!<m>; stop } } | service u { main { v?; stop } }",
        "def X { x.a -> y; y.b -> x; X } main { X }",
        "the choreography can repeat `x.a -> y`, `y.b -> x` forever although `v.m -> u` can happen, which `w` may be \
         waiting for",
        "",
    );
}

#[test]
fn of_several_things_that_are_forgotten_the_first_is_shown_as_it_is() {
    differs(
        "x { def X { y!<a>; y?; X } main { X } } | y { def X { x?; x!<b>; X } main { X } }
         | service u { main { v?; stop } } | service t { main { v?; stop } } | w { main { idle v?; stop } }
         | service v { main { any { t!<n>; w!<m>; stop, u!<m>; w!<m>; stop } } }",
        "def X { x.a -> y; y.b -> x; X } main { X }",
        "the choreography can repeat `x.a -> y`, `y.b -> x` forever although `v.m -> u` can happen, which `w` may be \
         waiting for",
        "",
    );
}

/// Before the loop only `w` waits for it; on the loop `first` does, too.
#[test]
fn who_waits_is_looked_up_where_the_loop_is() {
    differs(
        "x { def X { y!<a>; y?; X } main { first!<c>; X } } | y { def X { x?; x!<b>; X } main { X } }
         | first { main { x?; idle v?; stop } } | w { main { idle v?; stop } }
         | service v { main { u!<m>; first!<m>; w!<m>; stop } } | service u { main { v?; stop } }",
        "def X { x.a -> y; y.b -> x; X } main { x.c -> first; X }",
        "after `x.c -> first`, the choreography can repeat `x.a -> y`, `y.b -> x` forever although `v.m -> u` can \
         happen, which `first` may be waiting for",
        "",
    );
}

#[test]
fn a_decision_that_somebody_waits_for_is_not_forgotten() {
    let network = |decides: &str| {
        format!("p {{ main {{ idle q&{{ l: stop, m: stop }} }} }} | service q {{ main {{ {decides} }} }}")
    };
    differs(
        &network("if c then p+l; stop else p+m; stop"),
        "main { stop }",
        "the choreography stops at once, but `q` can decide `c`, which `p` may be waiting for",
        "",
    );
    differs(
        &network("choose { p+l; stop, p+m; stop }"),
        "main { stop }",
        "the choreography stops at once, but `q` can choose, which `p` may be waiting for",
        "",
    );
}

/// It is not known in the one part where somebody of the other is by then.
#[test]
fn who_waits_for_another_part_is_not_forgotten_there() {
    differs(
        "x { def X { y!<a>; y?; X } main { w!<k>; X } } | y { def X { x?; x!<b>; X } main { X } }
         | service v { main { p!<m>; w!<m>; stop } } | w { main { x?; idle v?; stop } }
         | p { main { any { v?; stop, q?; stop } } } | q { main { p!<y>; stop } }",
        "def X { x.a -> y; y.b -> x; X } main { x.k -> w; X } || main { q.y -> p; stop }",
        "after `x.k -> w`, `v` wants to send `m` to `p`, but `p` takes part in another part of the choreography than `v`",
        "write the two parts as one, without `||`",
    );
    // Where who waits takes part nowhere, the other part says it.
    differs(
        "x { def X { y!<a>; y?; X } main { X } } | y { def X { x?; x!<b>; X } main { X } }
         | service v { main { p!<m>; w!<m>; stop } } | w { main { idle v?; stop } }
         | p { main { any { v?; stop, q?; stop } } } | q { main { p!<y>; stop } }",
        "def X { x.a -> y; y.b -> x; X } main { X } || main { q.y -> p; stop }",
        "the choreography starts with `q.y -> p`, but `v.m -> p` could come first",
        "write an `any` with all of them: `any { q.y -> p; …, v.m -> p; … }`",
    );
}

#[test]
fn who_has_stopped_decides_no_more() {
    let chor = |decides: &str| format!("main {{ q.x -> p; {decides} }}");
    let net = "p { main { q?; stop } } | q { main { p!<x>; stop } }";
    for decides in ["if p.c then stop else stop", "choose p { stop, stop }"] {
        let (network, choreography) = read(net, &chor(decides));
        let mismatch = verify(&network, &choreography, false, Conditions::Any).expect_err("it has stopped");
        assert!(
            matches!(mismatch.reason, Reason::NotEnabled { obstacle: Obstacle::Stopped, .. }),
            "{:?}",
            mismatch.reason
        );
    }
}

//! Races with queues by hand, and services, each with the sentence that a reader sees.

use super::reasons::{agrees, differs, read};
use super::verify;
use laban::analyse;
use laban::equivalence::VerifyOptions;

const SERVER: &str = "channels queue;
    a { def X { s!<x>; s?; X } main { X } } | b { def X { s!<y>; s?; X } main { X } }
    | s { def X { any { a?; a!<u>; X, b?; b!<v>; X } } main { X } }";

#[test]
fn a_server_takes_whichever_request_comes_first() {
    agrees(SERVER, "def X { any { a.x -> s; s.u -> a; X, b.y -> s; s.v -> b; X } } main { X }");
    agrees(
        SERVER,
        "def X { any { s <~ a; s.u -> a; a.x ~> s; X, s <~ b; s.v -> b; b.y ~> s; X } } main { a.x ~> s; b.y ~> \
         s; X }",
    );
    differs(
        SERVER,
        "def X { a.x -> s; s.u -> a; b.y -> s; s.v -> b; X } main { X }",
        "the choreography starts with `a.x -> s`, but `b.y -> s` could come first",
        "write an `any` with all of them: `any { a.x -> s; …, b.y -> s; … }`",
    );
    differs(
        SERVER,
        "def X { s <~ a; s.u -> a; s <~ b; s.v -> b; a.x ~> s; b.y ~> s; X } main { a.x ~> s; b.y ~> s; X }",
        "after `a.x ~> s`, `b.y ~> s`, the choreography goes on with `s <~ a`, but `s <~ b` could come first",
        "write an `any` with all of them: `any { s <~ a; …, s <~ b; … }`",
    );
}

#[test]
fn who_could_run_ahead_is_not_held_back() {
    let net = "channels queue; a { main { s!<x>; c!<w>; stop } } | b { main { s!<y>; stop } }
        | s { main { any { a?; b?; stop, b?; a?; stop } } } | c { main { a?; stop } }";
    differs(
        net,
        "main { any { a.x -> s; b.y -> s; a.w -> c; stop, b.y -> s; a.x -> s; a.w -> c; stop } }",
        "the choreography starts with `any { a.x -> s, b.y -> s }`, but `a` could go on meanwhile: with a \
         queue, what it does next may come first",
        "put its message before, `a.x ~> s`, and list where it is taken: `s <~ a`",
    );
    agrees(net, "main { a.x ~> s; a.w -> c; any { s <~ a; b.y -> s; stop, b.y -> s; s <~ a; stop } }");
}

#[test]
fn who_has_an_answer_already_is_not_held_back() {
    let net = "channels queue; a { main { s!<x>; s?; b!<w>; stop } } | b { main { a?; s!<y>; stop } }
        | s { main { a!<u>; any { a?; b?; stop, b?; a?; stop } } }";
    differs(
        net,
        "main { s.u ~> a; a.x -> s; a <~ s; a.w -> b; b.y -> s; stop }",
        "after `s.u ~> a`, the choreography goes on with `a.x -> s`, but `a` could go on meanwhile: \
         with a queue, what it does next may come first",
        "put its message before, `a.x ~> s`, and list where it is taken: `s <~ a`",
    );
    agrees(net, "main { a.x ~> s; s.u -> a; a.w -> b; any { s <~ a; b.y -> s; stop, b.y -> s; s <~ a; stop } }");
}

#[test]
fn two_who_send_to_each_other_are_not_held_back() {
    let processes = "k { main { z!<x>; stop } } | z { main { any { k?; m?; stop, m?; k?; stop } } }
        | m { main { y!<a>; y?; z!<g>; stop } } | y { main { m!<b>; m?; stop } }";
    let sentence = "the choreography starts with `k.x -> z`, but `m` could go on meanwhile: \
                    with a queue, what it does next may come first";
    let hint = "put its message before, `m.a ~> y`, and list where it is taken: `y <~ m`";
    let net = format!("channels queue; {processes}");
    differs(&net, "main { k.x -> z; (m.a -> y, y.b -> m); m.g -> z; stop }", sentence, hint);
    let race = "any { k.x -> z; m.g -> z; stop, m.g -> z; k.x -> z; stop }";
    agrees(&net, &format!("main {{ (m.a -> y, y.b -> m); {race} }}"));
    let net = format!("channels queue, y -> m rendezvous; {processes}");
    differs(&net, "main { k.x -> z; m.a ~> y; y.b -> m; y <~ m; m.g -> z; stop }", sentence, hint);
    agrees(&net, &format!("main {{ m.a ~> y; y.b -> m; y <~ m; {race} }}"));
}

#[test]
fn who_decides_first_may_race() {
    let net = "channels queue; a { main { s!<x>; stop } } | b { main { if c then s!<y>; stop else s!<z>; stop } }
        | s { main { any { a?; b?; stop, b?; a?; stop } } }";
    differs(
        net,
        "main { a.x -> s; if b.c then b.y -> s; stop else b.z -> s; stop }",
        "the choreography starts with `a.x -> s`, but `b` may decide `c` first and then take part",
        "put the decision of `b` before it; what happens then may differ",
    );
    agrees(
        net,
        "main { if b.c then any { a.x -> s; b.y -> s; stop, b.y -> s; a.x -> s; stop }
                else any { a.x -> s; b.z -> s; stop, b.z -> s; a.x -> s; stop } }",
    );
}

#[test]
fn a_send_among_others_is_a_free_choice() {
    let net = "channels queue; a { main { any { b!<x>; stop, c!<y>; stop } } } | b { main { idle a?; stop } }
        | c { main { idle a?; stop } }";
    agrees(net, "main { any { a.x ~> b; b <~ a; stop, a.y ~> c; c <~ a; stop } }");
    agrees(net, "main { any { a.x -> b; stop, a.y ~> c; c <~ a; stop } }");
    differs(
        net,
        "main { a.x -> b; stop }",
        "the choreography starts with `a.x -> b`, but `a.y ~> c` could come first",
        "write an `any` with all of them: `any { a.x -> b; …, a.y ~> c; … }`",
    );
}

#[test]
fn what_a_service_sends_is_not_forgotten() {
    let net =
        "channels queue; a { main { b!<x>; stop } } | b { main { a?; stop } } | service s { main { b!<late>; stop } }";
    differs(
        net,
        "main { a.x -> b; stop }",
        "after `a.x -> b`, the choreography stops, but `s.late ~> b` can happen",
        "",
    );
    let net = "channels queue; a { def X { s!<x>; X } main { X } } | service s { def X { a?; X } main { X } }";
    agrees(net, "def X { a.x -> s; X } main { X }");
    agrees(net, "def X { a.x ~> s; s <~ a; X } main { X }");
}

#[test]
fn parts_that_could_meet_are_one() {
    let net = "channels queue; a { main { s!<x>; stop } } | s { main { any { a?; stop, c?; stop } } }
        | c { main { if more then s!<y>; stop else d!<y>; stop } } | d { main { idle c?; stop } }";
    differs(
        net,
        "main { a.x -> s; stop } || main { if c.more then stop else c.y -> d; stop }",
        "at the start, `s` waits in `any { a?, c? }`, but `c` takes part in another part of the choreography \
         than `s`",
        "write the two parts as one, without `||`",
    );
}

#[test]
fn a_service_that_takes_part_nowhere_is_in_nobodys_way() {
    agrees(
        "channels q -> p queue; service p { main { q?; stop } } | q { def X { if c then idle p?; X else X } main { X } }
         | r { def X { if c then X else X } main { X } }",
        "def X { if q.c then stop else X } main { X } || def X { if r.c then X else X } main { X }",
    );
}

#[test]
fn a_service_is_left_in_the_middle_where_it_waits_for_more() {
    let left = |net: &str, chor: &str| -> Vec<String> {
        let (network, choreography) = read(net, chor);
        assert_eq!(verify(&network, &choreography, false), Ok(()));
        let left = laban::equivalence::services_left(&network, &choreography, &VerifyOptions::default());
        left.iter().map(|left| left.reason(&network)).collect()
    };
    let net = |client: &str| {
        format!(
            "channels queue; client {{ main {{ {client} }} }}
             | service log {{ def X {{ client&{{begin: client?; X, note: X}} }} main {{ X }} }}"
        )
    };
    let chor = "main { client ~> log[begin]; client ~> log[note]; log <~ client; stop }";
    assert!(analyse(chor).into_choreography().is_err(), "a message is left");
    let whole = net("log+begin; log!<x>; log+note; stop");
    assert!(
        left(
            &whole,
            "main { client ~> log[begin]; client.x ~> log; log <~ client; log <~ client; client -> log[note]; stop }"
        )
        .is_empty()
    );
    assert!(left(&whole, "main { (client -> log[begin], client.x -> log, client -> log[note]); stop }").is_empty());
    let half = net("log+note; log+begin; stop");
    assert_eq!(
        left(&half, "main { client ~> log[note]; client ~> log[begin]; log <~ client; log <~ client; stop }"),
        ["service `log` may be left in the middle: at the end it still waits for a value from `client`"],
    );
}

#[test]
fn who_may_not_be_held_back_is_told_how_to_put_a_label_with_a_value() {
    differs(
        "channels queue; a { main { s+l<x>; c!<w>; stop } } | b { main { s!<y>; stop } }
         | s { main { any { a&{ l: b?; stop }, b?; a&{ l: stop } } } } | c { main { a?; stop } }",
        "main { any { a.x -> s[l]; b.y -> s; a.w -> c; stop, b.y -> s; a.x -> s[l]; a.w -> c; stop } }",
        "the choreography starts with `any { a.x -> s[l], b.y -> s }`, but `a` could go on meanwhile: with a \
         queue, what it does next may come first",
        "put its message before, `a.x ~> s[l]`, and list where it is taken: `s <~ a`",
    );
}

/// What is handed over is put, and then nobody else can come to the receiver.
#[test]
fn a_message_that_is_taken_before_others_can_come_is_handed_over() {
    agrees(
        "channels queue; a { main { s!<x>; c!<w>; stop } } | c { main { a?; stop } }
         | b { main { s?; s!<y>; stop } } | s { main { any { a?; b!<go>; b?; stop, b?; a?; stop } } }",
        "main { a.x -> s; a.w -> c; s.go -> b; b.y -> s; stop }",
    );
    let processes = |sends: &str, takes: &str| {
        format!(
            "a {{ main {{ {sends} d?; b!<w>; stop }} }} | b {{ main {{ a?; s!<y>; stop }} }}
             | d {{ main {{ s?; a!<k>; stop }} }}
             | s {{ main {{ any {{ {takes} d!<go>; b?; stop, b?; {takes} d!<go>; stop }} }} }}"
        )
    };
    let rest = "s.go -> d; d.k -> a; a.w -> b; b.y -> s; stop";
    agrees(&format!("channels queue; {}", processes("s!<x>;", "a?;")), &format!("main {{ a.x -> s; {rest} }}"));
    // There is room for no more than that.
    agrees(
        &format!("channels queue, a -> s queue 1; {}", processes("s!<x>; s!<v>;", "a?; a?;")),
        &format!("main {{ a.x -> s; a.v -> s; {rest} }}"),
    );
}

#[test]
fn what_a_service_that_takes_part_sends_is_not_forgotten() {
    differs(
        "channels queue; x { def X { y!<a>; X } main { s!<b>; X } } | y { def X { x?; X } main { X } }
         | service s { main { x?; y!<late>; stop } }",
        "def X { x.a -> y; X } main { x.b -> s; X }",
        "after `x.b -> s`, the choreography can repeat `x.a -> y` forever although `s.late ~> y` can happen",
        "",
    );
}

/// The same queue is empty on the loop that is met first.
#[test]
fn a_message_that_stays_on_one_of_two_loops_is_found() {
    differs(
        "channels queue; p { main { if c then r+l; stop else r+m; q!<x>; stop } }
         | q { def X { r&{ go: X, end: p?; stop } } main { X } }
         | r { def L { q+go; L } def M { if more then q+go; M else q+end; stop } main { p&{ l: L, m: M } } }",
        "def L { r -> q[go]; L } def M { if r.more then r -> q[go]; M else r -> q[end]; q <~ p; stop }
         main { if p.c then p -> r[l]; L else p -> r[m]; p.x ~> q; M }",
        "after `p decides c: no`, `p -> r[m]`, `p.x ~> q`, the choreography can repeat `r decides more: yes`, \
         `r -> q[go]` forever while `x` from `p` stays in the queue to `q`: `q` waits for a label from `r`",
        "",
    );
}

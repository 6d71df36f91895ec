//! What is said of lists that are long, of what is rare in a race, and of where a stranger comes in.

use super::verify;
use laban::choreography::Choreography;
use laban::network::Network;
use laban::{Diagnostic, analyse};

/// What is said of a choreography that does not describe a network, and the text that it points at.
fn said(net: &str, chor: &str) -> (Diagnostic, String) {
    let network: Network = analyse(net).into_network().unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let choreography: Choreography = analyse(chor).into_choreography().unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let mismatch = verify(&network, &choreography).expect_err("they do not agree");
    let diagnostic = mismatch.diagnostic(&network, &choreography);
    let span = diagnostic.primary.span;
    let place = chor[span.start as usize..span.end as usize].to_string();
    (diagnostic, place)
}

/// What is said where a race lists all clients of a server but the last.
fn race(clients: usize) -> String {
    let name = |client: usize| format!("c{client}");
    let process = |client: usize| format!("{} {{ def X {{ s!<x>; X }} main {{ X }} }} | ", name(client));
    let items: Vec<String> = (0..clients).map(|client| format!("{}?; X", name(client))).collect();
    let network: String = (0..clients).map(process).collect();
    let network = format!("{network} s {{ def X {{ any {{ {} }} }} main {{ X }} }}", items.join(", "));
    let items = |count: usize| {
        let items: Vec<String> = (0..count).map(|client| format!("{}.x -> s; X", name(client))).collect();
        items.join(", ")
    };
    let text = format!("def X {{ any {{ {} }} }} main {{ any {{ {} }} }}", items(clients - 1), items(clients));
    let (diagnostic, _) = said(&network, &text);
    let (_, rest) = diagnostic.message.split_once("goes on with ").unwrap();
    rest.to_string()
}

#[test]
fn a_race_of_four_is_shown_whole_and_a_longer_one_is_cut() {
    assert_eq!(race(3), "`any { c0.x -> s, c1.x -> s }`, but `c2.x -> s` could come first");
    assert_eq!(race(5), "`any { c0.x -> s, c1.x -> s, c2.x -> s, c3.x -> s }`, but `c4.x -> s` could come first");
    assert_eq!(race(6), "`any { c0.x -> s, c1.x -> s, c2.x -> s, … }`, but `c5.x -> s` could come first");
    assert_eq!(race(9), "`any { c0.x -> s, c1.x -> s, c2.x -> s, … }`, but `c8.x -> s` could come first");
}

#[test]
fn who_decides_in_a_race_is_shown() {
    let network = |decides: &str| {
        format!(
            "a {{ main {{ s!<x>; stop }} }} | b {{ main {{ s!<y>; stop }} }} | c {{ main {{ {decides} }} }}
             | s {{ main {{ any {{ a?; b?; c?; stop, b?; a?; c?; stop, c?; a?; b?; stop }} }} }}"
        )
    };
    let rest = "a.x -> s; b.y -> s; c.z -> s; stop";
    let (diagnostic, _) = said(
        &network("if late then s!<z>; stop else s!<z>; stop"),
        &format!(
            "main {{ any {{ a.x -> s; b.y -> s; if c.late then c.z -> s; stop else c.z -> s; stop, if c.late then {rest} else {rest} }} }}"
        ),
    );
    assert_eq!(
        diagnostic.message,
        "the choreography starts with `any { a.x -> s, if c.late }`, but `b.y -> s` could come first"
    );
    let (diagnostic, _) = said(
        &network("choose { s!<z>; stop, s!<z>; stop }"),
        &format!(
            "main {{ any {{ a.x -> s; b.y -> s; choose c {{ c.z -> s; stop, c.z -> s; stop }}, choose c {{ {rest}, {rest} }} }} }}"
        ),
    );
    assert_eq!(
        diagnostic.message,
        "the choreography starts with `any { a.x -> s, choose c }`, but `b.y -> s` could come first"
    );
}

#[test]
fn of_many_who_still_run_the_first_are_named_and_the_others_counted() {
    let network = |count: usize| {
        let waits: String = (0..count).map(|number| format!(" | w{number} {{ main {{ a?; stop }} }}")).collect();
        format!("a {{ main {{ stop }} }}{waits}")
    };
    let told = |count: usize| (0..count).map(|number| format!("a.x -> w{number}; ")).collect::<String>();
    for (count, named) in [
        (4, ", `w2` waits for a value from `a` and `w3` waits for a value from `a`"),
        (5, ", `w2` waits for a value from `a` and 2 more"),
        (6, ", `w2` waits for a value from `a` and 3 more"),
        (9, ", `w2` waits for a value from `a` and 6 more"),
    ] {
        // They take part after a decision that nobody comes to.
        let chor = format!("main {{ if b.c then stop else {} stop }}", told(count));
        let net = format!("{} | b {{ main {{ if c then stop else stop }} }}", network(count));
        let (diagnostic, place) = said(&net, &chor);
        let first = "after `b decides c: yes`, the choreography stops, but `w0` waits for a value from `a`, \
                     `w1` waits for a value from `a`";
        assert_eq!(diagnostic.message, format!("{first}{named}"));
        assert_eq!(place, "stop");
    }
}

#[test]
fn a_stranger_is_shown_where_it_first_takes_part() {
    let net = "channels queue; p { main { stop } } | q { main { stop } }";
    let place = |chor: &str| {
        let (diagnostic, place) = said(net, chor);
        assert_eq!(diagnostic.message, "the choreography has a process `z`, which is not in the network");
        place
    };
    assert_eq!(place("def X { q <~ p; q <~ z; stop } main { p.x ~> q; z.x ~> q; X }"), "q <~ z");
    assert_eq!(place("def X { q <~ p; z <~ p; stop } main { p.x ~> q; p.x ~> z; X }"), "z <~ p");
    assert!(place("main { if p.c then if z.d then p.x -> q; stop else stop else stop }").starts_with("if z.d"));
    assert!(place("main { choose p { choose z { stop, stop }, stop } }").starts_with("choose z"));
}

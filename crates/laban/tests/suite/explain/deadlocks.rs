//! Networks that deadlock, at least one for every class of failure, with all that is known about each.
//!
//! A process that is stuck reads `process: action, why, in or on which cause`.

use super::facts::check_deadlock;

#[test]
fn two_wait_for_each_other() {
    check_deadlock(
        "p { main { q?; q!<x>; stop } }
         | q { main { p?; p!<y>; stop } }",
        "p: q?, both receive, in 0
         q: p?, both receive, in 0
         0: circle: p q
         = deadlock: `p` and `q` wait for each other: both want to receive",
    );
}

#[test]
fn two_offer_to_each_other() {
    check_deadlock(
        "p { main { q&{l: q+m; stop} } }
         | q { main { p&{m: p+l; stop} } }",
        "p: q&{l}, both receive, in 0
         q: p&{m}, both receive, in 0
         0: circle: p q
         = deadlock: `p` and `q` wait for each other: both wait for a label",
    );
}

#[test]
fn three_wait_in_a_circle() {
    check_deadlock(
        "a { main { c?; b!<x>; stop } }
         | b { main { a?; c!<y>; stop } }
         | c { main { b?; a!<z>; stop } }",
        "a: c?, waits for b, in 0
         b: a?, waits for c, in 0
         c: b?, waits for a, in 0
         0: circle: a c b
         = deadlock: `a` waits for `c`, `c` for `b` and `b` for `a`",
    );
}

#[test]
fn a_circle_has_a_tail() {
    check_deadlock(
        "a { main { c?; b!<x>; stop } }
         | b { main { a?; c!<y>; stop } }
         | c { main { b?; a!<z>; d!<z>; stop } }
         | d { main { c?; e!<z>; stop } }
         | e { main { d?; stop } }",
        "a: c?, waits for b, in 0
         b: a?, waits for c, in 0
         c: b?, waits for a, in 0
         d: c?, waits for b, on 0
         e: d?, waits for c, on 0
         0: circle: a c b
         = deadlock: `a` waits for `c`, `c` for `b` and `b` for `a`, and `d` and `e` wait for them",
    );
}

#[test]
fn crossed_sends_would_work_with_asynchrony() {
    check_deadlock(
        "left { main { right!<offer>; right?; stop } }
         | right { main { left!<counteroffer>; left?; stop } }",
        "left: right!<offer>, both send, in 0
         right: left!<counteroffer>, both send, in 0
         0: circle: left right
         hint: asynchrony, left right
         = deadlock: `left` and `right` wait for each other: both want to send",
    );
}

#[test]
fn crossed_sends_that_nobody_receives_would_not() {
    check_deadlock(
        "p { main { q!<x>; stop } }
         | q { main { p!<y>; stop } }",
        "p: q!<x>, both send, in 0
         q: p!<y>, both send, in 0
         0: circle: p q
         = deadlock: `p` and `q` wait for each other: both want to send",
    );
}

#[test]
fn crossed_selections() {
    check_deadlock(
        "p { main { q+l; q&{m: stop} } }
         | q { main { p+m; p&{l: stop} } }",
        "p: q+l, both send, in 0
         q: p+m, both send, in 0
         0: circle: p q
         hint: asynchrony, p q
         = deadlock: `p` and `q` wait for each other: both want to select",
    );
}

#[test]
fn three_send_in_a_circle() {
    check_deadlock(
        "a { main { b!<x>; c?; stop } }
         | b { main { c!<y>; a?; stop } }
         | c { main { a!<z>; b?; stop } }",
        "a: b!<x>, waits for c, in 0
         b: c!<y>, waits for a, in 0
         c: a!<z>, waits for b, in 0
         0: circle: a b c
         hint: asynchrony, a b c
         = deadlock: `a` waits for `b`, `b` for `c` and `c` for `a`",
    );
}

#[test]
fn one_sender_in_a_circle_holds_up_the_rest() {
    check_deadlock(
        "p { main { q!<x>; r!<y>; stop } }
         | q { main { r?; p?; stop } }
         | r { main { p?; q!<z>; stop } }",
        "p: q!<x>, waits for r, in 0
         q: r?, waits for p, in 0
         r: p?, waits for q, in 0
         0: circle: p q r
         hint: asynchrony, p
         = deadlock: `p` waits for `q`, `q` for `r` and `r` for `p`",
    );
}

#[test]
fn the_partner_has_stopped() {
    check_deadlock(
        "writer { main { reader!<page1>; reader!<page2>; stop } }
         | reader { main { writer?; writer?; writer?; stop } }",
        "run: writer.page1 -> reader; writer.page2 -> reader
         reader: writer?, stopped, in 0
         0: stopped writer: reader
         = deadlock: `reader` waits for a value from `writer`, which has stopped",
    );
}

#[test]
fn several_wait_for_one_who_has_stopped() {
    check_deadlock(
        "p { main { q!<x>; stop } }
         | q { main { p?; p?; stop } }
         | r { main { p?; stop } }",
        "run: p.x -> q
         q: p?, stopped, in 0
         r: p?, stopped, in 0
         0: stopped p: q r
         = deadlock: `q` and `r` wait for `p`, which has stopped",
    );
}

#[test]
fn an_orphan_send() {
    check_deadlock(
        "p { main { q!<x>; q!<y>; stop } }
         | q { main { p?; stop } }",
        "run: p.x -> q
         p: q!<y>, stopped, in 0
         0: stopped q: p
         = deadlock: `p` wants to send `y` to `q`, which has stopped",
    );
}

#[test]
fn an_orphan_selection() {
    check_deadlock(
        "p { main { q!<x>; q+l; stop } }
         | q { main { p?; stop } }",
        "run: p.x -> q
         p: q+l, stopped, in 0
         0: stopped q: p
         = deadlock: `p` wants to select `l` at `q`, which has stopped",
    );
}

#[test]
fn an_offer_to_one_who_has_stopped() {
    check_deadlock(
        "p { main { q!<x>; stop } }
         | q { main { p?; p&{l: stop, m: stop} } }",
        "run: p.x -> q
         q: p&{l m}, stopped, in 0
         0: stopped p: q
         = deadlock: `q` waits for a label from `p`, which has stopped",
    );
}

#[test]
fn a_tail_on_one_who_waits_for_a_stopped_one() {
    check_deadlock(
        "a { main { b?; stop } }
         | b { main { c?; a!<x>; stop } }
         | c { main { stop } }
         | d { main { b!<y>; stop } }",
        "a: b?, waits for c, on 0
         b: c?, stopped, in 0
         d: b!<y>, waits for c, on 0
         0: stopped c: b
         = deadlock: `b` waits for a value from `c`, which has stopped, and `a` and `d` wait for `b`",
    );
}

#[test]
fn a_label_is_not_offered() {
    check_deadlock(
        "buyer { main { seller?; if happy then seller+ok; stop else seller+cancel; stop } }
         | seller { def Serve { buyer!<price>; buyer&{ok: stop, again: Serve} } main { Serve } }",
        "run: seller.price -> buyer; buyer decides happy: no
         buyer: seller+cancel, cancel not in ok again, in 0
         seller: buyer&{ok again}, cancel not in ok again, in 0
         0: mismatch: buyer seller
         hint: label, meant None
         hint: buyer but for buyer.happy false
         = deadlock: `buyer` wants to select `cancel` at `seller`, which offers only `ok` and `again`",
    );
}

#[test]
fn a_label_is_misspelt() {
    check_deadlock(
        "p { main { q+cancle; stop } }
         | q { main { p&{ok: stop, cancel: stop} } }",
        "p: q+cancle, cancle not in ok cancel, in 0
         q: p&{ok cancel}, cancle not in ok cancel, in 0
         0: mismatch: p q
         hint: label, meant Some(\"cancel\")
         = deadlock: `p` wants to select `cancle` at `q`, which offers only `ok` and `cancel`",
    );
}

#[test]
fn a_value_meets_an_offer() {
    check_deadlock(
        "customer { main { bank!<amount>; bank?; stop } }
         | bank { main { customer&{deposit: customer!<receipt>; stop, withdraw: customer!<cash>; stop} } }",
        "customer: bank!<amount>, value for label, in 0
         bank: customer&{deposit withdraw}, value for label, in 0
         0: mismatch: customer bank
         hint: value for label, customer bank
         = deadlock: `customer` wants to send `amount` to `bank`, which expects a label: `deposit` or `withdraw`",
    );
}

#[test]
fn a_label_meets_a_receive() {
    check_deadlock(
        "p { main { q+ok; stop } }
         | q { main { p?; stop } }",
        "p: q+ok, label for value, in 0
         q: p?, label for value, in 0
         0: mismatch: p q
         hint: label for value, p q
         = deadlock: `p` wants to select `ok` at `q`, which expects a value",
    );
}

#[test]
fn a_mismatch_has_a_tail() {
    check_deadlock(
        "p { main { q+ok; r!<x>; stop } }
         | q { main { p?; stop } }
         | r { main { p?; stop } }",
        "p: q+ok, label for value, in 0
         q: p?, label for value, in 0
         r: p?, waits for q, on 0
         0: mismatch: p q
         hint: label for value, p q
         = deadlock: `p` wants to select `ok` at `q`, which expects a value, and `r` waits for `p` and `q`",
    );
}

#[test]
fn a_failure_after_a_loop() {
    check_deadlock(
        "p { def X { q!<x>; if more then q+more; X else q+done; q?; stop } main { X } }
         | q { def X { p?; p&{more: X, done: stop} } main { X } }",
        "run: p.x -> q; p decides more: no; p -> q[done]
         p: q?, stopped, in 0
         0: stopped q: p
         hint: p but for p.more false
         = deadlock: `p` waits for a value from `q`, which has stopped",
    );
}

#[test]
fn a_failure_in_an_else_branch_only() {
    check_deadlock(
        "buyer { main { seller!<order>; seller&{yes: shipper?; stop, no: stop} } }
         | seller { main { buyer?; if inStock then buyer+yes; shipper!<parcel>; stop else buyer+no; stop } }
         | shipper { main { seller?; buyer!<parcel>; stop } }",
        "run: buyer.order -> seller; seller decides inStock: no; seller -> buyer[no]
         shipper: seller?, stopped, in 0
         0: stopped seller: shipper
         hint: shipper but for seller.inStock false
         hint: seller tells shipper
         hint: idle shipper
         = deadlock: `shipper` waits for a value from `seller`, which has stopped",
    );
}

#[test]
fn a_failure_in_a_then_branch_only() {
    check_deadlock(
        "p { main { if c then q+l; q?; stop else q+m; stop } }
         | q { main { p&{l: p?; stop, m: stop} } }",
        "run: p decides c: yes; p -> q[l]
         p: q?, both receive, in 0
         q: p?, both receive, in 0
         0: circle: p q
         hint: p but for p.c true
         = deadlock: `p` and `q` wait for each other: both want to receive",
    );
}

#[test]
fn one_is_told_but_forgets_to_pass_it_on() {
    check_deadlock(
        "p { main { if c then q+l; stop else q+m; stop } }
         | q { main { p&{l: r!<x>; stop, m: stop} } }
         | r { main { q?; stop } }",
        "run: p decides c: no; p -> q[m]
         r: q?, stopped, in 0
         0: stopped q: r
         hint: r but for p.c false
         hint: q tells r
         hint: idle r
         = deadlock: `r` waits for a value from `q`, which has stopped",
    );
}

#[test]
fn a_failure_that_no_decision_could_avert() {
    check_deadlock(
        "p { main { if c then q+l; stop else q+m; stop } }
         | q { main { p&{l: p?; stop, m: p?; stop} } }",
        "run: p decides c: yes; p -> q[l]
         q: p?, stopped, in 0
         0: stopped p: q
         = deadlock: `q` waits for a value from `p`, which has stopped",
    );
}

#[test]
fn a_decision_of_somebody_else_is_not_blamed() {
    check_deadlock(
        "d { main { if c then p!<x>; stop else p!<y>; stop } }
         | p { main { d?; q?; stop } }
         | q { main { p?; stop } }",
        "run: d decides c: yes; d.x -> p
         p: q?, both receive, in 0
         q: p?, both receive, in 0
         0: circle: p q
         = deadlock: `p` and `q` wait for each other: both want to receive",
    );
}

#[test]
fn services_wait_besides_a_deadlock() {
    check_deadlock(
        "p { main { q?; log!<x>; stop } }
         | q { main { p?; stop } }
         | service log { def L { p?; L } main { L } }
         | service idle { main { log?; stop } }",
        "p: q?, both receive, in 0
         q: p?, both receive, in 0
         waiting service log: p?, waits for q, free
         waiting service idle: log?, waits for p, free
         0: circle: p q
         = deadlock: `p` and `q` wait for each other: both want to receive",
    );
}

#[test]
fn a_service_holds_somebody_up() {
    check_deadlock(
        "p { main { s?; stop } }
         | service s { main { q?; p!<x>; stop } }
         | q { main { s+l; stop } }
         | r { main { p?; stop } }",
        "p: s?, waits for q, on 0
         service s: q?, label for value, in 0
         q: s+l, label for value, in 0
         r: p?, waits for s, on 0
         0: mismatch: q s
         hint: label for value, q s
         = deadlock: `q` wants to select `l` at `s`, which expects a value, and `p` and `r` wait for `q` and `s`",
    );
}

#[test]
fn a_service_in_a_circle() {
    check_deadlock(
        "p { main { s?; stop } }
         | service s { main { p?; p!<x>; stop } }",
        "p: s?, both receive, in 0
         service s: p?, both receive, in 0
         0: circle: p s
         = deadlock: `p` and `s` wait for each other: both want to receive",
    );
}

#[test]
fn a_service_waits_for_one_who_has_stopped() {
    check_deadlock(
        "p { main { s?; stop } }
         | service s { main { q?; p!<x>; stop } }
         | q { main { stop } }",
        "p: s?, waits for q, on 0
         service s: q?, stopped, in 0
         0: stopped q: s
         = deadlock: `s` waits for a value from `q`, which has stopped, and `p` waits for `s`",
    );
}

#[test]
fn a_server_outlives_its_client() {
    check_deadlock(
        "client { main { server!<x>; server?; stop } }
         | server { def Serve { client?; client!<y>; Serve } main { Serve } }",
        "run: client.x -> server; server.y -> client
         server: client?, stopped, in 0
         0: stopped client: server
         hint: services server
         = deadlock: `server` waits for a value from `client`, which has stopped",
    );
}

#[test]
fn two_causes_at_once() {
    check_deadlock(
        "a { main { b?; x?; stop } }
         | b { main { a?; x!<v>; stop } }
         | c { main { d+no; stop } }
         | d { main { c&{yes: a!<v>; stop} } }
         | x { main { y?; a!<v>; b?; stop } }
         | y { main { stop } }",
        "a: b?, both receive, in 1
         b: a?, both receive, in 1
         c: d+no, no not in yes, in 0
         d: c&{yes}, no not in yes, in 0
         x: y?, stopped, in 2
         0: mismatch: c d
         1: circle: a b
         2: stopped y: x
         hint: label, meant None
         = deadlock: `c` wants to select `no` at `d`, which offers only `yes`; `a` and `b` wait for each other: both want to receive; and there is one more cause",
    );
}

#[test]
fn four_causes_at_once() {
    check_deadlock(
        "a { main { b?; h!<v>; stop } }
         | b { main { a?; stop } }
         | c { main { d?; h!<v>; stop } }
         | d { main { c?; stop } }
         | e { main { f!<x>; h!<v>; f?; stop } }
         | f { main { e!<x>; e?; stop } }
         | g { main { h?; stop } }
         | h { main { stop } }",
        "a: b?, both receive, in 0
         b: a?, both receive, in 0
         c: d?, both receive, in 1
         d: c?, both receive, in 1
         e: f!<x>, both send, in 2
         f: e!<x>, both send, in 2
         g: h?, stopped, in 3
         0: circle: a b
         1: circle: c d
         2: circle: e f
         3: stopped h: g
         hint: asynchrony, e f
         = deadlock: `a` and `b` wait for each other: both want to receive; `c` and `d` wait for each other: both want to receive; and there are 2 more causes",
    );
}

#[test]
fn one_component_of_several() {
    check_deadlock(
        "a { main { b!<x>; stop } }
         | b { main { a?; stop } }
         | p { main { q?; stop } }
         | q { main { p?; stop } }",
        "p: q?, both receive, in 0
         q: p?, both receive, in 0
         0: circle: p q
         = deadlock: `p` and `q` wait for each other: both want to receive",
    );
}

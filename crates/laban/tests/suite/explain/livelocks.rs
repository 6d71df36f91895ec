//! Networks that livelock, with all that is known about each.
//!
//! The two texts after the network are the run and the cycle.

use super::facts::check_livelock;

#[test]
fn r_may_starve() {
    check_livelock(
        "p { def X { if e then q+left; X else q+right; r!<e>; stop } main { X } }
         | q { def X { p&{left: X, right: stop} } main { X } }
         | r { main { p?; stop } }",
        "",
        "p decides e: yes; p -> q[left]",
        "cycle: p decides e: yes; p -> q[left]
         r: p?, busy, in 0
         0: busy p: r
         p does p decides e: yes; p -> q[left]
         hint: r but for p.e true
         hint: services r
         = livelock: `r` may never act: `p` and `q` can loop forever without it",
    );
}

#[test]
fn r_is_never_served_at_all() {
    check_livelock(
        "p { def X { if e then q+left; X else q+right; X } main { X } }
         | q { def X { p&{left: X, right: X} } main { X } }
         | r { main { p?; stop } }",
        "",
        "p decides e: no; p -> q[right]",
        "cycle: p decides e: no; p -> q[right]
         r: p?, busy, in 0
         0: busy p: r
         p does p decides e: no; p -> q[right]
         hint: services r
         = livelock: `r` may never act: `p` and `q` can loop forever without it",
    );
}

#[test]
fn two_starve() {
    check_livelock(
        "d { def X { if a then left!<job>; X else if b then right!<job>; X else other!<job>; X } main { X } }
         | left { def W { d?; W } main { W } }
         | right { def W { d?; W } main { W } }
         | other { def W { d?; W } main { W } }",
        "",
        "d decides a: no; d decides b: no; d.job -> other",
        "cycle: d decides a: no; d decides b: no; d.job -> other
         left: d?, busy, in 0
         right: d?, busy, in 0
         0: busy d: left right
         d does d decides a: no; d decides b: no; d.job -> other
         hint: right but for d.b false
         hint: services left right
         = livelock: `left` and `right` may never act: `d` and `other` can loop forever without them",
    );
}

#[test]
fn a_starving_process_has_a_tail() {
    check_livelock(
        "p { def X { if e then q!<x>; X else r!<x>; X } main { X } }
         | q { def X { p?; X } main { X } }
         | r { def X { p?; s!<x>; X } main { X } }
         | s { def X { r?; X } main { X } }",
        "p decides e: no; p.x -> r; r.x -> s",
        "p decides e: yes; p.x -> q",
        "run: p decides e: no; p.x -> r; r.x -> s
         cycle: p decides e: yes; p.x -> q
         r: p?, busy, in 0
         s: r?, starves on p, on 0
         0: busy p: r
         p does p decides e: yes; p.x -> q
         hint: r but for p.e true
         hint: services r s
         = livelock: `r` and `s` may never act: `p` and `q` can loop forever without them",
    );
}

#[test]
fn two_block_each_other_while_others_go_round() {
    check_livelock(
        "p { def X { q!<x>; X } main { X } }
         | q { def X { p?; X } main { X } }
         | r { main { s?; p?; stop } }
         | s { main { r?; stop } }",
        "",
        "p.x -> q",
        "cycle: p.x -> q
         r: s?, both receive, in 0
         s: r?, both receive, in 0
         0: circle: r s
         hint: services r s
         = livelock: `r` and `s` may never act: `p` and `q` can loop forever without them; `r` and `s` wait for each other: both want to receive",
    );
}

#[test]
fn one_waits_for_a_stopped_one_while_others_go_round() {
    check_livelock(
        "p { def X { q!<x>; X } main { r!<go>; X } }
         | q { def X { p?; X } main { X } }
         | r { main { p?; s?; stop } }
         | s { main { stop } } ",
        "p.go -> r",
        "p.x -> q",
        "run: p.go -> r
         cycle: p.x -> q
         r: s?, stopped, in 0
         0: stopped s: r
         hint: services r
         = livelock: `r` may never act: `p` and `q` can loop forever without it; `r` waits for a value from `s`, which has stopped",
    );
}

#[test]
fn a_service_stands_between_the_starving_and_the_busy() {
    check_livelock(
        "p { def X { if e then q!<x>; X else s!<x>; X } main { X } }
         | q { def X { p?; X } main { X } }
         | service s { def X { p?; r!<x>; X } main { X } }
         | r { def X { s?; X } main { X } }",
        "",
        "p decides e: yes; p.x -> q",
        "cycle: p decides e: yes; p.x -> q
         service s: p?, busy, in 0
         r: s?, waits for p, on 0
         0: busy p: s
         p does p decides e: yes; p.x -> q
         hint: s but for p.e true
         hint: services r
         = livelock: `r` may never act: `p` and `q` can loop forever without it",
    );
}

#[test]
fn a_label_is_never_offered_while_others_go_round() {
    check_livelock(
        "p { def X { q!<x>; X } main { X } }
         | q { def X { p?; X } main { X } }
         | r { main { s+no; p!<x>; stop } }
         | s { main { r&{yes: stop} } }",
        "",
        "p.x -> q",
        "cycle: p.x -> q
         r: s+no, no not in yes, in 0
         s: r&{yes}, no not in yes, in 0
         0: mismatch: r s
         hint: label, meant None
         hint: services r s
         = livelock: `r` and `s` may never act: `p` and `q` can loop forever without them; `r` wants to select `no` at `s`, which offers only `yes`",
    );
}

#[test]
fn one_goes_round_alone() {
    check_livelock(
        "p { def X { if e then X else q!<x>; stop } main { X } }
         | q { main { p?; stop } }",
        "",
        "p decides e: yes",
        "cycle: p decides e: yes
         q: p?, busy, in 0
         0: busy p: q
         p does p decides e: yes
         hint: q but for p.e true
         hint: services q
         = livelock: `q` may never act: `p` can loop forever without it",
    );
}

#[test]
fn a_service_starves_and_may() {
    check_livelock(
        "p { def X { if e then q!<x>; X else s!<x>; X } main { X } }
         | q { def X { p?; X } main { X } }
         | service s { def X { p?; X } main { X } }
         | r { main { p!<y>; stop } }",
        "",
        "p decides e: yes; p.x -> q",
        "cycle: p decides e: yes; p.x -> q
         r: p!<y>, busy, in 0
         waiting service s: p?, busy, free
         0: busy p: r
         p does p decides e: yes; p.x -> q
         hint: services r
         = livelock: `r` may never act: `p` and `q` can loop forever without it",
    );
}

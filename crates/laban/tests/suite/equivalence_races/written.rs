//! What is said of choices and races, of conditions by any name, and what counts as a difference.

use crate::equivalence::words;
use laban::equivalence::{Bounds, Conditions, Equivalence, EquivalenceOptions, System, compare, equivalent_networks};
use laban::network::Network;
use laban::{Limits, Model, analyse};

fn net(text: &str) -> Network {
    analyse(text).into_network().unwrap_or_else(|_| panic!("{text}"))
}

#[track_caller]
fn check_by(conditions: Conditions, one: &str, other: &str, expected: &str) {
    let options = EquivalenceOptions { conditions, ..EquivalenceOptions::default() };
    let words = match equivalent_networks(&net(one), &net(other), &options) {
        Equivalence::Same { ends, .. } => {
            ends.map_or("same".to_string(), |ends| ends.sentence("the first", "the second"))
        }
        Equivalence::Undecided { .. } => "unknown".to_string(),
        Equivalence::Different(difference) => difference.sentence("the first", "the second"),
    };
    assert_eq!(words, expected);
}

#[track_caller]
fn check(one: &str, other: &str, expected: &str) {
    check_by(Conditions::ByText, one, other, expected);
}

const CLIENTS: &str = " | a { def X { s!<x>; X } main { X } } | b { def X { s!<y>; X } main { X } }";

#[test]
fn the_order_of_items_is_no_difference() {
    let one = format!("s {{ def X {{ any {{ a?; X, b?; X }} }} main {{ X }} }}{CLIENTS}");
    let other = format!("s {{ def X {{ any {{ b?; X, a?; any {{ a?; X, b?; X }} }} }} main {{ X }} }}{CLIENTS}");
    check(&one, &other, "same");
}

#[test]
fn who_is_not_heard_any_more_makes_a_difference() {
    let one = format!("s {{ def X {{ any {{ a?; X, b?; X }} }} main {{ X }} }}{CLIENTS}");
    let other = format!("s {{ def X {{ any {{ a?; a?; X, b?; X }} }} main {{ X }} }}{CLIENTS}");
    check(
        &one,
        &other,
        "after `a.x -> s`, the first can do `b.y -> s`, but the second cannot: there, `s` waits for a value from `a`",
    );
    check(
        &other,
        &one,
        "after `a.x -> s`, the second can do `b.y -> s`, but the first cannot: there, `s` waits for a value from `a`",
    );
}

#[test]
fn what_a_race_waits_for_is_listed() {
    check(
        "s { main { any { a?; stop, b?; stop } } } | a { main { s!<x>; stop } } | b { main { s!<y>; stop } }",
        "s { main { any { a&l; stop, b?; stop } } } | a { main { s!<x>; stop } } | b { main { s!<y>; stop } }",
        "the first can do `a.x -> s`, but the second cannot: there, `s` does whichever comes first: it waits for the \
         label `l` from `a`, or waits for a value from `b`",
    );
}

#[test]
fn a_race_that_only_one_of_them_has_is_found_when_it_matters() {
    // In the first `s` waits for `a` alone. In the second it would listen to `b` as well, but `b` comes too late.
    let first = "s { main { a?; b?; stop } } | a { main { s!<x>; b!<x>; stop } } | b { main { a?; s!<y>; stop } }";
    let second = "s { main { any { a?; b?; stop, b?; stop } } } | a { main { s!<x>; b!<x>; stop } }
        | b { main { a?; s!<y>; stop } }";
    check(first, second, "same");
    let in_time = "s { main { any { a?; b?; stop, b?; stop } } } | a { main { b!<x>; s!<x>; stop } }
        | b { main { a?; s!<y>; stop } }";
    let alone = "s { main { a?; b?; stop } } | a { main { b!<x>; s!<x>; stop } } | b { main { a?; s!<y>; stop } }";
    check(
        alone,
        in_time,
        "after `a.x -> b`, the second can do `b.y -> s`, but the first cannot: there, `s` waits for a value from `a`",
    );
}

#[test]
fn somebody_who_decides_forever_does_not_hide_the_others() {
    let with = |value: &str| {
        format!(
            "p {{ main {{ any {{ r?; r?; stop, q?; stop }} }} }} | r {{ main {{ p!<x>; p!<{value}>; stop }} }}
             | q {{ def X {{ if e then X else if f then X else X }} main {{ X }} }}"
        )
    };
    check(
        &with("y"),
        &with("z"),
        "after `r.x -> p`, the first can do `r.y -> p`, but the second cannot: there, `r` sends `z` to `p`",
    );
    check(&with("y"), &with("y").replace("q?; stop", "q?; r?; stop"), "same");
}

#[test]
fn what_comes_after_a_race_of_others_that_goes_on_forever_is_not_forgotten() {
    let with = |last: &str| {
        format!(
            "a {{ def X {{ any {{ b!<x>; X, b!<y>; X }} }} main {{ d+go; X }} }}
             | b {{ def X {{ any {{ a?; X, a&l; X }} }} main {{ X }} }}
             | c {{ def X {{ any {{ d!<v>; d!<{last}>; X, d+m; stop }} }} main {{ X }} }}
             | d {{ def X {{ c?; X }} main {{ a&go; X }} }}"
        )
    };
    check(
        &with("v"),
        &with("w"),
        "after `a -> d[go]`, `c.v -> d`, the first can do `c.v -> d`, but the second cannot: there, `c` sends `w` to `d`",
    );
}

#[test]
fn choices_have_the_same_number_of_items_in_the_same_order() {
    let with = |arms: &str| {
        format!("p {{ main {{ choose {{ {arms} }} }} }} | q {{ main {{ p&{{ l: stop, m: stop, n: stop }} }} }}")
    };
    let three = with("q+l; stop, q+m; stop, q+n; stop");
    check(
        &three,
        &with("q+l; stop, q+m; stop"),
        "the first can let `p` choose item 3, but the second cannot: there, `p` chooses one of 2 items",
    );
    check(
        &three,
        "p { main { q+l; stop } } | q { main { p&l; stop } }",
        "the first can let `p` choose, but the second cannot: there, `p` selects `l` at `q`",
    );
    check(
        &three,
        &with("q+l; stop, q+n; stop, q+m; stop"),
        "after `p chooses item 2`, the first can do `p -> q[m]`, but the second cannot: there, `p` selects `n` at `q`",
    );
}

#[test]
fn a_labelled_value_is_neither_the_label_nor_the_value() {
    let with = |message: &str| format!("p {{ main {{ {message}; stop }} }} | q {{ main {{ p&{{ l: stop }} }} }}");
    check(&with("q+l<x>"), &with("q+l<x>"), "same");
    check(
        &with("q+l<x>"),
        &with("q+l"),
        "the first can do `p.x -> q[l]`, but the second cannot: there, `p` selects `l` at `q`",
    );
    check(
        &with("q+l<x>"),
        &with("q+l<y>"),
        "the first can do `p.x -> q[l]`, but the second cannot: there, `p` selects `l` at `q`, with `y`",
    );
}

#[test]
fn waiting_where_it_is_idle_is_as_good_as_having_stopped() {
    let with = |rest: &str| format!("a {{ main {{ b!<x>; stop }} }} | b {{ main {{ a?; {rest} }} }}");
    check(&with("idle a?; stop"), &with("stop"), "same");
    check(&with("stop"), &with("idle a?; stop"), "same");
    let words = "after `a.x -> b`, `b` waits for a value from `a` forever in the first but has stopped in the second";
    check(&with("a?; stop"), &with("stop"), words);
    let words = "after `a.x -> b`, `b` waits for a value from `a` or waits for the label `l` from `a` forever in the \
        second but has stopped in the first";
    check(&with("stop"), &with("any { a?; stop, a&l; stop }"), words);
    check(&with("stop"), &with("idle any { a?; stop, a&l; stop }"), "same");
}

const DECIDES: &str = "p { main { if e then q+l; q!<x>; stop else q+m; stop } }";
const ALSO_DECIDES: &str = "p { main { if f then q+l; q!<y>; stop else q+m; stop } }";

#[test]
fn conditions_by_another_name_are_a_difference_that_can_be_ignored() {
    let with = |p: &str, rest: &str| format!("{p} | q {{ main {{ p&{{ l: p?; {rest}, m: stop }} }} }}");
    for rest in ["stop", "choose { stop, stop }"] {
        let (one, other) = (with(DECIDES, rest), with(ALSO_DECIDES, rest));
        check(
            &one,
            &other,
            "the first can let `p` decide `e`, but the second cannot: there, `p` decides `f`; only the name of the \
             condition differs: `--conditions any` ignores it",
        );
        check_by(Conditions::Any, &one, &one.replace("if e", "if g"), "same");
        // The run has the words of the first.
        check_by(
            Conditions::Any,
            &one,
            &other,
            "after `p decides e: yes`, `p -> q[l]`, the first can do `p.x -> q`, but the second cannot: there, `p` \
             sends `y` to `q`",
        );
        check_by(
            Conditions::Any,
            &other,
            &one.replace("if e then", "q+l; if e then"),
            "the first can let `p` decide `f`, but the second cannot: there, `p` selects `l` at `q`",
        );
    }
}

#[test]
fn places_are_found_in_both_whatever_the_names_of_conditions() {
    let rest = " | q { main { p&{ l: p?; stop, m: stop } } }";
    let (one, other) = (net(&format!("{DECIDES}{rest}")), net(&format!("{ALSO_DECIDES}{rest}")));
    let options = EquivalenceOptions { conditions: Conditions::Any, ..EquivalenceOptions::default() };
    let answer = equivalent_networks(&one, &other, &options);
    let difference = answer.difference().unwrap();
    let words =
        |network: &Network| -> Vec<String> { difference.steps(network).into_iter().map(|place| place.label).collect() };
    assert_eq!(words(&one), ["p decides e: yes", "p -> q[l]"]);
    assert_eq!(words(&other), ["p decides f: yes", "p -> q[l]"]);
}

#[test]
fn a_limit_leaves_races_undecided() {
    let one = net(&format!("s {{ def X {{ any {{ a?; X, b?; X }} }} main {{ X }} }}{CLIENTS}"));
    let other =
        net(&format!("s {{ def X {{ any {{ a?; X, b?; any {{ a?; X, b?; b?; X }} }} }} main {{ X }} }}{CLIENTS}"));
    let limits = Limits { max_states: Some(1), ..Limits::default() };
    let answer = equivalent_networks(&one, &other, &EquivalenceOptions { limits, ..EquivalenceOptions::default() });
    assert!(matches!(answer, Equivalence::Undecided { .. }));
    assert!(equivalent_networks(&one, &other, &EquivalenceOptions::default()).difference().is_some());
}

/// Compares two choreographies, or a choreography and a network.
#[track_caller]
fn check_written(conditions: Conditions, one: &str, other: &str, expected: &str) {
    let models = [one, other].map(|text| match analyse(text).into_network() {
        Ok(network) => Model::Network(network),
        Err(_) => Model::Choreography(analyse(text).into_choreography().unwrap_or_else(|_| panic!("{text}"))),
    });
    let [one, other] = models.each_ref().map(|model| match model {
        Model::Network(network) => System::Network(network),
        Model::Choreography(choreography) => System::Choreography(choreography),
    });
    let options = EquivalenceOptions { conditions, ..EquivalenceOptions::default() };
    let comparison = compare(one, other, &options, Bounds::default());
    assert_eq!(words(&comparison.answer), expected);
}

#[test]
fn items_of_a_written_race_are_a_set() {
    check_written(
        Conditions::ByText,
        "def X { any { a.x -> s; X, b.y -> s; X } } main { X }",
        "def X { any { b.y -> s; X, a.x -> s; any { b.y -> s; X, a.x -> s; X } } } main { X }",
        "same",
    );
}

#[test]
fn written_conditions_are_compared_by_who_decides_on_demand() {
    let one = "def X { if a.e then a -> b[l]; X else a -> b[m]; stop } main { X }";
    let other = one.replace("a.e", "a.f");
    check_written(Conditions::Any, one, &other, "same");
    // Nobody tells `b`, so it has no projection and is compared as written.
    let one = "main { if a.e then b.x -> c; d.v -> f; stop else b.y -> c; d.v -> f; stop }";
    let other = "main { d.v -> f; if a.g then b.x -> c; stop else b.y -> c; stop }";
    check_written(Conditions::Any, one, other, "same");
    check_written(
        Conditions::ByText,
        one,
        other,
        "the first can let `a` decide `e`, but the second cannot; only the name of the condition differs: \
         `--conditions any` ignores it",
    );
}

#[test]
fn what_concerns_no_item_may_come_before_a_written_race() {
    // Nobody tells `b`, so these have no projection.
    let unknown = "if a.e then b.x -> a; stop else b.y -> a; stop";
    check_written(
        Conditions::ByText,
        &format!("main {{ any {{ p.x -> s; d.v -> f; {unknown}, q.y -> s; d.v -> f; {unknown} }} }}"),
        &format!("main {{ d.v -> f; any {{ q.y -> s; {unknown}, p.x -> s; {unknown} }} }}"),
        "same",
    );
    check_written(
        Conditions::ByText,
        &format!("main {{ any {{ p.x -> s; d.v -> f; {unknown}, q.y -> s; d.w -> f; {unknown} }} }}"),
        &format!("main {{ d.v -> f; any {{ q.y -> s; {unknown}, p.x -> s; {unknown} }} }}"),
        "the second can do `d.v -> f`, but the first cannot",
    );
    check_written(
        Conditions::ByText,
        &format!("main {{ choose p {{ d.v -> f; {unknown}, d.v -> f; {unknown} }} }}"),
        &format!("main {{ d.v -> f; choose p {{ {unknown}, {unknown} }} }}"),
        "same",
    );
    check_written(
        Conditions::ByText,
        &format!("main {{ choose p {{ {unknown}, {unknown} }} }}"),
        &format!("main {{ choose p {{ {unknown}, stop }} }}"),
        "the first can let `a` decide `e`, but the second cannot",
    );
}

//! What would have happened if a decision had gone the other way, or if channels held messages: what is tried, for how
//! long, and who could have told of the decision.

use super::{network, steps};
use laban::extraction::explain::{Hint, Witness, WitnessKind, explain};
use laban::network::Network;
use laban::semantics::Configuration;

/// The hints about a deadlock after a run. All processes are in one component.
fn hints(network: &Network, run: &str) -> Vec<Hint> {
    let run = steps(network, &mut Configuration::start(network), run);
    let component = network.process_ids().collect();
    explain(network, &Witness { kind: WitnessKind::Deadlock, component, run, cycle: Vec::new() }).unwrap().hints
}

/// Who would have got further if somebody had decided otherwise, and who decided that.
fn further(source: &str, run: &str) -> Option<(String, String)> {
    let network = network(source);
    let name = |process| network.process_name(process).to_string();
    hints(&network, run).into_iter().find_map(|hint| match hint {
        Hint::OtherOutcome { decider, process, .. } => Some((name(process), name(decider))),
        _ => None,
    })
}

/// Who should tell a process of a decision.
fn teller(source: &str, run: &str) -> Option<String> {
    let network = network(source);
    hints(&network, run).into_iter().find_map(|hint| match hint {
        Hint::Tell { teller, .. } => Some(network.process_name(teller).to_string()),
        _ => None,
    })
}

#[test]
fn if_one_decides_otherwise_the_others_decide_as_they_did() {
    // If `e` decided otherwise as well, `d` would wait for it and never come to `r`.
    let source = "d { main { if c then e?; r!<x>; stop else e?; stop } }
         | e { main { if f then d!<y>; stop else stop } } | r { main { d?; stop } }";
    let found = further(source, "d decides c: no; e decides f: yes; e.y -> d");
    assert_eq!(found, Some(("r".to_string(), "d".to_string())));
}

#[test]
fn a_trial_takes_ten_thousand_steps_and_four_for_each_process() {
    // If `p` decides otherwise, it sends so many messages to `q`, and then one to `r`.
    let helps = |count: usize| {
        let source = format!(
            "p {{ main {{ if c then stop else {}r!<y>; stop }} }} | service q {{ def X {{ p?; X }} main {{ X }} }}
             | r {{ main {{ p?; stop }} }}",
            "q!<x>; ".repeat(count)
        );
        further(&source, "p decides c: yes").is_some()
    };
    let most = 10_000 + 4 * 3;
    assert!(helps(1) && helps(most - 1));
    assert!(!helps(most));
}

#[test]
fn channels_that_hold_messages_are_tried_for_sixteen_actions_of_each() {
    // Before `q` takes what `p` sends, it sends so many messages itself.
    let helps = |count: usize| {
        let network = network(&format!(
            "p {{ main {{ q!<a>; {}stop }} }} | q {{ main {{ {}p?; stop }} }}",
            "q?; ".repeat(count),
            "p!<b>; ".repeat(count)
        ));
        hints(&network, "").iter().any(|hint| matches!(hint, Hint::Asynchrony { .. }))
    };
    assert!(helps(1) && helps(15));
    assert!(!helps(16));
}

#[test]
fn of_several_who_know_of_a_decision_the_one_who_is_waited_for_should_tell() {
    let source = "d { main { if c then a+l; b+l; stop else a+m; b+m; stop } }
         | a { main { d&{l: stop, m: p!<x>; stop} } } | b { main { d&{l: stop, m: p!<y>; stop} } }";
    let run = "d decides c: yes; d -> a[l]; d -> b[l]";
    for (behaviour, expected) in [("a?; b?; stop", "a"), ("b?; a?; stop", "b")] {
        let found = teller(&format!("{source} | p {{ main {{ {behaviour} }} }}"), run);
        assert_eq!(found.as_deref(), Some(expected), "{behaviour}");
    }
}

#[test]
fn who_has_no_dealings_with_a_process_should_not_tell_it() {
    // `b` is told the same at first, whatever was decided, so that only `a` knows at once.
    let source = |a: &str, p: &str| {
        format!(
            "d {{ main {{ if c then a+l; b+hi; b+l; stop else a+m; b+hi; b+m; stop }} }}
             | a {{ main {{ d&{{l: stop, m: {a}}} }} }} | b {{ main {{ d&hi; d&{{l: stop, m: p!<y>; stop}} }} }}
             | p {{ main {{ b?; {p} }} }}"
        )
    };
    let run = "d decides c: yes; d -> a[l]; d -> b[hi]; d -> b[l]";
    let found = |a: &str, p: &str| teller(&source(a, p), run);
    assert_eq!(found("stop", "stop").as_deref(), Some("d"));
    // It is enough that one of both deals with the other.
    assert_eq!(found("p!<z>; stop", "stop").as_deref(), Some("a"));
    assert_eq!(found("stop", "a?; stop").as_deref(), Some("a"));
}

#[test]
fn who_learns_of_a_decision_only_after_a_process_has_acted_should_not_tell_it() {
    // If `d` decides otherwise, `a` is told after `p` has got `y`.
    let source = |told: &str| {
        format!(
            "d {{ main {{ if c then b+hi; b+l; stop else b+hi; b+m; stop }} }}
             | b {{ main {{ d&hi; d&{{l: a+l; stop, m: {told}}} }} }} | a {{ main {{ b&{{l: stop, m: stop}} }} }}
             | p {{ main {{ b?; a?; stop }} }}"
        )
    };
    let run = "d decides c: yes; d -> b[hi]; d -> b[l]; b -> a[l]";
    assert_eq!(teller(&source("p!<y>; a+m; stop"), run).as_deref(), Some("d"));
    assert_eq!(teller(&source("a+m; p!<y>; stop"), run).as_deref(), Some("a"));
}

#[test]
fn who_learns_of_a_decision_too_late_to_be_sure_should_not_tell() {
    // If `d` decides otherwise, it sends so many messages to `x` before it tells `a`.
    let found = |count: usize| {
        let source = format!(
            "d {{ main {{ if c then a+l; stop else {}a+m; stop }} }} | a {{ main {{ d&{{l: stop, m: p!<y>; stop}} }} }}
             | p {{ main {{ a?; stop }} }} | service x {{ def X {{ d?; X }} main {{ X }} }}
             | service s {{ main {{ d?; stop }} }} | service t {{ main {{ d?; stop }} }}
             | service u {{ main {{ p?; stop }} }} | service v {{ main {{ p?; stop }} }}",
            "x!<x>; ".repeat(count)
        );
        teller(&source, "d decides c: yes; d -> a[l]")
    };
    // Each look at a process counts: one for each message, one for the label, and three at `p`, `u` and `v`, who cannot
    // act, nor can those whom they wait for.
    let most = 10_000 + 4 * 8;
    for (count, expected) in [(1, "a"), (most - 4, "a"), (most - 3, "d")] {
        assert_eq!(found(count).as_deref(), Some(expected), "{count} messages");
    }
}

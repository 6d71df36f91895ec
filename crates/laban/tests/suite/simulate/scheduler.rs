//! What a scheduler chooses.

use super::{go, networks, read};
use laban::semantics::Step;
use laban::simulate::{Rule, Scheduler, Session};

fn run(network: &laban::network::Network, seed: u64, rules: Vec<Rule>) -> Vec<String> {
    let mut session = Session::new(network);
    go(&mut session, &mut Scheduler::new(seed, rules), 100);
    described(network, &session)
}

fn described(network: &laban::network::Network, session: &Session<'_>) -> Vec<String> {
    session.taken().iter().map(|taken| taken.step.describe(network).to_string()).collect()
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let mut different = 0;
    for seed in 0..100 {
        let network = networks::any(seed);
        assert_eq!(run(&network, seed, Vec::new()), run(&network, seed, Vec::new()));
        different += usize::from(run(&network, seed, Vec::new()) != run(&network, seed + 1, Vec::new()));
    }
    assert!(different > 10, "{different}");
}

#[test]
fn a_seed_gives_the_same_run_forever() {
    let network = read(
        "a { def X { if c then b+l; X else b+m; X } main { X } } | b { def X { a&{l: X, m: X} } main { X } }
         | c { def X { d!<x>; X } main { X } } | d { def X { c?; X } main { X } }",
    );
    let shown = run(&network, 7, Vec::new())[..6].join("; ");
    assert_eq!(shown, "a decides c: yes; a -> b[l]; c.x -> d; c.x -> d; c.x -> d; c.x -> d");
}

#[test]
fn actions_and_outcomes_are_equally_likely() {
    let network = read(
        "a { def X { if c then X' else X' } def X' { b!<x>; X } main { X } } | b { def X { a?; X } main { X } }
         | c { def X { d!<x>; X } main { X } } | d { def X { c?; X } main { X } }
         | e { def X { f!<x>; X } main { X } } | f { def X { e?; X } main { X } }",
    );
    let mut counts = [0_i32; 3];
    let mut yes = [0_i32; 2];
    let mut session = Session::new(&network);
    let mut scheduler = Scheduler::new(1, Vec::new());
    go(&mut session, &mut scheduler, 30_000);
    for taken in session.taken() {
        if let Step::Decision { holds, .. } = taken.step {
            yes[usize::from(holds)] += 1;
        }
        let who = taken.step.actors().next().unwrap();
        counts[who.index() / 2] += 1;
    }
    assert!(counts.iter().all(|&count| (count - 10_000).abs() < 400), "{counts:?}");
    assert!((yes[0] - yes[1]).abs() < 300, "{yes:?}");
}

#[test]
fn each_way_that_a_race_or_a_choice_can_go_is_equally_likely() {
    let network = read(
        "a { def X { any { b!<x>; X, c!<y>; X } } main { X } } | b { def X { a?; X } main { X } }
         | c { def X { a?; X } main { X } } | d { def X { choose { e!<x>; X, e!<y>; X, e!<z>; X } } main { X } }
         | e { def X { d?; X } main { X } }",
    );
    let count = |steps: &[String], what: &str| steps.iter().filter(|step| step.starts_with(what)).count() as i32;
    let run = |rules: Vec<Rule>| {
        let mut session = Session::new(&network);
        go(&mut session, &mut Scheduler::new(5, rules), 9_000);
        described(&network, &session)
    };
    let free = run(Vec::new());
    let [to_b, to_c] = ["a.x -> b", "a.y -> c"].map(|step| count(&free, step));
    let chosen = [1, 2, 3].map(|item| count(&free, &format!("d chooses item {item}")));
    // Three actions at a time: the two of the race, and what `d` does.
    assert!([to_b, to_c].iter().all(|times| (times - 3_000).abs() < 200), "{to_b}, {to_c}");
    assert!(chosen.iter().all(|times| (times - 500).abs() < 100), "{chosen:?}");
    let process = network.process_named("d").unwrap();
    // There is no fifth item, so the rule for it does not apply.
    let fixed = run(vec![Rule::Choice { process, arm: 1 }, Rule::Choice { process, arm: 4 }]);
    assert_eq!(count(&fixed, "d chooses item 2"), chosen.iter().sum());
    assert_eq!([to_b, to_c], ["a.x -> b", "a.y -> c"].map(|step| count(&fixed, step)));
}

#[test]
fn a_rule_decides_and_changes_nothing_else() {
    let network = read(
        "a { def X { if c then X' else X' } def X' { b!<x>; X } main { X } } | b { def X { a?; X } main { X } }
         | c { def X { d!<x>; X } main { X } } | d { def X { c?; X } main { X } }",
    );
    let process = network.process_named("a").unwrap();
    let condition = network.names().find("c").unwrap();
    let rule = |holds| Rule::Decision { process, condition, holds };
    let free = run(&network, 3, Vec::new());
    let yes = run(&network, 3, vec![rule(true)]);
    let no = run(&network, 3, vec![rule(true), rule(false)]);
    assert!(free.iter().any(|step| step == "a decides c: yes") && free.iter().any(|step| step == "a decides c: no"));
    assert!(!yes.iter().any(|step| step == "a decides c: no"));
    assert!(!no.iter().any(|step| step == "a decides c: yes"));
    let undecided = |steps: &[String]| -> Vec<String> {
        steps.iter().map(|step| step.split(':').next().unwrap().to_string()).collect()
    };
    assert_eq!(undecided(&yes), undecided(&free));
    assert_eq!(undecided(&no), undecided(&free));
}

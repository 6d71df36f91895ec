//! Steps and actions as data, and what lies in queues.

use laban::analyse;
use laban::network::{Content, Interaction, Network, ProcessId};
use laban::semantics::{Action, Configuration, Step};

fn network(text: &str) -> Network {
    analyse(text).into_network().unwrap()
}

/// Two processes of a network, what one sends the other, and a condition.
fn parts(network: &Network) -> (Interaction, [Action; 6]) {
    let (from, to) = (ProcessId(0), ProcessId(1));
    let steps = Configuration::start(network).steps(network);
    let Some(&Step::Decision { process, condition, .. }) = steps.first() else { panic!("{steps:?}") };
    let interaction = Interaction { from, to, content: Content::Value(condition) };
    let actions = [
        Action::Interaction(interaction),
        Action::Put(interaction),
        Action::Take(interaction),
        Action::Decision { process, condition },
        Action::Choice { process, arms: 3 },
        Action::Race,
    ];
    (interaction, actions)
}

#[test]
fn actions_are_described_without_their_outcomes() {
    let network = network("p { main { if c then q!<x>; stop else q!<y>; stop } } | q { main { p?; stop } }");
    let (_, actions) = parts(&network);
    let words = actions.map(|action| action.describe(&network).to_string());
    let expected = [
        "p.c -> q",
        "p puts c into the queue to q",
        "q takes c from p",
        "p decides c",
        "p chooses",
        "whichever comes first",
    ];
    assert_eq!(words, expected);
}

#[test]
fn an_action_has_a_step_for_each_outcome() {
    let network = network("p { main { if c then q!<x>; stop else q!<y>; stop } } | q { main { p?; stop } }");
    let (interaction, actions) = parts(&network);
    assert_eq!(actions.map(|action| action.outcomes()), [1, 1, 1, 2, 3, 0]);
    assert_eq!(actions.map(Action::is_decision), [false, false, false, true, true, false]);
    for action in actions {
        let steps: Vec<Step> = action.steps().collect();
        assert_eq!(steps.len(), action.outcomes());
        assert!(steps.iter().all(|step| step.is_decision() == action.is_decision()), "{steps:?}");
        let carried = steps.iter().all(|step| step.interaction() == (!action.is_decision()).then_some(interaction));
        assert!(carried, "{steps:?}");
    }
    let steps: Vec<String> = actions[3].steps().map(|step| step.describe(&network).to_string()).collect();
    assert_eq!(steps, ["p decides c: yes", "p decides c: no"]);
}

#[test]
fn queues_list_who_has_sent_what_to_whom() {
    let network = network(
        "channels queue; p { main { r!<x>; q!<y>; q+l; stop } } | q { main { p?; p&{l: stop} } } | r { main { p?; stop } }",
    );
    let mut at = Configuration::start(&network);
    assert_eq!(at.queues.iter().count(), 0);
    while let Some(step) = at.steps_of(&network, ProcessId(0)).first() {
        assert!(at.take(&network, *step));
    }
    let listed: Vec<(u32, u32, Vec<String>)> = at
        .queues
        .iter()
        .map(|(from, to, all)| (from.0, to.0, all.map(|content| content.describe(&network).to_string()).collect()))
        .collect();
    let [one, two] = [vec!["y", "[l]"], vec!["x"]].map(|all| all.into_iter().map(str::to_string).collect());
    assert_eq!(listed, [(0, 1, one), (0, 2, two)]);
}

#[test]
fn who_may_wait_forever_is_dead_and_not_deadlocked() {
    let network = network(
        "p { main { stop } } | service s { main { p?; stop } } | i { main { idle p?; stop } } | q { main { p?; stop } }",
    );
    let at = Configuration::start(&network);
    let all: Vec<ProcessId> = network.process_ids().collect();
    let waits = at.waits(&network, &all);
    assert_eq!(waits.dead().collect::<Vec<_>>(), all);
    assert_eq!(waits.deadlocked(&network, |process| at.at(&network, process)), [ProcessId(3)]);
}

//! Which actions meet: as a walk through all interleavings finds it.

use crate::cases;
use laban::generate::{Parameters, fuzz, network};
use laban::network::{Content, Interaction, Network, State, StateId};
use laban::semantics::{Configuration, Step};
use laban::{ExtractOptions, Limits, Verdict};
use std::collections::BTreeSet;

/// The items of a race, or the state itself.
fn items(network: &Network, state: StateId) -> Vec<StateId> {
    match network.state(state) {
        State::Any { items } => network.arms(items).to_vec(),
        _ => vec![state],
    }
}

/// Who meets whom in any run by rendezvous; nothing if there are too many configurations.
fn twin(network: &Network) -> Option<BTreeSet<(StateId, StateId)>> {
    let start = Configuration::start(network);
    let mut known = BTreeSet::from([start.clone()]);
    let (mut work, mut pairs) = (vec![start], BTreeSet::new());
    while let Some(at) = work.pop() {
        if known.len() > 3000 {
            return None;
        }
        for step in at.steps(network) {
            if let Step::Interaction(Interaction { from, to, content }) = step {
                let sends = |item: &StateId| match (network.state(*item), content) {
                    (State::Send { to: partner, expression, .. }, Content::Value(value)) => {
                        (partner, expression) == (to, value)
                    }
                    (State::Select { to: partner, label, .. }, Content::Label(selected)) => {
                        (partner, label) == (to, selected)
                    }
                    (
                        State::SelectValue { to: partner, label, expression, .. },
                        Content::LabelledValue { label: l, value },
                    ) => (partner, label, expression) == (to, l, value),
                    _ => false,
                };
                let receives = |item: &StateId| match network.state(*item) {
                    State::Receive { from: partner, .. } => partner == from && content.label().is_none(),
                    State::Offer { from: partner, branches } => {
                        partner == from
                            && content.label().is_some_and(|label| network.branch(branches, label).is_some())
                    }
                    _ => false,
                };
                let sender = items(network, at.at(network, from)).into_iter().find(sends);
                let receiver = items(network, at.at(network, to)).into_iter().find(receives);
                pairs.extend(sender.zip(receiver));
            }
            let mut next = at.clone();
            assert!(next.take(network, step));
            if known.insert(next.clone()) {
                work.push(next);
            }
        }
    }
    Some(pairs)
}

#[test]
fn the_actions_that_meet_are_those_of_all_interleavings() {
    let (mut complete, mut failed) = (0, 0);
    for seed in 0..cases(300) {
        let parameters = Parameters::new(8, 4, 2, 1).with_races(seed as u32 % 3);
        let Ok(generated) = network(&parameters, seed) else { continue };
        let (changed, _) = fuzz(&generated.network_tree, u32::from(seed % 3 == 2), u32::from(seed % 5 == 4), seed);
        let text = laban::Compact(&changed).to_string();
        let Ok(network) = laban::analyse(text.as_str()).into_network() else { continue };
        let Some(expected) = twin(&network) else { continue };
        let extraction = laban::extract(&network, &ExtractOptions::default()).unwrap();
        let meetings = extraction.meetings(&network, &Limits::default());
        let found: BTreeSet<(StateId, StateId)> = meetings.pairs().iter().copied().collect();
        assert_eq!(meetings.is_complete(), extraction.verdict() == Verdict::Extracted, "seed {seed}: {text}");
        match meetings.is_complete() {
            true => {
                assert_eq!(found, expected, "seed {seed}: {text}");
                complete += 1;
            }
            false => {
                assert!(found.is_subset(&expected), "seed {seed}: {text}");
                failed += 1;
            }
        }
    }
    assert!(complete > 100 && failed > 5, "{complete} {failed}");
}

#[test]
fn a_message_meets_who_takes_it_from_the_queue() {
    let text = "channels queue; p { main { q!<a>; q+l; q!<b>; stop } } | q { main { p?; p&{ l: p?; stop } } }";
    let network = laban::analyse(text).into_network().unwrap();
    let extraction = laban::extract(&network, &ExtractOptions::default()).unwrap();
    let meetings = extraction.meetings(&network, &Limits::default());
    let met: Vec<[&str; 2]> = meetings
        .pairs()
        .iter()
        .map(|&(sender, receiver)| [sender, receiver].map(|state| network.origin(state).text(text)))
        .collect();
    assert_eq!(met, [["q!<a>", "p?"], ["q+l", "p&{ l: p?; stop }"], ["q!<b>", "p?"]]);
    let (sender, receiver) = meetings.pairs()[0];
    assert_eq!(meetings.of(sender).collect::<Vec<_>>(), [receiver]);
    assert_eq!(meetings.of(receiver).collect::<Vec<_>>(), [sender]);
}

#[test]
fn a_walk_has_limits() {
    let network = laban::analyse("p { main { q!<a>; stop } } | q { main { p?; stop } }").into_network().unwrap();
    let extraction = laban::extract(&network, &ExtractOptions::default()).unwrap();
    assert!(!extraction.meetings(&network, &Limits::states(1)).is_complete());
}

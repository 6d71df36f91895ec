//! What hints say is true, and what they propose cures the failure. Both are checked on random networks, with nothing
//! but single steps of the network: a hint is taken at its word, the edit is made, and the run is tried again.

use super::edited::{Edited, SPARE};
use super::network;
use super::networks::{random_circle, random_deciders, random_go_between, random_labels, random_telling};
use super::random::{random_loop, random_network};
use crate::cases;
use laban::extraction::explain::{Explanation, Hint, ReplayError, Witness, WitnessKind, explain};
use laban::generate::SeededRng;
use laban::network::{Branch, Content, Interaction, Network, ProcessId, State, StateId};
use laban::semantics::{Configuration, Step};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// An explanation and what it is about.
struct Case<'a> {
    network: &'a Network,
    explanation: &'a Explanation,
    steps: Vec<Step>,
}

impl Case<'_> {
    /// The configuration before a step.
    fn before(&self, index: usize) -> Configuration {
        let mut at = Configuration::start(self.network);
        self.steps[..index].iter().for_each(|&step| assert!(at.take(self.network, step)));
        at
    }

    fn end(&self) -> Edited {
        Edited::new(self.network, &self.before(self.steps.len()))
    }

    /// The last decision of a process.
    fn last_decision(&self, decider: ProcessId) -> usize {
        let decides = |step: &Step| matches!(step, Step::Decision { process, .. } if *process == decider);
        self.steps.iter().rposition(decides).expect("it has decided")
    }

    /// Checks a hint, and says of which kind it is.
    fn check(&self, hint: &Hint) -> &'static str {
        match hint {
            Hint::OtherOutcome { decider, condition, holds, process, stops } => {
                let index = self.last_decision(*decider);
                let made = Step::Decision { process: *decider, condition: *condition, holds: *holds };
                assert_eq!(self.steps[index], made);
                let mut edited = Edited::new(self.network, &self.before(index));
                assert!(edited.take(Step::Decision { process: *decider, condition: *condition, holds: !holds }));
                match stops {
                    true => assert_eq!(edited.state(*process), State::Stop),
                    false => assert!(edited.can_act(*process)),
                }
                if *stops { "stops" } else { "can go on" }
            }
            Hint::Tell { decider, process, teller, told_if: None, .. } if teller == decider => {
                self.told_in_each_branch(*decider, *process);
                "tell in each branch"
            }
            Hint::Tell { decider, process, teller, told_if: None, .. } => {
                self.told_by_who_knows(*decider, *teller, *process);
                "tell by who knows"
            }
            Hint::Tell { decider, process, told_if: Some(told), .. } => {
                let Step::Decision { holds, .. } = self.steps[self.last_decision(*decider)] else { panic!() };
                assert_ne!(holds, *told, "it is not told in this branch");
                let mut edited = self.end();
                let new = edited.label("new");
                let [stop, told] = [*decider, *process].map(|process| edited.add(process, State::Stop));
                assert_eq!(edited.state(*decider), State::Stop);
                edited.put(*decider, State::Select { to: *process, label: new, next: stop });
                let offer = edited.state(*process);
                let offer = edited.with_branch(offer, new, told);
                edited.put(*process, offer);
                let content = Content::Label(new);
                assert!(edited.take(Step::Interaction(Interaction { from: *decider, to: *process, content })));
                assert_eq!(edited.state(*process), State::Stop);
                "tell in the other branch"
            }
            Hint::Label { selects, offers, label, meant, offered } => {
                let mut edited = self.end();
                let (offer, stop) = (edited.state(*offers), edited.add(*offers, State::Stop));
                let offer = edited.with_branch(offer, *label, stop);
                edited.put(*offers, offer);
                assert!(edited.meet(*selects, *offers));
                for &label in meant.iter().chain(offered) {
                    let mut edited = self.end();
                    let stop = edited.add(*selects, State::Stop);
                    edited.put(*selects, State::Select { to: *offers, label, next: stop });
                    assert!(edited.meet(*selects, *offers));
                }
                "label"
            }
            Hint::ValueForLabel { sends, offers, labels } => {
                for &label in labels {
                    let mut edited = self.end();
                    let stop = edited.add(*sends, State::Stop);
                    edited.put(*sends, State::Select { to: *offers, label, next: stop });
                    assert!(edited.meet(*sends, *offers));
                }
                let mut edited = self.end();
                let stop = edited.add(*offers, State::Stop);
                edited.put(*offers, State::Receive { from: *sends, next: stop });
                assert!(edited.meet(*sends, *offers));
                "value for a label"
            }
            Hint::LabelForValue { selects, receives, label } => {
                let mut edited = self.end();
                let stop = edited.add(*receives, State::Stop);
                let offer = edited.offer(*selects, vec![Branch { label: *label, next: stop }]);
                edited.put(*receives, offer);
                assert!(edited.meet(*selects, *receives));
                let mut edited = self.end();
                let stop = edited.add(*selects, State::Stop);
                edited.put(*selects, State::Send { to: *receives, expression: *label, next: stop });
                assert!(edited.meet(*selects, *receives));
                "label for a value"
            }
            Hint::Services(processes) => {
                let mut network = self.network.clone();
                for &process in processes {
                    let name = self.network.process_name(process).to_string();
                    assert!(network.declare_service(&name));
                }
                self.assert_cured(&network);
                "services"
            }
            Hint::Idle(processes) => {
                let mut parts = self.network.clone().into_parts();
                let end = self.before(self.steps.len());
                parts.idle = vec![false; parts.states.len()];
                for process in processes {
                    assert!(self.steps.iter().all(|step| step.actors().all(|actor| actor != *process)));
                    parts.idle[end.states[process.index()].index()] = true;
                }
                self.assert_cured(&Network::from_parts(parts).unwrap());
                let mut network = self.network.clone();
                for &process in processes {
                    assert!(network.declare_service(self.network.process_name(process)));
                }
                self.assert_cured(&network);
                "idle"
            }
            Hint::Asynchrony { senders } => {
                let circle = self.explanation.circles().find(|circle| circle.contains(&senders[0])).expect("a circle");
                let moved = self.run_with_queues(circle);
                assert!(circle.iter().all(|process| moved.contains(process)));
                "asynchrony"
            }
            other => panic!("{other:?} is not checked"),
        }
    }

    /// The same run shows no failure in this network.
    fn assert_cured(&self, network: &Network) {
        let Explanation { kind, component, run, cycle, .. } = self.explanation;
        let run = run.iter().map(|event| event.step).collect();
        let cycle = cycle.iter().map(|event| event.step).collect();
        let witness = Witness { kind: *kind, component: component.clone(), run, cycle };
        let refused = explain(network, &witness);
        // Others may still go on.
        let cured = match refused {
            Err(ReplayError::NobodyStuck | ReplayError::NobodyStarved) => true,
            Err(ReplayError::NotDeadlocked(_)) => *kind == WitnessKind::Deadlock,
            _ => false,
        };
        assert!(cured, "{refused:?}");
    }

    /// Adds a selection to each branch of the offer at which a process is told of the last decision, and an offer to
    /// the process that it tells: as things were, that does what it did and then stops; otherwise it goes on as before.
    fn told_by_who_knows(&self, decider: ProcessId, teller: ProcessId, process: ProcessId) {
        let index = self.last_decision(decider);
        let learns = |step: &Step| match step {
            Step::Interaction(Interaction { to, content, .. }) => *to == teller && content.label().is_some(),
            _ => false,
        };
        let learnt = index + self.steps[index..].iter().position(learns).expect("it is told");
        let Step::Interaction(Interaction { content: Content::Label(heard), .. }) = self.steps[learnt] else {
            panic!("it is told by a label")
        };
        assert!(self.steps[index..learnt].iter().all(|step| step.actors().all(|actor| actor != process)));
        // Everybody is where the last decision is made, but the one who tells is changed where it is told.
        let knows = self.before(learnt).states[teller.index()];
        let mut edited = Edited::new(self.network, &self.before(index));
        let knows = StateId(knows.0 + SPARE * teller.0);
        let State::Offer { from, branches } = edited.network.state(knows) else { panic!("it is told by an offer") };
        let branches = edited.network.branches(branches).to_vec();
        let now = self.what_it_did(&mut edited, process, index);
        let before = edited.at.states[process.index()];
        let (mut tells, mut told) = (Vec::new(), Vec::new());
        for Branch { label, next } in branches {
            let text = format!("it is {}", edited.parts.names.text(label));
            let new = edited.label(&text);
            tells.push(Branch { label, next: edited.add(teller, State::Select { to: process, label: new, next }) });
            told.push(Branch { label: new, next: if label == heard { now } else { before } });
        }
        let tells = edited.offer(from, tells);
        edited.parts.states[knows.index()] = tells;
        let offer = edited.offer(teller, told);
        edited.put(process, offer);
        let Step::Decision { condition, holds, .. } = self.steps[index] else { panic!("it is a decision") };
        for outcome in [holds, !holds] {
            let mut edited = Edited::new(&edited.network, &edited.at);
            assert!(edited.take(Step::Decision { process: decider, condition, holds: outcome }));
            let tell = |edited: &Edited| {
                let steps = edited.at.steps_of(&edited.network, teller).into_iter();
                steps.into_iter().find(|step| step.actors().any(|actor| actor == process))
            };
            if outcome == holds {
                for &step in &self.steps[index + 1..=learnt] {
                    assert!(edited.take(step));
                }
                let step = tell(&edited).expect("it tells");
                assert!(edited.take(step));
                self.steps[learnt + 1..].iter().for_each(|&step| assert!(edited.take(step)));
                assert_eq!(edited.state(process), State::Stop, "it is not stuck any more");
                continue;
            }
            // Nobody else decides before it is told.
            while tell(&edited).is_none() {
                let steps = edited.at.steps(&edited.network);
                let next = steps.into_iter().find(|step| matches!(step, Step::Interaction(_)));
                let step = next.expect("it is told");
                assert!(edited.take(step));
            }
            let step = tell(&edited).expect("it tells");
            assert!(edited.take(step));
            assert!(edited.can_act(process));
        }
    }

    /// Adds a selection to each branch of the last decision, and an offer to the process that is told: as things
    /// were, it does what it did and then stops; otherwise it goes on as before.
    fn told_in_each_branch(&self, decider: ProcessId, process: ProcessId) {
        let index = self.last_decision(decider);
        let Step::Decision { condition, holds, .. } = self.steps[index] else { panic!("it is a decision") };
        let mut edited = Edited::new(self.network, &self.before(index));
        let State::If { then, otherwise, .. } = edited.state(decider) else { panic!("it decides") };
        let labels = [edited.label("yes, it does"), edited.label("no, it does not")];
        let tell = |label, next| State::Select { to: process, label, next };
        let then = edited.add(decider, tell(labels[0], then));
        let otherwise = edited.add(decider, tell(labels[1], otherwise));
        edited.put(decider, State::If { condition, then, otherwise });
        let now = self.what_it_did(&mut edited, process, index);
        let before = edited.at.states[process.index()];
        let (yes, no) = if holds { (now, before) } else { (before, now) };
        let branches = vec![Branch { label: labels[0], next: yes }, Branch { label: labels[1], next: no }];
        let offer = edited.offer(decider, branches);
        edited.put(process, offer);
        for outcome in [holds, !holds] {
            let mut edited = Edited::new(&edited.network, &edited.at);
            assert!(edited.take(Step::Decision { process: decider, condition, holds: outcome }));
            let content = Content::Label(labels[usize::from(!outcome)]);
            assert!(edited.take(Step::Interaction(Interaction { from: decider, to: process, content })));
            if outcome == holds {
                self.steps[index + 1..].iter().for_each(|&step| assert!(edited.take(step)));
                assert_eq!(edited.state(process), State::Stop, "it is not stuck any more");
            } else {
                assert!(edited.can_act(process));
            }
        }
    }

    /// A copy of what a process did after a step, which ends where it got stuck.
    fn what_it_did(&self, edited: &mut Edited, process: ProcessId, index: usize) -> StateId {
        let mut at = self.before(index);
        let mut did = Vec::new();
        for &step in &self.steps[index..] {
            if step.actors().any(|actor| actor == process) {
                did.push((at.state(self.network, process), step));
            }
            assert!(at.take(self.network, step));
        }
        let mut next = edited.add(process, State::Stop);
        for (state, step) in did.into_iter().rev() {
            let copy = match (state, step) {
                (State::Send { to, expression, .. }, _) => State::Send { to, expression, next },
                (State::Receive { from, .. }, _) => State::Receive { from, next },
                (State::Select { to, label, .. }, _) => State::Select { to, label, next },
                (State::If { condition, .. }, _) => State::If { condition, then: next, otherwise: next },
                (State::Offer { from, .. }, Step::Interaction(Interaction { content: Content::Label(label), .. })) => {
                    edited.offer(from, vec![Branch { label, next }])
                }
                other => panic!("{other:?}"),
            };
            next = edited.add(process, copy);
        }
        next
    }

    /// Who gets past where it is if messages wait in queues.
    fn run_with_queues(&self, circle: &[ProcessId]) -> BTreeSet<ProcessId> {
        let edited = self.end();
        let network = &edited.network;
        let mut at = edited.at.clone();
        let mut queues: BTreeMap<(ProcessId, ProcessId), VecDeque<Content>> = BTreeMap::new();
        let mut moved = BTreeSet::new();
        for _ in 0..100 {
            for &process in circle {
                let next = match at.state(network, process) {
                    State::Send { to, expression, next } => {
                        queues.entry((process, to)).or_default().push_back(Content::Value(expression));
                        Some(next)
                    }
                    State::Select { to, label, next } => {
                        queues.entry((process, to)).or_default().push_back(Content::Label(label));
                        Some(next)
                    }
                    State::Receive { from, next } => {
                        let queue = queues.entry((from, process)).or_default();
                        let fits = matches!(queue.front(), Some(Content::Value(_)));
                        fits.then(|| queue.pop_front()).map(|_| next)
                    }
                    State::Offer { from, branches } => {
                        let queue = queues.entry((from, process)).or_default();
                        let label = queue.front().and_then(|content| content.label());
                        let next = label.and_then(|label| network.branch(branches, label));
                        next.inspect(|_| {
                            queue.pop_front();
                        })
                    }
                    State::SelectValue { to, label, expression, next } => {
                        let content = Content::LabelledValue { label, value: expression };
                        queues.entry((process, to)).or_default().push_back(content);
                        Some(next)
                    }
                    State::Choose { .. } | State::Any { .. } => panic!("there are none in these networks"),
                    State::Stop | State::If { .. } => None,
                };
                if let Some(next) = next {
                    at.states[process.index()] = next;
                    moved.insert(process);
                }
            }
        }
        moved
    }
}

#[test]
fn every_hint_is_true_and_every_edit_it_proposes_cures_the_failure() {
    let cases = cases(21_000);
    let mut found: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..cases {
        let mut random = SeededRng::new(seed);
        let source = match seed % 7 {
            0 => random_network(&mut random),
            1 => random_loop(&mut random),
            2 => random_deciders(&mut random),
            3 => random_labels(&mut random),
            4 => random_circle(&mut random),
            5 => random_go_between(&mut random),
            _ => random_telling(&mut random),
        };
        let network = network(&source);
        let answer = laban::extract(&network, &Default::default())
            .unwrap_or_else(|error| panic!("seed {seed}: {error:?}\n{source}"));
        for explanation in answer.explanations() {
            let steps = explanation.run.iter().chain(&explanation.cycle).map(|event| event.step).collect();
            let case = Case { network: &network, explanation, steps };
            for hint in &explanation.hints {
                let text = hint.text(&network, explanation);
                // The seed and the sentence are shown if the check fails.
                println!("seed {seed}: {text}\n{source}");
                *found.entry(case.check(hint)).or_default() += 1;
            }
        }
    }
    let kinds = [
        "stops",
        "tell in each branch",
        "idle",
        "tell in the other branch",
        "label",
        "value for a label",
        "label for a value",
        "services",
        "asynchrony",
    ];
    let least = kinds
        .map(|kind| (kind, cases / 70))
        .into_iter()
        .chain([("can go on", cases * 2 / 35), ("tell by who knows", cases / 150)]);
    for (kind, least) in least {
        assert!(found.get(kind).is_some_and(|&count| count >= least), "{kind}: {found:?}");
    }
    assert_eq!(found.len(), kinds.len() + 2, "{found:?}");
}

/// The hints for a network, in words.
fn hints(source: &str) -> Vec<String> {
    let network = network(source);
    let answer = laban::extract(&network, &Default::default()).unwrap();
    let explanation = &answer.explanations()[0];
    explanation.hints.iter().map(|hint| hint.text(&network, explanation)).collect()
}

#[test]
fn a_process_that_would_stop_at_once_is_not_said_to_go_on() {
    let source = "alone { main { if lonely then nobody?; stop else stop } } | nobody { main { stop } }";
    assert_eq!(hints(source), ["this happens when `lonely` is true at `alone`; when it is false, `alone` stops"]);
}

#[test]
fn who_knows_a_decision_and_deals_with_the_process_is_to_tell_it() {
    let source = "customer { main { if happy then shop+buy; stop else shop+leave; stop } }
        | shop { main { customer&{buy: warehouse!<order>; stop, leave: stop} } }
        | warehouse { main { shop?; stop } }";
    let [_, tell, idle] = &hints(source)[..] else { panic!("{:?}", hints(source)) };
    assert_eq!(
        tell,
        "`shop` knows the outcome of `happy`, but does not tell `warehouse`: let it select a label at `warehouse` in \
         each branch"
    );
    assert_eq!(
        idle,
        "if `warehouse` may wait forever, write `idle` before what it waits for, or `service warehouse { … }`"
    );
    // The shop is told the same in both cases: it does not know.
    let same = source.replace("shop+leave", "shop+buy").replace("shop?", "shop?; customer?");
    assert!(hints(&same).iter().all(|hint| !hint.contains("knows the outcome")), "{:?}", hints(&same));
}

#[test]
fn fair_decisions_are_proposed_only_where_there_are_races_and_nobody_would_wait_forever() {
    let fair = "with `--fair`, where each decision goes each way some time, nobody waits forever";
    let worker = |name: &str| format!("| {name} {{ def Work {{ d?; d!<done>; Work }} main {{ Work }} }}");
    let race = format!(
        "d {{ def Next {{ any {{ a?; Decide, b?; Decide }} }}
            def Decide {{ if left then a!<job>; Next else b!<job>; Next }} main {{ Decide }} }} {} {}",
        worker("a"),
        worker("b")
    );
    assert!(hints(&race).contains(&fair.to_string()), "{:?}", hints(&race));
    let network = network(&race);
    let options = laban::ExtractOptions { fair: true, ..Default::default() };
    assert_eq!(laban::extract(&network, &options).unwrap().verdict(), laban::Verdict::Extracted);
    // Without a race, what is printed is what was printed before; and here fairness does not help.
    let plain = "d { def X { if left then a!<x>; X else b!<x>; X } main { X } }
        | a { def X { d?; X } main { X } } | b { def X { d?; X } main { X } }";
    assert!(!hints(plain).contains(&fair.to_string()));
    let never = "s { def X { any { a?; X, b?; X } } main { X } } | a { def X { s!<x>; X } main { X } }
        | b { def X { s!<x>; X } main { X } } | c { main { s?; stop } }";
    assert!(!hints(never).contains(&fair.to_string()));
}

#[test]
fn a_selection_is_proposed_only_for_the_branch_that_has_none() {
    let source = "p { main { if e then q+go; stop else stop } } | q { main { p&{go: stop} } }";
    assert_eq!(
        hints(source),
        [
            "this happens when `e` is false at `p`; when it is true, `q` can go on",
            "`p` tells `q` only when `e` is true: add a selection for when it is false, and its label to the offer of `q`",
            "if `q` may wait forever, write `idle` before what it waits for, or `service q { … }`"
        ]
    );
    // It is told, but too late: there is no simple edit.
    let late = "p { main { if e then q!<x>; q+go; stop else stop } } | q { main { p?; p&{go: stop} } }";
    assert_eq!(
        hints(late),
        [
            "this happens when `e` is false at `p`; when it is true, `q` can go on",
            "if `q` may wait forever, write `idle` before what it waits for, or `service q { … }`"
        ]
    );
}

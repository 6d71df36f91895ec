//! A million actions, a thousand processes, and graphs that are hard on a check of cycles.

use super::verify;
use laban::choreography::{Choreography, ChoreographyParts, Node, NodeId};
use laban::equivalence::{self, NotVerified, Reason, VerifyOptions};
use laban::network::{Content, Interaction, Network, NetworkParts, Process, ProcessId, State, StateId};
use laban::syntax::{ArenaRange, Names, Span, Symbol};
use laban::{Limits, StopReason};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A node of a choreography that every process is told of in time.
enum Act {
    Say(u32, u32),
    Decide(u32),
}

/// Actions one after the other, and the network that takes them: after a decision both outcomes go on alike. After the
/// last comes the first again, or the end.
fn line(processes: u32, acts: &[Act], round: bool) -> (Network, Choreography) {
    let mut names = Names::new();
    let [value, condition] = ["x", "c"].map(|name| names.intern(name));
    let names_of: Vec<Symbol> = (0..processes).map(|number| names.intern(&format!("p{number}"))).collect();
    let mut behaviours: Vec<Vec<State>> = vec![Vec::new(); processes as usize];
    let mut nodes = Vec::new();
    for act in acts {
        // What follows is the state after this one, counted from the first of the process.
        let mut add = |process: u32, state: fn(u32, Symbol, StateId) -> State, partner: u32, symbol: Symbol| {
            let states = &mut behaviours[process as usize];
            let next = StateId(states.len() as u32 + 1);
            states.push(state(partner, symbol, next));
        };
        let next = NodeId(nodes.len() as u32 + 1);
        nodes.push(match *act {
            Act::Say(from, to) => {
                add(from, |to, expression, next| State::Send { to: ProcessId(to), expression, next }, to, value);
                add(to, |from, _, next| State::Receive { from: ProcessId(from), next }, from, value);
                let content = Content::Value(value);
                let interaction = Interaction { from: ProcessId(from), to: ProcessId(to), content };
                Node::Interaction { interaction, next }
            }
            Act::Decide(process) => {
                add(process, |_, condition, next| State::If { condition, then: next, otherwise: next }, 0, condition);
                Node::If { process: ProcessId(process), condition, then: next, otherwise: next }
            }
        });
    }
    let last = NodeId(nodes.len() as u32);
    let onward = |next: NodeId| if round && next == last { NodeId(0) } else { next };
    for node in &mut nodes {
        match node {
            Node::Interaction { next, .. } => *next = onward(*next),
            Node::If { then, otherwise, .. } => (*then, *otherwise) = (onward(*then), onward(*otherwise)),
            _ => {}
        }
    }
    nodes.push(Node::Stop);
    let mut network = NetworkParts::default();
    for (behaviour, &name) in behaviours.iter().zip(&names_of) {
        let (start, length) = (network.states.len() as u32, behaviour.len() as u32);
        let goto = |next: StateId| StateId(start + if round && next.0 == length { 0 } else { next.0 });
        network.states.extend(behaviour.iter().map(|&state| match state {
            State::Send { to, expression, next } => State::Send { to, expression, next: goto(next) },
            State::Receive { from, next } => State::Receive { from, next: goto(next) },
            State::If { condition, then, otherwise } => {
                State::If { condition, then: goto(then), otherwise: goto(otherwise) }
            }
            other => other,
        }));
        network.states.push(State::Stop);
        let states = ArenaRange { start, end: network.states.len() as u32 };
        network.processes.push(Process { name, span: Span::default(), service: false, start: StateId(start), states });
    }
    network.names = names.clone();
    let starts = vec![NodeId(0)];
    let choreography = ChoreographyParts { names, processes: names_of, starts, nodes, ..ChoreographyParts::default() };
    (Network::from_parts(network).unwrap(), Choreography::from_parts(choreography).unwrap())
}

fn talk(processes: u32, number: u32) -> Act {
    let from = number.wrapping_mul(2_654_435_761) % processes;
    Act::Say(from, (from + 1 + number % (processes - 1)) % processes)
}

#[test]
fn a_chain_of_a_million_actions() {
    let acts: Vec<Act> = (0..1_000_000).map(|number| talk(6, number)).collect();
    let (network, choreography) = line(6, &acts, false);
    let certificate = verify(&network, &choreography).unwrap();
    assert_eq!((certificate.pairs, certificate.remembered, certificate.ends), (1_000_000, 0, 1));
    // The last action is missing.
    let mut parts = choreography.into_parts();
    parts.nodes[999_999] = Node::Stop;
    let choreography = Choreography::from_parts(parts).unwrap();
    let mismatch = verify(&network, &choreography).unwrap_err();
    assert_eq!(mismatch.run.len(), 999_999);
    assert!(matches!(mismatch.reason, Reason::StopsEarly { running, .. } if running.len() == 2));
}

#[test]
fn a_loop_of_a_million_actions() {
    let acts: Vec<Act> = (0..1_000_000).map(|number| talk(6, number)).collect();
    let (network, choreography) = line(6, &acts, true);
    let certificate = verify(&network, &choreography).unwrap();
    assert_eq!((certificate.pairs, certificate.remembered, certificate.ends), (1_000_000, 1, 0));
}

#[test]
fn a_thousand_processes_on_a_chain_and_on_a_loop() {
    for round in [false, true] {
        let acts: Vec<Act> = (0..100_000).map(|number| talk(1_000, number)).collect();
        let (network, choreography) = line(1_000, &acts, round);
        assert_eq!(verify(&network, &choreography).unwrap().pairs, 100_000);
    }
}

#[test]
fn a_thousand_processes_with_decisions_that_meet_again() {
    for round in [false, true] {
        let act = |number: u32| if number % 10 == 3 { Act::Decide(number % 1_000) } else { talk(1_000, number) };
        let acts: Vec<Act> = (0..100_000).map(act).collect();
        let (network, choreography) = line(1_000, &acts, round);
        let certificate = verify(&network, &choreography).unwrap();
        assert_eq!(certificate.pairs, 100_000);
        assert_eq!(certificate.remembered, 10_000 + usize::from(round));
    }
}

/// Decisions whose outcomes lead anywhere: cycles of all kinds, and no order in which to look at them.
#[test]
fn a_tangle_of_decisions() {
    let count = 20_000u32;
    let acts: Vec<Act> =
        (0..count).map(|number| if number % 2 == 0 { Act::Decide(0) } else { Act::Say(0, 1) }).collect();
    let (network, choreography) = line(2, &acts, true);
    let (mut network, mut choreography) = (network.into_parts(), choreography.into_parts());
    // Process 0 has a state for each node; process 1 but one.
    let mut dice = laban::generate::SeededRng::new(7);
    for node in 0..count as usize {
        let target = dice.below(count as usize / 2) as u32 * 2 + 1;
        if let (Node::If { otherwise, .. }, State::If { otherwise: also, .. }) =
            (&mut choreography.nodes[node], &mut network.states[node])
        {
            (*otherwise, *also) = (NodeId(target), StateId(target));
        }
    }
    let listen = network.processes[1].states.start;
    network.states[listen as usize] = State::Receive { from: ProcessId(0), next: StateId(listen) };
    let build = |network: &NetworkParts, choreography: &ChoreographyParts| {
        let network = Network::from_parts(network.clone()).unwrap();
        (network, Choreography::from_parts(choreography.clone()).unwrap())
    };
    // Every decision leads to a message, so nobody is left out.
    let (fair, described) = build(&network, &choreography);
    verify(&fair, &described).unwrap();
    // But one that may lead to itself leaves someone out.
    if let (Node::If { otherwise, .. }, State::If { otherwise: also, .. }) =
        (&mut choreography.nodes[4_000], &mut network.states[4_000])
    {
        (*otherwise, *also) = (NodeId(4_000), StateId(4_000));
    }
    let (unfair, described) = build(&network, &choreography);
    let mismatch = verify(&unfair, &described).unwrap_err();
    assert!(matches!(mismatch.reason, Reason::Starved { process: ProcessId(1), cycle, .. } if cycle.len() == 1));
}

#[test]
fn an_interrupt_ends_it_without_an_answer() {
    let acts: Vec<Act> = (0..100_000).map(|_| Act::Say(0, 1)).collect();
    let (network, choreography) = line(2, &acts, false);
    let asked = AtomicUsize::new(0);
    for patience in [0, 5, 1000] {
        asked.store(0, Ordering::Relaxed);
        let stop = || (asked.fetch_add(1, Ordering::Relaxed) == patience).then_some(StopReason::Interrupted);
        let limits = Limits { max_states: None, stop: &stop };
        let options = VerifyOptions { minimise: false, parallel: false, limits, ..VerifyOptions::default() };
        let answer = equivalence::verify(&network, &choreography, &options);
        match patience {
            // It is asked often enough, but not for each action.
            1000 => {
                assert_eq!(answer.map(|certificate| certificate.pairs), Ok(100_000));
                assert!((10..1000).contains(&asked.load(Ordering::Relaxed)));
            }
            _ => {
                assert_eq!(answer, Err(NotVerified::Undecided(StopReason::Interrupted)));
                assert_eq!(asked.load(Ordering::Relaxed), patience + 1);
            }
        }
    }
}

#[test]
fn a_limit_on_states_ends_it_without_an_answer() {
    let acts: Vec<Act> = (0..100_000).map(|_| Act::Say(0, 1)).collect();
    let (network, choreography) = line(2, &acts, false);
    let options = VerifyOptions { limits: Limits::states(50_000), minimise: false, ..VerifyOptions::default() };
    let answer = equivalence::verify(&network, &choreography, &options);
    assert_eq!(answer, Err(NotVerified::Undecided(StopReason::MaxStates(50_000))));
}

/// Pairs are found by a half of their hash, and among these there are two with the same half: the service only gives
/// the states of the others such numbers.
#[test]
fn two_loops_of_different_lengths_meet_in_all_their_states() {
    let network = laban::analyse(format!(
        "service z {{ main {{ {} stop }} }} | p {{ def X {{ {} X }} main {{ X }} }} | q {{ def X {{ {} X }} main {{ X }} }}",
        "q?; ".repeat(239),
        "q!<x>; ".repeat(80),
        "p?; ".repeat(81)
    ));
    let choreography = laban::analyse("def X { p.x -> q; X } main { X }").into_choreography().unwrap();
    // What is fair has the walk that keeps all pairs.
    let options = VerifyOptions { minimise: false, fair: true, ..VerifyOptions::default() };
    let certificate = laban::verify(&network.into_network().unwrap(), &choreography, &options).unwrap();
    assert_eq!(certificate.pairs, 80 * 81);
}

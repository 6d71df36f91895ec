//! Random small choreographies, the networks that follow them, and mistakes in either.
//!
//! A plan is a graph of actions. The choreography is the plan; what each process does is read off the plan, where a
//! process that is not told of a decision simply hopes for the first outcome. Then both may be unrolled and damaged.

use laban::choreography::{Choreography, ChoreographyParts, Node, NodeId};
use laban::generate::SeededRng;
use laban::network::{Branch, Content, Interaction, Network, NetworkParts, Process, ProcessId, State, StateId};
use laban::syntax::{ArenaRange, Names, Span};
use std::collections::{BTreeMap, BTreeSet};

const NAMES: [&str; 14] = ["p", "q", "r", "s", "t", "u", "x", "y", "z", "l", "m", "happy", "late", "w"];
const VALUES: [u32; 3] = [6, 7, 8];
const LABELS: [u32; 2] = [9, 10];
const CONDITIONS: [u32; 2] = [11, 12];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Plan {
    Stop,
    Say { from: u32, to: u32, value: u32, next: usize },
    Tell { from: u32, to: u32, label: u32, next: usize },
    Decide { process: u32, condition: u32, then: usize, otherwise: usize },
}

/// A random network and a random choreography that have something to do with each other.
pub(crate) fn case(seed: u64) -> (Network, Choreography) {
    let mut dice = SeededRng::new(seed);
    let mut plans = vec![Plan::Stop];
    let mut starts = Vec::new();
    let count = 2 + dice.below(3) as u32;
    starts.push(part(&mut dice, &mut plans, &(0..count).collect::<Vec<_>>()));
    if dice.one_in(4) {
        let first = if dice.one_in(8) { count - 1 } else { count };
        starts.push(part(&mut dice, &mut plans, &[first, first + 1]));
    }
    let mut network = network(&mut dice, &plans, &starts);
    let mut choreography = choreography(&mut dice, &plans, &starts);
    if dice.one_in(3) {
        network = unrolled(&mut dice, &network);
    }
    if dice.one_in(2) {
        for _ in 0..=dice.below(2) {
            match dice.below(3) {
                0 => {
                    let mut parts = network.into_parts();
                    damage_network(&mut dice, &mut parts);
                    network = Network::from_parts(parts).unwrap();
                }
                _ => {
                    let mut parts = choreography.into_parts();
                    damage_choreography(&mut dice, &mut parts);
                    choreography = Choreography::from_parts(parts).unwrap();
                }
            }
        }
    }
    (network, choreography)
}

/// A hub that decides and talks to workers who do nothing but listen: every graph of actions is then a choreography
/// that the network can follow, and only cycles matter.
pub(crate) fn hub(seed: u64) -> (Network, Choreography) {
    let mut dice = SeededRng::new(seed);
    let count = 1 + dice.below(14);
    let workers = if dice.one_in(8) { 60 + dice.below(10) } else { 1 + dice.below(4) };
    let mut names = Names::new();
    let [hub, value, condition] = ["hub", "x", "c"].map(|name| names.intern(name));
    let mut network = NetworkParts::default();
    let mut nodes = Vec::new();
    let (decisions, tangle) = (1 + dice.below(8), 1 + dice.below(8));
    let start = dice.below(count) as u32;
    // The others are services.
    let favourites = 1 + dice.below(3.min(workers));
    for number in 0..count as u32 {
        let mut goto = || match dice.below(8) {
            way if way < tangle => dice.below(count) as u32,
            _ => (number + 1) % count as u32,
        };
        let (then, otherwise) = (goto(), goto());
        let to = if dice.one_in(8) { dice.below(workers) } else { dice.below(favourites) };
        let (node, state) = if dice.below(9) < decisions {
            let (process, last) = (ProcessId(0), dice.one_in(30));
            let node = Node::If { process, condition, then: NodeId(then), otherwise: NodeId(otherwise) };
            let state = State::If { condition, then: StateId(then), otherwise: StateId(otherwise) };
            if last { (Node::Stop, State::Stop) } else { (node, state) }
        } else {
            let (from, to) = (ProcessId(0), ProcessId(1 + to as u32));
            let interaction = Interaction { from, to, content: Content::Value(value) };
            let node = Node::Interaction { interaction, next: NodeId(then) };
            (node, State::Send { to, expression: value, next: StateId(then) })
        };
        nodes.push(node);
        network.states.push(state);
    }
    let process = |name, service, start, states| Process { name, span: Span::default(), service, start, states };
    let states = ArenaRange { start: 0, end: count as u32 };
    network.processes.push(process(hub, false, StateId(start), states));
    for worker in 0..workers {
        let state = network.states.len() as u32;
        let name = names.intern(&format!("worker{worker}"));
        let service = worker >= favourites || dice.one_in(3);
        network.states.push(State::Receive { from: ProcessId(0), next: StateId(state) });
        network.processes.push(process(name, service, StateId(state), ArenaRange { start: state, end: state + 1 }));
    }
    network.names = names.clone();
    let processes = network.processes.iter().map(|process| process.name).collect();
    let starts = vec![NodeId(start)];
    let choreography = ChoreographyParts { names, processes, starts, nodes, ..ChoreographyParts::default() };
    (Network::from_parts(network).unwrap(), Choreography::from_parts(choreography).unwrap())
}

/// Adds the plan of one part and gives its start.
fn part(dice: &mut SeededRng, plans: &mut Vec<Plan>, members: &[u32]) -> usize {
    let length = 1 + dice.below(7);
    let first = plans.len();
    // Actions are planned first, each with the number of the action that follows; then decisions are spelled out.
    plans.resize(first + length, Plan::Stop);
    for number in 0..length {
        let next = |dice: &mut SeededRng| match dice.below(8) {
            0 | 1 => first + dice.below(length),
            2 => 0,
            _ if number + 1 < length => first + number + 1,
            _ if dice.one_in(2) => first,
            _ => 0,
        };
        let from = dice.pick(members);
        let others: Vec<u32> = members.iter().copied().filter(|&other| other != from).collect();
        plans[first + number] = if dice.one_in(3) {
            let everybody = !dice.one_in(3);
            let mut outcome = |dice: &mut SeededRng, label: u32| {
                let mut at = next(dice);
                for &to in others.iter().rev().filter(|_| everybody) {
                    plans.push(Plan::Tell { from, to, label, next: at });
                    at = plans.len() - 1;
                }
                at
            };
            let (then, otherwise) = (outcome(dice, LABELS[0]), outcome(dice, LABELS[1]));
            Plan::Decide { process: from, condition: dice.pick(&CONDITIONS), then, otherwise }
        } else {
            Plan::Say { from, to: dice.pick(&others), value: dice.pick(&VALUES), next: next(dice) }
        };
    }
    first
}

/// What a process does first from somewhere in a plan.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum First {
    Nothing,
    /// It loops without doing anything.
    Never,
    Act(usize),
    Listen(u32, BTreeSet<usize>),
}

fn first(plans: &[Plan], process: u32, at: usize, above: &mut Vec<usize>) -> First {
    if above.contains(&at) {
        return First::Never;
    }
    above.push(at);
    let found = match plans[at] {
        Plan::Stop => First::Nothing,
        Plan::Say { from, to, .. } if from == process || to == process => First::Act(at),
        Plan::Tell { from, .. } if from == process => First::Act(at),
        Plan::Tell { from, to, .. } if to == process => First::Listen(from, BTreeSet::from([at])),
        Plan::Say { next, .. } | Plan::Tell { next, .. } => first(plans, process, next, above),
        Plan::Decide { process: decider, .. } if decider == process => First::Act(at),
        Plan::Decide { then, otherwise, .. } => {
            match (first(plans, process, then, above), first(plans, process, otherwise, above)) {
                (First::Listen(from, mut labels), First::Listen(also, more)) if from == also => {
                    labels.extend(more);
                    First::Listen(from, labels)
                }
                (First::Never, other) | (other, _) => other,
            }
        }
    };
    above.pop();
    found
}

fn names(dice: &mut SeededRng) -> (Names, Vec<laban::syntax::Symbol>) {
    let turn = dice.below(NAMES.len());
    let mut names = Names::new();
    for number in 0..NAMES.len() {
        names.intern(NAMES[(number + turn) % NAMES.len()]);
    }
    let symbols = NAMES.iter().map(|name| names.find(name).unwrap()).collect();
    (names, symbols)
}

fn network(dice: &mut SeededRng, plans: &[Plan], starts: &[usize]) -> Network {
    let (names, symbols) = names(dice);
    let symbol = |number: u32| symbols[number as usize];
    let mut network = NetworkParts { names, ..NetworkParts::default() };
    let count = 1 + plans.iter().fold(1, |most, &plan| match plan {
        Plan::Say { from, to, .. } | Plan::Tell { from, to, .. } => most.max(from).max(to),
        Plan::Decide { process, .. } => most.max(process),
        Plan::Stop => most,
    });
    for process in 0..count {
        let begin = network.states.len();
        let start = starts.iter().map(|&start| first(plans, process, start, &mut Vec::new()));
        let start = start.reduce(|one, other| if one == First::Nothing { other } else { one }).unwrap();
        let mut numbers = BTreeMap::from([(start.clone(), begin as u32)]);
        let mut work = vec![start];
        let waits_for = ProcessId((process + 1 + dice.below(count as usize - 1) as u32) % count);
        let waits = dice.one_in(2);
        while let Some(here) = work.pop() {
            let mut goto = |at: usize| {
                let target = first(plans, process, at, &mut Vec::new());
                let fresh = begin as u32 + numbers.len() as u32;
                StateId(*numbers.entry(target.clone()).or_insert_with(|| {
                    work.push(target);
                    fresh
                }))
            };
            let state = match &here {
                First::Nothing => State::Stop,
                First::Never if waits => State::Receive { from: waits_for, next: goto(0) },
                First::Never => State::Stop,
                First::Listen(from, labels) => {
                    let start = network.branches.len() as u32;
                    let mut branches = BTreeMap::new();
                    for &at in labels {
                        if let Plan::Tell { label, next, .. } = plans[at] {
                            branches.insert(symbol(label), goto(next));
                        }
                    }
                    network.branches.extend(branches.into_iter().map(|(label, next)| Branch { label, next }));
                    State::Offer {
                        from: ProcessId(*from),
                        branches: ArenaRange { start, end: network.branches.len() as u32 },
                    }
                }
                &First::Act(at) => match plans[at] {
                    Plan::Say { from, to, value, next } if from == process => {
                        State::Send { to: ProcessId(to), expression: symbol(value), next: goto(next) }
                    }
                    Plan::Say { from, next, .. } => State::Receive { from: ProcessId(from), next: goto(next) },
                    Plan::Tell { to, label, next, .. } => {
                        State::Select { to: ProcessId(to), label: symbol(label), next: goto(next) }
                    }
                    Plan::Decide { condition, then, otherwise, .. } => {
                        State::If { condition: symbol(condition), then: goto(then), otherwise: goto(otherwise) }
                    }
                    Plan::Stop => State::Stop,
                },
            };
            let number = numbers[&here] as usize;
            network.states.resize(network.states.len().max(number + 1), State::Stop);
            network.states[number] = state;
        }
        network.processes.push(Process {
            name: symbol(process),
            span: Span::default(),
            service: dice.one_in(8),
            start: StateId(begin as u32),
            states: ArenaRange { start: begin as u32, end: network.states.len() as u32 },
        });
    }
    Network::from_parts(network).unwrap()
}

/// The plan as a choreography, at times with everything in it twice.
fn choreography(dice: &mut SeededRng, plans: &[Plan], starts: &[usize]) -> Choreography {
    let (names, symbols) = names(dice);
    let symbol = |number: u32| symbols[number as usize];
    let copies = if dice.one_in(3) { 2 } else { 1 };
    let mut processes = Vec::new();
    let mut process = |number: u32| {
        let known = processes.iter().position(|&name| name == symbol(number));
        ProcessId(known.unwrap_or_else(|| {
            processes.push(symbol(number));
            processes.len() - 1
        }) as u32)
    };
    let mut nodes = Vec::new();
    for copy in 0..plans.len() * copies {
        let mut goto = |next: usize| NodeId((next + plans.len() * dice.below(copies)) as u32);
        nodes.push(match plans[copy % plans.len()] {
            Plan::Stop => Node::Stop,
            Plan::Say { from, to, value, next } => {
                let interaction =
                    Interaction { from: process(from), to: process(to), content: Content::Value(symbol(value)) };
                Node::Interaction { interaction, next: goto(next) }
            }
            Plan::Tell { from, to, label, next } => {
                let interaction =
                    Interaction { from: process(from), to: process(to), content: Content::Label(symbol(label)) };
                Node::Interaction { interaction, next: goto(next) }
            }
            Plan::Decide { process: decider, condition, then, otherwise } => Node::If {
                process: process(decider),
                condition: symbol(condition),
                then: goto(then),
                otherwise: goto(otherwise),
            },
        });
    }
    let starts = starts.iter().map(|&start| NodeId(start as u32)).collect();
    let parts = ChoreographyParts { names, processes, starts, nodes, ..ChoreographyParts::default() };
    Choreography::from_parts(parts).unwrap()
}

/// The network with each state twice: an edge may lead to either.
fn unrolled(dice: &mut SeededRng, network: &Network) -> Network {
    let mut larger = NetworkParts { names: network.names().clone(), ..NetworkParts::default() };
    for process in network.processes() {
        let begin = larger.states.len() as u32;
        let length = process.states.len() as u32;
        let mut goto = |next: StateId| StateId(next.0 - process.states.start + begin + length * dice.below(2) as u32);
        for number in (process.states.start..process.states.end).chain(process.states.start..process.states.end) {
            larger.states.push(network.state(StateId(number)).renumbered(
                network,
                (&mut larger.branches, &mut larger.arms),
                &mut goto,
            ));
        }
        let start = goto(process.start);
        larger.processes.push(Process {
            start,
            states: ArenaRange { start: begin, end: begin + 2 * length },
            ..*process
        });
    }
    Network::from_parts(larger).unwrap()
}

fn damage_network(dice: &mut SeededRng, network: &mut NetworkParts) {
    let process = dice.below(network.processes.len());
    let states = network.processes[process].states;
    let any = StateId(states.start + dice.below(states.len()) as u32);
    let at = states.start as usize + dice.below(states.len());
    let other = network.names.find(dice.pick(&NAMES[6..])).unwrap();
    if dice.one_in(4) {
        network.processes[process].service ^= true;
        return;
    }
    match &mut network.states[at] {
        State::Send { next, expression, .. } if dice.one_in(2) => (*next, *expression) = (*next, other),
        State::Send { next, .. }
        | State::Receive { next, .. }
        | State::Select { next, .. }
        | State::SelectValue { next, .. } => *next = any,
        State::Choose { .. } | State::Any { .. } => panic!("there are none in these networks"),
        State::If { then, otherwise, .. } => (*then, *otherwise) = (*otherwise, any),
        State::Offer { branches, .. } => branches.end -= 1,
        State::Stop => network.processes[process].start = any,
    }
}

fn damage_choreography(dice: &mut SeededRng, choreography: &mut ChoreographyParts) {
    let count = choreography.nodes.len();
    let (at, any) = (dice.below(count), NodeId(dice.below(count) as u32));
    let other = choreography.names.find(dice.pick(&NAMES[6..])).unwrap();
    let node = choreography.nodes[at];
    let damaged = match (node, dice.below(8)) {
        (_, 0) if dice.one_in(2) => Node::Stop,
        (Node::Interaction { interaction, next }, 1) if dice.one_in(2) => {
            let start = choreography.members.len() as u32;
            choreography.members.push(interaction);
            Node::Group { members: ArenaRange { start, end: start + 1 }, next }
        }
        (Node::Interaction { interaction, .. }, 2 | 3) => Node::Interaction { interaction, next: any },
        (Node::Interaction { interaction, next }, 4) => {
            let Interaction { from, to, content } = interaction;
            Node::Interaction { interaction: Interaction { from: to, to: from, content }, next }
        }
        (Node::Interaction { interaction: Interaction { from, to, .. }, next }, 5) => {
            Node::Interaction { interaction: Interaction { from, to, content: Content::Value(other) }, next }
        }
        // Actions one after the other that have nothing to do with each other may be swapped.
        (Node::Interaction { interaction: first, next }, _) => {
            if let Node::Interaction { interaction: second, next: behind } = choreography.nodes[next.index()] {
                choreography.nodes[next.index()] = Node::Interaction { interaction: first, next: behind };
                Node::Interaction { interaction: second, next }
            } else {
                node
            }
        }
        (Node::If { process, condition, then, .. }, 2 | 3) => Node::If { process, condition, then, otherwise: any },
        (Node::If { process, then, otherwise, .. }, 4) => Node::If { process, condition: other, then, otherwise },
        (Node::If { process, condition, then, otherwise }, 5) => {
            Node::If { process, condition, then: otherwise, otherwise: then }
        }
        _ => {
            if dice.one_in(6) {
                // A process that nobody knows.
                let stranger = choreography.names.intern("stranger");
                let unlucky = dice.below(choreography.processes.len().max(1));
                // Not two of them: then they would have a name in common.
                if !choreography.processes.contains(&stranger)
                    && let Some(name) = choreography.processes.get_mut(unlucky)
                {
                    *name = stranger;
                }
            }
            node
        }
    };
    choreography.nodes[at] = damaged;
}

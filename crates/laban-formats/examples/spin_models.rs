//! Writes random networks as Promela, and next to them what is expected of Spin: for `scripts/check-spin`.
//!
//! `cargo run -p laban-formats --example spin_models -- FOLDER COUNT CAPACITY`
//!
//! A capacity of 0 means rendezvous. Each line of `expected.tsv` has a model, what Laban says about the network by
//! rendezvous, and whether a configuration can be reached in which nothing can happen and somebody is not done. The
//! latter is found by walking through all configurations, which is what Spin does, and by none of Laban's searches.

use laban::generate::{self, Parameters, SeededRng};
use laban::network::{Network, State, StateId};
use laban::{ExtractOptions, Verdict};
use laban_formats::{PromelaChannels, write_promela};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::path::Path;
use std::{env, fs, io};

/// A network with more configurations is left out: Spin need not be kept busy.
const MOST_CONFIGURATIONS: usize = 20_000;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().collect();
    let [_, folder, count, capacity] = arguments.as_slice() else {
        return Err(io::Error::other("usage: spin_models FOLDER COUNT CAPACITY"));
    };
    let number = |text: &str| text.parse::<u64>().map_err(io::Error::other);
    let (count, capacity) = (number(count)?, number(capacity)? as usize);
    fs::create_dir_all(folder)?;
    let channels = if capacity == 0 { PromelaChannels::Rendezvous } else { PromelaChannels::Queues(capacity as u32) };
    let mut expected = String::new();
    let (mut written, mut seed) = (0, 0);
    while written < count {
        seed += 1;
        let network = random_network(seed)?;
        let Some(stuck) = can_be_stuck(&network, capacity) else { continue };
        let text = write_promela(&network, channels).map_err(io::Error::other)?;
        let verdict = laban::extract(&network, &ExtractOptions::default()).map_err(io::Error::other)?.verdict();
        // A stuck configuration is a deadlock, though not the other way round.
        if capacity == 0 && stuck && verdict != Verdict::Deadlock || stuck && verdict == Verdict::Undecided {
            return Err(io::Error::other(format!("seed {seed}: stuck, but {}", verdict.as_str())));
        }
        let name = format!("{seed}.pml");
        fs::write(Path::new(folder).join(&name), text)?;
        expected.push_str(&format!("{name}\t{}\t{}\n", verdict.as_str(), if stuck { "stuck" } else { "free" }));
        written += 1;
    }
    fs::write(Path::new(folder).join("expected.tsv"), expected)
}

/// A random network; most have a broken process, some have races, services and states that may wait.
fn random_network(seed: u64) -> io::Result<Network> {
    let mut rng = SeededRng::keyed([seed, 0x5b, 0, 0]);
    let (processes, procedures, ifs) = (2 + rng.below_u32(3), rng.below_u32(3), rng.below_u32(3));
    let races = if rng.below_u32(2) == 0 { 0 } else { 1 + rng.below_u32(2) };
    let size = 4 + ifs + races + procedures + rng.below_u32(5);
    let parameters = Parameters::new(size, processes, ifs, procedures).with_races(races);
    let generated = generate::network(&parameters, rng.long()).map_err(io::Error::other)?;
    let mut network = generated.network;
    if rng.below_u32(3) > 0 {
        let (deletions, swaps) = (rng.below_u32(2), rng.below_u32(2));
        let (fuzzed, _) = generate::fuzz(&generated.network_tree, deletions, swaps, rng.long());
        network = laban::network::lower(&fuzzed).network.unwrap_or(network);
    }
    if rng.below_u32(4) == 0 {
        network.declare_service("a");
    }
    Ok(network)
}

/// Where each process is, and what is in the queues that are not empty: for sender and receiver, the labels; a value is
/// no label.
type Configuration = (Vec<StateId>, BTreeMap<(usize, usize), VecDeque<Option<u32>>>);

/// Whether a configuration can be reached in which nothing can happen and somebody is not done and may not wait;
/// nothing if there are too many configurations. With a capacity of 0, sender and receiver meet.
fn can_be_stuck(network: &Network, capacity: usize) -> Option<bool> {
    let start = network.processes().iter().map(|process| process.start).collect();
    let mut met: HashSet<Configuration> = HashSet::from([(start, BTreeMap::new())]);
    let mut work: Vec<Configuration> = met.iter().cloned().collect();
    while let Some(configuration) = work.pop() {
        let next = successors(network, &configuration, capacity);
        let is_done = |(process, &state)| network.may_wait(process, state);
        if next.is_empty() && !network.process_ids().zip(&configuration.0).all(is_done) {
            return Some(true);
        }
        work.extend(next.into_iter().filter(|next| met.insert(next.clone())));
        if met.len() > MOST_CONFIGURATIONS {
            return None;
        }
    }
    Some(false)
}

fn successors(network: &Network, (states, queues): &Configuration, capacity: usize) -> Vec<Configuration> {
    let mut all = Vec::new();
    for (process, &state) in states.iter().enumerate() {
        let moved = |next: StateId| {
            let mut states = states.clone();
            states[process] = next;
            states
        };
        if network.state(state).decides() {
            network.successors(state, |next| all.push((moved(next), queues.clone())));
            continue;
        }
        for (to, label, next) in network.items(state).filter_map(sends) {
            if capacity == 0 {
                for item in network.items(states[to]) {
                    all.extend(takes(network, item, process, label).map(|taken| {
                        let mut states = moved(next);
                        states[to] = taken;
                        (states, queues.clone())
                    }));
                }
            } else if queues.get(&(process, to)).map_or(0, VecDeque::len) < capacity {
                let mut queues = queues.clone();
                queues.entry((process, to)).or_default().push_back(label);
                all.push((moved(next), queues));
            }
        }
        for (&(from, to), queue) in queues.iter().filter(|((_, to), _)| *to == process) {
            let Some(&label) = queue.front() else { continue };
            for next in network.items(state).filter_map(|item| takes(network, item, from, label)) {
                let mut queues = queues.clone();
                if queue.len() == 1 {
                    queues.remove(&(from, to));
                } else if let Some(queue) = queues.get_mut(&(from, to)) {
                    queue.pop_front();
                }
                all.push((moved(next), queues));
            }
        }
    }
    all
}

/// What a state sends: to whom, with which label, and what follows.
fn sends(state: State) -> Option<(usize, Option<u32>, StateId)> {
    match state {
        State::Send { to, next, .. } => Some((to.index(), None, next)),
        State::Select { to, label, next } | State::SelectValue { to, label, next, .. } => {
            Some((to.index(), Some(label.0), next))
        }
        _ => None,
    }
}

/// What follows if a state takes such a message from such a process.
fn takes(network: &Network, state: State, sender: usize, label: Option<u32>) -> Option<StateId> {
    match (state, label) {
        (State::Receive { from, next }, None) if from.index() == sender => Some(next),
        (State::Offer { from, branches }, Some(label)) if from.index() == sender => {
            let branches = network.branches(branches).iter();
            branches.filter(|branch| branch.label.0 == label).map(|branch| branch.next).next()
        }
        _ => None,
    }
}

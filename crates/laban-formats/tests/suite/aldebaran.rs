//! Graphs as `.aut`, read back by a reader of a few lines and followed in the network.

use crate::{cases, random_network};
use laban::extraction::{ExtractOptions, Found, search};
use laban::semantics::Configuration;
use laban_formats::write_aldebaran;
use std::collections::{BTreeSet, HashSet};

/// The first state, how many states there are, and the transitions.
fn parse(text: &str) -> (usize, usize, Vec<(usize, String, usize)>) {
    let mut lines = text.lines();
    let header = lines.next().unwrap().strip_prefix("des (").unwrap().strip_suffix(')').unwrap();
    let counts: Vec<usize> = header.split(", ").map(|count| count.parse().unwrap()).collect();
    let transitions: Vec<(usize, String, usize)> = lines
        .map(|line| {
            let line = line.strip_prefix('(').unwrap().strip_suffix(')').unwrap();
            let (from, rest) = line.split_once(", \"").unwrap();
            let (label, to) = rest.rsplit_once("\", ").unwrap();
            (from.parse().unwrap(), label.to_string(), to.parse().unwrap())
        })
        .collect();
    assert_eq!(transitions.len(), counts[1], "the header counts the transitions");
    (counts[0], counts[2], transitions)
}

#[test]
fn every_transition_is_a_step_of_the_network() {
    let (mut graphs, mut followed, mut races) = (0, 0, 0);
    for seed in 0..cases(500) {
        let network = random_network(seed);
        let options = ExtractOptions { split: false, minimise: false, ..ExtractOptions::default() };
        let findings = search(&network, &options);
        let [component] = findings.components.as_slice() else { continue };
        let Found::Graph(graph) = &component.found else { continue };
        let (start, states, transitions) = parse(&write_aldebaran(&network, graph));
        let mentioned: BTreeSet<usize> = transitions.iter().flat_map(|(from, _, to)| [*from, *to]).chain([0]).collect();
        assert_eq!(mentioned, (0..states).collect(), "seed {seed}: every state can be reached");
        // A state of the graph may be several configurations.
        let mut met = HashSet::new();
        let mut work = vec![(start, Configuration::start(&network))];
        while let Some((state, configuration)) = work.pop() {
            if !met.insert((state, configuration.clone())) {
                continue;
            }
            let out: Vec<_> = transitions.iter().filter(|(from, ..)| *from == state).collect();
            if out.is_empty() {
                assert!(configuration.steps(&network).is_empty(), "seed {seed}: something could still happen");
            }
            for (_, label, target) in out {
                let steps = configuration.steps(&network);
                let step = steps.iter().find(|step| step.describe(&network).to_string() == *label);
                let step = step.unwrap_or_else(|| panic!("seed {seed}: `{label}` cannot happen"));
                let mut next = configuration.clone();
                assert!(next.take(&network, *step));
                work.push((*target, next));
                followed += 1;
            }
        }
        graphs += 1;
        races += u32::from(network.has_races());
    }
    assert!(graphs > 250 && followed > 3_000 && races > 50, "{graphs} graphs, {followed} steps, {races} races");
}

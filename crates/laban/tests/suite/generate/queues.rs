//! Random choreographies with messages that wait.

use crate::cases;
use crate::projection_queues::parameters;
use laban::choreography::{self, Choreography, Node};
use laban::generate::{Parameters, choreography as random_choreography, fuzz, network, unroll};
use laban::network::lower;
use laban::syntax::{Compact, parse_choreography, parse_network};

/// How many messages are put alone, how many in groups, and how many are taken.
fn messages(choreography: &Choreography) -> [usize; 3] {
    let mut counts = [0; 3];
    for node in choreography.nodes() {
        match *node {
            Node::Put { .. } => counts[0] += 1,
            Node::Group { members, .. } => counts[1] += choreography.members(members).len(),
            Node::Take { .. } => counts[2] += 1,
            _ => {}
        }
    }
    counts
}

#[test]
fn so_many_interactions_wait_as_are_asked_for() {
    let mut all = [0; 3];
    for seed in 0..cases(200) {
        let tree = random_choreography(&Parameters::new(9, 4, 0, 2).with_queues(6), seed).unwrap();
        let text = Compact(&tree).to_string();
        let parsed = parse_choreography(&text);
        assert!(parsed.diagnostics.is_empty() && parsed.tree.eq_ignoring_spans(&tree), "seed {seed}: {text}");
        let lowered = choreography::lower(&tree).choreography.unwrap_or_else(|| panic!("seed {seed}: {text}"));
        let [puts, members, takes] = messages(&lowered);
        assert_eq!((puts + members, takes), (6, puts), "seed {seed}: {text}");
        all = [all[0] + puts, all[1] + members, all[2] + takes];
    }
    assert!(all[0] as u64 > cases(700) && all[1] as u64 > cases(300), "{all:?}");
}

#[test]
fn without_queues_a_seed_gives_what_it_always_gave() {
    for seed in 0..20 {
        let plain = Parameters::new(12, 4, 2, 2);
        let text = |parameters| Compact(&random_choreography(&parameters, seed).unwrap()).to_string();
        assert_eq!(text(plain), text(plain.with_queues(0)));
    }
    assert_eq!(Parameters::new(12, 4, 2, 2).with_queues(3).to_string(), "12-4-2-2-q3");
    let refused = |parameters: Parameters| random_choreography(&parameters, 0).unwrap_err().to_string();
    assert_eq!(
        refused(Parameters::new(4, 3, 2, 1).with_races(1).with_queues(1)),
        "there cannot be both races and queues"
    );
    assert!(
        refused(Parameters::new(4, 3, 2, 1).with_queues(3)).starts_with("there cannot be more interactions through")
    );
}

#[test]
fn edits_keep_the_channels() {
    for seed in 0..cases(100) {
        let generated = network(&parameters(seed), seed).unwrap();
        assert!(generated.network.has_queues());
        for tree in [fuzz(&generated.network_tree, 1, 1, seed).0, unroll(&generated.network_tree, seed).0] {
            let text = Compact(&tree).to_string();
            let parsed = parse_network(&text);
            assert!(text.starts_with("channels ") && parsed.diagnostics.is_empty(), "seed {seed}: {text}");
            let Some(edited) = lower(&parsed.tree).network else { continue };
            assert_eq!(edited.channels(), generated.network.channels(), "seed {seed}: {text}");
        }
    }
}

//! The algorithms against naive twins on random graphs, and on graphs whose answer is known.

use std::collections::BTreeMap;

use super::minimise::minimise_after;
use super::*;
use crate::random::SeededRng;

/// A random graph: of few labels and letters, so that nodes are often alike; from acyclic to all
/// tangled; at times with an unrolled copy of itself, in random order.
fn random_graph(seed: u64, most_nodes: u32) -> Graph {
    let mut rng = SeededRng::new(seed);
    let count = rng.below_u32(most_nodes + 1);
    let labels = 1 + rng.below_u32(4);
    let letters = 1 + rng.below_u32(3);
    // How many edges in 8 may lead anywhere; the others lead to a later node.
    let tangle = rng.below_u32(9);
    let degree_by_label = rng.below_u32(2) == 0;
    let copies = if rng.below_u32(3) == 0 { 2 } else { 1 };

    let mut nodes = Vec::new();
    for node in 0..count {
        let label = rng.below_u32(labels);
        let degree = if degree_by_label { label % (letters + 1) } else { rng.below_u32(letters + 1) };
        let targets: Vec<u32> = (0..degree)
            .map(|_| {
                let anywhere = rng.below_u32(8) < tangle || node + 1 == count;
                if anywhere { rng.below_u32(count) } else { node + 1 + rng.below_u32(count - node - 1) }
            })
            .collect();
        nodes.push((label, targets));
    }
    // An edge of a copy may lead to any copy of its target.
    let mut order: Vec<u32> = (0..count * copies).collect();
    if rng.below_u32(2) == 0 {
        for last in (1..order.len()).rev() {
            order.swap(last, rng.below_u32(last as u32 + 1) as usize);
        }
    }
    let mut place = vec![0; order.len()];
    for (position, &node) in order.iter().enumerate() {
        place[node as usize] = position as u32;
    }
    let mut graph = Graph::new();
    for node in order {
        let (label, targets) = &nodes[(node % count) as usize];
        let targets: Vec<u32> =
            targets.iter().map(|target| place[(target + count * rng.below_u32(copies)) as usize]).collect();
        graph.push(u64::from(*label), targets);
    }
    graph
}

/// Tells nodes apart by label and degree, then by the classes of their successors, until nothing
/// changes.
fn naive_minimise(graph: &Graph) -> Partition {
    let mut class_of = vec![0; graph.len()];
    let mut count = 0;
    loop {
        let mut numbers = BTreeMap::new();
        let mut representatives = Vec::new();
        let mut refined = Vec::new();
        for node in graph.nodes() {
            let successors: Vec<u32> = graph.successors(node).iter().map(|&target| class_of[target as usize]).collect();
            let class = *numbers.entry((graph.label(node), successors)).or_insert_with(|| {
                representatives.push(node);
                representatives.len() as u32 - 1
            });
            refined.push(class);
        }
        class_of = refined;
        if representatives.len() == count {
            return Partition { class_of, representatives };
        }
        count = representatives.len();
    }
}

/// For each node, the nodes it reaches by at least one edge.
fn reachability(graph: &Graph) -> Vec<Vec<bool>> {
    let reached_from = |start: u32| {
        let mut reached = vec![false; graph.len()];
        let mut worklist = vec![start];
        while let Some(node) = worklist.pop() {
            for &target in graph.successors(node) {
                if !std::mem::replace(&mut reached[target as usize], true) {
                    worklist.push(target);
                }
            }
        }
        reached
    };
    graph.nodes().map(reached_from).collect()
}

/// Compares the twins, also with as little looking ahead as there can be, so that the refinement
/// has more to do.
fn agree_on_classes(seed: u64, graph: &Graph) {
    let expected = naive_minimise(graph);
    assert_eq!(minimise(graph), expected, "seed {seed}: {graph:?}");
    assert_eq!(minimise_after(1, graph, |_| 0), expected, "seed {seed}, one round: {graph:?}");
}

fn cycle(labels: impl ExactSizeIterator<Item = u32>) -> Graph {
    let count = labels.len() as u32;
    let mut graph = Graph::new();
    for (node, label) in (0..count).zip(labels) {
        graph.push(u64::from(label), [(node + 1) % count]);
    }
    graph
}

#[test]
fn minimise_agrees_with_its_naive_twin_on_small_graphs() {
    for seed in 0..20_000 {
        let graph = random_graph(seed, 14);
        agree_on_classes(seed, &graph);
    }
}

#[test]
fn minimise_agrees_with_its_naive_twin_on_larger_graphs() {
    for seed in 0..1_000 {
        let graph = random_graph(seed, 300);
        agree_on_classes(seed, &graph);
    }
}

#[test]
fn what_is_alike_within_its_group_does_not_depend_on_other_groups() {
    for seed in 0..5_000 {
        let graph = random_graph(seed, 14);
        let expected = naive_minimise(&graph);
        // Three copies side by side, each of which is a group.
        let count = graph.len() as u32;
        let mut copies = Graph::new();
        for copy in 0..3 {
            for node in graph.nodes() {
                copies.push(graph.label(node), graph.successors(node).iter().map(|&target| copy * count + target));
            }
        }
        let found = minimise_after(1 + seed as usize % 6, &copies, |node| node / count * count);
        for copy in 0..3 {
            let class = |node: u32| found.class_of[(copy * count + node) as usize];
            for (one, other) in graph.nodes().flat_map(|one| (0..one).map(move |other| (one, other))) {
                let alike = expected.class_of[one as usize] == expected.class_of[other as usize];
                assert_eq!(class(one) == class(other), alike, "seed {seed}, {one} and {other}: {graph:?}");
            }
        }
    }
}

#[test]
fn random_graphs_are_both_cyclic_and_acyclic_and_both_shrink_and_stay() {
    let (mut cyclic, mut acyclic, mut shrunk, mut minimal) = (0, 0, 0, 0);
    for seed in 0..1_000 {
        let graph = random_graph(seed, 14);
        let any_cycle = strong_components(&graph).cyclic.contains(&true);
        *(if any_cycle { &mut cyclic } else { &mut acyclic }) += 1;
        *(if minimise(&graph).class_count() < graph.len() { &mut shrunk } else { &mut minimal }) += 1;
    }
    assert!(cyclic > 100 && acyclic > 100 && shrunk > 100 && minimal > 100);
}

#[test]
fn a_quotient_is_minimal_and_keeps_every_behaviour() {
    for seed in 0..1_000 {
        let graph = random_graph(seed, 40);
        let partition = minimise(&graph);
        let small = quotient(&graph, &partition);
        assert_eq!(minimise(&small).class_count(), small.len(), "seed {seed}");
        for node in graph.nodes() {
            let class = partition.class_of[node as usize];
            assert_eq!(small.label(class), graph.label(node), "seed {seed}");
            let classes: Vec<u32> =
                graph.successors(node).iter().map(|&target| partition.class_of[target as usize]).collect();
            assert_eq!(small.successors(class), classes, "seed {seed}");
        }
    }
}

#[test]
fn a_graph_without_nodes_has_no_classes_and_no_components() {
    let graph = Graph::default();
    assert_eq!(minimise(&graph).class_count(), 0);
    assert_eq!(strong_components(&graph).count(), 0);
    assert!(quotient(&graph, &minimise(&graph)).is_empty());
}

#[test]
fn unrolled_copies_of_a_loop_collapse() {
    // a b, a b a b and a b a b a b, entered through a node of its own each.
    let mut graph = Graph::new();
    for length in [2, 4, 6] {
        let first = graph.len() as u32 + 1;
        graph.push(9, [first]);
        for step in 0..length {
            graph.push(u64::from(step % 2), [first + (step + 1) % length]);
        }
    }
    let partition = minimise(&graph);
    assert_eq!(partition.class_of, [0, 1, 2, 0, 1, 2, 1, 2, 0, 1, 2, 1, 2, 1, 2]);
    assert_eq!(partition.representatives, [0, 1, 2]);
}

#[test]
fn nodes_with_the_same_label_and_different_numbers_of_edges_differ() {
    let mut graph = Graph::new();
    graph.push(0, []);
    graph.push(0, [0]);
    graph.push(0, [2]);
    graph.push(0, [2, 3]);
    graph.push(0, [4, 2]);
    assert_eq!(minimise(&graph).class_of, [0, 1, 2, 3, 4]);
}

#[test]
fn the_order_of_edges_matters() {
    let mut graph = Graph::new();
    graph.push(1, []);
    graph.push(2, []);
    graph.push(0, [0, 1]);
    graph.push(0, [1, 0]);
    graph.push(0, [0, 1]);
    assert_eq!(minimise(&graph).class_of, [0, 1, 2, 3, 2]);
}

#[test]
fn loops_that_leave_towards_different_ends_differ() {
    let mut graph = Graph::new();
    graph.push(0, [0, 3]);
    graph.push(0, [2, 4]);
    graph.push(0, [1, 4]);
    graph.push(1, []);
    graph.push(2, []);
    assert_eq!(minimise(&graph).class_of, [0, 1, 1, 2, 3]);
}

#[test]
fn a_chain_of_a_million_stays_whichever_way_it_runs() {
    let count = 1_000_000;
    let mut down = Graph::with_capacity(count as usize, count as usize);
    let mut up = Graph::with_capacity(count as usize, count as usize);
    for node in 0..count {
        down.push(0, (node + 1 < count).then_some(node + 1));
        up.push(0, node.checked_sub(1));
    }
    for graph in [down, up] {
        assert_eq!(minimise(&graph).class_count(), count as usize);
        let components = strong_components(&graph);
        assert_eq!(components.count(), count as usize);
        assert!(!components.cyclic.contains(&true));
    }
}

#[test]
fn a_long_cycle_of_one_label_collapses() {
    let graph = cycle((0..100_000).map(|_| 5));
    assert_eq!(minimise(&graph).class_count(), 1);
    assert_eq!(quotient(&graph, &minimise(&graph)).successors(0), [0]);
}

#[test]
fn a_long_cycle_with_one_odd_label_stays() {
    for odd in [0, 1, 50_000, 99_999] {
        let graph = cycle((0..100_000).map(|node| u32::from(node == odd)));
        assert_eq!(minimise(&graph).class_count(), 100_000);
    }
}

#[test]
fn a_cycle_shrinks_to_the_period_of_its_labels() {
    for power in 0..17 {
        let graph = cycle((0..1 << 17).map(|node| u32::from(node % (1 << power) == 0)));
        assert_eq!(minimise(&graph).class_count(), 1 << power);
    }
}

#[test]
fn strong_components_agree_with_mutual_reachability() {
    for seed in 0..5_000 {
        let graph = random_graph(seed, 16);
        let components = strong_components(&graph);
        let reached = reachability(&graph);
        let used: std::collections::BTreeSet<u32> = components.component_of.iter().copied().collect();
        assert!(used.into_iter().eq(0..components.count() as u32), "seed {seed}");
        for left in graph.nodes() {
            for right in graph.nodes() {
                let (from, to) = (left as usize, right as usize);
                let together = left == right || (reached[from][to] && reached[to][from]);
                assert_eq!(components.component_of[from] == components.component_of[to], together, "seed {seed}");
            }
            assert_eq!(components.on_cycle(left), reached[left as usize][left as usize], "seed {seed}");
        }
    }
}

#[test]
fn no_edge_leads_to_a_component_with_a_higher_number() {
    for seed in 0..1_000 {
        let graph = random_graph(seed, 100);
        let components = strong_components(&graph);
        for node in graph.nodes() {
            for &target in graph.successors(node) {
                let (from, to) = (components.component_of[node as usize], components.component_of[target as usize]);
                assert!(to <= from, "seed {seed}: {node} -> {target}");
            }
        }
    }
}

#[test]
fn a_cycle_of_a_million_is_one_component() {
    let components = strong_components(&cycle((0..1_000_000).map(|_| 0)));
    assert_eq!(components.count(), 1);
    assert_eq!(components.cyclic, [true]);
}

#[test]
fn a_node_alone_is_a_cycle_only_with_an_edge_to_itself() {
    let mut graph = Graph::new();
    graph.push(0, [1]);
    graph.push(0, [1]);
    let components = strong_components(&graph);
    assert_eq!(components.component_of, [1, 0]);
    assert_eq!(components.cyclic, [true, false]);
}

//! Symbolic execution graphs as labelled transition systems in the format Aldebaran, `.aut`, which CADP and mCRL2 read.
//!
//! Each step of the graph is a transition, labelled as a choreography writes it. At a race there is one transition for
//! each interaction that may come first.

use laban::Network;
use laban::extraction::ExecutionGraph;
use laban::semantics::Action;
use std::fmt::Write;

/// A symbolic execution graph of a network.
///
/// The first line has the number of the first state, how many transitions there are, and how many states.
///
/// ```
/// use laban::extraction::{ExtractOptions, Found, search};
///
/// let network = laban::analyse("p { main { q+ok; stop } } | q { main { p&{ok: stop} } }").into_network()?;
/// let findings = search(&network, &ExtractOptions::default());
/// let Found::Graph(graph) = &findings.components[0].found else { panic!("it can be extracted") };
/// let text = laban_formats::write_aldebaran(&network, graph);
/// assert_eq!(text, "des (0, 1, 2)\n(0, \"p -> q[ok]\", 1)\n");
/// # Ok::<(), laban::IllFormed>(())
/// ```
pub fn write_aldebaran(network: &Network, graph: &ExecutionGraph) -> String {
    const UNKNOWN: usize = usize::MAX;
    let mut numbers = vec![UNKNOWN; graph.len()];
    let mut order: Vec<u32> = Vec::new();
    let mut number = |node: u32, order: &mut Vec<u32>| match numbers.get_mut(node as usize) {
        Some(number) if *number == UNKNOWN => {
            *number = order.len();
            order.push(node);
            *number
        }
        Some(number) => *number,
        None => 0,
    };
    number(0, &mut order);
    let mut lines = String::new();
    let mut transitions = 0;
    let mut at = 0;
    while let Some(&node) = order.get(at) {
        for (label, target) in steps(network, graph, node) {
            let target = number(target, &mut order);
            // A quote would end the label.
            let _ = writeln!(lines, "({at}, \"{}\", {target})", label.replace(['"', '\n'], "'"));
            transitions += 1;
        }
        at += 1;
    }
    format!("des (0, {transitions}, {})\n{lines}", order.len())
}

/// What can happen at a node, and where it leads.
fn steps(network: &Network, graph: &ExecutionGraph, node: u32) -> Vec<(String, u32)> {
    let is_race = |node: u32| graph.action(node).and_then(|action| graph.describe(action)) == Some(Action::Race);
    // The interactions of a race have nodes of their own.
    let nodes: Vec<u32> = if is_race(node) { graph.targets(node).collect() } else { vec![node] };
    let mut steps = Vec::new();
    for node in nodes {
        let Some(action) = graph.action(node).and_then(|action| graph.describe(action)) else { continue };
        for (outcome, target) in graph.targets(node).enumerate() {
            if let Some(step) = action.step(outcome) {
                steps.push((step.describe(network).to_string(), target));
            }
        }
    }
    steps
}

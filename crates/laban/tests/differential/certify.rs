//! A second way to check that a choreography describes a network: every pair of a node and a configuration, walked with
//! the plain semantics.

use laban::choreography::{Choreography, Node, NodeId};
use laban::graph::{Graph, strong_components};
use laban::network::{Configuration, Content, Interaction, Network, ProcessId, Step, components};
use laban::syntax::Symbol;
use std::collections::HashMap;

/// Says why a choreography does not describe a network.
pub(crate) fn certify(network: &Network, choreography: &Choreography) -> Result<(), String> {
    let translation = Translation { network, choreography };
    let mut starts = choreography.starts.clone();
    for component in components(network) {
        let concerns = |start: &NodeId| match translation.first_actor(*start) {
            Some(process) => component.contains(&process),
            None => false,
        };
        let start = starts.iter().position(concerns).map(|part| starts.remove(part));
        certify_component(&translation, &component, start)?;
    }
    match starts.iter().find(|&&start| choreography.node(start) != Node::Stop) {
        Some(part) => Err(format!("nobody follows the part that starts at node {}", part.0)),
        None => Ok(()),
    }
}

fn certify_component(
    translation: &Translation<'_>,
    component: &[ProcessId],
    start: Option<NodeId>,
) -> Result<(), String> {
    let Translation { network, choreography } = *translation;
    let mut pairs = vec![(start, Configuration::start(network))];
    let mut number_of = HashMap::from([(pairs[0].clone(), 0u32)]);
    // From where to where, and who acts.
    let mut edges: Vec<(u32, u32, Vec<ProcessId>)> = Vec::new();
    let runs = |configuration: &Configuration, process: ProcessId| {
        !network.processes[process.index()].service && !configuration.has_stopped(network, process)
    };
    let mut here = 0;
    while here < pairs.len() {
        let (node, configuration) = pairs[here].clone();
        let steps = match node {
            Some(node) => translation.steps(choreography.node(node))?,
            None => Vec::new(),
        };
        if steps.is_empty()
            && let Some(&left) = component.iter().find(|&&process| runs(&configuration, process))
        {
            return Err(format!("{} still runs at the end", network.process_name(left)));
        }
        for (step, next) in steps {
            let mut after = configuration.clone();
            if step.actors().any(|actor| !component.contains(&actor)) {
                return Err(format!("{step:?} belongs to another part"));
            }
            if !after.take(network, step) {
                return Err(format!("{step:?} is not possible at node {node:?}"));
            }
            let there = *number_of.entry((Some(next), after)).or_insert_with_key(|pair| {
                pairs.push(pair.clone());
                pairs.len() as u32 - 1
            });
            edges.push((here as u32, there, step.actors().collect()));
        }
        here += 1;
    }
    for &process in component {
        let mut without = vec![Vec::new(); pairs.len()];
        for (from, to, actors) in &edges {
            if runs(&pairs[*from as usize].1, process) && !actors.contains(&process) {
                without[*from as usize].push(*to);
            }
        }
        let mut graph = Graph::new();
        for targets in without {
            graph.push(0, targets);
        }
        if strong_components(&graph).cyclic.contains(&true) {
            return Err(format!("{} can wait for ever", network.process_name(process)));
        }
    }
    Ok(())
}

/// From the names of a choreography to those of a network.
#[derive(Clone, Copy)]
struct Translation<'a> {
    network: &'a Network,
    choreography: &'a Choreography,
}

impl Translation<'_> {
    fn process(&self, process: ProcessId) -> Result<ProcessId, String> {
        let name = self.choreography.process_name(process);
        self.network.process_named(name).ok_or_else(|| format!("there is no process {name}"))
    }

    fn symbol(&self, symbol: Symbol) -> Result<Symbol, String> {
        let text = self.choreography.names.text(symbol);
        self.network.names.find(text).ok_or_else(|| format!("the network has no {text}"))
    }

    /// What happens at a node, and where it leads.
    fn steps(&self, node: Node) -> Result<Vec<(Step, NodeId)>, String> {
        match node {
            Node::Stop => Ok(Vec::new()),
            Node::Interaction { interaction, next } => {
                let content = match interaction.content {
                    Content::Value(expression) => Content::Value(self.symbol(expression)?),
                    Content::Label(label) => Content::Label(self.symbol(label)?),
                };
                let (from, to) = (self.process(interaction.from)?, self.process(interaction.to)?);
                Ok(vec![(Step::Interaction(Interaction { from, to, content }), next)])
            }
            Node::Group { .. } => Err("several interactions at once".to_string()),
            Node::If { process, condition, then, otherwise } => {
                let (process, condition) = (self.process(process)?, self.symbol(condition)?);
                let decision = |holds| Step::Decision { process, condition, holds };
                Ok(vec![(decision(true), then), (decision(false), otherwise)])
            }
        }
    }

    fn first_actor(&self, start: NodeId) -> Option<ProcessId> {
        let steps = self.steps(self.choreography.node(start)).ok()?;
        steps.first()?.0.actors().next()
    }
}

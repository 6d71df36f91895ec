//! A second way to check that a choreography describes a network: every pair of a node and a configuration, walked with
//! the plain semantics.

use crate::cycles::has_cycle;
use laban::choreography::{Choreography, Node, NodeId};
use laban::network::{Content, Interaction, Network, ProcessId};
use laban::semantics::{Configuration, Step};
use laban::syntax::Symbol;
use std::collections::HashMap;

/// Says why a choreography does not describe a network.
pub(crate) fn certify(network: &Network, choreography: &Choreography) -> Result<(), String> {
    let translation = Translation { network, choreography };
    let mut cast: Vec<ProcessId> = Vec::new();
    for &start in choreography.starts() {
        let part = translation.cast(start)?;
        if let Some(&shared) = part.iter().find(|process| cast.contains(process)) {
            return Err(format!("{} takes part twice", network.process_name(shared)));
        }
        certify_part(&translation, &part, start)?;
        cast.extend(part);
    }
    let start = Configuration::start(network);
    let forgotten = |process: &ProcessId| !cast.contains(process) && runs(network, &start, *process);
    match network.process_ids().find(forgotten) {
        Some(process) => Err(format!("{} has no part", network.process_name(process))),
        None => Ok(()),
    }
}

/// Whether a process is neither done nor a service.
fn runs(network: &Network, configuration: &Configuration, process: ProcessId) -> bool {
    !network.processes()[process.index()].service && !configuration.has_stopped(network, process)
}

fn certify_part(translation: &Translation<'_>, cast: &[ProcessId], start: NodeId) -> Result<(), String> {
    let Translation { network, choreography } = *translation;
    let mut pairs = vec![(start, Configuration::start(network))];
    let mut number_of = HashMap::from([(pairs[0].clone(), 0u32)]);
    // From where to where, and who acts.
    let mut edges: Vec<(u32, u32, Vec<ProcessId>)> = Vec::new();
    let mut here = 0;
    while here < pairs.len() {
        let (node, configuration) = pairs[here].clone();
        let steps = translation.steps(choreography.node(node))?;
        if steps.is_empty()
            && let Some(&left) = cast.iter().find(|&&process| runs(network, &configuration, process))
        {
            return Err(format!("{} still runs at the end", network.process_name(left)));
        }
        for (step, next) in steps {
            let mut after = configuration.clone();
            if !after.take(network, step) {
                return Err(format!("{step:?} is not possible at node {node:?}"));
            }
            let there = *number_of.entry((next, after)).or_insert_with_key(|pair| {
                pairs.push(pair.clone());
                pairs.len() as u32 - 1
            });
            edges.push((here as u32, there, step.actors().collect()));
        }
        here += 1;
    }
    for &process in cast {
        let mut without = vec![Vec::new(); pairs.len()];
        for (from, to, actors) in &edges {
            if runs(network, &pairs[*from as usize].1, process) && !actors.contains(&process) {
                without[*from as usize].push(*to);
            }
        }
        if has_cycle(&without) {
            return Err(format!("{} can wait forever", network.process_name(process)));
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
        let text = self.choreography.text(symbol);
        self.network.names().find(text).ok_or_else(|| format!("the network has no {text}"))
    }

    /// What happens at a node, and where it leads.
    fn steps(&self, node: Node) -> Result<Vec<(Step, NodeId)>, String> {
        match node {
            Node::Stop => Ok(Vec::new()),
            Node::Interaction { interaction, next } => {
                let content = match interaction.content {
                    Content::Value(expression) => Content::Value(self.symbol(expression)?),
                    Content::Label(label) => Content::Label(self.symbol(label)?),
                    Content::LabelledValue { label, value } => {
                        Content::LabelledValue { label: self.symbol(label)?, value: self.symbol(value)? }
                    }
                };
                let (from, to) = (self.process(interaction.from)?, self.process(interaction.to)?);
                Ok(vec![(Step::Interaction(Interaction { from, to, content }), next)])
            }
            Node::Group { .. } | Node::Put { .. } | Node::Take { .. } => {
                Err("several interactions at once".to_string())
            }
            Node::If { process, condition, then, otherwise } => {
                let (process, condition) = (self.process(process)?, self.symbol(condition)?);
                let decision = |holds| Step::Decision { process, condition, holds };
                Ok(vec![(decision(true), then), (decision(false), otherwise)])
            }
            Node::Choose { process, arms } => {
                let process = self.process(process)?;
                let arms = self.choreography.arms(arms).iter().enumerate();
                Ok(arms.map(|(arm, &next)| (Step::Choice { process, arm: arm as u32 }, next)).collect())
            }
            Node::Any { .. } => Err("a race".to_string()),
        }
    }

    /// The processes that take part from a node on.
    fn cast(&self, start: NodeId) -> Result<Vec<ProcessId>, String> {
        let mut cast = Vec::new();
        let mut reached = vec![start];
        let mut here = 0;
        while here < reached.len() {
            for (step, next) in self.steps(self.choreography.node(reached[here]))? {
                cast.extend(step.actors());
                if !reached.contains(&next) {
                    reached.push(next);
                }
            }
            here += 1;
        }
        cast.sort_unstable();
        cast.dedup();
        Ok(cast)
    }
}

//! What runs side by side after a node of a choreography: who takes part in each part, and whether it comes to an end.

use super::graph::Graph;
use super::tasks::Exchange;
use super::tokens::{MOST_TOKENS, Marking, Position, Token, arrival, left, pass, position, replaced, taken};
use std::collections::{BTreeSet, HashMap};

/// What one token can do while all others stand still.
pub(super) struct Part {
    /// Who takes part.
    pub(super) roles: BTreeSet<usize>,
    /// Whether it waits for others somewhere.
    pub(super) joins: bool,
    /// Whether it may come to where it goes on forever, without a way out.
    pub(super) is_endless: bool,
}

impl Part {
    /// The part that starts with a token; nothing if there are more states to look at than are `left`.
    pub(super) fn new(
        graph: &Graph,
        exchanges: &[Vec<Exchange>],
        fork: usize,
        token: Token,
        left: &mut usize,
    ) -> Option<Part> {
        // This token stays, so that what is around the parts does not end.
        let other = Token::Waiting { node: fork, flow: usize::MAX };
        let mut start = vec![token, other];
        start.sort_unstable();
        let mut part = Part { roles: BTreeSet::new(), joins: false, is_endless: false };
        let mut numbers: HashMap<Marking, usize> = HashMap::from([(start.clone(), 0)]);
        let mut before: Vec<Vec<usize>> = vec![Vec::new()];
        let mut ended = Vec::new();
        let mut work = vec![(start, 0)];
        while let Some((marking, number)) = work.pop() {
            *left = left.checked_sub(1)?;
            if marking.len() > MOST_TOKENS {
                return None;
            }
            let mut moves = false;
            for index in 0..marking.len() {
                for next in part.moves(graph, exchanges, &marking, index) {
                    moves = true;
                    let count = numbers.len();
                    let target = *numbers.entry(next.clone()).or_insert(count);
                    if target == count {
                        before.push(Vec::new());
                        work.push((next, target));
                    }
                    before[target].push(number);
                }
            }
            if !moves {
                ended.push(number);
            }
            part.joins |= marking.iter().any(|token| matches!(token, Token::Waiting { .. }) && *token != other);
        }
        let mut ends = vec![false; before.len()];
        while let Some(state) = ended.pop() {
            if !std::mem::replace(&mut ends[state], true) {
                ended.extend(&before[state]);
            }
        }
        part.is_endless = ends.contains(&false);
        Some(part)
    }

    /// What follows when one token moves. Takes note of who takes part.
    fn moves(&mut self, graph: &Graph, exchanges: &[Vec<Exchange>], marking: &Marking, index: usize) -> Vec<Marking> {
        let token = marking[index];
        match (position(graph, token), token) {
            (Position::Pass | Position::Linger, _) => vec![pass(graph, marking, index)],
            (Position::Decision, _) => {
                let flows = graph.nodes[token.node()].outgoing.iter();
                flows.map(|&flow| taken(graph, marking, index, flow)).collect()
            }
            (Position::Repetition, Token::At { node, .. }) => {
                vec![replaced(marking, index, Token::At { node, stage: 0 }), left(graph, marking, index)]
            }
            (Position::Act, Token::At { node, stage }) => {
                let exchange = exchanges[node].get(stage);
                self.roles.extend(exchange.iter().flat_map(|exchange| [exchange.from, exchange.to]));
                vec![replaced(marking, index, Token::At { node, stage: stage + 1 })]
            }
            (Position::Await(nodes), _) => {
                nodes.iter().map(|&node| replaced(marking, index, arrival(graph, node))).collect()
            }
            _ => Vec::new(),
        }
    }
}

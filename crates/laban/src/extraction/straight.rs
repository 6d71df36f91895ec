//! The search where nothing happens twice.
//!
//! In a component without decisions, where each local state leads to later ones of its process or to an end, nobody
//! ever goes back: the graph is a row of nodes, none of which has to be found again. So nothing is kept of them.

use super::cursor::Cursor;
use super::execution_graph::{Edge, ExecutionGraph, NOWHERE};
use super::machine::Machine;
use super::search::NODES_BETWEEN_QUESTIONS;
use super::strategy::Strategy;
use super::{Failure, Found, Searched, Statistics};
use crate::limits::Limits;
use crate::semantics::Action;

/// Searches such a component.
pub(super) fn search(
    machine: &Machine,
    actions: Vec<Action>,
    strategy: Strategy,
    seed: u64,
    limits: &Limits<'_>,
) -> Searched {
    let most = limits.max_states.unwrap_or(usize::MAX).min(NOWHERE as usize - 2);
    let mut cursor = Cursor::without_rows(machine);
    let mut graph = ExecutionGraph::with_capacity(actions, machine.locals.len() / 2 + 1);
    let mut nodes = 0;
    let found = loop {
        let node = graph.push();
        nodes += 1;
        if nodes > most {
            break Found::Undecided(limits.too_many());
        }
        if nodes.is_multiple_of(NODES_BETWEEN_QUESTIONS)
            && let Some(reason) = (limits.stop)()
        {
            break Found::Undecided(reason);
        }
        let Some(process) = cursor.choose(strategy, seed, node, 0) else {
            break match cursor.all_done() {
                true => Found::Graph(graph),
                false => {
                    let run = graph.shortest_run(node);
                    Found::Failure(Failure::Deadlock { run }, graph)
                }
            };
        };
        graph.choose(node, cursor.action(process).1);
        let erases = cursor.advance(process);
        graph.connect(node, Edge::new(node + 1, erases));
    };
    Searched::new(found, Statistics { nodes, bad_loops: 0, bytes: 0 })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::extraction::search;
    use crate::network::{Network, ProcessId, lower};
    use crate::random::SeededRng;
    use crate::syntax::parse_network;

    /// Communications and selections at random, and sometimes one that nobody is ready for.
    fn network(rng: &mut SeededRng) -> Network {
        let count = 2 + rng.below_u32(40);
        let mut bodies = vec![String::new(); count as usize];
        let mut closing = vec![String::new(); count as usize];
        for step in 0..rng.below_u32(60) {
            let from = rng.below_u32(count);
            let to = (from + 1 + rng.below_u32(count - 1)) % count;
            let (sender, receiver) = (from as usize, to as usize);
            match rng.below_u32(40) {
                0 => bodies[sender] += &format!("p{to}!<lost>; "),
                1..20 => {
                    bodies[sender] += &format!("p{to}!<v{step}>; ");
                    bodies[receiver] += &format!("p{from}?; ");
                }
                _ => {
                    bodies[sender] += &format!("p{to}+l; ");
                    bodies[receiver] += &format!("p{from}&{{k: stop, l: ");
                    closing[receiver].push('}');
                }
            }
        }
        let process = |(number, (body, closing)): (usize, (String, String))| {
            let service = if number % 7 == 3 { "service " } else { "" };
            format!("{service}p{number} {{ main {{ {body}stop{closing} }} }}")
        };
        let processes: Vec<String> = bodies.into_iter().zip(closing).enumerate().map(process).collect();
        lower(&parse_network(&processes.join(" | ")).tree).network.unwrap()
    }

    /// What a search found, in full.
    fn shown(searched: Searched) -> String {
        let Searched { found, statistics, .. } = searched;
        let graph = match &found {
            Found::Graph(graph) | Found::Failure(_, graph) => graph,
            Found::Undecided(_) => return String::new(),
        };
        let nodes: Vec<_> = graph.described().collect();
        let failure = if let Found::Failure(failure, _) = &found { Some(failure) } else { None };
        format!("{} {nodes:?} {failure:?}", statistics.nodes)
    }

    #[test]
    fn the_search_for_all_components_finds_the_same() {
        let (mut works, mut fails) = (0, 0);
        for seed in 0..3_000 {
            let network = network(&mut SeededRng::new(seed));
            let processes: Vec<ProcessId> = network.process_ids().collect();
            let strategies = Strategy::ALL;
            let strategy = strategies[seed as usize % strategies.len()];
            let run = |straight: bool| {
                let mut machine = Machine::for_strategy(&network, &processes, strategy);
                assert!(machine.is_straight, "seed {seed}");
                machine.is_straight = straight;
                let actions = machine.take_actions();
                search::search(&machine, actions, strategy, seed, &Limits::default())
            };
            let searched = run(true);
            *(if matches!(searched.found, Found::Graph(_)) { &mut works } else { &mut fails }) += 1;
            assert_eq!(shown(searched), shown(run(false)), "seed {seed}");
        }
        assert!(works > 300 && fails > 300, "{works} {fails}");
    }
}

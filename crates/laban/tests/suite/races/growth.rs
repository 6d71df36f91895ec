//! How the nodes grow with the number of those who race.

#[path = "../../../benches/shapes/mod.rs"]
mod shapes;

use laban::Verdict;
use laban::extraction::{ExtractOptions, search};

/// How many nodes the search makes of a network that can be extracted.
fn nodes(shape: &str, size: usize, processes: usize) -> usize {
    let text = shapes::named(shape, size, processes).unwrap();
    let network = laban::analyse(&text).into_network().unwrap();
    let findings = search(&network, &ExtractOptions { parallel: false, ..ExtractOptions::default() });
    assert_eq!(findings.verdict(), Verdict::Extracted, "{shape} {size} {processes}");
    findings.statistics().nodes
}

#[test]
fn a_server_without_a_memory_is_one_node_however_many_clients_it_has() {
    for clients in [1, 2, 16, 256] {
        assert_eq!(nodes("server", clients, 0), 1);
    }
}

#[test]
fn a_server_that_answers_has_a_node_for_each_client_and_one_more() {
    for clients in [1, 2, 16, 256] {
        assert_eq!(nodes("requests", clients, 0), clients + 1);
    }
}

/// In how many ways `busy` of these workers can have one of these clients each.
fn ways(clients: usize, workers: usize, busy: usize) -> usize {
    (0..busy).map(|number| (clients - number) * (workers - number)).product::<usize>()
        / (1..=busy).product::<usize>().max(1)
}

#[test]
fn a_balancer_has_a_node_for_each_way_in_which_workers_are_busy() {
    for clients in 1..=5 {
        for workers in 1..=4 {
            // It waits for a request; or it has one, and then a worker is free.
            let waits: usize = (0..=clients.min(workers)).map(|busy| ways(clients, workers, busy)).sum();
            let has: usize = (0..=(clients - 1).min(workers - 1)).map(|busy| ways(clients - 1, workers, busy)).sum();
            let expected = waits + clients * has;
            assert_eq!(nodes("balancer", clients, workers), expected, "{clients} clients, {workers} workers");
        }
    }
}

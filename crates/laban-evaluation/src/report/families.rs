//! The generated networks: what both searches cost, family by family.

use super::document::{Section, Table};
use super::results::{Pair, Results};
use super::statistics::{count, mean, median, number_or_dash, ratio};
use laban::extraction::Strategy;
use laban::generate::families;

pub(super) fn section(results: &Results<'_>) -> Section {
    let mut section = Section::new("Table 2: generated networks");
    section.text(
        "The networks of generated choreographies, each extracted with ten strategies and both searches. \
         Means are over the networks on which both searches finished within the limit; a ratio above 1 means \
         that the fast search is that much better.",
    );
    section.table(by_family(results));
    section.table(by_strategy(results));
    section
}

fn by_family(results: &Results<'_>) -> Table {
    let head = [
        "test set",
        "networks",
        "searches",
        "not finished: paper search",
        "fast",
        "mean ms: paper search",
        "fast",
        "ratio",
        "median ratio",
        "ratio without minimising",
        "mean nodes: paper search",
        "fast",
        "ratio",
    ];
    let mut table = Table::new("Fast against paper search, all strategies together", 1, head);
    for family in families() {
        let all: Vec<Pair<'_>> =
            results.pairs("families").filter(|pair| pair.paper.key.family == family.name).collect();
        if all.is_empty() {
            continue;
        }
        let networks = all.iter().filter(|pair| pair.paper.key.strategy == "I").count();
        let mut row = vec![family.title.to_string(), count(networks), count(all.len())];
        row.extend(costs(&all, true));
        table.rows.push(row);
    }
    table
}

fn by_strategy(results: &Results<'_>) -> Table {
    let head = [
        "test set",
        "strategy",
        "not finished: paper search",
        "fast",
        "mean ms: paper search",
        "fast",
        "ratio",
        "mean nodes: paper search",
        "fast",
        "ratio",
        "bad loops: paper search",
        "fast",
    ];
    let mut table = Table::new("Each strategy", 2, head);
    for family in families() {
        for strategy in Strategy::ALL {
            let chosen =
                |pair: &Pair<'_>| pair.paper.key.family == family.name && pair.paper.key.strategy == strategy.short;
            let all: Vec<Pair<'_>> = results.pairs("families").filter(chosen).collect();
            if all.is_empty() {
                continue;
            }
            let mut row = vec![family.title.to_string(), strategy.short.to_string()];
            row.extend(costs(&all, false));
            let loops = |run: fn(&Pair<'_>) -> u64| {
                let all: Vec<f64> = all.iter().filter(|pair| pair.finished()).map(|pair| run(pair) as f64).collect();
                number_or_dash(mean(&all))
            };
            row.extend([loops(|pair| pair.paper.bad_loops), loops(|pair| pair.fast.bad_loops)]);
            table.rows.push(row);
        }
    }
    table
}

/// Not finished, times and nodes.
fn costs(all: &[Pair<'_>], details: bool) -> Vec<String> {
    let unfinished = |finished: fn(&Pair<'_>) -> bool| count(all.iter().filter(|pair| !finished(pair)).count());
    let column =
        |value: fn(&Pair<'_>) -> f64| -> Vec<f64> { all.iter().filter(|pair| pair.finished()).map(value).collect() };
    let compared = |paper: fn(&Pair<'_>) -> f64, fast: fn(&Pair<'_>) -> f64| {
        let (paper, fast) = (mean(&column(paper)), mean(&column(fast)));
        [number_or_dash(paper), number_or_dash(fast), ratio(paper, fast)]
    };
    let mut row = vec![unfinished(|pair| pair.paper.finished()), unfinished(|pair| pair.fast.finished())];
    row.extend(compared(|pair| pair.paper.milliseconds(), |pair| pair.fast.milliseconds()));
    if details {
        row.push(number_or_dash(median(&column(|pair| pair.paper.microseconds / pair.fast.microseconds.max(0.1)))));
        let without_minimising = mean(&column(|pair| (pair.fast.microseconds - pair.fast.preparing) / 1000.0));
        row.push(ratio(mean(&column(|pair| pair.paper.milliseconds())), without_minimising));
    }
    row.extend(compared(|pair| pair.paper.nodes as f64, |pair| pair.fast.nodes as f64));
    row
}

//! The unroller: the same networks, written in another way.

use super::chart::{Axis, Chart, Series};
use super::document::{Section, Table};
use super::results::Results;
use super::statistics::{count, median, number_or_dash};
use crate::run::{Key, Run};
use laban::extraction::Strategy;

pub(super) fn section(results: &Results<'_>) -> Section {
    let mut section = Section::new("Unrolled networks");
    section.text(
        "Each network with procedures, after some calls of one process were unfolded and some of its loops \
         shifted. All must be extracted, and must be equivalent to the choreography they came from. The ratio \
         is the time for the unrolled network to that for the original one (the median).",
    );
    let head = [
        "strategy",
        "networks",
        "paper search: extracted",
        "equivalent",
        "not finished",
        "unrolled / original",
        "fast search: extracted",
        "equivalent",
        "not finished",
        "unrolled / original",
    ];
    let mut table = Table::new("Unrolled networks", 1, head);
    for strategy in Strategy::ALL {
        let mut row = vec![strategy.short.to_string()];
        for search in ["paper", "fast"] {
            let chosen = |run: &&Run| run.key.strategy == strategy.short && run.key.search == search;
            let runs: Vec<&Run> = results.part("unrolling").filter(chosen).collect();
            let number = |what: fn(&&&Run) -> bool| count(runs.iter().filter(what).count());
            if search == "paper" {
                row.push(count(runs.len()));
            }
            let ratios: Vec<f64> = runs
                .iter()
                .filter_map(|run| Some((run, original(results, run)?)))
                .map(|(run, original)| run.microseconds / original.microseconds.max(0.1))
                .collect();
            row.extend([
                number(|run| run.verdict == "extracted"),
                number(|run| run.is_equivalent()),
                number(|run| !run.finished()),
                number_or_dash(median(&ratios)),
            ]);
        }
        table.rows.push(row);
    }
    section.table(table);
    let chart = chart(results);
    if !chart.series.is_empty() {
        section.figure("unrolled", "Unrolled against original network, strategy InteractionsFirst", chart.svg());
    }
    section
}

/// The search of the network before it was unrolled, if both finished.
fn original<'a>(results: &Results<'a>, run: &Run) -> Option<&'a Run> {
    let key = Key { part: "families".to_string(), variant: "-".to_string(), ..run.key.clone() };
    results.find(&key).filter(|original| original.finished() && run.finished())
}

fn chart(results: &Results<'_>) -> Chart {
    let mut series = Vec::new();
    for (look, (search, filled)) in [("paper", false), ("fast", true)].into_iter().enumerate() {
        let chosen = |run: &&Run| run.key.strategy == "I" && run.key.search == search;
        let points: Vec<(f64, f64)> = results
            .part("unrolling")
            .filter(chosen)
            .filter_map(|run| Some((original(results, run)?.milliseconds(), run.milliseconds())))
            .collect();
        if !points.is_empty() {
            series.push(Series { name: format!("{search} search"), look, filled, line: false, points });
        }
    }
    Chart {
        title: "Time, unrolled against original".to_string(),
        x: Axis { label: "original network (ms)".to_string(), logarithmic: true },
        y: Axis { label: "unrolled network (ms)".to_string(), logarithmic: true },
        series,
    }
}

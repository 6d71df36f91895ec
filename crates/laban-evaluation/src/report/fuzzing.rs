//! Table 3: networks with mistakes in them.

use super::document::{Section, Table};
use super::paper::TABLE_3;
use super::results::Results;
use super::statistics::{count, mean, number_or_dash, percent};
use crate::run::Run;
use laban::extraction::Strategy;

pub(super) fn section(results: &Results<'_>) -> Section {
    let mut section = Section::new("Table 3: fuzzed networks");
    section.text(
        "Each network with mistakes in one process: *d* actions deleted and *s* swapped with the next. \
         Percentages are of all networks, as in the paper: a search that did not finish has not shown that \
         there is no choreography. The time is the mean of the searches that failed.",
    );
    section.table(table(
        "Percentage that cannot be extracted",
        results,
        |row, number| row.percent[number].to_string(),
        |runs| percent(runs.iter().filter(|run| run.failed()).count(), runs.len()),
    ));
    section.table(table(
        "Time to fail, in ms",
        results,
        |row, number| row.milliseconds[number].to_string(),
        |runs| {
            let times: Vec<f64> = runs.iter().filter(|run| run.failed()).map(|run| run.milliseconds()).collect();
            number_or_dash(mean(&times))
        },
    ));
    section.table(table(
        "Searches that did not finish within the limit",
        results,
        |_, _| "–".to_string(),
        |runs| count(runs.iter().filter(|run| !run.finished()).count()),
    ));
    section
}

fn table(
    caption: &str,
    results: &Results<'_>,
    of_paper: impl Fn(&super::paper::FuzzedRow, usize) -> String,
    of_ours: impl Fn(&[&Run]) -> String,
) -> Table {
    let mut table = Table::new(caption, 3, ["d", "s", "by"]);
    table.head.extend(Strategy::ALL.iter().map(|strategy| strategy.short.to_string()));
    for row in &TABLE_3 {
        let (deletions, swaps) = row.variant.split_once('-').unwrap_or((row.variant, ""));
        for search in ["", "paper", "fast"] {
            let by = match search {
                "" => "the paper",
                "paper" => "paper search",
                _ => "fast search",
            };
            let mut cells = vec![deletions.to_string(), swaps.to_string(), by.to_string()];
            for (number, strategy) in Strategy::ALL.iter().enumerate() {
                let chosen = |run: &&Run| {
                    run.key.variant == row.variant && run.key.strategy == strategy.short && run.key.search == search
                };
                cells.push(match search {
                    "" => of_paper(row, number),
                    _ => of_ours(&results.part("fuzzing").filter(chosen).collect::<Vec<_>>()),
                });
            }
            table.rows.push(cells);
        }
    }
    table
}

//! Table 1: the LTY15 benchmarks, single and double, as a whole and split.

use super::document::{Section, Table};
use super::paper::{BenchmarkTimes, TABLE_1};
use super::results::Results;
use super::statistics::{number, number_or_dash, ratio};
use crate::run::{Key, Run};

pub(super) fn section(results: &Results<'_>) -> Section {
    let mut section = Section::new("Table 1: benchmarks, single and double");
    section.text(
        "The benchmarks of LTY15 with the strategy InteractionsFirst. *Double* is two renamed copies side by \
         side; the ratio is double to single. The paper's numbers are milliseconds (the mean of three runs, \
         including start-up); ours are **microseconds**, the median of many searches in one process. Split \
         parts are searched one after the other here, and in parallel in the paper.",
    );
    section.table(times(results, "sequential", "As a whole (the paper's *sequential*)", |row| row.sequential));
    section.table(times(results, "split", "Split into components (the paper's *parallel*)", |row| row.parallel));
    section.table(nodes(results));
    section
}

fn find<'a>(results: &Results<'a>, row: &BenchmarkTimes, point: &str, variant: &str, search: &str) -> Option<&'a Run> {
    results.find(&Key {
        part: "table1".to_string(),
        family: row.benchmark.to_string(),
        point: point.to_string(),
        index: 0,
        variant: variant.to_string(),
        strategy: "I".to_string(),
        search: search.to_string(),
    })
}

fn times(results: &Results<'_>, variant: &str, caption: &str, of_paper: impl Fn(&BenchmarkTimes) -> [f64; 2]) -> Table {
    let head = [
        "test",
        "paper, ms: single",
        "double",
        "ratio",
        "paper search, µs: single",
        "double",
        "ratio",
        "fast search, µs: single",
        "double",
        "ratio",
    ];
    let mut table = Table::new(caption, 1, head);
    for row in &TABLE_1 {
        let [single, double] = of_paper(row);
        let mut cells = vec![row.title.to_string(), number(single), number(double), number(double / single)];
        for search in ["paper", "fast"] {
            let [single, double] = ["single", "double"]
                .map(|point| find(results, row, point, variant, search).map(|run| run.microseconds));
            cells.extend(doubled(single, double));
        }
        table.rows.push(cells);
    }
    table
}

/// A number of the single benchmark and of the double one, and how many times as much that is.
fn doubled(single: Option<f64>, double: Option<f64>) -> [String; 3] {
    [number_or_dash(single), number_or_dash(double), ratio(double, single)]
}

fn nodes(results: &Results<'_>) -> Table {
    let head = [
        "test",
        "paper search: single",
        "double",
        "ratio",
        "double, split",
        "fast search: single",
        "double",
        "ratio",
        "double, split",
    ];
    let mut table = Table::new("Nodes made", 1, head);
    for row in &TABLE_1 {
        let mut cells = vec![row.title.to_string()];
        for search in ["paper", "fast"] {
            let nodes =
                |point: &str, variant: &str| find(results, row, point, variant, search).map(|run| run.nodes as f64);
            cells.extend(doubled(nodes("single", "sequential"), nodes("double", "sequential")));
            cells.push(number_or_dash(nodes("double", "split")));
        }
        table.rows.push(cells);
    }
    table
}

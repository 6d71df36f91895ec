//! What clever backtracking is worth.

use super::document::{Section, Table};
use super::results::Results;
use super::statistics::{count, mean, number_or_dash};
use crate::plan::FUZZED;
use crate::run::Run;
use laban::generate::families;

pub(super) fn section(results: &Results<'_>) -> Section {
    let mut section = Section::new("Clever backtracking");
    section.text(
        "The paper's search on a sample of the fuzzed networks, with and without its clever backtracking, \
         each for at most one second. Without it a deadlock is not final: every order of actions is tried. \
         Times and nodes are means over the networks on which both finished.",
    );
    let head = [
        "test set",
        "d",
        "s",
        "searches",
        "finished: clever",
        "not clever",
        "ms: clever",
        "not clever",
        "nodes: clever",
        "not clever",
    ];
    let mut table = Table::new("With and without clever backtracking", 3, head);
    for family in families() {
        for (deletions, swaps) in FUZZED {
            let variant = format!("{deletions}-{swaps}");
            let chosen =
                |run: &&Run| run.key.family == family.name && run.key.variant == variant && run.key.search == "paper";
            let clever = results.part("backtracking").filter(chosen);
            let pairs: Vec<(&Run, &Run)> =
                clever.filter_map(|run| Some((run, results.with_search(run, "paper-no-clever")?))).collect();
            if pairs.is_empty() {
                continue;
            }
            let both = |value: fn(&Run) -> f64| {
                let finished = || pairs.iter().filter(|(one, other)| one.finished() && other.finished());
                let one: Vec<f64> = finished().map(|(clever, _)| value(clever)).collect();
                let other: Vec<f64> = finished().map(|(_, not)| value(not)).collect();
                [number_or_dash(mean(&one)), number_or_dash(mean(&other))]
            };
            let mut row = vec![
                family.title.to_string(),
                deletions.to_string(),
                swaps.to_string(),
                count(pairs.len()),
                count(pairs.iter().filter(|(clever, _)| clever.finished()).count()),
                count(pairs.iter().filter(|(_, not)| not.finished()).count()),
            ];
            row.extend(both(Run::milliseconds));
            row.extend(both(|run| run.nodes as f64));
            table.rows.push(row);
        }
    }
    section.table(table);
    section
}

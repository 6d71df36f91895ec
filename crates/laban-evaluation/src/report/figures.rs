//! The paper's figures: time and nodes against size, processes and conditionals, with both searches in each.

use super::chart::{Axis, Chart, Series};
use super::document::Section;
use super::results::Results;
use super::statistics::mean;
use crate::run::Run;
use std::collections::BTreeMap;

/// One figure of a family.
struct Plan {
    name: &'static str,
    title: &'static str,
    family: &'static str,
    /// What is on the horizontal axis, and what it is called.
    x: fn(&Run) -> f64,
    x_label: &'static str,
    /// Whether the axes are logarithmic: not where the time is proportional.
    logarithmic: [bool; 2],
    strategies: &'static [&'static str],
    /// Whether there is a mark for each network, rather than a mean for each value of x.
    single: bool,
}

/// A number of the parameters in the name of a point.
fn parameter(run: &Run, number: usize) -> f64 {
    run.key.point.split('-').nth(number).and_then(|text| text.parse().ok()).unwrap_or(0.0)
}

const PLANS: [Plan; 4] = [
    Plan {
        name: "size",
        title: "number of actions",
        family: "size",
        x: |run| parameter(run, 0),
        x_label: "actions of the choreography",
        logarithmic: [false, false],
        strategies: &["L", "S", "I", "R"],
        single: false,
    },
    Plan {
        name: "processes",
        title: "number of processes",
        family: "processes",
        x: |run| parameter(run, 1),
        x_label: "processes (500 actions)",
        logarithmic: [false, false],
        strategies: &["L", "S", "I", "R"],
        single: false,
    },
    Plan {
        name: "conditionals",
        title: "conditionals, without procedures",
        family: "ifs-finite",
        x: |run| f64::from(run.conditionals),
        x_label: "conditionals in all processes of the network",
        logarithmic: [true, true],
        strategies: &["L", "C", "I", "R"],
        single: true,
    },
    Plan {
        name: "procedures",
        title: "procedures (20 actions, 8 of them conditionals)",
        family: "procedures",
        x: |run| parameter(run, 3),
        x_label: "procedures",
        logarithmic: [false, true],
        strategies: &["C", "I", "R", "U"],
        single: false,
    },
];

pub(super) fn section(results: &Results<'_>) -> Section {
    let mut section = Section::new("Figures");
    section.text(
        "Dashed lines and hollow marks are the paper's search, solid lines and filled marks the fast one; \
         colours are strategies. Searches that did not finish within the limit are left out, which flatters \
         the paper's search where it explodes.",
    );
    for plan in &PLANS {
        let how = if plan.single { "each network" } else { "means over the networks of each point" };
        for (what, label, y) in [
            ("time", "time (ms)", (|run| run.milliseconds()) as fn(&Run) -> f64),
            ("nodes", "nodes made", |run| run.nodes as f64),
        ] {
            let series = series(results, plan, y);
            if series.is_empty() {
                continue;
            }
            let chart = Chart {
                title: format!("{} against {}", if what == "time" { "Time" } else { "Nodes" }, plan.title),
                x: Axis { label: plan.x_label.to_string(), logarithmic: plan.logarithmic[0] },
                y: Axis { label: label.to_string(), logarithmic: plan.logarithmic[1] },
                series,
            };
            let caption = format!("{} ({how})", chart.title);
            section.figure(&format!("{}-{what}", plan.name), &caption, chart.svg());
        }
    }
    section
}

fn series(results: &Results<'_>, plan: &Plan, y: fn(&Run) -> f64) -> Vec<Series> {
    let mut all = Vec::new();
    for (search, filled) in [("paper", false), ("fast", true)] {
        for (look, strategy) in plan.strategies.iter().enumerate() {
            let chosen = |run: &&Run| {
                run.key.family == plan.family
                    && run.key.strategy == *strategy
                    && run.key.search == search
                    && run.finished()
            };
            let runs = results.part("families").filter(chosen);
            let points: Vec<(f64, f64)> = match plan.single {
                true => runs.map(|run| ((plan.x)(run), y(run))).collect(),
                false => means(runs.map(|run| ((plan.x)(run), y(run)))),
            };
            if !points.is_empty() {
                let name = format!("{strategy}, {search}");
                all.push(Series { name, look, filled, line: !plan.single, points });
            }
        }
    }
    all
}

/// The mean for each value of x. These are whole numbers.
fn means(points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut groups: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for (x, y) in points {
        groups.entry(x as u64).or_default().push(y);
    }
    groups.into_iter().filter_map(|(x, values)| Some((x as f64, mean(&values)?))).collect()
}

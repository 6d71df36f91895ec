//! The report, made from the results and nothing else: the paper's tables with its numbers beside ours, and its
//! figures.
//!
//! Each file makes one chapter as a section of a document, which is then written as Markdown and as one HTML page.

mod agreement;
mod backtracking;
mod benchmarks;
mod chart;
mod document;
mod families;
mod figures;
mod fuzzing;
mod html;
mod paper;
mod results;
mod statistics;
mod unrolling;

use crate::plan::{Part, jobs};
use crate::run::{Key, Run};
use crate::settings::Settings;
use agreement::Agreement;
use document::{Block, Section};
use results::Results;
use statistics::{count, percent};
use std::collections::BTreeMap;

/// What is reported.
pub struct Report {
    sections: Vec<Section>,
    summary: String,
}

const TITLE: &str = "Choreography extraction: the paper's evaluation, reproduced";

impl Report {
    /// The report on some results.
    pub fn new(settings: &Settings, runs: &BTreeMap<Key, Run>) -> Report {
        let results = Results(runs);
        let summary = summary(settings, &results);
        let mut sections = vec![overview(settings, &summary), agreement::section(&results)];
        if results.has("table1") {
            sections.push(benchmarks::section(&results));
        }
        if results.has("families") {
            sections.push(families::section(&results));
            sections.push(figures::section(&results));
        }
        if results.has("fuzzing") {
            sections.push(fuzzing::section(&results));
        }
        if results.has("unrolling") {
            sections.push(unrolling::section(&results));
        }
        if results.has("backtracking") {
            sections.push(backtracking::section(&results));
        }
        Report { sections, summary: summary.join("\n") }
    }

    /// The files to write, with their names.
    pub fn files(&self) -> Vec<(String, String)> {
        let mut files = vec![
            ("report.md".to_string(), document::markdown(TITLE, &self.sections)),
            ("report.html".to_string(), html::page(TITLE, &self.sections)),
        ];
        for block in self.sections.iter().flat_map(|section| &section.blocks) {
            if let Block::Figure(figure) = block {
                files.push((format!("figures/{}.svg", figure.name), figure.svg.clone()));
            }
        }
        files
    }

    /// The most important of it.
    pub fn summary(&self) -> &str {
        &self.summary
    }
}

/// The whole in a few sentences.
fn summary(settings: &Settings, results: &Results<'_>) -> Vec<String> {
    let parts: Vec<Part> = Part::ALL.into_iter().filter(|part| results.has(part.name())).collect();
    let planned: usize = jobs(settings, &parts).iter().map(|job| job.searches.len()).sum();
    let of = |part: &Part| Agreement::of(results, part.name());
    let total = parts.iter().map(of).fold(Agreement::default(), Agreement::and);
    let unfinished =
        |search: &str| results.0.values().filter(|run| run.key.search == search && !run.finished()).count();
    vec![
        format!("{} of {} searches done", count(results.0.len()), count(planned)),
        format!(
            "the searches agree on {} of the {} networks and strategies on which both finished ({} %)",
            count(total.same),
            count(total.both),
            percent(total.same, total.both)
        ),
        format!(
            "{} of {} extractions are equivalent to what they should be ({} %), {} are different",
            count(total.equivalent),
            count(total.extracted),
            percent(total.equivalent, total.extracted),
            count(total.different)
        ),
        format!(
            "not finished within {} s and {} nodes: {} of the paper's searches and {} of the fast ones",
            settings.timeout,
            count(settings.max_states),
            count(unfinished("paper")),
            count(unfinished("fast"))
        ),
    ]
}

fn overview(settings: &Settings, summary: &[String]) -> Section {
    let mut section = Section::new("Overview");
    section.text(
        "The evaluation of *Implementing choreography extraction* (Cruz-Filipe, Montesi and Safina), sections \
         4 and 5: our implementation of the paper's search, our fast search, and the numbers of the paper, \
         side by side.",
    );
    section.text(summary.iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n"));
    section.text(format!(
        "Made with `laban evaluate {}`. Each search is a line of `runs.csv`, and everything here is computed \
         from it. Times are those of the search; for the fast search they include minimising the processes. \
         They do not include parsing, generating, reading off the choreography and comparing it. They are \
         processor time, not elapsed time; on a busy machine they are only indicative. Nodes, bad loops and \
         verdicts do not depend on the machine, except through the time limit.",
        settings.options()
    ));
    section
}

//! What there is to say about a system: what `laban check` says, as data.
//!
//! Mistakes and warnings come from the text; deadlocks and other failures from a search, which has limits and can be
//! interrupted. Everything that a code action may do about a finding is known here already.

use crate::system::System;
use laban::choreography::Unprojectable;
use laban::diagnostic::{Annotation, Diagnostic, Fix, Replacement, Severity};
use laban::text::Span;
use laban::{
    AmendOptions, Choreography, ExtractOptions, Extraction, Limits, Model, Network, NotProjected, ProjectOptions,
    StopReason, Verdict, VerifyOptions,
};
use laban_formats::{Format, ReadOptions, amend_diagram, explain_untold};
use laban_report::Language;

/// Something to say about a system.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) diagnostic: Diagnostic,
    /// The run that leads there, step by step.
    pub(crate) steps: Vec<Annotation>,
    /// What would cure it, besides what the diagnostic itself suggests.
    pub(crate) fixes: Vec<Fix>,
}

impl From<Diagnostic> for Finding {
    fn from(diagnostic: Diagnostic) -> Self {
        Finding { diagnostic, steps: Vec::new(), fixes: Vec::new() }
    }
}

/// Everything there is to say about a system.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) findings: Vec<Finding>,
    /// What a search found, if it is a network.
    pub(crate) extraction: Option<Extraction>,
    /// All of it in a few words.
    pub(crate) summary: String,
}

/// More findings than this help nobody.
const MOST_FINDINGS: usize = 200;

/// Whether there is something to search.
pub(crate) fn needs_search(system: &System) -> bool {
    system.broken().is_empty() && matches!(system.analysis().model(), Some(Model::Network(_)))
}

/// What there is to say about a system; nothing if the work was interrupted.
pub(crate) fn check(system: &System, limits: Limits<'_>) -> Option<Outcome> {
    let broken = system.broken();
    let analysis = system.analysis();
    let mut outcome = match analysis.model() {
        _ if !broken.is_empty() => mistakes(broken, "does not parse"),
        None if analysis.syntax_errors().is_empty() => mistakes(analysis.diagnostics().to_vec(), "ill-formed"),
        None => mistakes(analysis.errors().to_vec(), "does not parse"),
        Some(Model::Network(network)) => check_network(system, network, limits)?,
        Some(Model::Choreography(choreography)) => check_choreography(system, choreography, limits)?,
    };
    outcome.findings.truncate(MOST_FINDINGS);
    Some(outcome)
}

/// The same at another place.
pub(crate) fn moved(mut diagnostic: Diagnostic, by: u32) -> Diagnostic {
    let places = diagnostic.secondary.iter_mut().chain([&mut diagnostic.primary]).map(|place| &mut place.span);
    let replaced = diagnostic.fixes.iter_mut().flat_map(|fix| &mut fix.replacements).map(|one| &mut one.span);
    for span in places.chain(replaced) {
        *span = Span::new(span.start + by, span.end + by);
    }
    diagnostic
}

fn mistakes(diagnostics: Vec<Diagnostic>, why: &str) -> Outcome {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    let summary = format!("{why}: {}", count(errors, "error", "errors"));
    Outcome { findings: diagnostics.into_iter().map(Finding::from).collect(), extraction: None, summary }
}

fn check_network(system: &System, network: &Network, limits: Limits<'_>) -> Option<Outcome> {
    let analysis = system.analysis();
    let mut findings: Vec<Finding> = analysis.diagnostics().iter().cloned().map(Finding::from).collect();
    // What is shown has been replayed, whether there is a choreography is certified when somebody asks for it.
    let options = ExtractOptions { limits, certify: false, ..ExtractOptions::default() };
    let mut extraction = match laban::extract(network, &options) {
        Ok(extraction) => extraction,
        Err(error) => {
            let summary = format!("this is a fault in laban, please report it: {error}");
            return Some(Outcome { findings, extraction: None, summary });
        }
    };
    if extraction.undecided().any(|(_, reason)| reason == StopReason::Interrupted) {
        return None;
    }
    // Where it fails, as the command does: would other channels help? That has narrow limits of its own.
    extraction.try_other_channels(network, &options);
    let tree = analysis.network_tree().filter(|_| system.is_own());
    for explanation in extraction.explanations() {
        findings.push(Finding {
            diagnostic: explanation.diagnostic(network),
            steps: explanation.steps(network),
            fixes: tree.map_or_else(Vec::new, |tree| explanation.fixes(network, tree)),
        });
    }
    let has_services = network.processes().iter().any(|process| process.service);
    if let Some(choreography) = extraction.choreography().filter(|_| has_services) {
        let options = VerifyOptions { limits, ..VerifyOptions::default() };
        for left in laban::services_left(network, choreography, &options) {
            let (diagnostic, steps) = (left.diagnostic(network), left.steps(network));
            findings.push(Finding { diagnostic, steps, fixes: Vec::new() });
        }
    }
    if (limits.stop)() == Some(StopReason::Interrupted) {
        return None;
    }
    let summary = match extraction.verdict() {
        Verdict::Extracted => format!("extractable: {}", count(extraction.statistics().nodes, "node", "nodes")),
        Verdict::Undecided => {
            let reason = extraction.undecided().next().map_or_else(String::new, |(_, reason)| format!(": {reason}"));
            format!("undecided{reason}")
        }
        failure => failure.as_str().to_string(),
    };
    Some(Outcome { findings, extraction: Some(extraction), summary })
}

fn check_choreography(system: &System, choreography: &Choreography, limits: Limits<'_>) -> Option<Outcome> {
    let mut findings: Vec<Finding> = system.analysis().diagnostics().iter().cloned().map(Finding::from).collect();
    let format = match system.language {
        Language::Other(format) => Some(format),
        Language::Own(_) | Language::Markdown => None,
    };
    let mut summary = format!("well-formed: {}", count(choreography.nodes().len(), "node", "nodes"));
    let services = &[];
    match laban::project(choreography, &ProjectOptions { services, limits }) {
        Ok(_) => {}
        Err(NotProjected::Undecided(StopReason::Interrupted)) => return None,
        Err(NotProjected::Undecided(reason)) => {
            summary.push_str(&format!("; undecided whether everybody is told enough: {reason}"));
        }
        // A text in another language without channels may say what it says all the same.
        Err(_) if format == Some(Format::Json) => {}
        Err(refused) => {
            summary.push_str("; it has no projection");
            findings.extend(untold(system, choreography, refused.reasons(), format, limits));
        }
    }
    Some(Outcome { findings, extraction: None, summary })
}

/// Who is not told of a decision. A choreography can be used all the same, so this is not an error.
fn untold(
    system: &System,
    choreography: &Choreography,
    reasons: &[Unprojectable],
    format: Option<Format>,
    limits: Limits<'_>,
) -> Vec<Finding> {
    let is_diagram = |format: &Format| matches!(format, Format::Mermaid | Format::PlantUml);
    let source = laban_formats::Source { name: "", text: system.text(), offset: 0 };
    let options = AmendOptions { limits, ..AmendOptions::default() };
    let (mut diagnostics, fix) = match format.filter(is_diagram) {
        Some(format) => {
            let read = ReadOptions::default();
            let is_plain = system.parts.iter().all(|part| !part.is_quoted);
            let amended = amend_diagram(format, &source, &read, &options).ok().filter(|_| is_plain);
            let fix = amended.map(|amended| Fix {
                title: "add the missing arrows".to_string(),
                replacements: vec![Replacement { span: Span::new(0, system.text().len() as u32), text: amended.text }],
            });
            (explain_untold(format, &source, &read, choreography, reasons), fix)
        }
        None => {
            let tree = system.analysis().choreography_tree().filter(|_| format.is_none());
            let fix = tree.and_then(|tree| laban::amend(tree, &options).ok()).map(|amended| amended.fix());
            (reasons.iter().map(|reason| reason.diagnostic(choreography)).collect(), fix)
        }
    };
    let severity = if format.is_some() { Severity::Warning } else { Severity::Note };
    diagnostics.iter_mut().for_each(|diagnostic| diagnostic.severity = severity);
    let with_fix = |diagnostic| Finding { diagnostic, steps: Vec::new(), fixes: fix.iter().cloned().collect() };
    diagnostics.into_iter().map(with_fix).collect()
}

pub(crate) fn count(number: usize, one: &str, several: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {several}"),
    }
}

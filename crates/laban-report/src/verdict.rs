//! What there is to say about a network or a choreography as a whole: the answer in a line, and what it rests on.

use crate::exit::Exit;
use crate::input::{Files, Input};
use crate::language::ReadArgs;
use crate::names::no_process;
use laban::choreography::Choreography;
use laban::diagnostic::{Annotation, Diagnostic, Severity, quote};
use laban::extraction::Verdict;
use laban::extraction::explain::Explanation;
use laban::network::{Network, ProcessId};
use laban::{Extraction, Limits, NotProjected, ProjectOptions, ServiceLeft, StopReason};
use laban_formats::{Format, explain_untold};

/// What there is to say about a text.
pub struct Checked {
    /// Mistakes and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The deadlocks and livelocks of a network.
    pub failures: Option<(Network, Vec<Explanation>)>,
    /// The services that are left in the middle of a conversation, with the run to each.
    pub left: Vec<(Diagnostic, Vec<Annotation>)>,
    /// All of it in one line.
    pub summary: String,
    /// The answer.
    pub exit: Exit,
    /// Whether it is not the text that is wrong, but what was asked.
    pub refused: bool,
}

impl Checked {
    /// Nothing but a line.
    pub fn line(diagnostics: Vec<Diagnostic>, summary: String, exit: Exit) -> Self {
        Checked { diagnostics, failures: None, left: Vec::new(), summary, exit, refused: false }
    }

    /// A text that cannot be used.
    pub fn bad(diagnostics: Vec<Diagnostic>, why: &str) -> Self {
        let summary = failed(why, &diagnostics);
        Checked::line(diagnostics, summary, Exit::Bad)
    }

    /// A text of which there is no model.
    pub fn unusable(input: &Input, files: Files) -> Self {
        let analysis = &input.analysis;
        if !analysis.is_text() {
            return Checked::line(analysis.errors().to_vec(), "not text".to_string(), Exit::Bad);
        }
        match analysis.syntax_errors().is_empty() {
            false => Checked::bad(analysis.errors().to_vec(), "does not parse"),
            true => Checked::bad(files.explained(analysis), "ill-formed"),
        }
    }

    /// A choreography, with what is said about it and who is not told of a decision.
    pub fn choreography(
        input: &Input,
        choreography: &Choreography,
        untold: Result<Vec<Diagnostic>, StopReason>,
    ) -> Self {
        let mut diagnostics = input.analysis.diagnostics().to_vec();
        let untold = match untold {
            Ok(untold) => untold,
            Err(reason) => {
                let mut checked = well_formed(choreography, diagnostics);
                checked.summary.push_str(&format!("; undecided whether everybody is told enough: {reason}"));
                checked.exit = Exit::Undecided;
                return checked;
            }
        };
        let is_complete = untold.is_empty();
        diagnostics.extend(untold);
        let mut checked = well_formed(choreography, diagnostics);
        if !is_complete {
            let missing = if input.diagram().is_some() { "arrows" } else { "selections" };
            checked.summary.push_str(&format!("; `laban amend` adds the {missing} that are missing"));
        }
        checked
    }

    /// A network that is well-formed. What the limits were is said where they are the reason that nothing is known.
    pub fn network(
        network: Network,
        answer: Extraction,
        diagnostics: Vec<Diagnostic>,
        left: &[ServiceLeft],
        strict: bool,
        limits: impl Fn() -> String,
    ) -> Self {
        let left: Vec<(Diagnostic, Vec<Annotation>)> =
            left.iter().map(|left| (left_diagnostic(left, &network, strict), left.steps(&network))).collect();
        let exit = left_exit(answer.verdict().into(), left.len(), strict);
        let also = and_warnings(diagnostics.iter().chain(left.iter().map(|(diagnostic, _)| diagnostic)));
        let summary = format!(
            "{}: {}, {}, {} ({} after minimisation), {}{}{also}",
            if exit == Exit::No && !left.is_empty() {
                "extractable, but a service is left in the middle".to_string()
            } else {
                verdict(&network, &answer, limits)
            },
            count(network.processes().len(), "process", "processes"),
            count(answer.components().len(), "component", "components"),
            count(network.states().len(), "state", "states"),
            network.minimised().states().len(),
            count(answer.statistics().nodes, "node", "nodes"),
            answer.capacities_text(&network).map_or_else(String::new, |text| format!(", {text}")),
        );
        let failures = Some((network, answer.into_explanations()));
        Checked { diagnostics, left, exit, failures, summary, refused: false }
    }
}

fn verdict(network: &Network, answer: &Extraction, limits: impl Fn() -> String) -> String {
    match answer.verdict() {
        Verdict::Extracted => return "extractable".to_string(),
        Verdict::Undecided => return undecided(answer, network, limits),
        failure if answer.components().len() == 1 => return failure.as_str().to_string(),
        _ => {}
    }
    let kinds = [Verdict::Deadlock, Verdict::Orphan, Verdict::Livelock, Verdict::Unbounded].map(|kind| {
        let number = answer.explanations().iter().filter(|explanation| explanation.kind.verdict() == kind).count();
        (number > 0).then(|| format!("{} in {number} of {}", kind.as_str(), answer.components().len()))
    });
    kinds.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn well_formed(choreography: &Choreography, diagnostics: Vec<Diagnostic>) -> Checked {
    let summary = format!(
        "well-formed: {}, {}, {}{}",
        count(choreography.processes().len(), "process", "processes"),
        count(choreography.starts().len(), "part", "parts"),
        count(choreography.nodes().len(), "node", "nodes"),
        and_warnings(&diagnostics),
    );
    Checked::line(diagnostics, summary, Exit::Yes)
}

/// Why a text cannot be used.
fn failed(why: &str, diagnostics: &[Diagnostic]) -> String {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    // After so many, the library stops counting.
    let at_least = if errors >= 100 { "at least " } else { "" };
    format!("{why}: {at_least}{}{}", count(errors, "error", "errors"), and_warnings(diagnostics))
}

fn and_warnings<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>) -> String {
    match diagnostics.into_iter().filter(|diagnostic| diagnostic.severity() == Severity::Warning).count() {
        0 => String::new(),
        warnings => format!(", {}", count(warnings, "warning", "warnings")),
    }
}

fn count(number: usize, one: &str, several: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {several}"),
    }
}

/// What a sequence diagram or a protocol of another tool forgets to say: who is not told of a decision. It can be drawn
/// all the same, so these are warnings. With a choreography of Laban itself, that is a question for `laban project`.
pub fn untold<'a>(
    input: &Input,
    choreography: &Choreography,
    services: impl IntoIterator<Item = &'a str>,
    args: &ReadArgs,
    limits: Limits<'_>,
) -> Result<Vec<Diagnostic>, StopReason> {
    if input.format().is_none_or(|format| format == Format::Json) {
        return Ok(Vec::new());
    }
    let names: Vec<&str> = services.into_iter().collect();
    let services: Vec<ProcessId> = (0..choreography.processes().len() as u32)
        .map(ProcessId)
        .filter(|&process| names.contains(&choreography.process_name(process)))
        .collect();
    let refused = match laban::project(choreography, &ProjectOptions { services: &services, limits }) {
        Ok(_) => return Ok(Vec::new()),
        Err(NotProjected::Undecided(reason)) => return Err(reason),
        Err(refused) => refused,
    };
    let mut diagnostics = match input.diagram() {
        Some((format, source)) => args.with_options(input.is_block(), |options| {
            explain_untold(format, &source, options, choreography, refused.reasons())
        }),
        None => refused.reasons().iter().map(|reason| reason.diagnostic(choreography)).collect(),
    };
    diagnostics.iter_mut().for_each(|diagnostic| diagnostic.severity = Severity::Warning);
    Ok(diagnostics)
}

/// What is known of a search that was given up.
pub fn undecided(answer: &Extraction, network: &Network, limits: impl Fn() -> String) -> String {
    const MOST_NAMES: usize = 6;
    let parts: Vec<&str> =
        answer.undecided().flat_map(|(part, _)| part).map(|&process| network.process_name(process)).collect();
    let mut names: Vec<String> = parts.iter().take(MOST_NAMES).map(|name| quote(name)).collect();
    if parts.len() > MOST_NAMES {
        names.push(format!("{} more", parts.len() - MOST_NAMES));
    }
    // With one part there is nothing to tell apart.
    let whose = match answer.components().len() {
        1 => String::new(),
        _ => format!(", but not all is known of {}", names.join(", ")),
    };
    format!("undecided: {}; no failure so far{whose}", why_undecided(answer, limits))
}

/// Why a search was given up.
pub fn why_undecided(answer: &Extraction, limits: impl Fn() -> String) -> String {
    let of_search = answer.undecided().find_map(|(_, reason)| match reason {
        StopReason::Queues(_) => Some(format!("{reason} (`--queue` allows more)")),
        StopReason::Bounds => Some(reason.to_string()),
        _ => None,
    });
    of_search.unwrap_or_else(limits)
}

/// What there is to say about a service that is left in the middle of a conversation.
pub fn left_diagnostic(left: &ServiceLeft, network: &Network, strict: bool) -> Diagnostic {
    let diagnostic = left.diagnostic(network);
    if strict { diagnostic.as_error() } else { diagnostic }
}

/// The answer, given how many services are left.
pub fn left_exit(mut exit: Exit, left: usize, strict: bool) -> Exit {
    if strict && left > 0 {
        exit.and(Exit::No);
    }
    exit
}

/// Declares processes services, and gives a message for each that there is not.
pub fn unknown_services(services: &[String], network: &mut Network) -> Vec<String> {
    let unknown: Vec<&String> = services.iter().filter(|name| !network.declare_service(name)).collect();
    let names = || network.process_ids().map(|process| network.process_name(process));
    unknown.into_iter().map(|name| format!("--service: {}", no_process(name, names()))).collect()
}

/// Processes of a choreography by name; a message if one is missing.
pub fn named(names: &[String], choreography: &Choreography, option: &str) -> Result<Vec<ProcessId>, String> {
    let all = || (0..choreography.processes().len() as u32).map(ProcessId);
    let find = |name: &String| {
        let found = all().find(|&process| choreography.process_name(process) == name);
        let names = || all().map(|process| choreography.process_name(process));
        found.ok_or_else(|| format!("{option}: {}", no_process(name, names())))
    };
    names.iter().map(find).collect()
}

/// The message about an answer that fails its own check.
pub fn fault(why: impl std::fmt::Display) -> String {
    format!("{FAULT}: {why}")
}

/// The message after every fault.
pub const FAULT: &str = "this is a fault in laban, please report it";

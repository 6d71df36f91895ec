//! Annotations of GitHub Actions: lines of a log that GitHub shows beside the code.
//!
//! `::error file=…,line=…::message`, in which a message is one line: what would end it is written with a per cent sign.
//! In properties, which are separated by commas, these are written so as well.

use super::case::{Case, Finding, Location};
use super::{and_more, uri};
use laban::diagnostic::Severity;
use std::fmt::Write;

/// One line for each finding, and for all that kept the command from an answer.
pub(super) fn annotations(cases: &[Case]) -> String {
    let mut text = String::new();
    for case in cases {
        for finding in &case.findings {
            push(&mut text, level(finding.severity), &properties(finding), &message(finding));
        }
        if case.omitted > 0 {
            let message = format!("{}: {}", case.name, and_more(case.omitted));
            push(&mut text, "notice", &[("title", "laban: omitted".to_string())], &message);
        }
        for trouble in &case.troubles {
            let mut properties = vec![("title", format!("laban: {}", trouble.problem.as_str()))];
            if let Some(file) = &trouble.file {
                properties.insert(0, ("file", uri::path(file)));
            }
            push(&mut text, "error", &properties, &trouble.message);
        }
    }
    text
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    }
}

fn properties(finding: &Finding) -> Vec<(&'static str, String)> {
    let Location { file, start, end, .. } = &finding.primary;
    let mut properties =
        vec![("file", uri::path(file)), ("line", start.line.to_string()), ("endLine", end.line.to_string())];
    // Columns are refused where the lines are not the same.
    if start.line == end.line {
        properties.push(("col", start.column.to_string()));
        properties.push(("endColumn", end.column.to_string()));
    }
    properties.push(("title", format!("laban: {}", finding.code.as_str())));
    properties
}

/// The message with everything that the other forms show as marks in the source.
fn message(finding: &Finding) -> String {
    let mut text = finding.text();
    for Location { file, start, label, .. } in &finding.secondary {
        let _ = write!(text, "\n{}:{}:{}: {label}", uri::path(file), start.line, start.column);
    }
    text
}

fn push(text: &mut String, level: &str, properties: &[(&str, String)], message: &str) {
    let properties: Vec<String> =
        properties.iter().map(|(name, value)| format!("{name}={}", escaped(value, true))).collect();
    let _ = writeln!(text, "::{level} {}::{}", properties.join(","), escaped(message, false));
}

fn escaped(value: &str, is_property: bool) -> String {
    let mut text = String::with_capacity(value.len());
    for character in value.chars() {
        match character {
            '%' => text.push_str("%25"),
            '\r' => text.push_str("%0D"),
            '\n' => text.push_str("%0A"),
            ':' if is_property => text.push_str("%3A"),
            ',' if is_property => text.push_str("%2C"),
            other => text.push(other),
        }
    }
    text
}

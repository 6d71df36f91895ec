//! A JUnit XML document: a test for each file or comparison.
//!
//! There is no standard for it. What is written here is what all readers of such documents agree on: at most one
//! failure or error in a test, and no times, so that the same input gives the same bytes.

use super::and_more;
use super::case::{Case, Finding};
use laban::diagnostic::Severity;
use laban::text::{Xml, visible};
use std::fmt::Write;

/// The outcome of a test.
struct Outcome {
    /// `failure` or `error`.
    element: &'static str,
    kind: &'static str,
    message: String,
    text: String,
}

/// The document for a run of a command.
pub(super) fn document(command: &str, cases: &[Case]) -> String {
    let outcomes: Vec<Option<Outcome>> = cases.iter().map(outcome).collect();
    let count = |element: &str| outcomes.iter().flatten().filter(|outcome| outcome.element == element).count();
    let skipped = cases.iter().filter(|case| case.skipped.is_some()).count();
    let counts = format!("tests=\"{}\" failures=\"{}\" errors=\"{}\"", cases.len(), count("failure"), count("error"));
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(text, "<testsuites name=\"laban\" {counts}>");
    let _ = writeln!(text, "  <testsuite name=\"laban {}\" {counts} skipped=\"{skipped}\">", escaped(command));
    for (case, outcome) in cases.iter().zip(outcomes) {
        let _ =
            writeln!(text, "    <testcase name=\"{}\" classname=\"laban.{}\">", escaped(&case.name), escaped(command));
        if let Some(why) = &case.skipped {
            let _ = writeln!(text, "      <skipped message=\"{}\"/>", escaped(why));
        }
        if let Some(Outcome { element, kind, message, text: body }) = outcome {
            let _ = writeln!(
                text,
                "      <{element} type=\"{kind}\" message=\"{}\">{}</{element}>",
                escaped(&message),
                content(body.trim_end())
            );
        }
        let aside = aside(case);
        if !aside.is_empty() {
            let _ = writeln!(text, "      <system-out>{}</system-out>", content(aside.trim_end()));
        }
        text.push_str("    </testcase>\n");
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

/// Why a test did not pass: that it could not be done counts more than what was found.
fn outcome(case: &Case) -> Option<Outcome> {
    let errors: Vec<&Finding> = case.findings.iter().filter(|finding| is_error(finding)).collect();
    // Notes may add to the errors before them.
    let shown = case.findings.iter().filter(|finding| is_error(finding) || finding.is_addition());
    let mut text: String = shown.map(|finding| finding.shown.as_str()).collect();
    if case.omitted > 0 {
        text.push_str(&and_more(case.omitted));
        text.push('\n');
    }
    if let Some(trouble) = case.troubles.first() {
        let troubles = case.troubles.iter().map(|trouble| format!("error: {}\n", trouble.message));
        text.extend(troubles);
        let message = trouble.message.clone();
        return Some(Outcome { element: "error", kind: trouble.problem.as_str(), message, text });
    }
    let first = errors.first()?;
    let message = match errors.len() + case.omitted {
        1 => first.message.clone(),
        2 => format!("{} (and 1 more error)", first.message),
        number => format!("{} (and {} more errors)", first.message, number - 1),
    };
    Some(Outcome { element: "failure", kind: first.code.as_str(), message, text })
}

/// Warnings, what else was mentioned, and the verdict.
fn aside(case: &Case) -> String {
    let mentioned = case.findings.iter().filter(|finding| !is_error(finding) && !finding.is_addition());
    let mut text: String = mentioned.map(|finding| finding.shown.as_str()).collect();
    if case.omitted > 0 && case.troubles.is_empty() && !case.findings.iter().any(is_error) {
        text.push_str(&and_more(case.omitted));
        text.push('\n');
    }
    for remark in &case.remarks {
        text.push_str(remark);
        text.push('\n');
    }
    text
}

fn is_error(finding: &Finding) -> bool {
    finding.severity == Severity::Error
}

/// Text in an attribute.
fn escaped(value: &str) -> String {
    content(value).replace('\n', "&#10;").replace('\t', "&#9;")
}

/// Text in an element. What cannot be seen, some of which XML cannot hold either, is written out.
fn content(value: &str) -> String {
    Xml(&visible(value)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_what_xml_cannot_hold_is_shown() {
        assert_eq!(content("a <b>\n\tc"), "a &lt;b&gt;\n\tc");
        assert_eq!(escaped("a<b> & \"c\"\n"), "a&lt;b&gt; &amp; &quot;c&quot;&#10;");
        assert_eq!(escaped("\u{1b}[0m\u{0}\u{fffe}é🦀"), "\\u{1b}[0m\\u{0}\\u{fffe}é🦀");
    }
}

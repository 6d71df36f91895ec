//! A SARIF 2.1.0 document: what services for code scanning read.
//!
//! One run of the command is one `run`. Every code is a rule, every diagnostic a result; a note, which adds to what was
//! said before, becomes a place of the result before it. The run of a network that leads to a failure is a code flow.
//! What is not a result, such as a file that cannot be read, is a notification of the tool.

use super::case::{Case, Finding, Location, Trouble};
use super::{and_more, uri};
use crate::exit::Exit;
use laban::diagnostic::{Code, Severity};
use laban_report::File;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The document for a run of a command.
pub(super) fn document(cases: &[Case], exit: Exit) -> String {
    let mut results = Results::default();
    let mut notifications = Vec::new();
    let mut is_successful = true;
    for case in cases {
        case.findings.iter().for_each(|finding| results.add(finding));
        notifications.extend(case.troubles.iter().map(notification));
        is_successful &= case.troubles.is_empty();
        if case.omitted > 0 {
            let text = format!("{}: {}", case.name, and_more(case.omitted));
            notifications
                .push(json!({ "level": "note", "descriptor": { "id": "omitted" }, "message": { "text": text } }));
        }
    }
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "laban",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": Code::ALL.iter().map(|&code| rule(code)).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                // Mistakes in a text are results; what could not be found out is not.
                "executionSuccessful": is_successful,
                "exitCode": exit.code(),
                "toolExecutionNotifications": notifications,
            }],
            "results": results.results,
        }],
    });
    format!("{document:#}\n")
}

fn rule(code: Code) -> Value {
    let page = match code {
        Code::Deadlock | Code::Livelock | Code::Orphan | Code::Unbounded => "docs/failures.md",
        Code::Mismatch | Code::MismatchPlace => "docs/commands.md#laban-verify-net-chor",
        Code::Difference | Code::DifferencePlace => "docs/commands.md#laban-equiv-a-b",
        _ => "docs/language.md#diagnostics",
    };
    json!({
        "id": code.as_str(),
        "shortDescription": { "text": code.description() },
        "help": { "text": format!("{} See {page} in the documentation of laban.", code.description()) },
        "defaultConfiguration": { "level": level(code.severity()) },
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn notification(trouble: &Trouble) -> Value {
    let mut object = json!({
        "level": "error",
        "descriptor": { "id": trouble.problem.as_str() },
        "message": { "text": trouble.message },
    });
    if let Some(file) = &trouble.file {
        object["locations"] = json!([{ "physicalLocation": { "artifactLocation": artifact(file) } }]);
    }
    object
}

#[derive(Default)]
struct Results {
    results: Vec<Value>,
    /// How often a fingerprint has occurred.
    seen: BTreeMap<String, usize>,
}

impl Results {
    fn add(&mut self, finding: &Finding) {
        if let (true, Some(before)) = (finding.is_addition(), self.results.last_mut()) {
            let mut place = finding.primary.clone();
            place.label.clone_from(&finding.message);
            if let Some(Value::Array(places)) = before.get_mut("relatedLocations") {
                let id = places.len();
                places.push(related(id, &place));
            }
            return;
        }
        let places = finding.secondary.iter().enumerate();
        let mut result = json!({
            "ruleId": finding.code.as_str(),
            "ruleIndex": Code::ALL.iter().position(|&code| code == finding.code),
            "level": level(finding.severity),
            "message": { "text": finding.text() },
            "locations": [location(&finding.primary, &finding.primary.label)],
            "relatedLocations": places.map(|(id, place)| related(id, place)).collect::<Vec<_>>(),
            "partialFingerprints": self.fingerprints(finding),
        });
        if !finding.run.is_empty() {
            result["codeFlows"] = json!([{ "threadFlows": [{ "locations": flow(finding) }] }]);
        }
        self.results.push(result);
    }

    /// What tells a result from others and stays the same when lines are added elsewhere. Services for code scanning
    /// look at the first, which is about the line; the second is about the message.
    fn fingerprints(&mut self, finding: &Finding) -> Value {
        let line = finding.line.split_whitespace().collect::<Vec<_>>().join(" ");
        let file = uri::reference(&finding.primary.file);
        let mut object = Map::new();
        for (key, about) in [("primaryLocationLineHash", &line), ("labanMessage/v1", &finding.message)] {
            let hash = hash(&[finding.code.as_str(), about]);
            let count = self.seen.entry(format!("{key} {hash} {file}")).or_default();
            *count += 1;
            object.insert(key.to_string(), format!("{hash}:{count}").into());
        }
        Value::Object(object)
    }
}

/// The run, and then where it fails.
fn flow(finding: &Finding) -> Vec<Value> {
    let end = &finding.primary;
    let steps = finding.run.iter().map(|step| (step, step.label.as_str()));
    let all = steps.chain([(end, if end.label.is_empty() { finding.message.as_str() } else { end.label.as_str() })]);
    let step = |(number, (place, label)): (usize, (&Location, &str))| json!({ "executionOrder": number + 1, "location": location(place, label) });
    all.enumerate().map(step).collect()
}

fn related(id: usize, place: &Location) -> Value {
    let mut object = location(place, &place.label);
    object["id"] = id.into();
    object
}

fn location(place: &Location, label: &str) -> Value {
    let Location { file, start, end, .. } = place;
    let mut object = json!({ "physicalLocation": {
        "artifactLocation": artifact(file),
        "region": {
            "startLine": start.line,
            "startColumn": start.column,
            "endLine": end.line,
            "endColumn": end.column,
        },
    } });
    if !label.is_empty() {
        object["message"] = json!({ "text": label });
    }
    object
}

fn artifact(file: &File) -> Value {
    let uri = uri::reference(file);
    match uri.starts_with("file:") {
        true => json!({ "uri": uri }),
        false => json!({ "uri": uri, "uriBaseId": "%SRCROOT%" }),
    }
}

/// FNV-1a, which is the same on every machine and in every version of the program.
fn hash(parts: &[&str]) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in parts.iter().flat_map(|part| part.bytes().chain([0])) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{hash:016x}")
}

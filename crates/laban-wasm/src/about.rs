//! What this is, what it understands, and the examples that come with it.

use crate::desk::Fields;
use laban::extraction::Strategy;
use laban_formats::Format;
use laban_report::{Need, Target};
use serde::Serialize;

#[derive(Serialize)]
struct StrategyRecord {
    name: &'static str,
    short: &'static str,
    about: &'static str,
}

#[derive(Serialize)]
struct Read {
    name: &'static str,
    description: &'static str,
    extensions: Vec<&'static str>,
}

#[derive(Serialize)]
struct Written {
    name: &'static str,
    description: &'static str,
    extension: &'static str,
    needs: &'static str,
}

#[derive(Serialize)]
struct Example {
    file: &'static str,
    kind: &'static str,
    title: String,
    story: String,
    expect: Option<String>,
    text: &'static str,
}

/// Name and text of each example.
const EXAMPLES: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/examples.rs"));

pub(crate) fn version() -> Fields {
    let strategy = |one: &Strategy| StrategyRecord { name: one.name, short: one.short, about: one.about };
    let own = [
        Read { name: "net", description: "networks of Laban", extensions: vec!["net"] },
        Read { name: "chor", description: "choreographies of Laban", extensions: vec!["chor"] },
        Read { name: "markdown", description: "blocks in Markdown", extensions: vec!["md", "markdown"] },
    ];
    let others = Format::ALL.iter().filter(|format| format.is_read()).map(|format| Read {
        name: format.name(),
        description: format.description(),
        extensions: format.extensions().to_vec(),
    });
    let written = |target: Target| Written {
        name: target.name(),
        description: target.description(),
        extension: target.extension(),
        needs: match target.need() {
            Need::Network => "network",
            Need::Choreography => "choreography",
            Need::Graph => "graph",
            Need::Either => "either",
        },
    };
    let mut fields = Fields::default();
    fields.put("version", env!("CARGO_PKG_VERSION"));
    fields.put("strategies", Strategy::ALL.iter().map(strategy).collect::<Vec<_>>());
    fields.put("reads", own.into_iter().chain(others).collect::<Vec<_>>());
    fields.put("writes", Target::all().map(written).collect::<Vec<_>>());
    fields
}

pub(crate) fn examples() -> Fields {
    let mut fields = Fields::default();
    fields.put("examples", EXAMPLES.iter().map(|&(file, text)| example(file, text)).collect::<Vec<_>>());
    fields
}

/// An example, whose story is in the comment that it starts with.
fn example(file: &'static str, text: &'static str) -> Example {
    let comment = text.lines().map_while(|line| line.strip_prefix("//")).map(str::trim);
    let (mut story, mut expect) = (Vec::new(), None);
    for line in comment {
        if line.starts_with("Try:") {
            break;
        }
        match (line.strip_prefix("Expect:"), &mut expect) {
            (Some(rest), _) => expect = Some(rest.trim().to_string()),
            (None, Some(expect)) => {
                expect.push(' ');
                expect.push_str(line);
            }
            (None, None) => story.push(line),
        }
    }
    let story = story.join(" ");
    let title = story.split_once([':', '.']).map_or(story.as_str(), |(title, _)| title).to_string();
    let kind = if file.ends_with(".chor") { "choreography" } else { "network" };
    Example { file, kind, title, story, expect, text }
}

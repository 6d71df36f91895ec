//! What this is, and what it understands.

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

//! Scribble and nuScr: global protocols with choices, loops and sub-protocols.
//!
//! The dialects are read together: Scribble with modules, imports and connections, nuScr with its comments and
//! refinements, `A -> B: m(T);`, and annotations and conditions on time of others. What says something about values or
//! time is read and reported as not checked. `token` has the words, `parse` and `statements` read protocols as they are
//! written (`tree`), `resolve` finds which protocol a name means, and `build` writes sub-protocols out as a graph.
//! `write` goes the other way, with loops and protocols as `structure` finds them, and names that are legal.

mod build;
mod choices;
mod local;
mod names;
mod parallel;
mod parse;
mod resolve;
mod simplify;
mod statements;
mod structure;
mod token;
mod tree;
mod write;

pub use write::{write_nuscr, write_scribble};

use crate::protocol::Protocol;
use crate::read::ReadOptions;
use crate::report::Report;
use crate::source::Source;
use crate::system::Word;
use crate::view::View;
use resolve::Protocols;
use token::{Kind, first_tokens};
use tree::{Tree, Unchecked};

/// Whether a text looks like this, from its first word on.
pub(crate) fn looks_like(text: &str) -> bool {
    let tokens = first_tokens(text, 6);
    let word = |place: usize| tokens.get(place).filter(|token| token.kind == Kind::Word).map_or("", |token| token.text);
    let is = |place: usize, symbol: &str| tokens.get(place).is_some_and(|token| token.is(symbol));
    let starts_protocol = |place: usize| {
        let name = place + 1;
        word(place) == "protocol" && !word(name).is_empty() && ["(", "<", "at"].iter().any(|next| is(name + 1, next))
    };
    let starts_global = |place: usize| match word(place) {
        "global" | "local" | "nested" => {
            starts_protocol(place + 1) || word(place) == "global" && !word(place + 1).is_empty() && is(place + 2, "(")
        }
        _ => starts_protocol(place),
    };
    match word(0) {
        "module" => !word(1).is_empty() && (is(2, ";") || is(2, ".")),
        "aux" | "explicit" | "timed" => starts_global(1) || starts_global(2),
        "import" => !word(1).is_empty() && (is(2, ";") || is(2, ".")) && text.contains("global"),
        "data" | "type" | "sig" => {
            is(1, "<") && is(3, ">") && tokens.get(4).is_some_and(|token| token.kind == Kind::Quoted)
        }
        _ => starts_global(0),
    }
}

/// Reads the protocol that some texts are about, or the protocols of all roles. The first text is the main one; the
/// others have what it imports.
pub(crate) fn read(sources: &[Source<'_>], options: &ReadOptions<'_>, report: &mut Report) -> View {
    let mut tree = Tree::default();
    for source in sources {
        parse::parse(source, &mut tree, report);
    }
    for &(what, count, span) in &tree.unchecked {
        report.remark(span, unchecked(what, count));
    }
    let had_errors = report.has_errors();
    let protocols = Protocols::new(&tree, report);
    // After a mistake it is not clear which protocols there are.
    let mut ignored = Report::default();
    if !tree.protocols.is_empty() && tree.protocols.iter().all(|protocol| protocol.is_local) {
        return View::Local(local::system(&tree, &protocols, report));
    }
    View::Global(match protocols.chosen(options, if had_errors { &mut ignored } else { report }) {
        Some(chosen) => build::build(&tree, &protocols, chosen, report),
        None => Protocol::default(),
    })
}

/// Whether a text has local protocols, and no others.
pub(crate) fn is_local(text: &str) -> bool {
    let mut tree = Tree::default();
    parse::parse(&Source::new("", text), &mut tree, &mut Report::default());
    !tree.protocols.is_empty() && tree.protocols.iter().all(|protocol| protocol.is_local)
}

/// The modules that a text imports.
pub(crate) fn imports(text: &str) -> Vec<Word> {
    let mut tree = Tree::default();
    parse::parse(&Source::new("", text), &mut tree, &mut Report::default());
    let imports = tree.modules.iter().flat_map(|module| &module.imports);
    imports.map(|import| Word::new(&*import.module.text, import.module.span)).collect()
}

fn unchecked(what: Unchecked, count: usize) -> String {
    let what = match what {
        Unchecked::Annotation => "annotations (`@\"…\"`)",
        Unchecked::Refinement => "refinements of types (`{…}`)",
        Unchecked::Variable => "the variables of loops (`[…]`)",
        Unchecked::Time => "conditions on time",
        Unchecked::Connection => "connections (`connect`, `disconnect`, `wrap`)",
        Unchecked::Crash => "roles that cannot crash (`safe role`)",
    };
    let more = if count == 1 { String::new() } else { format!("; there are {count}, the first is here") };
    format!("{what} are read, but not checked{more}")
}

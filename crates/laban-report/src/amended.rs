//! What was added to a choreography, or why nothing was.

use laban::choreography::{Added, Choreography, Unprojectable};
use laban::diagnostic::Diagnostic;
use laban::syntax::{ChoreographyTree, Span};

/// What is said where there may be a smaller answer.
pub const FEWER_SELECTIONS: &str = "fewer selections might do: there are too many ways to try them all";

/// Why selections do not help.
pub fn unamendable_diagnostics(failures: &[Unprojectable], choreography: &Choreography) -> Vec<Diagnostic> {
    let mut diagnostics: Vec<_> = failures.iter().map(|failure| failure.diagnostic(choreography)).collect();
    // That is what has just been tried.
    for hint in diagnostics.iter_mut().flat_map(|diagnostic| &mut diagnostic.hints) {
        if let Some(rest) = hint.strip_suffix("; `laban amend` adds the missing selections") {
            *hint = format!("{rest}; `laban amend` found no way to add them");
        }
    }
    diagnostics
}

/// What was added, with the place in the text. Two selections that start the branches of one conditional are listed
/// together.
pub fn added_lines(tree: &ChoreographyTree, added: &[Added]) -> Vec<(Span, String)> {
    let text = |symbol| tree.names.text(symbol);
    let selection = |one: &Added| format!("{} -> {}[{}]", text(one.from), text(one.to), text(one.label));
    let mut lines: Vec<(Span, String)> = Vec::new();
    let mut told = vec![false; added.len()];
    for (index, one) in added.iter().enumerate() {
        if told[index] {
            continue;
        }
        let Some(branch) = one.branch else {
            lines.push((one.span, format!("added {}", selection(one))));
            continue;
        };
        let belongs = |other: &Added| {
            (other.from, other.to) == (one.from, one.to)
                && other.branch.is_some_and(|other| (other.span, other.holds) == (branch.span, !branch.holds))
        };
        let other = (index + 1..added.len()).find(|&other| !told[other] && belongs(&added[other]));
        let condition = format!("{}.{}", text(branch.decider), text(branch.condition));
        match other {
            Some(other) => {
                told[other] = true;
                let both = format!("{} and {}", selection(one), selection(&added[other]));
                lines.push((branch.span, format!("after `if {condition}`: added {both}")));
            }
            None => {
                let word = if branch.holds { "then" } else { "else" };
                let line = format!("after the `{word}` of `if {condition}`: added {}", selection(one));
                lines.push((one.span, line));
            }
        }
    }
    lines.sort_by_key(|(span, _)| span.start);
    lines
}

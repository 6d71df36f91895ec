//! The selections that were added to a choreography, in words.

use laban::choreography::Added;
use laban::syntax::ChoreographyTree;
use laban::text::Span;

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

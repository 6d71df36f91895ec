//! Who is not told of a decision in a diagram, where, and which message would tell him.
//!
//! The reasons are those of the choreography; the words here are those of the diagram.

use super::amend::{LABELS, diagram};
use super::fragments::{Fragment, Fragments};
use super::layout::Layout;
use super::{Diagram, End, FragmentKind, LineKind};
use crate::format::Format;
use crate::naming::Naming;
use crate::read::ReadOptions;
use crate::report::Report;
use crate::source::Source;
use laban::choreography::{Choreography, Node, NodeId, Unprojectable};
use laban::diagnostic::{Diagnostic, quote};
use laban::network::ProcessId;
use std::collections::BTreeSet;

/// Says why the choreography of a diagram has no projection: for each participant and fragment, who decides, who is not
/// told, and which message would tell him. In other formats, it is what the choreography says.
pub fn explain_untold(
    format: Format,
    source: &Source<'_>,
    options: &ReadOptions<'_>,
    choreography: &Choreography,
    reasons: &[Unprojectable],
) -> Vec<Diagnostic> {
    let mut met = BTreeSet::new();
    let diagram = diagram(format, source, options).unwrap_or_default();
    let fragments = Fragments::new(&diagram, &mut Report::default());
    let explainer = Explainer::new(format, source, &diagram, &fragments);
    let mut diagnostics = Vec::new();
    for reason in reasons {
        let place = choreography.origin(reason.node());
        // The branches of one fragment are several decisions, of which the first says enough.
        if reason.process().is_some_and(|process| !met.insert((place.start, process.0))) {
            continue;
        }
        let diagnostic = reason.diagnostic(choreography);
        diagnostics.push(explainer.explained(choreography, reason, diagnostic));
    }
    diagnostics
}

/// Who sends to a process at a node, if somebody does.
fn teller_of(choreography: &Choreography, node: NodeId, process: ProcessId) -> Option<ProcessId> {
    match choreography.node(node) {
        Node::Interaction { interaction, .. } if interaction.to == process => Some(interaction.from),
        _ => None,
    }
}

struct Explainer<'a> {
    diagram: &'a Diagram,
    fragments: &'a Fragments,
    layout: Layout<'a>,
    names: Naming,
}

impl<'a> Explainer<'a> {
    fn new(format: Format, source: &Source<'a>, diagram: &'a Diagram, fragments: &'a Fragments) -> Self {
        let names = Naming::for_networks(diagram.participants.iter().map(|one| one.name.text.as_str()));
        let layout = Layout::new(format, source.text, source.offset, diagram);
        Explainer { diagram, fragments, layout, names }
    }

    /// The end of an arrow that a process is.
    fn end(&self, choreography: &Choreography, process: ProcessId) -> End {
        let name = choreography.process_name(process);
        let is_named = |one: &super::Participant| self.names.name(&one.name.text) == name;
        self.diagram.participants.iter().position(is_named).map_or(End::Outside, End::Participant)
    }

    /// The fragment of a decision.
    fn fragment(&self, start: u32) -> Option<&'a Fragment> {
        let fragment =
            self.fragments.all.binary_search_by_key(&start, |fragment| self.diagram.lines[fragment.open].span.start);
        self.fragments.all.get(fragment.ok()?)
    }

    fn explained(&self, choreography: &Choreography, reason: &Unprojectable, diagnostic: Diagnostic) -> Diagnostic {
        let decider = match choreography.node(reason.node()) {
            Node::If { process, .. } | Node::Choose { process, .. } => Some(process),
            _ => None,
        };
        let fragment = self.fragment(choreography.origin(reason.node()).start);
        let (Some(process), Some(decider), Some(fragment)) = (reason.process(), decider, fragment) else {
            return diagnostic;
        };
        let [from, to] = [decider, process].map(|process| self.end(choreography, process));
        let [teller, told] = [decider, process].map(|process| quote(choreography.process_name(process)));
        let arrow = |label: &str| {
            let line = self.layout.message(from, to, label).into_iter().next().unwrap_or_default();
            quote(&line)
        };
        let hint = match self.first_text(fragment, from, to) {
            Some(text) => format!(
                "the first messages of the branches could tell {told} which one it is: with their texts in brackets, as in \
                 {}, they are selections",
                arrow(text)
            ),
            None => {
                let [yes, no] = LABELS;
                let places = match fragment.kind {
                    FragmentKind::Loop => "at the beginning of the `loop` and right after it",
                    FragmentKind::Break => "at the beginning of the `break` and right after it",
                    _ if fragment.next.is_empty() => "at the beginning of the branch and in an `else`",
                    _ => "at the beginning of each branch",
                };
                format!("let {teller} tell {told}, {places}: {} and {}", arrow(yes), arrow(no))
            }
        };
        let what = match fragment.kind {
            FragmentKind::Loop => format!("whether {teller} repeats this `loop`"),
            kind if fragment.next.is_empty() => format!("whether {teller} takes this `{}`", kind.as_str()),
            _ => format!("which branch {teller} takes"),
        };
        let mut explained = diagnostic;
        explained.message = format!("{told} is not told {what}, but must act on it");
        if let Unprojectable::Uninformed { clash, arms, .. } = reason {
            if clash.contains(&None) {
                explained = explained.note(format!("in the other case, {told} has nothing more to do at that point"));
            }
            if let [Some(one), Some(other)] = clash.map(|node| teller_of(choreography, node?, process))
                && one != other
            {
                explained = explained.note(format!(
                    "{told} hears from {} in one case and from {} in the other: a service that takes whichever comes \
                     first, with `any`, would fit (`laban verify`), but it cannot be derived from the diagram",
                    quote(choreography.process_name(one)),
                    quote(choreography.process_name(other)),
                ));
            }
            if fragment.kind == FragmentKind::Loop {
                // What is written on a loop may be how often it is repeated, or until when.
                let name = choreography.process_name(process);
                let outcomes = clash.iter().zip(arms).filter(|(place, _)| place.is_some());
                for (annotation, (_, &arm)) in explained.secondary.iter_mut().zip(outcomes) {
                    let outcome = if arm == 0 { "if it is repeated" } else { "if it is not repeated" };
                    annotation.label = format!("{name} does this {outcome}");
                }
            }
        }
        let services: Vec<String> = explained.hints.drain(..).filter(|hint| hint.contains("--service")).collect();
        explained = explained.hint(hint).hint("`laban amend` writes the diagram with the missing arrows");
        explained.hints.extend(services);
        explained
    }

    /// The text of the first message, if each branch begins with one between these two, and no text is there twice.
    fn first_text(&self, fragment: &Fragment, from: End, to: End) -> Option<&'a str> {
        let mut texts = BTreeSet::new();
        let mut first = None;
        for line in self.fragments.first_messages(fragment) {
            let LineKind::Message { from: sender, to: receiver, text, .. } = &self.diagram.lines.get(line?)?.kind
            else {
                return None;
            };
            if (*sender, *receiver) != (from, to) || !texts.insert(text.trim()) || text.contains(['[', ']', '"', '\''])
            {
                return None;
            }
            first = first.or(Some(text.trim()));
        }
        first.filter(|text| texts.len() > 1 && !text.is_empty())
    }
}

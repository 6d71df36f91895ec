//! What a diagram forgot to say: writes it back with the missing arrows, in its own language and layout.
//!
//! Laban amends the choreography of the diagram; `places` says where the selections belong in the diagram, `layout` how
//! its lines look, and this module puts lines into its text. Nothing else of the text changes, but for an `opt` that
//! gets a second branch and is an `alt` then, and an `end` that was missing. What was written is read again before it
//! is given out: it must have a projection.

use super::fragments::Fragments;
use super::layout::Layout;
use super::places::{Missing, Place, places};
use super::{Diagram, End, FragmentKind, LineKind};
use crate::format::Format;
use crate::naming::Naming;
use crate::read::{ReadOptions, read_with};
use crate::report::Report;
use crate::source::Source;
use crate::view::View;
use crate::{mermaid, plantuml, write_mermaid, write_plantuml};
use laban::choreography::{Added, Amended, Unamendable, lower, read_off_named};
use laban::diagnostic::{Code, Diagnostic};
use laban::network::ProcessId;
use laban::syntax::{ChoreographyTree, Symbol};
use laban::text::{LineTable, Span};
use laban::{AmendOptions, Choreography, NotProjected, ProjectOptions};
use std::collections::{BTreeMap, BTreeSet};

/// What an added arrow says in the two branches of a decision.
pub(super) const LABELS: [&str; 2] = ["yes", "no"];

/// A diagram that says everything.
#[derive(Debug, Clone)]
pub struct AmendedDiagram {
    /// The text with the arrows in it; the text that was given if nothing was missing.
    pub text: String,
    /// What was added, in the order of the text.
    pub added: Vec<AddedArrow>,
    /// Whether it is certain that fewer selections do not suffice.
    pub fewest: bool,
}

/// An arrow that was added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedArrow {
    /// The line, without indentation.
    pub line: String,
    /// Where it was put, in the text that was given: an empty span.
    pub span: Span,
}

/// Why a diagram has not been amended.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum NotAmended {
    /// It is not a diagram, or has mistakes.
    Unread(Report),
    /// Arrows do not help, or a limit was reached.
    Unamendable(Unamendable),
    /// The arrows would be needed where the language has no place for them.
    Unsayable(Box<Diagnostic>),
}

/// Writes a diagram back, in Mermaid or PlantUML, with the arrows without which its choreography has no projection.
///
/// ```
/// use laban::AmendOptions;
/// use laban_formats::{Format, ReadOptions, Source, amend_diagram};
///
/// let text = "sequenceDiagram\n  opt ready\n    A->>B: go\n  end\n";
/// let source = Source::new("", text);
/// let amended = amend_diagram(Format::Mermaid, &source, &ReadOptions::default(), &AmendOptions::default()).unwrap();
/// assert_eq!(
///     amended.text,
///     "sequenceDiagram\n  alt ready\n    A->>B: [yes]\n    A->>B: go\n  else\n    A->>B: [no]\n  end\n"
/// );
/// ```
pub fn amend_diagram(
    format: Format,
    source: &Source<'_>,
    read_options: &ReadOptions<'_>,
    options: &AmendOptions<'_>,
) -> Result<AmendedDiagram, NotAmended> {
    let closed = match amend_closed(format, source, read_options, options)? {
        Amendment::Done(amended) => return Ok(amended),
        Amendment::Close(text) => text,
    };
    match amend_closed(format, &Source { text: &closed, ..*source }, read_options, options)? {
        Amendment::Done(amended) => Ok(amended),
        // It was closed already.
        Amendment::Close(_) => Err(NotAmended::Unread(Report::default())),
    }
}

/// What comes of one attempt.
enum Amendment {
    Done(AmendedDiagram),
    /// The text with the ends that were missing, which is to be amended in its place.
    Close(String),
}

/// Amends a diagram; if ends of fragments are missing, they come first.
fn amend_closed(
    format: Format,
    source: &Source<'_>,
    read_options: &ReadOptions<'_>,
    options: &AmendOptions<'_>,
) -> Result<Amendment, NotAmended> {
    let reading = read_with(format, &[*source], read_options);
    let (Some(diagram), View::Global(protocol), Some(choreography)) =
        (diagram(format, source, read_options), &reading.view, reading.choreography())
    else {
        return Err(NotAmended::Unread(reading.report));
    };
    let tree = read_off_named(choreography);
    let amended = laban::amend(&tree, &AmendOptions { labels: LABELS, ..*options }).map_err(NotAmended::Unamendable)?;
    if amended.added.is_empty() {
        let (text, added) = (source.text.to_string(), Vec::new());
        return Ok(Amendment::Done(AmendedDiagram { text, added, fewest: amended.fewest }));
    }
    if diagram.is_drawing() {
        return drawn_anew(format, source, &diagram, &amended).map(Amendment::Done);
    }
    if let Some(closed) = with_ends(source, &diagram) {
        return Ok(Amendment::Close(closed));
    }
    let fragments = Fragments::new(&diagram, &mut Report::default());
    let missing = places(&diagram, &fragments, &tree, &amended.tree).map_err(|span| {
        let message = "somebody would have to be told between the two messages of this arrow";
        let diagnostic = Diagnostic::new(Code::Unprojectable, span, message).label("two messages");
        NotAmended::Unsayable(Box::new(diagnostic.hint("write two arrows, one for each direction")))
    })?;
    let names = Naming::for_networks(protocol.roles.iter().map(|role| role.text.as_str()));
    let roles = protocol.roles.iter().enumerate().map(|(number, role)| {
        let is_participant = number < diagram.participants.len();
        (names.name(&role.text), if is_participant { End::Participant(number) } else { End::Outside })
    });
    let roles: BTreeMap<&str, End> = roles.collect();
    let layout = Layout::new(format, source.text, source.offset, &diagram);
    let (edits, grown) = (Vec::new(), BTreeSet::new());
    let mut writer =
        Writer { layout, diagram: &diagram, fragments: &fragments, roles, tree: &amended.tree, edits, grown };
    missing.iter().enumerate().for_each(|(number, missing)| writer.add(number, missing));
    let (text, added, lines) = writer.finish(source);
    check(format, &text, source, read_options, options, &lines)?;
    Ok(Amendment::Done(AmendedDiagram { text, added, fewest: amended.fewest }))
}

/// A diagram that Laban drew: it is drawn again, with everything in it.
fn drawn_anew(
    format: Format,
    source: &Source<'_>,
    diagram: &Diagram,
    amended: &Amended,
) -> Result<AmendedDiagram, NotAmended> {
    let unsayable = |message: String| {
        let diagnostic = Diagnostic::new(Code::Unprojectable, diagram.start(), message);
        NotAmended::Unsayable(Box::new(diagnostic))
    };
    let Some(choreography) = lower(&amended.tree).choreography else {
        return Err(unsayable("the amended choreography is ill-formed".to_string()));
    };
    let is_mermaid = format == Format::Mermaid;
    let write = if is_mermaid { write_mermaid } else { write_plantuml };
    let drawing = write(&choreography).map_err(|error| unsayable(error.to_string()))?;
    let place = |at: u32| at.saturating_sub(source.offset) as usize;
    let (start, end) = (place(diagram.span.start), place(diagram.span.end));
    let pieces = (source.text.get(..start), source.text.get(start..end), source.text.get(end..));
    let (Some(before), Some(drawn), Some(after)) = pieces else {
        return Err(unsayable("the drawing is not in the text".to_string()));
    };
    if !is_mermaid && plantuml::has_other_text(drawn) {
        let message = "other text is between the diagrams of this drawing, and would be lost".to_string();
        return Err(unsayable(message));
    }
    // Its lines begin as the first one does, which may be in a comment.
    let margin = before.rsplit('\n').next().unwrap_or("");
    let newline = if source.text.contains("\r\n") { "\r\n" } else { "\n" };
    let lines: Vec<&str> = drawing.lines().collect();
    // The last line of a block of PlantUML is there already.
    let count = lines.len() - usize::from(after.trim_start_matches(margin).starts_with("@end"));
    let mut text = before.to_string();
    text.push_str(&lines[..count].join(&format!("{newline}{margin}")));
    if after.is_empty() || !is_mermaid {
        text.push_str(newline);
    }
    text.push_str(after);
    let name = |symbol: Symbol| amended.tree.names.text(symbol);
    let arrow = |added: &Added| {
        let (from, to, label) = (name(added.from), name(added.to), name(added.label));
        let line =
            if is_mermaid { format!("{from}-->>{to}: [{label}]") } else { format!("{from} -->> {to} : [{label}]") };
        AddedArrow { line, span: added.span }
    };
    let added = amended.added.iter().map(arrow).collect();
    Ok(AmendedDiagram { text, added, fewest: amended.fewest })
}

/// The diagram that is meant.
pub(super) fn diagram(format: Format, source: &Source<'_>, options: &ReadOptions<'_>) -> Option<Diagram> {
    let mut report = Report::default();
    match format {
        Format::Mermaid => mermaid::read_diagram(&[*source], options, &mut report),
        Format::PlantUml => plantuml::read_diagram(&[*source], options, &mut report),
        _ => None,
    }
}

/// The text with the ends of fragments that are missing; nothing if none are.
fn with_ends(source: &Source<'_>, diagram: &Diagram) -> Option<String> {
    let is_missing = |line: &&super::Line| line.kind == LineKind::Close && line.span.start == line.span.end;
    let count = diagram.lines.iter().filter(is_missing).count();
    let at = (diagram.span.end.saturating_sub(source.offset) as usize).min(source.text.len());
    let mut text = source.text.get(..at)?.to_string();
    let newline = if source.text.contains("\r\n") { "\r\n" } else { "\n" };
    if !text.ends_with('\n') {
        text.push_str(newline);
    }
    (0..count).for_each(|_| {
        text.push_str("end");
        text.push_str(newline);
    });
    text.push_str(source.text.get(at..)?);
    (count > 0).then_some(text)
}

/// Something to be put into the text.
struct Edit {
    at: usize,
    /// How many bytes of the text it replaces.
    replaces: usize,
    /// What comes first of edits at the same place.
    rank: usize,
    lines: Vec<(String, String)>,
    /// Whether it is within a line of the text, not between two.
    is_inline: bool,
    /// Whether its first line is an arrow.
    is_arrow: bool,
}

struct Writer<'a> {
    layout: Layout<'a>,
    diagram: &'a Diagram,
    fragments: &'a Fragments,
    /// Who has which name in the choreography.
    roles: BTreeMap<&'a str, End>,
    tree: &'a ChoreographyTree,
    edits: Vec<Edit>,
    /// The lines that close a fragment with a new branch.
    grown: BTreeSet<usize>,
}

impl Writer<'_> {
    fn end(&self, symbol: Symbol) -> End {
        self.roles.get(self.tree.names.text(symbol)).copied().unwrap_or(End::Outside)
    }

    /// Adds an arrow.
    fn add(&mut self, number: usize, missing: &Missing) {
        let labels: Vec<&str> = missing.labels.iter().map(|&label| self.tree.names.text(label)).collect();
        let message = self.layout.message(self.end(missing.from), self.end(missing.to), &labels.join("_"));
        match missing.place {
            Place::BranchStart(line) => {
                let indentation = self.layout.inner_indentation(line);
                self.after(line, 4 * number, &indentation, message);
            }
            Place::AfterFragment(line) => {
                let indentation = self.layout.indentation(line).unwrap_or("").to_string();
                self.after(line, 4 * number, &indentation, message);
            }
            Place::AfterMessage(line) => {
                let indentation = self.layout.indentation(line).unwrap_or("").to_string();
                self.before(line + 1, 4 * number, &indentation, message, true);
            }
            Place::Otherwise(line) => self.otherwise(number, line, message),
            Place::Before(line) => {
                // The end of a loop comes after what is in it.
                let indentation = match self.diagram.lines.get(line).map(|line| &line.kind) {
                    Some(LineKind::Close) => self
                        .fragments
                        .of_line(line)
                        .map_or_else(String::new, |(_, fragment)| self.layout.inner_indentation(fragment.open)),
                    _ => self.layout.indentation(line).unwrap_or("").to_string(),
                };
                self.before(line, usize::MAX / 2 + number, &indentation, message, true);
            }
        }
    }

    /// Adds an arrow to a branch that is not there yet.
    fn otherwise(&mut self, number: usize, line: usize, message: Vec<String>) {
        let Some((_, fragment)) = self.fragments.of_line(line) else { return };
        let rank = usize::MAX / 4;
        if self.grown.insert(line) {
            if fragment.kind == FragmentKind::Opt {
                let at = self.layout.line(fragment.open).start;
                let lines = vec![(String::new(), "alt".to_string())];
                let edit =
                    Edit { at, replaces: "opt".len(), rank: usize::MAX, lines, is_inline: true, is_arrow: false };
                self.edits.push(edit);
            }
            let indentation = self.layout.indentation(line).unwrap_or("").to_string();
            self.before(line, rank, &indentation, vec!["else".to_string()], false);
        }
        let indentation = self.layout.inner_indentation(fragment.open);
        self.before(line, rank + 1 + number, &indentation, message, true);
    }

    fn place_before(&self, line: usize) -> (usize, bool) {
        let at = match line < self.diagram.lines.len() {
            true => self.layout.line(line).start,
            false => self.layout.line(line).end,
        };
        match self.layout.indentation(line) {
            Some(_) if line < self.diagram.lines.len() => (self.layout.start_of_line(at), false),
            None if line < self.diagram.lines.len() => (at, true),
            // Behind the last line.
            _ => (self.layout.next_line(self.layout.line(line.saturating_sub(1)).end), false),
        }
    }

    fn before(&mut self, line: usize, rank: usize, indentation: &str, lines: Vec<String>, is_arrow: bool) {
        let (at, is_inline) = self.place_before(line);
        let lines = lines.into_iter().map(|line| (indentation.to_string(), line)).collect();
        self.edits.push(Edit { at, replaces: 0, rank, lines, is_inline, is_arrow });
    }

    fn after(&mut self, line: usize, rank: usize, indentation: &str, lines: Vec<String>) {
        if self.layout.is_followed(line) {
            return self.before(line + 1, rank, indentation, lines, true);
        }
        let at = self.layout.next_line(self.layout.line(line).end);
        let lines = lines.into_iter().map(|line| (indentation.to_string(), line)).collect();
        self.edits.push(Edit { at, replaces: 0, rank, lines, is_inline: false, is_arrow: true });
    }

    /// The text with everything in it, the arrows that were added, and for each edit the place and the number of lines
    /// that the text has more from there on.
    fn finish(mut self, source: &Source<'_>) -> (String, Vec<AddedArrow>, Vec<(usize, usize)>) {
        self.edits.sort_by_key(|edit| (edit.at, edit.rank));
        let newline = self.layout.newline;
        let mut text = String::with_capacity(source.text.len() + 64 * self.edits.len());
        let mut added = Vec::new();
        let mut more = Vec::new();
        let mut done = 0;
        for edit in &self.edits {
            text.push_str(&source.text[done..edit.at]);
            done = edit.at + edit.replaces;
            let at = source.offset + edit.at as u32;
            if edit.is_arrow {
                added.extend(
                    edit.lines.first().map(|(_, line)| AddedArrow { line: line.clone(), span: Span::new(at, at) }),
                );
            }
            if edit.is_inline {
                let lines: Vec<&str> = edit.lines.iter().map(|(_, line)| line.as_str()).collect();
                text.push_str(&lines.join("; "));
                if edit.replaces == 0 {
                    text.push_str("; ");
                }
                continue;
            }
            more.push((edit.at, edit.lines.len()));
            let is_open = !text.is_empty() && !text.ends_with('\n');
            if is_open {
                text.push_str(newline);
            }
            for (number, (indentation, line)) in edit.lines.iter().enumerate() {
                text.push_str(indentation);
                text.push_str(line);
                if !is_open || number + 1 < edit.lines.len() {
                    text.push_str(newline);
                }
            }
        }
        text.push_str(&source.text[done..]);
        (text, added, more)
    }
}

/// Reads what was written: it must have a projection.
fn check(
    format: Format,
    text: &str,
    before: &Source<'_>,
    read_options: &ReadOptions<'_>,
    options: &AmendOptions<'_>,
    lines: &[(usize, usize)],
) -> Result<(), NotAmended> {
    let table = LineTable::new(before.text);
    let moved = |line: u32| {
        let start = table.start((line as usize).saturating_sub(1)).unwrap_or(before.text.len());
        line + lines.iter().filter(|&&(at, _)| at <= start).map(|&(_, count)| count as u32).sum::<u32>()
    };
    let deciders: Vec<(Option<u32>, &str)> =
        read_options.deciders.iter().map(|&(line, name)| (line.map(moved), name)).collect();
    let read_options = ReadOptions { deciders: &deciders, ..*read_options };
    let reading = read_with(format, &[Source { text, ..*before }], &read_options);
    let unsayable = |message: &str| {
        let diagnostic = Diagnostic::new(Code::Unprojectable, Span::default(), message);
        NotAmended::Unsayable(Box::new(
            diagnostic.hint("write the diagram as a choreography with `laban convert`, and amend that"),
        ))
    };
    let Some(choreography) = reading.choreography() else {
        return Err(unsayable("the arrows that are missing cannot be written into this diagram"));
    };
    let services = services(choreography, options.services);
    match laban::project(choreography, &ProjectOptions { services: &services, limits: options.limits }) {
        Ok(_) => Ok(()),
        Err(NotProjected::Undecided(reason)) => Err(NotAmended::Unamendable(Unamendable::Undecided(reason))),
        Err(_) => Err(unsayable("arrows in this diagram cannot tell everybody what he has to know")),
    }
}

fn services(choreography: &Choreography, names: &[&str]) -> Vec<ProcessId> {
    let processes = (0..choreography.processes().len() as u32).map(ProcessId);
    processes.filter(|&process| names.contains(&choreography.process_name(process))).collect()
}

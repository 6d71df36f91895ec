//! What a command found about one file or comparison, kept until the end.
//!
//! A [`Finding`] is a diagnostic that does not need its source any more: all places are files, lines and columns.

use laban::diagnostic::{Annotation, Code, Diagnostic, Severity};
use laban::text::visible;
use laban_report::{Colours, File, Position, Source, made_visible, render_full};

/// A run is cut in the middle where it has more steps than services for code scanning show.
const MOST_STEPS: usize = 1000;

/// One file, or one comparison.
#[derive(Debug, Default)]
pub(super) struct Case {
    /// What it is called.
    pub(super) name: String,
    /// What is wrong or strange with it.
    pub(super) findings: Vec<Finding>,
    /// How many more findings there are.
    pub(super) omitted: usize,
    /// Why there may be more to know.
    pub(super) troubles: Vec<Trouble>,
    /// Why nothing is known about it, if it was not looked at.
    pub(super) skipped: Option<String>,
    /// What else there is to say.
    pub(super) remarks: Vec<String>,
}

/// Something that kept the command from an answer.
#[derive(Debug)]
pub(super) struct Trouble {
    pub(super) problem: Problem,
    /// The file that it is about.
    pub(super) file: Option<File>,
    pub(super) message: String,
}

/// What kind of trouble it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Problem {
    /// The search was given up.
    Undecided,
    /// A file cannot be read, or is of the wrong kind.
    Unreadable,
    /// An option does not fit.
    Usage,
    /// The program has a fault.
    Fault,
}

impl Problem {
    /// The stable word for it.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Problem::Undecided => "undecided",
            Problem::Unreadable => "unreadable",
            Problem::Usage => "usage",
            Problem::Fault => "fault",
        }
    }
}

/// A diagnostic with its places.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) code: Code,
    /// That of its code, unless it is only mentioned.
    pub(super) severity: Severity,
    pub(super) message: String,
    pub(super) primary: Location,
    pub(super) secondary: Vec<Location>,
    pub(super) notes: Vec<String>,
    pub(super) hints: Vec<String>,
    /// What happens before, step by step; known only to forms that show it.
    pub(super) run: Vec<Location>,
    /// The line in which the primary place starts.
    pub(super) line: String,
    /// All of it as people read it, without colours; empty for forms that do not show it.
    pub(super) shown: String,
}

/// A place with a few words about it.
#[derive(Debug, Clone)]
pub(super) struct Location {
    pub(super) file: File,
    pub(super) start: Position,
    pub(super) end: Position,
    pub(super) label: String,
}

impl Finding {
    pub(super) fn new(source: &Source, diagnostic: &Diagnostic, shown: bool) -> Self {
        let diagnostic = &made_visible(diagnostic);
        let shown = match shown {
            true => render_full(source, diagnostic, Colours::None),
            false => String::new(),
        };
        let (start, _) = source.range(diagnostic.primary.span);
        let line = source.line(source.line_at(start));
        Finding {
            code: diagnostic.code,
            severity: diagnostic.severity(),
            message: diagnostic.message.clone(),
            primary: place(source, &diagnostic.primary),
            secondary: diagnostic.secondary.iter().map(|annotation| place(source, annotation)).collect(),
            notes: diagnostic.notes.iter().map(|note| note.lines().join("\n")).collect(),
            hints: diagnostic.hints.clone(),
            run: Vec::new(),
            line: line.chars().take(1000).collect(),
            shown,
        }
    }

    /// The same as something that is only mentioned.
    pub(super) fn mentioned(self) -> Self {
        let shown = self.shown.replacen("error[", "note[", 1);
        Finding { severity: Severity::Note, shown, ..self }
    }

    /// Whether it adds to what was said before it.
    pub(super) fn is_addition(&self) -> bool {
        self.code.severity() == Severity::Note
    }

    /// The message with its notes and hints, a line each.
    pub(super) fn text(&self) -> String {
        let mut text = self.message.clone();
        for (word, lines) in [("note", &self.notes), ("help", &self.hints)] {
            for line in lines {
                text.push_str(&format!("\n{word}: {line}"));
            }
        }
        text
    }
}

/// Where an annotation is.
pub(super) fn place(source: &Source, annotation: &Annotation) -> Location {
    let (start, end) = source.range(annotation.span);
    Location {
        file: source.file_at(start).clone(),
        start: source.position(start),
        end: source.position(end),
        label: visible(&annotation.label).into_owned(),
    }
}

/// The beginning and the end of a long run.
pub(super) fn shortened(mut steps: Vec<Annotation>) -> Vec<Annotation> {
    if let Some(hidden) = steps.len().checked_sub(MOST_STEPS).filter(|&hidden| hidden > 0) {
        steps.drain(MOST_STEPS / 2..MOST_STEPS / 2 + hidden);
        if let Some(step) = steps.get_mut(MOST_STEPS / 2) {
            step.label = format!("{hidden} steps later: {}", step.label);
        }
    }
    steps
}

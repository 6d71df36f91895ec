//! Errors, warnings and notes about a text, as plain data.
//!
//! A diagnostic has a stable [`Code`], a one-sentence message that makes sense on its own, the places in the source it
//! points at, and hints that suggest a fix. How it looks on a screen, in a log or in JSON is up to the shells: nothing
//! here knows about colours, files or lines.

mod fix;

pub use fix::{Fix, Replacement};

use crate::text::Span;
use std::error::Error;
use std::fmt;

/// How serious a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The text cannot be used as it is.
    Error,
    /// The text can be used, but something in it is probably a mistake.
    Warning,
    /// It adds to the diagnostic before it.
    Note,
}

impl Severity {
    /// The word shown to users.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

macro_rules! codes {
    ($(#[doc = $doc:literal] $name:ident = $text:literal, $severity:ident;)*) => {
        /// What a diagnostic is about. The text of a code never changes: scripts may rely on it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code { $(#[doc = $doc] $name,)* }

        impl Code {
            /// Every code, in the order of the documentation.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The stable text of the code.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => $text,)* }
            }

            /// What this code means, as a sentence.
            pub fn description(self) -> &'static str {
                match self { $(Code::$name => $doc.trim_ascii(),)* }
            }

            /// How serious diagnostics with this code are.
            pub fn severity(self) -> Severity {
                match self { $(Code::$name => Severity::$severity,)* }
            }
        }
    };
}

codes! {
    /// The file is not UTF-8 text.
    NotText = "not-text", Error;
    /// The text is longer than 4 GiB.
    TooLong = "too-long", Error;
    /// The text contains only white space and comments.
    Empty = "empty", Error;
    /// A character has no meaning here.
    UnknownCharacter = "unknown-character", Error;
    /// A block comment is never closed.
    UnclosedComment = "unclosed-comment", Error;
    /// A bracket or brace is never closed.
    Unclosed = "unclosed", Error;
    /// Something else was expected here.
    Syntax = "syntax", Error;
    /// An expression is missing or is not balanced.
    Expression = "expression", Error;
    /// A reserved word is used as a name.
    ReservedWord = "reserved-word", Error;
    /// Something follows the end of a behaviour.
    AfterEnd = "after-end", Error;

    /// Two processes have the same name.
    DuplicateProcess = "duplicate-process", Error;
    /// Two procedures of one process, or of one choreography, have the same name.
    DuplicateProcedure = "duplicate-procedure", Error;
    /// A process or choreography has more than one `main`.
    DuplicateMain = "duplicate-main", Error;
    /// A process or choreography has no `main`.
    MissingMain = "missing-main", Error;
    /// An offer has two branches with the same label.
    DuplicateLabel = "duplicate-label", Error;
    /// An offer has no branches.
    EmptyOffer = "empty-offer", Error;
    /// A `choose` or `any` has no items.
    EmptyChoice = "empty-choice", Error;
    /// An item of an `any` does not begin with an interaction.
    NotAnInteraction = "not-an-interaction", Error;
    /// Two items of an `any` begin with the same interaction.
    DuplicateItem = "duplicate-item", Error;
    /// The word `idle` is before something other than a receive, an offer or an `any`.
    MisplacedIdle = "misplaced-idle", Error;
    /// A process communicates with itself.
    SelfCommunication = "self-communication", Error;
    /// A process communicates with a process that does not exist.
    UnknownProcess = "unknown-process", Error;
    /// A call names a procedure that is not defined.
    UnknownProcedure = "unknown-procedure", Error;
    /// Procedures call each other in a loop without any action.
    UnguardedLoop = "unguarded-loop", Error;
    /// A procedure of a choreography starts with a call.
    UnguardedProcedure = "unguarded-procedure", Error;
    /// A queue is bounded by a number that is not one of messages.
    QueueBound = "queue-bound", Error;
    /// It is said twice how messages get from one process to another.
    DuplicateChannel = "duplicate-channel", Error;
    /// A message is taken from a queue that is empty.
    NothingToTake = "nothing-to-take", Error;
    /// A message is put into a queue and never taken from it.
    NeverTaken = "never-taken", Error;
    /// Two parallel parts of a choreography share a process.
    SharedProcess = "shared-process", Error;
    /// A process must act on a decision that it is never told about.
    Unprojectable = "unprojectable", Error;
    /// A group of interactions cannot be projected.
    QueueProjection = "queue-projection", Error;

    /// Something cannot be said in the language that was asked for.
    Inexpressible = "inexpressible", Error;
    /// What was assumed about a text of another tool, or read but not checked.
    Remark = "remark", Note;

    /// The network can get stuck: some processes are not done, and nothing can happen.
    Deadlock = "deadlock", Error;
    /// The network can loop forever while some process never acts.
    Livelock = "livelock", Error;
    /// A message can be sent that nobody ever takes.
    Orphan = "orphan", Error;
    /// Messages can be sent faster than they are taken, forever.
    Unbounded = "unbounded", Error;
    /// How long the queues of a network get, and what would happen without them.
    Queues = "queues", Note;
    /// A choreography does not describe a network.
    Mismatch = "mismatch", Error;
    /// What a process of the network does where the choreography no longer fits.
    MismatchPlace = "mismatch-place", Note;
    /// One of two systems can do something that the other cannot.
    Difference = "difference", Error;
    /// What a process of the first system does where the two systems differ.
    DifferencePlace = "difference-place", Note;

    /// A procedure is never called.
    UnusedProcedure = "unused-procedure", Warning;
    /// An `any` has only one item.
    SingleItem = "single-item", Warning;
    /// The partner never selects the label of this branch.
    NeverSelected = "never-selected", Warning;
    /// The partner never sends what this action waits for.
    NeverSent = "never-sent", Warning;
    /// The partner never receives what this action sends.
    NeverReceived = "never-received", Warning;
    /// A service can be left in the middle of a conversation.
    ServiceLeft = "service-left", Warning;
}

/// A place in the source, with a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    /// Where.
    pub span: Span,
    /// What to say about it; may be empty.
    pub label: String,
}

/// Up to this many steps of a run fit on one line.
pub const FEW_STEPS: usize = 3;

/// Something else to know about a diagnostic: a sentence or, more often, a run step by step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The sentence; if steps follow, what they are.
    pub text: String,
    /// The steps of a run, in order.
    pub steps: Vec<String>,
    /// How many steps were left out in the middle, because there are too many to read.
    pub left_out: usize,
}

impl Note {
    /// A run: what it is, and its steps, of which a long list is cut in the middle.
    pub fn run<S>(text: impl Into<String>, steps: &[S], describe: impl Fn(&S) -> String) -> Self {
        const HALF: usize = 6;
        let left_out = steps.len().saturating_sub(2 * HALF);
        let (head, tail) = steps.split_at(HALF.min(steps.len()));
        let kept = head.iter().chain(&tail[left_out..]);
        Note { text: text.into(), steps: kept.map(describe).collect(), left_out }
    }

    /// The note on one line: "after 2 steps: p.x -> q; q.y -> p".
    pub fn one_line(&self) -> String {
        if self.steps.is_empty() {
            return self.text.clone();
        }
        let mut steps = self.steps.clone();
        if self.left_out > 0 {
            steps.insert(steps.len() / 2, format!("… {} more …", self.left_out));
        }
        format!("{}: {}", self.text, steps.join("; "))
    }

    /// The note as a person reads it best: a run of more than a few steps has a numbered line for each.
    pub fn lines(&self) -> Vec<String> {
        if self.steps.len() <= FEW_STEPS {
            return vec![self.one_line()];
        }
        let half = self.steps.len() / 2;
        let width = (self.steps.len() + self.left_out).to_string().len();
        let mut lines = vec![format!("{}:", self.text)];
        for (index, step) in self.steps.iter().enumerate() {
            let skipped = if index >= half { self.left_out } else { 0 };
            if index == half && skipped > 0 {
                let steps = if skipped == 1 { "step" } else { "steps" };
                lines.push(format!("{:>width$}  {skipped} more {steps}", "…"));
            }
            lines.push(format!("{:>width$}. {step}", index + 1 + skipped));
        }
        lines
    }
}

impl<T: Into<String>> From<T> for Note {
    fn from(text: T) -> Self {
        Note { text: text.into(), steps: Vec::new(), left_out: 0 }
    }
}

/// An error, warning or note about a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// What it is about.
    pub code: Code,
    /// How serious it is: as its code says, unless a warning counts as an error.
    pub severity: Severity,
    /// One sentence that makes sense on its own.
    pub message: String,
    /// Where it is.
    pub primary: Annotation,
    /// Other places that help to explain it.
    pub secondary: Vec<Annotation>,
    /// What else there is to know.
    pub notes: Vec<Note>,
    /// How to fix it, one sentence each.
    pub hints: Vec<String>,
    /// Edits that would mend it, the likeliest first.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// A diagnostic without a label, other places, notes or hints.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        let primary = Annotation { span, label: String::new() };
        let (secondary, notes, hints, fixes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Diagnostic { code, severity: code.severity(), message: message.into(), primary, secondary, notes, hints, fixes }
    }

    /// Sets the label of the primary place.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.primary.label = label.into();
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn at(mut self, span: Span, label: impl Into<String>) -> Self {
        self.secondary.push(Annotation { span, label: label.into() });
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, note: impl Into<Note>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Adds an edit that would mend it.
    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        let replacements = vec![Replacement { span, text: text.into() }];
        self.fixes.push(Fix { title: title.into(), replacements });
        self
    }

    /// Adds the edit that replaces one word with another.
    #[must_use]
    pub fn fix_word(self, span: Span, wrong: &str, right: &str) -> Self {
        self.fix(format!("replace {} with {}", quote(wrong), quote(right)), span, right)
    }

    /// The same as an error, where warnings are taken for errors.
    #[must_use]
    pub fn as_error(mut self) -> Self {
        self.severity = Severity::Error;
        self
    }

    /// How serious it is.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Is it an error?
    pub fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }
}

impl fmt::Display for Diagnostic {
    /// The message, without the places.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Diagnostic {}

/// Why parts do not make a model: a number in them leads nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidParts(pub &'static str);

impl fmt::Display for InvalidParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for InvalidParts {}

/// Whether any of the diagnostics is an error.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}

/// A name as messages show it: in backticks, cut in the middle if it is very long.
pub fn quote(name: &str) -> String {
    const LONGEST: usize = 60;
    if name.len() <= LONGEST {
        return format!("`{name}`");
    }
    let start: String = name.chars().take(LONGEST / 2).collect();
    let mut end: Vec<char> = name.chars().rev().take(LONGEST / 4).collect();
    end.reverse();
    format!("`{start}…{}`", end.into_iter().collect::<String>())
}

/// How many names a sentence lists before it only counts.
pub(crate) const MOST_LISTED: usize = 6;

/// Names as a sentence lists them: "`a`, `b` and `c`", with a count in place of all but the first few.
pub fn listed<'a>(names: impl ExactSizeIterator<Item = &'a str>, conjunction: &str) -> String {
    let count = names.len();
    let shown = if count <= MOST_LISTED { count } else { MOST_LISTED - 1 };
    let mut text = String::new();
    for (index, name) in names.take(shown).enumerate() {
        if index > 0 {
            let last = index + 1 == count;
            text.push_str(&if last { format!(" {conjunction} ") } else { ", ".to_string() });
        }
        text.push_str(&quote(name));
    }
    if shown < count {
        text.push_str(&format!(" {conjunction} {} others", count - shown));
    }
    text
}

/// The candidate that the writer of `name` probably meant, if one is close enough.
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 40;
    const MOST: usize = 1000;
    if name.len() > LONGEST {
        return None;
    }
    let allowed = (name.chars().count() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.into_iter().take(MOST) {
        if candidate.len() > LONGEST || candidate == name {
            continue;
        }
        let distance = edit_distance(name, candidate);
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    // Any two names of one letter are close: for these, only a change of case counts.
    best.map(|(_, candidate)| candidate)
        .filter(|candidate| name.chars().count() > 1 || candidate.eq_ignore_ascii_case(name))
}

/// How many letters must be inserted, deleted, replaced or swapped to turn one word into the other; a change
/// of case costs nothing.
fn edit_distance(one: &str, other: &str) -> usize {
    let one: Vec<char> = one.chars().flat_map(char::to_lowercase).collect();
    let other: Vec<char> = other.chars().flat_map(char::to_lowercase).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (i, &a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &b) in other.iter().enumerate() {
            let mut least = (last[j] + usize::from(a != b)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a == other[j - 1] && one[i - 1] == b {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_words_in_kebab_case() {
        let mut texts: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert!(texts.iter().all(|text| text.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len(), Code::ALL.len());
    }

    #[test]
    fn codes_are_described_in_a_sentence() {
        for code in Code::ALL {
            let text = code.description();
            assert!(text.starts_with(char::is_uppercase) && text.ends_with('.'), "{}: {text}", code.as_str());
        }
    }

    #[test]
    fn a_typing_mistake_is_recognised() {
        assert_eq!(closest("seler", ["buyer", "seller"]), Some("seller"));
        assert_eq!(closest("Seller", ["buyer", "seller"]), Some("seller"));
        assert_eq!(closest("Aks", ["Tell", "Ask"]), Some("Ask"));
        assert_eq!(closest("bank", ["buyer", "seller"]), None);
        assert_eq!(closest("p", ["q", "r"]), None);
        assert_eq!(closest("p", ["q", "P"]), Some("P"));
    }

    #[test]
    fn long_names_are_shortened_in_messages() {
        assert_eq!(quote("short"), "`short`");
        assert!(quote(&"x".repeat(1_000_000)).chars().count() < 60);
    }
}

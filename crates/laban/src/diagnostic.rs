//! What the library has to say about a text: diagnostics as plain data.
//!
//! A diagnostic has a stable [`Code`], one sentence that stands alone, the places in the source that it is about and
//! hints that say what would help. How it looks on a screen, in a log or in JSON is the business of the shells; nothing
//! here knows of colours, files or lines.

use crate::text::Span;

/// How much a diagnostic matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The text cannot be used as it is.
    Error,
    /// The text can be used, but something in it is probably not meant.
    Warning,
    /// It adds to what was said before.
    Note,
}

impl Severity {
    /// The word that users see.
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
        /// What a diagnostic is about. The text of a code is stable: scripts may rely on it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $(#[doc = $doc] $name,)* }

        impl Code {
            /// Every code, in the order in which the documentation lists them.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The stable text of the code.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => $text,)* }
            }

            /// What diagnostics of this code say, as a sentence.
            pub fn description(self) -> &'static str {
                match self { $(Code::$name => $doc.trim_ascii(),)* }
            }

            /// How much diagnostics of this code matter.
            pub fn severity(self) -> Severity {
                match self { $(Code::$name => Severity::$severity,)* }
            }
        }
    };
}

codes! {
    /// The bytes are not text in UTF-8.
    NotText = "not-text", Error;
    /// The text is longer than positions can count (4 GiB).
    TooLong = "too-long", Error;
    /// There is nothing in the text but white space and comments.
    Empty = "empty", Error;
    /// A character that belongs to neither language.
    UnknownCharacter = "unknown-character", Error;
    /// A block comment that is never closed.
    UnclosedComment = "unclosed-comment", Error;
    /// A bracket or brace that is never closed.
    Unclosed = "unclosed", Error;
    /// Something else was expected here.
    Syntax = "syntax", Error;
    /// An expression is missing or is not balanced.
    Expression = "expression", Error;
    /// A word of the language is used as a name.
    ReservedWord = "reserved-word", Error;
    /// Text after an action that ends a behaviour.
    AfterEnd = "after-end", Error;

    /// Two processes have the same name.
    DuplicateProcess = "duplicate-process", Error;
    /// Two procedures of one process, or of one choreography, have the same name.
    DuplicateProcedure = "duplicate-procedure", Error;
    /// A process or choreography has several `main`.
    DuplicateMain = "duplicate-main", Error;
    /// A process or choreography has no `main`.
    MissingMain = "missing-main", Error;
    /// An offer names a label twice.
    DuplicateLabel = "duplicate-label", Error;
    /// An offer has no branches.
    EmptyOffer = "empty-offer", Error;
    /// A process communicates with itself.
    SelfCommunication = "self-communication", Error;
    /// A process communicates with a process that is not there.
    UnknownProcess = "unknown-process", Error;
    /// A call of a procedure that is not defined.
    UnknownProcedure = "unknown-procedure", Error;
    /// A procedure unfolds to itself without an action.
    UnguardedLoop = "unguarded-loop", Error;
    /// A procedure of a choreography is nothing but a call.
    UnguardedProcedure = "unguarded-procedure", Error;
    /// A process takes part in a group of communications twice.
    GroupConflict = "group-conflict", Error;
    /// Two parallel parts of a choreography share a process.
    SharedProcess = "shared-process", Error;
    /// A process is not told how another has decided, and would have to know.
    Unprojectable = "unprojectable", Error;
    /// A group of interactions is to be projected.
    GroupProjection = "group-projection", Error;

    /// The network comes to a state where some are not done and nothing can happen.
    Deadlock = "deadlock", Error;
    /// The network can go round for ever while some process never acts.
    Livelock = "livelock", Error;
    /// A choreography does not describe a network.
    Mismatch = "mismatch", Error;
    /// Where a process of the network is when a choreography goes wrong.
    MismatchPlace = "mismatch-place", Note;
    /// One of two systems can do something that the other cannot.
    Difference = "difference", Error;
    /// Where the processes of the first of two systems are when they differ.
    DifferencePlace = "difference-place", Note;

    /// A procedure that nothing calls.
    UnusedProcedure = "unused-procedure", Warning;
    /// A branch of an offer whose label the other side never selects.
    NeverSelected = "never-selected", Warning;
    /// A receive, or an offer, from a process that never sends here.
    NeverSent = "never-sent", Warning;
    /// A send, or a selection, to a process that never receives from here.
    NeverReceived = "never-received", Warning;
}

/// A place in the source with a few words about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    /// Where.
    pub span: Span,
    /// What is to be said about it; may be empty.
    pub label: String,
}

/// One thing to say about a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// What it is about.
    pub code: Code,
    /// One sentence that stands alone.
    pub message: String,
    /// Where it is.
    pub primary: Annotation,
    /// Other places that explain it.
    pub secondary: Vec<Annotation>,
    /// What else there is to know, one sentence each.
    pub notes: Vec<String>,
    /// What would help, one sentence each.
    pub hints: Vec<String>,
}

impl Diagnostic {
    /// A diagnostic without a label, other places, notes or hints.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        let primary = Annotation { span, label: String::new() };
        let (secondary, notes, hints) = (Vec::new(), Vec::new(), Vec::new());
        Diagnostic { code, message: message.into(), primary, secondary, notes, hints }
    }

    /// Says something at the primary place.
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
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// How much it matters.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Is it an error?
    pub fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }
}

/// Whether any of the diagnostics is an error.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}

/// A name as messages show it: in backticks, shortened in the middle when it is very long.
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
    // A name of one letter is as close to any other as can be: only a change of case counts there.
    best.map(|(_, candidate)| candidate)
        .filter(|candidate| name.chars().count() > 1 || candidate.eq_ignore_ascii_case(name))
}

/// The number of letters to insert, delete, replace or swap with the next to get from one word to the other; a change
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

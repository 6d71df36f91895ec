//! A network or a choreography in one or several documents, and what is known about it.
//!
//! A system is what one text says: a file, a block of Markdown, or the files of a network that is spread over several,
//! joined as the command joins them. Everything about it is worked out when it is first asked for, once, by whichever
//! thread comes first; only the search is left to whoever has the time ([`System::outcome`] and [`System::settle`]). A
//! system never changes: after an edit there is another one.

use crate::check::{self, Outcome};
use crate::names::Names;
use crate::text::Text;
use gen_lsp_types::{Location, Uri};
use laban::diagnostic::Diagnostic;
use laban::extraction::Meetings;
use laban::text::{Columns, Span};
use laban::{Analysis, Limits};
use laban_formats::read;
use laban_report::Language;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// How much work was done.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    /// Texts that were parsed and lowered.
    pub(crate) parses: AtomicU64,
    /// Searches that were begun.
    pub(crate) searches: AtomicU64,
    /// Searches that were cancelled.
    pub(crate) cancelled: AtomicU64,
}

/// What a document has in a system.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    /// What the document is known by.
    pub(crate) key: String,
    /// What the client calls it.
    pub(crate) uri: String,
    /// Its text.
    pub(crate) text: Arc<Text>,
    /// What of the text is in the system.
    pub(crate) inside: Span,
    /// Where that is in the text of the system.
    pub(crate) start: u32,
    /// Whether marks of quotations in the text of the document are blanks in that of the system.
    pub(crate) is_quoted: bool,
}

/// A network or a choreography.
#[derive(Debug)]
pub(crate) struct System {
    pub(crate) parts: Vec<Part>,
    pub(crate) language: Language,
    /// The parts for themselves, if there are several.
    alone: Vec<Arc<System>>,
    /// The text, if it is not that of a whole document.
    text: Option<String>,
    counters: Arc<Counters>,
    analysis: OnceLock<Analysis>,
    names: OnceLock<Names>,
    meetings: OnceLock<Meetings>,
    outcome: OnceLock<Outcome>,
}

/// Between the parts of a network, on a line of its own, after whatever comment the text before ends with.
const BETWEEN: &str = "\n|\n";

/// How many joint states are walked through to see which actions meet.
const MOST_MEETINGS: usize = 20_000;

impl System {
    /// What one text says: all of a document if no other text is given.
    pub(crate) fn new(part: Part, language: Language, text: Option<String>, counters: &Arc<Counters>) -> Self {
        System::put_together(vec![part], language, Vec::new(), text, counters)
    }

    /// Networks that are parts of one.
    pub(crate) fn joined(alone: Vec<Arc<System>>, counters: &Arc<Counters>) -> Self {
        let (mut text, mut parts) = (String::new(), Vec::new());
        for system in &alone {
            for part in &system.parts {
                if !parts.is_empty() {
                    text.push_str(BETWEEN);
                }
                parts.push(Part { start: text.len() as u32, ..part.clone() });
                text.push_str(part.inside.text(part.text.content()));
            }
        }
        let language = Language::Own(Some(laban::syntax::Kind::Network));
        System::put_together(parts, language, alone, Some(text), counters)
    }

    fn put_together(
        parts: Vec<Part>,
        language: Language,
        alone: Vec<Arc<System>>,
        text: Option<String>,
        counters: &Arc<Counters>,
    ) -> Self {
        System {
            parts,
            language,
            alone,
            text,
            counters: counters.clone(),
            analysis: OnceLock::new(),
            names: OnceLock::new(),
            meetings: OnceLock::new(),
            outcome: OnceLock::new(),
        }
    }

    /// Whether it is in one of Laban's own languages.
    pub(crate) fn is_own(&self) -> bool {
        matches!(self.language, Language::Own(_))
    }

    /// Its text.
    pub(crate) fn text(&self) -> &str {
        match (&self.text, self.parts.first()) {
            (Some(text), _) => text,
            (None, Some(part)) => part.text.content(),
            (None, None) => "",
        }
    }

    /// What it says.
    pub(crate) fn analysis(&self) -> &Analysis {
        self.analysis.get_or_init(|| {
            self.counters.parses.fetch_add(1, Ordering::Relaxed);
            match self.language {
                Language::Own(Some(kind)) => Analysis::of_kind(kind, self.text()),
                Language::Own(None) | Language::Markdown => Analysis::new(self.text()),
                Language::Other(format) => {
                    let name = self.parts.first().map_or("", |part| crate::uri::name(&part.key));
                    let source = laban_formats::Source { name, text: self.text(), offset: 0 };
                    read(format, &[source]).into_analysis(format, self.text())
                }
            }
        })
    }

    /// The names in it, if it is in one of Laban's own languages.
    pub(crate) fn names(&self) -> &Names {
        self.names.get_or_init(|| match self.is_own() {
            true => Names::of(self.analysis().tree()),
            false => Names::default(),
        })
    }

    /// The mistakes of writing in parts that are not a network together before these are mended.
    pub(crate) fn broken(&self) -> Vec<Diagnostic> {
        let of_part = |(system, part): (&Arc<System>, &Part)| {
            let start = part.start;
            let errors = system.analysis().syntax_errors().iter();
            errors.map(move |error| check::moved(error.clone(), start)).collect::<Vec<Diagnostic>>()
        };
        self.alone.iter().zip(&self.parts).flat_map(of_part).collect()
    }

    /// What a search has found, if it is done.
    pub(crate) fn outcome(&self) -> Option<&Outcome> {
        self.outcome.get()
    }

    /// Searches, unless that was done. Returns whether there is an outcome now: there is none if the work was
    /// interrupted.
    pub(crate) fn settle(&self, limits: Limits<'_>) -> bool {
        if self.outcome.get().is_some() {
            return true;
        }
        if check::needs_search(self) {
            self.counters.searches.fetch_add(1, Ordering::Relaxed);
        }
        match check::check(self, limits) {
            Some(outcome) => {
                let _ = self.outcome.set(outcome);
                true
            }
            None => {
                self.counters.cancelled.fetch_add(1, Ordering::Relaxed);
                false
            }
        }
    }

    /// Which actions meet, as far as a search has shown it.
    pub(crate) fn meetings(&self) -> Option<&Meetings> {
        let extraction = self.outcome()?.extraction.as_ref()?;
        let network = self.analysis().network()?;
        let limits = Limits::states(MOST_MEETINGS);
        Some(self.meetings.get_or_init(|| extraction.meetings(network, &limits)))
    }

    /// The part in which a place is, and the place in its document. What is between two parts is at the end of the
    /// first.
    pub(crate) fn locate(&self, span: Span) -> Option<(&Part, Span)> {
        let after = self.parts.partition_point(|part| part.start <= span.start);
        let part = self.parts.get(after.saturating_sub(1))?;
        let place = |offset: u32| (part.inside.start + offset.saturating_sub(part.start)).min(part.inside.end);
        Some((part, Span::new(place(span.start), place(span.end))))
    }

    /// A place in the words of the protocol.
    pub(crate) fn location(&self, span: Span, columns: Columns) -> Option<Location> {
        let (part, span) = self.locate(span)?;
        Some(Location { uri: Uri(part.uri.clone()), range: part.text.range(span, columns) })
    }

    /// The offset in the text of the system of an offset in a document, if it is in this system.
    pub(crate) fn offset(&self, key: &str, offset: usize) -> Option<u32> {
        let offset = offset as u32;
        let contains = |part: &&Part| part.key == key && (part.inside.start..=part.inside.end).contains(&offset);
        self.parts.iter().find(contains).map(|part| part.start + (offset - part.inside.start))
    }

    /// What a document has in it.
    pub(crate) fn parts_in<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a Part> {
        self.parts.iter().filter(move |part| part.key == key)
    }

    /// The stretch of the text of the system that a document has.
    pub(crate) fn span_of(part: &Part) -> Span {
        Span::new(part.start, part.start + (part.inside.end - part.inside.start))
    }
}

//! What there is to say about a text that was read: errors, remarks, and names that had to be changed.

use laban::diagnostic::{Code, Diagnostic};
use laban::text::Span;

/// More diagnostics than this help nobody.
const MOST_DIAGNOSTICS: usize = 100;

/// Something to know about a text that is not a mistake: what was read but is not checked, or was assumed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Where.
    pub span: Span,
    /// One sentence.
    pub text: String,
}

/// A word of the text that is not a name in Laban's languages, and the name that stands for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    /// The word in the text.
    pub original: String,
    /// The name in the network.
    pub name: String,
}

/// Everything that a reader has to say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// What else there is to know.
    pub remarks: Vec<Remark>,
    /// The names that had to be changed, in the order in which they were met.
    pub renamed: Vec<Renamed>,
}

impl Report {
    /// Whether there are errors.
    pub fn has_errors(&self) -> bool {
        laban::diagnostic::has_errors(&self.diagnostics)
    }

    pub(crate) fn add(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MOST_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports a construct of a language that Laban cannot say.
    pub(crate) fn unsupported(&mut self, span: Span, what: &str, hint: &str) {
        let message = format!("{what} cannot be expressed as a network");
        self.add(Diagnostic::new(Code::Syntax, span, message).label("not supported").hint(hint));
    }

    /// Reports a construct of a language that no choreography has.
    pub(crate) fn inexpressible(&mut self, span: Span, what: &str, hint: &str) {
        let message = format!("{what} cannot be expressed as a choreography");
        self.add(Diagnostic::new(Code::Syntax, span, message).label("not supported").hint(hint));
    }

    pub(crate) fn remark(&mut self, span: Span, text: impl Into<String>) {
        if self.remarks.len() < MOST_DIAGNOSTICS {
            self.remarks.push(Remark { span, text: text.into() });
        }
    }
}

impl Report {
    /// Adds what another reader has to say.
    pub(crate) fn append(&mut self, other: Report) {
        other.diagnostics.into_iter().for_each(|diagnostic| self.add(diagnostic));
        self.remarks.extend(other.remarks);
        self.renamed.extend(other.renamed);
    }
}

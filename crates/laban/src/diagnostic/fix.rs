//! Edits that would mend what a diagnostic is about, as data: for editors, and for whoever wants them applied.

use crate::text::Span;

/// An edit that mends something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in a few words: "replace `seler` with `seller`".
    pub title: String,
    /// What is replaced with what; no two of these overlap.
    pub replacements: Vec<Replacement>,
}

/// A stretch of text and what comes in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// What is taken away; may be empty.
    pub span: Span,
    /// What is put there; may be empty.
    pub text: String,
}

impl Fix {
    /// The text after the edit.
    ///
    /// ```
    /// let analysis = laban::analyse("buyer { main { seler!<x>; stop } } | seller { main { buyer?; stop } }");
    /// let fix = &analysis.errors()[0].fixes[0];
    /// assert_eq!(fix.title, "replace `seler` with `seller`");
    /// assert!(laban::analyse(fix.apply(analysis.text())).into_network().is_ok());
    /// ```
    pub fn apply(&self, text: &str) -> String {
        let mut replacements: Vec<&Replacement> = self.replacements.iter().collect();
        replacements.sort_by_key(|replacement| replacement.span);
        let mut fixed = String::with_capacity(text.len());
        let mut at = 0;
        for Replacement { span, text: new } in replacements {
            fixed.push_str(text.get(at..span.start as usize).unwrap_or(""));
            fixed.push_str(new);
            at = (span.end as usize).max(at);
        }
        fixed.push_str(text.get(at..).unwrap_or(""));
        fixed
    }
}

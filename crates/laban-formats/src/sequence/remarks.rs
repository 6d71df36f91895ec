//! What a diagram has that is left out or assumed: one remark for each kind, however often it occurs.

use crate::report::Report;
use laban::text::Span;

/// How often something occurs, and where first. Lines are met from the last to the first.
#[derive(Debug, Default)]
pub(super) struct Tally {
    count: usize,
    first: Span,
}

impl Tally {
    pub(super) fn add(&mut self, span: Span) {
        self.count += 1;
        if self.count == 1 || span.start < self.first.start {
            self.first = span;
        }
    }

    fn remark(&self, report: &mut Report, one: &str, several: impl Fn(usize) -> String) {
        match self.count {
            0 => {}
            1 => report.remark(self.first, one),
            count => report.remark(self.first, several(count)),
        }
    }
}

/// Everything that is counted.
#[derive(Debug, Default)]
pub(super) struct Remarks {
    /// Messages to oneself.
    pub(super) to_oneself: Tally,
    /// Arrows of messages that are lost.
    pub(super) lost: Tally,
    /// Parts that are drawn elsewhere.
    pub(super) references: Tally,
    /// Branches side by side.
    pub(super) parallel: Tally,
    /// Fragments without a message to somebody else.
    pub(super) silent: Tally,
    /// Such fragments after which something is skipped.
    pub(super) silent_breaks: Tally,
    /// Alternatives whose first messages could be selections.
    pub(super) selections: Tally,
}

impl Remarks {
    pub(super) fn say(&self, report: &mut Report) {
        self.to_oneself.remark(report, "this message to oneself is left out", |count| {
            format!("{count} messages to oneself are left out; this is the first")
        });
        self.silent.remark(report, "no message goes to anybody else in this fragment: it is left out", |count| {
            format!("{count} fragments in which no message goes to anybody else are left out; this is the first")
        });
        self.silent_breaks.remark(
            report,
            "no message goes to anybody else in this `break`: it is left out, as if it never happened",
            |count| {
                format!(
                    "{count} `break` have no message to anybody else: they are left out, as if they never happened; this is \
                     the first"
                )
            },
        );
        self.lost.remark(report, "this arrow may mean a lost message; it is read as one that arrives", |count| {
            format!("{count} arrows may mean lost messages; they are read as ones that arrive; this is the first")
        });
        self.references.remark(
            report,
            "what is drawn elsewhere is left out: the choreography is incomplete",
            |count| {
                format!(
                    "{count} parts that are drawn elsewhere are left out: the choreography is incomplete; this is the \
                     first"
                )
            },
        );
        self.parallel.remark(
            report,
            "the branches of this `par` are taken one after the other, as they are written",
            |count| {
                format!(
                    "the branches of {count} `par` are taken one after the other, as they are written; this is the \
                     first"
                )
            },
        );
        self.selections.remark(
            report,
            "the first message of each branch could tell which branch was taken: put its text in brackets, as in \
             `[ok]`, to make it a selection",
            |count| {
                format!(
                    "the first message of each branch could tell which branch was taken, in {count} decisions: put its \
                     text in brackets, as in `[ok]`, to make it a selection; this is the first"
                )
            },
        );
    }
}

//! The fragments of a diagram: which lines open, divide and close them, and which message comes first in each.
//!
//! It is a list, found in one walk; who is around whom does not matter here.

use super::{Diagram, FragmentKind, LineKind};
use crate::report::Report;
use laban::diagnostic::{Code, Diagnostic};

/// A fragment. Lines are numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fragment {
    pub(super) kind: FragmentKind,
    /// The line that opens it.
    pub(super) open: usize,
    /// The lines that begin its other branches.
    pub(super) next: Vec<usize>,
    /// The line that closes it.
    pub(super) close: usize,
    /// The last message to somebody else before it.
    pub(super) before: Option<usize>,
}

/// All fragments of a diagram.
#[derive(Debug, Clone, Default)]
pub(super) struct Fragments {
    pub(super) all: Vec<Fragment>,
    /// For each line, the fragment that it opens, divides or closes.
    of_line: Vec<Option<usize>>,
    /// For each line, the first message to somebody else there or after it.
    message_from: Vec<Option<usize>>,
}

impl Fragments {
    /// Finds them. What is not opened or not closed is an error.
    pub(super) fn new(diagram: &Diagram, report: &mut Report) -> Self {
        let lines = &diagram.lines;
        let mut fragments =
            Fragments { all: Vec::new(), of_line: vec![None; lines.len()], message_from: vec![None; lines.len() + 1] };
        for (index, line) in lines.iter().enumerate().rev() {
            let here = line.kind.ends().map(|_| index);
            fragments.message_from[index] = here.or(fragments.message_from[index + 1]);
        }
        let mut open: Vec<usize> = Vec::new();
        let mut before = None;
        for (index, line) in lines.iter().enumerate() {
            match &line.kind {
                LineKind::Open(kind, _) => {
                    open.push(fragments.all.len());
                    fragments.all.push(Fragment { kind: *kind, open: index, next: Vec::new(), close: index, before });
                }
                LineKind::Next(_) | LineKind::Close if open.is_empty() => {
                    let message = "there is no open fragment here";
                    report.add(Diagnostic::new(Code::Syntax, line.span, message).label("nothing is open"));
                }
                LineKind::Next(_) => {
                    let Some(fragment) = open.last().and_then(|&last| fragments.all.get_mut(last)) else { continue };
                    if matches!(fragment.kind, FragmentKind::Loop | FragmentKind::Break) {
                        let message = format!("a `{}` has one branch only", fragment.kind.as_str());
                        report.add(Diagnostic::new(Code::Syntax, line.span, message).label("a second branch"));
                    }
                    fragment.next.push(index);
                    if fragment.kind != FragmentKind::Par {
                        before = fragment.before;
                    }
                }
                LineKind::Close => {
                    if let Some(fragment) = open.last().and_then(|&last| fragments.all.get_mut(last)) {
                        fragment.close = index;
                    }
                }
                _ if line.kind.ends().is_some() => before = Some(index),
                _ => {}
            }
            if let LineKind::Open(..) | LineKind::Next(_) | LineKind::Close = line.kind {
                fragments.of_line[index] = open.last().copied();
            }
            if line.kind == LineKind::Close {
                open.pop();
            }
        }
        for fragment in open.iter().filter_map(|&fragment| fragments.all.get(fragment)) {
            let message = format!("this `{}` is never closed", fragment.kind.as_str());
            report.add(Diagnostic::new(Code::Unclosed, lines[fragment.open].span, message).label("`end` is missing"));
        }
        fragments
    }

    /// The fragment that a line opens, divides or closes.
    pub(super) fn of_line(&self, line: usize) -> Option<(usize, &Fragment)> {
        let number = self.of_line.get(line).copied().flatten()?;
        Some((number, self.all.get(number)?))
    }

    /// The first message to somebody else in each branch of a fragment.
    pub(super) fn first_messages<'a>(&'a self, fragment: &'a Fragment) -> impl Iterator<Item = Option<usize>> + 'a {
        let starts = std::iter::once(fragment.open).chain(fragment.next.iter().copied());
        let ends = fragment.next.iter().copied().chain([fragment.close]);
        starts.zip(ends).map(|(start, end)| {
            let first = self.message_from.get(start).copied().flatten();
            first.filter(|&first| first < end)
        })
    }

    /// Whether nobody sends anything to somebody else in it.
    pub(super) fn is_silent(&self, fragment: &Fragment) -> bool {
        self.message_from.get(fragment.open).copied().flatten().is_none_or(|first| first > fragment.close)
    }
}

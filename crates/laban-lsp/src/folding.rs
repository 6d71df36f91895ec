//! What can be folded: processes, procedures, branches and comments of more than one line.

use crate::document::Document;
use crate::system::System;
use crate::workspace::Workspace;
use gen_lsp_types::{FoldingRange, FoldingRangeKind};
use laban::SyntaxTree;
use laban::syntax::{Language, Span, Term, Tree};
use std::collections::BTreeSet;

pub(crate) fn ranges(workspace: &Workspace, document: &Document) -> Vec<FoldingRange> {
    let mut lines: BTreeSet<(u32, u32, bool)> = BTreeSet::new();
    for system in document.systems(&workspace.counters).iter().filter(|system| system.is_own()) {
        match system.analysis().tree() {
            SyntaxTree::Network(tree) => add(system, tree, &mut lines),
            SyntaxTree::Choreography(tree) => add(system, tree, &mut lines),
        }
    }
    let mut ranges: Vec<FoldingRange> = Vec::new();
    for (start_line, end_line, is_comment) in lines {
        // Of several that start on one line, the longest is folded.
        ranges.pop_if(|last| last.start_line == start_line);
        let kind = is_comment.then_some(FoldingRangeKind::Comment);
        ranges.push(FoldingRange { start_line, end_line, kind, ..FoldingRange::default() });
    }
    ranges
}

fn add<L: Language>(system: &System, tree: &Tree<L>, lines: &mut BTreeSet<(u32, u32, bool)>) {
    let line = |offset: u32| {
        let place = system.locate(Span::new(offset, offset));
        place.map_or(0, |(part, span)| part.text.lines().line(span.start as usize))
    };
    let mut fold = |span: Span, is_comment: bool| {
        let (start, end) = (line(span.start), line(span.end.saturating_sub(1)));
        // The line of the closing brace stays.
        let end = if is_comment { end } else { end.saturating_sub(1) };
        if start < end {
            lines.insert((start as u32, end as u32, is_comment));
        }
    };
    for unit in &tree.units {
        fold(unit.span, false);
        unit.procedures.iter().for_each(|procedure| fold(procedure.span, false));
        unit.mains.iter().for_each(|main| fold(main.span, false));
    }
    for (term, span) in tree.terms.iter().zip(&tree.spans) {
        if matches!(term, Term::Fork(..)) {
            fold(*span, false);
        }
    }
    // Comments on lines that follow each other are one.
    let mut open: Option<Span> = None;
    for &comment in &tree.comments {
        open = match open {
            Some(before) if line(comment.start) <= line(before.end) + 1 => Some(before.to(comment)),
            Some(before) => {
                fold(before, true);
                Some(comment)
            }
            None => Some(comment),
        };
    }
    if let Some(last) = open {
        fold(last, true);
    }
}

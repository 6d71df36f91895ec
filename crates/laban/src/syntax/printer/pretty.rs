//! Printing over several lines, as a person would write it.
//!
//! A block is on one line if it fits there and has no comment inside, and otherwise one line is given to each
//! action, to each branch and to what ends the body; nothing in between, so that a small change of a text changes few
//! lines of it. The tasks that are left to do lie on a stack, so depth does not matter.

use super::compact::{
    CHANNELS, MAIN, Rest, write_block, write_body, write_channel, write_channels, write_idle, write_one,
    write_procedure_header, write_unit, write_unit_header,
};
use super::lines::{Lines, Role, indentation};
use super::measure::{Measures, columns};
use super::notation::{Arms, Notation};
use super::sink::{Buffered, Sink};
use crate::syntax::Span;
use crate::syntax::channel::ChannelDeclaration;
use crate::syntax::tree::{ArenaRange, Arm, Language, Term, TermId, Tree, Unit};
use std::fmt::{self, Display, Formatter};

/// Lines are not wider than this, unless a single action or a comment is.
pub(super) const WIDEST_LINE: u32 = 100;

/// A process on one line is not wider than this.
const WIDEST_PROCESS: u32 = 60;

/// A tree over several lines, with the comments of the text that it was parsed from.
///
/// Formatting the result once more changes nothing.
///
/// ```
/// use laban::syntax::{Pretty, parse_network};
///
/// let source = "p{main{q!<x>;// the first\n0}}|q{main{p?;stop}}";
/// let tree = parse_network(source).tree;
/// let expected = "\
/// p {
///   main {
///     q!<x>; // the first
///     stop
///   }
/// }
/// | q { main { p?; stop } }
/// ";
/// assert_eq!(Pretty { tree: &tree, source }.to_string(), expected);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Pretty<'a, L: Language> {
    /// What to print.
    pub tree: &'a Tree<L>,
    /// The text that it was parsed from, which holds its comments; empty for a tree that was made by a program.
    pub source: &'a str,
}

impl<L: Notation> Display for Pretty<'_, L> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Pretty { tree, source } = *self;
        // Without the source there is no text that the comments could be taken from.
        let comments = if source.is_empty() { &[] } else { tree.comments.as_slice() };
        let mut out = Buffered::new(out);
        let mut printer = Printer {
            tree,
            measures: Measures::new(tree),
            lines: Lines::new(&mut out, source, comments),
            tasks: Vec::new(),
            rest: Rest::default(),
        };
        for (index, unit) in tree.units.iter().enumerate() {
            printer.unit(index, unit)?;
        }
        printer.lines.finish()?;
        out.finish()
    }
}

struct Printer<'a, 'b, 'f, L: Language> {
    tree: &'a Tree<L>,
    measures: Measures,
    lines: Lines<'a, 'b, 'f>,
    tasks: Vec<Task>,
    rest: Rest,
}

/// What is left to do of a body.
#[derive(Debug)]
enum Task {
    Body(TermId, usize),
    Else(TermId, usize),
    /// The branches of an offer, those from the given one on.
    Branches {
        arms: ArenaRange,
        first: bool,
        depth: usize,
    },
}

impl<L: Notation> Printer<'_, '_, '_, L> {
    fn unit(&mut self, index: usize, unit: &Unit) -> fmt::Result {
        let tree = self.tree;
        if unit.name.is_none() {
            if index > 0 {
                self.lines.start(0, Role::Item)?;
                self.lines.text().push_str(L::BETWEEN_UNITS);
                self.lines.take(1);
            }
            return self.items(unit, 0);
        }
        self.lines.start(0, Role::Item)?;
        if index > 0 {
            self.lines.text().push_str(L::BETWEEN_UNITS);
            self.lines.text().push(' ');
        }
        let mut separator = usize::from(index > 0);
        for declaration in tree.channels_before(index) {
            self.channels(declaration, std::mem::take(&mut separator))?;
            self.lines.start(0, Role::Item)?;
        }
        let header = separator + usize::from(unit.service.is_some()) + 2;
        let fits = self.measures.unit(tree, unit) <= WIDEST_PROCESS;
        if fits && !self.lines.comment_inside(header, unit.span.end) {
            write_unit(tree, unit, self.lines.text(), &mut self.rest)?;
            self.lines.take_until(unit.span.end);
            return Ok(());
        }
        write_unit_header(tree, unit, self.lines.text())?;
        self.lines.take(header);
        self.lines.opens();
        self.items(unit, 1)?;
        self.close(0)
    }

    /// `channels …;` on a line that has been started, with so many tokens before it: on one line, or one for each item.
    fn channels(&mut self, declaration: &ChannelDeclaration, before: usize) -> fmt::Result {
        let tree = self.tree;
        let end = declaration.span.end;
        let fits = fits(0, columns(|out| write_channels(tree, declaration, out)) + 2 * before as u32);
        if fits && !self.lines.comment_inside(before + 1, end) {
            write_channels(tree, declaration, self.lines.text())?;
            self.lines.take_until(end);
            return Ok(());
        }
        self.lines.text().push_str(CHANNELS);
        self.lines.take(before + 1);
        self.lines.opens();
        for (number, item) in declaration.items.iter().enumerate() {
            self.lines.start(1, Role::Item)?;
            write_channel(tree, item, self.lines.text())?;
            let next = declaration.items.get(number + 1);
            self.lines.text().push(if next.is_some() { ',' } else { ';' });
            self.lines.take_until(next.map_or(end, |next| next.span.start));
        }
        Ok(())
    }

    fn items(&mut self, unit: &Unit, depth: usize) -> fmt::Result {
        let tree = self.tree;
        for procedure in &unit.procedures {
            self.lines.start(depth, Role::Item)?;
            write_procedure_header(tree, procedure, self.lines.text())?;
            self.block(3, self.measures.procedure(tree, procedure), procedure.body, procedure.span, depth)?;
        }
        for main in &unit.mains {
            self.lines.start(depth, Role::Item)?;
            self.lines.text().push_str(MAIN);
            self.block(2, self.measures.main(main.body), main.body, main.span, depth)?;
        }
        Ok(())
    }

    /// The rest of a block, of which the header has been written.
    fn block(&mut self, header: usize, width: u32, body: TermId, span: Span, depth: usize) -> fmt::Result {
        if fits(depth, width) && !self.lines.comment_inside(header, span.end) {
            write_block(self.tree, body, self.lines.text(), &mut self.rest)?;
            self.lines.take_until(span.end);
            return Ok(());
        }
        self.lines.take(header);
        self.lines.opens();
        self.body(body, depth + 1)?;
        self.close(depth)
    }

    fn close(&mut self, depth: usize) -> fmt::Result {
        self.lines.start(depth, Role::Close)?;
        self.lines.text().push('}');
        self.lines.take(1);
        Ok(())
    }

    /// A body, one action a line.
    fn body(&mut self, body: TermId, depth: usize) -> fmt::Result {
        self.tasks.push(Task::Body(body, depth));
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Body(id, depth) => self.chain(id, depth)?,
                Task::Else(id, depth) => self.otherwise(id, depth)?,
                Task::Branches { arms, first, depth } => self.branches(arms, first, depth)?,
            }
        }
        Ok(())
    }

    /// Actions, up to and with what ends them.
    fn chain(&mut self, mut id: TermId, depth: usize) -> fmt::Result {
        let tree = self.tree;
        loop {
            self.lines.start(depth, Role::Item)?;
            if let Some(next) = self.action(id, tree.term(id))? {
                self.lines.text().push(';');
                self.lines.take_until(tree.start(next));
                id = next;
                continue;
            }
            return self.last(id, depth);
        }
    }

    /// What ends a body, on a line that has been started.
    fn last(&mut self, id: TermId, depth: usize) -> fmt::Result {
        let tree = self.tree;
        match tree.term(id) {
            Term::Fork(fork, arms) if L::arms(&fork) == Arms::Outcomes => {
                write_idle(tree, id, self.lines.text())?;
                self.choice(&fork, arms, depth)
            }
            Term::Fork(fork, arms) => self.braced(id, &fork, arms, depth),
            Term::Act(..) | Term::Stop | Term::Call(_) | Term::Missing => {
                write_body(tree, id, self.lines.text(), &mut self.rest)?;
                self.lines.take_until(tree.span(id).end);
                Ok(())
            }
        }
    }

    /// Writes what is followed by a semicolon and another term, and gives that; or writes nothing.
    fn action(&mut self, id: TermId, term: Term<L>) -> Result<Option<TermId>, fmt::Error> {
        let tree = self.tree;
        Ok(match term {
            Term::Act(action, next) => {
                write_idle(tree, id, self.lines.text())?;
                L::write_action(tree, &action, self.lines.text())?;
                Some(next)
            }
            Term::Fork(fork, arms) if L::arms(&fork) == Arms::One => {
                write_idle(tree, id, self.lines.text())?;
                write_one(tree, &fork, arms, self.lines.text())?;
                arms.of(&tree.arms).first().map(|arm| arm.body)
            }
            _ => None,
        })
    }

    /// `if … then`, with its arms left to do.
    fn choice(&mut self, fork: &L::Fork, arms: ArenaRange, depth: usize) -> fmt::Result {
        L::write_fork(self.tree, fork, self.lines.text())?;
        self.lines.opens();
        let mut arms = arms.of(&self.tree.arms).iter();
        let then = arms.next();
        self.tasks.extend(arms.next().map(|arm| Task::Else(arm.body, depth)));
        if let Some(then) = then {
            self.lines.take_until(self.tree.start(then.body));
            self.tasks.push(Task::Body(then.body, depth + 1));
        }
        Ok(())
    }

    fn otherwise(&mut self, id: TermId, depth: usize) -> fmt::Result {
        self.lines.start(depth, Role::Between)?;
        self.lines.text().push_str("else");
        if let Term::Fork(fork, arms) = self.tree.term(id)
            && L::arms(&fork) == Arms::Outcomes
        {
            self.lines.text().push(' ');
            return self.choice(&fork, arms, depth);
        }
        self.lines.take(1);
        self.lines.opens();
        self.tasks.push(Task::Body(id, depth + 1));
        Ok(())
    }

    /// An offer, a `choose` or an `any`.
    fn braced(&mut self, id: TermId, fork: &L::Fork, arms: ArenaRange, depth: usize) -> fmt::Result {
        let end = self.tree.span(id).end;
        let header = usize::from(self.tree.idle(id).is_some())
            + match L::arms(fork) {
                Arms::Items(words) => words + 1,
                _ => 3,
            };
        if fits(depth, self.measures.of(id).width) && !self.lines.comment_inside(header, end) {
            write_body(self.tree, id, self.lines.text(), &mut self.rest)?;
            self.lines.take_until(end);
            return Ok(());
        }
        write_idle(self.tree, id, self.lines.text())?;
        L::write_fork(self.tree, fork, self.lines.text())?;
        self.lines.take(header);
        self.lines.opens();
        self.tasks.push(Task::Branches { arms, first: true, depth });
        Ok(())
    }

    /// The first of these branches; the others are left to do.
    fn branches(&mut self, arms: ArenaRange, first: bool, depth: usize) -> fmt::Result {
        let tree = self.tree;
        let Some(&Arm { label, body }) = arms.of(&tree.arms).first() else { return self.close(depth) };
        if !first {
            self.lines.text().push(',');
            self.lines.take(1);
        }
        self.tasks.push(Task::Branches { arms: ArenaRange { start: arms.start + 1, ..arms }, first: false, depth });
        let depth = depth + 1;
        let Some(label) = label else { return self.item(body, depth) };
        self.lines.start(depth, Role::Item)?;
        self.lines.text().write_name(tree, label)?;
        self.lines.text().push(':');
        let measure = self.measures.of(body);
        let width = columns(|out| out.write_name(tree, label)) + 2 + measure.width;
        if fits(depth, width) && !self.lines.comment_inside(2, measure.end) {
            self.lines.text().push(' ');
            write_body(tree, body, self.lines.text(), &mut self.rest)?;
            self.lines.take_until(measure.end);
        } else {
            self.lines.take(2);
            self.lines.opens();
            self.tasks.push(Task::Body(body, depth + 1));
        }
        Ok(())
    }

    /// An item of a `choose` or `any`: what follows its first action is indented below it.
    fn item(&mut self, body: TermId, depth: usize) -> fmt::Result {
        let tree = self.tree;
        self.lines.start(depth, Role::Item)?;
        let measure = self.measures.of(body);
        if fits(depth, measure.width) && !self.lines.comment_inside(1, measure.end) {
            write_body(tree, body, self.lines.text(), &mut self.rest)?;
            self.lines.take_until(measure.end);
            return Ok(());
        }
        match self.action(body, tree.term(body))? {
            Some(next) => {
                self.lines.text().push(';');
                self.lines.take_until(tree.start(next));
                self.lines.opens();
                self.tasks.push(Task::Body(next, depth + 1));
            }
            None => self.last(body, depth)?,
        }
        Ok(())
    }
}

/// Whether something fits on a line of its own, with a comma behind it.
fn fits(depth: usize, width: u32) -> bool {
    indentation(depth) as u32 + width < WIDEST_LINE
}

//! Writes a graph of actions down as the units of a syntax tree.
//!
//! What is the same for networks and choreographies is here: bodies that go on until the next call, arms of forks that
//! are written one after the other, and names for procedures. What a node does in its own language is asked of the
//! graph.

use super::{Outline, Shape, procedures};
use crate::syntax::{Idle, Language, Main, Name, Procedure, Span, Symbol, Term, TermId, Tree, Unit};
use rustc_hash::{FxHashMap, FxHashSet};

/// A graph whose nodes can be written in a language.
pub(crate) trait Writable<L: Language>: Outline {
    /// What a node does, as a term. What follows it is added to `next` in the order of the text: one node for an
    /// action, one for each arm of a fork. The first of them will be written at `after`; the arms of a fork may say so
    /// of all.
    fn term(&self, node: u32, tree: &mut Tree<L>, after: TermId, next: &mut Vec<u32>) -> Term<L>;
}

/// How procedures are called, and where the text comes from.
#[derive(Debug, Default)]
pub(crate) struct Naming<'a> {
    /// For each node, where it is in a text; empty if that does not matter.
    pub(crate) places: &'a [Span],
    /// Names that nodes should get, unless another procedure of the unit has got it before.
    pub(crate) suggested: FxHashMap<u32, Symbol>,
    /// The names of processes: a procedure of that name would be confusing.
    pub(crate) processes: FxHashSet<Symbol>,
    /// Whether the numbers start anew with each unit.
    pub(crate) numbered_by_unit: bool,
}

/// A unit to write: where it starts, its nodes, and whatever is around its procedures and its main.
pub(crate) struct Start {
    pub(crate) node: u32,
    /// Which nodes are its own.
    pub(crate) nodes: std::ops::Range<usize>,
    pub(crate) name: Option<Name>,
    pub(crate) service: Option<Span>,
}

/// Writes the units of a graph into a tree that has its names and nothing else.
pub(crate) fn write<L: Language, G: Writable<L>>(
    graph: &G,
    tree: Tree<L>,
    units: &[Start],
    naming: Naming<'_>,
) -> Tree<L> {
    let is_procedure = procedures(graph);
    let mut writer = Writer {
        graph,
        name_of: vec![None; is_procedure.len()],
        is_procedure,
        tree,
        naming,
        met: Vec::new(),
        taken: FxHashSet::default(),
        is_alone: false,
        next_number: 1,
        has_idle: graph.has_idle(),
        next: Vec::new(),
        open: Vec::new(),
    };
    for (index, unit) in units.iter().enumerate() {
        writer.unit(unit, index == 0);
    }
    writer.tree
}

struct Writer<'a, L: Language, G> {
    graph: &'a G,
    tree: Tree<L>,
    naming: Naming<'a>,
    is_procedure: Vec<bool>,
    /// The name of each node that has been met and is a procedure.
    name_of: Vec<Option<Symbol>>,
    /// The procedures of the current unit, in the order in which they are met.
    met: Vec<u32>,
    /// Their names.
    taken: FxHashSet<Symbol>,
    /// There is only one procedure: it needs no number.
    is_alone: bool,
    next_number: u32,
    has_idle: bool,
    next: Vec<u32>,
    /// Arms whose body is still to be written: which, from which node on, and whether it may be a call.
    open: Vec<(usize, u32, bool)>,
}

impl<L: Language, G: Writable<L>> Writer<'_, L, G> {
    fn unit(&mut self, start: &Start, is_first: bool) {
        self.met.clear();
        self.taken.clear();
        if is_first || self.naming.numbered_by_unit {
            let own = self.is_procedure.get(start.nodes.clone()).unwrap_or(&[]);
            self.is_alone = own.iter().filter(|&&is_procedure| is_procedure).count() == 1;
            self.next_number = 1;
        }
        let body = self.body(start.node, true);
        let mains = vec![Main { body, span: Span::default() }];
        let mut procedures = Vec::new();
        let mut next = 0;
        while let Some(&node) = self.met.get(next) {
            let body = self.body(node, false);
            if let Some(symbol) = self.name_of[node as usize] {
                procedures.push(Procedure { name: name(symbol), body, span: Span::default() });
            }
            next += 1;
        }
        let Start { name, service, .. } = *start;
        self.tree.units.push(Unit { name, service, procedures, mains, span: Span::default() });
    }

    /// Writes down what follows from a node, up to the next calls.
    fn body(&mut self, start: u32, may_call_at_once: bool) -> TermId {
        let first = TermId(self.tree.terms.len() as u32);
        let mut at = start;
        let mut may_call = may_call_at_once;
        loop {
            let after = TermId(self.tree.terms.len() as u32 + 1);
            self.next.clear();
            let term = match may_call && self.is_procedure[at as usize] {
                true => Term::Call(self.call(at)),
                false => self.graph.term(at, &mut self.tree, after, &mut self.next),
            };
            may_call = true;
            if let Term::Fork(_, arms) = term {
                may_call = self.graph.shape(at) != Shape::Race;
                let others = self.next.iter().enumerate().skip(1).rev();
                self.open.extend(others.map(|(arm, &node)| (arms.start as usize + arm, node, may_call)));
            }
            if self.has_idle && !matches!(term, Term::Call(_)) && self.graph.is_idle(at) {
                let term = TermId(self.tree.terms.len() as u32);
                self.tree.idle.push(Idle { term, span: Span::default() });
            }
            self.tree.push(term, self.naming.places.get(at as usize).copied().unwrap_or_default());
            match self.next.first() {
                Some(&next) => at = next,
                None => {
                    let Some((arm, node, may_call_here)) = self.open.pop() else { return first };
                    self.tree.arms[arm].body = after;
                    may_call = may_call_here;
                    at = node;
                }
            }
        }
    }

    fn call(&mut self, node: u32) -> Name {
        if let Some(symbol) = self.name_of[node as usize] {
            return name(symbol);
        }
        let suggested = self.naming.suggested.get(&node).copied().filter(|symbol| !self.taken.contains(symbol));
        let symbol = suggested.unwrap_or_else(|| self.fresh());
        self.taken.insert(symbol);
        self.name_of[node as usize] = Some(symbol);
        self.met.push(node);
        name(symbol)
    }

    fn fresh(&mut self) -> Symbol {
        loop {
            let text = match self.is_alone && self.next_number == 1 {
                true => "X".to_string(),
                false => format!("X{}", self.next_number),
            };
            self.next_number += 1;
            let symbol = self.tree.names.intern(&text);
            if !self.taken.contains(&symbol) && !self.naming.processes.contains(&symbol) {
                return symbol;
            }
        }
    }
}

/// A name that is nowhere in a text.
pub(crate) fn name(symbol: Symbol) -> Name {
    Name { symbol, span: Span::default() }
}

//! The unroller: other ways to write the same process.
//!
//! A call may be *unfolded*, that is, replaced by what it calls. And the point where a loop closes may be *shifted*:
//! where `X` is `a; b; X`, it becomes `b; a; X` and whoever called `X` does `a; X` now. Whatever is done, the process
//! does the same as before.

use super::edit::{Change, Edit, Editor, terms_of};
use crate::random::SeededRng;
use crate::syntax::{NetworkTree, Symbol, Term, TermId};
use rustc_hash::FxHashMap;

/// What the numbers of an unroller's seed are for.
const PURPOSE: u64 = 3;
/// The most edits there are.
const MOST_EDITS: usize = 4;
/// A process may grow to this many times its terms…
const GROWTH: usize = 4;
/// …and by so many more.
const ALLOWANCE: usize = 64;

/// Rewrites one random process so that it does the same as before.
///
/// The process is one of those that have a call, each as likely as the others; without any there are no edits. There
/// are one to four edits. Where the process has a loop that can be shifted, half of them shift any of these and the
/// others unfold any of the calls, with the same probability each. A process does not grow beyond four times its size,
/// and a little. The tree must come from a well-formed text. In the result, places are those of the text that
/// [`Compact`](crate::syntax::Compact) gives.
///
/// ```
/// use laban::generate::unroll;
/// use laban::syntax::{Compact, parse_network};
///
/// let tree = parse_network("p { def X { q!<x>; q?; X } main { X } } | q { main { stop } }").tree;
/// let (unrolled, edits) = unroll(&tree, 7);
/// assert_eq!(edits.len(), 1);
/// assert_eq!(edits[0].to_string(), "p: moved `q!<x>` from `X` to its calls");
/// let text = "p { def X { q?; q!<x>; X } main { q!<x>; X } } | q { main { stop } }";
/// assert_eq!(Compact(&unrolled).to_string(), text);
/// ```
pub fn unroll(tree: &NetworkTree, seed: u64) -> (NetworkTree, Vec<Edit>) {
    let mut rng = SeededRng::for_purpose(seed, PURPOSE);
    let calls = |&unit: &usize| terms_of(tree, unit).into_iter().any(|id| matches!(tree.term(id), Term::Call(_)));
    let candidates: Vec<usize> = (0..tree.units.len()).filter(calls).collect();
    let unit = rng.index(candidates.len()).map_or(0, |index| candidates[index]);
    let mut editor = Editor::new(tree, unit);
    let most = editor.terms().len() * GROWTH + ALLOWANCE;
    for _ in 0..1 + rng.below(MOST_EDITS) {
        let procedures = Procedures::of(&editor);
        let room = most.saturating_sub(procedures.terms);
        let loops = procedures.loops(&editor, room);
        if !loops.is_empty() && rng.below(2) == 0 {
            let number = rng.index(loops.len()).map_or(0, |index| loops[index]);
            editor.shift(&procedures.list[number], number);
            continue;
        }
        let mut calls = Vec::new();
        for (number, procedure) in procedures.list.iter().enumerate() {
            if procedure.terms <= room {
                calls.extend(procedure.calls.iter().map(|&call| (call, number)));
            }
        }
        // In the order of the text, whatever they call.
        calls.sort_by_key(|&(call, _)| procedures.order[&call]);
        let Some(index) = rng.index(calls.len()) else { break };
        let (call, number) = calls[index];
        editor.unfold(&procedures.list[number], call);
    }
    editor.finish()
}

/// A procedure of the process that is being changed.
struct Called {
    name: Symbol,
    body: TermId,
    /// Where it is called.
    calls: Vec<TermId>,
    /// How many terms its body has.
    terms: usize,
    /// The procedures that its body calls.
    callees: Vec<usize>,
}

struct Procedures {
    list: Vec<Called>,
    /// How many terms the process has.
    terms: usize,
    /// For each of its terms, its place in the text.
    order: FxHashMap<TermId, usize>,
}

impl Procedures {
    fn of(editor: &Editor) -> Self {
        let called = |(name, body)| Called { name, body, calls: Vec::new(), terms: 0, callees: Vec::new() };
        let mut list: Vec<Called> = editor.procedures().into_iter().map(called).collect();
        let number_of: FxHashMap<Symbol, usize> = list.iter().map(|called| called.name).zip(0..).collect();
        let starts: FxHashMap<TermId, usize> = list.iter().map(|called| called.body).zip(0..).collect();
        let terms = editor.terms();
        let mut order = FxHashMap::default();
        // Bodies come one after the other, `main` last.
        let mains: Vec<TermId> = editor.main_bodies();
        let mut current = None;
        for (place, &id) in terms.iter().enumerate() {
            order.insert(id, place);
            if mains.contains(&id) {
                current = None;
            } else if let Some(&number) = starts.get(&id) {
                current = Some(number);
            }
            if let Some(number) = current {
                list[number].terms += 1;
            }
            if let Term::Call(name) = editor.tree.term(id)
                && let Some(&callee) = number_of.get(&name.symbol)
            {
                list[callee].calls.push(id);
                if let Some(number) = current {
                    list[number].callees.push(callee);
                }
            }
        }
        Procedures { list, terms: terms.len(), order }
    }

    /// The procedures that come back to themselves and start with an action that can be moved.
    fn loops(&self, editor: &Editor, room: usize) -> Vec<usize> {
        let movable = |number: &usize| {
            let called = &self.list[*number];
            called.calls.len() <= room
                && matches!(editor.tree.term(called.body), Term::Act(..))
                && self.comes_back(*number)
        };
        (0..self.list.len()).filter(movable).collect()
    }

    fn comes_back(&self, start: usize) -> bool {
        let mut seen = vec![false; self.list.len()];
        let mut work = vec![start];
        while let Some(number) = work.pop() {
            for &callee in &self.list[number].callees {
                if callee == start {
                    return true;
                }
                if !std::mem::replace(&mut seen[callee], true) {
                    work.push(callee);
                }
            }
        }
        false
    }
}

impl Editor {
    fn unfold(&mut self, procedure: &Called, call: TermId) {
        let span = self.tree.span(call);
        self.copy_body(procedure.body, call);
        let procedure = self.tree.names.text(procedure.name).to_string();
        self.report(Change::Unfolded { procedure }, span);
    }

    fn shift(&mut self, procedure: &Called, number: usize) {
        let Term::Act(action, next) = self.tree.term(procedure.body) else { return };
        let (text, span) = (self.action_text(procedure.body), self.tree.span(procedure.body));
        let idle = self.is_idle(procedure.body);
        for &call in &procedure.calls {
            self.put_before(call, action, span);
            self.set_idle(call, idle);
        }
        self.start_procedure(number, next);
        let procedure = self.tree.names.text(procedure.name).to_string();
        self.report(Change::Shifted { procedure, action: text }, span);
    }
}

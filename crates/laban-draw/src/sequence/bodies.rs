//! What the bodies of a part have to do with each other: who calls whom, which are loops, who takes part.
//!
//! Body 0 is `main`, body n + 1 is procedure n. A procedure is drawn as a loop in the place where it is entered if
//! there is one such place and all its other calls come from within; so a loop within a loop is a frame within a frame.

use super::waiting::messages;
use crate::focus::Focus;
use laban::syntax::{
    ChoreographyTree, GlobalAction, GlobalFork, GlobalInteraction, Name, Symbol, Term, TermId, Tree, Unit,
};
use std::collections::BTreeMap;

/// Loops that are nested deeper than this are drawn apart.
const MOST_ROUNDS: usize = 8;
/// More bits than this are not spent on who takes part in what.
const MOST_BITS: usize = 1 << 22;

/// The bodies of one part.
pub(super) struct Bodies {
    pub(super) bodies: Vec<Body>,
    /// The processes, in the order in which a reader meets them.
    pub(super) lanes: Vec<Symbol>,
    lane_of: BTreeMap<Symbol, usize>,
    number_of: BTreeMap<Symbol, usize>,
}

pub(super) struct Body {
    pub(super) name: Option<Symbol>,
    pub(super) start: TermId,
    /// Whether it is ever called.
    pub(super) reached: bool,
    /// Whether it is drawn as a loop where it is entered.
    pub(super) nested: bool,
    /// Whether it is called from within its own drawing.
    pub(super) again: bool,
    /// Whether something in it, or in what it calls, is to be drawn.
    pub(super) busy: bool,
    /// Those who take part in it or in what it calls; nothing if it is too much work to find out.
    pub(super) lanes: Option<Vec<usize>>,
    /// What it consists of.
    pub(super) terms: Vec<TermId>,
    calls: Vec<usize>,
}

/// Which interactions and names are of interest.
pub(super) struct Interest<'a> {
    tree: &'a ChoreographyTree,
    /// For each symbol whether it is asked for; empty if all are.
    symbols: Vec<bool>,
    /// Which message is put or taken at a term, where it is known.
    messages: BTreeMap<TermId, TermId>,
}

impl<'a> Interest<'a> {
    pub(super) fn new(tree: &'a ChoreographyTree, focus: &Focus) -> Self {
        let mut symbols = Vec::new();
        if focus.is_narrow() {
            symbols = vec![false; tree.names.len()];
            for symbol in focus.processes.iter().filter_map(|name| tree.names.find(name)) {
                symbols[symbol.index()] = true;
            }
        }
        Interest { tree, symbols, messages: messages(tree) }
    }

    pub(super) fn is_narrow(&self) -> bool {
        !self.symbols.is_empty()
    }

    pub(super) fn includes(&self, interaction: GlobalInteraction) -> bool {
        let (from, to) = ends(interaction);
        self.includes_one(from) || self.includes_one(to)
    }

    /// The interactions of an action that are to be drawn.
    pub(super) fn drawn(&self, action: GlobalAction) -> Vec<GlobalInteraction> {
        match action {
            GlobalAction::Interaction(one) => vec![one].into_iter().filter(|&one| self.includes(one)).collect(),
            GlobalAction::Put(message) => {
                vec![self.tree.interaction(message)].into_iter().filter(|&one| self.includes(one)).collect()
            }
            // Only its ends are known, and these have lanes.
            GlobalAction::Take { .. } => Vec::new(),
            GlobalAction::Group(range) => {
                range.of(&self.tree.interactions).iter().copied().filter(|&one| self.includes(one)).collect()
            }
        }
    }
}

impl Interest<'_> {
    /// The term that puts the message that is put or taken at a term, if it is known.
    pub(super) fn message(&self, term: TermId) -> Option<TermId> {
        self.messages.get(&term).copied()
    }

    /// How many of the interactions of an action are to be drawn.
    pub(super) fn count(&self, action: GlobalAction) -> usize {
        match action {
            GlobalAction::Take { from, to } => usize::from(self.includes_one(from) || self.includes_one(to)),
            _ => self.drawn(action).len(),
        }
    }

    fn includes_one(&self, name: Name) -> bool {
        self.symbols.is_empty() || self.symbols.get(name.symbol.index()).copied().unwrap_or(false)
    }
}

pub(super) fn ends(interaction: GlobalInteraction) -> (Name, Name) {
    match interaction {
        GlobalInteraction::Communicate { from, to, .. }
        | GlobalInteraction::Select { from, to, .. }
        | GlobalInteraction::SelectValue { from, to, .. } => (from, to),
    }
}

/// The terms that follow one, within its body.
pub(super) fn following(tree: &ChoreographyTree, term: TermId) -> impl DoubleEndedIterator<Item = TermId> + '_ {
    let (next, arms) = match tree.term(term) {
        Term::Act(_, next) => (Some(next), None),
        Term::Fork(_, arms) => (None, Some(arms)),
        Term::Stop | Term::Call(_) | Term::Missing => (None, None),
    };
    let arms = arms.map_or(&[][..], |arms| arms.of(&tree.arms));
    next.into_iter().chain(arms.iter().map(|arm| arm.body))
}

impl Bodies {
    pub(super) fn new(tree: &ChoreographyTree, unit: &Unit, interest: &Interest<'_>) -> Self {
        let mut bodies =
            Bodies { bodies: Vec::new(), lanes: Vec::new(), lane_of: BTreeMap::new(), number_of: BTreeMap::new() };
        let none = TermId(u32::MAX);
        bodies.bodies.push(Body::new(None, unit.mains.first().map_or(none, |main| main.body)));
        for procedure in &unit.procedures {
            let number = bodies.bodies.len();
            bodies.number_of.entry(procedure.name.symbol).or_insert(number);
            bodies.bodies.push(Body::new(Some(procedure.name.symbol), procedure.body));
        }
        bodies.walk(tree);
        bodies.reach();
        bodies.find_lanes(tree, interest);
        bodies.find_loops();
        bodies.take_part(tree, interest);
        bodies
    }

    /// The body that a call leads to.
    pub(super) fn called(&self, name: Name) -> Option<usize> {
        self.number_of.get(&name.symbol).copied()
    }

    /// Whether a body calls something of which there is something to draw.
    pub(super) fn goes_on(&self, tree: &ChoreographyTree, body: usize) -> bool {
        let terms = self.bodies.get(body).map_or(&[][..], |body| &body.terms);
        terms.iter().any(|&term| match tree.term(term) {
            Term::Call(name) => self.called(name).is_none_or(|callee| self.bodies[callee].busy),
            _ => false,
        })
    }

    pub(super) fn lane(&self, name: Name) -> Option<usize> {
        self.lane_of.get(&name.symbol).copied()
    }

    /// Finds the terms and the calls of each body. Each term belongs to one body, even in something that is not a tree.
    fn walk(&mut self, tree: &ChoreographyTree) {
        let mut seen = vec![false; tree.terms.len()];
        for body in &mut self.bodies {
            let mut work = vec![body.start];
            while let Some(term) = work.pop() {
                match seen.get_mut(term.index()) {
                    Some(seen) if !*seen => *seen = true,
                    _ => continue,
                }
                body.terms.push(term);
                if let Term::Call(name) = tree.term(term)
                    && let Some(&callee) = self.number_of.get(&name.symbol)
                {
                    body.calls.push(callee);
                }
                work.extend(following(tree, term).rev());
            }
        }
    }

    fn reach(&mut self) {
        let mut work = vec![0];
        while let Some(number) = work.pop() {
            if !std::mem::replace(&mut self.bodies[number].reached, true) {
                work.extend(&self.bodies[number].calls);
            }
        }
    }

    fn find_lanes(&mut self, tree: &ChoreographyTree, interest: &Interest<'_>) {
        let Bodies { bodies, lanes, lane_of, .. } = self;
        let mut meet = |name: Name| {
            lane_of.entry(name.symbol).or_insert_with(|| {
                lanes.push(name.symbol);
                lanes.len() - 1
            });
        };
        for body in bodies.iter().filter(|body| body.reached) {
            for &term in &body.terms {
                deal_with(tree, interest, term, &mut meet);
            }
        }
    }

    fn find_loops(&mut self) {
        let count = self.bodies.len();
        // In whose drawing each body is.
        let mut owner: Vec<usize> = (0..count).collect();
        for _ in 0..MOST_ROUNDS {
            let mut outside = vec![0u32; count];
            let mut inside = vec![0u32; count];
            let mut entry = vec![0; count];
            for caller in 0..count {
                if !self.bodies[caller].reached {
                    continue;
                }
                let root = root(&mut owner, caller);
                for &callee in &self.bodies[caller].calls {
                    if root == callee {
                        inside[callee] += 1;
                    } else {
                        outside[callee] += 1;
                        entry[callee] = caller;
                    }
                }
            }
            let mut changed = false;
            for body in 1..count {
                self.bodies[body].again = inside[body] > 0;
                if !self.bodies[body].nested && outside[body] == 1 && inside[body] > 0 {
                    let around = root(&mut owner, entry[body]);
                    if around != body {
                        owner[body] = around;
                        self.bodies[body].nested = true;
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// Finds who takes part in each body or in what it calls.
    fn take_part(&mut self, tree: &ChoreographyTree, interest: &Interest<'_>) {
        let count = self.bodies.len();
        let words = self.lanes.len().div_ceil(64);
        let affordable = count.saturating_mul(words.max(1)) <= MOST_BITS / 64;
        let mut bits = vec![0u64; if affordable { count * words } else { 0 }];
        let mut busy = vec![!interest.is_narrow(); count];
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (number, body) in self.bodies.iter().enumerate() {
            body.calls.iter().for_each(|&callee| callers[callee].push(number));
            for &term in &body.terms {
                deal_with(tree, interest, term, |name| {
                    busy[number] = true;
                    if let Some(&lane) = self.lane_of.get(&name.symbol).filter(|_| affordable) {
                        bits[number * words + lane / 64] |= 1 << (lane % 64);
                    }
                });
            }
        }
        // Tells the callers until nobody hears anything new. What is called mostly comes later in the text, so the last
        // body goes first.
        let words = if affordable { words } else { 0 };
        let mut work: Vec<usize> = (0..count).collect();
        let mut waiting = vec![true; count];
        while let Some(callee) = work.pop() {
            waiting[callee] = false;
            for &caller in &callers[callee] {
                let mut changed = busy[callee] && !std::mem::replace(&mut busy[caller], true);
                for word in 0..words {
                    let before = bits[caller * words + word];
                    let after = before | bits[callee * words + word];
                    bits[caller * words + word] = after;
                    changed |= before != after;
                }
                if changed && !std::mem::replace(&mut waiting[caller], true) {
                    work.push(caller);
                }
            }
        }
        for (number, body) in self.bodies.iter_mut().enumerate() {
            body.busy = busy[number];
            if affordable && body.reached && !body.nested {
                let row = &bits[number * words..(number + 1) * words];
                let is_in = |&lane: &usize| row[lane / 64] >> (lane % 64) & 1 == 1;
                body.lanes = Some((0..self.lanes.len()).filter(is_in).collect());
            }
        }
    }
}

impl Body {
    fn new(name: Option<Symbol>, start: TermId) -> Self {
        let (calls, terms) = (Vec::new(), Vec::new());
        Body { name, start, reached: false, nested: false, again: false, busy: false, lanes: None, calls, terms }
    }
}

fn root(owner: &mut [usize], mut body: usize) -> usize {
    while owner[body] != body {
        owner[body] = owner[owner[body]];
        body = owner[body];
    }
    body
}

/// Calls `meet` with each process that a term is drawn for.
fn deal_with(
    tree: &Tree<laban::syntax::Choreographies>,
    interest: &Interest<'_>,
    term: TermId,
    mut meet: impl FnMut(Name),
) {
    match tree.term(term) {
        Term::Act(action @ GlobalAction::Take { from, to }, _) if interest.count(action) > 0 => {
            meet(to);
            meet(from);
        }
        Term::Act(action, _) => {
            for interaction in interest.drawn(action) {
                let (from, to) = ends(interaction);
                meet(from);
                meet(to);
            }
        }
        Term::Fork(GlobalFork::If { process, .. } | GlobalFork::Choose { process }, _) if !interest.is_narrow() => {
            meet(process);
        }
        _ => {}
    }
}

//! For searches of your own: walks the joint states of a component step by step and remembers those that were reached.
//!
//! An [`Explorer`] is at one state, which is a local state for each process and a marking. It knows what is possible
//! there, in the order of a strategy, and where each outcome leads; a state that is new is given the next number. What
//! it cannot do it does not: an action that is not possible, or a state that is not known, changes nothing.
//!
//! ```
//! use laban::extraction::explorer::{Arrival, Explorer};
//! use laban::extraction::{Machine, Strategy};
//!
//! let text = "p { def X { q!<x>; X } main { X } } | q { def X { p?; X } main { X } }";
//! let network = laban::analyse(text).into_network().unwrap();
//! let processes: Vec<_> = network.process_ids().collect();
//! let machine = Machine::new(&network, &processes);
//! let mut explorer = Explorer::new(&machine);
//! let first = explorer.choose(Strategy::default(), 0, 0).unwrap();
//! let arrival = explorer.follow(first, 0, |_| true).unwrap();
//! assert_eq!(arrival, Arrival { state: 0, is_new: false, erased: true });
//! ```

use super::cursor::{Cursor, Move};
use super::execution_graph::NOWHERE;
use super::machine::{ActionId, Machine};
use super::store::Store;
use super::strategy::Strategy;

/// An action that was possible at some state: the process at whose initiative it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Initiative(u32);

/// Where an outcome leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// The number of the state.
    pub state: u32,
    /// Whether it was not known before.
    pub is_new: bool,
    /// Whether the marking was erased on the way.
    pub erased: bool,
}

/// Where a search is, and where it has been.
#[derive(Debug)]
pub struct Explorer<'a> {
    cursor: Cursor<'a>,
    store: Store,
    /// The hashes of all states, for those that are forgotten.
    hashes: Vec<u64>,
    /// The number of the state where the cursor is, unless it was forgotten.
    at: u32,
    moves: Vec<Move>,
}

impl<'a> Explorer<'a> {
    /// An explorer at the start, which is the state number 0.
    pub fn new(machine: &'a Machine) -> Self {
        let cursor = Cursor::new(machine);
        let store = Store::new(cursor.width(), cursor.marking_at(), 0);
        let mut explorer = Explorer { cursor, store, hashes: Vec::new(), at: 0, moves: Vec::new() };
        explorer.keep();
        explorer
    }

    /// How many states are known.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Whether none is: they have all been forgotten.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bytes the states take.
    pub fn bytes(&self) -> usize {
        self.store.bytes()
    }

    /// Goes to a known state.
    pub fn go_to(&mut self, state: u32) {
        if self.at != state && (state as usize) < self.len() {
            self.cursor.load(self.store.row(state));
            self.at = state;
        }
    }

    /// Forgets all states from this one on.
    pub fn forget_from(&mut self, state: u32) {
        while self.hashes.len() > state as usize {
            if let Some(hash) = self.hashes.pop() {
                self.store.remove_last(hash);
            }
        }
        if self.at >= state {
            self.at = NOWHERE;
        }
    }

    /// Whether nothing is possible here.
    pub fn is_stuck(&self) -> bool {
        self.cursor.is_stuck()
    }

    /// Whether all but the services have stopped here.
    pub fn all_done(&self) -> bool {
        self.cursor.all_done()
    }

    /// What is possible here: the action that comes after `rank` others in the order of a strategy.
    pub fn choose(&mut self, strategy: Strategy, seed: u64, rank: usize) -> Option<Initiative> {
        self.cursor.choose_any(strategy, seed, self.at, rank).map(Initiative)
    }

    /// All that is possible here.
    pub fn enabled(&self) -> Vec<Initiative> {
        self.cursor.enabled().into_iter().map(Initiative).collect()
    }

    /// The action, and how many outcomes it has; nothing if it is not possible here.
    pub fn action(&self, initiative: Initiative) -> Option<(ActionId, usize)> {
        self.cursor.is_enabled(initiative.0).then(|| {
            let (outcomes, action) = self.cursor.action(initiative.0);
            (ActionId(action), outcomes)
        })
    }

    /// Follows an outcome. If it leads to a known state that `may_close` allows, the explorer stays where it is;
    /// several states can be the same otherwise. If not, it goes there, and the state is new. Nothing if that is not
    /// possible here.
    pub fn follow(
        &mut self,
        initiative: Initiative,
        outcome: usize,
        may_close: impl Fn(u32) -> bool,
    ) -> Option<Arrival> {
        self.moves_of(initiative, outcome)?;
        let step = self.cursor.apply(&self.moves);
        let erased = step.erased;
        match self.store.find_where(self.cursor.hash(), &self.cursor.row, may_close) {
            Some(state) => {
                self.cursor.undo(step);
                Some(Arrival { state, is_new: false, erased })
            }
            None => {
                self.keep();
                self.cursor.commit();
                Some(Arrival { state: self.at, is_new: true, erased })
            }
        }
    }

    /// The known state that an outcome leads to, if `may_close` allows it. The explorer stays where it is.
    pub fn look(&mut self, initiative: Initiative, outcome: usize, may_close: impl Fn(u32) -> bool) -> Option<Arrival> {
        self.moves_of(initiative, outcome)?;
        let step = self.cursor.apply(&self.moves);
        let found = self.store.find_where(self.cursor.hash(), &self.cursor.row, may_close);
        let erased = step.erased;
        self.cursor.undo(step);
        found.map(|state| Arrival { state, is_new: false, erased })
    }

    /// Who moves where, if the outcome is possible here.
    fn moves_of(&mut self, initiative: Initiative, outcome: usize) -> Option<()> {
        let (_, outcomes) = self.action(initiative)?;
        (outcome < outcomes).then(|| self.cursor.moves(initiative.0, outcome, &mut self.moves))
    }

    /// Gives the state of the cursor the next number.
    fn keep(&mut self) {
        let hash = self.cursor.hash();
        self.at = self.store.insert(hash, &self.cursor.row, None);
        self.hashes.push(hash);
    }
}

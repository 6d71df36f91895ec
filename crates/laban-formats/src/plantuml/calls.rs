//! Who has called whom and is not done yet, for `return`.

use crate::sequence::End;

/// A call: who called whom. Somebody may be active without being called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Call {
    from: Option<End>,
    to: usize,
}

/// The calls that are not done yet.
#[derive(Debug, Clone, Default)]
pub(super) struct Calls {
    /// In the order in which they were made; nothing where somebody is done.
    calls: Vec<Option<Call>>,
    /// For each participant, the numbers of the calls to him.
    to: Vec<Vec<usize>>,
}

impl Calls {
    /// Somebody becomes active.
    pub(super) fn activate(&mut self, from: Option<End>, to: usize) {
        if self.to.len() <= to {
            self.to.resize(to + 1, Vec::new());
        }
        self.to[to].push(self.calls.len());
        self.calls.push(Some(Call { from, to }));
    }

    /// Somebody is done.
    pub(super) fn deactivate(&mut self, who: usize) {
        if let Some(call) = self.to.get_mut(who).and_then(Vec::pop) {
            self.calls[call] = None;
        }
    }

    /// Who answers whom, if the last call is answered.
    pub(super) fn answer(&mut self) -> Option<(usize, Option<End>)> {
        loop {
            if let Some(call) = self.calls.pop()? {
                self.to[call.to].pop();
                return Some((call.to, call.from));
            }
        }
    }
}

//! Which closed set is looked at in a node.

use super::heads::NONE;
use super::position::Position;
use super::scene::{Event, Kind, Scene};
use super::search::Search;
use crate::extraction::strategy::{Order, random_place};
use crate::semantics::Action;

/// What is looked at in a node.
#[derive(Debug)]
pub(super) struct Chosen {
    /// For each process, whether it is in the set that is looked at.
    pub(super) members: Vec<bool>,
    /// What is left of the round.
    pub(super) pending: Vec<u64>,
    /// Whose turn it is after a decision.
    pub(super) turn: u32,
}

impl Search<'_> {
    /// What is looked at in a node; nothing if nothing can happen.
    pub(super) fn choose(&self, node: u32, position: &Position) -> Option<Chosen> {
        let Scene { bottom, events, .. } = &self.scene;
        let is_bottom = |process: usize| bottom[process] == process as u32;
        let bottoms = || (0..bottom.len()).filter(|&process| is_bottom(process));
        let is_pending = |process: usize| position.pending[process / 64] >> (process % 64) & 1 == 1;
        let anew = !bottoms().any(is_pending);
        let mut pending = vec![0u64; self.layout.words];
        for process in bottoms().filter(|&process| anew || is_pending(process)) {
            pending[process / 64] |= 1 << (process % 64);
        }
        let decision_of = |process: usize| self.heads.head(position.states[process]).decision;
        let candidates = bottoms().filter(|&process| pending[process / 64] >> (process % 64) & 1 == 1);
        let key = |process: usize, number: u64| {
            let decides = decision_of(process) != NONE;
            let members = || (0..bottom.len()).filter(|&member| bottom[member] == process as u32);
            let sizes = || members().map(|member| u64::from(self.heads.head(position.states[member]).size));
            match self.order {
                Order::Processes => 0,
                Order::InteractionsFirst => u64::from(decides),
                Order::ConditionalsFirst => u64::from(!decides),
                Order::SelectionsFirst => {
                    let of_label = |event: &&Event| {
                        let action = self.heads.actions[event.action as usize];
                        matches!(action, Action::Interaction(it) if it.content.label().is_some())
                    };
                    let own = events.iter().filter(|event| bottom[event.from as usize] == process as u32);
                    match decides {
                        true => 2,
                        false => u64::from(own.clone().find(of_label).is_none()),
                    }
                }
                Order::LongestFirst => u64::from(u32::MAX) - sizes().max().unwrap_or(0),
                Order::ShortestFirst => sizes().max().unwrap_or(0),
                Order::Random => random_place(self.seed, node, number),
            }
        };
        // Who only fills a queue comes last in a round: queues are kept short.
        let fills = |process: usize| {
            let own = |event: &Event| event.kind == Kind::Put && event.from == process as u32;
            !self.heads.queues.is_empty() && events.iter().any(own)
        };
        let keyed = candidates.zip(0..).map(|(process, number)| (fills(process), key(process, number), process));
        let (.., first) = keyed.min()?;
        let seeds = self.seeds.get(&node).into_iter().flatten().copied();
        let seeds: Vec<u32> = seeds.chain((position.turn != NONE).then_some(position.turn)).collect();
        let mut members: Vec<bool> = bottom.iter().map(|&bottom| bottom == first as u32).collect();
        let mut turn = NONE;
        let decides = decision_of(first) != NONE;
        if !seeds.iter().any(|&seed| self.scene.live[seed as usize]) {
            // Nobody in particular is to be looked at.
        } else if decides && !anew {
            // Nor may a decision that is due in this round be put off: a cycle could begin and end here.
            turn = seeds[0];
        } else {
            let own = (0..bottom.len() as u32).filter(|&process| members[process as usize] && !decides);
            let all: Vec<u32> = seeds.iter().copied().chain(own).collect();
            members = self.scene.closure(self.heads, &position.states, &all);
            let deciding = || (0..members.len()).filter(|&process| members[process] && decision_of(process) != NONE);
            let forever = |process: usize| self.heads.head(position.states[process]).decides_forever;
            match deciding().next() {
                // A decision comes first, and alone; but not where that might go on forever.
                Some(process) if !deciding().any(forever) => {
                    members.fill(false);
                    members[process] = true;
                    turn = seeds[0];
                }
                _ => {}
            }
        }
        if self.careful && self.tells_too_much(position, &members) {
            let deciding = || (0..bottom.len()).filter(|&process| decision_of(process) != NONE);
            let forever = |process: usize| self.heads.head(position.states[process]).decides_forever;
            match deciding().next() {
                Some(process) if !deciding().any(forever) => {
                    members.fill(false);
                    members[process] = true;
                    turn = seeds.first().copied().unwrap_or(NONE);
                }
                _ => members.copy_from_slice(&self.scene.live),
            }
        }
        for process in bottoms().filter(|&process| members[process]) {
            pending[process / 64] &= !(1 << (process % 64));
        }
        Some(Chosen { members, pending, turn })
    }

    /// Whether a set has a race in it, while somebody outside may decide before or after.
    pub(super) fn tells_too_much(&self, position: &Position, members: &[bool]) -> bool {
        let head = |process: usize| self.heads.head(position.states[process]);
        let may_decide = |process: usize| !members[process] && self.scene.live[process] && head(process).may_decide;
        let inside = (0..members.len()).filter(|&process| members[process] && head(process).decision != NONE);
        let events = self.scene.events.iter().filter(|event| members[event.from as usize]);
        inside.count() + events.count() > 1 && (0..members.len()).any(may_decide)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::extraction::{ExtractOptions, Strategy, Verdict, search};
    use crate::network::lower;
    use crate::syntax::parse_network;

    #[test]
    fn a_network_that_does_not_know_how_long_its_text_is_can_be_searched_by_length() {
        let text = "a { def A { s!<x>; A } main { A } } | b { def B { s!<y>; B } main { B } }
            | s { def S { any { a?; S, b?; S } } main { S } }";
        let mut network = lower(&parse_network(text).tree).network.unwrap();
        network.sizes.clear();
        for name in ["LongestFirst", "ShortestFirst"] {
            let strategy = Strategy::named(name).unwrap();
            let options = ExtractOptions { strategy, minimise: false, ..ExtractOptions::default() };
            assert_eq!(search(&network, &options).verdict(), Verdict::Extracted, "{name}");
        }
    }
}

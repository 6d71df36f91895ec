//! The cycle of queues that grow forever, made shorter.
//!
//! A search lets processes go round at whatever speeds its capacities allow, and so comes back to the same local states
//! after many rounds of each. If it is enough that each goes round once, a reader is shown only that. Nothing is proved
//! here: whoever gets a shorter cycle has to check that it shows the same.

use crate::network::{Interaction, Network, ProcessId, StateId};
use crate::semantics::{Queues, Step, moves};
use std::collections::{BTreeMap, VecDeque};

/// A cycle in which each process goes round once, from where the run leads; nothing if the cycle is that short already,
/// or if that is not possible.
pub(super) fn one_round(network: &Network, run: &[Step], cycle: &[Step]) -> Option<Vec<Step>> {
    let mut words: BTreeMap<ProcessId, Vec<Step>> = BTreeMap::new();
    for &step in cycle {
        match step {
            // Who acts together goes round together.
            Step::Interaction(one) if !network.channel(one.from, one.to).is_queue() => return None,
            Step::Interaction(one) => {
                words.entry(one.from).or_default().push(Step::Put(one));
                words.entry(one.to).or_default().push(Step::Take(one));
            }
            other => words.entry(other.initiator()).or_default().push(other),
        }
    }
    let total: usize = words.values().map(Vec::len).sum();
    let mut left: BTreeMap<ProcessId, VecDeque<Step>> = words
        .into_iter()
        .map(|(process, word)| {
            let period = period(&word);
            (process, word.into_iter().take(period).collect())
        })
        .collect();
    let wanted: usize = left.values().map(VecDeque::len).sum();
    if wanted == total {
        return None;
    }
    let mut at = At { network, states: BTreeMap::new(), queues: Queues::default() };
    run.iter().all(|&step| at.take(step)).then_some(())?;
    let before = at.states.clone();
    let mut round: Vec<Step> = Vec::with_capacity(wanted);
    let mut progress = true;
    while std::mem::take(&mut progress) {
        for word in left.values_mut() {
            while let Some(&next) = word.front() {
                let Some(step) = at.taken(next).filter(|&step| at.take(step)) else { break };
                word.pop_front();
                round.push(step);
                progress = true;
            }
        }
    }
    let all_done = left.values().all(VecDeque::is_empty);
    (all_done && at.is_at(&before)).then(|| at_once(network, run, &round)).flatten()
}

/// After how many steps a word repeats itself, up to the values that are taken.
fn period(word: &[Step]) -> usize {
    let same = |one: &Step, other: &Step| match (one, other) {
        (Step::Take(one), Step::Take(other)) => {
            (one.from, one.to, one.content.label()) == (other.from, other.to, other.content.label())
        }
        _ => one == other,
    };
    let repeats = |&period: &usize| {
        word.len().is_multiple_of(period) && word.iter().zip(&word[period..]).all(|(one, other)| same(one, other))
    };
    (1..=word.len()).find(repeats).unwrap_or(word.len())
}

/// The same steps, in which a message that is taken as soon as it is put into an empty queue goes over at once.
fn at_once(network: &Network, run: &[Step], round: &[Step]) -> Option<Vec<Step>> {
    let mut at = At { network, states: BTreeMap::new(), queues: Queues::default() };
    run.iter().all(|&step| at.take(step)).then_some(())?;
    let mut found: Vec<Step> = Vec::with_capacity(round.len());
    for &step in round {
        at.take(step).then_some(())?;
        match (found.last(), step) {
            (Some(&Step::Put(put)), Step::Take(taken)) if put == taken && at.queues.len(put.from, put.to) == 0 => {
                found.pop();
                found.push(Step::Interaction(taken));
            }
            _ => found.push(step),
        }
    }
    Some(found)
}

/// Where those who have moved are, and what lies in the queues.
struct At<'a> {
    network: &'a Network,
    states: BTreeMap<ProcessId, StateId>,
    queues: Queues,
}

impl At<'_> {
    fn state(&self, process: ProcessId) -> StateId {
        let start = || self.network.process(process).map_or(StateId(u32::MAX), |process| process.start);
        self.states.get(&process).copied().unwrap_or_else(start)
    }

    /// The step with what is really taken.
    fn taken(&self, step: Step) -> Option<Step> {
        Some(match step {
            Step::Take(Interaction { from, to, .. }) => {
                Step::Take(Interaction { from, to, content: self.queues.oldest(from, to)? })
            }
            other => other,
        })
    }

    fn take(&mut self, step: Step) -> bool {
        let Some(moves) = moves(self.network, step, &self.queues, |process| self.state(process)) else { return false };
        self.queues.apply(step);
        self.states.extend(moves);
        true
    }

    fn is_at(&self, before: &BTreeMap<ProcessId, StateId>) -> bool {
        let start = |process: ProcessId| self.network.process(process).map(|process| process.start);
        self.states.iter().all(|(&process, &state)| before.get(&process).copied().or(start(process)) == Some(state))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::network::lower;
    use crate::syntax::parse_network;

    /// The cycle in which `p` sends so many messages to `q`, which takes none, made shorter.
    fn shorter(p: &str, messages: usize) -> Option<usize> {
        let text = format!("channels queue; p {{ def X {{ {p} X }} main {{ X }} }} | q {{ main {{ p?; stop }} }}");
        let network = lower(&parse_network(&text).tree).network.unwrap();
        let [p, q] = [0, 1].map(ProcessId);
        let content = network.items(network.process(p).unwrap().start).find_map(|item| item.sent()).unwrap().1;
        let put = Step::Put(Interaction { from: p, to: q, content });
        one_round(&network, &[], &vec![put; messages]).map(|round| round.len())
    }

    #[test]
    fn a_round_ends_where_everybody_is_where_they_were() {
        assert_eq!(shorter("q!<x>;", 1), None);
        assert_eq!(shorter("q!<x>;", 4), Some(1));
        // It sends the same again and again, but is elsewhere after the first time.
        assert_eq!(shorter("q!<x>; q!<x>;", 4), None);
    }
}

//! Whether a cycle that leads back to the same local states can be repeated forever, and whether queues must grow then.
//!
//! What lies in the queues may be more each time. Take one channel: `before` lies in its queue, the cycle puts the word
//! `put` into it and takes the word `taken` out of it. The cycle has been gone round once, so that each message was
//! there when it was taken. It can be gone round forever exactly if
//!
//! - nothing is taken, or no less is put than taken and `before put put put …` reads `taken taken taken …`: then what
//!   is taken next is always there, and is always the same, up to values: whoever receives one takes any; and
//! - if the queue has a bound, as much is taken as put.
//!
//! That a queue grows on the way proves little: it may only be that its sender was let run ahead. *Must* it grow? What
//! each process does is fixed, if the decisions and the races go as they do in the cycle: its own steps of the cycle,
//! again and again. Only how often it goes round may differ. Say that process *i* has gone round *n(i)* times. The
//! queue from *i* to *j* stays within a bound only if *put · n(i)* and *taken · n(j)* stay close to each other, so that
//! everybody goes on forever within bounds only if there are proportions with *put · n(i) = taken · n(j)* for all
//! channels. If no proportions fit, no schedule keeps the queues within any bound. (These are the balance equations of
//! synchronous data flow.) Nothing is said here about whether the cycle is fair.

use super::queued::Rate;
use crate::network::{Channel, Content, Network, ProcessId};
use crate::semantics::{Queues, Step};
use std::collections::{BTreeMap, BTreeSet};

/// What goes through the channels in one round of a cycle. A message that is put and taken at once is both.
#[derive(Default)]
pub(super) struct Repetition {
    traffic: BTreeMap<(ProcessId, ProcessId), Traffic>,
}

#[derive(Default)]
struct Traffic {
    put: Vec<Content>,
    taken: Vec<Content>,
}

impl Repetition {
    pub(super) fn of(cycle: &[Step]) -> Self {
        let mut repetition = Repetition::default();
        for step in cycle {
            let Some(interaction) = step.interaction() else { continue };
            let traffic = repetition.traffic.entry((interaction.from, interaction.to)).or_default();
            if !matches!(step, Step::Take(_)) {
                traffic.put.push(interaction.content);
            }
            if !matches!(step, Step::Put(_)) {
                traffic.taken.push(interaction.content);
            }
        }
        repetition
    }

    /// Whether nobody takes anything from a queue.
    pub(super) fn leaves(&self, from: ProcessId, to: ProcessId) -> bool {
        self.traffic.get(&(from, to)).is_none_or(|traffic| traffic.taken.is_empty())
    }

    /// A channel because of which the cycle cannot be repeated forever, given what lay in the queues before it; it has
    /// been gone round once.
    pub(super) fn obstacle(&self, network: &Network, before: &Queues) -> Option<(ProcessId, ProcessId)> {
        let repeats = |&(&(from, to), traffic): &(&(ProcessId, ProcessId), &Traffic)| {
            let lies_there: Vec<Content> = before.messages(from, to).collect();
            let has_bound = !matches!(network.channel(from, to), Channel::Queue { bound: None });
            !(has_bound && traffic.put.len() != traffic.taken.len()) && traffic.repeats(&lies_there)
        };
        self.traffic.iter().find(|channel| !repeats(channel)).map(|(&channel, _)| channel)
    }

    /// Whether queues grow however the processes are scheduled: no proportions fit.
    pub(super) fn must_grow(&self) -> bool {
        !self.unbalanced().is_empty()
    }

    /// The queues that are longer after the cycle because no proportions fit: how many messages were put there, and how
    /// many were taken.
    pub(super) fn growing(&self) -> impl Iterator<Item = (ProcessId, ProcessId, usize, usize)> {
        let unbalanced = self.unbalanced();
        self.traffic.iter().filter_map(move |(&(from, to), traffic)| {
            let (put, taken) = (traffic.put.len(), traffic.taken.len());
            (put > taken && unbalanced.contains(&from)).then_some((from, to, put, taken))
        })
    }

    /// What each of those sends and takes for whom no proportions fit. One cycle may be several rounds of a process:
    /// what is given is the least of which the cycle is a multiple.
    pub(super) fn rates(&self) -> Vec<Rate> {
        let rate = |process: ProcessId| {
            let mut rate = Rate { process, sends: Vec::new(), takes: Vec::new() };
            for (&(from, to), traffic) in &self.traffic {
                if from == process && !traffic.put.is_empty() {
                    rate.sends.push((to, traffic.put.len()));
                }
                if to == process && !traffic.taken.is_empty() {
                    rate.takes.push((from, traffic.taken.len()));
                }
            }
            let all = rate.sends.iter().chain(&rate.takes).map(|&(_, number)| number);
            let rounds = all.fold(0, greatest_common_divisor).max(1);
            rate.sends.iter_mut().chain(&mut rate.takes).for_each(|(_, number)| *number /= rounds);
            rate
        };
        self.unbalanced().into_iter().map(rate).collect()
    }

    /// Those who interact with each other in the cycle, directly or not, while no proportions fit them all.
    fn unbalanced(&self) -> BTreeSet<ProcessId> {
        let mut channels: BTreeMap<ProcessId, Vec<(ProcessId, u64, u64)>> = BTreeMap::new();
        for (&(from, to), traffic) in &self.traffic {
            let (put, taken) = (traffic.put.len() as u64, traffic.taken.len() as u64);
            channels.entry(from).or_default().push((to, put, taken));
            channels.entry(to).or_default().push((from, taken, put));
        }
        let mut unbalanced = BTreeSet::new();
        let mut rounds: BTreeMap<ProcessId, u64> = BTreeMap::new();
        for &first in channels.keys() {
            if rounds.contains_key(&first) {
                continue;
            }
            rounds.insert(first, 1);
            let mut group = vec![first];
            let mut fits = true;
            let mut next = 0;
            while let Some(&one) = group.get(next) {
                next += 1;
                let known = rounds.get(&one).copied().unwrap_or(1);
                for &(other, put, taken) in channels.get(&one).into_iter().flatten() {
                    // Where nothing is taken, or nothing is put, no proportion fits: one end asks for 0 then, which has
                    // no inverse but 0, while nobody goes round 0 times.
                    let needed = multiply(multiply(known, put), inverse(taken));
                    let there = *rounds.entry(other).or_insert_with(|| {
                        group.push(other);
                        needed
                    });
                    fits &= there == needed;
                }
            }
            if !fits {
                unbalanced.extend(group);
            }
        }
        unbalanced
    }
}

impl Traffic {
    /// Whether what is taken is always there and always the same. Two words that repeat themselves are the same forever
    /// if they are for as long as both periods together.
    fn repeats(&self, before: &[Content]) -> bool {
        let Traffic { put, taken } = self;
        if taken.is_empty() {
            return true;
        }
        if put.len() < taken.len() {
            return false;
        }
        let there = before.iter().chain(put.iter().cycle());
        let wanted = taken.iter().cycle();
        there
            .zip(wanted)
            .take(before.len() + put.len() + taken.len())
            .all(|(there, wanted)| there.label() == wanted.label())
    }
}

pub(super) fn greatest_common_divisor(mut one: usize, mut other: usize) -> usize {
    while other > 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// Proportions are computed modulo a prime that is larger than any number of messages, so that they stay small. Where
/// they differ modulo a prime, they differ.
const PRIME: u64 = (1 << 61) - 1;

fn multiply(one: u64, other: u64) -> u64 {
    (u128::from(one) * u128::from(other) % u128::from(PRIME)) as u64
}

/// By Fermat: the last power but one.
fn inverse(number: u64) -> u64 {
    let (mut power, mut exponent, mut result) = (number % PRIME, PRIME - 2, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, power);
        }
        power = multiply(power, power);
        exponent >>= 1;
    }
    result
}

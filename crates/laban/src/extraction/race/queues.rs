//! Queues: what lies in them, how much they may hold for now, and what becomes of it.
//!
//! A queue begins with room for nothing, so that messages are handed over, and gets room where the search finds that
//! it must. What lies in one is a list of messages with a number, so that a position stays a row of numbers. When room
//! is needed is not decided here.

use super::heads::{Heads, NONE};
use rustc_hash::FxHashMap;

/// What lies in a queue that is empty.
pub(super) const EMPTY: u32 = 0;

/// The queues of a component.
#[derive(Debug)]
pub(super) struct Queues {
    /// How many messages each may hold for now.
    capacity: Vec<u32>,
    /// Lists of messages, the oldest first; a message is the number of its interaction.
    contents: Vec<Box<[u32]>>,
    numbers: FxHashMap<Box<[u32]>, u32>,
    /// For each state that does nothing but send to one other, what follows when it has sent that one everything; or
    /// [`NONE`] if that is the end, or never.
    after_sending: Vec<u32>,
    later: Later,
}

impl Queues {
    pub(super) fn new(heads: &Heads) -> Self {
        let mut queues = Queues {
            capacity: vec![0; heads.queues.len()],
            contents: vec![Box::default()],
            numbers: FxHashMap::default(),
            after_sending: Vec::new(),
            later: Later::default(),
        };
        if heads.queues.is_empty() {
            return queues;
        }
        for state in 0..heads.len() as u32 {
            let sends = heads.sends(state);
            if sends.len() + heads.takes(state).len() > 1 {
                // Who can do something else never waits to send.
                for sent in sends.iter().filter(|sent| sent.queue != NONE) {
                    queues.capacity[sent.queue as usize] = 1;
                }
            }
        }
        queues.after_sending = after_sending(heads);
        queues.later = Later::new(heads);
        queues
    }

    /// How many messages a queue may hold for now.
    #[inline]
    pub(super) fn capacity(&self, queue: u32) -> u32 {
        self.capacity[queue as usize]
    }

    /// Gives a queue room for one more.
    pub(super) fn raise(&mut self, queue: u32) {
        self.capacity[queue as usize] += 1;
    }

    /// Gives all queues room for so many, or as many as they may ever hold.
    pub(super) fn open(&mut self, heads: &Heads, room: u32) {
        for (capacity, queue) in self.capacity.iter_mut().zip(&heads.queues) {
            *capacity = room.min(queue.bound).max(*capacity);
        }
    }

    /// The messages of a list, the oldest first.
    #[inline]
    pub(super) fn messages(&self, content: u32) -> &[u32] {
        &self.contents[content as usize]
    }

    /// A list with one more message.
    pub(super) fn put(&mut self, content: u32, message: u32) -> u32 {
        let mut longer = Vec::with_capacity(self.messages(content).len() + 1);
        longer.extend_from_slice(self.messages(content));
        longer.push(message);
        self.number(longer)
    }

    /// A list without its oldest message.
    pub(super) fn taken(&mut self, content: u32) -> u32 {
        let rest = self.messages(content).get(1..).unwrap_or_default().to_vec();
        self.number(rest)
    }

    fn number(&mut self, messages: Vec<u32>) -> u32 {
        if messages.is_empty() {
            return EMPTY;
        }
        if let Some(&known) = self.numbers.get(messages.as_slice()) {
            return known;
        }
        let number = self.contents.len() as u32;
        self.contents.push(messages.clone().into_boxed_slice());
        self.numbers.insert(messages.into_boxed_slice(), number);
        number
    }

    /// What follows when a process that does nothing but send to one other has sent that one everything; [`NONE`] if
    /// that is the end, or never.
    pub(super) fn after_sending(&self, state: u32) -> u32 {
        self.after_sending.get(state as usize).copied().unwrap_or(NONE)
    }

    /// Whether a process that is in a state, or any later one, could take this from another.
    pub(super) fn may_take(&self, heads: &Heads, state: u32, from: u32, message: u32) -> bool {
        self.later.contains(state, from, heads.label(message))
    }
}

/// What a process waits for or does after it has sent another everything that it can send it without a pause.
fn after_sending(heads: &Heads) -> Vec<u32> {
    const UNKNOWN: u32 = NONE - 1;
    let only = |state: u32| match (heads.sends(state), heads.takes(state)) {
        ([sent], []) => Some((sent.to, sent.next)),
        _ => None,
    };
    let stops =
        |state: u32| heads.sends(state).is_empty() && heads.takes(state).is_empty() && heads.targets(state).is_empty();
    let mut after = vec![UNKNOWN; heads.len()];
    let mut path = Vec::new();
    for start in 0..heads.len() as u32 {
        let mut state = start;
        let mut end = NONE;
        while let Some((to, next)) = only(state) {
            if after[state as usize] != UNKNOWN {
                end = after[state as usize];
                break;
            }
            // Until it is known, a path that comes back to itself never ends.
            after[state as usize] = NONE;
            path.push(state);
            if only(next).is_none_or(|(other, _)| other != to) {
                end = if stops(next) { NONE } else { next };
                break;
            }
            state = next;
        }
        path.drain(..).for_each(|state| after[state as usize] = end);
    }
    after
}

/// What each process could take in a state or any later one.
#[derive(Debug, Default)]
struct Later {
    /// For each state, which of the kinds of its process.
    sets: Vec<u64>,
    words: usize,
    /// For each state, its process.
    process: Vec<u32>,
    /// For each process, the kinds of messages that it ever takes: from whom, and the label.
    kinds: Vec<Vec<(u32, u32)>>,
}

impl Later {
    fn new(heads: &Heads) -> Self {
        let mut later = Later { process: vec![0; heads.len()], ..Later::default() };
        for (process, pair) in heads.first.windows(2).enumerate() {
            let states = pair[0]..pair[1];
            let kinds = states.clone().flat_map(|state| heads.takes(state)).map(|taken| (taken.from, taken.label));
            let mut kinds: Vec<(u32, u32)> = kinds.collect();
            kinds.sort_unstable();
            kinds.dedup();
            later.kinds.push(kinds);
            states.for_each(|state| later.process[state as usize] = process as u32);
        }
        later.words = later.kinds.iter().map(Vec::len).max().unwrap_or(0).div_ceil(64).max(1);
        later.sets = vec![0; heads.len() * later.words];
        let mut sources = vec![Vec::new(); heads.len()];
        for state in 0..heads.len() as u32 {
            let kinds = &later.kinds[later.process[state as usize] as usize];
            for taken in heads.takes(state) {
                if let Ok(kind) = kinds.binary_search(&(taken.from, taken.label)) {
                    later.sets[state as usize * later.words + kind / 64] |= 1 << (kind % 64);
                }
            }
            heads.successors(state, |next| sources[next as usize].push(state));
        }
        let mut work: Vec<u32> = (0..heads.len() as u32).collect();
        while let Some(state) = work.pop() {
            for &source in &sources[state as usize] {
                let mut is_new = false;
                for word in 0..later.words {
                    let more = later.sets[state as usize * later.words + word];
                    let set = &mut later.sets[source as usize * later.words + word];
                    is_new |= *set | more != *set;
                    *set |= more;
                }
                if is_new {
                    work.push(source);
                }
            }
        }
        later
    }

    fn contains(&self, state: u32, from: u32, label: u32) -> bool {
        let kinds = &self.kinds[self.process[state as usize] as usize];
        let found = kinds.binary_search(&(from, label));
        found.is_ok_and(|kind| self.sets[state as usize * self.words + kind / 64] >> (kind % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::network::lower;
    use crate::syntax::parse_network;

    /// Whether a process that is in a state comes to one where it takes this, in any number of steps.
    fn comes_to(heads: &Heads, state: u32, kind: (u32, u32)) -> bool {
        let (mut met, mut work) = (vec![false; heads.len()], vec![state]);
        while let Some(state) = work.pop() {
            if heads.takes(state).iter().any(|taken| (taken.from, taken.label) == kind) {
                return true;
            }
            if !std::mem::replace(&mut met[state as usize], true) {
                heads.successors(state, |next| work.push(next));
            }
        }
        false
    }

    #[test]
    fn what_may_be_taken_later_is_known_even_if_it_is_one_of_very_many() {
        let branches = |labels: std::ops::Range<u32>, then: &str| -> String {
            labels.map(|label| format!("l{label}: {then}, ")).collect()
        };
        let [first, then] = [branches(0..70, "Y"), branches(70..150, "stop")];
        let text = format!(
            "channels queue; p {{ main {{ {} stop }} }}
            | q {{ def X {{ p&{{ {first} l: X }} }} def Y {{ p?; r?; p&{{ {then} l: Y }} }} main {{ X }} }}
            | r {{ main {{ q!<x>; stop }} }}",
            (0..150).map(|label| format!("q+l{label};")).collect::<String>()
        );
        let network = lower(&parse_network(&text).tree).network.unwrap();
        let heads = Heads::new(&network, &network.process_ids().collect::<Vec<_>>());
        let later = Later::new(&heads);
        assert_eq!(later.kinds[1].len(), 153);
        let mut known = 0;
        for state in heads.first[1]..heads.first[2] {
            for &(from, label) in &later.kinds[1] {
                let expected = comes_to(&heads, state, (from, label));
                assert_eq!(later.contains(state, from, label), expected, "{state} {from} {label}");
                known += usize::from(expected);
            }
        }
        assert!(known > 153 && known < 153 * 5, "{known}");
    }
}

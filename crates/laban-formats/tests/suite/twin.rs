//! Whether two networks are the same up to names, looked at process by process: written to be obviously right.
//!
//! The second one comes from a format without values and conditions: sending a value is like selecting a label that is
//! always the same, and a conditional is a choice. Choices in choices count as one choice, and a choice with one arm
//! is that arm. The order in which things are offered does not matter, that of arms does.

use laban::Network;
use laban::network::{Branch, NetworkParts, ProcessId, State, StateId};
use laban::syntax::ArenaRange;
use std::collections::{BTreeMap, HashMap, HashSet};

/// What a process does in a state.
#[derive(Debug)]
enum Head {
    /// It chooses one of these.
    Choose(Vec<StateId>),
    /// It does whichever can be done: whether it sends, with whom, what, and what follows. Nothing to do is the end.
    Act(BTreeMap<(bool, ProcessId, String), StateId>),
}

/// Nothing if the networks are the same, and else where they differ.
pub(crate) fn difference(first: &Network, second: &Network) -> Option<String> {
    if first.processes().len() != second.processes().len() {
        return Some("other processes".to_string());
    }
    let (first, second) = (&plain(first), &plain(second));
    let mut names = Bijection::default();
    for (one, other) in first.processes().iter().zip(second.processes()) {
        let mut met = HashSet::new();
        let mut work = vec![(one.start, other.start)];
        while let Some((left, right)) = work.pop() {
            if !met.insert((left, right)) {
                continue;
            }
            match (head(first, left), head(second, right)) {
                (Head::Choose(left), Head::Choose(right)) if left.len() == right.len() => {
                    work.extend(left.into_iter().zip(right));
                }
                (Head::Act(left), Head::Act(right)) if left.len() == right.len() => {
                    for ((sends, partner, message), next) in left {
                        let renamed = names.image(
                            &message,
                            |image| right.contains_key(&(sends, partner, image.to_string())),
                            right.keys().filter(|key| key.0 == sends && key.1 == partner).map(|key| key.2.as_str()),
                        );
                        let Some(&there) = renamed.and_then(|renamed| right.get(&(sends, partner, renamed))) else {
                            return Some(format!("`{message}` with {partner:?} is not in the second"));
                        };
                        work.push((next, there));
                    }
                }
                (left, right) => return Some(format!("{left:?} is not {right:?}")),
            }
        }
    }
    None
}

/// The same network without values, conditions, choices in choices, and choices between states that are the same.
fn plain(network: &Network) -> Network {
    let mut plain = simplified(network).minimised();
    loop {
        let next = simplified(&plain).minimised();
        if next.states().len() == plain.states().len() {
            return next;
        }
        plain = next;
    }
}

fn simplified(network: &Network) -> Network {
    let leaves = |state: StateId| {
        let mut leaves = Vec::new();
        collect_leaves(network, state, state, true, &mut HashSet::new(), &mut leaves);
        leaves
    };
    let decides = |state: StateId| matches!(network.state(state), State::If { .. } | State::Choose { .. });
    let settle = |state: StateId| match decides(state).then(|| leaves(state)).as_deref() {
        Some(&[only]) => only,
        _ => state,
    };
    let mut parts = NetworkParts { names: network.names().clone(), ..NetworkParts::default() };
    let value = parts.names.intern("value");
    for process in network.processes() {
        let mut process = *process;
        process.start = settle(process.start);
        parts.processes.push(process);
    }
    for (number, &state) in network.states().iter().enumerate() {
        let start = (parts.branches.len() as u32, parts.arms.len() as u32);
        parts.states.push(match state {
            State::Send { to, next, .. } => State::Select { to, label: value, next: settle(next) },
            State::SelectValue { to, label, next, .. } => State::Select { to, label, next: settle(next) },
            State::Receive { from, next } => {
                parts.branches.push(Branch { label: value, next: settle(next) });
                State::Offer { from, branches: ArenaRange { start: start.0, end: start.0 + 1 } }
            }
            State::If { .. } | State::Choose { .. } => {
                let leaves = leaves(StateId(number as u32));
                // Who decides forever and does nothing else comes back to the same decision.
                parts.arms.extend(if leaves.is_empty() { vec![StateId(number as u32)] } else { leaves });
                State::Choose { arms: ArenaRange { start: start.1, end: parts.arms.len() as u32 } }
            }
            other => other.renumbered(network, (&mut parts.branches, &mut parts.arms), settle),
        });
    }
    Network::from_parts(parts).unwrap()
}

/// Names and what they are called elsewhere, one to one.
#[derive(Default)]
struct Bijection {
    images: HashMap<String, String>,
    taken: HashSet<String>,
}

impl Bijection {
    /// What a name is called there; if it is not known yet, it is one that is not taken, the same one if possible.
    fn image<'a>(
        &mut self,
        name: &str,
        exists: impl Fn(&str) -> bool,
        candidates: impl Iterator<Item = &'a str>,
    ) -> Option<String> {
        if let Some(image) = self.images.get(name) {
            return Some(image.clone());
        }
        let lower = name.to_lowercase();
        let free: Vec<&str> = candidates.filter(|candidate| !self.taken.contains(*candidate)).collect();
        let same = [name, &lower].into_iter().find(|same| exists(same) && !self.taken.contains(*same));
        // Another name is only clear if there is one candidate.
        let image = match (same, free.as_slice()) {
            (Some(same), _) => same.to_string(),
            (None, [only]) => only.to_string(),
            _ => return None,
        };
        self.taken.insert(image.clone());
        self.images.insert(name.to_string(), image.clone());
        Some(image)
    }
}

fn head(network: &Network, state: StateId) -> Head {
    match network.state(state) {
        State::If { .. } | State::Choose { .. } => {
            let mut leaves = Vec::new();
            collect_leaves(network, state, state, true, &mut HashSet::new(), &mut leaves);
            if leaves.iter().all(|&leaf| leaf == state) {
                // It decides forever, one way or another.
                leaves.clear();
            }
            match leaves.as_slice() {
                [only] if *only != state => head(network, *only),
                _ => Head::Choose(leaves),
            }
        }
        State::Any { items } => {
            let mut all = BTreeMap::new();
            network.arms(items).iter().for_each(|&item| add_acts(network, item, &mut all));
            Head::Act(all)
        }
        _ => {
            let mut acts = BTreeMap::new();
            add_acts(network, state, &mut acts);
            Head::Act(acts)
        }
    }
}

fn collect_leaves(
    network: &Network,
    start: StateId,
    state: StateId,
    is_first: bool,
    met: &mut HashSet<StateId>,
    leaves: &mut Vec<StateId>,
) {
    let decides = matches!(network.state(state), State::If { .. } | State::Choose { .. });
    if decides && (is_first || state != start) {
        if !met.insert(state) {
            return;
        }
        let mut successors = Vec::new();
        network.successors(state, |next| successors.push(next));
        for next in successors {
            collect_leaves(network, start, next, false, met, leaves);
        }
    } else if !leaves.contains(&state) {
        leaves.push(state);
    }
}

fn add_acts(network: &Network, state: StateId, acts: &mut BTreeMap<(bool, ProcessId, String), StateId>) {
    let text = |symbol| network.text(symbol).to_string();
    match network.state(state) {
        State::Send { to, next, .. } => {
            acts.insert((true, to, "value".to_string()), next);
        }
        State::Receive { from, next } => {
            acts.insert((false, from, "value".to_string()), next);
        }
        State::Select { to, label, next } | State::SelectValue { to, label, next, .. } => {
            acts.insert((true, to, text(label)), next);
        }
        State::Offer { from, branches } => {
            acts.extend(
                network.branches(branches).iter().map(|branch| ((false, from, text(branch.label)), branch.next)),
            );
        }
        _ => {}
    }
}

#[test]
fn networks_that_differ_are_told_apart() {
    let check = |one: &str, other: &str, same: bool| {
        let found = difference(&crate::network(one), &crate::network(other));
        assert_eq!(found.is_none(), same, "{one}\n{other}\n{found:?}");
    };
    let sends = "p { main { q!<x>; stop } } | q { main { p?; stop } }";
    check(sends, "a { main { b+value; stop } } | b { main { a&{value: stop} } }", true);
    check(sends, "a { main { b+value; b+value; stop } } | b { main { a&{value: stop} } }", false);
    check(sends, "a { main { b+value; stop } } | b { main { stop } }", false);
    let decides = "p { main { if c then q+l; stop else q+r; stop } } | q { main { p&{l: stop, r: stop} } }";
    check(decides, "p { main { choose { q+l; stop, q+r; stop } } } | q { main { p&{r: stop, l: stop} } }", true);
    check(decides, "p { main { choose { q+r; stop, q+l; stop } } } | q { main { p&{l: stop, r: p?; stop} } }", false);
    check(decides, "p { main { any { q+r; stop, q+l; stop } } } | q { main { p&{l: stop, r: stop} } }", false);
}

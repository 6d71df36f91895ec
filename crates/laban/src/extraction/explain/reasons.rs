//! Who waits for whom, why it never comes, and where the chains of waits end.

use super::replay::{Replayed, in_component};
use super::{Busy, ReplayError, Root, RootKind, Waiting, Why};
use crate::network::{Content, Network, ProcessId, State, Wish};
use crate::semantics::Step;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

pub(super) struct Reasons {
    pub(super) stuck: Vec<Waiting>,
    pub(super) waiting_services: Vec<Waiting>,
    pub(super) roots: Vec<Root>,
    pub(super) busy: Vec<Busy>,
}

pub(super) fn reasons(network: &Network, replayed: &Replayed) -> Result<Reasons, ReplayError> {
    let mut waiting = all_waiting(network, replayed)?;
    let mut roots = Roots { waiting: &mut waiting, at_partner: BTreeMap::new() }.find();
    let holds_up = who_holds_up(&waiting);
    arrange(&mut roots, &mut waiting, &holds_up);
    let busy = busy(replayed, &roots);
    let (mut stuck, mut waiting_services) = (Vec::new(), Vec::new());
    for (one, holds_up) in waiting.into_iter().zip(holds_up) {
        let list = if holds_up { &mut stuck } else { &mut waiting_services };
        list.push(one);
    }
    Ok(Reasons { stuck, waiting_services, roots, busy })
}

const NONE: usize = usize::MAX;

/// Everyone who has not stopped and does not act in the cycle, with what can be told from the partner alone.
fn all_waiting(network: &Network, replayed: &Replayed) -> Result<Vec<Waiting>, ReplayError> {
    let mut waiting = Vec::new();
    for &process in &replayed.component {
        let state = replayed.end.state(network, process);
        if state == State::Stop || replayed.acts(process) {
            continue;
        }
        let Some(wish) = chosen(network, replayed, process) else { continue };
        let partner = in_component(replayed, wish.partner())?;
        let next = chosen(network, replayed, partner).map(|wish| wish.partner());
        let why = match oldest(network, replayed, process, &wish) {
            Some(oldest) => Why::OldestDoesNotFit { oldest },
            None if replayed.acts(partner) => Why::PartnerBusy,
            None => why(network, replayed, process, &wish, next),
        };
        let wish = match state {
            State::Any { .. } => Wish::Any { wishes: Wish::all(network, state), partner },
            _ => wish,
        };
        let span = replayed.end.state_id(network, process).map(|state| network.origin(state)).unwrap_or_default();
        let service = network.processes[process.index()].service;
        let idle = network.is_idle(replayed.end.at(network, process));
        waiting.push(Waiting { process, service, idle, wish, span, why, root: None, in_root: false });
    }
    Ok(waiting)
}

/// The oldest message in the queue that a process, which never acts again, wants to receive from: it does not fit.
fn oldest(network: &Network, replayed: &Replayed, process: ProcessId, wish: &Wish) -> Option<Content> {
    let (receives, partner) = (!wish.sends(), wish.partner());
    let is_queue = receives && network.channel(partner, process).is_queue();
    replayed.end.queues().oldest(partner, process).filter(|_| is_queue && !replayed.acts(process))
}

/// What a process waits for; of several things, the one that tells most: a message that does not fit, something that
/// the other waits for too, or else something with a process that has not stopped.
fn chosen(network: &Network, replayed: &Replayed, process: ProcessId) -> Option<Wish> {
    let mut wishes = Wish::all(network, replayed.end.state(network, process));
    let rank = |wish: &Wish| {
        if oldest(network, replayed, process, wish).is_some() {
            return 0;
        }
        let others = Wish::all(network, replayed.end.state(network, wish.partner()));
        match others.as_slice() {
            [] => 3,
            others if others.iter().any(|other| other.partner() == process) => 1,
            _ => 2,
        }
    };
    let best = (wishes.len() > 1).then(|| (0..wishes.len()).min_by_key(|&index| rank(&wishes[index]))).flatten();
    (!wishes.is_empty()).then(|| wishes.swap_remove(best.unwrap_or(0)))
}

/// Why a partner that never acts again does not do what is wanted; `next` is whom the partner waits for.
fn why(network: &Network, replayed: &Replayed, process: ProcessId, wish: &Wish, next: Option<ProcessId>) -> Why {
    let partner = wish.partner();
    let others = Wish::all(network, replayed.end.state(network, partner));
    let cannot_take = chosen(network, replayed, partner)
        .and_then(|wish| oldest(network, replayed, partner, &wish).map(|oldest| (wish.partner(), oldest)));
    if let Some((from, oldest)) = cannot_take {
        return Why::PartnerCannotTake { from, oldest };
    }
    let own = others.iter().position(|other| other.partner() == process);
    let Some(other) = others.get(own.unwrap_or(0)) else { return Why::PartnerStopped };
    let next = if own.is_some() { None } else { next };
    if let Some(on) = next.filter(|&next| next != process) {
        let may_wait = network.may_wait(partner, replayed.end.at(network, partner));
        let starved = !replayed.cycle.is_empty() && !may_wait;
        return if starved { Why::PartnerStarved { on } } else { Why::PartnerWaits { on } };
    }
    match (wish, other) {
        (Wish::Select { label, .. } | Wish::SelectValue { label, .. }, Wish::Offer { labels, .. })
        | (Wish::Offer { labels, .. }, Wish::Select { label, .. } | Wish::SelectValue { label, .. }) => {
            Why::LabelNotOffered { label: *label, offered: labels.clone() }
        }
        (Wish::Send { .. }, Wish::Offer { .. }) | (Wish::Offer { .. }, Wish::Send { .. }) => Why::ValueForLabel,
        (Wish::Select { .. } | Wish::SelectValue { .. }, Wish::Receive { .. })
        | (Wish::Receive { .. }, Wish::Select { .. } | Wish::SelectValue { .. }) => Why::LabelForValue,
        // It cannot be a send that meets a receive: the replay has checked that nothing is possible.
        _ if wish.sends() => Why::BothSend,
        _ => Why::BothReceive,
    }
}

/// Each process waits for one other, so every chain of waits ends in one place.
struct Roots<'a> {
    /// Everyone who waits, in order.
    waiting: &'a mut [Waiting],
    /// For a process that has stopped or is busy, the root of those who wait for it.
    at_partner: BTreeMap<ProcessId, usize>,
}

impl Roots<'_> {
    fn find(mut self) -> Vec<Root> {
        let mut roots = Vec::new();
        let mut path = Vec::new();
        // The position of a process on the current path.
        let mut position = vec![NONE; self.waiting.len()];
        for start in 0..self.waiting.len() {
            path.clear();
            let mut at = start;
            let root = loop {
                if let Some(root) = self.waiting[at].root {
                    break root;
                }
                if position[at] != NONE {
                    break self.closed(&path[position[at]..], &mut roots);
                }
                position[at] = path.len();
                path.push(at);
                let partner = self.waiting[at].wish.partner();
                let next = self.waiting.binary_search_by_key(&partner, |one| one.process);
                match self.waiting[at].why {
                    Why::OldestDoesNotFit { .. } => {
                        self.waiting[at].in_root = true;
                        let processes = vec![self.waiting[at].process];
                        roots.push(Root { kind: RootKind::Message { from: partner }, processes });
                        break roots.len() - 1;
                    }
                    Why::PartnerBusy => break self.ended(at, RootKind::Busy { partner }, &mut roots),
                    _ => match next {
                        Ok(next) => at = next,
                        Err(_) => break self.ended(at, RootKind::Stopped { partner }, &mut roots),
                    },
                }
            };
            for &one in &path {
                self.waiting[one].root = Some(root);
            }
        }
        roots
    }

    /// A chain has come back to itself: a circle, or two that do not match.
    fn closed(&mut self, circle: &[usize], roots: &mut Vec<Root>) -> usize {
        for &one in circle {
            self.waiting[one].in_root = true;
        }
        let mut processes: Vec<ProcessId> = circle.iter().map(|&one| self.waiting[one].process).collect();
        let mismatch = circle.iter().any(|&one| {
            matches!(self.waiting[one].why, Why::LabelNotOffered { .. } | Why::ValueForLabel | Why::LabelForValue)
        });
        let kind = if mismatch {
            if circle.first().is_some_and(|&one| !sends_to_partner(&self.waiting[one].wish)) {
                processes.reverse();
            }
            RootKind::Mismatch
        } else {
            // A circle can start anywhere; start with the process that comes first in the text.
            let first = processes.iter().enumerate().min_by_key(|&(_, process)| process).map_or(0, |(index, _)| index);
            processes.rotate_left(first);
            RootKind::Circle
        };
        roots.push(Root { kind, processes });
        roots.len() - 1
    }

    /// A chain has reached a process that does not wait.
    fn ended(&mut self, at: usize, kind: RootKind, roots: &mut Vec<Root>) -> usize {
        self.waiting[at].in_root = true;
        let known = *self.at_partner.entry(self.waiting[at].wish.partner()).or_insert(roots.len());
        if known == roots.len() {
            roots.push(Root { kind, processes: Vec::new() });
        }
        roots[known].processes.push(self.waiting[at].process);
        known
    }
}

/// Whether what a process wants of its partner, maybe among other things, is that it takes something.
fn sends_to_partner(wish: &Wish) -> bool {
    match wish {
        Wish::Any { wishes, partner } => wishes.iter().find(|wish| wish.partner() == *partner).is_some_and(Wish::sends),
        wish => wish.sends(),
    }
}

/// For each waiting process, whether it may not wait forever, or holds up one that may not.
fn who_holds_up(waiting: &[Waiting]) -> Vec<bool> {
    let mut holds_up = vec![false; waiting.len()];
    for start in 0..waiting.len() {
        if waiting[start].may_wait() {
            continue;
        }
        let mut at = start;
        while !std::mem::replace(&mut holds_up[at], true) {
            let partner = waiting[at].wish.partner();
            let Ok(next) = waiting.binary_search_by_key(&partner, |one| one.process) else { break };
            at = next;
        }
    }
    holds_up
}

/// Keeps the roots that hold up a process that is not a service, and sorts them for display.
fn arrange(roots: &mut Vec<Root>, waiting: &mut [Waiting], holds_up: &[bool]) {
    let mut kept = vec![false; roots.len()];
    for (one, &holds_up) in waiting.iter_mut().zip(holds_up) {
        match one.root {
            Some(root) if holds_up => kept[root] = true,
            _ => one.root = None,
        }
    }
    for (root, _) in roots.iter_mut().zip(&kept).filter(|(_, kept)| **kept) {
        if matches!(root.kind, RootKind::Stopped { .. } | RootKind::Busy { .. }) {
            root.processes.retain(|process| {
                waiting.binary_search_by_key(process, |one| one.process).is_ok_and(|index| holds_up[index])
            });
            root.processes.sort_unstable();
        }
    }
    let rank = |root: &Root| match root.kind {
        RootKind::Mismatch | RootKind::Message { .. } => 0,
        RootKind::Circle => 1,
        RootKind::Stopped { .. } => 2,
        RootKind::Busy { .. } => 3,
    };
    let mut order: Vec<usize> = (0..roots.len()).filter(|&root| kept[root]).collect();
    order.sort_by_key(|&root| (rank(&roots[root]), roots[root].processes.iter().min().copied()));
    let mut place = vec![None; roots.len()];
    for (new, &old) in order.iter().enumerate() {
        place[old] = Some(new);
    }
    for one in waiting.iter_mut() {
        one.root = one.root.and_then(|root| place[root]);
    }
    let mut old: Vec<Option<Root>> = std::mem::take(roots).into_iter().map(Some).collect();
    roots.extend(order.into_iter().filter_map(|root| old[root].take()));
}

/// What the busy processes do in the cycle, each step once.
fn busy(replayed: &Replayed, roots: &[Root]) -> Vec<Busy> {
    let mut place = BTreeMap::new();
    let mut busy = Vec::new();
    for root in roots {
        if let RootKind::Busy { partner } = root.kind {
            place.insert(partner, busy.len());
            busy.push(Busy { process: partner, steps: Vec::new() });
        }
    }
    let mut seen: HashTable<Step> = HashTable::new();
    for event in &replayed.cycle {
        if seen.find(hash(&event.step), |step| *step == event.step).is_some() {
            continue;
        }
        seen.insert_unique(hash(&event.step), event.step, hash);
        for process in event.step.actors() {
            if let Some(busy) = place.get(&process).and_then(|&place| busy.get_mut(place)) {
                busy.steps.push(event.step);
            }
        }
    }
    busy
}

fn hash(step: &Step) -> u64 {
    let mut hasher = FxHasher::default();
    step.hash(&mut hasher);
    hasher.finish()
}

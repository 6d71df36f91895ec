//! What would help where messages wait in queues.

use super::counterfactual::{self, Decision};
use super::replay::Replayed;
use super::{Growth, Hint, Queued, Waiting, Witness, WitnessKind};
use crate::diagnostic::closest;
use crate::network::{Content, Network, ProcessId, Wish};
use crate::syntax::Symbol;

/// A process waits for something else than the oldest message from another.
pub(super) fn misfit(
    network: &Network,
    replayed: &Replayed,
    from: ProcessId,
    receiver: &Waiting,
    queues: &[Queued],
) -> Option<Hint> {
    let to = receiver.process;
    let queue = queues.iter().find(|queue| (queue.from, queue.to) == (from, to))?;
    let (oldest, later) = queue.messages.split_first()?;
    let wishes = match &receiver.wish {
        Wish::Any { wishes, .. } => wishes.as_slice(),
        wish => std::slice::from_ref(wish),
    };
    let wishes: Vec<&Wish> = wishes.iter().filter(|wish| !wish.sends() && wish.partner() == from).collect();
    let fits = |message: &Content| {
        wishes.iter().any(|wish| match (wish, message.label()) {
            (Wish::Receive { .. }, None) => true,
            (Wish::Offer { labels, .. }, Some(label)) => labels.contains(&label),
            _ => false,
        })
    };
    let later = later.iter().map(|message| message.content).chain(sends_next(network, replayed, from, to));
    if let Some(later) = later.into_iter().find(fits) {
        return Some(Hint::Order { from, to, later });
    }
    let offered: Vec<Symbol> = wishes
        .iter()
        .flat_map(|wish| match wish {
            Wish::Offer { labels, .. } => labels.as_slice(),
            _ => &[],
        })
        .copied()
        .collect();
    Some(match oldest.content {
        Content::Value(_) => Hint::ValueForLabel { sends: from, offers: to, labels: offered },
        Content::Label(label) | Content::LabelledValue { label, .. } if offered.is_empty() => {
            Hint::LabelForValue { selects: from, receives: to, label }
        }
        Content::Label(label) | Content::LabelledValue { label, .. } => {
            let text = |symbol: Symbol| network.names.text(symbol);
            let meant = closest(text(label), offered.iter().map(|&offer| text(offer)));
            let meant = meant.and_then(|meant| network.names.find(meant));
            Hint::Label { selects: from, offers: to, label, meant, offered }
        }
    })
}

/// What a process sends to another one next, as long as it only sends.
fn sends_next(network: &Network, replayed: &Replayed, from: ProcessId, to: ProcessId) -> Vec<Content> {
    let mut sent = Vec::new();
    let mut at = replayed.end.state(network, from);
    for _ in 0..MOST_AHEAD {
        let Some((whom, content, next)) = at.sent() else { break };
        sent.extend((whom == to).then_some(content));
        at = network.state(next);
    }
    sent
}

/// How many actions of a sender are looked at.
const MOST_AHEAD: usize = 16;

/// A message is left in a queue.
pub(super) fn left(network: &Network, witness: &Witness, replayed: &Replayed, queues: &[Queued]) -> Vec<Hint> {
    let WitnessKind::Orphan { from, to } = witness.kind else { return Vec::new() };
    let queue = queues.iter().find(|queue| (queue.from, queue.to) == (from, to));
    let Some(oldest) = queue.and_then(|queue| queue.messages.first()) else { return Vec::new() };
    let mut hints = vec![Hint::Receive { from, to, message: oldest.content }];
    let last = counterfactual::last_decisions(replayed);
    // Whoever should take it, or send it, is asked first; then all others, the last decision first.
    let mut decisions: Vec<Decision> = last.values().copied().collect();
    decisions.sort_by_key(|decision| (![to, from].contains(&decision.process), std::cmp::Reverse(decision.index)));
    decisions.truncate(MOST_TRIED);
    decisions.sort_by_key(|decision| decision.index);
    let places = counterfactual::places(network, replayed, &decisions);
    for (decision, place) in decisions.into_iter().zip(places).rev() {
        if counterfactual::all_taken(network, replayed, place, decision, &last, (from, to)) {
            let Decision { process: decider, condition, holds, .. } = decision;
            hints.push(Hint::TakenOtherwise { decider, condition, holds });
            break;
        }
    }
    hints
}

/// Of how many decisions it is asked whether the message would have been taken.
const MOST_TRIED: usize = 4;

/// Queues grow forever.
pub(super) fn growing(growth: &[Growth]) -> Option<Hint> {
    match growth {
        [] => None,
        &[Growth { from, to, sent, taken, .. }] => Some(Hint::KeepUp { from, to, sent, taken }),
        _ => Some(Hint::Balance),
    }
}

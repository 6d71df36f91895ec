//! What would help, as far as it is known.

use super::counterfactual::{self, Decision, Progress};
use super::partial_configuration::PartialConfiguration;
use super::reasons::Reasons;
use super::replay::Replayed;
use super::{Growth, Queued, Root, RootKind, Waiting, Why, Witness, WitnessKind, queue_hints};
use crate::diagnostic::closest;
use crate::network::{Content, Network, ProcessId, State, StateId, Wish};
use crate::syntax::{Span, Symbol};
use std::collections::BTreeMap;

/// Of how many causes it is asked what would help.
const MOST_ROOTS: usize = 4;
/// Of how many processes of a cause it is asked whether they would have got further.
const MOST_TRIED: usize = 4;

/// Something that would help, or that narrows down what to change.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// Offer the label that is selected, or select one that is offered.
    Label {
        /// Who selects.
        selects: ProcessId,
        /// Who offers.
        offers: ProcessId,
        /// What is selected.
        label: Symbol,
        /// The label that was probably meant.
        meant: Option<Symbol>,
        /// What is offered.
        offered: Vec<Symbol>,
    },
    /// A value meets an offer: select a label, or receive a value.
    ValueForLabel {
        /// Who sends the value.
        sends: ProcessId,
        /// Who expects a label.
        offers: ProcessId,
        /// Which labels it expects.
        labels: Vec<Symbol>,
    },
    /// A label meets a receive: send a value, or offer the label.
    LabelForValue {
        /// Who selects.
        selects: ProcessId,
        /// Who expects a value.
        receives: ProcessId,
        /// What is selected.
        label: Symbol,
    },
    /// If channels held messages, these could send without waiting and everyone in the circle would go on.
    Asynchrony {
        /// Who is stuck with something to send.
        senders: Vec<ProcessId>,
    },
    /// It depends on a decision: had it gone the other way, the process would have got further.
    OtherOutcome {
        /// Who decides.
        decider: ProcessId,
        /// What decides.
        condition: Symbol,
        /// How it was decided when the process got stuck.
        holds: bool,
        /// Who would have got further.
        process: ProcessId,
        /// Whether it would have stopped without doing anything more.
        stops: bool,
    },
    /// A process needs to know of a decision and is not told: add selections.
    Tell {
        /// Who decides.
        decider: ProcessId,
        /// What decides.
        condition: Symbol,
        /// Who is not told.
        process: ProcessId,
        /// Who should tell: somebody who knows the outcome and deals with that process, or else who decides.
        teller: ProcessId,
        /// The outcome about which it is told already, so that a selection is missing for the other one only.
        told_if: Option<bool>,
    },
    /// If these may wait forever, they are services.
    Services(Vec<ProcessId>),
    /// If these, which have not done anything yet, may wait where they are, they are idle there, or services.
    Idle(Vec<ProcessId>),
    /// If decisions are fair too, nobody waits forever.
    Fair,
    /// Take a message that is left in a queue, or do not send it.
    Receive {
        /// Who sends it.
        from: ProcessId,
        /// Who should take it.
        to: ProcessId,
        /// The message.
        message: Content,
    },
    /// A message that a process waits for lies behind another one in the queue.
    Order {
        /// Who sends both.
        from: ProcessId,
        /// Who waits for the later one.
        to: ProcessId,
        /// The message that it waits for.
        later: Content,
    },
    /// It depends on a decision: had it gone the other way, the message would have been taken.
    TakenOtherwise {
        /// Who decides.
        decider: ProcessId,
        /// What decides.
        condition: Symbol,
        /// How it was decided when the message was left.
        holds: bool,
    },
    /// Take as many messages as are sent.
    KeepUp {
        /// Who sends.
        from: ProcessId,
        /// Who takes.
        to: ProcessId,
        /// How many are sent each time round.
        sent: usize,
        /// How many are taken each time round.
        taken: usize,
    },
    /// Let each send as many messages as the others take.
    Balance,
    /// With queues there is a choreography.
    Queues {
        /// Who would not have to wait.
        senders: Vec<ProcessId>,
    },
    /// With longer queues there is a choreography.
    Longer {
        /// Who sends.
        from: ProcessId,
        /// Who takes.
        to: ProcessId,
        /// How many messages have to wait.
        capacity: u32,
        /// How many may.
        bound: u32,
    },
    /// Without queues there is a choreography.
    Rendezvous {
        /// Two whose messages cross on the way to the failure, and where they send them.
        crossing: Option<[(ProcessId, Span); 2]>,
    },
}

pub(super) fn hints(
    network: &Network,
    witness: &Witness,
    replayed: &Replayed,
    reasons: &Reasons,
    (queues, growth): (&[Queued], &[Growth]),
) -> Vec<Hint> {
    let mut hints = Vec::new();
    let waiting = |process: &ProcessId| {
        let index = reasons.stuck.binary_search_by_key(process, |one| one.process).ok()?;
        reasons.stuck.get(index)
    };
    let roots = &reasons.roots[..reasons.roots.len().min(MOST_ROOTS)];
    for root in roots {
        match root.kind {
            RootKind::Mismatch => {
                if let [Some(sender), Some(receiver)] = [0, 1].map(|index| root.processes.get(index).and_then(waiting))
                {
                    hints.extend(mismatch(network, sender, receiver));
                }
            }
            RootKind::Message { from } => {
                let receiver = root.processes.first().and_then(waiting);
                hints.extend(
                    receiver.and_then(|receiver| queue_hints::misfit(network, replayed, from, receiver, queues)),
                );
            }
            RootKind::Circle if network.has_queues() => {}
            RootKind::Circle if counterfactual::asynchrony_helps(network, &replayed.end, &root.processes) => {
                let sends = |process: &&ProcessId| waiting(process).is_some_and(|one| one.wish.sends());
                hints.push(Hint::Asynchrony { senders: root.processes.iter().filter(sends).copied().collect() });
            }
            _ => {}
        }
    }
    hints.extend(queue_hints::left(network, witness, replayed, queues));
    hints.extend(queue_hints::growing(growth));
    hints.extend(outcomes(network, witness, replayed, roots));
    if services_help(network, witness, replayed, reasons) {
        let stuck = reasons.stuck.iter().filter(|one| !one.may_wait());
        hints.push(Hint::Services(stuck.map(|one| one.process).collect()));
    } else if idling_helps(witness, reasons) {
        let stuck = reasons.stuck.iter().filter(|one| !one.may_wait());
        hints.push(Hint::Idle(stuck.map(|one| one.process).collect()));
    }
    hints
}

fn mismatch(network: &Network, sender: &Waiting, receiver: &Waiting) -> Option<Hint> {
    match (&sender.why, &sender.wish, &receiver.wish) {
        (Why::LabelNotOffered { label, offered }, ..) => {
            let text = |symbol: Symbol| network.names.text(symbol);
            let meant = closest(text(*label), offered.iter().map(|&offer| text(offer)));
            Some(Hint::Label {
                selects: sender.process,
                offers: receiver.process,
                label: *label,
                meant: meant.and_then(|meant| network.names.find(meant)),
                offered: offered.clone(),
            })
        }
        (Why::ValueForLabel, _, Wish::Offer { labels, .. }) => {
            Some(Hint::ValueForLabel { sends: sender.process, offers: receiver.process, labels: labels.clone() })
        }
        (Why::LabelForValue, Wish::Select { label, .. } | Wish::SelectValue { label, .. }, _) => {
            Some(Hint::LabelForValue { selects: sender.process, receives: receiver.process, label: *label })
        }
        _ => None,
    }
}

/// Which decisions the causes depend on, and who should have been told of them.
fn outcomes(network: &Network, witness: &Witness, replayed: &Replayed, roots: &[Root]) -> Vec<Hint> {
    let last = counterfactual::last_decisions(replayed);
    let mut asked: Vec<(usize, Decision)> = Vec::new();
    for (index, root) in roots.iter().enumerate() {
        asked.extend(candidates(witness, root, &last).into_iter().map(|decision| (index, decision)));
    }
    asked.sort_by_key(|&(_, decision)| decision.index);
    let decisions: Vec<Decision> = asked.iter().map(|&(_, decision)| decision).collect();
    let places = counterfactual::places(network, replayed, &decisions);
    // The decision that each root depends on, with who would have got further: the latest of those that matter.
    let mut matters: Vec<Option<Matter>> = vec![None; roots.len()];
    for ((root, decision), place) in asked.into_iter().zip(places) {
        for &process in roots[root].processes.iter().take(MOST_TRIED) {
            let aftermath = counterfactual::aftermath(replayed, decision, process);
            let further = (process, aftermath.actions);
            let progress = counterfactual::progress(network, replayed, place.clone(), decision, further, &last);
            if progress != Progress::None {
                let stops = progress == Progress::Stops;
                let untold = (!aftermath.informed).then_some(&place);
                let tell = untold.and_then(|place| tell(network, replayed, place, decision, process));
                matters[root] = Some(Matter { decision, process, stops, tell });
                break;
            }
        }
    }
    let mut hints = Vec::new();
    for (root, matters) in roots.iter().zip(matters) {
        let Some(Matter { decision, process, stops, tell }) = matters else { continue };
        let Decision { process: decider, condition, holds, .. } = decision;
        hints.push(Hint::OtherOutcome { decider, condition, holds, process, stops });
        if matches!(root.kind, RootKind::Stopped { .. }) && witness.kind == WitnessKind::Deadlock {
            hints.extend(tell);
        }
    }
    hints
}

/// A decision that a cause depends on.
#[derive(Clone)]
struct Matter {
    decision: Decision,
    /// Who would have got further.
    process: ProcessId,
    /// Whether it would have stopped without doing anything more.
    stops: bool,
    /// How it could have been told.
    tell: Option<Hint>,
}

/// How a process that has not heard of a decision could be told. There is no simple way if it is told, but too late.
fn tell(
    network: &Network,
    replayed: &Replayed,
    place: &PartialConfiguration,
    decision: Decision,
    process: ProcessId,
) -> Option<Hint> {
    let Decision { process: decider, condition, holds, .. } = decision;
    let tells = |holds: bool| counterfactual::may_tell(network, place, decision, holds, process);
    let waits_to_be_told =
        || matches!(replayed.end.state(network, process), State::Offer { from, .. } if from == decider);
    let told_if = match (tells(holds), tells(!holds)) {
        (false, false) => None,
        (false, true) if waits_to_be_told() => Some(!holds),
        _ => return None,
    };
    // Who races is not told by a selection more: others may come first.
    if decider == process || matches!(replayed.end.state(network, process), State::Any { .. }) {
        return None;
    }
    let teller = match told_if {
        None => counterfactual::teller(network, replayed, place, decision, process).unwrap_or(decider),
        Some(_) => decider,
    };
    Some(Hint::Tell { decider, condition, process, teller, told_if })
}

/// The decisions that a cause may depend on: the last one of those who are part of it, and the last one of all.
fn candidates(witness: &Witness, root: &Root, last: &BTreeMap<ProcessId, Decision>) -> Vec<Decision> {
    let partner = match root.kind {
        RootKind::Stopped { partner } | RootKind::Busy { partner } => Some(partner),
        RootKind::Message { from } => Some(from),
        RootKind::Mismatch | RootKind::Circle => None,
    };
    // Who is busy forever can be held to what it decides again and again only.
    let earliest = if matches!(root.kind, RootKind::Busy { .. }) { witness.run.len() } else { 0 };
    let near = root.processes.iter().copied().chain(partner).filter_map(|process| last.get(&process).copied()).max();
    let latest = last.values().copied().max();
    let mut candidates: Vec<Decision> =
        near.into_iter().chain(latest).filter(|decision| decision.index >= earliest).collect();
    candidates.dedup();
    candidates
}

/// There is no livelock if those who starve may wait forever. The same goes for a deadlock in which all the others have
/// stopped; but only a process that would loop again is likely to be meant as a service.
fn services_help(network: &Network, witness: &Witness, replayed: &Replayed, reasons: &Reasons) -> bool {
    match witness.kind {
        WitnessKind::Livelock => return true,
        WitnessKind::Orphan { .. } | WitnessKind::Unbounded => return false,
        WitnessKind::Deadlock => {}
    }
    reasons.roots.iter().all(|root| matches!(root.kind, RootKind::Stopped { .. }))
        && reasons.stuck.iter().filter(|one| !one.may_wait()).all(|one| {
            let state = replayed.end.state_id(network, one.process);
            !one.wish.sends() && state.is_some_and(|state| comes_back(network, one.process, state))
        })
}

/// There is no deadlock if those who wait for somebody who has stopped may wait there; that is likely to be meant if
/// they have not begun anything.
fn idling_helps(witness: &Witness, reasons: &Reasons) -> bool {
    let has_acted = |process: ProcessId| witness.run.iter().any(|step| step.actors().any(|actor| actor == process));
    witness.kind == WitnessKind::Deadlock
        && reasons.roots.iter().all(|root| matches!(root.kind, RootKind::Stopped { .. }))
        && reasons
            .stuck
            .iter()
            .filter(|one| !one.may_wait())
            .all(|one| one.in_root && !one.wish.sends() && !has_acted(one.process))
}

/// Whether a process can come back to a state that it has left.
fn comes_back(network: &Network, process: ProcessId, state: StateId) -> bool {
    let Some(process) = network.processes.get(process.index()) else { return false };
    let mut reached = vec![false; process.states.len()];
    let mut work = vec![state];
    while let Some(at) = work.pop() {
        network.successors(at, |next| {
            let number = (next.0.wrapping_sub(process.states.start)) as usize;
            if let Some(reached) = reached.get_mut(number)
                && !std::mem::replace(reached, true)
            {
                work.push(next);
            }
        });
    }
    reached.get(state.0.wrapping_sub(process.states.start) as usize).copied().unwrap_or(false)
}

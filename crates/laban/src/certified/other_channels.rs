//! What becomes of a network if messages may wait in queues, or may not.
//!
//! A network that fails one way may work the other way: with queues two can both send first, and by rendezvous messages
//! cannot cross. Nothing is said here unless it has been tried.

use super::{Extraction, extract};
use crate::diagnostic::{Code, Diagnostic, quote};
use crate::extraction::explain::{Event, Explanation, Hint, WitnessKind};
use crate::extraction::{ExtractOptions, Found, Searched, Verdict, search_component};
use crate::limits::Limits;
use crate::network::{Channel, Channels, Network, ProcessId};
use crate::semantics::Step;
use crate::syntax::Span;
use std::collections::BTreeMap;

/// The most failures for which the other channels are tried.
const MOST_TRIED: usize = 8;
/// The most nodes of such a trial.
const MOST_NODES: usize = 20_000;
/// The most queues that are named.
const MOST_QUEUES: usize = 4;

impl Extraction {
    /// Where a network fails, tries whether it would work with queues, with longer ones or without any, and adds a hint
    /// if so. The network is the one that was extracted.
    ///
    /// ```
    /// use laban::ExtractOptions;
    ///
    /// let text = "p { main { q!<x>; q?; stop } } | q { main { p!<y>; p?; stop } }";
    /// let network = laban::analyse(text).into_network()?;
    /// let mut extraction = laban::extract(&network, &ExtractOptions::default())?;
    /// extraction.try_other_channels(&network, &ExtractOptions::default());
    /// let hints = extraction.explanations()[0].diagnostic(&network).hints;
    /// assert_eq!(hints, ["with queues (`channels queue;`) this works: `p` and `q` both send first"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn try_other_channels(&mut self, network: &Network, options: &ExtractOptions<'_>) {
        if self.explanations.is_empty() {
            return;
        }
        let mut small = self.minimised.as_ref().unwrap_or(network).clone();
        for explanation in self.explanations.iter_mut().take(MOST_TRIED) {
            match network.has_queues() {
                false => with_queues(&mut small, explanation, options),
                true => without_queues(&mut small, network.channels(), explanation, options),
            }
        }
    }

    /// How long the queues of a network get, as the end of a sentence: "with a queue of 2 from `a` to `b`, rendezvous
    /// elsewhere". Nothing where no message has to wait, and where there is no choreography.
    pub fn capacities_text(&self, network: &Network) -> Option<String> {
        if self.verdict() != Verdict::Extracted || !network.has_queues() {
            return None;
        }
        let name = |process: ProcessId| quote(network.process_name(process));
        let capacities: Vec<_> = self.capacities().collect();
        let mut queues: Vec<String> = capacities
            .iter()
            .take(MOST_QUEUES)
            .map(|&(from, to, most)| format!("a queue of {most} from {} to {}", name(from), name(to)))
            .collect();
        if capacities.len() > MOST_QUEUES {
            queues.push(format!("{} more queues", capacities.len() - MOST_QUEUES));
        }
        Some(match queues.pop() {
            None => return None,
            Some(last) if queues.is_empty() => format!("with {last}, rendezvous elsewhere"),
            Some(last) => format!("with {} and {last}, rendezvous elsewhere", queues.join(", ")),
        })
    }

    /// How long the queues of a network get; and if it would fail by rendezvous, how, and where messages cross.
    /// Nothing where no message has to wait, and where there is no choreography.
    pub fn capacities_note(&self, network: &Network, options: &ExtractOptions<'_>) -> Option<Diagnostic> {
        let text = self.capacities_text(network)?;
        let (from, to, _) = self.capacities().next()?;
        let place = network.process(from).map_or_else(Span::default, |process| network.origin(process.start));
        let [sender, receiver] = [from, to].map(|process| quote(network.process_name(process)));
        let mut diagnostic = Diagnostic::new(Code::Queues, place, format!("works {text}"))
            .label(format!("messages from {sender} to {receiver} may have to wait"));
        let mut other = network.clone();
        other.set_channels(Channels::default());
        let limits = Limits { max_states: Some(MOST_NODES), ..options.limits };
        let answer = extract(&other, &ExtractOptions { limits, ..*options }).ok();
        if let Some(failure) = answer.as_ref().and_then(|answer| answer.explanations().first()) {
            let shown = failure.diagnostic(&other);
            diagnostic.primary = shown.primary;
            diagnostic.secondary = shown.secondary;
            let alone = failure.reason(&other);
            diagnostic.message = format!("works {text}; by rendezvous alone, {alone}");
        }
        Some(diagnostic)
    }
}

fn searched(network: &Network, explanation: &Explanation, options: &ExtractOptions<'_>) -> Option<Searched> {
    let most = options.limits.max_states.unwrap_or(MOST_NODES).min(MOST_NODES);
    let limits = Limits { max_states: Some(most), ..options.limits };
    let searched = search_component(network, &explanation.component, 0, &ExtractOptions { limits, ..*options });
    matches!(searched.found, Found::Graph(_)).then_some(searched)
}

/// A network without queues fails. Would it with queues?
fn with_queues(network: &mut Network, explanation: &mut Explanation, options: &ExtractOptions<'_>) {
    network.set_channels(Channels::all(Channel::Queue { bound: None }));
    if searched(network, explanation, options).is_none() {
        return;
    }
    // Whoever is stuck in a circle with something to send.
    let sends = |process: &ProcessId| explanation.waiting(*process).is_some_and(|one| one.wish.sends());
    let senders = explanation.circles().flatten().copied().filter(|process| sends(process)).collect();
    // It says the same of the circle alone.
    explanation.hints.retain(|hint| !matches!(hint, Hint::Asynchrony { .. }));
    explanation.hints.push(Hint::Queues { senders });
}

/// A network with queues fails. Would it without any, or if they were longer?
fn without_queues(
    network: &mut Network,
    channels: &Channels,
    explanation: &mut Explanation,
    options: &ExtractOptions<'_>,
) {
    network.set_channels(Channels::default());
    if searched(network, explanation, options).is_some() {
        let crossing = crossing(explanation);
        explanation.hints.push(Hint::Rendezvous { crossing });
        return;
    }
    let longer = |channel: Channel| match channel {
        Channel::Rendezvous => Channel::Rendezvous,
        Channel::Queue { .. } => Channel::Queue { bound: None },
    };
    let single = channels.single.iter().map(|&(from, to, channel)| (from, to, longer(channel)));
    let unbounded = Channels { default: longer(channels.default), single: single.collect() };
    if unbounded == *channels || explanation.kind == WitnessKind::Unbounded {
        return;
    }
    network.set_channels(unbounded);
    let Some(Searched { capacities, .. }) = searched(network, explanation, options) else { return };
    let too_short = capacities.into_iter().find_map(|(from, to, capacity)| match channels.channel(from, to) {
        Channel::Queue { bound: Some(bound) } if bound < capacity => Some((from, to, capacity, bound)),
        _ => None,
    });
    explanation.hints.extend(too_short.map(|(from, to, capacity, bound)| Hint::Longer { from, to, capacity, bound }));
}

/// The first two whose messages cross on the way to the failure, each with where it sends: one has sent to the other
/// and is sent to before that is taken.
fn crossing(explanation: &Explanation) -> Option<[(ProcessId, Span); 2]> {
    let mut waiting: BTreeMap<(ProcessId, ProcessId), Vec<Span>> = BTreeMap::new();
    for Event { step, span, .. } in explanation.run.iter().chain(&explanation.cycle) {
        match step {
            Step::Put(interaction) => {
                let (from, to) = (interaction.from, interaction.to);
                if let Some(other) = waiting.get(&(to, from)).and_then(|sent| sent.first()) {
                    return Some([(to, *other), (from, *span)]);
                }
                waiting.entry((from, to)).or_default().push(*span);
            }
            Step::Take(interaction) => {
                let sent = waiting.get_mut(&(interaction.from, interaction.to));
                sent.filter(|sent| !sent.is_empty()).map(|sent| sent.remove(0));
            }
            Step::Interaction(_) | Step::Decision { .. } | Step::Choice { .. } => {}
        }
    }
    None
}

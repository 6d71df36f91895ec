//! Networks and choreographies, compared with each other.

use super::alike::alike;
use super::bounded::{Bounded, Bounds, bounded_by};
use super::difference::Difference;
use super::networks::{Equivalence, EquivalenceOptions, equivalent as equivalent_networks};
use crate::choreography::{Choreography, Node, NotProjected, ProjectOptions, Unprojectable, project};
use crate::limits::{Limits, StopReason};
use crate::network::{Channels, Network, ProcessId};

/// What can be compared.
#[derive(Debug, Clone, Copy)]
pub enum System<'a> {
    /// A network.
    Network(&'a Network),
    /// A choreography.
    Choreography(&'a Choreography),
}

impl<'a> From<&'a Network> for System<'a> {
    fn from(network: &'a Network) -> Self {
        System::Network(network)
    }
}

impl<'a> From<&'a Choreography> for System<'a> {
    fn from(choreography: &'a Choreography) -> Self {
        System::Choreography(choreography)
    }
}

/// The result of a comparison.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The answer. If there is a reason in `unprojectable`, it is that of the bounded comparison.
    pub answer: Equivalence,
    /// Why the first and the second have no projection, so that the comparison was bounded; empty otherwise.
    pub unprojectable: [Vec<Unprojectable>; 2],
}

impl Comparison {
    /// An answer that does not depend on bounds.
    pub fn exact(answer: Equivalence) -> Self {
        Comparison { answer, unprojectable: [Vec::new(), Vec::new()] }
    }

    /// Whether it was exact.
    pub fn is_exact(&self) -> bool {
        self.unprojectable.iter().all(Vec::is_empty)
    }

    /// Whether they are known to be the same.
    pub fn is_same(&self) -> bool {
        self.answer.is_same()
    }

    /// The difference, if there is one.
    pub fn difference(&self) -> Option<&Difference> {
        self.answer.difference()
    }
}

/// Whether two systems can do the same. Two choreographies are first compared as graphs: if these are alike, nothing
/// more needs to be asked. Otherwise a choreography stands for its projection; if it has none, the comparison is that
/// of the paper, within bounds. A choreography does not say who is a service, nor which channels have queues unless
/// messages wait in it: the network that it is compared with does.
///
/// ```
/// use laban::equivalence::{Bounds, EquivalenceOptions, System, compare};
/// use laban::{choreography, syntax};
///
/// let read = |text: &str| choreography::lower(&syntax::parse_choreography(text).tree).choreography.unwrap();
/// let one = read("main { a.x -> b; c.y -> d; stop }");
/// let other = read("main { c.y -> d; stop } || main { a.x -> b; stop }");
/// let [one, other] = [&one, &other].map(System::Choreography);
/// let comparison = compare(one, other, &EquivalenceOptions::default(), Bounds::default());
/// assert!(comparison.answer.is_same() && comparison.is_exact());
/// ```
pub fn compare(first: System<'_>, second: System<'_>, options: &EquivalenceOptions<'_>, bounds: Bounds) -> Comparison {
    if let (System::Choreography(one), System::Choreography(other)) = (first, second)
        && alike(one, other, options.conditions)
    {
        return Comparison::exact(Equivalence::Same { pairs: 0, ends: None });
    }
    let projected = [stand_in(first, second, options.limits), stand_in(second, first, options.limits)];
    let stopped = projected.iter().find_map(|projected| match projected {
        Err(NotProjected::Undecided(reason)) => Some(*reason),
        _ => None,
    });
    if let Some(reason) = stopped {
        return Comparison::exact(Equivalence::Undecided { pairs: 0, reason });
    }
    match projected {
        [Ok(one), Ok(other)] => {
            Comparison::exact(match (network(first, one.as_ref()), network(second, other.as_ref())) {
                (Some(one), Some(other)) => equivalent_networks(one, other, options),
                _ => Equivalence::Undecided { pairs: 0, reason: StopReason::Bounds },
            })
        }
        projected => {
            let unprojectable =
                projected.map(|projected| projected.err().map_or(Vec::new(), NotProjected::into_reasons));
            let answer = match bounded_by(first, second, bounds, options) {
                Bounded::Same => Equivalence::Same { pairs: 0, ends: None },
                Bounded::Different(difference) => Equivalence::Different(difference),
                Bounded::Unknown(reason) => Equivalence::Undecided { pairs: 0, reason },
            };
            Comparison { answer, unprojectable }
        }
    }
}

/// Whether two systems, each a network or a choreography, can do the same.
///
/// ```
/// use laban::EquivalenceOptions;
///
/// let network = laban::analyse("p { main { q!<x>; stop } } | q { main { p?; stop } }").into_network()?;
/// let same = laban::analyse("main { p.x -> q; stop }").into_choreography()?;
/// let other = laban::analyse("main { p.x -> q; q.y -> p; stop }").into_choreography()?;
/// assert!(laban::equivalent(&network, &same, &EquivalenceOptions::default()).is_same());
///
/// let comparison = laban::equivalent(&network, &other, &EquivalenceOptions::default());
/// assert_eq!(
///     comparison.difference().unwrap().sentence("the network", "the choreography"),
///     "after `p.x -> q`, the choreography can do `q.y -> p`, but the network cannot: both have stopped there"
/// );
/// # Ok::<(), laban::IllFormed>(())
/// ```
pub fn equivalent<'a>(
    first: impl Into<System<'a>>,
    second: impl Into<System<'a>>,
    options: &EquivalenceOptions<'_>,
) -> Comparison {
    compare(first.into(), second.into(), options, Bounds::default())
}

/// The network that stands for a choreography when it is compared with another system; none for a network, which
/// stands for itself.
pub fn stand_in(system: System<'_>, other: System<'_>, limits: Limits<'_>) -> Result<Option<Network>, NotProjected> {
    match system {
        System::Network(_) => Ok(None),
        System::Choreography(choreography) => {
            let options = ProjectOptions { services: &services(choreography, other), limits };
            let mut network = project(choreography, &options)?.network;
            match other {
                System::Network(other) if other.has_queues() => network.set_channels(channels(&network, other)),
                // Where messages wait in both of two choreographies, what waits in one may wait in the other: there,
                // nothing is said about it.
                System::Choreography(other) if messages_wait(choreography) && messages_wait(other) => {
                    let options = ProjectOptions { services: &[], limits };
                    if let Ok(other) = project(other, &options) {
                        network.set_channels(channels(&network, &other.network));
                    }
                }
                _ => {}
            }
            Ok(Some(network))
        }
    }
}

/// Whether messages wait somewhere in a choreography.
fn messages_wait(choreography: &Choreography) -> bool {
    let waits = |node: &Node| matches!(node, Node::Put { .. } | Node::Take { .. } | Node::Group { .. });
    choreography.nodes.iter().any(waits)
}

/// A network itself, or the projection that stands for a choreography.
fn network<'a>(system: System<'a>, projection: Option<&'a Network>) -> Option<&'a Network> {
    match system {
        System::Network(network) => Some(network),
        System::Choreography(_) => projection,
    }
}

/// The channels of another network for a projection: those on which messages wait in the choreography stay queues.
fn channels(projection: &Network, other: &Network) -> Channels {
    let number = |process| projection.process_named(other.process_name(process));
    let mut channels = other.channels().renumbered(number);
    if !projection.has_queues() {
        return channels;
    }
    let mut single = Vec::new();
    for from in projection.process_ids() {
        for to in projection.process_ids().filter(|&to| to != from) {
            let (own, theirs) = (projection.channel(from, to), channels.channel(from, to));
            single.push((from, to, if theirs.is_queue() { theirs } else { own }));
        }
    }
    channels.single = single;
    channels
}

/// The processes of a choreography that are services in a network.
fn services(choreography: &Choreography, other: System<'_>) -> Vec<ProcessId> {
    let System::Network(network) = other else { return Vec::new() };
    let is_service =
        |name: &str| network.process_named(name).is_some_and(|process| network.processes[process.index()].service);
    if !network.processes.iter().any(|process| process.service) {
        return Vec::new();
    }
    let all = (0..choreography.processes.len() as u32).map(ProcessId);
    all.filter(|&process| is_service(choreography.process_name(process))).collect()
}

//! Networks and choreographies, compared with each other.

use super::bounded::{Bounded, Bounds, bounded};
use super::difference::Difference;
use super::product::{Equivalence, Options, equivalent};
use crate::choreography::{Choreography, Unprojectable, project_with_services};
use crate::limits::StopReason;
use crate::network::{Network, ProcessId};

/// What can be compared.
#[derive(Debug, Clone, Copy)]
pub enum System<'a> {
    /// A network.
    Network(&'a Network),
    /// A choreography.
    Choreography(&'a Choreography),
}

/// What a comparison comes to.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The answer. If there is a reason in `unprojectable`, it is that of the bounded comparison.
    pub answer: Equivalence,
    /// Why the first and the second have no projection, so that the comparison was bounded; empty otherwise.
    pub unprojectable: [Vec<Unprojectable>; 2],
}

impl Comparison {
    /// Whether it was exact.
    pub fn is_exact(&self) -> bool {
        self.unprojectable.iter().all(Vec::is_empty)
    }

    /// The difference, if there is one.
    pub fn difference(&self) -> Option<&Difference> {
        self.answer.difference()
    }
}

/// Whether two systems can do the same. A choreography stands for its projection; if it has none, the comparison is
/// that of the paper, within bounds. A choreography does not say who is a service: the network that it is compared with
/// does.
///
/// ```
/// use laban::equivalence::{Bounds, Options, System, compare};
/// use laban::{choreography, syntax};
///
/// let read = |text: &str| choreography::lower(&syntax::parse_choreography(text).tree).choreography.unwrap();
/// let one = read("main { a.x -> b; c.y -> d; stop }");
/// let other = read("main { c.y -> d; stop } || main { a.x -> b; stop }");
/// let comparison =
///     compare(System::Choreography(&one), System::Choreography(&other), &Options::default(), Bounds::default());
/// assert!(comparison.answer.is_same() && comparison.is_exact());
/// ```
pub fn compare(first: System<'_>, second: System<'_>, options: &Options<'_>, bounds: Bounds) -> Comparison {
    let projected = [stand_in(first, second), stand_in(second, first)];
    match projected {
        [Ok(one), Ok(other)] => {
            let answer = match (network(first, one.as_ref()), network(second, other.as_ref())) {
                (Some(one), Some(other)) => equivalent(one, other, options),
                _ => Equivalence::Undecided { pairs: 0, reason: StopReason::Bounds },
            };
            Comparison { answer, unprojectable: [Vec::new(), Vec::new()] }
        }
        projected => {
            let unprojectable = projected.map(|projected| projected.err().unwrap_or_default());
            let answer = match bounded(first, second, bounds) {
                Bounded::Same => Equivalence::Same { pairs: 0, ends: None },
                Bounded::Different(difference) => Equivalence::Different(difference),
                Bounded::Unknown => Equivalence::Undecided { pairs: 0, reason: StopReason::Bounds },
            };
            Comparison { answer, unprojectable }
        }
    }
}

/// The network that stands for a choreography when it is compared with another system; none for a network, which stands
/// for itself.
pub fn stand_in(system: System<'_>, other: System<'_>) -> Result<Option<Network>, Vec<Unprojectable>> {
    match system {
        System::Network(_) => Ok(None),
        System::Choreography(choreography) => {
            let projection = project_with_services(choreography, &services(choreography, other));
            projection.map(|projection| Some(projection.network))
        }
    }
}

/// A network itself, or the projection that stands for a choreography.
fn network<'a>(system: System<'a>, projection: Option<&'a Network>) -> Option<&'a Network> {
    match system {
        System::Network(network) => Some(network),
        System::Choreography(_) => projection,
    }
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

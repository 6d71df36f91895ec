//! Networks and choreographies, compared with each other.

use super::bounded::{Bounded, Bounds, bounded};
use super::difference::Difference;
use super::product::{Equivalence, Options, equivalent};
use crate::choreography::{Choreography, Unprojectable, project};
use crate::network::Network;

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
/// that of the paper, within bounds.
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
    let projected = [first, second].map(|system| match system {
        System::Network(_) => Ok(None),
        System::Choreography(choreography) => project(choreography).map(|projection| Some(projection.network)),
    });
    match projected {
        [Ok(one), Ok(other)] => {
            let answer = match (network(first, one.as_ref()), network(second, other.as_ref())) {
                (Some(one), Some(other)) => equivalent(one, other, options),
                _ => Equivalence::Undecided { pairs: 0 },
            };
            Comparison { answer, unprojectable: [Vec::new(), Vec::new()] }
        }
        projected => {
            let unprojectable = projected.map(|projected| projected.err().unwrap_or_default());
            let answer = match bounded(first, second, bounds) {
                Bounded::Same => Equivalence::Same { pairs: 0 },
                Bounded::Different(difference) => Equivalence::Different(difference),
                Bounded::Unknown => Equivalence::Undecided { pairs: 0 },
            };
            Comparison { answer, unprojectable }
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

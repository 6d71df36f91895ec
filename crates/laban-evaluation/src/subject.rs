//! The networks of the evaluation, made anew whenever they are needed: from the program's own text or from a seed.

use laban::choreography::{self, Choreography};
use laban::diagnostic::has_errors;
use laban::equivalence::{VerifyOptions, verify};
use laban::generate::{self, Parameters, SeededRng, Test};
use laban::network::{self, Network, State};
use laban::syntax::{ChoreographyTree, Compact, NetworkTree, parse_network};
use std::fmt::{self, Display, Formatter};

/// A network of table 1, and the same twice.
pub(crate) struct Benchmark {
    pub(crate) name: &'static str,
    single: &'static str,
    double: &'static str,
}

macro_rules! benchmark {
    ($name:literal) => {
        Benchmark {
            name: $name,
            single: include_str!(concat!("../benchmarks/", $name, ".net")),
            double: include_str!(concat!("../benchmarks/", $name, "-2x.net")),
        }
    };
}

/// Those of the paper, in its order.
pub(crate) const BENCHMARKS: [Benchmark; 7] = [
    benchmark!("bargain"),
    benchmark!("cloud-system"),
    benchmark!("filter-collaboration"),
    benchmark!("health-system"),
    benchmark!("logistic"),
    benchmark!("running-example"),
    benchmark!("sanitary-agency"),
];

/// A network to extract.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Subject {
    /// One of [`BENCHMARKS`].
    Benchmark { number: usize, double: bool },
    /// The projection of a choreography of table 2.
    Generated { test: Test, edited: Edited },
}

/// What was done to it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Edited {
    Not,
    Fuzzed { deletions: u32, swaps: u32 },
    Unrolled,
}

impl Display for Edited {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Edited::Not => write!(out, "-"),
            Edited::Fuzzed { deletions, swaps } => write!(out, "{deletions}-{swaps}"),
            Edited::Unrolled => write!(out, "unrolled"),
        }
    }
}

/// A network, and what its extractions are compared with.
pub(crate) struct Made {
    pub(crate) network: Network,
    /// What it came from; nothing if it is compared with the network itself.
    pub(crate) origin: Option<Origin>,
}

/// A generated choreography.
pub(crate) struct Origin {
    pub(crate) choreography: Choreography,
    /// Its projection, of which it is certain that it follows the choreography.
    pub(crate) network: Network,
}

impl Origin {
    fn new(tree: &ChoreographyTree, network: &Network) -> Result<Origin, String> {
        let choreography = choreography::lower(tree).choreography.ok_or("the generated choreography is ill-formed")?;
        let options = VerifyOptions { minimise: false, ..VerifyOptions::default() };
        verify(network, &choreography, &options).map_err(|_| "the projection does not follow the choreography")?;
        Ok(Origin { choreography, network: network.clone() })
    }
}

impl Subject {
    /// Makes it.
    pub(crate) fn make(&self) -> Result<Made, String> {
        match *self {
            Subject::Benchmark { number, double } => {
                let benchmark = BENCHMARKS.get(number).ok_or("there is no such benchmark")?;
                let text = if double { benchmark.double } else { benchmark.single };
                Ok(Made { network: lowered(&parse_network(text).tree)?, origin: None })
            }
            Subject::Generated { test, edited } => {
                let (choreography, tree) = projected(&test.parameters, test.seed)?;
                let original = lowered(&tree)?;
                Ok(match edited {
                    Edited::Not => {
                        let origin = Origin::new(&choreography, &original)?;
                        Made { network: original, origin: Some(origin) }
                    }
                    Edited::Fuzzed { deletions, swaps } => {
                        let seed = SeededRng::keyed([test.seed, u64::from(deletions), u64::from(swaps), 1]).long();
                        let (tree, _) = generate::fuzz(&tree, deletions, swaps, seed);
                        Made { network: lowered(&tree)?, origin: None }
                    }
                    Edited::Unrolled => {
                        let (tree, _) = generate::unroll(&tree, test.seed);
                        Made { network: lowered(&tree)?, origin: Some(Origin::new(&choreography, &original)?) }
                    }
                })
            }
        }
    }
}

/// A generated choreography and its network, as a text would have it.
fn projected(parameters: &Parameters, seed: u64) -> Result<(ChoreographyTree, NetworkTree), String> {
    let generated = generate::network(parameters, seed).map_err(|refusal| refusal.to_string())?;
    // Edits want a tree that comes from a text.
    Ok((generated.amended, parse_network(&Compact(&generated.network_tree).to_string()).tree))
}

fn lowered(tree: &NetworkTree) -> Result<Network, String> {
    let lowered = network::lower(tree);
    match lowered.network {
        Some(network) if !has_errors(&lowered.diagnostics) => Ok(network),
        _ => {
            let messages = lowered.diagnostics.iter().map(|diagnostic| diagnostic.message.clone());
            Err(messages.collect::<Vec<_>>().join("; "))
        }
    }
}

/// How many actions all processes have, and how many of them are conditionals.
pub(crate) fn size(network: &Network) -> (u32, u32) {
    let is_action = |state: &&State| !matches!(state, State::Stop);
    let is_conditional = |state: &&State| matches!(state, State::If { .. });
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    (
        count(network.states().iter().filter(is_action).count()),
        count(network.states().iter().filter(is_conditional).count()),
    )
}

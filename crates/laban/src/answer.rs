//! Answers that carry their proof: extraction, then its certificate.
//!
//! [`answer`] extracts a network and checks what came out before anybody sees it: a choreography is verified against the
//! network, and a failure is replayed on the network as it was written. What does not pass is a [`Flaw`] of the program and
//! never an answer.

use crate::choreography;
use crate::equivalence::{Certificate, VerifyOptions, verify};
use crate::extraction::explain::{Explanation, Witness, WitnessKind, explain};
use crate::extraction::{Extraction, Failure, Options, Statistics, Verdict, extract};
use crate::limits::Limits;
use crate::network::{Network, ProcessId};
use crate::syntax::ChoreographyTree;
use std::fmt;

/// What became of a network, ready to be shown.
#[derive(Debug)]
pub struct Answer {
    /// The answer in a word.
    pub verdict: Verdict,
    /// The choreography, if there is one.
    pub choreography: Option<ChoreographyTree>,
    /// What was checked about the choreography.
    pub certificate: Option<Certificate>,
    /// Why there is none: one explanation for each component that failed, those of the verdict's kind first.
    pub explanations: Vec<Explanation>,
    /// The components that were given up.
    pub undecided: Vec<Vec<ProcessId>>,
    /// How many components there are.
    pub components: usize,
    /// What the searches cost.
    pub statistics: Statistics,
}

/// Something that cannot be: an answer that did not pass its own check. It is a mistake of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// The choreography does not describe the network.
    NotCertified(String),
    /// The run to a failure cannot be replayed.
    NotReplayed(String),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::NotCertified(why) => write!(f, "the choreography that was found does not pass its check: {why}"),
            Flaw::NotReplayed(why) => write!(f, "the failure that was found cannot be replayed: {why}"),
        }
    }
}

impl std::error::Error for Flaw {}

/// Extracts a network and checks the answer; a choreography only if asked to.
///
/// ```
/// use laban::{answer::answer, extraction::{Options, Verdict}, network, syntax};
///
/// let tree = syntax::parse_network("p { def X { q!<x>; X } main { X } } | q { def Y { p?; Y } main { Y } }").tree;
/// let network = network::lower(&tree).network.unwrap();
/// let answer = answer(&network, &Options::default(), true).unwrap();
/// assert_eq!(answer.verdict, Verdict::Extracted);
/// let choreography = answer.choreography.unwrap();
/// assert_eq!(syntax::Compact(&choreography).to_string(), "def X { p.x -> q; X } main { X }");
/// ```
pub fn answer(network: &Network, options: &Options<'_>, certify: bool) -> Result<Answer, Flaw> {
    prove(network, &extract(network, options), certify, options.parallel)
}

/// Checks what was extracted from a network, by whatever search; a choreography only if asked to.
pub fn prove(network: &Network, extraction: &Extraction, certify: bool, parallel: bool) -> Result<Answer, Flaw> {
    let verdict = extraction.verdict();
    let statistics = extraction.statistics();
    let choreography = extraction.choreography.as_ref().map(choreography::read_off);
    let certificate = match &choreography {
        Some(tree) if certify => Some(certified(extraction, network, tree, parallel)?),
        _ => None,
    };
    let explanations = explanations(network, extraction, verdict)?;
    let undecided = extraction.undecided().map(|component| component.processes.clone()).collect();
    let components = extraction.components.len();
    Ok(Answer { verdict, choreography, certificate, explanations, undecided, components, statistics })
}

/// Checks what will be printed, and not what it was made from.
fn certified(
    extraction: &Extraction,
    network: &Network,
    tree: &ChoreographyTree,
    parallel: bool,
) -> Result<Certificate, Flaw> {
    let lowered = choreography::lower(tree);
    let Some(choreography) = lowered.choreography else {
        let messages = lowered.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str());
        return Err(Flaw::NotCertified(messages.collect::<Vec<_>>().join("; ")));
    };
    // A network that repeats itself differently in several processes has many more states than the minimised one.
    let network = extraction.minimised.as_ref().unwrap_or(network);
    let options = VerifyOptions { minimise: false, parallel, limits: Limits::default() };
    verify(network, &choreography, &options).map_err(|error| {
        let why = error.to_string();
        let mismatch = error.mismatch().map(|mismatch| mismatch.explain(network, &choreography));
        Flaw::NotCertified(mismatch.unwrap_or(why))
    })
}

fn explanations(network: &Network, extraction: &Extraction, verdict: Verdict) -> Result<Vec<Explanation>, Flaw> {
    let mut explanations = Vec::new();
    for (component, failure) in extraction.failures() {
        let (kind, run, cycle) = match failure {
            Failure::Deadlock { run } => (WitnessKind::Deadlock, run.clone(), Vec::new()),
            Failure::Livelock { run, cycle } => (WitnessKind::Livelock, run.clone(), cycle.clone()),
        };
        let witness = Witness { kind, component: component.processes.clone(), run, cycle };
        let explanation = explain(network, &witness).map_err(|error| Flaw::NotReplayed(error.to_string()))?;
        explanations.push(explanation);
    }
    explanations.sort_by_key(|explanation| match explanation.kind {
        WitnessKind::Deadlock => verdict != Verdict::Deadlock,
        WitnessKind::Livelock => verdict != Verdict::Livelock,
    });
    Ok(explanations)
}

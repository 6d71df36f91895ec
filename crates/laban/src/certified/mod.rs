//! Extraction with its proof.
//!
//! [`extract`] searches a network and checks what it found before anybody sees it: a choreography is verified against
//! the network, and a failure is replayed on the network as it was written. What does not pass is an [`InternalError`],
//! a fault of the program, and never an answer.

mod other_channels;

use crate::choreography::{self, Choreography};
use crate::equivalence::{Certificate, NotVerified, ServiceLeft, VerifyOptions, services_left, verify};
use crate::extraction::explain::{Explanation, Hint, Witness, WitnessKind, explain};
use crate::extraction::{Component, ExtractOptions, Findings, Found, Meetings, Searched, Statistics, Verdict};
use crate::extraction::{has_races, search, search_component, search_with};
use crate::limits::{Limits, StopReason};
use crate::network::{Network, ProcessId};
use crate::syntax::ChoreographyTree;
use std::fmt;

/// The answer for a network, with its proof.
#[derive(Debug)]
pub struct Extraction {
    verdict: Verdict,
    protocol: Option<Protocol>,
    certificate: Option<Certificate>,
    explanations: Vec<Explanation>,
    components: Vec<Component>,
    minimised: Option<Network>,
    statistics: Statistics,
    /// Whether decisions are fair.
    fair: bool,
}

/// A choreography as it will be printed, and as a model.
#[derive(Debug)]
struct Protocol {
    tree: ChoreographyTree,
    choreography: Choreography,
}

impl Extraction {
    /// The answer in a word.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The choreography, if there is one.
    pub fn choreography(&self) -> Option<&Choreography> {
        self.protocol.as_ref().map(|protocol| &protocol.choreography)
    }

    /// The choreography as a syntax tree, ready to be printed.
    pub fn tree(&self) -> Option<&ChoreographyTree> {
        self.protocol.as_ref().map(|protocol| &protocol.tree)
    }

    /// What was checked about the choreography; nothing if there isn't one, or if it was not to be checked.
    pub fn certificate(&self) -> Option<&Certificate> {
        self.certificate.as_ref()
    }

    /// Why there is no choreography: one explanation for each component that failed, those of the verdict's kind first.
    pub fn explanations(&self) -> &[Explanation] {
        &self.explanations
    }

    /// The explanations, for whoever needs nothing else.
    pub fn into_explanations(self) -> Vec<Explanation> {
        self.explanations
    }

    /// The parts of the network that never interact, and what was found of each.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// The network that was searched: the one that was given, or that with its automata minimised.
    pub fn searched<'a>(&'a self, given: &'a Network) -> &'a Network {
        self.minimised.as_ref().unwrap_or(given)
    }

    /// The components without an answer, and why.
    pub fn undecided(&self) -> impl Iterator<Item = (&[ProcessId], StopReason)> {
        self.components.iter().filter_map(|component| match component.found {
            Found::Undecided(reason) => Some((component.processes.as_slice(), reason)),
            _ => None,
        })
    }

    /// The queues that are needed: from whom, to whom, and how many messages wait in it at most. All other messages
    /// are taken as soon as they are sent.
    pub fn capacities(&self) -> impl Iterator<Item = (ProcessId, ProcessId, u32)> {
        self.components.iter().flat_map(|component| component.capacities.iter().copied())
    }

    /// Which actions of the network that was extracted meet: who receives what is sent somewhere. The states of the
    /// limits are joint states of the network.
    ///
    /// ```
    /// let text = "p { main { q!<x>; q!<y>; stop } } | q { main { p?; p?; stop } }";
    /// let network = laban::analyse(text).into_network()?;
    /// let meetings = laban::extract(&network, &Default::default())?.meetings(&network, &Default::default());
    /// let met = |(sender, receiver)| [sender, receiver].map(|state| network.origin(state).text(text));
    /// let met: Vec<_> = meetings.pairs().iter().copied().map(met).collect();
    /// assert_eq!(met, [["q!<x>", "p?"], ["q!<y>", "p?"]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn meetings(&self, network: &Network, limits: &Limits<'_>) -> Meetings {
        Meetings::new(network, &self.components, limits)
    }

    /// What the searches cost.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// The services that may wait forever in the middle of a conversation, given the network that was extracted.
    /// Nothing if there is no choreography; when the limits are reached, those found by then.
    ///
    /// ```
    /// let text = "shop { main { bank!<card>; stop } }
    ///     | service bank { def X { shop?; shop&{refund: X, keep: X} } main { X } }";
    /// let network = laban::analyse(text).into_network()?;
    /// let extraction = laban::extract(&network, &Default::default())?;
    /// let [left] = &extraction.services_left(&network, Default::default())[..] else { panic!() };
    /// let reason = "service `bank` may be left in the middle: at the end it still waits for a label from `shop`";
    /// assert_eq!(left.reason(&network), reason);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn services_left(&self, network: &Network, limits: Limits<'_>) -> Vec<ServiceLeft> {
        let options = VerifyOptions { fair: self.fair, limits, ..VerifyOptions::default() };
        self.choreography().map_or(Vec::new(), |choreography| services_left(network, choreography, &options))
    }
}

/// An answer that did not pass its own check: a fault of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum InternalError {
    /// The choreography does not describe the network.
    NotCertified(String),
    /// The run to a failure cannot be replayed.
    NotReplayed(String),
}

impl fmt::Display for InternalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InternalError::NotCertified(why) => write!(f, "the choreography failed its check: {why}"),
            InternalError::NotReplayed(why) => write!(f, "the failure cannot be replayed: {why}"),
        }
    }
}

impl std::error::Error for InternalError {}

/// Finds the choreography of a network, or shows why there isn't one. The answer has been checked: a choreography
/// describes the network, and a failure has been replayed.
///
/// ```
/// use laban::{Compact, ExtractOptions, Verdict};
///
/// let text = "p { def X { q!<x>; X } main { X } } | q { def X { p?; X } main { X } }";
/// let network = laban::analyse(text).into_network()?;
/// let extraction = laban::extract(&network, &ExtractOptions::default())?;
/// assert_eq!(Compact(extraction.tree().unwrap()).to_string(), "def X { p.x -> q; X } main { X }");
///
/// let network = laban::analyse("p { main { q?; stop } } | q { main { p?; stop } }").into_network()?;
/// let extraction = laban::extract(&network, &ExtractOptions::default())?;
/// assert_eq!(extraction.verdict(), Verdict::Deadlock);
/// assert!(extraction.explanations()[0].reason(&network).contains("`p` and `q` wait for each other"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn extract(network: &Network, options: &ExtractOptions<'_>) -> Result<Extraction, InternalError> {
    prove(network, search(network, options), options)
}

/// The same with another search: it is given a network, the processes of one of its components in their order, and the
/// number of the component.
pub fn extract_with(
    network: &Network,
    options: &ExtractOptions<'_>,
    search: impl Fn(&Network, &[ProcessId], usize) -> Searched + Sync,
) -> Result<Extraction, InternalError> {
    prove(network, search_with(network, options, search), options)
}

fn prove(network: &Network, mut findings: Findings, options: &ExtractOptions<'_>) -> Result<Extraction, InternalError> {
    let verdict = findings.verdict();
    let statistics = findings.statistics();
    let protocol = findings.choreography.take().map(as_printed).transpose()?;
    let certificate = match &protocol {
        Some(protocol) if options.certify => {
            // A network that repeats itself differently in several processes has many more states than the minimised
            // one.
            let small = findings.minimised.as_ref().unwrap_or(network);
            match certify(small, &protocol.choreography, options)? {
                Ok(certificate) => Some(certificate),
                Err(reason) => return Ok(given_up(findings, statistics, reason, options)),
            }
        }
        _ => None,
    };
    let mut explanations = explanations(network, &findings, verdict)?;
    let small = findings.minimised.as_ref().unwrap_or(network);
    explanations.iter_mut().for_each(|explanation| offer_fairness(small, explanation, options));
    let Findings { components, minimised, .. } = findings;
    let fair = options.fair;
    Ok(Extraction { verdict, protocol, certificate, explanations, components, minimised, statistics, fair })
}

/// There is a choreography, but no memory to check it.
#[cold]
fn given_up(
    findings: Findings,
    statistics: Statistics,
    reason: StopReason,
    options: &ExtractOptions<'_>,
) -> Extraction {
    let Findings { mut components, minimised, .. } = findings;
    components.iter_mut().for_each(|component| component.found = Found::Undecided(reason));
    Extraction {
        verdict: Verdict::Undecided,
        protocol: None,
        certificate: None,
        explanations: Vec::new(),
        components,
        minimised,
        statistics,
        fair: options.fair,
    }
}

/// Where only unfair decisions starve somebody, and there are races, which are fair, says so.
fn offer_fairness(network: &Network, explanation: &mut Explanation, options: &ExtractOptions<'_>) {
    let Explanation { kind, component, hints, .. } = explanation;
    if options.fair || *kind != WitnessKind::Livelock || !has_races(network, component) {
        return;
    }
    let searched = search_component(network, component, 0, &ExtractOptions { fair: true, ..*options });
    if matches!(searched.found, Found::Graph(_)) {
        hints.push(Hint::Fair);
    }
}

/// What will be printed, and not what it was made from: that is what is checked and handed on.
fn as_printed(found: Choreography) -> Result<Protocol, InternalError> {
    let tree = choreography::read_off(&found);
    // It may be large.
    drop(found);
    let lowered = choreography::lower(&tree);
    match lowered.choreography {
        Some(choreography) => Ok(Protocol { tree, choreography }),
        None => {
            let messages = lowered.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str());
            Err(InternalError::NotCertified(messages.collect::<Vec<_>>().join("; ")))
        }
    }
}

/// Checks a choreography, unless that takes more memory than there is.
fn certify(
    network: &Network,
    choreography: &Choreography,
    options: &ExtractOptions<'_>,
) -> Result<Result<Certificate, StopReason>, InternalError> {
    let ExtractOptions { parallel, fair, limits, .. } = *options;
    // The other limits are those of the search.
    let stop = || (limits.stop)().filter(|&reason| reason == StopReason::Memory);
    let limits = Limits { max_states: None, stop: &stop };
    let options = VerifyOptions { minimise: false, parallel, fair, limits, ..VerifyOptions::default() };
    match verify(network, choreography, &options) {
        Ok(certificate) => Ok(Ok(certificate)),
        Err(NotVerified::Undecided(reason)) => Ok(Err(reason)),
        Err(NotVerified::Mismatch(mismatch)) => {
            Err(InternalError::NotCertified(mismatch.explain(network, choreography)))
        }
    }
}

fn explanations(network: &Network, findings: &Findings, verdict: Verdict) -> Result<Vec<Explanation>, InternalError> {
    let mut explanations = Vec::new();
    for (component, failure) in findings.failures() {
        let witness = Witness::new(&component.processes, failure);
        let explanation = explain(network, &witness).map_err(|error| InternalError::NotReplayed(error.to_string()))?;
        explanations.push(explanation);
    }
    explanations.sort_by_key(|explanation| explanation.kind.verdict() != verdict);
    Ok(explanations)
}

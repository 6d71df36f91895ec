//! The front door: the steps of the pipeline as one function each.
//!
//! Everything here is a short way to say what the modules can do; who wants another strategy, limits or services finds
//! them there.

use crate::analysis::Model;
use crate::answer::{Answer, Flaw, answer};
use crate::choreography::{self, Amended, Choreography, Projection, Unamendable, Unprojectable};
use crate::diagnostic::{Diagnostic, has_errors};
use crate::equivalence::{self, Bounds, Certificate, Comparison, NotVerified, System, VerifyOptions};
use crate::extraction::Options;
use crate::network::{self, Network};
use crate::syntax::{self, Kind, detect, parse_choreography, parse_network};

/// What came of reading a text.
#[derive(Debug)]
pub struct Parsed {
    /// The network or choreography; nothing if there are errors.
    pub model: Option<Model>,
    /// What is wrong, and what is strange, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// The network, if it is one.
    pub fn network(self) -> Option<Network> {
        match self.model {
            Some(Model::Network(network)) => Some(network),
            _ => None,
        }
    }

    /// The choreography, if it is one.
    pub fn choreography(self) -> Option<Choreography> {
        match self.model {
            Some(Model::Choreography(choreography)) => Some(choreography),
            _ => None,
        }
    }
}

/// Reads a text: a network, or a choreography.
///
/// ```
/// let network = laban::parse("p { main { q!<x>; stop } } | q { main { p?; stop } }").network().unwrap();
/// assert_eq!(network.processes.len(), 2);
///
/// let choreography = laban::parse("main { p.x -> q; stop }").choreography().unwrap();
/// assert_eq!(choreography.processes.len(), 2);
///
/// let parsed = laban::parse("p { main { q!<x>; stop } }");
/// assert!(parsed.model.is_none());
/// assert_eq!(parsed.diagnostics[0].message, "there is no process `q`");
/// ```
pub fn parse(text: &str) -> Parsed {
    match detect(text) {
        Kind::Network => {
            let parsed = parse_network(text);
            let mut diagnostics = parsed.diagnostics;
            if has_errors(&diagnostics) {
                return Parsed { model: None, diagnostics };
            }
            let lowered = network::lower(&parsed.tree);
            diagnostics.extend(lowered.diagnostics);
            if let Some(network) = &lowered.network {
                diagnostics.extend(network::warnings(&parsed.tree, network));
            }
            Parsed { model: lowered.network.map(Model::Network), diagnostics }
        }
        Kind::Choreography => {
            let parsed = parse_choreography(text);
            let mut diagnostics = parsed.diagnostics;
            if has_errors(&diagnostics) {
                return Parsed { model: None, diagnostics };
            }
            let lowered = choreography::lower(&parsed.tree);
            diagnostics.extend(lowered.diagnostics);
            Parsed { model: lowered.choreography.map(Model::Choreography), diagnostics }
        }
    }
}

/// All there is to say about a text: its mistakes, and if it is a network without any, its deadlocks and livelocks.
///
/// ```
/// let diagnostics = laban::check("p { main { q?; stop } } | q { main { p?; stop } }").unwrap();
/// let deadlock = diagnostics.last().unwrap();
/// assert_eq!(deadlock.code.as_str(), "deadlock");
/// assert!(laban::check("p { main { q!<x>; stop } } | q { main { p?; stop } }").unwrap().is_empty());
/// ```
pub fn check(text: &str) -> Result<Vec<Diagnostic>, Flaw> {
    let Parsed { model, mut diagnostics } = parse(text);
    if let Some(Model::Network(network)) = model {
        let answer = extract(&network)?;
        diagnostics.extend(answer.explanations.iter().map(|explanation| explanation.diagnostic(&network)));
    }
    Ok(diagnostics)
}

/// Finds the choreography of a network, or shows why there is none. The answer has been checked: a choreography
/// describes the network, and a failure has been replayed.
///
/// ```
/// use laban::{extraction::Verdict, syntax::Compact};
///
/// let network = laban::parse("p { def X { q!<x>; X } main { X } } | q { def X { p?; X } main { X } }").network().unwrap();
/// let answer = laban::extract(&network).unwrap();
/// assert_eq!(Compact(&answer.choreography.unwrap()).to_string(), "def X { p.x -> q; X } main { X }");
///
/// let network = laban::parse("p { main { q?; stop } } | q { main { p?; stop } }").network().unwrap();
/// let answer = laban::extract(&network).unwrap();
/// assert_eq!(answer.verdict, Verdict::Deadlock);
/// assert!(answer.explanations[0].reason(&network).contains("`p` and `q` wait for each other"));
/// ```
pub fn extract(network: &Network) -> Result<Answer, Flaw> {
    answer(network, &Options::default(), true)
}

/// Checks that a choreography describes a network.
///
/// ```
/// let network = laban::parse("p { main { q!<x>; stop } } | q { main { p?; stop } }").network().unwrap();
/// let described = laban::parse("main { p.x -> q; stop }").choreography().unwrap();
/// assert!(laban::verify(&network, &described).is_ok());
///
/// let other = laban::parse("main { p.y -> q; stop }").choreography().unwrap();
/// let mismatch = laban::verify(&network, &other).unwrap_err().mismatch().unwrap();
/// let reason = mismatch.explain(&network, &other);
/// assert_eq!(reason, "the choreography starts with `p.y -> q`, but `p` wants to send `x` to `q`");
/// ```
pub fn verify(network: &Network, choreography: &Choreography) -> Result<Certificate, NotVerified> {
    equivalence::verify(network, choreography, &VerifyOptions::default())
}

/// Makes the network that follows a choreography, or says which processes are not told what they would have to know.
///
/// ```
/// use laban::syntax::Compact;
///
/// let choreography = laban::parse("main { p.x -> q; q.y -> p; stop }").choreography().unwrap();
/// let projection = laban::project(&choreography).unwrap();
/// let text = Compact(&projection.tree()).to_string();
/// assert_eq!(text, "p { main { q!<x>; q?; stop } } | q { main { p?; p!<y>; stop } }");
///
/// let choreography = laban::parse("main { if p.e then q.y -> p; stop else stop }").choreography().unwrap();
/// let reasons = laban::project(&choreography).unwrap_err();
/// let message = reasons[0].diagnostic(&choreography).message;
/// assert!(message.starts_with("`q` is not told what `p` decides"));
/// ```
pub fn project(choreography: &Choreography) -> Result<Projection, Vec<Unprojectable>> {
    choreography::project(choreography)
}

/// Adds the selections without which a choreography has no projection. It works on text, so that the rest of it, comments
/// and all, stays as it is.
///
/// ```
/// use laban::syntax::Compact;
///
/// let amended = laban::amend("main { if p.e then q.y -> p; stop else stop }").unwrap();
/// assert_eq!(
///     Compact(&amended.tree).to_string(),
///     "main { if p.e then p -> q[L]; q.y -> p; stop else p -> q[R]; stop }"
/// );
/// assert_eq!(amended.added.len(), 1);
/// ```
pub fn amend(text: &str) -> Result<Amended, Unamendable> {
    let syntax::Parsed { tree, diagnostics, .. } = parse_choreography(text);
    if has_errors(&diagnostics) {
        return Err(Unamendable::IllFormed(diagnostics));
    }
    choreography::amend(&tree)
}

/// Whether two systems, each a network or a choreography, can do the same.
///
/// ```
/// let network = laban::parse("p { main { q!<x>; stop } } | q { main { p?; stop } }").network().unwrap();
/// let same = laban::parse("main { p.x -> q; stop }").choreography().unwrap();
/// let other = laban::parse("main { p.x -> q; q.y -> p; stop }").choreography().unwrap();
/// assert!(laban::equivalent(&network, &same).answer.is_same());
///
/// let comparison = laban::equivalent(&network, &other);
/// assert_eq!(
///     comparison.difference().unwrap().sentence("the network", "the choreography"),
///     "after `p.x -> q`, the choreography can do `q.y -> p` and the network cannot, where both have stopped"
/// );
/// ```
pub fn equivalent<'a>(first: impl Into<System<'a>>, second: impl Into<System<'a>>) -> Comparison {
    equivalence::compare(first.into(), second.into(), &equivalence::Options::default(), Bounds::default())
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

impl<'a> From<&'a Model> for System<'a> {
    fn from(model: &'a Model) -> Self {
        match model {
            Model::Network(network) => System::Network(network),
            Model::Choreography(choreography) => System::Choreography(choreography),
        }
    }
}

//! Comparisons: of a choreography with a network, and of two systems.

use crate::diagnostic::{Diagnostic, preformatted};
use crate::errors::{Kind, error};
use crate::extraction::Certificate;
use crate::interrupt::interruptible;
use crate::model::{AnyModel, Choreography, Network, choreography_of, network_of};
use crate::options::{Limit, channels, no_service};
use laban::equivalence::{Conditions, Difference, Equivalence, EquivalenceOptions, Mismatch, NotVerified};
use laban::network::{Channel, Channels};
use laban::{Model, StopReason, VerifyOptions};
use laban_draw::Focus;
use laban_draw::sequence::{self, SvgSequence};
use laban_report::Input;
use pyo3::prelude::*;
use std::sync::Arc;

/// How to compare.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct CompareOptions {
    services: Vec<String>,
    channels: Option<String>,
    conditions: String,
    fair: bool,
    messages: bool,
    same_services: bool,
    max_states: Option<usize>,
    timeout: Option<f64>,
}

impl CompareOptions {
    fn conditions(&self) -> PyResult<Conditions> {
        match self.conditions.as_str() {
            "text" => Ok(Conditions::ByText),
            "any" => Ok(Conditions::Any),
            _ => Err(crate::errors::wrong("conditions: expected text or any")),
        }
    }
}

/// Whether a choreography describes a network. It is true if it does.
///
/// >>> import laban
/// >>> network = laban.Network("p { main { q!<x>; stop } } | q { main { p?; stop } }")
/// >>> laban.verify(network, laban.Choreography("main { p.x -> q; stop }"))
/// <Verification: 1 action checked>
/// >>> verification = laban.verify(network, laban.Choreography("main { p.y -> q; stop }"))
/// >>> bool(verification)
/// False
/// >>> verification.diagnostics[0].code
/// 'mismatch'
#[pyclass(frozen, module = "laban")]
pub(crate) struct Verification {
    network: laban::Network,
    choreography: Arc<Input>,
    mismatch: Option<Mismatch>,
    /// What was checked, if it describes the network.
    #[pyo3(get)]
    certificate: Option<Certificate>,
    /// Where it does not, and services that are left in the middle of a conversation.
    #[pyo3(get)]
    diagnostics: Vec<Diagnostic>,
}

impl Verification {
    pub(crate) fn sequence(&self) -> PyResult<Option<sequence::Sequence>> {
        let Some(mismatch) = &self.mismatch else { return Ok(None) };
        let choreography = choreography_of(&self.choreography)?;
        Ok(Some(sequence::mismatch(&self.network, choreography, mismatch, &Focus::default())))
    }
}

#[pymethods]
impl Verification {
    /// The run that both can follow, up to where they differ.
    #[getter]
    fn run(&self) -> Vec<String> {
        let steps = self.mismatch.iter().flat_map(|mismatch| &mismatch.run);
        steps.map(|step| step.describe(&self.network).to_string()).collect()
    }

    fn __bool__(&self) -> bool {
        self.certificate.is_some()
    }

    fn __repr__(&self) -> String {
        match self.certificate.map(Certificate::pairs) {
            Some(1) => "<Verification: 1 action checked>".to_string(),
            Some(pairs) => format!("<Verification: {pairs} actions checked>"),
            None => format!("<Verification: {}>", self.diagnostics.first().map_or("", Diagnostic::line)),
        }
    }

    fn __str__(&self) -> String {
        match self.diagnostics.as_slice() {
            [] => self.__repr__(),
            all => all.iter().map(Diagnostic::lines).collect::<Vec<_>>().join("\n\n"),
        }
    }

    fn _repr_html_(&self) -> PyResult<String> {
        let picture = self.sequence()?.map_or_else(String::new, |drawn| SvgSequence(&drawn).to_string());
        Ok(format!("{}{picture}", preformatted(&self.__str__())))
    }
}

/// Does a choreography describe a network?
#[pyfunction]
pub(crate) fn verify(
    py: Python<'_>,
    network: &Bound<'_, Network>,
    choreography: &Bound<'_, Choreography>,
    options: CompareOptions,
) -> PyResult<Verification> {
    let (text, protocol) = (&network.get().input, &choreography.get().input);
    let mut network = network_of(text)?.clone();
    let choreography = choreography_of(protocol)?;
    change(&mut network, channels(options.channels.as_deref())?);
    if let Some(name) = options.services.iter().find(|name| !network.declare_service(name)) {
        return Err(no_service(name, network.process_ids().map(|process| network.process_name(process))));
    }
    let limit = Limit::new(options.max_states, options.timeout)?;
    let (fair, conditions) = (options.fair, options.conditions()?);
    let (answer, left) = interruptible(py, |stop| {
        limit.with_limits(stop, |limits| {
            let options = VerifyOptions { limits, fair, conditions, ..VerifyOptions::default() };
            let answer = laban::verify(&network, choreography, &options);
            let left = match &answer {
                Ok(_) => laban::services_left(&network, choreography, &options),
                Err(_) => Vec::new(),
            };
            (answer, left)
        })
    })?;
    let (certificate, mismatch, diagnostics) = match answer {
        Ok(certificate) => {
            let left = left.iter().map(|one| Diagnostic::new(&text.source, &one.diagnostic(&network)));
            (Some(Certificate::from(&certificate)), None, left.collect())
        }
        Err(NotVerified::Mismatch(mismatch)) => {
            let first = Diagnostic::new(&protocol.source, &mismatch.diagnostic(&network, choreography));
            let places = mismatch.places(&network);
            let places = places.iter().map(|place| Diagnostic::new(&text.source, place));
            (None, Some(mismatch), [first].into_iter().chain(places).collect())
        }
        Err(NotVerified::Undecided(reason)) => return Err(undecided(py, reason, limit)),
    };
    Ok(Verification { network, choreography: Arc::clone(protocol), mismatch, certificate, diagnostics })
}

fn undecided(py: Python<'_>, reason: StopReason, limit: Limit) -> PyErr {
    let message = match reason {
        StopReason::MaxStates(_) | StopReason::Timeout => limit.gave_up(),
        reason => reason.to_string(),
    };
    error(py, Kind::Undecided, &message, Vec::new())
}

fn change(network: &mut laban::Network, channel: Option<Channel>) {
    if let Some(channel) = channel {
        network.set_channels(Channels::all(channel));
    }
}

/// Whether two systems can do the same. It is true if they can.
///
/// >>> import laban
/// >>> first = laban.Choreography("main { p.x -> q; stop }")
/// >>> laban.equivalent(first, laban.project(first))
/// <Comparison: same>
/// >>> comparison = laban.equivalent(first, laban.Choreography("main { p.x -> q; q.y -> p; stop }"))
/// >>> comparison.outcome, comparison.run
/// ('different', ['p.x -> q'])
/// >>> comparison.reason
/// 'after `p.x -> q`, the second can do `q.y -> p`, but the first cannot: both have stopped there'
#[pyclass(frozen, module = "laban")]
pub(crate) struct Comparison {
    comparison: laban::Comparison,
}

impl Comparison {
    fn difference(&self) -> Option<&Difference> {
        self.comparison.difference()
    }

    pub(crate) fn sequence(&self) -> Option<sequence::Sequence> {
        self.difference().map(|one| sequence::difference(one, "the first", "the second", &Focus::default()))
    }

    fn possible(&self, side: usize) -> Vec<String> {
        let steps = |one: &Difference| one.possible[side].iter().map(|&step| one.step(step)).collect();
        self.difference().map_or_else(Vec::new, steps)
    }
}

#[pymethods]
impl Comparison {
    /// `same` or `different`.
    #[getter]
    fn outcome(&self) -> &str {
        if self.comparison.is_same() { "same" } else { "different" }
    }

    /// Whether the answer is exact; a choreography without a projection is compared as written, within bounds.
    #[getter]
    fn exact(&self) -> bool {
        self.comparison.is_exact()
    }

    /// How they differ, in a sentence.
    #[getter]
    fn reason(&self) -> Option<String> {
        self.difference().map(|one| one.sentence("the first", "the second"))
    }

    /// If they can do the same but one gets stuck where the other stops: how, in a sentence.
    #[getter]
    fn ends(&self) -> Option<String> {
        match &self.comparison.answer {
            Equivalence::Same { ends: Some(ends), .. } => Some(ends.sentence("the first", "the second")),
            _ => None,
        }
    }

    /// The run that both can follow, up to where they differ.
    #[getter]
    fn run(&self) -> Vec<String> {
        let steps = |one: &Difference| one.run.iter().map(|&step| one.step(step)).collect();
        self.difference().map_or_else(Vec::new, steps)
    }

    /// What the first can do there.
    #[getter]
    fn first_can(&self) -> Vec<String> {
        self.possible(0)
    }

    /// What the second can do there.
    #[getter]
    fn second_can(&self) -> Vec<String> {
        self.possible(1)
    }

    fn __bool__(&self) -> bool {
        self.comparison.is_same()
    }

    fn __repr__(&self) -> String {
        format!("<Comparison: {}>", self.outcome())
    }

    fn __str__(&self) -> String {
        self.reason().unwrap_or_else(|| "they can do the same".to_string())
    }

    fn _repr_html_(&self) -> String {
        let picture = self.sequence().map_or_else(String::new, |drawn| SvgSequence(&drawn).to_string());
        format!("{}{picture}", preformatted(&self.__str__()))
    }
}

/// Can two systems do the same?
#[pyfunction]
pub(crate) fn equivalent(
    py: Python<'_>,
    first: AnyModel<'_>,
    second: AnyModel<'_>,
    options: CompareOptions,
) -> PyResult<Comparison> {
    let channel = channels(options.channels.as_deref())?;
    let model = |input: Arc<Input>| {
        let mut model = input.analysis.model().cloned();
        if let Some(Model::Network(network)) = &mut model {
            change(network, channel);
        }
        model.ok_or_else(|| crate::errors::wrong("there is nothing to compare"))
    };
    let (first, second) = (model(first.input())?, model(second.input())?);
    let limit = Limit::new(options.max_states, options.timeout)?;
    let conditions = options.conditions()?;
    let comparison = interruptible(py, |stop| {
        limit.with_limits(stop, |limits| {
            let CompareOptions { messages, same_services: services, .. } = options;
            laban::equivalent(&first, &second, &EquivalenceOptions { services, limits, conditions, messages })
        })
    })?;
    match comparison.answer {
        Equivalence::Undecided { reason, .. } => Err(undecided(py, reason, limit)),
        _ => Ok(Comparison { comparison }),
    }
}

//! Extractions and checks: the answer for a network.

use crate::answer::{Answer, Answered, Effort, answered};
use crate::diagnostic::Diagnostic;
use crate::draw::answer_svg;
use crate::errors::{Kind, error, wrong};
use crate::failure::Failure;
use crate::interrupt::interruptible;
use crate::model::{AnyModel, Choreography, Network, bundle, made, network_of};
use crate::options::SearchOptions;
use crate::subject::own;
use laban::network::ProcessId;
use laban::syntax::Kind as TextKind;
use laban::{Model, Pretty};
use laban_report::{Checked, Files, ReadArgs, json, untold};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What was checked about a choreography before it was given out.
///
/// >>> import laban
/// >>> extraction = laban.extract("p { main { q!<x>; stop } } | q { main { p?; stop } }")
/// >>> extraction.certificate
/// Certificate(parts=1, pairs=1)
#[pyclass(frozen, get_all, eq, module = "laban")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Certificate {
    /// How many parts that never interact were checked.
    parts: usize,
    /// How many actions were checked.
    pairs: usize,
}

impl Certificate {
    /// How many actions were checked.
    pub(crate) fn pairs(self) -> usize {
        self.pairs
    }
}

impl From<&laban::Certificate> for Certificate {
    fn from(certificate: &laban::Certificate) -> Self {
        Certificate { parts: certificate.parts, pairs: certificate.pairs }
    }
}

#[pymethods]
impl Certificate {
    fn __repr__(&self) -> String {
        format!("Certificate(parts={}, pairs={})", self.parts, self.pairs)
    }
}

/// The answer for a network: its choreography, or why there isn't one. It is true if there is a choreography.
///
/// >>> import laban
/// >>> extraction = laban.extract("p { main { q!<x>; stop } } | q { main { p?; stop } }")
/// >>> extraction.outcome, str(extraction.choreography)
/// ('extracted', 'main { p.x -> q; stop }')
/// >>> extraction = laban.extract("p { main { q?; stop } } | q { main { p?; stop } }")
/// >>> extraction.outcome, bool(extraction)
/// ('deadlock', False)
/// >>> extraction.reason
/// '`p` and `q` wait for each other: both want to receive'
#[pyclass(frozen, module = "laban")]
pub(crate) struct Extraction {
    inner: Answered,
}

impl From<Answered> for Extraction {
    fn from(inner: Answered) -> Self {
        Extraction { inner }
    }
}

impl Extraction {
    pub(crate) fn answer(&self) -> Option<&Arc<Answer>> {
        self.inner.answer.as_ref()
    }

    fn shown(&self) -> String {
        match (&self.inner.record.choreography, &self.inner.record.reason) {
            (Some(_), _) => {
                let tree = self.answer().and_then(|answer| answer.extraction.tree());
                tree.map_or_else(String::new, |tree| Pretty { tree, source: "" }.to_string().trim_end().to_string())
            }
            (None, Some(reason)) => format!("{}: {reason}", self.inner.record.outcome),
            (None, None) => self.inner.record.outcome.to_string(),
        }
    }
}

#[pymethods]
impl Extraction {
    /// `extracted`, `deadlock`, `livelock`, `orphan`, `unbounded`; of many networks also `ill-formed`,
    /// `syntax-error`, `undecided` or `fault`.
    #[getter]
    fn outcome(&self) -> &str {
        self.inner.record.outcome
    }

    /// Why there is no choreography, in a sentence.
    #[getter]
    fn reason(&self) -> Option<&str> {
        self.inner.record.reason.as_deref()
    }

    /// The choreography, if there is one.
    #[getter]
    fn choreography(&self, py: Python<'_>) -> PyResult<Option<Choreography>> {
        let Some(answer) = self.answer() else { return Ok(None) };
        let Some(tree) = answer.extraction.tree() else { return Ok(None) };
        let text = Pretty { tree, source: "" }.to_string();
        Ok(Some(Choreography { input: made(py, TextKind::Choreography, None, text)? }))
    }

    /// Why there is no choreography: one failure for each part of the network that fails.
    #[getter]
    fn failures(&self) -> Vec<Failure> {
        let Some(answer) = self.answer() else { return Vec::new() };
        (0..answer.extraction.explanations().len()).map(|number| Failure::new(Arc::clone(answer), number)).collect()
    }

    /// The network.
    #[getter]
    fn network(&self) -> Option<Network> {
        let input = self.inner.input.as_ref()?;
        input.analysis.network().map(|_| Network { input: Arc::clone(input) })
    }

    /// What was checked about the choreography; nothing if there isn't one, or if it was not to be checked.
    #[getter]
    fn certificate(&self) -> Option<Certificate> {
        self.answer()?.extraction.certificate().map(Certificate::from)
    }

    /// What is wrong with the text of a network that is one of many; the failures of a network that has none.
    #[getter]
    fn diagnostics(&self) -> Vec<Diagnostic> {
        let Some(input) = &self.inner.input else { return Vec::new() };
        let Some(answer) = self.answer() else {
            let errors = Files::One.explained(&input.analysis);
            return errors.iter().map(|one| Diagnostic::new(&input.source, one)).collect();
        };
        let Some(network) = answer.network() else { return Vec::new() };
        let all = answer.extraction.explanations().iter().map(|explanation| explanation.diagnostic(network));
        all.map(|one| Diagnostic::new(&input.source, &one)).collect()
    }

    /// The queues that are needed: by sender and receiver, how many messages wait in it at most.
    #[getter]
    fn capacities(&self) -> BTreeMap<(String, String), u32> {
        let all = self.inner.record.capacities.iter();
        all.map(|one| ((one.from.clone(), one.to.clone()), one.messages)).collect()
    }

    /// Which services can be left in the middle of a conversation, and how.
    #[getter]
    fn services_left(&self) -> Vec<String> {
        self.inner.record.services_left.clone()
    }

    /// How many parts of the network never interact.
    #[getter]
    fn components(&self) -> usize {
        self.inner.record.components
    }

    /// How many nodes the search made.
    #[getter]
    fn nodes(&self) -> usize {
        self.inner.record.nodes
    }

    /// How often an action was given up because it would have closed a loop that starves somebody.
    #[getter]
    fn bad_loops(&self) -> usize {
        self.inner.record.bad_loops
    }

    /// The name of the file, or of the text.
    #[getter]
    fn file(&self) -> &str {
        &self.inner.record.file
    }

    /// The name of the network among many.
    #[getter]
    fn id(&self) -> Option<&str> {
        self.inner.record.id.as_deref()
    }

    /// The answer as JSON, as the command writes it, with or without the failures in full.
    #[pyo3(signature = (witnesses=true))]
    fn to_json(&self, witnesses: bool) -> String {
        let record = self.inner.record.clone();
        let record = match self.answer().and_then(|answer| Some((answer, answer.network()?))) {
            Some((answer, network)) if witnesses => {
                record.with_witnesses(&answer.extraction, network, &answer.input.source)
            }
            _ => record,
        };
        json::line(&record).trim_end().to_string()
    }

    fn __bool__(&self) -> bool {
        self.inner.record.choreography.is_some()
    }

    fn __str__(&self) -> String {
        self.shown()
    }

    fn __repr__(&self) -> String {
        format!("<Extraction {}: {}>", self.inner.record.file, self.inner.record.outcome)
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.answer().and_then(|answer| answer_svg(answer))
    }

    fn _repr_html_(&self) -> String {
        let failures = self.diagnostics();
        match failures.is_empty() {
            true => crate::diagnostic::preformatted(&self.shown()),
            false => failures.iter().map(|one| one.html()).collect(),
        }
    }

    #[pyo3(signature = (include=None, exclude=None))]
    fn _repr_mimebundle_<'py>(
        &self,
        py: Python<'py>,
        include: Option<Bound<'py, PyAny>>,
        exclude: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let _ = (include, exclude);
        match self._repr_svg_() {
            Some(svg) => bundle(py, &self.shown(), &svg),
            None => {
                let all = PyDict::new(py);
                all.set_item("text/plain", self.shown())?;
                Ok(all)
            }
        }
    }
}

/// Extracts a network.
#[pyfunction]
pub(crate) fn extract(py: Python<'_>, network: &Bound<'_, Network>, options: SearchOptions) -> PyResult<Extraction> {
    let input = Arc::clone(&network.get().input);
    let network = options.applied(network_of(&input)?)?;
    if let Some(refusal) = options.refusal(&network) {
        return Err(wrong(refusal));
    }
    let file = input.source.name.clone();
    let found = interruptible(py, |stop| answered(file, None, Arc::clone(&input), &options, stop, Effort::Thorough))?;
    let reason = found.record.reason.clone().unwrap_or_default();
    match found.record.outcome {
        "undecided" => Err(error(py, Kind::Undecided, &reason, Vec::new())),
        "fault" => Err(error(py, Kind::Fault, &reason, Vec::new())),
        _ => Ok(found.into()),
    }
}

/// What there is to say about a text. It is true if there are no errors.
///
/// >>> import laban
/// >>> check = laban.check("p { main { q?; stop } } | q { main { p?; stop } }")
/// >>> bool(check), check.outcome
/// (False, 'deadlock')
/// >>> [str(diagnostic) for diagnostic in check.errors]
/// ['<text>:1:12: error[deadlock]: `p` and `q` wait for each other: both want to receive']
#[pyclass(frozen, get_all, module = "laban")]
pub(crate) struct Check {
    /// The answer in a word: of a network, as in `Extraction`; of a choreography, `well-formed`; of either,
    /// `ill-formed` or `syntax-error`.
    outcome: &'static str,
    /// All of it in one line, as `laban check` prints it.
    summary: String,
    /// Errors, warnings and notes, in order.
    diagnostics: Vec<Diagnostic>,
}

#[pymethods]
impl Check {
    /// The errors among the diagnostics.
    #[getter]
    fn errors(&self) -> Vec<Diagnostic> {
        self.of("error")
    }

    /// The warnings among the diagnostics.
    #[getter]
    fn warnings(&self) -> Vec<Diagnostic> {
        self.of("warning")
    }

    fn __bool__(&self) -> bool {
        matches!(self.outcome, "extracted" | "well-formed")
    }

    fn __str__(&self) -> String {
        self.diagnostics.iter().map(|one| one.lines()).collect::<Vec<_>>().join("\n\n")
    }

    fn __repr__(&self) -> String {
        format!("<Check: {}, {} diagnostics>", self.outcome, self.diagnostics.len())
    }

    fn _repr_html_(&self) -> String {
        match self.diagnostics.is_empty() {
            true => crate::diagnostic::preformatted(&self.summary),
            false => self.diagnostics.iter().map(|one| one.html()).collect(),
        }
    }
}

impl Check {
    fn of(&self, severity: &str) -> Vec<Diagnostic> {
        self.diagnostics.iter().filter(|one| one.is(severity)).cloned().collect()
    }
}

/// A text or a model, as an argument.
#[derive(FromPyObject)]
pub(crate) enum TextOrModel<'py> {
    Model(AnyModel<'py>),
    Text(String),
}

/// Checks a text.
#[pyfunction]
pub(crate) fn check(py: Python<'_>, subject: TextOrModel<'_>, options: SearchOptions) -> PyResult<Check> {
    let input = match subject {
        TextOrModel::Model(model) => model.input(),
        TextOrModel::Text(text) => {
            let kind = laban::Analysis::new(text.as_str()).kind();
            Arc::new(own(kind, None, text))
        }
    };
    let args = ReadArgs::default();
    let limit = options.limit();
    let (checked, outcome) = match input.analysis.model() {
        None => {
            let outcome = if input.analysis.syntax_errors().is_empty() { "ill-formed" } else { "syntax-error" };
            (Checked::unusable(&input, Files::One), outcome)
        }
        Some(Model::Network(network)) => {
            let network = options.applied(network)?;
            if let Some(refusal) = options.refusal(&network) {
                return Err(wrong(refusal));
            }
            let answer = interruptible(py, |stop| options.thorough_answer(&network, stop))?;
            let answer = answer.map_err(|fault| error(py, Kind::Fault, &fault.to_string(), Vec::new()))?;
            let outcome = answer.verdict().as_str();
            let warnings = input.analysis.diagnostics().to_vec();
            let left =
                interruptible(py, |stop| limit.with_limits(stop, |limits| answer.services_left(&network, limits)))?;
            (Checked::network(network, answer, warnings, &left, false, || limit.gave_up()), outcome)
        }
        Some(Model::Choreography(choreography)) => {
            processes(choreography, options.services())?;
            let services = || options.services().iter().map(String::as_str);
            let untold = interruptible(py, |stop| {
                limit.with_limits(stop, |limits| untold(&input, choreography, services(), &args, limits))
            })?;
            (Checked::choreography(&input, choreography, untold), "well-formed")
        }
    };
    let Checked { diagnostics, failures, left, summary, .. } = checked;
    let shown = |one: &laban::Diagnostic| Diagnostic::new(&input.source, one);
    let mut all: Vec<Diagnostic> = diagnostics.iter().map(shown).collect();
    if let Some((network, explanations)) = &failures {
        all.extend(explanations.iter().map(|explanation| shown(&explanation.diagnostic(network))));
    }
    all.extend(left.iter().map(|(diagnostic, _)| shown(diagnostic)));
    Ok(Check { outcome, summary, diagnostics: all })
}

/// Processes of a choreography by name.
pub(crate) fn processes(choreography: &laban::Choreography, names: &[String]) -> PyResult<Vec<ProcessId>> {
    laban_report::named(names, choreography, "services").map_err(wrong)
}

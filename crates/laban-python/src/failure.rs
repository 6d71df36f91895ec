//! Failures: why a part of a network has no choreography.

use crate::answer::Answer;
use crate::diagnostic::Diagnostic;
use crate::draw::failure_svg;
use crate::model::bundle;
use laban::extraction::explain::{Event, Explanation};
use laban_report::{Witness, json};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// A process that cannot go on.
///
/// >>> import laban
/// >>> [failure] = laban.extract("p { main { q?; stop } } | q { main { p?; stop } }").failures
/// >>> [waiting.why for waiting in failure.stuck]
/// ['`p` waits for a value from `q`, which waits for `p`', '`q` waits for a value from `p`, which waits for `q`']
#[pyclass(frozen, get_all, eq, module = "laban")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Waiting {
    /// The process.
    process: String,
    /// What it wants to do.
    wants: String,
    /// The process that it needs for that.
    waits_for: String,
    /// Why it cannot, in a few words.
    why: String,
    /// Where it is in the text.
    line: usize,
    /// Where it is in the line.
    column: usize,
}

#[pymethods]
impl Waiting {
    fn __repr__(&self) -> String {
        format!("<Waiting: {}>", self.why)
    }
}

/// Why a part of a network has no choreography: the run that leads there, who cannot go on, and what would help.
///
/// >>> import laban
/// >>> [failure] = laban.extract("p { main { q!<x>; q?; stop } } | q { main { p?; p?; stop } }").failures
/// >>> failure.kind, failure.run
/// ('deadlock', ['p.x -> q'])
/// >>> failure.circles
/// [['p', 'q']]
#[pyclass(frozen, module = "laban")]
pub(crate) struct Failure {
    answer: Arc<Answer>,
    number: usize,
}

impl Failure {
    pub(crate) fn new(answer: Arc<Answer>, number: usize) -> Self {
        Failure { answer, number }
    }

    /// The network and the explanation, which are there since the failure is.
    pub(crate) fn parts(&self) -> Option<(&laban::Network, &Explanation)> {
        Some((self.answer.network()?, self.answer.extraction.explanations().get(self.number)?))
    }

    fn steps(&self, of: impl FnOnce(&Explanation) -> &[Event]) -> Vec<String> {
        let describe = |(network, explanation)| {
            let steps = of(explanation).iter();
            steps.map(|event: &Event| event.step.describe(network).to_string()).collect()
        };
        self.parts().map_or_else(Vec::new, describe)
    }
}

#[pymethods]
impl Failure {
    /// `deadlock`, `livelock`, `orphan` or `unbounded`.
    #[getter]
    fn kind(&self) -> &str {
        self.parts().map_or("", |(_, explanation)| explanation.kind.as_str())
    }

    /// What is wrong, in a sentence.
    #[getter]
    fn reason(&self) -> String {
        self.parts().map_or_else(String::new, |(network, explanation)| explanation.reason(network))
    }

    /// The processes of the part of the network that fails.
    #[getter]
    fn processes(&self) -> Vec<String> {
        let names = |(network, explanation): (&laban::Network, &Explanation)| {
            explanation.component.iter().map(|&process| network.process_name(process).to_string()).collect()
        };
        self.parts().map_or_else(Vec::new, names)
    }

    /// What happens before, step by step.
    #[getter]
    fn run(&self) -> Vec<String> {
        self.steps(|explanation| &explanation.run)
    }

    /// What can then be repeated forever.
    #[getter]
    fn cycle(&self) -> Vec<String> {
        self.steps(|explanation| &explanation.cycle)
    }

    /// Who cannot go on, and why.
    #[getter]
    fn stuck(&self) -> Vec<Waiting> {
        let Some((network, explanation)) = self.parts() else { return Vec::new() };
        let source = &self.answer.input.source;
        let waiting = |waiting: &laban::extraction::explain::Waiting| {
            let place = source.position(source.range(waiting.span).0);
            Waiting {
                process: network.process_name(waiting.process).to_string(),
                wants: waiting.wish.describe(network).to_string(),
                waits_for: network.process_name(waiting.wish.partner()).to_string(),
                why: waiting.text(network, explanation),
                line: place.line,
                column: place.column,
            }
        };
        explanation.stuck.iter().map(waiting).collect()
    }

    /// Processes that wait for each other in a circle.
    #[getter]
    fn circles(&self) -> Vec<Vec<String>> {
        let Some((network, explanation)) = self.parts() else { return Vec::new() };
        let names = |circle: &[laban::network::ProcessId]| {
            circle.iter().map(|&process| network.process_name(process).to_string()).collect()
        };
        explanation.circles().map(names).collect()
    }

    /// What would help, one sentence each.
    #[getter]
    fn hints(&self) -> Vec<String> {
        let Some((network, explanation)) = self.parts() else { return Vec::new() };
        explanation.hints.iter().map(|hint| hint.text(network, explanation)).collect()
    }

    /// The failure as a diagnostic, with the lines that it is about.
    #[getter]
    fn diagnostic(&self) -> Option<Diagnostic> {
        let (network, explanation) = self.parts()?;
        Some(Diagnostic::new(&self.answer.input.source, &explanation.diagnostic(network)))
    }

    /// The failure as JSON, as the command writes it.
    fn to_json(&self) -> String {
        let Some((network, explanation)) = self.parts() else { return String::new() };
        json::line(&Witness::new(explanation, network, &self.answer.input.source)).trim_end().to_string()
    }

    fn __str__(&self) -> String {
        self.diagnostic().map_or_else(String::new, |diagnostic| diagnostic.lines().to_string())
    }

    fn __repr__(&self) -> String {
        format!("<Failure {}: {}>", self.kind(), self.reason())
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.parts().map(|(network, explanation)| failure_svg(network, explanation))
    }

    fn _repr_html_(&self) -> String {
        let picture = self._repr_svg_().unwrap_or_default();
        format!("{}{picture}", self.diagnostic().map_or_else(String::new, |one| one.html()))
    }

    #[pyo3(signature = (include=None, exclude=None))]
    fn _repr_mimebundle_<'py>(
        &self,
        py: Python<'py>,
        include: Option<Bound<'py, PyAny>>,
        exclude: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let _ = (include, exclude);
        let all = bundle(py, &self.__str__(), &self._repr_svg_().unwrap_or_default())?;
        all.set_item("text/html", self._repr_html_())?;
        Ok(all)
    }
}

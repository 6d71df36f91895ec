//! Networks and choreographies.

use crate::diagnostic::Diagnostic;
use crate::draw::{communications_svg, sequence_svg};
use crate::errors::{Kind as ErrorKind, about, wrong};
use crate::subject::{Reading, own};
use laban::syntax::Kind;
use laban::{Compact, Model, Pretty, SyntaxTree};
use laban_report::{Files, Input};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// A network: what each process does.
///
/// >>> import laban
/// >>> network = laban.Network("p { main { q!<x>; stop } } | q { main { p?; stop } }")
/// >>> network.processes
/// ['p', 'q']
/// >>> print(network)
/// p { main { q!<x>; stop } }
/// | q { main { p?; stop } }
#[pyclass(frozen, module = "laban")]
#[derive(Clone)]
pub(crate) struct Network {
    pub(crate) input: Arc<Input>,
}

/// A choreography: what all processes do together.
///
/// >>> import laban
/// >>> choreography = laban.Choreography("main { p.x -> q; q.y -> p; stop }")
/// >>> choreography.processes
/// ['p', 'q']
/// >>> print(choreography)
/// main { p.x -> q; q.y -> p; stop }
#[pyclass(frozen, module = "laban")]
#[derive(Clone)]
pub(crate) struct Choreography {
    pub(crate) input: Arc<Input>,
}

/// Either of them, as an argument.
#[derive(FromPyObject)]
pub(crate) enum AnyModel<'py> {
    Network(Bound<'py, Network>),
    Choreography(Bound<'py, Choreography>),
}

impl AnyModel<'_> {
    pub(crate) fn input(&self) -> Arc<Input> {
        match self {
            AnyModel::Network(network) => Arc::clone(&network.get().input),
            AnyModel::Choreography(choreography) => Arc::clone(&choreography.get().input),
        }
    }
}

/// The network that an input is known to be.
pub(crate) fn network_of(input: &Input) -> PyResult<&laban::Network> {
    input.analysis.network().ok_or_else(|| wrong("a network is needed here"))
}

/// The choreography that an input is known to be.
pub(crate) fn choreography_of(input: &Input) -> PyResult<&laban::Choreography> {
    input.analysis.choreography().ok_or_else(|| wrong("a choreography is needed here"))
}

/// What was read, as an object of its class.
fn object(py: Python<'_>, input: Input) -> PyResult<Py<PyAny>> {
    let input = Arc::new(input);
    Ok(match input.analysis.model() {
        Some(Model::Choreography(_)) => Choreography { input }.into_pyobject(py)?.into_any().unbind(),
        _ => Network { input }.into_pyobject(py)?.into_any().unbind(),
    })
}

/// Reads a text.
#[pyfunction]
pub(crate) fn parse(py: Python<'_>, text: Vec<u8>, name: Option<String>, reading: Reading) -> PyResult<Py<PyAny>> {
    object(py, reading.read(py, vec![(name, text)])?)
}

/// Reads texts that are parts of one network.
#[pyfunction]
pub(crate) fn together(py: Python<'_>, texts: Vec<(Option<String>, Vec<u8>)>, reading: Reading) -> PyResult<Py<PyAny>> {
    object(py, reading.read(py, texts)?)
}

/// A text of Laban itself, made by Laban.
pub(crate) fn made(py: Python<'_>, kind: Kind, name: Option<&str>, text: String) -> PyResult<Arc<Input>> {
    let input = own(kind, name, text);
    match input.analysis.model() {
        Some(_) => Ok(Arc::new(input)),
        None => {
            let errors = Files::One.explained(&input.analysis);
            Err(about(py, ErrorKind::Fault, &input.source, &errors))
        }
    }
}

/// A text of a kind, as the constructors take it.
fn constructed(py: Python<'_>, kind: Kind, text: String, name: Option<&str>) -> PyResult<Arc<Input>> {
    let input = own(kind, name, text);
    match input.analysis.model() {
        Some(_) => Ok(Arc::new(input)),
        None => {
            let errors = Files::One.explained(&input.analysis);
            Err(about(py, ErrorKind::IllFormed, &input.source, &errors))
        }
    }
}

/// The text in Laban's own language, over several lines or on one.
pub(crate) fn printed(input: &Input, pretty: bool) -> String {
    // Only Laban's own texts have the comments of their trees.
    let source = if input.foreign.is_none() { input.source.text.as_str() } else { "" };
    match (input.analysis.tree(), pretty) {
        (SyntaxTree::Network(tree), true) => Pretty { tree, source }.to_string(),
        (SyntaxTree::Choreography(tree), true) => Pretty { tree, source }.to_string(),
        (SyntaxTree::Network(tree), false) => Compact(tree).to_string(),
        (SyntaxTree::Choreography(tree), false) => Compact(tree).to_string(),
    }
}

fn warnings(input: &Input) -> Vec<Diagnostic> {
    input.analysis.diagnostics().iter().map(|one| Diagnostic::new(&input.source, one)).collect()
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// How Jupyter shows something that has a picture.
pub(crate) fn bundle<'py>(py: Python<'py>, text: &str, svg: &str) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    all.set_item("text/plain", text)?;
    all.set_item("image/svg+xml", svg)?;
    Ok(all)
}

/// What a text made by pickling needs: the text in Laban's own language, and the name.
fn arguments(input: &Input) -> (String, Option<String>) {
    let name = Some(input.source.name.clone()).filter(|name| name != crate::subject::NAMELESS);
    let text = match input.foreign.is_none() && !input.source.is_spread() {
        true => input.source.text.clone(),
        // A text of another tool may have channels that its tree does not know of.
        false => match input.analysis.model() {
            Some(Model::Network(network)) => laban_formats::write_net(network),
            Some(Model::Choreography(choreography)) => laban_formats::write_chor(choreography),
            None => printed(input, true),
        },
    };
    (text, name)
}

#[pymethods]
impl Network {
    #[new]
    #[pyo3(signature = (text, name=None))]
    fn new(py: Python<'_>, text: String, name: Option<&str>) -> PyResult<Self> {
        Ok(Network { input: constructed(py, Kind::Network, text, name)? })
    }

    /// What messages call it: the name of its file.
    #[getter]
    fn name(&self) -> &str {
        &self.input.source.name
    }

    /// The text as it was given.
    #[getter]
    fn text(&self) -> &str {
        &self.input.source.text
    }

    /// The network on one line.
    #[getter]
    fn compact(&self) -> String {
        printed(&self.input, false)
    }

    /// The names of its processes.
    #[getter]
    fn processes(&self) -> PyResult<Vec<String>> {
        let network = network_of(&self.input)?;
        Ok(network.process_ids().map(|process| network.process_name(process).to_string()).collect())
    }

    /// The names of its services.
    #[getter]
    fn services(&self) -> PyResult<Vec<String>> {
        let network = network_of(&self.input)?;
        let services = network.processes().iter().filter(|process| process.service);
        Ok(services.map(|process| network.text(process.name).to_string()).collect())
    }

    /// Whether some messages wait in queues.
    #[getter]
    fn has_queues(&self) -> PyResult<bool> {
        Ok(network_of(&self.input)?.has_queues())
    }

    /// Warnings and notes about the text.
    #[getter]
    fn warnings(&self) -> Vec<Diagnostic> {
        warnings(&self.input)
    }

    fn __str__(&self) -> String {
        printed(&self.input, true).trim_end().to_string()
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<Network {}: {}>", self.input.source.name, self.processes()?.join(", ")))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Network>().is_ok_and(|other| other.get().compact() == self.compact())
    }

    fn __hash__(&self) -> u64 {
        hash(&self.compact())
    }

    fn __getnewargs__(&self) -> (String, Option<String>) {
        arguments(&self.input)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        Ok(communications_svg(network_of(&self.input)?))
    }

    fn _repr_html_(&self) -> String {
        crate::diagnostic::preformatted(&self.__str__())
    }

    #[pyo3(signature = (include=None, exclude=None))]
    fn _repr_mimebundle_<'py>(
        &self,
        py: Python<'py>,
        include: Option<Bound<'py, PyAny>>,
        exclude: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let _ = (include, exclude);
        bundle(py, &self.__str__(), &self._repr_svg_()?)
    }
}

#[pymethods]
impl Choreography {
    #[new]
    #[pyo3(signature = (text, name=None))]
    fn new(py: Python<'_>, text: String, name: Option<&str>) -> PyResult<Self> {
        Ok(Choreography { input: constructed(py, Kind::Choreography, text, name)? })
    }

    /// What messages call it: the name of its file.
    #[getter]
    fn name(&self) -> &str {
        &self.input.source.name
    }

    /// The text as it was given.
    #[getter]
    fn text(&self) -> &str {
        &self.input.source.text
    }

    /// The choreography on one line.
    #[getter]
    fn compact(&self) -> String {
        printed(&self.input, false)
    }

    /// The names of its processes.
    #[getter]
    fn processes(&self) -> PyResult<Vec<String>> {
        let choreography = choreography_of(&self.input)?;
        Ok(choreography.processes().iter().map(|&name| choreography.text(name).to_string()).collect())
    }

    /// Warnings and notes about the text.
    #[getter]
    fn warnings(&self) -> Vec<Diagnostic> {
        warnings(&self.input)
    }

    fn __str__(&self) -> String {
        printed(&self.input, true).trim_end().to_string()
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<Choreography {}: {}>", self.input.source.name, self.processes()?.join(", ")))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Choreography>().is_ok_and(|other| other.get().compact() == self.compact())
    }

    fn __hash__(&self) -> u64 {
        hash(&self.compact())
    }

    fn __getnewargs__(&self) -> (String, Option<String>) {
        arguments(&self.input)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        sequence_svg(&self.input)
    }

    fn _repr_html_(&self) -> String {
        crate::diagnostic::preformatted(&self.__str__())
    }

    #[pyo3(signature = (include=None, exclude=None))]
    fn _repr_mimebundle_<'py>(
        &self,
        py: Python<'py>,
        include: Option<Bound<'py, PyAny>>,
        exclude: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let _ = (include, exclude);
        bundle(py, &self.__str__(), &self._repr_svg_()?)
    }
}

//! One run of a network.

use crate::diagnostic::Diagnostic;
use crate::errors::{Kind, about, wrong};
use crate::extraction::processes;
use crate::interrupt::interruptible;
use crate::model::{AnyModel, bundle};
use crate::options::{channels, no_service};
use laban::diagnostic::quote;
use laban::network::{Channels, State};
use laban::semantics::Step;
use laban::simulate::{Rule, Scheduler, Session};
use laban::{Model, ProjectOptions};
use laban_draw::Focus;
use laban_draw::sequence::{self, SvgSequence};
use laban_report::{MOST_EXPLAINED, RunRecord, go, json, no_process};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::Ordering;

/// How to run.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct RunOptions {
    seed: u64,
    max_steps: usize,
    services: Vec<String>,
    channels: Option<String>,
    decide: Vec<(String, Decision)>,
}

/// How a decision goes.
#[derive(FromPyObject)]
enum Decision {
    Holds(bool),
    /// The item of a choice, counted from 1.
    Item(u32),
}

/// One run of a network, and where it has led.
///
/// >>> import laban
/// >>> run = laban.run(laban.Network("p { main { q!<x>; stop } } | q { main { p?; stop } }"))
/// >>> run.outcome, run.steps
/// ('stopped', ['p.x -> q'])
#[pyclass(frozen, module = "laban")]
pub(crate) struct Run {
    network: laban::Network,
    taken: Vec<Step>,
    /// `stopped`, `deadlock`, `orphan`, or `limit` if more could happen.
    #[pyo3(get)]
    outcome: String,
    /// What happened, step by step.
    #[pyo3(get)]
    steps: Vec<String>,
    /// After a deadlock, why.
    #[pyo3(get)]
    diagnostics: Vec<Diagnostic>,
    json: String,
}

impl Run {
    pub(crate) fn sequence(&self, focus: &Focus) -> sequence::Sequence {
        sequence::run(&self.network, &self.taken, focus)
    }
}

#[pymethods]
impl Run {
    /// The run as JSON, as the command writes it.
    fn to_json(&self) -> &str {
        &self.json
    }

    fn __len__(&self) -> usize {
        self.steps.len()
    }

    fn __str__(&self) -> String {
        let steps = self.steps.iter().map(|step| format!("{step}\n"));
        format!("{}{}", steps.collect::<String>(), self.outcome)
    }

    fn __repr__(&self) -> String {
        format!("<Run: {} after {} steps>", self.outcome, self.steps.len())
    }

    fn _repr_svg_(&self) -> String {
        SvgSequence(&self.sequence(&Focus::default())).to_string()
    }

    fn _repr_html_(&self) -> String {
        let why: String = self.diagnostics.iter().map(Diagnostic::html).collect();
        format!("{}{why}", self._repr_svg_())
    }

    #[pyo3(signature = (include=None, exclude=None))]
    fn _repr_mimebundle_<'py>(
        &self,
        py: Python<'py>,
        include: Option<Bound<'py, PyAny>>,
        exclude: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let _ = (include, exclude);
        bundle(py, &self.__str__(), &self._repr_svg_())
    }
}

/// Runs a network, or a choreography as its projection.
#[pyfunction]
pub(crate) fn run(py: Python<'_>, model: AnyModel<'_>, options: RunOptions) -> PyResult<Run> {
    let input = model.input();
    let (mut network, kind) = match input.analysis.model() {
        Some(Model::Network(network)) => {
            let mut network = network.clone();
            if let Some(name) = options.services.iter().find(|name| !network.declare_service(name)) {
                return Err(no_service(name, network.process_ids().map(|process| network.process_name(process))));
            }
            (network, "network")
        }
        Some(Model::Choreography(choreography)) => {
            let services = processes(choreography, &options.services)?;
            let projected = laban::project(choreography, &ProjectOptions { services: &services, ..Default::default() });
            let projection = projected.map_err(|refused| {
                let reasons = input.untold(choreography, refused.reasons());
                about(py, Kind::Unprojectable, &input.source, &reasons)
            })?;
            (projection.network, "choreography")
        }
        None => return Err(wrong("there is nothing to run")),
    };
    if let (Some(channel), "network") = (channels(options.channels.as_deref())?, kind) {
        network.set_channels(Channels::all(channel));
    }
    let rules = rules(&options.decide, &network)?;
    let (taken, json, diagnostics) = interruptible(py, |stop| {
        let mut scheduler = Scheduler::new(options.seed, rules);
        let mut session = Session::new(&network);
        let ending = go(&mut session, &mut scheduler, options.max_steps, || stop.load(Ordering::Relaxed));
        let record = RunRecord::new((&input.source, &network), kind, options.seed, &session, ending);
        let json = json::line(&record).trim_end().to_string();
        let taken: Vec<Step> = session.taken().iter().map(|taken| taken.step).collect();
        let deadlocks = session.deadlocks(MOST_EXPLAINED).unwrap_or_default();
        let shown = deadlocks.iter().map(|one| Diagnostic::new(&input.source, &one.diagnostic(&network)));
        (taken, (json, record.outcome()), shown.collect())
    })?;
    let steps = taken.iter().map(|step| step.describe(&network).to_string()).collect();
    let (json, outcome) = json;
    Ok(Run { network, taken, outcome: outcome.to_string(), steps, diagnostics, json })
}

/// The decisions that were made beforehand.
fn rules(decisions: &[(String, Decision)], network: &laban::Network) -> PyResult<Vec<Rule>> {
    let names = || network.process_ids().map(|process| network.process_name(process));
    let mut rules = Vec::new();
    for (what, decision) in decisions {
        let (name, condition) = match what.split_once('.') {
            Some((name, condition)) => (name.trim(), Some(condition.trim())),
            None => (what.trim(), None),
        };
        let Some(process) = network.process_named(name) else {
            return Err(wrong(format!("decide: {}", no_process(name, names()))));
        };
        let states = network.process(process).map(|process| process.states.of(network.states())).unwrap_or_default();
        match (condition, decision) {
            (Some(condition), &Decision::Holds(holds)) => {
                let decides = |state: &State| matches!(state, State::If { condition: one, .. } if network.text(*one) == condition);
                let symbol = network.names().find(condition).filter(|_| states.iter().any(decides));
                let Some(symbol) = symbol else {
                    return Err(wrong(format!("decide: {} never decides {}", quote(name), quote(condition))));
                };
                rules.push(Rule::Decision { process, condition: symbol, holds });
            }
            (None, &Decision::Item(item @ 1..)) => {
                let items = |state: &State| match state {
                    State::Choose { arms } => Some(arms.len()),
                    _ => None,
                };
                match states.iter().filter_map(items).max() {
                    Some(most) if item as usize <= most => rules.push(Rule::Choice { process, arm: item - 1 }),
                    Some(most) => {
                        return Err(wrong(format!("decide: {} never chooses among more than {most}", quote(name))));
                    }
                    None => return Err(wrong(format!("decide: {} has no `choose`", quote(name)))),
                }
            }
            _ => {
                return Err(wrong(
                    "decide: expected a process and a condition with True or False, such as {\"buyer.happy\": False}, or a \
                     process and the number of the item that it chooses, such as {\"buyer\": 2}",
                ));
            }
        }
    }
    Ok(rules)
}

//! The paper's evaluation, job by job, for those who share it among machines.

use crate::errors::wrong;
use crate::interrupt::interruptible;
use laban_evaluation::plan::{Job, Part, jobs};
use laban_evaluation::settings::{FORMAT, Settings};
use laban_evaluation::world::{Limit, run_job};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// All networks of the paper's evaluation and the searches to run on each, always in the same order.
///
/// >>> import laban
/// >>> plan = laban.Plan(quick=True, only=["table1"])
/// >>> len(plan)
/// 14
/// >>> plan.run(0)[0]["part"]
/// 'table1'
#[pyclass(frozen, module = "laban")]
pub(crate) struct Plan {
    settings: Settings,
    jobs: Vec<Job>,
    limit: Limit,
}

/// What the results depend on.
#[derive(IntoPyObject)]
struct GivenSettings {
    format: u32,
    seed: u64,
    quick: bool,
    timeout: f64,
    max_states: usize,
}

/// A search and its result.
#[derive(IntoPyObject)]
struct Row {
    part: String,
    family: String,
    point: String,
    index: u32,
    variant: String,
    strategy: String,
    search: String,
    verdict: String,
    microseconds: f64,
    preparing: f64,
    nodes: u64,
    bad_loops: u64,
    equivalent: String,
    processes: u32,
    actions: u32,
    conditionals: u32,
}

#[pymethods]
impl Plan {
    #[new]
    #[pyo3(signature = (*, quick=false, only=None, seed=0, timeout=None, max_states=None))]
    fn new(
        quick: bool,
        only: Option<Vec<String>>,
        seed: u64,
        timeout: Option<f64>,
        max_states: Option<usize>,
    ) -> PyResult<Self> {
        let (seconds, states) = if quick { (1.0, 100_000) } else { (10.0, 500_000) };
        let timeout = timeout.unwrap_or(seconds);
        let max_states = max_states.unwrap_or(states);
        let time = Duration::try_from_secs_f64(timeout).ok().filter(|time| !time.is_zero());
        let time = time.ok_or_else(|| wrong("timeout: expected a number of seconds above 0"))?;
        let settings = Settings { format: FORMAT, seed, quick, timeout, max_states };
        let named = |name: &String| {
            let found = Part::ALL.into_iter().find(|part| part.name() == name);
            found.ok_or_else(|| {
                let names: Vec<&str> = Part::ALL.iter().map(|part| part.name()).collect();
                wrong(format!("only: expected some of {}", names.join(", ")))
            })
        };
        let parts = match only {
            Some(names) => names.iter().map(named).collect::<PyResult<Vec<Part>>>()?,
            None => Part::ALL.to_vec(),
        };
        Ok(Plan { settings, jobs: jobs(&settings, &parts), limit: Limit { time, states: max_states } })
    }

    fn __len__(&self) -> usize {
        self.jobs.len()
    }

    /// What the results depend on, as `laban evaluate` writes it to `settings.json`.
    #[getter]
    fn settings(&self) -> GivenSettings {
        let Settings { format, seed, quick, timeout, max_states } = self.settings;
        GivenSettings { format, seed, quick, timeout, max_states }
    }

    /// Runs all searches of one network, and gives a row for each, as in `runs.csv` of `laban evaluate`.
    fn run(&self, py: Python<'_>, index: usize) -> PyResult<Vec<Row>> {
        let job = self.jobs.get(index).ok_or_else(|| PyIndexError::new_err("there is no such job"))?;
        let runs = interruptible(py, |stop| run_job(job, self.limit, &|| stop.load(Ordering::Relaxed)))?;
        let row = |run: laban_evaluation::run::Run| Row {
            part: run.key.part,
            family: run.key.family,
            point: run.key.point,
            index: run.key.index,
            variant: run.key.variant,
            strategy: run.key.strategy,
            search: run.key.search,
            verdict: run.verdict,
            microseconds: run.microseconds,
            preparing: run.preparing,
            nodes: run.nodes,
            bad_loops: run.bad_loops,
            equivalent: run.equivalent,
            processes: run.processes,
            actions: run.actions,
            conditionals: run.conditionals,
        };
        Ok(runs.into_iter().map(row).collect())
    }
}

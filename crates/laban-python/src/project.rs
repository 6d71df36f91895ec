//! From a choreography to its network, and the selections that it needs for that.

use crate::errors::{Kind, about, error, wrong};
use crate::extraction::processes;
use crate::interrupt::interruptible;
use crate::model::{Choreography, Network, choreography_of, made};
use crate::options::{Limit, no_service};
use laban::choreography::Unamendable;
use laban::syntax::Kind as TextKind;
use laban::{AmendOptions, NotProjected, Pretty, ProjectOptions};
use laban_report::{NO_PROCESSES, added_lines, unamendable_diagnostics};
use pyo3::prelude::*;

/// When to give up, and who is a service.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ProjectionOptions {
    services: Vec<String>,
    max_states: Option<usize>,
    timeout: Option<f64>,
}

/// The network that implements a choreography.
#[pyfunction]
pub(crate) fn project(
    py: Python<'_>,
    choreography: &Bound<'_, Choreography>,
    options: ProjectionOptions,
) -> PyResult<Network> {
    let input = &choreography.get().input;
    let choreography = choreography_of(input)?;
    let services = processes(choreography, &options.services)?;
    let limit = Limit::new(options.max_states, options.timeout)?;
    let projected = interruptible(py, |stop| {
        limit.with_limits(stop, |limits| laban::project(choreography, &ProjectOptions { services: &services, limits }))
    })?;
    match projected {
        Ok(projection) if projection.network.processes().is_empty() => Err(wrong(NO_PROCESSES)),
        Ok(projection) => {
            let text = Pretty { tree: &projection.tree(), source: "" }.to_string();
            Ok(Network { input: made(py, TextKind::Network, None, text)? })
        }
        Err(NotProjected::Undecided(_)) => Err(error(py, Kind::Undecided, &limit.gave_up(), Vec::new())),
        Err(refused) => {
            let reasons = input.untold(choreography, refused.reasons());
            Err(about(py, Kind::Unprojectable, &input.source, &reasons))
        }
    }
}

/// The selections that a choreography needs to be projected: the choreography with them, what was added, and whether
/// there is certainly no way with fewer.
#[pyfunction]
pub(crate) fn amend(
    py: Python<'_>,
    choreography: &Bound<'_, Choreography>,
    options: ProjectionOptions,
) -> PyResult<(Choreography, Vec<String>, bool)> {
    let input = &choreography.get().input;
    let choreography = choreography_of(input)?;
    let names = || choreography.processes().iter().map(|&name| choreography.text(name));
    if let Some(missing) = options.services.iter().find(|service| !names().any(|name| name == *service)) {
        return Err(no_service(missing, names()));
    }
    let Some(tree) = input.analysis.choreography_tree() else { return Err(wrong("a choreography is needed here")) };
    let services: Vec<&str> = options.services.iter().map(String::as_str).collect();
    let limit = Limit::new(options.max_states, options.timeout)?;
    let amended = interruptible(py, |stop| {
        limit.with_limits(stop, |limits| {
            laban::amend(tree, &AmendOptions { services: &services, limits, ..AmendOptions::default() })
        })
    })?;
    match amended {
        Ok(amended) => {
            // Only Laban's own texts have the comments of their trees.
            let source = if input.foreign.is_none() { input.source.text.as_str() } else { "" };
            let text = Pretty { tree: &amended.tree, source }.to_string();
            let added = added_lines(&amended.tree, &amended.added).into_iter().map(|(_, line)| line).collect();
            let name = Some(input.source.name.as_str()).filter(|&name| name != crate::subject::NAMELESS);
            Ok((Choreography { input: made(py, TextKind::Choreography, name, text)? }, added, amended.fewest))
        }
        Err(Unamendable::Undecided(_)) => Err(error(py, Kind::Undecided, &limit.gave_up(), Vec::new())),
        Err(Unamendable::Unprojectable(reasons)) => {
            let reasons = unamendable_diagnostics(&reasons, choreography);
            Err(about(py, Kind::Unprojectable, &input.source, &reasons))
        }
        Err(Unamendable::IllFormed(errors)) => Err(about(py, Kind::IllFormed, &input.source, &errors)),
        Err(other) => Err(error(py, Kind::Unprojectable, &other.to_string(), Vec::new())),
    }
}

//! Random networks and choreographies, and random edits of them.

use crate::errors::wrong;
use crate::model::{Choreography, Network, made};
use laban::generate::{Edit, Generated, Parameters, SeededRng, network};
use laban::syntax::{Kind, NetworkTree};
use laban::{Compact, Pretty};
use pyo3::prelude::*;

/// How many of what there are.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct GivenParameters {
    size: u32,
    processes: u32,
    ifs: u32,
    races: u32,
    queues: u32,
    procedures: u32,
}

impl GivenParameters {
    fn parameters(&self) -> PyResult<Parameters> {
        if self.size == 0 {
            return Err(wrong("there is no network of size 0: it would have no processes"));
        }
        let parameters = Parameters::new(self.size, self.processes, self.ifs, self.procedures);
        Ok(parameters.with_races(self.races).with_queues(self.queues))
    }
}

fn generated(py: Python<'_>, parameters: &Parameters, seed: u64) -> PyResult<Generated> {
    py.detach(|| network(parameters, seed)).map_err(|refusal| wrong(refusal.to_string()))
}

/// A random network and the choreography that it implements.
#[pyfunction]
pub(crate) fn generate(py: Python<'_>, parameters: GivenParameters, seed: u64) -> PyResult<(Network, Choreography)> {
    let Generated { amended, network_tree, .. } = generated(py, &parameters.parameters()?, seed)?;
    let text = Pretty { tree: &network_tree, source: "" }.to_string();
    let network = Network { input: made(py, Kind::Network, None, text)? };
    let text = Pretty { tree: &amended, source: "" }.to_string();
    Ok((network, Choreography { input: made(py, Kind::Choreography, None, text)? }))
}

/// Networks on one line each, with their names: those that the command gives with the same seed, from a number on.
#[pyfunction]
pub(crate) fn generate_batch(
    py: Python<'_>,
    parameters: GivenParameters,
    seed: u64,
    first: u32,
    count: u32,
) -> PyResult<Vec<(String, String)>> {
    let parameters = parameters.parameters()?;
    let made = py.detach(|| {
        let one = |number: u32| {
            let seed = SeededRng::keyed([seed, u64::from(number), 0, 2]).long();
            network(&parameters, seed).map(|made| (format!("C{number}"), Compact(&made.network_tree).to_string()))
        };
        (first..first.saturating_add(count)).map(one).collect::<Result<Vec<_>, _>>()
    });
    made.map_err(|refusal| wrong(refusal.to_string()))
}

fn edited(
    py: Python<'_>,
    given: &Bound<'_, Network>,
    edit: impl FnOnce(&NetworkTree) -> (NetworkTree, Vec<Edit>),
) -> PyResult<(Network, Vec<String>)> {
    let input = &given.get().input;
    let Some(tree) = input.analysis.network_tree() else { return Err(wrong("a network is needed here")) };
    let (tree, edits) = edit(tree);
    let text = Pretty { tree: &tree, source: "" }.to_string();
    let network = Network { input: made(py, Kind::Network, None, text)? };
    Ok((network, edits.iter().map(ToString::to_string).collect()))
}

/// A network with random mistakes in one process, and what was changed.
#[pyfunction]
pub(crate) fn fuzz(
    py: Python<'_>,
    network: &Bound<'_, Network>,
    deletions: u32,
    swaps: u32,
    seed: u64,
) -> PyResult<(Network, Vec<String>)> {
    edited(py, network, |tree| laban::generate::fuzz(tree, deletions, swaps, seed))
}

/// A network with one process written in another way, and what was changed.
#[pyfunction]
pub(crate) fn unroll(py: Python<'_>, network: &Bound<'_, Network>, seed: u64) -> PyResult<(Network, Vec<String>)> {
    edited(py, network, |tree| laban::generate::unroll(tree, seed))
}

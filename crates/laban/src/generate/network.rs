//! Random networks: what the processes of a random choreography do.

use super::choreography::with_amended;
use super::parameters::{Parameters, Refusal};
use crate::choreography::ProjectOptions;
use crate::choreography::{lower, project};
use crate::network::{Network, read_off};
use crate::syntax::{ChoreographyTree, NetworkTree};

/// A choreography and the network that follows it.
#[derive(Debug, Clone)]
pub struct Generated {
    /// The choreography as it was made.
    pub choreography: ChoreographyTree,
    /// The same with the selections that it lacked.
    pub amended: ChoreographyTree,
    /// Its projection.
    pub network: Network,
    /// The projection as text, with procedures named as in the choreography where that is possible.
    pub network_tree: NetworkTree,
}

/// A random choreography, amended and projected.
///
/// Selections are added as in the choreographies that the paper's authors have published: where branches differ, all
/// who take part in what is done there are told, after what both branches share.
/// [`choreography::amend`](crate::choreography::amend()) adds fewer; but then a loop may starve a process that waits
/// for its end, while these networks can all be extracted.
///
/// ```
/// use laban::{ExtractOptions, Verdict};
/// use laban::generate::{Parameters, network};
///
/// let generated = network(&Parameters::new(20, 5, 8, 2), 0).unwrap();
/// let extraction = laban::extract(&generated.network, &ExtractOptions::default())?;
/// assert_eq!(extraction.verdict(), Verdict::Extracted);
/// # Ok::<(), laban::InternalError>(())
/// ```
pub fn network(parameters: &Parameters, seed: u64) -> Result<Generated, Refusal> {
    let (choreography, amended) = with_amended(parameters, seed)?;
    let lowered = lower(&amended).choreography.ok_or(Refusal::Unprojectable)?;
    let projection = project(&lowered, &ProjectOptions::default()).map_err(|_| Refusal::Unprojectable)?;
    let network_tree = read_off(&projection.network, &projection.procedures);
    Ok(Generated { choreography, amended, network: projection.network, network_tree })
}

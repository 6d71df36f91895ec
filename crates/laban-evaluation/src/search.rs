//! The two searches, so that either can be asked for.

use crate::paper;
use laban::extraction::{self, ExtractOptions, Searched};
use laban::network::{Network, ProcessId, StateId};
use laban::{Extraction, InternalError, extract_with};

/// Which search is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Search {
    /// Laban's: every node is expanded once.
    #[default]
    Fast,
    /// The paper's: depth-first, with backtracking.
    Paper {
        /// With its clever backtracking, as opposed to trying every order of actions.
        clever: bool,
    },
}

impl Search {
    /// Extracts a network with this search, and proves the answer.
    pub fn extract(self, network: &Network, options: &ExtractOptions<'_>) -> Result<Extraction, InternalError> {
        extract_with(network, options, |network, processes, number| {
            self.search_component(network, processes, number, options)
        })
    }

    /// Why this search cannot be used for a network, if it cannot.
    pub fn refuses(self, network: &Network, options: &ExtractOptions<'_>) -> Option<&'static str> {
        match self {
            Search::Fast => None,
            Search::Paper { .. } if network.has_races() => Some("the search of the paper does not know races (`any`)"),
            Search::Paper { .. } if has_idle_waits(network) => {
                Some("the search of the paper does not know idle waits (`idle`)")
            }
            Search::Paper { .. } if network.has_queues() => Some("the search of the paper does not know queues"),
            Search::Paper { .. } if options.fair => Some("the search of the paper does not know fair decisions"),
            Search::Paper { .. } => None,
        }
    }

    /// Searches one component of a network, given its processes in their order, and does nothing else.
    pub fn search_component(
        self,
        network: &Network,
        processes: &[ProcessId],
        number: usize,
        options: &ExtractOptions<'_>,
    ) -> Searched {
        match self {
            Search::Fast => extraction::search_component(network, processes, number, options),
            Search::Paper { clever } => paper::search(network, processes, number, options, clever),
        }
    }
}

/// Whether some process may wait forever somewhere without being a service.
pub(crate) fn has_idle_waits(network: &Network) -> bool {
    (0..network.states().len() as u32).any(|state| network.is_idle(StateId(state)))
}

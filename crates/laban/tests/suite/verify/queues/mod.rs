//! Messages that wait in queues: by hand, and at random against every interleaving.

mod made;
mod races;
mod random;
mod reasons;
mod walker;

use laban::choreography::Choreography;
use laban::equivalence::{self, Mismatch, VerifyOptions};
use laban::network::Network;

/// As it is, without minimising it first.
fn verify(network: &Network, choreography: &Choreography, fair: bool) -> Result<(), Mismatch> {
    let options = VerifyOptions { minimise: false, fair, ..VerifyOptions::default() };
    let answer = equivalence::verify(network, choreography, &options);
    answer.map(|_| ()).map_err(|error| error.mismatch().expect("there is no limit"))
}

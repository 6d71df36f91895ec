//! Models as texts of Laban, for those who have a model and no text.

use laban::{Choreography, Network, Pretty, choreography, network};

/// A network as a text of Laban.
///
/// ```
/// let network = laban::analyse("p{main{q!<x>;stop}}|q{main{p?;stop}}").into_network()?;
/// assert_eq!(laban_formats::write_net(&network), "p { main { q!<x>; stop } }\n| q { main { p?; stop } }\n");
/// # Ok::<(), laban::IllFormed>(())
/// ```
pub fn write_net(network: &Network) -> String {
    Pretty { tree: &network::read_off(network, &[]), source: "" }.to_string()
}

/// A choreography as a text of Laban.
pub fn write_chor(choreography: &Choreography) -> String {
    Pretty { tree: &choreography::read_off_named(choreography), source: "" }.to_string()
}

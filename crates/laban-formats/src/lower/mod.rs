//! From the intermediate forms to Laban's models: for all formats in one place.

mod choreography;
mod messages;
mod network;

pub(crate) use choreography::lower_protocol;
pub use network::{Lowered, lower};

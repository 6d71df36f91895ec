//! From the intermediate forms to Laban's models: for all formats in one place.

mod choreography;
mod messages;
mod network;
mod settle;

pub use choreography::lower_protocol;
pub use network::{Lowered, lower};

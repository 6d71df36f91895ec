//! From the intermediate forms to Laban's models: for all formats in one place.

mod choreography;
mod messages;
mod network;
mod settle;

pub use choreography::lower_protocol;
pub use network::{Lowered, lower};

use laban::syntax::ArenaRange;

/// Adds what follows a choice or a race to all that follow one.
fn list<T: Copy>(arms: &mut Vec<T>, new: &[T]) -> ArenaRange {
    let start = arms.len() as u32;
    arms.extend_from_slice(new);
    ArenaRange { start, end: arms.len() as u32 }
}

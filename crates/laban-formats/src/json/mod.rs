//! Networks and choreographies of Laban as JSON: the models as they are, for programs.
//!
//! The form is written down in `docs/schema/model.schema.json`, and has a number: `"laban": 1`. What is written reads
//! back to the same model. [`value`] is JSON of any kind, with places; [`read`] makes models of it.

mod read;
mod value;
mod write;

pub(crate) use read::{looks_like, read};
pub use write::{write_json_choreography, write_json_network};

//! Local types as KMC, the checker of k-multiparty compatibility, has them: `A: rec x . B!m; B?n; x`.
//!
//! A choice may mix sends and receives, and partners; the tool's own rules for it are not checked.

mod read;
mod write;

pub(crate) use read::read;
pub use write::write_kmc;

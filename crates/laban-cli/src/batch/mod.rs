//! What it takes to work on many networks: reading them one by one, answering in order, and adding up.

pub(crate) mod networks;
pub(crate) mod pipeline;
pub(crate) mod summary;

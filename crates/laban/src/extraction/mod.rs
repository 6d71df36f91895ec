//! Extraction: from networks to choreographies, or to the reason why there is none.

pub mod explain;

//! What the fuzz targets share: systems made of the fuzzer's bytes, and the laws that must hold for them.
//!
//! Texts made by chance are rarely networks. In [`systems`] every byte is a decision in the making of one, so that
//! nearly all inputs are well-formed and small changes of the bytes are small changes of the system. It and the laws
//! are parts of ordinary tests.

#[path = "../../crates/laban-lsp/tests/suite/conversation.rs"]
mod conversation;
#[path = "../../crates/laban-evaluation/tests/laws/laws.rs"]
mod laws;
#[path = "../../crates/laban-evaluation/tests/laws/systems.rs"]
mod systems;
#[path = "../../crates/laban-report/tests/ways_in/ways_in.rs"]
mod ways_in;

pub use conversation::server_survives;
pub use laws::{
    extraction_is_certified, projection_is_extracted, queues_keep_rendezvous, saved_runs_are_read, searches_agree,
};
pub use systems::{Features, choreography, edited_network, network};
pub use ways_in::{exports_are_read_back, files_are_shown, tables_are_read};

//! What an evaluation was started with. Kept next to its results, so that it cannot be continued with other settings.

use serde::{Deserialize, Serialize};

/// What the results depend on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The format of the files.
    pub format: u32,
    /// The seed of all networks.
    pub seed: u64,
    /// Whether only a sample is looked at.
    pub quick: bool,
    /// How many seconds a search may take.
    pub timeout: f64,
    /// How many nodes it may make.
    pub max_states: usize,
}

/// The format of the files that this version writes.
pub const FORMAT: u32 = 1;

impl Settings {
    /// As they would be given on the command line.
    pub fn options(&self) -> String {
        let quick = if self.quick { "--quick " } else { "" };
        format!("{quick}--seed {} --timeout {} --max-states {}", self.seed, self.timeout, self.max_states)
    }
}

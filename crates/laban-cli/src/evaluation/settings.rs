//! What an evaluation was started with. Kept next to its results, so that it cannot be gone on with in another way.

use super::files::write_whole;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// What the results depend on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settings {
    /// The format of the files.
    pub(crate) format: u32,
    /// What all networks are made from.
    pub(crate) seed: u64,
    /// Whether only a sample is looked at.
    pub(crate) quick: bool,
    /// How many seconds a search may take.
    pub(crate) timeout: f64,
    /// How many nodes it may make.
    pub(crate) max_states: usize,
}

const FILE: &str = "settings.json";
pub(crate) const FORMAT: u32 = 1;

impl Settings {
    /// Reads those of a directory. Nothing if there are none.
    pub(crate) fn read(directory: &Path) -> Result<Option<Settings>, String> {
        let path = directory.join(FILE);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("cannot read {}: {error}", path.display())),
        };
        serde_json::from_str(&text).map(Some).map_err(|error| format!("{} is not ours: {error}", path.display()))
    }

    /// Writes them into a directory; if there are some already, they must be the same.
    pub(crate) fn agree_with(&self, directory: &Path) -> Result<(), String> {
        match Settings::read(directory)? {
            None => self.write(directory),
            Some(settings) if settings == *self => Ok(()),
            Some(settings) => Err(format!(
                "{} was begun with {}, and this is {}; go on with the same, or choose another directory",
                directory.display(),
                settings.options(),
                self.options()
            )),
        }
    }

    fn write(&self, directory: &Path) -> Result<(), String> {
        let path = directory.join(FILE);
        let text = serde_json::to_string_pretty(self).map_err(|error| error.to_string())?;
        // All at once: another shard may be reading it.
        write_whole(&path, &format!("{text}\n"))
    }

    /// As they would be given on the command line.
    pub(crate) fn options(&self) -> String {
        let quick = if self.quick { "--quick " } else { "" };
        format!("{quick}--seed {} --timeout {} --max-states {}", self.seed, self.timeout, self.max_states)
    }
}

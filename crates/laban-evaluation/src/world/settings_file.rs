//! The settings of an evaluation, in a file next to its results.

use super::files::write_whole;
use crate::settings::Settings;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

const FILE: &str = "settings.json";

/// Reads the settings in a directory. Nothing if there are none.
pub fn read_settings(directory: &Path) -> Result<Option<Settings>, String> {
    let path = directory.join(FILE);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("cannot read {}: {error}", path.display())),
    };
    serde_json::from_str(&text).map(Some).map_err(|error| format!("{} is not ours: {error}", path.display()))
}

/// Writes the settings into a directory; if there are some already, they must be the same.
pub fn agree_with(settings: &Settings, directory: &Path) -> Result<(), String> {
    match read_settings(directory)? {
        None => write_settings(settings, directory),
        Some(there) if there == *settings => Ok(()),
        Some(there) => Err(format!(
            "{} was begun with {}, and this is {}; go on with the same, or choose another directory",
            directory.display(),
            there.options(),
            settings.options()
        )),
    }
}

fn write_settings(settings: &Settings, directory: &Path) -> Result<(), String> {
    let path = directory.join(FILE);
    let text = serde_json::to_string_pretty(settings).map_err(|error| error.to_string())?;
    // All at once: another shard may be reading it.
    write_whole(&path, &format!("{text}\n"))
}

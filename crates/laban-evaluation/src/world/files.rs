//! Writing a file as a whole or not at all.

use std::fs;
use std::path::Path;

/// Writes a file next to its place first, so that at no moment there is half a file.
pub fn write_whole(path: &Path, text: &str) -> Result<(), String> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    fs::write(&temporary, text)
        .and_then(|()| fs::rename(&temporary, path))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}

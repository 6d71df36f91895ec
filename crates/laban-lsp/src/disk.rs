//! The files that the server reads by itself: networks beside those that are open.

use std::fs;
use std::path::Path;

/// More networks than this in one folder are not looked at: they can hardly be parts of one.
const MOST_FILES: usize = 500;
/// Nor is a folder whose networks are longer than this altogether.
const MOST_BYTES: u64 = 64 << 20;

/// The networks in a folder, by their paths, with their texts. What cannot be read is left out.
pub(crate) fn networks(folder: &Path) -> Vec<(String, String)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let is_network = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("net"));
        let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if is_network && !is_hidden {
            paths.push(path);
        }
    }
    paths.sort_unstable();
    let length = |path: &std::path::PathBuf| fs::metadata(path).map_or(0, |metadata| metadata.len());
    if paths.len() > MOST_FILES || paths.iter().map(length).sum::<u64>() > MOST_BYTES {
        return Vec::new();
    }
    let read = |path: &std::path::PathBuf| {
        // A pipe may take forever.
        let text = fs::metadata(path).ok().filter(fs::Metadata::is_file).and_then(|_| fs::read_to_string(path).ok())?;
        Some((path.to_string_lossy().into_owned(), text))
    };
    paths.iter().filter_map(read).collect()
}

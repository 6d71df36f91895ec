//! Modules that texts of other tools import.
//!
//! Where files are is the business of a [`Library`]; this module knows which of them are needed.

use crate::source::{File, Source};
use laban_formats::{Format, imports};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How many folders around a text are looked at, its own included.
const MOST_FOLDERS: usize = 8;

/// More files than this are not read for one text.
const MOST_FILES: usize = 1000;

/// Files that others may import.
pub trait Library {
    /// The file of a module that a file imports, if there is one.
    fn find(&self, from: &File, module: &str) -> Option<File>;

    /// The text of a file that was found, if it can be read.
    fn read(&self, file: &File) -> Option<String>;

    /// What tells a file from others, however it was named.
    fn identity(&self, file: &File) -> Option<PathBuf>;
}

/// A library without files.
#[derive(Debug, Clone, Copy)]
pub struct NoLibrary;

impl Library for NoLibrary {
    fn find(&self, _: &File, _: &str) -> Option<File> {
        None
    }

    fn read(&self, _: &File) -> Option<String> {
        None
    }

    fn identity(&self, file: &File) -> Option<PathBuf> {
        file.path.clone()
    }
}

/// Adds the modules that texts import, and those that these import. Says which are not there.
pub(crate) fn add(library: &dyn Library, format: Format, sources: &mut Vec<Source>) -> Vec<String> {
    let mut missing = Vec::new();
    let mut met: BTreeSet<PathBuf> = BTreeSet::new();
    let mut next = 0;
    while let Some(source) = sources.get(next).filter(|_| next < MOST_FILES) {
        next += 1;
        let words = imports(format, &source.text);
        let file = source.file_at(0).clone();
        met.extend(library.identity(&file));
        for module in words {
            let Some(found) = library.find(&file, &module.text) else {
                missing.push(not_found(&file, &module.text));
                continue;
            };
            if library.identity(&found).is_some_and(|identity| !met.insert(identity)) {
                continue;
            }
            match library.read(&found) {
                Some(text) => sources.push(Source::of_file(found, text)),
                None => missing.push(not_found(&file, &module.text)),
            }
        }
    }
    missing
}

fn not_found(file: &File, module: &str) -> String {
    let module = laban::diagnostic::quote(module);
    format!("{}: the module {module} that it imports is not in a file beside it", file.name)
}

/// Where a module may be that a file imports, the likeliest first: a module `a.b.C` is the file `C.scr` beside it, or
/// `a/b/C.scr` in its folder or a folder around it.
pub fn module_paths(from: &Path, module: &str) -> Vec<PathBuf> {
    let folder = from.parent().map(Path::to_path_buf).unwrap_or_default();
    let ending = from.extension().map_or_else(|| "scr".into(), std::ffi::OsStr::to_os_string);
    let parts: Vec<&str> = module.split('.').collect();
    // The text is that of a module itself, so its name may have folders that are around it.
    if parts.iter().any(|part| part.is_empty() || part.contains(['/', '\\'])) {
        return Vec::new();
    }
    let Some(last) = parts.last() else { return Vec::new() };
    let beside = folder.join(last).with_extension(&ending);
    let mut whole: PathBuf = parts.iter().collect();
    whole.set_extension(&ending);
    let around = folder.ancestors().take(MOST_FOLDERS).map(|folder| folder.join(&whole));
    std::iter::once(beside).chain(around).collect()
}

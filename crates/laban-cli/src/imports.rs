//! Modules that texts of other tools import: found in files beside them.
//!
//! A module `a.b.C` is the file `C.scr` beside the text, or `a/b/C.scr` in its folder or a folder around it. Nothing
//! else is looked at, and nothing is fetched.

use crate::input::{name_of, read_file};
use crate::source::{File as Origin, Source};
use laban_formats::{Format, imports};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// More files than this are not read for one text.
const MOST_FILES: usize = 1000;

/// How many folders around a text are looked at, its own included.
const MOST_FOLDERS: usize = 8;

/// Adds the modules that texts import, and those that these import. Says which are not there.
pub(crate) fn add(format: Format, sources: &mut Vec<Source>) -> Vec<String> {
    let mut missing = Vec::new();
    let mut met: BTreeSet<PathBuf> = BTreeSet::new();
    let mut next = 0;
    while let Some(source) = sources.get(next).filter(|_| next < MOST_FILES) {
        next += 1;
        let words = imports(format, &source.text);
        let Some(path) = source.file_at(0).path.clone() else {
            missing.extend(words.iter().map(|module| not_found(source, &module.text)));
            continue;
        };
        met.insert(path.canonicalize().unwrap_or_else(|_| path.clone()));
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let ending = path.extension().map_or_else(|| "scr".into(), std::ffi::OsStr::to_os_string);
        for module in words {
            let Some(found) = found(&folder, &module.text, &ending) else {
                missing.push(not_found(&sources[next - 1], &module.text));
                continue;
            };
            if !met.insert(found.canonicalize().unwrap_or_else(|_| found.clone())) {
                continue;
            }
            let text = read_file(&found).ok().and_then(|bytes| String::from_utf8(bytes).ok());
            match text {
                Some(text) => sources.push(Source::of_file(Origin { name: name_of(&found), path: Some(found) }, text)),
                None => missing.push(not_found(&sources[next - 1], &module.text)),
            }
        }
    }
    missing
}

fn not_found(source: &Source, module: &str) -> String {
    let module = laban::diagnostic::quote(module);
    format!("{}: the module {module} that it imports is not in a file beside it", source.name)
}

/// The file of a module.
fn found(folder: &Path, module: &str, ending: &std::ffi::OsStr) -> Option<PathBuf> {
    let parts: Vec<&str> = module.split('.').collect();
    // The text is that of a module itself, so its name may have folders that are around it.
    if parts.iter().any(|part| part.is_empty() || part.contains(['/', '\\'])) {
        return None;
    }
    let last = parts.last()?;
    let beside = folder.join(last).with_extension(ending);
    let mut whole: PathBuf = parts.iter().collect();
    whole.set_extension(ending);
    let around = folder.ancestors().take(MOST_FOLDERS).map(|folder| folder.join(&whole));
    std::iter::once(beside).chain(around).find(|path| path.is_file())
}

//! Modules that texts of other tools import: found in files beside them.
//!
//! A module `a.b.C` is the file `C.scr` beside the text, or `a/b/C.scr` in its folder or a folder around it. Nothing
//! else is looked at, and nothing is fetched.

use crate::input::{name_of, read_file};
use laban_report::{File, Library};
use std::path::{Path, PathBuf};

/// How many folders around a text are looked at, its own included.
const MOST_FOLDERS: usize = 8;

/// The files beside those that are read.
pub(crate) struct Beside;

impl Library for Beside {
    fn find(&self, from: &File, module: &str) -> Option<File> {
        let path = from.path.as_deref()?;
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let ending = path.extension().map_or_else(|| "scr".into(), std::ffi::OsStr::to_os_string);
        let found = found(&folder, module, &ending)?;
        Some(File { name: name_of(&found), path: Some(found) })
    }

    fn read(&self, file: &File) -> Option<String> {
        String::from_utf8(read_file(file.path.as_deref()?).ok()?).ok()
    }

    fn identity(&self, file: &File) -> Option<PathBuf> {
        let path = file.path.as_ref()?;
        Some(path.canonicalize().unwrap_or_else(|_| path.clone()))
    }
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

//! Modules that texts of other tools import: found in files beside them.
//!
//! Nothing else is looked at, and nothing is fetched.

use crate::input::{name_of, read_file};
use laban_report::{File, Library, module_paths};
use std::path::PathBuf;

/// The files beside those that are read.
pub(crate) struct Beside;

impl Library for Beside {
    fn find(&self, from: &File, module: &str) -> Option<File> {
        let found = module_paths(from.path.as_deref()?, module).into_iter().find(|path| path.is_file())?;
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

//! Folders in place of files: the files in them that belong together.
//!
//! A folder stands for the files in it that are networks or choreographies, by name or by content, in the order of
//! their names. Hidden files, folders in it, Markdown and what is in no known language are left out. What several files
//! mean together is the same as if all were named.

use crate::input::{name_of, read_file};
use laban_formats::Format;
use laban_report::{File as Origin, Refused, is_markdown, kind_by_name};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The files that paths stand for. What is not a folder stays as it is.
pub(crate) fn expanded(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Vec<Refused>> {
    let (mut files, mut refused) = (Vec::new(), Vec::new());
    for path in paths {
        // What is called like a text of Laban's is meant to be a file.
        if kind_by_name(path).is_some() || !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let name = name_of(path);
        let message = match inside(path) {
            Ok(inside) if inside.is_empty() => format!("{name} is a folder without networks or choreographies"),
            Ok(inside) => {
                files.extend(inside);
                continue;
            }
            Err(error) => format!("cannot read {name}: {error}"),
        };
        refused.push(Refused::Message { file: Some(Origin { name, path: Some(path.clone()) }), message });
    }
    if refused.is_empty() { Ok(files) } else { Err(refused) }
}

fn inside(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if !is_hidden && path.is_file() && !is_markdown(&path) && (kind_by_name(&path).is_some() || is_known(&path)) {
            files.push(path);
        }
    }
    files.sort_unstable();
    Ok(files)
}

/// Whether a file is in a language of another tool.
fn is_known(path: &Path) -> bool {
    let bytes = read_file(path).unwrap_or_default();
    std::str::from_utf8(&bytes).is_ok_and(|text| Format::of(&path.to_string_lossy(), text).is_some_and(Format::is_read))
}

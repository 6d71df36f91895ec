//! Reading files.

use crate::console::Console;
use crate::report::{self, Report};
use crate::stdin::read_to_end;
use laban_report::{File as Origin, Input, Reading, Refused, on_one_line};
use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A file that could not be read.
#[derive(Debug)]
pub(crate) struct Unreadable {
    pub(crate) name: String,
    pub(crate) error: io::Error,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unreadable { name, error } = self;
        match error.kind() {
            io::ErrorKind::NotFound => write!(f, "cannot read {name}: no such file"),
            io::ErrorKind::PermissionDenied => write!(f, "cannot read {name}: permission denied"),
            io::ErrorKind::IsADirectory => write!(f, "cannot read {name}: it is a directory; name files in it"),
            _ => write!(f, "cannot read {name}: {error}"),
        }
    }
}

/// The bytes of a file, or of standard input if the path is `-`.
pub(crate) fn read_bytes(path: &Path) -> Result<(Origin, Vec<u8>), Unreadable> {
    let from_standard_input = path.as_os_str() == "-";
    let name = name_of(path);
    let bytes = match from_standard_input {
        true => read_to_end(|| Ok(io::stdin()), MOST_BYTES),
        false => read_file(path),
    };
    match bytes {
        Ok(bytes) => Ok((Origin { name, path: (!from_standard_input).then(|| path.to_path_buf()) }, bytes)),
        Err(error) => Err(Unreadable { name, error }),
    }
}

/// What messages call a file.
pub(crate) fn name_of(path: &Path) -> String {
    match path.as_os_str() == "-" {
        true => "<stdin>".to_string(),
        false => on_one_line(&path.to_string_lossy()),
    }
}

/// Why there is nothing to work on: a file that cannot be read.
pub(crate) fn unreadable(path: &Path, unreadable: &Unreadable) -> Refused {
    let file = Origin { name: unreadable.name.clone(), path: Some(path.to_path_buf()) };
    Refused::Message { file: Some(file), message: unreadable.to_string() }
}

/// One more than a text can have.
const MOST_BYTES: u64 = u32::MAX as u64 + 1;

/// The bytes of a file, up to one more than a text can have. A pipe may take forever, an interrupt apart.
pub(crate) fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        let path = path.to_path_buf();
        return read_to_end(move || File::open(path), MOST_BYTES);
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether no file is among the parts of one network twice; if one is, says so.
pub(crate) fn all_different(paths: &[PathBuf]) -> Result<(), Refused> {
    let mut seen = BTreeSet::new();
    for path in paths.iter().filter(|path| path.as_os_str() != "-") {
        // A file that does not exist is reported when it is read.
        if !seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
            let name = on_one_line(&path.to_string_lossy());
            let message = format!("{name} is given twice");
            return Err(Refused::Message { file: Some(Origin { name, path: Some(path.clone()) }), message });
        }
    }
    Ok(())
}

/// Whether at most one of the files is standard input; if not, says so.
pub(crate) fn read_once<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), Refused> {
    let (mut all, mut standard) = (0, 0);
    for path in paths {
        all += 1;
        standard += usize::from(path.as_os_str() == "-");
    }
    if standard <= 1 {
        return Ok(());
    }
    let of = if all == 2 { "the two" } else { "them" };
    Err(Refused::Message { file: None, message: format!("only one of {of} can be standard input") })
}

/// Tells on standard error what is wrong or strange with a text.
pub(crate) fn accepted<T>(
    read: Result<Reading<T>, Vec<Refused>>,
    console: &mut Console,
) -> io::Result<Option<(Input, T)>> {
    // In a form that is written as it comes, the command does not matter.
    Report::new(report::Format::Full, "").accept(read, console)
}

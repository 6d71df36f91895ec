//! Reading files.

use crate::console::Console;
use crate::report::{self, Format};
use crate::source::{Source, on_one_line};
use laban::diagnostic::{Diagnostic, has_errors};
use laban::network::{Network, lower};
use laban::syntax::{Kind, detect, parse_network, source_text};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A text to work on.
pub(crate) struct Input {
    /// Where it is, unless it came from the standard input.
    pub(crate) path: Option<PathBuf>,
    /// The text and its name.
    pub(crate) source: Source,
    /// The language that it is written in.
    pub(crate) kind: Kind,
    /// Why there is no text in the file.
    pub(crate) no_text: Option<Diagnostic>,
}

/// A file that could not be read.
#[derive(Debug)]
pub(crate) struct Unreadable {
    name: String,
    error: io::Error,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unreadable { name, error } = self;
        match error.kind() {
            io::ErrorKind::NotFound => write!(f, "cannot read {name}: there is no such file"),
            io::ErrorKind::PermissionDenied => write!(f, "cannot read {name}: permission denied"),
            io::ErrorKind::IsADirectory => write!(f, "cannot read {name}: it is a directory; name the files in it"),
            _ => write!(f, "cannot read {name}: {error}"),
        }
    }
}

impl Input {
    /// Reads a file, or the standard input if the path is `-`.
    pub(crate) fn read(path: &Path) -> Result<Input, Unreadable> {
        let from_standard_input = path.as_os_str() == "-";
        let name = match from_standard_input {
            true => "<stdin>".to_string(),
            false => on_one_line(&path.to_string_lossy()),
        };
        let bytes = match from_standard_input {
            true => bytes_of(io::stdin().lock()),
            false => File::open(path).and_then(|file| match file.metadata()?.is_dir() {
                true => Err(io::ErrorKind::IsADirectory.into()),
                false => bytes_of(file),
            }),
        };
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) => return Err(Unreadable { name, error }),
        };
        let no_text = source_text(&bytes).err();
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            // What is text in it is shown with the diagnostic.
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        };
        let kind = match path.extension() {
            Some(extension) if extension.eq_ignore_ascii_case("net") => Kind::Network,
            Some(extension) if extension.eq_ignore_ascii_case("chor") => Kind::Choreography,
            _ => detect(&text),
        };
        let path = (!from_standard_input).then(|| path.to_path_buf());
        Ok(Input { path, source: Source::new(name, text), kind, no_text })
    }
}

/// All bytes, up to one more than a text can have.
fn bytes_of(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(u64::from(u32::MAX) + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a network that is well-formed; if it is not, says why on the standard error.
pub(crate) fn network(path: &Path, console: &mut Console) -> io::Result<Option<(Input, Network)>> {
    let input = match Input::read(path) {
        Ok(input) => input,
        Err(unreadable) => {
            console.error(unreadable);
            return Ok(None);
        }
    };
    if input.kind == Kind::Choreography && input.no_text.is_none() {
        console.error(format_args!("{} is a choreography; a network is needed here", input.source.name));
        return Ok(None);
    }
    let (network, diagnostics) = match &input.no_text {
        Some(no_text) => (None, vec![no_text.clone()]),
        None => {
            let parsed = parse_network(&input.source.text);
            match has_errors(&parsed.diagnostics) {
                true => (None, parsed.diagnostics),
                false => {
                    let lowered = lower(&parsed.tree);
                    (lowered.network, lowered.diagnostics)
                }
            }
        }
    };
    report::write(Format::Full, &input.source, &diagnostics, console.err())?;
    Ok(network.map(|network| (input, network)))
}

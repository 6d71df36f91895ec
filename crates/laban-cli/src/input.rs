//! Reading files.

use crate::console::Console;
use crate::report::{self, Format};
use crate::source::{Source, on_one_line};
use laban::choreography::{self, Choreography};
use laban::diagnostic::{Diagnostic, has_errors};
use laban::network::{self, Network};
use laban::syntax::{ChoreographyTree, Kind, detect, parse_choreography, parse_network, source_text};
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
    pub(crate) name: String,
    pub(crate) error: io::Error,
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

/// What a text stands for.
pub(crate) enum Model {
    /// What each process does.
    Network(Network),
    /// What all do together.
    Choreography(Choreography),
}

/// Whether at most one of two files is the standard input; if both are, says so.
pub(crate) fn read_once(paths: [&Path; 2], console: &mut Console) -> bool {
    let twice = paths.iter().all(|path| path.as_os_str() == "-");
    if twice {
        console.error("only one of the two can be the standard input");
    }
    !twice
}

/// Reads a network that is well-formed; if it is not, says why on the standard error.
pub(crate) fn network(path: &Path, console: &mut Console) -> io::Result<Option<(Input, Network)>> {
    read_as(path, Some(Kind::Network), console, |input| network_of(&input.source.text))
}

/// Reads a choreography that is well-formed; if it is not, says why on the standard error.
pub(crate) fn choreography(path: &Path, console: &mut Console) -> io::Result<Option<(Input, Choreography)>> {
    let read = choreography_with_tree(path, console)?;
    Ok(read.map(|(input, _, choreography)| (input, choreography)))
}

/// Does so, and gives the syntax tree as well.
pub(crate) fn choreography_with_tree(
    path: &Path,
    console: &mut Console,
) -> io::Result<Option<(Input, ChoreographyTree, Choreography)>> {
    let read = read_as(path, Some(Kind::Choreography), console, |input| choreography_of(&input.source.text))?;
    Ok(read.map(|(input, (tree, choreography))| (input, tree, choreography)))
}

/// Reads a network or a choreography that is well-formed; if it is not, says why on the standard error.
pub(crate) fn model(path: &Path, console: &mut Console) -> io::Result<Option<(Input, Model)>> {
    read_as(path, None, console, |input| match input.kind {
        Kind::Network => {
            let (network, diagnostics) = network_of(&input.source.text);
            (network.map(Model::Network), diagnostics)
        }
        Kind::Choreography => {
            let (read, diagnostics) = choreography_of(&input.source.text);
            (read.map(|(_, choreography)| Model::Choreography(choreography)), diagnostics)
        }
    })
}

fn network_of(text: &str) -> (Option<Network>, Vec<Diagnostic>) {
    let parsed = parse_network(text);
    if has_errors(&parsed.diagnostics) {
        return (None, parsed.diagnostics);
    }
    let lowered = network::lower(&parsed.tree);
    (lowered.network, lowered.diagnostics)
}

fn choreography_of(text: &str) -> (Option<(ChoreographyTree, Choreography)>, Vec<Diagnostic>) {
    let parsed = parse_choreography(text);
    if has_errors(&parsed.diagnostics) {
        return (None, parsed.diagnostics);
    }
    let lowered = choreography::lower(&parsed.tree);
    (lowered.choreography.map(|choreography| (parsed.tree, choreography)), lowered.diagnostics)
}

/// Reads a text, of one kind if it is given, and makes a model of it; says what is wrong on the standard error.
fn read_as<T>(
    path: &Path,
    kind: Option<Kind>,
    console: &mut Console,
    model: impl FnOnce(&Input) -> (Option<T>, Vec<Diagnostic>),
) -> io::Result<Option<(Input, T)>> {
    let input = match Input::read(path) {
        Ok(input) => input,
        Err(unreadable) => {
            console.error(unreadable);
            return Ok(None);
        }
    };
    if let Some(kind) = kind.filter(|&kind| kind != input.kind && input.no_text.is_none()) {
        let (is, needed) = match kind {
            Kind::Network => ("choreography", "network"),
            Kind::Choreography => ("network", "choreography"),
        };
        console.error(format_args!("{} is a {is}; a {needed} is needed here", input.source.name));
        return Ok(None);
    }
    let (model, diagnostics) = match &input.no_text {
        Some(no_text) => (None, vec![no_text.clone()]),
        None => model(&input),
    };
    report::write(Format::Full, &input.source, &diagnostics, console.err())?;
    Ok(model.map(|model| (input, model)))
}

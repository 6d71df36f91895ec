//! Reading files.

use crate::console::Console;
use crate::report::{Format, Report};
use crate::source::{File as Origin, Source, on_one_line};
use crate::stdin::read_to_end;
use laban::choreography::{self, Choreography};
use laban::diagnostic::{Code, Diagnostic, has_errors};
use laban::network::{self, Network};
use laban::syntax::{ChoreographyTree, Kind, NetworkTree, detect, parse_choreography, parse_network, source_text};
use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A text to work on.
pub(crate) struct Input {
    /// Where it is, unless it came from standard input.
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
            io::ErrorKind::NotFound => write!(f, "cannot read {name}: no such file"),
            io::ErrorKind::PermissionDenied => write!(f, "cannot read {name}: permission denied"),
            io::ErrorKind::IsADirectory => write!(f, "cannot read {name}: it is a directory; name files in it"),
            _ => write!(f, "cannot read {name}: {error}"),
        }
    }
}

impl Input {
    /// Reads a file, or standard input if the path is `-`.
    pub(crate) fn read(path: &Path) -> Result<Input, Unreadable> {
        let from_standard_input = path.as_os_str() == "-";
        let name = name_of(path);
        let bytes = match from_standard_input {
            true => read_to_end(|| Ok(io::stdin()), MOST_BYTES),
            false => read_file(path),
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
        let kind = kind_by_name(path).unwrap_or_else(|| detect(&text));
        let path = (!from_standard_input).then(|| path.to_path_buf());
        let source = Source::of_file(Origin { name, path: path.clone() }, text);
        Ok(Input { path, source, kind, no_text })
    }

    /// Networks in parallel, which are one network.
    pub(crate) fn together(networks: Vec<Input>) -> Input {
        let source = Source::together(networks.into_iter().map(|input| input.source).collect());
        let no_text = source_text(source.text.as_bytes()).err();
        Input { path: None, source, kind: Kind::Network, no_text }
    }
}

/// What messages call a file.
pub(crate) fn name_of(path: &Path) -> String {
    match path.as_os_str() == "-" {
        true => "<stdin>".to_string(),
        false => on_one_line(&path.to_string_lossy()),
    }
}

/// Why there is nothing to work on.
pub(crate) enum Refused {
    /// Something that is not a text to point into.
    Message {
        /// The file that it is about.
        file: Option<Origin>,
        /// What is wrong with it.
        message: String,
    },
    /// A text with mistakes.
    Mistakes {
        /// The text.
        source: Source,
        /// Its mistakes.
        diagnostics: Vec<Diagnostic>,
    },
}

impl Refused {
    /// A file that cannot be read.
    pub(crate) fn unreadable(path: &Path, unreadable: &Unreadable) -> Self {
        let file = Origin { name: unreadable.name.clone(), path: Some(path.to_path_buf()) };
        Refused::Message { file: Some(file), message: unreadable.to_string() }
    }
}

/// A text that could be read, and what it is read as.
pub(crate) struct Reading<T> {
    pub(crate) input: Input,
    pub(crate) model: T,
    /// What is strange about it, but no mistake.
    pub(crate) diagnostics: Vec<Diagnostic>,
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

/// What a text is read as.
pub(crate) enum Model {
    /// What each process does.
    Network(Network),
    /// What all do together.
    Choreography(Choreography),
}

/// How the files that were given make networks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Files {
    /// There is one.
    One,
    /// Each is a network of its own.
    Apart,
    /// They are parts of one network.
    Together,
}

impl Files {
    /// Says where a process may be that is not there: in another file. Says it once.
    pub(crate) fn explain(self, diagnostics: &mut [Diagnostic], tree: &NetworkTree) {
        let mut unknown = diagnostics.iter_mut().filter(|diagnostic| diagnostic.code == Code::UnknownProcess);
        let Some(first) = unknown.next() else { return };
        if first.hints.iter().any(|hint| hint.starts_with("did you mean")) {
            return;
        }
        let hint = match self {
            Files::One if tree.units.len() == 1 => {
                "a network can be spread over several files: give them all, as in `laban extract a.net b.net` or \
                 `laban check --together a.net b.net`"
            }
            Files::One => return,
            Files::Apart => "each file is checked as a network of its own; with `--together` they are parts of one",
            Files::Together => "none of the files that were given defines it",
        };
        first.hints.push(hint.to_string());
    }
}

/// The language of a file, if its name tells.
pub(crate) fn kind_by_name(path: &Path) -> Option<Kind> {
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("net") => Some(Kind::Network),
        Some(extension) if extension.eq_ignore_ascii_case("chor") => Some(Kind::Choreography),
        _ => None,
    }
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

/// Reads a network that is well-formed; if it is not, says why on standard error.
pub(crate) fn network(path: &Path, console: &mut Console) -> io::Result<Option<(Input, Network)>> {
    accepted(read_network(path), console)
}

/// Reads a network that may be spread over several files.
pub(crate) fn read_networks(paths: &[PathBuf]) -> Result<Reading<Network>, Vec<Refused>> {
    if let [path] = paths {
        return read_network(path);
    }
    read_once(paths).and_then(|()| all_different(paths)).map_err(|refused| vec![refused])?;
    let (mut inputs, mut all_refused) = (Vec::new(), Vec::new());
    for path in paths {
        // A bracket that is not closed is a mistake of its own file, and not of the next one.
        match read_as(path, Some(Kind::Network), |input| parse_alone(&input.source.text)) {
            Ok(read) => inputs.push(read.input),
            Err(refused) => all_refused.extend(refused),
        }
    }
    match all_refused.is_empty() {
        true => model_of(Input::together(inputs), |input| network_of(&input.source.text, Files::Together)),
        false => Err(all_refused),
    }
}

/// Reads a network.
fn read_network(path: &Path) -> Result<Reading<Network>, Vec<Refused>> {
    read_as(path, Some(Kind::Network), |input| network_of(&input.source.text, Files::One))
}

/// Reads a choreography.
pub(crate) fn read_choreography(path: &Path) -> Result<Reading<(ChoreographyTree, Choreography)>, Vec<Refused>> {
    read_as(path, Some(Kind::Choreography), |input| choreography_of(&input.source.text))
}

/// Reads a network, which may be spread over several files, or a choreography.
pub(crate) fn read_models(paths: &[PathBuf]) -> Result<Reading<Model>, Vec<Refused>> {
    if let [path] = paths {
        return read_model(path);
    }
    let Reading { input, model, diagnostics } = read_networks(paths)?;
    Ok(Reading { input, model: Model::Network(model), diagnostics })
}

/// Reads a network or a choreography.
pub(crate) fn read_model(path: &Path) -> Result<Reading<Model>, Vec<Refused>> {
    read_as(path, None, |input| match input.kind {
        Kind::Network => {
            let (network, diagnostics) = network_of(&input.source.text, Files::One);
            (network.map(Model::Network), diagnostics)
        }
        Kind::Choreography => {
            let (read, diagnostics) = choreography_of(&input.source.text);
            (read.map(|(_, choreography)| Model::Choreography(choreography)), diagnostics)
        }
    })
}

/// Tells on standard error what is wrong or strange with a text.
pub(crate) fn accepted<T>(
    read: Result<Reading<T>, Vec<Refused>>,
    console: &mut Console,
) -> io::Result<Option<(Input, T)>> {
    // In a form that is written as it comes, the command does not matter.
    Report::new(Format::Full, "").accept(read, console)
}

/// The mistakes that a network has for itself, without those around it.
fn parse_alone(text: &str) -> (Option<()>, Vec<Diagnostic>) {
    let diagnostics = parse_network(text).diagnostics;
    ((!has_errors(&diagnostics)).then_some(()), diagnostics)
}

fn network_of(text: &str, files: Files) -> (Option<Network>, Vec<Diagnostic>) {
    let parsed = parse_network(text);
    if has_errors(&parsed.diagnostics) {
        return (None, parsed.diagnostics);
    }
    let mut lowered = network::lower(&parsed.tree);
    files.explain(&mut lowered.diagnostics, &parsed.tree);
    if let Some(network) = &lowered.network {
        // What else is strange is a matter for `laban check`; of a choreography, too, this is all that others tell.
        let warnings = network::warnings(&parsed.tree, network);
        lowered.diagnostics.extend(warnings.into_iter().filter(|warning| warning.code == Code::UnusedProcedure));
    }
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

/// Reads a text, of one kind if it is given, and makes a model of it.
fn read_as<T>(
    path: &Path,
    kind: Option<Kind>,
    model: impl FnOnce(&Input) -> (Option<T>, Vec<Diagnostic>),
) -> Result<Reading<T>, Vec<Refused>> {
    let input = Input::read(path).map_err(|unreadable| vec![Refused::unreadable(path, &unreadable)])?;
    if let Some(kind) = kind.filter(|&kind| kind != input.kind && input.no_text.is_none()) {
        let (is, needed) = match kind {
            Kind::Network => ("choreography", "network"),
            Kind::Choreography => ("network", "choreography"),
        };
        let message = format!("{} is a {is}; a {needed} is needed here", input.source.name);
        return Err(vec![Refused::Message { file: Some(input.source.file_at(0).clone()), message }]);
    }
    model_of(input, model)
}

fn model_of<T>(
    input: Input,
    model: impl FnOnce(&Input) -> (Option<T>, Vec<Diagnostic>),
) -> Result<Reading<T>, Vec<Refused>> {
    let (model, diagnostics) = match &input.no_text {
        Some(no_text) => (None, vec![no_text.clone()]),
        None => model(&input),
    };
    match model {
        Some(model) => Ok(Reading { input, model, diagnostics }),
        None => Err(vec![Refused::Mistakes { source: input.source, diagnostics }]),
    }
}

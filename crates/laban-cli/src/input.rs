//! Reading files.

use crate::console::Console;
use crate::report::{Format, Report};
use crate::source::{File as Origin, Source, on_one_line};
use crate::stdin::read_to_end;
use laban::diagnostic::{Code, Diagnostic};
use laban::syntax::{Kind, NetworkTree};
use laban::{Analysis, Choreography, Model, Network};
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
    /// What is known of it.
    pub(crate) analysis: Analysis,
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
        let analysis = Analysis::of_bytes(kind_by_name(path), bytes);
        let path = (!from_standard_input).then(|| path.to_path_buf());
        let source = Source::of_file(Origin { name, path: path.clone() }, analysis.text());
        Ok(Input { path, source, analysis })
    }

    /// Networks in parallel, which are one network.
    pub(crate) fn together(networks: Vec<Input>) -> Input {
        let source = Source::together(networks.into_iter().map(|input| input.source).collect());
        let analysis = Analysis::of_bytes(Some(Kind::Network), source.text.clone().into_bytes());
        Input { path: None, source, analysis }
    }

    /// The language that it is written in.
    pub(crate) fn kind(&self) -> Kind {
        self.analysis.kind()
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
        /// Whether they are not of the syntax.
        parses: bool,
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
    /// The errors of a text, with a word on where a process may be that is not there: in another file.
    pub(crate) fn explained(self, analysis: &Analysis) -> Vec<Diagnostic> {
        let mut errors = analysis.errors().to_vec();
        if let Some(tree) = analysis.network_tree() {
            self.explain(&mut errors, tree);
        }
        errors
    }

    /// Says so once.
    fn explain(self, diagnostics: &mut [Diagnostic], tree: &NetworkTree) {
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
        match read_as(path, Some(Kind::Network)) {
            // A bracket that is not closed is a mistake of its own file, and not of the next one.
            Ok(input) if !input.analysis.syntax_errors().is_empty() => all_refused.push(input.refused(Files::Together)),
            Ok(input) => inputs.push(input),
            Err(refused) => all_refused.push(refused),
        }
    }
    match all_refused.is_empty() {
        true => Input::together(inputs).network(Files::Together).map_err(|refused| vec![refused]),
        false => Err(all_refused),
    }
}

/// Reads a network.
fn read_network(path: &Path) -> Result<Reading<Network>, Vec<Refused>> {
    let input = read_as(path, Some(Kind::Network));
    input.and_then(|input| input.network(Files::One)).map_err(|refused| vec![refused])
}

/// Reads a choreography.
pub(crate) fn read_choreography(path: &Path) -> Result<Reading<Choreography>, Vec<Refused>> {
    let input = read_as(path, Some(Kind::Choreography));
    let reading = input.and_then(|input| {
        input.reading(Files::One, |model| match model {
            Model::Choreography(choreography) => Some(choreography),
            Model::Network(_) => None,
        })
    });
    reading.map_err(|refused| vec![refused])
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
    read_as(path, None).and_then(|input| input.reading(Files::One, Some)).map_err(|refused| vec![refused])
}

/// Tells on standard error what is wrong or strange with a text.
pub(crate) fn accepted<T>(
    read: Result<Reading<T>, Vec<Refused>>,
    console: &mut Console,
) -> io::Result<Option<(Input, T)>> {
    // In a form that is written as it comes, the command does not matter.
    Report::new(Format::Full, "").accept(read, console)
}

/// Reads a text, of one kind if it is given.
fn read_as(path: &Path, kind: Option<Kind>) -> Result<Input, Refused> {
    let input = Input::read(path).map_err(|unreadable| Refused::unreadable(path, &unreadable))?;
    if let Some(kind) = kind.filter(|&kind| kind != input.kind() && input.analysis.is_text()) {
        let (is, needed) = match kind {
            Kind::Network => ("choreography", "network"),
            Kind::Choreography => ("network", "choreography"),
        };
        let message = format!("{} is a {is}; a {needed} is needed here", input.source.name);
        return Err(Refused::Message { file: Some(input.source.file_at(0).clone()), message });
    }
    Ok(input)
}

impl Input {
    /// Why it cannot be used.
    fn refused(self, files: Files) -> Refused {
        let diagnostics = files.explained(&self.analysis);
        Refused::Mistakes { diagnostics, parses: self.analysis.syntax_errors().is_empty(), source: self.source }
    }

    fn network(self, files: Files) -> Result<Reading<Network>, Refused> {
        self.reading(files, |model| match model {
            Model::Network(network) => Some(network),
            Model::Choreography(_) => None,
        })
    }

    /// What it says, if it is of the right kind.
    fn reading<T>(mut self, files: Files, of_kind: impl FnOnce(Model) -> Option<T>) -> Result<Reading<T>, Refused> {
        let Some(model) = self.analysis.take_model().and_then(of_kind) else { return Err(self.refused(files)) };
        // What else is strange is a matter for `laban check`.
        let all = self.analysis.diagnostics().iter();
        let diagnostics = all.filter(|warning| warning.code == Code::UnusedProcedure).cloned().collect();
        Ok(Reading { input: self, model, diagnostics })
    }
}

//! Reading files.

use crate::console::Console;
use crate::formats::Language;
use crate::report::{self, Report};
use crate::source::{File as Origin, Source, on_one_line};
use crate::stdin::read_to_end;
use laban::choreography::Unprojectable;
use laban::diagnostic::{Code, Diagnostic};
use laban::syntax::{Kind, NetworkTree};
use laban::{Analysis, Choreography, Model, Network};
use laban_formats::{Format, ReadOptions, explain_untold};
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
    /// What is special about it, unless it is a file in one of Laban's languages.
    pub(crate) foreign: Option<Foreign>,
}

/// What is special about a text of another tool, or in a block of Markdown.
pub(crate) struct Foreign {
    /// The language, unless it is one of Laban's own.
    pub(crate) format: Option<Format>,
    /// What is assumed about it.
    pub(crate) asides: Vec<String>,
    /// The number of the block of Markdown that it is.
    pub(crate) block: Option<u32>,
    /// The text before and after that block, in Markdown.
    pub(crate) around: Option<(String, String)>,
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
    /// A text in one of Laban's languages.
    pub(crate) fn own(file: Origin, language: Language, bytes: Vec<u8>) -> Input {
        let kind = match language {
            Language::Own(kind) => kind,
            Language::Other(_) | Language::Markdown => None,
        };
        let analysis = Analysis::of_bytes(kind, bytes);
        let path = file.path.clone();
        let source = Source::of_file(file, analysis.text());
        Input { path, source, analysis, foreign: None }
    }

    /// Networks in parallel, which are one network.
    pub(crate) fn together(networks: Vec<Input>) -> Input {
        let source = Source::together(networks.into_iter().map(|input| input.source).collect());
        let analysis = Analysis::of_bytes(Some(Kind::Network), source.text.clone().into_bytes());
        Input { path: None, source, analysis, foreign: None }
    }

    /// The language of another tool that it is in.
    pub(crate) fn format(&self) -> Option<Format> {
        self.foreign.as_ref()?.format
    }

    /// Why its choreography has no projection, in the words of the text.
    pub(crate) fn untold(&self, choreography: &Choreography, reasons: &[Unprojectable]) -> Vec<Diagnostic> {
        match self.diagram() {
            Some((format, source)) => explain_untold(format, &source, &ReadOptions::default(), choreography, reasons),
            None => reasons.iter().map(|reason| reason.diagnostic(choreography)).collect(),
        }
    }

    /// Whether it is a block of Markdown.
    pub(crate) fn is_block(&self) -> bool {
        self.foreign.as_ref().is_some_and(|foreign| foreign.block.is_some())
    }

    /// The sequence diagram that it is: the language, the text of the diagram, and where that starts.
    pub(crate) fn diagram(&self) -> Option<(Format, laban_formats::Source<'_>)> {
        let format = self.format().filter(|format| matches!(format, Format::Mermaid | Format::PlantUml))?;
        let around = self.foreign.as_ref().and_then(|foreign| foreign.around.as_ref());
        let (before, after) = around.map_or((0, 0), |(before, after)| (before.len(), after.len()));
        let text = self.source.text.get(before..self.source.text.len().checked_sub(after)?)?;
        let name = &self.source.name;
        Some((format, laban_formats::Source { name, text, offset: before as u32 }))
    }

    /// What is assumed about it.
    pub(crate) fn asides(&self) -> &[String] {
        self.foreign.as_ref().map_or(&[], |foreign| &foreign.asides)
    }

    /// What a verdict calls it: the file, and in Markdown the block.
    pub(crate) fn called(&self) -> String {
        match self.foreign.as_ref().and_then(|foreign| foreign.block) {
            Some(block) => format!("{}, block {block}", self.source.name),
            None => self.source.name.clone(),
        }
    }

    /// What it describes.
    pub(crate) fn kind(&self) -> Kind {
        self.analysis.kind()
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

/// More remarks than this about a text are a matter for `laban check`.
const MOST_REMARKS: usize = 4;

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

/// Tells on standard error what is wrong or strange with a text.
pub(crate) fn accepted<T>(
    read: Result<Reading<T>, Vec<Refused>>,
    console: &mut Console,
) -> io::Result<Option<(Input, T)>> {
    // In a form that is written as it comes, the command does not matter.
    Report::new(report::Format::Full, "").accept(read, console)
}

impl Input {
    /// The same if it is of a kind; if not, says so.
    pub(crate) fn of_kind(self, kind: Kind) -> Result<Input, Refused> {
        if kind == self.kind() || !self.analysis.is_text() {
            return Ok(self);
        }
        let name = &self.source.name;
        let message = match kind {
            Kind::Network => {
                format!("{name} is a choreography; a network is needed here: `laban project` makes one of it")
            }
            Kind::Choreography => format!("{name} is a network; a choreography is needed here"),
        };
        Err(Refused::Message { file: Some(self.source.file_at(0).clone()), message })
    }

    /// Why it cannot be used.
    pub(crate) fn refused(self, files: Files) -> Refused {
        let diagnostics = files.explained(&self.analysis);
        Refused::Mistakes { diagnostics, parses: self.analysis.syntax_errors().is_empty(), source: self.source }
    }

    pub(crate) fn network(self, files: Files) -> Result<Reading<Network>, Refused> {
        self.reading(files, |model| match model {
            Model::Network(network) => Some(network),
            Model::Choreography(_) => None,
        })
    }

    /// What it says, if it is of the right kind.
    pub(crate) fn reading<T>(
        mut self,
        files: Files,
        of_kind: impl FnOnce(Model) -> Option<T>,
    ) -> Result<Reading<T>, Refused> {
        let Some(model) = self.analysis.take_model().and_then(of_kind) else { return Err(self.refused(files)) };
        // What else is strange is a matter for `laban check`.
        let all = self.analysis.diagnostics().iter();
        let mut remarks = 0;
        let is_shown = |one: &&Diagnostic| match one.code {
            Code::UnusedProcedure => true,
            Code::Remark => {
                remarks += 1;
                remarks <= MOST_REMARKS
            }
            _ => false,
        };
        let diagnostics = all.filter(is_shown).cloned().collect();
        if let Some(foreign) = self.foreign.as_mut().filter(|_| remarks > MOST_REMARKS) {
            let more = remarks - MOST_REMARKS;
            foreign.asides.push(format!("{}: {more} more notes; `laban check` has them all", self.source.name));
        }
        Ok(Reading { input: self, model, diagnostics })
    }
}

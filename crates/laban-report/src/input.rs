//! Texts to work on, and why some cannot be worked on.

use crate::language::Language;
use crate::source::{File, Source};
use laban::choreography::Unprojectable;
use laban::diagnostic::{Code, Diagnostic};
use laban::syntax::{Kind, NetworkTree};
use laban::{Analysis, Choreography, Model, Network};
use laban_formats::{Format, ReadOptions, explain_untold};
use std::path::PathBuf;

/// A text to work on.
pub struct Input {
    /// Where it is, unless it came from standard input.
    pub path: Option<PathBuf>,
    /// The text and its name.
    pub source: Source,
    /// What is known of it.
    pub analysis: Analysis,
    /// What is special about it, unless it is a file in one of Laban's languages.
    pub foreign: Option<Foreign>,
}

/// What is special about a text of another tool, or in a block of Markdown.
pub struct Foreign {
    /// The language, unless it is one of Laban's own.
    pub format: Option<Format>,
    /// What is assumed about it.
    pub asides: Vec<String>,
    /// The number of the block of Markdown that it is.
    pub block: Option<u32>,
    /// The text before and after that block, in Markdown.
    pub around: Option<(String, String)>,
}

impl Input {
    /// A text in one of Laban's languages.
    pub fn own(file: File, language: Language, bytes: Vec<u8>) -> Input {
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
    pub fn together(networks: Vec<Input>) -> Input {
        let source = Source::together(networks.into_iter().map(|input| input.source).collect());
        let analysis = Analysis::of_bytes(Some(Kind::Network), source.text.clone().into_bytes());
        Input { path: None, source, analysis, foreign: None }
    }

    /// The language of another tool that it is in.
    pub fn format(&self) -> Option<Format> {
        self.foreign.as_ref()?.format
    }

    /// Why its choreography has no projection, in the words of the text.
    pub fn untold(&self, choreography: &Choreography, reasons: &[Unprojectable]) -> Vec<Diagnostic> {
        match self.diagram() {
            Some((format, source)) => explain_untold(format, &source, &ReadOptions::default(), choreography, reasons),
            None => reasons.iter().map(|reason| reason.diagnostic(choreography)).collect(),
        }
    }

    /// Whether it is a block of Markdown.
    pub fn is_block(&self) -> bool {
        self.foreign.as_ref().is_some_and(|foreign| foreign.block.is_some())
    }

    /// The sequence diagram that it is: the language, the text of the diagram, and where that starts.
    pub fn diagram(&self) -> Option<(Format, laban_formats::Source<'_>)> {
        let format = self.format().filter(|format| matches!(format, Format::Mermaid | Format::PlantUml))?;
        let around = self.foreign.as_ref().and_then(|foreign| foreign.around.as_ref());
        let (before, after) = around.map_or((0, 0), |(before, after)| (before.len(), after.len()));
        let text = self.source.text.get(before..self.source.text.len().checked_sub(after)?)?;
        let name = &self.source.name;
        Some((format, laban_formats::Source { name, text, offset: before as u32 }))
    }

    /// What is assumed about it.
    pub fn asides(&self) -> &[String] {
        self.foreign.as_ref().map_or(&[], |foreign| &foreign.asides)
    }

    /// What a verdict calls it: the file, and in Markdown the block.
    pub fn called(&self) -> String {
        match self.foreign.as_ref().and_then(|foreign| foreign.block) {
            Some(block) => format!("{}, block {block}", self.source.name),
            None => self.source.name.clone(),
        }
    }

    /// What it describes.
    pub fn kind(&self) -> Kind {
        self.analysis.kind()
    }
}

/// Why there is nothing to work on.
pub enum Refused {
    /// Something that is not a text to point into.
    Message {
        /// The file that it is about.
        file: Option<File>,
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
    /// What messages call the text; nothing if there is none.
    pub fn name(&self) -> &str {
        match self {
            Refused::Message { file, .. } => file.as_ref().map_or("", |file| &file.name),
            Refused::Mistakes { source, .. } => &source.name,
        }
    }
}

/// A text that could be read, and what it is read as.
pub struct Reading<T> {
    /// The text.
    pub input: Input,
    /// What it says.
    pub model: T,
    /// What is strange about it, but no mistake.
    pub diagnostics: Vec<Diagnostic>,
}

/// More remarks than this about a text are a matter for `laban check`.
const MOST_REMARKS: usize = 4;

/// How the files that were given make networks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Files {
    /// There is one.
    One,
    /// Each is a network of its own.
    Apart,
    /// They are parts of one network.
    Together,
}

impl Files {
    /// The errors of a text, with a word on where a process may be that is not there: in another file.
    pub fn explained(self, analysis: &Analysis) -> Vec<Diagnostic> {
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

impl Input {
    /// The same if it is of a kind; if not, says so.
    pub fn of_kind(self, kind: Kind) -> Result<Input, Refused> {
        if kind == self.kind() || !self.analysis.is_text() {
            return Ok(self);
        }
        let name = &self.source.name;
        let message = match kind {
            Kind::Network => {
                format!("{name} is a choreography; a network is needed here: `laban project` turns it into one")
            }
            Kind::Choreography => {
                format!("{name} is a network; a choreography is needed here: `laban extract` finds one")
            }
        };
        Err(Refused::Message { file: Some(self.source.file_at(0).clone()), message })
    }

    /// Why it cannot be used.
    pub fn refused(self, files: Files) -> Refused {
        let diagnostics = files.explained(&self.analysis);
        Refused::Mistakes { diagnostics, parses: self.analysis.syntax_errors().is_empty(), source: self.source }
    }

    /// The network that it is.
    pub fn network(self, files: Files) -> Result<Reading<Network>, Refused> {
        self.reading(files, |model| match model {
            Model::Network(network) => Some(network),
            Model::Choreography(_) => None,
        })
    }

    /// What it says, if it is of the right kind.
    pub fn reading<T>(mut self, files: Files, of_kind: impl FnOnce(Model) -> Option<T>) -> Result<Reading<T>, Refused> {
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

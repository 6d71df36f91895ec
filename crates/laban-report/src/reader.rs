//! Reading texts in whatever language they are: Laban's own, those of other tools, and blocks of Markdown.
//!
//! The name of a file decides first, then `--from`, then the content. A text of another tool becomes an [`Input`] like
//! all others: its places are places in the file, and what is assumed about it is said beside.

use crate::blocks::{self, ReadyBlock};
use crate::imports::{self, Library};
use crate::input::{Files, Foreign, Input, Reading, Refused};
use crate::language::{Language, ReadArgs};
use crate::source::{File, Source};
use laban::diagnostic::quote;
use laban::network::Channel;
use laban::syntax::Kind;
use laban::{Analysis, Choreography, Model, Network};
use laban_formats::{Format, Renamed, Report, read_with};
use std::path::Path;

/// Whether it is said how messages get from one process to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChannelsAsked {
    /// There is no option for that.
    NoOption,
    /// It is not said.
    NotGiven,
    /// It is said.
    Given,
}

/// How texts are read.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    /// What is known beforehand.
    pub args: &'a ReadArgs,
    /// Whether it is said how messages get from one process to another.
    pub channels: ChannelsAsked,
    /// What texts may import.
    pub library: &'a dyn Library,
}

/// A file, and the language that it is in.
pub struct Raw {
    /// The file.
    pub file: File,
    /// What is in it.
    pub bytes: Vec<u8>,
    /// The language that it is in.
    pub language: Language,
}

impl Reader<'_> {
    /// A file, of which it finds out which language it is in.
    pub fn raw(&self, file: File, bytes: Vec<u8>) -> Raw {
        let language = self.args.language(file.path.as_deref().unwrap_or(Path::new("-")), &bytes);
        Raw { file, bytes, language }
    }

    /// Reads a network, which may be spread over several files.
    pub fn networks(&self, raws: Vec<Result<Raw, Refused>>) -> Result<Reading<Network>, Vec<Refused>> {
        let (input, files) = self.parts(raws, Kind::Network)?;
        input.network(files).map_err(|refused| vec![refused])
    }

    /// Reads a choreography.
    pub fn choreography(&self, raw: Result<Raw, Refused>) -> Result<Reading<Choreography>, Vec<Refused>> {
        let input = self.one(raw, Some(Kind::Choreography))?;
        let reading = input.reading(Files::One, |model| match model {
            Model::Choreography(choreography) => Some(choreography),
            Model::Network(_) => None,
        });
        reading.map_err(|refused| vec![refused])
    }

    /// Reads a network, which may be spread over several files, or a choreography.
    pub fn models(&self, mut raws: Vec<Result<Raw, Refused>>) -> Result<Reading<Model>, Vec<Refused>> {
        if raws.len() == 1
            && let Some(raw) = raws.pop()
        {
            let input = self.one(raw, None)?;
            return input.reading(Files::One, Some).map_err(|refused| vec![refused]);
        }
        let Reading { input, model, diagnostics } = self.networks(raws)?;
        Ok(Reading { input, model: Model::Network(model), diagnostics })
    }

    /// Reads each text of some files for itself; files of one folder that make up one system in the language of another
    /// tool are one text. What cannot be read is handed over as it is.
    pub fn each<E>(
        &self,
        raws: impl Iterator<Item = Result<Raw, (File, Refused)>>,
        mut take: impl FnMut(Result<Input, (File, Refused)>) -> Result<(), E>,
    ) -> Result<(), E> {
        // Files that belong together, until another one comes.
        let mut together: Option<(Format, Vec<Raw>)> = None;
        for raw in raws {
            let raw = match raw {
                Ok(raw) => raw,
                Err(refused) => {
                    take(Err(refused))?;
                    continue;
                }
            };
            let joins = raw.joins();
            let belongs = together.as_ref().is_some_and(|(format, raws)| {
                joins == Some(*format) && raws.last().is_some_and(|last| last.folder() == raw.folder())
            });
            if !belongs && let Some((format, raws)) = together.take() {
                take(Ok(self.foreign(format, raws)))?;
            }
            match (joins, raw.language) {
                (Some(format), _) => together.get_or_insert((format, Vec::new())).1.push(raw),
                (None, Language::Markdown) => match self.blocks(&raw) {
                    Ok(inputs) => inputs.into_iter().try_for_each(|input| take(Ok(input)))?,
                    Err(refused) => take(Err((raw.file, refused)))?,
                },
                (None, Language::Other(format)) => take(Ok(self.foreign(format, vec![raw])))?,
                (None, Language::Own(_)) => take(Ok(Input::own(raw.file, raw.language, raw.bytes)))?,
            }
        }
        match together {
            Some((format, raws)) => take(Ok(self.foreign(format, raws))),
            None => Ok(()),
        }
    }

    /// The parts of a system of one kind.
    pub fn parts(&self, mut raws: Vec<Result<Raw, Refused>>, kind: Kind) -> Result<(Input, Files), Vec<Refused>> {
        if raws.len() == 1
            && let Some(raw) = raws.pop()
        {
            return Ok((self.one(raw, Some(kind))?, Files::One));
        }
        if raws.iter().flatten().any(|raw| raw.format().is_some()) {
            return Ok((self.foreign_parts(raws)?, Files::Together));
        }
        let (mut inputs, mut all_refused) = (Vec::new(), Vec::new());
        for raw in raws {
            match raw.and_then(|raw| self.of_raw(raw, Some(kind))) {
                // A bracket that is not closed is a mistake of its own file, and not of the next one.
                Ok(input) if !input.analysis.syntax_errors().is_empty() => {
                    all_refused.push(input.refused(Files::Together));
                }
                Ok(input) => inputs.push(input),
                Err(refused) => all_refused.push(refused),
            }
        }
        match all_refused.is_empty() {
            true => Ok((Input::together(inputs), Files::Together)),
            false => Err(all_refused),
        }
    }

    /// Several files of which some are in the language of another tool.
    fn foreign_parts(&self, raws: Vec<Result<Raw, Refused>>) -> Result<Input, Vec<Refused>> {
        let (mut parts, mut all_refused) = (Vec::new(), Vec::new());
        for raw in raws {
            match raw {
                Ok(raw) => parts.push(raw),
                Err(refused) => all_refused.push(refused),
            }
        }
        if !all_refused.is_empty() {
            return Err(all_refused);
        }
        let format = parts.first().and_then(Raw::joins);
        match format.filter(|&format| parts.iter().all(|raw| raw.joins() == Some(format))) {
            Some(format) => Ok(self.foreign(format, parts)),
            None => Err(vec![refused_together(&parts)]),
        }
    }

    /// One text, of one kind if it is given.
    pub fn one(&self, raw: Result<Raw, Refused>, kind: Option<Kind>) -> Result<Input, Vec<Refused>> {
        raw.and_then(|raw| self.of_raw(raw, kind)).map_err(|refused| vec![refused])
    }

    /// The text of a file, of one kind if it is given.
    fn of_raw(&self, raw: Raw, kind: Option<Kind>) -> Result<Input, Refused> {
        let input = match raw.language {
            Language::Own(_) => Input::own(raw.file, raw.language, raw.bytes),
            Language::Other(format) => self.foreign(format, vec![raw]),
            Language::Markdown => return self.block(&raw, kind),
        };
        match kind {
            Some(kind) => input.of_kind(kind),
            None => Ok(input),
        }
    }

    /// Texts of one system in the language of another tool.
    fn foreign(&self, format: Format, raws: Vec<Raw>) -> Input {
        let mut sources = Vec::new();
        for raw in raws {
            match String::from_utf8(raw.bytes) {
                Ok(text) => sources.push(Source::of_file(raw.file, text)),
                // What is not text is not text in any language.
                Err(error) => return Input::own(raw.file, Language::Own(None), error.into_bytes()),
            }
        }
        let missing = imports::add(self.library, format, &mut sources);
        let mut input = self.of_source(format, Source::one_after_another(sources), None);
        if let Some(foreign) = &mut input.foreign {
            foreign.asides.extend(missing);
        }
        input
    }

    /// The text of a source in the language of another tool.
    fn of_source(&self, format: Format, source: Source, block: Option<u32>) -> Input {
        let texts: Vec<laban_formats::Source<'_>> = source
            .pieces()
            .map(|(file, range)| laban_formats::Source {
                name: &file.name,
                offset: range.start as u32,
                text: source.text.get(range).unwrap_or(""),
            })
            .collect();
        let reading = self.args.with_options(block.is_some(), |options| read_with(format, &texts, options));
        let asides = self.asides(format, &source.name, &reading);
        let analysis = reading.into_analysis(format, source.text.clone());
        let path = source.file_at(0).path.clone();
        Input { path, source, analysis, foreign: Some(Foreign { format: Some(format), asides, block, around: None }) }
    }

    /// What is assumed about a text.
    fn asides(&self, format: Format, name: &str, reading: &laban_formats::Reading) -> Vec<String> {
        let mut asides = Vec::new();
        if reading.network().is_some() && format != Format::Json && self.channels != ChannelsAsked::Given {
            let (how, other) = match format.channels() {
                Channel::Queue { .. } => ("with queues", "rendezvous"),
                Channel::Rendezvous => ("by rendezvous", "queue"),
            };
            let option = match self.channels {
                ChannelsAsked::NoOption => String::new(),
                ChannelsAsked::NotGiven | ChannelsAsked::Given => format!("; `--channels {other}` changes that"),
            };
            asides.push(format!("{name}: {}, {how}{option}", format.description()));
        }
        asides.extend(renamed(&reading.report).map(|renamed| format!("{name}: {renamed}")));
        asides
    }

    /// What is known of a text in the language of another tool, and of nothing else.
    pub fn analysis(&self, format: Format, name: &str, bytes: Vec<u8>) -> Analysis {
        match String::from_utf8(bytes) {
            Ok(text) => {
                let file = File { name: name.to_string(), path: None };
                self.of_source(format, Source::of_file(file, text), None).analysis
            }
            Err(error) => Analysis::of_bytes(None, error.into_bytes()),
        }
    }

    /// The texts in the blocks of a Markdown file.
    fn blocks(&self, raw: &Raw) -> Result<Vec<Input>, Refused> {
        let chosen = blocks::asked(&raw.file, &raw.bytes, self.args.protocol.as_deref())?;
        Ok(chosen.into_iter().map(|block| self.of_block(&raw.file, block)).collect())
    }

    fn of_block(&self, file: &File, ready: ReadyBlock) -> Input {
        let ReadyBlock { block, alone, around } = ready;
        let source = Source::of_file(file.clone(), alone);
        match block.language {
            Language::Other(format) => {
                let mut input = self.of_source(format, source, Some(block.number));
                if let Some(foreign) = &mut input.foreign {
                    foreign.around = Some(around);
                }
                input
            }
            language => {
                let input = Input::own(file.clone(), language, source.text.into_bytes());
                let around = Some(around);
                let foreign = Foreign { format: None, asides: Vec::new(), block: Some(block.number), around };
                Input { foreign: Some(foreign), ..input }
            }
        }
    }

    /// The only block of a Markdown file that fits, or the one that was asked for.
    fn block(&self, raw: &Raw, kind: Option<Kind>) -> Result<Input, Refused> {
        let block = blocks::only(&raw.file, &raw.bytes, self.args.protocol.as_deref(), kind)?;
        let input = self.of_block(&raw.file, block);
        match kind {
            Some(kind) => input.of_kind(kind),
            None => Ok(input),
        }
    }
}

impl Raw {
    fn format(&self) -> Option<Format> {
        match self.language {
            Language::Other(format) => Some(format),
            Language::Own(_) | Language::Markdown => None,
        }
    }

    /// The format, if this is a part of a system in several files.
    fn joins(&self) -> Option<Format> {
        let text = || str::from_utf8(&self.bytes).unwrap_or("");
        self.format().filter(|format| format.joins_files(text()))
    }

    fn folder(&self) -> Option<&Path> {
        self.file.path.as_deref().and_then(Path::parent)
    }
}

/// Why files cannot be one network.
fn refused_together(raws: &[Raw]) -> Refused {
    let described = |raw: &Raw| match raw.language {
        Language::Own(Some(Kind::Choreography)) => "a choreography",
        Language::Own(_) => "a text of Laban",
        Language::Other(format) => format.description(),
        Language::Markdown => "Markdown",
    };
    let first = raws.first();
    let other = raws.iter().find(|raw| first.is_some_and(|first| raw.language != first.language));
    let message = match (first, other) {
        (Some(first), Some(other)) => format!(
            "{} ({}) and {} ({}) cannot be parts of one network: they are in different languages",
            first.file.name,
            described(first),
            other.file.name,
            described(other),
        ),
        _ => {
            let first = first.map_or("", described);
            format!("each of these files is a system of its own ({first}); give one of them")
        }
    };
    Refused::Message { file: None, message }
}

/// The names that had to be changed, in one sentence.
fn renamed(report: &Report) -> Option<String> {
    const MOST_NAMES: usize = 6;
    let all = &report.renamed;
    let one = |Renamed { original, name }: &Renamed| format!("{} stands for {}", quote(name), quote(original));
    let mut names: Vec<String> = all.iter().take(MOST_NAMES).map(one).collect();
    if all.len() > MOST_NAMES {
        names.push(format!("and {} more", all.len() - MOST_NAMES));
    }
    (!names.is_empty()).then(|| format!("here, {}", names.join(", ")))
}

//! Reads a text of another tool, whatever its language.

use crate::format::Format;
use crate::lower::{lower, lower_protocol};
use crate::protocol::Protocol;
use crate::report::Report;
use crate::source::Source;
use crate::system::Word;
use crate::view::View;
use crate::{automaton, bpmn, chorgram, dot, fsa, json, kmc, mermaid, mpstk, pair, plantuml, scribble, sprout};
use laban::diagnostic::{Code, Diagnostic};
use laban::network::StateId;
use laban::syntax::Symbol;
use laban::text::Span;
use laban::{Choreography, Model, Network};

/// What was read.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// What the text describes, as far as it could be read.
    pub view: View,
    /// The network or the choreography, unless there are errors.
    pub model: Option<Model>,
    /// What to call procedures that start at some states of the network, for [`read_off`](laban::network::read_off).
    pub procedures: Vec<(StateId, Symbol)>,
    /// What there is to say about the text.
    pub report: Report,
}

impl Reading {
    /// The network, if it is one.
    pub fn network(&self) -> Option<&Network> {
        match self.model.as_ref()? {
            Model::Network(network) => Some(network),
            Model::Choreography(_) => None,
        }
    }

    /// The choreography, if it is one.
    pub fn choreography(&self) -> Option<&Choreography> {
        match self.model.as_ref()? {
            Model::Choreography(choreography) => Some(choreography),
            Model::Network(_) => None,
        }
    }

    /// The network, if it is one.
    pub fn into_network(self) -> Option<Network> {
        match self.model? {
            Model::Network(network) => Some(network),
            Model::Choreography(_) => None,
        }
    }

    /// The choreography, if it is one.
    pub fn into_choreography(self) -> Option<Choreography> {
        match self.model? {
            Model::Choreography(choreography) => Some(choreography),
            Model::Network(_) => None,
        }
    }
}

/// What a text leaves open, and the reader has to be told.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadOptions<'a> {
    /// Which protocol or diagram of the text is meant, if there are several: its name, or its number from 1.
    pub protocol: Option<&'a str>,
    /// Who decides where the text does not tell: a line of the text, from 1, and who decides there; without a line,
    /// who decides everywhere else.
    pub deciders: &'a [(Option<u32>, &'a str)],
}

/// Reads the texts of a system or a protocol.
///
/// ```
/// use laban_formats::{Format, Source, read};
///
/// let source = Source::new("", "A: B!hello; end  B: A?hello; end");
/// let network = read(Format::Kmc, &[source]).into_network().expect("there are no errors");
/// assert_eq!(network.processes().len(), 2);
/// ```
pub fn read(format: Format, sources: &[Source<'_>]) -> Reading {
    read_with(format, sources, &ReadOptions::default())
}

/// Reads the texts of a system or a protocol that leave something open.
pub fn read_with(format: Format, sources: &[Source<'_>], options: &ReadOptions<'_>) -> Reading {
    let mut report = Report::default();
    let fits = |source: &Source<'_>| u32::try_from(source.text.len() as u64 + u64::from(source.offset)).is_ok();
    if !sources.iter().all(fits) {
        report.add(Diagnostic::new(Code::TooLong, Span::default(), "the text is longer than 4 GiB"));
        return Reading { report, ..Reading::default() };
    }
    let nul = |source: &Source<'_>| source.text.find('\0').map(|at| source.offset + at as u32);
    if let Some(start) = sources.iter().find_map(nul) {
        let message = "this is not text: there is a NUL character in it, as there are in UTF-16";
        let diagnostic = Diagnostic::new(Code::NotText, Span::new(start, start + 1), message);
        report.add(diagnostic.label("a NUL character").hint("save the file as UTF-8"));
        return Reading { report, ..Reading::default() };
    }
    if let Some(start) = sources.iter().find_map(lone_carriage_return) {
        let message = "the lines of this text end in carriage returns alone";
        let diagnostic = Diagnostic::new(Code::NotText, Span::new(start, start + 1), message);
        report.add(diagnostic.label("a line ends here").hint("save the file with line feeds as line ends"));
        return Reading { report, ..Reading::default() };
    }
    let view = match format {
        Format::Fsa => View::Local(fsa::read(sources, &mut report)),
        Format::Kmc => View::Local(kmc::read(sources, &mut report)),
        Format::SubtypingPair => View::Local(pair::read(sources, &mut report)),
        Format::Dot => View::Local(dot::read(sources, &mut report)),
        Format::MpstkContext => View::Local(mpstk::read(sources, &mut report)),
        Format::Scribble | Format::Nuscr => scribble::read(sources, options, &mut report),
        Format::Mermaid => View::Global(mermaid::read(sources, options, &mut report)),
        Format::PlantUml => View::Global(plantuml::read(sources, options, &mut report)),
        Format::ChoreographyAutomaton => View::Global(automaton::read(sources, options, &mut report)),
        Format::Chorgram => View::Global(chorgram::read(sources, options, &mut report)),
        Format::MpstkGlobal => View::Global(mpstk::read_global(sources, &mut report)),
        Format::Sprout => View::Global(sprout::read(sources, options, &mut report)),
        Format::Bpmn => bpmn::read(sources, options, &mut report),
        Format::Json => {
            let model = json::read(sources, &mut report);
            let view = match model {
                Some(Model::Choreography(_)) => View::Global(Protocol::default()),
                _ => View::default(),
            };
            return Reading { view, model, report, ..Reading::default() };
        }
        Format::Promela | Format::Aldebaran => {
            let message = format!("`{format}` files are only written, not read");
            let hint = "give Laban the network or choreography that it was made from";
            report.add(Diagnostic::new(Code::Syntax, first_line(sources), message).hint(hint));
            View::default()
        }
    };
    // What is said about a text that was not understood would mostly follow from that.
    if report.has_errors() {
        return Reading { view, report, ..Reading::default() };
    }
    match &view {
        View::Local(system) => {
            let lowered = lower(system, &mut report);
            if format == Format::Dot && sources.len() == 1 {
                let is_missing = |diagnostic: &&mut Diagnostic| diagnostic.code == Code::UnknownProcess;
                if let Some(missing) = report.diagnostics.iter_mut().find(is_missing) {
                    missing
                        .hints
                        .push("one file has one process: give the files of all of them, or their folder".into());
                }
            }
            let (model, procedures) =
                lowered.map(|lowered| (Model::Network(lowered.network), lowered.procedures)).unzip();
            Reading { view, model, procedures: procedures.unwrap_or_default(), report }
        }
        View::Global(protocol) => {
            let model = lower_protocol(protocol, &mut report).map(Model::Choreography);
            Reading { view, model, procedures: Vec::new(), report }
        }
    }
}

/// The modules that a text imports from other files, in the order of the text: `a.b.C` is in a file `a/b/C.scr`.
/// [`read`] takes these files as well; the first text is the main one.
pub fn imports(format: Format, text: &str) -> Vec<Word> {
    match format {
        Format::Scribble | Format::Nuscr if u32::try_from(text.len()).is_ok() => scribble::imports(text),
        _ => Vec::new(),
    }
}

/// The first carriage return between two lines, if nothing else is there between lines: otherwise a whole diagram would
/// be one line.
fn lone_carriage_return(source: &Source<'_>) -> Option<u32> {
    let at = source.text.trim_end().find('\r')?;
    (!source.text.contains('\n')).then_some(source.offset + at as u32)
}

/// Where the first text starts.
fn first_line(sources: &[Source<'_>]) -> Span {
    let Some(source) = sources.first() else { return Span::default() };
    let length = source.text.find('\n').unwrap_or(source.text.len());
    Span::new(source.offset, source.offset + length as u32)
}

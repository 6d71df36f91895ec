//! Reads a text of another tool, whatever its language.

use crate::format::Format;
use crate::lower::lower;
use crate::report::Report;
use crate::source::Source;
use crate::system::System;
use crate::{dot, fsa, kmc, mpstk, pair};
use laban::Network;
use laban::diagnostic::{Code, Diagnostic};
use laban::network::StateId;
use laban::syntax::Symbol;
use laban::text::Span;

/// What was read.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// The processes as the text has them, as far as it could be read.
    pub system: System,
    /// The network, unless there are errors.
    pub network: Option<Network>,
    /// What to call procedures that start at some states of the network, for [`read_off`](laban::network::read_off).
    pub procedures: Vec<(StateId, Symbol)>,
    /// What there is to say about the text.
    pub report: Report,
}

/// Reads the texts of a system.
///
/// ```
/// use laban_formats::{Format, Source, read};
///
/// let source = Source::new("", "A: B!hello; end  B: A?hello; end");
/// let network = read(Format::Kmc, &[source]).network.expect("there are no errors");
/// assert_eq!(network.processes().len(), 2);
/// ```
pub fn read(format: Format, sources: &[Source<'_>]) -> Reading {
    let mut report = Report::default();
    let fits = |source: &Source<'_>| u32::try_from(source.text.len() as u64 + u64::from(source.offset)).is_ok();
    if !sources.iter().all(fits) {
        report.add(Diagnostic::new(Code::TooLong, Span::default(), "the text is longer than 4 GiB"));
        return Reading { report, ..Reading::default() };
    }
    let system = match format {
        Format::Fsa => fsa::read(sources, &mut report),
        Format::Kmc => kmc::read(sources, &mut report),
        Format::SubtypingPair => pair::read(sources, &mut report),
        Format::Dot => dot::read(sources, &mut report),
        Format::MpstkContext => mpstk::read(sources, &mut report),
        Format::Promela | Format::Aldebaran => {
            let message = format!("{} can be written, but not read", format.description());
            report.add(Diagnostic::new(Code::Syntax, Span::default(), message));
            System::default()
        }
    };
    // What is said about a text that was not understood would mostly follow from that.
    let lowered = if report.has_errors() { None } else { lower(&system, &mut report) };
    let (network, procedures) = lowered.map(|lowered| (lowered.network, lowered.procedures)).unzip();
    Reading { system, network, procedures: procedures.unwrap_or_default(), report }
}

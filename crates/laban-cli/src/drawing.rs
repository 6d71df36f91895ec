//! Drawings on the command line: their languages, and how much is drawn. Shared by the commands that draw.

use crate::console::Console;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use laban_draw::sequence::{self, Sequence};
use laban_draw::{Dot, Focus, Mermaid, Picture, Svg};
use laban_report::no_process;
use std::io::{self, Write};

/// How much is drawn.
#[derive(Debug, Clone, Args)]
pub(crate) struct View {
    /// Draw only what concerns these processes, separated by commas; can be repeated
    #[arg(long, visible_alias = "process", value_name = "PROCESSES", value_delimiter = ',')]
    focus: Vec<String>,

    /// Draw at most about this many nodes or steps; the drawing says how many were left out
    #[arg(long, value_name = "NUMBER")]
    max_nodes: Option<usize>,
}

impl View {
    /// What to draw of a system with these processes. Nothing, and a message, if there is no such process.
    pub(crate) fn of<'a>(&self, processes: impl Iterator<Item = &'a str>, console: &mut Console) -> Option<Focus> {
        let names: Vec<String> = self.focus.iter().map(|name| name.trim().to_string()).collect();
        let processes: Vec<&str> = if names.is_empty() { Vec::new() } else { processes.collect() };
        if let Some(unknown) = names.iter().find(|name| !processes.contains(&name.as_str())) {
            console.error(format_args!("--focus: {}", no_process(unknown, processes)));
            return None;
        }
        let mut focus = Focus { processes: names, ..Focus::default() };
        if let Some(most) = self.max_nodes {
            focus.max_nodes = most;
            focus.max_items = most;
        }
        Some(focus)
    }

    /// Whether something was asked for that means nothing without a drawing.
    pub(crate) fn is_asked(&self) -> bool {
        !self.focus.is_empty() || self.max_nodes.is_some()
    }
}

/// The language of a sequence diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Diagram {
    /// A sequence diagram, for Mermaid
    Mermaid,
    /// A sequence diagram, in Markdown with blocks of Mermaid
    Markdown,
    /// A sequence diagram, for PlantUML
    #[value(alias = "puml")]
    Plantuml,
    /// A sequence diagram, as an image
    Svg,
}

impl Diagram {
    /// Prints diagrams.
    pub(crate) fn write(self, sequence: &Sequence, out: &mut impl Write) -> io::Result<()> {
        match self {
            Diagram::Mermaid => write!(out, "{}", sequence::MermaidSequence(sequence)),
            Diagram::Markdown => write!(out, "{}", sequence::Markdown(sequence)),
            Diagram::Plantuml => write!(out, "{}", sequence::PlantUml(sequence)),
            Diagram::Svg => write!(out, "{}", sequence::SvgSequence(sequence)),
        }
    }
}

/// The language of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Graph {
    Dot,
    Mermaid,
    Svg,
}

impl Graph {
    /// Prints a picture.
    pub(crate) fn write(self, picture: &Picture, out: &mut impl Write) -> io::Result<()> {
        match self {
            Graph::Dot => write!(out, "{}", Dot(picture)),
            Graph::Mermaid => write!(out, "{}", Mermaid(picture)),
            Graph::Svg => write!(out, "{}", Svg(picture)),
        }
    }
}

/// With more steps than this, a sequence diagram is hard to read.
const MANY_STEPS: usize = 200;

/// Prints diagrams, and remarks on standard error how to make them smaller if they are large and nobody has tried.
pub(crate) fn write_sequence(
    diagram: Diagram,
    sequence: &Sequence,
    view: &View,
    console: &mut Console,
) -> io::Result<()> {
    diagram.write(sequence, console.data())?;
    match sequence.steps() {
        steps if steps > MANY_STEPS && !view.is_asked() => {
            writeln!(console.err(), "the diagram has {steps} steps; --focus and --max-nodes make it smaller")
        }
        _ => Ok(()),
    }
}

/// How to show an answer: in one of a command's own forms, or as a diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerFormat<F> {
    Own(F),
    Diagram(Diagram),
}

impl<F> AnswerFormat<F> {
    /// The own form, or this one beside a diagram.
    pub(crate) fn own_or(self, beside: F) -> F {
        match self {
            AnswerFormat::Own(form) => form,
            AnswerFormat::Diagram(_) => beside,
        }
    }
}

/// Reads the name of one of a command's own forms, or of the language of a diagram.
pub(crate) fn or_diagram<F>() -> impl TypedValueParser<Value = AnswerFormat<F>>
where
    F: ValueEnum + Clone + Send + Sync + 'static,
{
    let own = F::value_variants().iter().filter_map(F::to_possible_value);
    let diagrams = Diagram::value_variants().iter().filter_map(Diagram::to_possible_value);
    let values: Vec<PossibleValue> = own.chain(diagrams).collect();
    PossibleValuesParser::new(values).try_map(|name| {
        let own = F::from_str(&name, false).map(AnswerFormat::Own);
        own.or_else(|_| Diagram::from_str(&name, false).map(AnswerFormat::Diagram))
    })
}

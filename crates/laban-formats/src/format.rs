//! The languages of other tools, as data: their names, their files, and what they mean by sending.

use crate::{detect, scribble};
use laban::network::Channel;
use std::fmt::{self, Display, Formatter};

/// A language of another tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Communicating finite-state machines, `.fsa`.
    Fsa,
    /// Local types of KMC.
    Kmc,
    /// Two binary local types, of which one may be a subtype of the other.
    SubtypingPair,
    /// Local automata as graphs for Graphviz.
    Dot,
    /// Typing contexts of mpstk, `.ctx`.
    MpstkContext,
    /// Scribble's global protocols, `.scr`.
    Scribble,
    /// nuScr's global protocols, `.nuscr`.
    Nuscr,
    /// Sequence diagrams in Mermaid.
    Mermaid,
    /// Sequence diagrams in PlantUML.
    PlantUml,
    /// Choreography automata as graphs for Graphviz, as Corinne has them.
    ChoreographyAutomaton,
    /// Global graphs of ChorGram.
    Chorgram,
    /// Global types of mpstk, `.global`.
    MpstkGlobal,
    /// Symbolic protocols of SPROUT.
    Sprout,
    /// BPMN: choreographies, and collaborations of which each pool is a process.
    Bpmn,
    /// Networks and choreographies of Laban as JSON.
    Json,
    /// Promela, the language of Spin.
    Promela,
    /// Labelled transition systems for CADP, mCRL2 and others, `.aut`.
    Aldebaran,
}

impl Format {
    /// All of them.
    pub const ALL: &'static [Format] = &[
        Format::Fsa,
        Format::Kmc,
        Format::SubtypingPair,
        Format::Dot,
        Format::MpstkContext,
        Format::Scribble,
        Format::Nuscr,
        Format::Mermaid,
        Format::PlantUml,
        Format::ChoreographyAutomaton,
        Format::Chorgram,
        Format::MpstkGlobal,
        Format::Sprout,
        Format::Bpmn,
        Format::Json,
        Format::Promela,
        Format::Aldebaran,
    ];

    /// The word for it in options.
    pub fn name(self) -> &'static str {
        match self {
            Format::Fsa => "fsa",
            Format::Kmc => "kmc",
            Format::SubtypingPair => "subtyping-pair",
            Format::Dot => "local-dot",
            Format::MpstkContext => "mpstk-context",
            Format::Scribble => "scribble",
            Format::Nuscr => "nuscr",
            Format::Mermaid => "mermaid",
            Format::PlantUml => "plantuml",
            Format::ChoreographyAutomaton => "choreography-automaton",
            Format::Chorgram => "chorgram",
            Format::MpstkGlobal => "mpstk-global",
            Format::Sprout => "sprout",
            Format::Bpmn => "bpmn",
            Format::Json => "json",
            Format::Promela => "promela",
            Format::Aldebaran => "aldebaran",
        }
    }

    /// What it is, in a few words.
    pub fn description(self) -> &'static str {
        match self {
            Format::Fsa => "communicating finite-state machines",
            Format::Kmc => "local types of KMC",
            Format::SubtypingPair => "a pair of binary local types",
            Format::Dot => "local automata as graphs",
            Format::MpstkContext => "a typing context of mpstk",
            Format::Scribble => "protocols of Scribble",
            Format::Nuscr => "protocols of nuScr",
            Format::Mermaid => "a sequence diagram in Mermaid",
            Format::PlantUml => "a sequence diagram in PlantUML",
            Format::ChoreographyAutomaton => "a choreography automaton as a graph",
            Format::Chorgram => "a global graph of ChorGram",
            Format::MpstkGlobal => "a global type of mpstk",
            Format::Sprout => "a symbolic protocol of SPROUT",
            Format::Bpmn => "BPMN",
            Format::Json => "Laban's networks and choreographies as JSON",
            Format::Promela => "Promela, for Spin",
            Format::Aldebaran => "a labelled transition system",
        }
    }

    /// The endings of its files, the usual one first.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::Fsa => &["fsa"],
            Format::Kmc | Format::SubtypingPair => &["txt"],
            Format::Dot => &["dot", "gv"],
            Format::MpstkContext => &["ctx"],
            Format::Scribble => &["scr"],
            Format::Nuscr => &["nuscr"],
            Format::Mermaid => &["mmd", "mermaid"],
            Format::PlantUml => &["puml", "plantuml", "pu", "iuml", "wsd"],
            Format::ChoreographyAutomaton => &["dot", "gv"],
            Format::Chorgram => &["gc", "sgg"],
            Format::MpstkGlobal => &["global"],
            Format::Sprout => &["prot", "sprout"],
            Format::Bpmn => &["bpmn", "bpmn2"],
            Format::Json => &["json"],
            Format::Promela => &["pml"],
            Format::Aldebaran => &["aut"],
        }
    }

    /// Whether it can be read.
    pub fn is_read(self) -> bool {
        !matches!(self, Format::Promela | Format::Aldebaran)
    }

    /// Whether it can be written.
    pub fn is_written(self) -> bool {
        matches!(
            self,
            Format::Fsa
                | Format::Kmc
                | Format::Promela
                | Format::Aldebaran
                | Format::Scribble
                | Format::Nuscr
                | Format::Mermaid
                | Format::PlantUml
                | Format::ChoreographyAutomaton
                | Format::Bpmn
                | Format::Json
        )
    }

    /// What its tools mean by sending, unless they are told otherwise.
    pub fn channels(self) -> Channel {
        match self {
            Format::Fsa
            | Format::Kmc
            | Format::SubtypingPair
            | Format::Dot
            | Format::Bpmn
            | Format::Scribble
            | Format::Nuscr => Channel::Queue { bound: None },
            // A global view has a run by rendezvous, whatever its tools mean by sending.
            _ => Channel::Rendezvous,
        }
    }

    /// Whether a text is only a part of a system, whose other parts are in other files: one for each process, or the
    /// two types of a pair.
    pub fn joins_files(self, text: &str) -> bool {
        match self {
            Format::SubtypingPair | Format::Dot => true,
            Format::Scribble | Format::Nuscr => u32::try_from(text.len()).is_ok() && scribble::is_local(text),
            _ => false,
        }
    }

    /// The format that has this word.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.iter().copied().find(|format| format.name() == name)
    }

    /// The format of a file that can be read, by its content and its name.
    pub fn of(name: &str, text: &str) -> Option<Format> {
        detect(name, text)
    }
}

impl Display for Format {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

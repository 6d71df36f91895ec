//! The languages of other tools, as data: their names, their files, and what they mean by sending.

use crate::detect;
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
        matches!(self, Format::Fsa | Format::Kmc | Format::Promela | Format::Aldebaran)
    }

    /// What its tools mean by sending, unless they are told otherwise.
    pub fn channels(self) -> Channel {
        match self {
            Format::Fsa | Format::Kmc | Format::SubtypingPair | Format::Dot => Channel::Queue { bound: None },
            Format::MpstkContext | Format::Promela | Format::Aldebaran => Channel::Rendezvous,
        }
    }

    /// Whether a system may have several files that belong together: one for each process, or the two types of a pair.
    pub fn joins_files(self) -> bool {
        matches!(self, Format::SubtypingPair | Format::Dot)
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

//! What a text can be converted to: the languages that are written, and what each of them says.
//!
//! What a language cannot say is an error that names it, and nothing is written.

use laban::diagnostic::{Code, Diagnostic};
use laban::network::Channel;
use laban::syntax::{Kind, Span};
use laban::{Choreography, Model, Network};
use laban_formats::{
    Format, FsaDialect, PromelaChannels, Unsayable, write_automaton, write_bpmn, write_chor, write_fsa,
    write_json_choreography, write_json_network, write_kmc, write_mermaid, write_net, write_nuscr, write_plantuml,
    write_promela, write_scribble,
};
use std::path::Path;

/// A language to convert to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// One of Laban's own.
    Own(Kind),
    /// That of another tool.
    Other(Format),
}

/// What is needed to write a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// What each process does.
    Network,
    /// What all do together.
    Choreography,
    /// The symbolic execution graph of a network.
    Graph,
    /// Whatever was read.
    Either,
}

impl Target {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Target::Own(Kind::Network) => "net",
            Target::Own(Kind::Choreography) => "chor",
            Target::Other(format) => format.name(),
        }
    }

    /// The language of this name.
    pub fn named(name: &str) -> Option<Target> {
        match name {
            "net" => Some(Target::Own(Kind::Network)),
            "chor" => Some(Target::Own(Kind::Choreography)),
            _ => Format::from_name(name).map(Target::Other),
        }
    }

    /// All languages that can be written.
    pub fn all() -> impl Iterator<Item = Target> {
        let own = [Target::Own(Kind::Network), Target::Own(Kind::Choreography)];
        own.into_iter()
            .chain(Format::ALL.iter().filter(|format| format.is_written()).map(|&format| Target::Other(format)))
    }

    /// What it is, in a few words.
    pub fn description(self) -> &'static str {
        match self {
            Target::Own(Kind::Network) => "networks of Laban",
            Target::Own(Kind::Choreography) => "choreographies of Laban",
            Target::Other(format) => format.description(),
        }
    }

    /// How the names of files in it end.
    pub fn extension(self) -> &'static str {
        match self {
            Target::Own(Kind::Network) => "net",
            Target::Own(Kind::Choreography) => "chor",
            Target::Other(format) => format.extensions().first().copied().unwrap_or("txt"),
        }
    }

    /// The language that the name of a file asks for, if only one does.
    pub fn of_file(path: &Path) -> Option<Target> {
        let ending = path.extension()?.to_str()?.to_lowercase();
        let own = Target::named(&ending).filter(|target| matches!(target, Target::Own(_)));
        // Local types have no ending of their own.
        let mut others = Format::ALL.iter().filter(|format| format.is_written() && **format != Format::Kmc);
        own.or_else(|| others.find(|format| format.extensions().contains(&ending.as_str())).map(|&f| Target::Other(f)))
    }

    /// What is needed to write it.
    pub fn need(self) -> Need {
        match self {
            Target::Own(Kind::Network) => Need::Network,
            Target::Own(Kind::Choreography) => Need::Choreography,
            Target::Other(Format::Json) => Need::Either,
            Target::Other(Format::Aldebaran) => Need::Graph,
            Target::Other(Format::Fsa | Format::Kmc | Format::Promela) => Need::Network,
            Target::Other(_) => Need::Choreography,
        }
    }

    /// A model in this language; a protocol gets a name.
    pub fn write(self, model: &Model, name: &str) -> Result<String, Diagnostic> {
        match model {
            Model::Network(network) => self.write_network(network),
            Model::Choreography(choreography) => self.write_choreography(choreography, name),
        }
    }

    fn write_network(self, network: &Network) -> Result<String, Diagnostic> {
        let unsayable = |error: Unsayable| {
            let process = network.processes().iter().find(|process| network.text(process.name) == error.process);
            self.inexpressible(process.map_or(Span::default(), |process| process.span), &error.to_string())
        };
        match self {
            Target::Own(_) => Ok(write_net(network)),
            Target::Other(Format::Json) => Ok(write_json_network(network)),
            Target::Other(Format::Fsa) => {
                self.without_bounds(network).and_then(|()| write_fsa(network, FsaDialect::default()).map_err(unsayable))
            }
            Target::Other(Format::Kmc) => {
                self.without_bounds(network).and_then(|()| write_kmc(network).map_err(unsayable))
            }
            Target::Other(Format::Promela) => write_promela(network, self.room(network)?).map_err(unsayable),
            Target::Other(_) => {
                Err(self.inexpressible(Span::default(), "a network cannot be written in this language"))
            }
        }
    }

    fn write_choreography(self, choreography: &Choreography, name: &str) -> Result<String, Diagnostic> {
        let unsayable = |error: Unsayable| self.inexpressible(Span::default(), &error.to_string());
        match self {
            Target::Own(_) => Ok(write_chor(choreography)),
            Target::Other(Format::Json) => Ok(write_json_choreography(choreography)),
            Target::Other(Format::Scribble) => write_scribble(choreography, name).map_err(unsayable),
            Target::Other(Format::Nuscr) => write_nuscr(choreography, name).map_err(unsayable),
            Target::Other(Format::Mermaid) => write_mermaid(choreography).map_err(unsayable),
            Target::Other(Format::PlantUml) => write_plantuml(choreography).map_err(unsayable),
            Target::Other(Format::ChoreographyAutomaton) => write_automaton(choreography).map_err(unsayable),
            Target::Other(Format::Bpmn) => write_bpmn(choreography).map_err(unsayable),
            Target::Other(_) => {
                Err(self.inexpressible(Span::default(), "a choreography cannot be written in this language"))
            }
        }
    }

    /// What to say about a network that the tools of a format would take for something else.
    pub fn warning(self, network: &Network) -> Option<String> {
        let means_queues = matches!(self, Target::Other(Format::Fsa | Format::Kmc));
        (means_queues && !network.has_queues()).then(|| {
            let name = self.name();
            format!(
                "this network works by rendezvous, and the tools of {name} take it for one with queues; \
                 `laban check --channels queue` says what that changes"
            )
        })
    }

    fn inexpressible(self, span: Span, message: &str) -> Diagnostic {
        Diagnostic::new(Code::Inexpressible, span, message).note(format!("it was to be written as {}", self.name()))
    }

    /// Queues of automata have room for any number of messages.
    fn without_bounds(self, network: &Network) -> Result<(), Diagnostic> {
        let channels = network.channels();
        let all = [channels.default].into_iter().chain(channels.single.iter().map(|&(.., channel)| channel));
        let is_bounded = |channel: Channel| matches!(channel, Channel::Queue { bound: Some(_) });
        let is_mixed = !channels.single.is_empty();
        match (all.into_iter().any(is_bounded), is_mixed) {
            (true, _) => Err(self
                .inexpressible(Span::default(), "queues with a bound cannot be said in this format")
                .hint("`--channels queue` lets them have room for any number of messages")),
            (false, true) => Err(self
                .inexpressible(Span::default(), "channels of several kinds cannot be said in this format")
                .hint("`--channels queue` makes all of them queues")),
            (false, false) => Ok(()),
        }
    }

    /// The channels of a model for Spin.
    fn room(self, network: &Network) -> Result<PromelaChannels, Diagnostic> {
        let channels = network.channels();
        let wrong = |message: &str| {
            let hint = "`--channels queue:4` lets all of them have room for 4 messages";
            Err(self.inexpressible(Span::default(), message).hint(hint))
        };
        match channels.default {
            _ if !channels.single.is_empty() => wrong("channels of several kinds cannot be said in this format"),
            Channel::Rendezvous => Ok(PromelaChannels::Rendezvous),
            Channel::Queue { bound: Some(bound) } => Ok(PromelaChannels::Queues(bound)),
            Channel::Queue { bound: None } => wrong("queues without a bound cannot be said in this format"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_tells_the_language_unless_several_have_it() {
        let of = |name: &str| Target::of_file(Path::new(name)).map(Target::name);
        let known =
            ["x.net", "x.chor", "x.fsa", "x.scr", "x.nuscr", "x.mmd", "x.puml", "x.dot", "x.json", "x.pml", "x.aut"];
        let names = known.map(|name| of(name).unwrap_or(name));
        let expected = [
            "net",
            "chor",
            "fsa",
            "scribble",
            "nuscr",
            "mermaid",
            "plantuml",
            "choreography-automaton",
            "json",
            "promela",
            "aldebaran",
        ];
        assert_eq!(names, expected);
        assert_eq!([of("x.txt"), of("x"), of("-")], [None; 3]);
    }
}

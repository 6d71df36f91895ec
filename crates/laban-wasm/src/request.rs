//! What a page asks for.

use laban::extraction::Strategy;
use laban::network::{Channels, Network};
use laban::{Limits, Model};
use laban_report::{ChannelsAsked, ReadArgs, channel, decider, language_named};
use serde::Deserialize;

/// A request; what means nothing for it is ignored.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Request {
    #[serde(rename = "do")]
    pub(crate) what: Ask,
    #[serde(default)]
    pub(crate) files: Vec<Text>,
    #[serde(default)]
    pub(crate) with: Vec<Text>,
    #[serde(default)]
    pub(crate) beside: Vec<Text>,
    from: Option<String>,
    protocol: Option<String>,
    #[serde(default)]
    decides: Vec<String>,
    channels: Option<String>,
    #[serde(default)]
    pub(crate) services: Vec<String>,
    #[serde(default)]
    pub(crate) strict_services: bool,
    #[serde(default)]
    pub(crate) fair: bool,
    strategy: Option<String>,
    #[serde(default)]
    pub(crate) seed: u64,
    pub(crate) queue: Option<u32>,
    pub(crate) split: Option<bool>,
    max_states: Option<usize>,
    conditions: Option<String>,
    #[serde(default)]
    pub(crate) messages: bool,
    #[serde(default)]
    pub(crate) same_services: bool,
    #[serde(default)]
    pub(crate) processes: Vec<String>,
    #[serde(default)]
    pub(crate) amend: bool,
    #[serde(default)]
    pub(crate) compact: bool,
    pub(crate) to: Option<String>,
    #[serde(default)]
    pub(crate) drawings: Vec<Drawing>,
    pub(crate) of: Option<String>,
    pub(crate) format: Option<String>,
    #[serde(default)]
    pub(crate) focus: Vec<String>,
    pub(crate) max_nodes: Option<usize>,
    #[serde(default)]
    pub(crate) minimised: bool,
    #[serde(default)]
    pub(crate) steps: bool,
    #[serde(default)]
    pub(crate) choices: Vec<usize>,
    pub(crate) at: Option<usize>,
    #[serde(default)]
    pub(crate) random: usize,
}

/// What is asked.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Ask {
    Version,
    Examples,
    Analyse,
    Check,
    Extract,
    Draw,
    Run,
    Verify,
    Equiv,
    Project,
    Amend,
    Fmt,
    Convert,
}

/// A file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Text {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// What is to be drawn.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Drawing {
    pub(crate) of: String,
    pub(crate) format: String,
    #[serde(default)]
    pub(crate) focus: Vec<String>,
    pub(crate) max_nodes: Option<usize>,
    #[serde(default)]
    pub(crate) minimised: bool,
    #[serde(default)]
    pub(crate) steps: bool,
}

/// A page has no interrupt, so there is a limit in any case.
const MAX_STATES: usize = 1_000_000;

impl Request {
    /// What is known beforehand about the texts.
    pub(crate) fn read_args(&self) -> Result<ReadArgs, String> {
        let from = match &self.from {
            None => None,
            Some(name) => Some(language_named(name).ok_or_else(|| format!("from: there is no language `{name}`"))?),
        };
        let decides = self.decides.iter().map(|text| decider(text).map_err(|error| format!("decides: {error}")));
        Ok(ReadArgs { from, protocol: self.protocol.clone(), decides: decides.collect::<Result<_, _>>()? })
    }

    /// The channels that all of a network are to be.
    fn channels(&self) -> Result<Option<Channels>, String> {
        let channel = self.channels.as_deref().map(channel).transpose();
        channel.map(|channel| channel.map(Channels::all)).map_err(|error| format!("channels: {error}"))
    }

    /// Whether it is said how messages get from one process to another.
    pub(crate) fn channels_asked(&self) -> ChannelsAsked {
        if self.channels.is_some() { ChannelsAsked::Given } else { ChannelsAsked::NotGiven }
    }

    /// Changes the channels of a network, if that was asked for.
    pub(crate) fn set_channels(&self, network: &mut Network) -> Result<(), String> {
        if let Some(channels) = self.channels()? {
            network.set_channels(channels);
        }
        Ok(())
    }

    /// The same for whatever was read.
    pub(crate) fn set_channels_of(&self, model: &mut Model) -> Result<(), String> {
        match model {
            Model::Network(network) => self.set_channels(network),
            Model::Choreography(_) => self.channels().map(|_| ()),
        }
    }

    pub(crate) fn strategy(&self) -> Result<Strategy, String> {
        match self.strategy.as_deref() {
            None => Ok(Strategy::default()),
            Some(name) => Strategy::named(name).ok_or_else(|| format!("strategy: there is no strategy `{name}`")),
        }
    }

    /// How decisions are matched.
    pub(crate) fn conditions(&self) -> Result<laban::equivalence::Conditions, String> {
        match self.conditions.as_deref() {
            None | Some("text") => Ok(laban::equivalence::Conditions::ByText),
            Some("any") => Ok(laban::equivalence::Conditions::Any),
            Some(_) => Err("conditions: expected text or any".to_string()),
        }
    }

    /// When to give up.
    pub(crate) fn limits(&self) -> Limits<'static> {
        Limits { max_states: Some(self.max_states()), stop: &|| None }
    }

    fn max_states(&self) -> usize {
        self.max_states.unwrap_or(MAX_STATES)
    }

    /// Why the limits ended something.
    pub(crate) fn why_limited(&self) -> String {
        format!("gave up after {} states", self.max_states())
    }

    /// The drawing of a request that asks for one.
    pub(crate) fn drawing(&self) -> Drawing {
        Drawing {
            of: self.of.clone().unwrap_or_default(),
            format: self.format.clone().unwrap_or_default(),
            focus: self.focus.clone(),
            max_nodes: self.max_nodes,
            minimised: self.minimised,
            steps: self.steps,
        }
    }
}

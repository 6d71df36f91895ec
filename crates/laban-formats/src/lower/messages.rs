//! Messages as labels: which messages of a system are the same, and what they are called in a network; the same for
//! protocols and choreographies.
//!
//! Automata branch on whole messages, `m<int>` or `m<bool>`, and a network on labels alone. A label that always comes
//! with the same sort of payload is a label; if there are several sorts, each gets a label of its own, so that what the
//! other tool tells apart stays apart. In a protocol this matters only between the same two roles. The payload is kept
//! as a value if it can be one.

use crate::naming::Naming;
use crate::protocol::{GlobalStep, Protocol};
use crate::report::{Renamed, Report};
use crate::system::{Action, Message, System};
use laban::choreography::Node;
use laban::network::State;
use std::collections::{HashMap, HashSet};

/// From whom and to whom a message goes, where that is known.
pub(crate) type Ends = (usize, usize);

/// The labels and values of a system or a protocol.
pub(crate) struct Messages {
    /// For labels that come with several sorts of payload, all words for them are longer.
    several: HashSet<(Ends, String)>,
    labels: Naming,
    /// For each text of a payload, the expression that stands for it.
    values: HashMap<String, String>,
}

impl Messages {
    /// The messages of a system, for a network. A message without a label gets one.
    pub(crate) fn of_system(system: &System, report: &mut Report) -> Self {
        let edges = system.automata.iter().flat_map(|automaton| &automaton.states).flat_map(|state| &state.edges);
        let messages = edges.filter_map(|edge| match &edge.action {
            Action::Message { message, .. } => Some((Ends::default(), message)),
            Action::Silent => None,
        });
        Messages::new(messages, |_| true, in_network, report)
    }

    /// The messages of a protocol, for a choreography. A message without a label is a value.
    pub(crate) fn of_protocol(protocol: &Protocol, report: &mut Report) -> Self {
        let messages = protocol.nodes.iter().flat_map(|node| {
            let (one, several) = match &node.step {
                GlobalStep::Message { from, to, message, .. } | GlobalStep::Put { from, to, message, .. } => {
                    (Some(((*from, *to), message)), None)
                }
                GlobalStep::Together { messages, .. } => (None, Some(messages)),
                _ => (None, None),
            };
            one.into_iter().chain(several.into_iter().flatten().map(|(from, to, message)| ((*from, *to), message)))
        });
        let read_back = if protocol.is_exact { exactly } else { in_choreography };
        Messages::new(messages, |message| !message.label.is_empty(), read_back, report)
    }

    fn new<'a>(
        messages: impl Iterator<Item = (Ends, &'a Message)> + Clone,
        is_labelled: impl Fn(&Message) -> bool,
        read_back: fn(&str) -> Option<String>,
        report: &mut Report,
    ) -> Self {
        let mut sorts: HashMap<(Ends, &str), &str> = HashMap::new();
        let mut several: HashSet<(Ends, String)> = HashSet::new();
        let mut values: HashMap<String, String> = HashMap::new();
        for (ends, message) in messages.clone() {
            if *sorts.entry((ends, &message.label)).or_insert(message.sort()) != message.sort() {
                several.insert((ends, message.label.clone()));
            }
            if let Some(payload) = &message.payload
                && !values.contains_key(&payload.text)
            {
                values.insert(payload.text.clone(), expression(&payload.text, read_back));
            }
        }
        let labelled = messages.filter(|(_, message)| is_labelled(message));
        let mut met = HashSet::new();
        let words = labelled.map(|(ends, message)| word(&several, ends, message));
        let words: Vec<String> = words.filter(|word| met.insert(word.clone())).collect();
        let labels = Naming::for_networks(words.iter().map(String::as_str));
        let renamed =
            labels.changed.iter().map(|(original, name)| Renamed { original: original.clone(), name: name.clone() });
        report.renamed.extend(renamed);
        Messages { several, labels, values }
    }

    /// The label of a message of a system.
    pub(crate) fn label(&self, message: &Message) -> &str {
        self.label_between(Ends::default(), message)
    }

    /// The label of a message of a protocol.
    pub(crate) fn label_between(&self, ends: Ends, message: &Message) -> &str {
        self.labels.name(&word(&self.several, ends, message))
    }

    /// The value that comes with a message.
    pub(crate) fn value(&self, message: &Message) -> Option<&str> {
        let payload = message.payload.as_ref()?;
        self.values.get(&payload.text).map(String::as_str)
    }
}

fn word(several: &HashSet<(Ends, String)>, ends: Ends, message: &Message) -> String {
    match message.sort() {
        sort if !sort.is_empty() && several.contains(&(ends, message.label.clone())) => {
            format!("{}<{sort}>", message.label)
        }
        _ => message.label.clone(),
    }
}

/// A payload as an expression: its text if that can be one, and else its letters and digits.
fn expression(text: &str, read_back: fn(&str) -> Option<String>) -> String {
    let squeezed = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let as_word = || as_word(&squeezed, "value");
    // A reserved word is no value by itself.
    let longer = || read_back(&format!("{}_", as_word()));
    read_back(text).or_else(|| read_back(&as_word())).or_else(longer).unwrap_or_else(|| "value".to_string())
}

/// The letters and digits of a text, with `_` for the rest; another word if there are none.
pub(crate) fn as_word(text: &str, otherwise: &str) -> String {
    let word: String = text.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    if word.is_empty() { otherwise.to_string() } else { word }
}

/// A value as a network has it, if it can be one.
fn in_network(text: &str) -> Option<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let network = format!("p {{ main {{ q+l<{text}>; stop }} }} | q {{ main {{ p&{{l: stop}} }} }}");
    let network = laban::analyse(network).into_network().ok()?;
    let is_same = |state: &State| match *state {
        State::SelectValue { expression, .. } => network.text(expression) == text,
        _ => false,
    };
    network.states().iter().any(is_same).then(|| text.clone())
}

/// A value as a choreography has it, with single blanks, if it can be one.
fn in_choreography(text: &str) -> Option<String> {
    exactly(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A value as a choreography has it, blank by blank, if it can be one.
fn exactly(text: &str) -> Option<String> {
    let choreography = laban::analyse(format!("main {{ p.{text} -> q; stop }}")).into_choreography().ok()?;
    let [Node::Interaction { interaction, .. }, Node::Stop] = choreography.nodes() else { return None };
    let value = choreography.text(interaction.content.value()?);
    // In a model, a value that could not be written in a network is in parentheses.
    let is_same = value == text || value.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) == Some(text);
    is_same.then(|| value.to_string())
}

//! Messages as labels: which messages of a system are the same, and what they are called in a network.
//!
//! Automata branch on whole messages, `m<int>` or `m<bool>`, and a network on labels alone. A label that always comes
//! with the same sort of payload is a label; if there are several sorts, each gets a label of its own, so that what the
//! other tool tells apart stays apart. The payload is kept as a value if it can be one.

use crate::naming::Naming;
use crate::report::{Renamed, Report};
use crate::system::{Action, Message, System};
use laban::network::{Network, State};
use std::collections::{HashMap, HashSet};

/// The labels and values of a system.
pub(crate) struct Messages {
    /// For labels that come with several sorts of payload, all words for them are longer.
    several: HashSet<String>,
    labels: Naming,
    /// For each text of a payload, the expression that stands for it.
    values: HashMap<String, String>,
}

impl Messages {
    pub(crate) fn new(system: &System, report: &mut Report) -> Self {
        let edges = || system.automata.iter().flat_map(|automaton| &automaton.states).flat_map(|state| &state.edges);
        let messages = || {
            edges().filter_map(|edge| match &edge.action {
                Action::Message { message, .. } => Some(message),
                Action::Silent => None,
            })
        };
        let mut sorts: HashMap<&str, &str> = HashMap::new();
        let mut several: HashSet<String> = HashSet::new();
        let mut values: HashMap<String, String> = HashMap::new();
        for message in messages() {
            if *sorts.entry(&message.label).or_insert(message.sort()) != message.sort() {
                several.insert(message.label.clone());
            }
            if let Some(payload) = &message.payload
                && !values.contains_key(&payload.text)
            {
                values.insert(payload.text.clone(), expression(&payload.text));
            }
        }
        let words: Vec<String> = messages().map(|message| word(&several, message)).collect();
        let labels = Naming::for_networks(words.iter().map(String::as_str));
        let renamed =
            labels.changed.iter().map(|(original, name)| Renamed { original: original.clone(), name: name.clone() });
        report.renamed.extend(renamed);
        Messages { several, labels, values }
    }

    /// The label of a message.
    pub(crate) fn label(&self, message: &Message) -> &str {
        self.labels.name(&word(&self.several, message))
    }

    /// The value that comes with a message.
    pub(crate) fn value(&self, message: &Message) -> Option<&str> {
        let payload = message.payload.as_ref()?;
        self.values.get(&payload.text).map(String::as_str)
    }
}

fn word(several: &HashSet<String>, message: &Message) -> String {
    match message.sort() {
        sort if !sort.is_empty() && several.contains(&message.label) => format!("{}<{sort}>", message.label),
        _ => message.label.clone(),
    }
}

/// A payload as an expression: its text if that can be one, and else its letters and digits.
fn expression(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let network = format!("p {{ main {{ q+l<{text}>; stop }} }} | q {{ main {{ p&{{l: stop}} }} }}");
    let read_back = laban::analyse(network).into_network().ok();
    let is_same = |network: &Network, state: &State| match *state {
        State::SelectValue { expression, .. } => network.text(expression) == text,
        _ => false,
    };
    if read_back.is_some_and(|network| network.states().iter().any(|state| is_same(&network, state))) {
        return text;
    }
    let word: String = text.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    if word.is_empty() { "value".to_string() } else { word }
}

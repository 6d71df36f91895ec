//! Writes local types.
//!
//! A type is a tree, so a state that is reached on several ways is written several times, except where a `rec` around
//! it can be named.

use crate::flat::{Flat, FlatAction, FlatEdge, FlatMessage, Unsayable, flatten};
use crate::naming::Naming;
use laban::Network;
use laban::network::{ProcessId, StateId};
use std::collections::HashMap;

/// A type that would have more messages is not written.
const MOST_MESSAGES: usize = 1 << 20;

/// A network as local types of KMC.
///
/// Values are messages that are all called alike, conditions are not written, and names of processes become capital
/// letters.
///
/// ```
/// let text = "p { def X { q+ok; X } main { X } } | q { def X { p&{ok: X} } main { X } }";
/// let network = laban::analyse(text).into_network()?;
/// assert_eq!(laban_formats::write_kmc(&network)?, "P: rec x . Q!ok; x\nQ: rec x . P?ok; x\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_kmc(network: &Network) -> Result<String, Unsayable> {
    let automata = flatten(network)?;
    let processes: Vec<&str> = network.process_ids().map(|process| network.process_name(process)).collect();
    let is_upper = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_uppercase());
    let numbered = |wished: &str, number: usize| format!("{wished}{}", letters(number - 2));
    let processes = Naming::new(processes, is_upper, upper, numbered);
    let all = automata.iter().flat_map(|flat| &flat.states).flat_map(|(_, edges)| edges);
    let words: Vec<&str> = all.filter_map(|(action, _)| word(*action)).collect();
    let is_label = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.chars().all(|c| c.is_ascii_alphanumeric())
            // The tool takes `rec` and `end` for words of its own even at the start of longer ones.
            && !word.starts_with("rec")
            && !word.starts_with("end")
    };
    let labels = Naming::new(words, is_label, label, |wished, number| format!("{wished}{number}"));
    let mut text = String::new();
    for (process, flat) in network.process_ids().zip(&automata) {
        let writer = Writer { network, process, flat, processes: &processes, labels: &labels };
        text.push_str(processes.name(network.process_name(process)));
        text.push_str(": ");
        text.push_str(&writer.local_type()?);
        text.push('\n');
    }
    Ok(text)
}

/// The word for what is done. No label is empty, so that of a value is.
fn word<'a>(action: FlatAction<'a>) -> Option<&'a str> {
    match action {
        FlatAction::Silent => None,
        FlatAction::Send(_, message) | FlatAction::Receive(_, message) => Some(match message {
            FlatMessage::Value => "",
            FlatMessage::Label(label) => label,
        }),
    }
}

/// The number in letters: A, B, … Z, AA, …
fn letters(number: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = number + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'A' + (rest % 26) as u8));
        rest /= 26;
    }
    letters.iter().rev().collect()
}

/// A name in capital letters; digits become letters.
fn upper(word: &str) -> String {
    let letter = |c: char| match c.to_digit(10) {
        Some(digit) => Some(char::from(b'A' + digit as u8)),
        None => Some(c.to_ascii_uppercase()).filter(char::is_ascii_uppercase),
    };
    let name: String = word.chars().filter_map(letter).collect();
    if name.is_empty() { "P".to_string() } else { name }
}

/// A label that starts with a small letter.
fn label(word: &str) -> String {
    let name: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
    let first = name.chars().next();
    match first {
        None => "value".to_string(),
        Some(first) if first.is_ascii_uppercase() => format!("{}{}", first.to_ascii_lowercase(), &name[1..]),
        _ => format!("m{name}"),
    }
}

struct Writer<'a> {
    network: &'a Network,
    process: ProcessId,
    flat: &'a Flat<'a>,
    processes: &'a Naming,
    labels: &'a Naming,
}

/// A state that is being written.
struct Open {
    state: StateId,
    /// How many of its edges were written.
    written: usize,
    /// Where its `rec` is among the pieces.
    piece: usize,
    /// Its variable, once it is used.
    variable: Option<usize>,
}

impl Writer<'_> {
    fn local_type(&self) -> Result<String, Unsayable> {
        let edges: HashMap<StateId, &[FlatEdge<'_>]> =
            self.flat.states.iter().map(|(state, edges)| (*state, edges.as_slice())).collect();
        let edges_of = |state: StateId| edges.get(&state).copied().unwrap_or(&[]);
        let mut pieces: Vec<String> = Vec::new();
        // Where each state that is being written is in the list.
        let mut open_at: HashMap<StateId, usize> = HashMap::new();
        let mut open: Vec<Open> = Vec::new();
        let mut variables = 0;
        let mut next = Some(self.flat.start);
        loop {
            if let Some(state) = next.take() {
                if let Some(&at) = open_at.get(&state) {
                    let variable = *open[at].variable.get_or_insert_with(|| {
                        variables += 1;
                        variables - 1
                    });
                    pieces.push(variable_name(variable));
                } else if edges_of(state).is_empty() {
                    pieces.push("end".to_string());
                } else {
                    if pieces.len() > MOST_MESSAGES {
                        return Err(self.unsayable("so many ways to its states that a type of them would be too long"));
                    }
                    open_at.insert(state, open.len());
                    open.push(Open { state, written: 0, piece: pieces.len(), variable: None });
                    pieces.push(String::new());
                    if edges_of(state).len() > 1 {
                        pieces.push("{ ".to_string());
                    }
                }
            }
            let Some(last) = open.last_mut() else { break };
            let edges = edges_of(last.state);
            if let Some(&(action, target)) = edges.get(last.written) {
                if last.written > 0 {
                    pieces.push(", ".to_string());
                }
                last.written += 1;
                pieces.push(self.message(action)?);
                next = Some(target);
                continue;
            }
            if edges.len() > 1 {
                pieces.push(" }".to_string());
            }
            if let Some(variable) = last.variable {
                pieces[last.piece] = format!("rec {} . ", variable_name(variable));
            }
            open_at.remove(&last.state);
            open.pop();
        }
        Ok(pieces.concat())
    }

    fn message(&self, action: FlatAction<'_>) -> Result<String, Unsayable> {
        let (partner, sign) = match action {
            FlatAction::Silent => return Err(self.unsayable("a choice with an arm that does not begin with a send")),
            FlatAction::Send(to, _) => (to, '!'),
            FlatAction::Receive(from, _) => (from, '?'),
        };
        let partner = self.processes.name(self.network.process_name(partner));
        Ok(format!("{partner}{sign}{}; ", self.labels.name(word(action).unwrap_or(""))))
    }

    fn unsayable(&self, what: &str) -> Unsayable {
        Unsayable { process: self.network.process_name(self.process).to_string(), what: what.to_string() }
    }
}

/// x, y, z, x1, y1, …
fn variable_name(number: usize) -> String {
    let letter = ['x', 'y', 'z'][number % 3];
    match number / 3 {
        0 => letter.to_string(),
        more => format!("{letter}{more}"),
    }
}

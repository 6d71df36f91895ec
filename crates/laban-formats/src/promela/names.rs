//! The names of everything in a model: Promela has one space of names for all.

use crate::flat::Unsayable;
use laban::Network;
use laban::network::{ProcessId, State};
use laban::syntax::Symbol;
use std::collections::{HashMap, HashSet};

/// How labels of states begin.
pub(super) const STATE: &str = "S_";
/// How labels of states begin in which a process may wait forever; that `end` means this is Spin's rule.
pub(super) const END: &str = "end_";
/// The label of the end of a process.
pub(super) const DONE: &str = "S_done";

/// Spin numbers processes, channels and messages with a byte.
const MOST: usize = 250;

/// Words of Promela, and of the preprocessor that Spin runs first.
const RESERVED: &[&str] = &[
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "chan",
    "cond_expr",
    "d_proctype",
    "d_step",
    "do",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "float",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "in",
    "init",
    "inline",
    "int",
    "len",
    "linux",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "notrace",
    "np_",
    "od",
    "of",
    "pc_value",
    "pid",
    "print",
    "printf",
    "printm",
    "priority",
    "proctype",
    "provided",
    "run",
    "select",
    "set_priority",
    "short",
    "show",
    "skip",
    "timeout",
    "trace",
    "true",
    "typedef",
    "unix",
    "unless",
    "unsigned",
    "xr",
    "xs",
    "i386",
    "_",
    "_last",
    "_nr_pr",
    "_pid",
    "_priority",
    "always",
    "eventually",
    "until",
    "stronguntil",
    "weakuntil",
    "release",
    "implies",
    "equivalent",
    "next",
    "X",
    "U",
    "V",
    "W",
    "main",
    "STDIN",
    "const",
];

/// The names in a model.
pub(super) struct Names {
    processes: Vec<String>,
    labels: HashMap<Symbol, String>,
    channels: HashMap<(ProcessId, ProcessId), String>,
    order: Vec<(ProcessId, ProcessId)>,
    value: Option<String>,
    /// What can be sent.
    pub(super) messages: Vec<String>,
}

impl Names {
    pub(super) fn new(network: &Network) -> Result<Names, Unsayable> {
        let mut taken = HashSet::new();
        let process_names = network.process_ids().map(|process| network.process_name(process));
        let processes: Vec<String> = process_names.map(|name| fresh(name, &mut taken)).collect();
        let (order, message_symbols, has_values) = used(network);
        let counts = [
            ("processes", processes.len()),
            ("channels", order.len()),
            ("messages", message_symbols.len() + usize::from(has_values)),
        ];
        for (what, count) in counts {
            if count > MOST {
                let process = network.process_name(ProcessId(0)).to_string();
                return Err(Unsayable { process, what: format!("a part in {count} {what}, and Spin allows {MOST}") });
            }
        }
        let mut labels = HashMap::new();
        let mut messages = Vec::new();
        for symbol in message_symbols {
            let name = fresh(network.text(symbol), &mut taken);
            messages.push(name.clone());
            labels.insert(symbol, name);
        }
        let value = has_values.then(|| fresh("value", &mut taken));
        messages.extend(value.clone());
        let name = |process: ProcessId| processes.get(process.index()).map_or("", String::as_str);
        let channels = order
            .iter()
            .map(|&(from, to)| ((from, to), fresh(&format!("{}_to_{}", name(from), name(to)), &mut taken)))
            .collect();
        Ok(Names { channels, order, labels, value, messages, processes })
    }

    pub(super) fn process(&self, process: ProcessId) -> &str {
        self.processes.get(process.index()).map_or("", String::as_str)
    }

    pub(super) fn label(&self, label: Symbol) -> &str {
        self.labels.get(&label).map_or("", String::as_str)
    }

    /// The message that is any value.
    pub(super) fn value(&self) -> &str {
        self.value.as_deref().unwrap_or("")
    }

    pub(super) fn channel(&self, from: ProcessId, to: ProcessId) -> &str {
        self.channels.get(&(from, to)).map_or("", String::as_str)
    }

    /// All channels, in the order in which the network mentions them.
    pub(super) fn channels(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(|&(from, to)| self.channel(from, to))
    }
}

/// The channels and the labels of a network, in the order in which it mentions them, and whether it sends values.
fn used(network: &Network) -> (Vec<(ProcessId, ProcessId)>, Vec<Symbol>, bool) {
    let (mut channels, mut labels, mut has_values) = (Vec::new(), Vec::new(), false);
    let (mut met_channels, mut met_labels) = (HashSet::new(), HashSet::new());
    for process in network.process_ids() {
        let states = network.process(process).map_or(&[][..], |process| process.states.of(network.states()));
        for &state in states {
            let channel = match state {
                State::Send { to, .. } | State::Select { to, .. } | State::SelectValue { to, .. } => (process, to),
                State::Receive { from, .. } | State::Offer { from, .. } => (from, process),
                State::Stop | State::If { .. } | State::Choose { .. } | State::Any { .. } => continue,
            };
            if met_channels.insert(channel) {
                channels.push(channel);
            }
            has_values |= matches!(state, State::Send { .. } | State::Receive { .. });
            let mut add = |label: Symbol| {
                if met_labels.insert(label) {
                    labels.push(label);
                }
            };
            match state {
                State::Select { label, .. } | State::SelectValue { label, .. } => add(label),
                State::Offer { branches, .. } => network.branches(branches).iter().for_each(|branch| add(branch.label)),
                _ => {}
            }
        }
    }
    (channels, labels, has_values)
}

/// A name like the one that is wished for that nothing else has.
fn fresh(wished: &str, taken: &mut HashSet<String>) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
    let mut name: String = wished.chars().map(letter).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert(0, 'm');
    }
    let is_reserved = |name: &str| RESERVED.contains(&name) || name.starts_with(STATE) || name.starts_with(END);
    if is_reserved(&name) {
        name.insert_str(0, "m_");
    }
    let base = name.clone();
    let mut number = 1;
    while taken.contains(&name) || is_reserved(&name) {
        number += 1;
        name = format!("{base}_{number}");
    }
    taken.insert(name.clone());
    name
}

//! Models from JSON. Whatever is written there is looked at: names must be names, and numbers must lead somewhere.

use super::value::{Json, Value};
use crate::naming::is_name;
use crate::report::Report;
use crate::source::Source;
use laban::choreography::{ChoreographyParts, Node, NodeId, read_off};
use laban::diagnostic::{Code, Diagnostic, quote};
use laban::network::{
    Branch, Channel, Channels, Content, Interaction, NetworkParts, Process, ProcessId, State, StateId,
    read_off as network_text,
};
use laban::syntax::{ArenaRange, Compact, Names, Symbol};
use laban::text::Span;
use laban::{Choreography, Model, Network};
use std::collections::{HashMap, HashSet};

/// Whether a text looks like a model as JSON.
pub(crate) fn looks_like(text: &str) -> bool {
    let start = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let mut end = start.len().min(2000);
    while !start.is_char_boundary(end) {
        end -= 1;
    }
    start.starts_with('{') && start[..end].contains("\"laban\"")
}

/// The model in a text.
pub(crate) fn read(sources: &[Source<'_>], report: &mut Report) -> Option<Model> {
    let [source] = sources else {
        report.add(Diagnostic::new(Code::Syntax, Span::default(), "a model is one file"));
        return None;
    };
    let json = Json::read(source.text, source.offset, report)?;
    let mut reader = Reader { json: &json, report, numbers: HashMap::new(), expressions: HashSet::new() };
    let model = reader.model()?;
    // The parts fit together; whether they make sense is found out as for any other text.
    let text = match &model {
        Model::Network(network) => Compact(&network_text(network, &[])).to_string(),
        Model::Choreography(choreography) => Compact(&read_off(choreography)).to_string(),
    };
    let analysis = laban::analyse(text);
    for error in analysis.errors() {
        report.add(Diagnostic::new(error.code, json.value(0).1, error.message.clone()));
    }
    analysis.errors().is_empty().then_some(model)
}

struct Reader<'a> {
    json: &'a Json,
    report: &'a mut Report,
    /// The numbers of the processes.
    numbers: HashMap<String, u32>,
    /// Texts that are known to be expressions.
    expressions: HashSet<String>,
}

impl Reader<'_> {
    fn wrong<T>(&mut self, value: usize, message: impl Into<String>) -> Option<T> {
        let span = self.json.value(value).1;
        // The line is enough for a long value.
        self.report.add(Diagnostic::new(Code::Syntax, span, message).label("here"));
        None
    }

    fn model(&mut self) -> Option<Model> {
        match self.json.part(0, "laban").map(|version| self.json.value(version).0) {
            Some(Value::Number(Some(1))) => {}
            Some(_) => return self.wrong(0, "this version of the form is not known; Laban reads version 1"),
            None => return self.wrong(0, "this is not a model of Laban: `\"laban\": 1` is missing"),
        }
        let kind = self.text(0, "kind")?;
        match kind.as_str() {
            "network" => self.network().map(Model::Network),
            "choreography" => self.choreography().map(Model::Choreography),
            other => self.wrong(0, format!("the kind is `network` or `choreography`, and not {}", quote(other))),
        }
    }

    fn network(&mut self) -> Option<Network> {
        let mut parts = NetworkParts::default();
        let processes = self.list(0, "processes")?;
        for (number, &process) in processes.iter().enumerate() {
            let name = self.name(process, "name")?;
            if self.numbers.insert(name.clone(), number as u32).is_some() {
                return self.wrong(process, format!("two processes are named {}", quote(&name)));
            }
        }
        for &process in &processes {
            let name = self.name(process, "name")?;
            let states = self.list(process, "states")?;
            let first = parts.states.len() as u32;
            let range = ArenaRange { start: first, end: first + states.len() as u32 };
            for &state in &states {
                let read = self.state(state, range, &mut parts)?;
                parts.states.push(read);
                parts.origins.push(self.json.value(state).1);
                parts.idle.push(self.is_true(state, "idle"));
            }
            let start = self.state_at(process, "start", range)?;
            let (service, span) = (self.is_true(process, "service"), self.json.value(process).1);
            parts.processes.push(Process { name: parts.names.intern(&name), start, service, states: range, span });
        }
        if !parts.idle.contains(&true) {
            parts.idle.clear();
        }
        if self.json.part(0, "channels").is_some() {
            parts.channels = self.channels()?;
        }
        Network::from_parts(parts).map_err(|error| self.wrong::<()>(0, error.to_string())).ok()
    }

    fn channels(&mut self) -> Option<Channels> {
        let mut channels = Channels::default();
        for item in self.list(0, "channels")? {
            let bound = match self.json.part(item, "bound") {
                Some(_) => Some(self.number(item, "bound")?),
                None => None,
            };
            let channel = match (self.text(item, "channel")?.as_str(), bound) {
                ("rendezvous", None) => Channel::Rendezvous,
                ("queue", bound) if bound != Some(0) => Channel::Queue { bound },
                _ => return self.wrong(item, "a channel is `rendezvous`, or `queue` with room for a message"),
            };
            match self.json.part(item, "from") {
                None => channels.default = channel,
                Some(_) => channels.single.push((self.process(item, "from")?, self.process(item, "to")?, channel)),
            }
        }
        Some(channels)
    }

    fn state(&mut self, at: usize, range: ArenaRange, parts: &mut NetworkParts) -> Option<State> {
        let action = self.text(at, "action")?;
        Some(match action.as_str() {
            "stop" => State::Stop,
            "send" => State::Send {
                to: self.process(at, "to")?,
                expression: self.expression(at, "value", &mut parts.names)?,
                next: self.state_at(at, "next", range)?,
            },
            "receive" => State::Receive { from: self.process(at, "from")?, next: self.state_at(at, "next", range)? },
            "select" => {
                let (to, label) = (self.process(at, "to")?, self.label(at, &mut parts.names)?);
                let next = self.state_at(at, "next", range)?;
                match self.json.part(at, "value") {
                    None => State::Select { to, label, next },
                    Some(_) => {
                        let expression = self.expression(at, "value", &mut parts.names)?;
                        State::SelectValue { to, label, expression, next }
                    }
                }
            }
            "offer" => {
                let from = self.process(at, "from")?;
                let mut branches = Vec::new();
                for branch in self.list(at, "branches")? {
                    let label = self.label(branch, &mut parts.names)?;
                    branches.push(Branch { label, next: self.state_at(branch, "next", range)? });
                }
                branches.sort_by_key(|branch| branch.label);
                let start = parts.branches.len() as u32;
                parts.branches.extend(branches);
                State::Offer { from, branches: ArenaRange { start, end: parts.branches.len() as u32 } }
            }
            "if" => State::If {
                condition: self.expression(at, "condition", &mut parts.names)?,
                then: self.state_at(at, "then", range)?,
                otherwise: self.state_at(at, "else", range)?,
            },
            "choose" | "any" => {
                let key = if action == "any" { "items" } else { "arms" };
                let start = parts.arms.len() as u32;
                for item in self.list(at, key)? {
                    let state = self.in_range(item, range)?;
                    parts.arms.push(state);
                }
                let arms = ArenaRange { start, end: parts.arms.len() as u32 };
                if key == "items" { State::Any { items: arms } } else { State::Choose { arms } }
            }
            other => return self.wrong(at, format!("there is no action {}", quote(other))),
        })
    }

    fn choreography(&mut self) -> Option<Choreography> {
        let mut parts = ChoreographyParts::default();
        for process in self.list(0, "processes")? {
            let (Value::Text(name), _) = self.json.value(process) else {
                return self.wrong(process, "expected a name");
            };
            if !is_name(name) {
                return self.wrong(process, format!("{} is not a name", quote(name)));
            }
            self.numbers.insert(name.clone(), parts.processes.len() as u32);
            parts.processes.push(parts.names.intern(name));
        }
        let nodes = self.list(0, "nodes")?;
        for start in self.list(0, "starts")? {
            let node = self.in_range(start, whole(nodes.len()))?;
            parts.starts.push(NodeId(node.0));
        }
        for &at in &nodes {
            let node = self.node(at, nodes.len(), &mut parts)?;
            parts.nodes.push(node);
            parts.origins.push(self.json.value(at).1);
        }
        Choreography::from_parts(parts).map_err(|error| self.wrong::<()>(0, error.to_string())).ok()
    }

    fn node(&mut self, at: usize, count: usize, parts: &mut ChoreographyParts) -> Option<Node> {
        let action = self.text(at, "action")?;
        let node = |reader: &mut Self, key| Some(NodeId(reader.state_at(at, key, whole(count))?.0));
        Some(match action.as_str() {
            "stop" => Node::Stop,
            "message" => {
                let interaction = self.interaction(at, &mut parts.names)?;
                Node::Interaction { interaction, next: node(self, "next")? }
            }
            "put" => {
                let interaction = self.interaction(at, &mut parts.names)?;
                Node::Put { interaction, next: node(self, "next")? }
            }
            "take" => {
                let (from, to) = (self.process(at, "from")?, self.process(at, "to")?);
                Node::Take { from, to, next: node(self, "next")? }
            }
            "group" => {
                let start = parts.members.len() as u32;
                for member in self.list(at, "messages")? {
                    let interaction = self.interaction(member, &mut parts.names)?;
                    parts.members.push(interaction);
                }
                let members = ArenaRange { start, end: parts.members.len() as u32 };
                Node::Group { members, next: node(self, "next")? }
            }
            "if" => Node::If {
                process: self.process(at, "process")?,
                condition: self.expression(at, "condition", &mut parts.names)?,
                then: node(self, "then")?,
                otherwise: node(self, "else")?,
            },
            "choose" | "any" => {
                let key = if action == "any" { "items" } else { "arms" };
                let start = parts.arms.len() as u32;
                for item in self.list(at, key)? {
                    let arm = self.in_range(item, whole(count))?;
                    parts.arms.push(NodeId(arm.0));
                }
                let arms = ArenaRange { start, end: parts.arms.len() as u32 };
                match key {
                    "items" => Node::Any { items: arms },
                    _ => Node::Choose { process: self.process(at, "process")?, arms },
                }
            }
            other => return self.wrong(at, format!("there is no action {}", quote(other))),
        })
    }

    fn interaction(&mut self, at: usize, names: &mut Names) -> Option<Interaction> {
        let (from, to) = (self.process(at, "from")?, self.process(at, "to")?);
        let content = match (self.json.part(at, "label"), self.json.part(at, "value")) {
            (Some(_), None) => Content::Label(self.label(at, names)?),
            (Some(_), Some(_)) => {
                Content::LabelledValue { label: self.label(at, names)?, value: self.expression(at, "value", names)? }
            }
            _ => Content::Value(self.expression(at, "value", names)?),
        };
        Some(Interaction { from, to, content })
    }

    fn part(&mut self, object: usize, key: &str) -> Option<usize> {
        match self.json.part(object, key) {
            Some(part) => Some(part),
            None => self.wrong(object, format!("{} is missing", quote(key))),
        }
    }

    fn text(&mut self, object: usize, key: &str) -> Option<String> {
        let part = self.part(object, key)?;
        match self.json.value(part).0 {
            Value::Text(text) => Some(text.clone()),
            _ => self.wrong(part, format!("{} is a string", quote(key))),
        }
    }

    fn name(&mut self, object: usize, key: &str) -> Option<String> {
        let name = self.text(object, key)?;
        match is_name(&name) {
            true => Some(name),
            false => self.wrong(object, format!("{} is not a name", quote(&name))),
        }
    }

    fn label(&mut self, object: usize, names: &mut Names) -> Option<Symbol> {
        self.name(object, "label").map(|label| names.intern(&label))
    }

    fn expression(&mut self, object: usize, key: &str, names: &mut Names) -> Option<Symbol> {
        let text = self.text(object, key)?;
        if !self.expressions.contains(&text) && !is_expression(&text) {
            return self.wrong(object, format!("{} is not an expression", quote(&text)));
        }
        let symbol = names.intern(&text);
        self.expressions.insert(text);
        Some(symbol)
    }

    fn process(&mut self, object: usize, key: &str) -> Option<ProcessId> {
        let name = self.text(object, key)?;
        match self.numbers.get(&name) {
            Some(&number) => Some(ProcessId(number)),
            None => self.wrong(object, format!("there is no process {}", quote(&name))),
        }
    }

    fn number(&mut self, object: usize, key: &str) -> Option<u32> {
        let part = self.part(object, key)?;
        match self.json.value(part).0 {
            Value::Number(Some(number)) => Some(*number),
            _ => self.wrong(part, format!("{} is a number", quote(key))),
        }
    }

    fn list(&mut self, object: usize, key: &str) -> Option<Vec<usize>> {
        let part = self.part(object, key)?;
        match self.json.value(part).0 {
            Value::List(items) => Some(items.clone()),
            _ => self.wrong(part, format!("{} is a list", quote(key))),
        }
    }

    fn is_true(&self, object: usize, key: &str) -> bool {
        self.json.part(object, key).is_some_and(|part| *self.json.value(part).0 == Value::Truth(true))
    }

    fn state_at(&mut self, object: usize, key: &str, range: ArenaRange) -> Option<StateId> {
        let part = self.part(object, key)?;
        self.in_range(part, range)
    }

    /// A number from 0 on, as one of a range.
    fn in_range(&mut self, value: usize, range: ArenaRange) -> Option<StateId> {
        match self.json.value(value).0 {
            Value::Number(Some(number)) if (*number as usize) < range.len() => Some(StateId(range.start + number)),
            _ => self.wrong(value, format!("expected a number below {}", range.len())),
        }
    }
}

fn whole(count: usize) -> ArenaRange {
    ArenaRange { start: 0, end: count as u32 }
}

/// Whether a text can be a value or a condition, and is then the same.
fn is_expression(text: &str) -> bool {
    let network = format!("p {{ main {{ q!<{text}>; stop }} }} | q {{ main {{ p?; stop }} }}");
    let Ok(network) = laban::analyse(network).into_network() else { return false };
    let sends = |state: &State| matches!(*state, State::Send { expression, .. } if network.text(expression) == text);
    network.states().iter().any(sends) && network.states().len() == 4
}

//! Who talks to whom.

use crate::focus::Focus;
use crate::picture::{Direction, Edge, Node, Picture, Shape};
use crate::text::{shortened, text_width};
use laban::network::{Network, ProcessId, State};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The most characters on a line of a label, as far as names permit.
const LINE: usize = 24;
/// The most characters of a name, if there are few.
const LONGEST: usize = 40;
/// The most lines of a label.
const MOST_LINES: usize = 5;

/// The processes of a network, with an edge from each to those that it sends values to or selects labels at.
///
/// An edge says which values and labels these are, in the order of the sender's automaton: labels in brackets. It is
/// dashed if one side is missing: the receiver never receives, or waits for what is never sent. Of processes in a
/// focus, those next to them are drawn as well.
pub fn communications(network: &Network, focus: &Focus) -> Picture {
    let mut channels: BTreeMap<(ProcessId, ProcessId), Channel<'_>> = BTreeMap::new();
    for (id, process) in network.process_ids().zip(network.processes()) {
        for state in process.states.of(network.states()) {
            let text = |symbol| network.text(symbol);
            match *state {
                State::Send { to, expression, .. } => {
                    channels.entry((id, to)).or_default().add(Cow::Borrowed(text(expression)));
                }
                State::Select { to, label, .. } => {
                    channels.entry((id, to)).or_default().add(Cow::Owned(format!("[{}]", text(label))));
                }
                State::Receive { from, .. } | State::Offer { from, .. } => {
                    channels.entry((from, id)).or_default().awaited = true;
                }
                State::SelectValue { to, label, expression, .. } => {
                    let content = format!("[{}({})]", text(label), text(expression));
                    channels.entry((id, to)).or_default().add(Cow::Owned(content));
                }
                // The items of a race are states of their own.
                State::Stop | State::If { .. } | State::Choose { .. } | State::Any { .. } => {}
            }
        }
    }
    let nodes = network.process_ids().zip(network.processes()).map(|(id, process)| {
        Node::new(network.process_name(id), if process.service { Shape::Rounded } else { Shape::Box })
    });
    let edges = channels.iter().map(|(&(from, to), channel)| Edge {
        dashed: !channel.awaited || channel.sent.is_empty(),
        ..Edge::new(from.index(), to.index(), channel.label())
    });
    let (nodes, edges) = (nodes.collect(), edges.collect());
    let picture = Picture { nodes, edges, direction: Direction::Right, ..Picture::default() };
    picture.around(&focus.processes).folded(focus.max_nodes)
}

/// What goes from one process to another.
#[derive(Default)]
struct Channel<'a> {
    /// Values and labels, each once, in the order in which they are met.
    sent: Vec<Cow<'a, str>>,
    known: BTreeSet<Cow<'a, str>>,
    /// Whether the other ever waits for something.
    awaited: bool,
}

impl<'a> Channel<'a> {
    fn add(&mut self, name: Cow<'a, str>) {
        if self.known.insert(name.clone()) {
            self.sent.push(name);
        }
    }

    /// The names on short lines; of very many, the first.
    fn label(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        let room = text_width(&"n".repeat(LINE), 1.0);
        let longest = if self.sent.len() < MOST_LINES { LONGEST } else { LINE };
        for (index, name) in self.sent.iter().enumerate() {
            let name = shortened(name, longest);
            let left = self.sent.len() - index;
            let fits = |line: &str| text_width(line, 1.0) + text_width(&name, 1.0) + text_width(", ", 1.0) <= room;
            if lines.last().is_some_and(|line| fits(line)) {
                if let Some(line) = lines.last_mut() {
                    line.push_str(", ");
                    line.push_str(&name);
                }
            } else if lines.len() + 1 == MOST_LINES && left > 1 {
                lines.push(format!("… and {left} more"));
                break;
            } else {
                lines.push(name.into_owned());
            }
        }
        match (self.sent.is_empty(), self.awaited) {
            (true, _) => lines.push("never sent".to_string()),
            (false, false) => lines.push("never received".to_string()),
            (false, true) => {}
        }
        lines.join("\n")
    }
}

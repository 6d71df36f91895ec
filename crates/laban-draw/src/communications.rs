//! Who talks to whom.

use crate::focus::Focus;
use crate::picture::{Direction, Edge, Node, Picture, Shape};
use crate::text::counted;
use laban::network::{Network, ProcessId, State};
use std::collections::BTreeMap;

/// The processes of a network, with an edge from each to those that it sends values to or selects labels at.
///
/// An edge says how many actions there are for it in the automaton of the sender. It is dashed if one side is missing:
/// the receiver never receives, or waits for what is never sent. Of processes in a focus, those next to them are drawn as
/// well.
pub fn communications(network: &Network, focus: &Focus) -> Picture {
    let mut channels: BTreeMap<(ProcessId, ProcessId), Channel> = BTreeMap::new();
    for (id, process) in network.process_ids().zip(&network.processes) {
        for state in process.states.of(&network.states) {
            match *state {
                State::Send { to, .. } => channels.entry((id, to)).or_default().values += 1,
                State::Select { to, .. } => channels.entry((id, to)).or_default().labels += 1,
                State::Receive { from, .. } | State::Offer { from, .. } => {
                    channels.entry((from, id)).or_default().awaited = true;
                }
                State::Stop | State::If { .. } => {}
            }
        }
    }
    let nodes = network.process_ids().zip(&network.processes).map(|(id, process)| {
        Node::new(network.process_name(id), if process.service { Shape::Rounded } else { Shape::Box })
    });
    let edges = channels.iter().map(|(&(from, to), channel)| Edge {
        dashed: !channel.awaited || channel.is_silent(),
        ..Edge::new(from.index(), to.index(), channel.label())
    });
    let (nodes, edges) = (nodes.collect(), edges.collect());
    let picture = Picture { nodes, edges, direction: Direction::Right, ..Picture::default() };
    picture.around(&focus.processes).folded(focus.max_nodes)
}

/// What goes from one process to another.
#[derive(Default)]
struct Channel {
    values: usize,
    labels: usize,
    /// Whether the other ever waits for something.
    awaited: bool,
}

impl Channel {
    fn is_silent(&self) -> bool {
        self.values == 0 && self.labels == 0
    }

    fn label(&self) -> String {
        let values = counted(self.values, "value");
        let labels = counted(self.labels, "label");
        let mut label = match (self.values, self.labels) {
            (0, 0) => return "never sent".to_string(),
            (_, 0) => values,
            (0, _) => labels,
            _ => format!("{values}, {labels}"),
        };
        if !self.awaited {
            label.push_str(", never received");
        }
        label
    }
}

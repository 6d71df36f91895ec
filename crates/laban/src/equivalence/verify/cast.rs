//! Who plays whom: the names of a choreography in a network, and the parts that each process takes.

use super::Reason;
use crate::choreography::{Choreography, Node, NodeId};
use crate::network::{Content, Interaction, Network, ProcessId};
use crate::syntax::Symbol;
use std::ops::Range;

/// No process, no symbol.
const NONE: u32 = u32::MAX;

/// A process of a choreography, as the network knows it.
#[derive(Clone, Copy)]
pub(super) struct Player {
    /// Which process of the network it is.
    pub(super) process: ProcessId,
    /// Where its local state is in a row of states.
    pub(super) slot: u32,
}

/// One of several independent parts of a choreography.
pub(super) struct Part {
    /// Where it starts.
    pub(super) start: NodeId,
    /// The slots of the processes that take part in it.
    pub(super) slots: Range<usize>,
    /// Whether it may come to a node more than once.
    pub(super) has_joints: bool,
}

/// How the processes and names of a choreography relate to those of a network.
pub(super) struct Cast {
    /// The parts of the choreography, in order.
    pub(super) parts: Vec<Part>,
    /// For each slot, the process of the network.
    pub(super) process_at: Vec<ProcessId>,
    /// For each process of the choreography, who plays it.
    players: Vec<Player>,
    /// For each process of the network, its slot; `NONE` if it is absent from the choreography.
    slots: Vec<u32>,
    /// For each symbol of the choreography, that of the same text in the network.
    symbols: Vec<Symbol>,
    /// For each node of the choreography, how many edges lead to it, up to two; the start of a part counts as one.
    incoming: Vec<u8>,
}

impl Cast {
    /// Matches the names. There is a reason why not if the choreography has a process that the network has not, if one
    /// process is in two parts, or if one that has something to do is in none.
    pub(super) fn new(network: &Network, choreography: &Choreography) -> Result<Self, Reason> {
        let symbols = translation(network, choreography);
        let players = players(network, choreography, &symbols)?;
        let mut cast = Cast {
            parts: Vec::with_capacity(choreography.starts.len()),
            process_at: Vec::with_capacity(players.len()),
            players,
            slots: Vec::new(),
            symbols,
            incoming: vec![0; choreography.nodes.len()],
        };
        let mut slot_of = vec![NONE; network.processes.len()];
        for &start in &choreography.starts {
            let slots = cast.process_at.len();
            let has_joints = cast.explore(choreography, start, slots, &mut slot_of)?;
            cast.parts.push(Part { start, slots: slots..cast.process_at.len(), has_joints });
        }
        for (process, &slot) in network.process_ids().zip(&slot_of) {
            let Some(description) = network.processes.get(process.index()) else { continue };
            if slot == NONE && !network.may_wait(process, description.start) {
                return Err(Reason::AbsentProcess { process, state: description.start });
            }
        }
        cast.slots = slot_of;
        Ok(cast)
    }

    /// Where the local state of a process of the network is in a row of states; nowhere if it is absent from the
    /// choreography.
    pub(super) fn slot(&self, process: ProcessId) -> Option<usize> {
        self.slots.get(process.index()).copied().filter(|&slot| slot != NONE).map(|slot| slot as usize)
    }

    /// An interaction of the choreography, in the names of the network.
    pub(super) fn interaction(&self, interaction: Interaction) -> Interaction {
        let content = match interaction.content {
            Content::Value(value) => Content::Value(self.symbol(value)),
            Content::Label(label) => Content::Label(self.symbol(label)),
            Content::LabelledValue { label, value } => {
                Content::LabelledValue { label: self.symbol(label), value: self.symbol(value) }
            }
        };
        let (from, to) = (self.player(interaction.from).process, self.player(interaction.to).process);
        Interaction { from, to, content }
    }

    /// Who plays a process of the choreography.
    #[inline]
    pub(super) fn player(&self, process: ProcessId) -> Player {
        // Whoever occurs has been cast, so nobody ever meets the second alternative.
        self.players.get(process.index()).copied().unwrap_or(Player { process: ProcessId(NONE), slot: NONE })
    }

    /// The network's symbol for a name of the choreography; one that is nowhere in the network if it has no such name.
    #[inline]
    pub(super) fn symbol(&self, symbol: Symbol) -> Symbol {
        self.symbols.get(symbol.index()).copied().unwrap_or(Symbol(NONE))
    }

    /// Whether the choreography may come to this node more than once.
    #[inline]
    pub(super) fn is_joint(&self, node: NodeId) -> bool {
        self.incoming.get(node.index()).is_some_and(|&incoming| incoming > 1)
    }

    /// Counts the edges to each node of a part and gives its processes slots, from `first` on. Returns whether several
    /// edges lead to some node.
    fn explore(
        &mut self,
        choreography: &Choreography,
        start: NodeId,
        first: usize,
        slot_of: &mut [u32],
    ) -> Result<bool, Reason> {
        let mut has_joints = false;
        let mut work = vec![start];
        while let Some(mut at) = work.pop() {
            loop {
                let node = choreography.nodes.get(at.index()).unwrap_or(&Node::Stop);
                let next = match *node {
                    Node::Stop => break,
                    Node::Interaction { interaction: Interaction { from, to, .. }, next } => {
                        self.join(from, first, slot_of)?;
                        self.join(to, first, slot_of)?;
                        next
                    }
                    Node::Group { members, next } => {
                        for member in members.of(&choreography.members) {
                            self.join(member.from, first, slot_of)?;
                            self.join(member.to, first, slot_of)?;
                        }
                        next
                    }
                    Node::Put { interaction: Interaction { from, to, .. }, next } | Node::Take { from, to, next } => {
                        self.join(from, first, slot_of)?;
                        self.join(to, first, slot_of)?;
                        next
                    }
                    Node::If { process, then, .. } => {
                        self.join(process, first, slot_of)?;
                        then
                    }
                    Node::Choose { process, arms } => {
                        self.join(process, first, slot_of)?;
                        let Some(&arm) = choreography.arms(arms).first() else { break };
                        arm
                    }
                    Node::Any { items } => {
                        let Some(&item) = choreography.arms(items).first() else { break };
                        item
                    }
                };
                let incoming = &mut self.incoming[at.index()];
                if *incoming > 0 {
                    *incoming = 2;
                    has_joints = true;
                    break;
                }
                *incoming = 1;
                match *node {
                    Node::If { otherwise, .. } => work.push(otherwise),
                    Node::Choose { arms, .. } | Node::Any { items: arms } => {
                        work.extend(choreography.arms(arms).iter().skip(1).rev());
                    }
                    _ => {}
                }
                at = next;
            }
        }
        Ok(has_joints)
    }

    /// Gives a process a slot in the part whose first slot is `first`, unless it has one there.
    #[inline]
    fn join(&mut self, process: ProcessId, first: usize, slot_of: &mut [u32]) -> Result<(), Reason> {
        let slots = first as u32..NONE;
        let Some(player) = self.players.get_mut(process.index()) else {
            return Err(Reason::UnknownProcess { process });
        };
        if slots.contains(&player.slot) {
            return Ok(());
        }
        let slot = &mut slot_of[player.process.index()];
        if *slot == NONE {
            *slot = self.process_at.len() as u32;
            self.process_at.push(player.process);
        } else if *slot < slots.start {
            return Err(Reason::SharedProcess { process: player.process });
        }
        player.slot = *slot;
        Ok(())
    }
}

/// For each symbol of the choreography, that of the same text in the network.
fn translation(network: &Network, choreography: &Choreography) -> Vec<Symbol> {
    // The tables often number their names alike, for one was made from the other.
    let alike = match choreography.names.continues(&network.names) {
        true => network.names.len() as u32,
        false => 0,
    };
    let others = (alike..choreography.names.len() as u32).map(Symbol);
    let found = others.map(|symbol| network.names.find(choreography.names.text(symbol)).unwrap_or(Symbol(NONE)));
    (0..alike).map(Symbol).chain(found).collect()
}

/// For each process of the choreography, the process of the same name, still without a slot.
fn players(network: &Network, choreography: &Choreography, symbols: &[Symbol]) -> Result<Vec<Player>, Reason> {
    let mut process_of = vec![NONE; network.names.len()];
    for (process, description) in network.process_ids().zip(&network.processes) {
        if let Some(slot) = process_of.get_mut(description.name.index()) {
            *slot = process.0;
        }
    }
    let player = |(number, name): (usize, &Symbol)| {
        let symbol = symbols.get(name.index()).copied().unwrap_or(Symbol(NONE));
        match process_of.get(symbol.index()).copied().unwrap_or(NONE) {
            NONE => Err(Reason::UnknownProcess { process: ProcessId(number as u32) }),
            process => Ok(Player { process: ProcessId(process), slot: NONE }),
        }
    };
    choreography.processes.iter().enumerate().map(player).collect()
}

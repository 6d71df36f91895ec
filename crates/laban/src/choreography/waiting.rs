//! What is checked of messages that wait: that there is one where one is taken, and that each is taken.
//!
//! How many messages may be in a queue is followed along all paths of a choreography. Only what is wrong on every path
//! is reported; that a queue may be empty, or may never get empty, is a matter for the comparison with a network.

use super::{Choreography, Node, NodeId};
use crate::diagnostic::{Code, Diagnostic, quote};
use crate::network::ProcessId;
use crate::scope::MOST_DIAGNOSTICS;
use std::collections::BTreeMap;

/// Up to this number, messages are counted.
const MANY: u8 = 64;

/// After so many steps of counting, nothing more is reported.
const FUEL: usize = 1 << 24;

/// A queue: from whom, and to whom.
type Queue = (ProcessId, ProcessId);

/// What is certainly wrong with the messages that wait in a choreography: at most one message about each queue.
pub(super) fn check(choreography: &Choreography) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut fuel = FUEL;
    let mut seen = vec![false; choreography.nodes.len()];
    let before = before(choreography);
    for &start in &choreography.starts {
        let queues = queues(choreography, start, &mut seen);
        // Who takes from whom is easily confused, and that is one mistake.
        let only_puts = |queue: Queue| queues.get(&queue).is_some_and(|ends| ends.takes.is_empty());
        let only_takes = |queue: Queue| queues.get(&queue).is_some_and(|ends| ends.puts.is_empty());
        for (&(from, to), ends) in &queues {
            if only_puts((from, to)) && only_takes((to, from)) {
                continue;
            }
            let Some(counts) = count(choreography, start, (from, to), &mut fuel) else { return diagnostics };
            let is_reversed = only_takes((from, to)) && only_puts((to, from));
            diagnostics.extend(wrong(choreography, (from, to), ends, &counts, &before, is_reversed));
            if diagnostics.len() >= MOST_DIAGNOSTICS {
                return diagnostics;
            }
        }
    }
    diagnostics
}

/// Where messages are put into a queue and taken from it, in the order of the text.
#[derive(Default)]
struct Ends {
    puts: Vec<NodeId>,
    takes: Vec<NodeId>,
}

/// The queues that messages are put into or taken from in one part.
fn queues(choreography: &Choreography, start: NodeId, seen: &mut [bool]) -> BTreeMap<Queue, Ends> {
    let mut queues: BTreeMap<Queue, Ends> = BTreeMap::new();
    let mut work = vec![start];
    while let Some(node) = work.pop() {
        if seen.get_mut(node.index()).is_none_or(|seen| std::mem::replace(seen, true)) {
            continue;
        }
        match choreography.node(node) {
            Node::Put { interaction, .. } => {
                queues.entry((interaction.from, interaction.to)).or_default().puts.push(node);
            }
            Node::Take { from, to, .. } => queues.entry((from, to)).or_default().takes.push(node),
            _ => {}
        }
        work.extend(choreography.successors(node));
    }
    for ends in queues.values_mut() {
        for nodes in [&mut ends.puts, &mut ends.takes] {
            nodes.sort_by_key(|&node| choreography.origin(node).start);
        }
    }
    queues
}

/// How many messages can be in a queue before a node: at least and at most. More than can be counted are many.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Count {
    least: u8,
    most: u8,
}

impl Count {
    /// After one more was put there.
    fn put(self) -> Count {
        Count { least: self.least.saturating_add(1).min(MANY), most: self.most.saturating_add(1).min(MANY) }
    }

    /// After one was taken. If there were many, there may still be as many.
    fn taken(self) -> Count {
        let most = if self.most == MANY { MANY } else { self.most.saturating_sub(1) };
        Count { least: self.least.saturating_sub(1), most }
    }
}

/// For each node that can be reached, how many messages can be in a queue; nothing if it takes too long.
fn count(choreography: &Choreography, start: NodeId, queue: Queue, fuel: &mut usize) -> Option<Vec<Option<Count>>> {
    let mut counts: Vec<Option<Count>> = vec![None; choreography.nodes.len()];
    // What comes after looks at each node once.
    *fuel = fuel.checked_sub(2 * counts.len())?;
    let mut work = vec![(start, Count { least: 0, most: 0 })];
    while let Some((node, count)) = work.pop() {
        *fuel = fuel.checked_sub(1)?;
        let Some(known) = counts.get_mut(node.index()) else { continue };
        let joined = known
            .map_or(count, |known| Count { least: known.least.min(count.least), most: known.most.max(count.most) });
        if *known == Some(joined) {
            continue;
        }
        *known = Some(joined);
        let after = match choreography.node(node) {
            Node::Put { interaction, .. } if (interaction.from, interaction.to) == queue => joined.put(),
            Node::Take { from, to, .. } if (from, to) == queue => joined.taken(),
            _ => joined,
        };
        work.extend(choreography.successors(node).map(|next| (next, after)));
    }
    Some(counts)
}

/// What is wrong with a queue, if anything is for certain.
fn wrong(
    choreography: &Choreography,
    (from, to): Queue,
    ends: &Ends,
    counts: &[Option<Count>],
    before: &[Vec<NodeId>],
    is_reversed: bool,
) -> Option<Diagnostic> {
    let count = |node: NodeId| counts.get(node.index()).copied().flatten();
    let [sender, taker] = [from, to].map(|process| choreography.process_name(process));
    let [p, q] = [sender, taker].map(quote);
    if let Some(&take) = ends.takes.iter().find(|&&take| count(take).is_some_and(|count| count.most == 0)) {
        let message = format!("{q} takes a message from {p}, but none can be waiting here");
        let diagnostic =
            Diagnostic::new(Code::NothingToTake, choreography.origin(take), message).label("the queue is empty here");
        let later = ends.puts.iter().find(|&&put| choreography.origin(put).start > choreography.origin(take).start);
        return Some(match (is_reversed, later) {
            (true, _) => {
                let hint = format!("the process that takes comes first: did you mean `{sender} <~ {taker}`?");
                diagnostic.hint(hint).fix_word(
                    choreography.origin(take),
                    &format!("{taker} <~ {sender}"),
                    &format!("{sender} <~ {taker}"),
                )
            }
            (false, Some(&put)) => {
                diagnostic.at(choreography.origin(put), "put here").hint("a message must be put before it is taken")
            }
            (false, None) => diagnostic.hint(format!("a message is put into the queue by `{sender}.value ~> {taker}`")),
        });
    }
    let hint = format!("write `{taker} <~ {sender}` where {q} takes it");
    // Whoever receives anything from a queue takes the oldest message there is.
    let receives = |node: &NodeId| match choreography.node(*node) {
        Node::Take { from: sender, to: taker, .. } => (sender, taker) == (from, to),
        Node::Interaction { interaction, .. } => (interaction.from, interaction.to) == (from, to),
        Node::Group { members, .. } => {
            choreography.members(members).iter().any(|member| (member.from, member.to) == (from, to))
        }
        _ => false,
    };
    let nodes = || (0..choreography.nodes.len() as u32).map(NodeId);
    let before_takes = reaching(before, nodes().filter(receives));
    if let Some(&put) = ends.puts.iter().find(|put| !before_takes[put.index()]) {
        let message = format!("{q} never takes this message of {p}");
        return Some(Diagnostic::new(Code::NeverTaken, choreography.origin(put), message).label("put here").hint(hint));
    }
    let is_end = |node: &NodeId| choreography.node(*node) == Node::Stop;
    let full = nodes().filter(is_end).find(|&end| count(end).is_some_and(|count| count.least > 0))?;
    let before_end = reaching(before, [full]);
    let put = ends.puts.iter().rfind(|put| before_end[put.index()]).copied().unwrap_or(full);
    let message = format!("all is done here, but {q} has not taken all messages of {p}");
    Some(
        Diagnostic::new(Code::NeverTaken, choreography.origin(full), message)
            .label("a message is left here")
            .at(choreography.origin(put), "put here")
            .hint(hint),
    )
}

/// For each node, those that lead to it.
fn before(choreography: &Choreography) -> Vec<Vec<NodeId>> {
    let mut before: Vec<Vec<NodeId>> = vec![Vec::new(); choreography.nodes.len()];
    for node in (0..choreography.nodes.len() as u32).map(NodeId) {
        for next in choreography.successors(node) {
            if let Some(before) = before.get_mut(next.index()) {
                before.push(node);
            }
        }
    }
    before
}

/// For each node, whether it leads to one of these.
fn reaching(before: &[Vec<NodeId>], goals: impl IntoIterator<Item = NodeId>) -> Vec<bool> {
    let mut reaches = vec![false; before.len()];
    let mut work: Vec<NodeId> = goals.into_iter().collect();
    while let Some(node) = work.pop() {
        if let Some(reaches) = reaches.get_mut(node.index())
            && !std::mem::replace(reaches, true)
        {
            work.extend(&before[node.index()]);
        }
    }
    reaches
}

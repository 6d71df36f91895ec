//! From a graph of actions to text, for both languages.
//!
//! [`procedures`] decides which nodes become procedures, and [`write`](write()) names them and writes the text down.
//!
//! A node that several edges lead to becomes a procedure, for else it would have to be written more than once; so does
//! the head of every loop. Two exceptions make the text read better: `stop` is never named, and a shared tail of one or
//! two actions is repeated where that adds no more than [`MOST_REPEATED`] actions to the text. A procedure that is
//! called from one place only is therefore always a loop. It is the same for both languages.

mod write;

pub(crate) use write::{Naming, Start, Writable, name, write};

/// A shared tail is repeated if that adds at most this many actions to the text.
const MOST_REPEATED: u32 = 4;
/// The longest tail that is repeated, in actions.
const LONGEST_TAIL: u32 = 2;

/// What a node is, as far as the shape of a text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The end.
    Stop,
    /// An action with one continuation.
    Action(u32),
    /// A place where the text branches.
    Fork,
    /// A place where the text branches and each arm begins with what its node does, never with a call. Its
    /// [`successors`](Outline::successors) are those of the nodes with which its arms begin.
    Race,
}

/// A graph to be written as text.
pub(crate) trait Outline {
    /// How many nodes there are.
    fn count(&self) -> usize;
    /// Where the texts start.
    fn starts(&self) -> Vec<u32>;
    /// What a node is.
    fn shape(&self, node: u32) -> Shape;
    /// Adds the successors of a node, in the order of the text.
    fn successors(&self, node: u32, successors: &mut Vec<u32>);
    /// Whether the word `idle` comes before some node.
    fn has_idle(&self) -> bool {
        false
    }
    /// Whether the word `idle` comes before a node.
    fn is_idle(&self, _: u32) -> bool {
        false
    }
}

/// For each node, whether it becomes a procedure.
pub(crate) fn procedures(outline: &impl Outline) -> Vec<bool> {
    let count = outline.count();
    let mut incoming = vec![0u32; count];
    let mut reached = vec![false; count];
    // In the order in which a reader comes to them.
    let mut order = Vec::with_capacity(count);
    let mut work: Vec<u32> = outline.starts();
    for &start in &work {
        incoming[start as usize] += 1;
        reached[start as usize] = true;
    }
    work.reverse();
    let mut next = Vec::new();
    while let Some(node) = work.pop() {
        order.push(node);
        next.clear();
        outline.successors(node, &mut next);
        let behind = work.len();
        for &next in &next {
            incoming[next as usize] += 1;
            if !std::mem::replace(&mut reached[next as usize], true) {
                work.push(next);
            }
        }
        work[behind..].reverse();
    }
    let mut named: Vec<bool> =
        (0..count).map(|node| incoming[node] > 1 && outline.shape(node as u32) != Shape::Stop).collect();
    // Once another tail ends in a call of a node, the node keeps its name.
    let mut pinned = vec![false; count];
    for &node in &order {
        let index = node as usize;
        if !named[index] || pinned[index] {
            continue;
        }
        let Some((actions, end)) = tail(outline, &named, node) else { continue };
        if actions * (incoming[index] - 1) <= MOST_REPEATED {
            named[index] = false;
            pinned[end as usize] = true;
        }
    }
    named
}

/// How many actions lead from a node to `stop` or to the call of another procedure, if they are few.
fn tail(outline: &impl Outline, named: &[bool], node: u32) -> Option<(u32, u32)> {
    let mut at = node;
    for actions in 1..=LONGEST_TAIL {
        let Shape::Action(next) = outline.shape(at) else { return None };
        at = next;
        if at == node {
            return None;
        }
        if named[at as usize] || outline.shape(at) == Shape::Stop {
            return Some((actions, at));
        }
    }
    None
}

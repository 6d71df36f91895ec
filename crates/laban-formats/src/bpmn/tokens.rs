//! Where a process is: tokens on nodes, and how they move on.
//!
//! There is one token as long as nothing runs side by side. What a token does at a node that does something is up to
//! who asks; here is where it goes then.

use super::graph::{Flow, Graph, Kind};

/// More tokens than this are not looked at.
pub(super) const MOST_TOKENS: usize = 16;

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Token {
    /// At a node, after some of its stages. For a scope: 0 before it starts, 1 when all in it is done.
    At {
        /// The node.
        node: usize,
        /// How many stages are done.
        stage: usize,
    },
    /// Before a gateway that waits for other flows.
    Waiting {
        /// The gateway.
        node: usize,
        /// The flow on which it came.
        flow: usize,
    },
}

impl Token {
    pub(super) fn node(self) -> usize {
        match self {
            Token::At { node, .. } | Token::Waiting { node, .. } => node,
        }
    }
}

/// All tokens, in order.
pub(super) type Marking = Vec<Token>;

/// What a token is about to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Position {
    /// It goes on; nothing happens.
    Pass,
    /// One of the outgoing flows is chosen.
    Decision,
    /// It is decided whether to do it again.
    Repetition,
    /// Something is done.
    Act,
    /// Nothing is done, but it can be interrupted.
    Linger,
    /// One of these nodes, whichever can first.
    Await(Vec<usize>),
    /// It waits for other tokens.
    Wait,
}

/// What a token is about to do.
pub(super) fn position(graph: &Graph, token: Token) -> Position {
    let Token::At { node: number, stage } = token else { return Position::Wait };
    let node = &graph.nodes[number];
    let is_done = stage >= if node.kind == Kind::Scope { 1 } else { node.stages };
    match node.kind {
        Kind::Scope if !is_done => {
            if !node.boundary.is_empty() && !node.acts {
                Position::Linger
            } else if node.starts_by_event && node.starts.len() > 1 {
                Position::Await(node.starts.clone())
            } else {
                Position::Pass
            }
        }
        Kind::Scope | Kind::Step if is_done && node.repeats.is_some() => Position::Repetition,
        Kind::Step if !is_done => Position::Act,
        Kind::Step if node.stages == 0 && !node.boundary.is_empty() => Position::Linger,
        Kind::Exclusive if node.outgoing.len() > 1 => Position::Decision,
        Kind::EventBased => Position::Await(node.outgoing.iter().map(|flow| flow.target).collect()),
        _ => Position::Pass,
    }
}

/// The tokens when one of them has gone on, and nothing was decided.
pub(super) fn pass(graph: &Graph, marking: &Marking, index: usize) -> Marking {
    let mut rest = marking.clone();
    let Token::At { node: number, stage } = rest.remove(index) else { return marking.clone() };
    let node = &graph.nodes[number];
    match &node.kind {
        Kind::Scope if stage == 0 => {
            for &start in &node.starts {
                add(&mut rest, arrival(graph, start));
            }
            if node.starts.is_empty() {
                add(&mut rest, Token::At { node: number, stage: 1 });
            }
        }
        Kind::Terminate => end_scope(graph, &mut rest, node.parent),
        Kind::Error(error) => catch(graph, &mut rest, node.parent, error),
        _ => leave(graph, &mut rest, number),
    }
    rest
}

/// The tokens when one of them has become another.
pub(super) fn replaced(marking: &Marking, index: usize, token: Token) -> Marking {
    let mut rest = marking.clone();
    if index < rest.len() {
        rest.remove(index);
    }
    add(&mut rest, token);
    rest
}

/// The tokens when one of them has taken a flow.
pub(super) fn taken(graph: &Graph, marking: &Marking, index: usize, flow: Flow) -> Marking {
    let mut rest = marking.clone();
    if index < rest.len() {
        rest.remove(index);
    }
    arrive(graph, &mut rest, flow);
    rest
}

/// The tokens when one of them is done with its node.
pub(super) fn left(graph: &Graph, marking: &Marking, index: usize) -> Marking {
    let mut rest = marking.clone();
    if index < rest.len() {
        let token = rest.remove(index);
        leave(graph, &mut rest, token.node());
    }
    rest
}

/// The tokens when an activity was interrupted.
pub(super) fn interrupted(graph: &Graph, marking: &Marking, host: usize, event: usize) -> Marking {
    let mut rest = marking.clone();
    let inside = host..graph.nodes[host].end;
    rest.retain(|token| !inside.contains(&token.node()));
    leave(graph, &mut rest, event);
    rest
}

/// A token that has just come to a node.
pub(super) fn arrival(graph: &Graph, node: usize) -> Token {
    let found = &graph.nodes[node];
    let stage = match found.repeats {
        Some(true) if found.kind == Kind::Scope => 1,
        Some(true) => found.stages,
        _ => 0,
    };
    Token::At { node, stage }
}

fn add(marking: &mut Marking, token: Token) {
    let at = marking.partition_point(|other| *other <= token);
    marking.insert(at, token);
}

/// A token is done with a node, and goes on.
fn leave(graph: &Graph, marking: &mut Marking, number: usize) {
    let node = &graph.nodes[number];
    if !node.outgoing.is_empty() {
        for &flow in &node.outgoing {
            arrive(graph, marking, flow);
        }
    } else if node.parent != 0 && number != 0 {
        let scope = node.parent..graph.nodes[node.parent].end;
        if !marking.iter().any(|token| scope.contains(&token.node())) {
            add(marking, Token::At { node: node.parent, stage: 1 });
        }
    }
}

fn arrive(graph: &Graph, marking: &mut Marking, flow: Flow) {
    let number = flow.target;
    let node = &graph.nodes[number];
    if node.kind != Kind::Parallel || node.incoming.len() < 2 {
        return add(marking, arrival(graph, number));
    }
    add(marking, Token::Waiting { node: number, flow: flow.element });
    let mut rest = marking.clone();
    for &flow in &node.incoming {
        match rest.binary_search(&Token::Waiting { node: number, flow }) {
            Ok(index) => drop(rest.remove(index)),
            Err(_) => return,
        }
    }
    *marking = rest;
    add(marking, Token::At { node: number, stage: 0 });
}

/// Everything in a scope ends.
fn end_scope(graph: &Graph, marking: &mut Marking, scope: usize) {
    let inside = scope..graph.nodes[scope].end;
    marking.retain(|token| !inside.contains(&token.node()));
    if scope != 0 {
        add(marking, Token::At { node: scope, stage: 1 });
    }
}

/// Everything ends up to where an error is caught.
fn catch(graph: &Graph, marking: &mut Marking, scope: usize, error: &str) {
    let mut host = graph.nodes[scope].guard;
    while let Some(number) = host {
        let caught = graph.nodes[number].boundary.iter().find(|&&event| graph.catches(event, error));
        if let Some(&event) = caught {
            *marking = interrupted(graph, marking, number, event);
            return;
        }
        host = if number == 0 { None } else { graph.nodes[graph.nodes[number].parent].guard };
    }
    end_scope(graph, marking, 0);
}

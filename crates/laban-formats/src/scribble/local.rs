//! Local protocols: what one role does. Those of all roles together are a system of automata.
//!
//! They are read like global ones, in which the role itself sends or receives each message.

use super::build::build;
use super::resolve::Protocols;
use super::tree::Tree;
use crate::protocol::{GlobalStep, Protocol};
use crate::report::Report;
use crate::system::{Action, Automaton, Direction, Edge, System, Word};
use std::collections::HashSet;

/// Choices in choices are given up after so many steps, and more in a long text.
const MANY_STEPS: usize = 500_000;

/// The system of all local protocols that no other calls.
pub(super) fn system<'a>(tree: &Tree<'a>, protocols: &Protocols<'_, 'a>, report: &mut Report) -> System {
    let is_called = protocols.called_by_others();
    let mut automata = Vec::new();
    for (number, declared) in tree.protocols.iter().enumerate() {
        let Some(own) = declared.own_role.filter(|_| !is_called[number]) else { continue };
        let built = build(tree, protocols, number, report);
        if let Some(automaton) = automaton(&built, Word::new(own.text, own.span), report) {
            automata.push(automaton);
        }
    }
    System { automata, numbered: false }
}

/// What a role does in a protocol in which it takes part in everything.
fn automaton(protocol: &Protocol, name: Word, report: &mut Report) -> Option<Automaton> {
    let own = protocol.roles.iter().position(|role| role.text == name.text)?;
    let mut automaton = Automaton { name, start: *protocol.starts.first()?, states: Vec::new() };
    for node in &protocol.nodes {
        automaton.add_state(&node.name, node.span);
    }
    let mut states = vec![automaton.start];
    let mut reached = HashSet::from([automaton.start]);
    let mut steps = 0;
    while let Some(state) = states.pop() {
        // What can be done first, whoever decides.
        let mut firsts = Vec::new();
        let mut met = HashSet::from([state]);
        let mut work = vec![state];
        while let Some(at) = work.pop() {
            steps += 1;
            match &protocol.nodes[at].step {
                GlobalStep::Goto(next) => work.extend(Some(*next).filter(|&next| met.insert(next))),
                GlobalStep::Choice { branches, .. } => {
                    work.extend(branches.iter().rev().copied().filter(|&branch| met.insert(branch)));
                }
                _ => firsts.push(at),
            }
        }
        if steps > MANY_STEPS + 8 * protocol.nodes.len() {
            let what = "a choice with so many choices in it";
            report.unsupported(protocol.nodes[state].span, what, "write fewer choices inside others");
            return None;
        }
        let several = firsts.len() > 1;
        for first in firsts {
            let span = protocol.nodes[first].span;
            match &protocol.nodes[first].step {
                GlobalStep::Message { from, to, message, next } => {
                    let (direction, partner) =
                        if *from == own { (Direction::Send, *to) } else { (Direction::Receive, *from) };
                    let partner = Word::new(&*protocol.roles[partner].text, span);
                    let action = Action::Message { direction, partner, message: message.clone() };
                    automaton.add_edge(state, Edge { span, action, target: *next });
                    states.extend(Some(*next).filter(|&next| reached.insert(next)));
                }
                // As one of several, it may decide to stop.
                _ if several => automaton.add_edge(state, Edge { span, action: Action::Silent, target: first }),
                _ => {}
            }
        }
    }
    Some(automaton)
}

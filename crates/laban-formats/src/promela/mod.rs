//! Networks as Promela, ready for Spin, whose search for invalid end states then looks for deadlocks.
//!
//! Each process is an `active proctype` whose states are labels, and there is one channel from each process to each
//! other that it sends to: without room, so that both meet, or with room for some messages. States in which a process
//! may wait forever are valid end states (their labels begin with `end`). Values and conditions are left out, as Laban
//! never looks into them. Spin reports a deadlock only where nothing at all can happen; a few processes that wait for
//! each other while others go on are not seen by it.

mod names;

use crate::flat::Unsayable;
use laban::Network;
use laban::network::{ProcessId, State, StateId};
use names::Names;
use std::collections::HashMap;
use std::fmt::Write;

/// What the channels of a model are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PromelaChannels {
    /// Sender and receiver meet.
    #[default]
    Rendezvous,
    /// Each channel is a queue with room for this many messages; a sender waits while it is full.
    Queues(u32),
}

/// A network as a model for Spin.
///
/// ```
/// use laban_formats::{PromelaChannels, write_promela};
///
/// let network = laban::analyse("p { main { q+ok; stop } } | q { main { p&{ok: stop} } }").into_network()?;
/// let text = write_promela(&network, PromelaChannels::Rendezvous)?;
/// assert!(text.contains("chan p_to_q = [0] of { mtype };"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_promela(network: &Network, channels: PromelaChannels) -> Result<String, Unsayable> {
    let names = Names::new(network)?;
    let room = match channels {
        PromelaChannels::Rendezvous => 0,
        PromelaChannels::Queues(room) => room,
    };
    let mut text = String::from("/* spin -a FILE && cc -DSAFETY -o pan pan.c && ./pan */\n\n");
    if !names.messages.is_empty() {
        line(&mut text, format_args!("mtype = {{ {} }};", names.messages.join(", ")));
    }
    for channel in names.channels() {
        line(&mut text, format_args!("chan {channel} = [{room}] of {{ mtype }};"));
    }
    for process in network.process_ids() {
        proctype(network, process, &names, &mut text);
    }
    Ok(text)
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = writeln!(text, "{line}");
}

/// One process.
fn proctype(network: &Network, process: ProcessId, names: &Names, text: &mut String) {
    let start = network.process(process).map_or(StateId(0), |process| process.start);
    line(text, format_args!("\nactive proctype {}() {{", names.process(process)));
    let mut numbers: HashMap<StateId, usize> = HashMap::from([(start, 0)]);
    let mut order = vec![start];
    let mut at = 0;
    while let Some(&state) = order.get(at) {
        at += 1;
        visit(network, state, |next| {
            numbers.entry(next).or_insert_with(|| {
                order.push(next);
                order.len() - 1
            });
        });
    }
    let done = names::DONE;
    let label = |state: StateId| {
        if network.state(state) == State::Stop {
            return names::DONE.to_string();
        }
        let may_wait = network.may_wait(process, state);
        format!("{}{}", if may_wait { names::END } else { names::STATE }, numbers.get(&state).copied().unwrap_or(0))
    };
    for &state in &order {
        if network.state(state) == State::Stop {
            continue;
        }
        line(text, format_args!("{}: if", label(state)));
        let options = options(network, process, state, names);
        if options.is_empty() {
            line(text, format_args!("  :: false"));
        }
        for (guard, next) in options {
            line(text, format_args!("  :: {guard} -> goto {}", label(next)));
        }
        line(text, format_args!("  fi;"));
    }
    line(text, format_args!("{done}: skip\n}}"));
}

/// The states that can follow a state, through the items of a race.
fn visit(network: &Network, state: StateId, mut visit: impl FnMut(StateId)) {
    match network.state(state) {
        State::Any { items } => network.arms(items).iter().for_each(|&item| network.successors(item, &mut visit)),
        _ => network.successors(state, visit),
    }
}

/// What can be done in a state, and where it leads.
fn options(network: &Network, process: ProcessId, state: StateId, names: &Names) -> Vec<(String, StateId)> {
    let own = network.state(state);
    if own.decides() {
        let mut options = Vec::new();
        network.successors(state, |next| options.push(("true".to_string(), next)));
        return options;
    }
    let mut options = Vec::new();
    for item in network.items(state) {
        let value = names.value();
        match item {
            State::Send { to, next, .. } => options.push((format!("{}!{value}", names.channel(process, to)), next)),
            State::Receive { from, next } => options.push((format!("{}?{value}", names.channel(from, process)), next)),
            State::Select { to, label, next } | State::SelectValue { to, label, next, .. } => {
                let label = names.label(label);
                options.push((format!("{}!{label}", names.channel(process, to)), next));
            }
            State::Offer { from, branches } => {
                let channel = names.channel(from, process);
                for branch in network.branches(branches) {
                    let label = names.label(branch.label);
                    options.push((format!("{channel}?{label}"), branch.next));
                }
            }
            State::Stop | State::If { .. } | State::Choose { .. } | State::Any { .. } => {}
        }
    }
    options
}

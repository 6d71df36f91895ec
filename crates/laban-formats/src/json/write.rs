//! Models as JSON, a state or node on each line.

use laban::choreography::Node;
use laban::network::{Channel, Content, Interaction, ProcessId, State, StateId};
use laban::syntax::Symbol;
use laban::{Choreography, Network};
use std::fmt::Write;

/// A network as JSON.
///
/// ```
/// let network = laban::analyse("p { main { q!<x>; stop } } | q { main { p?; stop } }").into_network()?;
/// let text = laban_formats::write_json_network(&network);
/// assert!(text.contains(r#"{"action":"send","to":"q","value":"x","next":1}"#));
/// # Ok::<(), laban::IllFormed>(())
/// ```
pub fn write_json_network(network: &Network) -> String {
    let mut text = String::from("{\"laban\":1,\"kind\":\"network\",\n\"channels\":[");
    let channels = network.channels();
    let mut separator = "";
    if channels.default != Channel::Rendezvous {
        let _ = write!(text, "{{{}}}", channel(channels.default));
        separator = ",";
    }
    for &(from, to, how) in &channels.single {
        let (from, to) = (string(network.process_name(from)), string(network.process_name(to)));
        let _ = write!(text, "{separator}{{\"from\":{from},\"to\":{to},{}}}", channel(how));
        separator = ",";
    }
    text.push_str("],\n\"processes\":[");
    for (number, process) in network.processes().iter().enumerate() {
        let first = process.states.start;
        let start = process.start.0.saturating_sub(first);
        let comma = if number == 0 { "\n" } else { ",\n" };
        let service = if process.service { "\"service\":true," } else { "" };
        let name = string(network.text(process.name));
        let _ = write!(text, "{comma}{{\"name\":{name},{service}\"start\":{start},\"states\":[");
        for state in first..process.states.end {
            let comma = if state == first { "\n " } else { ",\n " };
            let idle = if network.is_idle(StateId(state)) { ",\"idle\":true" } else { "" };
            let _ = write!(text, "{comma}{{{}{idle}}}", local(network, StateId(state), first));
        }
        text.push_str("]}");
    }
    text.push_str("]}\n");
    text
}

fn channel(channel: Channel) -> String {
    match channel {
        Channel::Rendezvous => "\"channel\":\"rendezvous\"".to_string(),
        Channel::Queue { bound: None } => "\"channel\":\"queue\"".to_string(),
        Channel::Queue { bound: Some(bound) } => format!("\"channel\":\"queue\",\"bound\":{bound}"),
    }
}

/// What is done in a state. States are counted from the first one of the process.
fn local(network: &Network, state: StateId, first: u32) -> String {
    let name = |process: ProcessId| string(network.process_name(process));
    let text = |symbol: Symbol| string(network.text(symbol));
    let at = |state: StateId| state.0.saturating_sub(first);
    let list = |arms: &[StateId]| arms.iter().map(|&arm| at(arm).to_string()).collect::<Vec<_>>().join(",");
    match network.state(state) {
        State::Stop => "\"action\":\"stop\"".to_string(),
        State::Send { to, expression, next } => {
            format!("\"action\":\"send\",\"to\":{},\"value\":{},\"next\":{}", name(to), text(expression), at(next))
        }
        State::Receive { from, next } => {
            format!("\"action\":\"receive\",\"from\":{},\"next\":{}", name(from), at(next))
        }
        State::Select { to, label, next } => {
            format!("\"action\":\"select\",\"to\":{},\"label\":{},\"next\":{}", name(to), text(label), at(next))
        }
        State::SelectValue { to, label, expression, next } => format!(
            "\"action\":\"select\",\"to\":{},\"label\":{},\"value\":{},\"next\":{}",
            name(to),
            text(label),
            text(expression),
            at(next)
        ),
        State::Offer { from, branches } => {
            // In an order that does not depend on where else labels are.
            let mut branches = network.branches(branches).to_vec();
            branches.sort_by_key(|branch| network.text(branch.label));
            let branches = branches.iter();
            let branches =
                branches.map(|branch| format!("{{\"label\":{},\"next\":{}}}", text(branch.label), at(branch.next)));
            let branches = branches.collect::<Vec<_>>().join(",");
            format!("\"action\":\"offer\",\"from\":{},\"branches\":[{branches}]", name(from))
        }
        State::If { condition, then, otherwise } => format!(
            "\"action\":\"if\",\"condition\":{},\"then\":{},\"else\":{}",
            text(condition),
            at(then),
            at(otherwise)
        ),
        State::Choose { arms } => format!("\"action\":\"choose\",\"arms\":[{}]", list(network.arms(arms))),
        State::Any { items } => format!("\"action\":\"any\",\"items\":[{}]", list(network.arms(items))),
    }
}

/// A choreography as JSON.
///
/// ```
/// let choreography = laban::analyse("main { p.x -> q; stop }").into_choreography()?;
/// let text = laban_formats::write_json_choreography(&choreography);
/// assert!(text.contains(r#"{"action":"message","from":"p","to":"q","value":"x","next":1}"#));
/// # Ok::<(), laban::IllFormed>(())
/// ```
pub fn write_json_choreography(choreography: &Choreography) -> String {
    let join = |texts: Vec<String>| texts.join(",");
    let processes = join(choreography.processes().iter().map(|&name| string(choreography.text(name))).collect());
    let starts = join(choreography.starts().iter().map(|start| start.0.to_string()).collect());
    let mut text = format!(
        "{{\"laban\":1,\"kind\":\"choreography\",\n\"processes\":[{processes}],\n\"starts\":[{starts}],\n\"nodes\":["
    );
    for (number, node) in choreography.nodes().iter().enumerate() {
        let comma = if number == 0 { "\n " } else { ",\n " };
        let _ = write!(text, "{comma}{{{}}}", global(choreography, *node));
    }
    text.push_str("]}\n");
    text
}

fn global(choreography: &Choreography, node: Node) -> String {
    let name = |process: ProcessId| string(choreography.process_name(process));
    let list = |arms| choreography.arms(arms).iter().map(|arm| arm.0.to_string()).collect::<Vec<_>>().join(",");
    match node {
        Node::Stop => "\"action\":\"stop\"".to_string(),
        Node::Interaction { interaction, next } => {
            format!("\"action\":\"message\",{},\"next\":{}", message(choreography, interaction), next.0)
        }
        Node::Put { interaction, next } => {
            format!("\"action\":\"put\",{},\"next\":{}", message(choreography, interaction), next.0)
        }
        Node::Take { from, to, next } => {
            format!("\"action\":\"take\",\"from\":{},\"to\":{},\"next\":{}", name(from), name(to), next.0)
        }
        Node::Group { members, next } => {
            let members = choreography.members(members).iter();
            let members = members.map(|&member| format!("{{{}}}", message(choreography, member)));
            let members = members.collect::<Vec<_>>().join(",");
            format!("\"action\":\"group\",\"messages\":[{members}],\"next\":{}", next.0)
        }
        Node::If { process, condition, then, otherwise } => format!(
            "\"action\":\"if\",\"process\":{},\"condition\":{},\"then\":{},\"else\":{}",
            name(process),
            string(choreography.text(condition)),
            then.0,
            otherwise.0
        ),
        Node::Choose { process, arms } => {
            format!("\"action\":\"choose\",\"process\":{},\"arms\":[{}]", name(process), list(arms))
        }
        Node::Any { items } => format!("\"action\":\"any\",\"items\":[{}]", list(items)),
    }
}

fn message(choreography: &Choreography, interaction: Interaction) -> String {
    let text = |symbol: Symbol| string(choreography.text(symbol));
    let content = match interaction.content {
        Content::Value(value) => format!("\"value\":{}", text(value)),
        Content::Label(label) => format!("\"label\":{}", text(label)),
        Content::LabelledValue { label, value } => format!("\"label\":{},\"value\":{}", text(label), text(value)),
    };
    let (from, to) = (choreography.process_name(interaction.from), choreography.process_name(interaction.to));
    format!("\"from\":{},\"to\":{},{content}", string(from), string(to))
}

/// A text as a string of JSON.
fn string(text: &str) -> String {
    let mut string = String::with_capacity(text.len() + 2);
    string.push('"');
    for character in text.chars() {
        match character {
            '"' => string.push_str("\\\""),
            '\\' => string.push_str("\\\\"),
            '\n' => string.push_str("\\n"),
            '\u{0}'..='\u{1f}' => {
                let _ = write!(string, "\\u{:04x}", u32::from(character));
            }
            _ => string.push(character),
        }
    }
    string.push('"');
    string
}

//! Declarations of channels: what parses, what is said of what does not, and what else may be called `channels`.

use laban::network::{Channel, Channels, ProcessId, lower};
use laban::syntax::{Compact, Kind, Pretty, detect, parse_choreography, parse_network};

const REST: &str = "a { main { b!<x>; stop } } | b { main { a?; stop } }";

/// The channels of a network of `a` and `b`.
fn channels(declaration: &str) -> Channels {
    let source = format!("{declaration} {REST}");
    let parsed = parse_network(&source);
    assert_eq!(parsed.diagnostics, [], "{source}");
    let lowered = lower(&parsed.tree);
    assert_eq!(lowered.diagnostics, [], "{source}");
    lowered.network.unwrap().channels().clone()
}

const QUEUE: Channel = Channel::Queue { bound: None };

#[test]
fn every_form_says_what_it_means() {
    let (a, b) = (ProcessId(0), ProcessId(1));
    assert_eq!(channels(""), Channels::default());
    assert_eq!(channels("channels rendezvous;"), Channels::default());
    assert_eq!(channels("channels queue;"), Channels::all(QUEUE));
    assert_eq!(channels("channels queue 4;"), Channels::all(Channel::Queue { bound: Some(4) }));
    let single = channels("channels a -> b queue 2, b -> a rendezvous;");
    let two = Channel::Queue { bound: Some(2) };
    assert_eq!(single, Channels { default: Channel::Rendezvous, single: vec![(a, b, two)] });
    let combined = channels("channels b -> a rendezvous, queue;");
    assert_eq!(combined, Channels { default: QUEUE, single: vec![(b, a, Channel::Rendezvous)] });
    assert_eq!([combined.channel(a, b), combined.channel(b, a)], [QUEUE, Channel::Rendezvous]);
    assert!(combined.has_queues() && single.has_queues() && !Channels::default().has_queues());
}

#[test]
fn a_process_may_be_called_channels_queue_or_rendezvous() {
    let source = "channels { main { queue!<x>; stop } } | service queue { main { channels?; stop } }";
    let parsed = parse_network(source);
    assert_eq!(parsed.diagnostics, []);
    assert!(parsed.tree.channels.is_empty());
    assert_eq!(Compact(&parsed.tree).to_string(), source);
    let declared = format!("channels queue -> channels queue 3; {source}");
    let parsed = parse_network(&declared);
    assert_eq!(parsed.diagnostics, []);
    assert_eq!(Compact(&parsed.tree).to_string(), declared);
    let network = lower(&parsed.tree).network.unwrap();
    assert_eq!(network.channel(ProcessId(1), ProcessId(0)), Channel::Queue { bound: Some(3) });
}

#[test]
fn a_network_that_is_read_off_declares_its_channels() {
    for declaration in ["channels queue; ", "channels queue 4, b -> a rendezvous; ", "channels a -> b queue 2; ", ""] {
        let source = format!("{declaration}{REST}");
        let network = lower(&parse_network(&source).tree).network.unwrap();
        for network in [network.minimised(), network] {
            assert_eq!(Compact(&laban::network::read_off(&network, &[])).to_string(), source);
        }
    }
}

#[test]
fn declarations_of_several_files_may_agree_and_must_not_disagree() {
    let joined = |second: &str| {
        let source = format!("channels queue; {} {second} {}", "a { main { stop } } |", "b { main { stop } }");
        let parsed = parse_network(&source);
        assert_eq!(parsed.diagnostics, [], "{source}");
        assert_eq!(Compact(&parsed.tree).to_string(), source);
        lower(&parsed.tree).diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(joined("channels queue;"), [""; 0]);
    assert_eq!(joined("channels a -> b rendezvous;"), [""; 0]);
    assert_eq!(joined("channels queue 2;"), ["it is said twice how all other channels are"]);
}

#[test]
fn a_long_declaration_has_a_line_for_each_channel() {
    let items: Vec<String> = (0..9).map(|number| format!("process_{number} -> b queue {}", number + 1)).collect();
    let source = format!("channels {}; b {{ main {{ stop }} }}", items.join(", /* why */"));
    let expected = format!("channels\n  {};\nb {{ main {{ stop }} }}\n", items.join(", // why\n  "));
    let parsed = parse_network(&source);
    let printed = Pretty { tree: &parsed.tree, source: &source }.to_string().replace("/* why */", "// why");
    assert_eq!(printed, expected);
}

#[test]
fn the_language_of_a_text_is_known_by_its_beginning() {
    assert_eq!(detect("channels a -> b queue; a { main { stop } }"), Kind::Network);
    assert_eq!(detect("channels queue; a { main { stop } }"), Kind::Network);
    assert_eq!(detect("channels { main { a!<x>; stop } }"), Kind::Network);
    assert_eq!(detect("channels.x -> a; stop"), Kind::Choreography);
    assert_eq!(detect("channels -> a[x]; stop"), Kind::Choreography);
    assert_eq!(detect("p.x ~> q; q <~ p; stop"), Kind::Choreography);
    assert_eq!(detect("q <~ p; stop"), Kind::Choreography);
    assert_eq!(detect("p { main { q!<~x>; stop } }"), Kind::Network);
}

#[test]
fn a_value_may_contain_what_looks_like_an_arrow() {
    for (source, value) in [
        ("main { p.a ~> b -> q; stop }", "a ~> b"),
        ("main { p.a ~> b ~> q; stop }", "a ~> b"),
        ("main { p.(a -> b) ~> q; stop }", "(a -> b)"),
        ("main { p.x ~ > y ~> q[l]; stop }", "x ~ > y"),
    ] {
        let parsed = parse_choreography(source);
        assert_eq!(parsed.diagnostics, []);
        assert!(parsed.tree.names.find(value).is_some(), "{source}");
        assert_eq!(Compact(&parsed.tree).to_string(), source);
    }
    let network = "p { main { q!<~x>; q!<x~>; q+l<~>; stop } } | q { main { p?; p?; p&{l: stop} } }";
    let parsed = parse_network(network);
    assert_eq!(parsed.diagnostics, []);
    assert_eq!(Compact(&parsed.tree).to_string(), network);
}

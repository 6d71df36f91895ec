//! Networks that are easy but large: the search must grow with what there is to do, not with the ways of ordering it.

use laban::diagnostic::Code;
use laban::equivalence::{VerifyOptions, verify};
use laban::extraction::{ExtractOptions, Findings, Verdict, search};
use laban::network::{self, Network};
use laban::syntax::parse_network;
use std::fmt::Write;

fn read(text: &str) -> Option<Network> {
    let parsed = parse_network(text);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    network::lower(&parsed.tree).network
}

/// Extracts a network, and makes sure that what comes out describes it.
fn extracted(text: &str) -> Findings {
    let network = read(text).unwrap_or_default();
    let extraction = search(&network, &ExtractOptions::default());
    assert_eq!(extraction.verdict(), Verdict::Extracted);
    // In the text each `stop` is a state of its own, and every choice of them would be looked at.
    let small = network::minimise(&network).network;
    let verified =
        extraction.choreography.as_ref().map(|choreography| verify(&small, choreography, &VerifyOptions::default()));
    assert!(matches!(verified, Some(Ok(_))), "{verified:?}");
    extraction
}

/// Deciders that each tell a listener what comes, do it, and then meet at a barrier; once, or round after round.
fn deciders(count: usize, again: bool) -> String {
    let (round, listen) = if again { ("Round", "Listen") } else { ("stop", "stop") };
    let mut text = String::new();
    let mut barrier = String::new();
    for number in 0..count {
        let _ = write!(
            text,
            "decider{number} {{
                def Round {{ if heads then listener{number}+heads; listener{number}!<x>; listener{number}!<y>; Meet
                             else listener{number}+tails; listener{number}!<z>; listener{number}?; Meet }}
                def Meet {{ barrier!<here>; barrier?; {round} }}
                main {{ Round }}
            }} | listener{number} {{
                def Listen {{ decider{number}&{{
                    heads: decider{number}?; decider{number}?; {listen},
                    tails: decider{number}?; decider{number}!<thanks>; {listen} }} }}
                main {{ Listen }}
            }} | "
        );
        let _ = write!(barrier, "decider{number}?; ");
    }
    for number in 0..count {
        let _ = write!(barrier, "decider{number}!<go>; ");
    }
    let _ = write!(text, "barrier {{ def Round {{ {barrier} {round} }} main {{ Round }} }}");
    text
}

#[test]
fn many_processes_take_no_more_nodes_each_than_few() {
    let nodes = |count: usize| extracted(&deciders(count, true)).statistics().nodes;
    let few = nodes(16) - nodes(8);
    // So many that a node is kept as what it has different from others.
    assert_eq!(nodes(208) - nodes(200), few);
}

#[test]
fn deciders_before_a_barrier_need_as_many_nodes_each_however_many_there_are() {
    let counts = [8, 16, 24, 32, 40, 48, 56, 64].map(|count| extracted(&deciders(count, false)).statistics().nodes);
    let growth: Vec<usize> = counts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(growth.iter().all(|&more| more == growth[0]), "{counts:?}");
    assert!(growth[0] <= 8 * 9, "{counts:?}");
}

#[test]
fn deciders_that_meet_round_after_round_have_a_choreography_as_large_as_one_round() {
    for count in [8, 16, 32, 64] {
        let extraction = extracted(&deciders(count, true));
        let size = extraction.choreography.as_ref().map_or(0, |choreography| choreography.nodes().len());
        assert_eq!(size, 9 * count);
        // The place where the marking is erased moves on from round to round, but nodes with fewer marks replace
        // others.
        let nodes = extraction.statistics().nodes;
        assert!(nodes <= 18 * count, "{nodes} nodes for {count} deciders");
    }
}

#[test]
fn a_long_chain_of_communications_takes_one_node_each() {
    let length = 100_000;
    let mut sends = String::new();
    let mut receives = String::new();
    for number in 0..length {
        let _ = write!(sends, "b!<v{number}>; ");
        receives.push_str("a?; ");
    }
    let extraction = extracted(&format!("a {{ main {{ {sends} stop }} }} | b {{ main {{ {receives} stop }} }}"));
    assert_eq!(extraction.statistics().nodes, length + 1);
}

#[test]
fn a_token_goes_round_a_ring_in_as_many_steps_as_there_are_processes() {
    let count = 1000;
    let processes = (0..count).map(|number| {
        let (before, after) = ((number + count - 1) % count, (number + 1) % count);
        match number {
            0 => format!("p0 {{ def X {{ p{after}!<token>; p{before}?; X }} main {{ X }} }}"),
            _ => format!("p{number} {{ def X {{ p{before}?; p{after}!<token>; X }} main {{ X }} }}"),
        }
    });
    let text: Vec<String> = processes.collect();
    let extraction = extracted(&text.join(" | "));
    let nodes = extraction.choreography.as_ref().map_or(0, |choreography| choreography.nodes().len());
    assert_eq!(nodes, count);
}

#[test]
fn equal_components_cost_the_same_and_are_found_side_by_side() {
    let one = deciders(12, true);
    let other = one.replace("decider", "chooser").replace("listener", "hearer").replace("barrier", "gate");
    let text = format!("{one} | {other}");
    let extraction = extracted(&text);
    assert_eq!(extraction.components.len(), 2);
    assert_eq!(extraction.components[0].statistics, extraction.components[1].statistics);
    assert_eq!(extraction.choreography.as_ref().map(|choreography| choreography.starts().len()), Some(2));
    let network = read(&text).unwrap_or_default();
    let alone = search(&network, &ExtractOptions { parallel: false, ..ExtractOptions::default() });
    assert_eq!(format!("{alone:?}"), format!("{extraction:?}"));
}

/// Explanations look at the processes of their own component only: a look at all of them for each would take minutes
/// here.
#[test]
fn many_components_that_fail_are_explained_one_by_one() {
    let deadlock = |number: usize| {
        format!(
            "p{number} {{ main {{ if c then q{number}?; stop else q{number}!<x>; stop }} }} \
             | q{number} {{ main {{ p{number}?; stop }} }}"
        )
    };
    // The loop is written twice, so that one way round leads to another place which behaves the same.
    let livelock = |number: usize| {
        format!(
            "a{number} {{ def X {{ b{number}!<x>; b{number}!<x>; X }} main {{ b{number}!<x>; X }} }} \
             | b{number} {{ def X {{ a{number}?; X }} main {{ X }} }} | w{number} {{ main {{ a{number}?; stop }} }}"
        )
    };
    for (part, verdict, words) in [
        (&deadlock as &dyn Fn(usize) -> String, Verdict::Deadlock, "wait for each other"),
        (&livelock, Verdict::Livelock, "loop forever"),
    ] {
        let count = 30_000;
        let network = read(&(0..count).map(part).collect::<Vec<_>>().join(" | ")).unwrap_or_default();
        let answer = laban::extract(&network, &ExtractOptions::default());
        let answer = answer.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((answer.verdict(), answer.explanations().len()), (verdict, count));
        for explanation in answer.explanations() {
            let diagnostic = explanation.diagnostic(&network);
            assert!(diagnostic.message.contains(words), "{}", diagnostic.message);
            assert!(!diagnostic.hints.is_empty());
        }
    }
}

/// A check that looks for each label among all of them, for its place or for a second one, takes 10¹² steps here: many
/// minutes instead of two seconds. There is no clock in this test; so many labels make such a check impossible to miss.
#[test]
fn an_offer_of_many_labels_is_checked_in_linear_time() {
    let many = 1_000_000;
    let mut branches: Vec<String> = (0..many).map(|number| format!("l{number}: stop")).collect();
    let text = |branches: &[String]| {
        format!("p {{ main {{ q+l0; stop }} }} | q {{ main {{ p&{{{}}} }} }}", branches.join(", "))
    };
    let offer = text(&branches);
    let parsed = parse_network(&offer);
    let network = network::lower(&parsed.tree).network.unwrap_or_default();
    let warnings = network::warnings(&parsed.tree, &network);
    assert_eq!(warnings.len(), 100);
    for (number, warning) in warnings.iter().enumerate() {
        assert_eq!(warning.code, Code::NeverSelected);
        assert_eq!(warning.primary.span.text(&offer), format!("l{}", number + 1));
    }
    // The last one is there again, and it is seen.
    branches.push(format!("l{}: stop", many - 1));
    let twice = text(&branches);
    let lowered = network::lower(&parse_network(&twice).tree);
    assert_eq!(lowered.diagnostics.len(), 1);
    assert_eq!(lowered.diagnostics[0].code, Code::DuplicateLabel);
    assert_eq!(lowered.diagnostics[0].primary.span.text(&twice), format!("l{}", many - 1));
}

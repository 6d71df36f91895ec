//! Races, choices, labelled values and idle states: what they look like.

use crate::{choreography, explanations, network};
use laban::extraction::{ExtractOptions, search};
use laban_draw::sequence::{self, MermaidSequence, PlantUml, Sequence};
use laban_draw::{Dot, Focus, Mermaid, Picture, Shape, Svg, automata, communications, protocol, symbolic};

/// Whoever bids first, until the gong; then a choice of three.
const AUCTION: &str = "
def Bidding {
  any {
    alice.bid -> auctioneer[raise]; auctioneer.price -> bob; Bidding,
    bob.bid -> auctioneer[raise]; auctioneer.price -> alice; Bidding,
    clock -> auctioneer[gong]; choose auctioneer {
      auctioneer -> alice[sold]; auctioneer -> bob[lost]; stop,
      auctioneer -> alice[lost]; auctioneer -> bob[sold]; stop,
      auctioneer -> alice[lost]; auctioneer -> bob[lost]; stop
    }
  }
}
main { auctioneer.opening -> alice; auctioneer.opening -> bob; Bidding }
";

/// Two clients of one server, whose worker may wait forever.
const BALANCER: &str = "
balancer { def X { idle any { alice&request; worker!<job>; worker?; alice!<answer>; X,
                              bob&request; worker!<job>; worker?; bob!<answer>; X } } main { X } }
| alice { main { balancer+request<what>; balancer?; stop } }
| bob { main { choose { balancer+request<this>; balancer?; stop, balancer+request<that>; balancer?; stop } } }
| worker { def X { idle balancer?; balancer!<result>; X } main { X } }
";

/// If `c` comes first, `b` is stuck.
const ONE_WAY: &str = "
a { main { any { b?; c?; stop, c?; stop } } } | b { main { a!<x>; stop } } | c { main { a!<y>; stop } }
";

/// Once `b` has been served, it is stuck beside a race that goes on forever.
const BESIDE: &str = "
a { def X { any { b?; X, c?; X } } main { X } } | b { main { a!<x>; a?; stop } } | c { def X { a!<y>; X } main { X } }
";

fn networks() -> [(&'static str, &'static str); 3] {
    [("races-balancer", BALANCER), ("races-beside", BESIDE), ("races-one-way", ONE_WAY)]
}

/// The sequence diagrams, by name.
pub(crate) fn sequences() -> Vec<(String, Sequence)> {
    let all = Focus::default();
    let auction = choreography(AUCTION);
    let bob = Focus { processes: vec!["bob".into(), "clock".into()], ..Focus::default() };
    let mut found = vec![
        ("races-auction".to_string(), sequence::choreography(&auction, &all)),
        ("races-auction-focus".to_string(), sequence::choreography(&auction, &bob)),
    ];
    for (name, source) in networks() {
        let network = network(source);
        let extraction = search(&network, &ExtractOptions::default());
        if let Some(extracted) = &extraction.choreography {
            let tree = laban::choreography::read_off(extracted);
            found.push((format!("{name}.net"), sequence::choreography(&tree, &all)));
        }
        for (number, explanation) in explanations(&network, &extraction).iter().enumerate() {
            found.push((format!("{name}.net-{number}"), sequence::witness(&network, explanation, &all)));
        }
    }
    let balancer = network(BALANCER);
    let mut at = laban::semantics::Configuration::start(&balancer);
    let mut run = Vec::new();
    // As far as it goes, whoever comes first.
    while let Some(&step) = at.steps(&balancer).first() {
        assert!(at.take(&balancer, step));
        run.push(step);
    }
    found.push(("races-run".to_string(), sequence::run(&balancer, &run, &all)));
    found
}

/// The graphs, by name.
pub(crate) fn pictures() -> Vec<(String, Picture)> {
    let focus = Focus::default();
    let auction = laban::choreography::lower(&choreography(AUCTION)).choreography.unwrap();
    let mut found = vec![("races-auction-protocol".to_string(), protocol(&auction, &focus))];
    for (name, source) in networks() {
        let network = network(source);
        found.push((format!("{name}-communications"), communications(&network, &focus)));
        found.push((format!("{name}-automata"), automata(&network, &focus)));
        let extraction = search(&network, &ExtractOptions::default());
        for (number, component) in extraction.components.iter().enumerate() {
            let drawn = symbolic(&network, &component.processes, &component.found, &focus).unwrap();
            found.push((format!("{name}-symbolic-{number}"), drawn));
        }
    }
    found
}

#[test]
fn a_race_is_a_frame_with_a_section_for_each_item() {
    let drawn = sequence::choreography(&choreography(AUCTION), &Focus::default());
    let mermaid = MermaidSequence(&drawn).to_string();
    assert!(mermaid.contains("par race\n") && mermaid.contains("alice-->>auctioneer: [raise(bid)]"), "{mermaid}");
    assert_eq!(mermaid.matches("\n    and\n").count(), 2, "{mermaid}");
    assert!(mermaid.contains("alt auctioneer chooses#58; item 1\n") && mermaid.contains("else item 3\n"), "{mermaid}");
    let plantuml = PlantUml(&drawn).to_string();
    assert!(plantuml.contains("group race\n") && plantuml.contains("alt auctioneer chooses: item 1\n"), "{plantuml}");
}

#[test]
fn a_race_of_others_that_makes_no_difference_is_left_out() {
    let text = "main { any { a.x -> b; b.y -> c; stop, b.x -> a; b.y -> c; stop } }";
    let only = |name: &str| Focus { processes: vec![name.to_string()], ..Focus::default() };
    let frames = |focus: &Focus| {
        let drawn = MermaidSequence(&sequence::choreography(&choreography(text), focus)).to_string();
        (drawn.contains("par race"), drawn.matches("b->>c: y").count())
    };
    assert_eq!(frames(&only("a")), (true, 0));
    assert_eq!(frames(&Focus::default()), (true, 2));
    // The race is not seen by `c`, but what follows it is drawn in the frame.
    assert_eq!(frames(&only("c")), (true, 2));
    let quiet = "main { d.hello -> c; any { a.x -> b; stop, b.x -> a; stop } }";
    let drawn = MermaidSequence(&sequence::choreography(&choreography(quiet), &only("c"))).to_string();
    assert!(!drawn.contains("race"), "{drawn}");
    let same = "def Z { d.bye -> c; stop } main { d.hello -> c; any { a.x -> b; Z, b.x -> a; Z } }";
    let lowered = laban::choreography::lower(&choreography(same)).choreography.unwrap();
    assert!(protocol(&lowered, &only("c")).nodes.iter().all(|node| node.shape != Shape::Race));
    assert!(protocol(&lowered, &only("a")).nodes.iter().any(|node| node.shape == Shape::Race));
}

#[test]
fn the_edges_of_a_race_are_what_can_come_first() {
    for (name, picture) in pictures() {
        for (node, _) in picture.nodes.iter().enumerate().filter(|(_, node)| node.shape == Shape::Race) {
            let edges = picture.edges.iter().filter(|edge| edge.from == node);
            let labels: Vec<&str> = edges.map(|edge| edge.label.as_str()).collect();
            assert!(labels.len() > 1 && labels.iter().all(|label| !label.is_empty()), "{name}: {labels:?}");
        }
    }
    let (_, one_way) = pictures().into_iter().find(|(name, _)| name == "races-one-way-symbolic-0").unwrap();
    let marked: Vec<&str> = one_way.edges.iter().filter(|edge| edge.marked).map(|edge| edge.label.as_str()).collect();
    assert_eq!(marked, ["c.y -> a"]);
}

#[test]
fn idle_states_are_dashed() {
    let picture = automata(&network(BALANCER), &Focus::default());
    assert_eq!(picture.nodes.iter().filter(|node| node.dashed).count(), 2);
    let [svg, dot, mermaid] = [Svg(&picture).to_string(), Dot(&picture).to_string(), Mermaid(&picture).to_string()];
    assert!(svg.contains("class=\"box dashed\"") && svg.contains("class=\"state dashed\""));
    assert!(dot.contains("[label=\"any\", shape=diamond, peripheries=2, style=dashed];"), "{dot}");
    assert!(mermaid.contains("classDef idle stroke-dasharray:4 4"), "{mermaid}");
    assert!(picture.captions.iter().any(|caption| caption.contains("may wait here forever")));
}

#[test]
fn who_waits_where_it_is_idle_is_not_stuck() {
    let (_, run) = sequences().into_iter().find(|(name, _)| name == "races-run").unwrap();
    assert!(run.diagrams[0].lanes.iter().all(|lane| !lane.stuck));
    let text = MermaidSequence(&run).to_string();
    assert!(text.contains("Note over worker: idle, waits for a value from `balancer`"), "{text}");
    assert!(text.contains("Note over balancer: idle, waits for whichever comes first of 2"), "{text}");
}

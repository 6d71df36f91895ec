//! What a reader must be able to see: where something ends, who is a service, and what signs mean.

use crate::{choreography, explanations, network};
use laban::extraction::{ExtractOptions, search};
use laban_draw::sequence::{self, MermaidSequence};
use laban_draw::{Focus, Shape, automata, communications, symbolic};

/// The remarks in the diagrams of a choreography, from top to bottom.
fn remarks(source: &str) -> Vec<String> {
    let drawn = MermaidSequence(&sequence::choreography(&choreography(source), &Focus::default())).to_string();
    let notes = drawn.lines().filter_map(|line| line.trim().strip_prefix("Note over ")?.split_once(": "));
    notes.map(|(_, text)| text.to_string()).collect()
}

#[test]
fn an_end_is_shown_where_another_way_goes_on() {
    let none: [&str; 0] = [];
    assert_eq!(remarks("main { p.x -> q; stop }"), none);
    assert_eq!(remarks("main { if p.c then p.x -> q; stop else p.y -> q; stop }"), none);
    assert_eq!(remarks("main { if p.c then p.x -> q; stop else stop }"), ["stop"]);
    let round = "def X { p.x -> q; X }";
    assert_eq!(remarks(&format!("{round} main {{ if p.c then p -> q[a]; X else p -> q[b]; stop }}")), ["stop"]);
    let nested = "main { if p.c then if p.d then p -> q[a]; stop else p -> q[b]; X else p -> q[c]; stop }";
    assert_eq!(remarks(&format!("{round} {nested}")), ["stop", "stop"]);
    assert_eq!(remarks("def X { p.x -> q; if p.c then p -> q[a]; X else p -> q[b]; stop } main { X }"), ["stop"]);
}

#[test]
fn an_end_that_no_frame_surrounds_any_more_is_not_shown() {
    let source = "main { a.x -> b; if c.k then stop else stop }";
    let focus = Focus { processes: vec!["a".into()], ..Focus::default() };
    let drawn = MermaidSequence(&sequence::choreography(&choreography(source), &focus)).to_string();
    assert!(drawn.contains("a->>b: x") && !drawn.contains("stop"), "{drawn}");
}

#[test]
fn services_are_those_of_the_network() {
    let tree = choreography("main { p.x -> q; stop }");
    let drawn =
        MermaidSequence(&sequence::choreography(&tree, &Focus::default()).with_services(["q", "r"])).to_string();
    assert!(drawn.contains("participant p\n") && drawn.contains("participant q as service q\n"), "{drawn}");
}

#[test]
fn the_note_of_a_livelock_points_to_the_cycle_below() {
    let network =
        network("p { def X { q!<x>; X } main { X } } | q { def X { p?; X } main { X } } | r { main { p?; stop } }");
    let extraction = search(&network, &ExtractOptions::default());
    let [explanation] = explanations(&network, &extraction).try_into().unwrap_or_else(|_| panic!("one failure"));
    let drawn = MermaidSequence(&sequence::witness(&network, &explanation, &Focus::default())).to_string();
    let note = "Note over r: stuck, waits for a value from `p`, which loops below\n";
    assert!(drawn.contains(note) && drawn.contains("loop forever"), "{drawn}");
}

#[test]
fn states_are_numbered_without_gaps() {
    let network =
        network("p { main { q!<x>; if c then q+l; stop else q+r; stop } } | q { main { p?; p&{l: stop, r: stop} } }");
    let picture = automata(&network, &Focus { processes: vec!["p".into()], ..Focus::default() });
    let mut numbers: Vec<u32> = picture.nodes.iter().filter_map(|node| node.label.parse().ok()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2, 3]);
}

#[test]
fn only_signs_that_occur_are_explained() {
    let source = "p { main { q!<x>; r!<y>; stop } } | q { main { p?; stop } } | r { main { p?; stop } }";
    let network = network(source);
    let extraction = search(&network, &ExtractOptions::default());
    let component = &extraction.components[0];
    let draw = |focus: &Focus| symbolic(&network, &component.processes, &component.found, focus).unwrap();
    let picture = draw(&Focus::default());
    assert_eq!(picture.edges.iter().any(|edge| edge.thick), picture.captions.iter().any(|one| one.contains("arrow")));
    let folded = draw(&Focus { max_nodes: 1, ..Focus::default() });
    assert!(folded.edges.iter().all(|edge| !edge.thick) && folded.captions.is_empty(), "{:?}", folded.captions);
}

#[test]
fn a_failing_graph_names_the_processes_that_are_stuck() {
    let labels = |source: &str| {
        let network = network(source);
        let extraction = search(&network, &ExtractOptions::default());
        let component = &extraction.components[0];
        let picture = symbolic(&network, &component.processes, &component.found, &Focus::default()).unwrap();
        let failed = picture.nodes.iter().filter(|node| node.shape == Shape::Failed && node.marked);
        failed.map(|node| node.label.clone()).collect::<Vec<_>>()
    };
    let deadlock = "p { main { q!<x>; q?; stop } } | q { main { p?; r?; stop } } | r { main { q?; stop } }";
    assert_eq!(labels(deadlock), ["deadlock: p, q, r are stuck"]);
    let livelock = "p { def X { q!<x>; X } main { X } } | q { def X { p?; X } main { X } } | r { main { p?; stop } }";
    assert_eq!(labels(livelock), ["r is stuck"]);
}

#[test]
fn participants_are_called_by_their_names_unless_mermaid_cannot_read_them() {
    let tree = choreography("main { buyer.x -> end; end.y -> it's; stop }");
    let drawn = MermaidSequence(&sequence::choreography(&tree, &Focus::default())).to_string();
    assert!(drawn.contains("participant buyer\n") && drawn.contains("participant end_ as end\n"), "{drawn}");
    assert!(drawn.contains("buyer->>end_: x\n") && drawn.contains("end_->>it's: y\n"), "{drawn}");
}

#[test]
fn an_edge_between_processes_names_what_is_sent() {
    let source = "p { main { q!<price>; if c then q+ok; q!<price>; stop else q+no; q!<price>; stop } }
         | q { main { p?; p&{ok: p?; stop, no: p?; stop} } } | r { main { p?; stop } }";
    let picture = communications(&network(source), &Focus::default());
    let labels: Vec<&str> = picture.edges.iter().map(|edge| edge.label.as_str()).collect();
    assert_eq!(labels, ["price, [ok], [no]", "never sent"]);
    let mut many = "p { main { ".to_string();
    (0..40).for_each(|number| many.push_str(&format!("q!<value{number}>; ")));
    let picture =
        communications(&network(&format!("{many} stop }} }} | q {{ main {{ p?; stop }} }}")), &Focus::default());
    let lines: Vec<&str> = picture.edges[0].label.lines().collect();
    assert_eq!((lines.len(), lines[4]), (5, "… and 29 more"));
}

#[test]
fn a_message_is_said_to_be_taken_where_that_is_certain() {
    assert_eq!(remarks("main { p.x ~> q; p ~> q[l]; q <~ p; q <~ p; stop }"), ["takes x from p", "takes [l] from p"]);
    // What is taken first is not what was put last.
    assert_eq!(remarks("def X { p.y ~> q; q <~ p; X } main { p.x ~> q; X }"), ["takes from p"]);
    let drawn = MermaidSequence(&sequence::choreography(
        &choreography("main { p.x ~> q; p ~> q[l]; q <~ p; q <~ p; stop }"),
        &Focus::default(),
    ))
    .to_string();
    assert!(drawn.contains("p-)q: x\n") && drawn.contains("p--)q: [l]\n"), "{drawn}");
}

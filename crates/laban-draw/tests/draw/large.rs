//! Large inputs are folded, say so, and take no longer than they must.

use crate::choreography;
use laban_draw::sequence::{self, Item, Markdown, MermaidSequence, PlantUml, SvgSequence};
use laban_draw::{self as draw, Edge, Focus, Node, Picture, Shape};

fn all_ways(tree: &laban::syntax::ChoreographyTree, focus: &Focus) -> String {
    let diagrams = sequence::choreography(tree, focus);
    let (mermaid, markdown) = (MermaidSequence(&diagrams).to_string(), Markdown(&diagrams).to_string());
    let (plantuml, svg) = (PlantUml(&diagrams).to_string(), SvgSequence(&diagrams).to_string());
    for text in [&markdown, &plantuml, &svg] {
        assert!(text.len() < 1_000_000, "{}", text.len());
    }
    mermaid
}

#[test]
fn a_hundred_thousand_nested_conditionals_are_folded() {
    let depth = 100_000;
    let mut source = "main { ".to_string();
    for _ in 0..depth {
        source.push_str("if p.c then p -> q[l]; stop else p -> q[r]; ");
    }
    source.push_str("stop }");
    let tree = choreography(&source);
    let text = all_ways(&tree, &Focus::default());
    assert!(text.contains("… 299928 more steps"), "{text}");
    let text = all_ways(&tree, &Focus { max_items: 7, ..Focus::default() });
    assert!(text.contains("more steps"), "{text}");
    all_ways(&tree, &Focus { processes: vec!["nobody".into()], ..Focus::default() });
}

#[test]
fn many_procedures_and_processes_are_folded() {
    let mut source = String::new();
    for number in 0..20_000 {
        let next = (number * 7 + 1) % 20_000;
        let (from, to) = (number, number + 1);
        source.push_str(&format!(
            "def X{number} {{ if p{from}.c then p{from}.x -> p{to}; X{next} else X{} }} ",
            next / 2
        ));
    }
    source.push_str("main { X0 }");
    let tree = choreography(&source);
    let text = all_ways(&tree, &Focus { max_items: 40, ..Focus::default() });
    assert!(text.contains("more procedures are not drawn"), "{}", &text[..500]);
}

#[test]
fn a_long_chain_is_cut_and_counted() {
    let tree = choreography(&format!("main {{ {} stop }}", "p.x -> q; ".repeat(1000)));
    let diagrams = sequence::choreography(&tree, &Focus { max_items: 10, ..Focus::default() });
    let [diagram] = diagrams.diagrams.as_slice() else { panic!() };
    assert_eq!(diagram.items.len(), 11);
    assert!(matches!(&diagram.items[10], Item::Remark { text, .. } if text == "… 990 more steps"));
}

#[test]
fn a_graph_that_is_too_large_is_folded_before_it_is_laid_out() {
    let count = 50_000;
    let mut picture = Picture::default();
    for number in 0..count {
        picture.nodes.push(Node::new(number.to_string(), Shape::Circle));
        picture.edges.push(Edge::new(number, (number + 1) % count, "next"));
        picture.edges.push(Edge::new(number, 0, "again"));
    }
    let svg = draw::Svg(&picture).to_string();
    assert!(svg.contains("more nodes"));
    crate::geometry::check("chain", &svg);
    let folded = picture.folded(10);
    assert_eq!(folded.nodes.len(), 11);
    assert_eq!(folded.nodes[10].label, "… 49990 more nodes");
}

//! Names and expressions that mean something to other programs are just names.

use crate::choreography;
use crate::generator::{EXPRESSIONS, Generator};
use laban_draw::sequence::{
    self, Diagram, Item, Lane, Markdown, MermaidSequence, MessageKind, PlantUml, Sequence, SvgSequence,
};
use laban_draw::{Dot, Edge, Focus, Node, Picture, Shape};

fn nasty() -> Sequence {
    let lane = |name: &str| Lane { name: name.to_string(), service: false, stuck: false };
    let mut texts: Vec<String> = EXPRESSIONS.iter().map(|text| text.to_string()).collect();
    texts.extend(
        ["", " ", "\n", "a\nend\nb", "a\0b", "\u{1b}[31m", "\r", "]]>", "</text>", "\u{ffff}"].map(String::from),
    );
    let items = texts.iter().enumerate().map(|(index, text)| Item::Message {
        from: index % 2,
        to: 1 - index % 2,
        text: text.clone(),
        kind: if index % 3 == 0 { MessageKind::Selection } else { MessageKind::Value },
    });
    let diagram = Diagram {
        title: "end \"of\" <title>".into(),
        lanes: vec![lane("end"), lane("a\nb \"c\" <d>")],
        items: items.collect(),
        ..Diagram::default()
    };
    Sequence { diagrams: vec![diagram], remarks: vec!["100 % of\n`it`".into()], is_whole: false }
}

#[test]
fn every_text_stays_on_its_line() {
    let diagrams = nasty();
    let messages = diagrams.diagrams[0].items.len();
    let mermaid = MermaidSequence(&diagrams).to_string();
    assert_eq!(mermaid.lines().count(), 1 + 1 + 1 + 2 + messages, "{mermaid}");
    let plantuml = PlantUml(&diagrams).to_string();
    assert_eq!(plantuml.lines().count(), 3 + 2 + messages + 1 + 1, "{plantuml}");
    for line in mermaid.lines().skip(2) {
        // A code of a character is all that is left of `#` and `;`.
        let rest: String = line.split('#').map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit())).collect();
        assert!(!rest.contains("%%") && !rest.contains('"') && !rest.contains('<'), "{line}");
    }
    assert!(!mermaid.contains('\0') && !plantuml.contains('\0'));
    assert_eq!(Markdown(&diagrams).to_string().matches("```").count(), 2);
}

#[test]
fn nasty_texts_come_back_from_svg() {
    let svg = SvgSequence(&nasty()).to_string();
    crate::geometry::check("nasty", &svg);
    let document = roxmltree::Document::parse(&svg).unwrap();
    let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
    for text in ["x <b>bold</b>", "#35;", "&lt;", "a -> b", "]]>", "</text>"] {
        assert!(texts.iter().any(|one| *one == text || *one == format!("[{text}]")), "{text}");
    }
}

#[test]
fn nasty_texts_are_quoted_in_dot() {
    let mut picture = Picture::default();
    for (index, text) in EXPRESSIONS.iter().enumerate() {
        picture.nodes.push(Node::new(*text, Shape::Box));
        picture.edges.push(Edge::new(index, 0, *text));
    }
    let dot = Dot(&picture).to_string();
    assert_eq!(dot.lines().count(), 5 + 2 * EXPRESSIONS.len());
    crate::geometry::check("nasty", &laban_draw::Svg(&picture).to_string());
}

/// What PlantUML asks for: frames close in the order in which they open, and every name is declared.
fn obeys(plantuml: &str) {
    let mut open = Vec::new();
    let mut declared = Vec::new();
    let mut inside = false;
    for line in plantuml.lines().map(str::trim) {
        let word = line.split(' ').next().unwrap_or("");
        match word {
            "@startuml" => {
                assert!(!inside);
                inside = true;
                declared.clear();
            }
            "@enduml" => {
                assert!(inside && open.is_empty(), "{plantuml}");
                inside = false;
            }
            "participant" => declared.push(line.split(" as ").last().unwrap().split(' ').next().unwrap()),
            "alt" | "loop" | "par" | "group" => open.push(word),
            "else" => assert!(matches!(open.last(), Some(&"alt" | &"par" | &"group")), "{plantuml}"),
            "end" => assert!(open.pop().is_some(), "{plantuml}"),
            "title" | "hide" | "" => {}
            "'" => assert_eq!(line, "' laban: choreography"),
            "note" | "hnote" | "rnote" | "ref" => {
                let over = line.split(" over ").nth(1).unwrap().split([':', '#']).next().unwrap();
                assert!(over.split(", ").all(|name| declared.contains(&name.trim())), "{line}");
            }
            from => {
                assert!(declared.contains(&from), "{line}");
                assert!(declared.contains(&line.split(' ').nth(2).unwrap()), "{line}");
            }
        }
    }
    assert!(!inside);
}

#[test]
fn generated_diagrams_obey_the_rules_of_plantuml() {
    for seed in 0..1000 {
        let tree = choreography(&Generator::new(seed).choreography());
        obeys(&PlantUml(&sequence::choreography(&tree, &Focus::default())).to_string());
    }
    for (_, diagrams) in crate::example_sequences() {
        obeys(&PlantUml(&diagrams).to_string());
    }
}

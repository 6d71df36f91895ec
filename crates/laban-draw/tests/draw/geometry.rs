//! No two texts overlap and none leaves the picture, by the places and sizes that stand in the picture itself.

use crate::generator::Generator;
use crate::{choreography, example_pictures, example_sequences, network};
use laban::extraction::{ExtractOptions, search};
use laban_draw::sequence::{self, Svg as SequenceSvg};
use laban_draw::{Focus, Svg, automata, communications, symbolic, text_width};

#[derive(Debug, Clone)]
struct Placed {
    text: String,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

fn texts(svg: &str) -> (Vec<Placed>, f64, f64) {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error}\n{svg}"));
    let root = document.root_element();
    let number = |node: roxmltree::Node<'_, '_>, name: &str| -> f64 { node.attribute(name).unwrap().parse().unwrap() };
    let mut placed = Vec::new();
    for node in root.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text"))) {
        let text = node.text().unwrap_or("").to_string();
        let size = number(node, "font-size");
        let width = text_width(&text, size);
        let (x, y) = (number(node, "x"), number(node, "y"));
        let left = match node.attribute("text-anchor").unwrap() {
            "start" => x,
            "middle" => x - width / 2.0,
            other => panic!("{other}"),
        };
        placed.push(Placed { text, left, right: left + width, top: y - size * 0.8, bottom: y + size * 0.22 });
    }
    (placed, number(root, "width"), number(root, "height"))
}

pub(crate) fn check(name: &str, svg: &str) {
    let (mut placed, width, height) = texts(svg);
    for one in &placed {
        let inside = one.left >= 0.0 && one.top >= 0.0 && one.right <= width && one.bottom <= height;
        assert!(inside, "{name}: {:?} leaves the picture of {width} by {height}: {one:?}", one.text);
    }
    placed.sort_by(|one, other| one.top.total_cmp(&other.top));
    for (index, one) in placed.iter().enumerate() {
        for other in placed[index + 1..].iter().take_while(|other| other.top < one.bottom) {
            let apart = one.right <= other.left || other.right <= one.left;
            assert!(apart, "{name}: {:?} and {:?} overlap: {one:?} {other:?}\n{svg}", one.text, other.text);
        }
    }
}

#[test]
fn no_texts_overlap_in_the_sequence_diagrams_of_the_examples() {
    for (name, diagrams) in example_sequences() {
        check(&name, &SequenceSvg(&diagrams).to_string());
    }
}

#[test]
fn no_texts_overlap_in_the_graphs_of_the_examples() {
    for (name, picture) in example_pictures() {
        check(&name, &Svg(&picture).to_string());
    }
}

#[test]
fn no_texts_overlap_in_generated_choreographies() {
    for seed in 0..400 {
        let source = Generator::new(seed).choreography();
        let tree = choreography(&source);
        let svg = SequenceSvg(&sequence::choreography(&tree, &Focus::default())).to_string();
        check(&format!("seed {seed}: {source}"), &svg);
        let few = Focus { processes: vec!["p0".into(), "end".into()], max_items: 12, max_depth: 3, ..Focus::default() };
        check(&format!("seed {seed}, few: {source}"), &SequenceSvg(&sequence::choreography(&tree, &few)).to_string());
    }
}

/// A network of senders and receivers that mostly do not fit together: graphs and failures of all kinds.
pub(crate) fn random_network(seed: u64) -> String {
    let mut random = Generator::new(2 * seed);
    let people = 2 + random.below(5);
    let mut text = Vec::new();
    for person in 0..people {
        let mut body = String::new();
        for _ in 0..random.below(4) {
            let other = (person + 1 + random.below(people - 1)) % people;
            body.push_str(&match random.below(3) {
                0 => format!("p{other}!<x>; "),
                1 => format!("p{other}?; "),
                _ => format!("p{other}+ok; "),
            });
        }
        let other = (person + 1 + random.below(people - 1)) % people;
        body.push_str(&match random.below(4) {
            0 => "stop".to_string(),
            1 => format!("if condition then p{other}+ok; X else p{other}+no; stop"),
            2 => format!("p{other}&{{ok: X, no: stop}}"),
            _ => format!("p{other}!<x>; X"),
        });
        text.push(format!("p{person} {{ def X {{ {body} }} main {{ X }} }}"));
    }
    text.join(" | ")
}

#[test]
fn no_texts_overlap_in_generated_graphs() {
    let mut failures = 0;
    for seed in 0..300 {
        let source = random_network(seed);
        let network = network(&source);
        let focus = Focus::default();
        let check = |svg: String| check(&format!("seed {seed}: {source}"), &svg);
        check(Svg(&communications(&network, &Focus::default())).to_string());
        check(Svg(&automata(&network, &Focus::default())).to_string());
        check(Svg(&automata(&network, &Focus { max_nodes: 6, ..Focus::default() })).to_string());
        let extraction = search(&network, &ExtractOptions::default());
        for component in &extraction.components {
            let drawn = symbolic(&network, &component.processes, &component.found, &focus);
            check(Svg(&drawn.unwrap()).to_string());
        }
        for explanation in crate::explanations(&network, &extraction) {
            failures += 1;
            check(SequenceSvg(&sequence::witness(&network, &explanation, &focus)).to_string());
        }
    }
    assert!(failures > 100);
}

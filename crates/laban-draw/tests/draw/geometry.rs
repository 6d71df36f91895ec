//! No two texts overlap, none leaves the picture, and edges keep away from nodes and labels that are not theirs.

use crate::generator::Generator;
use crate::{choreography, example_pictures, example_sequences, network, races};
use laban::extraction::{ExtractOptions, search};
use laban_draw::sequence::{self, SvgSequence};
use laban_draw::{Area, Direction, Focus, Layout, Picture, Svg, automata, communications, symbolic, text_width};

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
    for (name, diagrams) in example_sequences().into_iter().chain(races::sequences()) {
        check(&name, &SvgSequence(&diagrams).to_string());
    }
}

#[test]
fn no_texts_overlap_in_the_graphs_of_the_examples() {
    for (name, picture) in example_pictures().into_iter().chain(races::pictures()) {
        check(&name, &Svg(&picture).to_string());
    }
}

#[test]
fn no_texts_overlap_in_generated_choreographies() {
    for seed in 0..400 {
        let source = Generator::new(seed).choreography();
        let tree = choreography(&source);
        let svg = SvgSequence(&sequence::choreography(&tree, &Focus::default())).to_string();
        check(&format!("seed {seed}: {source}"), &svg);
        let few = Focus { processes: vec!["p0".into(), "end".into()], max_items: 12, max_depth: 3, ..Focus::default() };
        check(&format!("seed {seed}, few: {source}"), &SvgSequence(&sequence::choreography(&tree, &few)).to_string());
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
        let third = (person + 1 + random.below(people - 1)) % people;
        body.push_str(&match random.below(6) {
            0 => "stop".to_string(),
            1 => format!("if condition then p{other}+ok; X else p{other}+no; stop"),
            2 => format!("p{other}&{{ok: X, no: stop}}"),
            3 => format!("any {{ p{other}?; X, p{third}+ok; stop, p{third}!<x>; X }}"),
            4 => format!("choose {{ p{other}+ok<x>; X, idle p{third}?; stop, p{third}+no; X }}"),
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
            check(SvgSequence(&sequence::witness(&network, &explanation, &focus)).to_string());
        }
    }
    assert!(failures > 100);
}

/// Every graph of the examples and some more, laid out.
fn layouts() -> Vec<(String, Picture, Layout)> {
    let mut pictures = example_pictures();
    for seed in 0..60 {
        let network = network(&random_network(seed));
        pictures.push((format!("communications of seed {seed}"), communications(&network, &Focus::default())));
        pictures.push((format!("automata of seed {seed}"), automata(&network, &Focus::default())));
    }
    let laid_out = pictures.into_iter().map(|(name, picture)| {
        let layout = Layout::new(&picture);
        (name, picture, layout)
    });
    laid_out.collect()
}

fn is_inside((x, y): (f64, f64), area: &Area, margin: f64) -> bool {
    x > area.left + margin
        && x < area.left + area.width - margin
        && y > area.top + margin
        && y < area.top + area.height - margin
}

#[test]
fn no_edge_passes_through_another_node_or_another_label() {
    let mut compared = 0;
    for (name, picture, layout) in layouts() {
        for (number, (edge, route)) in picture.edges.iter().zip(&layout.edges).enumerate() {
            let points = route.points();
            let passes = |area: &Area| points.iter().any(|&point| is_inside(point, area, 2.0));
            for (node, area) in
                layout.nodes.iter().enumerate().filter(|(node, _)| *node != edge.from && *node != edge.to)
            {
                assert!(!area.as_ref().is_some_and(passes), "{name}: edge {number} passes through node {node}");
                compared += 1;
            }
            for (label, area) in layout.labels.iter().enumerate().filter(|(label, _)| *label != number) {
                assert!(!area.as_ref().is_some_and(passes), "{name}: edge {number} passes through label {label}");
            }
        }
    }
    assert!(compared > 10_000, "{compared}");
}

/// Edges leave a node at the bottom, or at the right: whatever goes back arrives elsewhere.
#[test]
fn a_way_back_does_not_arrive_where_others_leave() {
    let mut back = 0;
    for (name, picture, layout) in layouts() {
        for (number, (edge, route)) in picture.edges.iter().zip(&layout.edges).enumerate() {
            let (Some(from), Some(to)) = (&layout.nodes[edge.from], &layout.nodes[edge.to]) else { continue };
            let down = picture.direction == Direction::Down;
            let along = |area: &Area| if down { area.middle().1 } else { area.middle().0 };
            if edge.from == edge.to || along(from) <= along(to) {
                continue;
            }
            back += 1;
            // It touches one of the two sides.
            let (x, y) = route.end();
            let (middle_x, middle_y) = to.middle();
            let beside = match down {
                true => (x - middle_x).abs() * 2.0 > to.width - 30.0 && (y - middle_y).abs() < to.height / 2.0,
                false => (y - middle_y).abs() * 2.0 > to.height - 30.0 && (x - middle_x).abs() < to.width / 2.0,
            };
            assert!(beside, "{name}: edge {number} arrives at {x}, {y} of {to:?}");
        }
    }
    assert!(back > 100, "{back} ways back");
}

#[test]
fn twelve_automata_fit_on_a_page() {
    let (_, source) = crate::examples("net").into_iter().find(|(name, _)| name == "health-system-2x").unwrap();
    let picture = automata(&network(&source), &Focus::default());
    assert_eq!(picture.groups.len(), 12);
    let Layout { width, height, .. } = Layout::new(&picture);
    assert!(width < 1800.0 && height < 1500.0, "{width} by {height}");
    assert!((0.9..2.0).contains(&(width / height)), "{width} by {height}");
}

#[test]
fn partners_of_a_hub_are_on_both_sides_of_it() {
    let mut hub = "hub { main { ".to_string();
    let mut text = String::new();
    for number in 0..6 {
        hub.push_str(&format!("p{number}!<x>; p{number}?; "));
        text.push_str(&format!(" | p{number} {{ main {{ hub?; hub!<y>; stop }} }}"));
    }
    let picture = communications(&network(&format!("{hub} stop }} }}{text}")), &Focus::default());
    let layout = Layout::new(&picture);
    let middle = layout.nodes[0].unwrap().middle().0;
    let left = layout.nodes.iter().flatten().filter(|area| area.middle().0 < middle).count();
    assert_eq!((layout.nodes.len(), left), (7, 3));
}

//! Compares the layout of graphs with that of Graphviz, on the same graphs and by the same measures.
//!
//!     cargo run -p laban-draw --example compare_layout [FOLDER]
//!
//! needs `dot` and prints a table in Markdown: the networks and choreographies of `examples/`, and generated ones.
//! Graphviz gets the same nodes with the same sizes and the same labels. Both layouts become rectangles for nodes and
//! labels and polylines for edges, and are then measured alike. With a folder, the pictures are written there as well.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used)]

use laban::ExtractOptions;
use laban::network::Network;
use laban_draw::{Area, Direction, Dot, Focus, Layout, Picture, Point, Route, Shape, Svg};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What both layouts are measured by.
#[derive(Debug, Default, Clone, Copy)]
struct Measures {
    crossings: usize,
    through_nodes: usize,
    on_labels: usize,
    length: f64,
    area: f64,
}

/// A layout of either program.
struct Drawn {
    nodes: Vec<Area>,
    edges: Vec<(usize, usize, Vec<Point>)>,
    labels: Vec<(usize, Area)>,
}

fn main() {
    let folder = std::env::args().nth(1).map(PathBuf::from);
    let mut rows = Vec::new();
    for (name, picture) in pictures() {
        let (ours, theirs) = (ours(&picture), graphviz(&picture));
        if let Some(folder) = &folder {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(folder.join(format!("{name}.svg")), Svg(&picture).to_string()).unwrap();
            std::fs::write(folder.join(format!("{name}.dot")), Dot(&picture).to_string()).unwrap();
        }
        rows.push((name, measure(&ours), measure(&theirs)));
    }
    println!("| graph | crossings | through nodes | on labels | length | area |\n|---|---|---|---|---|---|");
    let mut sums = (Measures::default(), Measures::default());
    for (name, ours, theirs) in &rows {
        println!("| {name} {}", row(ours, theirs));
        sums = (sum(sums.0, ours), sum(sums.1, theirs));
    }
    println!("| all {} graphs {}", rows.len(), row(&sums.0, &sums.1));
}

fn row(ours: &Measures, theirs: &Measures) -> String {
    let mut text = String::new();
    let counts = [
        (ours.crossings, theirs.crossings),
        (ours.through_nodes, theirs.through_nodes),
        (ours.on_labels, theirs.on_labels),
        (ours.length as usize, theirs.length as usize),
        (ours.area as usize / 1000, theirs.area as usize / 1000),
    ];
    for (one, other) in counts {
        write!(text, "| {one} : {other} ").unwrap();
    }
    text + "|"
}

fn sum(one: Measures, other: &Measures) -> Measures {
    Measures {
        crossings: one.crossings + other.crossings,
        through_nodes: one.through_nodes + other.through_nodes,
        on_labels: one.on_labels + other.on_labels,
        length: one.length + other.length,
        area: one.area + other.area,
    }
}

/// The graphs: each group of a picture alone, so that only layers are compared.
fn pictures() -> Vec<(String, Picture)> {
    let mut found = Vec::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        let read = || laban::analyse(std::fs::read_to_string(&path).unwrap());
        match ending {
            "net" => found.extend(read().into_network().iter().flat_map(|network| of_network(&name, network))),
            "chor" => found.extend(read().into_choreography().iter().map(|choreography| {
                (format!("{name} protocol"), laban_draw::protocol(choreography, &Focus::default()))
            })),
            _ => {}
        }
    }
    for seed in 0..12 {
        found.push((format!("generated {seed}"), generated(seed)));
    }
    found.retain(|(_, picture)| picture.nodes.len() > 3);
    found
}

fn of_network(name: &str, network: &Network) -> Vec<(String, Picture)> {
    let focus = Focus::default();
    let mut found = vec![(format!("{name} communications"), laban_draw::communications(network, &focus))];
    let extraction = laban::extract(network, &ExtractOptions::default()).unwrap();
    for component in extraction.components().iter().take(1) {
        let graph = laban_draw::symbolic(extraction.searched(network), &component.processes, &component.found, &focus);
        found.extend(graph.map(|graph| (format!("{name} symbolic"), graph)));
    }
    // The largest automaton.
    let all = laban_draw::automata(network, &focus);
    if let Some(largest) = all.groups.iter().max_by_key(|group| group.end - group.start) {
        let process = largest.label.trim_start_matches("service ").to_string();
        let mut alone = laban_draw::automata(network, &Focus { processes: vec![process], ..Focus::default() });
        alone.groups.clear();
        found.push((format!("{name} automaton"), alone));
    }
    found
}

/// A random graph: mostly forward edges near each other, some back, a hub.
fn generated(seed: u64) -> Picture {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |end: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % end as u64) as usize
    };
    let count = 8 + below(16);
    let direction = if seed.is_multiple_of(3) { Direction::Right } else { Direction::Down };
    let mut picture = Picture { direction, ..Picture::default() };
    for number in 0..count {
        picture.nodes.push(laban_draw::Node::new(format!("s{number}"), Shape::Circle));
        if number > 0 {
            let near = number - 1 - below(number.min(3));
            picture.edges.push(laban_draw::Edge::new(near, number, format!("a{number}!")));
        }
    }
    for number in 0..count / 3 {
        let (from, to) = (below(count), below(count));
        if from != to {
            picture.edges.push(laban_draw::Edge::new(from, to, format!("b{number}?")));
        }
    }
    picture
}

fn ours(picture: &Picture) -> Drawn {
    let layout = Layout::new(picture);
    let ends = picture.edges.iter().zip(&layout.edges);
    Drawn {
        nodes: layout.nodes.iter().map(|area| area.unwrap_or_default()).collect(),
        edges: ends.map(|(edge, route): (_, &Route)| (edge.from, edge.to, route.points())).collect(),
        labels: layout.labels.iter().enumerate().filter_map(|(edge, label)| Some((edge, (*label)?))).collect(),
    }
}

/// Asks Graphviz, with the sizes of nodes and labels that we use.
fn graphviz(picture: &Picture) -> Drawn {
    let layout = Layout::new(picture);
    let direction = if picture.direction == Direction::Right { "LR" } else { "TB" };
    let mut text = format!("digraph {{ rankdir={direction}; node [shape=box, fixedsize=true, label=\"\"];\n");
    // Its edges end where the heads of arrows begin, ours at the node; without heads they are alike.
    text.push_str("edge [arrowhead=none];\n");
    for (number, area) in layout.nodes.iter().enumerate() {
        let Area { width, height, .. } = area.unwrap_or_default();
        writeln!(text, "n{number} [width={}, height={}];", width / 72.0, height / 72.0).unwrap();
    }
    for (edge, label) in picture.edges.iter().zip(&layout.labels) {
        write!(text, "n{} -> n{}", edge.from, edge.to).unwrap();
        if let Some(Area { width, height, .. }) = label {
            // A table of this size in place of a text, so that no font has a say.
            let size = format!("fixedsize=\"TRUE\" width=\"{}\" height=\"{}\"", width.ceil(), height.ceil());
            write!(text, " [label=<<TABLE BORDER=\"0\" CELLSPACING=\"0\" {size}><TR><TD></TD></TR></TABLE>>]").unwrap();
        }
        writeln!(text, ";").unwrap();
    }
    text.push('}');
    let mut child =
        Command::new("dot").arg("-Tplain").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("`dot` runs");
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    read_plain(picture, &layout, &String::from_utf8(output.stdout).unwrap())
}

/// The output of `dot -Tplain`, in points, with the origin at the top.
fn read_plain(picture: &Picture, layout: &Layout, plain: &str) -> Drawn {
    let mut drawn = Drawn { nodes: vec![Area::default(); picture.nodes.len()], edges: Vec::new(), labels: Vec::new() };
    let mut bottom = 0.0;
    let mut missing: Vec<usize> = (0..picture.edges.len()).collect();
    for line in plain.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |index: usize| words[index].parse::<f64>().unwrap() * 72.0;
        let node = |index: usize| words[index].trim_start_matches('n').parse::<usize>().unwrap();
        match words[0] {
            "graph" => bottom = number(3),
            "node" => {
                let (width, height) = (number(4), number(5));
                let middle = (number(2), bottom - number(3));
                drawn.nodes[node(1)] = around(middle, width, height);
            }
            "edge" => {
                let (from, to, count) = (node(1), node(2), words[3].parse::<usize>().unwrap());
                let points: Vec<Point> =
                    (0..count).map(|index| (number(4 + 2 * index), bottom - number(5 + 2 * index))).collect();
                let mut route = Route { start: points[0], pieces: Vec::new() };
                for curve in points[1..].chunks_exact(3) {
                    route.pieces.push(laban_draw::Piece::Curve(curve[0], curve[1], curve[2]));
                }
                // Edges between the same nodes come in their order.
                let is_it = |&edge: &usize| (picture.edges[edge].from, picture.edges[edge].to) == (from, to);
                let at = missing.iter().position(is_it).unwrap();
                let edge = missing.remove(at);
                let number_of_edge = drawn.edges.len();
                drawn.edges.push((from, to, route.points()));
                if let Some(Area { width, height, .. }) = layout.labels[edge] {
                    // After the points: the label, which is a table without text, and where it is.
                    let (x, y) = (number(words.len() - 4), bottom - number(words.len() - 3));
                    drawn.labels.push((number_of_edge, around((x, y), width, height)));
                }
            }
            _ => {}
        }
    }
    drawn
}

fn around((x, y): Point, width: f64, height: f64) -> Area {
    Area { left: x - width / 2.0, top: y - height / 2.0, width, height }
}

fn measure(drawn: &Drawn) -> Measures {
    let mut measures = Measures { area: area(drawn), ..Measures::default() };
    for (index, (from, to, points)) in drawn.edges.iter().enumerate() {
        measures.length += points.windows(2).map(|pair| distance(pair[0], pair[1])).sum::<f64>();
        for (_, _, others) in &drawn.edges[index + 1..] {
            measures.crossings += crossings(points, others);
        }
        for (_, area) in drawn.nodes.iter().enumerate().filter(|(node, _)| node != from && node != to) {
            measures.through_nodes += usize::from(enters(points, area));
        }
        for (_, area) in drawn.labels.iter().filter(|(edge, _)| *edge != index) {
            measures.on_labels += usize::from(enters(points, area));
        }
    }
    for (index, (_, label)) in drawn.labels.iter().enumerate() {
        let others = drawn.labels[index + 1..].iter().map(|(_, area)| area).chain(&drawn.nodes);
        measures.on_labels += others.filter(|other| overlap(label, other)).count();
    }
    measures
}

/// The area of the smallest rectangle around all nodes, labels and edges.
fn area(drawn: &Drawn) -> f64 {
    let areas = drawn.nodes.iter().chain(drawn.labels.iter().map(|(_, label)| label));
    let corners = areas.flat_map(|area| [(area.left, area.top), (area.left + area.width, area.top + area.height)]);
    let points = corners.chain(drawn.edges.iter().flat_map(|(_, _, points)| points.iter().copied()));
    let (mut least, mut most) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
    for (x, y) in points {
        least = (least.0.min(x), least.1.min(y));
        most = (most.0.max(x), most.1.max(y));
    }
    (most.0 - least.0) * (most.1 - least.1)
}

fn distance(one: Point, other: Point) -> f64 {
    (one.0 - other.0).hypot(one.1 - other.1)
}

/// Whether a polyline passes an area, a little inside its border.
fn enters(points: &[Point], area: &Area) -> bool {
    let inside = |&(x, y): &Point| {
        x > area.left + 2.0
            && x < area.left + area.width - 2.0
            && y > area.top + 2.0
            && y < area.top + area.height - 2.0
    };
    points.windows(2).any(|pair| {
        (0..=8).any(|step| {
            let along = f64::from(step) / 8.0;
            inside(&(pair[0].0 + (pair[1].0 - pair[0].0) * along, pair[0].1 + (pair[1].1 - pair[0].1) * along))
        })
    })
}

fn overlap(one: &Area, other: &Area) -> bool {
    one.left + 2.0 < other.left + other.width
        && other.left + 2.0 < one.left + one.width
        && one.top + 2.0 < other.top + other.height
        && other.top + 2.0 < one.top + one.height
}

/// How often two polylines cross, their ends apart.
fn crossings(one: &[Point], other: &[Point]) -> usize {
    let side = |a: Point, b: Point, c: Point| (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0);
    let mut count = 0;
    for first in one.windows(2) {
        for second in other.windows(2) {
            let (a, b, c, d) = (first[0], first[1], second[0], second[1]);
            let crossed = side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0;
            count += usize::from(crossed);
        }
    }
    count
}

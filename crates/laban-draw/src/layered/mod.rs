//! A layout of a graph in layers, after Sugiyama.
//!
//! Edges that would go back are turned round (`rank`), nodes are put into layers, and an edge over several layers
//! passes through a point in each (`split`). What is written on an edge is such a point with a size, in a layer of its
//! own kind: so nothing else is there. Layers are then ordered so that few edges cross (`order`), and everything moves
//! as close to its neighbours as its layer permits (`shift`).
//!
//! An edge that goes back leaves its node at the side and arrives at the side of the other, never where other edges
//! leave: a node keeps room for it, an *ear* (`ears`). Sizes go in and positions come out; what is drawn is not known
//! here.

mod around;
mod ears;
mod order;
mod rank;
mod shift;
mod split;

pub(super) use ears::Ear;
use ears::Ears;
use rank::Ranks;
use split::{Chain, Layers, split};

/// A graph to be laid out from the first layer on, in the direction of `along`.
#[derive(Debug, Default)]
pub(super) struct Input {
    /// The size of each node: along the direction of the edges, and across.
    pub(super) nodes: Vec<Size>,
    /// How much room each node needs at its far side, for edges to itself.
    pub(super) beside: Vec<Size>,
    /// From, to, and the size of what is written on it. No edge leads from a node to itself.
    pub(super) edges: Vec<(usize, usize, Size)>,
    /// How far layers are from each other, at least.
    pub(super) between: f64,
    /// Whether the partners of a node may be on both sides of it, since edges lead both ways.
    pub(super) both_sides: bool,
    /// Whether the label of an edge that goes back is beside it, on the outer side, rather than on it.
    pub(super) labels_beside: bool,
}

/// A size: along the direction of the edges, and across.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Size {
    pub(super) along: f64,
    pub(super) across: f64,
}

/// A position: along the direction of the edges, and across.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Position {
    pub(super) along: f64,
    pub(super) across: f64,
}

/// Where an edge passes a layer: it is straight from the beginning of the layer to its end.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Pass {
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) across: f64,
}

/// Where everything goes; all positions are at least 0.
#[derive(Debug, Default)]
pub(super) struct Output {
    /// The middle of each node.
    pub(super) nodes: Vec<Position>,
    /// The size of each node, which may be more than what was asked for.
    pub(super) sizes: Vec<Size>,
    /// For each edge the layers that it passes, from its first node to its last, without those of the nodes.
    pub(super) passes: Vec<Vec<Pass>>,
    /// For each edge that goes back, where it leaves and where it arrives.
    pub(super) ears: Vec<Option<(Ear, Ear)>>,
    /// For each edge the middle of what is written on it.
    pub(super) labels: Vec<Position>,
    /// For each node the layer that it is in, from its beginning to its end.
    pub(super) bands: Vec<(f64, f64)>,
    pub(super) size: Size,
}

const BETWEEN_NODES: f64 = 18.0;
const BETWEEN_EDGES: f64 = 12.0;
/// Layers stay further apart where edges go far to the side, so that these do not run into each other; up to this much.
const STEEPEST: f64 = 0.09;
const WIDEST_GAP: f64 = 44.0;

/// How many points the layout of a graph would have. Each costs time.
pub(super) fn effort(input: &Input) -> usize {
    let Ranks { ranks, .. } = Ranks::new(input);
    let spans = input.edges.iter().map(|&(from, to, _)| 2 * ranks[from].abs_diff(ranks[to]));
    spans.fold(input.nodes.len(), usize::saturating_add)
}

/// For each node how many edges there are at its side towards the first layer, and at the other. Edges that go back are
/// at neither.
pub(super) fn sides(input: &Input) -> Vec<(usize, usize)> {
    let mut sides = vec![(0, 0); input.nodes.len()];
    for (&(from, to, _), turned) in input.edges.iter().zip(Ranks::new(input).turned) {
        if !turned {
            sides[from].1 += 1;
            sides[to].0 += 1;
        }
    }
    sides
}

/// Lays a graph out.
pub(super) fn layout(input: &Input) -> Output {
    let Ranks { turned, ranks } = Ranks::new(input);
    let (mut layers, chains) = split(input, &turned, &ranks);
    // Of the orders with the fewest crossings, the one with the shortest edges.
    let orders = order::orders(&mut layers);
    let placed = orders.into_iter().map(|rows| Placed::new(input, layers.clone(), &chains, rows));
    let shorter = |one: Placed, other: Placed| if other.length < one.length { other } else { one };
    let Some(Placed { layers, ears, across, .. }) = placed.reduce(shorter) else { return Output::default() };
    let (starts, thickness) = bands(input, &layers, &across);
    let layer_of = layers.layer_of();
    let position = |point: usize| {
        let layer = layer_of[point];
        Position { along: starts[layer] + thickness[layer] / 2.0, across: across[point] }
    };
    let band = |point: usize| (starts[layer_of[point]], starts[layer_of[point]] + thickness[layer_of[point]]);
    let mut output = Output::default();
    for node in 0..input.nodes.len() {
        output.nodes.push(position(node));
        output.sizes.push(ears.size(node));
        output.bands.push(band(node));
    }
    for (edge, (chain, label)) in chains.iter().enumerate() {
        let pass = |&point: &usize| {
            let (start, end) = band(point);
            Pass { start, end, across: across[point] }
        };
        let mut passes: Vec<Pass> = chain.iter().map(pass).collect();
        if turned[edge] {
            passes.reverse();
        }
        output.passes.push(passes);
        output.ears.push(ears.of(edge));
        output.labels.push(label.map_or(Position::default(), |point| {
            let Position { along, across } = position(point);
            Position { along, across: across + (layers.right[point] - layers.left[point]) / 2.0 }
        }));
    }
    let end = starts.last().zip(thickness.last()).map_or(0.0, |(start, thick)| start + thick);
    let widest = (0..across.len()).map(|point| across[point] + layers.right[point]);
    output.size = Size { along: end, across: widest.fold(0.0, f64::max) };
    output
}

/// Points in their order, each with its position in its layer.
struct Placed {
    layers: Layers,
    ears: Ears,
    across: Vec<f64>,
    /// How far edges go to the side, in all.
    length: f64,
}

impl Placed {
    fn new(input: &Input, mut layers: Layers, chains: &[Chain], rows: order::Rows) -> Self {
        order::apply(&mut layers, rows);
        let ears = Ears::new(input, &mut layers);
        if input.labels_beside {
            move_labels(&mut layers, chains, &ears);
        }
        let across = shift::shift(&layers);
        let mut length = 0.0;
        for (point, ties) in layers.after.iter().enumerate() {
            length += ties.iter().map(|tie| (across[point] - across[tie.point]).abs()).sum::<f64>();
        }
        Placed { layers, ears, across, length }
    }
}

/// Moves the labels of edges that go back to the side from which these come.
fn move_labels(layers: &mut Layers, chains: &[Chain], ears: &Ears) {
    for (edge, (_, label)) in chains.iter().enumerate() {
        if let (Some((leaves, _)), Some(point)) = (ears.of(edge), *label) {
            let (near, far) = (2.0, layers.left[point] + layers.right[point] + 5.0);
            (layers.left[point], layers.right[point]) = if leaves.side < 0.0 { (far, near) } else { (near, far) };
        }
    }
}

/// Where each layer starts, and how thick it is.
fn bands(input: &Input, layers: &Layers, across: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (mut starts, mut thickness) = (Vec::new(), Vec::new());
    let mut along = 0.0;
    for row in &layers.rows {
        let thick = row.iter().map(|&point| layers.along[point]).fold(0.0, f64::max);
        starts.push(along);
        thickness.push(thick);
        let mut farthest: f64 = 0.0;
        for &point in row {
            for tie in &layers.after[point] {
                farthest = farthest.max((across[point] - across[tie.point]).abs());
            }
        }
        along += thick + input.between.max((farthest * STEEPEST).min(WIDEST_GAP));
    }
    (starts, thickness)
}

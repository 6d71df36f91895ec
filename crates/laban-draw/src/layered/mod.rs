//! A layout of a graph in layers, after Sugiyama.
//!
//! Edges that would go back are turned round, nodes are put into layers by the longest way to them, and an edge over
//! several layers passes through a point in each. What is written on an edge is such a point with a size, in a layer of
//! its own kind: so it has a place where nothing else is. Layers are then ordered so that few edges cross, and everything
//! moves as close to its neighbours as its layer permits. Sizes go in and places come out; what is drawn is not known here.

mod order;
mod shift;

/// A graph that is to be laid out from the first layer on, in the direction of `along`.
#[derive(Debug, Default)]
pub(super) struct Input {
    /// The size of each node: along the direction of the edges, and across.
    pub(super) nodes: Vec<Size>,
    /// From, to, and the size of what is written on it. No edge leads from a node to itself.
    pub(super) edges: Vec<(usize, usize, Size)>,
    /// How far layers are from each other.
    pub(super) between: f64,
}

/// A size: along the direction of the edges, and across.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Size {
    pub(super) along: f64,
    pub(super) across: f64,
}

/// A place: along the direction of the edges, and across.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Place {
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

/// Where everything goes; all places are at least 0.
#[derive(Debug, Default)]
pub(super) struct Output {
    /// The middle of each node.
    pub(super) nodes: Vec<Place>,
    /// For each edge the layers that it passes, from its first node to its last, without those of the nodes.
    pub(super) passes: Vec<Vec<Pass>>,
    /// For each edge the middle of what is written on it.
    pub(super) labels: Vec<Place>,
    /// For each node the layer that it is in, from its beginning to its end.
    pub(super) bands: Vec<(f64, f64)>,
    pub(super) size: Size,
}

const BETWEEN_NODES: f64 = 22.0;
const BETWEEN_EDGES: f64 = 12.0;

/// The graph in layers, with a point for each layer that an edge passes.
struct Layers {
    /// The points of each layer, from left to right.
    rows: Vec<Vec<usize>>,
    /// The size of each point; nodes come first.
    sizes: Vec<Size>,
    is_node: Vec<bool>,
    /// The points in the layer before and in the layer after.
    before: Vec<Vec<usize>>,
    after: Vec<Vec<usize>>,
}

/// How many points the layout of a graph would have. Each costs time.
pub(super) fn effort(input: &Input) -> usize {
    let ranks = ranks(input, &turned(input));
    let spans = input.edges.iter().map(|&(from, to, _)| 2 * ranks[from].abs_diff(ranks[to]));
    spans.fold(input.nodes.len(), usize::saturating_add)
}

/// For each node how many edges there are at its side towards the first layer, and at the other.
pub(super) fn sides(input: &Input) -> Vec<(usize, usize)> {
    let mut sides = vec![(0, 0); input.nodes.len()];
    for (&(from, to, _), turned) in input.edges.iter().zip(turned(input)) {
        let (first, last) = if turned { (to, from) } else { (from, to) };
        sides[first].1 += 1;
        sides[last].0 += 1;
    }
    sides
}

/// Lays a graph out.
pub(super) fn layout(input: &Input) -> Output {
    let turned = turned(input);
    let ranks = ranks(input, &turned);
    let (mut layers, chains) = split(input, &turned, &ranks);
    order::order(&mut layers);
    let across = shift::shift(&layers);
    let mut starts = Vec::with_capacity(layers.rows.len());
    let mut thickness = Vec::with_capacity(layers.rows.len());
    let mut along = 0.0;
    for row in &layers.rows {
        let thick = row.iter().map(|&point| layers.sizes[point].along).fold(0.0, f64::max);
        starts.push(along);
        thickness.push(thick);
        along += thick + input.between;
    }
    let mut layer_of = vec![0; layers.sizes.len()];
    for (layer, row) in layers.rows.iter().enumerate() {
        row.iter().for_each(|&point| layer_of[point] = layer);
    }
    let place = |point: usize| {
        let layer = layer_of[point];
        Place { along: starts[layer] + thickness[layer] / 2.0, across: across[point] }
    };
    let band = |point: usize| (starts[layer_of[point]], starts[layer_of[point]] + thickness[layer_of[point]]);
    let mut output = Output::default();
    for node in 0..input.nodes.len() {
        output.nodes.push(place(node));
        output.bands.push(band(node));
    }
    for (edge, (chain, label)) in chains.iter().enumerate() {
        let mut passes: Vec<Pass> = chain
            .iter()
            .map(|&point| {
                let (start, end) = band(point);
                Pass { start, end, across: across[point] }
            })
            .collect();
        if turned[edge] {
            passes.reverse();
        }
        output.passes.push(passes);
        output.labels.push(label.map_or(Place::default(), place));
    }
    let widest = (0..layers.sizes.len()).map(|point| across[point] + layers.sizes[point].across / 2.0);
    output.size = Size { along: (along - input.between).max(0.0), across: widest.fold(0.0, f64::max) };
    output
}

/// Which edges lead back to a node that is on the way to them.
fn turned(input: &Input) -> Vec<bool> {
    let mut outgoing: Vec<Vec<(usize, usize)>> = vec![Vec::new(); input.nodes.len()];
    for (edge, &(from, to, _)) in input.edges.iter().enumerate() {
        outgoing[from].push((edge, to));
    }
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        New,
        Open,
        Done,
    }
    let mut visits = vec![Visit::New; input.nodes.len()];
    let mut turned = vec![false; input.edges.len()];
    let mut path: Vec<(usize, usize)> = Vec::new();
    for start in 0..input.nodes.len() {
        if visits[start] != Visit::New {
            continue;
        }
        visits[start] = Visit::Open;
        path.push((start, 0));
        while let Some((node, cursor)) = path.last_mut() {
            let Some(&(edge, to)) = outgoing[*node].get(*cursor) else {
                visits[*node] = Visit::Done;
                path.pop();
                continue;
            };
            *cursor += 1;
            match visits[to] {
                Visit::New => {
                    visits[to] = Visit::Open;
                    path.push((to, 0));
                }
                Visit::Open => turned[edge] = true,
                Visit::Done => {}
            }
        }
    }
    turned
}

/// The length of the longest way to each node, with some edges turned round.
fn ranks(input: &Input, turned: &[bool]) -> Vec<usize> {
    let count = input.nodes.len();
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut incoming = vec![0usize; count];
    for (&(from, to, _), &turned) in input.edges.iter().zip(turned) {
        let (from, to) = if turned { (to, from) } else { (from, to) };
        outgoing[from].push(to);
        incoming[to] += 1;
    }
    let mut ranks = vec![0; count];
    let mut ready: Vec<usize> = (0..count).filter(|&node| incoming[node] == 0).collect();
    let mut next = 0;
    while let Some(&node) = ready.get(next) {
        next += 1;
        for &target in &outgoing[node] {
            ranks[target] = ranks[target].max(ranks[node] + 1);
            incoming[target] -= 1;
            if incoming[target] == 0 {
                ready.push(target);
            }
        }
    }
    ranks
}

/// For an edge: the points that it passes, from the first layer on, and the one at which it is labelled.
type Chain = (Vec<usize>, Option<usize>);

/// Nodes in even layers, what is written on edges in odd ones.
fn split(input: &Input, turned: &[bool], ranks: &[usize]) -> (Layers, Vec<Chain>) {
    let count = input.nodes.len();
    let depth = ranks.iter().max().map_or(0, |&rank| 2 * rank + 1);
    let mut layers = Layers {
        rows: vec![Vec::new(); depth],
        sizes: input.nodes.clone(),
        is_node: vec![true; count],
        before: vec![Vec::new(); count],
        after: vec![Vec::new(); count],
    };
    for (node, rank) in ranks.iter().enumerate() {
        layers.rows[2 * rank].push(node);
    }
    let mut chains = Vec::with_capacity(input.edges.len());
    for (&(from, to, label), &turned) in input.edges.iter().zip(turned) {
        let (first, last) = if turned { (to, from) } else { (from, to) };
        let (start, end) = (2 * ranks[first], 2 * ranks[last]);
        // The middle, among the layers for labels.
        let middle = start + 1 + (end - start - 1) / 4 * 2;
        let mut chain = Vec::new();
        let mut labelled = None;
        let mut before = first;
        for layer in start + 1..end {
            let point = layers.sizes.len();
            let size = if layer == middle { label } else { Size::default() };
            if layer == middle {
                labelled = Some(point);
            }
            layers.sizes.push(size);
            layers.is_node.push(false);
            layers.before.push(vec![before]);
            layers.after.push(Vec::new());
            layers.after[before].push(point);
            layers.rows[layer].push(point);
            chain.push(point);
            before = point;
        }
        layers.after[before].push(last);
        layers.before[last].push(before);
        chains.push((chain, labelled));
    }
    (layers, chains)
}

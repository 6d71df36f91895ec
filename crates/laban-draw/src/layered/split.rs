//! The graph in layers, with a point for each layer that an edge passes.

use super::{Input, Size};

/// A link to a point in the next layer, or in the one before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tie {
    pub(super) point: usize,
    /// Where the link is at its end towards the first layer: 0 in the middle, -1 and 1 in the ears of a node.
    pub(super) upper: i8,
    /// The same at its other end.
    pub(super) lower: i8,
    /// The edge that goes back, if it is of one.
    pub(super) back: Option<usize>,
}

/// The graph in layers. Nodes come first among the points.
#[derive(Debug, Clone)]
pub(super) struct Layers {
    /// The points of each layer, from left to right.
    pub(super) rows: Vec<Vec<usize>>,
    /// How thick each point is.
    pub(super) along: Vec<f64>,
    /// How far each point reaches to the left and to the right.
    pub(super) left: Vec<f64>,
    pub(super) right: Vec<f64>,
    pub(super) is_node: Vec<bool>,
    /// The links to the layer before and to the layer after.
    pub(super) before: Vec<Vec<Tie>>,
    pub(super) after: Vec<Vec<Tie>>,
    /// For each edge that goes back, the nodes at its ends, first the one in the earlier layer, and the points beside
    /// them.
    pub(super) back: Vec<Option<Back>>,
    /// Nodes with something at their right, where no ear can be.
    pub(super) only_left: Vec<bool>,
}

/// The ends of an edge that goes back.
#[derive(Debug, Clone, Copy)]
pub(super) struct Back {
    pub(super) upper: usize,
    pub(super) below_upper: usize,
    pub(super) lower: usize,
    pub(super) above_lower: usize,
}

impl Layers {
    pub(super) fn len(&self) -> usize {
        self.along.len()
    }

    pub(super) fn layer_of(&self) -> Vec<usize> {
        let mut layer_of = vec![0; self.len()];
        for (layer, row) in self.rows.iter().enumerate() {
            row.iter().for_each(|&point| layer_of[point] = layer);
        }
        layer_of
    }

    fn push(&mut self, size: Size, is_node: bool) -> usize {
        let point = self.len();
        self.along.push(size.along);
        self.left.push(size.across / 2.0);
        self.right.push(size.across / 2.0);
        self.is_node.push(is_node);
        self.before.push(Vec::new());
        self.after.push(Vec::new());
        point
    }

    fn tie(&mut self, from: usize, to: usize, back: Option<usize>) {
        let side = |point: usize| i8::from(back.is_some() && self.is_node[point]);
        let (upper, lower) = (side(from), side(to));
        self.after[from].push(Tie { point: to, upper, lower, back });
        self.before[to].push(Tie { point: from, upper, lower, back });
    }
}

/// For an edge: the points that it passes, from the first layer on, and the one at which it is labelled.
pub(super) type Chain = (Vec<usize>, Option<usize>);

/// Nodes in even layers, what is written on edges in odd ones.
pub(super) fn split(input: &Input, turned: &[bool], ranks: &[usize]) -> (Layers, Vec<Chain>) {
    let depth = ranks.iter().max().map_or(0, |&rank| 2 * rank + 1);
    let mut layers = Layers {
        rows: vec![Vec::new(); depth],
        along: Vec::new(),
        left: Vec::new(),
        right: Vec::new(),
        is_node: Vec::new(),
        before: Vec::new(),
        after: Vec::new(),
        back: vec![None; input.edges.len()],
        only_left: vec![false; input.nodes.len()],
    };
    for (node, (&size, rank)) in input.nodes.iter().zip(ranks).enumerate() {
        layers.push(size, true);
        layers.rows[2 * rank].push(node);
        let beside = input.beside.get(node).copied().unwrap_or_default();
        layers.right[node] += beside.across;
        layers.along[node] = layers.along[node].max(beside.along);
        layers.only_left[node] = beside.across > 0.0;
    }
    let mut chains = Vec::with_capacity(input.edges.len());
    for (edge, (&(from, to, label), &turned)) in input.edges.iter().zip(turned).enumerate() {
        let (first, last) = if turned { (to, from) } else { (from, to) };
        let back = turned.then_some(edge);
        let (start, end) = (2 * ranks[first], 2 * ranks[last]);
        // The middle, among the layers for labels.
        let middle = start + 1 + (end - start - 1) / 4 * 2;
        let mut chain = Vec::new();
        let mut labelled = None;
        let mut before = first;
        for layer in start + 1..end {
            let point = layers.push(if layer == middle { label } else { Size::default() }, false);
            if layer == middle {
                labelled = Some(point);
            }
            layers.tie(before, point, back);
            layers.rows[layer].push(point);
            chain.push(point);
            before = point;
        }
        layers.tie(before, last, back);
        if let (true, Some(&below_upper)) = (turned, chain.first()) {
            layers.back[edge] = Some(Back { upper: first, below_upper, lower: last, above_lower: before });
        }
        chains.push((chain, labelled));
    }
    (layers, chains)
}

//! Where edges that go back leave and arrive: at the sides of nodes.
//!
//! Beside a node there is a column for each such edge. An edge that arrives comes up the column from the layers below
//! and turns in; one that leaves turns up. Of several, the one from further out takes the outer column and turns
//! further away, so they do not cross.

use super::split::{Layers, Tie};
use super::{Input, Size};

/// From the node to the first column: room for a bend and the head of an arrow.
const FIRST: f64 = 15.0;
/// From one column to the next.
const NEXT: f64 = 9.0;
/// How much of a node's side an edge needs.
const PORT: f64 = 8.0;

/// Where an edge leaves or reaches the side of a node, and the column beside it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ear {
    /// -1 at the left, 1 at the right.
    pub(crate) side: f64,
    /// From the middle of the node, along the direction of the edges.
    pub(crate) along: f64,
    /// From the side of the node to the column.
    pub(crate) out: f64,
}

pub(super) struct Ears {
    /// For each edge the ear at which it leaves, and the one at which it arrives.
    ears: Vec<(Option<Ear>, Option<Ear>)>,
    /// For each node its size, with what its ears need.
    sizes: Vec<Size>,
}

impl Ears {
    /// Gives every end of an edge that goes back a column, and nodes room for them.
    pub(super) fn new(input: &Input, layers: &mut Layers) -> Self {
        let mut position = vec![0; layers.len()];
        for row in &layers.rows {
            row.iter().enumerate().for_each(|(index, &point)| position[point] = index);
        }
        let mut ears = Ears { ears: vec![(None, None); input.edges.len()], sizes: input.nodes.clone() };
        for node in 0..input.nodes.len() {
            let half = input.nodes[node].across / 2.0;
            let mut most = 0;
            for side in [-1i8, 1] {
                let arriving = outwards(&layers.after[node], &position, side, |tie| tie.upper);
                let leaving = outwards(&layers.before[node], &position, side, |tie| tie.lower);
                for (edges, arrives) in [(&arriving, true), (&leaving, false)] {
                    for (column, &edge) in edges.iter().enumerate() {
                        // The innermost turns last: furthest down if it comes from below, furthest up if it goes up.
                        let along = PORT * (edges.len() - column) as f64 - PORT / 2.0;
                        let out = FIRST + NEXT * column as f64;
                        let ear = Ear { side: f64::from(side), along: if arrives { along } else { -along }, out };
                        match arrives {
                            true => ears.ears[edge].1 = Some(ear),
                            false => ears.ears[edge].0 = Some(ear),
                        }
                    }
                }
                let columns = arriving.len().max(leaving.len());
                most = most.max(columns);
                if columns > 0 {
                    let reach = half + FIRST + NEXT * (columns - 1) as f64;
                    match side < 0 {
                        true => layers.left[node] = layers.left[node].max(reach),
                        false => layers.right[node] = layers.right[node].max(reach),
                    }
                }
            }
            let along = ears.sizes[node].along.max(length_for(most));
            ears.sizes[node].along = along;
            layers.along[node] = layers.along[node].max(along);
        }
        ears
    }

    pub(super) fn size(&self, node: usize) -> Size {
        self.sizes.get(node).copied().unwrap_or_default()
    }

    pub(super) fn of(&self, edge: usize) -> Option<(Ear, Ear)> {
        let (leaves, arrives) = self.ears.get(edge)?;
        leaves.zip(*arrives)
    }
}

/// How long the side of a node must be for this many edges that arrive and as many that leave.
fn length_for(edges: usize) -> f64 {
    match edges {
        0 => 0.0,
        _ => 2.0 * PORT * edges as f64 + 6.0,
    }
}

/// The edges in the ear at this side of a node, from the innermost column out.
fn outwards(ties: &[Tie], position: &[usize], side: i8, ear: impl Fn(&Tie) -> i8) -> Vec<usize> {
    let here = ties.iter().filter(|tie| ear(tie) == side);
    let mut edges: Vec<(usize, usize)> = here.filter_map(|tie| Some((position[tie.point], tie.back?))).collect();
    edges.sort_unstable();
    if side < 0 {
        edges.reverse();
    }
    edges.into_iter().map(|(_, edge)| edge).collect()
}

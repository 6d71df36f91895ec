//! Ways over open points, many at a time.
//!
//! Decisions inside each other, or one after the other, of which a process is told nothing are open points in a row.
//! What lies beyond them is the same whoever asks. So it is found once for each kind of thing that is looked for, and
//! the points between are left out of ways until somebody needs them.

use super::Merging;
use crate::choreography::NodeId;
use crate::choreography::known::{Kind, Pair, Toward, Via};
use crate::choreography::view::{DONE, Head};

impl Merging<'_> {
    /// Whether others can go on from the open point on one side of a pair, and from that on the other side if it is
    /// open, too, until there is a clash. If so, that is added to the pairs.
    pub(super) fn leads_to_clash(&mut self, pairs: &mut Vec<Pair>, parent: usize, side: usize) -> bool {
        if self.view.has_races() {
            return false;
        }
        let before = pairs.len();
        if !self.view.is_open(pairs[parent].points[1 - side]) {
            return self.go_on(pairs, parent, side, Toward::Clash);
        }
        // A few guesses what the one side may come to.
        for toward in [Toward::Anything, Toward::End] {
            if self.go_on(pairs, parent, side, toward) && self.go_on(pairs, before, 1 - side, Toward::Clash) {
                return true;
            }
            pairs.truncate(before);
        }
        false
    }

    /// Lets others go on from an open point on one side of a pair, if that leads to what is looked for.
    fn go_on(&mut self, pairs: &mut Vec<Pair>, parent: usize, side: usize, toward: Toward) -> bool {
        let pair = pairs[parent];
        let [still, point] = [pair.points[1 - side], pair.points[side]];
        if !self.view.is_open(point) {
            return false;
        }
        let kind = self.kind(toward, still);
        let Merging { view, known, .. } = self;
        let is_it = |point: u32| match toward {
            Toward::Clash => !view.together(still, point),
            Toward::Anything => true,
            Toward::End => point == DONE,
        };
        let beyond = |point: u32| view.is_open(point).then(|| view.beyond(point));
        let Some(end) = known.leads_to(kind, point, beyond, is_it) else { return false };
        let mut next = Pair { parent: parent as u32, via: Via::Far { side, point, toward }, ..pair };
        next.points[side] = end;
        next.nodes = next.points.map(NodeId);
        pairs.push(next);
        true
    }

    /// A way with the points that were left out.
    pub(super) fn in_full(&self, way: Vec<Pair>) -> Vec<Pair> {
        let mut full: Vec<Pair> = Vec::with_capacity(way.len());
        for pair in way {
            let Via::Far { side, mut point, toward } = pair.via else {
                full.push(pair);
                continue;
            };
            for next in self.known.onward(self.kind(toward, pair.points[1 - side]), point) {
                let mut successors = self.view.choreography.successors(NodeId(point));
                let Some(node) = successors.find(|&node| self.view.point(node) == next) else { break };
                let mut pair = Pair { nodes: pair.points.map(NodeId), via: Via::Others { side, point }, ..pair };
                pair.nodes[side] = node;
                pair.points[side] = next;
                full.push(pair);
                point = next;
            }
        }
        full
    }

    /// What is looked for. What clashes with a point that is not open depends on what the process does there, as far as
    /// [`View::together`](crate::choreography::view::View::together) looks at it if there are no races.
    fn kind(&self, toward: Toward, point: u32) -> Kind {
        let head = match toward {
            Toward::Clash => self.view.head(point),
            Toward::Anything => return [9, 0, 0, 0],
            Toward::End => return [10, 0, 0, 0],
        };
        match head {
            Head::Done => [0; 4],
            Head::Send { to, expression, .. } => [1, to.0, expression.0, 0],
            Head::Receive { from, .. } => [2, from.0, 0, 0],
            Head::Select { to, label, .. } => [3, to.0, label.0, 0],
            Head::If { condition, .. } => [4, condition.0, 0, 0],
            Head::SelectValue { to, label, expression, .. } => [5, to.0, label.0, expression.0],
            Head::Choose { arms } => [6, arms.len() as u32, 0, 0],
            Head::Any { .. } => [7, point, 0, 0],
            Head::Offer { from, .. } | Head::Told { from, .. } => [8, from.0, 0, 0],
        }
    }
}

//! What is left out of a graph because it concerns nobody in the focus.

/// What may be left out at a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ahead {
    /// Nothing: somebody in the focus acts, or it is an end.
    Stays,
    /// Others act, and then it goes on there.
    Leads(u32),
    /// Somebody else decides where it goes on, or whichever of others' interactions comes first.
    Decides(Vec<u32>),
}

/// Nodes that are left out, and where they lead.
pub(crate) struct Skipped {
    to: Vec<u32>,
}

impl Skipped {
    /// Nothing is left out of this many nodes.
    pub(crate) fn nothing(count: usize) -> Self {
        Skipped { to: (0..count as u32).collect() }
    }

    /// Leaves out what can be left out of this many nodes.
    pub(crate) fn new(count: usize, ahead: impl Fn(u32) -> Ahead) -> Self {
        let mut skipped = Skipped::nothing(count);
        let mut decisions = Vec::new();
        for node in 0..count as u32 {
            match ahead(node) {
                Ahead::Stays => {}
                Ahead::Leads(target) => skipped.skip(node, target),
                Ahead::Decides(ways) => decisions.push((node, ways)),
            }
        }
        skipped.flatten();
        // A decision whose outcomes make no difference to those in the focus goes as well; that may take others with
        // it.
        for _ in 0..8 {
            let before = decisions.len();
            decisions.retain(|(node, ways)| {
                let Some(end) = ways.first().map(|&way| skipped.end(way)) else { return false };
                let same = end != *node && ways.iter().all(|&way| skipped.end(way) == end);
                if same && let Some(to) = skipped.to.get_mut(*node as usize) {
                    *to = end;
                }
                !same
            });
            skipped.flatten();
            if decisions.len() == before {
                break;
            }
        }
        skipped
    }

    /// The node that is drawn in place of this one.
    pub(crate) fn end(&self, mut node: u32) -> u32 {
        while let Some(&next) = self.to.get(node as usize)
            && next != node
        {
            node = next;
        }
        node
    }

    /// Lets each node that is left out lead to its end at once.
    fn flatten(&mut self) {
        for node in 0..self.to.len() {
            self.to[node] = self.shortened(node as u32);
        }
    }

    /// Leaves a node out, unless that would leave out all of a cycle.
    fn skip(&mut self, node: u32, target: u32) {
        if target as usize >= self.to.len() {
            return;
        }
        let end = self.shortened(target);
        if end != node {
            self.to[node as usize] = end;
        }
    }

    fn shortened(&mut self, mut node: u32) -> u32 {
        while self.to[node as usize] != node {
            let next = self.to[node as usize];
            self.to[node as usize] = self.to[next as usize];
            node = next;
        }
        node
    }
}

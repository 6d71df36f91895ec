//! What is known about pairs of points from earlier questions: which of them merge, and how others come to clash.
//!
//! A question follows pairs until it meets a clash, and the next question often comes to the same pairs. Those that
//! merge need not be looked at again, unless the process is told about a conditional that they pass. Those that clash
//! are kept as a chain of [`Link`]s: whoever comes to one of them knows the rest of the way.
//!
//! This module knows nothing about choreographies: pairs and how they lead to each other are all there is.

use super::NodeId;
use rustc_hash::{FxHashMap, FxHashSet};

/// How one pair leads to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Via {
    /// It is where the question starts, in these two arms.
    Root { arms: [u32; 2] },
    /// Others go on, at a point of the first or second side.
    Others { side: usize, point: u32 },
    /// Both sides do the same. If they decide, or do whichever comes first, these are the arms.
    Both { arms: [usize; 2] },
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    /// Where each side is.
    pub(super) nodes: [NodeId; 2],
    /// The points that follow.
    pub(super) points: [u32; 2],
    pub(super) parent: u32,
    pub(super) via: Via,
}

impl Pair {
    /// The points, the lesser first.
    pub(super) fn key(&self) -> (u32, u32) {
        let [one, other] = self.points;
        (one.min(other), one.max(other))
    }

    /// The same pair with its sides exchanged.
    fn turned(self) -> Self {
        let Pair { nodes: [a, b], points: [c, d], parent, via } = self;
        let via = match via {
            Via::Root { arms: [one, other] } => Via::Root { arms: [other, one] },
            Via::Others { side, point } => Via::Others { side: 1 - side, point },
            Via::Both { arms: [one, other] } => Via::Both { arms: [other, one] },
        };
        Pair { nodes: [b, a], points: [d, c], parent, via }
    }
}

/// Two points at which both sides do the same, or the two that clash.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) points: [u32; 2],
    /// The arms in which both go on; nothing at the clash.
    pub(super) arms: Option<[usize; 2]>,
}

impl Step {
    fn turned_if(self, turn: bool) -> Self {
        let swap = |[one, other]: [usize; 2]| [other, one];
        match (turn, self) {
            (false, step) => step,
            (true, Step { points: [one, other], arms }) => Step { points: [other, one], arms: arms.map(swap) },
        }
    }
}

/// A link and whether its sides are the other way round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Turned {
    link: u32,
    turn: bool,
}

impl Turned {
    /// A link that is the other way round if this one is.
    fn then(self, other: Turned) -> Turned {
        Turned { link: other.link, turn: self.turn != other.turn }
    }
}

/// A pair on a way to a clash.
#[derive(Debug, Clone, Copy)]
struct Link {
    pair: Pair,
    /// The next pair; nothing at the clash.
    next: Option<Turned>,
    /// The next pair, from this one on, at which both sides do the same, or the clash.
    step: Turned,
    /// How many such pairs there are before the clash.
    left: u32,
    /// The step that is followed by [`LAST_STEPS`] others, if there are more.
    tail: Turned,
}

/// How many steps before a clash are always known, however long the way is.
pub(super) const LAST_STEPS: u32 = 3;
/// How many steps of a known way are followed before it is cut short.
const MOST_STEPS: usize = 1000;

/// What is known so far.
#[derive(Default)]
pub(super) struct Known {
    merge: FxHashSet<(u32, u32)>,
    /// The open points of the pairs that merge.
    passed: FxHashSet<u32>,
    clash: FxHashMap<(u32, u32), u32>,
    links: Vec<Link>,
}

impl Known {
    /// Whether two points merge, the lesser first.
    pub(super) fn merges(&self, key: (u32, u32)) -> bool {
        self.merge.contains(&key)
    }

    /// Whether two points come to clash, the lesser first.
    pub(super) fn clashes(&self, key: (u32, u32)) -> bool {
        self.clash.contains_key(&key)
    }

    /// Learns that some pairs merge, and all that follow them.
    pub(super) fn add_merging(&mut self, pairs: &[Pair]) {
        self.merge.extend(pairs.iter().map(Pair::key));
        self.passed.extend(pairs.iter().filter_map(|pair| match pair.via {
            Via::Others { point, .. } => Some(point),
            _ => None,
        }));
    }

    /// The process is told about a conditional: forgets what may depend on it.
    pub(super) fn forget(&mut self, conditional: u32) {
        self.clash.clear();
        self.links.clear();
        if self.passed.contains(&conditional) {
            self.merge.clear();
            self.passed.clear();
        }
    }

    /// Learns a way to a clash: pairs that lead to each other, of which the last clashes or is known to.
    pub(super) fn add_clashing(&mut self, way: &[Pair]) -> Way {
        let mut next: Option<Turned> = None;
        for (number, &pair) in way.iter().enumerate().rev() {
            let known = self.clash.get(&pair.key()).copied();
            if number + 1 == way.len()
                && let Some(known) = known
            {
                let before = self.links[known as usize];
                let turn = before.pair.points != pair.points;
                next = before.next.map(|next| Turned { link: known, turn }.then(next));
            }
            let link = self.links.len() as u32;
            let itself = Turned { link, turn: false };
            let mut new = Link { pair, next, step: itself, left: 0, tail: itself };
            if let Some(next) = next {
                let follower = self.links[next.link as usize];
                let is_step = matches!(follower.pair.via, Via::Both { .. });
                new.left = follower.left + u32::from(is_step);
                if !is_step {
                    new.step = next.then(follower.step);
                }
                new.tail = if new.left <= LAST_STEPS { new.step } else { next.then(follower.tail) };
            }
            self.links.push(new);
            self.clash.entry(pair.key()).or_insert(link);
            next = Some(itself);
        }
        Way { first: next.unwrap_or(Turned { link: 0, turn: false }) }
    }

    /// All pairs of a way.
    pub(super) fn pairs(&self, way: Way) -> Vec<Pair> {
        let mut pairs = Vec::new();
        let mut at = Some(way.first);
        while let Some((place, link)) = at.and_then(|at| Some((at, self.links.get(at.link as usize)?))) {
            pairs.push(if place.turn { link.pair.turned() } else { link.pair });
            at = link.next.map(|next| place.then(next));
        }
        pairs
    }

    /// The steps of a way. Of a very long one, some before the last are left out.
    pub(super) fn steps(&self, way: Way) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut at = Some(way.first);
        while let Some((place, link)) = at.and_then(|at| Some((at, self.links.get(at.link as usize)?))) {
            let is_far = steps.len() >= MOST_STEPS && link.left > LAST_STEPS;
            let place = place.then(if is_far { link.tail } else { link.step });
            let Some(link) = self.links.get(place.link as usize) else { break };
            let after = link.next.map(|next| place.then(next));
            // Which arms: the next pair says so, and it is turned if the link to it is.
            let arms = link.next.and_then(|next| match self.links.get(next.link as usize)?.pair.via {
                Via::Both { arms: [one, other] } if next.turn => Some([other, one]),
                Via::Both { arms } => Some(arms),
                _ => None,
            });
            steps.push(Step { points: link.pair.points, arms }.turned_if(place.turn));
            at = after;
        }
        steps
    }
}

/// A way to a clash that is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    first: Turned,
}

//! Partition refinement: tells nodes apart until only those that behave alike are left together.
//!
//! This is the algorithm of Valmari ("Fast brief practical DFA minimization", 2012). It keeps two
//! partitions: nodes into blocks that have not been told apart, and edges into bundles of the same
//! letter that lead to the same block. The nodes that have an edge in a bundle are split from the
//! others of their block; a new block splits the bundles that lead to it. Since a split always
//! takes the smaller half for new, an edge is looked at O(log n) times.
//!
//! It works on the part of a graph that reaches a cycle, and relies on two things there: the blocks
//! it starts from agree in the label, the number of edges and everything that lies outside that
//! part; and no node has two edges of a letter.

use super::Residue;

/// Finds the classes of the nodes that reach a cycle, and enters one node of each class as the
/// leader of all. The start is what `leaders` says before.
pub(super) fn refine(residue: &Residue, leaders: &mut [u32]) {
    let mut blocks = {
        let leader = |place: u32| leaders[residue.nodes[place as usize] as usize];
        let places = residue.cyclic_places().map(|place| (place, leader(place)));
        Refinable::new(residue.nodes.len(), leaders.len(), places)
    };
    // What leads to a node that reaches a cycle comes from one, so these are all edges between such
    // nodes.
    let mut bundles = {
        let letters = residue.letters.iter().max().map_or(0, |&letter| letter as usize + 1);
        let edges = residue.cyclic_places().flat_map(|place| residue.incoming(place));
        Refinable::new(residue.sources.len(), letters, edges.map(|&edge| (edge, residue.letters[edge as usize])))
    };

    // The first block needs no turn: the edges that lead to none of the others lead there.
    let mut block = 1;
    let mut bundle = 0;
    while bundle < bundles.count() && !blocks.is_discrete() {
        for &edge in bundles.set(bundle) {
            blocks.mark(residue.sources[edge as usize]);
        }
        blocks.split();
        bundle += 1;
        while block < blocks.count() {
            for &place in blocks.set(block) {
                for &edge in residue.incoming(place) {
                    bundles.mark(edge);
                }
            }
            bundles.split();
            block += 1;
        }
    }

    for block in 0..blocks.count() {
        let members = blocks.set(block);
        if let Some(&first) = members.first() {
            let leader = residue.nodes[first as usize];
            for &place in members {
                leaders[residue.nodes[place as usize] as usize] = leader;
            }
        }
    }
}

/// A partition that can be split further, in time proportional to what is marked.
struct Refinable {
    /// All elements, set by set; in each set the marked ones come first.
    elements: Vec<u32>,
    /// By element; of no meaning for a number that is not an element.
    seats: Vec<Seat>,
    sets: Vec<Set>,
    /// The sets that have marked elements.
    touched: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Seat {
    position: u32,
    set: u32,
}

#[derive(Clone, Copy)]
struct Set {
    first: u32,
    past: u32,
    marked: u32,
}

impl Refinable {
    /// Some of the numbers below `count`, those with the same key (below `keys`) in one set.
    fn new(count: usize, keys: usize, keyed: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0; keys];
        for (_, key) in keyed.clone() {
            starts[key as usize] += 1;
        }
        // From here on a key without elements is passed over, and the others have the number of
        // their set beside them.
        let mut sets = Vec::new();
        let mut set_of = vec![0; keys];
        let mut first = 0;
        for (start, set) in starts.iter_mut().zip(&mut set_of) {
            let past = first + *start;
            *start = first;
            if past > first {
                *set = sets.len() as u32;
                sets.push(Set { first, past, marked: 0 });
            }
            first = past;
        }
        let mut elements = vec![0; first as usize];
        let mut seats = vec![Seat { position: 0, set: 0 }; count];
        for (element, key) in keyed {
            let position = starts[key as usize];
            starts[key as usize] += 1;
            elements[position as usize] = element;
            seats[element as usize] = Seat { position, set: set_of[key as usize] };
        }
        Self { elements, seats, sets, touched: Vec::new() }
    }

    fn count(&self) -> usize {
        self.sets.len()
    }

    /// Whether every element is alone.
    fn is_discrete(&self) -> bool {
        self.sets.len() == self.elements.len()
    }

    fn set(&self, set: usize) -> &[u32] {
        let Set { first, past, .. } = self.sets[set];
        &self.elements[first as usize..past as usize]
    }

    /// Marks an element that is not marked yet.
    fn mark(&mut self, element: u32) {
        let Seat { position, set: number } = self.seats[element as usize];
        let set = &mut self.sets[number as usize];
        if set.past - set.first == 1 {
            return;
        }
        let front = set.first + set.marked;
        if set.marked == 0 {
            self.touched.push(number);
        }
        set.marked += 1;
        let displaced = self.elements[front as usize];
        self.elements[position as usize] = displaced;
        self.seats[displaced as usize].position = position;
        self.elements[front as usize] = element;
        self.seats[element as usize].position = front;
    }

    /// Splits every set that has both marked and other elements, and takes all marks away. The
    /// smaller half is the new set.
    fn split(&mut self) {
        while let Some(number) = self.touched.pop() {
            let set = &mut self.sets[number as usize];
            let middle = set.first + set.marked;
            set.marked = 0;
            if middle == set.past {
                continue;
            }
            let new = if middle - set.first <= set.past - middle {
                let new = Set { first: set.first, past: middle, marked: 0 };
                set.first = middle;
                new
            } else {
                let new = Set { first: middle, past: set.past, marked: 0 };
                set.past = middle;
                new
            };
            let number = self.sets.len() as u32;
            for &element in &self.elements[new.first as usize..new.past as usize] {
                self.seats[element as usize].set = number;
            }
            self.sets.push(new);
        }
    }
}

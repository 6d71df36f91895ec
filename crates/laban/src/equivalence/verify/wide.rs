//! A wide walk: the rest of a walk in which many rows wait, shared out among threads.
//!
//! Each row has a *shelf*, by its hash. The walk goes on in rounds. First each shelf hands over some rows that wait and
//! a walk of its own follows them up to the next joints; then each shelf takes in those of the rows come to that belong
//! to it, and gives them numbers. Both are done for all shelves at the same time, and nobody locks anything. In the end
//! the junctions are those of a walk by one thread, in another order, which makes no difference to whether somebody is
//! starved. If something is wrong, it is not said here: that is left to a walk by one thread, so that it is the same
//! for any number of them.

use super::cast::Part;
use super::walk::{Arrivals, Edge, Junction, NONE, Stored, Walk, key, share};
use super::{Certificate, NotVerified};
use crate::choreography::NodeId;
use crate::index::Index;
use crate::limits::{Limits, StopReason};
use crate::packed::Chunks;
use crate::parallel::map_in_parallel;
use std::ops::Range;

/// How many shelves there are. Threads beyond that have nothing to do.
const SHELVES: usize = 32;
/// How many rows a shelf hands over in one round, at most.
const ROWS_PER_ROUND: usize = 1 << 11;
/// Threads are worth their while for so many rows.
const FEWEST_ROWS: usize = 1 << 9;
/// Junctions have numbers below this while they are counted apart.
const MOST_JUNCTIONS: usize = 1 << 30;

/// How a wide walk ends.
pub(super) enum End {
    /// It has come to all its ends.
    Done,
    /// Something was wrong, or there were too many pairs.
    Elsewhere,
    /// It was interrupted.
    Stopped(StopReason),
}

/// A junction: a row on a shelf, or a decision without one.
#[derive(Clone, Copy)]
struct Name(u32);

impl Name {
    const NOBODY: Name = Name(NONE);

    fn row(shelf: usize, number: usize) -> Self {
        Name(((number * SHELVES + shelf) << 1) as u32)
    }

    fn decision(number: usize) -> Self {
        Name((number << 1 | 1) as u32)
    }

    /// Its number, with all rows in the order of the shelves and then all decisions.
    fn number(self, first_of_shelf: &[usize; SHELVES], rows: usize) -> u32 {
        let number = (self.0 >> 1) as usize;
        match self.0 {
            NONE => NONE,
            name if name & 1 == 1 => (rows + number) as u32,
            _ => (first_of_shelf[number % SHELVES] + number / SHELVES) as u32,
        }
    }
}

/// A decision without a row.
struct Decision {
    node: NodeId,
    next: [Name; 2],
}

/// What comes before a row on a shelf, in words: the node, the junctions that it leads to, how many run, and the two
/// halves of the hash.
const NODE: usize = 0;
const NEXT: usize = 1;
const RUNNING: usize = 3;
const HASH: usize = 4;
const ROW: usize = 6;

/// Some of the rows.
struct Shelf {
    rows: Chunks,
    count: usize,
    index: Index,
    followed: usize,
    met_again: bool,
    /// A row that may be added.
    new: Vec<u32>,
}

impl Shelf {
    fn new(width: usize) -> Self {
        let rows = Chunks::new(ROW + width, 0);
        Shelf { rows, count: 0, index: Index::default(), followed: 0, met_again: false, new: Vec::new() }
    }

    /// The number of a row. It is added if it is new.
    fn find_or_add(&mut self, node: NodeId, running: u32, hash: u64, row: &[u32]) -> u32 {
        let Shelf { rows, index, new, .. } = self;
        new.clear();
        new.extend([node.0, NONE, NONE, running, hash as u32, (hash >> 32) as u32]);
        new.extend_from_slice(row);
        let number = self.count as u32;
        // Who has the same row has the same hash, and as many run.
        let is_same = |known: &[u32]| known[NODE] == node.0 && known[RUNNING..] == new[RUNNING..];
        let found = index.find_or_insert(key(hash, node), number, |candidate| is_same(rows.row(candidate)));
        match found == number {
            true => {
                rows.push(new);
                self.count += 1;
            }
            false => self.met_again = true,
        }
        found
    }

    /// Notes where a row leads.
    fn lead(&mut self, number: usize, next: [Name; 2]) {
        self.rows.row_mut(number as u32)[NEXT..RUNNING].copy_from_slice(&next.map(|name| name.0));
    }

    /// Takes in the rows that walks have come to. Returns their numbers, for each walk.
    fn take_in<'a>(&mut self, arrivals: impl Iterator<Item = &'a Arrivals>, width: usize) -> Vec<Vec<u32>> {
        let one = |arrivals: &Arrivals| {
            let rows = arrivals.list.iter().zip(arrivals.rows.chunks_exact(width));
            rows.map(|(at, row)| self.find_or_add(at.node, at.running, at.hash, row)).collect()
        };
        arrivals.map(one).collect()
    }

    /// The rows that are handed over in this round.
    fn due(&self) -> Range<usize> {
        self.followed..self.count.min(self.followed + ROWS_PER_ROUND)
    }

    /// Has these rows followed by a walk.
    fn hand_over(&self, due: Range<usize>, walk: &mut Walk<'_>) {
        walk.junctions.clear();
        walk.stored.clear();
        walk.rows.clear();
        walk.followed = 0;
        for (junction, number) in due.enumerate() {
            let known = self.rows.row(number as u32);
            let hash = u64::from(known[HASH]) | u64::from(known[HASH + 1]) << 32;
            walk.junctions.push(Junction { node: NodeId(known[NODE]), row: NONE, next: [NONE; 2] });
            walk.stored.push(Stored { junction: junction as u32, running: known[RUNNING], hash });
            walk.rows.extend_from_slice(&known[ROW..]);
        }
        for arrivals in &mut walk.sent {
            arrivals.list.clear();
            arrivals.rows.clear();
        }
    }
}

/// Goes on with a walk in which rows wait, to all its ends. If that is done, the walk has all its junctions, unless it
/// has never come back to one.
pub(super) fn follow(walk: &mut Walk<'_>, part: &Part, limits: &Limits<'_>) -> End {
    let mut shelves: Vec<Shelf> = (0..SHELVES).map(|_| Shelf::new(walk.width)).collect();
    let mut decisions: Vec<Decision> = Vec::new();
    put_on_shelves(walk, &mut shelves, &mut decisions);
    let first = std::mem::take(&mut walk.certificate);
    let mut workers: Vec<Walk<'_>> = (0..SHELVES).map(|_| walk.worker(SHELVES)).collect();
    let most = limits.max_states.unwrap_or(usize::MAX);
    // A share of the pairs says nothing about all of them.
    let limits_of_one = Limits { max_states: None, ..*limits };
    loop {
        let due: Vec<Range<usize>> = shelves.iter().map(Shelf::due).collect();
        let waiting: usize = due.iter().map(|due| due.len()).sum();
        if waiting == 0 {
            break;
        }
        let parallel = waiting >= FEWEST_ROWS;
        let followed = map_in_parallel(parallel, workers.into_iter().enumerate().collect(), |(shelf, mut worker)| {
            shelves[shelf].hand_over(due[shelf].clone(), &mut worker);
            let end = worker.follow_stored(part, &limits_of_one);
            (worker, end)
        });
        workers = Vec::with_capacity(SHELVES);
        for (worker, end) in followed {
            match end {
                Ok(()) => workers.push(worker),
                Err(NotVerified::Undecided(reason)) => return End::Stopped(reason),
                Err(NotVerified::Mismatch(_)) => return End::Elsewhere,
            }
        }
        let taken = map_in_parallel(parallel, shelves.into_iter().enumerate().collect(), |(number, mut shelf)| {
            let numbers = shelf.take_in(workers.iter().map(|worker| &worker.sent[number]), walk.width);
            (shelf, numbers)
        });
        let numbers: Vec<Vec<Vec<u32>>>;
        (shelves, numbers) = taken.into_iter().unzip();
        for (shelf, (worker, due)) in workers.iter().zip(due).enumerate() {
            let came_to = numbers.iter().map(|numbers| numbers[shelf].as_slice());
            connect(worker, shelf, due, &mut shelves, &mut decisions, came_to);
        }
        let pairs: usize = workers.iter().map(|worker| worker.certificate.pairs).sum();
        let junctions = SHELVES * shelves.iter().map(|shelf| shelf.count).max().unwrap_or(0);
        if first.pairs + pairs > most || junctions.max(decisions.len()) >= MOST_JUNCTIONS {
            return End::Elsewhere;
        }
    }
    let all = workers.iter().fold(first, |sum, worker| sum.and(worker.certificate));
    let remembered: usize = shelves.iter().map(|shelf| shelf.count).sum();
    walk.certificate = Certificate { remembered: first.remembered - walk.stored.len() + remembered, ..all };
    walk.met_again |= shelves.iter().any(|shelf| shelf.met_again);
    if walk.met_again {
        // The rest is not needed any more.
        let shelves = shelves.into_iter().map(|shelf| (shelf.count, shelf.rows)).collect();
        put_together(walk, shelves, decisions);
    }
    End::Done
}

/// Puts what a walk by one thread has met on the shelves.
fn put_on_shelves(walk: &Walk<'_>, shelves: &mut [Shelf], decisions: &mut Vec<Decision>) {
    let rows = walk.stored.iter().zip(walk.rows.chunks_exact(walk.width));
    let mut names = Vec::with_capacity(walk.junctions.len());
    let mut rows = rows.enumerate();
    for junction in &walk.junctions {
        // The rows are stored in the order of their junctions.
        let own = if junction.row == NONE { None } else { rows.next() };
        names.push(match own {
            Some((number, (stored, row))) => {
                let shelf = share(key(stored.hash, junction.node), SHELVES);
                let place = shelves[shelf].find_or_add(junction.node, stored.running, stored.hash, row);
                shelves[shelf].followed += usize::from(number < walk.followed);
                Name::row(shelf, place as usize)
            }
            None => {
                decisions.push(Decision { node: junction.node, next: [Name::NOBODY; 2] });
                Name::decision(decisions.len() - 1)
            }
        });
    }
    for (junction, name) in walk.junctions.iter().zip(&names) {
        let next = junction.next.map(|target| names.get(target as usize).copied().unwrap_or(Name::NOBODY));
        let number = (name.0 >> 1) as usize;
        match name.0 & 1 {
            1 => decisions[number].next = next,
            _ => shelves[number % SHELVES].lead(number / SHELVES, next),
        }
    }
}

/// Notes where a walk has led: from rows of a shelf over decisions of its own to rows that were taken in.
fn connect<'a>(
    walk: &Walk<'_>,
    shelf: usize,
    due: Range<usize>,
    shelves: &mut [Shelf],
    decisions: &mut Vec<Decision>,
    came_to: impl Iterator<Item = &'a [u32]>,
) {
    let (rows, first) = (due.len(), decisions.len());
    let name = |junction: u32| match junction {
        NONE => Name::NOBODY,
        junction if (junction as usize) < rows => Name::row(shelf, due.start + junction as usize),
        junction => Name::decision(first + junction as usize - rows),
    };
    for (number, junction) in walk.junctions.iter().enumerate() {
        let next = junction.next.map(name);
        match number < rows {
            true => shelves[shelf].lead(due.start + number, next),
            false => decisions.push(Decision { node: junction.node, next }),
        }
    }
    for (target, (arrivals, numbers)) in walk.sent.iter().zip(came_to).enumerate() {
        for (arrival, &number) in arrivals.list.iter().zip(numbers) {
            let Edge { from, side } = arrival.edge;
            let from = from as usize;
            let name = Name::row(target, number as usize);
            match from < rows {
                true => shelves[shelf].rows.row_mut((due.start + from) as u32)[NEXT + side] = name.0,
                false => decisions[first + from - rows].next[side] = name,
            }
        }
    }
    shelves[shelf].followed = due.end;
}

/// Gives a walk all junctions, with numbers of their own, and all rows.
fn put_together(walk: &mut Walk<'_>, shelves: Vec<(usize, Chunks)>, decisions: Vec<Decision>) {
    let mut first_of_shelf = [0; SHELVES];
    let mut rows = 0;
    for (first, (count, _)) in first_of_shelf.iter_mut().zip(&shelves) {
        *first = rows;
        rows += count;
    }
    walk.stored.clear();
    walk.rows = Vec::with_capacity(rows * walk.width);
    walk.junctions = Vec::with_capacity(rows + decisions.len());
    let number = |name: Name| name.number(&first_of_shelf, rows);
    for (count, shelf) in shelves {
        for place in 0..count as u32 {
            let known = shelf.row(place);
            let next = [known[NEXT], known[NEXT + 1]].map(|name| number(Name(name)));
            let row = walk.junctions.len() as u32;
            walk.junctions.push(Junction { node: NodeId(known[NODE]), row, next });
            walk.rows.extend_from_slice(&known[ROW..]);
        }
    }
    for Decision { node, next } in decisions {
        walk.junctions.push(Junction { node, row: NONE, next: next.map(number) });
    }
}

//! Which mutant is alive. `scripts/mutants` puts this into its copy of the library; it is no part of the library itself.

use std::io::Write;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

const RECORD: u32 = u32::MAX - 1;
const UNKNOWN: u32 = u32::MAX;
static ALIVE: AtomicU32 = AtomicU32::new(UNKNOWN);
static REACHED: [AtomicU8; 20_000] = [const { AtomicU8::new(0) }; 20_000];

#[inline(always)]
pub(crate) fn on(mutant: u32) -> bool {
    let alive = ALIVE.load(Relaxed);
    alive == mutant || (alive >= RECORD && special(mutant))
}

#[cold]
#[inline(never)]
fn special(mutant: u32) -> bool {
    if ALIVE.load(Relaxed) == UNKNOWN {
        let wanted = std::env::var("LABAN_MUTANT").unwrap_or_default();
        ALIVE.store(if wanted == "record" { RECORD } else { wanted.parse().unwrap_or(0) }, Relaxed);
        return on(mutant);
    }
    if REACHED[mutant as usize].swap(1, Relaxed) == 0 {
        let path = std::env::var("LABAN_REACHED").unwrap();
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
        file.write_all(format!("{mutant}\n").as_bytes()).unwrap();
    }
    false
}

pub(crate) enum Either<A, B> {
    Mutant(A),
    Original(B),
}

impl<T, A: Iterator<Item = T>, B: Iterator<Item = T>> Iterator for Either<A, B> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        match self {
            Either::Mutant(iterator) => iterator.next(),
            Either::Original(iterator) => iterator.next(),
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Either::Mutant(iterator) => iterator.size_hint(),
            Either::Original(iterator) => iterator.size_hint(),
        }
    }
}

impl<T, A: DoubleEndedIterator<Item = T>, B: DoubleEndedIterator<Item = T>> DoubleEndedIterator for Either<A, B> {
    fn next_back(&mut self) -> Option<T> {
        match self {
            Either::Mutant(iterator) => iterator.next_back(),
            Either::Original(iterator) => iterator.next_back(),
        }
    }
}

impl<T, A: ExactSizeIterator<Item = T>, B: ExactSizeIterator<Item = T>> ExactSizeIterator for Either<A, B> {}

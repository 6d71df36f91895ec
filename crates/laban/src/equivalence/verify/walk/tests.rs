//! Hashes of rows: a walk is right with bad ones, but takes hours.

use super::{NodeId, key, mix, share};
use std::collections::BTreeSet;

#[test]
fn rows_that_differ_in_one_or_two_states_have_hashes_that_differ() {
    let rows = (0..300u32).flat_map(|one| (one + 1..300).map(move |other| mix(one).wrapping_add(mix(other))));
    let hashes: BTreeSet<u64> = rows.collect();
    assert_eq!(hashes.len(), 300 * 299 / 2);
    // A table looks at one half of the hash only.
    let halves: BTreeSet<u64> = hashes.iter().map(|&hash| key(hash, NodeId(7)) >> 32).collect();
    assert!(halves.len() > 300 * 299 / 2 - 10, "{}", halves.len());
}

#[test]
fn a_row_has_another_hash_at_another_node() {
    for hash in [0, 1, u64::MAX, u64::MAX << 32, mix(3)] {
        let keys: BTreeSet<u64> = (0..1_000).map(|node| key(hash, NodeId(node)) >> 32).collect();
        assert!(keys.len() > 995, "{hash:x}: {}", keys.len());
    }
}

#[test]
fn each_shelf_gets_about_as_many_rows_as_the_others() {
    assert_eq!([0, 1 << 31, u64::from(u32::MAX)].map(|key| share(key, 32)), [0, 16, 31]);
    let mut rows = [0; 32];
    for state in 0..32_000 {
        rows[share(key(mix(state), NodeId(1)), 32)] += 1;
    }
    assert!(rows.iter().all(|count| (800..1_200).contains(count)), "{rows:?}");
}

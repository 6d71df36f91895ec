//! How much room queues may have: `--queue`.

use crate::common::{file, laban};

/// Three messages are sent before the first is taken.
const THREE: &str = "channels queue; a { main { b!<x>; b!<x>; b!<x>; c!<go>; stop } }
    | b { main { c?; a?; a?; a?; stop } } | c { main { a?; b!<go>; stop } }";

#[test]
fn a_network_that_needs_more_room_than_is_allowed_is_undecided() {
    let path = file("queue-room", "three.net", THREE);
    let enough = laban(&["extract", "--queue", "3", &path]);
    assert_eq!(enough.code, Some(0), "{}", enough.err);
    assert!(enough.err.contains("works with a queue of 3 from `a` to `b`"), "{}", enough.err);
    let short = laban(&["extract", "--queue", "2", &path]);
    assert_eq!((short.code, short.out.as_str()), (Some(3), ""));
    let why = "some queue needs room for more than 2 messages (`--queue` allows more); no failure so far";
    assert!(short.err.contains(why), "{}", short.err);
    let record = laban(&["extract", "--queue", "2", "--format", "json", &path]);
    assert!(record.out.contains("some queue needs room for more than 2 messages"), "{}", record.out);
}

#[test]
fn a_failure_is_found_although_queues_would_need_more_room() {
    let text = THREE.replace("c { main {", "d { main { stop } } | c { main { d!<lost>;");
    let path = file("queue-room", "lost.net", text);
    let run = laban(&["extract", "--queue", "2", &path]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.err.starts_with("error[orphan]: `d` never takes `lost` from `c`"), "{}", run.err);
}

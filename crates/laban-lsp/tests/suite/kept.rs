//! Conversations that are kept because the fuzzer found them worth it.

use crate::conversation::server_survives;
use std::fs;
use std::path::Path;

#[test]
fn any_conversation_ends() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../laban/tests/fuzz_corpus/server_survives");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        server_survives(&String::from_utf8_lossy(&fs::read(path).unwrap()));
    }
}

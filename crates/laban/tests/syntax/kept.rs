//! Texts that were of interest once: what the fuzzer starts from, and what it has found.

use crate::properties::{format_idempotent, parse_total};
use std::fs;
use std::path::Path;

fn for_each_kept(target: &str, check: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz_corpus").join(target);
    let mut files: Vec<_> =
        fs::read_dir(&folder).expect("the folder is there").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        eprintln!("{}", file.display());
        check(&fs::read(&file).expect("it can be read"));
    }
}

#[test]
fn parsing_is_total() {
    for_each_kept("parse_total", parse_total);
    for_each_kept("format_idempotent", parse_total);
}

#[test]
fn formatting_is_idempotent() {
    for target in ["parse_total", "format_idempotent"] {
        for_each_kept(target, |bytes| {
            format_idempotent(&String::from_utf8_lossy(bytes));
        });
    }
}

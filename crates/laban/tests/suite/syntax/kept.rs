//! Texts worth keeping: what the fuzzer starts from, and what it has found.

use super::generator::OnPanic;
use super::properties::{format_idempotent, parse_total, plain_is_general};
use std::path::Path;
use std::{fs, io};

fn for_each_kept(check: impl Fn(&[u8])) -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz_corpus");
    for target in ["parse_total", "format_idempotent", "plain_is_general"] {
        let mut files: Vec<_> = fs::read_dir(folder.join(target))?.collect::<Result<_, _>>()?;
        files.sort_by_key(fs::DirEntry::path);
        assert!(!files.is_empty());
        for file in files {
            let _file = OnPanic(file.path().display().to_string());
            check(&fs::read(file.path())?);
        }
    }
    Ok(())
}

#[test]
fn parsing_is_total() -> io::Result<()> {
    for_each_kept(parse_total)
}

#[test]
fn formatting_is_idempotent() -> io::Result<()> {
    for_each_kept(|bytes| {
        format_idempotent(&String::from_utf8_lossy(bytes));
    })
}

#[test]
fn what_is_plain_is_read_as_the_parser_reads_it() -> io::Result<()> {
    for_each_kept(|bytes| {
        plain_is_general(&String::from_utf8_lossy(bytes));
    })
}

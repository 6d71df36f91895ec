//! Any text: if it parses, its prints parse back to the same tree with the same comments, and printing again changes
//! nothing.

#![no_main]

#[path = "../../crates/laban/tests/suite/syntax/properties.rs"]
#[allow(dead_code)]
mod properties;

libfuzzer_sys::fuzz_target!(|source: &str| {
    properties::format_idempotent(source);
});

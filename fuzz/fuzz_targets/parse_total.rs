//! Any bytes: parsing ends with a sound tree, and says so when something is missing from it.

#![no_main]

#[path = "../../crates/laban/tests/suite/syntax/properties.rs"]
#[allow(dead_code)]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::parse_total(bytes));

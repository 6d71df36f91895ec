//! Any text, and any network with a few edits: what is read straight from its bytes gives what the parser alone gives.

#![no_main]

#[path = "../../crates/laban/tests/suite/syntax/properties.rs"]
#[allow(dead_code)]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(source) = std::str::from_utf8(bytes) {
        properties::plain_is_general(source);
    }
    properties::plain_is_general(&laban_fuzz::edited_network(bytes));
});

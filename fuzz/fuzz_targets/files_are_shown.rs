//! Any bytes, in a file with any name, Markdown included: what is wrong has its place, and can be shown.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laban_fuzz::files_are_shown(bytes));

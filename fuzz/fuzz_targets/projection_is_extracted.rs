//! Any choreography: its projection does what it says, and is extracted again.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laban_fuzz::projection_is_extracted(bytes));

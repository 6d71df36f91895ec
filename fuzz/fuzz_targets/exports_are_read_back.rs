//! Any choreography: what is written of it in other languages is read back, and diagrams can be amended.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laban_fuzz::exports_are_read_back(bytes));

//! Any network, with races and queues: what is extracted describes it.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laban_fuzz::extraction_is_certified(bytes));

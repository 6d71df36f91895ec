//! Any network without races: both searches and all strategies say the same.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laban_fuzz::searches_agree(bytes));

//! Any bytes, as a table of networks: each row reads back as it is.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laban_fuzz::tables_are_read(bytes));

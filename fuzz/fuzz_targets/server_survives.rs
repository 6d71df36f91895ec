//! Any messages: the language server answers, and ends when it is told to.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| laban_fuzz::server_survives(text));

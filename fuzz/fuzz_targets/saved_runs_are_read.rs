//! Any line: a saved result of the evaluation is read as it was written.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| laban_fuzz::saved_runs_are_read(text));

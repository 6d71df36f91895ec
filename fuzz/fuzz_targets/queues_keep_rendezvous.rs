//! Any network without races: what works by rendezvous works with queues, in the same way.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laban_fuzz::queues_keep_rendezvous(bytes));

//! The server as a client sees it: over a stream of bytes, in the words of the protocol's own types.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod actions;
mod bad_clients;
mod client;
#[allow(unreachable_pub)] // A fuzz target uses it, too.
mod conversation;
mod diagnostics;
mod editing;
mod edits;
mod kept;
mod navigation;
mod previews;
mod random;
mod renames;
mod work;

/// How many cases a law is tried on: so many, or `LABAN_TIMES` as many.
fn cases(usual: u64) -> u64 {
    usual * std::env::var("LABAN_TIMES").ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(1)
}

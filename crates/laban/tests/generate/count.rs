//! How often something is tried.

/// So many times, or `LABAN_TIMES` as many, as `scripts/differential` asks for.
pub(crate) fn cases(usual: u64) -> u64 {
    usual * std::env::var("LABAN_TIMES").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

//! How often something is tried: seldom, unless an environment variable asks for more.

/// The number in an environment variable, or another one.
pub(crate) fn count(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

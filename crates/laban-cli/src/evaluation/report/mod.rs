//! The report, made from the results and nothing else.

use super::run::{Key, Run};
use super::settings::Settings;
use std::collections::BTreeMap;

/// What is reported.
pub(crate) struct Report;

impl Report {
    pub(crate) fn new(_settings: &Settings, _runs: &BTreeMap<Key, Run>) -> Report {
        Report
    }

    /// The files to write, with their names.
    pub(crate) fn files(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    pub(crate) fn summary(&self) -> String {
        String::new()
    }
}

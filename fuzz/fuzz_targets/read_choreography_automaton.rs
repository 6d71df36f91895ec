//! Any text, as a choreography automaton: reading ends with a choreography that prints and reads back, or with an error.

#![no_main]

#[path = "../../crates/laban-formats/tests/suite/properties.rs"]
mod properties;

use laban_formats::Format;

libfuzzer_sys::fuzz_target!(|source: &str| properties::read_total(Format::ChoreographyAutomaton, source));

//! The laws of parsing and printing.

mod broken;
mod channels;
mod deep;
mod generator;
mod kept;
mod layout;
mod properties;
mod recovery;
mod round_trip;
mod values;

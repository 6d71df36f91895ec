//! A run of a network, and what is printed about it: for `laban run`.
//!
//! The library runs the network; this module shows the run. [`words`] has the lines of text, and
//! [`dialogue`] asks a person what should happen next: [`order`] understands the answers, which come from the
//! [`keyboard`].

pub(crate) mod dialogue;
mod keyboard;
mod order;
pub(crate) mod words;

//! The `laban` command.
fn main() {}

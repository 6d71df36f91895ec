//! Large networks for measurements: `cargo run --release --example large -- SHAPE SIZE [PROCESSES] > large.net`.

#[path = "../benches/shapes/mod.rs"]
mod shapes;

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: usize| arguments.get(at).map_or(Some(default), |text| text.parse().ok());
    let text = match (arguments.first(), number(1, 1000), number(2, 6)) {
        (Some(shape), Some(size), Some(processes)) => shapes::named(shape, size, processes),
        _ => None,
    };
    let Some(text) = text else {
        eprintln!("usage: large SHAPE SIZE [PROCESSES], where SHAPE is one of {}", shapes::NAMES.join(", "));
        return ExitCode::from(2);
    };
    match std::io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

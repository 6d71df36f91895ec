//! How long a request takes without a browser, in microseconds: the average of so many. `scripts/check-playground`
//! compares it with the same in a page.
//!
//!     cargo run --release -p laban-wasm --example time_request -- 1000 < request.json

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let times: u32 = std::env::args().nth(1).unwrap_or_default().parse()?;
    let request = std::io::read_to_string(std::io::stdin())?;
    let start = Instant::now();
    for _ in 0..times {
        black_box(laban_wasm::answer(black_box(&request)));
    }
    println!("{}", start.elapsed().as_secs_f64() * 1e6 / f64::from(times));
    Ok(())
}

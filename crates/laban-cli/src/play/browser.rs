//! Opens an address in the browser of the user.

use std::io;
use std::process::{Command, Stdio};
use std::thread;

/// Asks the system to open an address. An error if there is nobody to ask.
pub(crate) fn open(address: &str) -> io::Result<()> {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(before).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    // Whether it worked, the user sees.
    let _ = thread::Builder::new().spawn(move || child.wait());
    Ok(())
}

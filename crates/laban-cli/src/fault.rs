//! Faults of the program itself: an answer that fails its own check, or a panic. Exit status 4.
//!
//! A thread for which the system has no memory left panics before anything of ours runs in it. That is no fault, and
//! nothing is decided.

use crate::exit::Exit;
use laban_report::{FAULT, on_one_line};
use std::io::{self, Write};
use std::panic::{self, PanicHookInfo};

pub(crate) use laban_report::fault as message;

/// From now on, a panic ends the program with the status of a fault, and says what a report of it needs.
pub(crate) fn handle_panics() {
    panic::set_hook(Box::new(|panic| {
        let payload = panic.payload();
        let message = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
        let message = on_one_line(message.unwrap_or("no message"));
        let (said, exit) = match is_exhaustion(&message) {
            true => (format!("error: the system has no memory left: {message}\n"), Exit::Undecided),
            false => (description(panic, &message), Exit::Fault),
        };
        // There is nobody left to tell if this fails.
        let _ = io::stderr().write_all(said.as_bytes());
        std::process::exit(i32::from(exit.code()));
    }));
}

/// Whether this is what the library of the language says when a thread has started and there is no memory for the rest
/// of it.
fn is_exhaustion(message: &str) -> bool {
    message.starts_with("failed to allocate an alternative stack")
        || message.starts_with("failed to set up alternative stack guard page")
}

fn description(panic: &PanicHookInfo<'_>, message: &str) -> String {
    let place = panic.location().map_or_else(String::new, |location| format!(" at {location}"));
    let arguments: Vec<String> = std::env::args_os().skip(1).map(|word| format!(" {word:?}")).collect();
    let (version, system, machine) = (env!("CARGO_PKG_VERSION"), std::env::consts::OS, std::env::consts::ARCH);
    format!(
        "\nerror: {FAULT}, with the input if you can\n  \
         version: laban {version}, {system} {machine}\n  \
         command: laban{}\n  \
         panic{place}: {message}\n",
        arguments.concat()
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic, clippy::unwrap_used)]
    use std::process::Command;

    const CHILD: &str = "LABAN_TEST_PANICS";

    #[test]
    fn a_panic_is_a_fault_with_a_status_of_its_own() {
        if std::env::var_os(CHILD).is_some() {
            super::handle_panics();
            std::thread::scope(|scope| scope.spawn(|| panic!("on purpose")).join().unwrap());
        }
        let test = "fault::tests::a_panic_is_a_fault_with_a_status_of_its_own";
        let mut child = Command::new(std::env::current_exe().unwrap());
        let output = child.args([test, "--exact", "--nocapture"]).env(CHILD, "1").output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{message}");
        for part in ["this is a fault in laban, please report it", "version: laban ", "fault.rs", "on purpose"] {
            assert!(message.contains(part), "{part}: {message}");
        }
    }
}

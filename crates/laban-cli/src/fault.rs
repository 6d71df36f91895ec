//! Faults of the program itself: an answer that fails its own check, or a panic. Exit status 4.

use crate::exit::Exit;
use laban_report::{FAULT, on_one_line};
use std::io::{self, Write};
use std::panic::{self, PanicHookInfo};

pub(crate) use laban_report::fault as message;

/// From now on, a panic ends the program with the status of a fault, and says what a report of it needs.
pub(crate) fn handle_panics() {
    panic::set_hook(Box::new(|panic| {
        // There is nobody left to tell if this fails.
        let _ = io::stderr().write_all(description(panic).as_bytes());
        std::process::exit(i32::from(Exit::Fault.code()));
    }));
}

fn description(panic: &PanicHookInfo<'_>) -> String {
    let place = panic.location().map_or_else(String::new, |location| format!(" at {location}"));
    let payload = panic.payload();
    let message = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    let message = on_one_line(message.unwrap_or("no message"));
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

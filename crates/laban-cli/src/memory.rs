//! How much memory there is, how much is used, and what happens when there is none left.
//!
//! Work that grows asks from time to time whether it should stop: it does when the program has more memory than it may,
//! which is half of what there is unless the user says otherwise. The rest is for what grows by leaps, and for what is
//! not asked. Where even that does not do, the system has no memory left to give, and the program ends at once; the
//! status says that nothing was decided, as it does whenever a limit was reached.

use crate::exit::Exit;
use cap::Cap;
use mimalloc::MiMalloc;

/// It counts what it gives out.
#[global_allocator]
static ALLOCATOR: Cap<MiMalloc> = Cap::new(MiMalloc, usize::MAX);

/// How many bytes are in use.
pub(crate) fn used() -> usize {
    ALLOCATOR.allocated()
}

/// How many bytes may be used if the user does not say: half of what there is, or no limit if nobody knows.
pub(crate) fn default_limit() -> usize {
    // The system's memory, and that of a container.
    let memory = [system(), container()].into_iter().flatten().min().map(|most| most / 2);
    // What the shell allows (`ulimit -v`) counts addresses, of which an allocator takes more than it gives out.
    let addresses = allowed().map(|most| most / 3);
    memory.into_iter().chain(addresses).min().unwrap_or(usize::MAX)
}

/// From now on, an allocation that fails ends the program with the status of what is undecided. The library of the
/// language writes how much was asked for, and aborts.
#[cfg(unix)]
pub(crate) fn handle_exhaustion() {
    use signal_hook::{consts::SIGABRT, flag::register_conditional_shutdown};
    use std::sync::{Arc, atomic::AtomicBool};
    let always = Arc::new(AtomicBool::new(true));
    // Without it, the program aborts.
    let _ = register_conditional_shutdown(SIGABRT, i32::from(Exit::Undecided.code()), always);
}

/// Elsewhere, the program aborts.
#[cfg(not(unix))]
pub(crate) fn handle_exhaustion() {
    let _ = Exit::Undecided;
}

fn system() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

fn container() -> Option<usize> {
    std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok()?.trim().parse().ok()
}

#[cfg(unix)]
fn allowed() -> Option<usize> {
    use rustix::process::{Resource, getrlimit};
    usize::try_from(getrlimit(Resource::As).current?).ok()
}

#[cfg(not(unix))]
fn allowed() -> Option<usize> {
    None
}

/// Reads a number of bytes, such as `500M`.
pub(crate) fn bytes(text: &str) -> Result<usize, String> {
    let expected = || "expected a number of bytes, such as 500M or 4G".to_string();
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let unit: usize = match &text[digits.len()..] {
        "" => 1,
        "k" | "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return Err(expected()),
    };
    let number: usize = digits.parse().map_err(|_| expected())?;
    match number.checked_mul(unit) {
        Some(0) => Err("must be more than 0".to_string()),
        Some(bytes) => Ok(bytes),
        None => Err("that is more than can be counted".to_string()),
    }
}

/// A number of bytes as people say it: 500 MB for 500M.
pub(crate) fn shown(bytes: usize) -> String {
    match bytes {
        0..0x10_0000 => format!("{} kB", bytes.div_ceil(1 << 10)),
        0x10_0000..0x4000_0000 => format!("{} MB", bytes >> 20),
        _ => format!("{:.1} GB", (bytes >> 20) as f64 / 1024.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_bytes_has_a_unit() {
        assert_eq!(bytes("4096"), Ok(4096));
        assert_eq!(bytes("64k"), Ok(64 << 10));
        assert_eq!(bytes("500M"), Ok(500 << 20));
        assert_eq!(bytes("4G"), Ok(4 << 30));
        for wrong in ["", "M", "4T", "-1", "0", "1.5G", "99999999999G", "4é"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn bytes_are_shown_in_a_unit_that_fits() {
        assert_eq!(shown(1), "1 kB");
        assert_eq!(shown(500 << 20), "500 MB");
        assert_eq!(shown(3 << 29), "1.5 GB");
    }

    #[test]
    fn what_is_allocated_is_counted() {
        // Other tests may give back theirs meanwhile.
        let much = vec![1u8; 1 << 26];
        assert!(used() >= much.len());
    }
}

//! Exit statuses.

use std::process::ExitCode;

pub(crate) use laban_report::Exit;

/// What the process ends with.
pub(crate) fn status(exit: Exit) -> ExitCode {
    ExitCode::from(exit.code())
}

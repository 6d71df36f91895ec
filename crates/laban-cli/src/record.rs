//! The answer for a network, with what only the command knows of it: files that cannot be read, and times.

use laban_report::{Record, Refused};
use std::time::Duration;

/// A network of which there is nothing to search: the first mistake in it, or the first file that cannot be read.
pub(crate) fn refused(file: String, refused: &[Refused]) -> Record {
    for one in refused {
        if let Refused::Mistakes { diagnostics, parses, .. } = one {
            let outcome = if *parses { "ill-formed" } else { "syntax-error" };
            return Record::ill_formed(file, None, outcome, diagnostics);
        }
    }
    let message = refused.iter().find_map(|one| match one {
        Refused::Message { message, .. } => Some(message.clone()),
        Refused::Mistakes { .. } => None,
    });
    Record::unusable(file, None, "unreadable", message.unwrap_or_default())
}

/// Notes how long it took.
pub(crate) fn timed(mut record: Record, parse: Duration, extract: Duration) -> Record {
    record.parse_us = Some(micros(parse));
    record.extract_us = Some(micros(extract));
    record
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

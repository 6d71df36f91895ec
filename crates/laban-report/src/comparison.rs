//! The answers of comparisons, as sentences.

use laban::StopReason;
use laban::diagnostic::Note;
use laban::equivalence::{Comparison, Difference, Equivalence};

/// What is said of a choreography without a projection.
pub const BOUNDED: &str = "has no projection: compared as it is written, within bounds";

/// Whether two systems can do the same.
pub fn comparison_sentence(comparison: &Comparison, [first, second]: [&str; 2], is_interrupted: bool) -> String {
    match &comparison.answer {
        Equivalence::Same { ends: None, .. } => format!("{first} and {second} can do the same"),
        Equivalence::Same { ends: Some(ends), .. } => {
            format!("{first} and {second} can do the same\n{}", different_ends(ends, [first, second]))
        }
        Equivalence::Different(difference) => {
            format!("{first} and {second} differ: {}", told(difference, [first, second]))
        }
        Equivalence::Undecided { reason, .. } => not_known(*reason, [first, second], is_interrupted),
    }
}

/// That two systems that can do the same end differently.
pub fn different_ends(ends: &Difference, names: [&str; 2]) -> String {
    format!("but they end differently: {}", told(ends, names))
}

/// A difference, with the run below it if that is long.
fn told(difference: &Difference, [first, second]: [&str; 2]) -> String {
    let mut text = difference.summary(first, second);
    for (index, line) in difference.note().iter().flat_map(Note::lines).enumerate() {
        text.push_str(if index == 0 { "\n  " } else { "\n    " });
        text.push_str(&line);
    }
    text
}

/// That it is not known whether two systems can do the same.
pub fn not_known(reason: StopReason, names: [&str; 2], is_interrupted: bool) -> String {
    let why = match reason {
        _ if is_interrupted => "interrupted".to_string(),
        StopReason::Queues(_) | StopReason::SilentChoice => return format!("{reason}; {}", so_far(names)),
        _ => "not known within the limits".to_string(),
    };
    format!("{why}: {}", so_far(names))
}

fn so_far([first, second]: [&str; 2]) -> String {
    format!("no difference between {first} and {second} so far")
}

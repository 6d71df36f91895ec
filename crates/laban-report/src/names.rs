//! Names of processes that do not exist.

use crate::source::on_one_line;
use laban::diagnostic::{closest, quote};

/// Says that there is no process of this name, and which one may be meant: one with a similar name, or one of these.
pub fn no_process<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    const MOST_NAMES: usize = 8;
    let names: Vec<&str> = names.into_iter().collect();
    let mut listed: Vec<String> = names.iter().take(MOST_NAMES).map(|name| quote(name)).collect();
    if names.len() > MOST_NAMES {
        listed.push("…".to_string());
    }
    let meant = match (closest(name, names), listed.as_slice()) {
        (Some(meant), _) => format!("; did you mean {}?", quote(meant)),
        (None, []) => String::new(),
        (None, [one]) => format!("; the only one is {one}"),
        (None, _) => format!("; there are {}", listed.join(", ")),
    };
    format!("there is no process {}{meant}", quote(&on_one_line(name)))
}

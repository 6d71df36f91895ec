//! What was probably meant by a name that nothing has.

use laban::diagnostic::{closest, quote};

/// That there is no process of this name, and who may be meant; `option` is where the name stands.
pub(crate) fn no_process<'a>(option: &str, name: &str, processes: impl IntoIterator<Item = &'a str>) -> String {
    format!("{option}: there is no process {}{}", quote(name), did_you_mean(closest(name, processes)))
}

/// The question at the end of a message; nothing if there is nothing to ask.
pub(crate) fn did_you_mean(meant: Option<&str>) -> String {
    meant.map_or(String::new(), |meant| format!("; did you mean {}?", quote(meant)))
}

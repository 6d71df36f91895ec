//! URIs of documents: as keys, and as paths of files.
//!
//! Clients spell the same file in different ways (`%3A` or `:`), so documents are known by their path. What is not a
//! file, such as a text that was never saved, is known by its URI as it is.

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use std::path::{Path, PathBuf};

/// What cannot be written in the path of a URI as it is.
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}')
    .add(b'\\');

/// What a document is known by.
pub(crate) fn key(uri: &str) -> String {
    match path(uri) {
        Some(path) => path.to_string_lossy().into_owned(),
        None => uri.to_string(),
    }
}

/// The file that a URI names, if it does.
pub(crate) fn path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    // The name of a machine may come first.
    let path = &rest[rest.find('/')?..];
    let decoded = percent_decode_str(path).decode_utf8().ok()?;
    // `/c:/x` on systems where drives have letters.
    let is_drive = cfg!(windows) && decoded.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if is_drive { &decoded[1..] } else { &decoded }))
}

/// The URI of a file.
pub(crate) fn of_path(path: &Path) -> String {
    let text = path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
    let slash = if text.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{}", utf8_percent_encode(&text, ENCODED))
}

/// The last part of a URI or path: what people call the file.
pub(crate) fn name(key: &str) -> &str {
    key.rsplit(['/', '\\']).next().unwrap_or(key)
}

/// The folder that a file is in, as the first part of its key; nothing for what is not a file.
pub(crate) fn folder(key: &str) -> Option<&str> {
    let is_file = Path::new(key).is_absolute();
    key.rfind(['/', '\\']).filter(|_| is_file).map(|at| &key[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_the_same_however_it_is_spelled() {
        assert_eq!(key("file:///tmp/a%20b/k%C3%A4ufer.net"), "/tmp/a b/käufer.net");
        assert_eq!(key("file:///tmp/a b/käufer.net"), "/tmp/a b/käufer.net");
        assert_eq!(of_path(Path::new("/tmp/a b/50%.net")), "file:///tmp/a%20b/50%25.net");
        assert_eq!(key(&of_path(Path::new("/tmp/a b/50%.net"))), "/tmp/a b/50%.net");
    }

    #[test]
    fn what_is_not_a_file_is_known_by_its_uri() {
        for uri in ["untitled:Untitled-1", "", "file://", "file://machine", "http://x/y.net"] {
            assert_eq!(key(uri), uri);
            assert_eq!(folder(uri), None);
        }
        assert_eq!(folder("/tmp/x.net"), Some("/tmp"));
        assert_eq!(name("/tmp/x.net"), "x.net");
    }
}

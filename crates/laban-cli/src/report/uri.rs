//! Where a file is, for programs on other machines: relative to where the command was run.

use laban::text::visible;
use laban_report::File;
use std::path::{Component, Path, PathBuf};

/// The path of a file as it is shown, relative if it is below the current directory, with slashes; the name of what is
/// no file.
pub(super) fn path(file: &File) -> String {
    let Some(path) = &file.path else { return file.name.clone() };
    visible(&relative(path).to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")).into_owned()
}

/// The same as a reference of RFC 3986: whatever is not surely harmless is encoded, and so is a colon, which would make
/// a scheme of what is before it.
pub(super) fn reference(file: &File) -> String {
    let Some(path) = &file.path else { return encoded(file.name.as_bytes()) };
    let path = relative(path);
    let parts = path.components().filter_map(|component| match component {
        Component::CurDir | Component::RootDir => None,
        other => Some(encoded(other.as_os_str().as_encoded_bytes())),
    });
    let parts = parts.collect::<Vec<_>>().join("/");
    match path.is_absolute() {
        true => format!("file:///{parts}"),
        false => parts,
    }
}

fn relative(path: &Path) -> PathBuf {
    let here = std::env::current_dir().ok().filter(|_| path.is_absolute());
    let path = match here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_path_buf)) {
        Some(inner) => inner,
        None => path.to_path_buf(),
    };
    path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path)
}

fn encoded(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => text.push(char::from(byte)),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str) -> String {
        reference(&File { name: String::new(), path: Some(PathBuf::from(path)) })
    }

    #[test]
    fn a_reference_is_relative_and_encoded() {
        assert_eq!(of("services/alice.net"), "services/alice.net");
        assert_eq!(of("./alice.net"), "alice.net");
        assert_eq!(of("../a b/c:d%.net"), "../a%20b/c%3Ad%25.net");
        assert_eq!(of("é.net"), "%C3%A9.net");
        assert_eq!(reference(&File { name: "<stdin>".to_string(), path: None }), "%3Cstdin%3E");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_not_below_the_current_directory_is_absolute() {
        let here = std::env::current_dir().unwrap_or_default();
        assert_eq!(of(&here.join("x y.net").to_string_lossy()), "x%20y.net");
        assert_eq!(of("/no/such dir/x.net"), "file:///no/such%20dir/x.net");
    }
}

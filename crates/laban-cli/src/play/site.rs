//! The files of the page. All of them are in memory before anybody asks: a request names one of them or nothing, so
//! there is no way to any other file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// The page as it was when this program was built; nothing, if it was not there.
const PAGE: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// More than this is not a page.
const MOST_FILES: usize = 1000;
const MOST_BYTES: u64 = 256 << 20;

/// What is served.
pub(crate) struct Site {
    files: BTreeMap<String, Cow<'static, [u8]>>,
    /// Where a browser is sent that asks for the text it was started with.
    opened: Option<String>,
}

/// The address that leads to the text.
pub(crate) const OPENED: &str = "/open";

/// What there is to say to a request.
pub(crate) enum Found<'a> {
    /// A file, and what it is.
    File(&'a [u8], &'static str),
    /// It is somewhere else.
    Elsewhere(&'a str),
    /// There is no such file.
    Nothing,
}

impl Site {
    /// The page of this program, if there is one.
    pub(crate) fn built_in() -> Option<Site> {
        let files = PAGE.iter().map(|&(name, bytes)| (format!("/{name}"), Cow::Borrowed(bytes)));
        Some(Site { files: files.collect(), opened: None }).filter(|site| site.files.contains_key("/index.html"))
    }

    /// The page in a folder. Links in it are not followed, and hidden files are left out.
    pub(crate) fn of_folder(folder: &Path) -> io::Result<Site> {
        let (mut files, mut bytes) = (BTreeMap::new(), 0);
        let mut work = vec![(folder.to_path_buf(), String::from("/"))];
        while let Some((folder, before)) = work.pop() {
            for entry in fs::read_dir(&folder)? {
                let entry = entry?;
                let (kind, name) = (entry.file_type()?, entry.file_name());
                let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
                let name = format!("{before}{name}");
                if kind.is_dir() {
                    work.push((entry.path(), format!("{name}/")));
                } else if kind.is_file() {
                    bytes += entry.metadata()?.len();
                    if files.len() >= MOST_FILES || bytes > MOST_BYTES {
                        return Err(io::Error::other("it is too large to be a page"));
                    }
                    files.insert(name, Cow::Owned(fs::read(entry.path())?));
                }
            }
        }
        match files.contains_key("/index.html") {
            true => Ok(Site { files, opened: None }),
            false => Err(io::Error::other("there is no index.html in it")),
        }
    }

    /// The same, with an address that leads to a text in the page.
    pub(crate) fn opening(self, address: String) -> Site {
        Site { opened: Some(address), ..self }
    }

    /// What a path names.
    pub(crate) fn find(&self, path: &str) -> Found<'_> {
        if let (OPENED, Some(address)) = (path, &self.opened) {
            return Found::Elsewhere(address);
        }
        let name = if path == "/" { "/index.html" } else { path };
        match self.files.get(name) {
            Some(bytes) => Found::File(bytes, content_type(name)),
            None => Found::Nothing,
        }
    }
}

/// What a file is, by its name.
fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" | "map" => "application/json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "webmanifest" => "application/manifest+json",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

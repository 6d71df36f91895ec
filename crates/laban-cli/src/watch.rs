//! Files that are looked at again and again, until they change.
//!
//! What counts is the content: a file that is saved as it was has not changed. Editors write files in several ways,
//! some empty a file first and some put another one in its place, so a change counts only when it has been seen twice
//! in a row, and a file may be missing for a moment.

use crate::interrupt::is_interrupted;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How often the files are looked at.
const PAUSE: Duration = Duration::from_millis(200);
/// How often a file has to be missing before that is a change.
const MISSING: usize = 5;
/// Larger files are read only when something else about them has changed.
const LARGE: u64 = 1 << 20;

/// Files, and what was in them when they were last looked at.
pub(crate) struct Watch<'a> {
    files: Vec<Watched<'a>>,
}

struct Watched<'a> {
    path: &'a Path,
    /// What was in it when a change was last reported.
    reported: Option<u64>,
    /// What was in it when it was last looked at, and how often in a row.
    seen: (Option<u64>, usize),
    stamp: Option<(SystemTime, u64)>,
}

impl<'a> Watch<'a> {
    /// The files as they are now.
    pub(crate) fn new(paths: &'a [PathBuf]) -> Self {
        let watched = |path: &'a PathBuf| {
            let mut file = Watched { path, reported: None, seen: (None, 0), stamp: None };
            file.look();
            file.reported = file.seen.0;
            file
        };
        Watch { files: paths.iter().map(watched).collect() }
    }

    /// Waits until some files have changed, and names them, with whether they are still there. Nothing after an
    /// interrupt.
    pub(crate) fn changed(&mut self) -> Option<Vec<(&'a Path, bool)>> {
        loop {
            if is_interrupted() {
                return None;
            }
            self.files.iter_mut().for_each(Watched::look);
            let is_settled = self.files.iter().all(Watched::is_settled);
            let changed = self.files.iter_mut().filter(|file| is_settled && file.seen.0 != file.reported);
            let changed: Vec<(&Path, bool)> = changed
                .map(|file| {
                    file.reported = file.seen.0;
                    (file.path, file.reported.is_some())
                })
                .collect();
            if !changed.is_empty() {
                return Some(changed);
            }
            std::thread::sleep(PAUSE);
        }
    }
}

impl Watched<'_> {
    fn look(&mut self) {
        let stamp = fs::metadata(self.path).ok().and_then(|metadata| Some((metadata.modified().ok()?, metadata.len())));
        let is_large = stamp.is_some_and(|(_, length)| length > LARGE);
        let content = match is_large && stamp == self.stamp {
            true => self.seen.0,
            false => content(self.path),
        };
        self.stamp = stamp;
        match content == self.seen.0 {
            true => self.seen.1 += 1,
            false => self.seen = (content, 1),
        }
    }

    /// Whether it is as it was when last reported, or has been otherwise for long enough.
    fn is_settled(&self) -> bool {
        let (content, times) = self.seen;
        content == self.reported || times >= if content.is_some() { 2 } else { MISSING }
    }
}

/// A number for what is in a file; nothing if it cannot be read.
fn content(path: &Path) -> Option<u64> {
    let mut file = File::open(path).ok()?;
    let (mut hasher, mut buffer) = (DefaultHasher::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer).ok()? {
            0 => return Some(hasher.finish()),
            length => hasher.write(buffer.get(..length)?),
        }
    }
}

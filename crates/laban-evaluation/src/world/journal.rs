//! The results so far: a file to which one line is added for each, at once.
//!
//! A program that is killed may leave half a line at the end. It is cut off when the file is opened again.

use crate::Shard;
use crate::run::{Key, Run};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file of results.
pub struct Journal {
    file: File,
}

impl Journal {
    /// The file for the results of a shard, or of all.
    pub fn path(directory: &Path, shard: Option<Shard>) -> PathBuf {
        directory.join(match shard {
            None => "runs.csv".to_string(),
            Some(Shard { number, of }) => format!("runs-{number}-of-{of}.csv"),
        })
    }

    /// Opens it, with the results that are there already.
    pub fn open(path: &Path) -> Result<(Journal, BTreeMap<Key, Run>), String> {
        let failed = |error: io::Error| format!("cannot write {}: {error}", path.display());
        let text = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(failed(error)),
        };
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let known = parse(path, &String::from_utf8_lossy(&text[..whole]))?;
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        file.set_len(whole as u64).map_err(failed)?;
        if whole == 0 {
            writeln!(file, "{}", Run::HEADER).map_err(failed)?;
        }
        Ok((Journal { file }, known))
    }

    /// Adds a result. One write, so that it is there even if we are killed right after.
    pub fn add(&mut self, run: &Run) -> io::Result<()> {
        self.file.write_all(format!("{run}\n").as_bytes())
    }
}

fn parse(path: &Path, text: &str) -> Result<BTreeMap<Key, Run>, String> {
    let mut lines = text.lines().enumerate();
    match lines.next() {
        None => return Ok(BTreeMap::new()),
        Some((_, Run::HEADER)) => {}
        Some(_) => return Err(format!("{} is not a file of results: its first line is not ours", path.display())),
    }
    let mut runs = BTreeMap::new();
    for (number, line) in lines {
        let run =
            Run::parse(line).ok_or_else(|| format!("{}, line {}: this is not a result", path.display(), number + 1))?;
        runs.insert(run.key.clone(), run);
    }
    Ok(runs)
}

/// All results in a directory, of all shards.
pub fn read_all(directory: &Path) -> Result<BTreeMap<Key, Run>, String> {
    let unreadable = |error: io::Error| format!("cannot read {}: {error}", directory.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name == "runs.csv" || (name.starts_with("runs-") && name.ends_with(".csv")) {
            paths.push(path);
        }
    }
    paths.sort();
    let mut runs = BTreeMap::new();
    for path in paths {
        let bytes = fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        // A shard that is still running may be in the middle of a line.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        runs.extend(parse(&path, &String::from_utf8_lossy(&bytes[..whole]))?);
    }
    Ok(runs)
}

//! Networks from TSV files, single files and directories, one by one.
//!
//! A separate thread reads them, a few ahead, so that an interrupt ends the wait for input that may never come.

use crate::input::Unreadable;
use crate::stdin::{Received, receive};
use laban_formats::Format;
use laban_report::{TableRow, on_one_line, table_row};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};

/// A network as text, and where it comes from.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) file: String,
    /// The name that a TSV file gives it, or the name of its own file.
    pub(crate) id: Option<String>,
    pub(crate) bytes: Vec<u8>,
    /// The language of another tool that it is in.
    pub(crate) format: Option<Format>,
}

/// How many networks are handed over at a time, if so many are there: to wake somebody up for each takes long.
const AT_A_TIME: usize = 16;

/// How many times as many may be read before somebody works on them.
const READ_AHEAD: usize = 2;

/// All networks below some paths, in the order of the paths; files of a directory in the order of their names.
pub(crate) struct Networks {
    /// Paths still to be read, the next one last.
    paths: Vec<PathBuf>,
    table: Option<Table>,
    bytes_read: u64,
    /// The language of files that do not end in `.net`, if it is known.
    from: Option<Format>,
}

/// A network that was read, or what went wrong on the way to it.
pub(crate) struct Arrived {
    pub(crate) text: io::Result<Text>,
    /// How many bytes have been read so far.
    pub(crate) bytes_read: u64,
}

/// Networks that are read one by one.
pub(crate) enum Coming {
    /// By a thread; and those that it has handed over.
    Ahead(Receiver<Vec<Arrived>>, std::vec::IntoIter<Arrived>),
    /// By whoever wants them: the system gives us no thread, and an interrupt has to wait.
    Here(Networks),
}

impl Coming {
    /// Waits for the next network.
    pub(crate) fn receive(&mut self, is_stopped: impl Fn() -> bool) -> Received<Arrived> {
        match self {
            _ if is_stopped() => Received::Stopped,
            Coming::Ahead(receiver, here) => loop {
                if let Some(arrived) = here.next() {
                    return Received::Item(arrived);
                }
                match receive(receiver, &is_stopped) {
                    Received::Item(arrived) => *here = arrived.into_iter(),
                    Received::End => return Received::End,
                    Received::Stopped => return Received::Stopped,
                }
            },
            Coming::Here(networks) => networks.arrive().map_or(Received::End, Received::Item),
        }
    }
}

/// A TSV file that is being read.
struct Table {
    name: String,
    reader: BufReader<Box<dyn Read + Send>>,
    /// Whether it is a file, which never makes its reader wait, and not a pipe.
    is_file: bool,
    line: usize,
    /// The line that was read last; it is used again.
    text: Vec<u8>,
}

impl Networks {
    /// Starts to read what is below these paths.
    pub(crate) fn start(paths: &[PathBuf], from: Option<Format>) -> Coming {
        let networks = || Networks { paths: paths.iter().rev().cloned().collect(), table: None, bytes_read: 0, from };
        let (sender, receiver) = sync_channel(READ_AHEAD);
        let mut ahead = networks();
        let reading = std::thread::Builder::new().spawn(move || {
            let mut arrived = Vec::new();
            loop {
                let next = ahead.arrive();
                let is_end = next.is_none();
                arrived.extend(next);
                if !is_end && arrived.len() < AT_A_TIME && ahead.has_line() {
                    continue;
                }
                // Nobody waits for the rest after an interrupt.
                if !arrived.is_empty() && sender.send(std::mem::take(&mut arrived)).is_err() || is_end {
                    return;
                }
            }
        });
        match reading {
            Ok(_) => Coming::Ahead(receiver, Vec::new().into_iter()),
            Err(_) => Coming::Here(networks()),
        }
    }

    /// Whether there is a line that can be read without waiting for it.
    fn has_line(&self) -> bool {
        let Some(Table { reader, is_file, .. }) = &self.table else { return false };
        !reader.buffer().is_empty() && (*is_file || reader.buffer().contains(&b'\n'))
    }

    fn arrive(&mut self) -> Option<Arrived> {
        let text = self.next()?;
        Some(Arrived { text, bytes_read: self.bytes_read })
    }

    /// The next network, or what went wrong on the way to it.
    fn next(&mut self) -> Option<io::Result<Text>> {
        loop {
            if let Some(table) = &mut self.table {
                match table.next(&mut self.bytes_read) {
                    Some(text) => return Some(text),
                    None => self.table = None,
                }
            }
            let path = self.paths.pop()?;
            let name = on_one_line(&path.to_string_lossy());
            match self.open(&path, &name) {
                Ok(None) => {}
                Ok(Some(text)) => return Some(Ok(text)),
                Err(error) => {
                    let unreadable = Unreadable { name, error };
                    return Some(Err(io::Error::new(unreadable.error.kind(), unreadable.to_string())));
                }
            }
        }
    }

    /// A network, if the path is a single one; otherwise it is read later.
    fn open(&mut self, path: &Path, name: &str) -> io::Result<Option<Text>> {
        if path.as_os_str() == "-" {
            self.table = Some(Table::new("<stdin>", Box::new(io::stdin()), false));
            return Ok(None);
        }
        let about = fs::metadata(path)?;
        if about.is_dir() {
            let mut inside = networks_in(path)?;
            inside.sort_unstable();
            self.paths.extend(inside.into_iter().rev());
            return Ok(None);
        }
        let format = if is_network(path) { None } else { self.from.or_else(|| format_of(path)) };
        if is_network(path) || format.is_some() {
            let bytes = fs::read(path)?;
            self.bytes_read += bytes.len() as u64;
            let id = path.file_stem().map(|stem| on_one_line(&stem.to_string_lossy()));
            return Ok(Some(Text { file: name.to_string(), id, bytes, format }));
        }
        self.table = Some(Table::new(name, Box::new(File::open(path)?), about.is_file()));
        Ok(None)
    }
}

impl Table {
    fn new(name: &str, reader: Box<dyn Read + Send>, is_file: bool) -> Self {
        let reader = BufReader::with_capacity(1 << 16, reader);
        Table { name: name.to_string(), reader, is_file, line: 0, text: Vec::new() }
    }

    fn next(&mut self, bytes_read: &mut u64) -> Option<io::Result<Text>> {
        loop {
            let line = &mut self.text;
            line.clear();
            match self.reader.read_until(b'\n', line) {
                Ok(0) => return None,
                Ok(count) => *bytes_read += count as u64,
                Err(error) => {
                    let message = format!("cannot read {} after line {}: {error}", self.name, self.line);
                    // What cannot be read now cannot be read next time either.
                    self.reader = BufReader::new(Box::new(io::empty()));
                    return Some(Err(io::Error::new(error.kind(), message)));
                }
            }
            self.line += 1;
            let Some(TableRow { name, network }) = table_row(line, self.line) else { continue };
            let bytes = line[network].to_vec();
            return Some(Ok(Text { file: self.name.clone(), id: Some(name), bytes, format: None }));
        }
    }
}

/// The networks and directories in a directory. Links to directories are left out: they may lead back.
fn networks_in(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut inside = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() || !path.is_dir() && (is_network(&path) || is_network_of_another_tool(&path)) {
            inside.push(path);
        }
    }
    Ok(inside)
}

fn is_network(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("net"))
}

/// How much of a file is looked at to find out its language.
const GLANCE: u64 = 1 << 14;

/// The language of another tool that a file is in, by its beginning.
fn format_of(path: &Path) -> Option<Format> {
    // Its name says what it is, which saves a look at what may be long.
    if path.extension().is_some_and(|extension| extension == "tsv") {
        return None;
    }
    // What comes through a pipe can be read only once.
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut start = Vec::new();
    File::open(path).ok()?.take(GLANCE).read_to_end(&mut start).ok()?;
    Format::of(&path.to_string_lossy(), &String::from_utf8_lossy(&start)).filter(|format| format.is_read())
}

/// Whether a file has a whole network in the language of another tool.
fn is_network_of_another_tool(path: &Path) -> bool {
    matches!(format_of(path), Some(Format::Fsa | Format::Kmc | Format::MpstkContext))
}

/// How many bytes there are below these paths, if that is known.
pub(crate) fn total_size(paths: &[PathBuf]) -> Option<u64> {
    paths.iter().map(|path| size(path)).sum()
}

/// How many bytes there are below a path; nothing if that is not known.
fn size(path: &Path) -> Option<u64> {
    if path.as_os_str() == "-" {
        return None;
    }
    let mut sum = 0;
    let mut paths = vec![path.to_path_buf()];
    while let Some(path) = paths.pop() {
        match fs::metadata(&path) {
            Ok(about) if about.is_dir() => paths.extend(networks_in(&path).unwrap_or_default()),
            Ok(about) if about.is_file() => sum += about.len(),
            // How much comes through a pipe shows at its end.
            Ok(_) => return None,
            Err(_) => {}
        }
    }
    Some(sum)
}

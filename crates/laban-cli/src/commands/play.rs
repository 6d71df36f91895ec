//! `laban play`: Laban in the browser, without a network.

use crate::console::Console;
use crate::exit::Exit;
use crate::folder::expanded;
use crate::input::{self, name_of};
use crate::interrupt::is_interrupted;
use crate::play::server::Server;
use crate::play::site::{OPENED, Site};
use crate::play::{browser, link};
use crate::report::{Format, Report};
use std::io;
use std::path::PathBuf;

/// Open Laban in the browser: edit, extract, draw and step through runs
///
/// Serves a page on this machine only, at an address of 127.0.0.1, and opens it. Everything is done in the browser;
/// nothing leaves it. Ctrl-C ends it.
///
/// The files are in the page when it opens. What is changed there stays there: files are not written.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Files to begin with, or a folder with them; `-` is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Do not open a browser, only print the address
    #[arg(long)]
    no_open: bool,

    /// Port to listen on [default: any that is free]
    #[arg(long, value_name = "NUMBER", default_value_t = 0, hide_default_value = true)]
    port: u16,

    /// Serve the page in this folder instead of the one in this program
    #[arg(long, value_name = "FOLDER")]
    page: Option<PathBuf>,
}

const HELP: &str = "\
Examples:
  laban play
  laban play examples/two-buyer.net
  laban play --no-open --port 8080
  laban play --page playground/dist examples/forgotten-else.net

Exit status:
  0  ended by an interrupt
  2  a file or the page cannot be read, or the port is taken";

const NOT_BUILT: &str = "this program was built without the page. `scripts/build-playground` builds the page; \
                         then `cargo build --release` puts it into the program, and \
                         `laban play --page playground/dist` serves it at once";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Exit> {
    let site = match &arguments.page {
        None => Site::built_in().ok_or_else(|| NOT_BUILT.to_string()),
        Some(folder) => {
            Site::of_folder(folder).map_err(|error| format!("--page: cannot serve {}: {error}", name_of(folder)))
        }
    };
    let mut site = match site {
        Ok(site) => site,
        Err(message) => {
            console.error(message);
            return Ok(Exit::Bad);
        }
    };
    let Some(texts) = texts(&arguments.files, console)? else { return Ok(Exit::Bad) };
    let server = match Server::new(arguments.port) {
        Ok(server) => server,
        Err(error) => {
            console.error(format_args!("--port: cannot listen on 127.0.0.1:{}: {error}", arguments.port));
            return Ok(Exit::Bad);
        }
    };
    // From here on, an interrupt is how it ends.
    is_interrupted();
    let mut address = format!("{}/", server.address());
    match link::path_to(&texts) {
        _ if texts.is_empty() => {}
        Some(path) => {
            site = site.opening(path);
            address = format!("{}{OPENED}", server.address());
        }
        None => console.say_aside("these files are too large for an address; drop them onto the page")?,
    }
    console.say(&address)?;
    console.say_aside("Ctrl-C ends it")?;
    console.flush()?;
    if !arguments.no_open && browser::open(&address).is_err() {
        console.say_aside("no browser could be opened; open the address yourself")?;
        console.flush()?;
    }
    server.serve(site, is_interrupted);
    Ok(Exit::Yes)
}

/// The texts to begin with, with the names of their files; nothing, and messages, if one cannot be read.
fn texts(files: &[PathBuf], console: &mut Console) -> io::Result<Option<Vec<(String, String)>>> {
    let mut report = Report::new(Format::Full, "play");
    let paths = match expanded(files).and_then(|paths| {
        input::read_once(&paths).and_then(|()| input::all_different(&paths)).map_err(|refused| vec![refused])?;
        Ok(paths)
    }) {
        Ok(paths) => paths,
        Err(refused) => {
            report.refuse(refused, console)?;
            return Ok(None);
        }
    };
    let (mut texts, mut all_read) = (Vec::new(), true);
    for path in &paths {
        let text = match input::read_bytes(path) {
            Ok((_, bytes)) => String::from_utf8(bytes).map_err(|_| format!("{} is not UTF-8 text", name_of(path))),
            Err(unreadable) => Err(unreadable.to_string()),
        };
        match text {
            // In the page, a file has no folder.
            Ok(text) => {
                let name = path.file_name().map_or_else(|| name_of(path), |name| name.to_string_lossy().into_owned());
                let name = if name == "-" { "input".to_string() } else { name };
                texts.push((name, text));
            }
            Err(message) => {
                console.error(message);
                all_read = false;
            }
        }
    }
    Ok(all_read.then_some(texts))
}

//! Answers browsers on this machine, and nobody else.
//!
//! Each connection is for one request. Whoever is slow, sends too much or sends half a request is cut off after a
//! while, and there are never more than a few connections at once, so nobody can hold up others for long.

use super::request::{Refusal, Request, read};
use super::site::{Found, Site};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddrV4, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A head that is longer than this is refused.
const LONGEST_HEAD: usize = 16 << 10;
/// How long a browser may take to send the head of a request.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a browser may take to receive a piece of the answer.
const WRITING: Duration = Duration::from_secs(10);
/// More connections than this at once are turned away.
const MOST_CONNECTIONS: usize = 64;
/// How often the server looks for an interrupt.
const BETWEEN: Duration = Duration::from_millis(25);
/// How long it waits at the end for answers that are on their way.
const GRACE: Duration = Duration::from_secs(1);

/// What is said with each answer: nothing may be loaded from elsewhere, no other page may look inside, and what it is
/// must not be guessed.
const HEADERS: &str = "\
Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; \
style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; \
base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r
X-Content-Type-Options: nosniff\r
X-Frame-Options: DENY\r
Referrer-Policy: no-referrer\r
Cross-Origin-Opener-Policy: same-origin\r
Cross-Origin-Resource-Policy: same-origin\r
Cache-Control: no-store\r
Connection: close\r
";

/// A server that listens.
pub(crate) struct Server {
    listener: TcpListener,
    port: u16,
}

impl Server {
    /// Listens on the loopback address; at any port that is free, if it is 0.
    pub(crate) fn new(port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind(SocketAddrV4::new(Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        Ok(Server { listener, port })
    }

    /// Where it is.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Answers until it is to stop.
    pub(crate) fn serve(&self, site: Site, is_over: impl Fn() -> bool) {
        let (site, open) = (Arc::new(site), Arc::new(AtomicUsize::new(0)));
        while !is_over() {
            match self.listener.accept() {
                Ok((stream, _)) => self.begin(stream, &site, &open),
                // Nobody is there, or somebody has gone already, or there are too many files: later.
                Err(_) => thread::sleep(BETWEEN),
            }
        }
        let end = Instant::now() + GRACE;
        while open.load(Ordering::Acquire) > 0 && Instant::now() < end {
            thread::sleep(BETWEEN);
        }
    }

    fn begin(&self, stream: TcpStream, site: &Arc<Site>, open: &Arc<AtomicUsize>) {
        let port = self.port;
        if open.fetch_add(1, Ordering::AcqRel) >= MOST_CONNECTIONS {
            open.fetch_sub(1, Ordering::AcqRel);
            // In one piece, or not at all: there is no time for more.
            let _ =
                stream.set_nonblocking(true).and_then(|()| (&stream).write(&refused("503 Service Unavailable", "")));
            return;
        }
        let (site, counted) = (Arc::clone(site), Counted(Arc::clone(open)));
        let answering = thread::Builder::new().spawn(move || {
            let _counted = counted;
            // Whoever goes away in between gets no answer.
            let _ = answer(stream, &site, port);
        });
        // Without a thread, the connection ends, and is counted no more.
        drop(answering);
    }
}

/// A connection that is open.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

fn answer(mut stream: TcpStream, site: &Site, port: u16) -> io::Result<()> {
    // On some systems, it is like the listener in this.
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(WRITING))?;
    let deadline = Instant::now() + PATIENCE;
    let Some(head) = head(&mut stream, deadline)? else {
        stream.write_all(&refused("431 Request Header Fields Too Large", ""))?;
        return finish(&mut stream);
    };
    match read(&head, port) {
        Ok(Request { head_only, path }) => match site.find(path) {
            Found::File(bytes, kind) => {
                let length = bytes.len();
                let start = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n");
                stream.write_all(format!("{start}{HEADERS}\r\n").as_bytes())?;
                stream.write_all(if head_only { &[] } else { bytes })?;
            }
            Found::Elsewhere(address) => {
                stream.write_all(&refused("302 Found", &format!("Location: {address}\r\n")))?;
            }
            Found::Nothing => stream.write_all(&refused("404 Not Found", ""))?,
        },
        Err(Refusal::Bad) => stream.write_all(&refused("400 Bad Request", ""))?,
        Err(Refusal::Method) => stream.write_all(&refused("405 Method Not Allowed", "Allow: GET, HEAD\r\n"))?,
        Err(Refusal::Host) => stream.write_all(&refused("421 Misdirected Request", ""))?,
    }
    finish(&mut stream)
}

/// An answer without a content.
fn refused(status: &str, more: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n{more}{HEADERS}\r\n").into_bytes()
}

/// The head of a request, with its empty line; nothing, if it is too long.
fn head(stream: &mut TcpStream, deadline: Instant) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let mut piece = [0; 2048];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        let count = stream.read(&mut piece)?;
        if count == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        // The end may have begun in the piece before.
        let from = bytes.len().saturating_sub(3);
        bytes.extend_from_slice(piece.get(..count).unwrap_or_default());
        let end = bytes.get(from..).and_then(|rest| rest.windows(4).position(|window| window == b"\r\n\r\n"));
        if let Some(end) = end {
            bytes.truncate(from + end + 4);
            return Ok(Some(bytes));
        }
        if bytes.len() > LONGEST_HEAD {
            return Ok(None);
        }
    }
}

/// Ends a connection so that the answer gets there: if something were left unread, the system would throw it away.
fn finish(stream: &mut TcpStream) -> io::Result<()> {
    stream.flush()?;
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(Duration::from_millis(500)))?;
    let mut rest = [0; 4096];
    for _ in 0..16 {
        if stream.read(&mut rest)? == 0 {
            break;
        }
    }
    Ok(())
}

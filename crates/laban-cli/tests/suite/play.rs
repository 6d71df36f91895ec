//! `laban play` serves its page to this machine, and nothing else to anybody.

use crate::common::{file, laban, root};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const PAGE: &str = "<!doctype html><title>Laban</title>";

/// A folder with a page, and beside it something that must not be served.
fn page() -> String {
    let index = file("play/page", "index.html", PAGE);
    file("play/page", "app.js", "'use strict';");
    file("play/page", "laban.wasm", b"\0asm");
    file("play/page/sub", "style.css", "p {}");
    file("play/page", ".hidden", "secret");
    file("play", "secret.txt", "secret");
    #[cfg(unix)]
    {
        let link = Path::new(&index).with_file_name("link.txt");
        if !link.is_symlink() {
            std::os::unix::fs::symlink("../secret.txt", link).expect("a link");
        }
    }
    Path::new(&index).parent().expect("a folder").to_str().expect("a path").to_string()
}

/// A server that runs.
struct Server {
    child: Child,
    output: BufReader<std::process::ChildStdout>,
    /// What it printed.
    address: String,
    port: u16,
}

impl Server {
    fn start(more: &[&str]) -> Server {
        let page = page();
        let mut child = Command::new(env!("CARGO_BIN_EXE_laban"))
            .args(["play", "--no-open", "--page", &page])
            .args(more)
            .current_dir(root())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("laban runs");
        let mut output = BufReader::new(child.stdout.take().expect("it has an output"));
        let mut address = String::new();
        output.read_line(&mut address).expect("an address");
        let address = address.trim().to_string();
        let port = address.strip_prefix("http://127.0.0.1:").and_then(|rest| rest.split('/').next());
        let port = port.and_then(|port| port.parse().ok()).unwrap_or_else(|| panic!("{address} is no address"));
        Server { child, output, address, port }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        stream
    }

    /// The answer to these bytes.
    fn ask(&self, request: &[u8]) -> String {
        let mut stream = self.connect();
        // It may have refused before all is said.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// The answer to a request for a path, with the right name of the host.
    fn get(&self, path: &str) -> String {
        self.ask(format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", self.port).as_bytes())
    }

    /// Ends it as a person would, and gives its exit status.
    fn interrupt(mut self) -> Option<i32> {
        let killed = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().expect("kill is there");
        assert!(killed.success());
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).expect("the rest of the output");
        assert_eq!(rest, "");
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("none")
}

#[test]
fn the_page_is_served_with_its_types_and_safe_headers() {
    let server = Server::start(&[]);
    assert_eq!(server.address, format!("http://127.0.0.1:{}/", server.port));
    for (path, kind, content) in [
        ("/", "text/html; charset=utf-8", PAGE),
        ("/index.html?x=1", "text/html; charset=utf-8", PAGE),
        ("/app.js", "text/javascript; charset=utf-8", "'use strict';"),
        ("/laban.wasm", "application/wasm", "\0asm"),
        ("/sub/style.css", "text/css; charset=utf-8", "p {}"),
    ] {
        let answer = server.get(path);
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{path}: {head}");
        assert_eq!(body, content, "{path}");
        for line in [
            &format!("Content-Type: {kind}"),
            &format!("Content-Length: {}", content.len()),
            "X-Content-Type-Options: nosniff",
            "Cache-Control: no-store",
            "Cross-Origin-Resource-Policy: same-origin",
            "Referrer-Policy: no-referrer",
        ] {
            assert!(head.lines().any(|one| one == line), "{path}: {line} is missing in {head}");
        }
        let policy = head.lines().find(|line| line.starts_with("Content-Security-Policy: ")).expect("a policy");
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("http:") && !policy.contains('*'), "{policy}");
        assert!(!head.contains("Access-Control-Allow"), "{head}");
    }
    let host = format!("Host: localhost:{}", server.port);
    let head = server.ask(format!("HEAD /app.js HTTP/1.1\r\n{host}\r\n\r\n").as_bytes());
    assert!(head.contains("Content-Length: 13\r\n") && head.ends_with("\r\n\r\n"), "{head}");
    assert_eq!(server.interrupt(), Some(0));
}

#[test]
fn only_loopback_is_listened_on() {
    let server = Server::start(&[]);
    // All of 127.0.0.0/8 is this machine, and only one address of it is asked for.
    assert!(TcpStream::connect(("127.0.0.2", server.port)).is_err());
    if let Ok(table) = std::fs::read_to_string("/proc/net/tcp") {
        let port = format!(":{:04X} ", server.port);
        let listening: Vec<&str> = table.lines().filter(|line| line.contains(&port) && line.contains(" 0A ")).collect();
        assert!(!listening.is_empty() && listening.iter().all(|line| line.contains(" 0100007F:")), "{listening:?}");
    }
}

#[test]
fn names_of_other_hosts_are_refused() {
    let server = Server::start(&[]);
    let port = server.port;
    for host in
        ["evil.example", &format!("evil.example:{port}"), "127.0.0.1", "localhost", &format!("[::1]:{port}"), ""]
    {
        let answer = server.ask(format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes());
        assert_eq!(status(&answer), "421", "{host}: {answer}");
        assert!(!answer.contains("Laban"), "{answer}");
    }
    assert_eq!(status(&server.ask(b"GET / HTTP/1.1\r\n\r\n")), "421");
    let twice = format!("GET / HTTP/1.1\r\nHost: localhost:{port}\r\nHost: evil.example\r\n\r\n");
    assert_eq!(status(&server.ask(twice.as_bytes())), "400");
    assert_eq!(server.interrupt(), Some(0));
}

#[test]
fn nothing_but_the_page_is_served() {
    let server = Server::start(&[]);
    for path in [
        "/../secret.txt",
        "/sub/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/....//secret.txt",
        "//secret.txt",
        "/./index.html",
        "/sub",
        "/sub/",
        "/.hidden",
        "/link.txt",
        "/etc/passwd",
        "/index.html/",
        "/index.html%00",
        "/INDEX.HTML",
        "/open",
        "/file.json",
        "/\\..\\secret.txt",
        "/app.js/../index.html",
    ] {
        let answer = server.get(path);
        assert_eq!(status(&answer), "404", "{path}: {answer}");
        assert!(!answer.contains("secret"), "{path}: {answer}");
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE", "PATCH", "get"] {
        let request = format!("{method} / HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", server.port);
        let answer = server.ask(request.as_bytes());
        assert_eq!(status(&answer), "405", "{method}: {answer}");
        assert!(answer.contains("Allow: GET, HEAD\r\n"), "{answer}");
    }
    assert_eq!(server.interrupt(), Some(0));
}

#[test]
fn odd_and_slow_clients_hold_up_nobody() {
    let server = Server::start(&[]);
    let host = format!("Host: 127.0.0.1:{}\r\n", server.port);
    // Rubbish, and much of it.
    for rubbish in [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n".to_vec(),
        b"GET / HTTP/9.9\r\n\r\n".to_vec(),
        b"\r\n\r\n".to_vec(),
        vec![0xff; 100].into_iter().chain(*b"\r\n\r\n").collect(),
    ] {
        assert_eq!(status(&server.ask(&rubbish)), "400");
    }
    let long = format!("GET / HTTP/1.1\r\n{host}X: {}\r\n\r\n", "x".repeat(1 << 20));
    assert!(matches!(status(&server.ask(long.as_bytes())), "431" | "none"));
    // A body that nobody wants does no harm.
    let body = format!("GET /app.js HTTP/1.1\r\n{host}Content-Length: 5\r\n\r\nhello");
    assert_eq!(status(&server.ask(body.as_bytes())), "200");
    // Half requests, and connections that say nothing, wait on their own.
    let mut halves: Vec<TcpStream> = (0..30).map(|_| server.connect()).collect();
    for half in halves.iter_mut().skip(10) {
        half.write_all(b"GET / HTTP/1.1\r\nHost: 127").expect("half a request");
    }
    assert_eq!(status(&server.get("/")), "200");
    // More than there is room for are turned away; when some have gone, others come.
    let crowd: Vec<TcpStream> = (0..100).map(|_| server.connect()).collect();
    drop(halves);
    drop(crowd);
    let answered = (0..200).find(|_| {
        std::thread::sleep(Duration::from_millis(50));
        status(&server.get("/")) == "200"
    });
    assert!(answered.is_some(), "nobody is answered after a crowd");
    // One that ends its own half, but wants an answer, gets it.
    let mut stream = server.connect();
    stream.write_all(format!("GET / HTTP/1.1\r\n{host}\r\n").as_bytes()).expect("a request");
    stream.shutdown(Shutdown::Write).expect("an end");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert_eq!(status(&answer), "200");
    // A slow one is let go in the end.
    let mut slow = server.connect();
    slow.write_all(b"GET /").expect("a beginning");
    let mut rest = Vec::new();
    let _ = slow.read_to_end(&mut rest);
    assert_eq!(rest, b"");
    // Somebody who waits does not keep it from ending.
    let _waiting = server.connect();
    assert_eq!(server.interrupt(), Some(0));
}

#[test]
fn files_are_in_the_page_when_it_opens() {
    let server = Server::start(&["examples/two-buyer.net", "examples/two-buyer.chor"]);
    assert!(server.address.ends_with("/open"), "{}", server.address);
    let answer = server.get("/open");
    assert_eq!(status(&answer), "302");
    let location = answer.lines().find_map(|line| line.strip_prefix("Location: /#1.")).expect("a place to go to");
    let shared: serde_json::Value = serde_json::from_slice(&unpacked(location)).expect("JSON");
    let read = |name: &str| std::fs::read_to_string(root().join("examples").join(name)).expect("an example");
    for (number, name) in ["two-buyer.net", "two-buyer.chor"].into_iter().enumerate() {
        assert_eq!(shared["texts"][number], serde_json::json!({ "name": name, "text": read(name) }));
    }
    assert_eq!(server.interrupt(), Some(0));
}

/// What a fragment holds: letters of base64url, and then deflate.
fn unpacked(text: &str) -> Vec<u8> {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let (mut bits, mut count, mut bytes) = (0_u32, 0, Vec::new());
    for letter in text.chars() {
        bits = bits << 6 | letters.find(letter).expect("a letter") as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    miniz_oxide::inflate::decompress_to_vec(&bytes).expect("it is compressed")
}

#[test]
fn what_cannot_be_served_is_said() {
    let run = laban(&["play", "--no-open", "--page", "examples"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("--page: cannot serve examples: there is no index.html in it"), "{}", run.err);
    let page = page();
    let run = laban(&["play", "--no-open", "--page", &page, "examples/nothing.net"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    assert!(run.err.contains("cannot read examples/nothing.net: no such file"), "{}", run.err);
    let server = Server::start(&[]);
    let run = laban(&["play", "--no-open", "--page", &page, "--port", &server.port.to_string()]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("--port: cannot listen on 127.0.0.1:"), "{}", run.err);
    if !root().join("playground/dist/index.html").is_file() {
        let run = laban(&["play"]);
        assert_eq!(run.code, Some(2));
        assert!(run.err.contains("scripts/build-playground"), "{}", run.err);
    }
}

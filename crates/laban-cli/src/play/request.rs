//! What a browser asks for, as far as it matters here: the head of a request of HTTP/1.1.

/// A request that is in order.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request<'a> {
    /// Whether only the head of the answer is wanted.
    pub(super) head_only: bool,
    /// What is asked for, without what comes after `?`. Nothing in it is decoded.
    pub(super) path: &'a str,
}

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It is not HTTP.
    Bad,
    /// It wants more than to read.
    Method,
    /// It is for somebody else: a page of another name that leads here. Whoever controls that name could read what is
    /// meant for this machine only.
    Host,
}

/// Understands the head of a request, up to the empty line, for a server at this port of the loopback address.
pub(super) fn read(head: &[u8], port: u16) -> Result<Request<'_>, Refusal> {
    let head = std::str::from_utf8(head).map_err(|_| Refusal::Bad)?;
    let mut lines = head.split("\r\n");
    let mut words = lines.next().unwrap_or("").split(' ');
    let (Some(method), Some(target), Some(version), None) = (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(Refusal::Bad);
    };
    let is_token = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_token(method) || !is_token(target) || !matches!(version, "HTTP/1.0" | "HTTP/1.1") {
        return Err(Refusal::Bad);
    }
    let mut host = None;
    for line in lines.filter(|line| !line.is_empty()) {
        // A line that goes on the one before it is of old times, and a way to hide things.
        let Some((name, value)) = line.split_once(':') else { return Err(Refusal::Bad) };
        if !is_token(name) || value.bytes().any(|byte| byte.is_ascii_control() && byte != b'\t') {
            return Err(Refusal::Bad);
        }
        if name.eq_ignore_ascii_case("host") && host.replace(value.trim()).is_some() {
            return Err(Refusal::Bad);
        }
    }
    if !host.is_some_and(|host| is_here(host, port)) {
        return Err(Refusal::Host);
    }
    let head_only = match method {
        "GET" => false,
        "HEAD" => true,
        _ => return Err(Refusal::Method),
    };
    let path = target.split(['?', '#']).next().unwrap_or("");
    if !path.starts_with('/') {
        return Err(Refusal::Bad);
    }
    Ok(Request { head_only, path })
}

/// Whether a name is that of this server.
fn is_here(host: &str, port: u16) -> bool {
    let (name, given) = match host.rsplit_once(':') {
        Some((name, given)) => (name, given),
        None => (host, "80"),
    };
    let is_port = given == port.to_string();
    is_port && (name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Result<Request<'_>, Refusal> {
        read(text.as_bytes(), 8080)
    }

    #[test]
    fn what_is_in_order_is_understood() {
        let get = asked("GET /a/b.js?x=/y HTTP/1.1\r\nAccept: */*\r\nhost:  LocalHost:8080 \r\n\r\n");
        assert_eq!(get, Ok(Request { head_only: false, path: "/a/b.js" }));
        let head = asked("HEAD / HTTP/1.0\r\nHost: 127.0.0.1:8080\r\n\r\n");
        assert_eq!(head, Ok(Request { head_only: true, path: "/" }));
        assert!(read(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 80).is_ok());
    }

    #[test]
    fn names_of_others_are_refused() {
        for host in [
            "evil.example",
            "evil.example:8080",
            "127.0.0.1",
            "127.0.0.1:80",
            "127.0.0.1:08080",
            "127.0.0.1.evil:8080",
            "localhost.evil:8080",
            "evil.localhost:8080",
            "[::1]:8080",
            "0.0.0.0:8080",
            "localhost:8080.",
            "",
            "a@localhost:8080",
            "localhost:8080,evil",
            "2130706433:8080",
            "127.1:8080",
        ] {
            assert_eq!(asked(&format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n")), Err(Refusal::Host), "{host}");
        }
        assert_eq!(asked("GET / HTTP/1.1\r\n\r\n"), Err(Refusal::Host));
    }

    #[test]
    fn what_is_not_in_order_is_refused() {
        let host = "Host: localhost:8080\r\n";
        for start in ["POST / HTTP/1.1", "PUT /index.html HTTP/1.1", "get / HTTP/1.1", "OPTIONS * HTTP/1.1"] {
            assert_eq!(asked(&format!("{start}\r\n{host}\r\n")), Err(Refusal::Method), "{start}");
        }
        for start in [
            "",
            "GET",
            "GET /",
            "GET / HTTP/2",
            "GET  / HTTP/1.1",
            "GET / HTTP/1.1 x",
            "GET /a b HTTP/1.1",
            "GET http://localhost:8080/ HTTP/1.1",
            "GET index.html HTTP/1.1",
            "GET /\u{e9} HTTP/1.1",
            "\u{1}GET / HTTP/1.1",
        ] {
            assert_eq!(asked(&format!("{start}\r\n{host}\r\n")), Err(Refusal::Bad), "{start}");
        }
        for line in ["no colon", " folded: x", "a b: c", ": x", "x: a\nb", "Host: localhost:8080"] {
            assert_eq!(asked(&format!("GET / HTTP/1.1\r\n{host}{line}\r\n\r\n")), Err(Refusal::Bad), "{line}");
        }
        assert_eq!(read(b"GET /\xff HTTP/1.1\r\n\r\n", 8080), Err(Refusal::Bad));
    }
}

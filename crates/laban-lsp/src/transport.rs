//! Messages on a stream of bytes.
//!
//! Whatever comes is survived: lines that are no header are skipped, and a message that cannot be understood is
//! reported as such. Only the end of the stream is the end.

use lsp_server::Message;
use serde_json::{Value, json};
use std::io::{self, BufRead, Read, Write};

/// A longer message is skipped.
const MOST_BYTES: u64 = 1 << 30;
/// So is a longer line of a header.
const LONGEST_LINE: u64 = 1 << 16;

/// What a client has sent.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// A message.
    Message(Message),
    /// Something else; what is wrong with it.
    Malformed(String),
}

/// The next message; nothing at the end of the stream.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let mut length: Option<u64> = None;
    let mut line = Vec::new();
    let length = loop {
        line.clear();
        if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        match (text.is_empty(), length, text.split_once(':')) {
            (true, Some(length), _) => break length,
            (_, _, Some((name, value))) if name.trim().eq_ignore_ascii_case("Content-Length") => {
                length = value.trim().parse().ok();
            }
            _ => {}
        }
    };
    if length > MOST_BYTES {
        io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
        return Ok(Some(Incoming::Malformed(format!("a message of {length} bytes is too long"))));
    }
    let mut content = Vec::new();
    input.by_ref().take(length).read_to_end(&mut content)?;
    if (content.len() as u64) < length {
        return Ok(None);
    }
    Ok(Some(match serde_json::from_slice(&content) {
        Ok(message) => Incoming::Message(message),
        Err(error) => Incoming::Malformed(format!("not a message of the protocol: {error}")),
    }))
}

/// What a server sends.
#[derive(Debug)]
pub(crate) enum Outgoing {
    /// A message.
    Message(Message),
    /// The answer to something that was not understood, and has no number.
    Refused(String),
}

/// Writes a message.
pub(crate) fn write(output: &mut impl Write, outgoing: &Outgoing) -> io::Result<()> {
    match outgoing {
        Outgoing::Message(message) => message.write(output),
        Outgoing::Refused(why) => {
            let code = lsp_server::ErrorCode::ParseError as i32;
            let error = json!({ "jsonrpc": "2.0", "id": Value::Null, "error": { "code": code, "message": why } });
            let text = error.to_string();
            write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
            output.flush()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<Incoming> {
        let mut input = bytes;
        std::iter::from_fn(|| read(&mut input).ok().flatten()).collect()
    }

    fn framed(text: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    }

    #[test]
    fn a_message_is_found_behind_whatever_is_before_it() {
        let good = framed(r#"{"jsonrpc":"2.0","method":"exit"}"#);
        for bad in [
            "",
            "\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n",
            "Content-Length: minus one\r\n\r\n",
            "content-type: x\nCONTENT-LENGTH : 2\n\n{}",
            "Content-Length: 3\r\nContent-Length: 2\r\n\r\n[]",
            &framed("nonsense"),
            &framed(r#"{"id":99999999999,"method":"x"}"#),
        ] {
            let found = all(format!("{bad}{good}").as_bytes());
            assert!(matches!(found.last(), Some(Incoming::Message(Message::Notification(_)))), "{bad:?}: {found:?}");
        }
    }

    #[test]
    fn the_end_of_the_stream_ends_everything() {
        for text in ["Content-Length: 10\r\n\r\n{}", "Content-Length: 999999999999\r\n\r\n{}", "Content"] {
            assert!(all(text.as_bytes()).iter().all(|one| matches!(one, Incoming::Malformed(_))), "{text:?}");
        }
        assert!(all(b"Content-Length: 3\r\n\r\n\xff\xfe\xfd").iter().all(|one| matches!(one, Incoming::Malformed(_))));
    }
}

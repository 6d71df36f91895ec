//! A client of the language server, made of bytes.

use std::io::{self, Cursor, Write};

/// Takes everything and keeps nothing.
struct Nowhere;

impl Write for Nowhere {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The requests that a server answers, and some that it does not.
const METHODS: [&str; 20] = [
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/completion",
    "textDocument/codeAction",
    "textDocument/formatting",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/semanticTokens/full",
    "textDocument/inlayHint",
    "textDocument/codeLens",
    "workspace/symbol",
    "workspace/executeCommand",
    "laban/preview",
    "initialize",
    "nothing/known",
    "shutdown",
];

/// Any conversation ends. The text is in pieces between lines with `@`: each is the new content of a document, or, if
/// it starts with a brace, a message as it is; after each piece the client asks something at a place that the piece
/// decides.
pub fn server_survives(text: &str) {
    let mut input = Vec::new();
    say(&mut input, r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}}"#);
    say(&mut input, r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#);
    let uri = "untitled:a.net";
    for (number, piece) in text.split("\n@\n").take(8).enumerate() {
        if piece.starts_with('{') {
            say(&mut input, piece);
            continue;
        }
        let content = escaped(piece);
        let message = match number {
            0 => format!(
                r#"{{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{{"textDocument":{{"uri":"{uri}","languageId":"laban","version":0,"text":{content}}}}}}}"#
            ),
            _ => format!(
                r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{"textDocument":{{"uri":"{uri}","version":{number}}},"contentChanges":[{{"text":{content}}}]}}}}"#
            ),
        };
        say(&mut input, &message);
        let bytes = piece.as_bytes();
        let place = |from: usize| {
            let number = |at: usize| bytes.get(at).copied().unwrap_or(0) % 32;
            format!(r#"{{"line":{},"character":{}}}"#, number(from) / 8, number(from + 1))
        };
        let method = METHODS[usize::from(bytes.last().copied().unwrap_or(0)) % (METHODS.len() - 1)];
        let (start, end) = (place(1), place(3));
        say(
            &mut input,
            &format!(
                r#"{{"jsonrpc":"2.0","id":{},"method":"{method}","params":{{"textDocument":{{"uri":"{uri}"}},"position":{start},"range":{{"start":{start},"end":{end}}},"newName":"fresh","context":{{"includeDeclaration":true,"diagnostics":[]}},"options":{{"tabSize":2,"insertSpaces":true}},"uri":"{uri}","kind":"sequence","query":""}}}}"#,
                number + 1
            ),
        );
    }
    say(&mut input, r#"{"jsonrpc":"2.0","id":100,"method":"shutdown"}"#);
    say(&mut input, r#"{"jsonrpc":"2.0","method":"exit"}"#);
    let ended = laban_lsp::serve(Cursor::new(input), Nowhere);
    assert!(ended.is_ok());
}

fn say(input: &mut Vec<u8>, message: &str) {
    input.extend(format!("Content-Length: {}\r\n\r\n{message}", message.len()).into_bytes());
}

/// A text as JSON.
fn escaped(text: &str) -> String {
    let mut escaped = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => escaped.extend(['\\', character]),
            control if control < ' ' => escaped.push_str(&format!("\\u{:04x}", control as u32)),
            other => escaped.push(other),
        }
    }
    escaped.push('"');
    escaped
}

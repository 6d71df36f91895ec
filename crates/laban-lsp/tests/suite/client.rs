//! A client: it starts a server in this process, with pipes between them, and speaks to it.

// Values are made where they are passed.
#![allow(clippy::needless_pass_by_value)]

use gen_lsp_types::{
    Diagnostic, DidChangeTextDocumentNotification, DidCloseTextDocumentNotification, DidOpenTextDocumentNotification,
    InitializeRequest, InitializedNotification, Notification, Position, PublishDiagnosticsParams, Range, Request,
    TextDocumentIdentifier, TextDocumentPositionParams,
};
use lsp_server::{Message, RequestId, Response, ResponseError};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::io::{BufReader, ErrorKind, PipeWriter, Write, pipe};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

/// All requests that a server answers.
pub(crate) const METHODS: [&str; 18] = [
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
    "textDocument/semanticTokens/range",
    "textDocument/inlayHint",
    "textDocument/codeLens",
    "workspace/symbol",
    "workspace/executeCommand",
    "laban/preview",
];

/// Longer than anything takes; a test that waits so long has failed.
const PATIENCE: Duration = Duration::from_secs(300);

pub(crate) struct Client {
    input: Option<PipeWriter>,
    messages: Receiver<Message>,
    server: Option<JoinHandle<bool>>,
    /// Notifications and requests of the server that nobody has looked at.
    pub(crate) unread: VecDeque<Message>,
    /// What was last shown of each document, as far as it was read.
    shown: BTreeMap<String, Vec<Diagnostic>>,
    next_id: i32,
    pub(crate) capabilities: Value,
}

impl Client {
    /// A client that has said hello.
    pub(crate) fn new() -> Self {
        Self::with(json!({}), json!({ "timeout": 0 }))
    }

    /// A client with these capabilities and options.
    pub(crate) fn with(capabilities: Value, options: Value) -> Self {
        let mut client = Self::silent();
        let params = json!({ "processId": null, "rootUri": null, "capabilities": capabilities, "initializationOptions": options });
        let result = client.request_json("initialize", params).expect("it says hello");
        client.capabilities = result["capabilities"].clone();
        client.notify_json("initialized", json!({}));
        // What was said is what the protocol's own types say.
        let _: <InitializeRequest as Request>::Result = serde_json::from_value(result).expect("it is as the types say");
        let _: <InitializedNotification as Notification>::Params =
            serde_json::from_value(json!({})).expect("so is this");
        client
    }

    /// A client that has not said anything.
    pub(crate) fn silent() -> Self {
        let (server_input, input) = pipe().expect("there are pipes");
        let (output, server_output) = pipe().expect("there are pipes");
        let server = spawn(move || laban_lsp::serve(server_input, server_output).expect("the server runs"));
        let (sender, messages) = channel();
        spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                match Message::read(&mut output) {
                    Ok(Some(message)) => match sender.send(message) {
                        Ok(()) => {}
                        Err(_) => return,
                    },
                    // The answer to nonsense has no number, which this reader does not know.
                    Err(error) if error.kind() == ErrorKind::InvalidData => {}
                    _ => return,
                }
            }
        });
        Client {
            input: Some(input),
            messages,
            server: Some(server),
            unread: VecDeque::new(),
            shown: BTreeMap::new(),
            next_id: 0,
            capabilities: Value::Null,
        }
    }

    /// Sends bytes as they are.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().expect("it is open").write_all(bytes).expect("the server reads");
    }

    fn send(&mut self, message: &Message) {
        let mut bytes = Vec::new();
        message.write(&mut bytes).expect("it can be written");
        self.send_bytes(&bytes);
    }

    pub(crate) fn notify_json(&mut self, method: &str, params: Value) {
        self.send(&lsp_server::Notification { method: method.to_string(), params }.into());
    }

    pub(crate) fn notify<N: Notification>(&mut self, params: N::Params) {
        let method: String = N::METHOD.into();
        self.notify_json(&method, serde_json::to_value(params).expect("it is JSON"));
    }

    /// Sends a request and does not wait for the answer.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> RequestId {
        self.next_id += 1;
        let id = RequestId::from(self.next_id);
        self.send(&lsp_server::Request { id: id.clone(), method: method.to_string(), params }.into());
        id
    }

    pub(crate) fn next(&mut self) -> Message {
        self.messages.recv_timeout(PATIENCE).expect("the server says something")
    }

    /// Waits for an answer.
    pub(crate) fn answer(&mut self, id: &RequestId) -> Result<Value, ResponseError> {
        let is_it = |message: &Message| matches!(message, Message::Response(response) if response.id == *id);
        if let Some(index) = self.unread.iter().position(is_it)
            && let Some(Message::Response(Response { response_result, .. })) = self.unread.remove(index)
        {
            return response_result;
        }
        loop {
            match self.next() {
                Message::Response(response) if response.id == *id => return response.response_result,
                other => self.unread.push_back(other),
            }
        }
    }

    pub(crate) fn request_json(&mut self, method: &str, params: Value) -> Result<Value, ResponseError> {
        let id = self.ask(method, params);
        self.answer(&id)
    }

    /// Asks, and reads the answer with the protocol's own types.
    pub(crate) fn request<R: Request>(&mut self, params: R::Params) -> R::Result {
        self.try_request::<R>(params).unwrap_or_else(|error| panic!("{}", error.message))
    }

    pub(crate) fn try_request<R: Request>(&mut self, params: R::Params) -> Result<R::Result, ResponseError> {
        let method: String = R::METHOD.into();
        let result = self.request_json(&method, serde_json::to_value(params).expect("it is JSON"))?;
        Ok(serde_json::from_value(result).expect("the answer is as the types say"))
    }

    /// The same with parameters as JSON, which are read with the types first.
    pub(crate) fn request_of<R: Request>(&mut self, params: Value) -> R::Result {
        self.request::<R>(serde_json::from_value(params).expect("the parameters are as the types say"))
    }

    pub(crate) fn open(&mut self, uri: &str, text: &str) {
        self.open_as(uri, "laban", 1, text);
    }

    pub(crate) fn open_as(&mut self, uri: &str, language: &str, version: i32, text: &str) {
        let document = json!({ "uri": uri, "languageId": language, "version": version, "text": text });
        let params = json!({ "textDocument": document });
        self.notify::<DidOpenTextDocumentNotification>(serde_json::from_value(params).expect("it is as the types say"));
    }

    /// Replaces all of a document.
    pub(crate) fn replace(&mut self, uri: &str, version: i32, text: &str) {
        self.change(uri, version, json!([{ "text": text }]));
    }

    pub(crate) fn change(&mut self, uri: &str, version: i32, changes: Value) {
        let params = json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": changes });
        self.notify::<DidChangeTextDocumentNotification>(
            serde_json::from_value(params).expect("it is as the types say"),
        );
    }

    pub(crate) fn close(&mut self, uri: &str) {
        let params = json!({ "textDocument": { "uri": uri } });
        self.notify::<DidCloseTextDocumentNotification>(
            serde_json::from_value(params).expect("it is as the types say"),
        );
    }

    /// Waits until something is shown of a version of a document.
    pub(crate) fn diagnostics(&mut self, uri: &str, version: i32) -> Vec<Diagnostic> {
        self.published(uri, Some(version))
    }

    pub(crate) fn published(&mut self, uri: &str, version: Option<i32>) -> Vec<Diagnostic> {
        let is_it = |message: &Message| of_publish(message).filter(|one| one.uri.0 == uri && one.version == version);
        // The last one counts.
        if let Some(index) = self.unread.iter().rposition(|message| is_it(message).is_some()) {
            let message = self.unread.remove(index).expect("it is there");
            return is_it(&message).expect("it is it").diagnostics;
        }
        loop {
            let message = self.next();
            match is_it(&message) {
                Some(params) => return params.diagnostics,
                None => self.unread.push_back(message),
            }
        }
    }

    /// What is shown of each document when nothing is left to do.
    pub(crate) fn settled(&mut self) -> BTreeMap<String, Vec<Diagnostic>> {
        self.request_json("laban/statistics", Value::Null).expect("it is alive");
        let shown = &mut self.shown;
        self.unread.retain(|message| match of_publish(message) {
            Some(params) => {
                shown.insert(params.uri.0, params.diagnostics);
                false
            }
            None => true,
        });
        self.shown.clone()
    }

    /// Opens a document and waits for what is shown of it.
    pub(crate) fn check(&mut self, uri: &str, text: &str) -> Vec<Diagnostic> {
        self.open(uri, text);
        self.diagnostics(uri, 1)
    }

    /// Says goodbye.
    pub(crate) fn leave(mut self) {
        assert_eq!(self.request_json("shutdown", Value::Null).expect("it can be said"), Value::Null);
        self.notify_json("exit", Value::Null);
        assert!(self.ended(), "goodbye was said");
    }

    /// Waits until the server ends; whether it was told goodbye.
    pub(crate) fn ended(&mut self) -> bool {
        self.server.take().expect("it runs").join().expect("the server does not panic")
    }

    /// Goes away without a word.
    pub(crate) fn hang_up(mut self) -> bool {
        self.input = None;
        self.ended()
    }
}

/// The diagnostics that a message shows.
pub(crate) fn of_publish(message: &Message) -> Option<PublishDiagnosticsParams> {
    match message {
        Message::Notification(one) if one.method == "textDocument/publishDiagnostics" => {
            Some(serde_json::from_value(one.params.clone()).expect("it is as the types say"))
        }
        _ => None,
    }
}

/// The code of a diagnostic.
pub(crate) fn code(diagnostic: &Diagnostic) -> String {
    match &diagnostic.code {
        Some(gen_lsp_types::Code::String(code)) => code.clone(),
        other => panic!("{other:?}"),
    }
}

/// The message of a diagnostic.
pub(crate) fn message(diagnostic: &Diagnostic) -> String {
    match &diagnostic.message {
        gen_lsp_types::Message::String(message) => message.clone(),
        other => panic!("{other:?}"),
    }
}

pub(crate) fn codes(diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics.iter().map(code).collect()
}

/// The position of the first occurrence of a part of a text, plus so many bytes.
pub(crate) fn position(text: &str, part: &str, plus: usize) -> Position {
    let offset = text.find(part).unwrap_or_else(|| panic!("{part} is not in {text}")) + plus;
    position_of(text, offset)
}

/// The position of an offset, in UTF-16.
pub(crate) fn position_of(text: &str, offset: usize) -> Position {
    let before = &text[..offset];
    let line = before.matches('\n').count() as u32;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    Position { line, character: before[start..].encode_utf16().count() as u32 }
}

/// The offset of a position in UTF-16 that is in the text.
pub(crate) fn offset_of(text: &str, position: Position) -> usize {
    let start = text.split_inclusive('\n').take(position.line as usize).map(str::len).sum::<usize>();
    let mut units = 0;
    for (at, character) in text[start..].char_indices() {
        if units == position.character as usize {
            return start + at;
        }
        units += character.len_utf16();
    }
    text.len()
}

/// The text in a range.
pub(crate) fn text_in(text: &str, range: Range) -> &str {
    &text[offset_of(text, range.start)..offset_of(text, range.end)]
}

pub(crate) fn at(uri: &str, position: Position) -> TextDocumentPositionParams {
    let uri = gen_lsp_types::Uri(uri.to_string());
    TextDocumentPositionParams { text_document: TextDocumentIdentifier { uri }, position }
}

/// The same as JSON.
pub(crate) fn at_json(uri: &str, position: Position) -> Value {
    serde_json::to_value(at(uri, position)).expect("it is JSON")
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An example, with its text.
pub(crate) fn example(name: &str) -> String {
    let path = repository().join("examples").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A new folder for a test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    path
}

pub(crate) fn uri_of(path: &Path) -> String {
    format!("file://{}", path.display())
}

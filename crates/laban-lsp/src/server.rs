//! The loop: messages in, answers out.
//!
//! One thread reads, one writes, one works ([`worker`]), and this one answers. It never waits for a search: a
//! request that needs one is put aside until its document is known. Edits are only noted while more messages are at
//! hand; the work for all of them starts when there are none.

use crate::capabilities::initialize_result;
use crate::diagnostics::Shown;
use crate::settings::Settings;
use crate::text::Change;
use crate::transport::{self, Incoming, Outgoing};
use crate::worker::{self, Report, Work};
use crate::workspace::Workspace;
use crate::{disk, dispatch, uri};
use gen_lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    PublishDiagnosticsParams, TextDocumentContentChangeEvent,
};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread;

/// How many messages may wait to be looked at.
const MOST_WAITING: usize = 1024;

/// What happens.
enum Event {
    /// A message has come.
    Incoming(Incoming),
    /// The client is gone.
    Closed,
    /// Something is known.
    Report(Report),
}

/// How far the conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The client has not said hello.
    New,
    Running,
    /// The client has said goodbye.
    ShutDown,
}

/// Serves a client until it says `exit` or goes away. Returns whether it said goodbye before, with `shutdown`.
pub fn serve(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> io::Result<bool> {
    let (sender, events) = mpsc::sync_channel(MOST_WAITING);
    let reports = sender.clone();
    thread::Builder::new().name("reader".to_string()).spawn(move || {
        let mut input = BufReader::new(input);
        while let Ok(Some(incoming)) = transport::read(&mut input) {
            if sender.send(Event::Incoming(incoming)).is_err() {
                return;
            }
        }
        let _ = sender.send(Event::Closed);
    })?;
    let (outgoing, messages) = mpsc::channel::<Outgoing>();
    let writer = thread::Builder::new().name("writer".to_string()).spawn(move || {
        let mut output = BufWriter::new(output);
        // Whoever does not listen any more is about to go away.
        let _ = messages.into_iter().try_for_each(|message| transport::write(&mut output, &message));
    })?;
    let (orders, work) = mpsc::channel();
    thread::Builder::new().name("worker".to_string()).spawn(move || {
        worker::run(&work, |report| reports.send(Event::Report(report)).is_ok());
    })?;
    let mut server = Server::new(outgoing, orders);
    server.run(&events);
    let said_goodbye = server.phase == Phase::ShutDown;
    server.cancel();
    drop(server);
    // Everything that was said is written.
    let _ = writer.join();
    Ok(said_goodbye)
}

/// A request that waits for what is not known yet.
struct Waiting {
    id: RequestId,
    method: String,
    params: Value,
}

struct Server {
    phase: Phase,
    settings: Settings,
    workspace: Workspace,
    outgoing: Sender<Outgoing>,
    orders: Sender<Work>,
    /// Whether something has changed since work was last ordered.
    is_dirty: bool,
    /// Whether all that was ordered is done.
    is_settled: bool,
    /// The document that was edited last.
    last_edited: Option<String>,
    /// The number of the work that was ordered last, and how to cancel it.
    work_number: u64,
    is_cancelled: Arc<AtomicBool>,
    /// What was shown last of each document, by its key.
    shown: BTreeMap<String, Shown>,
    waiting: Vec<Waiting>,
    /// The number of the next request to the client.
    next_request: i32,
}

impl Server {
    fn new(outgoing: Sender<Outgoing>, orders: Sender<Work>) -> Self {
        Server {
            phase: Phase::New,
            settings: Settings::default(),
            workspace: Workspace::default(),
            outgoing,
            orders,
            is_dirty: false,
            is_settled: true,
            last_edited: None,
            work_number: 0,
            is_cancelled: Arc::new(AtomicBool::new(false)),
            shown: BTreeMap::new(),
            waiting: Vec::new(),
            next_request: 0,
        }
    }

    /// Until the client says `exit` or is gone.
    fn run(&mut self, events: &Receiver<Event>) {
        loop {
            let event = match events.try_recv() {
                Ok(event) => event,
                Err(TryRecvError::Disconnected) => return,
                Err(TryRecvError::Empty) => {
                    self.order();
                    match events.recv() {
                        Ok(event) => event,
                        Err(_) => return,
                    }
                }
            };
            match event {
                Event::Incoming(Incoming::Malformed(why)) => self.send(Outgoing::Refused(why)),
                Event::Incoming(Incoming::Message(Message::Request(request))) => self.request(request),
                Event::Incoming(Incoming::Message(Message::Notification(notification))) => {
                    if notification.method == "exit" {
                        return;
                    }
                    if self.phase == Phase::Running {
                        self.notification(notification);
                    }
                }
                // What the client says to a request of the server does not matter.
                Event::Incoming(Incoming::Message(Message::Response(_))) => {}
                Event::Closed => return,
                Event::Report(report) => self.report(report),
            }
        }
    }

    fn send(&self, outgoing: Outgoing) {
        let _ = self.outgoing.send(outgoing);
    }

    fn respond(&self, id: RequestId, response_result: Result<Value, ResponseError>) {
        self.send(Outgoing::Message(Response { id, response_result }.into()));
    }

    fn notify(&self, method: &str, params: Value) {
        self.send(Outgoing::Message(Notification { method: method.to_string(), params }.into()));
    }

    /// Asks the client for something.
    fn ask(&mut self, method: &str, params: Value) {
        self.next_request += 1;
        let id = RequestId::from(self.next_request);
        self.send(Outgoing::Message(Request { id, method: method.to_string(), params }.into()));
    }

    fn request(&mut self, Request { id, method, params }: Request) {
        let refuse = |code, message: &str| Err(dispatch::error(code, message.to_string()));
        match (self.phase, method.as_str()) {
            (Phase::New, "initialize") => {
                self.settings = Settings::of(&params);
                self.workspace.columns = self.settings.columns;
                self.phase = Phase::Running;
                let result = serde_json::to_value(initialize_result(&self.settings)).unwrap_or(Value::Null);
                self.respond(id, Ok(result));
            }
            (Phase::New, _) => self.respond(id, refuse(ErrorCode::ServerNotInitialized, "say `initialize` first")),
            (Phase::ShutDown, _) => self.respond(id, refuse(ErrorCode::InvalidRequest, "the server is shut down")),
            (Phase::Running, "initialize") => {
                self.respond(id, refuse(ErrorCode::InvalidRequest, "`initialize` was said already"));
            }
            (Phase::Running, "shutdown") => {
                self.phase = Phase::ShutDown;
                self.cancel();
                for Waiting { id, .. } in std::mem::take(&mut self.waiting) {
                    self.respond(id, refuse(ErrorCode::RequestCanceled, "the server shuts down"));
                }
                self.respond(id, Ok(Value::Null));
            }
            (Phase::Running, _) => {
                let waiting = Waiting { id, method, params };
                match self.has_to_wait(&waiting) {
                    true => self.waiting.push(waiting),
                    false => self.answer(waiting),
                }
            }
        }
    }

    fn answer(&self, Waiting { id, method, params }: Waiting) {
        self.respond(id, dispatch::answer(&self.workspace, &self.settings, &method, params));
    }

    /// Whether a request needs what is not known yet.
    fn has_to_wait(&self, Waiting { method, params, .. }: &Waiting) -> bool {
        let document = || dispatch::uri(params).and_then(|uri| self.workspace.document(uri));
        if method == dispatch::STATISTICS {
            return !self.is_settled;
        }
        dispatch::waits(method)
            && document().is_some_and(|document| {
                self.workspace.systems(document).iter().any(|system| system.outcome().is_none())
            })
    }

    fn notification(&mut self, Notification { method, params }: Notification) {
        match method.as_str() {
            "initialized" => self.watch_files(),
            "textDocument/didOpen" => {
                let Some(DidOpenTextDocumentParams { text_document: document }) = parsed(params) else { return };
                let word = document.language_id.to_string();
                self.workspace.open(&document.uri.0, &word, document.version, document.text);
                self.read_folder(&document.uri.0);
                self.edited(&document.uri.0);
            }
            "textDocument/didChange" => {
                let Some(DidChangeTextDocumentParams { text_document, content_changes }) = parsed(params) else {
                    return;
                };
                let uri = &text_document.text_document_identifier.uri.0;
                let changes: Vec<Change> = content_changes.into_iter().map(change).collect();
                if self.workspace.change(uri, text_document.version, &changes) {
                    self.edited(uri);
                }
            }
            "textDocument/didClose" => {
                let Some(DidCloseTextDocumentParams { text_document }) = parsed(params) else { return };
                if self.workspace.close(&text_document.uri.0) {
                    self.read_folder(&text_document.uri.0);
                    self.edited(&text_document.uri.0);
                }
            }
            "textDocument/didSave" => {
                let Some(DidSaveTextDocumentParams { text_document, .. }) = parsed(params) else { return };
                self.read_folder(&text_document.uri.0);
                self.edited(&text_document.uri.0);
            }
            "workspace/didChangeWatchedFiles" => {
                let changes = params.get("changes").and_then(Value::as_array).cloned().unwrap_or_default();
                for uri in changes.iter().filter_map(|change| change.get("uri")).filter_map(Value::as_str) {
                    self.read_folder(uri);
                    self.edited(uri);
                }
            }
            "$/cancelRequest" => self.cancel_request(params.get("id")),
            _ => {}
        }
    }

    /// Notes that something has changed; what was being done about it is pointless.
    fn edited(&mut self, uri: &str) {
        self.is_dirty = true;
        self.is_settled = false;
        self.last_edited = Some(uri::key(uri));
        self.cancel();
    }

    fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    fn cancel_request(&mut self, id: Option<&Value>) {
        let Some(id) = id.and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok()) else { return };
        if let Some(index) = self.waiting.iter().position(|waiting| waiting.id == id) {
            let Waiting { id, .. } = self.waiting.swap_remove(index);
            self.respond(id, Err(dispatch::error(ErrorCode::RequestCanceled, "cancelled".to_string())));
        }
    }

    /// Reads the networks beside a file, which may be parts of the same.
    fn read_folder(&mut self, uri: &str) {
        let key = uri::key(uri);
        let Some(folder) = uri::folder(&key).filter(|_| key.to_lowercase().ends_with(".net")) else { return };
        let files = disk::networks(std::path::Path::new(folder));
        self.workspace.set_folder(folder, files);
    }

    /// Orders the work that is to be done, if there is some.
    fn order(&mut self) {
        if !std::mem::take(&mut self.is_dirty) || self.phase != Phase::Running {
            return;
        }
        self.workspace.tidy();
        self.cancel();
        self.is_cancelled = Arc::new(AtomicBool::new(false));
        self.work_number += 1;
        let _ = self.orders.send(Work {
            number: self.work_number,
            workspace: self.workspace.clone(),
            first: self.last_edited.clone(),
            is_cancelled: self.is_cancelled.clone(),
            settings: self.settings.clone(),
        });
    }

    /// Shows what is known now, and answers the requests that waited for it.
    fn report(&mut self, Report { number, shown, is_last }: Report) {
        if number != self.work_number || self.is_dirty {
            return;
        }
        self.is_settled = is_last;
        let mut has_changed = false;
        if is_last {
            let gone: Vec<String> = self.shown.keys().filter(|key| !shown.contains_key(*key)).cloned().collect();
            for shown in gone.iter().filter_map(|key| self.shown.remove(key)).collect::<Vec<Shown>>() {
                has_changed = true;
                self.publish(&Shown { diagnostics: Vec::new(), version: None, ..shown });
            }
        }
        for (key, new) in shown {
            let old = self.shown.get(&key);
            // Of a file that is not open, only what is wrong with it is worth a word.
            let is_quiet = old.is_none() && new.version.is_none() && new.diagnostics.is_empty();
            if old != Some(&new) && !is_quiet {
                has_changed = true;
                self.publish(&new);
                self.shown.insert(key, new);
            }
        }
        if has_changed && is_last && self.settings.refreshes_lenses {
            self.ask("workspace/codeLens/refresh", Value::Null);
        }
        if has_changed && is_last && self.settings.refreshes_hints {
            self.ask("workspace/inlayHint/refresh", Value::Null);
        }
        for waiting in std::mem::take(&mut self.waiting) {
            match self.has_to_wait(&waiting) {
                true => self.waiting.push(waiting),
                false => self.answer(waiting),
            }
        }
    }

    fn publish(&self, Shown { uri, version, diagnostics, summary }: &Shown) {
        let params = PublishDiagnosticsParams { uri: uri.clone(), version: *version, diagnostics: diagnostics.clone() };
        self.notify("textDocument/publishDiagnostics", serde_json::to_value(params).unwrap_or(Value::Null));
        if self.settings.notify_analysed && version.is_some() {
            self.notify("laban/analysed", json!({ "uri": uri.0, "version": version, "summary": summary }));
        }
    }

    /// Asks the client to watch networks, if it can.
    fn watch_files(&mut self) {
        if self.settings.watches_files {
            let watchers = json!({ "watchers": [{ "globPattern": "**/*.net" }] });
            let registration =
                json!({ "id": "networks", "method": "workspace/didChangeWatchedFiles", "registerOptions": watchers });
            self.ask("client/registerCapability", json!({ "registrations": [registration] }));
        }
    }
}

fn parsed<T: DeserializeOwned>(params: Value) -> Option<T> {
    serde_json::from_value(params).ok()
}

fn change(event: TextDocumentContentChangeEvent) -> Change {
    match event {
        TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
            Change { range: Some(part.range), text: part.text }
        }
        TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => {
            Change { range: None, text: whole.text }
        }
    }
}

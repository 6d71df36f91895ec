//! Measures the server as a client sees it: how long after an edit it shows what it knows, next to what the same text
//! costs without a server, and how much memory it takes after many edits.
//!
//!     cargo run --profile thorough -p laban-lsp --example measure

use laban::generate::{Parameters, network};
use lsp_server::{Message, Notification, Request};
use serde_json::{Value, json};
use std::error::Error;
use std::io::{self, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::time::{Duration, Instant};

const URI: &str = "untitled:a.net";

type Outcome<T> = Result<T, Box<dyn Error>>;

struct Client {
    input: PipeWriter,
    output: BufReader<PipeReader>,
    version: i32,
}

impl Client {
    fn new() -> Outcome<Self> {
        let (server_input, input) = pipe()?;
        let (output, server_output) = pipe()?;
        std::thread::spawn(move || laban_lsp::serve(server_input, server_output));
        let mut client = Client { input, output: BufReader::new(output), version: 0 };
        let params = json!({ "capabilities": {}, "initializationOptions": { "timeout": 0 } });
        client.request("initialize", params)?;
        Ok(client)
    }

    fn send(&mut self, message: &Message) -> io::Result<()> {
        let mut bytes = Vec::new();
        message.write(&mut bytes)?;
        self.input.write_all(&bytes)
    }

    fn notify(&mut self, method: &str, params: Value) -> io::Result<()> {
        self.send(&Notification { method: method.to_string(), params }.into())
    }

    fn next(&mut self) -> Outcome<Message> {
        Ok(Message::read(&mut self.output)?.ok_or("the server is gone")?)
    }

    fn request(&mut self, method: &str, params: Value) -> Outcome<Value> {
        let id = lsp_server::RequestId::from(1);
        self.send(&Request { id, method: method.to_string(), params }.into())?;
        loop {
            if let Message::Response(response) = self.next()? {
                return response.response_result.map_err(|error| error.message.into());
            }
        }
    }

    fn open(&mut self, text: &str) -> Outcome<()> {
        self.version += 1;
        let document = json!({ "uri": URI, "languageId": "laban-net", "version": self.version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }))?;
        self.shown()
    }

    /// Puts a character at the start of the text.
    fn edit(&mut self) -> Outcome<()> {
        self.version += 1;
        let zero = json!({ "line": 0, "character": 0 });
        let text = if self.version % 2 == 0 { " " } else { "" };
        let end = json!({ "line": 0, "character": usize::from(text.is_empty()) });
        let change =
            json!({ "range": { "start": zero, "end": if text.is_empty() { end } else { zero } }, "text": text });
        let document = json!({ "uri": URI, "version": self.version });
        Ok(self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }))?)
    }

    /// Waits until something is shown of the last version.
    fn shown(&mut self) -> Outcome<()> {
        loop {
            if let Message::Notification(one) = self.next()?
                && one.params["version"] == self.version
            {
                return Ok(());
            }
        }
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// What the same text costs without a server: one parse and one search.
fn alone(text: &str) -> Outcome<Duration> {
    let mut times = Vec::new();
    for _ in 0..11 {
        let start = Instant::now();
        let analysis = laban::analyse(text);
        let network = analysis.network().ok_or("the text is well-formed")?;
        let options = laban::ExtractOptions { certify: false, ..laban::ExtractOptions::default() };
        std::hint::black_box((laban::extract(network, &options)?, analysis.diagnostics().len()));
        times.push(start.elapsed());
    }
    Ok(median(times))
}

fn resident_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn latency(name: &str, text: &str) -> Outcome<()> {
    let alone = alone(text)?;
    let mut client = Client::new()?;
    client.open(text)?;
    let mut times = Vec::new();
    for _ in 0..31 {
        let start = Instant::now();
        client.edit()?;
        client.shown()?;
        times.push(start.elapsed());
    }
    let worst = times.iter().copied().max().unwrap_or_default();
    let median = median(times);
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{name}: {} lines, {} kB; alone {alone:.1?}, after an edit {median:.1?} ({:.2} times), at most {worst:.1?}",
        text.lines().count(),
        text.len() / 1000,
        median.as_secs_f64() / alone.as_secs_f64()
    )?;
    Ok(())
}

/// Many edits without waiting, again and again.
fn bursts(text: &str) -> Outcome<()> {
    let mut client = Client::new()?;
    client.open(text)?;
    let mut out = io::stdout().lock();
    for round in 1..=10 {
        let start = Instant::now();
        for _ in 0..1000 {
            client.edit()?;
        }
        client.shown()?;
        let time = start.elapsed();
        let statistics = client.request("laban/statistics", Value::Null)?;
        writeln!(
            out,
            "{} edits: last shown after {time:.1?}, {} kB resident, {statistics}",
            round * 1000,
            resident_kilobytes()
        )?;
    }
    Ok(())
}

fn main() -> Outcome<()> {
    let generated = network(&Parameters::new(480, 6, 30, 4), 7).map_err(|refusal| format!("{refusal:?}"))?;
    let thousand = laban::Pretty { tree: &generated.network_tree, source: "" }.to_string();
    let sends = "  q!<x>;\n".repeat(50_000);
    let receives = "  p?;\n".repeat(50_000);
    let long = format!("p {{ main {{\n{sends}  stop }} }}\n| q {{ main {{\n{receives}  stop }} }}\n");
    latency("a network", &thousand)?;
    latency("100,000 actions", &long)?;
    bursts(&thousand)
}

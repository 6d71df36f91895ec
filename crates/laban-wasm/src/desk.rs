//! Where an answer is put together: what the command would print, and the same as data.

use crate::places::Places;
use crate::request::{Request, Text};
use laban::diagnostic::{Code, Diagnostic};
use laban::syntax::Kind;
use laban::text::visible;
use laban_report::{
    Colours, Exit, File, Input, Library, MOST_DIAGNOSTICS, Raw, ReadArgs, Reader, Reading, Refused, and_more,
    module_paths, on_one_line, render_concise, render_full,
};
use serde::Serialize;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// The fields of an answer.
#[derive(Debug, Default)]
pub(crate) struct Fields(Map<String, Value>);

impl Fields {
    pub(crate) fn put(&mut self, name: &str, value: impl Serialize) {
        self.0.insert(name.to_string(), serde_json::to_value(value).unwrap_or_default());
    }

    pub(crate) fn into_json(self) -> String {
        Value::Object(self.0).to_string()
    }
}

/// Which files of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// Those that come first.
    Files,
    /// Those that they are compared with.
    With,
}

/// Where something is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    Output,
    Said,
}

/// How diagnostics are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Full,
    Concise,
}

/// An answer so far.
pub(crate) struct Desk<'a> {
    pub(crate) request: &'a Request,
    pub(crate) args: ReadArgs,
    pub(crate) output: String,
    said: String,
    diagnostics: Vec<Value>,
    omitted: usize,
    remarks: Vec<String>,
    pub(crate) fields: Fields,
}

impl<'a> Desk<'a> {
    pub(crate) fn new(request: &'a Request) -> Result<Self, String> {
        if request.files.is_empty() {
            return Err("files: there are none".to_string());
        }
        Ok(Desk {
            request,
            args: request.read_args()?,
            output: String::new(),
            said: String::new(),
            diagnostics: Vec::new(),
            omitted: 0,
            remarks: Vec::new(),
            fields: Fields::default(),
        })
    }

    /// Reads something.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Reader<'_>) -> T) -> T {
        let library = Beside(&self.request.beside);
        read(&Reader { args: &self.args, channels: self.request.channels_asked(), library: &library })
    }

    /// The texts of a side. A name that is given twice is a mistake: nobody could tell the two apart.
    pub(crate) fn raws(&self, side: Side, reader: &Reader<'_>) -> Vec<Result<Raw, Refused>> {
        let files = self.files(side);
        let mut raws = Vec::new();
        for (number, text) in files.iter().enumerate() {
            let file = file_of(text);
            let is_twice = files.iter().take(number).any(|other| other.name == text.name);
            raws.push(match is_twice {
                true => Err(Refused::Message { message: format!("{} is given twice", file.name), file: Some(file) }),
                false => Ok(reader.raw(file, text.text.clone().into_bytes())),
            });
        }
        raws
    }

    fn files(&self, side: Side) -> &'a [Text] {
        match side {
            Side::Files => &self.request.files,
            Side::With => &self.request.with,
        }
    }

    /// The names of the files of a side and of those beside it, with their numbers in the request.
    fn numbers(&self, side: Side) -> Vec<(String, usize)> {
        let Request { files, with, beside, .. } = self.request;
        let (start, own) = match side {
            Side::Files => (0, files),
            Side::With => (files.len(), with),
        };
        let own = own.iter().enumerate().map(|(index, text)| (on_one_line(&text.name), start + index));
        let first = files.len() + with.len();
        let others = beside.iter().enumerate().map(|(index, text)| (on_one_line(&text.name), first + index));
        own.chain(others).collect()
    }

    /// The places of a text.
    pub(crate) fn places<'b>(&self, side: Side, input: &'b Input) -> Places<'b> {
        Places::new(&input.source, &self.numbers(side))
    }

    /// What was read. Tells what is strange about it or why there is nothing.
    pub(crate) fn accept<T>(
        &mut self,
        side: Side,
        read: Result<Reading<T>, Vec<Refused>>,
        form: Form,
    ) -> Option<(Input, T)> {
        match read {
            Ok(Reading { input, model, diagnostics }) => {
                self.asides(&input);
                let is_remark = |one: &Diagnostic| one.code == Code::Remark && form == Form::Full;
                let (remarks, others): (Vec<_>, Vec<_>) = diagnostics.into_iter().partition(is_remark);
                let places = self.places(side, &input);
                self.tell(&places, &remarks, Form::Concise, Stream::Said);
                self.tell(&places, &others, form, Stream::Said);
                Some((input, model))
            }
            Err(refused) => {
                self.refuse(side, refused, form);
                None
            }
        }
    }

    /// Says what is assumed about a text.
    pub(crate) fn asides(&mut self, input: &Input) {
        input.asides().iter().for_each(|aside| self.aside(aside));
    }

    /// Says why there is nothing to work on.
    pub(crate) fn refuse(&mut self, side: Side, refused: Vec<Refused>, form: Form) {
        for refused in refused {
            match refused {
                Refused::Message { message, .. } => self.error(&message),
                Refused::Mistakes { source, diagnostics, .. } => {
                    let places = Places::new(&source, &self.numbers(side));
                    self.tell(&places, &diagnostics, form, Stream::Said);
                }
            }
        }
    }

    /// Shows diagnostics, and keeps them as data. Gives the number of the first.
    pub(crate) fn tell(&mut self, places: &Places<'_>, all: &[Diagnostic], form: Form, stream: Stream) -> usize {
        let first = self.diagnostics.len();
        let omitted = all.len().saturating_sub(MOST_DIAGNOSTICS);
        let mut text = String::new();
        for diagnostic in all.iter().take(MOST_DIAGNOSTICS) {
            text.push_str(&match form {
                Form::Full => render_full(places.source, diagnostic, Colours::None),
                Form::Concise => render_concise(places.source, diagnostic),
            });
            self.diagnostics.push(places.diagnostic(diagnostic));
        }
        text.push_str(&match form {
            _ if omitted == 0 => String::new(),
            Form::Full => format!("{}\n\n", and_more(omitted)),
            Form::Concise => format!("{}: {}\n", places.source.name, and_more(omitted)),
        });
        self.omitted += omitted;
        self.stream(stream).push_str(&text);
        first
    }

    /// Says how many diagnostics are not shown.
    pub(crate) fn omit(&mut self, omitted: usize) {
        if omitted > 0 {
            self.omitted += omitted;
            self.output.push_str(&format!("{}\n\n", and_more(omitted)));
        }
    }

    /// Says what went wrong with something that is not a text to point into.
    pub(crate) fn error(&mut self, message: &str) {
        self.said.push_str(&format!("error: {}\n", visible(message)));
        self.remarks.push(message.to_string());
    }

    /// Says something beside the result.
    pub(crate) fn aside(&mut self, line: &str) {
        self.said.push_str(&format!("{}\n", visible(line)));
        self.remarks.push(line.to_string());
    }

    /// Says something as a result.
    pub(crate) fn say(&mut self, line: &str) {
        self.output.push_str(&format!("{}\n", visible(line)));
    }

    fn stream(&mut self, stream: Stream) -> &mut String {
        match stream {
            Stream::Output => &mut self.output,
            Stream::Said => &mut self.said,
        }
    }

    /// The whole answer.
    pub(crate) fn finish(mut self, exit: Exit) -> Fields {
        let files = self.described_files();
        let mut fields = self.fields;
        fields.put("exit", exit.code());
        fields.put("output", std::mem::take(&mut self.output));
        fields.put("said", self.said);
        fields.put("diagnostics", self.diagnostics);
        fields.put("omitted", self.omitted);
        fields.put("remarks", self.remarks);
        fields.put("files", files);
        fields
    }

    fn described_files(&self) -> Vec<FileRecord> {
        let Request { files, with, beside, .. } = self.request;
        let described = |text: &Text| {
            let path = PathBuf::from(&text.name);
            let language = self.args.language(&path, text.text.as_bytes());
            let (name, description, kind) = match language {
                laban_report::Language::Own(kind) => {
                    let kind = kind.unwrap_or_else(|| laban::analyse(text.text.as_str()).kind());
                    match kind {
                        Kind::Network => ("net", "a network of Laban", Some("network")),
                        Kind::Choreography => ("chor", "a choreography of Laban", Some("choreography")),
                    }
                }
                laban_report::Language::Other(format) => (format.name(), format.description(), None),
                laban_report::Language::Markdown => ("markdown", "Markdown", None),
            };
            FileRecord { name: text.name.clone(), language: name, description, kind }
        };
        files.iter().chain(with).chain(beside).map(described).collect()
    }
}

#[derive(Serialize)]
struct FileRecord {
    name: String,
    language: &'static str,
    description: &'static str,
    kind: Option<&'static str>,
}

fn file_of(text: &Text) -> File {
    File { name: on_one_line(&text.name), path: Some(PathBuf::from(&text.name)) }
}

/// Files of the request that others may import.
struct Beside<'a>(&'a [Text]);

impl Library for Beside<'_> {
    fn find(&self, from: &File, module: &str) -> Option<File> {
        let paths = module_paths(from.path.as_deref()?, module);
        let named = |path: &PathBuf| self.0.iter().find(|text| Path::new(&text.name) == path);
        paths.iter().find_map(named).map(file_of)
    }

    fn read(&self, file: &File) -> Option<String> {
        let found = self.0.iter().find(|text| Some(PathBuf::from(&text.name)) == file.path);
        found.map(|text| text.text.clone())
    }

    fn identity(&self, file: &File) -> Option<PathBuf> {
        file.path.clone()
    }
}

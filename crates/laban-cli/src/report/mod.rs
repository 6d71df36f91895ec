//! Diagnostics as people and programs read them: one file per form.
//!
//! There are two kinds of forms. Some are written as they come, one diagnostic after the other: [`write`]. Others are
//! about a whole run of the command, and some of them are documents with a beginning and an end, so that everything is
//! kept until it is known: a [`Report`] takes [`Case`]s, one for each file or comparison, and writes at the end. It
//! knows both kinds, and commands need not ask which one it is.

mod case;
mod github;
mod junit;
mod sarif;
mod uri;

use crate::console::Console;
use crate::exit::Exit;
use crate::interrupt::is_interrupted;
use case::{Case, Finding, Trouble};
use clap::ValueEnum;
use laban::diagnostic::{Annotation, Code, Diagnostic};
use laban::text::{on_one_line, visible};
use laban_report::{Colours, File, Input, Reading, Refused, Source, and_more, diagnostic_line, diagnostic_value};
use laban_report::{render_concise, render_full};
use serde_json::{Value, json};
use std::borrow::Borrow;
use std::io::{self, Write};

pub(crate) use case::Problem;
pub(crate) use laban_report::MOST_DIAGNOSTICS;

/// How to show diagnostics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The source with notes in it
    #[value(alias = "text")]
    Full,
    /// One line per diagnostic: `file:line:column: severity: message`
    Concise,
    /// One JSON object per line and diagnostic
    Json,
    /// A SARIF 2.1.0 document, for code scanning
    Sarif,
    /// A JUnit XML document, for test reports
    Junit,
    /// Annotations of GitHub Actions
    Github,
}

impl Format {
    /// Whether it is about the whole run of the command, and written at its end.
    pub(crate) fn is_at_the_end(self) -> bool {
        matches!(self, Format::Sarif | Format::Junit | Format::Github)
    }
}

/// Writes diagnostics of a source, in the order given, in a form that is written as they come. Of very many, the first
/// and how many more there are.
pub(crate) fn write<D: Borrow<Diagnostic>>(
    format: Format,
    source: &Source,
    diagnostics: impl IntoIterator<Item = D, IntoIter: ExactSizeIterator>,
    out: &mut impl Write,
) -> io::Result<()> {
    let diagnostics = diagnostics.into_iter();
    let omitted = diagnostics.len().saturating_sub(MOST_DIAGNOSTICS);
    for diagnostic in diagnostics.take(MOST_DIAGNOSTICS) {
        match format {
            Format::Full => out.write_all(render_full(source, diagnostic.borrow(), Colours::Terminal).as_bytes())?,
            Format::Concise => out.write_all(render_concise(source, diagnostic.borrow()).as_bytes())?,
            Format::Json => out.write_all(diagnostic_line(source, diagnostic.borrow()).as_bytes())?,
            Format::Sarif | Format::Junit | Format::Github => {}
        }
    }
    write_omitted(format, source, omitted, out)
}

/// Says how many diagnostics are not shown, if there are any.
fn write_omitted(format: Format, source: &Source, omitted: usize, out: &mut impl Write) -> io::Result<()> {
    let name = &source.name;
    match format {
        _ if omitted == 0 => Ok(()),
        Format::Full => writeln!(out, "{}\n", and_more(omitted)),
        Format::Concise => writeln!(out, "{name}: {}", and_more(omitted)),
        Format::Json => crate::json::write_line(&json!({ "file": name, "omitted": omitted }), out),
        Format::Sarif | Format::Junit | Format::Github => Ok(()),
    }
}

/// What a command finds, for any of the formats.
pub(crate) struct Report {
    format: Format,
    command: &'static str,
    /// Whether the result of the command is something else, so that diagnostics belong on standard error.
    beside: bool,
    /// The diagnostics of texts, where they become part of one JSON object.
    collected: Option<Vec<Value>>,
    cases: Vec<Case>,
}

impl Report {
    /// Nothing found so far. If it is written at the end, an interrupt ends the work from now on, but not the program,
    /// so that it is still written.
    pub(crate) fn new(format: Format, command: &'static str) -> Self {
        if format.is_at_the_end() {
            is_interrupted();
        }
        Report { format, command, beside: false, collected: None, cases: Vec::new() }
    }

    /// The same for a command whose result is a text: diagnostics are on standard error, unless they are a
    /// document, which is then the result.
    pub(crate) fn beside_a_result(format: Format, command: &'static str) -> Self {
        Report { beside: true, ..Report::new(format, command) }
    }

    /// The same for a command that prints one JSON object, in which the diagnostics of texts have their place.
    pub(crate) fn of_one_object(command: &'static str) -> Self {
        Report { collected: Some(Vec::new()), ..Report::new(Format::Json, command) }
    }

    /// The diagnostics that belong into the one JSON object.
    pub(crate) fn take_collected(&mut self) -> Vec<Value> {
        self.collected.take().unwrap_or_default()
    }

    /// Whether the result of the command is a document about it.
    pub(crate) fn is_document(&self) -> bool {
        self.format.is_at_the_end()
    }

    /// From here on, it is about this file or comparison.
    pub(crate) fn begin(&mut self, name: impl Into<String>) {
        if self.format.is_at_the_end() {
            self.cases.push(Case { name: on_one_line(&name.into()).into_owned(), ..Case::default() });
        }
    }

    /// Notes that a file was not looked at, for formats that list all files.
    pub(crate) fn skip(&mut self, name: impl Into<String>, why: &str) {
        self.begin(name);
        if let Some(case) = self.cases.last_mut() {
            case.skipped = Some(why.to_string());
        }
    }

    /// Tells diagnostics, on standard output unless they are kept for the end.
    pub(crate) fn tell(
        &mut self,
        source: &Source,
        diagnostics: &[Diagnostic],
        console: &mut Console,
    ) -> io::Result<()> {
        match (self.format.is_at_the_end(), self.format) {
            (true, _) => self.keep(source, diagnostics),
            (false, _) if self.beside => write(self.format, source, diagnostics, console.err())?,
            (false, Format::Json) => write(self.format, source, diagnostics, console.data())?,
            (false, _) => write(self.format, source, diagnostics, console.out())?,
        }
        Ok(())
    }

    /// Tells how many diagnostics about a source are not shown, if there are any.
    pub(crate) fn omit(&mut self, source: &Source, omitted: usize, console: &mut Console) -> io::Result<()> {
        if let Some(case) = self.case() {
            case.omitted += omitted;
        }
        match self.format {
            Format::Json => write_omitted(self.format, source, omitted, console.data()),
            _ => write_omitted(self.format, source, omitted, console.out()),
        }
    }

    /// Mentions diagnostics at the end which are not mistakes here; other forms leave them out.
    pub(crate) fn mention(&mut self, source: &Source, diagnostics: &[Diagnostic]) {
        let junit = self.format == Format::Junit;
        if let Some(case) = self.case() {
            let shown = diagnostics.iter().take(MOST_DIAGNOSTICS);
            case.findings.extend(shown.map(|diagnostic| Finding::new(source, diagnostic, junit).mentioned()));
            case.omitted += diagnostics.len().saturating_sub(MOST_DIAGNOSTICS);
        }
    }

    /// Tells a diagnostic with the run that leads to it. Only some forms show it, so it is made only where it is
    /// needed.
    pub(crate) fn tell_with_run(
        &mut self,
        source: &Source,
        diagnostic: Diagnostic,
        run: (&Source, impl FnOnce() -> Vec<Annotation>),
        console: &mut Console,
    ) -> io::Result<()> {
        self.tell(source, &[diagnostic], console)?;
        let (source, steps) = run;
        if let (Format::Sarif, Some(finding)) = (self.format, self.case().and_then(|case| case.findings.last_mut())) {
            finding.run = case::shortened(steps()).iter().map(|step| case::place(source, step)).collect();
        }
        Ok(())
    }

    /// What was read. Tells what is strange about it or why there is nothing: to people on standard error, and to
    /// programs where they look for it.
    pub(crate) fn accept<T>(
        &mut self,
        read: Result<Reading<T>, Vec<Refused>>,
        console: &mut Console,
    ) -> io::Result<Option<(Input, T)>> {
        match read {
            Ok(Reading { input, model, diagnostics }) => {
                input.asides().iter().try_for_each(|aside| console.say_aside(aside))?;
                let is_remark = |one: &Diagnostic| one.code == Code::Remark && self.format == Format::Full;
                let (remarks, others): (Vec<_>, Vec<_>) = diagnostics.into_iter().partition(is_remark);
                // What is not about a mistake is said in a line.
                write(Format::Concise, &input.source, &remarks, console.err())?;
                self.tell_aside(&input.source, &others, console)?;
                Ok(Some((input, model)))
            }
            Err(refused) => {
                self.refuse(refused, console)?;
                Ok(None)
            }
        }
    }

    /// Tells why there is nothing to work on: on standard error, except for JSON, and at the end.
    pub(crate) fn refuse(&mut self, refused: Vec<Refused>, console: &mut Console) -> io::Result<()> {
        for refused in refused {
            match refused {
                Refused::Message { file, message } => {
                    console.error(&message);
                    if let Some(collected) = &mut self.collected {
                        let file = file.as_ref().map(|file| &file.name);
                        collected.push(
                            json!({ "file": file, "severity": "error", "code": "unreadable", "message": message }),
                        );
                    }
                    self.note_trouble(Trouble { problem: Problem::Unreadable, file, message });
                }
                Refused::Mistakes { source, diagnostics, .. } => {
                    if self.format.is_at_the_end() {
                        write(Format::Full, &source, &diagnostics, console.err())?;
                    }
                    self.tell_aside(&source, &diagnostics, console)?;
                }
            }
        }
        Ok(())
    }

    /// Reports diagnostics before there is an answer.
    fn tell_aside(&mut self, source: &Source, diagnostics: &[Diagnostic], console: &mut Console) -> io::Result<()> {
        if let Some(collected) = &mut self.collected {
            collected.extend(diagnostics.iter().take(MOST_DIAGNOSTICS).map(|one| diagnostic_value(source, one)));
            return Ok(());
        }
        match self.format {
            Format::Json if self.beside => write(self.format, source, diagnostics, console.err()),
            Format::Full | Format::Concise => write(self.format, source, diagnostics, console.err()),
            Format::Json => write(self.format, source, diagnostics, console.data()),
            Format::Sarif | Format::Junit | Format::Github => {
                self.keep(source, diagnostics);
                Ok(())
            }
        }
    }

    /// Tells what else went wrong: on standard error, and at the end.
    pub(crate) fn trouble(&mut self, problem: Problem, message: String, console: &mut Console) {
        console.error(&message);
        self.note_trouble(Trouble { problem, file: None, message });
    }

    /// Says why there is no answer, which is not a diagnostic: those who read nothing else get it on standard
    /// error.
    pub(crate) fn no_answer(
        &mut self,
        problem: Problem,
        file: &File,
        message: &str,
        console: &mut Console,
    ) -> io::Result<()> {
        if matches!(self.format, Format::Full | Format::Concise) {
            return Ok(());
        }
        self.note_trouble(Trouble { problem, file: Some(file.clone()), message: message.to_string() });
        console.say_aside(message)
    }

    /// Notes what went wrong, if the report is written at the end.
    fn note_trouble(&mut self, mut trouble: Trouble) {
        trouble.message = visible(&trouble.message).into_owned();
        if let Some(case) = self.case() {
            case.troubles.push(trouble);
        }
    }

    /// Prints what is not a diagnostic, such as the verdict in a line: on standard output for people, and at the end.
    /// JSON has diagnostics only.
    pub(crate) fn say(&mut self, line: &str, console: &mut Console) -> io::Result<()> {
        match self.format {
            Format::Full | Format::Concise if !self.beside => console.say(line)?,
            Format::Full | Format::Concise | Format::Json => {}
            Format::Sarif | Format::Junit | Format::Github => {
                if let Some(case) = self.case() {
                    case.remarks.push(visible(line).into_owned());
                }
            }
        }
        Ok(())
    }

    /// Writes what was kept until now.
    pub(crate) fn finish(self, exit: Exit, console: &mut Console) -> io::Result<()> {
        let Report { format, command, cases, .. } = self;
        let document = match format {
            Format::Sarif => sarif::document(&cases, exit),
            Format::Junit => junit::document(command, &cases),
            Format::Github => github::annotations(&cases),
            Format::Full | Format::Concise | Format::Json => return Ok(()),
        };
        console.data().write_all(document.as_bytes())
    }

    fn case(&mut self) -> Option<&mut Case> {
        if self.format.is_at_the_end() && self.cases.is_empty() {
            self.cases.push(Case { name: self.command.to_string(), ..Case::default() });
        }
        self.cases.last_mut()
    }

    fn keep(&mut self, source: &Source, diagnostics: &[Diagnostic]) {
        let format = self.format;
        if let Some(case) = self.case() {
            let shown = diagnostics.iter().take(MOST_DIAGNOSTICS);
            case.findings.extend(shown.map(|diagnostic| Finding::new(source, diagnostic, format == Format::Junit)));
            case.omitted += diagnostics.len().saturating_sub(MOST_DIAGNOSTICS);
        }
    }
}

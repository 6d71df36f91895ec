//! What readers say, golden by golden: the text, and after `===` the network or what is wrong with the text.
//!
//! A file in `goldens/` has the format as its first line, and then each source after a line `--- NAME`.
//! `UPDATE_GOLDENS=1 cargo test -p laban-formats goldens` writes the answers anew.

use laban::network::read_off;
use laban::text::{Columns, LineTable, Span};
use laban::{Model, Pretty};
use laban_formats::{Format, Reading, Source, read};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// The files of a golden: names and texts.
fn sources(text: &str) -> (Format, Vec<(String, String)>) {
    let (format, rest) = text.split_once('\n').unwrap();
    let format = Format::from_name(format).unwrap_or_else(|| panic!("there is no format {format}"));
    let mut files: Vec<(String, String)> = Vec::new();
    for line in rest.lines() {
        match line.strip_prefix("--- ") {
            Some(name) => files.push((name.to_string(), String::new())),
            None => {
                let (_, text) = files.last_mut().expect("a source starts with `--- NAME`");
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    (format, files)
}

/// A place as `file:line:column`, and what is there.
fn place(files: &[(String, String)], span: Span) -> String {
    let mut offset = 0;
    for (name, text) in files {
        let end = offset + text.len();
        if (span.start as usize) < end || name == &files[files.len() - 1].0 {
            let lines = LineTable::new(text);
            let start = span.start as usize - offset;
            let position = lines.position(text, start, Columns::Characters);
            let there = text.get(start..span.end as usize - offset).unwrap_or("").replace('\n', "⏎");
            return format!("{name}:{}:{} `{there}`", position.line + 1, position.column + 1);
        }
        offset = end;
    }
    "nowhere".to_string()
}

fn answer(format: Format, files: &[(String, String)]) -> String {
    let mut offset = 0;
    let mut sources = Vec::new();
    for (name, text) in files {
        sources.push(Source { name, text, offset });
        offset += text.len() as u32;
    }
    let Reading { model, procedures, report, .. } = read(format, &sources);
    let mut answer = String::new();
    for diagnostic in &report.diagnostics {
        let (severity, code) = (diagnostic.severity().as_str(), diagnostic.code.as_str());
        writeln!(answer, "{severity}[{code}]: {}", diagnostic.message).unwrap();
        let annotation = &diagnostic.primary;
        writeln!(answer, "  at {}: {}", place(files, annotation.span), annotation.label).unwrap();
        for annotation in &diagnostic.secondary {
            writeln!(answer, "  and {}: {}", place(files, annotation.span), annotation.label).unwrap();
        }
        for hint in &diagnostic.hints {
            writeln!(answer, "  hint: {hint}").unwrap();
        }
    }
    if let Some(Model::Choreography(choreography)) = &model {
        let tree = laban::choreography::read_off_named(choreography);
        answer.push_str(&Pretty { tree: &tree, source: "" }.to_string());
    }
    if let Some(Model::Network(network)) = &model {
        let tree = read_off(network, &procedures);
        let printed = Pretty { tree: &tree, source: "" }.to_string();
        assert!(laban::analyse(printed.as_str()).into_network().is_ok(), "what is printed can be read:\n{printed}");
        writeln!(answer, "{}", printed.trim_end()).unwrap();
    }
    for remark in &report.remarks {
        writeln!(answer, "remark: {}\n  at {}", remark.text, place(files, remark.span)).unwrap();
    }
    for renamed in &report.renamed {
        writeln!(answer, "renamed: `{}` is `{}`", renamed.original, renamed.name).unwrap();
    }
    answer
}

#[test]
fn goldens_say_what_is_read_and_what_is_refused() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/suite/goldens");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let update = std::env::var_os("UPDATE_GOLDENS").is_some();
    let mut wrong = Vec::new();
    for path in &paths {
        let text = fs::read_to_string(path).unwrap();
        let (input, expected) = text.split_once("\n===\n").unwrap_or((text.trim_end(), ""));
        let (format, files) = sources(input);
        let answer = answer(format, &files);
        if update {
            fs::write(path, format!("{input}\n===\n{answer}")).unwrap();
        } else if answer != expected {
            wrong.push(format!("{}:\n{answer}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(paths.len() > 30, "{}", paths.len());
}

//! Reads all files below some folders and prints a table: format, file, whether it was read and what Laban says
//! about it, by rendezvous and with queues (where decisions are fair); or why it was refused, and where.
//!
//! `cargo run -p laban-formats --example samples -- FOLDER…`
//!
//! Files that belong together are read together: graphs whose names start alike up to the first dot (of
//! `name.a_expected.dot` and `name.a_optimised.dot`, each in turn), and the pairs that a file `PAIRS.tsv` lists.

use laban::network::{Channel, Channels, Network};
use laban::{AmendOptions, Choreography, ExtractOptions, Limits, Model, NotProjected, ProjectOptions, project};
use laban_formats::{Format, ReadOptions, Reading, Source, amend_diagram, detect, read};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let mut read_count = 0;
    let mut refused_count = 0;
    let mut others = 0;
    for folder in env::args().skip(1) {
        for system in systems(Path::new(&folder))? {
            match system {
                Some((format, files)) => {
                    if show(format, &files)? {
                        read_count += 1;
                    } else {
                        refused_count += 1;
                    }
                }
                None => others += 1,
            }
        }
    }
    println!("read {read_count}, refused {refused_count}, other formats {others}");
    Ok(())
}

/// A format and the files that belong together.
type Files = (Format, Vec<PathBuf>);

/// The systems in a folder; nothing for a file in another format.
fn systems(folder: &Path) -> io::Result<Vec<Option<Files>>> {
    let mut files = Vec::new();
    let mut work = vec![folder.to_path_buf()];
    while let Some(path) = work.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path)? {
                work.push(entry?.path());
            }
        } else {
            files.push(path);
        }
    }
    files.sort();
    let mut systems = Vec::new();
    let mut graphs: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
        match detect(&name, &text) {
            Some(Format::Dot) => {
                let start = path.with_file_name(name.split('.').next().unwrap_or(&name));
                graphs.entry(start.to_string_lossy().into_owned()).or_default().push(path);
            }
            // Pairs are listed elsewhere.
            Some(Format::SubtypingPair) if path.with_file_name("PAIRS.tsv").exists() => {}
            Some(format) => systems.push(Some((format, vec![path]))),
            None if name == "PAIRS.tsv" => {
                let pairs = text.lines().filter_map(|line| {
                    let mut words = line.split('\t');
                    let pair = [words.next()?, words.next()?];
                    Some(Some((Format::SubtypingPair, pair.map(|file| path.with_file_name(file)).to_vec())))
                });
                systems.extend(pairs);
            }
            None => systems.push(None),
        }
    }
    for files in graphs.into_values() {
        let is_variant = |path: &&PathBuf| path.to_string_lossy().ends_with("_optimised.dot");
        let variants: Vec<&PathBuf> = files.iter().filter(is_variant).collect();
        let usual: Vec<PathBuf> = files.iter().filter(|path| !is_variant(path)).cloned().collect();
        for variant in variants {
            let replaced = variant.to_string_lossy().replace("_optimised.dot", "_expected.dot");
            let with = usual.iter().map(|path| if path.to_string_lossy() == replaced { variant } else { path });
            systems.push(Some((Format::Dot, with.cloned().collect())));
        }
        systems.push(Some((Format::Dot, usual)));
    }
    Ok(systems)
}

/// What Laban says of a network.
fn verdict(network: &Network, fair: bool) -> String {
    let options = ExtractOptions { fair, limits: Limits::states(200_000), ..ExtractOptions::default() };
    match laban::extract(network, &options) {
        Ok(extraction) => extraction.verdict().as_str().to_string(),
        Err(error) => error.to_string(),
    }
}

/// Reads a system and prints a line about it. Returns whether it could be read.
fn show(format: Format, files: &[PathBuf]) -> io::Result<bool> {
    let mut texts = Vec::new();
    for file in files {
        texts.push(String::from_utf8_lossy(&fs::read(file)?).into_owned());
    }
    let names: Vec<String> =
        files.iter().map(|file| file.file_name().unwrap_or_default().to_string_lossy().into_owned()).collect();
    let mut offset = 0;
    let mut sources = Vec::new();
    for (name, text) in names.iter().zip(&texts) {
        sources.push(Source { name, text, offset });
        offset += text.len() as u32;
    }
    let reading = read(format, &sources);
    let Reading { model, report, .. } = &reading;
    let answer = match model {
        Some(Model::Choreography(choreography)) => {
            let amended = match format {
                Format::Mermaid | Format::PlantUml => amended(format, &sources[0]),
                _ => String::new(),
            };
            format!("read\t{}{amended}", projected(choreography))
        }
        Some(Model::Network(network)) => {
            let mut queued = network.clone();
            queued.set_channels(Channels::all(Channel::Queue { bound: None }));
            format!("read\t{}\t{}", verdict(network, false), verdict(&queued, true))
        }
        None => {
            let described = report.diagnostics.iter().find(|diagnostic| diagnostic.is_error()).map(|diagnostic| {
                let all: String = texts.concat();
                let lines = laban::text::LineTable::new(&all);
                let place = lines.position(&all, diagnostic.primary.span.start as usize, Default::default());
                format!("{}:{}: {}", place.line + 1, place.column + 1, diagnostic.message)
            });
            format!("refused\t{}", described.unwrap_or_default())
        }
    };
    let renamed: Vec<String> =
        report.renamed.iter().map(|renamed| format!("{}→{}", renamed.original, renamed.name)).collect();
    println!("{format}\t{}\t{answer}\t{}", names.join(" "), renamed.join(" "));
    Ok(model.is_some())
}

/// How many arrows a diagram lacks, or why they cannot be added. What it says then was read again.
fn amended(format: Format, source: &Source<'_>) -> String {
    match amend_diagram(format, source, &ReadOptions::default(), &AmendOptions::default()) {
        Ok(amended) if amended.added.is_empty() => String::new(),
        Ok(amended) => format!(", amended with {} arrows", amended.added.len()),
        Err(error) => format!(", not amended: {error:?}"),
    }
}

/// Whether a choreography has a projection.
fn projected(choreography: &Choreography) -> &'static str {
    match project(choreography, &ProjectOptions::default()) {
        Ok(_) => "projectable",
        Err(NotProjected::Unprojectable(_)) => "unprojectable",
        Err(_) => "undecided",
    }
}

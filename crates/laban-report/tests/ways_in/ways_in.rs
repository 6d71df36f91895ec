//! What must be true of everything that is read, as the command reads it.

use crate::systems::{Features, choreography, network};
use laban::equivalence::Equivalence;
use laban::{
    AmendOptions, Choreography, EquivalenceOptions, Limits, NotProjected, ProjectOptions, analyse, equivalent, project,
};
use laban_formats::{
    Format, FsaDialect, NotAmended, ReadOptions, Reading, Source, Unsayable, amend_diagram, markdown_blocks, read,
    write_automaton, write_bpmn, write_fsa, write_json_choreography, write_json_network, write_kmc, write_mermaid,
    write_nuscr, write_plantuml, write_scribble,
};
use laban_report::{
    ChannelsAsked, Colours, File, Input, NoLibrary, ReadArgs, Reader, Refused, render_concise, render_full, table_row,
};
use std::convert::Infallible;
use std::path::PathBuf;

/// Any bytes, as a table: every line that is neither empty nor the header is a row, and written down again it reads
/// back. Any network, made of these bytes: in a table it is the network that was put there.
pub fn tables_are_read(bytes: &[u8]) {
    let text = network(bytes, Features { races: true, queues: true, services: true });
    let table = format!("testId\tnetwork\r\none\t{text}\r\n\n{text}");
    let lines = (1..).zip(table.as_bytes().split_inclusive(|&byte| byte == b'\n'));
    let networks: Vec<&[u8]> =
        lines.filter_map(|(number, line)| table_row(line, number).map(|row| &line[row.network])).collect();
    assert!(networks.len() == 2 && networks.iter().all(|network| *network == text.as_bytes()), "{text}");

    for (number, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
        let Some(row) = table_row(line, number) else {
            let is_empty = line.iter().all(|byte| b"\r\n".contains(byte));
            assert!(is_empty || number == 1 && line.trim_ascii_end().ends_with(b"\tnetwork"), "{line:?}");
            continue;
        };
        let network = &line[row.network];
        assert!(!network.ends_with(b"\r") && !network.contains(&b'\n'), "{line:?}");
        let mut again = format!("{}\t", row.name).into_bytes();
        again.extend(network);
        let back = table_row(&again, number + 1).map(|row| (row.name, &again[row.network]));
        assert_eq!(back, Some((row.name, network)), "{line:?}");
        let analysis = laban::Analysis::of_bytes(None, network.to_vec());
        for diagnostic in analysis.errors() {
            assert!(diagnostic.primary.span.end as usize <= network.len().max(analysis.text().len()), "{line:?}");
        }
    }
}

/// The names that files are given: one for each way of reading.
const NAMES: [&str; 20] = [
    "a.md", "b.md", "c.md", "a.net", "a.chor", "a", "a.json", "a.fsa", "a.ctx", "a.txt", "a.dot", "a.mmd", "a.puml",
    "a.bpmn", "a.scr", "a.nuscr", "a.global", "a.gc", "a.sprout", "-",
];

/// Any bytes, in a file with some name: what is read has its places in the text, and what is wrong can be shown. In
/// Markdown, blocks lie in the text one after the other, and all else is blank.
pub fn files_are_shown(bytes: &[u8]) {
    let (name, bytes) = match bytes.split_first() {
        Some((&first, rest)) => (NAMES[usize::from(first) % NAMES.len()], rest),
        None => ("a.net", bytes),
    };
    if let Ok(text) = std::str::from_utf8(bytes) {
        let mut end = 0;
        for block in markdown_blocks(text) {
            assert!(block.span.start >= end && block.span.end as usize <= text.len(), "{text}");
            end = block.span.end;
            let alone = block.alone(text);
            assert_eq!((alone.len(), alone.lines().count()), (text.len(), text.lines().count()), "{text}");
            let inside = alone.get(block.span.start as usize..block.span.end as usize);
            assert_eq!(inside, Some(block.inside(text).as_str()), "{text}");
            let line = 1 + text[..block.span.start as usize].matches('\n').count() as u32;
            assert!(block.line == line || block.span.start as usize == text.len(), "{text}");
        }
    }
    let args = ReadArgs::default();
    let reader = Reader { args: &args, channels: ChannelsAsked::NoOption, library: &NoLibrary };
    let file = File { name: name.to_string(), path: (name != "-").then(|| PathBuf::from(name)) };
    let raw = Ok(reader.raw(file, bytes.to_vec()));
    let ended: Result<(), Infallible> = reader.each(std::iter::once(raw), |input| {
        match input {
            Ok(input) => show(&input, bytes),
            Err(Refused::Message { message, .. }) => assert!(!message.is_empty()),
            Err(Refused::Mistakes { source, diagnostics, .. }) => {
                assert!(!diagnostics.is_empty());
                diagnostics.iter().for_each(|diagnostic| shown(&source, diagnostic));
            }
        }
        Ok(())
    });
    assert!(ended.is_ok());
}

fn show(input: &Input, bytes: &[u8]) {
    assert!(input.source.text.len() <= bytes.len().max(4) * 4);
    let errors = input.analysis.errors();
    errors.iter().for_each(|diagnostic| shown(&input.source, diagnostic));
}

fn shown(source: &laban_report::Source, diagnostic: &laban::diagnostic::Diagnostic) {
    assert!(diagnostic.primary.span.end as usize <= source.text.len());
    let full = render_full(source, diagnostic, Colours::None);
    assert!(full.contains(diagnostic.code.as_str()), "{full}");
    let line = render_concise(source, diagnostic);
    assert!(!line.trim_end().contains('\n'), "{line}");
}

/// Any choreography, amended: as a diagram, a drawing or a model of another tool it reads back, as the same one where
/// the language can say all that it says; a diagram that is amended has a projection, and nothing is missing from it
/// any more.
pub fn exports_are_read_back(bytes: &[u8]) {
    let text = choreography(bytes);
    let Ok(model) = analyse(text.as_str()).into_choreography() else { return };
    // One language at a time, so that more choreographies are tried.
    match bytes.last().map_or(0, |last| last % 4) {
        0 => drawn(&text, Format::Mermaid, &model, write_mermaid(&model)),
        1 => drawn(&text, Format::PlantUml, &model, write_plantuml(&model)),
        2 => global(&text, &model),
        _ => local(&text, &model),
    }
}

fn drawn(text: &str, format: Format, model: &Choreography, written: Result<String, Unsayable>) {
    let written = written.unwrap_or_else(|error| panic!("{text}: {error}"));
    same(text, format, model, &written);
    amended(text, format, &written);
}

fn global(text: &str, model: &Choreography) {
    let written = write_json_choreography(model);
    let again = back(text, Format::Json, &written).into_choreography().unwrap_or_else(|| panic!("{text}: {written}"));
    assert_eq!(write_json_choreography(&again), written, "{text}");
    let others = [
        (Format::Bpmn, write_bpmn(model)),
        (Format::ChoreographyAutomaton, write_automaton(model)),
        (Format::Scribble, write_scribble(model, "Proto")),
        (Format::Nuscr, write_nuscr(model, "Proto")),
    ];
    for (format, written) in others {
        if let Ok(written) = written {
            back(text, format, &written);
        }
    }
}

fn local(text: &str, model: &Choreography) {
    let Ok(projection) = project(model, &ProjectOptions { limits: Limits::states(1_000), ..ProjectOptions::default() })
    else {
        return;
    };
    let network = &projection.network;
    if network.processes().is_empty() {
        return;
    }
    let written = write_json_network(network);
    let again = back(text, Format::Json, &written).into_network().unwrap_or_else(|| panic!("{text}: {written}"));
    assert_eq!(write_json_network(&again), written, "{text}");
    for dialect in [FsaDialect::ChorGram, FsaDialect::Kmc] {
        if let Ok(written) = write_fsa(network, dialect) {
            back(text, Format::Fsa, &written);
        }
    }
    if let Ok(written) = write_kmc(network) {
        back(text, Format::Kmc, &written);
    }
}

fn back(text: &str, format: Format, written: &str) -> Reading {
    let reading = read(format, &[Source::new("", written)]);
    assert!(reading.model.is_some(), "{text}: {written}: {:?}", reading.report);
    reading
}

fn same(text: &str, format: Format, model: &Choreography, written: &str) {
    let again = back(text, format, written).into_choreography().unwrap_or_else(|| panic!("{text}: {written}"));
    let comparison = equivalent(model, &again, &EquivalenceOptions::default());
    let is_alike = matches!(comparison.answer, Equivalence::Same { pairs: 0, .. }) && comparison.is_exact();
    assert!(is_alike, "{text}: {written}");
}

fn amended(text: &str, format: Format, written: &str) {
    let options = AmendOptions { limits: Limits::states(1_000), ..AmendOptions::default() };
    let amend = |written: &str| amend_diagram(format, &Source::new("", written), &ReadOptions::default(), &options);
    let amended = match amend(written) {
        Ok(amended) => amended.text,
        Err(NotAmended::Unread(report)) => panic!("{text}: {written}: {report:?}"),
        // Arrows do not help everywhere, and not every place has room for one.
        Err(_) => return,
    };
    let choreography = back(text, format, &amended).into_choreography().unwrap_or_else(|| panic!("{text}: {amended}"));
    let projection =
        project(&choreography, &ProjectOptions { limits: Limits::states(1_000), ..ProjectOptions::default() });
    assert!(!matches!(projection, Err(NotProjected::Unprojectable(_))), "{text}: {amended}");
    match amend(&amended) {
        Ok(again) => assert_eq!(again.text, amended, "{text}"),
        Err(error) => assert!(!matches!(error, NotAmended::Unread(_)), "{text}: {amended}: {error:?}"),
    }
}

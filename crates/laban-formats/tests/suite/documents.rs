//! The texts in `docs/formats.md` are what they are said to be.

use laban::diagnostic::Code;
use laban_formats::{Format, Source, detect, read};
use std::fs;
use std::path::Path;

#[test]
fn texts_in_the_documents_are_recognised_and_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats.md");
    let page = fs::read_to_string(path).unwrap();
    let mut found = Vec::new();
    for section in page.split("\n## ") {
        let lines: Vec<&str> = section.lines().filter_map(|line| line.strip_prefix("    ")).collect();
        if lines.is_empty() {
            continue;
        }
        let text = lines.join("\n");
        let format = detect("", &text).unwrap_or_else(|| panic!("{text}"));
        let source = Source::new("a", &text);
        let sources = if format == Format::SubtypingPair { vec![source, source] } else { vec![source] };
        // Some are only one of two processes.
        let mistakes = read(format, &sources).report.diagnostics;
        assert!(mistakes.iter().all(|mistake| mistake.code == Code::UnknownProcess), "{text}\n{mistakes:?}");
        found.push(format);
    }
    let expected = [
        Format::Fsa,
        Format::Kmc,
        Format::SubtypingPair,
        Format::Dot,
        Format::MpstkContext,
        Format::ChoreographyAutomaton,
        Format::Chorgram,
        Format::MpstkGlobal,
        Format::Sprout,
        Format::Mermaid,
        Format::PlantUml,
    ];
    assert_eq!(found, expected);
    for format in Format::ALL {
        assert!(page.contains(&format!("| `{format}` |")), "{format} is not in the table");
    }
}

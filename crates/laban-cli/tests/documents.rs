//! What README.md and `docs/` show is what happens.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod common;

use common::{file, laban, root};
use laban::diagnostic::Code;
use std::fs;

#[test]
fn commands_in_the_documents_print_what_is_shown() {
    std::env::set_current_dir(root()).expect("the root is there");
    trycmd::TestCases::new()
        .register_bin("laban", std::path::Path::new(env!("CARGO_BIN_EXE_laban")))
        .case("README.md")
        .case("docs/*.md");
}

#[test]
fn networks_and_choreographies_in_the_documents_are_well_formed() {
    let mut count = 0;
    for name in ["README.md", "docs/language.md"] {
        let document = fs::read_to_string(root().join(name)).expect("the document is there");
        for block in document.split("\n```").filter(|block| block.starts_with("net\n") || block.starts_with("chor\n")) {
            let (extension, text) = block.split_once('\n').expect("it has lines");
            count += 1;
            let run = laban(&["check", &file("shown", &format!("{count}.{extension}"), text)]);
            assert_eq!(run.code, Some(0), "{text}\n{}", run.out);
            assert!(!run.out.contains("warning"), "{}", run.out);
        }
    }
    assert_eq!(count, 2);
}

#[test]
fn every_code_is_documented_with_an_example_in_which_it_occurs() {
    let document = fs::read_to_string(root().join("docs/language.md")).expect("the document is there");
    for code in Code::ALL {
        let start = format!("| `{}` |", code.as_str());
        let row = document.lines().find(|line| line.starts_with(&start));
        let row = row.unwrap_or_else(|| panic!("{} is not documented", code.as_str())).replace("\\|", "\u{1}");
        let columns: Vec<String> = row.split('|').map(|column| column.trim().replace('\u{1}', "|")).collect();
        let extension = match columns[3].as_str() {
            "N" => "net",
            "C" => "chor",
            _ => continue,
        };
        let example = file("documented", &format!("{}.{extension}", code.as_str()), columns[4].trim_matches('`'));
        let run = laban(&["check", "--format", "concise", &example]);
        assert!(run.out.contains(&format!("[{}]", code.as_str())), "{}: {}", code.as_str(), run.out);
    }
}

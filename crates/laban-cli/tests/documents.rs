//! What README.md and `docs/` show is what happens.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod common;

use common::{file, laban, root};
use laban::diagnostic::Code;
use std::fs;
use std::path::Path;

#[test]
fn commands_in_the_documents_print_what_is_shown() {
    std::env::set_current_dir(root()).expect("the root is there");
    trycmd::TestCases::new()
        .register_bin("laban", Path::new(env!("CARGO_BIN_EXE_laban")))
        .case("README.md")
        .case("docs/*.md")
        .case("docs/tutorial/*.md");
}

/// All pages: README.md and those of the book.
fn pages() -> Vec<String> {
    let mut pages = vec!["README.md".to_string()];
    for folder in ["docs", "docs/tutorial"] {
        let files = fs::read_dir(root().join(folder)).expect("the folder is there");
        let names = files.map(|file| file.expect("a file").file_name().into_string().expect("a readable name"));
        pages.extend(names.filter(|name| name.ends_with(".md")).map(|name| format!("{folder}/{name}")));
    }
    pages.sort();
    pages
}

fn page(name: &str) -> String {
    fs::read_to_string(root().join(name)).expect("the page is there")
}

#[test]
fn networks_and_choreographies_in_the_documents_are_well_formed() {
    let mut count = 0;
    for name in pages() {
        for block in page(&name).split("\n```") {
            let (kind, text) = block.split_once('\n').unwrap_or((block, ""));
            let (extension, code) = match kind {
                "net" | "chor" => (kind, 0),
                "net-deadlock" | "net-livelock" => ("net", 1),
                _ => continue,
            };
            count += 1;
            let run = laban(&["check", &file("shown", &format!("{count}.{extension}"), text)]);
            assert_eq!(run.code, Some(code), "{name}: {text}\n{}", run.out);
            assert!(!run.out.contains("warning"), "{name}: {}", run.out);
            if let Some((_, verdict)) = kind.split_once('-') {
                assert!(run.out.contains(&format!("error[{verdict}]")), "{name}: {}", run.out);
            }
        }
    }
    assert!(count >= 7, "{count} networks and choreographies");
}

#[test]
fn every_link_leads_to_a_page_and_a_heading() {
    let mut count = 0;
    for name in pages() {
        let folder = Path::new(&name).parent().expect("a page is in a folder").to_path_buf();
        let text = page(&name);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            if link.contains("://") || link.contains(char::is_whitespace) {
                continue;
            }
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { root().join(&name) } else { root().join(&folder).join(path) };
            assert!(target.exists(), "{name}: there is no {path}");
            if !heading.is_empty() {
                let target = fs::read_to_string(&target).expect("a page is text");
                assert!(target.lines().any(|line| anchor(line).as_deref() == Some(heading)), "{name}: no #{heading}");
            }
            count += 1;
        }
    }
    assert!(count > 50, "{count} links");
}

/// What a heading is called in links.
fn anchor(line: &str) -> Option<String> {
    let (marks, words) = line.split_once(' ')?;
    let is_heading = !marks.is_empty() && marks.chars().all(|mark| mark == '#');
    let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    is_heading.then(|| words.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-"))
}

/// The pictures in the documents are what is drawn. `UPDATE_GOLDENS=1` draws them anew.
#[test]
fn pictures_in_the_documents_are_what_is_drawn() {
    let pictures: [(&str, &[&str]); 5] = [
        ("buyer-seller", &["extract", "examples/buyer-seller.net"]),
        ("haggling", &["extract", "examples/tutorial/5-service.net"]),
        ("deadlock", &["extract", "examples/tutorial/2-decide.net"]),
        ("difference", &["verify", "examples/tutorial/6-voucher.net", "examples/tutorial/protocol.chor"]),
        ("seg", &["graph", "--of", "seg", "examples/tutorial/2-decide.net"]),
    ];
    for (name, command) in pictures {
        let drawn = laban(&[command, &["--format", "svg"]].concat()).out;
        let path = root().join(format!("docs/pictures/{name}.svg"));
        if std::env::var_os("UPDATE_GOLDENS").is_some() {
            fs::write(&path, &drawn).expect("the folder can be written to");
        }
        let kept = fs::read_to_string(&path).expect("the picture is there");
        assert!(kept == drawn, "{name}.svg is not what `laban {}` draws", command.join(" "));
    }
    let there = fs::read_dir(root().join("docs/pictures")).expect("the folder is there").count();
    assert_eq!(there, pictures.len());
}

/// The book leaves no page out.
#[test]
fn every_page_is_in_the_table_of_contents() {
    let summary = page("docs/SUMMARY.md");
    for name in pages().iter().filter_map(|name| name.strip_prefix("docs/")).filter(|&name| name != "SUMMARY.md") {
        assert!(summary.contains(&format!("]({name})")), "{name}");
    }
}

#[test]
fn every_command_has_a_section() {
    let (help, commands) = (laban(&["help"]).out, page("docs/commands.md"));
    let groups = help.split_once("Commands:").expect("it lists commands").1;
    let listed = groups.split_once("Options:").expect("it lists options").0;
    let mut count = 0;
    for line in listed.lines() {
        let Some(name) = line.strip_prefix("  ").and_then(|line| line.split_whitespace().next()) else { continue };
        if line.starts_with("   ") || name == "help" {
            continue;
        }
        let heading = |line: &str| line.starts_with("## ") && line.contains(&format!("laban {name}"));
        assert!(commands.lines().any(heading), "docs/commands.md has no section on {name}");
        count += 1;
    }
    assert!(count >= 15, "{count} commands: {help}");
}

#[test]
fn every_code_is_documented_with_an_example_in_which_it_occurs() {
    let document = page("docs/language.md");
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

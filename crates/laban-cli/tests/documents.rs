//! What README.md and `docs/` show is what happens.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod common;

use common::{Run, file, laban, laban_with_input, root};
use laban::diagnostic::Code;
use std::fs;
use std::path::Path;

/// A block that starts with ` ```console `: a command and what it prints. ` ```console exit=1 ` says how it exits,
/// where that is not 0; a reader of the page does not see it. In what is printed, `...` stands for any lines, and
/// `[..]` for any text in a line. `UPDATE_GOLDENS=1` writes down what is printed now.
#[test]
fn commands_in_the_documents_print_what_is_shown() {
    let (mut count, mut surprises) = (0, Vec::new());
    for name in pages() {
        let mut updated = String::new();
        let text = page(&name);
        let mut blocks = text.split("\n```console");
        updated.push_str(blocks.next().unwrap_or_default());
        for block in blocks {
            let (shown, rest) = block.split_once("\n```\n").expect("a block ends");
            let run = console(shown);
            if !is_shown(shown, &run) {
                surprises.push(format!("{name}\n--- shown\n{shown}\n--- actual\n{run}"));
            }
            let kept = if is_shown(shown, &run) { shown } else { &run };
            updated.push_str(&format!("\n```console{kept}\n```\n{rest}"));
            count += 1;
        }
        if std::env::var_os("UPDATE_GOLDENS").is_some() && updated != text {
            fs::write(root().join(&name), updated).expect("the page can be written to");
            surprises.clear();
        }
    }
    assert!(count > 50, "{count} commands");
    assert!(surprises.is_empty(), "{}\nUPDATE_GOLDENS=1 writes down what is printed now", surprises.join("\n\n"));
}

/// Runs the command of a block, which may be several, each with what the one before it printed. Gives back the block as
/// it should be.
fn console(block: &str) -> String {
    let command = block.lines().find_map(|line| line.strip_prefix("$ laban ")).expect("a block starts with `$ laban`");
    let mut commands = command.split(" | laban ").map(|one| one.split_whitespace().collect::<Vec<_>>());
    let mut run = laban(&commands.next().expect("there is a command"));
    for next in commands {
        let after = laban_with_input(&next, run.out.as_bytes());
        run = Run { err: format!("{}{}", run.err, after.err), ..after };
    }
    let exit = match run.code.expect("it exits") {
        0 => String::new(),
        code => format!(" exit={code}"),
    };
    format!("{exit}\n$ laban {command}\n{}{}", run.out, run.err).trim_end().to_string()
}

/// Whether a block shows what a command printed.
fn is_shown(block: &str, run: &str) -> bool {
    let (shown, printed): (Vec<&str>, Vec<&str>) = (block.lines().collect(), run.lines().collect());
    // For each line of the block, after which lines that were printed it can be reached.
    let mut reached = vec![true];
    reached.resize(printed.len() + 1, false);
    for line in shown {
        let mut next = vec![false; printed.len() + 1];
        for at in (0..=printed.len()).filter(|&at| reached[at]) {
            match printed.get(at) {
                _ if line == "..." => next[at..].fill(true),
                Some(printed) if is_like(line, printed) => next[at + 1] = true,
                _ => {}
            }
        }
        reached = next;
    }
    reached[printed.len()]
}

/// Whether a line is as shown, where `[..]` stands for any text.
fn is_like(shown: &str, printed: &str) -> bool {
    let pieces: Vec<&str> = shown.split("[..]").collect();
    let [first, between @ .., last] = pieces.as_slice() else { return shown == printed };
    let Some(mut rest) = printed.strip_prefix(first) else { return false };
    for piece in between {
        let Some((_, after)) = rest.split_once(piece) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

#[test]
fn a_document_that_shows_something_else_is_found_out() {
    let printed = "\n$ laban x\none\ntwo words\nthree";
    assert!(is_shown("\n$ laban x\none\ntwo words\nthree", printed));
    assert!(is_shown("\n$ laban x\n...\nthree", printed));
    assert!(is_shown("\n$ laban x\none\n[..]words\n...", printed));
    assert!(is_shown("\n$ laban x\none\nt[..] w[..]s\nthree\n...", printed));
    for wrong in ["one", "one\ntwo words\nthree\nfour", "...\ntwo", "one\n[..]word\nthree", "one\ntwo words"] {
        assert!(!is_shown(&format!("\n$ laban x\n{wrong}"), printed), "{wrong}");
    }
    assert!(!is_shown(" exit=1\n$ laban x\n...", printed));
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
    // One more shows an editor.
    let screenshots = ["editor", "playground"];
    assert!(screenshots.iter().all(|name| root().join(format!("docs/pictures/{name}.png")).is_file()));
    let there = fs::read_dir(root().join("docs/pictures")).expect("the folder is there").count();
    assert_eq!(there, pictures.len() + screenshots.len());
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

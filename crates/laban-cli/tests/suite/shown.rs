//! What users wrote can hold characters that do something to a terminal, or cannot be seen. They are written out in all
//! that is shown, and stay as they are in all that is data.

use crate::common::{Run, file, laban, laban_with_input};
use laban::text::is_hidden;

/// Characters of each kind; few at a time, since long values are cut in messages.
const GROUPS: &[&[char]] = &[
    &['\u{1}', '\u{7}', '\u{8}', '\u{b}'],
    &['\u{1b}', '\u{7f}', '\u{80}', '\u{85}'],
    &['\u{9b}', '\u{9d}', '\u{9f}', '\u{ad}'],
    &['\u{61c}', '\u{200b}', '\u{200d}', '\u{200f}'],
    &['\u{2028}', '\u{2029}', '\u{202a}', '\u{202e}'],
    &['\u{2060}', '\u{2066}', '\u{2069}', '\u{feff}'],
    &['\u{180e}', '\u{fff9}', '\u{e0001}', '\u{e0041}'],
];

/// A value with these characters in it.
fn value(characters: &[char]) -> String {
    let inside: String = characters.iter().flat_map(|&character| [character, ']']).collect();
    format!("\"{inside}0;x\"")
}

/// Nothing is hidden in what a run prints but our own colours, which are asked for, so that nobody takes them out.
fn is_visible(what: &str, text: &str) {
    let mut rest = text;
    let mut plain = String::new();
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        let end = after.find(|character: char| !matches!(character, '[' | ';' | '0'..='9'));
        match end.map(|end| after.split_at(end)) {
            Some((colour, behind)) if colour.starts_with('[') && behind.starts_with('m') => rest = &behind[1..],
            _ => {
                plain.push('\u{1b}');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    let found: Vec<char> =
        plain.chars().filter(|&character| is_hidden(character) && character != '\n' && character != '\t').collect();
    assert!(found.is_empty(), "{what}: {found:?} in {plain:?}");
}

/// Runs a command that shows things, in colour.
fn shows(arguments: &[&str], codes: &[i32]) -> Run {
    shows_with_input(arguments, "", codes)
}

fn shows_with_input(arguments: &[&str], input: &str, codes: &[i32]) -> Run {
    let mut all = vec!["--color", "always"];
    all.extend(arguments);
    let run = laban_with_input(&all, input.as_bytes());
    let what = format!("laban {}", arguments.join(" "));
    assert!(run.code.is_some_and(|code| codes.contains(&code)), "{what}: {run:?}");
    is_visible(&what, &run.out);
    is_visible(&what, &run.err);
    run
}

/// The files that the commands work on, with a value in every place that can hold one.
struct Files {
    fine: String,
    stuck: String,
    broken: String,
    choreography: String,
    other: String,
    unprojectable: String,
}

fn files(number: usize, value: &str) -> Files {
    let folder = format!("shown-{number}");
    let net = |name: &str, text: String| file(&folder, &format!("{name}.net"), text);
    let chor = |name: &str, text: String| file(&folder, &format!("{name}.chor"), text);
    Files {
        fine: net(
            "fine",
            format!(
                "p {{ def X {{ q!<{value}>; if {value} then q+go; X else q+no; stop }} main {{ X }} }} // {value}\n\
                 | q {{ def X {{ p?; p&{{go: X, no: stop}} }} main {{ X }} }}\n"
            ),
        ),
        stuck: net(
            "stuck",
            format!(
                "p {{ main {{ q!<{value}>; if {value} then q!<{value}>; q?; stop else q?; stop }} }} // {value}\n\
                 | q {{ main {{ p?; p!<{value}>; p!<{value}>; stop }} }}\n"
            ),
        ),
        broken: net("broken", format!("p {{ main {{ q!<{value}> {value} q?; if {value} q }} }} | | q {{ {value} }}")),
        choreography: chor(
            "fine",
            format!("def X {{ p.{value} -> q; if p.{value} then p -> q[go]; X else p -> q[no]; stop }} main {{ X }}\n"),
        ),
        other: chor(
            "other",
            format!(
                "main {{ p.{value} -> q; if p.{value} then p.{value} -> q; stop else p.{value} -> q; stop }} // {value}\n"
            ),
        ),
        unprojectable: chor(
            "unprojectable",
            format!("main {{ p.{value} -> q; if p.{value} then q.{value} -> p; stop else stop }} // {value}\n"),
        ),
    }
}

#[test]
fn nothing_is_hidden_in_what_is_shown() {
    for (number, characters) in GROUPS.iter().enumerate() {
        let value = value(characters);
        let Files { fine, stuck, broken, choreography, other, unprojectable } = files(number, &value);
        let forms = ["full", "concise", "json", "sarif", "junit", "github"];
        for form in forms {
            for (path, codes) in [(&stuck, [1]), (&broken, [2]), (&unprojectable, [0])] {
                shows(&["check", "--format", form, path], &codes);
            }
            shows(&["verify", "--format", form, &fine, &other], &[1]);
            shows(&["verify", "--format", form, &stuck, &choreography], &[1]);
            shows(&["project", "--format", form, &unprojectable], &[1]);
        }
        for form in ["text", "concise", "json", "sarif", "junit", "github", "mermaid"] {
            shows(&["equiv", "--format", form, &choreography, &other], &[1]);
            shows(&["equiv", "--format", form, &fine, &unprojectable], &[1]);
        }
        for form in ["text", "compact", "json", "mermaid"] {
            shows(&["extract", "--format", form, &stuck], &[1]);
        }
        for seed in ["0", "1", "2", "3"] {
            shows(&["run", "--max-steps", "20", "--seed", seed, &fine], &[0]);
            shows(&["run", "--seed", seed, &stuck], &[0, 1]);
            shows(&["run", "--format", "json", "--seed", seed, &stuck], &[0, 1]);
        }
        let answers = format!("l\n1\ns\ns p\n1\nno\nh\nu\n{value}\ns {value}\n{characters:?}\n1 yes\nq\n");
        let run = shows_with_input(&["run", "--step", &stuck], &answers, &[0, 1]);
        assert!(run.out.contains("\\u{"), "{run:?}");
        shows(&["fmt", "--check", &fine], &[1]);
        shows(&["fmt", &broken], &[2]);
        let run = shows(&["batch", &stuck, &broken], &[2]);
        assert!(run.out.contains("\\u"), "{run:?}");
    }
}

#[test]
fn nothing_is_hidden_in_messages_beside_data() {
    for (number, characters) in GROUPS.iter().enumerate() {
        let Files { fine, unprojectable, .. } = files(100 + number, &value(characters));
        for arguments in [
            ["fuzz", "--deletions", "2", "--swaps", "2", &fine],
            ["fuzz", "--deletions", "1", "--swaps", "0", &fine],
            ["unroll", "--seed", "1", "--color", "always", &fine],
            ["amend", "--compact", "--format", "full", "--color=always", &unprojectable],
            ["project", "--amend", "--compact", "--format", "full", &unprojectable],
        ] {
            let run = laban(&arguments);
            assert_eq!(run.code, Some(0), "{arguments:?}: {run:?}");
            assert!(!run.err.is_empty(), "{arguments:?}");
            is_visible(&arguments.join(" "), &run.err);
        }
    }
}

#[test]
fn data_is_not_changed_by_a_byte() {
    for (number, characters) in GROUPS.iter().enumerate() {
        let value = value(characters);
        let Files { fine, choreography, unprojectable, .. } = files(200 + number, &value);
        for color in ["always", "never", "auto"] {
            for arguments in [
                vec!["project", &choreography],
                vec!["project", "--compact", &choreography],
                vec!["project", "--process", "p", &choreography],
                vec!["amend", &unprojectable],
                vec!["amend", "--compact", &unprojectable],
                vec!["fmt", "--stdout", &fine],
                vec!["fmt", "--compact", &fine],
                vec!["fmt", "--compact", &choreography],
                vec!["unroll", &fine],
                vec!["fuzz", "--deletions", "0", "--swaps", "0", &fine],
                vec!["extract", &fine],
                vec!["extract", "--format", "compact", &fine],
            ] {
                let mut all = vec!["--color", color];
                all.extend(arguments);
                let run = laban(&all);
                assert_eq!(run.code, Some(0), "{all:?}: {run:?}");
                assert!(run.out.contains(&value), "{all:?}: {:?}", run.out);
                assert!(!run.out.contains("\\u{"), "{all:?}: {:?}", run.out);
            }
        }
        // In JSON it is written in another way, and is the same.
        let run = laban(&["run", "--format", "json", "--max-steps", "1", &fine]);
        let json: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(json["steps"][0]["value"], value.as_str());
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_hidden_in_names_of_files() {
    for (number, characters) in GROUPS.iter().enumerate() {
        let name: String = characters.iter().chain(&['\n', ']']).collect();
        let folder = format!("shown-names-{number}");
        let bad = file(&folder, &format!("{name}.net"), "p { main { q!<x>; stop } }");
        let stuck = file(&folder, &format!("s{name}.net"), "p { main { q?; stop } } | q { main { p?; stop } }");
        let choreography = file(&folder, &format!("{name}.chor"), "main { if p.x then q.y -> p; stop else stop }");
        let missing = bad.replace(".net", "-missing.net");
        for form in ["full", "concise", "json", "sarif", "junit", "github"] {
            shows(&["check", "--format", form, &bad, &stuck, &missing], &[2]);
            shows(&["check", "--format", form, "--together", &bad, &stuck], &[2]);
            shows(&["verify", "--format", form, &stuck, &choreography], &[1]);
            shows(&["project", "--format", form, &choreography], &[1]);
        }
        for form in ["text", "json", "sarif", "junit", "github"] {
            shows(&["equiv", "--format", form, &stuck, &choreography], &[1]);
        }
        shows(&["extract", &stuck], &[1]);
        shows(&["extract", &bad, &bad], &[2]);
        shows(&["run", &stuck], &[1]);
        shows(&["run", "--step", &stuck], &[1]);
        shows(&["fmt", "--check", &bad, &missing], &[2]);
        shows(&["amend", &missing], &[2]);
        shows(&["batch", &stuck, &bad], &[2]);
        shows(&["verify", &choreography, &stuck], &[2]);
        shows(&["evaluate", "--out", &bad], &[2]);
    }
}

#[test]
fn nothing_is_hidden_in_the_words_of_the_command_line() {
    let network = "examples/two-buyer.net";
    for characters in GROUPS {
        let word: String = characters.iter().chain(&[']']).collect();
        for arguments in [
            vec![word.as_str()],
            vec!["check", "--format", &word, network],
            vec!["check", &format!("--{word}"), network],
            vec!["extract", "--strategy", &word, network],
            vec!["extract", "--timeout", &word, network],
            vec!["extract", "--service", &word, network],
            vec!["extract", "--format", "svg", "--focus", &word, network],
            vec!["run", "--decide", &word, network],
            vec!["run", "--decide", &format!("alice.{word}=maybe"), network],
            vec!["run", "--decide", &format!("alice.{word}=no"), network],
            vec!["run", "--decide", &format!("{word}.x=no"), network],
            vec!["run", "--seed", &word, network],
            vec!["project", "--process", &word, "examples/two-buyer.chor"],
            vec!["generate", "--size", &word, "--processes", "2"],
            vec!["evaluate", "--shard", &word],
            vec!["man", &word],
            vec!["completions", &word],
        ] {
            shows(&arguments, &[2]);
        }
    }
}

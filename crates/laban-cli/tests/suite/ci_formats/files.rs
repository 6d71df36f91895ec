//! Documents about several files, about files with strange names, and about nothing new.

use super::*;

#[test]
fn several_files_are_one_document_with_all_that_is_wrong() {
    let good = file("ci-several", "good.net", "p { main { q!<x>; stop } } | q { main { p?; stop } }");
    let stuck = file("ci-several", "stuck.net", STUCK);
    let broken = file("ci-several", "broken.net", "p { main { q!<x>; stop }");
    let missing = good.replace("good.net", "missing.net");
    let files = [&good, &stuck, &broken, &missing];
    let run = |format: &str| laban(&[&["check", "--format", format], files.map(String::as_str).as_slice()].concat());
    let only = sarif(&run("sarif"));
    let codes: Vec<&str> =
        only["results"].as_array().expect("a list").iter().filter_map(|result| result["ruleId"].as_str()).collect();
    assert_eq!(codes, ["deadlock", "unclosed"]);
    let notification = &only["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(notification["descriptor"]["id"], "unreadable");
    assert_eq!(notification["message"]["text"], format!("cannot read {missing}: no such file"));
    let suites = junit(&run("junit"));
    let suite = &suites.suites[0];
    assert_eq!((suite.name.as_str(), suite.tests, suite.failures, suite.errors), ("laban check", 4, 2, 1));
    let annotations = run("github");
    assert_eq!(annotations.code, Some(2));
    assert_eq!(annotations.out.lines().count(), 3);
    assert!(annotations.err.contains("cannot read"), "the log tells it as well");

    // The same mistakes are reported where two systems are compared.
    let protocol = file("ci-several", "protocol.chor", "main { p.x -> ; stop }");
    for arguments in [["verify", &broken, &protocol], ["equiv", &broken, &protocol]] {
        let run = laban(&[&arguments[..], &["--format", "sarif"]].concat());
        assert_eq!(run.code, Some(2));
        assert_eq!(sarif(&run)["results"].as_array().map(Vec::len), Some(2), "{}", run.out);
    }
    let run = laban(&["verify", &good, &good, "--format", "junit"]);
    let suites = junit(&run);
    let TestStatus::Error(error) = &suites.suites[0].cases[0].status else { panic!("{}", run.out) };
    assert_eq!(error.error_type, "usage");
    assert!(error.message.starts_with("the choreography is missing: "), "{}", error.message);
}

#[test]
fn what_is_undecided_or_asked_for_in_vain_is_no_result() {
    let arguments = ["check", "--max-states", "2", "--service", "nobody", "examples/two-buyer.net", "--format"];
    let only = sarif(&laban(&[&arguments[..], &["sarif"]].concat()));
    let notifications = only["invocations"][0]["toolExecutionNotifications"].as_array().expect("a list");
    let ids: Vec<&str> = notifications.iter().filter_map(|one| one["descriptor"]["id"].as_str()).collect();
    assert_eq!(ids, ["undecided", "usage"]);
    assert_eq!(only["results"].as_array().map(Vec::len), Some(0));
    let suites = junit(&laban(&[&arguments[..], &["junit"]].concat()));
    assert_eq!((suites.tests, suites.errors), (2, 2));
    let run = laban(&[&arguments[..], &["github"]].concat());
    let lines: Vec<_> = run.out.lines().map(annotation).collect();
    assert!(lines.iter().all(|(level, ..)| level == "error") && lines.len() == 2, "{}", run.out);
}

#[test]
fn names_of_files_survive_whatever_is_in_them() {
    let names =
        ["a b.net", "ü 中.net", "100%.net", "%41.net", "a:b,c;d=e.net", "::error ::.net", "<&>'\".net", "#?.net"];
    let mut names = names.map(str::to_string).to_vec();
    if cfg!(unix) {
        names.push("a\nb\u{1}.net".to_string());
    }
    for (number, name) in names.iter().enumerate() {
        let path = file("ci-names", name, STUCK);
        let at = Path::new(&path).parent().expect("a folder").to_path_buf();
        let command = vec!["check".to_string(), "--".to_string(), name.clone()];
        let case = Case { name: format!("names-{number}"), at, command };
        let only = sarif(&case.run("sarif"));
        let place = &only["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
        let uri = place["uri"].as_str().expect("a text");
        assert!(uri.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~/%".contains(&byte)), "{uri}");
        assert_eq!(&decoded(uri), name);
        let annotations = case.run("github").out;
        assert_eq!(annotations.lines().count(), 1, "{annotations}");
        let (_, properties, _) = annotation(annotations.trim_end_matches('\n'));
        // Characters that could do something to the log are written out.
        assert_eq!(property(&properties, "file").map(Cow::Borrowed), Some(visible(name)));
        let suites = junit(&case.run("junit"));
        assert!(suites.suites[0].cases[0].status.is_failure());
    }
}

/// What a reference of RFC 3986 stands for.
fn decoded(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = match (first, tail) {
            (b'%', [high, low, tail @ ..]) => {
                let digits = String::from_utf8(vec![*high, *low]).expect("digits");
                bytes.push(u8::from_str_radix(&digits, 16).expect("two digits"));
                tail
            }
            _ => {
                bytes.push(*first);
                tail
            }
        };
    }
    String::from_utf8(bytes).expect("it was text")
}

#[test]
fn a_fingerprint_does_not_depend_on_the_line() {
    let text = "p { main { q?; stop } }\n| q { main { p?; stop } }\n";
    let prints = |name: &str, text: &str| {
        let path = file("ci-fingerprints", name, text);
        let only = sarif(&laban(&["check", "--format", "sarif", &path]));
        let result = &only["results"][0];
        (
            result["partialFingerprints"].clone(),
            result["locations"][0]["physicalLocation"]["region"]["startLine"].clone(),
        )
    };
    let (before, line) = prints("same.net", text);
    let (after, later) = prints("same.net", &format!("// Three\n// more\n// lines\n{text}"));
    assert_ne!(line, later);
    assert_eq!(before, after);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for format in ["sarif", "junit", "github"] {
        let run = || laban(&["check", "--format", format, "examples/wrong-label.net", "examples/parallel.chor"]).out;
        assert_eq!(run(), run());
    }
}

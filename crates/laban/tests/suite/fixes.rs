//! Fixes: applied literally, each cures what its diagnostic is about, and breaks nothing else.

use laban::Analysis;
use laban::diagnostic::{Code, Diagnostic};
use laban::syntax::Kind;
use std::collections::BTreeMap;
use std::path::Path;

/// The sources of the goldens of mistakes, in both languages.
fn mistakes() -> Vec<(String, Kind, String)> {
    let goldens = Path::new(env!("CARGO_MANIFEST_DIR")).join("../laban-cli/tests/goldens");
    let mut sources = Vec::new();
    for (folder, kind) in [("network", Kind::Network), ("choreography", Kind::Choreography)] {
        for entry in std::fs::read_dir(goldens.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let source = text.split("\n===").next().unwrap().to_string();
            sources.push((format!("{folder}/{}", path.file_stem().unwrap().to_string_lossy()), kind, source));
        }
    }
    sources.sort_by(|one, other| one.0.cmp(&other.0));
    sources
}

/// How often something is said.
fn count(diagnostics: &[Diagnostic], one: &Diagnostic) -> usize {
    diagnostics.iter().filter(|other| (other.code, &other.message) == (one.code, &one.message)).count()
}

#[test]
fn every_fix_cures_what_its_diagnostic_is_about() {
    let mut seen: BTreeMap<Code, usize> = BTreeMap::new();
    for (name, kind, source) in mistakes() {
        let before = Analysis::of_kind(kind, source.as_str());
        for diagnostic in before.diagnostics() {
            for fix in &diagnostic.fixes {
                let fixed = fix.apply(&source);
                assert_ne!(fixed, source, "{name}: {}", fix.title);
                let after = Analysis::of_kind(kind, fixed.as_str());
                // Once the syntax is right, more can be said about the rest; but this was said once more before.
                let [now, then] = [after.diagnostics(), before.diagnostics()].map(|all| count(all, diagnostic));
                assert!(now < then, "{name}: {}: said {then} times before, {now} after\n{fixed}", fix.title);
                *seen.entry(diagnostic.code).or_default() += 1;
            }
        }
    }
    assert!(seen.values().sum::<usize>() >= 12, "{seen:?}");
    for code in
        [Code::Syntax, Code::UnknownCharacter, Code::UnknownProcess, Code::UnknownProcedure, Code::UnusedProcedure]
    {
        assert!(seen.contains_key(&code), "{} in {seen:?}", code.as_str());
    }
}

#[test]
fn a_misspelt_process_is_mended_wherever_it_is_named() {
    let analysis = laban::analyse("p { main { sever!<x>; sever?; stop } } | server { main { p?; p!<y>; stop } }");
    let fix = &analysis.errors()[0].fixes[0];
    assert_eq!(fix.replacements.len(), 2);
    assert!(laban::analyse(fix.apply(analysis.text())).into_network().is_ok());
}

/// The fixes of the failures of a network, each with the text that it makes.
fn failure_fixes(text: &str) -> Vec<(String, String)> {
    let analysis = laban::analyse(text);
    let (network, tree) = (analysis.network().unwrap(), analysis.network_tree().unwrap());
    let options = laban::ExtractOptions::default();
    let mut extraction = laban::extract(network, &options).unwrap();
    extraction.try_other_channels(network, &options);
    let fixes = extraction.explanations().iter().flat_map(|explanation| explanation.fixes(network, tree));
    fixes.map(|fix| (fix.title.clone(), fix.apply(text))).collect()
}

#[test]
fn a_hint_that_says_exactly_what_to_write_has_an_edit() {
    for (text, title, fixed) in [
        (
            "p { main { q+yess; stop } } | q { main { p&{ yes: stop, no: stop } } }",
            "replace `yess` with `yes`",
            "p { main { q+yes; stop } } | q { main { p&{ yes: stop, no: stop } } }",
        ),
        (
            "p { main { q+other<1>; stop } } | q { main { p&{ yes: stop, no: p?; stop } } }",
            "add a branch `other` to the offer of `q`",
            "p { main { q+other<1>; stop } } | q { main { p&{ yes: stop, no: p?; stop, other: stop } } }",
        ),
        (
            "p { main { q+b; stop } } | q { main { p&a /* one */; p&{ x: stop } } }",
            "add a branch `b` to the offer of `q`",
            "p { main { q+b; stop } } | q { main { p&{a: p&{ x: stop }, b: stop} } }",
        ),
        (
            "p { main { q!<x>; stop } } | q { def X { p?; X } main { X } }",
            "declare `q` a service",
            "p { main { q!<x>; stop } } | service q { def X { p?; X } main { X } }",
        ),
        (
            "p { main { q!<x>; q?; stop } } | q { main { p!<y>; p?; stop } }",
            "let messages wait in queues",
            "channels queue;\np { main { q!<x>; q?; stop } } | q { main { p!<y>; p?; stop } }",
        ),
        (
            "hub { main { stop } } | p { main { hub?; stop } }",
            "let `p` be idle here",
            "hub { main { stop } } | p { main { idle hub?; stop } }",
        ),
        (
            "channels queue; p { main { q!<a>; any { q?; stop, q+c; stop } } } \
             | q { main { p?; any { p!<b>; stop, p&{c: stop} } } }",
            "let messages go by rendezvous",
            "channels rendezvous; p { main { q!<a>; any { q?; stop, q+c; stop } } } \
             | q { main { p?; any { p!<b>; stop, p&{c: stop} } } }",
        ),
        (
            "channels q -> p queue, p -> q queue 1; p { main { q!<x>; q!<y>; q!<z>; r?; stop } } \
             | q { main { r?; p?; p?; p?; stop } } | r { main { p!<a>; q!<b>; stop } }",
            "give the queue room for 3 messages",
            "channels q -> p queue, p -> q queue 3; p { main { q!<x>; q!<y>; q!<z>; r?; stop } } \
             | q { main { r?; p?; p?; p?; stop } } | r { main { p!<a>; q!<b>; stop } }",
        ),
        (
            "channels rendezvous; p { main { q!<x>; q?; stop } } | q { main { p!<y>; p?; stop } }",
            "let messages wait in queues",
            "channels queue; p { main { q!<x>; q?; stop } } | q { main { p!<y>; p?; stop } }",
        ),
        (
            "p { main { q+yess<1>; stop } } | q { main { any { p&{ yes: stop, no: stop }, r?; stop } } } | r { main { stop } }",
            "replace `yess` with `yes`",
            "p { main { q+yes<1>; stop } } | q { main { any { p&{ yes: stop, no: stop }, r?; stop } } } | r { main { stop } }",
        ),
        (
            "p { main { q+other; stop } } | q { main { any { p&{ yes: p&x; stop }, r?; stop } } } | r { main { stop } }",
            "add a branch `other` to the offer of `q`",
            "p { main { q+other; stop } } | q { main { any { p&{ yes: p&x; stop, other: stop }, r?; stop } } } | r { main { stop } }",
        ),
    ] {
        let fixes = failure_fixes(text);
        let found = fixes.iter().find(|(one, _)| one == title).unwrap_or_else(|| panic!("{title}: {fixes:?}"));
        assert_eq!(found.1, fixed);
    }
}

#[test]
fn each_label_that_is_offered_is_suggested_once_and_the_likeliest_first() {
    let titles = |offered: &str| -> Vec<String> {
        let text = format!("p {{ main {{ q+yess; stop }} }} | q {{ main {{ p&{{ {offered} }} }} }}");
        failure_fixes(&text).into_iter().map(|(title, _)| title).collect()
    };
    let [yes, no, add] =
        ["replace `yess` with `yes`", "replace `yess` with `no`", "add a branch `yess` to the offer of `q`"];
    assert_eq!(titles("no: stop, yes: stop"), [yes, no, add]);
    assert_eq!(titles("no: stop, maybe: stop"), [no, "replace `yess` with `maybe`", add]);
}

#[test]
fn a_branch_is_added_to_an_offer_that_does_not_have_it() {
    for other in ["r&{b: stop}", "r&b; stop"] {
        let network = |offer: &str| {
            format!(
                "p {{ main {{ q+b; stop }} }} | q {{ main {{ any {{ {other}, {offer} }} }} }} | r {{ main {{ stop }} }}"
            )
        };
        let fixes = failure_fixes(&network("p&{a: stop}"));
        let (_, fixed) = fixes.iter().find(|(title, _)| title.starts_with("add a branch `b`")).unwrap();
        assert_eq!(*fixed, network("p&{a: stop, b: stop}"));
    }
}

#[test]
fn a_branch_is_added_to_the_offer_for_who_selects_in_a_race_of_several() {
    let network = |offer: &str| {
        format!(
            "p {{ main {{ q+b; stop }} }} | q {{ main {{ any {{ r&{{c: stop}}, {offer} }} }} }} | r {{ main {{ stop }} }}"
        )
    };
    let fixes = failure_fixes(&network("p&{a: stop}"));
    let (_, fixed) = fixes.iter().find(|(title, _)| title == "add a branch `b` to the offer of `q`").unwrap();
    assert_eq!(*fixed, network("p&{a: stop, b: stop}"));
}

#[test]
fn who_selects_in_a_race_selects_something_else_of_the_same_partner() {
    let network = |selection: &str, offer: &str| {
        format!(
            "p {{ main {{ any {{ r+b; stop, q+{selection}; stop }} }} }} | q {{ main {{ p&{{{offer}}} }} }} | r {{ main {{ stop }} }}"
        )
    };
    let fixes = failure_fixes(&network("b", "a: stop"));
    let expected = [
        ("replace `b` with `a`".to_string(), network("a", "a: stop")),
        ("add a branch `b` to the offer of `q`".to_string(), network("b", "a: stop, b: stop")),
    ];
    assert_eq!(fixes, expected);
}

#[test]
fn what_was_amended_is_an_edit_that_keeps_the_rest_of_the_text() {
    let text = "main {\n  if p.e // why\n  then p.x -> r; q.x -> r; stop else q.y -> r; stop }";
    let analysis = laban::analyse(text);
    let amended = laban::amend(analysis.choreography_tree().unwrap(), &laban::AmendOptions::default()).unwrap();
    let fixed = amended.fix().apply(text);
    assert!(fixed.contains("// why\n"), "{fixed}");
    let fixed = laban::analyse(fixed.as_str()).into_choreography().unwrap();
    assert!(laban::project(&fixed, &laban::ProjectOptions::default()).is_ok());
}

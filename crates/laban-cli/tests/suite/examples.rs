//! The examples are what `examples/README.md` says they are.

use crate::common::{laban, laban_with_input, root};
use std::collections::BTreeSet;
use std::fs;

/// The files that a table row of the README is about, with the words of its verdict column.
fn rows(readme: &str) -> Vec<(Vec<String>, String)> {
    let rows = readme.lines().filter(|line| line.starts_with("| ["));
    rows.map(|line| {
        let line = line.replace("\\|", "/");
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let links = columns[1].split("](").skip(1).filter_map(|link| link.split(')').next());
        (links.map(str::to_string).collect(), columns[3].to_string())
    })
    .collect()
}

/// Every example with the verdict that the README promises.
fn promised() -> Vec<(String, String)> {
    let readme = fs::read_to_string(root().join("examples/README.md")).expect("the README is there");
    let rows = rows(&readme).into_iter();
    rows.flat_map(|(files, verdict)| files.into_iter().map(move |file| (file, verdict.clone()))).collect()
}

/// The networks among them that are well-formed.
fn networks() -> Vec<(String, String)> {
    promised().into_iter().filter(|(name, verdict)| name.ends_with(".net") && verdict != "ill-formed").collect()
}

#[test]
fn every_example_has_the_verdict_that_the_readme_promises() {
    let mut listed = BTreeSet::new();
    for (name, verdict) in promised() {
        let run = laban(&["check", "--format", "concise", &format!("examples/{name}")]);
        let (code, word) = match verdict.as_str() {
            "extracted" => (0, "extractable"),
            "deadlock" | "livelock" | "orphan" | "unbounded" => (1, verdict.as_str()),
            "ill-formed" => (2, "ill-formed"),
            _ => (0, "well-formed"),
        };
        assert_eq!(run.code, Some(code), "{name} is {verdict}: {}{}", run.out, run.err);
        assert!(run.out.contains(&format!("examples/{name}: {word}: ")), "{name} is {verdict}: {}", run.out);
        listed.insert(name);
    }
    let is_source =
        |name: &String| name.ends_with(".net") || name.ends_with(".chor") && name != "tutorial/protocol.chor";
    let within = |folder: &str| -> Vec<String> {
        let there = fs::read_dir(root().join("examples").join(folder)).expect("the folder is there");
        there.map(|entry| format!("{folder}{}", entry.expect("an entry").file_name().to_string_lossy())).collect()
    };
    let there: BTreeSet<String> = within("").into_iter().chain(within("tutorial/")).filter(is_source).collect();
    assert_eq!(listed, there, "the README lists what is there");
    assert!(listed.len() >= 40, "{} examples", listed.len());
}

#[test]
fn every_choreography_is_projected_as_the_readme_promises() {
    for (name, verdict) in promised().into_iter().filter(|(name, _)| name.ends_with(".chor")) {
        let run = laban(&["project", &format!("examples/{name}")]);
        match verdict.strip_prefix("no projection for ") {
            None => assert_eq!((run.code, verdict.as_str()), (Some(0), "projected"), "{name}: {}{}", run.out, run.err),
            Some(process) => {
                assert_eq!(run.code, Some(1), "{name}");
                let told = format!("`{process}` is not told");
                assert!(run.out.contains(&told) || run.err.contains(&told), "{name}: {}{}", run.out, run.err);
            }
        }
    }
}

#[test]
fn every_choreography_that_is_extracted_describes_its_network() {
    let (mut count, mut left) = (0, Vec::new());
    for (name, verdict) in networks() {
        let path = format!("examples/{name}");
        let extracted = laban(&["extract", "--no-certify", &path]);
        if verdict != "extracted" {
            assert_eq!((extracted.code, extracted.out.as_str()), (Some(1), ""), "{name}");
            continue;
        }
        assert_eq!(extracted.code, Some(0), "{name}");
        let is_note = extracted.err.starts_with("note[queues]: works with ");
        if !extracted.err.is_empty() && !is_note {
            assert!(extracted.err.starts_with("warning[service-left]: "), "{name}: {}", extracted.err);
            left.push(name.clone());
        }
        let run = laban_with_input(&["verify", &path, "-"], extracted.out.as_bytes());
        assert_eq!(run.code, Some(0), "{name}: {}{}", run.out, run.err);
        count += 1;
    }
    assert!(count >= 25, "{count} networks were extracted");
    // The partner of a service need never come back: it may shop, or ship, forever.
    assert_eq!(left, ["cloud-system.net", "cloud-system-2x.net", "logistic.net", "logistic-2x.net"]);
}

#[test]
fn every_strategy_and_every_search_gives_the_same_verdict() {
    let lines = |networks: &[(String, String)]| {
        let line = |(name, _): &(String, String)| {
            let compact = laban(&["fmt", "--compact", &format!("examples/{name}")]);
            format!("{name}\t{}", compact.out)
        };
        networks.iter().map(line).collect::<String>()
    };
    // The search of the paper knows neither races nor queues.
    let has_race = |(name, _): &(String, String)| {
        let text = fs::read_to_string(root().join("examples").join(name)).expect("it is there");
        text.contains("any {") || text.contains("channels ")
    };
    let (races, others): (Vec<_>, Vec<_>) = networks().into_iter().partition(has_race);
    assert!(races.len() >= 10 && others.len() >= 35, "{} with races, {} without", races.len(), others.len());
    let files = [("all.tsv", networks()), ("without-races.tsv", others)].map(|(name, networks)| {
        let file = crate::common::file("verdicts", name, lines(&networks));
        (file, networks.into_iter().map(|(_, verdict)| verdict).collect::<Vec<String>>())
    });
    let strategies = ["R", "L", "S", "I", "C", "U", "UI", "US", "UC", "UR"];
    for strategy in strategies {
        for (search, which) in
            [(&["--search", "fast"][..], 0), (&["--search", "paper"], 1), (&["--search", "fast", "--no-split"], 0)]
        {
            let (file, expected) = &files[which];
            let run = laban(&[&["batch", "--quiet", "--strategy", strategy, file], search].concat());
            let verdicts: Vec<String> = run
                .out
                .lines()
                .map(|line| {
                    let record: serde_json::Value = serde_json::from_str(line).expect("a line is an object");
                    record["outcome"].as_str().expect("it has an outcome").to_string()
                })
                .collect();
            assert_eq!(&verdicts, expected, "{strategy} {search:?}");
        }
    }
}

#[test]
fn fair_decisions_starve_nobody_who_can_be_reached() {
    let path = "examples/race-starved.net";
    assert_eq!(laban(&["extract", path]).code, Some(1));
    let run = laban(&["extract", "--fair", path]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let verified = laban_with_input(&["verify", "--fair", path, "-"], run.out.as_bytes());
    assert_eq!(verified.code, Some(0), "{}", verified.out);
    assert_eq!(laban_with_input(&["verify", path, "-"], run.out.as_bytes()).code, Some(1));
}

#[test]
fn networks_with_a_choreography_beside_them_are_described_by_it() {
    for name in ["two-buyer", "streaming", "authentication"] {
        let run = laban(&["verify", &format!("examples/{name}.net"), &format!("examples/{name}.chor")]);
        assert_eq!(run.code, Some(0), "{name}: {}", run.out);
    }
    for (name, code) in [("5-service", 0), ("6-voucher", 1)] {
        let path = format!("examples/tutorial/{name}.net");
        assert_eq!(laban(&["verify", &path, "examples/tutorial/protocol.chor"]).code, Some(code), "{name}");
    }
}

#[test]
fn independent_loops_become_independent_parts() {
    let run = laban(&["extract", "--format", "compact", "examples/paper-independent-loops.net"]);
    assert_eq!(run.code, Some(0));
    assert_eq!(run.out.matches("||").count(), 1, "{}", run.out);
    assert!(run.out.contains("p.token -> q") && run.out.contains("r.token -> s"), "{}", run.out);
    let run = laban(&["extract", "--format", "compact", "examples/paper-independent-loops-joined.net"]);
    assert_eq!((run.code, run.out.matches("||").count()), (Some(0), 0), "{}", run.out);
}

#[test]
fn the_livelocks_of_the_paper_name_the_one_who_is_starved_and_go_away_when_it_is_a_service() {
    for name in ["finite", "absent"] {
        let path = format!("examples/paper-livelock-{name}.net");
        let run = laban(&["extract", &path]);
        assert_eq!(run.code, Some(1));
        assert!(
            run.err.starts_with("error[livelock]: `r` may never act: `p` and `q` can loop forever without it"),
            "{}",
            run.err
        );
        assert!(run.err.contains("--service r"), "{}", run.err);
        let run = laban(&["extract", "--service", "r", &path]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert!(laban(&["check", "--service", "r", &path]).out.contains(": extractable: "));
        let verified = laban_with_input(&["verify", "--service", "r", &path, "-"], run.out.as_bytes());
        assert_eq!(verified.code, Some(0), "{}", verified.out);
    }
}

#[test]
fn the_benchmarks_of_the_paper_and_their_doubles_are_extracted() {
    let names = ["bargain", "cloud-system", "filter-collaboration", "health-system", "logistic", "running-example"];
    for name in names.into_iter().chain(["sanitary-agency"]) {
        let nodes = |file: &str, parts: usize| {
            let run = laban(&["extract", "--format", "json", file]);
            assert_eq!(run.code, Some(0), "{file}: {}", run.err);
            let record: serde_json::Value = serde_json::from_str(&run.out).expect("it prints an object");
            assert_eq!(record["components"], parts, "{file}");
            record["nodes"].as_u64().expect("it counts nodes")
        };
        let single = nodes(&format!("examples/{name}.net"), 1);
        assert_eq!(nodes(&format!("examples/{name}-2x.net"), 2), 2 * single, "{name}");
    }
}

#[test]
fn the_unsound_shape_of_figure_1_is_refused() {
    for name in ["paper-figure-1", "paper-figure-1-services"] {
        let path = format!("examples/{name}.net");
        let run = laban(&["extract", &path]);
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
        assert!(run.err.starts_with("error[livelock]: "), "{}", run.err);
    }
}

#[test]
fn every_example_is_laid_out_as_fmt_does() {
    for (name, _) in promised() {
        let run = laban(&["fmt", "--check", &format!("examples/{name}")]);
        assert_eq!((run.code, run.out.as_str()), (Some(0), ""), "{name}");
    }
}

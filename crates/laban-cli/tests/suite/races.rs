//! Races, choices, labelled values and idle waits, as the commands show them.

use crate::common::{file, laban, laban_with_input};
use serde_json::Value;

/// Whoever takes the lock first; it may wait forever, and so may nobody else.
const LOCK: &str = "\
lock { def Free { idle any { p&take; p&give; Free, q&take; q&give; Free } } main { Free } }
| p { main { lock+take; lock+give; stop } }
| q { main { lock+take<now>; lock+give; stop } }
";

/// A race that deadlocks one way.
const ONE_WAY: &str = "\
a { main { any { b?; c?; stop, c?; stop } } } | b { main { a!<x>; stop } } | c { main { a!<y>; stop } }
";

/// Whom `p` does not choose may wait forever, unless decisions are fair.
const CHOOSER: &str = "\
p { def X { choose { q!<x>; X, r+go<y>; X } } main { X } }
| q { def X { p?; X } main { X } } | r { def X { p&go; X } main { X } }
";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn fair_decisions_leave_a_loop_that_can_be_left() {
    let chooser = file("races", "chooser.net", CHOOSER);
    let [plain, fair] = [vec!["extract", &chooser], vec!["extract", "--fair", &chooser]].map(|words| laban(&words));
    assert_eq!((plain.code, fair.code), (Some(1), Some(0)), "{}{}", plain.err, fair.err);
    assert!(plain.err.contains("error[livelock]") && fair.out.contains("choose p {"), "{}{}", plain.err, fair.out);
    assert!(fair.out.contains("p.y -> r[go]"), "{}", fair.out);
    let [plain, fair] = [vec!["check", &chooser], vec!["check", "--fair", &chooser]].map(|words| laban(&words));
    assert_eq!((plain.code, fair.code), (Some(1), Some(0)));
    let [plain, fair] =
        [vec!["batch", "-q", &chooser], vec!["batch", "-q", "--fair", &chooser]].map(|words| laban(&words));
    assert_eq!((plain.code, fair.code), (Some(1), Some(0)));
    assert_eq!((&json(&plain.out)["outcome"], &json(&fair.out)["outcome"]), (&"livelock".into(), &"extracted".into()));
    let protocol = file("races", "chooser.chor", "def X { choose p { p.x -> q; X, p.y -> r[go]; X } } main { X }");
    let [plain, fair] =
        [vec!["verify", &chooser, &protocol], vec!["verify", "--fair", &chooser, &protocol]].map(|words| laban(&words));
    assert_eq!((plain.code, fair.code), (Some(1), Some(0)), "{}{}", plain.out, fair.err);
    // A run is the same, whoever is fair.
    let [plain, fair] = [vec!["run", &chooser], vec!["run", "--fair", &chooser]].map(|words| laban(&words));
    assert_eq!((plain.out, plain.code), (fair.out, fair.code));
}

#[test]
fn names_of_conditions_may_be_private() {
    let network = file(
        "races",
        "conditions.net",
        "p { main { if happy then q+yes; stop else q+no; stop } } | q { main { p&{yes: stop, no: stop} } }",
    );
    let renamed = "main { if p.glad then p -> q[yes]; stop else p -> q[no]; stop }";
    let renamed = file("races", "conditions.chor", renamed);
    for command in ["verify", "equiv"] {
        let run = |words: &[&str]| laban(&[&[command], words, &[network.as_str(), renamed.as_str()]].concat()).code;
        assert_eq!([run(&[]), run(&["--conditions", "text"])], [Some(1), Some(1)], "{command}");
        assert_eq!(run(&["--conditions", "any"]), Some(0), "{command}");
        assert_eq!(run(&["--conditions", "none"]), Some(2), "{command}");
    }
    let swapped = file("races", "swapped.chor", "main { if p.glad then p -> q[no]; stop else p -> q[yes]; stop }");
    for command in ["verify", "equiv"] {
        assert_eq!(laban(&[command, "--conditions", "any", &network, &swapped]).code, Some(1), "{command}");
    }
}

#[test]
fn the_search_of_the_paper_refuses_races() {
    let lock = file("races", "lock.net", LOCK);
    let refusal = "the search of the paper does not know races (`any`); leave out `--search paper`";
    for command in [vec!["extract"], vec!["check"], vec!["graph", "--of", "seg"], vec!["graph", "--of", "sequence"]] {
        let run = laban(&[command.as_slice(), &["--search", "paper", &lock]].concat());
        assert_eq!(run.code, Some(2), "{command:?}: {}", run.err);
        assert!(format!("{}{}", run.out, run.err).contains(refusal), "{command:?}: {}{}", run.out, run.err);
    }
    // What needs no search is drawn.
    assert_eq!(laban(&["graph", "--of", "automata", "--search", "paper", &lock]).code, Some(0));
    let batch = laban(&["batch", "-q", "--search", "paper", &lock]);
    assert_eq!(batch.code, Some(3), "{}", batch.err);
    let record = json(&batch.out);
    assert_eq!([&record["outcome"], &record["reason"]], ["undecided", refusal]);
    for format in ["sarif", "junit", "github"] {
        let run = laban(&["check", "--format", format, "--search", "paper", &lock]);
        assert_eq!(run.code, Some(2), "{format}");
        assert!(run.out.contains("does not know races"), "{format}: {}", run.out);
    }
}

#[test]
fn the_search_of_the_paper_knows_choices_and_labelled_values() {
    let network = file(
        "races",
        "choose.net",
        "p { def X { choose { q+on<x>; X, q+on<y>; X, q+off; stop, q+off; stop } } main { X } }
         | q { def X { p&{on: X, off: stop} } main { X } }",
    );
    let [fast, paper] =
        [vec!["extract", &network], vec!["extract", "--search", "paper", &network]].map(|words| laban(&words));
    assert_eq!((fast.code, paper.code), (Some(0), Some(0)), "{}", paper.err);
    assert_eq!(fast.out, paper.out);
    assert!(fast.out.contains("choose p {") && fast.out.contains("p.y -> q[on]"), "{}", fast.out);
    let idle = file("races", "idle.net", "p { main { q!<x>; stop } } | q { def X { idle p?; X } main { X } }");
    let idle = laban(&["extract", "--search", "paper", &idle]);
    assert_eq!(idle.code, Some(2));
    assert!(idle.err.contains("does not know idle waits (`idle`); leave out `--search paper`"), "{}", idle.err);
    let fair = laban(&["extract", "--fair", "--search", "paper", &network]);
    assert_eq!(fair.code, Some(2));
    assert!(fair.err.contains("does not know fair decisions; leave out `--search paper`"), "{}", fair.err);
    let chooser = file("races", "choose-livelock.net", CHOOSER);
    assert_eq!(laban(&["extract", "--search", "paper", &chooser]).code, Some(1));
}

#[test]
fn every_interaction_of_a_race_can_be_taken() {
    let lock = file("races", "run.net", LOCK);
    for (answers, first) in [("1\nq\n", "p -> lock[take]"), ("2\nq\n", "q.now -> lock[take]")] {
        let run = laban_with_input(&["run", "--step", &lock], answers.as_bytes());
        assert!(run.out.contains("  1) p -> lock[take]\n  2) q.now -> lock[take]\n"), "{}", run.out);
        assert!(run.out.ends_with(&format!("1  {first}\n\n1 step so far\n")), "{}", run.out);
    }
    // All ways that the race can go, as the dice fall.
    let firsts = (0..20).map(|seed| {
        let run = laban(&["run", "--format", "json", "--seed", &seed.to_string(), &lock]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let run = json(&run.out);
        assert_eq!(run["outcome"], "stopped");
        assert_eq!([&run["states"][0]["process"], &run["states"][0]["idle"]], [&Value::from("lock"), &true.into()]);
        assert_eq!(run["states"][1].get("idle"), None);
        let with_value = run["steps"].as_array().unwrap().iter().find(|step| step["from"] == "q").unwrap().clone();
        assert_eq!([&with_value["kind"], &with_value["label"], &with_value["value"]], ["selection", "take", "now"]);
        run["steps"][0]["from"].as_str().unwrap().to_string()
    });
    let firsts: Vec<String> = firsts.collect();
    assert!(firsts.iter().any(|first| first == "p") && firsts.iter().any(|first| first == "q"), "{firsts:?}");
    let one_way = file("races", "one-way.net", ONE_WAY);
    let codes: Vec<_> = (0..20).map(|seed| laban(&["run", "--seed", &seed.to_string(), &one_way]).code).collect();
    assert!(codes.contains(&Some(0)) && codes.contains(&Some(1)), "{codes:?}");
}

#[test]
fn an_item_can_be_chosen_beforehand() {
    let chooser = file("races", "decide.net", CHOOSER);
    let run = laban(&["run", "--format", "json", "--decide", "p=2", "--max-steps", "20", &chooser]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let run = json(&run.out);
    let steps = run["steps"].as_array().unwrap();
    let choices: Vec<&Value> = steps.iter().filter(|step| step["kind"] == "choice").collect();
    assert!(choices.len() == 10 && choices.iter().all(|step| step["item"] == 2 && step["process"] == "p"));
    for (decision, message) in [
        ("p=3", "--decide: `p` never chooses among more than 2"),
        ("q=1", "--decide: `q` has no `choose`"),
        ("p=0", "expected a process, a condition and an outcome"),
        ("p=yes", "such as buyer=2"),
        ("s=1", "`s`"),
    ] {
        let run = laban(&["run", "--decide", decision, &chooser]);
        assert_eq!(run.code, Some(2), "{decision}");
        assert!(run.err.contains(message), "{decision}: {}", run.err);
    }
}

#[test]
fn a_failure_of_a_race_is_told_in_every_format() {
    let one_way = file("races", "formats.net", ONE_WAY);
    for format in ["sarif", "junit", "github", "json"] {
        let run = laban(&["check", "--format", format, &one_way]);
        assert_eq!(run.code, Some(1), "{format}");
        assert!(run.out.contains("c.y -&gt; a") || run.out.contains("c.y -> a"), "{format}: {}", run.out);
    }
    let chooser = file("races", "formats-chooser.net", CHOOSER);
    let run = laban(&["extract", "--format", "json", &chooser]);
    let record = json(&run.out);
    assert_eq!(record["outcome"], "livelock");
    let text = record["witnesses"].to_string();
    assert!(text.contains("p chooses item"), "{text}");
}

#[test]
fn races_are_generated() {
    let generate = |words: &[&str]| laban(&[&["generate", "--size", "14", "--processes", "4"], words].concat());
    let choreography = generate(&["--races", "2", "--as", "choreography", "--seed", "3"]);
    assert_eq!(choreography.code, Some(0), "{}", choreography.err);
    assert_eq!(choreography.out.matches("any {").count(), 2, "{}", choreography.out);
    assert_eq!(generate(&["--races", "0", "--seed", "3"]).out, generate(&["--seed", "3"]).out);
    assert_eq!(generate(&["--races", "15"]).code, Some(2));
    let several = generate(&["--races", "2", "--count", "20"]);
    assert!(several.out.matches("any {").count() >= 20, "{}", several.out);
    let batch = laban_with_input(&["batch", "-q", "--fair", "-"], several.out.as_bytes());
    let outcomes: Vec<Value> = batch.out.lines().map(|line| json(line)["outcome"].clone()).collect();
    assert_eq!(outcomes.len(), 20);
    assert!(outcomes.iter().all(|outcome| ["extracted", "deadlock", "livelock"].contains(&outcome.as_str().unwrap())));
}

#[test]
fn a_service_that_is_left_is_an_error_in_every_command_if_asked_for() {
    let network = file(
        "races",
        "left.net",
        "client { main { bank!<pay>; stop } } | service bank { def B { client?; client!<receipt>; B } main { B } }",
    );
    let protocol = file("races", "left.chor", "main { client.pay -> bank; stop }");
    let commands: [&[&str]; 5] = [
        &["extract", &network],
        &["check", &network],
        &["batch", "-q", &network],
        &["run", &network],
        &["verify", &network, &protocol],
    ];
    for words in commands {
        let (command, files) = words.split_first().expect("there is a command");
        let warned = laban(words);
        let refused = laban(&[&[*command, "--strict-services"], files].concat());
        assert_eq!((warned.code, refused.code), (Some(0), Some(1)), "{command}: {}{}", warned.err, refused.err);
        for (run, severity) in [(warned, "warning"), (refused, "error")] {
            let said = format!("{}{}", run.out, run.err);
            let expected = if *command == "batch" { "services_left" } else { &format!("{severity}[service-left]") };
            assert!(said.contains(expected), "{command}: {said}");
        }
    }
}

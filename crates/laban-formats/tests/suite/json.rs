//! Models as JSON: what is written reads back to the same model, and what is wrong has a place.

use crate::{cases, random_network, read_text};
use laban::choreography::read_off;
use laban::generate::{self, Parameters, SeededRng};
use laban::{Choreography, Compact, Network};
use laban_formats::{Format, write_json_choreography, write_json_network};

fn back(text: &str) -> laban_formats::Reading {
    let reading = read_text(Format::Json, text);
    assert!(reading.model.is_some(), "{:?}\n{text}", reading.report.diagnostics);
    reading
}

/// The same states in the same order, with the same names.
fn same_network(one: &Network, other: &Network) -> bool {
    write_json_network(one) == write_json_network(other) && one.states().len() == other.states().len()
}

#[test]
fn random_networks_read_back_as_they_were() {
    let mut with_choices = 0;
    for seed in 0..cases(400) {
        let network = random_network(seed);
        let text = write_json_network(&network);
        let again = back(&text).into_network().expect("a network");
        assert!(same_network(&network, &again), "seed {seed}: {text}");
        with_choices += u64::from(text.contains("\"any\""));
    }
    assert!(with_choices > cases(400) / 10, "{with_choices}");
}

#[test]
fn random_choreographies_read_back_as_they_were() {
    let mut long = 0;
    for seed in 0..cases(400) {
        let mut rng = SeededRng::keyed([seed, 0x15, 0, 0]);
        let (ifs, procedures) = (rng.below_u32(4), rng.below_u32(4));
        let parameters =
            Parameters::new(5 + ifs + procedures + rng.below_u32(9), 2 + rng.below_u32(4), ifs, procedures);
        let generated =
            generate::network(&parameters, rng.long()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let choreography = laban::choreography::lower(&generated.amended).choreography.expect("it is well-formed");
        let text = write_json_choreography(&choreography);
        let again: Choreography = back(&text).into_choreography().expect("a choreography");
        assert_eq!(write_json_choreography(&again), text, "seed {seed}");
        assert_eq!(
            Compact(&read_off(&again)).to_string(),
            Compact(&read_off(&choreography)).to_string(),
            "seed {seed}"
        );
        long += u64::from(choreography.nodes().len() > 8);
    }
    assert!(long > cases(400) / 4, "{long}");
}

#[test]
fn everything_that_a_model_can_have_is_kept() {
    let text = "channels queue 3, p -> q rendezvous;\nservice p { main { choose { q+a<\"x y\">; stop, q+b; stop } } }\n\
                | q { main { idle any { p&{a: stop, b: if c(1) then stop else stop}, r?; stop } } }\n\
                | r { main { stop } }";
    let network = crate::network(text);
    let again = back(&write_json_network(&network)).into_network().expect("a network");
    assert!(same_network(&network, &again));
    assert_eq!(network.channels(), again.channels());
    let text = "def X { p.x ~> q; q <~ p; any { p.1 -> q; X, q -> p[l]; stop } } \
                main { (p.x -> q, q.y -> p[l]); if p.c then X else choose q { q -> p[a]; stop, X } }";
    let choreography = laban::analyse(text).into_choreography().expect("it is well-formed");
    let again = back(&write_json_choreography(&choreography)).into_choreography().expect("a choreography");
    assert_eq!(write_json_choreography(&again), write_json_choreography(&choreography));
}

#[test]
fn what_is_wrong_has_a_place() {
    let start = r#"{"laban":1,"kind":"network","processes":[{"name":"p","start":0,"states":["#;
    let network = |state: &str| {
        format!("{start}{state}]}},{{\"name\":\"q\",\"start\":0,\"states\":[{{\"action\":\"stop\"}}]}}]}}")
    };
    let check = |text: &str, message: &str, marked: &str| {
        let report = read_text(Format::Json, text).report;
        let found = report.diagnostics.first().unwrap_or_else(|| panic!("{text} is right"));
        assert!(found.message.contains(message), "{text}: {}", found.message);
        assert_eq!(found.primary.span.text(text), marked, "{text}");
    };
    check("{", "expected a string", "");
    check("{\"laban\":1,}", "expected a string", "");
    check("{\"laban\":1} x", "expected the end of the text", "");
    check("{\"laban\":2}", "Laban reads version 1", "{\"laban\":2}");
    check("[\"laban\"]", "`\"laban\": 1` is missing", "[\"laban\"]");
    let wrong = r#"{"action":"send","to":"r","value":"x","next":0}"#;
    check(&network(wrong), "there is no process `r`", wrong);
    let wrong = r#"{"action":"send","to":"q","value":"x>; q!<y","next":0}"#;
    check(&network(wrong), "is not an expression", wrong);
    check(&network(r#"{"action":"receive","from":"q","next":7}"#), "expected a number below 1", "7");
    let wrong = r#"{"action":"select","to":"q","label":"a b","next":0}"#;
    check(&network(wrong), "`a b` is not a name", wrong);
    check(&network(r#"{"action":"leap"}"#), "there is no action `leap`", r#"{"action":"leap"}"#);
    // The parts fit together, but nothing is in the queue.
    let text = r#"{"laban":1,"kind":"choreography","processes":["p","q"],"starts":[0],
        "nodes":[{"action":"take","from":"p","to":"q","next":1},{"action":"stop"}]}"#;
    check(text, "none can be waiting here", text);
}

#[test]
fn deep_and_long_texts_are_ordinary_texts() {
    let run = || {
        let deep = format!("{{\"laban\":1,\"kind\":{}{}}}", "[".repeat(200_000), "]".repeat(200_000));
        assert!(read_text(Format::Json, &deep).report.has_errors());
        assert!(read_text(Format::Json, &deep[..150_000]).report.has_errors());
        let count = 100_000;
        let states: Vec<String> = (1..=count)
            .map(|next| {
                format!("{{\"action\":\"send\",\"to\":\"q\",\"value\":\"x{}\",\"next\":{}}}", next % 10, next % count)
            })
            .collect();
        let text = format!(
            "{{\"laban\":1,\"kind\":\"network\",\"processes\":[{{\"name\":\"p\",\"start\":0,\"states\":[{}]}},\
             {{\"name\":\"q\",\"start\":0,\"states\":[{{\"action\":\"receive\",\"from\":\"p\",\"next\":0}}]}}]}}",
            states.join(",")
        );
        assert_eq!(back(&text).into_network().expect("a network").states().len(), count + 1);
    };
    std::thread::Builder::new().stack_size(1 << 18).spawn(run).unwrap().join().unwrap();
}

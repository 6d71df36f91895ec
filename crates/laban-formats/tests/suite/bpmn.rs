//! BPMN: what is written reads back, who decides, what is side by side, and XML that means harm.

use crate::{alike, cases, network_of, read_text};
use laban::choreography::Node;
use laban::diagnostic::Code;
use laban::generate::{self, Parameters, SeededRng};
use laban::{Choreography, ExtractOptions};
use laban_formats::{Format, ReadOptions, Reading, Source, read_with, write_bpmn};
use std::fmt::Write;

/// A text with some elements in it.
fn definitions(content: &str) -> String {
    format!("<definitions xmlns=\"http://www.omg.org/spec/BPMN/20100524/MODEL\">{content}</definitions>")
}

fn flow(from: &str, to: &str) -> String {
    format!("<sequenceFlow id=\"{from}_{to}\" sourceRef=\"{from}\" targetRef=\"{to}\"/>")
}

/// A task `id`, from one participant to another.
fn task(id: &str, from: &str, to: &str) -> String {
    format!(
        "<choreographyTask id=\"{id}\" name=\"{id}\" initiatingParticipantRef=\"{from}\">\
         <participantRef>{from}</participantRef><participantRef>{to}</participantRef></choreographyTask>"
    )
}

/// A choreography of p, q, r and s.
fn choreography(content: &str) -> String {
    let participants: String = ["p", "q", "r", "s"].map(|name| format!("<participant id=\"{name}\"/>")).concat();
    definitions(&format!("<choreography id=\"all\">{participants}{content}</choreography>"))
}

/// A choreography of tasks and other elements, with flows.
fn drawn(elements: &[String], flows: &[(&str, &str)]) -> String {
    let flows: String = flows.iter().map(|(from, to)| flow(from, to)).collect();
    choreography(&format!("{}{flows}", elements.concat()))
}

fn element(name: &str, id: &str) -> String {
    format!("<{name} id=\"{id}\"/>")
}

fn printed(reading: &Reading) -> String {
    let choreography = reading.choreography().unwrap_or_else(|| panic!("{:?}", reading.report));
    laban::Compact(&laban::choreography::read_off(choreography)).to_string()
}

fn check(text: &str, expected: &str) {
    assert_eq!(printed(&read_text(Format::Bpmn, text)), expected, "{text}");
}

fn refused(text: &str, what: &str) {
    let reading = read_text(Format::Bpmn, text);
    let messages: Vec<&str> = reading.report.diagnostics.iter().map(|found| found.message.as_str()).collect();
    assert!(reading.model.is_none() && messages.iter().any(|message| message.contains(what)), "{messages:?}");
}

#[test]
fn choreographies_read_back_as_they_were_written() {
    let (mut written, mut decisions, mut races, mut refused) = (0, 0, 0, 0);
    for seed in 0..cases(5_000) {
        let mut rng = SeededRng::keyed([seed, 0xb9, 0, 0]);
        let (ifs, procedures) = (rng.below_u32(4), rng.below_u32(3));
        let race_count = if rng.below_u32(2) == 0 { 0 } else { 1 + rng.below_u32(2) };
        let size = 3 + ifs + procedures + race_count + rng.below_u32(10);
        let parameters = Parameters::new(size, 2 + rng.below_u32(4), ifs, procedures).with_races(race_count);
        let tree = generate::choreography(&parameters, rng.long()).unwrap_or_else(|error| panic!("{seed}: {error}"));
        let Some(original) = laban::choreography::lower(&tree).choreography else { continue };
        // A decision that makes no difference is not read.
        let is_same = |node: &Node| match *node {
            Node::If { then, otherwise, .. } => then == otherwise,
            Node::Choose { arms, .. } => original.arms(arms).windows(2).all(|pair| pair[0] == pair[1]),
            _ => false,
        };
        if original.nodes().iter().any(is_same) {
            continue;
        }
        let text = match write_bpmn(&original) {
            Ok(text) => text,
            Err(error) => {
                let known = ["somebody else may send first", "it sends nothing", "a race", "a decision in a race"];
                assert!(known.iter().any(|known| error.what.contains(known)), "seed {seed}: {error}");
                refused += 1;
                continue;
            }
        };
        let back = read_text(Format::Bpmn, &text);
        let report = back.report.clone();
        let back = back.into_choreography().unwrap_or_else(|| panic!("seed {seed}: {report:?}\n{text}"));
        assert!(alike(&original, &back), "seed {seed}\n{}\n{}", shown(&original), shown(&back));
        written += 1;
        decisions += u32::from(original.nodes().iter().any(|node| matches!(node, Node::If { .. })));
        races += u32::from(original.nodes().iter().any(|node| matches!(node, Node::Any { .. })));
    }
    let figures = (written, decisions, races, refused);
    assert!(written > 600 && decisions > 100 && races > 100, "{figures:?}");
}

fn shown(choreography: &Choreography) -> String {
    laban::Compact(&laban::choreography::read_off(choreography)).to_string()
}

#[test]
fn what_can_be_said_is_said() {
    for text in [
        "main { stop }",
        "main { p.x + \"a & <b>\" -> q; p.1 -> q[l]; p -> q[l]; stop }",
        "def X { choose p { p -> q[a]; X, p -> q[b]; stop, p -> r[c]; X } } main { X }",
        "def X { if p.a then p -> q[l]; X else if p.b then p -> q[m]; X else p -> q[r]; stop } main { X }",
        "def X { any { p -> q[l]; X, r.1 -> q; stop } } main { X }",
        "main { p -> q[l]; stop } || main { r -> s[l]; stop }",
        "def X { p -> q[l]; X } main { X } || main { r -> s[l]; stop }",
    ] {
        let original = laban::analyse(text).into_choreography().unwrap();
        let written = write_bpmn(&original).unwrap();
        let back = read_text(Format::Bpmn, &written);
        let report = back.report.clone();
        let back = back.into_choreography().unwrap_or_else(|| panic!("{report:?}\n{written}"));
        assert!(alike(&original, &back), "{text}\n{}\n{written}", shown(&back));
    }
}

#[test]
fn what_cannot_be_said_is_named() {
    for (text, what) in [
        ("main { (p.x -> q, q.y -> p); stop }", "`p` has messages that are sent before others are received"),
        ("main { p.x ~> q; q <~ p; stop }", "`p` has a message that waits in a queue"),
        (
            "main { if p.c then q -> r[l]; stop else stop }",
            "`p` has a decision after which somebody else may send first",
        ),
        ("main { if p.c then stop else stop }", "`p` has a decision after which it sends nothing"),
        ("main { any { p -> q[l]; stop, r -> s[l]; stop } }", "`p` has a race in which several receive"),
        ("main { any { p -> q[l]; stop, p -> q[m]; stop } }", "`p` has a race that only it can begin"),
    ] {
        let choreography = laban::analyse(text).into_choreography().unwrap();
        let error = write_bpmn(&choreography).expect_err(text).to_string();
        assert!(error.starts_with(what), "{error}");
    }
}

#[test]
fn whoever_sends_first_on_every_way_decides() {
    let gateway =
        [task("a", "p", "q"), task("b", "p", "r"), element("exclusiveGateway", "g"), element("endEvent", "e")];
    let flows = [("g", "a"), ("g", "b"), ("g", "e")];
    check(&drawn(&gateway, &flows), "main { choose p { p -> q[a]; stop, p -> r[b]; stop, stop } }");
}

#[test]
fn who_decides_can_be_said_from_outside() {
    let elements = [task("a", "p", "q"), task("b", "q", "r"), element("exclusiveGateway", "g")];
    let text = drawn(&elements, &[("g", "a"), ("g", "b")]);
    refused(&text, "nobody knows who decides at `exclusiveGateway` `g`");
    for deciders in [[(Some(1), "q")], [(None, "q")]] {
        let options = ReadOptions { deciders: &deciders, ..ReadOptions::default() };
        let reading = read_with(Format::Bpmn, &[Source::new("", &text)], &options);
        assert_eq!(printed(&reading), "main { choose q { p -> q[a]; stop, q -> r[b]; stop } }");
    }
    let options = ReadOptions { deciders: &[(None, "nobody")], ..ReadOptions::default() };
    let reading = read_with(Format::Bpmn, &[Source::new("", &text)], &options);
    assert_eq!(reading.report.diagnostics[0].code, Code::UnknownProcess);
}

#[test]
fn an_event_gateway_is_a_choice_of_the_sender_or_a_race_of_several() {
    let gateway = element("eventBasedGateway", "g");
    let flows = [("g", "a"), ("g", "b")];
    let one = [task("a", "p", "q"), task("b", "p", "r"), gateway.clone()];
    check(&drawn(&one, &flows), "main { choose p { p -> q[a]; stop, p -> r[b]; stop } }");
    let several = [task("a", "p", "q"), task("b", "r", "q"), gateway.clone()];
    check(&drawn(&several, &flows), "main { any { p -> q[a]; stop, r -> q[b]; stop } }");
    let unclear = [task("a", "p", "q"), task("b", "r", "s"), gateway];
    refused(&drawn(&unclear, &flows), "nobody knows who decides at `eventBasedGateway` `g`");
}

#[test]
fn parts_side_by_side_have_nobody_in_common() {
    let tasks = [task("z", "p", "r"), task("a", "p", "q"), task("b", "r", "s"), task("c", "q", "s")];
    let gateways = [element("parallelGateway", "g"), element("parallelGateway", "j")];
    let elements = [tasks.as_slice(), &gateways].concat();
    let flows = [("z", "g"), ("g", "a"), ("g", "b"), ("a", "j"), ("b", "j"), ("j", "c")];
    check(&drawn(&elements, &flows), "main { p -> r[z]; p -> q[a]; r -> s[b]; q -> s[c]; stop }");
    let shared = [task("a", "p", "q"), task("b", "r", "q"), gateways[0].clone()];
    refused(&drawn(&shared, &[("g", "a"), ("g", "b")]), "`parallelGateway` `g`, with `q` in two parts,");
    // Parts that never meet stay side by side, even if one of them never ends.
    let apart = [task("a", "p", "q"), task("b", "r", "s"), element("startEvent", "e"), gateways[0].clone()];
    let flows = [("e", "g"), ("g", "a"), ("g", "b"), ("a", "a")];
    check(&drawn(&apart, &flows), "def X { p -> q[a]; X } main { X } || main { r -> s[b]; stop }");
    let late = [task("z", "p", "r"), task("a", "p", "q"), task("b", "r", "s"), gateways[0].clone()];
    let flows = [("z", "g"), ("g", "a"), ("g", "b"), ("a", "a")];
    refused(&drawn(&late, &flows), "`parallelGateway` `g`, with a part that never ends,");
}

#[test]
fn a_gateway_that_waits_forever_is_an_error() {
    let elements = [
        element("startEvent", "e"),
        element("exclusiveGateway", "g"),
        task("a", "p", "q"),
        task("b", "p", "q"),
        element("parallelGateway", "j"),
    ];
    let flows = [("e", "g"), ("g", "a"), ("g", "b"), ("a", "j"), ("b", "j")];
    refused(&drawn(&elements, &flows), "`parallelGateway` `j` may wait forever for one of its flows");
}

#[test]
fn one_of_several_choreographies_can_be_chosen() {
    let one = |id: &str| {
        let participants = format!("<participant id=\"{id}p\"/><participant id=\"{id}q\"/>");
        let task = task(&format!("{id}_task"), &format!("{id}p"), &format!("{id}q"));
        format!("<choreography id=\"{id}\" name=\"{id} name\">{participants}{task}</choreography>")
    };
    let text = definitions(&format!("{}{}", one("a"), one("b")));
    for (wanted, expected) in [(None, "ap"), (Some("b"), "bp"), (Some("b name"), "bp"), (Some("2"), "bp")] {
        let options = ReadOptions { protocol: wanted, ..ReadOptions::default() };
        let reading = read_with(Format::Bpmn, &[Source::new("", &text)], &options);
        assert!(printed(&reading).contains(expected), "{wanted:?}");
        assert_eq!(reading.report.remarks.len(), usize::from(wanted.is_none()));
    }
    let options = ReadOptions { protocol: Some("c"), ..ReadOptions::default() };
    assert!(read_with(Format::Bpmn, &[Source::new("", &text)], &options).report.has_errors());
}

/// Two pools P and Q, and message flows `name source target` between them.
fn collaboration(p: &str, q: &str, flows: &[(&str, &str, &str)]) -> String {
    let mut drawn = String::new();
    for (number, (name, source, target)) in flows.iter().enumerate() {
        let ends = format!("sourceRef=\"{source}\" targetRef=\"{target}\"");
        write!(drawn, "<messageFlow id=\"m{number}\" name=\"{name}\" {ends}/>").unwrap();
    }
    let pools = "<participant id=\"P\" processRef=\"pp\"/><participant id=\"Q\" processRef=\"qq\"/>";
    definitions(&format!(
        "<collaboration id=\"all\">{pools}{drawn}</collaboration><process id=\"pp\">{p}</process><process id=\"qq\">{q}</process>"
    ))
}

fn verdict(text: &str) -> String {
    let network = network_of(Format::Bpmn, text);
    laban::extract(&network, &ExtractOptions::default()).unwrap().verdict().as_str().to_string()
}

fn network_text(text: &str) -> String {
    let reading = read_text(Format::Bpmn, text);
    let network = reading.network().unwrap_or_else(|| panic!("{:?}", reading.report));
    laban::Compact(&laban::network::read_off(network, &[])).to_string()
}

#[test]
fn a_receiver_waits_at_an_event_gateway_and_decides_at_an_exclusive_one() {
    let p = format!(
        "{}{}{}{}{}",
        element("exclusiveGateway", "g"),
        element("sendTask", "a"),
        element("sendTask", "b"),
        flow("g", "a"),
        flow("g", "b")
    );
    let q = |gateway: &str| {
        let tasks = [element(gateway, "h"), element("receiveTask", "x"), element("receiveTask", "y")].concat();
        format!("{tasks}{}{}", flow("h", "x"), flow("h", "y"))
    };
    let flows = [("one", "a", "x"), ("two", "b", "y")];
    assert_eq!(verdict(&collaboration(&p, &q("eventBasedGateway"), &flows)), "extracted");
    assert_eq!(verdict(&collaboration(&p, &q("exclusiveGateway"), &flows)), "deadlock");
}

#[test]
fn a_task_with_both_sends_first() {
    let q = [element("receiveTask", "x"), element("sendTask", "y"), flow("x", "y")].concat();
    let text = collaboration(&element("userTask", "a"), &q, &[("ask", "a", "x"), ("answer", "y", "a")]);
    assert_eq!(network_text(&text), "P { main { Q+ask; Q&{answer: stop} } } | Q { main { P&{ask: P+answer; stop} } }");
}

#[test]
fn a_message_has_the_name_of_its_flow_or_message_or_sender() {
    let named = |id: &str, name: &str| format!("<sendTask id=\"{id}\" name=\"{name}\"/>");
    let p = [named("a", "ask"), named("b", "ask"), element("sendTask", "c"), flow("a", "b"), flow("b", "c")].concat();
    let q = ["x", "y", "z"].map(|id| element("receiveTask", id)).concat();
    let q = format!("{q}{}{}", flow("x", "y"), flow("y", "z"));
    // Two flows without a name from different tasks are different messages; two of the same name are the same.
    let text = collaboration(&p, &q, &[("", "a", "x"), ("", "b", "y"), ("", "c", "z")]);
    assert!(network_text(&text).starts_with("P { main { Q+ask; Q+m1; Q+m2; stop } }"), "{}", network_text(&text));
    let text = collaboration(&p, &q, &[("info", "a", "x"), ("info", "b", "y"), ("info", "c", "z")]);
    assert!(network_text(&text).starts_with("P { main { Q+info; Q+info; Q+info; stop } }"));
    // What one task sends to one pool without a name is one message, wherever it is received.
    let text = collaboration(&element("sendTask", "a"), &q, &[("", "a", "x"), ("", "a", "y")]);
    assert!(network_text(&text).contains("P { main { Q+m0; stop } } | Q { main { P&{m0: P&{m0: stop}} } }"));
}

#[test]
fn several_start_events_are_alternatives() {
    let start = |id: &str| format!("<startEvent id=\"{id}\"><messageEventDefinition/></startEvent>");
    let q =
        [start("x"), start("y"), element("sendTask", "v"), element("sendTask", "w"), flow("x", "v"), flow("y", "w")];
    let p = [
        element("exclusiveGateway", "g"),
        element("sendTask", "a"),
        element("sendTask", "b"),
        element("receiveTask", "e"),
    ];
    let flows = [("g", "a"), ("g", "b"), ("a", "e"), ("b", "e")].map(|(from, to)| flow(from, to)).concat();
    let messages = [("one", "a", "x"), ("two", "b", "y"), ("first", "v", "e"), ("second", "w", "e")];
    let text = collaboration(&format!("{}{flows}", p.concat()), &q.concat(), &messages);
    assert_eq!(verdict(&text), "extracted");
    assert!(network_text(&text).contains("Q { main { P&{one: P+first; stop, two: P+second; stop} } }"));
}

#[test]
fn what_is_parallel_is_done_in_any_order_and_a_join_waits() {
    let gateways = [element("parallelGateway", "g"), element("parallelGateway", "j")].concat();
    let tasks = ["a", "b", "c"].map(|id| element("receiveTask", id)).concat();
    let flows = [("g", "a"), ("g", "b"), ("a", "j"), ("b", "j"), ("j", "c")].map(|(from, to)| flow(from, to)).concat();
    let q = ["x", "y", "z"].map(|id| element("sendTask", id)).concat();
    let p = format!("{gateways}{tasks}{flows}");
    let messages = [("a", "x", "a"), ("b", "y", "b"), ("c", "z", "c")];
    for (order, expected) in
        [(["x", "y", "z"], "extracted"), (["y", "x", "z"], "extracted"), (["x", "z", "y"], "deadlock")]
    {
        let q = format!("{q}{}{}", flow(order[0], order[1]), flow(order[1], order[2]));
        assert_eq!(verdict(&collaboration(&p, &q, &messages)), expected, "{order:?}");
    }
}

#[test]
fn a_terminate_event_ends_everything_around_it() {
    let p = [
        element("parallelGateway", "g"),
        element("receiveTask", "a"),
        element("receiveTask", "b"),
        "<endEvent id=\"t\"><terminateEventDefinition/></endEvent>".to_string(),
        flow("g", "a"),
        flow("g", "b"),
        flow("a", "t"),
    ];
    let text = collaboration(&p.concat(), &element("sendTask", "x"), &[("a", "x", "a"), ("b", "x", "b")]);
    // Q sends both, one after the other; P may stop after the first.
    assert_eq!(network_text(&text), "P { main { Q&{a: stop, b: Q&{a: stop}} } } | Q { main { P+a; P+b; stop } }");
}

#[test]
fn a_sub_process_is_interrupted_by_a_message() {
    let p = [
        "<subProcess id=\"s\"><receiveTask id=\"a\"/><receiveTask id=\"b\"/>",
        &flow("a", "b"),
        "</subProcess><boundaryEvent id=\"i\" attachedToRef=\"s\"><messageEventDefinition/></boundaryEvent>",
        &element("sendTask", "done"),
        &element("sendTask", "late"),
        &flow("s", "done"),
        &flow("i", "late"),
    ];
    let q = [
        element("sendTask", "x"),
        element("exclusiveGateway", "g"),
        element("sendTask", "y"),
        element("sendTask", "z"),
        element("receiveTask", "v"),
        flow("x", "g"),
        flow("g", "y"),
        flow("g", "z"),
        flow("y", "v"),
        flow("z", "v"),
    ];
    let flows = [("a", "x", "a"), ("b", "y", "b"), ("stop it", "z", "i"), ("done", "done", "v"), ("late", "late", "v")];
    let text = collaboration(&p.concat(), &q.concat(), &flows);
    assert_eq!(verdict(&text), "extracted");
    let text = network_text(&text);
    assert!(text.contains("Q&{a: Q&{stop_it: Q+late; stop, b: Q+done; stop}, stop_it: Q+late; stop}"), "{text}");
}

#[test]
fn deep_and_long_files_are_ordinary_files() {
    let count = crate::scaled(50_000, 100_000);
    let nested = |name: &str| {
        let open: String = (0..count).map(|number| format!("<{name} id=\"s{number}\">")).collect();
        (open, format!("</{name}>").repeat(count))
    };
    let (open, close) = nested("subProcess");
    let long: String = (0..count).map(|number| element("task", &format!("t{number}"))).collect();
    let flows: String = (1..count).map(|number| flow(&format!("t{}", number - 1), &format!("t{number}"))).collect();
    let texts = [
        collaboration(&format!("{open}{close}"), "<task id=\"t\"/>", &[]),
        collaboration(&format!("{open}<sendTask id=\"t\"/>{close}"), "<task id=\"x\"/>", &[("m", "t", "x")]),
        collaboration(&format!("{long}{flows}"), "", &[]),
        choreography(&format!("{}{}{}", nested("subChoreography").0, task("t", "p", "q"), nested("subChoreography").1)),
    ];
    for text in &texts {
        let reading = read_text(Format::Bpmn, text);
        assert!(reading.model.is_some(), "{:?}", reading.report);
    }
    let unclosed = choreography(&open);
    assert!(read_text(Format::Bpmn, &unclosed).report.has_errors());
    let elsewhere = definitions(&"<x:y xmlns:x=\"z\">".repeat(count));
    assert!(read_text(Format::Bpmn, &elsewhere).report.has_errors());
}

#[test]
fn calls_do_not_grow_beyond_measure() {
    let mut text = String::new();
    for number in 0..40 {
        let next = number + 1;
        let call = |id: char| format!("<callActivity id=\"{id}{number}\" calledElement=\"p{next}\"/>");
        let both = format!("{}{}{}", call('a'), call('b'), flow(&format!("a{number}"), &format!("b{number}")));
        write!(text, "<process id=\"p{number}\">{both}</process>").unwrap();
    }
    let pool = "<collaboration id=\"c\"><participant id=\"P\" processRef=\"p0\"/></collaboration>";
    refused(&definitions(&format!("{pool}{text}<process id=\"p40\"/>")), "more than can be read");
    let round = "<process id=\"p0\"><callActivity id=\"a\" calledElement=\"p0\"/></process>";
    refused(&definitions(&format!("{pool}{round}")), "`callActivity` `a`, which calls what it is in,");
}

#[test]
fn entities_are_never_expanded_and_nothing_is_fetched() {
    let mut bomb = String::from("<!DOCTYPE definitions [<!ENTITY l0 \"lol\">");
    for number in 1..100 {
        let before = format!("&l{};", number - 1).repeat(10);
        write!(bomb, "<!ENTITY l{number} \"{before}\">").unwrap();
    }
    bomb.push_str("]>");
    let inside = |name: &str| format!("{bomb}{}", choreography(&format!("<documentation>{name}</documentation>")));
    refused(&inside("&l99;"), "the entity `l99` is not known");
    let attribute = choreography("<startEvent id=\"s\" name=\"&l99;\"/>");
    refused(&format!("{bomb}{attribute}"), "an entity in the attribute `name` is not known");
    let reading = read_text(Format::Bpmn, &inside("fine"));
    assert!(reading.model.is_some() && reading.report.remarks[0].text.contains("document type"));
    let external = format!(
        "<!DOCTYPE d SYSTEM \"file:///etc/passwd\" [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>{}",
        choreography("<documentation>&e;</documentation>")
    );
    refused(&external, "the entity `e` is not known");
    check(
        &choreography(&task("a", "p", "q").replace("name=\"a\"", "name=\"&lt;&#97;&amp;\"")),
        "main { p -> q[_a]; stop }",
    );
}

#[test]
fn only_utf_8_is_read() {
    let text = |encoding: &str| format!("<?xml version=\"1.0\" encoding=\"{encoding}\"?>{}", choreography(""));
    refused(&text("ISO-8859-1"), "its encoding is `ISO-8859-1`");
    refused(&text("UTF-16"), "its encoding is `UTF-16`");
    assert!(read_text(Format::Bpmn, &text("utf-8")).model.is_some());
    let marked = format!("\u{feff}{}", choreography("<inclusiveGateway id=\"g\"/><complexGateway id=\"x\"/>"));
    let place = read_text(Format::Bpmn, &marked).report.diagnostics[0].primary.span;
    assert_eq!(place.text(&marked), "<complexGateway id=\"x\"/>");
}

#[test]
fn mistakes_in_xml_have_a_place() {
    for (text, place) in [
        ("<definitions>", "<definitions>"),
        ("<a></b>", "<"),
        ("<a b></a>", ">"),
        ("<a b='1' b='2'/>", "b"),
        ("<a>&x;</a>", "&x;"),
        ("<a/>text", "text"),
    ] {
        let found = &read_text(Format::Bpmn, text).report.diagnostics[0];
        assert_eq!(found.primary.span.text(text), place, "{text}: {}", found.message);
    }
}

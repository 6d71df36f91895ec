//! Whatever the text: no panic, no endless loop, and an answer: a network, or an error with its place.

use crate::properties::read_total;
use crate::{cases, read_text};
use laban::generate::SeededRng;
use laban_formats::{Format, Source, detect, read};

/// Texts without mistakes, one or more for each format.
const TEXTS: &[(Format, &str)] = &[
    (
        Format::Fsa,
        "-- c\n.outputs A\n.state graph\nq0 1 ! m<int> q1\nq1 1 ? ok q0\nq1 tau q2\n.marking q0\n.end\n\n.outputs\n.state graph\nq0 A ? m <int> q1\nq1 0 ! ok q0\n.marking {q0}\n.end\n",
    ),
    (Format::Kmc, "A: rec x . {B!m<int>; x, B?n; rec y . B!m<int>; y} /* c */ B: rec x . {A?m<int>; x, A!n; x} -- c\n"),
    (Format::SubtypingPair, "rec X . [?a;!x;X, +{!b; end, !c; rec Y . &[?d; Y]}]"),
    (
        Format::Json,
        "{\"laban\": 1, \"kind\": \"network\", \"channels\": [{\"channel\": \"queue\", \"bound\": 2}], \"processes\": [{\"name\": \"p\", \"start\": 0, \"service\": true, \"states\": [{\"action\": \"choose\", \"arms\": [1, 2]}, {\"action\": \"send\", \"to\": \"q\", \"value\": \"\\u0041\", \"next\": 2}, {\"action\": \"stop\"}]}, {\"name\": \"q\", \"start\": 0, \"states\": [{\"action\": \"receive\", \"from\": \"p\", \"next\": 0, \"idle\": true}]}]}",
    ),
    (
        Format::Json,
        "{\"laban\":1,\"kind\":\"choreography\",\"processes\":[\"p\",\"q\"],\"starts\":[0],\"nodes\":[{\"action\":\"if\",\"process\":\"p\",\"condition\":\"c\",\"then\":1,\"else\":2},{\"action\":\"message\",\"from\":\"p\",\"to\":\"q\",\"label\":\"l\",\"value\":\"x\",\"next\":0},{\"action\":\"stop\"}]}",
    ),
    (
        Format::Dot,
        "digraph A { 0; 1 [shape=box]; 0 -> 1 [label=\"B!m(x: i32){x<3}\", ]; 1 -> 0 [label=\"B?n()\"]; }\ndigraph B { s -> 0; 0 -> 1 [label=\"A?m(i32)\"]; 1 -> 0 [label=\"A!n()\"]; }",
    ),
    (
        Format::Scribble,
        "module a.b;\ndata <j> \"x\" from \"y\" as T;\nglobal protocol P<type U>(role A, role B, role C, role D) { rec X { choice at A { m(T, U) from A to B; do Q(B, C); continue X; } or { (int) from A to B, C; } } par { k from A to B; } and { do Q(C, D); } n() from A to B within [0;1] using a; }\naux global protocol Q(role A, role B) { disconnect A and B; A -> B: l; }\n// c",
    ),
    (
        Format::Scribble,
        "explicit global protocol P(role A, role B) @'x' { rec X [x<A>: int = 0] { choice at A { m(x: int{x < 3}) from A to B; @\"y\" continue X [x + 1]; } or { k() connect A to B; /* c */ } } } (* c *)",
    ),
    (
        Format::Scribble,
        "local protocol P(self A, role B) { rec X { choice at A { m(int) to B; continue X; } or { n() to B; } } } local protocol P at B (role A) { choice at A { m(int) from A; do P(role A, self B); } or { n() from A; } }",
    ),
    (Format::MpstkGlobal, "# c\nμ(t)(p→q:{m(Int) . (q -> r: n . t), n((end)) . rec(x) q->p{a.x, b: end}, k})"),
    (Format::MpstkGlobal, "p -> q {m: rec t. q -> p: [int]; t, n: end} | (r -> s: [bool]; end) /* c */"),
    (
        Format::ChoreographyAutomaton,
        "digraph c { s0 [label=\"\"] s0 -> 0\n0 -> 1 [label=\"A->B:m(int)\"] 0 -> 2 [label=\"C->B:<x>\"]\n\"1\" -> \"0,0\" [label=\"B->A:ok\"] 1 -> \"0,1\" [label=\"C->D:n\"] \"0,0\" -> 0 [label=\"C->D:n\"] \"0,1\" -> 0 [label=\"B->A:ok\"] }",
    ),
    (
        Format::Chorgram,
        ".. c\nrepeat A { A -> B: m ; (o) ; * { A => B, C: n } @ A unless A % x > 1 } [c] ; sel B { {B -> A: x | C -> D: x} + B -> C: \"y\" } ; { A -> B: p + C -> B: q }",
    ),
    (
        Format::Sprout,
        "// c\nInitial state: (0)\nInitial register assignments: r=0, s=1\n(0) a->b:x{x=1/\\r'=x} (1) (0) a->b:x{x=2} (2)\n(1) b->a:y{True} (0)\n(2) c->b:z (3) (2) a->b:w (3)\nFinal states: (3), (0)\n",
    ),
    (Format::MpstkContext, "# c\ns[p]: μ(t)(q⊕{m(Int) . t, n((end)) . end}), s[q]: rec(t) p&{m(Int).t, n(end)}"),
    (
        Format::PlantUml,
        "' c\n@startuml a\n!$x = \"B b\"\n!if ($x != \"\")\nparticipant \"$x\" as B <<s>>\n!endif\nskinparam a {\n b c\n}\nA -[#red]> B ++: x\nreturn y\n/' c '/\nalt#red #blue q\nnote left\nA -> B\nend note\n\"A\" <-- B : [ok]\nelse \\\nr\nB -> A: [no]\nend alt\nloop\nA <-> B\nend\n[-> A\n== x ==\n@enduml\n",
    ),
    (
        Format::Mermaid,
        "---\ntitle: T\n---\n%%{init: {}}%%\nsequenceDiagram\nbox Red B\nactor A as A #1;\nparticipant B@{ \"a\": 1 } as C\nend\nA->>+B: a#35;b;B-->>-A: <br/>\nNote over A,B: n\nloop l\nalt x\nA<<->>B: y\nelse\nB-xA: [z]\nend\nbreak e\nA-)B:f\nend\nend\npar p\nA->>B: 1\nand\nA//-B: 2\nend\ncritical\nA->>B: 3\noption o\nA->>B: 4\nend\nrect rgb(1,2,3)\nopt q\nA()->>()C: r\nend\nend",
    ),
    (
        Format::Mermaid,
        "sequenceDiagram\n%% laban: choreography\nparticipant p\nparticipant q as q'\npar part 1\nloop X\nalt p.c\np-->>q: [l(1)]\npar\np->>q: 1\nand\nq->>p: 2\nend\nelse otherwise\nNote over p,q: go on with Y\nend\nend\nand part 2\nr-)s: 3\nNote over s: takes 3 from r\npar race\nr->>s: 4\nNote over r,s: stop\nand\ns->>r: 5\nend\nend\nrect red\nNote over p,q: part 1: Y\nalt p chooses#58; item 1\np->>q: 6\nelse item 2\nNote over p,q: stop\nend\nend",
    ),
    (
        Format::PlantUml,
        "@startuml\n' laban: choreography\ntitle part 1\nparticipant \"p<U+0027>\" as P0\nparticipant q as P1\nloop X\nalt p<U+0027>.c\nP0 -->> P1 : <U+005B>l(1)<U+005D>\npar\nP0 -> P1 : 1\nelse\nP1 -> P0 : 2\nend\nelse otherwise\nref over P0, P1 : Y\nend\nend\n@enduml\n@startuml\n' laban: choreography\ntitle part 1: Y\nparticipant q as P0\nparticipant \"p<U+0027>\" as P1\nalt p<U+0027> chooses: item 1\nP1 --\\\\ P0 : [m]\nnote over P0 : takes [m] from p<U+0027>\nelse item 2\nrnote over P0, P1 : stop\nend\n@enduml\n@startuml\n' laban: choreography\ntitle part 2\nparticipant r as P0\nparticipant s as P1\ngroup race\nP0 -> P1 : 4\nrnote over P0, P1 : stop\nelse\nP1 ->> P0 : 5\nnote over P0 : takes 5 from s\nend\n@enduml",
    ),
    (
        Format::Bpmn,
        "<?xml version=\"1.0\"?><b:definitions xmlns:b=\"http://www.omg.org/spec/BPMN/20100524/MODEL\"><b:collaboration id=\"c\"><b:participant id=\"p\" processRef=\"pp\"/><b:participant id=\"q\" processRef=\"qq\"/><b:messageFlow id=\"m\" name=\"a &amp; b\" sourceRef=\"s\" targetRef=\"r\"/></b:collaboration><b:process id=\"pp\"><b:startEvent id=\"e\"/><b:parallelGateway id=\"g\"/><b:sendTask id=\"s\"/><b:task id=\"t\"/><b:sequenceFlow id=\"f1\" sourceRef=\"e\" targetRef=\"g\"/><b:sequenceFlow id=\"f2\" sourceRef=\"g\" targetRef=\"s\"/><b:sequenceFlow id=\"f3\" sourceRef=\"g\" targetRef=\"t\"/></b:process><b:process id=\"qq\"><b:subProcess id=\"u\"><b:intermediateCatchEvent id=\"r\"><b:messageEventDefinition/></b:intermediateCatchEvent></b:subProcess><b:boundaryEvent id=\"v\" attachedToRef=\"u\"><b:timerEventDefinition/></b:boundaryEvent></b:process></b:definitions>",
    ),
    (
        Format::Bpmn,
        "<!-- c --><definitions xmlns=\"http://www.omg.org/spec/BPMN/20100524/MODEL\"><message id=\"m\" name=\"hello\"/><choreography id=\"c\"><participant id=\"p\"/><participant id=\"q\"/><messageFlow id=\"f\" sourceRef=\"q\" targetRef=\"p\" messageRef=\"m\"/><exclusiveGateway id=\"g\" default=\"d\"/><choreographyTask id=\"t\" initiatingParticipantRef=\"p\" loopType=\"Standard\"><participantRef>p</participantRef><participantRef>q</participantRef><messageFlowRef>f</messageFlowRef></choreographyTask><endEvent id=\"e\"/><sequenceFlow id=\"a\" sourceRef=\"g\" targetRef=\"t\"><conditionExpression>x &lt; 1</conditionExpression></sequenceFlow><sequenceFlow id=\"d\" sourceRef=\"g\" targetRef=\"e\"/></choreography></definitions>",
    ),
];

#[test]
fn texts_without_mistakes_are_read() {
    for &(format, text) in TEXTS {
        let reading = match format {
            Format::SubtypingPair => read(format, &[Source::new("a", text), Source::new("b", text)]),
            _ => read_text(format, text),
        };
        assert!(reading.model.is_some(), "{format}: {:?}", reading.report);
        assert_eq!(detect("", text), Some(format), "{text}");
    }
}

#[test]
fn every_beginning_of_a_text_has_an_answer() {
    for &(format, text) in TEXTS {
        for (end, _) in text.char_indices() {
            read_total(format, &text[..end]);
        }
    }
}

#[test]
fn broken_texts_have_an_answer() {
    let pieces: Vec<char> = "{}[]()<>!?;:,.\"&+⊕μ-/*# \nq0A1\u{feff}é".chars().collect();
    for seed in 0..cases(4_000) {
        let mut rng = SeededRng::keyed([seed, 0xb0, 0, 0]);
        let (format, text) = TEXTS[seed as usize % TEXTS.len()];
        let mut characters: Vec<char> = text.chars().collect();
        for _ in 0..1 + rng.below_u32(6) {
            let Some(at) = rng.index(characters.len()) else { break };
            let piece = pieces[rng.index(pieces.len()).unwrap()];
            match rng.below_u32(4) {
                0 => drop(characters.remove(at)),
                1 => characters.insert(at, piece),
                2 => characters[at] = piece,
                _ => {
                    let end = (at + 1 + rng.below_u32(12) as usize).min(characters.len());
                    characters.drain(at..end);
                }
            }
        }
        read_total(format, &characters.into_iter().collect::<String>());
    }
}

#[test]
fn any_text_has_an_answer_in_any_format() {
    for &(_, text) in TEXTS {
        for &format in Format::ALL {
            read_total(format, text);
        }
    }
}

#[test]
fn deep_texts_are_ordinary_texts() {
    let depth = crate::scaled(50_000, 100_000);
    let repeated = |piece: &str| piece.repeat(depth);
    let texts = [
        (Format::Kmc, format!("A: {}end{} B: end", repeated("{B!m; "), repeated("}"))),
        (Format::Kmc, format!("A: {} B: end", repeated("{"))),
        (Format::Kmc, format!("A: {} x", repeated("rec x . "))),
        (Format::Kmc, format!("A: {} x{} B: end", repeated("{rec x . "), repeated("}"))),
        (Format::SubtypingPair, format!("{}end", repeated("!a; "))),
        (Format::MpstkContext, format!("s[p]: {}end{}", repeated("("), repeated(")"))),
        (Format::MpstkContext, format!("s[p]: {}", repeated("q&{m("))),
        (Format::MpstkGlobal, format!("p->q:m . {}end{}", repeated("("), repeated(")"))),
        (Format::MpstkGlobal, format!("{}end{}", repeated("p->q:{m . "), repeated("}"))),
        (Format::MpstkGlobal, format!("{} x", repeated("μ(x)"))),
        (Format::MpstkGlobal, format!("{} end", repeated("p->q:m . "))),
        (Format::MpstkGlobal, format!("p->q:m . end {}", repeated("| p->q:m . end"))),
        (Format::Chorgram, format!("{}A -> B: m{}", repeated("{"), repeated("}"))),
        (Format::Chorgram, format!("{}A -> B: m{}", repeated("*{"), repeated("}@A"))),
        (Format::Chorgram, format!("{}A -> B: m{}", repeated("sel A {"), repeated("+ A -> B: n}"))),
        (Format::Chorgram, format!("{}A -> B: m", repeated("(o) |"))),
        (Format::Chorgram, format!("{}A -> B: m", repeated("A -> B: m +"))),
        (Format::Chorgram, format!("{}A -> B: m{}", repeated("{C -> D: m |"), repeated("}"))),
        (Format::Chorgram, {
            let sides: String = (0..depth).map(|number| format!("{{A{number} -> B{number}: m | ")).collect();
            format!("C -> D: m; {sides} (o) {}", repeated("}"))
        }),
        (Format::Chorgram, repeated("repeat ")),
        (Format::ChoreographyAutomaton, format!("digraph A {{ {} }}", repeated("0 -> 1 [label=\"A->B:m\"]; "))),
        (Format::ChoreographyAutomaton, {
            // All roles are different, in one state.
            let lines: String = (0..depth).map(|n| format!("0 -> 1 [label=\"A{n}->B{n}:m\"]\n")).collect();
            format!("digraph A {{ s -> 0\n{lines} }}")
        }),
        (Format::ChoreographyAutomaton, {
            // Two in each state that are independent of each other.
            let line = |n: usize| {
                format!(
                    "0{n} -> 0{0} [label=\"A->B:m\"] 0{n} -> 1{n} [label=\"C->D:m\"] 1{n} -> 1{0} [label=\"A->B:m\"]\n",
                    n + 1
                )
            };
            let lines: String = (0..depth).map(line).collect();
            format!("digraph A {{ s -> 00\n{lines} }}")
        }),
        (Format::Sprout, format!("Initial state: (0)\n{}", repeated("(0) a->b:x{(((x=1} (0)\n"))),
        (Format::Sprout, {
            let lines: String = (0..depth).map(|n| format!("({n}) a->b:x{{x={n}}} ({}) ", n + 1)).collect();
            format!("Initial state: (0) {lines}")
        }),
        (Format::Sprout, repeated("(")),
        (Format::Dot, format!("digraph A {{ {} }}", repeated("0 -> 1 [label=\"B!m\"]; "))),
        (Format::Dot, format!("digraph A {{ {} }}", repeated("["))),
        (Format::Fsa, format!(".outputs\n.state graph\n{}", repeated("q tau q\n"))),
        (Format::Fsa, repeated(".outputs\n")),
        (Format::PlantUml, format!("@startuml\n{}A -> B\n{}@enduml", repeated("loop\nA -> B\n"), repeated("end\n"))),
        (Format::PlantUml, format!("@startuml\n{}", repeated("alt\nA -> B\nelse\n"))),
        (Format::PlantUml, format!("@startuml\n{}", repeated("A -> B ++: x\nreturn y\n"))),
        (Format::PlantUml, format!("@startuml\n{}", repeated("note over A\n"))),
        (Format::PlantUml, format!("@startuml\n{}", repeated("/' x\n"))),
        (Format::PlantUml, format!("@startuml\n{}", repeated("!if 1\n"))),
        (Format::PlantUml, format!("@startuml\n{}", repeated("A -> B: x \\\n"))),
        (Format::PlantUml, repeated("@startuml\nA -> B\n")),
        (Format::Fsa, {
            let lines: String = (0..depth).map(|number| format!("q{number} tau q{}\n", number + 1)).collect();
            format!(".outputs\n.state graph\n{lines}.marking q0\n.end")
        }),
        (Format::Mermaid, format!("sequenceDiagram\n{}A->>B: x\n{}", repeated("alt a\n"), repeated("end\n"))),
        (Format::Mermaid, format!("sequenceDiagram\n{}A->>B: x\n{}", repeated("loop\n"), repeated("end\n"))),
        (Format::Mermaid, format!("sequenceDiagram\nA->>B: x\n{}", repeated("alt a\n"))),
        (Format::Mermaid, format!("sequenceDiagram\nalt a\nA->>B: x\n{}end", repeated("else b\nA->>C: y\n"))),
        (Format::Mermaid, format!("sequenceDiagram\nA->>B: {}", repeated("x; "))),
        (Format::Mermaid, format!("sequenceDiagram\nparticipant {}", repeated(" "))),
        (Format::Mermaid, format!("sequenceDiagram\n{}", repeated("%%{"))),
        (Format::Mermaid, format!("sequenceDiagram\n{}", repeated("participant A@{\n"))),
        (Format::Mermaid, repeated("```mermaid\nsequenceDiagram\n```\n")),
        (Format::Mermaid, {
            let opened = repeated("loop X\n");
            let back = "alt p.c\nNote over p: back to X\nelse\n".repeat(depth / 10);
            let closed = "end\n".repeat(depth / 10 + depth);
            format!("sequenceDiagram\n%% laban: choreography\np->>q: x\n{opened}{back}{closed}")
        }),
        (Format::PlantUml, repeated("@startuml\n' laban: choreography\nA -> B : x\n@enduml\n")),
        (
            Format::PlantUml,
            repeated("@startuml\n' laban: choreography\ntitle X\nA -> B : x\nref over A : X\n@enduml\n"),
        ),
    ];
    for (format, text) in texts {
        read_total(format, &text);
    }
}

#[test]
fn a_long_list_of_mistakes_is_cut() {
    let text = format!(".outputs\n.state graph\n{}.marking q0\n.end\n", "q0 5 ! m q1\n".repeat(1_000));
    let count = read_text(Format::Fsa, &text).report.diagnostics.len();
    assert!((1..=100).contains(&count), "{count}");
}

#[test]
fn a_nul_character_is_an_error_in_every_format() {
    for (format, text) in TEXTS {
        let text = format!("{text}\0");
        let diagnostics = read_text(*format, &text).report.diagnostics;
        let [only] = diagnostics.as_slice() else { panic!("{format}: {diagnostics:?}") };
        assert_eq!((only.code.as_str(), only.primary.span.text(&text)), ("not-text", "\0"), "{format}");
    }
    let text: String = "sequenceDiagram\nA->>B: x\n".chars().flat_map(|c| [c, '\0']).collect();
    assert!(read_text(Format::Mermaid, &text).report.diagnostics[0].message.contains("UTF-16"));
}

/// Read as one line, a diagram would be a single message.
#[test]
fn lines_that_end_in_carriage_returns_alone_are_refused() {
    for text in ["sequenceDiagram\rA->>B: x\rB->>A: y\r", "\u{feff}sequenceDiagram\rA->>B: x"] {
        let diagnostics = read_text(Format::Mermaid, text).report.diagnostics;
        let [only] = diagnostics.as_slice() else { panic!("{diagnostics:?}") };
        assert_eq!((only.code.as_str(), only.primary.span.text(text)), ("not-text", "\r"));
    }
    assert!(read_text(Format::Mermaid, "sequenceDiagram\r\nA->>B: x\r\n").model.is_some());
    assert!(read_text(Format::Kmc, "A: B!m; end B: A?m; end\r").model.is_some());
}

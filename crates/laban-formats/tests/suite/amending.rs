//! Diagrams are written back with what they forgot to say, and nothing else in them changes.

use crate::random_diagrams::Drawn;
use crate::{long_cases, read_text};
use laban::choreography::{lower, read_off, read_off_named};
use laban::equivalence::Equivalence;
use laban::generate::SeededRng;
use laban::{AmendOptions, EquivalenceOptions, Limits, Pretty, ProjectOptions};
use laban_formats::protocol::{GlobalStep, Protocol};
use laban_formats::{Format, NotAmended, ReadOptions, Report, Source, View, amend_diagram, lower_protocol};

fn amended(format: Format, text: &str) -> String {
    let source = Source::new("", text);
    match amend_diagram(format, &source, &ReadOptions::default(), &AmendOptions::default()) {
        Ok(amended) => amended.text,
        Err(error) => panic!("{error:?}\n{text}"),
    }
}

fn check(format: Format, text: &str, expected: &str) {
    let written = amended(format, text);
    assert_eq!(written, expected, "\n{written}");
    assert_eq!(amended(format, &written), written, "nothing is missing any more");
}

#[test]
fn both_branches_of_an_alternative_begin_with_what_was_missing() {
    check(
        Format::Mermaid,
        "sequenceDiagram\n  participant A\n  A->>B: hello\n  alt yes\n    %% here\n    A->>B: go\n    B->>C: do\n  else no\n    A->>B: wait\n  end\n",
        "sequenceDiagram\n  participant A\n  A->>B: hello\n  alt yes\n    A->>B: [yes]\n    A->>C: [yes]\n    %% here\n    A->>B: go\n    B->>C: do\n  else no\n    A->>B: [no]\n    A->>C: [no]\n    A->>B: wait\n  end\n",
    );
}

#[test]
fn an_option_gets_a_second_branch() {
    check(
        Format::PlantUml,
        "@startuml\nopt #LightBlue ready\n\tA -> B : go\n\tnote right: what\nend\nA -> C : bye\n@enduml\n",
        "@startuml\nalt #LightBlue ready\n\tA -> B : [yes]\n\tA -> B : go\n\tnote right: what\nelse\n\tA -> B : [no]\nend\nA -> C : bye\n@enduml\n",
    );
    check(
        Format::Mermaid,
        "sequenceDiagram\r\nalt ready\r\nA ->> B: go\r\nend",
        "sequenceDiagram\r\nalt ready\r\nA ->> B: [yes]\r\nA ->> B: go\r\nelse\r\nA ->> B: [no]\r\nend",
    );
}

#[test]
fn the_end_of_a_loop_is_told_behind_it() {
    check(
        Format::PlantUml,
        "@startuml\nA->B: x\nloop 3 times\n  A->B: tick\nend loop\n\nB->A: done\n@enduml",
        "@startuml\nA->B: x\nloop 3 times\n  A->B: [yes]\n  A->B: tick\nend loop\nA->B: [no]\n\nB->A: done\n@enduml",
    );
    check(
        Format::Mermaid,
        "sequenceDiagram\n  loop often\n    A-)B: tick\n  end",
        "sequenceDiagram\n  loop often\n    A-)B: [yes]\n    A-)B: tick\n  end\n  A-)B: [no]",
    );
}

#[test]
fn who_goes_on_after_a_break_is_told_behind_it() {
    check(
        Format::Mermaid,
        "sequenceDiagram\n  A->>B: x\n  break no luck\n    A->>B: stop\n  end\n  A->>B: y\n  A->>C: z\n",
        "sequenceDiagram\n  A->>B: x\n  break no luck\n    A->>C: [yes]\n    A->>B: stop\n  end\n  A->>C: [no]\n  A->>B: y\n  A->>C: z\n",
    );
}

#[test]
fn names_are_quoted_where_they_must_be() {
    check(
        Format::PlantUml,
        "@startuml\nactor \"The User\"\nparticipant \"Web Server\" as web\nalt ok\n\"The User\" -> web: a\nelse not ok\nweb <- \"The User\": b\nweb -> web: think\nweb -> \"The User\": c\nend\n@enduml\n",
        "@startuml\nactor \"The User\"\nparticipant \"Web Server\" as web\nalt ok\n\"The User\" -> web: [yes]\n\"The User\" -> web: a\nelse not ok\n\"The User\" -> web: [no]\nweb <- \"The User\": b\nweb -> web: think\nweb -> \"The User\": c\nend\n@enduml\n",
    );
}

#[test]
fn a_missing_end_is_added_where_arrows_are() {
    let written = amended(Format::PlantUml, "@startuml\nA -> B: x\nalt a\n  B -> A: y\nelse\n  B -> C: z\n@enduml\n");
    assert_eq!(
        written,
        "@startuml\nA -> B: x\nalt a\n  B -> A: [yes]\n  B -> C: [yes]\n  B -> A: y\nelse\n  B -> A: [no]\n  B -> C: [no]\n  B -> C: z\nend\n@enduml\n"
    );
}

#[test]
fn arrows_that_activate_are_undone() {
    let text = "@startuml\nautoactivate on\nA -> B: x\nalt a\nB -> C: y\nreturn z\nelse b\nend\nreturn w\n@enduml\n";
    let written = amended(Format::PlantUml, text);
    assert!(written.contains("B -> C: [yes]\ndeactivate C\nB -> C: y\nreturn z\n"), "{written}");
}

#[test]
fn several_statements_in_one_line_stay_in_it() {
    check(
        Format::Mermaid,
        "sequenceDiagram\nalt a; A->>B: x; else b; A->>C: y; end\n",
        "sequenceDiagram\nalt a; A->>B: [yes]; A->>C: [yes]; A->>B: x; else b; A->>B: [no]; A->>C: [no]; A->>C: y; end\n",
    );
}

#[test]
fn a_diagram_of_markdown_is_amended_in_its_place() {
    check(
        Format::Mermaid,
        "# Title\n\n```mermaid\nsequenceDiagram\n    opt a\n        A->>B: x\n    end\n```\n\nalt text\n",
        "# Title\n\n```mermaid\nsequenceDiagram\n    alt a\n        A->>B: [yes]\n        A->>B: x\n    else\n        A->>B: [no]\n    end\n```\n\nalt text\n",
    );
}

#[test]
fn a_drawing_is_drawn_again() {
    let choreography =
        laban::analyse("main { if p.e then p.x -> q; stop else p.x -> r; stop }").into_choreography().unwrap();
    let drawing = laban_formats::write_mermaid(&choreography).unwrap();
    let written = amended(Format::Mermaid, &drawing);
    assert!(written.contains(": [yes]") && written.contains("laban: choreography"), "{written}");
    assert_eq!(amended(Format::Mermaid, &written), written);
    let page = format!("# Page\n\n```mermaid\n{drawing}```\n\ntext\n");
    assert_eq!(amended(Format::Mermaid, &page), page.replace(&drawing, &written));
}

#[test]
fn a_drawing_of_several_diagrams_is_drawn_again() {
    let text = "def X { if p.e then p.x -> q; X else p.x -> r; stop } main { if p.f then X else q.y -> p; X }";
    let choreography = laban::analyse(text).into_choreography().unwrap();
    let drawing = laban_formats::write_plantuml(&choreography).unwrap();
    assert!(drawing.matches("@startuml").count() > 1, "{drawing}");
    let written = amended(Format::PlantUml, &drawing);
    assert!(written.contains("<U+005B>yes<U+005D>") && written.contains("laban: choreography"), "{written}");
    assert_eq!(amended(Format::PlantUml, &written), written);
    // In a comment, every line is part of the comment.
    let comment = |drawing: &str| -> String { drawing.lines().map(|line| format!(" * {line}\n")).collect() };
    let page = |drawing: &str| format!("/**\n{}\n */\nfunction f() {{}}\n", comment(drawing).trim_end_matches('\n'));
    assert_eq!(amended(Format::PlantUml, &page(&drawing)), page(&written));
    // What is between the diagrams would be lost.
    let apart = drawing.replace("@enduml\n\n", "@enduml\n\nSee below:\n\n");
    let source = Source::new("", &apart);
    let answer = amend_diagram(Format::PlantUml, &source, &ReadOptions::default(), &AmendOptions::default());
    let Err(NotAmended::Unsayable(diagnostic)) = answer else { panic!("{apart}") };
    assert!(diagnostic.message.starts_with("other text is between the diagrams"), "{diagnostic:?}");
}

#[test]
fn what_is_not_a_diagram_is_not_amended() {
    let amend = |format: Format, text: &str| {
        amend_diagram(format, &Source::new("", text), &ReadOptions::default(), &AmendOptions::default())
    };
    assert!(matches!(amend(Format::PlantUml, "@startuml\nclass A\n@enduml"), Err(NotAmended::Unread(_))));
    assert!(matches!(amend(Format::Kmc, "A: B!m; end B: A?m; end"), Err(NotAmended::Unread(_))));
    let text = "sequenceDiagram\n  A->>B: x\n";
    assert_eq!(amend(Format::Mermaid, text).unwrap().text, text);
}

/// A protocol without its selections.
fn without_selections(protocol: &Protocol) -> Protocol {
    let mut protocol = protocol.clone();
    for node in &mut protocol.nodes {
        if let GlobalStep::Message { message, next, .. } = &node.step
            && !message.label.is_empty()
        {
            node.step = GlobalStep::Goto(*next);
        }
    }
    protocol
}

fn printed(protocol: &Protocol) -> String {
    let mut report = Report::default();
    let choreography = lower_protocol(protocol, &mut report).unwrap_or_else(|| panic!("{report:?}"));
    let tree = read_off(&choreography);
    Pretty { tree: &tree, source: "" }.to_string()
}

/// What is the same in both texts: all lines but those that were added, and `opt`.
fn is_contained(before: &str, after: &str) -> bool {
    let mut lines = after.lines();
    before.lines().all(|line| lines.any(|other| other == line || other == line.replacen("opt", "alt", 1)))
}

#[test]
fn random_diagrams_say_everything_once_they_are_amended() {
    let (mut changed, mut arrows, mut compared, mut refused) = (0, 0, 0, 0);
    let total = long_cases(60, 120);
    for seed in 0..total {
        let mut rng = SeededRng::keyed([seed, 0xa3, 0, 0]);
        let format = if rng.below_u32(2) == 0 { Format::Mermaid } else { Format::PlantUml };
        let drawn = Drawn::random(&mut rng, format);
        let text = &drawn.text;
        let reading = read_text(format, text);
        let Some(choreography) = reading.choreography() else { continue };
        let View::Global(protocol) = &reading.view else { panic!("seed {seed}") };
        let limits = Limits::states(50_000);
        let options = AmendOptions { limits, labels: ["yes", "no"], ..AmendOptions::default() };
        let written = match amend_diagram(format, &Source::new("", text), &ReadOptions::default(), &options) {
            Ok(written) => written,
            Err(NotAmended::Unsayable(_)) if drawn.is_tangled => {
                refused += 1;
                continue;
            }
            Err(error) => panic!("seed {seed}: {error:?}\n{text}"),
        };
        assert!(is_contained(text, &written.text), "seed {seed}\n{text}\n{}", written.text);
        let again = read_text(format, &written.text);
        let read = again.choreography().unwrap_or_else(|| panic!("seed {seed}\n{}\n{:?}", written.text, again.report));
        assert!(laban::project(read, &ProjectOptions::default()).is_ok(), "seed {seed}\n{text}\n{}", written.text);
        let View::Global(with_selections) = &again.view else { panic!("seed {seed}") };
        let left = printed(&without_selections(with_selections));
        assert_eq!(left, printed(protocol), "seed {seed}\n{text}\n{}", written.text);
        changed += u64::from(!written.added.is_empty());
        arrows += written.added.len();
        if !drawn.has_many_branches && !drawn.is_tangled {
            let tree = laban::amend(&read_off_named(choreography), &options).unwrap().tree;
            let expected = lower(&tree).choreography.unwrap();
            let comparison = laban::equivalent(&expected, read, &EquivalenceOptions::default());
            assert!(
                matches!(comparison.answer, Equivalence::Same { .. } | Equivalence::Undecided { .. }),
                "seed {seed}\n{text}\n{}\n{:?}",
                written.text,
                comparison.answer
            );
            compared += u64::from(matches!(comparison.answer, Equivalence::Same { .. }));
        }
    }
    println!("{changed} changed, {arrows} arrows, {compared} compared, {refused} refused");
    assert!(changed > total / 3, "{changed}");
    assert!(arrows as u64 > total, "{arrows}");
    assert!(compared > total / 4, "{compared}");
    assert!(refused <= total / 50, "{refused}");
}

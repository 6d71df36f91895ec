//! What is read of PlantUML: each way to write something, and each trap.

use crate::read_text;
use laban::{NotProjected, Pretty, ProjectOptions};
use laban_formats::protocol::{GlobalStep, Protocol};
use laban_formats::{Format, ReadOptions, Source, View, detect, explain_untold, read_with};

/// The lines of a diagram, in its frame.
fn framed(lines: &str) -> String {
    format!("@startuml\n{lines}\n@enduml\n")
}

fn protocol(lines: &str) -> Protocol {
    let reading = read_text(Format::PlantUml, &framed(lines));
    assert!(reading.model.is_some(), "{lines}\n{:?}", reading.report);
    match reading.view {
        View::Global(protocol) => protocol,
        View::Local(_) => panic!("{lines}"),
    }
}

/// The messages of a diagram that decides nothing.
fn messages(lines: &str) -> Vec<String> {
    let protocol = protocol(lines);
    let mut found = Vec::new();
    let mut at = protocol.starts[0];
    loop {
        match &protocol.nodes[at].step {
            GlobalStep::End => return found,
            GlobalStep::Goto(next) => at = *next,
            GlobalStep::Message { from, to, message, next } => {
                let text =
                    message.payload.as_ref().map_or(message.label.as_str(), |payload| payload.text.trim_matches('"'));
                let (from, to) = (&protocol.roles[*from].text, &protocol.roles[*to].text);
                found.push(format!("{from}>{to} {text}").trim_end().to_string());
                at = *next;
            }
            other => panic!("{other:?}"),
        }
    }
}

#[track_caller]
fn check(lines: &str, expected: &[&str]) {
    assert_eq!(messages(lines), expected, "{lines}");
}

/// The choreography of a diagram, as text.
fn choreography(lines: &str) -> String {
    let reading = read_text(Format::PlantUml, &framed(lines));
    let choreography = reading.choreography().unwrap_or_else(|| panic!("{lines}\n{:?}", reading.report));
    let tree = laban::choreography::read_off(choreography);
    Pretty { tree: &tree, source: "" }.to_string()
}

/// What is said against a diagram, and where.
fn refusal(text: &str) -> (String, String) {
    let reading = read_text(Format::PlantUml, text);
    assert!(reading.model.is_none(), "{text}");
    let first = reading.report.diagnostics.iter().find(|diagnostic| diagnostic.is_error()).unwrap();
    (first.message.clone(), first.primary.span.text(text).to_string())
}

#[test]
fn every_arrow_is_one_message() {
    for arrow in
        ["->", "-->", "->>", "-->>", "-\\", "-\\\\", "-/", "-//", "--//", "->o", "-\\\\o", "->x", "-x", "-[#red]>"]
    {
        check(&format!("A {arrow} B: m"), &["A>B m"]);
    }
    for arrow in ["-[#red]->", "[#red]->", "-[#red,dashed]>>", "-[bold]>", "-[dotted]>", "-[#0000FF]->", "x->", "o->"] {
        check(&format!("A {arrow} B : m"), &["A>B m"]);
    }
    for arrow in [
        "<-",
        "<--",
        "<<-",
        "<<--",
        "\\-",
        "/-",
        "\\\\--",
        "//--",
        "o<-",
        "x<-",
        "x-",
        "o\\--",
        "<<[#red]-",
        "<-[#red]-",
    ] {
        check(&format!("A {arrow} B: m"), &["B>A m"]);
    }
    for arrow in ["/->", "\\->", "/-/"] {
        check(&format!("A {arrow} B: m"), &["A>B m"]);
    }
    for arrow in ["<->", "<-->", "<<->>", "<->o", "o<->o"] {
        check(&format!("A {arrow} B: m"), &["A>B m", "B>A m"]);
    }
    check("A->B:m\nA-->B\nA -> B :\nA -[hidden]> B: n", &["A>B m", "A>B", "A>B"]);
    check("& A -> B: m\n{start} A -> B: n\n{start} <-> {end} : long\nA ->(10) B: o", &["A>B m", "A>B n", "A>B o"]);
}

#[test]
fn a_cross_belongs_to_the_arrow_only_if_it_is_apart_from_the_name() {
    check("A ->x B: m\nA -> xB: n\nA ->xB: o\nAx->B: p", &["A>B m", "A>xB n", "A>xB o", "Ax>B p"]);
}

#[test]
fn a_cross_without_a_name_behind_it_is_a_name() {
    check("A ->x: m\nA --> o : n\nA ->x ++: p\nx ->A", &["A>x m", "A>o n", "A>x p", "x>A"]);
}

#[test]
fn a_title_is_one_whatever_it_looks_like() {
    check("title x-y\nheader A -> B: m\nfooter a->b\nA -> B: n", &["A>B n"]);
}

#[test]
fn a_word_that_is_defined_stands_for_something_else() {
    check(
        "!define P participant\n!define ok [yes]\n!define F(x) y\nP A\nA -> B: ok\nA -> B: not_ok\nB -> A: é ok!",
        &["A>B yes", "A>B not_ok", "B>A é [yes]!"],
    );
}

#[test]
fn somebody_outside_takes_part() {
    check(
        "[-> A: a\nA ->] : b\n[<- A: c\n?-> A: d\nA ->? : e\n-> A: f\nA -> : g\n[o-> A: h\nA ->x]: i",
        &[
            "outside>A a",
            "A>outside b",
            "A>outside c",
            "outside>A d",
            "A>outside e",
            "outside>A f",
            "A>outside g",
            "outside>A h",
            "A>outside i",
        ],
    );
}

#[test]
fn names_and_what_is_shown_for_them() {
    check(
        "participant \"Long name\" as X\nparticipant Y as \"Other name\"\nactor A as B\ndatabase \"D d\"\nX -> Y: 1\n\"Long name\" -> Y: 2\n\"Other name\" -> B: 3\nB -> \"D d\": 4\n\"New one\" as N -> X: 5\nN -> M as \"Mm\": 6",
        &["X>Y 1", "X>Y 2", "Y>B 3", "B>D d 4", "N>X 5", "N>M 6"],
    );
    check("participant Same as a\nparticipant Same as b\na -> b: 1\nSame -> a: 2", &["a>b 1", "Same>a 2"]);
    check(
        "participant \"x\" as y << (C,#ADD1B2) class >>\nqueue q order 10 #red\ncollections c <<s>> #99FF99\nentity e [[http://a.b]]\ncontrol f [\n=Title\nA -> B\n]\ncreate control g\ncreate h\ny -> q: 1\nq -> g: 2\ng -> h: 3",
        &["y>q 1", "q>g 2", "g>h 3"],
    );
    check("é.ü@1 -> 用户: m", &["é.ü@1>用户 m"]);
    check("A -> B: <U+005B>a<U+003A>b<U+zz><U+5D", &["A>B [a:b<U+zz><U+5D"]);
}

#[test]
fn keywords_can_be_names_and_words_of_a_text() {
    check(
        "Note -> Group: alt A -> B\nLoop <- Control: end\nend -> alt: x\nalt -> else: note over A\nparticipant -> actor: a: b; c # d <size:16>",
        &[
            "Note>Group alt A -> B",
            "Control>Loop end",
            "end>alt x",
            "alt>else note over A",
            "participant>actor a: b; c # d <size:16>",
        ],
    );
    let printed = choreography("alt A -> B works\nA -> B: x\nelse B --> A: y\nA -> B: z\nend");
    assert!(printed.contains("if A.\"A -> B works\" then"), "{printed}");
}

#[test]
fn lines_that_only_show_something_are_left_out() {
    check(
        "!pragma teoz true\n!theme plain\nskinparam x {\n a b\n c {\n d e\n }\n}\nskinparam monochrome true\n<style>\nA -> B\n</style>\nhide footbox\ntitle A -> B\nheader\nA -> B\nend header\nleft footer x\nlegend right\nA -> B: x\nendlegend\nsprite $s [16x16/16] {\n000\n}\nautonumber 10 5\nbox \"b\" #LightBlue\nparticipant A\nend box\nbox\nparticipant B\nendbox\n== A -> B ==\nA -> B: 1\n...\n... A -> B ...\n...5 minutes...\n|||\n||45||\nnewpage x\nnote left: A -> B\nnote over A, B #red\nA -> B\nend note\nRnote over A: x\nhnote right of B\nx\nendhnote\n/ note over A : x\nnote across: y\nnote left of \"a:b\"\nA -> B\nend note\nactivate A #red\ndeactivate A\ndestroy B\nscale 2\nmainframe x\n",
        &["A>B 1"],
    );
}

#[test]
fn comments_and_continued_lines() {
    check(
        "' A -> B: 0\n/' A -> B: 0\nA -> B: 0\n'/\nA -> B: 1 \\\nand more\nA -> B /' why '/ : 2\n/' x '/ A -> B: 3\nnote over A: one\\\nA -> B: 0\nA -> B: 4",
        &["A>B 1 and more", "A>B 2", "A>B 3", "A>B 4"],
    );
    let (message, place) = refusal("@startuml\nA -> B\n/' never\nA -> B\n@enduml");
    assert_eq!((message.as_str(), place.as_str()), ("this comment is never closed", "/'"));
}

#[test]
fn a_return_answers_the_last_call() {
    check("A -> B ++: a\nB -> C ++ #gold: b\nreturn c\nreturn d", &["A>B a", "B>C b", "C>B c", "B>A d"]);
    check(
        "A -> B: a\nactivate B\nB -> C: b\nactivate C\nC --> B: c\ndeactivate C\nreturn d",
        &["A>B a", "B>C b", "C>B c", "B>A d"],
    );
    check(
        "autoactivate on\nA -> B: a\nB -> C: b\nC --> B: c\nB -> B: d\nreturn e\nreturn f",
        &["A>B a", "B>C b", "C>B c", "B>A f"],
    );
    check("A -> B: a\nreturn b", &["A>B a", "B>A b"]);
    check("A -> B ++: a\nB -> C --++: b\nreturn c", &["A>B a", "B>C b", "C>B c"]);
    check("A -> B: a\nactivate A\nA -> B: b\nreturn #red c", &["A>B a", "A>B b", "B>A c"]);
    assert_eq!(refusal(&framed("return x")).0, "`return` has no call to answer");
}

#[test]
fn fragments_have_colours_and_keywords_behind_their_ends() {
    let plain = choreography("alt yes\nA -> B: x\nelse no\nA -> B: y\nend");
    for lines in [
        "alt#Gold #Pink yes\nA -> B: x\nelse #red no\nA -> B: y\nend alt",
        "ALT yes\n  A -> B: x\nElse no\nA -> B: y\nEND",
        "group #LightGray yes\nA -> B: x\nelse #e6e632 no\nA -> B: y\nend group",
        "opt yes\nA -> B: x\nelse no\nA -> B: y\nend",
        "group outer\nalt yes\nA -> B: x\nalso no\nA -> B: y\nend\nend",
    ] {
        assert_eq!(choreography(lines), plain, "{lines}");
    }
    check("group all [secondary]\nA -> B: x\nend\npar2\nA -> B: y\nelse\nA -> C: z\nend", &["A>B x", "A>B y", "A>C z"]);
    check("critical\nA -> B: x\nend", &["A>B x"]);
}

#[test]
fn a_missing_end_is_at_the_end() {
    let lines = "A -> B: x\nalt a\nA -> B: y\nelse b\nloop c\nA -> C: z";
    assert_eq!(choreography(lines), choreography(&format!("{lines}\nend\nend")));
    let report = read_text(Format::PlantUml, &framed(lines)).report;
    assert_eq!(report.remarks.iter().filter(|remark| remark.text.starts_with("`end` is missing")).count(), 2);
    assert_eq!(refusal(&framed("A -> B\nend")).0, "`end` without a fragment");
    assert_eq!(refusal(&framed("A -> B\nelse")).0, "`else` without a fragment");
    let (message, place) = refusal(&framed("loop a\nA -> B\nelse b\nB -> A\nend"));
    assert_eq!(
        (message.as_str(), place.as_str()),
        ("`else` in a `loop` cannot be expressed as a choreography", "else b")
    );
}

#[test]
fn references_are_left_out_with_a_remark() {
    let lines = "ref over A, B : x -> y\nA -> B: m\nref over A\nfoo -> bar\nend ref\nref#red over B: z";
    check(lines, &["A>B m"]);
    let report = read_text(Format::PlantUml, &framed(lines)).report;
    assert!(report.remarks.iter().any(|remark| remark.text.contains("incomplete")), "{report:?}");
}

#[test]
fn variables_are_replaced_and_conditions_on_them_decided() {
    check(
        "!$who = \"Bob\"\n!$simple = true\n!local $n = 3\nA -> $who: m$n $other\n!if ($simple != true)\nA -> B: no\n!elseif $simple == true && $n == 3\nA -> B: yes\n!else\nA -> B: no\n!endif\n!ifdef X\nA -> C: no\n!endif\n!ifndef X\nA -> C: yes\n!endif",
        &["A>Bob m3 $other", "A>B yes", "A>C yes"],
    );
    let lines = "!if %foo()\nA -> B: one\n!if (0)\nA -> B: two\n!endif\n!else\nA -> B: three\n!endif";
    check(lines, &["A>B one"]);
    let report = read_text(Format::PlantUml, &framed(lines)).report;
    assert!(report.remarks[0].text.starts_with("this condition is not computed"), "{report:?}");
}

#[test]
fn what_is_not_run_is_refused_by_name() {
    for (line, name) in [
        ("!procedure $p($x)\nA -> B: $x\n!endprocedure", "!procedure"),
        ("!unquoted procedure P($x)\nA -> B: $x\n!endprocedure", "!unquoted"),
        ("!function $f($x) return $x", "!function"),
        ("!definelong X\nA -> B\n!enddefinelong", "!definelong"),
        ("!while $i < 3\nA -> B\n!endwhile", "!while"),
        ("!foreach $x in $y\nA -> B\n!endfor", "!foreach"),
    ] {
        let (message, place) = refusal(&framed(&format!("{line}\nA -> B: m")));
        assert_eq!(message, format!("`{name}` in a sequence diagram is not supported"));
        assert_eq!(place, line.lines().next().unwrap());
    }
    for include in ["!include <tupadr3/common>", "!include style.puml", "!includeurl http://a.b/c", "!includesub a!B"] {
        check(&format!("{include}\nA -> B: m"), &["A>B m"]);
    }
}

#[test]
fn other_diagrams_are_refused_by_what_they_look_like() {
    for (lines, kind, place) in [
        ("class A\nA --> B", "a class diagram", "class A"),
        ("A -> B\nA --|> B", "a class diagram or one of components", "A --|> B"),
        ("A -down-> B", "a class diagram or one of components", "A -down-> B"),
        ("A ..> B", "a class diagram or one of components", "A ..> B"),
        ("interface X {\n a()\n}", "a class diagram", "interface X {"),
        ("[*] --> A", "a state diagram", "[*] --> A"),
        ("A -[*]-> B", "a state diagram", "A -[*]-> B"),
        ("state X", "a state diagram", "state X"),
        ("start\n:do it;\nstop", "an activity diagram", "start"),
        (":do it;", "an activity diagram", ":do it;"),
        ("component C\nC -> D", "a component diagram", "component C"),
        ("[web] --> [db]", "a component diagram", "[web] --> [db]"),
        ("package p {\n}", "a component diagram", "package p {"),
        ("actor A\nA --> (log in)", "a use case diagram", "A --> (log in)"),
        ("(log in)", "a use case diagram", "(log in)"),
        ("usecase U", "a use case diagram", "usecase U"),
        ("note \"x\" as N\nobject O", "an object diagram", "object O"),
    ] {
        let (message, found) = refusal(&framed(lines));
        assert_eq!((message, found.as_str()), (format!("this is {kind}, not a sequence diagram"), place), "{lines}");
    }
    let (message, place) = refusal("@startmindmap\n* a\n@endmindmap\n");
    assert_eq!((message.as_str(), place.as_str()), ("this is a mind map, not a sequence diagram", "@startmindmap"));
    assert_eq!(refusal(&framed("A -> B\nwhat is this")).0, "`what is this` is not a line of a sequence diagram");
    assert_eq!(refusal(&framed("note over A\nA -> B")).0, "this note is never closed");
}

#[test]
fn of_several_diagrams_one_is_chosen() {
    let text = "text\n@startuml first\nA -> B: one\n@enduml\n@startuml\ntitle The second\nA -> B: two\n@enduml\n@startuml\nclass C\n@enduml\n";
    let chosen = |text: &str, protocol: Option<&str>| {
        let options = ReadOptions { protocol, ..ReadOptions::default() };
        let reading = read_with(Format::PlantUml, &[Source::new("", text)], &options);
        match (&reading.view, reading.model.is_some()) {
            (View::Global(protocol), true) => match &protocol.nodes[protocol.starts[0]].step {
                GlobalStep::Message { message, .. } => message.payload.as_ref().unwrap().text.clone(),
                step => panic!("{step:?}"),
            },
            _ => reading.report.diagnostics[0].message.clone(),
        }
    };
    assert_eq!(chosen(text, Some("first")), "one");
    assert_eq!(chosen(text, Some("The second")), "two");
    assert_eq!(chosen(text, Some("2")), "two");
    assert_eq!(chosen(text, None), "there are 2 diagrams in this text: which one?");
    assert_eq!(chosen(text, Some("third")), "there is no diagram `third` in this text");
    // Of one sequence diagram and others, it is clear which one is meant.
    let only = &text[text.find("@startuml\ntitle").unwrap()..];
    assert_eq!(chosen(only, None), "two");
    assert_eq!(chosen("A -> B: bare", None), "bare");
    assert_eq!(chosen("/*\n * @startuml\n * A -> B: inside\n * @enduml\n */", None), "inside");
    assert_eq!(chosen("@startuml\nA -> B: unfinished", None), "unfinished");
}

#[test]
fn diagrams_are_recognised() {
    for text in ["@startuml\n@enduml", "some text\n  @startuml x\n", " * @startuml(id=a)\n"] {
        assert_eq!(detect("", text), Some(Format::PlantUml), "{text}");
    }
    assert_eq!(detect("a.puml", "A -> B"), Some(Format::PlantUml));
    assert_eq!(detect("", "@startumlx"), None);
}

#[test]
fn who_is_not_told_is_said_in_the_words_of_the_diagram() {
    let untold = |text: &str| {
        let source = Source::new("", text);
        let reading = read_text(Format::PlantUml, text);
        let choreography = reading.choreography().unwrap();
        let Err(NotProjected::Unprojectable(reasons)) = laban::project(choreography, &ProjectOptions::default()) else {
            panic!("{text}");
        };
        let found = explain_untold(Format::PlantUml, &source, &ReadOptions::default(), choreography, &reasons);
        assert!(found.iter().all(|one| one.message.ends_with(", but must act on it")), "{found:?}");
        let lines = found.iter().map(|one| (one.primary.span.text(text).to_string(), one.hints[0].clone()));
        lines.collect::<Vec<_>>()
    };
    let text = framed("A -> B: x\nalt fine\nA -> B: go\nB -> A: a\nelse\nA -> B: stop\nend");
    assert_eq!(untold(&text), [(
        "alt fine".to_string(),
        "the first messages of the branches could tell `B` which one it is: with their texts in brackets, as in `A -> B: [go]`, they are selections".to_string()
    )]);
    let text = framed("opt fine\nA -> B: go\nB -> C: go\nend");
    let hint = "at the beginning of the branch and in an `else`";
    assert_eq!(
        untold(&text),
        [
            ("opt fine".to_string(), format!("let `A` tell `B`, {hint}: `A -> B: [yes]` and `A -> B: [no]`")),
            ("opt fine".to_string(), format!("let `A` tell `C`, {hint}: `A -> C: [yes]` and `A -> C: [no]`")),
        ]
    );
    let text = framed("loop\nA -> \"B b\": go\nend");
    assert_eq!(
        untold(&text)[0].1,
        "let `A` tell `B_b`, at the beginning of the `loop` and right after it: `A -> \"B b\": [yes]` and `A -> \"B b\": [no]`"
    );
}

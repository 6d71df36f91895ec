//! What sequence diagrams mean: rule by rule, and who decides.

use laban::choreography::{ProjectOptions, project, read_off};
use laban_formats::{Format, ReadOptions, Reading, Source, explain_untold, read_with};

/// A diagram in Mermaid with these lines.
fn mermaid(lines: &str) -> Reading {
    with_options(lines, &ReadOptions::default())
}

fn with_options(lines: &str, options: &ReadOptions<'_>) -> Reading {
    let text = format!("sequenceDiagram\n{}", lines.replace("; ", "\n"));
    read_with(Format::Mermaid, &[Source::new("", &text)], options)
}

fn plantuml(lines: &str) -> Reading {
    let text = format!("@startuml\n{}\n@enduml", lines.replace("; ", "\n"));
    read_with(Format::PlantUml, &[Source::new("", &text)], &ReadOptions::default())
}

/// The choreography on one line.
fn printed(reading: &Reading) -> String {
    let choreography = reading.choreography().unwrap_or_else(|| panic!("{:?}", reading.report));
    laban::Compact(&read_off(choreography)).to_string()
}

fn means(lines: &str, expected: &str) {
    assert_eq!(printed(&mermaid(lines)), expected, "{lines}");
}

/// What there is to say about a diagram, all in one.
fn remarks(reading: &Reading) -> String {
    assert!(reading.model.is_some(), "{:?}", reading.report);
    reading.report.remarks.iter().map(|remark| format!("{}\n", remark.text)).collect()
}

fn mistake(reading: &Reading) -> String {
    assert!(reading.model.is_none());
    let first = &reading.report.diagnostics[0];
    format!("{} ({})", first.message, first.hints.join("; "))
}

#[test]
fn participants_are_processes_under_the_names_that_messages_use() {
    let reading =
        mermaid("participant W as The web shop; participant stop; User agent->>W: hi; W->>stop: x; stop->>a.b: y");
    assert_eq!(printed(&reading), "main { User_agent.hi -> W; W.x -> stop_; stop_.y -> a_b; stop }");
    let renamed: Vec<(&str, &str)> =
        reading.report.renamed.iter().map(|one| (one.original.as_str(), one.name.as_str())).collect();
    let expected = [("The web shop", "W"), ("stop", "stop_"), ("User agent", "User_agent"), ("a.b", "a_b")];
    assert_eq!(renamed, expected);
}

#[test]
fn a_hash_in_a_declared_name_is_part_of_it_and_an_arrowhead_is_not() {
    means("participant C#;participant D # or E; C#->>D: [ok] # fine; D->>C#: x", "main { C -> D[ok]; D.x -> C; stop }");
    for lines in ["A<->B: x", "A<-->B: x", "A->>>B: x"] {
        let mistake = mistake(&mermaid(lines));
        assert!(mistake.contains("cannot be the name of a participant") && mistake.contains("A<<->>B"), "{mistake}");
    }
}

#[test]
fn names_that_would_be_the_same_stay_apart() {
    means("A b->>A_b: x; A-b->>A b: y", "main { A_b_2.x -> A_b; A_b_3.y -> A_b_2; stop }");
}

#[test]
fn messages_are_values_and_texts_in_brackets_are_selections() {
    means(
        "A->>B: title; B-->>A: the price: 3 \"EUR\"; A-)B: [ok]; A->>B: [not ok]; A->>B:; B-->>A: 12",
        "main { A.title -> B; B.\"the price: 3 'EUR'\" -> A; A -> B[ok]; A -> B[not_ok]; A.0 -> B; B.12 -> A; stop }",
    );
    assert!(remarks(&mermaid("A-xB: gone; B--xA: gone, too")).contains("2 arrows may mean lost messages"));
}

#[test]
fn arrows_both_ways_are_two_messages_and_those_to_the_left_go_there() {
    means("A<<->>B: x; A//--B: y", "main { A.x -> B; B.x -> A; B.y -> A; stop }");
}

#[test]
fn messages_to_oneself_and_what_is_only_drawn_are_left_out() {
    let reading = mermaid(
        "autonumber; title T; box B; participant A; end; A->>A: x; Note over A: n; note left of A; some text; end note; activate A; A->>+B: y; deactivate A; \
         rect rgb(1,2,3); B->>B: z; end; create participant C; B->>C: w; destroy C; C-xB: v; link A: L @ https://x",
    );
    assert_eq!(printed(&reading), "main { A.y -> B; B.w -> C; C.v -> B; stop }");
    assert!(remarks(&reading).contains("2 messages to oneself are left out"));
}

#[test]
fn outside_is_a_process_and_references_are_left_out() {
    let reading = plantuml("[-> A : start; A -> outside : x; ref over A, outside : elsewhere; A ->] : done");
    assert_eq!(printed(&reading), "main { outside_.start -> A; A.x -> outside; A.done -> outside_; stop }");
    let remarks = remarks(&reading);
    assert!(remarks.contains("somebody outside of the diagram takes part here, as `outside_`"), "{remarks}");
    assert!(remarks.contains("the choreography is incomplete"), "{remarks}");
}

#[test]
fn the_sender_of_every_first_message_decides() {
    means(
        "A->>B: x; alt fine; A->>C: yes; else not fine; A->>A: hm; A->>B: no; end; B->>C: y",
        "main { A.x -> B; if A.fine then A.yes -> C; B.y -> C; stop else A.no -> B; B.y -> C; stop }",
    );
    means(
        "alt one; A->>B: 1; else two; A->>B: 2; else three; A->>B: 3; end",
        "main { if A.one then A.1 -> B; stop else if A.two then A.2 -> B; stop else A.3 -> B; stop }",
    );
    // A branch in which nothing is sent does not count.
    means("alt a; A->>B: x; else b; B->>B: y; end", "main { if A.a then A.x -> B; stop else stop }");
}

#[test]
fn otherwise_the_receiver_of_the_last_message_decides_if_it_begins_a_branch() {
    let reading = mermaid("A->>B: x; alt mine; B->>C: y; else yours; A->>C: z; end");
    assert_eq!(printed(&reading), "main { A.x -> B; if B.mine then B.y -> C; stop else A.z -> C; stop }");
    assert!(remarks(&reading).contains("it is assumed that `B` decides, who was told something just before"));
    // What comes before in another branch does not count.
    let nested = "A->>B: x; alt one; B->>A: y; else two; alt a; B->>C: z; else b; A->>C: w; end; end";
    assert!(printed(&mermaid(nested)).contains("if B.a then"));
}

#[test]
fn where_that_does_not_tell_somebody_has_to() {
    let lines = "A->>C: x; alt one; A->>B: y; else two; B->>A: z; end";
    assert_eq!(
        mistake(&mermaid(lines)),
        "it is not clear who decides in this `alt` (say who decides here with `--decides 3=A`, or `--decides NAME` for all \
         such places; it could be `A` or `B`)"
    );
    let decided =
        |deciders: &[(Option<u32>, &str)]| with_options(lines, &ReadOptions { deciders, ..ReadOptions::default() });
    assert!(printed(&decided(&[(None, "B")])).contains("if B.one then A.y -> B"));
    assert!(printed(&decided(&[(Some(3), "C"), (None, "B")])).contains("if C.one then A.y -> B"));
    assert_eq!(
        mistake(&decided(&[(Some(3), "A"), (Some(4), "A")])),
        "nobody decides anything in line 4 (there are decisions in these lines: 3)"
    );
    assert_eq!(
        mistake(&decided(&[(None, "a")])),
        "`a` does not take part in this diagram and cannot decide (did you mean `A`?)"
    );
}

#[test]
fn a_line_may_say_who_decides_where_the_rules_would_say_somebody_else() {
    let lines = "loop; A->>B: x; opt o; B->>A: y; end; end";
    let options = ReadOptions { deciders: &[(Some(2), "B"), (Some(4), "A")], ..ReadOptions::default() };
    let printed = printed(&with_options(lines, &options));
    assert_eq!(printed, "def X { if B.again then A.x -> B; if A.o then B.y -> A; X else X else stop } main { X }");
}

#[test]
fn a_single_branch_happens_or_does_not() {
    means("opt a; A->>B: x; end; B->>A: y", "main { if A.a then A.x -> B; B.y -> A; stop else B.y -> A; stop }");
    means("alt a; A->>B: x; end", "main { if A.a then A.x -> B; stop else stop }");
    means("opt; A->>B: x; end", "main { choose A { A.x -> B; stop, stop } }");
}

#[test]
fn branches_without_any_guard_are_a_choice_and_a_missing_guard_is_made_up() {
    means("alt; A->>B: x; else; A->>B: y; end", "main { choose A { A.x -> B; stop, A.y -> B; stop } }");
    means(
        "alt; A->>B: x; else b; A->>B: y; else; A->>B: z; end",
        "main { if A.branch_1 then A.x -> B; stop else if A.b then A.y -> B; stop else A.z -> B; stop }",
    );
}

#[test]
fn the_first_sender_in_a_loop_decides_how_often_it_is_repeated() {
    let reading = mermaid("loop every day; A->>B: x; B->>A: y; end; B->>C: z");
    let expected = "def X { if A.\"every day\" then A.x -> B; B.y -> A; X else B.z -> C; stop } main { X }";
    assert_eq!(printed(&reading), expected);
    assert!(remarks(&reading).contains("the diagram does not say who decides whether to repeat this: assuming `A`"));
    assert_eq!(remarks(&mermaid("loop until A has enough; A->>B: x; end")), "");
    means("loop until done; A->>B: x; end", "def X { if A.\"not yet: done\" then A.x -> B; X else stop } main { X }");
    means(
        "loop; loop; A->>B: x; end; end; A->>B: y",
        "def X1 { if A.again then X2 else A.y -> B; stop } def X2 { if A.again then A.x -> B; X2 else X1 } main { X1 }",
    );
}

#[test]
fn a_break_skips_the_rest_of_the_fragment_around() {
    means(
        "A->>B: x; break late; B->>A: no; end; B->>A: y",
        "main { A.x -> B; if B.late then B.no -> A; stop else B.y -> A; stop }",
    );
    means(
        "loop l; A->>B: x; break late; B->>A: no; end; B->>A: y; end; A->>B: z",
        "def X { if A.l then A.x -> B; if B.late then B.no -> A; A.z -> B; stop else B.y -> A; X else A.z -> B; stop } main { X }",
    );
    // A box is only drawn.
    means(
        "alt a; rect red; break b; A->>B: 1; end; A->>B: 2; end; A->>B: 3; end; A->>B: 4",
        "main { if A.a then if A.b then A.1 -> B; A.4 -> B; stop else A.2 -> B; A.3 -> B; A.4 -> B; stop else A.4 -> B; stop }",
    );
}

#[test]
fn what_is_side_by_side_is_taken_in_the_order_of_the_text() {
    let reading = mermaid("par one; A->>B: x; and two; C->>D: y; and; B->>C: z; end; A->>D: w");
    assert_eq!(printed(&reading), "main { A.x -> B; C.y -> D; B.z -> C; A.w -> D; stop }");
    assert!(remarks(&reading).contains("are taken one after the other"));
}

#[test]
fn critical_regions_and_groups_are_their_bodies_and_options_are_decided() {
    means("critical c; A->>B: x; end; rect red; B->>A: y; end", "main { A.x -> B; B.y -> A; stop }");
    means(
        "critical c; A->>B: x; option timeout; A->>C: y; end; A->>B: z",
        "main { if A.c then A.x -> B; A.z -> B; stop else A.y -> C; A.z -> B; stop }",
    );
    let group = plantuml("group g; A -> B : x; end");
    assert_eq!(printed(&group), "main { A.x -> B; stop }");
}

#[test]
fn fragments_in_which_nobody_sends_anything_are_left_out() {
    let reading = mermaid("loop; Note over A: n; end; alt a; A->>A: x; else b; opt c; B->>B: y; end; end; A->>B: z");
    assert_eq!(printed(&reading), "main { A.z -> B; stop }");
    assert!(remarks(&reading).contains("2 fragments in which no message goes to anybody else"));
    assert!(mistake(&mermaid("A->>A: x; Note over A: n")).starts_with("nobody in this diagram sends a message"));
}

#[test]
fn first_messages_that_tell_are_offered_as_selections() {
    let offered = |lines: &str| remarks(&mermaid(lines)).contains("to make it a selection");
    assert!(offered("alt a; A->>B: yes; else b; A->>B: no; end"));
    assert!(!offered("alt a; A->>B: yes; else b; A->>B: yes; end"));
    assert!(!offered("alt a; A->>B: yes; else b; A->>C: no; end"));
    assert!(!offered("alt a; A->>B: [yes]; else b; A->>B: [no]; end"));
    assert!(!offered("opt a; A->>B: yes; end"));
}

#[test]
fn what_diagrams_forgot_to_say_is_added() {
    let reading = mermaid("alt fine; A->>B: x; B->>C: y; else not fine; A->>B: z; end; C->>A: w");
    let choreography = reading.choreography().unwrap();
    assert!(project(choreography, &Default::default()).is_err());
    let amended = laban::amend(&read_off(choreography), &Default::default()).unwrap();
    assert!(!amended.added.is_empty());
    let amended = laban::choreography::lower(&amended.tree).choreography.unwrap();
    assert!(project(&amended, &Default::default()).is_ok());
}

#[test]
fn words_of_the_language_can_be_names_and_texts() {
    means(
        "Loop->>Note: end of note over A: x; Note->>Loop: alt; End user ->> Loop: loop -> else; Loop->>End user: a;b;",
        "main { Loop.\"end of note over A: x\" -> Note; Note.alt -> Loop; End_user.\"loop -> else\" -> Loop; \
         Loop.\"a;b\" -> End_user; stop }",
    );
}

#[test]
fn one_of_several_diagrams_is_read() {
    let page = "```mermaid\nsequenceDiagram\ntitle One\nA->>B: x\n```\n\n~~~mermaid\nsequenceDiagram\nwhat is this?\n~~~\n\
                ```mermaid\n---\ntitle: Three\n---\nsequenceDiagram\nA->>B: z\n```\n";
    let read = |protocol| {
        let options = ReadOptions { protocol, ..ReadOptions::default() };
        read_with(Format::Mermaid, &[Source::new("page.md", page)], &options)
    };
    assert_eq!(printed(&read(Some("1"))), "main { A.x -> B; stop }");
    assert_eq!(printed(&read(Some("Three"))), "main { A.z -> B; stop }");
    assert!(mistake(&read(Some("2"))).starts_with("`what is this?` is not a line"));
    assert_eq!(
        mistake(&read(None)),
        "there are 3 diagrams in this text: which one? (name one of them, or give its number: 1 (`One`), 2, 3 (`Three`))"
    );
    assert!(mistake(&read(Some("Two"))).starts_with("there is no diagram `Two` in this text"));
}

/// It is told, by different senders: a program could wait for whichever comes first.
#[test]
fn who_hears_from_different_senders_is_said_to_do_so() {
    let notes = |lines: &str| {
        let text = format!("sequenceDiagram\n{}", lines.replace("; ", "\n"));
        let reading = mermaid(lines);
        let choreography = reading.choreography().expect("it is read");
        let refused = project(choreography, &ProjectOptions::default()).expect_err("somebody is not told");
        let options = ReadOptions::default();
        let source = Source::new("", &text);
        let found = explain_untold(Format::Mermaid, &source, &options, choreography, refused.reasons());
        found.iter().flat_map(|one| &one.notes).map(|note| format!("{note:?}")).collect::<Vec<String>>().join("\n")
    };
    let both = "S->>W: [done]; else b; P->>O: [no]; O->>S: [stop]; O->>W: [error]; end";
    let told = notes(&format!("alt a; P->>O: [ok]; O->>S: [ship]; {both}"));
    assert!(told.contains("`W` hears from `S` in one case and from `O` in the other"), "{told}");
    assert!(!notes("alt a; P->>O: x; O->>W: y; else b; P->>O: z; end").contains("hears from"));
}

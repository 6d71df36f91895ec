//! Formats are recognised by what is in a file, and by its name.

use laban_formats::{Format, detect};

fn check(name: &str, text: &str, expected: Option<Format>) {
    assert_eq!(detect(name, text), expected, "{name}: {text}");
}

#[test]
fn machines_are_recognised_behind_comments() {
    check("a.txt", "-- one\n/* two */\n.outputs\n", Some(Format::Fsa));
    check("a.fsa", "", Some(Format::Fsa));
    check("a.txt", "outputs", None);
}

#[test]
fn local_types_are_recognised_by_their_first_process() {
    check("", "A: rec x . B!m; x", Some(Format::Kmc));
    check("", "SO : {K?r1; end, K!s; end}", Some(Format::Kmc));
    check("", "A: end", Some(Format::Kmc));
    check("", "A: something else", None);
    check("", "A: rec, x", None);
}

#[test]
fn binary_types_are_recognised() {
    for text in ["rec X . !a ; ?b ; X", "!a1; end", "&[?b; end, ?c; end]", "[ ?a; end ]", "+{!a; end}", "end"] {
        check("", text, Some(Format::SubtypingPair));
    }
    for text in ["", "rec", "!", "!a", "[1, 2]", "{\"a\": 1}", "ending"] {
        check("", text, None);
    }
}

#[test]
fn graphs_are_recognised_by_their_labels() {
    check("a.dot", "digraph A {\n  0 -> 1 [label=\"B!hello(int)\", ];\n}", Some(Format::Dot));
    check("", "// c\ndigraph \"G\" { \"1\" -> \"2\" [ label=\"B?m()\" ]; }", Some(Format::Dot));
    check("a.dot", "digraph A { s0 -> 0; 0 -> 1 [label=\"A->B:m\"]; }", Some(Format::ChoreographyAutomaton));
    check("", "strict digraph { 0 -> 1 [shape=none label = \"A -> B : m\"] }", Some(Format::ChoreographyAutomaton));
    check("a.dot", "graph A { 0 -- 1 }", None);
}

/// What is wrong with them is said about a graph, and not about a network.
#[test]
fn other_graphs_are_taken_for_local_automata() {
    check("a.dot", "digraph A { 0 -> 1 [label=\"hello\"] }", Some(Format::Dot));
    check("", "digraph A { 0 -> 1; }", Some(Format::Dot));
    check("", "strict digraph \"A B\" { subgraph c { 0 } }", Some(Format::Dot));
    check("", "digraph { main { stop } }", None);
}

#[test]
fn sequence_diagrams_are_recognised_alone_and_in_pages() {
    check("", "sequenceDiagram\n  A->>B: hello", Some(Format::Mermaid));
    check("a.txt", "---\ntitle: x\n---\n%%{init: {}}%%\n%% c\n\nSequenceDiagram", Some(Format::Mermaid));
    check("a.md", "# Page\n\n```mermaid\nsequenceDiagram\nA->>B: x\n```\n", Some(Format::Mermaid));
    check("a.md", "# Page\n\n```mermaid\nflowchart TD\n```\n", None);
    check("a.mmd", "flowchart TD", Some(Format::Mermaid));
}

#[test]
fn contexts_are_recognised() {
    check("", "# c\ns[p]: q&m . end", Some(Format::MpstkContext));
    check("", "s [ p ] : end", Some(Format::MpstkContext));
    check("a.ctx", "q&m", Some(Format::MpstkContext));
    check("", "a[0] = 1", None);
}

#[test]
fn global_types_are_recognised() {
    for text in [
        "# c\np→q:m",
        "μ(t)(p→q:{a . t, b})",
        "rec(t) p -> q: m(Int) . t",
        "p -> q: m . end",
        "rec t. a -> b { x: t }",
        "a -> b: [int]; end",
    ] {
        check("", text, Some(Format::MpstkGlobal));
    }
    check("a.global", "t", Some(Format::MpstkGlobal));
}

#[test]
fn global_choreographies_are_recognised() {
    for text in [
        ".. c\nA -> B : m ; C -> D: m",
        "{* {A -> D : m ; A -> B : m} @ A} ; A -> D : m",
        "sel { A -> B: m + A -> B: n }",
        "repeat A { A -> B: m }",
        "A => B, C : m | D -> E: m",
        "[a comment] branch A { A -> B: m + A -> B: n }",
    ] {
        check("", text, Some(Format::Chorgram));
    }
    check("a.sgg", "A -> B: m", Some(Format::Chorgram));
    for text in ["A -> B: m", "A -> B: hello\nB -> A: bye\n", "sel { main { stop } }", "repeat {", "A => B", ""] {
        check("", text, None);
    }
}

#[test]
fn symbolic_protocols_are_recognised() {
    check("calculator", "// c\nInitial state: (0)\n(0) a->b:x{True} (1)", Some(Format::Sprout));
    check("", "Initial state is (0)", None);
}

#[test]
fn bpmn_is_recognised_by_its_namespace() {
    let namespace = "http://www.omg.org/spec/BPMN/20100524/MODEL";
    check("a.xml", &format!("<?xml version=\"1.0\"?>\n<x:definitions xmlns:x='{namespace}'>"), Some(Format::Bpmn));
    check("a.xml", &format!("\u{feff}<!-- c --><definitions xmlns=\"{namespace}\"/>"), Some(Format::Bpmn));
    check("a.bpmn", "", Some(Format::Bpmn));
    check("a.xml", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", None);
    check("a.md", &format!("see {namespace}"), None);
}

#[test]
fn the_languages_of_laban_and_others_are_not_taken_for_these() {
    for text in [
        "p { main { q!<x>; stop } } | q { main { p?; stop } }",
        "def X { p.x -> q; X } main { X }",
        "main { stop }",
        "service p { main { stop } }",
        "flowchart TD\n  A-->B",
        "# sequenceDiagram\n\nsequenceDiagrams are text",
        "module m",
        "global x = 1",
        "protocol = http",
        "#define N 3\nmtype = { a }",
        "<?xml version=\"1.0\"?>",
        "# A heading\n\ntext: more",
        "",
    ] {
        check("", text, None);
    }
}

#[test]
fn words_for_formats_lead_back() {
    for &format in Format::ALL {
        assert_eq!(Format::from_name(format.name()), Some(format));
        assert!(format.is_read() || format.is_written());
        assert!(!format.extensions().is_empty() && !format.description().is_empty());
    }
    assert_eq!(Format::from_name("nothing"), None);
}

#[test]
fn protocols_are_recognised_by_their_first_words() {
    for text in [
        "module a.b.C;",
        "// c\n/* d */ (* e *) (*# F #*) global protocol P(role A, role B) { }",
        "protocol P (role A, role B) { A -> B: m(); }",
        "global P(role A, role B) { }",
        "aux explicit global protocol P<sig M>(role A, role B) { }",
        "timed global protocol P(role A, role B) { }",
        "type <java> \"a\" from \"b\" as c; global protocol P(role A, role B) { }",
        "local protocol P at A (role B) { }",
    ] {
        check("", text, Some(Format::Scribble));
        check("a.txt", text, Some(Format::Scribble));
        check("a.nuscr", text, Some(Format::Nuscr));
    }
    check("a.scr", "", Some(Format::Scribble));
    check("a.nuscr", "what?", Some(Format::Nuscr));
}

#[test]
fn what_is_only_written_is_recognised_by_its_name() {
    check("a.pml", "proctype p() { skip }", Some(Format::Promela));
    check("a.aut", "des (0, 0, 1)", Some(Format::Aldebaran));
    let refused = laban_formats::read(Format::Promela, &[laban_formats::Source::new("", "mtype = { a }\n")]);
    let messages: Vec<&str> = refused.report.diagnostics.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(messages, ["`promela` files are only written, not read"]);
}

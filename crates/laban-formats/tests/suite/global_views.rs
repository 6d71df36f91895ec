//! What readers of global views are told, and what comes of them: who decides, which graph is meant, places for
//! amendments.

use laban::choreography::{AmendOptions, amend, read_off_named};
use laban::{Choreography, Compact};
use laban_formats::{Format, ReadOptions, Reading, Source, read_with};

fn printed(choreography: &Choreography) -> String {
    Compact(&read_off_named(choreography)).to_string()
}

fn read_told(format: Format, text: &str, options: &ReadOptions<'_>) -> Reading {
    read_with(format, &[Source { name: "", text, offset: 0 }], options)
}

#[test]
fn who_decides_can_be_told_where_the_text_does_not() {
    let text = "A -> B: m + B -> C: n\n;\n{ A -> B: m\n+ B -> C: k }";
    let told = |deciders: &[(Option<u32>, &str)]| {
        let options = ReadOptions { deciders, ..ReadOptions::default() };
        read_told(Format::Chorgram, text, &options)
    };
    assert_eq!(told(&[]).report.diagnostics.len(), 2);
    assert_eq!(told(&[(Some(1), "A")]).report.diagnostics.len(), 1);
    assert_eq!(
        printed(&told(&[(Some(4), "C"), (None, "B")]).into_choreography().unwrap()),
        "main { choose B { A -> B[m]; stop, B -> C[n]; choose C { A -> B[m]; stop, B -> C[k]; stop } } }"
    );
    assert_eq!(told(&[(None, "Z")]).report.diagnostics[0].message, "there is no role `Z` that could decide");
}

#[test]
fn one_of_several_graphs_can_be_meant() {
    let text = "digraph one { 0 -> 1 [label=\"A->B:a\"] } digraph two { 0 -> 1 [label=\"A->B:b\"] }";
    let told = |meant| {
        let options = ReadOptions { protocol: Some(meant), ..ReadOptions::default() };
        read_told(Format::ChoreographyAutomaton, text, &options)
    };
    assert_eq!(printed(&told("two").into_choreography().unwrap()), "main { A -> B[b]; stop }");
    assert_eq!(printed(&told("1").into_choreography().unwrap()), "main { A -> B[a]; stop }");
    assert_eq!(told("3").report.diagnostics[0].message, "there is no graph `3` here");
}

#[test]
fn what_is_missing_has_a_place_in_the_text_of_the_other_tool() {
    let text = "a→b:{\n  yes . b→c:data . end,\n  no . end\n}";
    let choreography = read_told(Format::MpstkGlobal, text, &ReadOptions::default()).into_choreography().unwrap();
    let amended = amend(&read_off_named(&choreography), &AmendOptions::default()).unwrap();
    let places: Vec<&str> = amended.added.iter().map(|added| &text[added.span.start as usize..]).collect();
    assert_eq!(places, ["end\n}"]);
}

//! What readers understand, beyond what goldens show.

use crate::{network_of, read_text};
use laban::ExtractOptions;
use laban::network::Channel;
use laban_formats::{Format, Source, read};

fn verdict(format: Format, text: &str) -> String {
    let network = network_of(format, text);
    laban::extract(&network, &ExtractOptions::default()).unwrap().verdict().as_str().to_string()
}

#[test]
fn places_point_into_the_text() {
    let text = "A: rec x . {B!m; x, B?n; end}\nB: rec x . {A?m; x, A!n; end}";
    let network = network_of(Format::Kmc, text);
    for (number, _) in network.states().iter().enumerate() {
        let span = network.origin(laban::network::StateId(number as u32));
        assert!(span.start <= span.end && span.end as usize <= text.len());
    }
    let sends = network.origin(network.processes()[1].start);
    assert_eq!(sends.text(text), "{");
}

#[test]
fn places_in_several_texts_count_on() {
    let a = "digraph A { 0 -> 1 [label=\"B!m\"]; }";
    let b = "digraph B { 0 -> 1 [label=\"A?m\"]; }";
    let offset = a.len() as u32;
    let sources = [Source::new("a.dot", a), Source { name: "b.dot", text: b, offset }];
    let network = read(Format::Dot, &sources).into_network().unwrap();
    let both = format!("{a}{b}");
    let spans = network.processes().iter().map(|process| process.span.text(&both));
    assert_eq!(spans.collect::<Vec<_>>(), ["A", "B"]);
    let heads = network.processes().iter().map(|process| network.origin(process.start).text(&both).to_string());
    assert_eq!(heads.collect::<Vec<_>>(), ["0 -> 1 [label=\"B!m", "0 -> 1 [label=\"A?m"]);
}

#[test]
fn payloads_of_other_sorts_are_other_messages() {
    assert_eq!(verdict(Format::Kmc, "A: B!m<int>; end B: A?m<int>; end"), "extracted");
    assert_eq!(verdict(Format::Kmc, "A: B!m<int>; end B: A?m<bool>; end"), "deadlock");
    assert_eq!(verdict(Format::Kmc, "A: B!m<int>; end B: {A?m<bool>; end, A?m<int>; end}"), "extracted");
    assert_eq!(verdict(Format::MpstkContext, "s[p]: q⊕m(Int), s[q]: p&m(Bool)"), "deadlock");
    assert_eq!(verdict(Format::MpstkContext, "s[p]: q⊕m(Str), s[q]: p&m(string)"), "extracted");
}

#[test]
fn a_choice_is_made_before_the_partner_is_asked() {
    assert_eq!(verdict(Format::Kmc, "A: {B!m; end, B!n; end} B: A?m; end"), "deadlock");
    assert_eq!(verdict(Format::Kmc, "A: {B!m; end, B?n; end} B: A?m; end"), "extracted");
}

#[test]
fn the_same_message_to_two_states_is_a_choice_of_the_receiver() {
    assert_eq!(verdict(Format::Kmc, "A: B!m; B!n; end B: {A?m; A?n; end, A?m; end}"), "deadlock");
    assert_eq!(verdict(Format::Kmc, "A: B!m; end B: {A?m; end, A?m; end}"), "extracted");
}

#[test]
fn machines_of_all_dialects_are_the_same_system() {
    let kmc = "/* c */ .outputs .state graph q0 1!a q1 q1 1 ? b q0 .marking q0 .end
        .outputs .state graph q0 0?a q1 q1 0 ! b q0 .marking q0 .end";
    let chorgram = ".outputs A\n.state graph\nq0 1 ! a q1\nq1 1 ? b q0\n.marking q0\n.end\n
        .outputs B\n.state graph\nq0 0 ? a q1\nq1 0 ! b q0\n.marking q0\n.end\n";
    let search = ".outputs A\n.state graph\nq0 B ! a q1\n.marking q0\nq1 B ? b q0\n.end\n
        .outputs B\n.state graph\nq0 A ? a q1\nq1 A ! b q0\n.marking {q0}\n.end\n";
    for text in [kmc, chorgram, search] {
        let network = network_of(Format::Fsa, text);
        assert_eq!((network.processes().len(), network.states().len()), (2, 4), "{text}");
        assert_eq!(verdict(Format::Fsa, text), "extracted");
    }
}

#[test]
fn words_that_begin_like_keywords_are_words() {
    network_of(Format::Kmc, "A: rec ends . B!endless; ends B: rec recall . A?endless; recall");
    network_of(Format::MpstkContext, "s[record]: μ(ends)ending⊕end1 . ends, s[ending]: rec(t) record&end1 . t");
}

#[test]
fn binary_types_run_with_the_dual_of_the_other() {
    let pair = |one: &str, other: &str| {
        let sources = [Source::new("dir/one.txt", one), Source { name: "two.txt", text: other, offset: 1_000 }];
        let network = read(Format::SubtypingPair, &sources).into_network().unwrap();
        let names: Vec<&str> = network.process_ids().map(|process| network.process_name(process)).collect();
        assert_eq!(names, ["one", "dual_two"]);
        laban::extract(&network, &ExtractOptions::default()).unwrap().verdict().as_str().to_string()
    };
    assert_eq!(pair("rec X . !a; ?b; X", "rec X . !a; ?b; X"), "extracted");
    assert_eq!(pair("!a; end", "+{!a; end, !b; end}"), "extracted");
    assert_eq!(pair("+{!a; end, !b; end}", "!a; end"), "deadlock");
    assert_eq!(pair("&{?a; end, ?b; end}", "?a; end"), "extracted");
}

#[test]
fn graphs_without_a_name_are_named_by_their_file() {
    let a = "digraph G { compound = true; \"1\" [ label=\"1: X\" ]; \"1\" -> \"2\" [ label=\"B!m(int)\" ]; }";
    let b = "digraph G { \"1\" -> \"2\" [ label=\"A?m(int)\" ]; }";
    let sources = [Source::new("Proto_A.dot", a), Source { name: "Proto_B.dot", text: b, offset: a.len() as u32 }];
    let network = read(Format::Dot, &sources).into_network().unwrap();
    let names: Vec<&str> = network.process_ids().map(|process| network.process_name(process)).collect();
    assert_eq!(names, ["A", "B"]);
}

#[test]
fn two_sessions_have_roles_of_their_own() {
    let network = network_of(Format::MpstkContext, "s[p]: q⊕m, s[q]: p&m, t[p]: q&m, t[q]: p⊕m");
    let names: Vec<&str> = network.process_ids().map(|process| network.process_name(process)).collect();
    assert_eq!(names, ["s_p", "s_q", "t_p", "t_q"]);
}

#[test]
fn formats_know_what_they_mean_by_sending() {
    assert_eq!(Format::Fsa.channels(), Channel::Queue { bound: None });
    assert_eq!(Format::MpstkContext.channels(), Channel::Rendezvous);
}

#[test]
fn what_can_only_be_written_is_not_read() {
    assert!(read_text(Format::Promela, "mtype = { a };").report.has_errors());
}

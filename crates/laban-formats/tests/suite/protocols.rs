//! From protocols to choreographies: by hand, and on random protocols.

use crate::{alike, cases};
use laban::Choreography;
use laban::choreography::{read_off, read_off_named};
use laban::diagnostic::Code;
use laban::generate::SeededRng;
use laban::text::Span;
use laban_formats::protocol::{GlobalStep, Protocol};
use laban_formats::system::{Message, Payload, Word};
use laban_formats::{Report, lower_protocol};

/// A place of its own for each number.
fn at(number: usize) -> Span {
    Span::new(10 * number as u32, 10 * number as u32 + 5)
}

fn protocol(roles: &[&str], steps: Vec<GlobalStep>) -> Protocol {
    let mut protocol = Protocol { starts: vec![0], ..Protocol::default() };
    protocol.roles = roles.iter().map(|role| Word::new(*role, Span::default())).collect();
    for (number, step) in steps.into_iter().enumerate() {
        protocol.add(at(number), step);
    }
    protocol
}

fn tell(from: usize, to: usize, label: &str, next: usize) -> GlobalStep {
    GlobalStep::Message { from, to, message: Message::label(label), next }
}

fn send(from: usize, to: usize, label: &str, text: &str, next: usize) -> GlobalStep {
    let payload = Some(Payload { text: text.to_string(), sort: text.to_string() });
    GlobalStep::Message { from, to, message: Message { label: label.to_string(), payload }, next }
}

fn choice(decider: usize, guards: &[&str], branches: &[usize]) -> GlobalStep {
    let guards = guards.iter().map(|guard| guard.to_string()).collect();
    GlobalStep::Choice { decider, guards, branches: branches.to_vec() }
}

fn lowered(protocol: &Protocol) -> (Option<Choreography>, Report) {
    let mut report = Report::default();
    let choreography = lower_protocol(protocol, &mut report);
    (choreography, report)
}

fn printed(protocol: &Protocol) -> String {
    let (choreography, report) = lowered(protocol);
    let choreography = choreography.unwrap_or_else(|| panic!("{report:?}"));
    laban::Compact(&read_off_named(&choreography)).to_string()
}

/// The codes of what is wrong, and where.
fn errors(protocol: &Protocol) -> Vec<(Code, Span)> {
    let (choreography, report) = lowered(protocol);
    assert!(choreography.is_none());
    report.diagnostics.iter().map(|diagnostic| (diagnostic.code, diagnostic.primary.span)).collect()
}

#[test]
fn messages_are_selections_and_values() {
    let steps = vec![
        tell(0, 1, "hello", 1),
        send(0, 1, "price", "int", 2),
        send(1, 0, "", "2 + 3", 3),
        GlobalStep::Message { from: 1, to: 0, message: Message::default(), next: 4 },
        send(0, 1, "", "a -> b", 5),
        send(0, 1, "", "if", 6),
        GlobalStep::End,
    ];
    assert_eq!(
        printed(&protocol(&["A", "B"], steps)),
        "main { A -> B[hello]; A.int -> B[price]; B.2 + 3 -> A; B.0 -> A; A.a____b -> B; A.if_ -> B; stop }"
    );
}

#[test]
fn a_label_with_several_sorts_gets_a_label_for_each() {
    let steps = vec![send(0, 1, "m", "int", 1), send(0, 1, "m", "bool", 2), GlobalStep::End];
    assert_eq!(printed(&protocol(&["A", "B"], steps)), "main { A.int -> B[m_int]; A.bool -> B[m_bool]; stop }");
}

#[test]
fn conditions_are_conditionals_and_free_choices_are_chosen() {
    let steps = vec![
        choice(0, &["x > 0", "then -> else"], &[1, 2, 3]),
        tell(0, 1, "one", 4),
        tell(0, 1, "two", 4),
        tell(0, 1, "three", 4),
        choice(1, &[], &[5, 6]),
        tell(1, 0, "again", 0),
        choice(0, &["x  > 0"], &[7, 8]),
        tell(1, 0, "yes", 9),
        tell(1, 0, "no", 9),
        GlobalStep::End,
    ];
    let mut protocol = protocol(&["A", "B"], steps);
    protocol.nodes[0].name = "Loop".to_string();
    assert_eq!(
        printed(&protocol),
        "def Loop { if A.x > 0 then A -> B[one]; X1 else if A.then____else then A -> B[two]; X1 else A -> B[three]; X1 } \
         def X1 { choose B { B -> A[again]; Loop, if A.x > 0 then B -> A[yes]; stop else B -> A[no]; stop } } \
         main { Loop }"
    );
}

#[test]
fn whichever_comes_first_is_a_race() {
    let first = |items: &[usize]| GlobalStep::First { items: items.to_vec() };
    let end = GlobalStep::End;
    let steps = vec![first(&[1, 2, 1]), tell(0, 2, "a", 3), tell(1, 2, "b", 3), end.clone()];
    assert_eq!(printed(&protocol(&["A", "B", "C"], steps)), "main { any { A -> C[a]; stop, B -> C[b]; stop } }");
    let steps = vec![first(&[1, 2]), tell(0, 1, "a", 3), tell(0, 1, "a", 3), end.clone()];
    assert_eq!(printed(&protocol(&["A", "B"], steps)), "main { A -> B[a]; stop }");
    let steps = vec![first(&[1, 2]), tell(0, 1, "a", 3), tell(0, 1, "a", 1), end.clone()];
    assert_eq!(errors(&protocol(&["A", "B"], steps)), [(Code::DuplicateItem, at(2))]);
    let steps = vec![first(&[1, 2]), tell(0, 1, "a", 2), end];
    assert_eq!(errors(&protocol(&["A", "B"], steps)), [(Code::NotAnInteraction, at(2))]);
}

#[test]
fn a_choice_between_the_same_is_no_choice() {
    let steps = vec![
        choice(2, &["nobody asks"], &[1, 4]),
        GlobalStep::Goto(3),
        GlobalStep::End,
        tell(0, 1, "a", 2),
        choice(1, &[], &[3, 1]),
    ];
    let protocol = protocol(&["A", "B", "C"], steps);
    assert_eq!(printed(&protocol), "main { A -> B[a]; stop }");
    let remarks = lowered(&protocol).1.remarks;
    assert_eq!(
        remarks.iter().map(|remark| remark.text.as_str()).collect::<Vec<_>>(),
        ["`C` never does anything, and is left out"]
    );
}

#[test]
fn a_loop_without_an_action_is_an_error_at_its_place() {
    let steps = vec![tell(0, 1, "a", 1), GlobalStep::Goto(2), GlobalStep::Goto(3), GlobalStep::Goto(2)];
    assert_eq!(errors(&protocol(&["A", "B"], steps)), [(Code::UnguardedLoop, at(2))]);
}

#[test]
fn nobody_talks_to_himself_or_in_two_parts() {
    let steps = vec![tell(0, 0, "a", 1), tell(1, 1, "a", 1)];
    let wrong = [(Code::SelfCommunication, at(0)), (Code::SelfCommunication, at(1))];
    assert_eq!(errors(&protocol(&["A", "B"], steps)), wrong);
    let steps = vec![tell(0, 1, "a", 4), tell(2, 3, "b", 4), tell(3, 0, "c", 4), tell(2, 3, "d", 0), GlobalStep::End];
    let mut parts = protocol(&["A", "B", "C", "D"], steps);
    parts.starts = vec![0, 1];
    assert_eq!(printed(&parts), "main { A -> B[a]; stop } || main { C -> D[b]; stop }");
    parts.starts = vec![0, 4, 2];
    assert_eq!(errors(&parts), [(Code::SharedProcess, at(2))]);
    parts.starts = vec![0, 3];
    assert_eq!(errors(&parts)[0], (Code::SharedProcess, at(0)));
}

#[test]
fn procedures_get_the_names_of_the_text_and_terms_its_places() {
    let steps = vec![
        choice(0, &[], &[1, 2]),
        tell(0, 1, "a", 3),
        tell(0, 1, "b", 4),
        GlobalStep::Goto(5),
        GlobalStep::Goto(6),
        choice(1, &[], &[7, 8]),
        choice(1, &[], &[9, 8]),
        tell(1, 0, "a", 5),
        GlobalStep::End,
        tell(1, 0, "b", 6),
    ];
    let mut protocol = protocol(&["A", "B"], steps);
    for (node, name) in [(3, "Loop"), (6, "Loop"), (5, ""), (0, "main")] {
        protocol.nodes[node].name = name.to_string();
    }
    assert_eq!(
        printed(&protocol),
        "def Loop { choose B { B -> A[a]; Loop, stop } } def Loop_2 { choose B { B -> A[b]; Loop_2, stop } } \
         main { choose A { A -> B[a]; Loop, A -> B[b]; Loop_2 } }"
    );
    let tree = read_off_named(&lowered(&protocol).0.unwrap());
    let again = laban::choreography::lower(&tree).choreography.unwrap();
    let places: Vec<u32> = (0..7).map(|node| again.origin(laban::choreography::NodeId(node)).start).collect();
    assert_eq!(places, [0, 10, 20, 60, 90, 80, 50]);
}

/// A random protocol, right or wrong.
fn random(rng: &mut SeededRng) -> Protocol {
    let words = ["a", "b-c", "b c", "stop", "0", "then", "x > 1", "x, y", "(", "f(x)", "-> q", "\"", "b_c", "é", ""];
    let roles = ["A", "B", "main", "D-1", "D 1"];
    let word = |rng: &mut SeededRng| words[rng.below_u32(words.len() as u32) as usize];
    let count = 2 + rng.below_u32(14) as usize;
    let mut steps = Vec::new();
    for _ in 0..count {
        let node = |rng: &mut SeededRng| rng.below_u32(count as u32) as usize;
        let role = |rng: &mut SeededRng| rng.below_u32(roles.len() as u32) as usize;
        let step = match rng.below_u32(12) {
            0 => GlobalStep::End,
            1 => GlobalStep::Goto(node(rng)),
            2 | 3 => {
                let branches: Vec<usize> = (0..2 + rng.below_u32(2)).map(|_| node(rng)).collect();
                let guards = if rng.below_u32(2) == 0 { 0 } else { branches.len() - 1 };
                let guards: Vec<&str> = (0..guards).map(|_| word(rng)).collect();
                choice(role(rng), &guards, &branches)
            }
            4 => GlobalStep::First { items: (0..2).map(|_| node(rng)).collect() },
            kind => {
                let from = role(rng);
                let away = if rng.below_u32(40) == 0 { 0 } else { 1 + rng.below_u32(4) as usize };
                let (to, next) = ((from + away) % roles.len(), node(rng));
                match kind {
                    5..=8 => tell(from, to, word(rng), next),
                    _ => send(from, to, word(rng), word(rng), next),
                }
            }
        };
        steps.push(step);
    }
    let mut protocol = protocol(&roles, steps);
    for node in &mut protocol.nodes {
        node.name = word(rng).to_string();
    }
    if rng.below_u32(10) == 0 {
        protocol.starts.push(rng.below_u32(count as u32) as usize);
    }
    protocol
}

#[test]
fn what_is_printed_reads_back_as_the_same_choreography() {
    let [mut right, mut wrong, mut long] = [0; 3];
    for seed in 0..cases(3000) {
        let protocol = random(&mut SeededRng::keyed([seed, 0xa0, 0, 0]));
        let (choreography, report) = lowered(&protocol);
        assert_eq!(choreography.is_none(), report.has_errors(), "seed {seed}: {report:?}");
        let Some(choreography) = choreography else {
            wrong += 1;
            continue;
        };
        right += 1;
        long += u64::from(choreography.nodes().len() > 4);
        let plain = read_off(&choreography);
        let named = read_off_named(&choreography);
        for tree in [&plain, &named] {
            let text = laban::Compact(tree).to_string();
            let again = laban::analyse(text.as_str()).into_choreography();
            let again = again.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
            assert!(alike(&choreography, &again), "seed {seed}: {text}");
        }
    }
    assert!(right > 500 && wrong > 300 && long > 300, "{right} {wrong} {long}");
}

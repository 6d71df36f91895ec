//! Queues that grow forever: how much each sends and takes, where that is, and who may be left out.

use super::queues::{LABELS, LOCKSTEP, ROUND, claim, queues};
use laban::extraction::explain::{Explanation, Rate, Witness, WitnessKind, explain};
use laban::network::ProcessId;
use laban::semantics::Step;

fn explained(source: &str, kind: WitnessKind, run: &str, cycle: &str) -> Explanation {
    let network = queues(source, None);
    explain(&network, &claim(&network, kind, run, cycle)).unwrap()
}

#[test]
fn what_each_sends_and_takes_is_told_for_one_time_round() {
    let [p, q] = [0, 1].map(ProcessId);
    let expected = [
        Rate { process: p, sends: vec![(q, 2)], takes: vec![(q, 1)] },
        Rate { process: q, sends: vec![(p, 1)], takes: vec![(p, 1)] },
    ];
    assert_eq!(explained(LOCKSTEP, WitnessKind::Unbounded, "", ROUND).rates, expected);
    // Both go round twice in this cycle.
    let cycle: String = ["a", "b"]
        .map(|taken| {
            format!(
                "p puts [a] into the queue to q; p puts [b] into the queue to q; q takes [{taken}] from p; \
                 q puts ok into the queue to p; p takes ok from q; "
            )
        })
        .concat();
    assert_eq!(explained(LABELS, WitnessKind::Unbounded, "", &cycle).rates, expected);
}

#[test]
fn nothing_grows_where_somebody_starves() {
    let source = "p { def X { q!<a>; X } main { X } } | q { def X { p?; X } main { X } } | r { main { q?; stop } }";
    // The sender runs ahead, but need not.
    let cycle = "p puts a into the queue to q; p puts a into the queue to q; q takes a from p";
    let explanation = explained(source, WitnessKind::Livelock, "", cycle);
    assert_eq!((explanation.growth, explanation.rates), (vec![], vec![]));
}

#[test]
fn a_message_that_is_taken_at_once_is_taken_where_the_receiver_takes_it() {
    let network = queues(LOCKSTEP, None);
    let witness = claim(&network, WitnessKind::Unbounded, "", ROUND);
    let [Step::Put(first), put, Step::Take(taken), answer, answered] = witness.cycle[..] else { panic!("{witness:?}") };
    assert_eq!(first, taken);
    let cycle = vec![Step::Interaction(first), put, answer, answered];
    let explanation = explain(&network, &Witness { cycle, ..witness }).unwrap();
    let [growth] = explanation.growth[..] else { panic!("{:?}", explanation.growth) };
    assert_eq!(growth.sends.text(LOCKSTEP), "q!<b>");
    assert_eq!(growth.takes.unwrap().text(LOCKSTEP), "p?");
}

#[test]
fn who_could_act_may_be_left_out_where_it_would_not_help() {
    // `s` can decide at any time. If the queue from `p` had room for no more, all others would wait in a circle.
    let source = "p { def X { q!<x>; q!<x>; r!<y>; X } main { X } } | q { def X { r?; p?; X } main { X } }
         | r { def X { p?; q!<z>; X } main { X } } | s { main { if c then p!<w>; stop else stop } }";
    let put = "p puts x into the queue to q; ".repeat(2);
    let round = format!(
        "{put}p puts y into the queue to r; r takes y from p; r puts z into the queue to q; q takes z from r; \
         q takes x from p"
    );
    let explanation = explained(source, WitnessKind::Unbounded, &round, &round);
    assert_eq!(explanation.active, [0, 1, 2].map(ProcessId));
    let [growth] = explanation.growth[..] else { panic!("{:?}", explanation.growth) };
    assert_eq!((growth.from, growth.to, growth.sent, growth.taken), (ProcessId(0), ProcessId(1), 2, 1));
}

#[test]
fn nothing_is_said_of_a_receiver_that_does_nothing() {
    let source = "p { def X { q!<a>; r!<b>; X } main { X } } | q { main { stop } } | r { main { stop } }";
    let network = queues(source, None);
    let cycle = "p puts a into the queue to q; p puts b into the queue to r";
    let explanation = explain(&network, &claim(&network, WitnessKind::Unbounded, "", cycle)).unwrap();
    let notes: Vec<String> = explanation.diagnostic(&network).notes.iter().map(|note| note.one_line()).collect();
    let rates: Vec<&String> = notes.iter().filter(|note| note.starts_with("each time round")).collect();
    assert_eq!(rates, ["each time round, `p` sends 1 to `q`, 1 to `r`"], "{notes:?}");
}

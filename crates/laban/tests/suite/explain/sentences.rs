//! Sentences about what is rare: lists that are as long as is shown or longer, one and several, values and labels. The
//! explanations are written down here rather than found.

use super::network;
use laban::diagnostic::Note;
use laban::extraction::explain::{
    Busy, Event, Explanation, Growth, Hint, Left, Message, Queued, Rate, Root, RootKind, Waiting, Why, WitnessKind,
};
use laban::network::{Content, Interaction, Network, ProcessId, State, StateId, Wish};
use laban::semantics::Step;
use laban::syntax::{Span, Symbol};

/// Ten processes; the first one sends a value, a label, and a label with a value.
pub(super) fn ten() -> Network {
    let others: String = (1..10).map(|number| format!(" | p{number} {{ main {{ p0?; stop }} }}")).collect();
    network(&format!("channels queue; p0 {{ main {{ p1!<x>; p1+l; p1+m<y>; if c then stop else stop }} }}{others}"))
}

/// The value, the label, and the label with a value.
pub(super) fn contents(network: &Network) -> [Content; 3] {
    let start = network.processes()[0].start;
    let (value, next) = sent(network, start);
    let (label, next) = sent(network, next);
    [value, label, sent(network, next).0]
}

/// What is sent in a state, and what follows.
fn sent(network: &Network, state: StateId) -> (Content, StateId) {
    match network.state(state) {
        State::Send { expression, next, .. } => (Content::Value(expression), next),
        State::Select { label, next, .. } => (Content::Label(label), next),
        State::SelectValue { label, expression, next, .. } => {
            (Content::LabelledValue { label, value: expression }, next)
        }
        other => panic!("{other:?}"),
    }
}

fn label(network: &Network) -> Symbol {
    contents(network)[1].label().unwrap()
}

pub(super) fn ids(numbers: std::ops::Range<u32>) -> Vec<ProcessId> {
    numbers.map(ProcessId).collect()
}

pub(super) fn explanation(kind: WitnessKind) -> Explanation {
    Explanation {
        kind,
        component: ids(0..10),
        run: Vec::new(),
        cycle: Vec::new(),
        active: Vec::new(),
        stuck: Vec::new(),
        waiting_services: Vec::new(),
        roots: Vec::new(),
        busy: Vec::new(),
        queues: Vec::new(),
        growth: Vec::new(),
        rates: Vec::new(),
        hints: Vec::new(),
    }
}

fn queued(from: u32, to: u32, messages: &[Content], left: Left) -> Queued {
    let messages = messages.iter().map(|&content| Message { content, span: Span::new(1, 2) }).collect();
    Queued { from: ProcessId(from), to: ProcessId(to), messages, receiver: Span::new(3, 4), left }
}

fn growth(from: u32, to: u32, sent: usize, taken: usize) -> Growth {
    let takes = (taken > 0).then_some(Span::new(7, 8));
    Growth { from: ProcessId(from), to: ProcessId(to), sent, taken, sends: Span::new(5, 6), takes }
}

fn waiting(process: u32, wish: Wish, why: Why, root: Option<usize>, in_root: bool) -> Waiting {
    let process = ProcessId(process);
    Waiting { process, service: false, idle: false, wish, span: Span::new(9, 10), why, root, in_root }
}

fn receives(process: u32, from: u32, why: Why, root: usize, in_root: bool) -> Waiting {
    waiting(process, Wish::Receive { from: ProcessId(from) }, why, Some(root), in_root)
}

fn notes(explanation: &Explanation, network: &Network) -> Vec<String> {
    explanation.diagnostic(network).notes.iter().map(Note::one_line).collect()
}

fn labels(explanation: &Explanation, network: &Network) -> Vec<String> {
    let diagnostic = explanation.diagnostic(network);
    [diagnostic.primary].into_iter().chain(diagnostic.secondary).map(|place| place.label).collect()
}

#[test]
fn a_message_that_nobody_takes_is_named_by_what_it_is_and_how_many_there_are() {
    let network = ten();
    let [value, label, labelled] = contents(&network);
    let said = |messages: &[Content], left: Left| {
        let mut orphan = explanation(WitnessKind::Orphan { from: ProcessId(0), to: ProcessId(1) });
        orphan.queues = vec![queued(0, 1, messages, left)];
        (orphan.reason(&network), labels(&orphan, &network), notes(&orphan, &network))
    };
    let (reason, places, shown) = said(&[value], Left::Stopped);
    assert_eq!(reason, "`p1` never takes `x` from `p0`: it has stopped");
    assert_eq!(places, ["`p0` sends `x` to `p1` here", "`p1` has stopped here"]);
    assert_eq!(shown, ["stuck from the start, before any step"]);
    let (reason, places, shown) = said(&[label, labelled], Left::Ignored);
    assert_eq!(
        reason,
        "`p1` may never take the label `l` and the label `m<y>` from `p0`: it can loop forever without receiving from `p0`"
    );
    assert_eq!(places, ["`p0` selects `l` at `p1` here", "`p1` goes on from here"]);
    assert_eq!(shown[1], "in the queue from `p0` to `p1`: [l], y[m]");
    let (reason, places, shown) = said(&[labelled; 9], Left::NeverReceived);
    assert_eq!(
        reason,
        "`p1` never takes 9 messages from `p0`, the oldest the label `m<y>`: whatever it does from here on, it does not \
         receive that"
    );
    assert_eq!(places[0], "`p0` selects `m` at `p1` here");
    assert!(shown[1].ends_with(": y[m], y[m], y[m], y[m], y[m], y[m], y[m], y[m], …"), "{shown:?}");
    assert!(said(&[labelled; 8], Left::Open).2[1].ends_with("y[m], y[m]"));
    assert!(said(&[value], Left::Open).0.ends_with(": it may be taken later"));
    assert!(said(&[value], Left::Waits).0.ends_with(": it waits for something else"));
    assert!(said(&[value], Left::DoesNotFit).0.ends_with(": it waits for something else from `p0`"));
}

#[test]
fn who_does_not_take_a_message_because_it_waits_is_pointed_at_once() {
    let network = ten();
    let mut orphan = explanation(WitnessKind::Orphan { from: ProcessId(0), to: ProcessId(1) });
    orphan.queues = vec![queued(0, 1, &contents(&network)[..1], Left::Waits)];
    let sent = "`p0` sends `x` to `p1` here";
    assert_eq!(labels(&orphan, &network), [sent]);
    let waits = "`p1` waits for a value from `p2`, which has stopped";
    orphan.stuck = vec![receives(1, 2, Why::PartnerStopped, 0, false)];
    assert_eq!(labels(&orphan, &network), [sent, waits]);
    orphan.waiting_services = std::mem::take(&mut orphan.stuck);
    assert_eq!(labels(&orphan, &network), [sent, waits]);
    assert_eq!(notes(&orphan, &network), ["stuck from the start, before any step"]);
}

#[test]
fn queues_that_grow_are_told_one_by_one_up_to_three() {
    let network = ten();
    let said = |growth: &[Growth]| {
        let mut unbounded = explanation(WitnessKind::Unbounded);
        unbounded.growth = growth.to_vec();
        unbounded.rates = (0..6)
            .map(|number| Rate {
                process: ProcessId(number),
                sends: if number == 1 { vec![] } else { (0..5).map(|to| (ProcessId(to), 2)).collect() },
                takes: if number == 0 { vec![] } else { vec![(ProcessId(9), 1)] },
            })
            .collect();
        unbounded
    };
    let one = said(&[growth(0, 1, 1, 0)]);
    assert_eq!(
        one.reason(&network),
        "the queue from `p0` to `p1` grows forever: each time round, `p0` sends 1 message and `p1` takes none"
    );
    assert_eq!(notes(&one, &network), ["stuck from the start, before any step"]);
    assert_eq!(labels(&one, &network), ["`p0` sends to `p1` here"]);
    let mut stopped = one;
    stopped.queues = vec![queued(0, 1, &[contents(&network)[0]], Left::Stopped)];
    assert!(stopped.reason(&network).ends_with("takes none: it has stopped"), "{}", stopped.reason(&network));
    assert_eq!(labels(&stopped, &network), ["`p0` sends to `p1` here", "`p1` has stopped here"]);
    assert_eq!(notes(&stopped, &network)[1], "after one round, in the queue from `p0` to `p1`: x");
    stopped.queues[0].left = Left::Open;
    assert!(stopped.reason(&network).ends_with("takes none"), "{}", stopped.reason(&network));
    assert_eq!(labels(&stopped, &network), ["`p0` sends to `p1` here"]);
    let slow = said(&[growth(0, 1, 3, 2)]);
    assert!(slow.reason(&network).ends_with("`p0` sends 3 messages and `p1` takes 2"), "{}", slow.reason(&network));
    assert_eq!(labels(&slow, &network), ["`p0` sends to `p1` here", "`p1` takes from `p0` here"]);
    let catch_up = "nobody can catch up: going round more often would make another queue grow";
    assert_eq!(notes(&slow, &network).last().map(String::as_str), Some(catch_up));
    let all = [growth(0, 1, 1, 0), growth(0, 2, 1, 0), growth(0, 3, 1, 0), growth(0, 4, 1, 0), growth(0, 5, 1, 0)];
    let start = "the queues from `p0` to `p1`";
    let end = "grow forever: more is sent than taken, at any speed";
    for (count, middle) in [
        (2, " and from `p0` to `p2`"),
        (3, ", from `p0` to `p2` and from `p0` to `p3`"),
        (4, ", from `p0` to `p2`, from `p0` to `p3` and 1 more"),
        (5, ", from `p0` to `p2`, from `p0` to `p3` and 2 more"),
    ] {
        assert_eq!(said(&all[..count]).reason(&network), format!("{start}{middle} {end}"));
    }
    let sends = "2 to `p0`, 2 to `p1`, 2 to `p2`, 2 to `p3`";
    assert_eq!(
        notes(&said(&all[..2]), &network)[1..],
        [
            format!("each time round, `p0` sends {sends}"),
            "each time round, `p1` takes 1 from `p9`".to_string(),
            format!("each time round, `p2` sends {sends} and takes 1 from `p9`"),
            format!("each time round, `p3` sends {sends} and takes 1 from `p9`"),
        ]
    );
}

#[test]
fn as_many_queues_are_shown_as_fit() {
    let network = ten();
    let value = contents(&network)[0];
    let shown = |count: u32| {
        let mut deadlock = explanation(WitnessKind::Deadlock);
        deadlock.queues = (1..=count).map(|to| queued(0, to, &[value, value], Left::Open)).collect();
        notes(&deadlock, &network).split_off(1)
    };
    assert_eq!(shown(6).len(), 6);
    assert_eq!(shown(7)[6..], ["1 more queue is not empty"]);
    assert_eq!(shown(8)[6..], ["2 more queues are not empty"]);
}

#[test]
fn a_message_that_does_not_fit_is_pointed_at_and_told_once() {
    let network = ten();
    let [value, ..] = contents(&network);
    let (from, to) = (ProcessId(0), ProcessId(1));
    let mut deadlock = explanation(WitnessKind::Deadlock);
    deadlock.roots = vec![Root { kind: RootKind::Message { from }, processes: vec![to] }];
    let labels_wanted = Wish::Offer { from, labels: vec![label(&network)] };
    deadlock.stuck = vec![waiting(1, labels_wanted, Why::OldestDoesNotFit { oldest: value }, Some(0), true)];
    deadlock.queues = vec![queued(0, 1, &[value], Left::DoesNotFit)];
    let said = deadlock.reason(&network);
    assert!(said.ends_with("but the oldest message from `p0` is the value `x`"), "{said}");
    assert_eq!(labels(&deadlock, &network)[1..], ["`p0` sends `x` to `p1` here"]);
    assert_eq!(notes(&deadlock, &network), ["stuck from the start, before any step"]);
    deadlock.queues[0].messages.push(Message { content: value, span: Span::new(1, 2) });
    assert_eq!(notes(&deadlock, &network)[1..], ["in the queue from `p0` to `p1`: x, x"]);
    deadlock.queues[0].messages.pop();
    deadlock.roots[0].processes = vec![ProcessId(2)];
    assert_eq!(notes(&deadlock, &network)[1..], ["in the queue from `p0` to `p1`: x"]);
}

#[test]
fn two_causes_are_named_and_the_others_counted() {
    let network = ten();
    let said = |count: u32| {
        let mut deadlock = explanation(WitnessKind::Deadlock);
        let kind = |number: u32| RootKind::Stopped { partner: ProcessId(number + 5) };
        deadlock.roots =
            (0..count).map(|number| Root { kind: kind(number), processes: ids(number..number + 1) }).collect();
        let stuck = |number: u32| receives(number, number + 5, Why::PartnerStopped, number as usize, true);
        deadlock.stuck = (0..count).map(stuck).collect();
        (deadlock.reason(&network), labels(&deadlock, &network))
    };
    let one = |number: u32| format!("`p{number}` waits for a value from `p{}`, which has stopped", number + 5);
    let two = format!("{}; {}", one(0), one(1));
    assert_eq!(said(1).0, one(0));
    assert_eq!(said(2).0, two);
    assert_eq!(said(3).0, format!("{two}; and there is one more cause"));
    assert_eq!(said(4).0, format!("{two}; and there are 2 more causes"));
    assert_eq!(said(4).1[4..], ["`p5` has stopped here", "`p6` has stopped here"]);
}

#[test]
fn those_who_wait_because_of_a_cause_are_told_with_it() {
    let network = ten();
    let said = |members: u32, tails: u32, service: bool| {
        let mut deadlock = explanation(WitnessKind::Deadlock);
        deadlock.roots = vec![Root { kind: RootKind::Stopped { partner: ProcessId(9) }, processes: ids(0..members) }];
        deadlock.stuck = (0..members).map(|one| receives(one, 9, Why::PartnerStopped, 0, true)).collect();
        let why = Why::PartnerWaits { on: ProcessId(9) };
        deadlock.stuck.extend((members..members + tails).map(|one| receives(one, 0, why.clone(), 0, false)));
        deadlock.stuck.last_mut().unwrap().service = service;
        deadlock.reason(&network)
    };
    let alone = "`p0` waits for a value from `p9`, which has stopped";
    assert_eq!(said(1, 1, false), format!("{alone}, and `p1` waits for `p0`"));
    assert_eq!(said(1, 1, true), alone);
    assert_eq!(said(1, 2, false), format!("{alone}, and `p1` and `p2` wait for `p0`"));
    let two = "`p0` and `p1` wait for `p9`, which has stopped";
    assert_eq!(said(2, 1, false), format!("{two}, and `p2` waits for `p0` and `p1`"));
    let three = "`p0`, `p1` and `p2` wait for `p9`, which has stopped";
    assert_eq!(said(3, 1, false), format!("{three}, and `p3` waits for them"));
}

#[test]
fn a_circle_is_told_by_its_members_up_to_six() {
    let network = ten();
    let said = |count: u32| {
        let mut deadlock = explanation(WitnessKind::Deadlock);
        deadlock.roots = vec![Root { kind: RootKind::Circle, processes: ids(0..count) }];
        let why = |one: u32| Why::PartnerWaits { on: ProcessId((one + 2) % count) };
        deadlock.stuck = (0..count).map(|one| receives(one, (one + 1) % count, why(one), 0, true)).collect();
        deadlock.reason(&network)
    };
    assert_eq!(said(2), "`p0` and `p1` wait for each other: both want to receive");
    assert_eq!(said(3), "`p0` waits for `p1`, `p1` for `p2` and `p2` for `p0`");
    assert!(said(6).ends_with(", `p4` for `p5` and `p5` for `p0`"), "{}", said(6));
    assert!(said(7).starts_with("7 processes wait in a circle, each for the next: `p0`"), "{}", said(7));
}

#[test]
fn two_that_wait_for_each_other_are_told_what_they_want() {
    let text = |channels: &str| format!("{channels}p {{ main {{ q!<x>; stop }} }} | q {{ main {{ p!<x>; stop }} }}");
    let said = |network: &Network, wishes: [Wish; 2], why: Why| {
        let mut deadlock = explanation(WitnessKind::Deadlock);
        deadlock.roots = vec![Root { kind: RootKind::Circle, processes: ids(0..2) }];
        let stuck = (0..).zip(wishes).map(|(process, wish)| waiting(process, wish, why.clone(), Some(0), true));
        deadlock.stuck = stuck.collect();
        deadlock.reason(network)
    };
    let by_rendezvous = network(&text(""));
    let Content::Value(symbol) = sent(&by_rendezvous, by_rendezvous.processes()[0].start).0 else { panic!("a value") };
    let [p, q] = [0, 1].map(ProcessId);
    let sends = [Wish::Send { to: q, expression: symbol }, Wish::Send { to: p, expression: symbol }];
    let selects = [Wish::Select { to: q, label: symbol }, Wish::Select { to: p, label: symbol }];
    let offers = [Wish::Offer { from: q, labels: vec![] }, Wish::Offer { from: p, labels: vec![] }];
    let both = "`p` and `q` wait for each other: both";
    assert_eq!(said(&by_rendezvous, sends.clone(), Why::BothSend), format!("{both} want to send"));
    assert_eq!(said(&by_rendezvous, selects.clone(), Why::BothSend), format!("{both} want to select"));
    assert_eq!(
        said(&by_rendezvous, [selects[0].clone(), sends[1].clone()], Why::BothSend),
        format!("{both} want to send")
    );
    assert_eq!(said(&by_rendezvous, offers.clone(), Why::BothReceive), format!("{both} wait for a label"));
    let mixed = [offers[0].clone(), Wish::Receive { from: p }];
    assert_eq!(said(&by_rendezvous, mixed, Why::BothReceive), format!("{both} want to receive"));
    let with_queues = network(&text("channels queue 1; "));
    let full = format!("{both} want to send, but the queues between them are full");
    assert_eq!(said(&with_queues, sends, Why::BothSend), full);
}

#[test]
fn what_a_busy_process_repeats_is_told_up_to_three_steps() {
    let network = ten();
    let said = |count: u32| {
        let mut livelock = explanation(WitnessKind::Livelock);
        let partner = ProcessId(1);
        livelock.roots = vec![Root { kind: RootKind::Busy { partner }, processes: ids(0..1) }];
        livelock.stuck = vec![receives(0, 1, Why::PartnerBusy, 0, true)];
        livelock.active = ids(1..3);
        let step = |arm: u32| Step::Choice { process: partner, arm };
        livelock.busy = vec![Busy { process: partner, steps: (0..count).map(step).collect() }];
        (livelock.stuck[0].text(&network, &livelock), livelock.reason(&network))
    };
    let (three, reason) = said(3);
    assert_eq!(reason, "`p0` may never act: `p1` and `p2` can loop forever without it");
    let chosen = "`p1 chooses item 1`, `p1 chooses item 2`, `p1 chooses item 3`";
    assert_eq!(three, format!("`p0` waits for a value from `p1`, which only repeats {chosen}"));
    assert_eq!(said(4).0, format!("{three}, …"));
}

#[test]
fn services_and_the_idle_may_wait_and_are_told_apart() {
    let network = ten();
    let said = |kinds: &[(bool, bool)]| {
        let mut deadlock = explanation(WitnessKind::Deadlock);
        let one = |(process, &(service, idle)): (u32, &(bool, bool))| Waiting {
            service,
            idle,
            ..receives(process, 9, Why::PartnerStopped, 0, false)
        };
        deadlock.waiting_services = (1..).zip(kinds).map(one).collect();
        notes(&deadlock, &network).pop().unwrap()
    };
    let (service, idle) = ((true, false), (false, true));
    assert_eq!(said(&[service]), "`p1` is also waiting; that is fine, it is a service");
    assert_eq!(said(&[idle]), "`p1` is also waiting; that is fine, it is idle there");
    assert_eq!(said(&[(true, true)]), "`p1` is also waiting; that is fine, it is a service");
    assert_eq!(said(&[service, service]), "`p1` and `p2` are also waiting; that is fine, they are services");
    assert_eq!(said(&[idle, idle]), "`p1` and `p2` are also waiting; that is fine, they are idle there");
    assert_eq!(said(&[service, idle]), "`p1` and `p2` are also waiting; that is fine, they are services or idle there");
}

#[test]
fn a_place_where_messages_cross_is_pointed_at_once() {
    let network = ten();
    let mut deadlock = explanation(WitnessKind::Deadlock);
    deadlock.roots = vec![Root { kind: RootKind::Stopped { partner: ProcessId(9) }, processes: ids(0..1) }];
    deadlock.stuck = vec![receives(0, 9, Why::PartnerStopped, 0, true)];
    let count = |places: [Span; 2], deadlock: &Explanation| {
        let crossing = Some([(ProcessId(0), places[0]), (ProcessId(1), places[1])]);
        let told = Explanation { hints: vec![Hint::Rendezvous { crossing }], ..deadlock.clone() };
        labels(&told, &network).iter().filter(|label| label.ends_with("sends here")).count()
    };
    let (elsewhere, primary) = (Span::new(20, 21), deadlock.stuck[0].span);
    assert_eq!(count([elsewhere, Span::new(30, 31)], &deadlock), 2);
    assert_eq!(count([elsewhere, primary], &deadlock), 1);
    assert_eq!(count([elsewhere, elsewhere], &deadlock), 1);
}

#[test]
fn a_long_step_is_cut_in_the_middle() {
    let said = |length: usize| {
        let value: String = (0..length).map(|at| if at < length / 2 { 'a' } else { 'b' }).collect();
        let network = network(&format!("p {{ main {{ q!<{value}>; stop }} }} | q {{ main {{ p?; stop }} }}"));
        let (content, _) = sent(&network, network.processes()[0].start);
        let step = Step::Interaction(Interaction { from: ProcessId(0), to: ProcessId(1), content });
        let mut deadlock = explanation(WitnessKind::Deadlock);
        deadlock.run = vec![Event { step, span: Span::default(), partner_span: None }];
        notes(&deadlock, &network)[0].trim_start_matches("after one step: ").to_string()
    };
    // `p.` and ` -> q` are seven characters.
    assert!(!said(113).contains('…'), "{}", said(113));
    let cut = said(114);
    assert_eq!(cut.chars().count(), 120);
    assert_eq!(cut, format!("p.{}b…{} -> q", "a".repeat(57), "b".repeat(54)));
}

#[test]
fn at_most_three_decisions_are_told_without_which_it_does_not_go_on() {
    let network = network(
        "p { def X { if a then q!<x>; X else if b then q!<x>; X else if c then q!<x>; X else if d then X else X }
         main { X } } | q { def X { any { p?; X, r?; X } } main { X } } | r { main { q?; stop } }",
    );
    let said = |conditions: &[&str]| {
        let mut livelock = explanation(WitnessKind::Livelock);
        livelock.component = ids(0..3);
        let decision = |name: &&str| {
            let condition = network.names().find(name).unwrap();
            let step = Step::Decision { process: ProcessId(0), condition, holds: false };
            Event { step, span: Span::new(1, 2), partner_span: None }
        };
        livelock.cycle = conditions.iter().map(decision).collect();
        notes(&livelock, &network).last().cloned()
    };
    let all = "it goes on like this if each time `p decides a: no` and `p decides b: no` and `p decides c: no`";
    assert_eq!(said(&["a", "b", "a", "c", "b"]).as_deref(), Some(all));
    assert_eq!(said(&["a", "b", "c", "d"]).as_deref(), Some(all));
}

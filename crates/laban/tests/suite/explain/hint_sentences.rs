//! Hints as sentences: one, two and several, and each kind of message.

use super::sentences::{contents, explanation, ids, ten};
use laban::extraction::explain::{Hint, WitnessKind};
use laban::network::ProcessId;
use laban::syntax::Span;

#[test]
fn hints_tell_one_from_two_and_many() {
    let network = ten();
    let nothing = explanation(WitnessKind::Deadlock);
    let text = |hint: Hint| hint.text(&network, &nothing);
    let expected = [
        "with an asynchronous channel, `p1` could send without waiting",
        "with asynchronous channels, `p1` and `p2` could both send first",
        "with asynchronous channels, `p1`, `p2` and `p3` could all send first",
    ];
    for (count, expected) in (1..).zip(expected) {
        assert_eq!(text(Hint::Asynchrony { senders: ids(1..1 + count) }), expected);
    }
    let expected =
        ["", ": `p1` need not wait", ": `p1` and `p2` both send first", ": `p1`, `p2` and `p3` all send first"];
    for (count, expected) in (0..).zip(expected) {
        let said = text(Hint::Queues { senders: ids(1..1 + count) });
        assert_eq!(said, format!("with queues (`channels queue;`) this works{expected}"));
    }
    assert_eq!(
        text(Hint::Idle(ids(1..2))),
        "if `p1` may wait forever, write `idle` before what it waits for, or `service p1 { … }`"
    );
    assert_eq!(
        text(Hint::Idle(ids(1..3))),
        "if `p1` and `p2` may wait forever, write `idle` before what they wait for, or `service p1 { … }`"
    );
    assert_eq!(
        text(Hint::Services(ids(1..2))),
        "if `p1` may wait forever, make it a service: `service p1 { … }` or `--service p1`"
    );
    let four = text(Hint::Services(ids(1..5)));
    assert!(four.contains("make them services") && four.ends_with("--service p3 --service p4`"), "{four}");
    let five = text(Hint::Services(ids(1..6)));
    assert!(five.ends_with("--service p3 --service p4 …`"), "{five}");
}

#[test]
fn hints_name_what_should_be_done() {
    let network = ten();
    let [value, label, labelled] = contents(&network);
    let nothing = explanation(WitnessKind::Deadlock);
    let [zero, one, two] = [0, 1, 2].map(ProcessId);
    let symbol = label.label().unwrap();
    let keep_up = |taken| Hint::KeepUp { from: zero, to: one, sent: 3, taken };
    let receive = |message| Hint::Receive { from: zero, to: one, message };
    let order = |later| Hint::Order { from: zero, to: one, later };
    let tell = |teller, told_if| Hint::Tell { decider: zero, condition: symbol, process: one, teller, told_if };
    let other = |holds, stops| Hint::OtherOutcome { decider: zero, condition: symbol, holds, process: one, stops };
    let place = (zero, Span::new(0, 1));
    let branch = |meant| Hint::Label { selects: zero, offers: one, label: symbol, meant, offered: vec![symbol] };
    for (hint, expected) in [
        (keep_up(0), "let `p1` take what `p0` sends each time round, or do not send it"),
        (keep_up(2), "let `p1` take 3 messages from `p0` each time round, or let `p0` send only 2"),
        (receive(value), "let `p1` receive `x` from `p0`, or do not send it"),
        (receive(label), "let `p1` offer `l` to `p0`, or do not select it"),
        (receive(labelled), "let `p1` offer `m` to `p0`, or do not select it"),
        (
            order(value),
            "`p0` sends `x` only later, and messages are taken in the order in which they are sent: let `p1` take the oldest first",
        ),
        (
            order(label),
            "`p0` sends the label `l` only later, and messages are taken in the order in which they are sent: let `p1` take the oldest first",
        ),
        (tell(zero, None), "`p0` does not tell `p1` the outcome of `l`: add a selection to each branch"),
        (
            tell(two, None),
            "`p2` knows the outcome of `l`, but does not tell `p1`: let it select a label at `p1` in each branch",
        ),
        (
            tell(zero, Some(true)),
            "`p0` tells `p1` only when `l` is true: add a selection for when it is false, and its label to the offer of `p1`",
        ),
        (other(true, false), "this happens when `l` is true at `p0`; when it is false, `p1` can go on"),
        (other(false, true), "this happens when `l` is false at `p0`; when it is true, `p1` stops"),
        (
            Hint::TakenOtherwise { decider: zero, condition: symbol, holds: true },
            "this happens when `l` is true at `p0`; when it is false, nothing is left there",
        ),
        (
            Hint::TakenOtherwise { decider: zero, condition: symbol, holds: false },
            "this happens when `l` is false at `p0`; when it is true, nothing is left there",
        ),
        (Hint::Rendezvous { crossing: None }, "by rendezvous (`channels rendezvous;`) this works"),
        (
            Hint::Rendezvous { crossing: Some([place, (one, Span::new(1, 2))]) },
            "by rendezvous (`channels rendezvous;`) this works: there, messages of `p0` and `p1` cannot cross",
        ),
        (
            Hint::Longer { from: zero, to: one, capacity: 3, bound: 2 },
            "with longer queues this works: the queue from `p0` to `p1` needs room for 3 instead of 2",
        ),
        (branch(Some(symbol)), "did `p0` mean `l`? if not, add a branch `l` to the offer of `p1`"),
        (branch(None), "add a branch `l` to the offer of `p1`, or let `p0` select `l`"),
        (
            Hint::ValueForLabel { sends: zero, offers: one, labels: vec![symbol] },
            "let `p0` select `l` instead of sending a value, or let `p1` receive a value",
        ),
        (
            Hint::LabelForValue { selects: zero, receives: one, label: symbol },
            "let `p1` offer `l` instead of receiving a value, or let `p0` send a value",
        ),
    ] {
        assert_eq!(hint.text(&network, &nothing), expected);
    }
}

//! What can happen in a network with queues, by hand.

use super::network;
use laban::network::{Channels, Content, Interaction, Network, ProcessId};
use laban::semantics::{Configuration, Step};

/// A run of a network, written as the descriptions of its steps.
struct Run {
    network: Network,
    at: Configuration,
}

impl Run {
    fn new(network: Network) -> Self {
        Run { at: Configuration::start(&network), network }
    }

    /// Everything that can happen, in words.
    fn can(&self) -> Vec<String> {
        self.at.steps(&self.network).iter().map(|step| step.describe(&self.network).to_string()).collect()
    }

    /// Takes the step that is described so.
    fn take(&mut self, what: &str) -> &mut Self {
        let steps = self.at.steps(&self.network);
        let step = steps.into_iter().find(|step| step.describe(&self.network).to_string() == what);
        let step = step.unwrap_or_else(|| panic!("{what} is not possible, but {:?}", self.can()));
        assert!(self.at.take(&self.network, step));
        self
    }

    /// What lies in the queue between two processes, the oldest first.
    fn queue(&self, from: &str, to: &str) -> Vec<String> {
        let [from, to] = [from, to].map(|name| self.network.process_named(name).unwrap());
        let messages = self.at.queues.messages(from, to);
        messages.map(|content| content.describe(&self.network).to_string()).collect()
    }

    /// Who will never act again.
    fn dead(&self) -> Vec<&str> {
        let all: Vec<ProcessId> = self.network.process_ids().collect();
        let waits = self.at.waits(&self.network, &all);
        waits.dead().map(|process| self.network.process_name(process)).collect()
    }

    /// Who will never act again although it should.
    fn deadlocked(&self) -> Vec<&str> {
        let all: Vec<ProcessId> = self.network.process_ids().collect();
        let waits = self.at.waits(&self.network, &all);
        let stuck = waits.deadlocked(&self.network, |process| self.at.at(&self.network, process));
        stuck.into_iter().map(|process| self.network.process_name(process)).collect()
    }

    /// The smallest closed set with a process in it.
    fn closure(&self, of: &str) -> Vec<&str> {
        let all: Vec<ProcessId> = self.network.process_ids().collect();
        let waits = self.at.waits(&self.network, &all);
        let set = waits.closure(self.network.process_named(of));
        set.into_iter().map(|process| self.network.process_name(process)).collect()
    }
}

#[test]
fn messages_are_taken_in_the_order_in_which_they_were_put() {
    let text = "p { main { q!<x>; q+l; q+m<y>; stop } } | q { main { p?; p&{l: p&{m: stop}} } }";
    let mut run = Run::new(network("queue", text));
    assert_eq!(run.can(), ["p puts x into the queue to q"]);
    run.take("p puts x into the queue to q").take("p puts [l] into the queue to q");
    assert_eq!(run.can(), ["p puts y[m] into the queue to q", "q takes x from p"]);
    run.take("p puts y[m] into the queue to q");
    assert_eq!(run.queue("p", "q"), ["x", "[l]", "y[m]"]);
    assert_eq!(run.can(), ["q takes x from p"]);
    run.take("q takes x from p").take("q takes [l] from p");
    assert_eq!(run.queue("p", "q"), ["y[m]"]);
    run.take("q takes y[m] from p");
    assert!(run.can().is_empty() && run.at.queues.is_empty());
}

#[test]
fn messages_may_cross() {
    let text = "p { main { q!<x>; q?; stop } } | q { main { p!<y>; p?; stop } }";
    let mut run = Run::new(network("queue", text));
    run.take("p puts x into the queue to q").take("q puts y into the queue to p");
    assert_eq!(run.can(), ["p takes y from q", "q takes x from p"]);
    run.take("q takes x from p").take("p takes y from q");
    assert!(run.can().is_empty());
    assert!(Run::new(network("rendezvous", text)).can().is_empty());
}

#[test]
fn there_is_a_queue_for_each_ordered_pair() {
    let text = "p { main { r!<x>; stop } } | q { main { r!<y>; stop } } | r { main { q?; p?; stop } }";
    let mut run = Run::new(network("queue", text));
    run.take("p puts x into the queue to r");
    assert_eq!(run.can(), ["q puts y into the queue to r"]);
    run.take("q puts y into the queue to r").take("r takes y from q").take("r takes x from p");
}

#[test]
fn a_sender_waits_while_the_queue_is_full() {
    let text = "p { main { q!<x>; q!<y>; q!<z>; stop } } | q { main { p?; p?; p?; stop } }";
    let mut run = Run::new(network("queue 2", text));
    run.take("p puts x into the queue to q").take("p puts y into the queue to q");
    assert_eq!(run.can(), ["q takes x from p"]);
    assert_eq!(run.closure("p"), ["p", "q"]);
    assert!(run.dead().is_empty());
    run.take("q takes x from p");
    assert_eq!(run.can(), ["p puts z into the queue to q", "q takes y from p"]);
    assert_eq!(run.closure("p"), ["p"]);
    assert_eq!(run.closure("q"), ["q"]);
}

#[test]
fn two_who_wait_for_room_wait_forever() {
    let text = "p { main { q!<x>; q!<y>; q?; q?; stop } } | q { main { p!<x>; p!<y>; p?; p?; stop } }";
    let mut run = Run::new(network("queue 1", text));
    run.take("p puts x into the queue to q").take("q puts x into the queue to p");
    assert!(run.can().is_empty());
    assert_eq!(run.deadlocked(), ["p", "q"]);
}

#[test]
fn an_oldest_message_that_does_not_fit_stays_forever() {
    let text = "p { main { q!<x>; q+l; stop } } | q { main { p&{l: p?; stop} } } | r { main { q?; stop } }";
    let mut run = Run::new(network("queue", text));
    assert_eq!(run.closure("q"), ["p", "q"]);
    assert!(run.dead().is_empty());
    run.take("p puts x into the queue to q");
    assert_eq!(run.can(), ["p puts [l] into the queue to q"]);
    assert_eq!(run.dead(), ["q", "r"]);
    run.take("p puts [l] into the queue to q");
    assert_eq!(run.queue("p", "q"), ["x", "[l]"]);
    assert_eq!(run.deadlocked(), ["q", "r"]);
}

#[test]
fn a_label_that_is_not_offered_does_not_fit() {
    let text = "p { main { q+m; stop } } | q { main { p&{l: stop} } }";
    let mut run = Run::new(network("queue", text));
    run.take("p puts [m] into the queue to q");
    assert!(run.can().is_empty());
    assert_eq!(run.deadlocked(), ["q"]);
}

#[test]
fn who_waits_at_the_queue_of_one_who_has_stopped_is_dead_once_it_is_empty() {
    let text = "p { main { q!<x>; stop } } | q { main { p?; p?; stop } }";
    let mut run = Run::new(network("queue", text));
    run.take("p puts x into the queue to q");
    assert_eq!(run.dead(), ["p"]);
    run.take("q takes x from p");
    assert_eq!(run.deadlocked(), ["q"]);
}

#[test]
fn a_send_among_several_is_always_possible_and_a_receive_once_it_fits() {
    let text = "p { main { any { q!<x>; stop, q?; stop, r&{l: stop} } } } | q { main { p!<y>; stop } }
        | r { main { p+m; p+l; stop } }";
    let mut run = Run::new(network("queue", text));
    run.take("q puts y into the queue to p").take("r puts [m] into the queue to p");
    let all = ["p puts x into the queue to q", "p takes y from q", "r puts [l] into the queue to p"];
    assert_eq!(run.can(), all);
    // What lies at the front of the queue from r never fits, so r cannot change what p can do.
    assert_eq!(run.closure("p"), ["p"]);
}

#[test]
fn a_value_and_a_label_from_the_same_process_are_told_apart() {
    let text = "p { main { any { q?; stop, q&{l: stop} } } } | q { main { p+l<x>; stop } }";
    let mut run = Run::new(network("queue", text));
    assert_eq!(run.closure("p"), ["p", "q"]);
    run.take("q puts x[l] into the queue to p").take("p takes x[l] from q");
}

#[test]
fn some_channels_may_be_queues_and_others_not() {
    let text = "p { main { q!<x>; r!<y>; stop } } | q { main { p?; stop } } | r { main { p?; stop } }";
    for channels in ["p -> q queue", "queue, p -> r rendezvous"] {
        let mut run = Run::new(network(channels, text));
        run.take("p puts x into the queue to q");
        assert_eq!(run.can(), ["p.y -> r", "q takes x from p"]);
        run.take("p.y -> r").take("q takes x from p");
    }
}

#[test]
fn a_message_is_handed_over_only_past_an_empty_queue() {
    let text = "p { main { q!<x>; q!<x>; stop } } | q { main { p?; p?; stop } }";
    let mut run = Run::new(network("queue", text));
    let Step::Put(message) = run.at.steps(&run.network)[0] else { panic!("p can put") };
    let start = run.at.clone();
    assert!(run.at.take(&run.network, Step::Interaction(message)));
    let mut both = Run { network: run.network.clone(), at: start.clone() };
    both.take("p puts x into the queue to q").take("q takes x from p");
    assert_eq!(run.at, both.at);
    let mut waits = Run { network: run.network.clone(), at: start };
    waits.take("p puts x into the queue to q");
    let before = waits.at.clone();
    assert!(!waits.at.take(&waits.network, Step::Interaction(message)));
    assert_eq!(waits.at, before);
}

#[test]
fn what_is_not_possible_changes_nothing() {
    let text = "p { main { q!<x>; q!<y>; stop } } | q { main { p?; p?; stop } }";
    let mut run = Run::new(network("queue 1", text));
    let Step::Put(first) = run.at.steps(&run.network)[0] else { panic!("p can put") };
    let refused = |run: &mut Run, step: Step| {
        let before = run.at.clone();
        assert!(!run.at.take(&run.network, step), "{}", step.describe(&run.network));
        assert_eq!(run.at, before);
    };
    refused(&mut run, Step::Take(first));
    run.take("p puts x into the queue to q");
    refused(&mut run, Step::Put(first));
    let y = run.network.names().find("y").unwrap();
    let second = Interaction { content: Content::Value(y), ..first };
    // There is no room for it, and it is not the oldest.
    refused(&mut run, Step::Put(second));
    refused(&mut run, Step::Take(second));
    run.take("q takes x from p");
    // Where there is no queue, nothing is put into it.
    run.network.set_channels(Channels::default());
    refused(&mut run, Step::Put(second));
}

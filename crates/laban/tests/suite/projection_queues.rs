//! Projections of messages that wait: what they look like, the messages where there isn't one, and that a network
//! does what the choreography says, by the plain semantics.

use crate::cases;
use crate::choreographies::{lower, read, tree};
use crate::projection;
use crate::projection_races::messages;
use laban::choreography::{Choreography, Node, NodeId, NotProjected, ProjectOptions, amend, project};
use laban::equivalence::{EquivalenceOptions, equivalent_networks as equivalent};
use laban::generate::{Parameters, network as random_network};
use laban::network::{Interaction, Network, ProcessId};
use laban::semantics::{Configuration, Step};
use laban::syntax::Compact;
use laban::{AmendOptions, ExtractOptions, Limits, StopReason, Unamendable, Verdict};
use std::collections::BTreeSet;

#[track_caller]
fn check(text: &str, expected: &str) {
    projection::check(text, expected);
    let projected = project(&read(text), &ProjectOptions::default()).unwrap().network;
    assert_eq!(strays(&read(text), &projected), None, "{text}");
    assert_eq!(fails(&projected, 3, 2_000), None, "{text}");
}

/// What happens next in a run of a choreography.
enum Next {
    Message(Step),
    Taken(ProcessId, ProcessId),
}

/// Where a network cannot do what a choreography says, by the plain semantics: both are walked together.
pub(crate) fn strays(choreography: &Choreography, network: &Network) -> Option<String> {
    for &start in choreography.starts() {
        let mut seen: BTreeSet<(u32, Configuration)> = BTreeSet::new();
        let mut work = vec![(start, Configuration::start(network))];
        while let Some((node, configuration)) = work.pop() {
            if seen.len() > 20_000 || !seen.insert((node.0, configuration.clone())) {
                continue;
            }
            let ways = ways(choreography, node);
            if ways.is_empty() && choreography.starts().len() == 1 {
                if !configuration.queues.is_empty() {
                    return Some("a message is left".to_string());
                }
                if let Some(process) = network.process_ids().find(|&one| !configuration.has_stopped(network, one)) {
                    return Some(format!("{} has not stopped", network.process_name(process)));
                }
            }
            for (events, next) in ways {
                let mut after = configuration.clone();
                for event in events {
                    let step = match event {
                        Next::Message(step) => step,
                        Next::Taken(from, to) => match after.queues.oldest(from, to) {
                            Some(content) => Step::Take(Interaction { from, to, content }),
                            None => return Some(format!("nothing to take at {node:?}")),
                        },
                    };
                    if !after.take(network, step) {
                        return Some(format!("{} is not possible", step.describe(network)));
                    }
                }
                work.push((next, after));
            }
        }
    }
    None
}

/// What can happen at a node, and where it leads.
fn ways(choreography: &Choreography, node: NodeId) -> Vec<(Vec<Next>, NodeId)> {
    let taken = |interaction: &Interaction| Next::Taken(interaction.from, interaction.to);
    match choreography.node(node) {
        Node::Stop => Vec::new(),
        Node::Interaction { interaction, next } => vec![(vec![Next::Message(Step::Interaction(interaction))], next)],
        Node::Put { interaction, next } => vec![(vec![Next::Message(Step::Put(interaction))], next)],
        Node::Take { from, to, next } => vec![(vec![Next::Taken(from, to)], next)],
        Node::Group { members, next } => {
            let members = choreography.members(members);
            let puts = members.iter().map(|&member| Next::Message(Step::Put(member)));
            vec![(puts.chain(members.iter().map(taken)).collect(), next)]
        }
        Node::If { process, condition, then, otherwise } => [(true, then), (false, otherwise)]
            .map(|(holds, next)| (vec![Next::Message(Step::Decision { process, condition, holds })], next))
            .into(),
        Node::Choose { process, arms } => {
            let arms = choreography.arms(arms).iter().zip(0..);
            arms.map(|(&next, arm)| (vec![Next::Message(Step::Choice { process, arm })], next)).collect()
        }
        Node::Any { items } => choreography.arms(items).iter().flat_map(|&item| ways(choreography, item)).collect(),
    }
}

/// What goes wrong in a network, whatever the order in which things happen: somebody will never act again, or it ends
/// with a message that was not taken. Looks at so many configurations with queues of at most this length.
pub(crate) fn fails(network: &Network, longest: usize, most: usize) -> Option<String> {
    let all: Vec<ProcessId> = network.process_ids().collect();
    let start = Configuration::start(network);
    let mut seen = BTreeSet::from([start.clone()]);
    let mut work = vec![start];
    while let Some(configuration) = work.pop() {
        let dead = configuration.waits(network, &all).deadlocked(network, |process| configuration.at(network, process));
        if let Some(&process) = dead.first() {
            return Some(format!("{} is stuck: {configuration:?}", network.process_name(process)));
        }
        let steps = configuration.steps(network);
        if steps.is_empty() && !configuration.queues.is_empty() {
            return Some(format!("a message is left: {configuration:?}"));
        }
        for step in steps {
            if let Step::Put(Interaction { from, to, .. }) = step
                && configuration.queues.len(from, to) >= longest
            {
                continue;
            }
            let mut after = configuration.clone();
            assert!(after.take(network, step));
            if seen.len() < most && seen.insert(after.clone()) {
                work.push(after);
            }
        }
    }
    None
}

#[test]
fn each_half_of_a_message_concerns_its_process() {
    check(
        "main { p.x ~> q; r.y -> s; q <~ p; q.z -> r; stop }",
        "channels p -> q queue;
         p { main { q!<x>; stop } } | q { main { p?; r!<z>; stop } }
         | r { main { s!<y>; q?; stop } } | s { main { r?; stop } }",
    );
    check(
        "main { p ~> q[l]; p.x ~> q[m]; q <~ p; q <~ p; stop }",
        "channels queue; p { main { q+l; q+m<x>; stop } } | q { main { p&{l: p&{m: stop}} } }",
    );
}

#[test]
fn a_group_is_all_its_sends_and_then_all_its_receptions() {
    check(
        "def X { (a.1 -> b, b.ack0 -> a); (a.0 -> b, b.ack1 -> a); X } main { a.0 -> b; X }",
        "channels queue;
         a { def X { b!<1>; b?; b!<0>; b?; X } main { b!<0>; X } }
         | b { def X { a!<ack0>; a?; a!<ack1>; a?; X } main { a?; X } }",
    );
    check(
        "main { (p.x -> q, q.y -> r, p.z -> r, r.a -> p); stop }",
        "channels queue;
         p { main { q!<x>; r!<z>; r?; stop } } | q { main { r!<y>; p?; stop } } | r { main { p!<a>; q?; p?; stop } }",
    );
    // It takes the oldest message, and leaves its own.
    check(
        "main { p ~> q[l]; (p.x -> q); q <~ p; stop }",
        "channels queue; p { main { q+l; q!<x>; stop } } | q { main { p&{l: p?; stop} } }",
    );
}

#[test]
fn what_may_lie_first_in_a_queue_is_offered() {
    check(
        "def X { r.y -> s; q <~ p; stop } main { if p.e then p ~> q[l]; X else p ~> q[m]; X }",
        "channels p -> q queue;
         p { main { if e then q+l; stop else q+m; stop } } | q { main { p&{l: stop, m: stop} } }
         | r { main { s!<y>; stop } } | s { main { r?; stop } }",
    );
    // The label that tells comes later than another message, and was put before.
    check(
        "main { if p.e then p ~> q[l]; q.x -> r; q <~ p; stop else p ~> q[m]; q.x -> r; q <~ p; q.y -> p; stop }",
        "channels p -> q queue;
         p { main { if e then q+l; stop else q+m; q?; stop } }
         | q { main { r!<x>; p&{l: stop, m: p!<y>; stop} } } | r { main { q?; stop } }",
    );
}

#[test]
fn a_loop_may_begin_with_messages_in_its_queues() {
    check(
        "def X { p.y ~> q; q <~ p; if p.go then p ~> q[more]; q <~ p; q <~ p; p.x ~> q; X
                 else p ~> q[end]; q <~ p; q <~ p; stop } main { p.x ~> q; X }",
        "channels queue;
         p { def X { q!<y>; if go then q+more; q!<x>; X else q+end; stop } main { q!<x>; X } }
         | q { def X { p?; p?; p&{more: X, end: stop} } main { X } }",
    );
}

#[test]
fn a_race_for_what_lies_in_queues_is_the_takers() {
    check(
        "main { a.x ~> s; b.y ~> s; any { s <~ a; s <~ b; stop, s <~ b; s <~ a; stop } }",
        "channels queue;
         a { main { s!<x>; stop } } | s { main { any { a?; b?; stop, b?; a?; stop } } } | b { main { s!<y>; stop } }",
    );
    check(
        "main { any { p.x ~> q; q <~ p; p -> r[l]; stop, p ~> r[m]; r <~ p; p.z -> q; stop } }",
        "channels queue;
         p { main { any { q!<x>; r+l; stop, r+m; q!<z>; stop } } }
         | q { main { p?; stop } } | r { main { p&{l: stop, m: stop} } }",
    );
}

#[test]
fn what_does_not_fit_the_queues_has_no_projection() {
    assert_eq!(
        messages("def X { q <~ p; stop } main { if r.c then p.x ~> q; X else X }"),
        ["there may be no message from `p` for `q` to take"]
    );
    assert_eq!(
        messages("def Y { r.z -> s; Y } main { p.x ~> q; if r.c then r -> q[l]; q <~ p; stop else r -> q[m]; Y }"),
        ["`q` never takes this message from `p`"]
    );
    assert_eq!(
        messages("main { p.x ~> q; p.y -> q; q <~ p; stop }"),
        ["this message from `p` to `q` would overtake one that still waits in the queue"]
    );
    assert_eq!(
        messages("def X { p.x ~> q; p.y ~> q; q <~ p; X } main { X }"),
        ["the queue from `p` to `q` is longer each time round the loop"]
    );
    // Not only the loop that is met first.
    assert_eq!(
        messages("def X { (p.x -> q, q.y -> p); if p.c then X else p.z ~> q; X } main { X }"),
        ["the queue from `p` to `q` is longer each time round the loop"]
    );
    // A value may lie first, or a label.
    assert_eq!(
        messages("main { if p.e then p.x ~> q; q <~ p; stop else p ~> q[m]; q <~ p; stop }"),
        ["`q` is not told what `p` decides: it must do `p?; …` if `e` is true, and `p&{m: …}` if not"]
    );
    // What the hub has said might lie in the queue when the client sends.
    assert_eq!(
        messages("main { any { a.x -> s; s ~> a[l]; a <~ s; stop, b.y -> s; s ~> a[no]; a <~ s; stop } }").len(),
        2
    );
}

#[test]
fn a_projection_with_queues_can_be_given_up() {
    let text = "def X { if p.c then p.x ~> q; X else Y } def Y { if q.c then q <~ p; Y else stop } main { X }";
    let limited = ProjectOptions { limits: Limits::states(2), ..ProjectOptions::default() };
    let error = project(&read(text), &limited).unwrap_err();
    assert!(matches!(error, NotProjected::Undecided(StopReason::MaxStates(2))), "{error:?}");
}

#[test]
fn amendment_knows_what_waits() {
    let amended = |text: &str| amend(&tree(text), &AmendOptions::default());
    let told = amended("main { p.x ~> q; if r.e then q <~ p; q.y -> r; stop else q <~ p; stop }").unwrap();
    assert_eq!(
        Compact(&told.tree).to_string(),
        "main { p.x ~> q; if r.e then r -> q[L]; q <~ p; q.y -> r; stop else r -> q[R]; q <~ p; stop }"
    );
    let error = amended("main { p.x ~> q; p.y -> q; q <~ p; stop }").unwrap_err();
    let Unamendable::Unprojectable(reasons) = error else { panic!("{error:?}") };
    assert_eq!(reasons[0].to_string(), "a message would overtake others that wait in the same queue");
    // What tells would overtake the message that waits.
    let late = amended("main { p.x ~> q; if p.e then q <~ p; q.y -> p; stop else q <~ p; stop }");
    assert!(matches!(late, Err(Unamendable::Unprojectable(_))), "{late:?}");
}

/// Parameters of different kinds.
pub(crate) fn parameters(seed: u64) -> Parameters {
    let all = [
        Parameters::new(8, 3, 1, 1).with_queues(5),
        Parameters::new(6, 2, 1, 1).with_queues(4),
        Parameters::new(12, 4, 2, 2).with_queues(8),
        Parameters::new(5, 3, 0, 1).with_queues(4),
        Parameters::new(10, 3, 2, 0).with_queues(6),
    ];
    all[(seed % 5) as usize]
}

#[test]
fn random_networks_with_queues_do_what_their_choreographies_say() {
    let (mut groups, mut puts, mut queues) = (0, 0, 0);
    for seed in 0..cases(600) {
        let generated = random_network(&parameters(seed), seed)
            .unwrap_or_else(|error| panic!("seed {seed}, {}: {error}", parameters(seed)));
        let text = Compact(&generated.amended).to_string();
        let choreography = lower(&generated.amended);
        assert_eq!(strays(&choreography, &generated.network), None, "seed {seed}: {text}");
        assert_eq!(fails(&generated.network, 2, 400), None, "seed {seed}: {text}");
        groups += choreography.nodes().iter().filter(|node| matches!(node, Node::Group { .. })).count();
        puts += choreography.nodes().iter().filter(|node| matches!(node, Node::Put { .. })).count();
        queues += u64::from(generated.network.has_queues());
    }
    assert!(groups as u64 > cases(400) && puts as u64 > cases(1_000), "{groups} {puts}");
    assert_eq!(queues, cases(600));
}

#[test]
fn what_is_projected_and_extracted_can_do_the_same() {
    let (mut waits, mut longest) = (0, 0);
    for seed in 0..cases(500) {
        let generated = random_network(&parameters(seed), seed).unwrap();
        let text = Compact(&generated.amended).to_string();
        let extraction = laban::extract(&generated.network, &ExtractOptions::default())
            .unwrap_or_else(|error| panic!("seed {seed}: {text}: {error:?}"));
        assert_eq!(extraction.verdict(), Verdict::Extracted, "seed {seed}: {text}");
        let extracted = extraction.choreography().unwrap();
        let again = Compact(extraction.tree().unwrap()).to_string();
        let mut projected = project(extracted, &ProjectOptions::default())
            .unwrap_or_else(|error| panic!("seed {seed}: {text}: {again}: {error:?}"))
            .network;
        // Where nothing needs to wait, what is extracted does not say that there is a queue.
        let number = |process| projected.process_named(generated.network.process_name(process));
        let channels = generated.network.channels().renumbered(number);
        projected.set_channels(channels);
        let answer = equivalent(&generated.network, &projected, &EquivalenceOptions::default());
        assert!(answer.is_same(), "seed {seed}: {text}: {again}: {answer:?}");
        let compared = laban::equivalent(&generated.network, extracted, &EquivalenceOptions::default());
        assert!(compared.is_same(), "seed {seed}: {text}: {again}");
        waits += u64::from(extracted.has_queues());
        longest = longest.max(extraction.capacities().map(|(.., capacity)| capacity).max().unwrap_or(0));
    }
    assert!(waits > cases(100) && longest >= 2, "{waits} {longest}");
}

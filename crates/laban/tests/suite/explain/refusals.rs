//! A witness that does not show what it claims is refused.

use super::{livelock, network, witness};
use laban::extraction::explain::WitnessKind::{Deadlock, Livelock};
use laban::extraction::explain::{Part, ReplayError, Witness, explain};
use laban::extraction::{ExtractOptions, Failure, Found, finish_component, search_component};
use laban::network::{Content, Interaction, Network, ProcessId, minimise};
use laban::semantics::Step;
use laban::syntax::Symbol;

fn refused(source: &str, witness: impl Fn(&Network) -> Witness) -> ReplayError {
    let network = network(source);
    let error = explain(&network, &witness(&network)).unwrap_err();
    assert!(!error.to_string().is_empty());
    error
}

const GREETING: &str = "p { main { q!<x>; stop } } | q { main { p?; stop } }
    | r { main { s?; stop } } | s { main { r?; stop } }";

fn greeting(network: &Network) -> Step {
    let value = network.names().find("x").unwrap();
    Step::Interaction(Interaction { from: ProcessId(0), to: ProcessId(1), content: Content::Value(value) })
}

#[test]
fn a_deadlock_that_is_none_is_refused() {
    let error = refused(GREETING, |_| witness(Deadlock, &[0, 1], vec![], vec![]));
    assert!(matches!(error, ReplayError::NotDeadlocked(_)));
    let error = refused(GREETING, |network| witness(Deadlock, &[0, 1], vec![greeting(network)], vec![]));
    assert_eq!(error, ReplayError::NobodyStuck);
    let error = refused(GREETING, |network| witness(Deadlock, &[2, 3], vec![], vec![greeting(network)]));
    assert_eq!(error, ReplayError::CycleOfDeadlock);
    assert_eq!(refused(GREETING, |_| witness(Deadlock, &[], vec![], vec![])), ReplayError::NobodyStuck);
}

#[test]
fn an_impossible_step_is_refused() {
    let twice = |network: &Network| witness(Deadlock, &[0, 1], vec![greeting(network), greeting(network)], vec![]);
    assert!(matches!(refused(GREETING, twice), ReplayError::Impossible { part: Part::Run, index: 1, .. }));
    let decides = Step::Decision { process: ProcessId(0), condition: Symbol(9999), holds: true };
    let error = refused(GREETING, |_| witness(Deadlock, &[0, 1], vec![decides], vec![]));
    assert!(matches!(error, ReplayError::Impossible { part: Part::Run, index: 0, .. }));
}

#[test]
fn a_refusal_says_which_step_is_impossible() {
    let decides = Step::Decision { process: ProcessId(0), condition: Symbol(9999), holds: true };
    let error = refused(GREETING, |_| witness(Deadlock, &[0, 1], vec![decides], vec![]));
    assert_eq!(error.to_string(), "step 1 of the run is not possible");
    let error = refused(LOOPS, |network| {
        let round = livelock(network, "r.z -> s", "p.x -> q; p.y -> q");
        Witness { cycle: vec![round.cycle[0]; 2], ..round }
    });
    assert_eq!(error.to_string(), "step 2 of the cycle is not possible");
}

#[test]
fn a_failure_that_a_search_finds_with_queues_and_that_is_refused_is_no_answer() {
    let network = network("channels queue; p { main { q?; stop } } | q { main { p?; stop } }");
    let processes: Vec<ProcessId> = network.process_ids().collect();
    let finished = |claimed: Option<Failure>| {
        let mut searched = search_component(&network, &processes, 0, &ExtractOptions::default());
        let Found::Failure(failure, _) = &mut searched.found else { panic!("{searched:?}") };
        if let Some(claimed) = claimed {
            *failure = claimed;
        }
        finish_component(&network, &processes, searched).found
    };
    assert!(matches!(finished(None), Found::Failure(Failure::Deadlock { .. }, _)));
    let livelock = Failure::Livelock { run: Vec::new(), cycle: Vec::new() };
    assert!(matches!(finished(Some(livelock)), Found::Undecided(_)));
}

#[test]
fn processes_outside_of_the_component_are_refused() {
    let error = refused(GREETING, |network| witness(Deadlock, &[2, 3], vec![greeting(network)], vec![]));
    assert_eq!(error, ReplayError::NotInComponent(ProcessId(0)));
    let error = refused(GREETING, |_| witness(Deadlock, &[2], vec![], vec![]));
    assert_eq!(error, ReplayError::NotInComponent(ProcessId(3)));
    let error = refused(GREETING, |_| witness(Deadlock, &[2, 7], vec![], vec![]));
    assert_eq!(error, ReplayError::UnknownProcess(ProcessId(7)));
    let stranger = Step::Decision { process: ProcessId(7), condition: Symbol(0), holds: true };
    let error = refused(GREETING, |_| witness(Deadlock, &[2, 3], vec![stranger], vec![]));
    assert_eq!(error, ReplayError::UnknownProcess(ProcessId(7)));
    let error = refused(GREETING, |_| witness(Livelock, &[2, 3], vec![], vec![stranger]));
    assert_eq!(error, ReplayError::UnknownProcess(ProcessId(7)));
}

const LOOPS: &str = "p { def X { q!<x>; q!<y>; X } main { X } } | q { def X { p?; X } main { X } }
    | r { main { s!<z>; s?; stop } } | s { main { r?; p?; stop } }";

#[test]
fn a_livelock_that_is_none_is_refused() {
    let round = |network: &Network| livelock(network, "r.z -> s", "p.x -> q; p.y -> q");
    explain(&network(LOOPS), &round(&network(LOOPS))).unwrap();
    let error = refused(LOOPS, |network| Witness { cycle: vec![], ..round(network) });
    assert_eq!(error, ReplayError::NoCycle);
    let error = refused(LOOPS, |network| Witness { cycle: round(network).cycle[..1].to_vec(), ..round(network) });
    assert_eq!(error, ReplayError::NotClosed(ProcessId(0)));
    let error = refused(LOOPS, |network| Witness { run: vec![], ..round(network) });
    assert!(matches!(error, ReplayError::Unfair(_)));
    let error = refused(LOOPS, |network| {
        let cycle = round(network).cycle;
        Witness { cycle: vec![cycle[1], cycle[0]], ..round(network) }
    });
    assert!(matches!(error, ReplayError::Impossible { part: Part::Cycle, index: 0, .. }));
}

#[test]
fn what_becomes_possible_within_the_cycle_has_to_happen_there() {
    let source = "p { def X { if c then r!<x>; X else q!<x>; X } main { X } } | q { def X { p?; X } main { X } }
        | r { def X { p?; X } main { X } }";
    let error = refused(source, |network| livelock(network, "", "p decides c: no; p.x -> q; p decides c: yes"));
    assert!(matches!(error, ReplayError::Unfair(_)), "{error:?}");
}

#[test]
fn a_cycle_in_which_all_act_starves_nobody() {
    let source = "p { def X { q!<x>; X } main { X } } | q { def X { p?; X } main { X } }
        | service r { main { p?; stop } }";
    assert_eq!(refused(source, |network| livelock(network, "", "p.x -> q")), ReplayError::NobodyStarved);
}

#[test]
fn a_cycle_of_the_smallest_automata_is_replayed_on_the_text() {
    // q's loop is unrolled three times in the text: after one round of the smallest automata it is not where it was.
    let source = "p { def X { q!<x>; X } main { X } } | q { def X { p?; p?; p?; X } main { X } }
        | r { main { p?; stop } }";
    let network = network(source);
    let small = livelock(&minimise(&network).network, "", "p.x -> q");
    let explanation = explain(&network, &small).unwrap();
    assert_eq!(explanation.summary(&network), "livelock: `r` may never act: `p` and `q` can loop forever without it");
    assert_eq!(explanation.cycle.len(), 1);
}

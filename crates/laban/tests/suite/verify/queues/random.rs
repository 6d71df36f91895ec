//! Random choreographies for random networks with queues, judged by every interleaving.
//!
//! If a choreography lists everything that can happen everywhere, it describes its network exactly if the network does
//! not fail. Others may be right or wrong; but if one is accepted, the network does not fail, all that can happen in it
//! happens in the choreography, and whatever the network does can be found there in another order. If it is not, the
//! reason is true.

use super::made::{self, Style};
use super::verify;
use super::walker::{Local, Place, Walker};
use crate::queues::random_network;
use crate::races::twin::Space;
use crate::{cases, long_cases};
use laban::Limits;
use laban::choreography::{Choreography, Node};
use laban::equivalence::Reason;
use laban::extraction::{ExtractOptions, search};
use laban::generate::SeededRng;
use laban::network::Network;
use laban::semantics::{Configuration, Step};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// So many configurations are looked at.
const MOST: usize = 2000;

/// With more messages in a queue than this, nothing is looked at.
const LONGEST: usize = 5;

/// What a reason is called.
fn name(reason: &Reason) -> String {
    let text = format!("{reason:?}");
    let end = text.find(' ').unwrap_or(text.len());
    match reason {
        Reason::NotEnabled { obstacle, .. }
        | Reason::ItemNotEnabled { obstacle, .. }
        | Reason::GroupNotEnabled { obstacle, .. } => {
            let obstacle = format!("{obstacle:?}");
            let obstacle = &obstacle[..obstacle.find(' ').unwrap_or(obstacle.len())];
            format!("{} {obstacle}", &text[..end])
        }
        _ => text[..end].to_string(),
    }
}

/// What has been looked at.
#[derive(Debug, Default)]
struct Covered {
    accepted: u64,
    refused: BTreeMap<String, u64>,
    judged: u64,
    replayed: u64,
}

/// Everything that can happen in a network, with the states of those who act.
fn everything(network: &Network, space: &Space<'_>) -> BTreeSet<Local> {
    let mut steps = BTreeSet::new();
    for at in space.configurations() {
        for step in at.steps(network) {
            steps.insert((step, step.actors().map(|actor| at.states[actor.index()]).collect()));
        }
    }
    steps
}

/// A random run of a network.
fn random_run(network: &Network, rng: &mut SeededRng) -> Vec<Step> {
    let mut at = Configuration::start(network);
    let mut run = Vec::new();
    for _ in 0..rng.between(1, 24) {
        let steps = at.steps(network);
        if steps.is_empty() {
            break;
        }
        let step = steps[rng.below(steps.len())];
        assert!(at.take(network, step));
        run.push(step);
    }
    run
}

/// Finds a run of the network in the choreography: each process does what it does in the run, in the same order, and
/// then anything. Says why if it is not there.
fn replay(walker: Walker<'_>, run: &[Step], rng: &mut SeededRng) -> Result<(), String> {
    let mut left: BTreeMap<usize, VecDeque<Step>> = BTreeMap::new();
    for &step in run {
        step.actors().for_each(|actor| left.entry(actor.index()).or_default().push_back(step));
    }
    // One for each part.
    let mut places: Vec<Place> = walker.starts().into_iter().collect();
    let mut at = Configuration::start(walker.network);
    for _ in 0..20_000 {
        if left.values().all(VecDeque::is_empty) {
            return Ok(());
        }
        // As far as one who acts still has something to do in the run, it does that.
        let fits = |step: Step| {
            walker.events(step).into_iter().all(|event| {
                event
                    .actors()
                    .all(|actor| left.get(&actor.index()).and_then(VecDeque::front).is_none_or(|&next| next == event))
            })
        };
        let ways = places
            .iter()
            .enumerate()
            .flat_map(|(part, &place)| walker.ways(place, &at).into_iter().map(move |(step, next)| (part, step, next)));
        let ways: Vec<_> = ways.filter(|&(_, step, _)| fits(step)).collect();
        if ways.is_empty() {
            return Err(format!("nothing fits after {at:?}, left {left:?}"));
        }
        let (part, step, next) = ways[rng.below(ways.len())];
        for event in walker.events(step) {
            for actor in event.actors() {
                left.get_mut(&actor.index()).and_then(VecDeque::pop_front);
            }
        }
        assert!(at.take(walker.network, step));
        places[part] = next;
    }
    Err(format!("put off forever: {left:?}"))
}

/// Judges one answer. Says what is wrong with it.
fn judge(
    network: &Network,
    choreography: &Choreography,
    space: &Space<'_>,
    fair: bool,
    rng: &mut SeededRng,
    covered: &mut Covered,
) -> Result<bool, String> {
    let walker = Walker { network, choreography };
    if let Err(mismatch) = verify(network, choreography, fair) {
        *covered.refused.entry(name(&mismatch.reason)).or_default() += 1;
        let explained = mismatch.explain(network, choreography);
        return match walker.is_true(&mismatch) && mismatch.clone().on(network) == mismatch && !explained.is_empty() {
            true => Ok(false),
            false => Err(format!("not true: {explained}; {mismatch:?}")),
        };
    }
    covered.accepted += 1;
    let failures = space.failures(fair);
    if !failures.is_safe() {
        return Err(format!("verified, but {failures:?}"));
    }
    if space.is_complete() {
        covered.judged += 1;
        let happens = walker.everything(20_000).ok_or("there is no end to it")?;
        let left_out: Vec<Local> = everything(network, space).difference(&happens).cloned().collect();
        if let [(step, _), ..] = left_out[..] {
            return Err(format!("verified without {}", step.describe(network)));
        }
    }
    // Where two act at once, the order of a run says more than who does what.
    let waits = |run: &[Step]| run.iter().all(|step| !matches!(step, Step::Interaction(_)));
    for _ in 0..4 {
        let run = random_run(network, rng);
        if waits(&run) {
            covered.replayed += 1;
            replay(walker, &run, rng)?;
        }
    }
    Ok(true)
}

fn written(choreography: &Choreography) -> String {
    laban::Compact(&laban::choreography::read_off(choreography)).to_string()
}

#[test]
fn what_lists_everything_is_accepted_exactly_if_nothing_fails() {
    let mut covered = Covered::default();
    for seed in 0..cases(2000) {
        let Some((text, network)) = random_network(seed) else { continue };
        let space = Space::beginning(&network, 250, LONGEST);
        let rng = &mut SeededRng::for_purpose(seed, 21);
        if !space.is_complete() {
            continue;
        }
        let Some(choreography) = made::choreography(&network, Style::Everything, rng) else { continue };
        for fair in [false, true] {
            let judged = judge(&network, &choreography, &space, fair, rng, &mut covered);
            let wrong = match judged {
                Ok(false) if space.failures(fair).is_safe() => verify(&network, &choreography, fair)
                    .map_err(|mismatch| mismatch.explain(&network, &choreography))
                    .expect_err("it was refused"),
                Ok(_) => continue,
                Err(why) => why,
            };
            panic!("seed {seed}, fair {fair}: {wrong}\n{text}\n{}", written(&choreography));
        }
    }
    println!("{covered:?}");
    assert!(covered.accepted >= cases(100) && covered.judged == covered.accepted, "{covered:?}");
    for kind in ["StopsEarly", "MessageLeft", "Starved"] {
        assert!(covered.refused.get(kind).is_some_and(|&count| count >= cases(5)), "{kind}: {covered:?}");
    }
}

#[test]
fn what_is_accepted_describes_every_interleaving() {
    let cases = long_cases(250, 500);
    let mut covered = Covered::default();
    for seed in 0..cases {
        let Some((text, network)) = random_network(seed) else { continue };
        let space = Space::beginning(&network, MOST, LONGEST);
        let rng = &mut SeededRng::for_purpose(seed, 22);
        for style in [Some(Style::InTurns), Some(Style::AtRandom), Some(Style::AtRandom), None] {
            let fair = rng.below(2) == 0;
            let found = match style {
                Some(style) => made::choreography(&network, style, rng),
                None => extracted(&network, fair, rng.below(2) == 0),
            };
            let Some(mut choreography) = found else { continue };
            for changes in [0, 1, 1, 1, 1, 2, 2] {
                let mut changed = Some(choreography.clone());
                for _ in 0..changes {
                    changed = changed.and_then(|choreography| made::changed(rng, &choreography));
                }
                let Some(changed) = changed else { continue };
                match judge(&network, &changed, &space, fair, rng, &mut covered) {
                    // Go on from what is right.
                    Ok(true) if rng.below(2) == 0 => choreography = changed,
                    Ok(_) => {}
                    Err(why) => panic!("seed {seed}, {style:?}, fair {fair}: {why}\n{text}\n{}", written(&changed)),
                }
            }
        }
    }
    println!("{covered:?}");
    assert!(covered.accepted >= cases && covered.judged >= cases * 3 / 5, "{covered:?}");
    assert!(covered.replayed >= cases, "{covered:?}");
    for kind in ["Overlooked", "RunsAhead", "QueueGrows", "MessageLeft", "NeverTaken", "Starved", "DecidesFirst"] {
        assert!(covered.refused.get(kind).is_some_and(|&count| count >= cases / 125), "{kind}: {covered:?}");
    }
    for kind in ["QueueEmpty", "QueueNotEmpty", "QueueFull", "NoQueue", "OldestDoesNotFit"] {
        let kind = format!("NotEnabled {kind}");
        assert!(covered.refused.get(&kind).is_some_and(|&count| count >= (cases / 500).max(1)), "{kind}: {covered:?}");
    }
}

/// What the search finds.
fn extracted(network: &Network, fair: bool, split: bool) -> Option<Choreography> {
    let limits = Limits::states(3000);
    let options = ExtractOptions { fair, split, parallel: false, limits, ..ExtractOptions::default() };
    search(network, &options).choreography
}

#[test]
fn whatever_is_extracted_is_verified() {
    let (mut found, mut waiting) = (0, 0);
    for seed in 0..cases(3000) {
        let Some((text, network)) = random_network(seed) else { continue };
        for fair in [false, true] {
            let Some(choreography) = extracted(&network, fair, seed % 3 > 0) else { continue };
            if let Err(mismatch) = verify(&network, &choreography, fair) {
                let why = mismatch.explain(&network, &choreography);
                panic!("seed {seed}, fair {fair}: {why}\n{text}\n{}", written(&choreography));
            }
            let waits = |node: &Node| matches!(node, Node::Put { .. } | Node::Group { .. });
            found += 1;
            waiting += u64::from(choreography.nodes().iter().any(waits));
        }
    }
    println!("{found} extracted, {waiting} with messages that wait");
    assert!(found >= cases(500) && waiting >= cases(50), "{found} extracted, {waiting} with messages that wait");
}

//! Everything that must be true of one network.

use crate::behaviour::System;
use crate::certify::certify;
use crate::replay::replay;
use crate::twin;
use laban::Limits;
use laban::choreography::{self, Choreography, read_off};
use laban::equivalence::{self, Certificate, Mismatch, VerifyOptions};
use laban::extraction::{ExtractOptions, Findings, Strategy, Verdict, search, search_with};
use laban::network::{self, Network};
use laban::semantics::Configuration;
use laban::syntax::{Compact, parse_choreography, parse_network};
use laban_evaluation::Search;

/// As it is, without minimising it first.
fn verify(network: &Network, choreography: &Choreography) -> Result<Certificate, Mismatch> {
    let options = VerifyOptions { minimise: false, ..VerifyOptions::default() };
    equivalence::verify(network, choreography, &options).map_err(|error| error.mismatch().expect("there is no limit"))
}

/// What a network is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Extracted,
    Deadlock,
    Livelock,
    /// Not a network at all.
    IllFormed,
    /// Too large for the twin.
    TooLarge,
}

impl Outcome {
    pub(crate) const ALL: [Outcome; 5] =
        [Outcome::Extracted, Outcome::Deadlock, Outcome::Livelock, Outcome::IllFormed, Outcome::TooLarge];
    /// Those that the search and the twin can agree on.
    pub(crate) const DECIDED: [Outcome; 3] = [Outcome::Extracted, Outcome::Deadlock, Outcome::Livelock];
}

/// What came of checking a network.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Checked {
    pub(crate) outcome: Outcome,
    /// Whether it was extracted although some action would have closed a loop that starves somebody.
    pub(crate) detour: bool,
}

impl From<Outcome> for Checked {
    fn from(outcome: Outcome) -> Self {
        Checked { outcome, detour: false }
    }
}

/// The most configurations that the twin looks at.
const MOST_CONFIGURATIONS: usize = 20_000;
/// One network out of so many is checked with all strategies, on several threads, and with limits.
const THOROUGH: u64 = 8;

/// One network out of so many is also given to the paper's search.
const PAPER: u64 = 6;

/// Checks one network; says what is wrong.
pub(crate) fn check(system: &System, seed: u64) -> Result<Checked, String> {
    let Some(network) = read_network(system)? else { return Ok(Outcome::IllFormed.into()) };
    let Some(expected) = twin::decide(&network, MOST_CONFIGURATIONS) else { return Ok(Outcome::TooLarge.into()) };
    let mut detour = false;
    let thorough = seed.is_multiple_of(THOROUGH);
    for (number, &strategy) in Strategy::ALL.iter().enumerate() {
        // In turn, apart from the networks that are checked with all of them.
        if thorough || (seed / THOROUGH) as usize % Strategy::ALL.len() == number {
            let options = ExtractOptions { strategy, seed, parallel: false, ..ExtractOptions::default() };
            detour |= check_answer(&network, expected, &options)
                .map_err(|reason| format!("with strategy {}: {reason}", strategy.short))?;
            if (seed / THOROUGH).is_multiple_of(PAPER) {
                check_paper_search(&network, expected, &options, thorough)
                    .map_err(|reason| format!("with the paper's search and strategy {}: {reason}", strategy.short))?;
            }
            if thorough {
                check_variations(&network, expected, &options)
                    .map_err(|reason| format!("with strategy {}: {reason}", strategy.short))?;
            }
        }
    }
    let outcome = match expected {
        Verdict::Deadlock => Outcome::Deadlock,
        Verdict::Livelock => Outcome::Livelock,
        Verdict::Extracted | Verdict::Undecided => Outcome::Extracted,
        Verdict::Orphan | Verdict::Unbounded => return Err("there are no queues".to_string()),
    };
    Ok(Checked { outcome, detour })
}

/// The verdict is the twin's, and what comes with it holds. Gives back whether there was a detour.
fn check_answer(network: &Network, expected: Verdict, options: &ExtractOptions<'_>) -> Result<bool, String> {
    check_extraction(network, expected, &search(network, options))
}

fn check_extraction(network: &Network, expected: Verdict, extraction: &Findings) -> Result<bool, String> {
    let verdict = extraction.verdict();
    if verdict != expected {
        return Err(format!("the verdict is {}, the twin's {}", verdict.as_str(), expected.as_str()));
    }
    replay_failures(network, extraction)?;
    match &extraction.choreography {
        Some(_) if verdict != Verdict::Extracted => Err("there is a choreography all the same".to_string()),
        None if verdict == Verdict::Extracted => Err("there is no choreography".to_string()),
        None => Ok(false),
        Some(choreography) => {
            both_certify(network, choreography)?;
            let text = Compact(&read_off(choreography)).to_string();
            let again = read(&text).ok_or_else(|| format!("{text} is no choreography"))?;
            both_certify(network, &again).map_err(|reason| format!("as a text: {reason}\n{text}"))?;
            Ok(extraction.statistics().bad_loops > 0)
        }
    }
}

/// The most nodes that the paper's search may make: backtracking can go on for very long.
const MOST_NODES: usize = 5_000;

/// The paper's search, where it finishes, gives the same verdict, with the same proof.
fn check_paper_search(
    network: &Network,
    expected: Verdict,
    options: &ExtractOptions<'_>,
    thorough: bool,
) -> Result<(), String> {
    for (clever, minimise) in [(true, false), (true, true), (false, true)] {
        if !clever && !thorough {
            continue;
        }
        let limits = Limits { max_states: Some(MOST_NODES), ..Limits::default() };
        let options = ExtractOptions { minimise, limits, ..*options };
        let search = Search::Paper { clever };
        let findings = search_with(network, &options, |network, processes, number| {
            search.search_component(network, processes, number, &options)
        });
        // What was given up may hide a deadlock beside a livelock.
        if findings.undecided().next().is_none() {
            check_extraction(network, expected, &findings)
                .map_err(|reason| format!("clever {clever}, minimised {minimise}: {reason}"))?;
        }
    }
    Ok(())
}

/// A choreography describes a network, in both ways of looking at it.
fn both_certify(network: &Network, choreography: &Choreography) -> Result<(), String> {
    certify(network, choreography)?;
    match verify(network, choreography) {
        Ok(_) => Ok(()),
        Err(mismatch) => Err(mismatch.explain(network, choreography)),
    }
}

/// Whether both ways of looking at it say the same of the choreography of one network and another network.
pub(crate) fn check_mismatch(system: &System, other: &System) -> Result<Option<bool>, String> {
    let (Some(network), Some(other)) = (read_network(system)?, read_network(other)?) else { return Ok(None) };
    let Some(choreography) = search(&network, &ExtractOptions::default()).choreography else { return Ok(None) };
    let plain = certify(&other, &choreography);
    match (plain, verify(&other, &choreography)) {
        (Ok(()), Ok(_)) => Ok(Some(true)),
        (Err(_), Err(mismatch)) => {
            let mut configuration = Configuration::start(&other);
            match mismatch.run.iter().all(|&step| configuration.take(&other, step)) {
                true => Ok(Some(false)),
                false => Err(format!("the run to the mismatch is not possible: {mismatch:?}")),
            }
        }
        (Err(reason), Ok(_)) => Err(format!("verified, although {reason}")),
        (Ok(()), Err(mismatch)) => Err(format!("certified, but {}", mismatch.explain(&other, &choreography))),
    }
}

fn replay_failures(network: &Network, extraction: &Findings) -> Result<(), String> {
    extraction.failures().try_for_each(|(component, failure)| replay(network, component, failure))
}

/// The network that a system is; none if it is ill-formed.
fn read_network(system: &System) -> Result<Option<Network>, String> {
    let text = system.to_string();
    let parsed = parse_network(&text);
    match parsed.diagnostics.first() {
        Some(diagnostic) => Err(format!("it does not parse: {}", diagnostic.message)),
        None => Ok(network::lower(&parsed.tree).network),
    }
}

fn read(text: &str) -> Option<Choreography> {
    let parsed = parse_choreography(text);
    if !parsed.diagnostics.is_empty() {
        return None;
    }
    choreography::lower(&parsed.tree).choreography
}

/// Threads change nothing, and a limit leads to no wrong answer.
fn check_variations(network: &Network, expected: Verdict, options: &ExtractOptions<'_>) -> Result<(), String> {
    let everything = search(network, options);
    let parallel = search(network, &ExtractOptions { parallel: true, ..*options });
    if format!("{everything:?}") != format!("{parallel:?}") {
        return Err("several threads give another answer".to_string());
    }
    let nodes = everything.statistics().nodes;
    for most in [1, nodes / 3, nodes * 2 / 3] {
        let limits = Limits { max_states: Some(most), ..Limits::default() };
        let limited = search(network, &ExtractOptions { limits, ..*options });
        replay_failures(network, &limited)?;
        let verdict = limited.verdict();
        // A livelock is proved by its cycle. That there is a deadlock as well may lie behind the limit.
        let shown = verdict == Verdict::Livelock && expected == Verdict::Deadlock;
        if verdict != expected && verdict != Verdict::Undecided && !shown {
            return Err(format!("with at most {most} nodes the verdict is {}", verdict.as_str()));
        }
    }
    Ok(())
}

//! What must be true of every system.

use crate::systems::{Features, choreography, network};
use laban::choreography::NotProjected;
use laban::equivalence::{Mismatch, Reason};
use laban::extraction::Strategy;
use laban::network::{Channel, Channels, Network};
use laban::{
    AmendOptions, Compact, EquivalenceOptions, ExtractOptions, Extraction, Limits, NotVerified, ProjectOptions,
    Verdict, VerifyOptions, amend, analyse, equivalent, extract, project, verify,
};
use laban_evaluation::Search;
use laban_evaluation::run::Run;

/// So many states are looked at.
const MOST: usize = 2_000;

/// So many by the search of the paper, which takes longer for each.
const MOST_OF_PAPER: usize = 400;

/// So many pairs of points are compared to amend a choreography.
const MOST_OF_AMENDMENT: usize = 200;

fn options() -> ExtractOptions<'static> {
    ExtractOptions { limits: Limits::states(MOST), parallel: false, queue: 8, ..ExtractOptions::default() }
}

/// An answer; a choreography that is not certified or a failure that cannot be replayed is an error.
fn answer(text: &str, network: &Network, options: &ExtractOptions<'_>) -> Extraction {
    extract(network, options).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn line(extraction: &Extraction) -> Option<String> {
    extraction.tree().map(|tree| Compact(tree).to_string())
}

/// Any network, with races and queues: what is extracted describes it, together or in components, and what is safe
/// without fairness is safe with it.
pub fn extraction_is_certified(bytes: &[u8]) {
    let text = network(bytes, Features { races: true, queues: true, services: true });
    let Ok(network) = analyse(text.as_str()).into_network() else { return };
    let plain = answer(&text, &network, &options());
    if let Some(choreography) = plain.choreography() {
        let options = VerifyOptions { minimise: false, parallel: false, ..VerifyOptions::default() };
        if let Err(NotVerified::Mismatch(mismatch)) = verify(&network, choreography, &options) {
            panic!("{text}: {}", mismatch.explain(&network, choreography));
        }
    }
    let together = answer(&text, &network, &ExtractOptions { split: false, ..options() });
    match plain.components() {
        [_] => agree(&text, &plain, &together),
        // Each component fails in its own way, and all of them together in one.
        _ => agree_on_success(&text, &plain, &together),
    }
    if plain.verdict() == Verdict::Extracted {
        let fair = answer(&text, &network, &ExtractOptions { fair: true, ..options() });
        agree(&text, &plain, &fair);
    }
}

fn agree(text: &str, one: &Extraction, other: &Extraction) {
    // Whoever has given up after a livelock has not looked for a deadlock everywhere.
    if [one, other].iter().any(|answer| answer.verdict() == Verdict::Livelock && has_given_up(answer)) {
        return agree_on_success(text, one, other);
    }
    let verdicts = [one.verdict(), other.verdict()];
    assert!(verdicts.contains(&Verdict::Undecided) || verdicts[0] == verdicts[1], "{text}: {verdicts:?}");
}

/// Whether the limit ended a search of [`options`].
fn has_given_up(extraction: &Extraction) -> bool {
    extraction.components().iter().any(|component| component.statistics.nodes > MOST)
}

fn agree_on_success(text: &str, one: &Extraction, other: &Extraction) {
    let verdicts = [one.verdict(), other.verdict()];
    let extracted = verdicts.map(|verdict| verdict == Verdict::Extracted);
    assert!(verdicts.contains(&Verdict::Undecided) || extracted[0] == extracted[1], "{text}: {verdicts:?}");
}

/// Any network without races: all strategies and the search of the paper say the same.
pub fn searches_agree(bytes: &[u8]) {
    let text = network(bytes, Features { races: false, queues: false, services: true });
    let Ok(network) = analyse(text.as_str()).into_network() else { return };
    let fast = answer(&text, &network, &options());
    let strategy = Strategy::ALL[bytes.last().map_or(0, |&last| usize::from(last)) % Strategy::ALL.len()];
    agree(&text, &fast, &answer(&text, &network, &ExtractOptions { strategy, ..options() }));
    agree(&text, &fast, &answer(&text, &network, &ExtractOptions { minimise: false, ..options() }));
    for clever in [false, true] {
        let search = Search::Paper { clever };
        let options = ExtractOptions { strategy, limits: Limits::states(MOST_OF_PAPER), ..options() };
        // Where the other search finds another failure within these limits, the paper's may as well.
        let is_within = answer(&text, &network, &options).verdict() == fast.verdict();
        if is_within && search.refuses(&network, &options).is_none() {
            let paper = search.extract(&network, &options).unwrap_or_else(|error| panic!("{text}: {error}"));
            agree(&text, &fast, &paper);
        }
    }
}

/// Any network without races and services that works by rendezvous works with queues, and the answer is the same. (A
/// service may wait forever to send; with a queue it sends, and what it sent may be left.)
pub fn queues_keep_rendezvous(bytes: &[u8]) {
    let text = network(bytes, Features { races: false, queues: false, services: false });
    let Ok(mut network) = analyse(text.as_str()).into_network() else { return };
    let rendezvous = answer(&text, &network, &options());
    network.set_channels(Channels::all(Channel::Queue { bound: None }));
    let queues = answer(&text, &network, &options());
    if rendezvous.verdict() == Verdict::Extracted && queues.verdict() != Verdict::Undecided {
        assert_eq!(line(&rendezvous), line(&queues), "{text}");
    }
}

/// Any choreography, with the selections that it lacks: its projection never gets stuck, does what the choreography
/// says, and what is extracted from it says the same.
pub fn projection_is_extracted(bytes: &[u8]) {
    let text = choreography(bytes);
    let analysis = analyse(text.as_str());
    let Some(tree) = analysis.choreography_tree().filter(|_| analysis.choreography().is_some()) else { return };
    let limits = Limits::states(MOST);
    let Ok(amended) =
        amend(tree, &AmendOptions { limits: Limits::states(MOST_OF_AMENDMENT), ..AmendOptions::default() })
    else {
        return;
    };
    let text = Compact(&amended.tree).to_string();
    let choreography = analyse(text.as_str()).into_choreography().unwrap_or_else(|error| panic!("{text}: {error}"));
    let projection = match project(&choreography, &ProjectOptions { limits, ..ProjectOptions::default() }) {
        Ok(projection) => projection,
        Err(NotProjected::Undecided(_)) => return,
        Err(reason) => panic!("amended, and without a projection: {text}: {reason}"),
    };
    let network = &projection.network;
    let extraction = answer(&text, network, &options());
    match extraction.verdict() {
        Verdict::Extracted => {
            let options = VerifyOptions { limits, parallel: false, ..VerifyOptions::default() };
            match verify(network, &choreography, &options) {
                // It repeats something forever while others wait who need not, since they never interact.
                Err(NotVerified::Mismatch(Mismatch { reason: Reason::Starved { .. }, .. })) => return,
                Err(NotVerified::Mismatch(mismatch)) => panic!("{text}: {}", mismatch.explain(network, &choreography)),
                _ => {}
            }
            let extracted = extraction.choreography().unwrap_or_else(|| panic!("{text}"));
            let comparison = equivalent(&choreography, extracted, &EquivalenceOptions { limits, ..Default::default() });
            assert!(comparison.difference().is_none(), "{text}");
        }
        // A loop of others can starve somebody.
        Verdict::Livelock | Verdict::Undecided => {}
        other => panic!("{text}: {other:?}"),
    }
}

/// Any line: if it is a saved result of the evaluation, writing it down again gives a line that says the same.
pub fn saved_runs_are_read(line: &str) {
    if let Some(run) = Run::parse(line) {
        let again = Run::parse(&run.to_string()).map(|run| run.to_string());
        assert_eq!(again, Some(run.to_string()), "{line}");
    }
}

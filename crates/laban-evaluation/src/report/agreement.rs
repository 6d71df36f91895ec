//! Whether the searches agree, and whether what was extracted is right.

use super::document::{Section, Table};
use super::results::{Pair, Results};
use super::statistics::{count, percent};
use crate::plan::Part;
use crate::run::Run;
use std::collections::BTreeMap;

/// How often, in one part or in all.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Agreement {
    /// Networks and strategies that both searches were tried on.
    pub(super) pairs: usize,
    /// Those that both finished on.
    pub(super) both: usize,
    /// Those with the same verdict.
    pub(super) same: usize,
    /// Choreographies that were extracted.
    pub(super) extracted: usize,
    /// Those that are equivalent to what they should be.
    pub(super) equivalent: usize,
    /// Those of them that were certified rather than projected and compared.
    pub(super) certified: usize,
    /// Those that are not.
    pub(super) different: usize,
    /// Networks on which two strategies of the same search, or the two searches, came to different verdicts.
    pub(super) split: usize,
}

impl Agreement {
    pub(super) fn of(results: &Results<'_>, part: &str) -> Agreement {
        let mut sum = Agreement::default();
        for Pair { paper, fast } in results.pairs(part) {
            sum.pairs += 1;
            let both = paper.finished() && fast.finished();
            sum.both += usize::from(both);
            sum.same += usize::from(both && paper.verdict == fast.verdict);
        }
        let mut verdicts: BTreeMap<[&str; 4], &str> = BTreeMap::new();
        for run in results.part(part) {
            sum.extracted += usize::from(run.verdict == "extracted");
            sum.equivalent += usize::from(run.is_equivalent());
            sum.certified += usize::from(run.equivalent == "certified");
            sum.different += usize::from(run.equivalent == "no");
            sum.split += usize::from(run.finished() && differs(&mut verdicts, run));
        }
        sum
    }

    pub(super) fn and(self, other: Agreement) -> Agreement {
        Agreement {
            pairs: self.pairs + other.pairs,
            both: self.both + other.both,
            same: self.same + other.same,
            extracted: self.extracted + other.extracted,
            equivalent: self.equivalent + other.equivalent,
            certified: self.certified + other.certified,
            different: self.different + other.different,
            split: self.split + other.split,
        }
    }
}

/// Whether a search says something else than the first one of the same network.
fn differs<'a>(verdicts: &mut BTreeMap<[&'a str; 4], &'a str>, run: &'a Run) -> bool {
    // The index is part of the network, too; it has one digit, and the point does not end with it.
    let index = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"].get(run.key.index as usize).copied().unwrap_or("");
    let network = [run.key.family.as_str(), run.key.point.as_str(), run.key.variant.as_str(), index];
    *verdicts.entry(network).or_insert(run.verdict.as_str()) != run.verdict
}

pub(super) fn section(results: &Results<'_>) -> Section {
    let mut section = Section::new("Agreement and correctness");
    section.text(
        "*Agree*: both searches have the same verdict, among the networks and strategies on which both \
         finished. *Equivalent*: the extracted choreography does exactly what it should. For generated and \
         unrolled networks that is what the original choreography does, for the others what the network does. \
         The comparison is exact. It compares the projections of both; a choreography of more than 2,000 \
         nodes is instead followed in lockstep with the network of the original, which has been checked \
         against the original in the same way (*certified*). The paper's comparison finished on about 5 % of \
         its tests.",
    );
    let head = [
        "part",
        "pairs of searches",
        "both finished",
        "agree",
        "%",
        "strategies that differ",
        "extracted",
        "equivalent",
        "of these certified",
        "different",
        "%",
    ];
    let mut table = Table::new("Agreement of the searches, and correctness of what they extract", 1, head);
    let mut total = Agreement::default();
    for part in Part::ALL {
        let agreement = Agreement::of(results, part.name());
        if results.has(part.name()) {
            table.rows.push(row(part.name(), agreement));
            total = total.and(agreement);
        }
    }
    table.rows.push(row("all", total));
    section.table(table);
    section
}

fn row(name: &str, agreement: Agreement) -> Vec<String> {
    let Agreement { pairs, both, same, extracted, equivalent, certified, different, split } = agreement;
    let mut row = vec![name.to_string()];
    row.extend([count(pairs), count(both), count(same), percent(same, both), count(split)]);
    row.extend([
        count(extracted),
        count(equivalent),
        count(certified),
        count(different),
        percent(equivalent, extracted),
    ]);
    row
}

//! A summary of many answers: how many of each kind, how many nodes, how long they took.

use comfy_table::{CellAlignment, Table, presets};
use laban_report::Record;

/// The outcomes in the order of the table.
const OUTCOMES: [&str; 9] =
    ["extracted", "deadlock", "livelock", "orphan", "unbounded", "ill-formed", "syntax-error", "undecided", "fault"];

/// Adds up answers; its size does not depend on how many there are.
#[derive(Default)]
pub(crate) struct Summary {
    rows: [Row; OUTCOMES.len()],
}

#[derive(Default)]
struct Row {
    count: usize,
    nodes: usize,
    times: Histogram,
}

impl Summary {
    pub(crate) fn add(&mut self, record: &Record) {
        let Some(index) = OUTCOMES.iter().position(|&outcome| outcome == record.outcome) else { return };
        let row = &mut self.rows[index];
        row.count += 1;
        row.nodes += record.nodes;
        row.times.add(record.parse_us.unwrap_or(0) + record.extract_us.unwrap_or(0));
    }

    /// A line for each outcome that occurred, and one for all.
    pub(crate) fn table(&self) -> Table {
        let mut table = Table::new();
        table
            .load_style(presets::NOTHING)
            .set_header(["outcome", "networks", "nodes", "median", "90 %", "99 %", "longest", "in all"]);
        let mut all = Row::default();
        for (outcome, row) in OUTCOMES.iter().zip(&self.rows) {
            all.count += row.count;
            all.nodes += row.nodes;
            all.times.merge(&row.times);
            if row.count > 0 {
                table.add_row(row.cells(outcome));
            }
        }
        table.add_row(all.cells("all"));
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table
    }
}

impl Row {
    fn cells(&self, name: &str) -> [String; 8] {
        let times = &self.times;
        let at = |share| duration(times.quantile(share));
        [
            name.to_string(),
            self.count.to_string(),
            self.nodes.to_string(),
            at(0.5),
            at(0.9),
            at(0.99),
            duration(times.longest),
            duration(times.sum),
        ]
    }
}

fn duration(micros: u64) -> String {
    match micros {
        0..1_000 => format!("{micros} µs"),
        1_000..1_000_000 => format!("{:.1} ms", micros as f64 / 1e3),
        _ => format!("{:.2} s", micros as f64 / 1e6),
    }
}

/// How often which time was needed, in steps of about six per cent.
struct Histogram {
    buckets: Vec<u32>,
    count: u64,
    longest: u64,
    sum: u64,
}

/// Buckets for each doubling of the time.
const PER_DOUBLING: u32 = 16;

impl Default for Histogram {
    fn default() -> Self {
        Histogram { buckets: vec![0; 65 * PER_DOUBLING as usize], count: 0, longest: 0, sum: 0 }
    }
}

impl Histogram {
    fn bucket(micros: u64) -> usize {
        let doublings = micros.max(1).ilog2();
        let rest = ((u128::from(micros.max(1)) * u128::from(PER_DOUBLING)) >> doublings) as u32 - PER_DOUBLING;
        (doublings * PER_DOUBLING + rest) as usize
    }

    /// The least time that belongs to a bucket.
    fn least(bucket: usize) -> u64 {
        let (doublings, rest) = (bucket as u32 / PER_DOUBLING, bucket as u32 % PER_DOUBLING);
        ((u128::from(PER_DOUBLING + rest) << doublings) / u128::from(PER_DOUBLING)) as u64
    }

    fn add(&mut self, micros: u64) {
        self.buckets[Self::bucket(micros)] += 1;
        self.count += 1;
        self.longest = self.longest.max(micros);
        self.sum = self.sum.saturating_add(micros);
    }

    fn merge(&mut self, other: &Histogram) {
        for (bucket, count) in self.buckets.iter_mut().zip(&other.buckets) {
            *bucket += count;
        }
        self.count += other.count;
        self.longest = self.longest.max(other.longest);
        self.sum = self.sum.saturating_add(other.sum);
    }

    /// The time that this share of all did not exceed.
    fn quantile(&self, share: f64) -> u64 {
        let wanted = ((self.count as f64 * share).ceil() as u64).max(1);
        let mut seen = 0;
        for (bucket, &count) in self.buckets.iter().enumerate() {
            seen += u64::from(count);
            if seen >= wanted {
                return Self::least(bucket).min(self.longest);
            }
        }
        self.longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_right_within_a_bucket() {
        let mut times = Histogram::default();
        (1..=1000).for_each(|micros| times.add(micros));
        for (share, exact) in [(0.5, 500.0), (0.9, 900.0), (0.99, 990.0)] {
            let found = times.quantile(share) as f64;
            assert!((found / exact - 1.0).abs() < 0.07, "{share}: {found}");
        }
        assert_eq!(times.longest, 1000);
        times.add(u64::MAX);
        assert_eq!(times.quantile(1.0), Histogram::least(Histogram::bucket(u64::MAX)));
    }
}

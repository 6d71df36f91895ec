//! The numbers of the paper: *Implementing choreography extraction* by Cruz-Filipe, Montesi and Safina.

/// A row of table 1, in milliseconds.
pub(super) struct BenchmarkTimes {
    pub(super) benchmark: &'static str,
    pub(super) title: &'static str,
    /// Single and double, searched as a whole.
    pub(super) sequential: [f64; 2],
    /// Single and double, split into components that are searched in parallel.
    pub(super) parallel: [f64; 2],
}

const fn row(benchmark: &'static str, title: &'static str, sequential: [f64; 2], parallel: [f64; 2]) -> BenchmarkTimes {
    BenchmarkTimes { benchmark, title, sequential, parallel }
}

/// Table 1.
pub(super) const TABLE_1: [BenchmarkTimes; 7] = [
    row("bargain", "Bargain", [1.7, 10.0], [3.0, 3.7]),
    row("cloud-system", "Cloud system", [8.3, 83.0], [8.6, 8.3]),
    row("filter-collaboration", "Filter collaboration", [4.0, 123.3], [5.0, 4.7]),
    row("health-system", "Health system", [6.0, 80.3], [7.3, 11.7]),
    row("logistic", "Logistic", [1.0, 34.7], [5.3, 16.7]),
    row("running-example", "Running example", [7.7, 143.3], [5.7, 6.7]),
    row("sanitary-agency", "Sanitary agency", [6.0, 61.0], [8.0, 7.3]),
];

/// A row of table 3: deletions and swaps, and for each strategy the per cent that cannot be extracted and the
/// milliseconds.
pub(super) struct FuzzedRow {
    pub(super) variant: &'static str,
    pub(super) percent: [u32; 10],
    pub(super) milliseconds: [u32; 10],
}

/// Table 3. The strategies are in the order of [`Strategy::ALL`](laban::extraction::Strategy::ALL).
pub(super) const TABLE_3: [FuzzedRow; 3] = [
    FuzzedRow {
        variant: "0-1",
        percent: [48, 44, 47, 47, 46, 48, 46, 47, 45, 45],
        milliseconds: [158, 1595, 1667, 203, 283, 219, 218, 218, 258, 215],
    },
    FuzzedRow { variant: "1-0", percent: [99; 10], milliseconds: [330, 2192, 2177, 297, 525, 306, 300, 301, 338, 260] },
    FuzzedRow {
        variant: "2-2",
        percent: [100; 10],
        milliseconds: [195, 1378, 1581, 158, 181, 124, 120, 115, 131, 133],
    },
];

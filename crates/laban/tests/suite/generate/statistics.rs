//! Whether counts fit what was expected: Pearson's chi-squared test.

/// How counts compare with what was expected.
#[derive(Debug)]
pub(crate) struct ChiSquared {
    pub(crate) statistic: f64,
    pub(crate) degrees: usize,
    /// The probability of a statistic that is at least as large.
    pub(crate) probability: f64,
}

/// Compares counts with expectations of the same sum.
pub(crate) fn chi_squared(pairs: impl IntoIterator<Item = (f64, f64)>) -> ChiSquared {
    let (mut statistic, mut cells) = (0.0, 0usize);
    for (count, expected) in pairs {
        statistic += (count - expected) * (count - expected) / expected;
        cells += 1;
    }
    let degrees = cells.saturating_sub(1);
    ChiSquared { statistic, degrees, probability: upper_gamma(degrees as f64 / 2.0, statistic / 2.0) }
}

/// Compares counts with all being the same.
pub(crate) fn uniform(counts: &[u64]) -> ChiSquared {
    let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    chi_squared(counts.iter().map(|&count| (count as f64, expected)))
}

/// The regularised upper incomplete gamma function, by its series or its continued fraction.
fn upper_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 || a <= 0.0 {
        return 1.0;
    }
    let front = (a * x.ln() - x - log_gamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        while term > sum * 1e-15 {
            n += 1.0;
            term *= x / n;
            sum += term;
        }
        return 1.0 - front * sum;
    }
    let mut b = x + 1.0 - a;
    let (mut c, mut d) = (1e300, 1.0 / b);
    let mut h = d;
    for i in 1..10_000 {
        let i = f64::from(i);
        let factor = -i * (i - a);
        b += 2.0;
        d = 1.0 / (factor * d + b);
        c = b + factor / c;
        h *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    front * h
}

/// Lanczos' approximation.
fn log_gamma(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 6] = [
        76.180_091_729_471_46,
        -86.505_320_329_416_77,
        24.014_098_240_830_91,
        -1.231_739_572_450_155,
        0.001_208_650_973_866_179,
        -0.000_005_395_239_384_953,
    ];
    let sum = COEFFICIENTS.iter().zip(1..).fold(1.000_000_000_190_015, |sum, (c, n)| sum + c / (x + f64::from(n)));
    (x + 0.5) * (x + 5.5).ln() - (x + 5.5) + (2.506_628_274_631_000_5 * sum / x).ln()
}

#[test]
fn known_quantiles() {
    // From tables of the distribution.
    for (degrees, statistic, probability) in [(1.0, 3.841, 0.05), (10.0, 18.307, 0.05), (30.0, 59.703, 0.001)] {
        let found = upper_gamma(degrees / 2.0, statistic / 2.0);
        assert!((found - probability).abs() < 1e-4, "{degrees} degrees: {found}");
    }
}

//! Sums and means, and numbers as people read them.

/// The mean. Nothing if there is nothing.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The median. Nothing if there is nothing.
pub(super) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let upper = sorted.get(middle).copied()?;
    match sorted.len() % 2 {
        0 => Some(f64::midpoint(sorted[middle - 1], upper)),
        _ => Some(upper),
    }
}

/// A number with three digits that count.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    if size >= 99.95 || size == 0.0 {
        return grouped(&format!("{value:.0}"));
    }
    let decimals = match size {
        size if size >= 9.995 => 1,
        size if size >= 0.9995 => 2,
        size if size >= 0.09995 => 3,
        size if size >= 0.009_995 => 4,
        _ => 5,
    };
    format!("{value:.decimals$}")
}

/// A number, or a dash.
pub(super) fn number_or_dash(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_string(), number)
}

/// One number divided by another, or a dash.
pub(super) fn ratio(of: Option<f64>, to: Option<f64>) -> String {
    match (of, to) {
        (Some(of), Some(to)) if to > 0.0 => number(of / to),
        _ => "–".to_string(),
    }
}

/// So many of so many, in per cent.
pub(super) fn percent(some: usize, all: usize) -> String {
    match all {
        0 => "–".to_string(),
        // What is not all is never shown as all.
        _ if some < all && some * 1000 >= all * 995 => "99+".to_string(),
        _ => format!("{:.0}", 100.0 * some as f64 / all as f64),
    }
}

/// A count with its thousands apart.
pub(super) fn count(value: usize) -> String {
    grouped(&value.to_string())
}

fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) && digit.is_ascii_digit() && !out.ends_with('-')
        {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

//! Charts as SVG: points and lines over two axes, with a legend beside them.
//!
//! Each chart brings its own style and has no background, so that it can be read on a light page and on a dark one, on
//! its own or as a part of a page.

use super::html::escaped;
use super::statistics::number;
use std::fmt::Write;

/// A chart.
pub(super) struct Chart {
    pub(super) title: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) series: Vec<Series>,
}

/// What an axis shows.
pub(super) struct Axis {
    pub(super) label: String,
    /// Whether each step multiplies.
    pub(super) logarithmic: bool,
}

/// Points that belong together.
pub(super) struct Series {
    pub(super) name: String,
    /// The number of its colour and of the form of its marks.
    pub(super) look: usize,
    /// Whether its marks are filled; lines are then whole, and dashed otherwise.
    pub(super) filled: bool,
    /// Whether the points are joined.
    pub(super) line: bool,
    pub(super) points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 74.0;
const RIGHT: f64 = 600.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 346.0;

/// Colours that can be told apart by those who see fewer of them, on white and on black (after Okabe and Ito).
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

const STYLE: &str = "\
.chart text { font: 12px system-ui, sans-serif; fill: #222; } .chart .title { font-weight: 600; font-size: 13px; } \
.chart .axis { stroke: #555; fill: none; } .chart .grid { stroke: #8884; fill: none; } \
@media (prefers-color-scheme: dark) { .chart text { fill: #ddd; } .chart .axis { stroke: #aaa; } }";

/// From values to places.
struct Scale {
    logarithmic: bool,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    ticks: Vec<f64>,
}

impl Scale {
    fn new(values: impl Iterator<Item = f64>, logarithmic: bool, from: f64, to: f64) -> Scale {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if logarithmic {
            let low = low.max(1e-9).log10().floor();
            let high = high.max(1e-9).log10().ceil().max(low + 1.0);
            // Not more than about eight ticks.
            let step = ((high - low) / 8.0).ceil().max(1.0);
            // With few powers of ten there is room for what is between them.
            let between: &[f64] = if high - low <= 2.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
            let powers = steps(low, high, step).map(|power| 10f64.powf(power));
            let all = powers.flat_map(|power| between.iter().map(move |factor| power * factor));
            let ticks = all.filter(|tick| *tick <= 10f64.powf(high) * 1.001).collect();
            return Scale { logarithmic, low, high, from, to, ticks };
        }
        let low = low.min(0.0);
        let span = (high - low).max(1e-9);
        let rough = span / 6.0;
        let magnitude = 10f64.powf(rough.log10().floor());
        let nice = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * magnitude >= rough).unwrap_or(10.0);
        let step = nice * magnitude;
        let high = (high / step).ceil() * step;
        Scale { logarithmic, low, high, from, to, ticks: steps(low, high, step).collect() }
    }

    fn place(&self, value: f64) -> f64 {
        let value = if self.logarithmic { value.max(1e-9).log10() } else { value };
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }
}

fn steps(low: f64, high: f64, step: f64) -> impl Iterator<Item = f64> {
    let count = ((high - low) / step + 0.5).floor().max(0.0) as u32;
    (0..=count).map(move |number| low + f64::from(number) * step)
}

impl Chart {
    pub(super) fn svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| series.points.iter());
        let x = Scale::new(points().map(|point| point.0), self.x.logarithmic, LEFT, RIGHT);
        let y = Scale::new(points().map(|point| point.1), self.y.logarithmic, BOTTOM, TOP);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" role=\"img\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
             <text class=\"title\" x=\"{LEFT}\" y=\"18\">{title}</text>\n",
            title = escaped(&self.title),
        );
        self.write_axes(&mut out, &x, &y);
        for series in &self.series {
            write_series(&mut out, series, &x, &y);
        }
        self.write_legend(&mut out);
        out.push_str("</svg>\n");
        out
    }

    fn write_axes(&self, out: &mut String, x: &Scale, y: &Scale) {
        for &tick in &x.ticks {
            let at = x.place(tick);
            let _ = writeln!(
                out,
                "<path class=\"grid\" d=\"M{at:.1} {TOP}V{BOTTOM}\"/><text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                BOTTOM + 17.0,
                tick_text(tick)
            );
        }
        for &tick in &y.ticks {
            let at = y.place(tick);
            let _ = writeln!(
                out,
                "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{RIGHT}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 7.0,
                at + 4.0,
                tick_text(tick)
            );
        }
        let _ = writeln!(out, "<path class=\"axis\" d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\"/>");
        let middle = f64::midpoint(LEFT, RIGHT);
        let _ = writeln!(
            out,
            "<text x=\"{middle}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            BOTTOM + 40.0,
            escaped(&self.x.label)
        );
        let middle = f64::midpoint(TOP, BOTTOM);
        let _ = writeln!(
            out,
            "<text transform=\"translate(16 {middle}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            escaped(&self.y.label)
        );
    }

    fn write_legend(&self, out: &mut String) {
        for (number, series) in self.series.iter().enumerate() {
            let y = TOP + 10.0 + 20.0 * number as f64;
            let x = RIGHT + 18.0;
            if series.line {
                write_line(out, series, &format!("M{x:.1} {y:.1}H{:.1}", x + 24.0));
            }
            write_mark(out, series, x + 12.0, y);
            let _ = writeln!(out, "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>", x + 32.0, y + 4.0, escaped(&series.name));
        }
    }
}

fn tick_text(tick: f64) -> String {
    match tick {
        tick if tick >= 1e6 => format!("{}M", number(tick / 1e6).trim_end_matches(".00").trim_end_matches(".0")),
        tick if tick >= 1e3 => number(tick),
        // Without the zeros that say nothing.
        tick => {
            let text = format!("{tick:.6}");
            text.trim_end_matches('0').trim_end_matches('.').to_string()
        }
    }
}

fn colour(series: &Series) -> &'static str {
    COLOURS[series.look % COLOURS.len()]
}

fn write_line(out: &mut String, series: &Series, path: &str) {
    let dashes = if series.filled { "" } else { " stroke-dasharray=\"5 3\"" };
    let _ =
        writeln!(out, "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"{dashes}/>", colour(series));
}

fn write_series(out: &mut String, series: &Series, x: &Scale, y: &Scale) {
    if series.line {
        let mut path = String::new();
        for (number, &(a, b)) in series.points.iter().enumerate() {
            let _ = write!(path, "{}{:.1} {:.1}", if number == 0 { 'M' } else { 'L' }, x.place(a), y.place(b));
        }
        write_line(out, series, &path);
    }
    for &(a, b) in &series.points {
        write_mark(out, series, x.place(a), y.place(b));
    }
}

/// A mark of the form that goes with the colour.
fn write_mark(out: &mut String, series: &Series, x: f64, y: f64) {
    let colour = colour(series);
    let fill = if series.filled { colour } else { "none" };
    let path = match series.look % 4 {
        0 => format!("M{:.1} {y:.1}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z", x - 3.0),
        1 => format!("M{:.1} {:.1}h5.4v5.4h-5.4z", x - 2.7, y - 2.7),
        2 => format!("M{x:.1} {:.1}l3.6 6h-7.2z", y - 3.6),
        _ => format!("M{x:.1} {:.1}l3.6 3.6l-3.6 3.6l-3.6 -3.6z", y - 3.6),
    };
    let _ = writeln!(out, "<path d=\"{path}\" fill=\"{fill}\" stroke=\"{colour}\"/>");
}

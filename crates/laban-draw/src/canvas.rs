//! Lines, boxes and texts in SVG.
//!
//! Pictures are self-contained: colours and fonts are in a style sheet inside, for light and dark surroundings, and
//! nothing is loaded from elsewhere. Selectors start with the class of the picture, so that several can be put into one
//! page. What is drawn, and where, is the business of those who draw.

use super::text::{is_hidden, shortened, text_width};
use laban::text::Xml;
use std::fmt::{self, Display, Formatter, Write};

/// The size of ordinary text.
pub(crate) const FONT: f64 = 13.0;
/// The size of remarks.
pub(crate) const SMALL: f64 = 12.0;
/// The size of titles.
pub(crate) const LARGE: f64 = 15.0;

const FONTS: &str = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace";

const LIGHT: &[(&str, &str)] = &[
    ("text", "fill:#1f2328"),
    (".paper", "fill:#ffffff"),
    (".box", "fill:#eef2f6;stroke:#57606a"),
    (".state", "fill:#ffffff;stroke:#57606a"),
    (".dot", "fill:#1f2328"),
    (".life", "stroke:#afb8c1;stroke-dasharray:3 4"),
    (".frame", "fill:none;stroke:#8c959f"),
    (".shade", "fill:none;stroke:#8c959f"),
    (".tab", "fill:#e4e8ed;stroke:#8c959f"),
    (".cut", "stroke:#8c959f;stroke-dasharray:6 4"),
    (".value", "fill:none;stroke:#0550ae"),
    (".select", "fill:none;stroke:#8250df;stroke-dasharray:6 3"),
    (".open", "fill:none;stroke:#8250df"),
    (".head", "fill:#0550ae;stroke:#0550ae"),
    (".edge", "fill:none;stroke:#57606a"),
    (".point", "fill:#57606a;stroke:#57606a"),
    (".redhead", "fill:#cf222e;stroke:#cf222e"),
    (".red", "fill:none;stroke:#cf222e"),
    (".bad", "fill:#ffebe9;stroke:#cf222e"),
    (".note", "fill:#fff8c5;stroke:#bf8700"),
    (".calm", "fill:#f6f8fa;stroke:#8c959f"),
    ("text.t-label", "fill:#6639ba"),
    ("text.t-value", "fill:#0550ae"),
    ("text.t-quiet", "fill:#57606a"),
    ("text.t-bad", "fill:#a40e26"),
];

const DARK: &[(&str, &str)] = &[
    ("text", "fill:#e6edf3"),
    (".paper", "fill:#0d1117"),
    (".box", "fill:#21262d;stroke:#8b949e"),
    (".state", "fill:#0d1117;stroke:#8b949e"),
    (".dot", "fill:#e6edf3"),
    (".life", "stroke:#484f58"),
    (".frame", "stroke:#6e7681"),
    (".shade", "stroke:#6e7681"),
    (".tab", "fill:#30363d;stroke:#6e7681"),
    (".cut", "stroke:#6e7681"),
    (".value", "stroke:#79c0ff"),
    (".select,.open", "stroke:#d2a8ff"),
    (".head", "fill:#79c0ff;stroke:#79c0ff"),
    (".edge", "stroke:#8b949e"),
    (".point", "fill:#8b949e;stroke:#8b949e"),
    (".redhead", "fill:#ff7b72;stroke:#ff7b72"),
    (".red", "stroke:#ff7b72"),
    (".bad", "fill:#3c1618;stroke:#ff7b72"),
    (".note", "fill:#332a05;stroke:#d29922"),
    (".calm", "fill:#161b22;stroke:#6e7681"),
    ("text.t-label", "fill:#d2a8ff"),
    ("text.t-value", "fill:#a5d6ff"),
    ("text.t-quiet", "fill:#9da7b1"),
    ("text.t-bad", "fill:#ffa198"),
];

/// Where a text is relative to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
}

/// What a page may want to know about a group.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Attribute<'a> {
    Text(&'a str),
    Count(usize),
    Coordinate(f64),
}

/// What has been drawn so far.
#[derive(Debug, Default)]
pub(crate) struct Canvas {
    body: String,
}

// Writing to a string cannot fail, so the results below are ignored.
impl Canvas {
    pub(crate) fn rectangle(&mut self, class: &str, x: f64, y: f64, width: f64, height: f64, round: f64) {
        let (x, y, width, height, round) = (Number(x), Number(y), Number(width), Number(height), Number(round));
        let _ = write!(self.body, r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}""#);
        let _ = match round.0 > 0.0 {
            true => writeln!(self.body, r#" rx="{round}"/>"#),
            false => writeln!(self.body, "/>"),
        };
    }

    pub(crate) fn line(&mut self, class: &str, x1: f64, y1: f64, x2: f64, y2: f64) {
        let (x1, y1, x2, y2) = (Number(x1), Number(y1), Number(x2), Number(y2));
        let _ = writeln!(self.body, r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#);
    }

    pub(crate) fn path(&mut self, class: &str, path: &Path) {
        let _ = writeln!(self.body, r#"<path class="{class}" d="{}"/>"#, path.0);
    }

    pub(crate) fn circle(&mut self, class: &str, x: f64, y: f64, radius: f64) {
        let (x, y, radius) = (Number(x), Number(y), Number(radius));
        let _ = writeln!(self.body, r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}"/>"#);
    }

    /// A text on one line whose baseline is at `y`, as it is.
    pub(crate) fn text(&mut self, class: &str, x: f64, y: f64, size: f64, anchor: Anchor, text: &str) {
        let class = if class.is_empty() { String::new() } else { format!(r#" class="{class}""#) };
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
        };
        let (x, y, size, text) = (Number(x), Number(y), Number(size), Escaped(text));
        let _ = writeln!(
            self.body,
            r#"<text{class} x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}">{text}</text>"#
        );
    }

    /// What is drawn by `draw` belongs together and has an explanation that is shown when one points at it.
    pub(crate) fn titled(&mut self, title: &str, draw: impl FnOnce(&mut Self)) {
        let _ = writeln!(self.body, "<g><title>{}</title>", Escaped(title));
        draw(self);
        self.body.push_str("</g>\n");
    }

    /// A text that is shortened to this many characters, and shown in full when one points at it.
    pub(crate) fn short(&mut self, class: &str, at: (f64, f64), size: f64, anchor: Anchor, text: &str, most: usize) {
        let (x, y) = at;
        let short = shortened(text, most);
        match short.len() == text.len() {
            true => self.text(class, x, y, size, anchor, text),
            false => self.titled(text, |canvas| canvas.text(class, x, y, size, anchor, &short)),
        }
    }

    /// Covers what lies behind a text.
    pub(crate) fn clearing(&mut self, x: f64, y: f64, size: f64, anchor: Anchor, text: &str) {
        let width = text_width(text, size) + 4.0;
        let left = match anchor {
            Anchor::Start => x - 2.0,
            Anchor::Middle => x - width / 2.0,
        };
        self.rectangle("paper", left, y - size * 0.9, width, size * 1.2, 0.0);
    }

    /// What is drawn by `draw` leads to an element of the picture.
    pub(crate) fn link(&mut self, target: usize, draw: impl FnOnce(&mut Self)) {
        let _ = writeln!(self.body, r##"<a href="#d{target}">"##);
        draw(self);
        self.body.push_str("</a>\n");
    }

    /// What is drawn by `draw` can be led to.
    pub(crate) fn target(&mut self, target: usize, draw: impl FnOnce(&mut Self)) {
        let _ = writeln!(self.body, r#"<g id="d{target}">"#);
        draw(self);
        self.body.push_str("</g>\n");
    }

    /// What is drawn from here to [`end`](Self::end) is a group with these attributes.
    pub(crate) fn begin(&mut self, class: &str, attributes: &[(&str, Attribute<'_>)]) {
        let _ = write!(self.body, r#"<g class="{class}""#);
        for (name, value) in attributes {
            let _ = match value {
                Attribute::Text(text) => write!(self.body, r#" data-{name}="{}""#, Escaped(text)),
                Attribute::Count(count) => write!(self.body, r#" data-{name}="{count}""#),
                Attribute::Coordinate(at) => write!(self.body, r#" data-{name}="{}""#, Number(*at)),
            };
        }
        self.body.push_str(">\n");
    }

    /// The group ends.
    pub(crate) fn end(&mut self) {
        self.body.push_str("</g>\n");
    }

    /// The whole picture.
    pub(crate) fn write(&self, f: &mut Formatter<'_>, width: f64, height: f64, title: &str) -> fmt::Result {
        let (width, height) = (Number(width.ceil()), Number(height.ceil()));
        writeln!(
            f,
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="laban" role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}">"#
        )?;
        writeln!(f, "<title>{}</title>", Escaped(title))?;
        writeln!(f, "<style>\n.laban text{{font-family:{FONTS};stroke:none}}")?;
        write_rules(f, LIGHT)?;
        writeln!(f, ".laban .thick{{stroke-width:2.5}}")?;
        writeln!(f, ".laban .dashed{{stroke-dasharray:5 4}}")?;
        writeln!(f, "@media (prefers-color-scheme:dark){{")?;
        write_rules(f, DARK)?;
        writeln!(f, "}}\n</style>")?;
        writeln!(f, r#"<rect class="paper" width="{width}" height="{height}"/>"#)?;
        f.write_str(&self.body)?;
        writeln!(f, "</svg>")
    }
}

fn write_rules(f: &mut Formatter<'_>, rules: &[(&str, &str)]) -> fmt::Result {
    for (selectors, rule) in rules {
        for (index, selector) in selectors.split(',').enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}.laban {selector}")?;
        }
        writeln!(f, "{{{rule}}}")?;
    }
    Ok(())
}

/// A path, step by step.
#[derive(Debug, Default, Clone)]
pub(crate) struct Path(String);

impl Path {
    pub(crate) fn from(x: f64, y: f64) -> Self {
        Path(format!("M{} {}", Number(x), Number(y)))
    }

    pub(crate) fn to(mut self, x: f64, y: f64) -> Self {
        let _ = write!(self.0, "L{} {}", Number(x), Number(y));
        self
    }

    pub(crate) fn curve(mut self, first: (f64, f64), second: (f64, f64), to: (f64, f64)) -> Self {
        for (letter, (x, y)) in [("C", first), (" ", second), (" ", to)] {
            let _ = write!(self.0, "{letter}{} {}", Number(x), Number(y));
        }
        self
    }

    pub(crate) fn close(mut self) -> Self {
        self.0.push('Z');
        self
    }
}

/// A coordinate with at most one digit after the point.
struct Number(f64);

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let tenths = (self.0 * 10.0).round() as i64;
        match (tenths % 10, tenths < 0) {
            (0, _) => write!(f, "{}", tenths / 10),
            (digit, true) => write!(f, "-{}.{}", (tenths / 10).abs(), digit.abs()),
            (digit, false) => write!(f, "{}.{digit}", tenths / 10),
        }
    }
}

/// A text in a picture: on one line, and with a mark for each character that is not to be printed.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let line = self.0.replace(['\n', '\t', '\r'], " ");
        Xml(&line.replace(is_hidden, "\u{fffd}")).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_at_most_one_digit_after_the_point() {
        let shown: Vec<String> = [0.0, 1.26, -0.04, -0.3, 12.95, -7.0].map(|one| Number(one).to_string()).to_vec();
        assert_eq!(shown, ["0", "1.3", "0", "-0.3", "13", "-7"]);
    }

    #[test]
    fn what_xml_does_not_allow_is_replaced() {
        assert_eq!(Escaped("a<b&\"c\" \u{1}\n\u{ffff}").to_string(), "a&lt;b&amp;&quot;c&quot; \u{fffd} \u{fffd}");
    }
}

//! Where the diagrams of a text are: the whole text, or blocks in Markdown, reStructuredText and HTML.

use laban::text::Span;
use std::borrow::Cow;

/// A diagram in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    /// Where it is.
    pub(super) span: Span,
    /// The word that says what kind of diagram it is.
    pub(super) kind: Span,
    pub(super) is_sequence: bool,
    /// Whether it is in HTML, with codes in place of some signs.
    pub(super) is_html: bool,
    /// The title in its front matter; may be empty.
    pub(super) title: String,
}

/// The diagrams of a text, in order.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let whole = block(text, 0, text.len());
    if whole.as_ref().is_some_and(|block| block.is_sequence) {
        return whole.into_iter().collect();
    }
    let embedded = embedded(text);
    if embedded.is_empty() { whole.into_iter().collect() } else { embedded }
}

/// A stretch of a text as a diagram; nothing if there is no word in it.
fn block(text: &str, start: usize, end: usize) -> Option<Block> {
    let inside = &text[start..end];
    let mut rest = inside.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let mut title = String::new();
    if let Some(matter) =
        rest.strip_prefix("---").filter(|matter| matter.trim_start_matches([' ', '\t', '\r']).starts_with('\n'))
    {
        let close = matter.match_indices("\n---").find(|&(at, _)| {
            let line = matter[at + 4..].lines().next().unwrap_or("");
            line.trim().is_empty()
        });
        if let Some((at, _)) = close {
            title = front_title(&matter[..at]);
            rest = &matter[at + 4..];
        }
    }
    // Directives and comments.
    loop {
        rest = rest.trim_start();
        let length = if rest.starts_with("%%{") {
            rest.find("}%%").map(|at| at + 3)
        } else if rest.starts_with("%%") {
            rest.find('\n')
        } else {
            break;
        };
        rest = length.map_or("", |length| &rest[length..]);
    }
    let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '-')).unwrap_or(rest.len());
    let at = end - rest.len();
    let is_sequence = rest[..length].eq_ignore_ascii_case("sequenceDiagram");
    let kind = Span::new(at as u32, (at + length) as u32);
    (length > 0).then(|| Block { span: Span::new(start as u32, end as u32), kind, is_sequence, is_html: false, title })
}

/// The line `title: …` of a front matter.
fn front_title(matter: &str) -> String {
    let line = matter.lines().find_map(|line| line.strip_prefix("title:"));
    line.map_or("", str::trim).trim_matches(['"', '\'']).to_string()
}

/// What ends a block.
enum Until<'a> {
    /// A line that is this, whatever the blanks before it.
    Line(&'a str),
    /// A line that is indented less than this.
    Indented(usize),
    /// A tag.
    Tag(&'static str),
}

/// Blocks: fences, `:::mermaid`, `.. mermaid::`, `<pre class="mermaid">`.
fn embedded(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, Until<'_>)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let trimmed = line.trim();
        if open.is_none() {
            open = opens(line).map(|(length, until)| (start + length, until));
            if !matches!(open, Some((_, Until::Tag(_)))) {
                continue;
            }
        }
        let Some((opened, until)) = &open else { continue };
        let end = match until {
            Until::Line(fence) => {
                let run = trimmed.trim_start_matches(|c| fence.starts_with(c));
                (run.is_empty() && trimmed.len() >= fence.len()).then_some(start)
            }
            Until::Indented(indent) => {
                (!trimmed.is_empty() && line.len() - line.trim_start().len() <= *indent).then_some(start)
            }
            // It may end on the line on which it starts.
            Until::Tag(tag) => {
                let from = (*opened).max(start);
                text.get(from..at).and_then(|rest| rest.find(tag)).map(|found| from + found)
            }
        };
        if let Some(end) = end {
            let is_html = matches!(until, Until::Tag(_));
            let block = block(text, *opened, end.max(*opened));
            blocks.extend(block.map(|block| Block { is_html, ..block }));
            let next = opens(line).filter(|(_, until)| matches!(until, Until::Indented(_)));
            open = next.map(|(length, until)| (start + length, until));
        }
    }
    if let Some((opened, until)) = open {
        let is_html = matches!(until, Until::Tag(_));
        blocks.extend(block(text, opened, text.len()).map(|block| Block { is_html, ..block }));
    }
    blocks
}

/// Whether a line opens a block: where in the line it starts, and what ends it.
fn opens(line: &str) -> Option<(usize, Until<'_>)> {
    let trimmed = line.trim();
    for fence in ['`', '~', ':'] {
        let name = trimmed.trim_start_matches(fence);
        let length = trimmed.len() - name.len();
        let name = name.trim_start().trim_start_matches('{').trim_start_matches('.');
        let word = name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
        if length >= 3 && word.eq_ignore_ascii_case("mermaid") {
            return Some((line.len(), Until::Line(&trimmed[..length])));
        }
    }
    if trimmed.starts_with(".. mermaid::") {
        return Some((line.len(), Until::Indented(line.len() - line.trim_start().len())));
    }
    for (tag, close) in [("<pre", "</pre>"), ("<div", "</div>")] {
        for (at, _) in line.match_indices(tag) {
            let Some(length) = line[at..].find('>').map(|end| end + 1) else { break };
            if line[at..at + length].contains("mermaid") {
                return Some((at + length, Until::Tag(close)));
            }
        }
    }
    None
}

/// The text with signs in place of their codes in HTML, as in `A-&gt;&gt;B`, in those of its blocks that are in HTML.
/// Blanks behind the signs make up for the length, so that places stay.
pub(super) fn without_codes<'a>(text: &'a str, blocks: &[Block]) -> Cow<'a, str> {
    const CODES: [(&str, char); 5] = [("&gt;", '>'), ("&lt;", '<'), ("&amp;", '&'), ("&quot;", '"'), ("&#39;", '\'')];
    let mut decoded = String::new();
    let mut done = 0;
    for block in blocks.iter().filter(|block| block.is_html) {
        let (start, end) = (block.span.start as usize, block.span.end as usize);
        decoded.push_str(text.get(done..start).unwrap_or(""));
        let mut rest = text.get(start..end).unwrap_or("");
        let mut missing = 0;
        while let Some(first) = rest.chars().next() {
            let code = CODES.iter().find(|(code, _)| first == '&' && rest.starts_with(code));
            let (sign, length) = code.map_or((first, first.len_utf8()), |&(code, sign)| (sign, code.len()));
            // An arrow stays in one piece.
            if missing > 0 && !matches!(sign, '<' | '>' | '-' | '+' | ')' | '(' | '|' | '/' | '\\') {
                decoded.extend(std::iter::repeat_n(' ', std::mem::take(&mut missing)));
            }
            decoded.push(sign);
            missing += length - sign.len_utf8();
            rest = &rest[length..];
        }
        decoded.extend(std::iter::repeat_n(' ', missing));
        done = end;
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    decoded.push_str(text.get(done..).unwrap_or(""));
    Cow::Owned(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(bool, &str)> {
        blocks(text).iter().map(|block| (block.is_sequence, block.kind.text(text))).collect()
    }

    #[test]
    fn a_text_is_a_diagram_or_has_some() {
        assert_eq!(kinds("sequenceDiagram\nA->>B: x"), [(true, "sequenceDiagram")]);
        assert_eq!(kinds("---\ntitle: T\n---\n%%{init: {\n}}%%\n%% c\nsequencediagram"), [(true, "sequencediagram")]);
        assert_eq!(kinds("flowchart TD\nA-->B"), [(false, "flowchart")]);
        let page = "# Page\n\n```mermaid\nflowchart TD\n```\ntext\n~~~ mermaid\nsequenceDiagram\n~~~\n\
                    :::mermaid\nsequenceDiagram\n:::\n.. mermaid::\n\n   sequenceDiagram\n   A->>B: x\nText\n\
                    <pre class=\"mermaid\">\nsequenceDiagram\n</pre>\n```{mermaid}\nsequenceDiagram\n";
        let found = kinds(page);
        assert_eq!(found.iter().filter(|(is_sequence, _)| *is_sequence).count(), 5, "{found:?}");
        assert_eq!(found.len(), 6);
        assert_eq!(kinds("<html><div class=\"mermaid\">sequenceDiagram\nA->>B: x</div></html>").len(), 1);
        assert_eq!(kinds("<pre class=\"mermaid\">sequenceDiagram; A->>B: x</pre><p>"), [(true, "sequenceDiagram")]);
        assert_eq!(kinds(""), []);
        assert_eq!(blocks("---\ntitle: \"A b\"\n---\nsequenceDiagram")[0].title, "A b");
    }

    #[test]
    fn codes_of_html_become_signs_and_places_stay() {
        let text = "<pre class=\"mermaid\">\nsequenceDiagram\nA&lt;&lt;--&gt;&gt;+B: x &amp; y\n</pre> &gt;";
        let decoded = without_codes(text, &blocks(text));
        assert_eq!(decoded.len(), text.len());
        assert!(decoded.contains("\nA<<-->>+            B: x &     y\n</pre> &gt;"), "{decoded}");
    }
}

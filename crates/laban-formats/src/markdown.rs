//! Blocks of code in a Markdown text, where they are.
//!
//! A block is between fences, as CommonMark has them: three or more backticks or tildes, closed by at least as many of
//! the same, or by the end of the text. Fences may be indented, as in lists, and be in quotations. `:::mermaid`, as
//! Azure DevOps and others have it, is a fence as well. Nothing else of Markdown is looked at.

use laban::text::Span;

/// A block of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkdownBlock {
    /// The first word after the fence, without braces around it, in lower case; may be empty.
    pub language: String,
    /// The lines between the fences.
    pub span: Span,
    /// The number of the first line between the fences, from 1.
    pub line: u32,
    /// In how many quotations it is.
    depth: usize,
}

impl MarkdownBlock {
    /// The lines of the block, without the marks of quotations.
    pub fn content(&self, text: &str) -> String {
        let lines = self.span.text(text).split_inclusive('\n');
        lines.map(|line| line.get(quotation(line, self.depth).0..).unwrap_or("")).collect()
    }

    /// The text with blanks in place of everything outside of the block, so that places stay.
    pub fn alone(&self, text: &str) -> String {
        let mut alone = String::with_capacity(text.len());
        let (start, end) = (self.span.start as usize, self.span.end as usize);
        let blank = |alone: &mut String, part: &str| {
            alone.extend(part.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' }));
        };
        blank(&mut alone, text.get(..start).unwrap_or(""));
        self.add_inside(text, &mut alone);
        blank(&mut alone, text.get(end..).unwrap_or(""));
        alone
    }

    /// The text of the block, with blanks in place of the marks of quotations: as long as its span.
    pub fn inside(&self, text: &str) -> String {
        let mut inside = String::new();
        self.add_inside(text, &mut inside);
        inside
    }

    fn add_inside(&self, text: &str, inside: &mut String) {
        for line in self.span.text(text).split_inclusive('\n') {
            let (quoted, _) = quotation(line, self.depth);
            inside.extend(line.get(..quoted).unwrap_or("").bytes().map(|_| ' '));
            inside.push_str(line.get(quoted..).unwrap_or(""));
        }
    }
}

/// What opened a block.
struct Fence {
    mark: char,
    length: usize,
    /// How many marks of quotations are before it.
    depth: usize,
    language: String,
    start: usize,
    line: u32,
}

/// All blocks of code between fences, in order. An unclosed one ends with the text, or with the quotation that it is
/// in.
///
/// ```
/// let text = "# Login\n\n~~~ mermaid\nsequenceDiagram\n~~~\n";
/// let blocks = laban_formats::markdown_blocks(text);
/// assert_eq!((blocks[0].language.as_str(), blocks[0].line), ("mermaid", 4));
/// assert_eq!(blocks[0].span.text(text), "sequenceDiagram\n");
/// ```
pub fn markdown_blocks(text: &str) -> Vec<MarkdownBlock> {
    let mut blocks = Vec::new();
    let mut open: Option<Fence> = None;
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let start = at;
        at += line.len();
        let (quoted, depth) = quotation(line, open.as_ref().map_or(usize::MAX, |fence| fence.depth));
        let content = line.get(quoted..).unwrap_or("");
        if let Some(fence) = &open {
            let ends_with_quotation = depth < fence.depth;
            if ends_with_quotation || closes(fence, content) {
                blocks.extend(open.take().map(|fence| block(fence, start)));
            }
            if !ends_with_quotation {
                continue;
            }
        }
        open = opened(content, depth, at, number as u32 + 2);
    }
    blocks.extend(open.map(|fence| block(fence, text.len())));
    blocks
}

fn block(fence: Fence, end: usize) -> MarkdownBlock {
    let span = Span::new(fence.start as u32, end as u32);
    MarkdownBlock { language: fence.language, span, line: fence.line, depth: fence.depth }
}

/// How long the marks of quotations are at the start of a line, and how many there are, of so many at most.
fn quotation(line: &str, most: usize) -> (usize, usize) {
    let (mut length, mut depth) = (0, 0);
    while depth < most {
        let rest = line.get(length..).unwrap_or("");
        let trimmed = rest.trim_start_matches(' ');
        let Some(inside) = trimmed.strip_prefix('>').filter(|_| rest.len() - trimmed.len() < 4) else {
            return (length, depth);
        };
        length = line.len() - inside.len();
        depth += 1;
    }
    (length, depth)
}

/// The fence that a line is, if it opens a block.
fn opened(line: &str, depth: usize, start: usize, number: u32) -> Option<Fence> {
    // Fences may be in lists, on the line of the bullet or indented.
    let line = line.trim();
    let line = ["- ", "* ", "+ "].iter().find_map(|bullet| line.strip_prefix(bullet)).map_or(line, str::trim_start);
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~' | ':'))?;
    let rest = line.trim_start_matches(mark);
    let length = line.len() - rest.len();
    // What is between backticks on one line is code in a sentence.
    if length < 3 || mark == '`' && rest.contains('`') {
        return None;
    }
    let word = rest.trim().trim_start_matches(['{', '.']);
    let language: String = word
        .chars()
        .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '+'))
        .collect::<String>()
        .to_lowercase();
    // Three colons hold much else.
    (mark != ':' || language == "mermaid").then_some(Fence { mark, length, depth, language, start, line: number })
}

/// Whether a line closes a block.
fn closes(fence: &Fence, line: &str) -> bool {
    let line = line.trim();
    let rest = line.trim_start_matches(fence.mark);
    rest.is_empty() && line.len() >= fence.length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, String, u32)> {
        let blocks = markdown_blocks(text).into_iter();
        blocks.map(|block| (block.language.clone(), block.span.text(text).to_string(), block.line)).collect()
    }

    fn one(language: &str, text: &str, line: u32) -> Vec<(String, String, u32)> {
        vec![(language.to_string(), text.to_string(), line)]
    }

    #[test]
    fn fences_are_closed_by_at_least_as_many_of_the_same() {
        assert_eq!(found("````net\n```\n~~~~\n````` \nafter"), one("net", "```\n~~~~\n", 2));
        assert_eq!(found("~~~ Mermaid title\na\n~~~\n"), one("mermaid", "a\n", 2));
        assert_eq!(found("```{mermaid}\na\n```"), one("mermaid", "a\n", 2));
        assert_eq!(found("``` {.mermaid #x}\na\n```"), one("mermaid", "a\n", 2));
        assert_eq!(found("x\n:::mermaid\na\n:::\n::: note\n:::"), one("mermaid", "a\n", 3));
    }

    #[test]
    fn an_unclosed_block_ends_with_the_text() {
        assert_eq!(found("```chor\nmain { stop }"), one("chor", "main { stop }", 2));
        assert_eq!(found("```chor"), one("chor", "", 2));
    }

    #[test]
    fn a_block_in_a_quotation_ends_with_it_and_its_marks_are_not_part_of_the_text() {
        let text = "> ```net\n> p {\n> }\nafter\n```\nx\n```\n";
        let blocks = markdown_blocks(text);
        assert_eq!(blocks.len(), 2);
        assert_eq!(blocks[0].alone(text).trim(), "p {\n  }");
        assert_eq!(blocks[0].content(text), " p {\n }\n");
        assert_eq!(blocks[1].span.text(text), "x\n");
    }

    #[test]
    fn code_in_a_sentence_opens_nothing() {
        assert_eq!(found("``` a ``` b\n`` net\n"), []);
        assert_eq!(found("- ```net\n  p\n  ```\n").len(), 1);
    }

    #[test]
    fn everything_else_is_blank_and_places_stay() {
        let text = "é\r\n```net\r\nä { }\r\n```\r\nend";
        let alone = markdown_blocks(text)[0].alone(text);
        assert_eq!(alone.len(), text.len());
        assert_eq!(alone.find("ä"), text.find("ä"));
        assert_eq!(alone.trim(), "ä { }");
        assert_eq!(markdown_blocks(text)[0].inside(text), "ä { }\r\n");
        assert_eq!(alone.matches('\n').count(), text.matches('\n').count());
    }
}

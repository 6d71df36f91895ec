//! Blocks of Markdown files that are networks or choreographies.
//!
//! A block counts if the word at its fence is the name or the ending of a language that can be read, and if its text is
//! in that language: a flowchart in Mermaid is not a sequence diagram. Each is read in place, so that what there is to
//! say about it is about lines of the file.

use crate::input::Refused;
use crate::language::{Language, language_named};
use crate::source::File;
use laban::diagnostic::quote;
use laban::syntax::Kind;
use laban_formats::{Format, MarkdownBlock, markdown_blocks};

const NO_BLOCK: &str = "has no block with a network or a choreography, such as ```mermaid or ```net";

/// A block of Markdown in a language that can be read.
pub(crate) struct Block {
    /// Counted from 1 among these.
    pub(crate) number: u32,
    /// The line on which it starts.
    line: u32,
    word: String,
    pub(crate) language: Language,
    /// What it describes, if the language tells.
    kind: Option<Kind>,
    /// The text before and after it.
    pub(crate) around: (String, String),
}

/// All blocks, or the one that was asked for by its number.
pub(crate) fn asked(file: &File, bytes: &[u8], number: Option<&str>) -> Result<Vec<(Block, String)>, Refused> {
    let mut blocks = blocks_of(file, bytes)?;
    let all = blocks.len();
    let message = match number {
        _ if all == 0 => format!("{} {NO_BLOCK}", file.name),
        None => return Ok(blocks),
        Some(asked) => {
            let number = asked.parse().unwrap_or(0);
            blocks.retain(|(block, _)| block.number == number);
            if !blocks.is_empty() {
                return Ok(blocks);
            }
            let has = if all == 1 { "one".to_string() } else { all.to_string() };
            format!("--protocol: {} has no block {}; it has {has} that can be read", file.name, quote(asked))
        }
    };
    Err(Refused::Message { file: Some(file.clone()), message })
}

/// The only block that is of a kind, or the one that was asked for.
pub(crate) fn only(
    file: &File,
    bytes: &[u8],
    number: Option<&str>,
    kind: Option<Kind>,
) -> Result<(Block, String), Refused> {
    let mut blocks = asked(file, bytes, number)?;
    if let (None, Some(kind)) = (number, kind) {
        blocks.retain(|(block, _)| block.kind.is_none_or(|of_block| of_block == kind));
    }
    let message = match (blocks.pop(), blocks.is_empty()) {
        (Some(only), true) => return Ok(only),
        (Some(last), false) => {
            blocks.push(last);
            let list = |(block, _): &(Block, String)| format!("{} (line {}, {})", block.number, block.line, block.word);
            let list = blocks.iter().map(list).collect::<Vec<_>>().join(", ");
            format!("{} has several blocks that could be meant: {list}; say which with `--protocol`", file.name)
        }
        (None, _) => {
            let needed = if kind == Some(Kind::Network) { "network" } else { "choreography" };
            format!("{} has no block with a {needed}", file.name)
        }
    };
    Err(Refused::Message { file: Some(file.clone()), message })
}

/// The blocks of a Markdown file that can be read, each with the text in which all else is blank.
fn blocks_of(file: &File, bytes: &[u8]) -> Result<Vec<(Block, String)>, Refused> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        let message = format!("{} is not UTF-8 text", file.name);
        return Err(Refused::Message { file: Some(file.clone()), message });
    };
    let mut blocks = Vec::new();
    for block in markdown_blocks(text) {
        let Some(language) = language_of(&block, text) else { continue };
        let kind = match language {
            Language::Own(kind) => kind,
            Language::Other(format) => kind_of(format),
            Language::Markdown => continue,
        };
        let number = blocks.len() as u32 + 1;
        let alone = block.alone(text);
        let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or("").to_string();
        let around = (part(0..block.span.start as usize), part(block.span.end as usize..text.len()));
        blocks.push((Block { number, line: block.line, word: block.language, language, kind, around }, alone));
    }
    Ok(blocks)
}

/// The language of a block, if its word names one and its text does not say otherwise.
fn language_of(block: &MarkdownBlock, text: &str) -> Option<Language> {
    let word = block.language.as_str();
    if word == "markdown" {
        return None;
    }
    let by_ending = || Format::ALL.iter().copied().find(|format| format.extensions().contains(&word));
    let language = language_named(word).or_else(|| by_ending().map(Language::Other))?;
    let Language::Other(format) = language else { return Some(language) };
    let text = block.span.text(text);
    // Mermaid and PlantUML have many kinds of diagrams. PlantUML needs no frame in a block.
    let found = Format::of(if format == Format::Nuscr { "x.nuscr" } else { "" }, text);
    let is_bare = format == Format::PlantUml && !text.contains("@start");
    (found == Some(format) || is_bare).then_some(language)
}

/// What a format describes, if that is the same for all its texts.
fn kind_of(format: Format) -> Option<Kind> {
    match format {
        Format::Fsa | Format::Kmc | Format::SubtypingPair | Format::Dot | Format::MpstkContext => Some(Kind::Network),
        Format::Bpmn | Format::Json | Format::Scribble | Format::Nuscr => None,
        _ => Some(Kind::Choreography),
    }
}

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
    pub(crate) language: Language,
    /// What it describes, if the language tells.
    kind: Option<Kind>,
    place: MarkdownBlock,
}

/// A block with all that is needed to read it in place.
pub(crate) struct ReadyBlock {
    pub(crate) block: Block,
    /// The text of the file, in which all else is blank.
    pub(crate) alone: String,
    /// The text before and after it.
    pub(crate) around: (String, String),
}

/// More blocks than this are not listed.
const MOST_LISTED: usize = 20;

/// Each block is read in a copy of its file; a file that would need more than this is refused.
const MOST_BYTES_OF_COPIES: usize = 1 << 28;

/// All blocks, or the one that was asked for by its number.
pub(crate) fn asked(file: &File, bytes: &[u8], number: Option<&str>) -> Result<Vec<ReadyBlock>, Refused> {
    let text = text_of(file, bytes)?;
    let blocks = listed(file, text, number)?;
    if blocks.len() > 1 && blocks.len().saturating_mul(text.len()) > MOST_BYTES_OF_COPIES {
        let count = blocks.len();
        let message = format!(
            "{} has {count} blocks, too many for a file of this size: say which one with `--protocol`",
            file.name
        );
        return Err(Refused::Message { file: Some(file.clone()), message });
    }
    Ok(blocks.into_iter().map(|block| ready(block, text)).collect())
}

/// The only block that is of a kind, or the one that was asked for.
pub(crate) fn only(file: &File, bytes: &[u8], number: Option<&str>, kind: Option<Kind>) -> Result<ReadyBlock, Refused> {
    let text = text_of(file, bytes)?;
    let mut blocks = listed(file, text, number)?;
    if let (None, Some(kind)) = (number, kind) {
        blocks.retain(|block| block.kind.is_none_or(|of_block| of_block == kind));
    }
    let message = match (blocks.pop(), blocks.is_empty()) {
        (Some(only), true) => return Ok(ready(only, text)),
        (Some(last), false) => {
            blocks.push(last);
            let list =
                |block: &Block| format!("{} (line {}, {})", block.number, block.place.line, block.place.language);
            let mut list: Vec<String> = blocks.iter().take(MOST_LISTED).map(list).collect();
            if blocks.len() > MOST_LISTED {
                list.push(format!("and {} more", blocks.len() - MOST_LISTED));
            }
            let list = list.join(", ");
            format!("{} has several blocks that could be meant: {list}; say which with `--protocol`", file.name)
        }
        (None, _) => {
            let needed = if kind == Some(Kind::Network) { "network" } else { "choreography" };
            format!("{} has no block with a {needed}", file.name)
        }
    };
    Err(Refused::Message { file: Some(file.clone()), message })
}

/// The blocks of a Markdown file that can be read, or the one that was asked for by its number.
fn listed(file: &File, text: &str, number: Option<&str>) -> Result<Vec<Block>, Refused> {
    let mut blocks = blocks_of(text);
    let all = blocks.len();
    let message = match number {
        _ if all == 0 => format!("{} {NO_BLOCK}", file.name),
        None => return Ok(blocks),
        Some(asked) => {
            let number = asked.parse().unwrap_or(0);
            blocks.retain(|block| block.number == number);
            if !blocks.is_empty() {
                return Ok(blocks);
            }
            let has = if all == 1 { "one".to_string() } else { all.to_string() };
            format!("--protocol: {} has no block {}; it has {has} that can be read", file.name, quote(asked))
        }
    };
    Err(Refused::Message { file: Some(file.clone()), message })
}

fn text_of<'a>(file: &File, bytes: &'a [u8]) -> Result<&'a str, Refused> {
    std::str::from_utf8(bytes).map_err(|_| {
        let message = format!("{} is not UTF-8 text", file.name);
        Refused::Message { file: Some(file.clone()), message }
    })
}

/// The blocks of a Markdown text that can be read.
fn blocks_of(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    for place in markdown_blocks(text) {
        let Some(language) = block_language(&place, text) else { continue };
        let kind = match language {
            Language::Own(kind) => kind,
            Language::Other(format) => kind_of(format),
            Language::Markdown => continue,
        };
        blocks.push(Block { number: blocks.len() as u32 + 1, language, kind, place });
    }
    blocks
}

fn ready(block: Block, text: &str) -> ReadyBlock {
    let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or("").to_string();
    let span = block.place.span;
    let around = (part(0..span.start as usize), part(span.end as usize..text.len()));
    ReadyBlock { alone: block.place.alone(text), around, block }
}

/// The language of a block, if its word names one and its text does not say otherwise.
pub fn block_language(block: &MarkdownBlock, text: &str) -> Option<Language> {
    let word = block.language.as_str();
    if word == "markdown" {
        return None;
    }
    let by_ending = || Format::ALL.iter().copied().find(|format| format.extensions().contains(&word));
    let language = language_named(word).or_else(|| by_ending().map(Language::Other))?;
    let Language::Other(format) = language else { return Some(language) };
    let text = &block.content(text);
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

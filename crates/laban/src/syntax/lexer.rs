//! Splits a text into tokens and comments.
//!
//! The lexer never fails: an unknown character becomes a separate token, since it may be part of an
//! expression. It knows nothing about grammar; it makes one pass, never looks back, and is linear in the text.

use super::Span;
use super::token::{Token, TokenKind};
use crate::diagnostic::{Code, Diagnostic};

/// More diagnostics than this help nobody; the rest of the text is read silently.
pub(super) const MOST_DIAGNOSTICS: usize = 100;

/// A text cut into pieces.
#[derive(Debug, Default)]
pub struct Tokens {
    /// The pieces, the last of which is [`TokenKind::End`].
    pub tokens: Vec<Token>,
    /// The comments, in the order of the text.
    pub comments: Vec<Span>,
    /// Quotes, and a block comment, that are never closed.
    pub diagnostics: Vec<Diagnostic>,
}

/// Cuts a text of less than 4 GiB into pieces.
pub fn lex(source: &str) -> Tokens {
    lex_from(source, 0)
}

/// The same from some place on; the pieces are where they are in the whole text.
pub(super) fn lex_from(source: &str, start: usize) -> Tokens {
    let bytes = source.as_bytes();
    // Without white space, and with names of one letter, there are about three tokens in four bytes.
    let mut tokens = Vec::with_capacity((bytes.len() - start) / 4 * 3 + 4);
    let mut comments = Vec::new();
    let mut diagnostics = Vec::new();
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at += 1;
        let kind = match KINDS[byte as usize] {
            SPACE => continue,
            TokenKind::Identifier => {
                while let Some(&byte) = bytes.get(at)
                    && KINDS[byte as usize] == TokenKind::Identifier
                {
                    at += 1;
                }
                if bytes.get(at).is_some_and(|&byte| byte >= 0x80) {
                    at = unicode_word_end(source, at);
                }
                word_kind(&bytes[start..at])
            }
            TokenKind::Other => {
                let (kind, end) = unusual(source, start, &mut comments, &mut diagnostics);
                at = end;
                match kind {
                    Some(kind) => kind,
                    None => continue,
                }
            }
            kind => kind,
        };
        tokens.push(Token { kind, span: Span::new(start as u32, at as u32) });
    }
    let end = bytes.len() as u32;
    tokens.push(Token { kind: TokenKind::End, span: Span::new(end, end) });
    Tokens { tokens, comments, diagnostics }
}

/// What the byte at a place starts if its token is not clear from the byte alone, and where that ends. White space and
/// comments are not tokens. Apart from [`lex`], so that it is not in the way of what is usual.
#[inline(never)]
fn unusual(
    source: &str,
    start: usize,
    comments: &mut Vec<Span>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Option<TokenKind>, usize) {
    let bytes = source.as_bytes();
    let at = start + 1;
    match (bytes[start], bytes.get(at).copied()) {
        (b'|', Some(b'|')) => (Some(TokenKind::DoubleBar), at + 1),
        (b'|', _) => (Some(TokenKind::Bar), at),
        (b'/', Some(b'/')) => {
            let end = line_end(bytes, at);
            comments.push(Span::new(start as u32, end as u32));
            (None, end)
        }
        (b'/', Some(b'*')) => {
            let end = match source[at + 1..].find("*/") {
                Some(length) => at + 1 + length + 2,
                None => {
                    let span = Span::new(start as u32, start as u32 + 2);
                    diagnostics.push(
                        Diagnostic::new(Code::UnclosedComment, span, "this comment is never closed")
                            .hint("end it with `*/`")
                            .fix("close the comment", Span::new(source.len() as u32, source.len() as u32), " */"),
                    );
                    bytes.len()
                }
            };
            comments.push(Span::new(start as u32, end as u32));
            (None, end)
        }
        (b'-', Some(b'>')) => (Some(TokenKind::Arrow), at + 1),
        (b'"', _) => match quoted_end(bytes, start) {
            Some(end) => (Some(TokenKind::Quoted), end),
            None => {
                if diagnostics.len() < MOST_DIAGNOSTICS {
                    let span = Span::new(start as u32, at as u32);
                    diagnostics.push(
                        Diagnostic::new(Code::Unclosed, span, "this quote is never closed")
                            .hint("a quoted text must end on the line where it starts"),
                    );
                }
                (Some(TokenKind::LoneQuote), at)
            }
        },
        (0x80.., _) => {
            let character = source[start..].chars().next().unwrap_or('\0');
            let end = start + character.len_utf8();
            if character.is_whitespace() || character == '\u{feff}' {
                (None, end)
            } else if character.is_alphanumeric() {
                (Some(TokenKind::Identifier), unicode_word_end(source, end))
            } else {
                (Some(TokenKind::Other), end)
            }
        }
        _ => (Some(TokenKind::Other), at),
    }
}

/// Marks white space in [`KINDS`]: no byte is the end of a text.
const SPACE: TokenKind = TokenKind::End;

/// What each byte is or starts. [`TokenKind::Identifier`] may turn out to be a reserved word; [`TokenKind::Other`]
/// takes another look.
static KINDS: [TokenKind; 256] = kinds();

const fn kinds() -> [TokenKind; 256] {
    use TokenKind::*;
    let mut table = [Other; 256];
    let mut byte = 0;
    while byte < 256 {
        let value = byte as u8;
        table[byte] = match value {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0c => SPACE,
            b'_' | b'\'' => Identifier,
            _ if value.is_ascii_alphanumeric() => Identifier,
            b'{' => OpenBrace,
            b'}' => CloseBrace,
            b'(' => OpenParenthesis,
            b')' => CloseParenthesis,
            b'[' => OpenBracket,
            b']' => CloseBracket,
            b'<' => Less,
            b'>' => Greater,
            b';' => Semicolon,
            b',' => Comma,
            b':' => Colon,
            b'.' => Dot,
            b'!' => Exclamation,
            b'?' => Question,
            b'+' => Plus,
            b'&' => Ampersand,
            _ => Other,
        };
        byte += 1;
    }
    table
}

/// Whether a byte is white space.
#[inline(always)]
pub(super) fn is_space(byte: u8) -> bool {
    KINDS[byte as usize] == SPACE
}

/// Whether a byte is a letter, a digit, `_` or `'`.
#[inline(always)]
pub(super) fn is_word(byte: u8) -> bool {
    KINDS[byte as usize] == TokenKind::Identifier
}

fn unicode_word_end(source: &str, at: usize) -> usize {
    let in_word = |character: char| character.is_alphanumeric() || character == '_' || character == '\'';
    source[at..].find(|character| !in_word(character)).map_or(source.len(), |length| at + length)
}

fn word_kind(word: &[u8]) -> TokenKind {
    match word {
        b"def" => TokenKind::Def,
        b"main" => TokenKind::Main,
        b"if" => TokenKind::If,
        b"then" => TokenKind::Then,
        b"else" => TokenKind::Else,
        b"stop" | b"0" => TokenKind::Stop,
        _ => TokenKind::Identifier,
    }
}

/// Where the line at a place ends.
pub(super) fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |length| at + length)
}

/// Where the quoted text that starts here ends. It cannot go over the end of the line, so a lone quote costs one look;
/// and a quote without an end is an error, since it would find one when lines are joined.
fn quoted_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at + 1..];
    let length = rest.iter().position(|&byte| matches!(byte, b'"' | b'\n' | b'\r'))?;
    (rest[length] == b'"').then_some(at + 1 + length + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use TokenKind::*;

    fn pieces(source: &str) -> Vec<TokenKind> {
        lex(source).tokens.iter().map(|token| token.kind).collect()
    }

    #[test]
    fn every_piece_of_a_network_is_recognised() {
        assert_eq!(
            pieces("p{main{q!<e>;if x then q+l;0 else q&{l:stop,m:X'}}}|q"),
            [
                Identifier,
                OpenBrace,
                Main,
                OpenBrace,
                Identifier,
                Exclamation,
                Less,
                Identifier,
                Greater,
                Semicolon,
                If,
                Identifier,
                Then,
                Identifier,
                Plus,
                Identifier,
                Semicolon,
                Stop,
                Else,
                Identifier,
                Ampersand,
                OpenBrace,
                Identifier,
                Colon,
                Stop,
                Comma,
                Identifier,
                Colon,
                Identifier,
                CloseBrace,
                CloseBrace,
                CloseBrace,
                Bar,
                Identifier,
                End
            ]
        );
    }

    #[test]
    fn arrows_and_double_bars_are_single_pieces() {
        assert_eq!(pieces("p.e->q || x"), [Identifier, Dot, Identifier, Arrow, Identifier, DoubleBar, Identifier, End]);
    }

    #[test]
    fn comments_are_kept_apart() {
        let tokens = lex("a // one\n/* two */ b /* open");
        assert_eq!(tokens.tokens.len(), 3);
        assert_eq!(tokens.comments.len(), 3);
        assert_eq!(tokens.diagnostics.len(), 1);
    }

    #[test]
    fn letters_of_any_script_make_names() {
        assert_eq!(
            pieces("käufer!<∗>; 買う? a日"),
            [Identifier, Exclamation, Less, Other, Greater, Semicolon, Identifier, Question, Identifier, End]
        );
    }

    #[test]
    fn a_quoted_text_is_one_piece_and_ends_on_its_line() {
        assert_eq!(pieces("\"a > // b\" x"), [Quoted, Identifier, End]);
        assert_eq!(pieces("\"a\n\""), [LoneQuote, Identifier, LoneQuote, End]);
    }
}

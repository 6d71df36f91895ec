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
    let bytes = source.as_bytes();
    // Without white space, and with names of one letter, there are about three tokens in four bytes.
    let mut tokens = Vec::with_capacity(bytes.len() / 4 * 3 + 4);
    let mut comments = Vec::new();
    let mut diagnostics = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at += 1;
        let kind = match CLASSES[byte as usize] {
            Class::Space => continue,
            Class::Word => {
                while let Some(&byte) = bytes.get(at)
                    && matches!(CLASSES[byte as usize], Class::Word)
                {
                    at += 1;
                }
                if bytes.get(at).is_some_and(|&byte| byte >= 0x80) {
                    at = unicode_word_end(source, at);
                }
                word_kind(&bytes[start..at])
            }
            Class::Symbol(kind) => kind,
            Class::Other => match (byte, bytes.get(at).copied()) {
                (b'|', Some(b'|')) => {
                    at += 1;
                    TokenKind::DoubleBar
                }
                (b'|', _) => TokenKind::Bar,
                (b'/', Some(b'/')) => {
                    at = line_end(bytes, at);
                    comments.push(Span::new(start as u32, at as u32));
                    continue;
                }
                (b'/', Some(b'*')) => {
                    at = match source[at + 1..].find("*/") {
                        Some(length) => at + 1 + length + 2,
                        None => {
                            let span = Span::new(start as u32, start as u32 + 2);
                            diagnostics.push(
                                Diagnostic::new(Code::UnclosedComment, span, "this comment is never closed")
                                    .hint("end it with `*/`")
                                    .fix(
                                        "close the comment",
                                        Span::new(source.len() as u32, source.len() as u32),
                                        " */",
                                    ),
                            );
                            bytes.len()
                        }
                    };
                    comments.push(Span::new(start as u32, at as u32));
                    continue;
                }
                (b'-', Some(b'>')) => {
                    at += 1;
                    TokenKind::Arrow
                }
                (b'"', _) => match quoted_end(bytes, start) {
                    Some(end) => {
                        at = end;
                        TokenKind::Quoted
                    }
                    None => {
                        if diagnostics.len() < MOST_DIAGNOSTICS {
                            let span = Span::new(start as u32, at as u32);
                            diagnostics.push(
                                Diagnostic::new(Code::Unclosed, span, "this quote is never closed")
                                    .hint("a quoted text must end on the line where it starts"),
                            );
                        }
                        TokenKind::LoneQuote
                    }
                },
                _ => TokenKind::Other,
            },
            Class::Unicode => {
                let character = source[start..].chars().next().unwrap_or('\0');
                at = start + character.len_utf8();
                if character.is_whitespace() || character == '\u{feff}' {
                    continue;
                }
                if character.is_alphanumeric() {
                    at = unicode_word_end(source, at);
                    TokenKind::Identifier
                } else {
                    TokenKind::Other
                }
            }
        };
        tokens.push(Token { kind, span: Span::new(start as u32, at as u32) });
    }
    let end = bytes.len() as u32;
    tokens.push(Token { kind: TokenKind::End, span: Span::new(end, end) });
    Tokens { tokens, comments, diagnostics }
}

#[derive(Clone, Copy)]
enum Class {
    Space,
    Word,
    Symbol(TokenKind),
    Other,
    Unicode,
}

static CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    use TokenKind::*;
    let mut table = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        let value = byte as u8;
        table[byte] = match value {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0c => Class::Space,
            b'_' | b'\'' => Class::Word,
            _ if value.is_ascii_alphanumeric() => Class::Word,
            b'{' => Class::Symbol(OpenBrace),
            b'}' => Class::Symbol(CloseBrace),
            b'(' => Class::Symbol(OpenParenthesis),
            b')' => Class::Symbol(CloseParenthesis),
            b'[' => Class::Symbol(OpenBracket),
            b']' => Class::Symbol(CloseBracket),
            b'<' => Class::Symbol(Less),
            b'>' => Class::Symbol(Greater),
            b';' => Class::Symbol(Semicolon),
            b',' => Class::Symbol(Comma),
            b':' => Class::Symbol(Colon),
            b'.' => Class::Symbol(Dot),
            b'!' => Class::Symbol(Exclamation),
            b'?' => Class::Symbol(Question),
            b'+' => Class::Symbol(Plus),
            b'&' => Class::Symbol(Ampersand),
            0x80.. => Class::Unicode,
            _ => Class::Other,
        };
        byte += 1;
    }
    table
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

fn line_end(bytes: &[u8], at: usize) -> usize {
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

    fn kinds(source: &str) -> Vec<TokenKind> {
        lex(source).tokens.iter().map(|token| token.kind).collect()
    }

    #[test]
    fn every_piece_of_a_network_is_recognised() {
        assert_eq!(
            kinds("p{main{q!<e>;if x then q+l;0 else q&{l:stop,m:X'}}}|q"),
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
        assert_eq!(kinds("p.e->q || x"), [Identifier, Dot, Identifier, Arrow, Identifier, DoubleBar, Identifier, End]);
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
            kinds("käufer!<∗>; 買う? a日"),
            [Identifier, Exclamation, Less, Other, Greater, Semicolon, Identifier, Question, Identifier, End]
        );
    }

    #[test]
    fn a_quoted_text_is_one_piece_and_ends_on_its_line() {
        assert_eq!(kinds("\"a > // b\" x"), [Quoted, Identifier, End]);
        assert_eq!(kinds("\"a\n\""), [LoneQuote, Identifier, LoneQuote, End]);
    }
}

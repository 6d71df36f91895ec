//! The smallest pieces of a text.

use super::Span;

/// What a piece of text is. Both languages, and the expressions inside them, are made of the same pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum TokenKind {
    /// A run of letters, digits, `_` and `'` that is not a reserved word.
    Identifier,
    /// `def`
    Def,
    /// `main`
    Main,
    /// `if`
    If,
    /// `then`
    Then,
    /// `else`
    Else,
    /// `stop` or `0`
    Stop,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `(`
    OpenParenthesis,
    /// `)`
    CloseParenthesis,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `;`
    Semicolon,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `.`
    Dot,
    /// `!`
    Exclamation,
    /// `?`
    Question,
    /// `+`
    Plus,
    /// `&`
    Ampersand,
    /// `|`
    Bar,
    /// `||`
    DoubleBar,
    /// `->`
    Arrow,
    /// A quoted text, only of use inside an expression.
    Quoted,
    /// A quote that is not closed on its line, about which the lexer has something to say.
    LoneQuote,
    /// Any other character, only of use inside an expression.
    Other,
    /// The end of the text.
    End,
}

impl TokenKind {
    /// How messages call it.
    pub fn describe(self) -> &'static str {
        use TokenKind::*;
        match self {
            Identifier => "a name",
            Def => "`def`",
            Main => "`main`",
            If => "`if`",
            Then => "`then`",
            Else => "`else`",
            Stop => "`stop`",
            OpenBrace => "`{`",
            CloseBrace => "`}`",
            OpenParenthesis => "`(`",
            CloseParenthesis => "`)`",
            OpenBracket => "`[`",
            CloseBracket => "`]`",
            Less => "`<`",
            Greater => "`>`",
            Semicolon => "`;`",
            Comma => "`,`",
            Colon => "`:`",
            Dot => "`.`",
            Exclamation => "`!`",
            Question => "`?`",
            Plus => "`+`",
            Ampersand => "`&`",
            Bar => "`|`",
            DoubleBar => "`||`",
            Arrow => "`->`",
            Quoted => "a quoted text",
            LoneQuote => "`\"`",
            Other => "this character",
            End => "the end of the text",
        }
    }

    /// Whether it is a reserved word, which cannot be used as a name.
    pub fn is_reserved_word(self) -> bool {
        use TokenKind::*;
        matches!(self, Def | Main | If | Then | Else | Stop)
    }
}

/// A piece of text and where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is.
    pub span: Span,
}

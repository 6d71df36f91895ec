//! Which bracket closes which, in a text that may have too few or too many of them.

use super::token::{Token, TokenKind};

/// For each `(`, `[` and `{` of a text, what closes it.
#[derive(Debug)]
pub(super) struct Brackets(Vec<u32>);

const UNMATCHED: u32 = u32::MAX;

impl Brackets {
    pub(super) fn new(tokens: &[Token]) -> Self {
        use TokenKind::*;
        let mut closed_at = vec![UNMATCHED; tokens.len()];
        let mut open: Vec<(TokenKind, usize)> = Vec::new();
        let mut counts = [0usize; 3];
        for (at, token) in tokens.iter().enumerate() {
            let (opener, which) = match token.kind {
                OpenBrace | CloseBrace => (OpenBrace, 0),
                OpenBracket | CloseBracket => (OpenBracket, 1),
                OpenParenthesis | CloseParenthesis => (OpenParenthesis, 2),
                _ => continue,
            };
            if token.kind == opener {
                open.push((opener, at));
                counts[which] += 1;
            } else if counts[which] > 0 {
                // Whatever was opened inside and not closed has no partner.
                while let Some((kind, start)) = open.pop() {
                    counts[match kind {
                        OpenBrace => 0,
                        OpenBracket => 1,
                        _ => 2,
                    }] -= 1;
                    if kind == opener {
                        closed_at[start] = at as u32;
                        break;
                    }
                }
            }
        }
        Brackets(closed_at)
    }

    /// Where the bracket at this token is closed, if it is.
    pub(super) fn closing(&self, open: usize) -> Option<usize> {
        self.0.get(open).copied().filter(|&close| close != UNMATCHED).map(|close| close as usize)
    }
}

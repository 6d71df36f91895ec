//! `channels …;` at the top of a network.
//!
//! The words in it are not reserved: a process may be called `channels`, `queue` or `rendezvous`.

use super::Parser;
use super::body::Grammar;
use crate::diagnostic::{Code, Diagnostic, closest, quote};
use crate::syntax::Span;
use crate::syntax::channel::{Channel, ChannelDeclaration, ChannelItem};
use crate::syntax::token::TokenKind;

const CHANNELS: &str = "channels";
const QUEUE: &str = "queue";
const RENDEZVOUS: &str = "rendezvous";
const EXAMPLE: &str = "channels are declared like this: `channels queue;`, `channels queue 4;` or `channels a -> b queue, c -> d queue 2;`";

impl<L: Grammar> Parser<'_, L> {
    /// Whether channels are declared here.
    pub(super) fn at_channels(&self) -> bool {
        self.kind() == TokenKind::Identifier
            && self.kind_after(1) != TokenKind::OpenBrace
            && (self.text(self.current().span) == CHANNELS || self.at_misspelt_channels())
    }

    /// `channel queue` and the like: nothing else begins like this.
    fn at_misspelt_channels(&self) -> bool {
        let follows = match self.tokens.get(self.at + 1) {
            Some(next) if next.kind == TokenKind::Identifier => self.text(next.span),
            _ => return false,
        };
        (self.kind_after(2) == TokenKind::Arrow || [QUEUE, RENDEZVOUS].contains(&follows))
            && closest(self.text(self.current().span), [CHANNELS]).is_some()
    }

    /// `channels …;`, wherever it is.
    #[cold]
    pub(super) fn channels(&mut self) {
        let start = self.current().span;
        if self.text(start) != CHANNELS {
            self.report(|parser| {
                parser.unexpected("`channels`").hint("did you mean `channels`?").fix_word(
                    start,
                    parser.text(start),
                    CHANNELS,
                )
            });
        }
        self.advance();
        let mut items = Vec::new();
        loop {
            items.extend(self.channel_item());
            if self.eat(TokenKind::Comma) {
                if self.kind() == TokenKind::Semicolon {
                    self.expected("another channel", Some("there is one `,` too many"));
                } else {
                    continue;
                }
            }
            if self.eat(TokenKind::Semicolon) {
                break;
            }
            if self.kind() == TokenKind::Identifier && self.kind_after(1) == TokenKind::Arrow {
                self.expected("`,` before the next channel", None);
                continue;
            }
            self.no_end_of_channels();
            break;
        }
        let span = start.to(self.previous_end());
        self.tree.channels.push(ChannelDeclaration { unit: self.tree.units.len(), items, span });
    }

    /// Channels that are declared once more.
    #[cold]
    pub(super) fn channels_again(&mut self) {
        self.report(|parser| {
            let message = "expected a process, found another declaration of channels";
            Diagnostic::new(Code::Syntax, parser.current().span, message)
                .label("expected a process")
                .hint("declare all channels at once, with commas: `channels queue, a -> b rendezvous;`")
        });
        while self.at_channels() {
            self.quiet_at = self.at;
            self.channels();
        }
    }

    /// Channels that are declared behind a process.
    #[cold]
    pub(super) fn late_channels(&mut self) {
        self.report(|parser| {
            let message = "channels are declared before the first process";
            Diagnostic::new(Code::Syntax, parser.current().span, message)
                .label("too late here")
                .hint("move this declaration to the top")
        });
        self.channels();
    }

    /// `a -> b queue 2` or `queue`.
    fn channel_item(&mut self) -> Option<ChannelItem> {
        let start = self.current().span;
        let mut ends = None;
        let second = self.kind_after(1);
        let is_pair = second == TokenKind::Arrow || self.arrow_at(self.at + 1).is_some();
        if is_pair && self.kind() == TokenKind::Identifier {
            let from = self.name("a process");
            self.repair_arrow();
            self.advance();
            let to = self.name("a process");
            if to.is_none() {
                self.skip_channel();
            }
            ends = Some((from?, to?));
        }
        let channel = self.channel(ends.is_some())?;
        Some(ChannelItem { ends, channel, span: start.to(self.previous_end()) })
    }

    /// `queue`, `queue 4` or `rendezvous`.
    fn channel(&mut self, after_ends: bool) -> Option<Channel> {
        let span = self.current().span;
        let word = match self.kind() {
            TokenKind::Identifier => self.text(span),
            _ => "",
        };
        let meant = match word {
            QUEUE | RENDEZVOUS => word,
            "async" | "asynchronous" | "buffered" | "buffer" | "fifo" | "mailbox" | "queued" | "channel" => QUEUE,
            "sync" | "synchronous" | "unbuffered" | "handshake" => RENDEZVOUS,
            "" => "",
            other => closest(other, [QUEUE, RENDEZVOUS]).unwrap_or(""),
        };
        let meant = [QUEUE, RENDEZVOUS].into_iter().find(|&known| known == meant);
        let Some(meant) = meant else {
            let (what, hint) = match after_ends {
                true => ("`queue` or `rendezvous`", "say how the messages get there: `a -> b queue`"),
                false => ("`queue`, `rendezvous` or `a -> b`", EXAMPLE),
            };
            self.expected(what, Some(hint));
            self.skip_channel();
            return None;
        };
        if word != meant {
            self.report(|parser| {
                parser.unexpected("`queue` or `rendezvous`").hint(format!("did you mean {}?", quote(meant))).fix_word(
                    span,
                    parser.text(span),
                    meant,
                )
            });
        }
        self.advance();
        match meant == QUEUE {
            true => Some(Channel::Queue { bound: self.bound() }),
            false => Some(Channel::Rendezvous),
        }
    }

    /// How many messages a queue may hold, if that is said.
    fn bound(&mut self) -> Option<u32> {
        let token = self.current();
        let text = self.text(token.span);
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        let is_bound = is_number && !matches!(self.kind_after(1), TokenKind::Arrow | TokenKind::OpenBrace);
        match token.kind {
            TokenKind::Stop | TokenKind::Identifier if is_bound => {
                let bound = text.parse::<u32>().ok();
                if bound.is_none_or(|bound| bound == 0) {
                    self.no_bound(bound, token.span);
                }
                self.advance();
                bound.filter(|&bound| bound > 0)
            }
            TokenKind::OpenParenthesis | TokenKind::OpenBracket | TokenKind::Less | TokenKind::Colon => {
                let number = self.tokens.get(self.at + 1).map_or("", |token| self.text(token.span)).to_string();
                if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
                    self.expected(
                        "`,` or `;`",
                        Some(&format!("a bound is written without brackets: `queue {number}`")),
                    );
                    self.skip_channel();
                }
                None
            }
            _ => None,
        }
    }

    fn no_bound(&mut self, bound: Option<u32>, span: Span) {
        self.report(|parser| match bound {
            Some(_) => Diagnostic::new(Code::QueueBound, span, "a queue must have room for a message")
                .label("expected at least 1")
                .hint("if nothing can wait, sender and receiver act together: write `rendezvous`"),
            None => {
                let message = format!("a queue cannot be bounded by {}", quote(parser.text(span)));
                Diagnostic::new(Code::QueueBound, span, message)
                    .label(format!("expected at most {}", u32::MAX))
                    .hint("without a number, any number of messages can wait: write `queue`")
            }
        });
    }

    /// The declaration does not end with a semicolon.
    fn no_end_of_channels(&mut self) {
        let process = usize::from(self.kind() == TokenKind::Identifier && self.kind_after(1) == TokenKind::Identifier);
        if self.kind_after(process) == TokenKind::Identifier && self.kind_after(process + 1) == TokenKind::OpenBrace {
            self.report(|parser| {
                let place = parser.previous();
                Diagnostic::new(Code::Syntax, place, "expected `;` after the channels")
                    .label("expected `;` after this")
                    .fix("add `;`", place.after(), ";")
            });
            self.quiet_at = usize::MAX;
            return;
        }
        self.expected("`,` or `;`", Some(EXAMPLE));
        self.skip_channel();
        while self.eat(TokenKind::Comma) {
            self.skip_channel();
        }
        self.eat(TokenKind::Semicolon);
    }

    /// Skips what cannot be understood, up to what may end a channel.
    fn skip_channel(&mut self) {
        use TokenKind::*;
        loop {
            match self.kind() {
                End | Semicolon | Comma | Bar | DoubleBar | Def | Main | OpenBrace | CloseBrace => return,
                Identifier if self.kind_after(1) == OpenBrace => return,
                _ => self.step_over(),
            }
        }
    }
}

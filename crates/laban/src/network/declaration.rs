//! What is checked of `channels …;` in the text of a network: there are such processes, and nothing is said twice.
//!
//! A network that is spread over several files may have a declaration in each, as long as they agree.

use super::lower::NetworkLowering;
use super::{Channel, Channels, ProcessId};
use crate::diagnostic::{Code, Diagnostic, quote};
use crate::lowering::NONE;
use crate::syntax::{ChannelItem, Span};
use std::collections::BTreeMap;

impl NetworkLowering<'_> {
    /// The channels that the text declares.
    pub(super) fn channels(&mut self) -> Channels {
        let tree = self.shared.tree;
        let mut channels = Channels::default();
        // What was said, where, and in which declaration.
        let mut said: BTreeMap<Option<(u32, u32)>, (Channel, Span, usize)> = BTreeMap::new();
        for (declaration, items) in tree.channels.iter().map(|declaration| &declaration.items).enumerate() {
            for &item in items {
                let ends = item.ends.map(|(from, to)| (from.symbol.0, to.symbol.0));
                if let Some(&(channel, first, where_said)) = said.get(&ends) {
                    // Two files may well say the same.
                    if channel != item.channel || where_said == declaration {
                        self.said_twice(item, first, channel);
                    }
                    continue;
                }
                said.insert(ends, (item.channel, item.span, declaration));
                let Some((from, to)) = item.ends else {
                    channels.default = item.channel;
                    continue;
                };
                for (own, end) in [(None, from), (Some(from), to)] {
                    if self.shared.process(end.symbol) == NONE || own.is_some_and(|own| own.symbol == end.symbol) {
                        self.no_partner(own, end, "has a channel to");
                    }
                }
                let process = |name: crate::syntax::Name| ProcessId(self.shared.process(name.symbol));
                channels.single.push((process(from), process(to), item.channel));
            }
        }
        channels
    }

    fn said_twice(&mut self, item: ChannelItem, first: Span, channel: Channel) {
        self.shared.report(|lowering| {
            let text = |name| lowering.tree.text(name);
            let message = match item.ends {
                Some((from, to)) => {
                    let pair = format!("{} -> {}", text(from), text(to));
                    format!("the channel {} is declared twice", quote(&pair))
                }
                None => "it is said twice how all other channels are".to_string(),
            };
            let diagnostic =
                Diagnostic::new(Code::DuplicateChannel, item.span, message).label("again here").at(first, "first here");
            match channel == item.channel {
                true => diagnostic.hint("once is enough"),
                false => diagnostic.hint(format!("is it {channel} or {}?", item.channel)),
            }
        });
    }
}

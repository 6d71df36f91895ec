//! Whether a diagram says everything that a choreography does, so that it can be read back.

use super::waiting::taking;
use super::{Item, Sequence};
use crate::text::shortened;
use std::borrow::Cow;

/// The comment on a diagram that is a whole choreography, for those who read it back.
pub(super) const MARK: &str = "laban: choreography";

/// Whether diagrams are a whole choreography when texts have at most so many characters.
pub(super) fn is_choreography(sequence: &Sequence, most: usize) -> bool {
    sequence.is_whole && fits(sequence, most)
}

/// Whether no text is cut short.
fn fits(sequence: &Sequence, most: usize) -> bool {
    let is_short = |text: &str| matches!(shortened(text, most), Cow::Borrowed(_));
    sequence.diagrams.iter().all(|diagram| {
        let lanes = diagram.lanes.iter().all(|lane| is_short(&lane.name));
        let items = diagram.items.iter().all(|item| match item {
            Item::Message { text, .. }
            | Item::Put { text, .. }
            | Item::Note { text, .. }
            | Item::Remark { text, .. }
            | Item::Reference { text, .. }
            | Item::Open { text, .. }
            | Item::Next { text } => is_short(text),
            // What is taken is known from where it was put.
            Item::Take { from, text, .. } => {
                is_short(&taking(diagram.lanes.get(*from).map_or("", |lane| &lane.name), text))
            }
            Item::Close => true,
        });
        lanes && items && is_short(&diagram.title)
    })
}

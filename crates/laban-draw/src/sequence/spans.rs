//! How far frames reach.

use super::{Diagram, Item, Lane, Span};

/// Gives frames and remarks the lanes that they are about, and makes sure that there is something to see.
pub(super) fn settle(diagram: &mut Diagram) {
    if diagram.items.is_empty() {
        diagram.items.push(Item::Remark { text: "nothing happens".to_string(), span: Span::default() });
    }
    if diagram.lanes.is_empty() {
        diagram.lanes.push(Lane { name: "nobody".to_string(), service: false, stuck: false });
    }
    let all = Span { first: 0, last: diagram.lanes.len() - 1 };
    let mut spans = vec![None; diagram.items.len()];
    // The frames that are open, with what they reach so far; the remarks of each wait for its end.
    let mut open: Vec<(usize, Option<Span>)> = Vec::new();
    for (index, item) in diagram.items.iter().enumerate() {
        let reach = match *item {
            Item::Message { from, to, .. } | Item::Put { from, to, .. } | Item::Take { from, to, .. } => {
                Some(Span { first: from.min(to), last: from.max(to) })
            }
            Item::Note { lane, .. } => Some(Span { first: lane, last: lane }),
            Item::Reference { span, .. } => Some(span),
            Item::Open { lane, .. } => {
                open.push((index, lane.map(|lane| Span { first: lane, last: lane })));
                None
            }
            Item::Close => match open.pop() {
                Some((start, span)) => {
                    spans[start] = span;
                    span
                }
                None => None,
            },
            Item::Remark { .. } | Item::Next { .. } => None,
        };
        if let (Some(reach), Some((_, around))) = (reach, open.last_mut()) {
            *around = Some(match *around {
                None => reach,
                Some(span) => Span { first: span.first.min(reach.first), last: span.last.max(reach.last) },
            });
        }
    }
    let mut around = vec![all];
    for (item, found) in diagram.items.iter_mut().zip(spans) {
        let innermost = around.last().copied().unwrap_or(all);
        match item {
            Item::Open { span, .. } => {
                *span = found.unwrap_or(innermost);
                around.push(*span);
            }
            Item::Remark { span, .. } => *span = innermost,
            Item::Close if around.len() > 1 => {
                around.pop();
            }
            _ => {}
        }
    }
}

//! Several pictures as one.

use crate::{Edge, Group, Picture};

/// Pictures next to each other, each with a name. The picture of a single one has no group.
pub fn beside(pictures: Vec<(String, Picture)>) -> Picture {
    let several = pictures.len() > 1;
    let mut all = Picture::default();
    for (label, picture) in pictures {
        let start = all.nodes.len();
        let shifted = |edge: Edge| Edge { from: edge.from + start, to: edge.to + start, ..edge };
        all.direction = picture.direction;
        all.nodes.extend(picture.nodes);
        all.edges.extend(picture.edges.into_iter().map(shifted));
        if several {
            all.groups.push(Group { label, start, end: all.nodes.len() });
        }
        for caption in picture.captions {
            if !all.captions.contains(&caption) {
                all.captions.push(caption);
            }
        }
    }
    all
}

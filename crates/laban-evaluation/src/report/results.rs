//! All results, and ways to pick some of them.

use crate::run::{Key, Run};
use std::collections::BTreeMap;

/// The results, in the order of what was asked.
pub(super) struct Results<'a>(pub(super) &'a BTreeMap<Key, Run>);

/// The same search of the same network, once with the paper's search and once with the fast one.
pub(super) struct Pair<'a> {
    pub(super) paper: &'a Run,
    pub(super) fast: &'a Run,
}

impl Pair<'_> {
    /// Whether both finished within the limit.
    pub(super) fn finished(&self) -> bool {
        self.paper.finished() && self.fast.finished()
    }
}

impl<'a> Results<'a> {
    /// Those of a part of the evaluation.
    pub(super) fn part(&self, part: &str) -> impl Iterator<Item = &'a Run> {
        self.0.values().filter(move |run| run.key.part == part)
    }

    /// Whether a part was looked at.
    pub(super) fn has(&self, part: &str) -> bool {
        self.part(part).next().is_some()
    }

    /// One of them.
    pub(super) fn find(&self, key: &Key) -> Option<&'a Run> {
        self.0.get(key)
    }

    /// The same, asked with another search.
    pub(super) fn with_search(&self, run: &Run, search: &str) -> Option<&'a Run> {
        self.find(&Key { search: search.to_string(), ..run.key.clone() })
    }

    /// All for which there are both searches.
    pub(super) fn pairs(&self, part: &str) -> impl Iterator<Item = Pair<'a>> {
        let paper = self.part(part).filter(|run| run.key.search == "paper");
        paper.filter_map(|paper| Some(Pair { paper, fast: self.with_search(paper, "fast")? }))
    }
}

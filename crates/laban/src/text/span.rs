//! Places in a text, as byte offsets.

/// A stretch of text, from `start` up to but not including `end`, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The stretch from `start` to `end`.
    pub fn new(start: u32, end: u32) -> Self {
        Span { start, end }
    }

    /// The stretch from the start of this one to the end of the other.
    #[must_use]
    pub fn to(self, other: Span) -> Self {
        Span::new(self.start, other.end)
    }

    /// The empty stretch at the end of this one.
    #[must_use]
    pub fn after(self) -> Self {
        Span::new(self.end, self.end)
    }

    /// The text there, or nothing if the span is not of this text.
    pub fn text(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

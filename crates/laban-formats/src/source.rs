//! The text of a file, as readers get it.

/// A text and where it comes from.
///
/// Several texts can make up one system. Places then count from the `offset` of each, so that they are places in all
/// texts one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Source<'a> {
    /// The name of the file; may be empty. Some formats say only there whose behaviour it is.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
    /// What is added to every place in it.
    pub offset: u32,
}

impl<'a> Source<'a> {
    /// The only text of a system.
    pub fn new(name: &'a str, text: &'a str) -> Self {
        Source { name, text, offset: 0 }
    }

    /// The name of the file without folders and without what follows its last dot.
    pub fn stem(&self) -> &'a str {
        let file = self.name.rsplit(['/', '\\']).next().unwrap_or(self.name);
        match file.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem,
            _ => file,
        }
    }
}

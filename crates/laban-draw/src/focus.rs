//! How much of something is drawn.

/// Which processes a drawing is about, and how large it may get.
///
/// What does not fit is folded, and the drawing says how much that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Focus {
    /// Only what concerns some of these processes; everything, if there are none.
    pub processes: Vec<String>,
    /// The most steps in a sequence diagram, procedures included.
    pub max_items: usize,
    /// The most nodes in a graph.
    pub max_nodes: usize,
    /// The most frames within each other in a sequence diagram.
    pub max_depth: usize,
}

impl Default for Focus {
    fn default() -> Self {
        Focus { processes: Vec::new(), max_items: 500, max_nodes: 300, max_depth: 24 }
    }
}

impl Focus {
    /// Whether only some processes are asked for.
    pub fn is_narrow(&self) -> bool {
        !self.processes.is_empty()
    }

    /// Whether what concerns a process of this name is drawn.
    pub fn includes(&self, process: &str) -> bool {
        self.processes.is_empty() || self.processes.iter().any(|one| one == process)
    }
}

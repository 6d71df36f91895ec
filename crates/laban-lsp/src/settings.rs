//! What was agreed on with the client when it started the server.
//!
//! Everything is optional, and what is not understood counts as not said.

use laban::text::Columns;
use serde_json::Value;
use std::time::Duration;

/// What the client wants and can do.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// What columns count.
    pub(crate) columns: Columns,
    /// A search gives up after so many states.
    pub(crate) max_states: usize,
    /// … or after this time.
    pub(crate) timeout: Option<Duration>,
    /// Whether the client is told when a document has been analysed.
    pub(crate) notify_analysed: bool,
    /// Whether the client can watch files.
    pub(crate) watches_files: bool,
    /// Whether the client asks for code lenses again when it is told to.
    pub(crate) refreshes_lenses: bool,
    /// Whether the client asks for inlay hints again when it is told to.
    pub(crate) refreshes_hints: bool,
    /// Whether edits can name the versions of the documents that they are about.
    pub(crate) versioned_edits: bool,
    /// Whether completions can have gaps to be filled in.
    pub(crate) snippets: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            columns: Columns::Utf16,
            max_states: 200_000,
            timeout: Some(Duration::from_secs(10)),
            notify_analysed: false,
            watches_files: false,
            refreshes_lenses: false,
            refreshes_hints: false,
            versioned_edits: false,
            snippets: false,
        }
    }
}

impl Settings {
    /// From the parameters of the request `initialize`.
    pub(crate) fn of(params: &Value) -> Self {
        let default = Settings::default();
        let is = |pointer: &str| params.pointer(pointer).and_then(Value::as_bool).unwrap_or(false);
        let encodings = params.pointer("/capabilities/general/positionEncodings").and_then(Value::as_array);
        let offers = |word: &str| encodings.is_some_and(|list| list.iter().any(|one| one == word));
        let option = |name: &str| params.get("initializationOptions").and_then(|options| options.get(name));
        let seconds = option("timeout").and_then(Value::as_f64);
        Settings {
            columns: if offers("utf-8") { Columns::Utf8 } else { Columns::Utf16 },
            max_states: option("maxStates")
                .and_then(Value::as_u64)
                .and_then(|most| usize::try_from(most).ok())
                .unwrap_or(default.max_states),
            timeout: match seconds.map(Duration::try_from_secs_f64) {
                Some(Ok(time)) => Some(time).filter(|time| !time.is_zero()),
                _ => default.timeout,
            },
            notify_analysed: option("notifyAnalysed").and_then(Value::as_bool).unwrap_or(false),
            watches_files: is("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
            refreshes_lenses: is("/capabilities/workspace/codeLens/refreshSupport"),
            refreshes_hints: is("/capabilities/workspace/inlayHint/refreshSupport"),
            versioned_edits: is("/capabilities/workspace/workspaceEdit/documentChanges"),
            snippets: is("/capabilities/textDocument/completion/completionItem/snippetSupport"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_not_understood_counts_as_not_said() {
        for params in [json!(null), json!([]), json!({ "capabilities": 3, "initializationOptions": "x" })] {
            assert_eq!(Settings::of(&params).max_states, Settings::default().max_states);
        }
        let settings = Settings::of(&json!({
            "capabilities": { "general": { "positionEncodings": ["utf-16", "utf-8"] } },
            "initializationOptions": { "maxStates": 7, "timeout": 0 },
        }));
        assert_eq!((settings.columns, settings.max_states, settings.timeout), (Columns::Utf8, 7, None));
        let settings = Settings::of(&json!({ "initializationOptions": { "maxStates": -1, "timeout": -1 } }));
        assert_eq!(settings.timeout, Settings::default().timeout);
    }
}

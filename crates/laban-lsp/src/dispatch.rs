//! Requests and their answers: which function answers what.

use crate::document::Document;
use crate::preview::{self, PreviewParams};
use crate::settings::Settings;
use crate::workspace::Workspace;
use crate::{
    actions, completion, definition, folding, format, hints, hover, lenses, references, rename, symbols, tokens,
};
use gen_lsp_types::{
    CodeActionRequest, CodeLensRequest, CompletionRequest, CompletionResponse, DefinitionRequest,
    DocumentFormattingRequest, DocumentHighlightRequest, DocumentSymbolRequest, DocumentSymbolResponse,
    ExecuteCommandParams, FoldingRangeRequest, HoverRequest, InlayHintRequest, PrepareRenameRequest, ReferencesRequest,
    RenameRequest, Request, SemanticTokensRangeRequest, SemanticTokensRequest, TextDocumentIdentifier,
    WorkspaceSymbolRequest, WorkspaceSymbolResponse,
};
use lsp_server::{ErrorCode, ResponseError};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// How much work was done; answered when nothing is left to do.
pub(crate) const STATISTICS: &str = "laban/statistics";

/// Whether a request has to wait until everything is known about its document.
pub(crate) fn waits(method: &str) -> bool {
    matches!(
        method,
        "textDocument/codeLens"
            | "textDocument/inlayHint"
            | "textDocument/codeAction"
            | "workspace/executeCommand"
            | "laban/preview"
    )
}

/// The document that a request is about.
pub(crate) fn uri(params: &Value) -> Option<&str> {
    let found = ["/textDocument/uri", "/uri", "/arguments/0"].iter().find_map(|pointer| params.pointer(pointer));
    found.and_then(Value::as_str)
}

/// The answer to a request.
pub(crate) fn answer(
    workspace: &Workspace,
    settings: &Settings,
    method: &str,
    params: Value,
) -> Result<Value, ResponseError> {
    let document = |of: &TextDocumentIdentifier| workspace.document(&of.uri.0).cloned();
    match method {
        "textDocument/hover" => reply::<HoverRequest>(params, |params| hover::hover(workspace, &params)),
        "textDocument/definition" => {
            reply::<DefinitionRequest>(params, |params| definition::definition(workspace, &params))
        }
        "textDocument/references" => {
            reply::<ReferencesRequest>(params, |params| references::references(workspace, &params))
        }
        "textDocument/documentHighlight" => {
            reply::<DocumentHighlightRequest>(params, |params| references::highlights(workspace, &params))
        }
        "textDocument/prepareRename" => {
            try_reply::<PrepareRenameRequest>(params, |params| rename::prepare(workspace, &params))
        }
        "textDocument/rename" => {
            try_reply::<RenameRequest>(params, |params| rename::rename(workspace, settings, &params))
        }
        "textDocument/completion" => reply::<CompletionRequest>(params, |params| {
            Some(CompletionResponse::CompletionItemList(completion::complete(workspace, settings, &params)))
        }),
        "textDocument/codeAction" => {
            reply::<CodeActionRequest>(params, |params| Some(actions::actions(workspace, settings, &params)))
        }
        "textDocument/formatting" => reply::<DocumentFormattingRequest>(params, |params| {
            document(&params.text_document).and_then(|document| format::edits(workspace, &document))
        }),
        "textDocument/documentSymbol" => reply::<DocumentSymbolRequest>(params, |params| {
            let outline = |document: Arc<Document>| symbols::outline(workspace, &document);
            document(&params.text_document).map(outline).map(DocumentSymbolResponse::DocumentSymbolList)
        }),
        "workspace/symbol" => reply::<WorkspaceSymbolRequest>(params, |params| {
            Some(WorkspaceSymbolResponse::WorkspaceSymbolList(symbols::find(workspace, &params.query)))
        }),
        "textDocument/foldingRange" => reply::<FoldingRangeRequest>(params, |params| {
            document(&params.text_document).map(|document| folding::ranges(workspace, &document))
        }),
        "textDocument/semanticTokens/full" => reply::<SemanticTokensRequest>(params, |params| {
            document(&params.text_document).map(|document| tokens::tokens(workspace, &document, None))
        }),
        "textDocument/semanticTokens/range" => reply::<SemanticTokensRangeRequest>(params, |params| {
            document(&params.text_document).map(|document| tokens::tokens(workspace, &document, Some(params.range)))
        }),
        "textDocument/inlayHint" => reply::<InlayHintRequest>(params, |params| {
            document(&params.text_document).map(|document| hints::hints(workspace, &document, params.range))
        }),
        "textDocument/codeLens" => reply::<CodeLensRequest>(params, |params| {
            document(&params.text_document).map(|document| lenses::lenses(workspace, &document))
        }),
        "workspace/executeCommand" => {
            let params: ExecuteCommandParams = parsed(params)?;
            let arguments = params.arguments.unwrap_or_default();
            match preview::of_command(&params.command, &arguments) {
                Some(params) => Ok(shown(workspace, &params)),
                None => Err(error(ErrorCode::InvalidParams, "unknown command, or no document is named".to_string())),
            }
        }
        "laban/preview" => Ok(shown(workspace, &parsed::<PreviewParams>(params)?)),
        STATISTICS => Ok(statistics(workspace)),
        _ => Err(error(ErrorCode::MethodNotFound, format!("unknown request `{method}`"))),
    }
}

fn shown(workspace: &Workspace, params: &PreviewParams) -> Value {
    let shown = preview::preview(workspace, params);
    serde_json::to_value(shown).unwrap_or(Value::Null)
}

fn statistics(workspace: &Workspace) -> Value {
    let counters = &workspace.counters;
    let count = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
    json!({
        "parses": count(&counters.parses),
        "searches": count(&counters.searches),
        "cancelled": count(&counters.cancelled),
        "documents": workspace.open_documents().count(),
    })
}

fn reply<R: Request>(params: Value, answer: impl FnOnce(R::Params) -> R::Result) -> Result<Value, ResponseError> {
    try_reply::<R>(params, |params| Ok(answer(params)))
}

fn try_reply<R: Request>(
    params: Value,
    answer: impl FnOnce(R::Params) -> Result<R::Result, String>,
) -> Result<Value, ResponseError> {
    let result = answer(parsed(params)?).map_err(|why| error(ErrorCode::RequestFailed, why))?;
    serde_json::to_value(result).map_err(|why| error(ErrorCode::InternalError, why.to_string()))
}

fn parsed<T: DeserializeOwned>(params: Value) -> Result<T, ResponseError> {
    serde_json::from_value(params).map_err(|why| error(ErrorCode::InvalidParams, why.to_string()))
}

pub(crate) fn error(code: ErrorCode, message: String) -> ResponseError {
    ResponseError { code: code as i32, message, data: None }
}

//! What the server offers.

use crate::settings::Settings;
use crate::{preview, tokens};
use gen_lsp_types::{
    CodeActionKind, CodeActionOptions, CodeLensOptions, CompletionOptions, ExecuteCommandOptions, Full,
    InitializeResult, PositionEncodingKind, RenameOptions, Save, SaveOptions, SemanticTokensLegend,
    SemanticTokensOptions, SemanticTokensOptionsRange, ServerCapabilities, ServerInfo, TextDocumentSyncKind,
    TextDocumentSyncOptions, WorkDoneProgressOptions,
};
use laban::text::Columns;

/// The answer to the request `initialize`.
pub(crate) fn initialize_result(settings: &Settings) -> InitializeResult {
    let progress = WorkDoneProgressOptions::default();
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<String>>();
    let capabilities = ServerCapabilities {
        position_encoding: Some(match settings.columns {
            Columns::Utf8 => PositionEncodingKind::UTF8,
            Columns::Characters | Columns::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::Incremental),
                save: Some(Save::SaveOptions(SaveOptions { include_text: Some(false) })),
                ..TextDocumentSyncOptions::default()
            }
            .into(),
        ),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(words(&["+", "&", "{", ";", ":", "[", ">", ","])),
            ..CompletionOptions::default()
        }),
        hover_provider: Some(true.into()),
        definition_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_highlight_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        workspace_symbol_provider: Some(true.into()),
        code_action_provider: Some(
            CodeActionOptions {
                code_action_kinds: Some(vec![CodeActionKind::QuickFix, CodeActionKind::Source]),
                ..CodeActionOptions::default()
            }
            .into(),
        ),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false), ..CodeLensOptions::default() }),
        document_formatting_provider: Some(true.into()),
        rename_provider: Some(
            RenameOptions { prepare_provider: Some(true), work_done_progress_options: progress }.into(),
        ),
        folding_range_provider: Some(true.into()),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: words(&preview::COMMANDS),
            work_done_progress_options: progress,
        }),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: SemanticTokensLegend {
                    token_types: words(tokens::TYPES),
                    token_modifiers: words(tokens::MODIFIERS),
                },
                range: Some(SemanticTokensOptionsRange::Bool(true)),
                full: Some(Full::Bool(true)),
                work_done_progress_options: progress,
            }
            .into(),
        ),
        inlay_hint_provider: Some(true.into()),
        ..ServerCapabilities::default()
    };
    let server_info =
        Some(ServerInfo { name: "laban".to_string(), version: Some(env!("CARGO_PKG_VERSION").to_string()) });
    InitializeResult { capabilities, server_info }
}

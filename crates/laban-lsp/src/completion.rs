//! Completion: partners, procedures, and the labels that the partner really offers or selects.
//!
//! While somebody types, the text around the cursor is broken. So the tokens before the cursor tell what is wanted, and
//! the tree, which has gaps there, what there is elsewhere.

use crate::names::{Entity, Role};
use crate::place::Place;
use crate::settings::Settings;
use crate::workspace::Workspace;
use gen_lsp_types::{CompletionItem, CompletionItemKind, CompletionParams, InsertTextFormat};
use laban::SyntaxTree;
use laban::syntax::{Kind, Language, Names, Symbol, Token, TokenKind, Tree, lex};
use std::collections::BTreeSet;

/// More items than this are not sent.
const MOST_ITEMS: usize = 300;

/// What is wanted at the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted<'a> {
    /// A behaviour, or a body.
    Term,
    /// A label to select at a process.
    Selected(&'a str),
    /// A label to offer to a process.
    Offered(&'a str),
    /// A label of a choreography, from one process to another.
    Between(&'a str, &'a str),
    /// The name of a process.
    Process,
    /// A process, at the top of a network.
    Top,
    /// `def` or `main`.
    Unit,
    /// Nothing that is known.
    Nothing,
}

pub(crate) fn complete(workspace: &Workspace, settings: &Settings, params: &CompletionParams) -> Vec<CompletionItem> {
    let Some(place) = Place::of(workspace, &params.text_document_position_params) else { return Vec::new() };
    if !place.system.is_own() {
        return Vec::new();
    }
    let text = place.system.text();
    let before = &text[..place.offset as usize];
    let lexed = lex(before);
    let in_comment = lexed.comments.last().is_some_and(|span| {
        let comment = span.text(before);
        span.end as usize == before.len()
            && !(comment.starts_with("/*") && comment.ends_with("*/") && comment.len() > 3)
    });
    let mut tokens = lexed.tokens;
    tokens.pop();
    // The word that is being typed is what is wanted.
    tokens.pop_if(|last| {
        last.span.end as usize == before.len() && (last.kind == TokenKind::Identifier || last.kind.is_reserved_word())
    });
    if in_comment {
        return Vec::new();
    }
    let owner = owner(&tokens, before);
    let mut items = match place.system.analysis().tree() {
        SyntaxTree::Network(tree) => {
            let wanted = wanted(&tokens, before, Kind::Network);
            Writer { place: &place, names: &tree.names, settings, owner }.items(tree, wanted, Kind::Network)
        }
        SyntaxTree::Choreography(tree) => {
            let wanted = wanted(&tokens, before, Kind::Choreography);
            Writer { place: &place, names: &tree.names, settings, owner }.items(tree, wanted, Kind::Choreography)
        }
    };
    items.truncate(MOST_ITEMS);
    for (index, item) in items.iter_mut().enumerate() {
        item.sort_text = Some(format!("{index:04}"));
    }
    items
}

/// The process that the cursor is in: the name before the outermost brace that is open.
fn owner<'a>(tokens: &[Token], text: &'a str) -> Option<&'a str> {
    let mut open: Vec<usize> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::OpenBrace => open.push(index),
            TokenKind::CloseBrace => {
                open.pop();
            }
            _ => {}
        }
    }
    let name = tokens.get(open.first()?.checked_sub(1)?)?;
    (name.kind == TokenKind::Identifier).then(|| name.span.text(text))
}

/// What is wanted behind these tokens.
fn wanted<'a>(tokens: &[Token], text: &'a str, kind: Kind) -> Wanted<'a> {
    use TokenKind::*;
    let word = |back: usize| tokens.len().checked_sub(back).and_then(|at| tokens.get(at));
    let name = |back: usize| word(back).filter(|token| token.kind == Identifier).map(|token| token.span.text(text));
    let depth = tokens.iter().fold(0usize, |depth, token| match token.kind {
        OpenBrace => depth + 1,
        CloseBrace => depth.saturating_sub(1),
        _ => depth,
    });
    let Some(last) = word(1) else { return Wanted::Top };
    match (last.kind, kind) {
        (Plus, Kind::Network) => name(2).map_or(Wanted::Nothing, Wanted::Selected),
        (Ampersand, Kind::Network) => name(2).map_or(Wanted::Nothing, Wanted::Offered),
        (OpenBrace, Kind::Network) if word(2).is_some_and(|token| token.kind == Ampersand) => {
            name(3).map_or(Wanted::Nothing, Wanted::Offered)
        }
        (Comma, Kind::Network) => match opened(tokens) {
            Some(brace) if brace >= 2 && tokens[brace - 1].kind == Ampersand => {
                Wanted::Offered(tokens[brace - 2].span.text(text))
            }
            _ => Wanted::Term,
        },
        (OpenBracket, Kind::Choreography) => {
            let from = arrow(tokens).and_then(|arrow| sender(tokens, arrow));
            match (from, name(2)) {
                (Some(from), Some(to)) => Wanted::Between(tokens[from].span.text(text), to),
                _ => Wanted::Nothing,
            }
        }
        (Arrow, Kind::Choreography) => Wanted::Process,
        (Greater, Kind::Choreography) if word(2).is_some_and(|token| token.span.text(text) == "~") => Wanted::Process,
        (Other, Kind::Choreography) if last.span.text(text) == "~" => Wanted::Process,
        (Bar | Semicolon, Kind::Network) if depth == 0 => Wanted::Top,
        (OpenBrace | CloseBrace, Kind::Network) if depth == 1 => Wanted::Unit,
        (CloseBrace | DoubleBar, Kind::Choreography) if depth == 0 => Wanted::Unit,
        (OpenBrace | Semicolon | Colon | Then | Else | Comma, _) if depth > 0 => Wanted::Term,
        (Identifier, _) if matches!(last.span.text(text), "idle" | "choose") => Wanted::Process,
        _ => Wanted::Nothing,
    }
}

/// The innermost brace that is open.
fn opened(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().rev() {
        match token.kind {
            TokenKind::CloseBrace => depth += 1,
            TokenKind::OpenBrace if depth == 0 => return Some(index),
            TokenKind::OpenBrace => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The last arrow.
fn arrow(tokens: &[Token]) -> Option<usize> {
    tokens.iter().rposition(|token| matches!(token.kind, TokenKind::Arrow | TokenKind::Other))
}

/// Who is before an arrow: the first name of the interaction.
fn sender(tokens: &[Token], arrow: usize) -> Option<usize> {
    let starts = |token: &Token| {
        use TokenKind::*;
        matches!(token.kind, Semicolon | OpenBrace | Comma | Then | Else | OpenParenthesis)
    };
    let first = tokens[..arrow].iter().rposition(starts).map_or(0, |at| at + 1);
    tokens.get(first).filter(|token| token.kind == TokenKind::Identifier).map(|_| first)
}

struct Writer<'a> {
    place: &'a Place,
    names: &'a Names,
    settings: &'a Settings,
    owner: Option<&'a str>,
}

impl Writer<'_> {
    fn items<L: Language>(&self, tree: &Tree<L>, wanted: Wanted<'_>, kind: Kind) -> Vec<CompletionItem> {
        match wanted {
            Wanted::Selected(to) => self.labels(self.owner, Some(to), Role::Definition),
            Wanted::Offered(from) => self.labels(Some(from), self.owner, Role::Use),
            Wanted::Between(from, to) => self.labels(Some(from), Some(to), Role::Use),
            Wanted::Process => self.processes().into_iter().map(|name| item(name, CompletionItemKind::Class)).collect(),
            Wanted::Unit => {
                let def = self.snippet("def", "a procedure", "def ${1:X} { $0 }");
                vec![def, self.snippet("main", "where execution starts", "main { $0 }")]
            }
            Wanted::Top => self.top(tree, kind),
            Wanted::Term => self.terms(tree, kind),
            Wanted::Nothing => Vec::new(),
        }
    }

    /// The labels between two processes: those that are offered, or those that are selected.
    fn labels(&self, from: Option<&str>, to: Option<&str>, role: Role) -> Vec<CompletionItem> {
        let same = |symbol: Symbol, name: Option<&str>| name.is_none_or(|name| self.names.text(symbol) == name);
        let mut labels: BTreeSet<&str> = BTreeSet::new();
        for one in self.place.system.names().all().iter().filter(|one| one.role == role) {
            if let Entity::Label { from: sender, to: receiver, label } = one.entity
                && same(sender, from)
                && same(receiver, to)
            {
                labels.insert(self.names.text(label));
            }
        }
        labels.into_iter().map(|label| item(label, CompletionItemKind::EnumMember)).collect()
    }

    /// The processes that there are, or that are named, without the one that asks.
    fn processes(&self) -> BTreeSet<&str> {
        let mut processes: BTreeSet<&str> = BTreeSet::new();
        for one in self.place.system.names().all() {
            if let Entity::Process(symbol) = one.entity {
                processes.insert(self.names.text(symbol));
            }
        }
        let typed = self.place.name().map(|name| name.span.text(self.place.system.text()));
        processes.retain(|&name| Some(name) != self.owner && !name.is_empty());
        // The word that is being typed is not a process yet.
        if let Some(typed) = typed
            && self.place.system.names().definitions(Entity::Process(self.symbol(typed))).next().is_none()
        {
            let count = self.place.system.names().same(Entity::Process(self.symbol(typed))).count();
            if count == 1 {
                processes.remove(typed);
            }
        }
        processes
    }

    fn symbol(&self, name: &str) -> Symbol {
        self.names.find(name).unwrap_or(Symbol(u32::MAX))
    }

    /// What a behaviour can begin with.
    fn terms<L: Language>(&self, tree: &Tree<L>, kind: Kind) -> Vec<CompletionItem> {
        let mut items = Vec::new();
        for process in self.processes() {
            items.push(CompletionItem { detail: Some("process".into()), ..item(process, CompletionItemKind::Class) });
            if kind == Kind::Network && self.settings.snippets {
                let send = format!("{process}!<>");
                items.push(self.snippet(&send, "send a value", &format!("{process}!<${{1:value}}>; $0")));
                items.push(item(&format!("{process}?"), CompletionItemKind::Event));
            }
        }
        let unit = crate::names::unit_at(tree, self.place.offset).and_then(|unit| tree.units.get(unit));
        for procedure in unit.iter().flat_map(|unit| &unit.procedures) {
            let name = tree.text(procedure.name);
            items.push(CompletionItem { detail: Some("procedure".into()), ..item(name, CompletionItemKind::Function) });
        }
        let (decide, choose) = match kind {
            Kind::Network => ("if ${1:condition} then $2 else $0", "choose { $1, $0 }"),
            Kind::Choreography => ("if ${1:p}.${2:condition} then $3 else $0", "choose ${1:p} { $2, $0 }"),
        };
        items.push(item("stop", CompletionItemKind::Keyword));
        items.push(self.snippet("if", "decide by a condition", decide));
        items.push(self.snippet("choose", "decide freely", choose));
        items.push(self.snippet("any", "whichever comes first", "any { $1, $0 }"));
        if kind == Kind::Network {
            items.push(self.snippet("idle", "may wait here forever", "idle $0"));
        }
        items
    }

    /// What a network, or a choreography, is made of.
    fn top<L: Language>(&self, tree: &Tree<L>, kind: Kind) -> Vec<CompletionItem> {
        if kind == Kind::Choreography {
            return self.items(tree, Wanted::Unit, kind);
        }
        let names = self.place.system.names();
        let mut items = Vec::new();
        for process in self.processes() {
            // Those that are named and not defined come first.
            if names.definitions(Entity::Process(self.symbol(process))).next().is_none() {
                items.push(self.snippet(
                    process,
                    "a process that is missing",
                    &format!("{process} {{ main {{ $0 }} }}"),
                ));
            }
        }
        items.push(self.snippet("process", "a process", "${1:p} { main { $0 } }"));
        items.push(self.snippet("service", "a process that may wait forever", "service ${1:p} { main { $0 } }"));
        items.push(self.snippet("channels", "how messages get there", "channels queue;"));
        items
    }

    /// Text with gaps, or only its first word where gaps are not understood.
    fn snippet(&self, label: &str, detail: &str, text: &str) -> CompletionItem {
        let mut item = item(label, CompletionItemKind::Snippet);
        item.detail = Some(detail.to_string());
        if self.settings.snippets {
            item.insert_text = Some(text.to_string());
            item.insert_text_format = Some(InsertTextFormat::Snippet);
        }
        item
    }
}

fn item(label: &str, kind: CompletionItemKind) -> CompletionItem {
    CompletionItem { label: label.to_string(), kind: Some(kind), ..CompletionItem::default() }
}

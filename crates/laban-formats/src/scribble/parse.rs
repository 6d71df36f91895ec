//! Reads modules: what they import and declare, and the heads of their protocols. What is in a protocol is read in
//! `statements`.

use super::token::{Kind, Lexer, Token};
use super::tree::{Declared, Import, Module, Name, QualifiedName, Refused, Tree, Unchecked};
use crate::report::Report;
use crate::source::Source;
use laban::diagnostic::{Code, Diagnostic, quote};
use laban::text::Span;
use std::borrow::Cow;
use std::collections::HashMap;

/// A place in a text, and everything that was read before it.
pub(super) struct Parser<'a, 't> {
    lexer: Lexer<'a>,
    pub(super) current: Token<'a>,
    pub(super) ahead: Token<'a>,
    /// Where the last token was that was taken.
    pub(super) last: Span,
    pub(super) module: usize,
    pub(super) tree: &'t mut Tree<'a>,
    pub(super) report: &'t mut Report,
    /// The loops around this place, by name; the innermost is the last.
    pub(super) loops: HashMap<&'a str, Vec<usize>>,
    /// Whose protocol is read, if it is that of one role.
    pub(super) own_role: Option<Name<'a>>,
    /// An index of a role that was met in this statement.
    pub(super) indexed: Option<Span>,
}

/// Words with which something begins that is not part of a protocol.
const OUTER: &[&str] = &["module", "import", "global", "local", "aux", "explicit", "timed", "protocol"];

/// Reads a text as a module.
pub(super) fn parse<'a>(source: &Source<'a>, tree: &mut Tree<'a>, report: &mut Report) {
    let module = tree.modules.len();
    tree.modules.push(Module { stem: source.stem(), ..Module::default() });
    let mut lexer = Lexer::new(source);
    let current = lexer.next(report);
    let ahead = lexer.next(report);
    let last = current.span;
    let mut parser = Parser {
        lexer,
        current,
        ahead,
        last,
        module,
        tree,
        report,
        loops: HashMap::new(),
        own_role: None,
        indexed: None,
    };
    while parser.current.kind != Kind::End {
        if parser.declaration().is_none() {
            parser.skip_declaration();
        }
    }
}

impl<'a> Parser<'a, '_> {
    /// Takes the next token.
    pub(super) fn take(&mut self) -> Token<'a> {
        let taken = self.current;
        self.last = taken.span;
        self.current = self.ahead;
        self.ahead = self.lexer.next(self.report);
        taken
    }

    /// Takes a word or symbol if it comes next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.current.is(text);
        if found {
            self.take();
        }
        found
    }

    /// Takes a word or symbol, or complains.
    pub(super) fn expect(&mut self, text: &str) -> Option<()> {
        if self.eat(text) {
            return Some(());
        }
        self.expected(&format!("`{text}`"));
        None
    }

    /// Complains that something else comes next.
    pub(super) fn expected(&mut self, what: &str) {
        if self.current.kind == Kind::End && self.lexer.is_cut_off {
            return;
        }
        let found = match self.current.text {
            "" => "the end of the text".to_string(),
            text => quote(text),
        };
        let message = format!("expected {what}, found {found}");
        let diagnostic = Diagnostic::new(Code::Syntax, self.current.span, message);
        self.report.add(diagnostic.label(format!("expected {what}")));
    }

    /// Complains that something is never closed.
    pub(super) fn unclosed(&mut self, opened: Span) {
        if self.lexer.is_cut_off {
            return;
        }
        let diagnostic = Diagnostic::new(Code::Unclosed, opened, "this `{` is never closed");
        self.report.add(diagnostic.label("`}` is missing"));
    }

    pub(super) fn name(&mut self, what: &str) -> Option<Name<'a>> {
        if self.current.kind == Kind::Word {
            let token = self.take();
            return Some(Name { text: token.text, span: token.span });
        }
        self.expected(what);
        None
    }

    pub(super) fn qualified_name(&mut self, what: &str) -> Option<QualifiedName<'a>> {
        let first = self.name(what)?;
        let mut text = Cow::Borrowed(first.text);
        while self.current.is(".") {
            self.take();
            let part = self.name("the rest of the name")?;
            let longer = text.to_mut();
            longer.push('.');
            longer.push_str(part.text);
        }
        Some(QualifiedName { text, span: Span::new(first.span.start, self.last.end) })
    }

    /// The text from a place to the last token that was taken.
    pub(super) fn since(&self, start: Span) -> &'a str {
        self.lexer.between(start, self.last)
    }

    /// Takes everything up to a closing bracket, and the bracket; the opening one was just taken. Brackets inside of
    /// it are taken in pairs.
    pub(super) fn skip_balanced(&mut self, opened: Span) -> Option<()> {
        let mut depth = 1usize;
        while self.current.kind != Kind::End {
            match self.take().text {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(());
            }
        }
        if !self.lexer.is_cut_off {
            self.report.add(Diagnostic::new(Code::Unclosed, opened, "this is never closed").label("opened here"));
        }
        None
    }

    /// Takes annotations, `@"…"`.
    pub(super) fn annotations(&mut self) {
        while self.current.is("@") && self.ahead.kind == Kind::Quoted {
            let start = self.take().span;
            self.take();
            self.tree.leave_unchecked(Unchecked::Annotation, start);
        }
    }

    /// Whether something begins here that is not part of a protocol.
    pub(super) fn is_outer(&self) -> bool {
        let next = self.ahead;
        self.current.kind == Kind::Word
            && match self.current.text {
                "global" => next.is("protocol") || next.kind == Kind::Word && !next.is("from"),
                "local" | "aux" | "explicit" | "timed" => OUTER.contains(&next.text),
                "protocol" | "module" | "import" => next.kind == Kind::Word && !next.is("from"),
                _ => false,
            }
    }

    /// Skips to where something may begin that is not part of a protocol.
    fn skip_declaration(&mut self) {
        while self.current.kind != Kind::End && !self.is_outer() {
            self.take();
        }
    }

    /// Something at the outer level; nothing if it is not understood.
    fn declaration(&mut self) -> Option<()> {
        if self.current.kind != Kind::Word {
            if self.eat(";") {
                return Some(());
            }
            self.expected("a protocol");
            self.take();
            return None;
        }
        match self.current.text {
            "module" => {
                self.take();
                let name = self.qualified_name("the name of the module")?;
                self.tree.modules[self.module].name = Some(name);
                self.expect(";")
            }
            "import" | "from" => self.import(),
            "data" | "type" | "sig" => self.declared_type(),
            "global" | "local" | "aux" | "explicit" | "timed" | "nested" | "protocol" => self.protocol(),
            "const" | "group" => {
                let span = self.take().span;
                let diagnostic =
                    Diagnostic::new(Code::Syntax, span, "Pabble's parameters cannot be expressed as a choreography");
                self.report
                    .add(diagnostic.label("not supported").hint("write the protocol for a fixed number of roles"));
                None
            }
            _ => {
                self.expected("a protocol");
                self.take();
                None
            }
        }
    }

    /// `import a.b.C as D;` or `from a.b.C import P as Q;`
    fn import(&mut self) -> Option<()> {
        let is_member = self.take().text == "from";
        let module = self.qualified_name("the name of a module")?;
        let member = if is_member {
            self.expect("import")?;
            Some(self.name("the name of a protocol")?)
        } else {
            None
        };
        let alias = if self.eat("as") { Some(self.name("another name")?) } else { None };
        self.tree.modules[self.module].imports.push(Import { module, alias, member });
        self.expect(";")
    }

    /// `data <java> "…" from "…" as T;`
    fn declared_type(&mut self) -> Option<()> {
        self.take();
        self.expect("<")?;
        self.name("the language of the type")?;
        self.expect(">")?;
        self.quoted()?;
        self.expect("from")?;
        self.quoted()?;
        self.expect("as")?;
        self.name("the name of the type")?;
        self.expect(";")
    }

    fn quoted(&mut self) -> Option<()> {
        if self.current.kind == Kind::Quoted {
            self.take();
            return Some(());
        }
        self.expected("a text in quotes");
        None
    }

    fn protocol(&mut self) -> Option<()> {
        let (head, opened) = self.head()?;
        self.body(head, opened);
        Some(())
    }

    /// Everything of a protocol up to the brace, and where the brace is.
    pub(super) fn head(&mut self) -> Option<(Declared<'a>, Span)> {
        let (mut is_auxiliary, mut is_local, mut is_nested) = (false, false, false);
        let mut is_protocol = false;
        while !is_protocol && self.current.kind == Kind::Word {
            match self.current.text {
                "aux" => is_auxiliary = true,
                "local" => is_local = true,
                "nested" => is_nested = true,
                "timed" => self.tree.leave_unchecked(Unchecked::Time, self.current.span),
                "protocol" => is_protocol = true,
                // nuScr allows `global` alone.
                "explicit" | "global" => {}
                _ => break,
            }
            self.take();
        }
        let name = self.name("the name of the protocol")?;
        let mut head = Declared {
            module: self.module,
            name,
            is_auxiliary,
            is_local,
            own_role: None,
            is_nested,
            parameters: Vec::new(),
            roles: Vec::new(),
            body: 0,
            refused: None,
        };
        if is_local && self.eat("at") {
            head.own_role = Some(self.name("the role whose protocol it is")?);
        }
        if self.eat("<") {
            while !self.eat(">") {
                if !(self.eat("type") || self.eat("data") || self.eat("sig")) {
                    self.expected("`data`, `type` or `sig`");
                    return None;
                }
                head.parameters.push(self.name("the name of a parameter")?);
                if !self.current.is(">") {
                    self.expect(",")?;
                }
            }
        }
        self.expect("(")?;
        self.role_declarations(&mut head)?;
        if let Some(own) = head.own_role.filter(|own| head.roles.iter().all(|role| role.text != own.text)) {
            head.roles.push(own);
        }
        self.annotations();
        let opened = self.current.span;
        self.expect("{")?;
        Some((head, opened))
    }

    fn role_declarations(&mut self, head: &mut Declared<'a>) -> Option<()> {
        let mut met: HashMap<&str, Span> = HashMap::new();
        while !self.eat(")") {
            if (self.current.is("safe") || self.current.is("reliable")) && self.ahead.is("role") {
                let span = self.take().span;
                self.tree.leave_unchecked(Unchecked::Crash, span);
            }
            let is_own = head.is_local && self.eat("self");
            if !is_own && !self.eat("role") {
                self.expected("`role`");
                return None;
            }
            let name = self.name("the name of a role")?;
            if is_own {
                head.own_role = Some(name);
            }
            if self.current.is("[") {
                let opened = self.take().span;
                self.skip_balanced(opened)?;
                head.refused = head.refused.or(Some(indexed_roles(Span::new(name.span.start, self.last.end))));
            }
            if let Some(other) = met.insert(name.text, name.span) {
                let message = format!("there are two roles {}", quote(name.text));
                let diagnostic = Diagnostic::new(Code::DuplicateProcess, name.span, message).label("again");
                self.report.add(diagnostic.at(other, "first declared here"));
            }
            head.roles.push(name);
            if self.current.is(";") && self.ahead.is("new") {
                let hint = "declare all roles in the head of the protocol";
                let what = "roles that are created on the way (`new role`)";
                head.refused = head.refused.or(Some(Refused { span: self.ahead.span, what, hint }));
                self.take();
                self.take();
            } else if !self.current.is(")") {
                self.expect(",")?;
            }
        }
        Some(())
    }
}

pub(super) fn indexed_roles(span: Span) -> Refused {
    Refused { span, what: "a role with an index", hint: "write the protocol for a fixed number of roles" }
}

//! Reads what is in a protocol, with the blocks that are open on a stack.

use super::parse::{Parser, indexed_roles};
use super::token::Kind;
use super::tree::{Call, Declared, Item, Name, PayloadElement, Refused, Signature, Unchecked};
use laban::text::Span;

/// A block that is open.
struct Frame<'a> {
    items: Vec<Item<'a>>,
    opened: Span,
    open: Open<'a>,
}

/// What the block belongs to.
enum Open<'a> {
    Body(Declared<'a>),
    Loop { name: Name<'a>, number: usize },
    Choice { span: Span, at: Name<'a>, branches: Vec<usize> },
    Parallel { span: Span, parts: Vec<usize> },
}

/// What a statement turned out to be.
enum Read<'a> {
    Item(Item<'a>),
    /// A block, of which the brace was taken.
    Block(Open<'a>, Span),
    Nothing,
}

impl<'a> Parser<'a, '_> {
    /// Reads the body of a protocol, of which the brace was taken.
    pub(super) fn body(&mut self, head: Declared<'a>, opened: Span) {
        self.loops.clear();
        self.own_role = head.own_role;
        let mut frames = vec![Frame { items: Vec::new(), opened, open: Open::Body(head) }];
        while let Some(frame) = frames.last_mut() {
            if self.current.kind == Kind::End || self.is_outer() {
                let opened = frame.opened;
                self.unclosed(opened);
                while !frames.is_empty() {
                    self.close(&mut frames);
                }
                return;
            }
            if self.eat("}") {
                self.close(&mut frames);
                continue;
            }
            self.indexed = None;
            let start = self.current.span;
            match self.statement() {
                Some(Read::Item(item)) => {
                    let indexed = self.indexed.take().map(|span| Item::Refused(indexed_roles(span)));
                    frame.items.push(indexed.unwrap_or(item));
                }
                Some(Read::Block(open, opened)) => {
                    if let Some(span) = self.indexed.take() {
                        frame.items.push(Item::Refused(indexed_roles(span)));
                    }
                    frames.push(Frame { items: Vec::new(), opened, open });
                }
                Some(Read::Nothing) => {}
                None => self.skip_statement(start),
            }
        }
    }

    /// Closes the innermost block.
    fn close(&mut self, frames: &mut Vec<Frame<'a>>) {
        let Some(Frame { items, open, .. }) = frames.pop() else { return };
        let block = self.tree.add_block(items);
        let item = match open {
            Open::Body(mut head) => {
                head.body = block;
                self.tree.protocols.push(head);
                return;
            }
            Open::Loop { name, number } => {
                if let Some(around) = self.loops.get_mut(name.text) {
                    around.pop();
                }
                Item::Loop { name, number, body: block }
            }
            Open::Choice { span, at, mut branches } => {
                branches.push(block);
                if self.eat("or") {
                    // `or at A` is how some write it.
                    let opened = self.current.span;
                    if self.expect("{").is_some() {
                        let open = Open::Choice { span, at, branches };
                        frames.push(Frame { items: Vec::new(), opened, open });
                        return;
                    }
                }
                Item::Choice { span, at, branches }
            }
            Open::Parallel { span, mut parts } => {
                parts.push(block);
                if self.eat("and") {
                    let opened = self.current.span;
                    if self.expect("{").is_some() {
                        frames.push(Frame { items: Vec::new(), opened, open: Open::Parallel { span, parts } });
                        return;
                    }
                }
                Item::Parallel { span, parts }
            }
        };
        if let Some(frame) = frames.last_mut() {
            frame.items.push(item);
        }
    }

    /// Skips the rest of a statement that was not understood.
    fn skip_statement(&mut self, start: Span) {
        // Something is always skipped, so that reading goes on.
        if self.current.span == start && self.current.kind != Kind::End && !self.current.is("}") {
            self.take();
        }
        while self.current.kind != Kind::End && !self.current.is("}") && !self.is_outer() {
            let token = self.take();
            if token.is(";") {
                return;
            }
            if token.is("{") {
                // What is in the braces belongs to it, and so does what follows `or`, `and` and `with`.
                let closed = self.skip_balanced(token.span);
                let goes_on = ["or", "and", "with"].iter().any(|word| self.current.is(word));
                if closed.is_none() || !goes_on {
                    return;
                }
            }
        }
    }

    fn statement(&mut self) -> Option<Read<'a>> {
        let start = self.current.span;
        if self.eat(";") {
            return Some(Read::Nothing);
        }
        if self.current.is("(") {
            return self.message(start).map(Read::Item);
        }
        if self.current.kind != Kind::Word {
            self.expected("a message, `choice`, `rec`, `continue` or `do`");
            return None;
        }
        // Some keywords of one dialect are names in others.
        let is_message = self.own_role.is_some() && self.ahead.is("to")
            || ["(", "from", "connect"].iter().any(|next| self.ahead.is(next)) && !self.current.is("do");
        if is_message {
            return self.message(start).map(Read::Item);
        }
        if self.ahead.is("->") {
            return self.arrow(start).map(Read::Item);
        }
        match self.current.text {
            "choice" => self.choice(start),
            "rec" => self.recursion(start),
            "continue" => self.continuation(start).map(Read::Item),
            "do" => self.call(start).map(Read::Item),
            "par" => {
                self.take();
                let opened = self.current.span;
                self.expect("{")?;
                Some(Read::Block(Open::Parallel { span: start, parts: Vec::new() }, opened))
            }
            "connect" | "disconnect" | "wrap" | "accept" if self.own_role.is_some() => {
                self.skip_statement(start);
                self.tree.leave_unchecked(Unchecked::Connection, start);
                Some(Read::Nothing)
            }
            "connect" | "disconnect" | "wrap" => {
                self.take();
                self.role()?;
                if !self.eat("and") {
                    self.expect("to")?;
                }
                self.role()?;
                self.end_statement()?;
                self.tree.leave_unchecked(Unchecked::Connection, start);
                Some(Read::Nothing)
            }
            "nested" if self.ahead.is("protocol") => {
                let (head, opened) = self.head()?;
                Some(Read::Block(Open::Body(head), opened))
            }
            "interruptible" => {
                Some(self.refuse(start, "`interruptible`", "write what may happen as branches of a `choice`"))
            }
            "foreach" | "repeat" | "unordered" | "if" | "oneof" | "allof" => {
                let what = match self.current.text {
                    "foreach" => "`foreach`",
                    "repeat" => "`repeat`",
                    "unordered" => "`unordered`",
                    "if" => "`if`",
                    "oneof" => "`oneof`",
                    _ => "`allof`",
                };
                Some(self.refuse(start, what, "write it with `choice`, `rec` and a fixed number of roles"))
            }
            "spawn" | "throws" | "catches" => {
                Some(self.refuse(start, "this statement", "write it with messages, `choice` and `rec`"))
            }
            _ if self.ahead.is("calls") => {
                let hint = "call the protocol with `do`, with all its roles";
                Some(self.refuse(start, "a nested session (`calls`)", hint))
            }
            _ if self.ahead.is("connects") || self.ahead.is("introduces") => {
                self.tree.leave_unchecked(Unchecked::Connection, start);
                self.skip_statement(start);
                Some(Read::Nothing)
            }
            _ => {
                self.take();
                self.expected("`from`, `(` or `->` after this");
                None
            }
        }
    }

    /// A statement that cannot be expressed. All of it is skipped.
    fn refuse(&mut self, start: Span, what: &'static str, hint: &'static str) -> Read<'a> {
        let end = self.ahead.span;
        let span = if self.ahead.is("calls") { Span::new(start.start, end.end) } else { start };
        self.skip_statement(start);
        Read::Item(Item::Refused(Refused { span, what, hint }))
    }

    /// A role. One with an index is noted.
    fn role(&mut self) -> Option<Name<'a>> {
        let name = self.name("a role")?;
        if self.current.is("[") {
            let opened = self.take().span;
            self.skip_balanced(opened)?;
            self.indexed = self.indexed.or(Some(Span::new(name.span.start, self.last.end)));
        }
        Some(name)
    }

    fn roles(&mut self) -> Option<Vec<Name<'a>>> {
        let mut roles = vec![self.role()?];
        while self.eat(",") {
            roles.push(self.role()?);
        }
        Some(roles)
    }

    /// The end of a statement: `;`, perhaps after a condition on time, and annotations.
    fn end_statement(&mut self) -> Option<()> {
        self.annotations();
        if self.current.is("within") || self.current.is("using") || self.current.is("resetting") {
            self.tree.leave_unchecked(Unchecked::Time, self.current.span);
            while self.current.kind != Kind::End && !self.current.is(";") && !self.current.is("}") {
                let token = self.take();
                // Intervals may be open: `]0;1[`.
                if token.is("[") || token.is("]") {
                    while !["[", "]", ")", "{", "}"].iter().any(|end| self.current.is(end)) {
                        if self.current.kind == Kind::End {
                            break;
                        }
                        self.take();
                    }
                    if !self.current.is("}") {
                        self.take();
                    }
                } else if token.is("(") {
                    self.skip_balanced(token.span)?;
                }
            }
        }
        // Without `;`, the next statement is read all the same.
        if self.expect(";").is_some() {
            self.annotations();
        }
        Some(())
    }

    /// `m(int) from A to B, C;` or `m() connect A to B;`
    fn message(&mut self, start: Span) -> Option<Item<'a>> {
        let message = self.signature()?;
        let own_role = self.own_role;
        let (from, to) = match own_role {
            Some(own) if self.eat("to") || self.eat("connect") => (own, self.roles()?),
            Some(own) if self.eat("from") || self.eat("accept") => (self.role()?, vec![own]),
            _ => {
                if !self.eat("connect") {
                    self.expect("from")?;
                }
                let from = self.role()?;
                self.expect("to")?;
                (from, self.roles()?)
            }
        };
        let span = Span::new(start.start, self.last.end);
        self.end_statement()?;
        Some(Item::Message { span, message, from, to })
    }

    /// `A -> B: m(int);`
    fn arrow(&mut self, start: Span) -> Option<Item<'a>> {
        let from = self.role()?;
        self.expect("->")?;
        let to = self.roles()?;
        self.expect(":")?;
        let message = self.signature()?;
        let span = Span::new(start.start, self.last.end);
        self.end_statement()?;
        Some(Item::Message { span, message, from, to })
    }

    /// `m(x: int, String)`, `(int)` or `m`.
    fn signature(&mut self) -> Option<Signature<'a>> {
        let label = if self.current.is("(") { None } else { Some(self.name("a message")?) };
        let mut message = Signature { label, is_literal: false, payload: Vec::new() };
        if !self.eat("(") {
            return Some(message);
        }
        message.is_literal = true;
        while !self.eat(")") {
            message.payload.push(self.payload_element()?);
            if !self.current.is(")") {
                self.expect(",")?;
            }
        }
        Some(message)
    }

    fn payload_element(&mut self) -> Option<PayloadElement<'a>> {
        let start = self.current.span;
        let name = if self.current.kind == Kind::Word && self.ahead.is(":") {
            let token = self.take();
            self.take();
            Some(Name { text: token.text, span: token.span })
        } else {
            None
        };
        let first = self.current.span;
        let mut depth = 0usize;
        let mut is_empty = true;
        while self.current.kind != Kind::End {
            match self.current.text {
                "<" | "(" | "[" if self.current.kind == Kind::Symbol => depth += 1,
                ">" | ")" | "]" if depth > 0 => depth -= 1,
                "," | ")" | "@" if depth == 0 => break,
                ";" | "{" | "}" => break,
                _ => {}
            }
            self.take();
            is_empty = false;
        }
        if is_empty {
            self.expected("the type of what is sent");
            return None;
        }
        let sort = self.since(first);
        if self.current.is("{") {
            let opened = self.take().span;
            self.skip_balanced(opened)?;
            self.tree.leave_unchecked(Unchecked::Refinement, opened);
        }
        self.annotations();
        let is_delegated = self.eat("@");
        if is_delegated {
            self.name("a role")?;
        }
        let span = Span::new(start.start, self.last.end);
        Some(PayloadElement { name, sort, span, is_delegated })
    }

    fn choice(&mut self, start: Span) -> Option<Read<'a>> {
        self.take();
        self.expect("at")?;
        let at = self.role()?;
        let span = Span::new(start.start, self.last.end);
        self.annotations();
        let opened = self.current.span;
        self.expect("{")?;
        Some(Read::Block(Open::Choice { span, at, branches: Vec::new() }, opened))
    }

    /// Variables of a loop, in brackets.
    fn variables(&mut self) -> Option<()> {
        if self.current.is("[") {
            let opened = self.take().span;
            self.tree.leave_unchecked(Unchecked::Variable, opened);
            self.skip_balanced(opened)?;
        } else if self.current.is("<") {
            self.tree.leave_unchecked(Unchecked::Variable, self.current.span);
            while !self.eat(">") {
                if self.current.kind == Kind::End || ["{", "}", ";"].iter().any(|end| self.current.is(end)) {
                    self.expected("`>`");
                    return None;
                }
                self.take();
            }
        }
        self.annotations();
        Some(())
    }

    fn recursion(&mut self, _start: Span) -> Option<Read<'a>> {
        self.take();
        let name = self.name("the name of the loop")?;
        self.variables()?;
        let opened = self.current.span;
        self.expect("{")?;
        let number = self.tree.loops;
        self.tree.loops += 1;
        self.loops.entry(name.text).or_default().push(number);
        Some(Read::Block(Open::Loop { name, number }, opened))
    }

    fn continuation(&mut self, start: Span) -> Option<Item<'a>> {
        self.take();
        let name = self.name("the name of a loop")?;
        let span = Span::new(start.start, self.last.end);
        self.variables()?;
        let target = self.loops.get(name.text).and_then(|around| around.last()).copied();
        self.end_statement()?;
        Some(Item::Continue { span, name, target })
    }

    /// `do P<m(int)>(A, B);`
    fn call(&mut self, start: Span) -> Option<Item<'a>> {
        self.take();
        if self.ahead.is(":") {
            let span = Span::new(start.start, self.ahead.span.end);
            self.skip_statement(start);
            let hint = "call the protocol without a name for the session";
            return Some(Item::Refused(Refused { span, what: "a session with a name (`do s: P`)", hint }));
        }
        let protocol = self.qualified_name("the name of a protocol")?;
        let mut arguments = Vec::new();
        if self.eat("<") {
            while !self.eat(">") {
                arguments.push(self.argument()?);
                if !self.current.is(">") {
                    self.expect(",")?;
                }
            }
        }
        let mut roles = Vec::new();
        if self.eat("(") {
            while !self.eat(")") {
                let is_local = self.own_role.is_some();
                let own = if is_local && self.current.is("self") { Some(self.name("`self`")?) } else { None };
                if is_local && own.is_none() {
                    self.eat("role");
                }
                let role = self.role()?;
                let parameter = if self.eat("as") { Some(self.name("a role of the protocol")?) } else { own };
                roles.push((role, parameter));
                if !self.current.is(")") {
                    self.expect(",")?;
                }
            }
        }
        let span = Span::new(start.start, self.last.end);
        self.end_statement()?;
        Some(Item::Do(Box::new(Call { span, protocol, arguments, roles })))
    }

    /// A type, whose name may have dots, or a message.
    fn argument(&mut self) -> Option<Signature<'a>> {
        let start = self.current.span;
        let mut argument = self.signature()?;
        while !argument.is_literal && self.eat(".") {
            self.name("the rest of the name")?;
            argument.label = Some(Name { text: self.since(start), span: Span::new(start.start, self.last.end) });
        }
        Some(argument)
    }
}

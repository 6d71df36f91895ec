//! Which protocol a name means, and which one the text is about.

use super::tree::{Call, Declared, Item, QualifiedName, Tree};
use crate::read::ReadOptions;
use crate::report::Report;
use laban::diagnostic::{Code, Diagnostic, closest, listed, quote};
use laban::text::Span;
use std::collections::HashMap;

/// After so many mistakes, nobody looks for what may be meant: it takes time.
pub(super) const MOST_HINTS: usize = 20;

/// The protocols of all modules by name.
pub(super) struct Protocols<'t, 'a> {
    tree: &'t Tree<'a>,
    by_name: HashMap<(usize, &'a str), usize>,
    /// Modules by their full names, and by the names of their files.
    by_module: HashMap<&'t str, usize>,
    by_stem: HashMap<&'a str, usize>,
    /// For each module, what it imports, by all names that can be used for it.
    imports: Vec<HashMap<&'t str, usize>>,
}

impl<'t, 'a> Protocols<'t, 'a> {
    pub(super) fn new(tree: &'t Tree<'a>, report: &mut Report) -> Self {
        let mut by_name: HashMap<(usize, &'a str), usize> = HashMap::new();
        for (number, protocol) in tree.protocols.iter().enumerate() {
            let name = protocol.name;
            // The same protocol as its roles see it may be there several times.
            if protocol.is_local {
                by_name.entry((protocol.module, name.text)).or_insert(number);
                continue;
            }
            if let Some(other) = by_name.insert((protocol.module, name.text), number)
                && !tree.protocols[other].is_local
            {
                let message = format!("there are two protocols {}", quote(name.text));
                let diagnostic = Diagnostic::new(Code::DuplicateProcedure, name.span, message).label("again");
                report.add(diagnostic.at(tree.protocols[other].name.span, "first declared here"));
            }
        }
        let (mut by_module, mut by_stem) = (HashMap::new(), HashMap::new());
        for (number, module) in tree.modules.iter().enumerate() {
            if let Some(name) = &module.name {
                by_module.entry(&*name.text).or_insert(number);
            }
            by_stem.entry(module.stem).or_insert(number);
        }
        let mut imports: Vec<HashMap<&str, usize>> = Vec::new();
        for module in &tree.modules {
            let mut names: HashMap<&str, usize> = HashMap::new();
            for (number, import) in module.imports.iter().enumerate() {
                match (import.member, import.alias) {
                    (Some(member), alias) => drop(names.insert(alias.unwrap_or(member).text, number)),
                    (None, Some(alias)) => drop(names.insert(alias.text, number)),
                    (None, None) => {
                        names.entry(import.module.split().1).or_insert(number);
                        names.insert(&import.module.text, number);
                    }
                }
            }
            imports.push(names);
        }
        Protocols { tree, by_name, by_module, by_stem, imports }
    }

    fn module(&self, name: &QualifiedName<'_>) -> Option<usize> {
        let by_module = self.by_module.get(&*name.text);
        by_module.or_else(|| self.by_stem.get(name.split().1)).copied()
    }

    /// The protocol that a call in a protocol means.
    pub(super) fn called(&self, caller: usize, call: &Call<'_>, report: &mut Report) -> Option<usize> {
        let module = self.tree.protocols[caller].module;
        let (qualifier, name) = call.protocol.split();
        let imports = &self.imports[module];
        let mut found_module = Some(module);
        let mut wanted = name;
        if qualifier.is_empty() {
            // The protocols of several roles may have one name; each calls its own.
            if self.tree.protocols[caller].is_local && self.tree.protocols[caller].name.text == name {
                return Some(caller);
            }
            if let Some(&found) = self.by_name.get(&(module, name)) {
                return Some(found);
            }
            if let Some(import) = imports.get(name).map(|&number| &self.tree.modules[module].imports[number])
                && let Some(member) = import.member
            {
                found_module = self.module(&import.module);
                wanted = member.text;
            }
        } else {
            let own = self.tree.modules[module].name.as_ref();
            if own.is_none_or(|own| own.text != qualifier && own.split().1 != qualifier) {
                let import = imports.get(qualifier).map(|&number| &self.tree.modules[module].imports[number]);
                found_module = match import {
                    Some(import) => self.module(&import.module),
                    None => self.by_module.get(qualifier).copied(),
                };
            }
        }
        let Some(found_module) = found_module else {
            let message = format!("the module of {} is not here", quote(&call.protocol.text));
            let diagnostic = Diagnostic::new(Code::UnknownProcedure, call.protocol.span, message);
            report.add(diagnostic.label("unknown module").hint("import it, and read its file together with this one"));
            return None;
        };
        let found = self.by_name.get(&(found_module, wanted)).copied();
        if found.is_none() {
            let message = format!("there is no protocol {}", quote(&call.protocol.text));
            let mut diagnostic =
                Diagnostic::new(Code::UnknownProcedure, call.protocol.span, message).label("unknown protocol");
            let names = self.tree.protocols.iter().map(|protocol| protocol.name.text);
            if report.diagnostics.len() < MOST_HINTS
                && let Some(close) = closest(wanted, names)
            {
                diagnostic = diagnostic.hint(format!("perhaps {} is meant", quote(close)));
            }
            report.add(diagnostic);
        }
        found
    }

    /// The protocol that the text is about.
    pub(super) fn chosen(&self, options: &ReadOptions<'_>, report: &mut Report) -> Option<usize> {
        let main = || (0..self.tree.protocols.len()).filter(|&number| self.protocol(number).module == 0);
        let Some(first) = main().next() else {
            report.add(Diagnostic::new(Code::Empty, Span::default(), "there is no protocol in this text"));
            return None;
        };
        if let Some(wanted) = options.protocol {
            let by_name = main().find(|&number| self.protocol(number).name.text == wanted);
            // Nested protocols come before those around them.
            let by_number = || {
                wanted
                    .parse::<usize>()
                    .ok()
                    .and_then(|number| self.in_order(main()).get(number.checked_sub(1)?).copied())
            };
            if let Some(found) = by_name.or_else(by_number) {
                return Some(found);
            }
            let message = format!("there is no protocol {}", quote(wanted));
            let names = self.names(main());
            let diagnostic = Diagnostic::new(Code::UnknownProcedure, self.protocol(first).name.span, message);
            report.add(diagnostic.label("the first protocol of the text").hint(format!("there is {names}")));
            return None;
        }
        let is_called = self.called_by_others();
        let is_global = |&number: &usize| !self.protocol(number).is_nested && !self.protocol(number).is_local;
        let globals: Vec<usize> = main().filter(is_global).collect();
        let attempts: [&dyn Fn(usize) -> bool; 3] = [
            &|number| !self.protocol(number).is_auxiliary && !is_called[number],
            &|number| !self.protocol(number).is_auxiliary,
            &|number| !is_called[number],
        ];
        for attempt in attempts {
            let candidates: Vec<usize> = globals.iter().copied().filter(|&number| attempt(number)).collect();
            match candidates[..] {
                [] => {}
                [only] => return Some(only),
                [first, ..] => {
                    let message = format!("there are several protocols: {}", self.names(candidates.iter().copied()));
                    let name = self.protocol(first).name;
                    let mut diagnostic = Diagnostic::new(Code::Syntax, name.span, message).label("one of them");
                    for &other in candidates[1..].iter().take(3) {
                        diagnostic = diagnostic.at(self.protocol(other).name.span, "another one");
                    }
                    report.add(diagnostic.hint(format!("say which one is meant: `--protocol {}`", name.text)));
                    return None;
                }
            }
        }
        globals.last().copied().or(Some(first))
    }

    fn protocol(&self, number: usize) -> &'t Declared<'a> {
        &self.tree.protocols[number]
    }

    fn in_order(&self, protocols: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut protocols: Vec<usize> = protocols.collect();
        protocols.sort_by_key(|&number| self.protocol(number).name.span.start);
        protocols
    }

    fn names(&self, protocols: impl Iterator<Item = usize>) -> String {
        let mut names: Vec<&str> =
            self.in_order(protocols).into_iter().map(|number| self.protocol(number).name.text).collect();
        if names.len() > 20 {
            names.truncate(20);
            names.push("…");
        }
        listed(names.into_iter(), "and")
    }

    /// For each protocol, whether another one calls it.
    pub(super) fn called_by_others(&self) -> Vec<bool> {
        let mut is_called = vec![false; self.tree.protocols.len()];
        let mut ignored = Report::default();
        for (number, protocol) in self.tree.protocols.iter().enumerate() {
            let mut work = vec![protocol.body];
            while let Some(block) = work.pop() {
                for item in &self.tree.blocks[block] {
                    match item {
                        Item::Choice { branches: blocks, .. } | Item::Parallel { parts: blocks, .. } => {
                            work.extend(blocks);
                        }
                        Item::Loop { body, .. } => work.push(*body),
                        Item::Do(call) => {
                            let callee = self.called(number, call, &mut ignored);
                            if let Some(callee) = callee.filter(|&callee| callee != number) {
                                is_called[callee] = true;
                            }
                        }
                        Item::Message { .. } | Item::Continue { .. } | Item::Refused(_) => {}
                    }
                }
            }
        }
        is_called
    }
}

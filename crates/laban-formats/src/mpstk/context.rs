//! Typing contexts of mpstk, the toolkit for multiparty session types: `s[p]: q⊕m(Int) . end, s[q]: p&m(Int)`.
//!
//! Each entry is a process, named after its role, or after session and role if there are several sessions. What a
//! message carries is kept as its value; a channel that is passed on (a session type as payload) is a value like any
//! other, and nobody uses it.

use super::{COMMENTS, close, payload, starts_recursion};
use crate::report::Report;
use crate::scanner::{Comments, Scanner};
use crate::source::Source;
use crate::system::{Action, Automaton, Direction, Message, System, Word};
use crate::types::TypeBuilder;
use laban::text::Span;

/// Reads the entries of some contexts, one after the other.
pub(crate) fn read(sources: &[Source<'_>], report: &mut Report) -> System {
    let mut sessions: Vec<String> = Vec::new();
    let mut automata = Vec::new();
    for source in sources {
        let mut scanner = Scanner::new(source, Comments { block: false, ..COMMENTS });
        while !scanner.at_end() {
            let Some((session, automaton)) = entry(&mut scanner) else {
                skip_entry(&mut scanner);
                continue;
            };
            sessions.push(session);
            automata.push(automaton);
            if scanner.at_end() {
                break;
            }
            if !scanner.expect(",") {
                skip_entry(&mut scanner);
            }
        }
        report.append(scanner.report);
    }
    let several = sessions.windows(2).any(|pair| pair[0] != pair[1]);
    if several {
        for (session, automaton) in sessions.iter().zip(&mut automata) {
            qualify(session, automaton);
        }
    }
    System { automata, numbered: false }
}

/// Puts the session in front of all roles, which are roles of it only.
fn qualify(session: &str, automaton: &mut Automaton) {
    let qualified = |role: &mut Word| role.text = format!("{session}_{}", role.text);
    qualified(&mut automaton.name);
    for edge in automaton.states.iter_mut().flat_map(|state| &mut state.edges) {
        if let Action::Message { partner, .. } = &mut edge.action {
            qualified(partner);
        }
    }
}

/// Skips to where the next entry may begin: a line with `session[role]:`.
fn skip_entry(scanner: &mut Scanner<'_>) {
    loop {
        let rest = scanner.rest();
        let line = rest.lines().next().unwrap_or("");
        if rest.is_empty() || starts_entry(line) {
            return;
        }
        scanner.skip_line();
    }
}

/// Whether a text starts like an entry of a context.
pub(crate) fn starts_entry(text: &str) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    let session = text.trim_start_matches(in_word);
    let Some(role) = session.trim_start().strip_prefix('[') else { return false };
    let after = role.trim_start().trim_start_matches(in_word).trim_start();
    let Some(after) = after.strip_prefix(']') else { return false };
    session.len() < text.len() && after.trim_start().starts_with(':')
}

/// One entry: the session, and what the role does.
fn entry(scanner: &mut Scanner<'_>) -> Option<(String, Automaton)> {
    let Some(session) = scanner.identifier() else {
        scanner.expected("a session");
        return None;
    };
    if !scanner.expect("[") {
        return None;
    }
    let Some(role) = scanner.identifier() else {
        scanner.expected("a role");
        return None;
    };
    if !scanner.expect("]") || !scanner.expect(":") {
        return None;
    }
    let start = scanner.here();
    let mut types = TypeBuilder::new(role, start);
    session_type(scanner, &mut types)?;
    Some((session.text, types.finish(&mut scanner.report)))
}

/// What is open around a type.
enum Around {
    Parenthesis(Span),
    Choices { role: Word, direction: Direction, opened: Span },
}

/// Reads a type; nothing if it does not end well.
fn session_type(scanner: &mut Scanner<'_>, types: &mut TypeBuilder) -> Option<()> {
    let mut around: Vec<Around> = Vec::new();
    loop {
        // A type: everything up to an end or a variable.
        let here = scanner.here();
        let mut goes_on;
        if scanner.eat("(") {
            around.push(Around::Parenthesis(here));
            continue;
        } else if scanner.eat("μ") || scanner.rest().starts_with("rec") && starts_recursion(scanner) {
            scanner.expect("(").then_some(())?;
            let Some(variable) = scanner.identifier() else {
                scanner.expected("the variable");
                return None;
            };
            types.bind(variable);
            scanner.expect(")").then_some(())?;
            continue;
        }
        let Some(word) = scanner.identifier() else {
            scanner.expected("a type");
            return None;
        };
        let direction = if scanner.eat("&") {
            Some(Direction::Receive)
        } else if scanner.eat("⊕") || scanner.eat("(+)") {
            Some(Direction::Send)
        } else {
            None
        };
        match direction {
            Some(direction) => {
                let opened = scanner.here();
                if scanner.eat("{") {
                    types.open_choice(opened);
                    goes_on = choice(scanner, types, &word, direction)?;
                    around.push(Around::Choices { role: word, direction, opened });
                } else {
                    goes_on = choice(scanner, types, &word, direction)?;
                }
            }
            None if word.text == "end" => {
                types.end(word.span);
                goes_on = false;
            }
            None => {
                types.variable(&word, &mut scanner.report);
                goes_on = false;
            }
        }
        // After an end: the next choice, or out of what ends here.
        while !goes_on {
            match around.last() {
                None => return Some(()),
                Some(Around::Parenthesis(opened)) => {
                    let opened = *opened;
                    close(scanner, ")", opened)?;
                    around.pop();
                }
                Some(Around::Choices { role, direction, opened }) => {
                    if scanner.eat(",") {
                        types.next_alternative();
                        let (role, direction) = (role.clone(), *direction);
                        goes_on = choice(scanner, types, &role, direction)?;
                    } else {
                        let opened = *opened;
                        close(scanner, "}", opened)?;
                        types.close_choice();
                        around.pop();
                    }
                }
            }
        }
    }
}

/// One message of a choice. Returns whether a continuation follows; if not, it ends there.
fn choice(scanner: &mut Scanner<'_>, types: &mut TypeBuilder, role: &Word, direction: Direction) -> Option<bool> {
    let Some(label) = scanner.identifier() else {
        scanner.expected("the label of a message");
        return None;
    };
    let mut message = Message::label(label.text);
    let opened = scanner.here();
    if scanner.eat("(") {
        message.payload = payload(&scanner.balanced('(', ')', opened)?.text);
    }
    types.message(direction, role.clone(), message, role.span.to(scanner.position()));
    let here = scanner.position();
    let goes_on = scanner.eat(".");
    if !goes_on {
        types.end(here);
    }
    Some(goes_on)
}

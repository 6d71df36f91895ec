//! Pairs of binary local types, as checkers of asynchronous subtyping have them: `rec X . [?a; X, ?b; !c; end]`.
//!
//! `T1` is a subtype of `T2` if it can stand in for it. Then `T1` and the dual of `T2` work together, with queues; so a
//! pair of files is a system of two processes: what the first says, and the opposite of what the second says. One type
//! alone is not a system.

use crate::report::Report;
use crate::scanner::{Comments, Scanner};
use crate::source::Source;
use crate::system::{Action, Automaton, Message, System, Word};
use crate::types::{TypeBuilder, after_word, direction};
use laban::diagnostic::{Code, Diagnostic};
use laban::text::Span;

const COMMENTS: Comments = Comments { line: &["--"], block: true };

/// Reads two types.
pub(crate) fn read(sources: &[Source<'_>], report: &mut Report) -> System {
    let [one, other] = sources else {
        let first = |source: &Source<'_>| Scanner::new(source, COMMENTS).here();
        let span = sources.first().map_or(Span::default(), first);
        let message = format!(
            "a subtyping pair has two types, and there {}",
            match sources.len() {
                0 => "is none".to_string(),
                1 => "is only one".to_string(),
                more => format!("are {more}"),
            }
        );
        let hint = "name two files: the first type is run with the dual of the second";
        report.add(Diagnostic::new(Code::Syntax, span, message).hint(hint));
        return System::default();
    };
    let first = if one.stem().is_empty() { "first" } else { one.stem() };
    let second = if other.stem().is_empty() { "second" } else { other.stem() };
    let second = format!("dual_{second}");
    let automata = vec![read_type(one, first, &second, report), dual(read_type(other, &second, first, report))];
    System { automata, numbered: false }
}

/// Reads one type, of a process with this name and this partner.
fn read_type(source: &Source<'_>, name: &str, partner: &str, report: &mut Report) -> Automaton {
    let mut scanner = Scanner::new(source, COMMENTS);
    let start = scanner.here();
    let mut types = TypeBuilder::new(Word::new(name, start), start);
    if local_type(&mut scanner, &mut types, partner) && !scanner.at_end() {
        scanner.expected("the end of the text");
    }
    let automaton = types.finish(&mut scanner.report);
    report.append(scanner.report);
    automaton
}

/// The same with sends and receives exchanged.
fn dual(mut automaton: Automaton) -> Automaton {
    for edge in automaton.states.iter_mut().flat_map(|state| &mut state.edges) {
        if let Action::Message { direction, .. } = &mut edge.action {
            *direction = direction.dual();
        }
    }
    automaton
}

/// Reads a type. Returns whether it ended well.
fn local_type(scanner: &mut Scanner<'_>, types: &mut TypeBuilder, partner: &str) -> bool {
    loop {
        let here = scanner.here();
        let is_marked = scanner.eat("+") || scanner.eat("&");
        if scanner.eat("[") || scanner.eat("{") {
            types.open_choice(here);
            continue;
        }
        if is_marked {
            scanner.expected("`[` or `{`");
            return false;
        }
        if let Some(direction) = direction(scanner) {
            let Some(label) = scanner.identifier() else {
                scanner.expected("a message");
                return false;
            };
            let span = here.to(label.span);
            types.message(direction, Word::new(partner, span), Message::label(label.text), span);
            if !scanner.expect(";") {
                return false;
            }
            continue;
        }
        let Some(word) = scanner.identifier() else {
            scanner.expected("a type");
            return false;
        };
        match after_word(scanner, types, &word, &["]", "}"]) {
            Some(true) => {}
            Some(false) => return true,
            None => return false,
        }
    }
}

//! Reads local types.

use crate::report::Report;
use crate::scanner::{Comments, Scanner};
use crate::source::Source;
use crate::system::{Message, System, Word};
use crate::types::{TypeBuilder, after_word, direction};

const COMMENTS: Comments = Comments { line: &["--"], block: true };

/// Reads the processes of some texts, one text after the other.
pub(crate) fn read(sources: &[Source<'_>], report: &mut Report) -> System {
    let mut system = System::default();
    for source in sources {
        let mut scanner = Scanner::new(source, COMMENTS);
        while !scanner.at_end() {
            let Some(name) = scanner.identifier() else {
                scanner.expected("the name of a process");
                skip_process(&mut scanner);
                continue;
            };
            if !scanner.expect(":") {
                skip_process(&mut scanner);
                continue;
            }
            let start = scanner.here();
            let mut types = TypeBuilder::new(name, start);
            if !local_type(&mut scanner, &mut types) {
                skip_process(&mut scanner);
            }
            system.automata.push(types.finish(&mut scanner.report));
        }
        report.append(scanner.report);
    }
    system
}

/// Skips to where the next process may begin: a name and a colon at the start of a line.
fn skip_process(scanner: &mut Scanner<'_>) {
    loop {
        let rest = scanner.rest();
        let name = rest.trim_start_matches(|c: char| c.is_alphanumeric());
        if rest.is_empty() || name.len() < rest.len() && name.trim_start_matches(' ').starts_with(':') {
            return;
        }
        scanner.skip_line();
    }
}

/// Reads one type. Returns whether it ended well.
fn local_type(scanner: &mut Scanner<'_>, types: &mut TypeBuilder) -> bool {
    loop {
        let here = scanner.here();
        if scanner.eat("{") {
            types.open_choice(here);
            continue;
        }
        let Some(word) = scanner.identifier() else {
            scanner.expected("a type");
            return false;
        };
        if let Some(direction) = direction(scanner) {
            let Some(message) = message(scanner) else { return false };
            types.message(direction, word, message, here.to(scanner.position()));
            if !scanner.expect(";") {
                return false;
            }
            continue;
        }
        match after_word(scanner, types, &word, &["}"]) {
            Some(true) => {}
            Some(false) => return true,
            None => return false,
        }
    }
}

/// A message: a label, and perhaps a payload in angle brackets.
fn message(scanner: &mut Scanner<'_>) -> Option<Message> {
    let Some(Word { text: label, .. }) = scanner.identifier() else {
        scanner.expected("a message");
        return None;
    };
    Some(Message { label, payload: scanner.payload()? })
}

//! The lines that start with `!`: variables, conditions, and what is not run.
//!
//! Variables with a constant and words that are defined are replaced, and conditions on them decided. Nothing else is
//! computed, and nothing is fetched: a file that is included is left out, with a remark, and a procedure is refused.

use super::statement::Statement;
use crate::report::Report;
use laban::diagnostic::{Code, Diagnostic};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// A longer value is not put in the place of its variable.
const LONGEST_VALUE: usize = 200;

/// What is known of variables and conditions.
#[derive(Debug, Clone, Default)]
pub(super) struct Preprocessor {
    variables: BTreeMap<String, String>,
    defined: BTreeSet<String>,
    /// What stands for a word, as `!define` says.
    words: BTreeMap<String, String>,
    conditions: Vec<Condition>,
}

/// An `!if` that is not closed yet.
#[derive(Debug, Clone, Copy)]
struct Condition {
    /// Whether the lines around it count.
    around: bool,
    /// Whether one of its parts has been taken.
    taken: bool,
    /// Whether the lines of this part count.
    counts: bool,
}

impl Preprocessor {
    /// Whether lines count here: no condition says that they don't.
    pub(super) fn counts(&self) -> bool {
        self.conditions.last().is_none_or(|condition| condition.counts)
    }

    /// A line with the values of its variables and of what is defined.
    pub(super) fn replaced<'a>(&self, text: Cow<'a, str>) -> Cow<'a, str> {
        self.without_words(self.without_variables(text))
    }

    /// A line with what stands for its words.
    fn without_words<'a>(&self, text: Cow<'a, str>) -> Cow<'a, str> {
        let words = || text.split_inclusive(|c| !is_in_word(c));
        let bare =
            |word: &str| word.len() - word.chars().next_back().filter(|&c| !is_in_word(c)).map_or(0, char::len_utf8);
        if self.words.is_empty() || !words().any(|word| self.words.contains_key(&word[..bare(word)])) {
            return text;
        }
        let mut replaced = String::new();
        for word in words() {
            let (word, sign) = word.split_at(bare(word));
            replaced.push_str(self.words.get(word).map_or(word, String::as_str));
            replaced.push_str(sign);
        }
        Cow::Owned(replaced)
    }

    /// A line with the values of its variables.
    fn without_variables<'a>(&self, text: Cow<'a, str>) -> Cow<'a, str> {
        if self.variables.is_empty() || !text.contains('$') {
            return text;
        }
        let mut replaced = String::new();
        let mut rest = text.as_ref();
        let mut changed = false;
        while let Some(at) = rest.find('$') {
            let name = variable(&rest[at..]);
            replaced.push_str(&rest[..at]);
            match self.variables.get(name) {
                Some(value) => {
                    replaced.push_str(value);
                    changed = true;
                }
                None => replaced.push_str(name),
            }
            rest = &rest[at + name.len()..];
        }
        replaced.push_str(rest);
        if changed { Cow::Owned(replaced) } else { text }
    }

    /// Obeys a line that starts with `!`. Returns the line up to which the text is to be skipped, if any is.
    pub(super) fn directive(&mut self, statement: &Statement<'_>, report: &mut Report) -> Option<&'static str> {
        let text = statement.text.strip_prefix('!').unwrap_or(&statement.text).trim_start();
        let length = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
        let (word, rest) = text.split_at(length);
        let rest = rest.trim();
        match word {
            "if" | "ifdef" | "ifndef" => {
                let around = self.counts();
                let holds = around && self.holds(word, rest, statement, report);
                self.conditions.push(Condition { around, taken: holds, counts: holds });
            }
            "elseif" | "elif" => {
                if let Some(condition) = self.conditions.pop() {
                    let holds = condition.around && !condition.taken && self.holds("if", rest, statement, report);
                    self.conditions.push(Condition { taken: condition.taken || holds, counts: holds, ..condition });
                }
            }
            "else" => {
                if let Some(condition) = self.conditions.last_mut() {
                    condition.counts = condition.around && !condition.taken;
                    condition.taken = true;
                }
            }
            "endif" => drop(self.conditions.pop()),
            _ if !self.counts() => {}
            "" | "local" | "global" => self.assign(text, word, statement, report),
            "define" => {
                let (name, value) = rest.split_at(rest.find(|c| !is_in_word(c)).unwrap_or(rest.len()));
                self.defined.insert(name.to_string());
                if value.starts_with(char::is_whitespace) && value.trim().len() <= LONGEST_VALUE {
                    self.words.insert(name.to_string(), value.trim().to_string());
                } else if !value.is_empty() {
                    report.remark(statement.span, format!("macros are not run: `{name}` stays as it is"));
                }
            }
            "undef" => {
                self.defined.remove(rest);
                self.words.remove(rest);
            }
            "pragma" | "theme" | "log" | "assert" | "startsub" | "endsub" | "option" | "dump_memory" | "uglypragma" => {
            }
            "include" if rest.starts_with('<') => {
                report.remark(statement.span, "what this includes is not read: it is PlantUML's own library");
            }
            _ if word.starts_with("include") || word == "import" => report.remark(
                statement.span,
                "what this includes is not read, as nothing is fetched: if there are messages in it, the choreography \
                 is incomplete; `plantuml -preproc` puts them into the diagram",
            ),
            _ => return refuse(word, rest, statement, report),
        }
        None
    }

    /// `!$name = value`.
    fn assign(&mut self, text: &str, word: &str, statement: &Statement<'_>, report: &mut Report) {
        let text = text[word.len()..].trim_start();
        let name = variable(text);
        let rest = text[name.len()..].trim_start();
        let (is_default, value) = match rest.strip_prefix("?=") {
            Some(value) => (true, Some(value)),
            None => (false, rest.strip_prefix('=')),
        };
        let (true, Some(value)) = (name.len() > 1, value) else {
            let diagnostic = Diagnostic::new(Code::Syntax, statement.span, "this directive is not known");
            report.add(diagnostic.label("not supported").hint("a variable is set as in `!$name = \"value\"`"));
            return;
        };
        if is_default && self.variables.contains_key(name) {
            return;
        }
        match self.constant(value.trim()).filter(|value| value.len() <= LONGEST_VALUE) {
            Some(value) => drop(self.variables.insert(name.to_string(), value)),
            None => {
                self.variables.remove(name);
                report.remark(
                    statement.span,
                    format!("`{name}` is not computed, and stays as it is in the lines that follow"),
                );
            }
        }
    }

    /// The value of a constant or of a variable, if it is known.
    fn constant(&self, text: &str) -> Option<String> {
        let quoted = |quote: char| {
            let inside = text.strip_prefix(quote)?.strip_suffix(quote)?;
            (!inside.contains(quote)).then(|| inside.to_string())
        };
        if text.starts_with('$') && variable(text) == text {
            return self.variables.get(text).cloned();
        }
        let is_word = !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_');
        match text {
            "%true()" => Some("true".to_string()),
            "%false()" => Some("false".to_string()),
            _ if is_word => Some(text.to_string()),
            _ => quoted('"').or_else(|| quoted('\'')),
        }
    }

    /// Whether a condition holds; so it is said if that is not known.
    fn holds(&self, word: &str, text: &str, statement: &Statement<'_>, report: &mut Report) -> bool {
        let known = match word {
            "ifdef" => Some(self.defined.contains(text)),
            "ifndef" => Some(!self.defined.contains(text)),
            _ => self.condition(text),
        };
        if known.is_none() {
            report.remark(statement.span, "this condition is not computed: the lines that follow it are read");
        }
        known.unwrap_or(true)
    }

    /// Whether a condition holds, if that is known: comparisons of constants and variables, with `&&` or `||`.
    fn condition(&self, text: &str) -> Option<bool> {
        let mut text = text.trim();
        while let Some(inside) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
            if inside.contains(['(', ')']) {
                return None;
            }
            text = inside.trim();
        }
        match (text.contains("&&"), text.contains("||")) {
            (true, true) => None,
            (true, false) => {
                let parts: Option<Vec<bool>> = text.split("&&").map(|part| self.comparison(part)).collect();
                parts.map(|parts| parts.iter().all(|&part| part))
            }
            _ => {
                let parts: Option<Vec<bool>> = text.split("||").map(|part| self.comparison(part)).collect();
                parts.map(|parts| parts.iter().any(|&part| part))
            }
        }
    }

    fn comparison(&self, text: &str) -> Option<bool> {
        let text = text.trim();
        for (sign, if_equal) in [("==", true), ("!=", false)] {
            if let Some((one, other)) = text.split_once(sign) {
                return Some((self.constant(one.trim())? == self.constant(other.trim())?) == if_equal);
            }
        }
        if let Some(inside) = text.strip_prefix('!') {
            return self.truth(inside.trim()).map(|truth| !truth);
        }
        self.truth(text)
    }

    fn truth(&self, text: &str) -> Option<bool> {
        let value = self.constant(text)?;
        Some(!matches!(value.as_str(), "" | "0" | "false"))
    }
}

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// `$` and the name that follows it.
fn variable(text: &str) -> &str {
    let Some(name) = text.strip_prefix('$') else { return "" };
    let length = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    &text[..length + 1]
}

/// Refuses what is not run. Returns the line up to which the text is to be skipped, if any is.
fn refuse(word: &str, rest: &str, statement: &Statement<'_>, report: &mut Report) -> Option<&'static str> {
    let has_word = |wanted: &str| word == wanted || rest.split_whitespace().any(|word| word == wanted);
    let (end, hint) = match word {
        "unquoted" | "final" | "procedure" | "function" | "definelong" | "while" | "foreach" => {
            let end = if has_word("function") {
                (!has_word("return")).then_some("!endfunction")
            } else {
                match word {
                    "definelong" => Some("!enddefinelong"),
                    "while" => Some("!endwhile"),
                    "foreach" => Some("!endfor"),
                    _ => Some("!endprocedure"),
                }
            };
            (end, "macros are not run: give Laban what `plantuml -preproc` writes")
        }
        _ => (None, "give Laban what `plantuml -preproc` writes"),
    };
    let message = format!("`!{word}` in a sequence diagram is not supported");
    report.add(Diagnostic::new(Code::Syntax, statement.span, message).label("not supported").hint(hint));
    end
}

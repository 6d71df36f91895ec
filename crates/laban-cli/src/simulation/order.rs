//! What a line of the dialogue asks for.

/// Which way a decision goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// Whether a condition is true.
    Holds(bool),
    /// Which item is chosen, counted from 1.
    Item(usize),
}

/// What to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Order {
    /// Take the action of this number, counted from 1; of a decision this outcome, if it is given.
    Take(usize, Option<Answer>),
    /// Take the action if there is only one.
    TakeOnly,
    /// Take the decision if there is only that, with this outcome.
    Decide(bool),
    /// Take so many steps back.
    Undo(usize),
    /// Take so many steps again.
    Redo(usize),
    /// Let the scheduler take so many steps.
    Auto(usize),
    /// Show the last so many steps.
    History(usize),
    /// Show where these processes are; where all are, if there are none.
    State(Vec<String>),
    /// List all actions.
    List,
    /// Show the help.
    Help,
    /// Leave.
    Quit,
    /// Nothing: keys were pressed that a line editor would understand, such as arrows.
    Keys,
    /// The line is not a command, for this reason.
    Unclear(String),
}

pub(super) const HELP: &str = "  \
  1, 2, …       take that action; `2 yes` or `2 no` also answers a decision, and `2 3` chooses item 3
  Enter         take the action, if there is only one
  yes, no       decide, if there is only a decision
  u, undo [N]   undo one step, or N
  r, redo [N]   redo one step, or N
  a, auto [N]   take one random step, or N
  h, history    show the run so far; `h N`: its last N steps
  s, state      show where the processes are; `s NAME…`: only these; `s all`: all of many
  l, list       list all possible actions
  ?, help       show this list
  q, quit       quit and print the run; the end of the input does the same
Editing keys, such as arrows, do not work here.";

impl Order {
    pub(super) fn read(line: &str) -> Order {
        if line.chars().any(|character| character.is_control() && !character.is_whitespace()) {
            return Order::Keys;
        }
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { return Order::TakeOnly };
        let rest: Vec<&str> = words.collect();
        if let Some(number) = number(first) {
            return match rest.as_slice() {
                [] => Order::Take(number, None),
                [answer] => match read_answer(answer) {
                    Some(answer) => Order::Take(number, Some(answer)),
                    None => unclear(line),
                },
                _ => unclear(line),
            };
        }
        let times = |otherwise: usize, order: fn(usize) -> Order| match rest.as_slice() {
            [] => order(otherwise),
            [word] => match number(word) {
                Some(0) | None => Order::Unclear(format!("`{first}` takes a number, 1 or more")),
                Some(times) => order(times),
            },
            _ => unclear(line),
        };
        let alone = |order: Order| if rest.is_empty() { order } else { unclear(line) };
        if let Some(holds) = outcome(first) {
            return alone(Order::Decide(holds));
        }
        match first {
            "u" | "undo" => times(1, Order::Undo),
            "r" | "redo" => times(1, Order::Redo),
            "a" | "auto" => times(1, Order::Auto),
            "h" | "history" => times(usize::MAX, Order::History),
            "s" | "state" => Order::State(rest.iter().map(|name| name.to_string()).collect()),
            "l" | "list" => alone(Order::List),
            "?" | "help" => alone(Order::Help),
            "q" | "quit" | "exit" => alone(Order::Quit),
            _ => unclear(line),
        }
    }
}

/// The answer to a decision or a choice.
pub(super) fn read_answer(word: &str) -> Option<Answer> {
    outcome(word).map(Answer::Holds).or_else(|| number(word).map(Answer::Item))
}

/// Whether something is true, as people say it.
fn outcome(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "y" | "yes" | "true" | "then" => Some(true),
        "n" | "no" | "false" | "else" => Some(false),
        _ => None,
    }
}

/// A number; one that is too large to be one is as large as can be.
fn number(word: &str) -> Option<usize> {
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| word.parse().unwrap_or(usize::MAX))
}

fn unclear(line: &str) -> Order {
    Order::Unclear(format!("unknown command `{}`; type ? for help", super::words::cut(line.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_have_short_and_long_names() {
        assert_eq!(Order::read(""), Order::TakeOnly);
        assert_eq!(Order::read("  2\r\n"), Order::Take(2, None));
        assert_eq!(Order::read("2 Yes"), Order::Take(2, Some(Answer::Holds(true))));
        assert_eq!(Order::read("1 n"), Order::Take(1, Some(Answer::Holds(false))));
        assert_eq!(Order::read("2 3"), Order::Take(2, Some(Answer::Item(3))));
        assert_eq!([Order::read("yes"), Order::read("n")], [Order::Decide(true), Order::Decide(false)]);
        assert_eq!(Order::read("u"), Order::Undo(1));
        assert_eq!(Order::read("undo 12"), Order::Undo(12));
        assert_eq!(Order::read("r 2"), Order::Redo(2));
        assert_eq!(Order::read("auto 5"), Order::Auto(5));
        assert_eq!(Order::read("h"), Order::History(usize::MAX));
        assert_eq!(Order::read("s p q"), Order::State(vec!["p".to_string(), "q".to_string()]));
        assert_eq!([Order::read("l"), Order::read("?"), Order::read("quit")], [Order::List, Order::Help, Order::Quit]);
    }

    #[test]
    fn numbers_may_be_as_large_as_they_like() {
        assert_eq!(Order::read("99999999999999999999999999"), Order::Take(usize::MAX, None));
        assert_eq!(Order::read("u 99999999999999999999999999"), Order::Undo(usize::MAX));
    }

    #[test]
    fn the_keys_of_a_line_editor_are_no_order() {
        for line in ["\x1b[A\n", "\x1b[A1\n", "1\x1b[D", "\x1bOP", "\x7f", "\0"] {
            assert_eq!(Order::read(line), Order::Keys, "{line:?}");
        }
        assert_eq!(Order::read("\t1\r\n"), Order::Take(1, None));
    }

    #[test]
    fn what_is_not_understood_is_said() {
        for line in ["yes no", "y 1", "x", "1 maybe", "1 y n", "u 0", "u -1", "a b", "q now", "-1", "1.5", "h 1 2"] {
            assert!(matches!(Order::read(line), Order::Unclear(_)), "{line}");
        }
    }
}

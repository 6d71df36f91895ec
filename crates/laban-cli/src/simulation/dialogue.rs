//! A run, step by step: what can happen is shown, and a person says what does.

use super::keyboard::{Heard, Keyboard};
use super::order::{Answer, HELP, Order, read_answer};
use super::words::{BOLD, DIM, MOST_LISTED, PLAIN, PlaceStyle, Words, counted, cut, no_process};
use crate::console::Console;
use crate::interrupt::is_interrupted;
use laban::network::{ProcessId, StateId, Wish};
use laban::semantics::{Action, Step};
use laban::simulate::{Moved, Scheduler, Session, Status, Taken};
use laban_report::{Ending, go, on_one_line};
use std::io::{self, Write};

/// The reply to arrows and other editing keys.
const NO_EDITING: &str = "editing keys do not work here, so this line was ignored; type ? for help";

/// A dialogue about a run.
pub(crate) struct Dialogue<'a, 'b> {
    session: &'b mut Session<'a>,
    scheduler: &'b mut Scheduler,
    words: Words<'a>,
    console: &'b mut Console,
    /// Whether standard output is for something else.
    aside: bool,
    /// How many steps the scheduler takes at once.
    most: usize,
    keyboard: Keyboard,
    /// Who was stuck for good when it was last shown what has happened.
    deadlocked: Vec<ProcessId>,
}

impl<'a, 'b> Dialogue<'a, 'b> {
    pub(crate) fn new(
        session: &'b mut Session<'a>,
        scheduler: &'b mut Scheduler,
        words: Words<'a>,
        console: &'b mut Console,
        aside: bool,
        most: usize,
    ) -> Self {
        Dialogue { session, scheduler, words, console, aside, most, keyboard: Keyboard::new(), deadlocked: Vec::new() }
    }

    /// Goes on until the user leaves; `what` says what is run.
    pub(crate) fn run(mut self, what: &str) -> io::Result<Ending> {
        let processes = counted(self.words.network.processes().len(), "process");
        let title = format!("{BOLD}{what}{PLAIN}: {processes}; type ? for help");
        self.say(title)?;
        self.show_states()?;
        self.deadlocked = self.session.deadlocked();
        self.show_news(!self.deadlocked.is_empty())?;
        loop {
            let line = match self.ask("> ")? {
                Heard::Line(line) => line,
                Heard::End => return Ok(Ending::Left),
                Heard::Interrupt => return Ok(Ending::Interrupted),
            };
            match Order::read(&line) {
                Order::Quit => return Ok(Ending::Left),
                order => {
                    if let Some(ending) = self.obey(order)? {
                        return Ok(ending);
                    }
                }
            }
        }
    }

    fn obey(&mut self, order: Order) -> io::Result<Option<Ending>> {
        let before = self.session.len();
        match order {
            Order::Take(number, answer) => match number.checked_sub(1).and_then(|index| self.session.action(index)) {
                Some(action) => return self.take(action, answer),
                None => self.refuse_number()?,
            },
            Order::TakeOnly => match (self.session.action_count(), self.session.action(0)) {
                (1, Some(action)) => return self.take(action, None),
                _ => self.refuse_number()?,
            },
            Order::Decide(holds) => match self.only_decision() {
                Some(action) => return self.take(action, Some(Answer::Holds(holds))),
                None => self.refuse_outcome(holds)?,
            },
            Order::Undo(times) => self.undo(times)?,
            Order::Redo(times) => {
                for _ in 0..times {
                    if self.session.redo().is_none() {
                        break;
                    }
                }
                match self.session.len() == before {
                    true => self.say("there is nothing to redo")?,
                    false => self.show_forward(before)?,
                }
            }
            Order::Auto(times) => {
                let ending = go(self.session, self.scheduler, times.min(self.most), is_interrupted);
                match self.session.len() == before {
                    true => self.show_choices()?,
                    false => self.show_forward(before)?,
                }
                if times > self.most && ending == Ending::Limit {
                    let most = self.most;
                    self.say(format!("took {most} steps, the most at once; `--max-steps` allows more"))?;
                }
                return Ok((ending == Ending::Interrupted).then_some(Ending::Interrupted));
            }
            Order::History(last) => self.show_history(last)?,
            Order::State(names) => self.show_some(&names)?,
            Order::List => {
                for index in 0..self.session.action_count() {
                    self.show_choice(index)?;
                }
                if self.session.action_count() == 0 {
                    self.show_choices()?;
                }
            }
            Order::Help => self.say(HELP)?,
            Order::Keys => self.say(NO_EDITING)?,
            Order::Unclear(why) => self.say(why)?,
            Order::Quit => {}
        }
        Ok(None)
    }

    /// Takes an action; of a decision or a choice, asks which way.
    fn take(&mut self, action: Action, answer: Option<Answer>) -> io::Result<Option<Ending>> {
        let outcome = match (action, answer) {
            (Action::Interaction(_) | Action::Put(_) | Action::Take(_) | Action::Race, Some(_)) => {
                self.say("that is not a decision: type the number alone")?;
                return Ok(None);
            }
            (_, Some(answer)) => match outcome_of(action, answer) {
                Some(outcome) => outcome,
                None => {
                    let answers = answers_to(action);
                    self.say(format!("that is not an answer: after the number of the action, type {answers}"))?;
                    return Ok(None);
                }
            },
            (_, None) => match self.ask_for_outcome(action)? {
                Ok(outcome) => outcome,
                Err(ending) => return Ok(ending),
            },
        };
        let before = self.session.len();
        if action.step(outcome).is_some_and(|step| self.session.take(step)) {
            self.show_forward(before)?;
        }
        Ok(None)
    }

    /// Asks which way a decision or choice goes. Without an answer, says how the dialogue ends, if it does.
    fn ask_for_outcome(&mut self, action: Action) -> io::Result<Result<usize, Option<Ending>>> {
        let (network, answers) = (self.words.network, answers_to(action));
        let question = match action {
            Action::Decision { condition, .. } => {
                format!("  is {BOLD}{}{PLAIN} true, {answers}? ", cut(network.text(condition)))
            }
            Action::Choice { process, .. } => {
                format!("  which item does {BOLD}{}{PLAIN} choose, {answers}? ", cut(network.process_name(process)))
            }
            Action::Interaction(_) | Action::Put(_) | Action::Take(_) | Action::Race => return Ok(Ok(0)),
        };
        loop {
            match self.ask(&question)? {
                Heard::End => return Ok(Err(Some(Ending::Left))),
                Heard::Interrupt => return Ok(Err(Some(Ending::Interrupted))),
                Heard::Line(line) => {
                    let answer = read_answer(line.trim()).and_then(|answer| outcome_of(action, answer));
                    match (answer, Order::read(&line)) {
                        (Some(outcome), _) => return Ok(Ok(outcome)),
                        (None, Order::Quit) => return Ok(Err(Some(Ending::Left))),
                        (None, Order::Undo(_)) => {
                            self.show_choices()?;
                            return Ok(Err(None));
                        }
                        (None, Order::Keys) => self.say(format!("  {NO_EDITING}"))?,
                        _ => self.say(format!("  type {answers}; u goes back"))?,
                    }
                }
            }
        }
    }

    fn undo(&mut self, times: usize) -> io::Result<()> {
        let before = self.session.len();
        let after = before.saturating_sub(times);
        if after == before {
            return self.say("there is nothing to undo");
        }
        let moved = self.session.moved_since(after);
        let queues = self.queues_since(after);
        let mut last = None;
        while self.session.len() > after {
            last = self.session.undo();
        }
        self.deadlocked = self.session.deadlocked();
        let to = if after == 0 { "back at the start".to_string() } else { format!("back after step {after}") };
        let what = match (before - after, last) {
            (1, Some(taken)) => {
                let step = cut(&taken.step.describe(self.words.network).to_string());
                format!("{DIM}undid{PLAIN}  {step}{DIM}, {to}{PLAIN}")
            }
            (count, _) => format!("{DIM}undid {count} steps, {to}{PLAIN}"),
        };
        self.say(what)?;
        let back = |moved: Moved| Moved { before: moved.after, after: moved.before, ..moved };
        self.show_moves(moved.into_iter().map(back).collect())?;
        self.show_queues(&queues)?;
        self.show_choices()
    }

    /// Shows what has happened since there were so many steps, and what can happen now.
    fn show_forward(&mut self, before: usize) -> io::Result<()> {
        let (words, after) = (self.words, self.session.len());
        let from = before.max(after.saturating_sub(MOST_LISTED));
        if from > before {
            self.say(format!("  … {}", counted(from - before, "step")))?;
        }
        let (session, screen) = self.parts();
        words.write_run(session, from..after, screen)?;
        self.show_moves(self.session.moved_since(before))?;
        self.show_queues(&self.queues_since(before))?;
        if let Some(again) = words.again(self.session) {
            self.say(again)?;
        }
        let known = std::mem::replace(&mut self.deadlocked, self.session.deadlocked());
        self.show_news(self.deadlocked.iter().any(|process| known.binary_search(process).is_err()))
    }

    /// Shows a deadlock if there is a new one, and what can happen now.
    fn show_news(&mut self, stuck: bool) -> io::Result<()> {
        if stuck {
            self.show_deadlocks()?;
        }
        self.show_choices()
    }

    fn show_deadlocks(&mut self) -> io::Result<()> {
        let words = self.words;
        let (session, screen) = self.parts();
        writeln!(screen)?;
        words.write_deadlocks(session, screen)
    }

    /// The processes that have moved: where they were, and where they are.
    fn show_moves(&mut self, moves: Vec<Moved>) -> io::Result<()> {
        let count = moves.len();
        let longest = moves.iter().take(MOST_LISTED).map(|moved| self.words.name(moved.process).chars().count()).max();
        // The colon belongs to the name.
        let width = longest.unwrap_or(0).min(MOST_LISTED) + 1;
        for Moved { process, before, after } in moves.into_iter().take(MOST_LISTED) {
            let name = format!("{}:", self.words.name(process));
            let (was, is) = (self.words.doing(before), self.words.doing(after));
            let line = self.in_brackets(after);
            self.say(format!("   {name:width$} {was} {DIM}->{PLAIN} {is}{line}"))?;
        }
        match count.saturating_sub(MOST_LISTED) {
            0 => Ok(()),
            more => self.say(format!("   … and {} more", counted(more, "process"))),
        }
    }

    /// The queues that messages were put into or taken from since there were so many steps.
    fn queues_since(&self, steps: usize) -> Vec<(ProcessId, ProcessId)> {
        let taken = self.session.taken().get(steps..).unwrap_or_default();
        let queue = |taken: &Taken| match taken.step {
            Step::Put(message) | Step::Take(message) => Some((message.from, message.to)),
            Step::Interaction(_) | Step::Decision { .. } | Step::Choice { .. } => None,
        };
        let mut queues: Vec<(ProcessId, ProcessId)> = taken.iter().filter_map(queue).collect();
        queues.sort_unstable();
        queues.dedup();
        queues
    }

    fn show_queues(&mut self, queues: &[(ProcessId, ProcessId)]) -> io::Result<()> {
        let words = self.words;
        let (session, screen) = self.parts();
        words.write_queues(session, queues, "   ", screen)
    }

    fn in_brackets(&self, state: StateId) -> String {
        match self.words.line(state) {
            line if line.is_empty() => line,
            line => format!("  {DIM}({line}){PLAIN}"),
        }
    }

    fn show_states(&mut self) -> io::Result<()> {
        let words = self.words;
        let (session, screen) = self.parts();
        words.write_states(session, PlaceStyle::Lines, screen)
    }

    /// Where these processes are, and what they wait for.
    fn show_some(&mut self, names: &[String]) -> io::Result<()> {
        let words = self.words;
        let network = words.network;
        if names.is_empty() {
            self.show_states()?;
            return self.show_news(self.session.is_stuck());
        }
        if names == ["all"] && network.process_named("all").is_none() {
            let all: Vec<ProcessId> = network.process_ids().collect();
            let (session, screen) = self.parts();
            return words.write_rows(session, &all, PlaceStyle::Lines, screen);
        }
        for name in names {
            let Some(process) = network.process_named(name) else {
                self.say(no_process(name, network))?;
                continue;
            };
            let (session, screen) = self.parts();
            words.write_rows(session, &[process], PlaceStyle::Lines, screen)?;
            for wish in Wish::all(network, session.state(process)) {
                writeln!(screen, "    it {}", on_one_line(&wish.describe(network).to_string()))?;
            }
        }
        Ok(())
    }

    fn show_history(&mut self, last: usize) -> io::Result<()> {
        let (words, count, undone) = (self.words, self.session.len(), self.session.undone());
        let (session, screen) = self.parts();
        words.write_run(session, count.saturating_sub(last)..count, screen)?;
        if count == 0 {
            self.say("nothing has happened yet")?;
        }
        match undone {
            0 => Ok(()),
            undone => self.say(format!("{} undone; `r` redoes the next", counted(undone, "step"))),
        }
    }

    /// What can happen.
    fn show_choices(&mut self) -> io::Result<()> {
        let count = self.session.action_count();
        if self.session.status() != Status::Running {
            let standing = self.words.standing(self.session, Ending::Left);
            let back = if self.session.is_empty() { "" } else { "u: undo, " };
            return self.say(format!("{BOLD}{standing}{PLAIN}  {DIM}({back}q: quit){PLAIN}"));
        }
        for index in 0..count.min(MOST_LISTED) {
            self.show_choice(index)?;
        }
        match count.saturating_sub(MOST_LISTED) {
            0 => Ok(()),
            more => self.say(format!("  … and {more} more; `l` lists them all")),
        }
    }

    fn show_choice(&mut self, index: usize) -> io::Result<()> {
        let Some(action) = self.session.action(index) else { return Ok(()) };
        let question = match action.is_decision() {
            true => format!(": {}?", answers_to(action)),
            false => String::new(),
        };
        let action = cut(&action.describe(self.words.network).to_string());
        self.say(format!("{BOLD}{:>3}){PLAIN} {action}{question}", index + 1))
    }

    fn refuse_number(&mut self) -> io::Result<()> {
        match self.session.action_count() {
            0 => self.show_choices(),
            1 => self.say("there is one action: type 1 or Enter"),
            count => self.say(format!("which one? type a number from 1 to {count}")),
        }
    }

    fn only_decision(&self) -> Option<Action> {
        let is_decision = |action: &Action| matches!(action, Action::Decision { .. });
        self.session.action(0).filter(|action| self.session.action_count() == 1 && is_decision(action))
    }

    /// Says how to decide where there are other actions.
    fn refuse_outcome(&mut self, holds: bool) -> io::Result<()> {
        let decisions = |index: &usize| self.session.action(*index).is_some_and(|action| action.is_decision());
        match (0..self.session.action_count()).find(decisions) {
            Some(index) => {
                let number = index + 1;
                match self.session.action(index) {
                    Some(Action::Choice { .. }) => {
                        self.say(format!("which item? type the numbers of the action and the item: `{number} 1`"))
                    }
                    _ => self.say(format!("which one? type the number too: `{number} yes` or `{number} no`")),
                }
            }
            None if self.session.action_count() == 0 => self.show_choices(),
            None => {
                let word = if holds { "yes" } else { "no" };
                self.say(format!("there is no decision to say {word} to: type the number of an action"))
            }
        }
    }

    /// Asks something, and waits for the answer.
    fn ask(&mut self, question: &str) -> io::Result<Heard> {
        write!(self.screen(), "{question}")?;
        self.console.flush()?;
        let heard = self.keyboard.listen();
        let echo = match &heard {
            Heard::Line(line) if self.keyboard.unseen => Some(cut(line.trim_end())),
            Heard::Line(_) => None,
            Heard::End | Heard::Interrupt => Some(String::new()),
        };
        if let Some(echo) = echo {
            self.say(echo)?;
        }
        Ok(heard)
    }

    fn say(&mut self, line: impl AsRef<str>) -> io::Result<()> {
        writeln!(self.screen(), "{}", line.as_ref())
    }

    /// Where the dialogue is shown.
    fn screen(&mut self) -> &mut dyn Write {
        self.parts().1
    }

    fn parts(&mut self) -> (&Session<'a>, &mut dyn Write) {
        match self.aside {
            true => (self.session, self.console.err()),
            false => (self.session, self.console.out()),
        }
    }
}

/// The outcome that an answer means, if it is one to this action.
fn outcome_of(action: Action, answer: Answer) -> Option<usize> {
    match (action, answer) {
        (Action::Decision { .. }, Answer::Holds(holds)) => Some(usize::from(!holds)),
        (Action::Choice { arms, .. }, Answer::Item(item)) => {
            item.checked_sub(1).filter(|&outcome| outcome < arms as usize)
        }
        _ => None,
    }
}

/// The answers that a decision or choice takes.
fn answers_to(action: Action) -> String {
    match action {
        Action::Choice { arms: 1, .. } => "1".to_string(),
        Action::Choice { arms: 2, .. } => "1 or 2".to_string(),
        Action::Choice { arms, .. } => format!("1 to {arms}"),
        _ => "yes or no".to_string(),
    }
}

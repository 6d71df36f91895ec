//! A run as lines of text.

use crate::fault;
use crate::report::{self, Format};
use laban::network::{Network, ProcessId, State, StateId};
use laban::simulate::Session;
use laban_report::{Ending, File, MOST_EXPLAINED, Position, Source, again, standing};
pub(super) use laban_report::{counted, cut};
use std::io::{self, Write};

/// More processes than this are counted rather than listed.
pub(crate) const MOST_LISTED: usize = 20;
/// Columns are not made wider than this for the sake of one long entry.
const WIDEST: usize = 28;

pub(super) const BOLD: &str = "\x1b[1m";
pub(super) const DIM: &str = "\x1b[2m";
pub(super) const PLAIN: &str = "\x1b[0m";

/// Puts things into words.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a> {
    pub(crate) source: &'a Source,
    pub(crate) network: &'a Network,
}

impl<'a> Words<'a> {
    /// Where a state is in the text; nothing if it is not there, as the end of a process in a choreography.
    pub(crate) fn position(self, state: StateId) -> Option<(&'a File, Position)> {
        let span = self.network.origin(state);
        let offset = self.source.range(span).0;
        (span.start < span.end).then(|| (self.source.file_at(offset), self.source.position(offset)))
    }

    /// What a process does next, as its text says it.
    pub(super) fn doing(self, state: StateId) -> String {
        let idle = if self.network.is_idle(state) { "idle " } else { "" };
        cut(&format!("{idle}{}", self.network.state(state).describe(self.network)))
    }

    /// The line of a state; if the text has only one, the column; if it is in several files, all there is to say.
    pub(super) fn line(self, state: StateId) -> String {
        if self.source.is_spread() {
            return self.place(state);
        }
        let one_line = !self.source.text.trim_end().contains('\n');
        self.position(state).map_or_else(String::new, |(_, position)| match one_line {
            true => format!("column {}", position.column),
            false => format!("line {}", position.line),
        })
    }

    /// The file, line and column of a state.
    fn place(self, state: StateId) -> String {
        let Some((file, Position { line, column })) = self.position(state) else { return String::new() };
        format!("{}:{line}:{column}", file.name)
    }

    /// A process, with the word `service` in front if it is one.
    pub(super) fn name(self, process: ProcessId) -> String {
        let service = self.network.processes().get(process.index()).is_some_and(|process| process.service);
        let name = self.name_alone(process);
        if service { format!("service {name}") } else { name }
    }

    fn name_alone(self, process: ProcessId) -> String {
        cut(self.network.process_name(process))
    }

    /// The steps from one to another, with their numbers.
    pub(crate) fn write_run(
        self,
        session: &Session<'_>,
        steps: std::ops::Range<usize>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let width = session.len().to_string().len();
        for (number, taken) in session.taken().iter().enumerate().take(steps.end).skip(steps.start) {
            let step = cut(&taken.step.describe(self.network).to_string());
            writeln!(out, "{DIM}{:>width$}{PLAIN}  {step}", number + 1)?;
        }
        Ok(())
    }

    /// Where everyone is; of many, how many wait and have stopped, and some of those who have not.
    pub(crate) fn write_states(self, session: &Session<'_>, places: PlaceStyle, out: &mut dyn Write) -> io::Result<()> {
        let all: Vec<ProcessId> = self.network.process_ids().collect();
        if all.len() <= MOST_LISTED {
            self.write_rows(session, &all, places, out)?;
            return self.write_all_queues(session, out);
        }
        let left: Vec<ProcessId> =
            all.iter().copied().filter(|&process| session.state(process) != State::Stop).collect();
        writeln!(out, "  {} processes, {} have stopped", all.len(), all.len() - left.len())?;
        let shown = left.get(..MOST_LISTED).unwrap_or(&left);
        self.write_rows(session, shown, places, out)?;
        match left.len() - shown.len() {
            0 => {}
            more => writeln!(out, "  … and {more} more")?,
        }
        self.write_all_queues(session, out)
    }

    /// What lies in the queues that are not empty.
    fn write_all_queues(self, session: &Session<'_>, out: &mut dyn Write) -> io::Result<()> {
        let queues: Vec<(ProcessId, ProcessId)> =
            session.configuration().queues.iter().map(|(from, to, _)| (from, to)).collect();
        self.write_queues(session, &queues, "  ", out)
    }

    /// What lies in these queues, the oldest message first, a line for each.
    pub(super) fn write_queues(
        self,
        session: &Session<'_>,
        queues: &[(ProcessId, ProcessId)],
        indent: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let lying = &session.configuration().queues;
        for &(from, to) in queues.iter().take(MOST_LISTED) {
            let first = lying.messages(from, to).take(MOST_LISTED);
            let first: Vec<String> = first.map(|one| one.describe(self.network).to_string()).collect();
            let mut messages = if first.is_empty() { "empty".to_string() } else { cut(&first.join(", ")) };
            if let more @ 1.. = lying.len(from, to).saturating_sub(MOST_LISTED) {
                messages.push_str(&format!(" … and {more} more"));
            }
            let (from, to) = (self.name_alone(from), self.name_alone(to));
            writeln!(out, "{indent}queue {from} -> {to}: {messages}")?;
        }
        match queues.len().saturating_sub(MOST_LISTED) {
            0 => Ok(()),
            more => writeln!(out, "{indent}… and {} more", counted(more, "queue")),
        }
    }

    /// Where these processes are, a line for each.
    pub(super) fn write_rows(
        self,
        session: &Session<'_>,
        processes: &[ProcessId],
        places: PlaceStyle,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let row = |&process: &ProcessId| {
            let state = session.state_id(process)?;
            let place = match places {
                PlaceStyle::Files => self.place(state),
                PlaceStyle::Lines => self.line(state),
            };
            Some([self.name(process), self.doing(state), place])
        };
        let rows: Vec<[String; 3]> = processes.iter().filter_map(row).collect();
        let width = |column: usize| {
            rows.iter().map(|row| row[column].chars().count()).filter(|&width| width <= WIDEST).max().unwrap_or(0)
        };
        let (first, second) = (width(0), width(1));
        for [name, doing, place] in &rows {
            match place.as_str() {
                "" => writeln!(out, "  {name:first$}  {doing}")?,
                place => writeln!(out, "  {name:first$}  {doing:second$}  {DIM}{place}{PLAIN}")?,
            }
        }
        Ok(())
    }

    /// The state of the run, as a sentence without a full stop.
    pub(crate) fn standing(self, session: &Session<'_>, ending: Ending) -> String {
        standing(self.network, session, ending)
    }

    /// Whether everyone is where they were before, and who has not acted since.
    pub(crate) fn again(self, session: &Session<'_>) -> Option<String> {
        again(self.network, session)
    }

    /// Why there is a deadlock, with the source.
    pub(crate) fn write_deadlocks(self, session: &Session<'_>, mut out: &mut dyn Write) -> io::Result<()> {
        match session.deadlocks(MOST_EXPLAINED) {
            Ok(explanations) => {
                for explanation in &explanations {
                    report::write(Format::Full, self.source, &[explanation.diagnostic(self.network)], &mut out)?;
                }
            }
            Err(error) => writeln!(out, "{}", fault::message(error))?,
        }
        match session.stuck_parts().saturating_sub(MOST_EXPLAINED) {
            0 => Ok(()),
            more => writeln!(out, "and {} more, in parts that never interact with these\n", counted(more, "deadlock")),
        }
    }
}

/// How places are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlaceStyle {
    /// With file, line and column.
    Files,
    /// By the line, if there is only one file.
    Lines,
}

/// That there is no such process, and who may be meant.
pub(super) fn no_process(name: &str, network: &Network) -> String {
    laban_report::no_process(name, network.process_ids().map(|process| network.process_name(process)))
}

//! How far an evaluation is: a bar on a terminal, a line every ten seconds elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

const EVERY: Duration = Duration::from_secs(10);

/// How far it is.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    started: Instant,
    last_shown: Instant,
    done: usize,
    total: usize,
}

impl Progress {
    pub(crate) fn new(total: usize) -> Progress {
        let template = "{bar:30} {percent:>3}% of {len} searches, {elapsed} gone, about {eta} to go";
        let bar = io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(total as u64).with_style(style)
        });
        Progress { bar, started: Instant::now(), last_shown: Instant::now(), done: 0, total }
    }

    /// One more is done.
    pub(crate) fn step(&mut self) {
        self.done += 1;
        match &self.bar {
            Some(bar) => bar.inc(1),
            None if self.last_shown.elapsed() >= EVERY => {
                self.last_shown = Instant::now();
                let gone = self.started.elapsed().as_secs_f64();
                let left = gone * (self.total - self.done.min(self.total)) as f64 / self.done as f64;
                // There is nobody left to tell if this fails.
                let _ = writeln!(
                    io::stderr(),
                    "{} of {} searches, {gone:.0} s gone, about {left:.0} s to go",
                    self.done,
                    self.total
                );
            }
            None => {}
        }
    }

    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

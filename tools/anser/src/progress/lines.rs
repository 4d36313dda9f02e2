//! Progress of a run as log lines.

use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anser_solve::{Bytes, Event, Observer, RunObserver, resident_memory};

use super::messages::{Messages, plan_text, rate};
use crate::text::percent;

/// Shortest time between a line and the next line about the work in progress.
const PAUSE: Duration = Duration::from_secs(10);

pub(super) struct Lines {
    threads: Option<usize>,
    started: Instant,
    /// Finished units of the current piece of work.
    done: AtomicU64,
    state: Mutex<State>,
}

struct State {
    messages: Messages,
    /// Decided classes of the current layer, and all its classes.
    decided: Option<(u64, u64)>,
    work: String,
    units: u64,
    work_started: Instant,
    last_line: Instant,
}

impl Lines {
    pub(super) fn new(messages: Messages, threads: Option<usize>) -> Lines {
        let now = Instant::now();
        let state = State {
            messages,
            decided: None,
            work: String::new(),
            units: 0,
            work_started: now,
            last_line: now,
        };
        Lines { threads, started: now, done: AtomicU64::new(0), state: Mutex::new(state) }
    }

    /// Writes a line about the work in progress, unless the last line is recent.
    fn work_line(&self, state: &mut State) {
        if state.last_line.elapsed() < PAUSE {
            return;
        }
        let done = self.done.load(Relaxed);
        let mut line = state.messages.prefix();
        line += &format!("{} {}", state.work, percent(done.min(state.units), state.units));
        if let Some((decided, classes)) = state.decided {
            line += &format!(", {} decided", percent(decided, classes));
        }
        line += &format!(", {}", rate(done as f64 / state.work_started.elapsed().as_secs_f64()));
        if let Some(resident) = resident_memory() {
            line += &format!(", {} resident", Bytes(resident));
        }
        self.line(state, &line);
    }

    fn line(&self, state: &mut State, text: &str) {
        state.last_line = Instant::now();
        let seconds = self.started.elapsed().as_secs();
        let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        // A closed standard error is ignored.
        let _ = writeln!(std::io::stderr(), "{h:02}:{m:02}:{s:02} {text}");
    }
}

impl Observer for Lines {
    fn begin(&self, what: &str, units: u64) {
        let Ok(mut state) = self.state.lock() else { return };
        (state.work, state.units, state.work_started) = (what.to_owned(), units, Instant::now());
        self.done.store(0, Relaxed);
    }

    fn advance(&self, units: u64) {
        self.done.fetch_add(units, Relaxed);
        // If another thread holds the lock, it writes the line.
        if let Ok(mut state) = self.state.try_lock() {
            self.work_line(&mut state);
        }
    }
}

impl RunObserver for Lines {
    fn event(&self, event: &Event) {
        let Ok(mut state) = self.state.lock() else { return };
        for message in state.messages.about(event) {
            self.line(&mut state, &message);
        }
        match event {
            Event::Planned(estimate) => {
                let _ = std::io::stderr().write_all(plan_text(estimate, self.threads).as_bytes());
            }
            Event::Layer { .. } => state.decided = None,
            Event::Step { decided, classes, .. } => {
                state.decided = Some((*decided, *classes));
                self.work_line(&mut state);
            }
            _ => {}
        }
    }
}

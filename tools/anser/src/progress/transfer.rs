//! Progress of a transfer: rate and rest of bytes.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anser_solve::{Bytes, Observer, RunObserver};

use super::bar::Bar;
use crate::text::{duration, percent};

/// Shortest time between two log lines.
const PAUSE: Duration = Duration::from_secs(10);

/// Shortest time between two messages beside the bar.
const TICK: Duration = Duration::from_millis(200);

pub(super) struct Transfer {
    /// The work whose units are bytes.
    of_bytes: &'static str,
    bar: Bar,
    is_terminal: bool,
    state: Mutex<State>,
}

/// The current piece of work.
struct State {
    is_of_bytes: bool,
    units: u64,
    done: u64,
    /// Bytes that were there at first, which say nothing about the rate.
    first: Option<u64>,
    started: Instant,
    shown: Instant,
}

impl Transfer {
    pub(super) fn new(of_bytes: &'static str) -> Transfer {
        let now = Instant::now();
        let state =
            State { is_of_bytes: false, units: 0, done: 0, first: None, started: now, shown: now };
        let is_terminal = std::io::stderr().is_terminal();
        Transfer { of_bytes, bar: Bar::new(), is_terminal, state: Mutex::new(state) }
    }
}

impl State {
    /// Describes how much is done, how fast, and how long the rest takes.
    fn text(&self) -> String {
        let seconds = self.started.elapsed().as_secs_f64().max(1e-3);
        let rate = (self.done - self.first.unwrap_or(0)) as f64 / seconds;
        let rest = self.units.saturating_sub(self.done) as f64 / rate.max(1.0);
        format!(
            "{} of {}, {}/s, about {} left",
            Bytes(self.done),
            Bytes(self.units),
            Bytes(rate as u64),
            duration(rest)
        )
    }
}

impl Observer for Transfer {
    fn begin(&self, what: &str, units: u64) {
        self.bar.begin(what, units);
        let Ok(mut state) = self.state.lock() else { return };
        let now = Instant::now();
        let is_of_bytes = what == self.of_bytes;
        *state = State { is_of_bytes, units, done: 0, first: None, started: now, shown: now };
    }

    fn advance(&self, units: u64) {
        self.bar.advance(units);
        let Ok(mut state) = self.state.lock() else { return };
        state.done += units;
        // The first report is about what an earlier run fetched.
        state.first.get_or_insert(units);
        if !state.is_of_bytes || state.shown.elapsed() < if self.is_terminal { TICK } else { PAUSE }
        {
            return;
        }
        state.shown = Instant::now();
        if self.is_terminal {
            self.bar.message(&state.text());
        } else {
            let done = percent(state.done.min(state.units), state.units);
            // A closed standard error is ignored.
            let _ = writeln!(std::io::stderr(), "anser: {done} fetched, {}", state.text());
        }
    }
}

impl RunObserver for Transfer {}

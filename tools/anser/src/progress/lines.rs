//! A run as log lines.

use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anser_solve::{Bytes, Event, resident_memory};

use crate::progress::{discarded_line, finished_line, plan_text, rate, released_line, spilled_line};
use crate::text::{percent, ranges, rounds};

/// The least time between two lines about the same layer.
const PAUSE: Duration = Duration::from_secs(10);

pub(super) struct Lines {
    won: String,
    threads: Option<usize>,
    started: Instant,
    /// Units of the current piece of work that are done.
    done: AtomicU64,
    state: Mutex<State>,
}

struct State {
    kept: Vec<u16>,
    layer: Option<u16>,
    decided: Option<(u64, u64)>,
    work: String,
    units: u64,
    work_started: Instant,
    last_line: Instant,
}

impl Lines {
    pub(super) fn new(won: String, threads: Option<usize>) -> Lines {
        let now = Instant::now();
        let state = State {
            kept: Vec::new(),
            layer: None,
            decided: None,
            work: String::new(),
            units: 0,
            work_started: now,
            last_line: now,
        };
        Lines { won, threads, started: now, done: AtomicU64::new(0), state: Mutex::new(state) }
    }

    pub(super) fn begin(&self, what: &str, units: u64) {
        let Ok(mut state) = self.state.lock() else { return };
        (state.work, state.units, state.work_started) = (what.to_owned(), units, Instant::now());
        self.done.store(0, Relaxed);
    }

    pub(super) fn event(&self, event: &Event) {
        let Ok(mut state) = self.state.lock() else { return };
        match event {
            Event::Kept { layer } => state.kept.push(*layer),
            Event::Planned(estimate) => {
                self.tell_kept(&mut state);
                let _ = std::io::stderr().write_all(plan_text(estimate, self.threads).as_bytes());
            }
            Event::Discarded { layer, what } => self.line(&mut state, &discarded_line(*layer, *what)),
            Event::Layer { layer, resumed, .. } => {
                self.tell_kept(&mut state);
                (state.layer, state.decided) = (Some(*layer), None);
                if let Some(done) = resumed {
                    self.line(&mut state, &format!("layer {layer}: resuming after {}", rounds(*done)));
                }
            }
            Event::Spilled { layer, bytes } => self.line(&mut state, &spilled_line(*layer, *bytes)),
            Event::Step { decided, classes, .. } => {
                state.decided = Some((*decided, *classes));
                self.now_and_then(&mut state);
            }
            Event::Released { layers, resident } => {
                let line = released_line(layers, *resident);
                let layer = state.layer.map(|layer| format!("layer {layer}: ")).unwrap_or_default();
                self.line(&mut state, &format!("{layer}{line}"));
            }
            Event::Finished(report) => {
                let line = finished_line(report, &self.won);
                self.line(&mut state, &line);
                state.layer = None;
            }
            _ => {}
        }
    }

    pub(super) fn advance(&self, units: u64) {
        self.done.fetch_add(units, Relaxed);
        // If another thread holds the lock, it writes the line.
        if let Ok(mut state) = self.state.try_lock() {
            self.now_and_then(&mut state);
        }
    }

    fn now_and_then(&self, state: &mut State) {
        if state.last_line.elapsed() < PAUSE {
            return;
        }
        let done = self.done.load(Relaxed);
        let mut line = state.layer.map(|layer| format!("layer {layer}: ")).unwrap_or_default();
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

    fn tell_kept(&self, state: &mut State) {
        if !state.kept.is_empty() {
            let kept = std::mem::take(&mut state.kept);
            let what = if kept.len() == 1 { "layer" } else { "layers" };
            let verb = if kept.len() == 1 { "is" } else { "are" };
            self.line(state, &format!("{what} {} {verb} there already", ranges(kept)));
        }
    }

    fn line(&self, state: &mut State, text: &str) {
        state.last_line = Instant::now();
        let seconds = self.started.elapsed().as_secs();
        let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        // A closed standard error is ignored.
        let _ = writeln!(std::io::stderr(), "{h:02}:{m:02}:{s:02} {text}");
    }
}

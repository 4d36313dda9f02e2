//! Long work on a thread of its own, while the calling thread handles signals and reports progress.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use anser_solve::{Event, Observer, RunObserver};
use pyo3::prelude::*;

/// Interval at which signals are handled and progress is reported.
const POLLED_EVERY: Duration = Duration::from_millis(50);

/// Observer of work, which the calling thread polls.
#[derive(Default)]
pub(crate) struct Watch {
    stop: AtomicBool,
    is_done: Mutex<bool>,
    done: Condvar,
    piece: Mutex<Piece>,
    units: AtomicU64,
}

/// The current piece of work.
#[derive(Clone, Default, PartialEq, Eq)]
struct Piece {
    what: String,
    all: u64,
}

impl Watch {
    fn begin_piece(&self, what: &str, all: u64) {
        let mut piece = self.piece.lock().unwrap_or_else(PoisonError::into_inner);
        *piece = Piece { what: what.to_owned(), all };
        self.units.store(0, Relaxed);
    }

    /// The current piece of work and its finished units.
    fn state(&self) -> (Piece, u64) {
        let piece = self.piece.lock().unwrap_or_else(PoisonError::into_inner);
        (piece.clone(), self.units.load(Relaxed))
    }

    /// Waits for the end of the work; returns whether it has ended.
    fn wait(&self) -> bool {
        let is_done = self.is_done.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.done.wait_timeout_while(is_done, POLLED_EVERY, |is_done| !*is_done);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// Work in memory: every piece is reported.
impl Observer for Watch {
    fn begin(&self, what: &str, units: u64) {
        self.begin_piece(what, units);
    }

    fn advance(&self, units: u64) {
        self.units.fetch_add(units, Relaxed);
    }

    fn interrupted(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

/// A run over layers: the classes of each layer are reported.
pub(crate) struct Run<'a>(pub(crate) &'a Watch);

impl Observer for Run<'_> {
    fn interrupted(&self) -> bool {
        self.0.interrupted()
    }
}

impl RunObserver for Run<'_> {
    fn event(&self, event: &Event) {
        match event {
            Event::Layer { layer, classes, .. } => {
                self.0.begin_piece(&format!("layer {layer}"), *classes);
            }
            Event::Step { decided, .. } => self.0.units.store(*decided, Relaxed),
            Event::Finished(report) => self.0.units.store(report.classes, Relaxed),
            _ => {}
        }
    }
}

/// Signals the end of the work to the calling thread when it is dropped, also by a panic.
struct Done<'a>(&'a Watch);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        *self.0.is_done.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.done.notify_all();
    }
}

/// Runs `work` without the interpreter lock. `progress` is called with the current piece of work,
/// its finished units, and all of its units.
///
/// # Errors
/// A signal, such as Ctrl-C, or an exception of `progress`, after the work has stopped.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    let watch = Watch::default();
    py.detach(|| {
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let _done = Done(&watch);
                work(&watch)
            });
            let (mut failed, mut reported) = (None, (Piece::default(), 0));
            loop {
                let is_done = watch.wait();
                if failed.is_none()
                    && let Err(error) = poll(&watch, progress, &mut reported)
                {
                    watch.stop.store(true, Relaxed);
                    failed = Some(error);
                }
                if is_done {
                    break;
                }
            }
            let result = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            match failed {
                Some(error) => Err(error),
                None => Ok(result),
            }
        })
    })
}

/// Handles signals, and reports progress since the last report.
fn poll(watch: &Watch, progress: Option<&Py<PyAny>>, reported: &mut (Piece, u64)) -> PyResult<()> {
    Python::attach(|py| {
        py.check_signals()?;
        let state = watch.state();
        if let Some(progress) = progress
            && state != *reported
        {
            let (Piece { what, all }, units) = &state;
            progress.call1(py, (what, *units, *all))?;
            *reported = state;
        }
        Ok(())
    })
}

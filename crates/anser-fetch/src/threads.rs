//! Work on several files at a time.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anser_core::Observer;
use anser_solve::Bytes;

use crate::error::FetchError;
use crate::place::{Options, Place};

/// Whether work is to end: it was interrupted, or another piece of it has failed.
#[derive(Debug, Default)]
pub(crate) struct Stop(AtomicBool);

/// Reads lists of tables.
#[derive(Clone, Copy)]
pub(crate) struct Lists<'a> {
    pub(crate) place: &'a Place,
    pub(crate) options: &'a Options,
    pub(crate) stop: &'a Stop,
    /// Bytes of all lists so far.
    pub(crate) bytes: &'a AtomicU64,
}

/// Most bytes of all lists of a place. Those of a thousand sets of tables have some megabytes.
const MOST_BYTES: u64 = 256 << 20;

impl Lists<'_> {
    /// Reads a file of at most `most` bytes, with [`attempts`]; `None` if there is none.
    pub(crate) fn read(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, FetchError> {
        let read = attempts(self.options, self.stop, || self.place.read(name, most))?;
        let len = read.as_ref().map_or(0, |bytes| bytes.len() as u64);
        if self.bytes.fetch_add(len, Relaxed) + len > MOST_BYTES {
            let problem = format!("the lists of this place have more than {}", Bytes(MOST_BYTES));
            return Err(FetchError::List { url: self.place.url(name), problem });
        }
        Ok(read)
    }
}

/// Time between two looks at the observer.
const TICK: Duration = Duration::from_millis(50);

impl Stop {
    /// Fails if the work is to end. What other work ended with is reported, not this error.
    pub(crate) fn check(&self) -> Result<(), FetchError> {
        if self.0.load(Relaxed) { Err(FetchError::Interrupted) } else { Ok(()) }
    }
}

/// Calls `work` on each item, in several threads. An error ends all of it and is returned; so does
/// an interruption. Requests that wait for the host end then, too.
pub(crate) fn each<T: Sync>(
    items: &[T],
    threads: usize,
    place: &Place,
    observer: &dyn Observer,
    work: impl Fn(&T, &Stop) -> Result<(), FetchError> + Sync,
) -> Result<(), FetchError> {
    let (stop, next, failure) = (Stop::default(), AtomicUsize::new(0), Mutex::new(None));
    let (mut interrupted, mut stopped) = (false, false);
    thread::scope(|scope| {
        let (sender, ended) = channel::<()>();
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            let sender = sender.clone();
            let (stop, next, failure, work) = (&stop, &next, &failure, &work);
            scope.spawn(move || {
                let _sender = sender;
                while let Some(item) = items.get(next.fetch_add(1, Relaxed)) {
                    let done = stop.check().and_then(|()| work(item, stop));
                    let Err(error) = done else { continue };
                    failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    stop.0.store(true, Relaxed);
                    break;
                }
            });
        }
        drop(sender);
        while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            interrupted |= observer.interrupted();
            if interrupted {
                stop.0.store(true, Relaxed);
            }
            if stop.check().is_err() && !stopped {
                place.stop();
                stopped = true;
            }
        }
    });
    let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
    match failure {
        Some(_) if interrupted => Err(FetchError::Interrupted),
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Calls `work` in a thread, so that an interruption ends requests that wait for the host.
pub(crate) fn interruptible<T: Send>(
    place: &Place,
    observer: &dyn Observer,
    work: impl Fn(&Stop) -> Result<T, FetchError> + Sync,
) -> Result<T, FetchError> {
    let result = Mutex::new(None);
    each(&[()], 1, place, observer, |(), stop| {
        *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(work(stop)?);
        Ok(())
    })?;
    result.into_inner().unwrap_or_else(PoisonError::into_inner).ok_or(FetchError::Interrupted)
}

/// Calls `attempt` until it succeeds, fails for good, or has failed [`Options::attempts`] times.
pub(crate) fn attempts<T>(
    options: &Options,
    stop: &Stop,
    mut attempt: impl FnMut() -> Result<T, FetchError>,
) -> Result<T, FetchError> {
    let mut failed = 0;
    loop {
        stop.check()?;
        match attempt() {
            Err(FetchError::Request { problem, .. })
                if problem.is_transient() && failed + 1 < options.attempts => {}
            done => return done,
        }
        failed += 1;
        let until = Instant::now() + options.timeout / 30 * failed * failed;
        while Instant::now() < until {
            stop.check()?;
            thread::sleep(TICK.min(until.saturating_duration_since(Instant::now())));
        }
    }
}

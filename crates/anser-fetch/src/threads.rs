//! Work on several files at a time.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
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
            return Err(FetchError::list(self.place.url(name), problem));
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

/// Calls `work` on each item, in several threads, and returns the results in the order of the
/// items. The first error ends all of it and is returned; so does an interruption. Requests that
/// wait for the host end then, too.
pub(crate) fn each<'a, T: Sync, R: Send>(
    items: &'a [T],
    threads: usize,
    place: &Place,
    observer: &dyn Observer,
    work: impl Fn(&'a T, &Stop) -> Result<R, FetchError> + Sync,
) -> Result<Vec<R>, FetchError> {
    let (stop, next) = (Stop::default(), AtomicUsize::new(0));
    let (mut results, mut failure) = (BTreeMap::new(), None);
    let (mut interrupted, mut stopped) = (false, false);
    thread::scope(|scope| {
        let (sender, done) = channel();
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            let sender = sender.clone();
            let (stop, next, work) = (&stop, &next, &work);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    let Some(item) = items.get(number) else { return };
                    let result = stop.check().and_then(|()| work(item, stop));
                    let failed = result.is_err();
                    // The receiver lasts longer than the threads.
                    let _ = sender.send((number, result));
                    if failed {
                        stop.0.store(true, Relaxed);
                        return;
                    }
                }
            });
        }
        drop(sender);
        loop {
            match done.recv_timeout(TICK) {
                Ok((number, Ok(result))) => drop(results.insert(number, result)),
                Ok((_, Err(error))) => drop(failure.get_or_insert(error)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
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
    match failure {
        Some(_) if interrupted => Err(FetchError::Interrupted),
        Some(error) => Err(error),
        None => Ok(results.into_values().collect()),
    }
}

/// Calls `work` in a thread, so that an interruption ends requests that wait for the host.
pub(crate) fn interruptible<T: Send>(
    place: &Place,
    observer: &dyn Observer,
    work: impl Fn(&Stop) -> Result<T, FetchError> + Sync,
) -> Result<T, FetchError> {
    let results = each(&[()], 1, place, observer, |(), stop| work(stop))?;
    results.into_iter().next().ok_or(FetchError::Interrupted)
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

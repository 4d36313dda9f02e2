//! The number of threads, with one limit for all pools.

use std::panic::resume_unwind;
use std::thread::{Builder, JoinHandle, available_parallelism};

use anser_retrograde::parallel::install;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::SolveError;

/// Number of threads that may be started on any machine.
const ALWAYS: usize = 256;

/// Number of threads per core that may be started.
const PER_CORE: usize = 4;

/// Least number of classes of a layer per thread, for threads beyond the number of cores.
const WORTH_A_THREAD: u64 = 1 << 20;

/// Bytes of address space requested per thread before it is started: its stack of 2 MiB, its
/// signal stack, and destructors.
const PER_THREAD: usize = 3 << 20;

/// Environment variable with the default number of threads of Rayon.
const VARIABLE: &str = "RAYON_NUM_THREADS";

/// Returns the number of cores that this process may use.
fn cores() -> usize {
    available_parallelism().map_or(1, Into::into)
}

/// Returns the greatest number of threads that a pool can have: 256, or four per core if that is
/// more.
pub fn most_threads() -> usize {
    ALWAYS.max(cores().saturating_mul(PER_CORE))
}

/// Returns the number of threads for a request: the requested number, else that of the environment
/// variable `RAYON_NUM_THREADS`, else one per core, and at most [`most_threads`].
///
/// ```
/// assert_eq!(anser_solve::threads_of(Some(2)), 2);
/// assert_eq!(anser_solve::threads_of(Some(1_000_000)), anser_solve::most_threads());
/// ```
pub fn threads_of(requested: Option<usize>) -> usize {
    let from_environment = || std::env::var(VARIABLE).ok()?.parse::<usize>().ok();
    requested
        .or_else(from_environment)
        .filter(|&threads| threads > 0)
        .unwrap_or_else(cores)
        .min(most_threads())
}

/// Returns the number of threads of the current pool that have a core: others do not make a run
/// faster.
pub(crate) fn working_threads() -> usize {
    rayon::current_num_threads().min(cores())
}

/// Starts a pool of [`threads_of`] threads.
///
/// # Errors
/// [`SolveError::Threads`] if the system refuses to start them.
pub fn make_pool(requested: Option<usize>) -> Result<ThreadPool, SolveError> {
    pool_of(threads_of(requested))
}

/// Returns whether there is memory to start some threads.
///
/// The start of a thread maps its stacks and registers destructors. The runtime aborts the process
/// if there is no memory for these.
pub(crate) fn has_space_for(threads: usize) -> bool {
    let space = threads.checked_mul(PER_THREAD);
    space.is_some_and(|space| Vec::<u8>::new().try_reserve_exact(space).is_ok())
}

/// A thread that works on one thing, `None` if the system gave none. Drop waits for it.
#[derive(Debug)]
pub(crate) struct Background<T>(pub(crate) Option<JoinHandle<T>>);

impl<T: Send + 'static> Background<T> {
    pub(crate) fn start(name: &str, work: impl FnOnce() -> T + Send + 'static) -> Background<T> {
        let start = || Builder::new().name(name.into()).spawn(work).ok();
        Background(has_space_for(1).then(start).flatten())
    }
}

impl<T> Background<T> {
    /// Waits for the result. `None` if there is no thread.
    pub(crate) fn finish(&mut self) -> Option<T> {
        let thread = self.0.take()?;
        Some(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        // Nobody wants the result after another error.
        if let Some(thread) = self.0.take() {
            let _ = thread.join();
        }
    }
}

/// Starts a pool of `threads` threads, and waits until each of them runs. Nothing else is allocated
/// until then.
fn pool_of(threads: usize) -> Result<ThreadPool, SolveError> {
    let failed = || SolveError::Threads(threads);
    if !has_space_for(threads) {
        return Err(failed());
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(|_| failed())?;
    pool.broadcast(|_| ());
    Ok(pool)
}

/// Runs the work on a layer in the current pool, or in a smaller one if there are more threads than
/// cores and the layer is too small for them. The result does not depend on the pool.
pub(crate) fn on_few_threads<T: Send>(
    classes: u64,
    work: impl FnOnce() -> T + Send,
) -> Result<T, SolveError> {
    let threads = rayon::current_num_threads();
    let enough = usize::try_from(classes / WORTH_A_THREAD).unwrap_or(usize::MAX).max(cores());
    if threads <= enough { Ok(work()) } else { Ok(install(&pool_of(enough)?, work)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_limit_and_small_layers_take_few_threads() {
        assert!(most_threads() >= 256 && most_threads() >= 4 * cores());
        assert_eq!([Some(0), Some(3), Some(usize::MAX)].map(threads_of)[1..], [3, most_threads()]);
        assert!(
            has_space_for(1)
                && !has_space_for(usize::MAX / PER_THREAD)
                && !has_space_for(usize::MAX)
        );
        let pool = make_pool(Some(cores() + 7)).expect("a few threads");
        let used = |classes| {
            pool.install(|| on_few_threads(classes, rayon::current_num_threads)).expect("threads")
        };
        assert_eq!((used(1_000), used(u64::MAX)), (cores(), cores() + 7));
    }
}

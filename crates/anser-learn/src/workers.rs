//! Threads for work on tensors that are too small to share among threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anser_retrograde::parallel::install;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Threads that each compute their tensors alone.
pub(crate) struct Workers {
    pools: Vec<ThreadPool>,
}

impl Workers {
    /// Starts `count` threads, or as many as the system allows, but at least one.
    ///
    /// # Panics
    /// If the system allows no thread.
    pub(crate) fn new(count: usize) -> Workers {
        let pool = |_| ThreadPoolBuilder::new().num_threads(1).build().ok();
        let pools: Vec<ThreadPool> = (0..count.max(1)).map_while(pool).collect();
        assert!(!pools.is_empty(), "the system allows a thread");
        Workers { pools }
    }

    /// Does some work on one of the threads.
    pub(crate) fn alone<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        install(&self.pools[0], work)
    }

    /// Does some work for every item. Returns the results in the order of the items.
    pub(crate) fn map<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&T) -> R + Sync,
    ) -> Vec<R> {
        let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        let run = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(number) else { break };
                let result = work(item);
                *results[number].lock().expect("no work panics while it holds the lock") =
                    Some(result);
            }
        };
        thread::scope(|scope| {
            for pool in self.pools.iter().take(items.len()).skip(1) {
                scope.spawn(|| pool.install(run));
            }
            self.pools[0].install(run);
        });
        let result = |it: Mutex<Option<R>>| it.into_inner().ok().flatten();
        results.into_iter().map(|it| result(it).expect("all work was done")).collect()
    }
}

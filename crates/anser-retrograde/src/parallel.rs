//! Parallel loops for which rayon's machinery is compiled once.
//!
//! Rayon's iterators are compiled for each closure. Here rayon sees one closure, and those of the
//! callers are called through a pointer. So callers let a call do much: a chunk of positions, never
//! a single one. The items of a loop come from an iterator, which runs before the loop begins.
//!
//! All loops run on the threads of the current Rayon pool.
//!
//! ```
//! use anser_retrograde::parallel::{self, CHUNK};
//!
//! let words = vec![1_u64; 3 * CHUNK];
//! let sums = parallel::map(words.chunks(CHUNK), &|words| words.iter().sum::<u64>());
//! assert_eq!(sums, [4096; 3]);
//! ```

use std::convert::Infallible;
use std::mem;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::ThreadPool;
use rayon::prelude::*;

/// Number of items per call in loops that do little for each: words, slots, or positions.
pub const CHUNK: usize = 1 << 12;

/// Divides `0..len` into ranges of `chunk` numbers; the last one may be shorter.
pub fn ranges(len: usize, chunk: usize) -> impl Iterator<Item = Range<usize>> {
    (0..len).step_by(chunk).map(move |start| start..len.min(start + chunk))
}

/// Calls `visit` with every number below `count`, until a call returns false.
///
/// Every thread takes the next number when it is done with one, so all of them work until the last
/// number is taken. Rayon would hand out ranges instead, and wait for the thread with the longest.
fn run(count: usize, visit: &(dyn Fn(usize) -> bool + Sync)) {
    let next = AtomicUsize::new(0);
    let until_last = |_| {
        let take = || Some(next.fetch_add(1, Relaxed)).filter(|&number| number < count);
        let failed = std::iter::from_fn(take).any(|number| !visit(number));
        if failed {
            next.store(count, Relaxed);
        }
    };
    let threads = rayon::current_num_threads().min(count);
    (0..threads).into_par_iter().with_max_len(1).for_each(until_last);
}

/// Locks a value, also if a thread panicked that held it: a panic ends the loop or the run, so
/// nobody uses what it left.
pub fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs work on a thread of a pool and returns its result. Loops in it run on the threads of the
/// pool. Rayon's function of this name is compiled for each closure.
///
/// ```
/// use anser_retrograde::parallel;
///
/// let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build()?;
/// assert_eq!(parallel::install(&pool, rayon::current_num_threads), 3);
/// # Ok::<(), rayon::ThreadPoolBuildError>(())
/// ```
///
/// # Panics
/// If the work panics.
pub fn install<T: Send>(pool: &ThreadPool, work: impl FnOnce() -> T + Send) -> T {
    let mut work = Some(work);
    let mut result = None;
    let mut once = || result = work.take().map(|work| work());
    install_erased(pool, &mut once);
    result.expect("the pool ran the work")
}

fn install_erased(pool: &ThreadPool, work: &mut (dyn FnMut() + Send)) {
    pool.install(work);
}

/// Item of a loop, and what became of it.
enum Slot<I, R> {
    Item(I),
    Taken,
    Result(R),
}

/// Returns the results of `of` for every item, in the order of the items. After an error no more
/// calls begin.
///
/// # Errors
/// The error of the first item for which a call failed.
pub fn try_map<I: Send, T: Send, E: Send>(
    items: impl IntoIterator<Item = I>,
    of: &(dyn Fn(I) -> Result<T, E> + Sync),
) -> Result<Vec<T>, E> {
    // Loops, because the adapters of iterators are compiled for each caller as well.
    let mut slots = Vec::new();
    for item in items {
        slots.push(Mutex::new(Slot::Item(item)));
    }
    run(slots.len(), &|number| {
        let mut slot = lock(&slots[number]);
        let Slot::Item(item) = mem::replace(&mut *slot, Slot::Taken) else {
            unreachable!("every item is visited once")
        };
        let result = of(item);
        let succeeded = result.is_ok();
        *slot = Slot::Result(result);
        succeeded
    });
    let mut results = Vec::with_capacity(slots.len());
    for slot in &slots {
        let Slot::Result(result) = mem::replace(&mut *lock(slot), Slot::Taken) else {
            // Items are taken in their order, and every call that began has returned.
            unreachable!("an item is left only after one whose call failed")
        };
        results.push(result?);
    }
    Ok(results)
}

/// Returns the results of `of` for every item, in the order of the items.
pub fn map<I: Send, T: Send>(
    items: impl IntoIterator<Item = I>,
    of: &(dyn Fn(I) -> T + Sync),
) -> Vec<T> {
    let Ok(results) = try_map::<_, _, Infallible>(items, &|item| Ok(of(item)));
    results
}

/// Calls `visit` with every item, until a call fails.
///
/// # Errors
/// The error of the first item for which a call failed.
pub fn try_for_each<I: Send, E: Send>(
    items: impl IntoIterator<Item = I>,
    visit: &(dyn Fn(I) -> Result<(), E> + Sync),
) -> Result<(), E> {
    try_map(items, visit).map(drop)
}

/// Calls `visit` with every item.
pub fn for_each<I: Send>(items: impl IntoIterator<Item = I>, visit: &(dyn Fn(I) + Sync)) {
    map(items, visit);
}

/// Joins the results of `of` for every item. The first argument of `join` always comes from earlier
/// items than the second. Returns `None` if there are no items.
///
/// # Errors
/// The error of the first item for which a call of `of` failed.
pub fn try_reduce<I: Send, T: Send, E: Send>(
    items: impl IntoIterator<Item = I>,
    of: &(dyn Fn(I) -> Result<T, E> + Sync),
    join: &(dyn Fn(T, T) -> T + Sync),
) -> Result<Option<T>, E> {
    // Results of ranges of items, no two of them adjacent: there are not many more than threads.
    let joined: Mutex<Vec<(Range<usize>, T)>> = Mutex::default();
    try_for_each(items.into_iter().enumerate(), &|(number, item)| {
        let (mut items, mut result) = (number..number + 1, of(item)?);
        loop {
            let mut joined = lock(&joined);
            let adjacent =
                |(other, _): &(Range<_>, _)| other.end == items.start || items.end == other.start;
            let Some(at) = joined.iter().position(adjacent) else {
                joined.push((items, result));
                return Ok(());
            };
            let (other, of_other) = joined.swap_remove(at);
            drop(joined);
            (items, result) = if other.end == items.start {
                (other.start..items.end, join(of_other, result))
            } else {
                (items.start..other.end, join(result, of_other))
            };
        }
    })?;
    Ok(lock(&joined).pop().map(|(_, result)| result))
}

/// Joins the results of `of` like [`try_reduce`].
pub fn reduce<I: Send, T: Send>(
    items: impl IntoIterator<Item = I>,
    of: &(dyn Fn(I) -> T + Sync),
    join: &(dyn Fn(T, T) -> T + Sync),
) -> Option<T> {
    let Ok(result) = try_reduce::<_, _, Infallible>(items, &|item| Ok(of(item)), join);
    result
}

/// Returns `len` default values, written by all threads, as large allocations are faster this way.
pub fn defaults<T: Default + Send>(len: usize) -> Vec<T> {
    (0..len).into_par_iter().map(|_| T::default()).collect()
}

/// A buffer for each thread of a loop.
///
/// ```
/// use anser_retrograde::parallel::{self, Buffers};
///
/// let buffers = Buffers::<Vec<u32>>::default();
/// let lengths = parallel::map(0..8, &|count| {
///     buffers.with(|buffer| {
///         // As the last call on this thread left it.
///         buffer.clear();
///         buffer.extend(0..count);
///         buffer.len()
///     })
/// });
/// assert_eq!(lengths, [0, 1, 2, 3, 4, 5, 6, 7]);
/// ```
pub struct Buffers<B>(Vec<Mutex<B>>);

impl<B: Default> Default for Buffers<B> {
    /// Default buffers for the threads of this pool.
    fn default() -> Self {
        Buffers((0..rayon::current_num_threads()).map(|_| Mutex::default()).collect())
    }
}

impl<B: Default> Buffers<B> {
    /// Calls `visit` with the buffer of this thread, as the last call left it, or with a new one if
    /// a call on this thread has not returned yet.
    pub fn with<T>(&self, visit: impl FnOnce(&mut B) -> T) -> T {
        let thread = rayon::current_thread_index().and_then(|thread| self.0.get(thread));
        let mut own = thread.and_then(|buffer| buffer.try_lock().ok());
        visit(own.as_deref_mut().unwrap_or(&mut B::default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_visited_once_and_results_keep_their_order() {
        for count in [0, 1, 2, 1000] {
            let visits: Vec<_> = (0..count).map(|_| AtomicUsize::new(0)).collect();
            for_each(&visits, &|visits| {
                visits.fetch_add(1, Relaxed);
            });
            let tried = try_for_each::<_, ()>(0..count, &|number| {
                visits[number].fetch_add(1, Relaxed);
                Ok(())
            });
            assert_eq!(tried, Ok(()));
            assert!(visits.iter().all(|visits| visits.load(Relaxed) == 2));

            let numbers: Vec<_> = (0..count).collect();
            assert_eq!(map(0..count, &|number| number.to_string()).concat(), text(&numbers));
            assert_eq!(try_map::<_, _, ()>(numbers.clone(), &Ok), Ok(numbers.clone()));
            let join = |a: Vec<usize>, b: Vec<usize>| [a, b].concat();
            let joined = reduce(0..count, &|number| vec![number], &join);
            assert_eq!(joined, (count > 0).then_some(numbers));
        }
    }

    fn text(numbers: &[usize]) -> String {
        numbers.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn items_are_owned() {
        let mut values = vec![0; 10];
        for_each(values.chunks_mut(4).enumerate(), &|(number, chunk)| {
            chunk.fill(10 * number + chunk.len());
        });
        assert_eq!(values, [4, 4, 4, 4, 14, 14, 14, 14, 22, 22]);
    }

    #[test]
    fn the_first_error_is_returned_and_ends_the_loop() {
        let visits = AtomicUsize::new(0);
        let fails = |number: usize| {
            visits.fetch_add(1, Relaxed);
            if number >= 700 { Err(number) } else { Ok(()) }
        };
        assert_eq!(try_for_each(0..1000, &fails), Err(700));
        assert_eq!(try_map(0..1000, &fails), Err(700));
        assert_eq!(try_reduce(0..1000, &fails, &|(), ()| ()), Err(700));
        visits.store(0, Relaxed);
        assert_eq!(try_for_each(700..1_000_000, &fails), Err(700));
        assert!(visits.load(Relaxed) <= rayon::current_num_threads());
    }

    #[test]
    fn a_call_within_a_call_has_another_buffer() {
        let buffers = Buffers::<Vec<usize>>::default();
        for_each(0..1000, &|number| {
            buffers.with(|outer| {
                outer.clear();
                outer.push(number);
                for_each(0..10, &|inner| {
                    buffers.with(|buffer| {
                        buffer.clear();
                        buffer.push(inner);
                    });
                });
                assert_eq!(*outer, [number]);
            });
        });
    }

    #[test]
    #[should_panic(expected = "the work")]
    fn a_panic_of_the_work_is_one_of_the_caller() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
        let fails: fn() = || panic!("the work");
        install(&pool, fails);
    }
}

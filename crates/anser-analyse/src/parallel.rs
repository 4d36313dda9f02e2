//! Parallel loops that are compiled once for each type of result.
//!
//! Rayon's iterators are compiled for each closure. Here rayon sees one type of closure per type of
//! result, which it calls through a pointer. So callers let a call do much: a chunk of positions,
//! never a single one.

use rayon::prelude::*;

/// Calls `visit` with every number below `count`, until a call fails.
///
/// # Errors
/// One of the errors of `visit`.
pub fn try_for_each<E: Send>(
    count: usize,
    visit: &(dyn Fn(usize) -> Result<(), E> + Sync),
) -> Result<(), E> {
    (0..count).into_par_iter().try_for_each(visit)
}

/// Receives the number and the values of a chunk.
type VisitChunk<'a, T, E> = dyn Fn(usize, &mut [T]) -> Result<(), E> + Sync + 'a;

/// Calls `visit` with the number and the values of every chunk of `size` values, until a call
/// fails. The last chunk may be smaller.
///
/// # Errors
/// One of the errors of `visit`.
pub fn try_for_each_chunk<T: Send, E: Send>(
    values: &mut [T],
    size: usize,
    visit: &VisitChunk<'_, T, E>,
) -> Result<(), E> {
    values.par_chunks_mut(size).enumerate().try_for_each(|(number, chunk)| visit(number, chunk))
}

/// Returns the results of `of` for every number below `count`, in this order, or an error of `of`.
///
/// # Errors
/// One of the errors of `of`.
pub fn try_map<T: Send, E: Send>(
    count: usize,
    of: &(dyn Fn(usize) -> Result<T, E> + Sync),
) -> Result<Vec<T>, E> {
    (0..count).into_par_iter().map(of).collect()
}

/// Joins the results of `of` for every number below `count`. The first argument of `join` always
/// comes from smaller numbers than the second. Returns `None` if `count` is 0.
pub fn reduce<T: Send>(
    count: usize,
    of: &(dyn Fn(usize) -> T + Sync),
    join: &(dyn Fn(T, T) -> T + Sync),
) -> Option<T> {
    (0..count).into_par_iter().map(of).reduce_with(join)
}

/// Joins the results of `of` like [`reduce`]. `of` also receives a buffer, which it may find as it
/// left it.
///
/// # Errors
/// One of the errors of `of`.
pub fn try_reduce<B: Default, T: Send, E: Send>(
    count: usize,
    of: &(dyn Fn(&mut B, usize) -> Result<T, E> + Sync),
    join: &(dyn Fn(T, T) -> T + Sync),
) -> Result<Option<T>, E> {
    let results = (0..count).into_par_iter().map_init(B::default, of);
    results.try_reduce_with(|a, b| Ok(join(a, b))).transpose()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::*;

    #[test]
    fn every_number_is_visited_once_and_results_keep_their_order() {
        for count in [0, 1, 2, 1000] {
            let visits: Vec<_> = (0..count).map(|_| AtomicUsize::new(0)).collect();
            let tried = try_for_each::<()>(count, &|number| {
                visits[number].fetch_add(1, Relaxed);
                Ok(())
            });
            assert_eq!(tried, Ok(()));
            assert!(visits.iter().all(|visits| visits.load(Relaxed) == 1));

            let numbers: Vec<_> = (0..count).collect();
            assert_eq!(try_map::<_, ()>(count, &Ok), Ok(numbers.clone()));
            let join = |a: Vec<usize>, b: Vec<usize>| [a, b].concat();
            let joined = reduce(count, &|number| vec![number], &join);
            assert_eq!(joined, (count > 0).then(|| numbers.clone()));
            let with_buffer = |buffer: &mut Vec<usize>, number: usize| {
                buffer.clear();
                buffer.push(number);
                Ok::<_, ()>(buffer.clone())
            };
            let joined = try_reduce(count, &with_buffer, &join);
            assert_eq!(joined, Ok((count > 0).then_some(numbers)));
        }
    }

    #[test]
    fn chunks_are_those_of_the_slice() {
        let mut values = vec![0; 10];
        let tried = try_for_each_chunk::<_, ()>(&mut values, 4, &|number, chunk| {
            chunk.fill(10 * number + chunk.len());
            Ok(())
        });
        assert_eq!(tried, Ok(()));
        assert_eq!(values, [4, 4, 4, 4, 14, 14, 14, 14, 22, 22]);
    }

    #[test]
    fn errors_are_returned() {
        let fails = |number: usize| if number == 700 { Err("700") } else { Ok(()) };
        assert_eq!(try_for_each(1000, &fails), Err("700"));
        assert_eq!(try_map(1000, &fails), Err("700"));
        let reduced = try_reduce(1000, &|(): &mut (), number| fails(number), &|(), ()| ());
        assert_eq!(reduced, Err("700"));
        let chunks = try_for_each_chunk(&mut [0; 1000], 1, &|number, _| fails(number));
        assert_eq!(chunks, Err("700"));
    }
}

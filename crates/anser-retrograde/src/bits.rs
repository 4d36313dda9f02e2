//! Words as sets of bits.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::parallel::{self, CHUNK};

/// Calls `visit` with the number of every bit that is set, in ascending order.
///
/// ```
/// use anser_retrograde::bits::for_each_bit;
///
/// let mut numbers = Vec::new();
/// for_each_bit(0b1010, |bit| numbers.push(bit));
/// assert_eq!(numbers, [1, 3]);
/// ```
#[expect(clippy::inline_always, reason = "kernels are compiled for the instructions of a level")]
#[inline(always)]
pub fn for_each_bit(mut word: u64, mut visit: impl FnMut(u64)) {
    while word != 0 {
        visit(u64::from(word.trailing_zeros()));
        word &= word - 1;
    }
}

/// Returns the numbers of all bits that are set, in ascending order.
pub(crate) fn numbers(words: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let mut numbers = Vec::new();
    for (word, first) in words.into_iter().zip((0..).step_by(64)) {
        for_each_bit(word, |bit| numbers.push(first + bit));
    }
    numbers
}

/// Clears all bits, on all threads.
pub fn clear(words: &[AtomicU64]) {
    parallel::for_each(words.chunks(CHUNK), &|words| {
        for word in words {
            word.store(0, Relaxed);
        }
    });
}

/// Returns the number of bits that are set, counted on all threads.
pub fn count(words: &[AtomicU64]) -> u64 {
    let of_chunk = |words: &[AtomicU64]| {
        words.iter().map(|word| u64::from(word.load(Relaxed).count_ones())).sum::<u64>()
    };
    parallel::map(words.chunks(CHUNK), &of_chunk).into_iter().sum()
}

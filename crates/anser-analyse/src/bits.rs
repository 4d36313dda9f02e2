//! Words as sets of bits.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

/// Calls `visit` with the number of every bit that is set, in ascending order.
#[inline]
pub fn for_each_bit(mut word: u64, mut visit: impl FnMut(u64)) {
    while word != 0 {
        visit(u64::from(word.trailing_zeros()));
        word &= word - 1;
    }
}

/// Returns the number of bits that are set.
pub fn count(words: &[AtomicU64]) -> u64 {
    words.par_iter().map(|word| u64::from(word.load(Relaxed).count_ones())).sum()
}

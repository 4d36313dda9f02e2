//! Values as scores of the side to move, which compare as plain numbers.
//!
//! A win in 0 plies is [`Score::WON`], one ply more is one less; 0 is a draw, and a loss is the
//! negative score of the win of the other side. Scores of 8 bits tell distances up to 126 plies. A
//! win that takes longer keeps the least score of a win: outcomes are right all the same, since a
//! position is won as soon as a move leads to one that the other side has lost.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Neg};
use std::sync::atomic::{AtomicI8, AtomicI16, Ordering::Relaxed};

use anser_core::Side;
use anser_retrograde::parallel;

use crate::SolveError;
use crate::engines::store::{Store, Words};

/// A score of 8 or 16 bits.
pub(super) trait Score:
    Copy + Default + Ord + Neg<Output = Self> + bytemuck::Pod + Send + Sync
{
    /// A shared score.
    type Shared: Default + Send + Sync;

    /// Codes of distances with as many bits.
    type Code: bytemuck::Pod + Into<u16> + Into<u64> + Send + Sync;

    /// Number of bits.
    const BITS: u32;

    /// A position without a move so far: less than every score.
    const NONE: Self;

    /// The score of a win in 0 plies for the side to move.
    const WON: Self;

    /// Returns the score at the end of the game.
    fn over(has_won: bool) -> Self {
        if has_won { Self::WON } else { -Self::WON }
    }

    /// Returns the score for `side` of a code of a distance, of fewer plies than [`Score::WON`] is.
    fn of_code(code: u16, side: Side) -> Self;

    /// Returns the code of the distance of a score for `side`.
    fn code(self, side: Side) -> Self::Code;

    /// Returns the score for the other side; [`Score::NONE`] for itself.
    fn opposite(self) -> Self;

    /// Returns the score a ply earlier, the same if it [is the last](Score::is_last).
    fn before(self) -> Self;

    /// Whether it is the least score of a win, or of a loss.
    fn is_last(self) -> bool;

    /// Returns the bits of a score.
    fn bits(self) -> Self::Code;

    /// Returns the score with these bits, the lowest ones.
    fn from_bits(bits: u64) -> Self;

    /// Stores a score.
    fn store(self, shared: &Self::Shared);

    /// Returns a score that is shared no longer.
    fn load(shared: Self::Shared) -> Self;
}

macro_rules! score {
    ($score:ty, $code:ty, $shared:ty) => {
        impl Score for $score {
            type Shared = $shared;
            type Code = $code;

            const BITS: u32 = <$score>::BITS;
            const NONE: Self = <$score>::MIN;
            const WON: Self = <$score>::MAX;

            #[inline]
            fn of_code(code: u16, side: Side) -> Self {
                // Without branches, so that several are converted at once.
                let won = Self::WON.wrapping_sub((code.wrapping_sub(1) / 2) as $score);
                let is_own = (code & 1) ^ side as u16 == 1;
                if code == 0 {
                    0
                } else if is_own {
                    won
                } else {
                    won.wrapping_neg()
                }
            }

            #[inline]
            fn code(self, side: Side) -> $code {
                let plies = (Self::WON - self.abs()) as $code;
                // Too large only for a draw, which has a code of its own.
                let code = plies
                    .wrapping_mul(2)
                    .wrapping_add(1)
                    .wrapping_add(<$code>::from(self < 0) ^ side as $code);
                if self == 0 { 0 } else { code }
            }

            #[inline(always)]
            fn opposite(self) -> Self {
                self.wrapping_neg()
            }

            #[inline(always)]
            fn before(self) -> Self {
                self - self.signum() * <$score>::from(self.unsigned_abs() > 1)
            }

            #[inline(always)]
            fn is_last(self) -> bool {
                self.unsigned_abs() == 1
            }

            #[inline]
            fn bits(self) -> $code {
                self.cast_unsigned()
            }

            #[inline]
            fn from_bits(bits: u64) -> Self {
                bits as $score
            }

            #[inline]
            fn store(self, shared: &$shared) {
                shared.store(self, Relaxed);
            }

            fn load(shared: $shared) -> Self {
                shared.into_inner()
            }
        }
    };
}

score!(i8, u8, AtomicI8);
score!(i16, u16, AtomicI16);

/// Scores in memory or in a scratch file.
pub(super) struct Scores<S> {
    words: Words,
    len: usize,
    of: PhantomData<S>,
}

impl<S: Score> Scores<S> {
    /// Allocates draws.
    ///
    /// # Errors
    /// Errors of the scratch file.
    pub(super) fn draws(store: Store<'_>, len: usize) -> Result<Scores<S>, SolveError> {
        let mut words = store.zeros(len.div_ceil(size_of::<u64>() / size_of::<S>()))?;
        if store.scratch.is_none() {
            // Memory that is read first is mapped twice, the second time when it is written.
            parallel::for_each(words.chunks_mut(parallel::CHUNK), &|words| words.fill(0));
        }
        Ok(Scores { words, len, of: PhantomData })
    }
}

impl<S: Score> Deref for Scores<S> {
    type Target = [S];

    fn deref(&self) -> &[S] {
        &bytemuck::must_cast_slice(&self.words)[..self.len]
    }
}

impl<S: Score> DerefMut for Scores<S> {
    fn deref_mut(&mut self) -> &mut [S] {
        &mut bytemuck::must_cast_slice_mut(&mut self.words)[..self.len]
    }
}

/// Scores that are counted at a time, which fit into a byte.
const COUNTED: usize = 128;

/// Returns the number of scores that are not draws.
pub(super) fn decided<S: Score>(scores: &[S]) -> u64 {
    let of_few = |scores: &[S]| -> u8 { scores.iter().map(|s| u8::from(*s != S::default())).sum() };
    let of_chunk =
        |scores: &[S]| scores.chunks(COUNTED).map(|few| u64::from(of_few(few))).sum::<u64>();
    parallel::map(scores.chunks(parallel::CHUNK), &of_chunk).into_iter().sum()
}

/// Replaces scores for `side` by the bits of their codes.
pub(super) fn encode<S: Score>(scores: &mut [S], side: Side) {
    parallel::for_each(scores.chunks_mut(parallel::CHUNK), &|scores| {
        for score in scores {
            *score = S::from_bits(score.code(side).into());
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores_tell_distances<S: Score + std::fmt::Debug>(longest: u16) {
        for side in Side::BOTH {
            for code in 0..=2 * (longest + 1) {
                let score = S::of_code(code, side);
                assert_eq!(Into::<u16>::into(score.code(side)), code);
                assert_eq!(S::of_code(code, side.other()), score.opposite());
                assert_eq!(S::from_bits(score.bits().into()), score);
                // Odd codes are wins of the first side.
                let is_own = code % 2 == u16::from(side == Side::First);
                assert_eq!(score.cmp(&S::default()).is_gt(), code > 0 && is_own);
                let earlier: u16 = score.before().code(side).into();
                let is_last = code > 2 * longest;
                assert_eq!(score.is_last(), is_last);
                assert_eq!(earlier, if code == 0 || is_last { code } else { code + 2 });
            }
        }
        assert!(S::NONE < S::over(false) && S::NONE.opposite() == S::NONE);
        let scores = [S::default(), S::WON, S::over(false)];
        let many: Vec<S> = scores.into_iter().cycle().take(3000).collect();
        assert_eq!(decided(&many), 2000);
    }

    #[test]
    fn scores_tell_distances_up_to_their_longest() {
        scores_tell_distances::<i8>(126);
        scores_tell_distances::<i16>(32_766);
    }
}

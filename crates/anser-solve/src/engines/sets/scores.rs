//! Values as scores of the side to move, which compare as plain numbers.
//!
//! The score of a draw is 0, that of a loss is the negative score of the win of the other side, and
//! the sooner a win, the greater is its score.
//!
//! Scores of 16 bits count plies. Those of 8 bits count moves of the winner. So they tell distances
//! up to 251 plies, if a game ends only by the move of the winner: then the side to move wins in an
//! odd number of plies, and loses in an even one. A position in which the side to move has won
//! already also has a score, and what would follow from it is [noticed](Score::is_last).
//!
//! A win that takes longer keeps the least score of a win: outcomes are right all the same, since a
//! position is won as soon as a move leads to one that the other side has lost.
//!
//! The score -1 stands for a draw as well: for one without a capture that matters, where values
//! hold captures; see [`captures`](super::captures).

use std::ops::{Neg, Range};
use std::sync::atomic::{AtomicI8, AtomicI16, Ordering::Relaxed};

use anser_core::Side;
use anser_retrograde::isa::{Isa, Kernel};

/// A score: of 8 or 16 bits, or an [outcome](super::outcomes::OutcomeScore).
pub(super) trait Score:
    Copy + Default + Ord + Neg<Output = Self> + bytemuck::Pod + Send + Sync
{
    /// What arrays of values consist of: one value, or as many as make whole words.
    type Cell: bytemuck::Pod + Default + Send + Sync;

    /// A score in a checkpoint.
    type Saved: Score;

    /// Number of bits in arrays.
    const BITS: u32;

    /// Number of values in a cell.
    const PER_CELL: usize;

    /// A position without a move so far: less than every score.
    const NONE: Self;

    /// The score of the side to move if it has won.
    const WON: Self;

    /// A draw so far, and no capture is held; see [`captures`](super::captures).
    const UNDECIDED: Self;

    /// The score of the longest loss: every loss has this score or a lesser one.
    const LONGEST_LOSS: Self;

    /// Returns the score at the end of the game.
    fn over(has_won: bool) -> Self {
        if has_won { Self::WON } else { -Self::WON }
    }

    /// Whether there is a score for `side` of a code of a distance.
    fn tells(code: u16, side: Side) -> bool;

    /// Returns the score of a win in some plies that scores [tell](Score::tells).
    fn won_in(plies: u16) -> Self;

    /// Returns the score for `side` of a code of a distance that scores [tell](Score::tells).
    #[inline(always)]
    fn of_code(code: u16, side: Side) -> Self {
        // Without branches, so that several are converted at once.
        let (is_win, plies) = parts(code, side);
        let score = Self::won_in(plies);
        if code == 0 {
            Self::default()
        } else if is_win {
            score
        } else {
            score.opposite()
        }
    }

    /// Returns the code of the distance of a score for `side`. [`Score::UNDECIDED`] is a draw.
    fn code(self, side: Side) -> u16;

    /// Returns the score for the other side; [`Score::NONE`] for itself.
    fn opposite(self) -> Self;

    /// Returns the score a ply earlier. Its outcome is right; its distance is not if this score [is
    /// the last](Score::is_last).
    fn before(self) -> Self;

    /// Whether there is no score for the distance a ply earlier.
    fn is_last(self) -> bool;

    /// Returns the round in which a loss with this score counts; see [`captures`](super::captures).
    fn round_of_loss(self) -> u16;

    /// Returns the greatest score of a loss that counts in a round. None does in round 0.
    fn greatest_loss(round: u64) -> Self;

    /// Returns a value as far as it counts: a loss with a score above the
    /// [greatest](Score::greatest_loss) is a draw.
    #[inline(always)]
    fn counted(self, greatest: Self) -> Self {
        if self > greatest && self < Self::default() { Self::default() } else { self }
    }

    /// Whether a loss with this score counts in a round, but not in the one before. `now` and
    /// `before` are the [greatest losses](Score::greatest_loss) in either.
    #[inline(always)]
    fn counts_first(self, [before, now]: [Self; 2]) -> bool {
        self <= now && self > before
    }

    /// Returns the score as it is saved.
    fn saved(self) -> Self::Saved;

    /// Returns a score that was saved.
    fn restored(saved: Self::Saved) -> Self;

    /// Returns the cells with the values of these places.
    #[inline(always)]
    fn cells(places: Range<usize>) -> Range<usize> {
        places.start / Self::PER_CELL..places.end.div_ceil(Self::PER_CELL)
    }

    /// Returns the value of a place.
    fn get(cells: &[Self::Cell], place: usize) -> Self;

    /// Sets the value of a place.
    fn set(cells: &mut [Self::Cell], place: usize, score: Self);

    /// Returns the values of these places, and after them others: those of all cells that follow,
    /// or, if the values are copied to `copy`, what it held at its end.
    fn view<'c>(
        isa: impl Isa,
        cells: &'c [Self::Cell],
        places: Range<usize>,
        copy: &'c mut Vec<Self>,
    ) -> &'c [Self];

    /// Sets the values from a place on.
    fn put(cells: &mut [Self::Cell], first: usize, values: &[Self]);
}

/// A score that lies in arrays and checkpoints as it is.
pub(super) trait WholeScore: Score<Cell = Self, Saved = Self> {
    /// A shared score.
    type Shared: Default + Send + Sync;

    /// Stores a score.
    fn store(self, shared: &Self::Shared);

    /// Returns a score that is shared no longer.
    fn load(shared: Self::Shared) -> Self;
}

impl WholeScore for i8 {
    type Shared = AtomicI8;

    #[inline]
    fn store(self, shared: &AtomicI8) {
        shared.store(self, Relaxed);
    }

    fn load(shared: AtomicI8) -> i8 {
        shared.into_inner()
    }
}

impl WholeScore for i16 {
    type Shared = AtomicI16;

    #[inline]
    fn store(self, shared: &AtomicI16) {
        shared.store(self, Relaxed);
    }

    fn load(shared: AtomicI16) -> i16 {
        shared.into_inner()
    }
}

/// The parts of [`Score`] that are the same for all [whole scores](WholeScore).
macro_rules! whole {
    () => {
        type Cell = Self;
        type Saved = Self;

        const PER_CELL: usize = 1;

        fn saved(self) -> Self {
            self
        }

        fn restored(saved: Self) -> Self {
            saved
        }

        #[inline(always)]
        fn get(cells: &[Self], place: usize) -> Self {
            cells[place]
        }

        #[inline(always)]
        fn set(cells: &mut [Self], place: usize, score: Self) {
            cells[place] = score;
        }

        #[inline(always)]
        fn view<'c>(
            _: impl Isa,
            cells: &'c [Self],
            places: Range<usize>,
            _: &'c mut Vec<Self>,
        ) -> &'c [Self] {
            &cells[places.start..]
        }

        #[inline(always)]
        fn put(cells: &mut [Self], first: usize, values: &[Self]) {
            cells[first..first + values.len()].copy_from_slice(values);
        }
    };
}

/// Splits a code other than 0: whether `side` wins, and the plies.
#[inline(always)]
fn parts(code: u16, side: Side) -> (bool, u16) {
    ((code & 1) ^ side as u16 == 1, code.wrapping_sub(1) / 2)
}

/// Returns the code of a distance.
#[inline(always)]
fn join(is_win: bool, plies: u16, side: Side) -> u16 {
    // Too large only for draws, whose codes are not used.
    plies.wrapping_mul(2).wrapping_add(1).wrapping_add(u16::from(!is_win) ^ side as u16)
}

impl Score for i8 {
    whole!();

    const BITS: u32 = i8::BITS;
    const NONE: i8 = i8::MIN;
    const WON: i8 = i8::MAX;
    const UNDECIDED: i8 = -1;
    const LONGEST_LOSS: i8 = -2;

    #[inline(always)]
    fn tells(code: u16, side: Side) -> bool {
        let (is_win, plies) = parts(code, side);
        code == 0 || (plies <= 251 && (plies % 2 == u16::from(is_win) || (is_win && plies == 0)))
    }

    #[inline(always)]
    fn won_in(plies: u16) -> i8 {
        i8::WON.wrapping_sub(plies.div_ceil(2) as i8)
    }

    #[inline(always)]
    fn code(self, side: Side) -> u16 {
        let plies = 2 * u16::from(i8::WON.abs_diff(self.saturating_abs()));
        let plies = if self > 0 { plies.saturating_sub(1) } else { plies };
        if matches!(self, 0 | i8::UNDECIDED) { 0 } else { join(self > 0, plies, side) }
    }

    #[inline(always)]
    fn opposite(self) -> i8 {
        self.wrapping_neg()
    }

    #[inline(always)]
    fn before(self) -> i8 {
        self - i8::from(self > 1) - i8::from(self == -1)
    }

    /// A win in 253 plies, a loss in 252, and a loss in one ply.
    #[inline(always)]
    fn is_last(self) -> bool {
        matches!(self, 1 | -1) || self == -i8::WON
    }

    fn round_of_loss(self) -> u16 {
        1 + u16::from(self.abs_diff(-i8::WON))
    }

    fn greatest_loss(round: u64) -> i8 {
        i8::MIN.saturating_add(round.min(127) as i8).min(i8::LONGEST_LOSS)
    }
}

impl Score for i16 {
    whole!();

    const BITS: u32 = i16::BITS;
    const NONE: i16 = i16::MIN;
    const WON: i16 = i16::MAX;
    const UNDECIDED: i16 = -1;
    const LONGEST_LOSS: i16 = -2;

    #[inline(always)]
    fn tells(code: u16, side: Side) -> bool {
        let (is_win, plies) = parts(code, side);
        code == 0 || plies < i16::WON.cast_unsigned() - u16::from(!is_win)
    }

    #[inline(always)]
    fn won_in(plies: u16) -> i16 {
        i16::WON.wrapping_sub(plies as i16)
    }

    #[inline(always)]
    fn code(self, side: Side) -> u16 {
        let plies = i16::WON.abs_diff(self.saturating_abs());
        if matches!(self, 0 | i16::UNDECIDED) { 0 } else { join(self > 0, plies, side) }
    }

    #[inline(always)]
    fn opposite(self) -> i16 {
        self.wrapping_neg()
    }

    #[inline(always)]
    fn before(self) -> i16 {
        let before = self - self.signum() * i16::from(self.unsigned_abs() > 1);
        if self < 0 { before.min(i16::LONGEST_LOSS) } else { before }
    }

    #[inline(always)]
    fn is_last(self) -> bool {
        matches!(self, 1 | -1 | i16::LONGEST_LOSS)
    }

    fn round_of_loss(self) -> u16 {
        1 + self.abs_diff(-i16::WON) / 2
    }

    fn greatest_loss(round: u64) -> i16 {
        i16::MIN.saturating_add(round.saturating_mul(2).min(32_767) as i16).min(i16::LONGEST_LOSS)
    }
}

/// The rounds behind values of 8 bits that are [widened], at most: in them losses in up to 248
/// plies are found, and those in 250 have the score of longer ones. So captures that lose so are
/// still held.
pub(super) const WIDENED_ROUNDS: u64 = 125;

/// Returns a score of 8 bits as one of 16 bits, or a draw for the longest wins, since [longer
/// ones](Score::is_last) have their score.
///
/// A win in at most 249 plies follows from shorter ones alone. So if every value of a layer follows
/// from the others or is about to get better, this is still so without the longest wins, and the
/// rounds from there end with the same values.
pub(super) fn widened<S: Score>(score: S) -> i16 {
    let code = score.code(Side::First);
    let (_, plies) = parts(code, Side::First);
    if plies <= 249 { i16::of_code(code, Side::First) } else { 0 }
}

/// Converts codes of distances to scores of `side`. Returns whether every code has a score.
pub(super) struct FromCodes<'s, S> {
    pub(super) codes: &'s [u16],
    pub(super) side: Side,
    pub(super) scores: &'s mut [S],
}

impl<S: Score> Kernel for FromCodes<'_, S> {
    type Output = bool;

    #[inline(always)]
    fn run(self, _: impl Isa) -> bool {
        let FromCodes { codes, side, scores } = self;
        let mut are_told = true;
        for (score, &code) in scores.iter_mut().zip(codes) {
            are_told &= S::tells(code, side);
            *score = S::of_code(code, side);
        }
        are_told
    }
}

/// Scores that are counted at a time, which fit into a byte.
const COUNTED: usize = 128;

/// Returns the number of scores that are not draws.
pub(super) fn decided<S: Score>(scores: &[S]) -> u64 {
    let of_few = |scores: &[S]| -> u8 { scores.iter().map(|s| u8::from(*s != S::default())).sum() };
    scores.chunks(COUNTED).map(|few| u64::from(of_few(few))).sum()
}

#[cfg(test)]
mod tests {
    use anser_core::BySide;
    use anser_retrograde::isa::{Level, dispatch};

    use super::*;
    use crate::engines::sets::arrays;

    /// Goes through all codes of up to `longest` plies, and some more.
    fn scores_tell_distances<S: Score + std::fmt::Debug>(
        longest: u16,
        tells: impl Fn(bool, u16) -> bool,
    ) {
        for side in Side::BOTH {
            for plies in 0..longest + 5 {
                for is_win in [false, true] {
                    let code = join(is_win, plies, side);
                    assert_eq!(parts(code, side), (is_win, plies));
                    assert_eq!(S::tells(code, side), tells(is_win, plies), "{is_win} {plies}");
                    if !tells(is_win, plies) {
                        continue;
                    }
                    let score = S::of_code(code, side);
                    assert_eq!(score.code(side), code);
                    assert_eq!(score.cmp(&S::default()).is_gt(), is_win);
                    // The sooner a win, the better.
                    if plies >= 2 && tells(is_win, plies - 2) {
                        let sooner = S::of_code(join(is_win, plies - 2, side), side);
                        assert_eq!(sooner > score, is_win);
                    }
                    // The side that moved here a ply earlier.
                    let best = score.opposite();
                    assert_eq!(best.is_last(), !tells(!is_win, plies + 1));
                    let earlier = best.before();
                    assert_eq!(earlier.cmp(&S::default()), best.cmp(&S::default()));
                    if !best.is_last() {
                        let code = earlier.code(side.other());
                        assert_eq!(parts(code, side.other()), (!is_win, plies + 1));
                    }
                }
            }
            assert!(S::tells(0, side));
            assert_eq!(S::of_code(0, side), S::default());
            assert_eq!(S::default().code(side), 0);
        }
        assert!(S::NONE < S::over(false) && S::NONE.opposite() == S::NONE);
        assert!(!S::default().is_last() && S::default().before() == S::default());
        let scores = [S::default(), S::WON, S::over(false)];
        let many: Vec<S> = scores.into_iter().cycle().take(3000).collect();
        assert_eq!(decided(&many), 2000);
        for side in Side::BOTH {
            let wins = |won: Option<u16>, lost: Option<u16>| {
                BySide::from_fn(|winner| if winner == side { won } else { lost })
            };
            assert_eq!(arrays::longest(&many[..], side), wins(Some(0), Some(0)));
            assert_eq!(arrays::longest::<S>(&[S::default()][..], side), wins(None, None));
            let codes: Vec<u16> =
                (0..longest).map(|plies| join(plies % 2 == 1, plies, side)).collect();
            let mut scores = vec![S::default(); codes.len()];
            assert!(dispatch(
                Level::best(),
                FromCodes { codes: &codes, side, scores: &mut scores }
            ));
            assert_eq!(
                arrays::longest(&scores[..], side),
                wins(Some(longest - 1), Some(longest - 2))
            );
            let codes = [0, u16::MAX];
            assert!(!dispatch(
                Level::best(),
                FromCodes { codes: &codes, side, scores: &mut scores }
            ));
        }
    }

    #[test]
    fn scores_of_8_bits_are_widened_to_those_of_the_same_distance_but_for_the_longest() {
        for side in Side::BOTH {
            for plies in 0..=252 {
                for is_win in [false, true] {
                    let code = join(is_win, plies, side);
                    if <i8 as Score>::tells(code, side) {
                        let expected = if plies <= 249 { i16::of_code(code, side) } else { 0 };
                        assert_eq!(widened(i8::of_code(code, side)), expected, "{side:?} {code}");
                    }
                }
            }
        }
        assert_eq!(widened(0_i8), 0);
    }

    #[test]
    fn scores_tell_distances_up_to_their_longest() {
        scores_tell_distances::<i8>(252, |is_win, plies| {
            plies <= 251 && (plies % 2 == u16::from(is_win) || (is_win && plies == 0))
        });
        scores_tell_distances::<i16>(32_760, |is_win, plies| plies <= 32_766 - u16::from(!is_win));
    }
}

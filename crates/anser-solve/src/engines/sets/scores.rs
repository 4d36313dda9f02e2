//! Values as scores of the side to move, which compare as plain numbers.

use anser_core::Side;

/// A position without a move so far: less than every score.
pub(super) const NONE: i16 = i16::MIN;

/// The score of a win in 0 plies for the side to move. One ply more is one less; 0 is a draw, and a
/// loss is the negative score of the win of the other side.
pub(super) const WON: i16 = i16::MAX;

/// Returns the score for `side` of a code of a distance.
#[inline]
pub(super) fn score(code: u16, side: Side) -> i16 {
    // Without branches, so that several are converted at once.
    let won = WON - (code.wrapping_sub(1) / 2) as i16;
    let is_own = (code & 1) ^ side as u16 == 1;
    if code == 0 {
        0
    } else if is_own {
        won
    } else {
        -won
    }
}

/// Returns the code of the distance of a score for `side`.
#[inline]
pub(super) fn code(score: i16, side: Side) -> u16 {
    let plies = (WON - score.abs()) as u16;
    // Too large only for a draw, which has a code of its own.
    let code = (2 * plies + 1).wrapping_add(u16::from(score < 0) ^ side as u16);
    if score == 0 { 0 } else { code }
}

/// Returns the score a ply earlier. It is never 0 for a win that this engine can store.
#[inline]
pub(super) fn before(score: i16) -> i16 {
    score - score.signum()
}

//! A value in a byte, so that the better of two values for the lone man is the greater byte.
//!
//! The order of values is: the pack wins in 0, in 1, ..., the lone man wins in 1, in 0. A win of
//! the lone man in `d` is `255 - d`. The pack wins only where the lone man is to move, so with that
//! man to move its distance is even, `2 * code`, and with the pack to move it is odd, `2 * code +
//! 1`. A pack of `k` men takes at most `k * (2k - 1)` steps, so no game is longer than twice that
//! and 1: 133 plies on the largest board. Its codes are 0 to 66 for the pack and 122 to 255 for the
//! lone man: they never meet, so no distance is too long for a byte under any rules.

use anser_core::{Dtw, Side};

/// The lone man wins from here on.
const LONE: u8 = 100;

/// The pack has won.
pub(super) const PACK_NOW: u8 = 0;
/// The lone man has won.
pub(super) const LONE_NOW: u8 = 255;

/// What a move of the pack to a position of this code is worth.
#[inline(always)]
pub(super) fn before_pack(code: u8) -> u8 {
    // Nothing here overflows; said so that it is not looked at again for each byte.
    code.wrapping_sub(u8::from(code >= LONE))
}

/// What a move of the lone man to a position of this code is worth.
#[inline(always)]
pub(super) fn before_lone(code: u8) -> u8 {
    if code >= LONE { code.wrapping_sub(1) } else { code.wrapping_add(1) }
}

/// The value of a code with `side` to move.
pub(super) fn decode(side: Side, code: u8) -> Dtw {
    if code >= LONE {
        Dtw::win(Side::First, (u8::MAX - code).into())
    } else {
        Dtw::win(Side::Second, 2 * u16::from(code) + side.index() as u16)
    }
}

/// The code of a value with the lone man to move, if there is one.
pub(super) fn encode(value: Dtw) -> Option<u8> {
    let plies = value.plies()?;
    match value.winner()? {
        Side::First => {
            u8::try_from(plies).ok().map(|plies| u8::MAX - plies).filter(|&code| code >= LONE)
        }
        Side::Second => u8::try_from(plies / 2).ok().filter(|&code| plies % 2 == 0 && code < LONE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_adds_a_ply_and_a_greater_code_is_better_for_the_lone_man() {
        let codes =
            |side: Side| (0..=66).chain(123..=255).map(move |code| (code, decode(side, code)));
        for (code, value) in codes(Side::First) {
            assert_eq!(encode(value), Some(code));
            assert_eq!(decode(Side::Second, before_pack(code)), value.before());
        }
        for (code, value) in codes(Side::Second) {
            assert_eq!(decode(Side::First, before_lone(code)), value.before());
        }
        for side in Side::BOTH {
            let scores: Vec<_> = codes(side).map(|(_, value)| value.score(Side::First)).collect();
            assert!(scores.is_sorted_by(|a, b| a < b));
        }
        assert_eq!(decode(Side::First, LONE_NOW), Dtw::win(Side::First, 0));
        assert_eq!(decode(Side::First, PACK_NOW), Dtw::win(Side::Second, 0));
        assert_eq!(encode(Dtw::win(Side::Second, 3)), None);
        assert_eq!(encode(Dtw::DRAW), None);
    }
}

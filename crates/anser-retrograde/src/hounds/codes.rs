//! One-byte codes of values, ordered by preference of the lone man.
//!
//! In ascending order: the pack wins in 0 plies, in 1, ..., the lone man wins in ..., in 1, in 0. A
//! win of the lone man in `d` plies has the code `255 - d`. A game that the pack wins ends with the
//! lone man to move. So the distance of such a win is `2 * code` plies with the lone man to move,
//! and `2 * code + 1` plies with the pack to move.
//!
//! A pack of `k` men makes at most `k * (2k - 1)` steps. A game takes at most twice as many plies
//! plus 1: 133 on the largest board. So the codes are 0 to 66 for wins of the pack and 122 to 255
//! for wins of the lone man, and the two ranges cannot overlap.

use anser_core::{Dtw, Side};

/// Codes from this one on are wins of the lone man.
const LONE_MIN: u8 = 100;

/// Code of a game that the pack has won.
pub(super) const PACK_WON: u8 = 0;
/// Code of a game that the lone man has won.
pub(super) const LONE_WON: u8 = 255;

/// Returns the code of a position whose best move, by the pack, leads to `code`.
#[inline(always)]
pub(super) fn before_pack(code: u8) -> u8 {
    // Codes do not overflow, so this needs no check per byte.
    code.wrapping_sub(u8::from(code >= LONE_MIN))
}

/// Returns the code of a position whose best move, by the lone man, leads to `code`.
#[inline(always)]
pub(super) fn before_lone(code: u8) -> u8 {
    if code >= LONE_MIN { code.wrapping_sub(1) } else { code.wrapping_add(1) }
}

/// Returns the value of a code with `side` to move.
pub(super) fn decode(side: Side, code: u8) -> Dtw {
    if code >= LONE_MIN {
        Dtw::win(Side::First, (u8::MAX - code).into())
    } else {
        Dtw::win(Side::Second, 2 * u16::from(code) + side.index() as u16)
    }
}

/// Returns the code of a value with the lone man to move, if it has one.
pub(super) fn encode(value: Dtw) -> Option<u8> {
    let plies = value.plies()?;
    match value.winner()? {
        Side::First => {
            u8::try_from(plies).ok().map(|plies| u8::MAX - plies).filter(|&code| code >= LONE_MIN)
        }
        Side::Second => {
            u8::try_from(plies / 2).ok().filter(|&code| plies % 2 == 0 && code < LONE_MIN)
        }
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
        assert_eq!(decode(Side::First, LONE_WON), Dtw::win(Side::First, 0));
        assert_eq!(decode(Side::First, PACK_WON), Dtw::win(Side::Second, 0));
        assert_eq!(encode(Dtw::win(Side::Second, 3)), None);
        assert_eq!(encode(Dtw::DRAW), None);
    }
}

//! Codes of any width: the groups of words of the raw payloads of all metrics.

use anser_core::{BySide, Dtw, Side};

use super::outcomes::{self, ENTRIES_PER_PAIR, pairs};
use super::planes;
use crate::error::Defect;
use crate::kinds::Metric;

/// Greatest number of words in a group.
pub(crate) const LONGEST_GROUP: usize = 16;

/// Plies of the longest wins, by side to move and winner; `None` if there is no such win.
pub type Longest = BySide<BySide<Option<u16>>>;

/// Returns the largest code of a layer with these longest wins.
pub(crate) fn largest_code(longest: &Longest) -> u16 {
    let codes = longest
        .iter()
        .flat_map(|(_, plies)| Side::BOTH.map(|winner| top_code(winner, plies[winner])));
    codes.max().unwrap_or(0)
}

/// Returns the code of the longest win of `winner`, 0 if there is none.
pub(crate) fn top_code(winner: Side, plies: Option<u16>) -> u16 {
    plies.map_or(0, |plies| Dtw::win(winner, plies).code())
}

/// Returns the plies of the longest win of `winner` from its code, the inverse of [`top_code`].
pub(crate) fn plies_of_top(winner: Side, code: u16) -> Result<Option<u16>, Defect> {
    match Dtw::from_code(code) {
        Some(value) if value == Dtw::DRAW || value.winner() == Some(winner) => Ok(value.plies()),
        _ => Err(Defect::HeaderInvalid("largest codes")),
    }
}

/// Returns the bits per entry of a table of distances whose largest code is `largest`, 1 to 16.
///
/// ```
/// assert_eq!([0, 1, 2, 255, 256].map(anser_table::format::bits_of), [1, 1, 2, 8, 9]);
/// ```
pub const fn bits_of(largest: u16) -> u32 {
    if largest == 0 { 1 } else { u16::BITS - largest.leading_zeros() }
}

/// The code of the entries of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Coding {
    pub(crate) metric: Metric,
    /// The largest code of a value.
    pub(crate) largest: u16,
    /// Bits per entry.
    pub(crate) bits: u32,
}

impl Coding {
    pub(crate) const WDL: Coding =
        Coding { metric: Metric::Wdl, largest: outcomes::NO_VALUE as u16 - 1, bits: 2 };

    /// The code of distances whose largest code is `largest`.
    pub(crate) const fn dtw(largest: u16) -> Coding {
        Coding { metric: Metric::Dtw, largest, bits: bits_of(largest) }
    }

    /// Returns the length of a group in bytes.
    pub(crate) const fn group_bytes(self) -> u64 {
        self.bits as u64 * 8
    }

    /// Returns one bit per entry of a group, set if its code is not a value.
    pub(crate) fn no_values(self, group: &[u64]) -> u64 {
        // Compares from the highest bit down: the first bit that differs from `largest` decides.
        let (mut above, mut equal) = (0, u64::MAX);
        for (bit, &word) in group.iter().enumerate().rev() {
            if self.largest >> bit & 1 == 0 {
                above |= equal & word;
                equal &= !word;
            } else {
                equal &= word;
            }
        }
        above
    }
}

/// Returns the length in bytes of a raw payload; `None` if no file is that long.
pub(crate) fn payload_len_of(entries: BySide<u64>, bits: u32) -> Option<u64> {
    // At most 2^58 groups per side: the sum does not overflow.
    (pairs(entries[Side::First]) + pairs(entries[Side::Second])).checked_mul(u64::from(bits) * 8)
}

/// Returns the offset in the payload, in bytes, of the group with `entry` of `side` to move.
pub(crate) const fn group_offset(entries: BySide<u64>, bits: u32, side: Side, entry: u64) -> u64 {
    let before = match side {
        Side::First => 0,
        Side::Second => pairs(entries.as_array()[0]),
    };
    (before + entry / ENTRIES_PER_PAIR) * bits as u64 * 8
}

/// Returns the code of entry `entry % 64` of one group of words.
#[inline]
pub(crate) fn code_in_group(words: impl DoubleEndedIterator<Item = u64>, entry: u64) -> u16 {
    words.rev().fold(0, |code, word| code << 1 | (word >> (entry % ENTRIES_PER_PAIR) & 1) as u16)
}

/// Returns the code of an entry; `words` begins with the group of entry 0.
///
/// # Panics
/// If `words` ends before the entry's group.
#[inline]
pub(crate) fn get_code(words: &[u64], bits: u32, entry: u64) -> u16 {
    let group = (entry / ENTRIES_PER_PAIR) as usize * bits as usize;
    code_in_group(words[group..group + bits as usize].iter().copied(), entry)
}

/// Sets the code of an entry that is 0; `words` begins with the group of entry 0.
///
/// # Panics
/// If `words` ends before the entry's group.
#[inline]
pub(crate) fn set_code(words: &mut [u64], bits: u32, entry: u64, code: u16) {
    let group = (entry / ENTRIES_PER_PAIR) as usize * bits as usize;
    for (bit, word) in words[group..group + bits as usize].iter_mut().enumerate() {
        *word |= u64::from(code >> bit & 1) << (entry % ENTRIES_PER_PAIR);
    }
}

/// Fills `codes` with the codes of `bits` bits, 1 to 16, of entry 0 and those after it. Codes
/// beyond the end of `words` keep their value.
///
/// # Panics
/// If `bits` is 0.
pub fn expand_codes(words: &[u64], bits: u32, codes: &mut [u16]) {
    for (group, codes) in words.chunks(bits as usize).zip(codes.chunks_mut(planes::CODES)) {
        codes.copy_from_slice(&planes::codes_of(group)[..codes.len()]);
    }
}

/// Packs codes into groups of words of `bits` bits per entry, 1 to 16. Higher bits are lost.
///
/// ```
/// use anser_table::format::{contract_codes, expand_codes};
/// let words = contract_codes(&[5, 0, 2], 3);
/// assert_eq!(words, [0b001, 0b100, 0b001]);
/// let mut codes = [0; 3];
/// expand_codes(&words, 3, &mut codes);
/// assert_eq!(codes, [5, 0, 2]);
/// ```
pub fn contract_codes(codes: &[u16], bits: u32) -> Vec<u64> {
    let mut words = Vec::with_capacity(codes.len().div_ceil(planes::CODES) * bits as usize);
    for codes in codes.chunks(planes::CODES) {
        let mut all = [0; planes::CODES];
        all[..codes.len()].copy_from_slice(codes);
        words.extend(&planes::group_of(&all)[..bits as usize]);
    }
    words
}

/// Returns the outcomes of a group of distances as a pair of words: the entries that the first side
/// wins, and those that the second side wins.
///
/// ```
/// use anser_table::format::{contract_codes, outcomes_of_group};
/// // The second side wins in 1 ply, draw, the first side wins in 2 plies.
/// assert_eq!(outcomes_of_group(&contract_codes(&[4, 0, 5], 3)), [0b100, 0b001]);
/// ```
pub fn outcomes_of_group(group: &[u64]) -> [u64; 2] {
    // Odd codes are wins of the first side, even codes except 0 wins of the second.
    let (first, rest) = group.split_first().map_or((0, &[][..]), |(first, rest)| (*first, rest));
    [first, rest.iter().fold(0, |any, word| any | word) & !first]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_every_width_read_back_and_those_above_the_largest_are_seen() {
        for largest in [0, 1, 2, 5, 127, 128, 254, 255, 256, 300, 4095, 40_000, u16::MAX - 1] {
            let coding = Coding::dtw(largest);
            let codes: Vec<u16> =
                (0..200u64).map(|i| (i * 0x9e37_79b9 % (u64::from(largest) + 1)) as u16).collect();
            let words = contract_codes(&codes, coding.bits);
            assert_eq!(words.len() as u64, pairs(200) * u64::from(coding.bits));
            let mut again = vec![9; codes.len()];
            expand_codes(&words, coding.bits, &mut again);
            assert_eq!(again, codes);
            for (entry, &code) in codes.iter().enumerate() {
                assert_eq!(get_code(&words, coding.bits, entry as u64), code);
                let [first, second] = outcomes_of_group(
                    &words[entry / 64 * coding.bits as usize..][..coding.bits as usize],
                );
                let won = [first, second].map(|word| word >> (entry % 64) & 1 != 0);
                let winner = Dtw::from_code(code).and_then(Dtw::winner);
                assert_eq!(won, Side::BOTH.map(|side| winner == Some(side)));
            }
            let none = words.chunks(coding.bits as usize).all(|group| coding.no_values(group) == 0);
            assert!(none);
            if largest + 1 < 1 << coding.bits.min(15) {
                let mut codes = codes.clone();
                codes[100] = largest + 1;
                let words = contract_codes(&codes, coding.bits);
                let wrong = words.chunks(coding.bits as usize).map(|group| coding.no_values(group));
                assert!(wrong.eq([0, 1 << 36, 0, 0]), "{largest}");
            }
        }
    }

    #[test]
    fn outcomes_are_codes_of_two_bits() {
        let mut pair = [0; 2];
        for (entry, code) in [(0, 0), (1, 1), (2, 2), (63, 3)] {
            outcomes::set(&mut pair, entry, code);
        }
        assert_eq!(Coding::WDL.no_values(&pair), 1 << 63);
        assert_eq!([0, 1, 2, 63].map(|entry| get_code(&pair, 2, entry)), [0, 1, 2, 3]);
    }

    #[test]
    fn the_longest_wins_have_the_largest_codes() {
        assert_eq!(largest_code(&Longest::default()), 0);
        assert_eq!(
            largest_code(&BySide::new(BySide::new(Some(4), None), BySide::new(Some(0), Some(3)))),
            9
        );
        assert_eq!(
            largest_code(&BySide::new(BySide::new(Some(4), Some(4)), BySide::default())),
            10
        );
        for side in Side::BOTH {
            for plies in [None, Some(0), Some(17), Some(Dtw::LONGEST)] {
                assert_eq!(plies_of_top(side, top_code(side, plies)).ok(), Some(plies));
                assert_eq!(
                    plies_of_top(side.other(), top_code(side, plies)).is_ok(),
                    plies.is_none()
                );
            }
        }
    }
}

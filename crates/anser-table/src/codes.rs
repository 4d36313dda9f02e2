//! Codes of any width: what the raw payloads of all metrics have in common.
//!
//! # Layout
//!
//! Sixty-four entries are a *group* of as many adjacent 64-bit words as an entry has bits. Bit `e % 64` of word `j` of group
//! `e / 64` is bit `j` of the code of entry `e`. The payload holds the entries with the first side to move, rank 0 to the
//! last, in `ceil(entries / 64)` groups, and right after them those with the second side to move. Bits beyond the last entry
//! of a side are zero. In files the words are little-endian, so the bytes of the payload mean the same on every machine.
//!
//! | metric | bits | code | meaning |
//! |---|---|---|---|
//! | `wdl` | 2 | 0, 1, 2 | draw, the first side wins, the second side wins, see `values.rs` |
//! | `dtw` | 1 to 16 | 0 | draw |
//! | | | 2 d + 1 | the first side wins in d plies |
//! | | | 2 d + 2 | the second side wins in d plies |
//!
//! Entries of `dtw` have as many bits as the largest code of the layer needs, at least one. The header says which codes are
//! the largest, and a code above them is damage, as is code 3 of `wdl`.

use anser_core::{Dtw, Side};

use crate::error::Defect;
use crate::layout::Metric;
use crate::values::{self, ENTRIES_PER_PAIR, gather};

/// The plies of the longest wins: `[side to move][side that wins]`, `None` where there is no such win.
pub type Longest = [[Option<u16>; 2]; 2];

/// The largest code of a layer with these longest wins.
pub(crate) fn largest_code(longest: &Longest) -> u16 {
    let codes = longest.iter().flat_map(|plies| Side::BOTH.map(|side| top_code(side, plies[side.index()])));
    codes.max().unwrap_or(0)
}

/// The code of the longest win of `winner`, 0 where there is none.
pub(crate) fn top_code(winner: Side, plies: Option<u16>) -> u16 {
    plies.map_or(0, |plies| Dtw::win(winner, plies).code())
}

/// The plies of the longest win of `winner` by its code, the reverse of [`top_code`].
pub(crate) fn plies_of_top(winner: Side, code: u16) -> Result<Option<u16>, Defect> {
    match Dtw::from_code(code) {
        Some(value) if value == Dtw::DRAW || value.winner() == Some(winner) => Ok(value.plies()),
        _ => Err(Defect::HeaderInvalid("largest codes")),
    }
}

/// The bits that an entry of distances takes if `largest` is the largest code, 1 to 16.
///
/// ```
/// assert_eq!([0, 1, 2, 255, 256].map(anser_table::bits_of), [1, 1, 2, 8, 9]);
/// ```
pub const fn bits_of(largest: u16) -> u32 {
    if largest == 0 { 1 } else { u16::BITS - largest.leading_zeros() }
}

/// How the entries of a table are coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Coding {
    pub(crate) metric: Metric,
    /// The largest code that is a value.
    pub(crate) largest: u16,
    /// Bits an entry.
    pub(crate) bits: u32,
}

impl Coding {
    pub(crate) const WDL: Coding = Coding { metric: Metric::Wdl, largest: values::NO_VALUE as u16 - 1, bits: 2 };

    /// Distances, of which `largest` has the largest code.
    pub(crate) const fn dtw(largest: u16) -> Coding {
        Coding { metric: Metric::Dtw, largest, bits: bits_of(largest) }
    }

    /// The length of a group in bytes.
    pub(crate) const fn group_bytes(self) -> u64 {
        self.bits as u64 * 8
    }

    /// The entries of a group whose codes are no values, a bit each.
    pub(crate) fn no_values(self, group: &[u64]) -> u64 {
        // Where all higher bits are equal, the first lower one that differs decides.
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

/// The length in bytes of a raw payload; `None` if no file is that long.
pub(crate) fn payload_len_of(entries: [u64; 2], bits: u32) -> Option<u64> {
    // At most 2^58 groups a side.
    (groups(entries[0]) + groups(entries[1])).checked_mul(u64::from(bits) * 8)
}

/// The number of groups that `entries` entries fill.
pub(crate) const fn groups(entries: u64) -> u64 {
    entries.div_ceil(ENTRIES_PER_PAIR)
}

/// Where in the payload, in bytes from its start, the group with `entry` of `side` to move begins.
pub(crate) const fn group_offset(entries: [u64; 2], bits: u32, side: Side, entry: u64) -> u64 {
    let before = match side {
        Side::First => 0,
        Side::Second => groups(entries[0]),
    };
    (before + entry / ENTRIES_PER_PAIR) * bits as u64 * 8
}

/// The code of entry `entry % 64` of one group of words.
#[inline]
pub(crate) fn code_in_group(words: impl DoubleEndedIterator<Item = u64>, entry: u64) -> u16 {
    words.rev().fold(0, |code, word| code << 1 | (word >> (entry % ENTRIES_PER_PAIR) & 1) as u16)
}

/// The code of an entry, where `words` begins with the group of entry 0.
///
/// # Panics
/// If `words` ends before the entry's group.
#[inline]
pub(crate) fn get_code(words: &[u64], bits: u32, entry: u64) -> u16 {
    let group = (entry / ENTRIES_PER_PAIR) as usize * bits as usize;
    code_in_group(words[group..group + bits as usize].iter().copied(), entry)
}

/// Writes out codes of `bits` bits, the first of them of entry 0, until `codes` is full.
///
/// # Panics
/// If `words` ends before the last entry's group.
pub fn expand_codes(words: &[u64], bits: u32, codes: &mut [u16]) {
    for (group, codes) in words.chunks(bits as usize).zip(codes.chunks_mut(64)) {
        for (entry, code) in (0..).zip(codes) {
            *code = code_in_group(group.iter().copied(), entry);
        }
    }
}

/// Packs codes of at most `bits` bits, 1 to 16, into groups of words; higher bits are lost.
///
/// ```
/// use anser_table::{contract_codes, expand_codes};
/// let words = contract_codes(&[5, 0, 2], 3);
/// assert_eq!(words, [0b001, 0b100, 0b001]);
/// let mut codes = [0; 3];
/// expand_codes(&words, 3, &mut codes);
/// assert_eq!(codes, [5, 0, 2]);
/// ```
pub fn contract_codes(codes: &[u16], bits: u32) -> Vec<u64> {
    let mut words = Vec::with_capacity(codes.len().div_ceil(64) * bits as usize);
    for codes in codes.chunks(64) {
        let mut bytes = [[0; 64]; 2];
        for (entry, &code) in codes.iter().enumerate() {
            let [low, high] = code.to_le_bytes();
            (bytes[0][entry], bytes[1][entry]) = (low, high);
        }
        push_group(&mut words, &bytes[0], &bytes[1], bits);
    }
    words
}

/// Packs codes, given as their low bytes and, where they have more than eight bits, their high bytes, and appends them as groups
/// of words. False if one of them is no value.
pub(crate) fn contract_bytes(low: &[u8], high: &[u8], coding: Coding, words: &mut Vec<u64>) -> bool {
    let bits = coding.bits as usize;
    let mut wrong = 0;
    for at in (0..low.len()).step_by(64) {
        let mut bytes = [[0; 64]; 2];
        for (bytes, from) in bytes.iter_mut().zip([low, high]) {
            let some = &from[at.min(from.len())..from.len().min(at + 64)];
            bytes[..some.len()].copy_from_slice(some);
        }
        // What is above the width would be lost.
        let spill = |bytes: &[u8; 64], bits: usize| bits < 8 && bytes.iter().any(|byte| byte >> bits != 0);
        wrong |= u64::from(spill(&bytes[0], bits) || spill(&bytes[1], bits.saturating_sub(8)));
        push_group(words, &bytes[0], &bytes[1], coding.bits);
        wrong |= coding.no_values(&words[words.len() - bits..]);
    }
    wrong == 0
}

/// Appends one group of words; this works on eight codes at once, like `values.rs` does.
fn push_group(words: &mut Vec<u64>, low: &[u8; 64], high: &[u8; 64], bits: u32) {
    for bit in 0..bits {
        let bytes = if bit < 8 { low } else { high };
        let eights = bytes.as_chunks::<8>().0.iter().enumerate();
        words.push(
            eights.fold(0, |word, (byte, eight)| word | gather(u64::from_le_bytes(*eight) >> (bit % 8)) << (8 * byte)),
        );
    }
}

/// The outcomes of a group of distances as a pair of words of `values.rs`.
pub(crate) fn outcomes_of_group(group: &[u64]) -> [u64; 2] {
    // Odd codes are wins of the first side, even ones other than 0 of the second.
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
            let codes: Vec<u16> = (0..200u64).map(|i| (i * 0x9e37_79b9 % (u64::from(largest) + 1)) as u16).collect();
            let words = contract_codes(&codes, coding.bits);
            assert_eq!(words.len() as u64, groups(200) * u64::from(coding.bits));
            let mut again = vec![9; codes.len()];
            expand_codes(&words, coding.bits, &mut again);
            assert_eq!(again, codes);
            let [low, high] = [0, 1].map(|byte| codes.iter().map(|code| code.to_le_bytes()[byte]).collect::<Vec<_>>());
            let high = if coding.bits > 8 { high } else { Vec::new() };
            let mut packed = Vec::new();
            assert!(contract_bytes(&low, &high, coding, &mut packed));
            assert_eq!(packed, words);
            for (entry, &code) in codes.iter().enumerate() {
                assert_eq!(get_code(&words, coding.bits, entry as u64), code);
                let [first, second] =
                    outcomes_of_group(&words[entry / 64 * coding.bits as usize..][..coding.bits as usize]);
                let won = [first, second].map(|word| word >> (entry % 64) & 1 != 0);
                let winner = Dtw::from_code(code).and_then(Dtw::winner);
                assert_eq!(won, Side::BOTH.map(|side| winner == Some(side)));
            }
            let none = words.chunks(coding.bits as usize).all(|group| coding.no_values(group) == 0);
            assert!(none);
            if largest + 1 < 1 << coding.bits.min(15) {
                let mut low = low.clone();
                let mut high = high.clone();
                low[100] = (largest + 1).to_le_bytes()[0];
                if let Some(high) = high.get_mut(100) {
                    *high = (largest + 1).to_le_bytes()[1];
                }
                assert!(!contract_bytes(&low, &high, coding, &mut Vec::new()), "{largest}");
            }
        }
        assert!(!contract_bytes(&[0, 128], &[], Coding::dtw(3), &mut Vec::new()));
        assert!(!contract_bytes(&[0, 1], &[0, 128], Coding::dtw(300), &mut Vec::new()));
    }

    #[test]
    fn outcomes_are_codes_of_two_bits() {
        let mut pair = [0; 2];
        for (entry, code) in [(0, 0), (1, 1), (2, 2), (63, 3)] {
            values::set(&mut pair, entry, code);
        }
        assert_eq!(Coding::WDL.no_values(&pair), 1 << 63);
        assert_eq!([0, 1, 2, 63].map(|entry| get_code(&pair, 2, entry)), [0, 1, 2, 3]);
    }

    #[test]
    fn the_longest_wins_have_the_largest_codes() {
        assert_eq!(largest_code(&Longest::default()), 0);
        assert_eq!(largest_code(&[[Some(4), None], [Some(0), Some(3)]]), 9);
        assert_eq!(largest_code(&[[Some(4), Some(4)], [None; 2]]), 10);
        for side in Side::BOTH {
            for plies in [None, Some(0), Some(17), Some(Dtw::LONGEST)] {
                assert_eq!(plies_of_top(side, top_code(side, plies)).ok(), Some(plies));
                assert_eq!(plies_of_top(side.other(), top_code(side, plies)).is_ok(), plies.is_none());
            }
        }
    }
}

//! Outcomes in two bits: the pairs of words of the raw payload of a table of the metric `wdl`.

use anser_core::{Outcome, Side};

/// Number of entries in one pair of words.
pub const ENTRIES_PER_PAIR: u64 = 64;
/// Size of one pair of words in bytes.
pub(super) const PAIR_BYTES: u64 = 16;
/// Meaning of the codes 0 to 3 in a header.
pub(crate) const CODE_MEANINGS: [u8; 4] = *b"D12-";
/// The code that is not a value.
pub const NO_VALUE: u8 = 3;

/// Returns the code of an outcome, 0 to 2.
///
/// ```
/// use anser_core::{Outcome, Side};
/// use anser_table::format::{code_of, outcome_of};
/// assert_eq!(code_of(Outcome::Draw), 0);
/// assert_eq!(outcome_of(code_of(Outcome::Win(Side::Second))), Some(Outcome::Win(Side::Second)));
/// ```
pub const fn code_of(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Draw => 0,
        Outcome::Win(Side::First) => 1,
        Outcome::Win(Side::Second) => 2,
    }
}

/// Returns the outcome of a code; `None` for [`NO_VALUE`] and above.
pub const fn outcome_of(code: u8) -> Option<Outcome> {
    match code {
        0 => Some(Outcome::Draw),
        1 => Some(Outcome::Win(Side::First)),
        2 => Some(Outcome::Win(Side::Second)),
        _ => None,
    }
}

/// Returns the number of pairs, or of groups of another width, of `entries` entries.
pub const fn pairs(entries: u64) -> u64 {
    entries.div_ceil(ENTRIES_PER_PAIR)
}

/// Returns the length in bytes of a raw payload of outcomes with `entries[0]` entries with the
/// first side to move and `entries[1]` with the second.
///
/// ```
/// assert_eq!(anser_table::format::payload_len([65, 1]), 48);
/// ```
pub const fn payload_len(entries: [u64; 2]) -> u64 {
    // At most 2^58 pairs per side: no overflow.
    (pairs(entries[0]) + pairs(entries[1])) * PAIR_BYTES
}

/// Returns the code of an entry; `words` begins with the pair of entry 0.
///
/// # Panics
/// If `words` ends before the entry's pair.
#[inline]
pub fn get(words: &[u64], entry: u64) -> u8 {
    let (pair, bit) = ((entry / ENTRIES_PER_PAIR) as usize, entry % ENTRIES_PER_PAIR);
    (words[2 * pair] >> bit & 1) as u8 | ((words[2 * pair + 1] >> bit & 1) as u8) << 1
}

/// Sets the code of an entry; `words` begins with the pair of entry 0.
///
/// ```
/// let mut words = [0; 4];
/// anser_table::format::set(&mut words, 100, 2);
/// assert_eq!(words, [0, 0, 0, 1 << 36]);
/// assert_eq!(anser_table::format::get(&words, 100), 2);
/// ```
///
/// # Panics
/// If `words` ends before the entry's pair.
#[inline]
pub fn set(words: &mut [u64], entry: u64, code: u8) {
    let pair = (entry / ENTRIES_PER_PAIR) as usize;
    let bit = entry % ENTRIES_PER_PAIR;
    for (plane, word) in words[2 * pair..2 * pair + 2].iter_mut().enumerate() {
        *word = *word & !(1 << bit) | u64::from(code >> plane & 1) << bit;
    }
}

/// Fills `codes` with the codes of entry `start` and those after it, one byte each.
///
/// # Panics
/// If `words` ends before the last entry's pair.
pub fn expand(words: &[u64], start: u64, codes: &mut [u8]) {
    for (entry, code) in (start..).zip(codes) {
        *code = get(words, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{BlockEncoder, FrameError, contract_codes};

    #[test]
    fn entries_do_not_disturb_each_other() {
        let mut words = vec![0; 6];
        for entry in 0..150 {
            set(&mut words, entry, (entry % 3) as u8);
        }
        set(&mut words, 70, 2);
        set(&mut words, 70, 1);
        for entry in 0..150 {
            assert_eq!(get(&words, entry), if entry == 70 { 1 } else { (entry % 3) as u8 });
        }
    }

    #[test]
    fn contracting_undoes_expanding() {
        for len in [1, 8, 63, 64, 65, 128, 1000] {
            let codes: Vec<u8> =
                (0..len).map(|i: u32| (i.wrapping_mul(2_654_435_769) >> 20) as u8 % 3).collect();
            let words =
                contract_codes(&codes.iter().map(|&code| code.into()).collect::<Vec<_>>(), 2);
            assert_eq!(words.len() as u64, 2 * pairs(u64::from(len)));
            let mut again = vec![9; codes.len()];
            expand(&words, 0, &mut again);
            assert_eq!(again, codes);
        }
        let mut encoder = BlockEncoder::new(1).expect("memory");
        assert_eq!(encoder.encode(&[0, 1, 2, 3]), Err(FrameError::NotAValue));
        assert_eq!(encoder.encode(&[0, 255]), Err(FrameError::NotAValue));
    }
}

//! Outcomes in two bits: the pairs of words of the raw payload of a table of the metric `wdl`.

use anser_core::{Outcome, Side};

/// Number of entries in one pair of words.
pub const ENTRIES_PER_PAIR: u64 = 64;
/// Size of one pair of words in bytes.
pub const PAIR_BYTES: u64 = 16;
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

/// Returns the number of pairs of `entries` entries.
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

/// Returns the code of entry `entry % 64` of one pair of words.
#[inline]
pub const fn code_in_pair(first: u64, second: u64, entry: u64) -> u8 {
    let bit = entry % ENTRIES_PER_PAIR;
    (first >> bit & 1) as u8 | ((second >> bit & 1) as u8) << 1
}

/// Returns the code of an entry; `words` begins with the pair of entry 0.
///
/// # Panics
/// If `words` ends before the entry's pair.
#[inline]
pub fn get(words: &[u64], entry: u64) -> u8 {
    let pair = (entry / ENTRIES_PER_PAIR) as usize;
    code_in_pair(words[2 * pair], words[2 * pair + 1], entry)
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

/// Packs codes of one byte each and appends them as pairs of words, the inverse of [`expand`] from
/// entry 0. Returns false if a code is [`NO_VALUE`] or above.
pub(crate) fn contract(codes: &[u8], words: &mut Vec<u64>) -> bool {
    let mut wrong = 0;
    let (chunks, rest) = codes.as_chunks();
    for chunk in chunks {
        words.extend(contract_pair(chunk, &mut wrong));
    }
    if !rest.is_empty() {
        let mut last = [0; 64];
        last[..rest.len()].copy_from_slice(rest);
        words.extend(contract_pair(&last, &mut wrong));
    }
    wrong == 0
}

/// Packs one pair of words; `wrong` stays zero only if all codes are values.
///
/// A cold probe spends much of its time here, so eight codes are packed at a time, without a
/// branch.
#[inline]
fn contract_pair(codes: &[u8; 64], wrong: &mut u64) -> [u64; 2] {
    let mut pair = [0; 2];
    for (byte, eight) in codes.as_chunks::<8>().0.iter().enumerate() {
        let eight = u64::from_le_bytes(*eight);
        *wrong |= eight & !(3 * LOWEST_BITS) | eight & eight >> 1 & LOWEST_BITS;
        pair[0] |= gather(eight) << (8 * byte);
        pair[1] |= gather(eight >> 1) << (8 * byte);
    }
    pair
}

const LOWEST_BITS: u64 = 0x0101_0101_0101_0101;

/// Gathers the lowest bits of eight bytes, in order, in the lowest byte of a word.
pub(crate) const fn gather(eight: u64) -> u64 {
    // The factor 2^(56 - 7i) moves bit 8i to bit 56 + i. No two partial products share a bit.
    (eight & LOWEST_BITS).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let mut words = Vec::new();
            assert!(contract(&codes, &mut words));
            assert_eq!(words.len() as u64, 2 * pairs(u64::from(len)));
            let mut again = vec![9; codes.len()];
            expand(&words, 0, &mut again);
            assert_eq!(again, codes);
        }
        assert!(!contract(&[0, 1, 2, 3], &mut Vec::new()));
        assert!(!contract(&[0, 255], &mut Vec::new()));
    }
}

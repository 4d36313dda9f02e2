//! Decoded blocks of entries.

use anser_core::Side;

use super::codes::{Coding, expand_codes, get_code};

/// A decoded block: a byte or two, or a group of words, for each entry.
#[derive(Debug)]
pub(crate) struct Block {
    /// They stay in their `Box`: moving them into an `Arc` would copy them.
    words: Box<[u64]>,
    entries: Entries,
}

/// Form of the entries in the words of a block.
#[derive(Clone, Copy, Debug)]
enum Entries {
    /// As groups of this many words, as in a raw payload.
    Groups(u32),
    /// As the bytes of their numbers.
    Numbers(Numbers),
}

/// Form of the entries in a block of distances.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    /// Number of entries: the place of the high bytes.
    len: usize,
    is_wide: bool,
    numbering: Numbering,
}

/// Meaning of the numbers of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbering {
    /// Codes.
    Codes,
    /// 0 is a draw, and any other number one more than the plies to the win. The winner is this
    /// side to move if the plies are odd, and the other if they are even.
    Plies(Side),
}

impl Numbering {
    /// Returns the number of a code; `None` if it has none.
    pub(crate) fn number(self, code: u16) -> Option<u16> {
        match self {
            Numbering::Codes => Some(code),
            Numbering::Plies(_) => {
                let number = code.div_ceil(2);
                (u32::from(code) == self.code(number)).then_some(number)
            }
        }
    }

    /// Returns the code of a number. A greater number has a greater code.
    #[inline]
    pub(crate) fn code(self, number: u16) -> u32 {
        let number = u32::from(number);
        match self {
            Numbering::Codes => number,
            Numbering::Plies(_) if number == 0 => 0,
            // Code 2 d + 1 or 2 d + 2, where d is one less than the number.
            Numbering::Plies(side) => 2 * number - 1 + (side as u32 ^ number & 1),
        }
    }
}

impl Block {
    /// A block of groups of `bits` words.
    pub(crate) fn of_groups(words: Box<[u64]>, bits: u32) -> Block {
        Block { words, entries: Entries::Groups(bits) }
    }

    /// A block of numbers: their low bytes and, if `bytes` is twice as long as there are entries,
    /// their high bytes. `words` is empty and has memory for all of `bytes`. Returns `None` if a
    /// code is above the largest one.
    pub(crate) fn of_numbers(
        bytes: &[u8],
        len: usize,
        numbering: Numbering,
        coding: Coding,
        mut words: Vec<u64>,
    ) -> Option<Block> {
        let (low, high) = bytes.split_at(len);
        let largest = if high.is_empty() {
            low.iter().copied().max().map_or(0, u16::from)
        } else {
            let numbers = low.iter().zip(high).map(|(low, high)| u16::from_le_bytes([*low, *high]));
            numbers.max().unwrap_or(0)
        };
        push_bytes(&mut words, bytes);
        let numbers = Numbers { len, is_wide: !high.is_empty(), numbering };
        (numbering.code(largest) <= u32::from(coding.largest))
            .then(|| Block { words: words.into(), entries: Entries::Numbers(numbers) })
    }

    /// A block of these codes, in bytes if that is possible. `side` is to move.
    pub(crate) fn of_codes(codes: &[u16], side: Side) -> Block {
        let len = codes.len();
        let narrow = [Numbering::Plies(side), Numbering::Codes].into_iter().find_map(|numbering| {
            let byte = |&code| numbering.number(code).and_then(|number| u8::try_from(number).ok());
            let bytes: Option<Vec<u8>> = codes.iter().map(byte).collect();
            Some((numbering, bytes?))
        });
        let is_wide = narrow.is_none();
        let (numbering, bytes) =
            narrow.unwrap_or_else(|| (Numbering::Codes, to_bytes(codes, true)));
        let mut words = Vec::with_capacity(Block::words_of(bytes.len()));
        push_bytes(&mut words, &bytes);
        let numbers = Numbers { len, is_wide, numbering };
        Block { words: words.into(), entries: Entries::Numbers(numbers) }
    }

    /// Returns the number of words for the bytes of [`of_numbers`](Block::of_numbers).
    pub(crate) const fn words_of(bytes: usize) -> usize {
        bytes / 8 + 1
    }

    /// Returns the words, which are groups unless the block is one of numbers.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns the words of a block of groups.
    pub(crate) fn into_words(self) -> Box<[u64]> {
        self.words
    }

    /// Returns the code of an entry.
    ///
    /// # Panics
    /// If the block has no such entry.
    #[inline]
    pub(crate) fn code(&self, entry: u64) -> u16 {
        match self.entries {
            Entries::Groups(bits) => get_code(&self.words, bits, entry),
            Entries::Numbers(Numbers { len, is_wide, numbering }) => {
                let byte = |at: usize| (self.words[at / 8] >> (at % 8 * 8)) as u8;
                let entry = entry as usize;
                let high = if is_wide { byte(len + entry) } else { 0 };
                numbering.code(u16::from_le_bytes([byte(entry), high])) as u16
            }
        }
    }

    /// Fills `codes` with the codes of the entries from `first` on.
    ///
    /// # Panics
    /// If the block does not have as many entries.
    pub(crate) fn codes(&self, first: usize, codes: &mut [u16]) {
        match self.entries {
            Entries::Groups(bits) if first.is_multiple_of(64) => {
                expand_codes(&self.words[first / 64 * bits as usize..], bits, codes);
            }
            Entries::Numbers(Numbers { is_wide: false, numbering, .. })
                if first.is_multiple_of(8) =>
            {
                let words = &self.words[first / 8..];
                match numbering {
                    Numbering::Codes => spread(words, codes, u16::from),
                    // As `Numbering::code`, but by instructions for several numbers at once.
                    Numbering::Plies(side) => spread(words, codes, |number| {
                        let number = u16::from(number);
                        let code =
                            (2 * number).wrapping_sub(1).wrapping_add(side as u16 ^ number & 1);
                        if number == 0 { 0 } else { code }
                    }),
                }
            }
            _ => {
                for (entry, code) in (first as u64..).zip(codes) {
                    *code = self.code(entry);
                }
            }
        }
    }
}

/// Fills `codes` with what `code` makes of the bytes of words.
fn spread(words: &[u64], codes: &mut [u16], code: impl Fn(u8) -> u16) {
    let (eights, rest) = codes.as_chunks_mut::<8>();
    for (codes, word) in eights.iter_mut().zip(words) {
        for (of, byte) in codes.iter_mut().zip(word.to_le_bytes()) {
            *of = code(byte);
        }
    }
    let last = words.get(eights.len()).copied().unwrap_or_default();
    for (of, byte) in rest.iter_mut().zip(last.to_le_bytes()) {
        *of = code(byte);
    }
}

/// Appends bytes as words, the last of which ends in zeros.
fn push_bytes(words: &mut Vec<u64>, bytes: &[u8]) {
    let (eights, rest) = bytes.as_chunks::<8>();
    words.extend(eights.iter().map(|eight| u64::from_le_bytes(*eight)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    words.push(u64::from_le_bytes(last));
}

/// Returns the low bytes of all numbers, then, if they are wide, the high bytes.
pub(super) fn to_bytes(numbers: &[u16], is_wide: bool) -> Vec<u8> {
    (0..if is_wide { 2 } else { 1 })
        .flat_map(|byte| numbers.iter().map(move |number| number.to_le_bytes()[byte]))
        .collect()
}

#[cfg(test)]
mod tests {
    use anser_core::Dtw;

    use super::*;

    #[test]
    fn plies_number_the_wins_whose_winner_they_name() {
        for side in Side::BOTH {
            let numbering = Numbering::Plies(side);
            assert_eq!(numbering.number(0), Some(0));
            for plies in (0..300).chain([Dtw::LONGEST - 1, Dtw::LONGEST]) {
                let winner = if plies % 2 == 1 { side } else { side.other() };
                let code = Dtw::win(winner, plies).code();
                assert_eq!(numbering.number(code), Some(plies + 1));
                assert_eq!(numbering.code(plies + 1), u32::from(code));
                assert_eq!(numbering.number(Dtw::win(winner.other(), plies).code()), None);
            }
            assert!((0..u16::MAX).all(|n| numbering.code(n) < numbering.code(n + 1)));
        }
    }

    #[test]
    fn codes_read_back_from_any_entry_on_in_as_few_bytes_as_they_need() {
        let plies = |d: u16| Dtw::win(if d % 2 == 1 { Side::First } else { Side::Second }, d);
        let short: Vec<u16> = (0..150).map(|d| plies(d + 100).code()).collect();
        let long: Vec<u16> = (0..150).map(|d| plies(d + 200).code()).collect();
        let outcomes: Vec<u16> = (0..150).map(|i| i % 3).collect();
        for (codes, bytes) in [(short, 1), (outcomes, 1), (long, 2)] {
            let block = Block::of_codes(&codes, Side::First);
            assert_eq!(block.words().len(), codes.len() * bytes / 8 + 1);
            for first in [0, 8, 64, 77, 149] {
                let mut read = vec![0; codes.len() - first];
                block.codes(first, &mut read);
                assert_eq!(read, codes[first..]);
            }
        }
    }
}

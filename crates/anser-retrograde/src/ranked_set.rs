//! Sets of numbers with the rank of each member.
//!
//! The *slot* of a member is its rank in the set: members have the slots `0..len` in ascending
//! order. Arrays indexed by slot hold the data of the members.

use std::ops::Range;

use crate::bits::{self, for_each_bit};

/// Words of a bitmap per entry of its directory.
const STRIDE: usize = 8;

/// A set of numbers with the rank of each: its *slot*.
///
/// ```
/// use anser_retrograde::RankedSet;
///
/// let set = RankedSet::from_words(vec![0b1010, 1]);
/// assert_eq!(set.members(0..set.len()).collect::<Vec<_>>(), [1, 3, 64]);
/// assert_eq!((set.slot(64), set.slot(2)), (Some(2), None));
/// assert_eq!(RankedSet::All(10).slot(9), Some(9));
/// ```
#[derive(Debug)]
pub enum RankedSet {
    /// All of `0..len`.
    All(u64),
    /// A bitmap, for dense sets.
    Bits(Bitmap),
    /// The members in ascending order, for sparse sets.
    Sorted(Vec<u64>),
}

/// A bitmap with a rank directory.
#[derive(Debug)]
pub struct Bitmap {
    words: Vec<u64>,
    /// Number of members before each group of [`STRIDE`] words.
    before: Vec<u64>,
    len: usize,
}

impl RankedSet {
    /// Returns the set of the numbers of all one bits, in the smaller of the two representations.
    pub fn from_words(words: Vec<u64>) -> RankedSet {
        let len: usize = words.iter().map(|word| word.count_ones() as usize).sum();
        if len < words.len() {
            return RankedSet::Sorted(bits::numbers(words));
        }
        let mut seen = 0;
        let before = words
            .chunks(STRIDE)
            .map(|group| {
                let before = seen;
                seen += group.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
                before
            })
            .collect();
        RankedSet::Bits(Bitmap { words, before, len })
    }

    /// Whether the set has no members.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        match self {
            RankedSet::All(len) => *len as usize,
            RankedSet::Bits(bitmap) => bitmap.len,
            RankedSet::Sorted(sorted) => sorted.len(),
        }
    }

    /// Returns the set of the members divided by `divisor`, rounded down.
    pub(crate) fn divided(&self, divisor: u64) -> RankedSet {
        let mut quotients: Vec<u64> =
            self.members(0..self.len()).map(|member| member / divisor).collect();
        quotients.dedup();
        let RankedSet::Bits(bitmap) = self else { return RankedSet::Sorted(quotients) };
        let mut words = vec![0; (bitmap.words.len() as u64 * 64).div_ceil(64 * divisor) as usize];
        for quotient in quotients {
            words[(quotient / 64) as usize] |= 1 << (quotient % 64);
        }
        RankedSet::from_words(words)
    }

    /// Returns the memory of the set, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            RankedSet::All(_) => 0,
            RankedSet::Bits(bitmap) => 8 * (bitmap.words.len() + bitmap.before.len()) as u64,
            RankedSet::Sorted(sorted) => 8 * sorted.len() as u64,
        }
    }

    /// Returns the slot of a number, if it is a member.
    #[inline]
    pub fn slot(&self, number: u64) -> Option<usize> {
        match self {
            RankedSet::All(len) => (number < *len).then_some(number as usize),
            RankedSet::Bits(bitmap) => bitmap.slot(number),
            RankedSet::Sorted(sorted) => sorted.binary_search(&number).ok(),
        }
    }

    /// Returns the members with these slots in ascending order; `slots.end` is at most
    /// [`len`](RankedSet::len).
    pub fn members(&self, slots: Range<usize>) -> Members<'_> {
        let (mut number, mut word) = (0, 0);
        if let (RankedSet::Bits(bitmap), false) = (self, slots.is_empty()) {
            (number, word) = bitmap.seek(slots.start);
        }
        Members { set: self, slots, number, word }
    }

    /// Visits the slots `64 * word + bit` of all one bits of `bits`, each with its member, in
    /// ascending order.
    #[inline]
    pub(crate) fn visit_word(&self, word: usize, bits: u64, mut visit: impl FnMut(usize, u64)) {
        let first = word * 64;
        match self {
            RankedSet::All(_) => {
                for_each_bit(bits, |bit| visit(first + bit as usize, first as u64 + bit));
            }
            RankedSet::Sorted(sorted) => for_each_bit(bits, |bit| {
                let slot = first + bit as usize;
                visit(slot, sorted[slot]);
            }),
            RankedSet::Bits(_) if bits == 0 => {}
            RankedSet::Bits(_) => {
                let slots = first + bits.trailing_zeros() as usize
                    ..first + 64 - bits.leading_zeros() as usize;
                for (slot, member) in slots.clone().zip(self.members(slots)) {
                    if bits >> (slot - first) & 1 != 0 {
                        visit(slot, member);
                    }
                }
            }
        }
    }
}

impl Bitmap {
    #[inline]
    fn slot(&self, number: u64) -> Option<usize> {
        let at = (number / 64) as usize;
        let (word, bit) = (*self.words.get(at)?, 1 << (number % 64));
        if word & bit == 0 {
            return None;
        }
        let group = at / STRIDE;
        let within: u32 = self.words[group * STRIDE..at].iter().map(|word| word.count_ones()).sum();
        Some(self.before[group] as usize + (within + (word & (bit - 1)).count_ones()) as usize)
    }

    /// Returns the index of the word with the member of a slot, and its bits from that member on.
    fn seek(&self, slot: usize) -> (usize, u64) {
        let group = self.before.partition_point(|&before| before <= slot as u64) - 1;
        let mut skip = slot - self.before[group] as usize;
        let mut at = group * STRIDE;
        while skip >= self.words[at].count_ones() as usize {
            skip -= self.words[at].count_ones() as usize;
            at += 1;
        }
        let mut word = self.words[at];
        for _ in 0..skip {
            word &= word - 1;
        }
        (at, word)
    }
}

/// Iterator of [`RankedSet::members`].
#[derive(Clone, Debug)]
pub struct Members<'a> {
    set: &'a RankedSet,
    slots: Range<usize>,
    /// Index of the current word of a bitmap.
    number: usize,
    /// Bits of that word that are not visited yet.
    word: u64,
}

impl Iterator for Members<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        let slot = self.slots.next()?;
        match self.set {
            RankedSet::All(_) => Some(slot as u64),
            RankedSet::Sorted(sorted) => Some(sorted[slot]),
            RankedSet::Bits(bitmap) => {
                while self.word == 0 {
                    self.number += 1;
                    self.word = bitmap.words[self.number];
                }
                let member = self.number as u64 * 64 + u64::from(self.word.trailing_zeros());
                self.word &= self.word - 1;
                Some(member)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns every `step`th number below `len`, except in a gap.
    fn numbers(len: u64, step: usize) -> Vec<u64> {
        (0..len).step_by(step).filter(|number| !(300..1500).contains(number)).collect()
    }

    #[test]
    fn members_and_slots_are_inverse_in_every_representation() {
        for step in [1, 3, 200] {
            let members = numbers(5000, step);
            let mut words = vec![0; 5000_usize.div_ceil(64)];
            for &member in &members {
                words[(member / 64) as usize] |= 1 << (member % 64);
            }
            let set = RankedSet::from_words(words);
            assert_eq!(matches!(set, RankedSet::Bits(_)), step < 64);
            assert_eq!(set.len(), members.len());
            for number in 0..5200 {
                assert_eq!(set.slot(number), members.binary_search(&number).ok(), "{number}");
            }
            for start in 0..members.len() {
                let end = members.len().min(start + 70);
                assert_eq!(set.members(start..end).collect::<Vec<_>>(), members[start..end]);
            }
            assert_eq!(set.members(members.len()..members.len()).next(), None);
            for word in 0..members.len() / 64 {
                for bits in [0, 1, 1 << 63, 0x8421_0f00_0070_0010, u64::MAX] {
                    let slots = (word * 64..).take(64).filter(|slot| bits >> (slot % 64) & 1 != 0);
                    let mut visited = Vec::new();
                    set.visit_word(word, bits, |slot, member| visited.push((slot, member)));
                    assert_eq!(
                        visited,
                        slots.map(|slot| (slot, members[slot])).collect::<Vec<_>>()
                    );
                }
            }
        }
        assert_eq!(RankedSet::All(9).members(3..6).collect::<Vec<_>>(), [3, 4, 5]);
        assert_eq!(RankedSet::from_words(Vec::new()).len(), 0);
    }
}

//! A set of numbers with its members counted: which are in it, and the how-manieth each is.
//!
//! The members of a set take the *slots* `0..len` in ascending order, so that what belongs to a member lies in an array
//! without gaps.

use std::ops::Range;

/// Words of a bitmap between two entries of its directory.
const STRIDE: usize = 8;

/// A set of ranks.
#[derive(Debug)]
pub(crate) enum Slots {
    /// All of `0..len`.
    All(u64),
    /// A bitmap, for sets that hold a good part of their range.
    Bits(Bitmap),
    /// The members, ascending, for sets that hold little of it.
    Sorted(Vec<u64>),
}

/// A bitmap with the number of members before each group of words.
#[derive(Debug)]
pub(crate) struct Bitmap {
    words: Vec<u64>,
    before: Vec<u64>,
    len: usize,
}

impl Slots {
    /// The set with no member.
    pub(crate) fn empty() -> Slots {
        Slots::Sorted(Vec::new())
    }

    /// The set of the bits that are set, held in whichever way takes less room.
    pub(crate) fn from_words(words: Vec<u64>) -> Slots {
        let len: usize = words.iter().map(|word| word.count_ones() as usize).sum();
        if len < words.len() {
            let mut sorted = Vec::with_capacity(len);
            for (number, &word) in words.iter().enumerate() {
                let mut rest = word;
                while rest != 0 {
                    sorted.push(number as u64 * 64 + u64::from(rest.trailing_zeros()));
                    rest &= rest - 1;
                }
            }
            return Slots::Sorted(sorted);
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
        Slots::Bits(Bitmap { words, before, len })
    }

    /// The number of members.
    pub(crate) fn len(&self) -> usize {
        match self {
            Slots::All(len) => *len as usize,
            Slots::Bits(bitmap) => bitmap.len,
            Slots::Sorted(sorted) => sorted.len(),
        }
    }

    /// The set of the quotients of the members.
    pub(crate) fn divided(&self, divisor: u64) -> Slots {
        let mut quotients: Vec<u64> = self.members(0..self.len()).map(|member| member / divisor).collect();
        quotients.dedup();
        let Slots::Bits(bitmap) = self else { return Slots::Sorted(quotients) };
        let mut words = vec![0; (bitmap.words.len() as u64 * 64).div_ceil(64 * divisor) as usize];
        for quotient in quotients {
            words[(quotient / 64) as usize] |= 1 << (quotient % 64);
        }
        Slots::from_words(words)
    }

    /// The bytes that it takes.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Slots::All(_) => 0,
            Slots::Bits(bitmap) => 8 * (bitmap.words.len() + bitmap.before.len()) as u64,
            Slots::Sorted(sorted) => 8 * sorted.len() as u64,
        }
    }

    /// The slot of a number, if it is a member.
    #[inline]
    pub(crate) fn slot(&self, number: u64) -> Option<usize> {
        match self {
            Slots::All(len) => (number < *len).then_some(number as usize),
            Slots::Bits(bitmap) => bitmap.slot(number),
            Slots::Sorted(sorted) => sorted.binary_search(&number).ok(),
        }
    }

    /// The members that take these slots, ascending. `slots.end <= self.len()`.
    pub(crate) fn members(&self, slots: Range<usize>) -> Members<'_> {
        let (mut number, mut word) = (0, 0);
        if let (Slots::Bits(bitmap), false) = (self, slots.is_empty()) {
            (number, word) = bitmap.seek(slots.start);
        }
        Members { set: self, slots, number, word }
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

    /// The word of the member that takes a slot, and what is left of the word from that member on.
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

/// See [`Slots::members`].
pub(crate) struct Members<'a> {
    set: &'a Slots,
    slots: Range<usize>,
    /// In a bitmap: the word, and its bits not yet visited.
    number: usize,
    word: u64,
}

impl Iterator for Members<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        let slot = self.slots.next()?;
        match self.set {
            Slots::All(_) => Some(slot as u64),
            Slots::Sorted(sorted) => Some(sorted[slot]),
            Slots::Bits(bitmap) => {
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

    /// Every `step`-th number below `len`, but for a gap.
    fn numbers(len: u64, step: usize) -> Vec<u64> {
        (0..len).step_by(step).filter(|number| !(300..1500).contains(number)).collect()
    }

    #[test]
    fn members_and_slots_are_inverse_however_the_set_is_held() {
        for step in [1, 3, 200] {
            let members = numbers(5000, step);
            let mut words = vec![0; 5000_usize.div_ceil(64)];
            for &member in &members {
                words[(member / 64) as usize] |= 1 << (member % 64);
            }
            let set = Slots::from_words(words);
            assert_eq!(matches!(set, Slots::Bits(_)), step < 64);
            assert_eq!(set.len(), members.len());
            for number in 0..5200 {
                assert_eq!(set.slot(number), members.binary_search(&number).ok(), "{number}");
            }
            for start in 0..members.len() {
                let end = members.len().min(start + 70);
                assert_eq!(set.members(start..end).collect::<Vec<_>>(), members[start..end]);
            }
            assert_eq!(set.members(members.len()..members.len()).next(), None);
        }
        assert_eq!(Slots::All(9).members(3..6).collect::<Vec<_>>(), [3, 4, 5]);
        assert_eq!(Slots::empty().len(), 0);
    }
}

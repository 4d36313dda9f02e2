//! Numbers of games, exact, of as many limbs as the largest of a list needs.

use anser_core::BySide;
use num_bigint::BigUint;

/// A count did not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overflow;

/// For each place of a list the number of games that either side wins, each of `limbs` words, the least significant first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tallies {
    limbs: usize,
    words: Vec<u64>,
}

impl Tallies {
    /// No place yet, and room for so many.
    pub(super) fn new(limbs: usize, places: usize) -> Tallies {
        Tallies { limbs, words: Vec::with_capacity(2 * limbs * places) }
    }

    /// The words of a number.
    pub(super) fn limbs(&self) -> usize {
        self.limbs
    }

    /// The memory it takes, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        8 * self.words.capacity() as u64
    }

    /// A further place, with no game.
    pub(super) fn push(&mut self) {
        self.words.resize(self.words.len() + 2 * self.limbs, 0);
    }

    /// One more game at the last place, which this side wins.
    #[inline]
    pub(super) fn add_one(&mut self, winner: usize) -> Result<(), Overflow> {
        let at = self.words.len() - (2 - winner) * self.limbs;
        add(&mut self.words[at..at + self.limbs], &[1])
    }

    /// As many more games at the last place as at a place of a list of no more limbs.
    #[inline]
    pub(super) fn add(&mut self, other: &Tallies, place: usize) -> Result<(), Overflow> {
        let at = self.words.len() - 2 * self.limbs;
        let from = &other.words[2 * other.limbs * place..2 * other.limbs * (place + 1)];
        let (first, second) = self.words[at..].split_at_mut(self.limbs);
        add(first, &from[..other.limbs])?;
        add(second, &from[other.limbs..])
    }

    /// The numbers at a place.
    pub(super) fn get(&self, place: usize) -> BySide<BigUint> {
        BySide::from([0, 1]).map(|side| {
            let at = (2 * place + side) * self.limbs;
            let limbs = &self.words[at..at + self.limbs];
            BigUint::new(limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]).collect())
        })
    }
}

/// Adds a number of no more limbs.
#[inline]
fn add(sum: &mut [u64], other: &[u64]) -> Result<(), Overflow> {
    let mut carry = false;
    for (at, limb) in sum.iter_mut().enumerate() {
        let other = match other.get(at) {
            Some(&other) => other,
            None if carry => 0,
            None => return Ok(()),
        };
        let (with, first) = limb.overflowing_add(other);
        let (with, second) = with.overflowing_add(u64::from(carry));
        (*limb, carry) = (with, first || second);
    }
    if carry { Err(Overflow) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_carry_and_say_when_they_do_not_fit() {
        let mut small = Tallies::new(1, 2);
        small.push();
        small.push();
        small.words.copy_from_slice(&[0, 0, u64::MAX, u64::MAX - 1]);
        let mut large = Tallies::new(2, 1);
        large.push();
        for _ in 0..3 {
            large.add(&small, 1).expect("there is room");
        }
        large.add_one(0).expect("there is room");
        let most = BigUint::from(u64::MAX);
        assert_eq!(large.get(0), BySide::new(&most * 3u32 + 1u32, &most * 3u32 - 3u32));
        small.add_one(1).expect("there is room");
        assert_eq!(small.get(1), BySide::new(most.clone(), most));
        assert_eq!(small.add_one(1), Err(Overflow));
    }
}

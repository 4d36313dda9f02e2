//! Lists of exact numbers of games, each with as many limbs as its largest number needs.

use anser_core::BySide;
use num_bigint::BigUint;

/// A number does not fit into the limbs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overflow;

/// For each entry of a list, the numbers of games won by each side: `limbs` words each, the least
/// significant first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tallies {
    limbs: usize,
    words: Vec<u64>,
}

impl Tallies {
    /// Creates an empty list with capacity.
    pub(super) fn new(limbs: usize, places: usize) -> Tallies {
        Tallies { limbs, words: Vec::with_capacity(2 * limbs * places) }
    }

    /// Returns the range of words of a number.
    pub(super) fn limbs(&self) -> usize {
        self.limbs
    }

    /// Returns the memory of the list, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        8 * self.words.capacity() as u64
    }

    /// Appends an entry without games.
    pub(super) fn push(&mut self) {
        self.words.resize(self.words.len() + 2 * self.limbs, 0);
    }

    /// Adds a game won by this side to the last entry.
    #[inline]
    pub(super) fn add_one(&mut self, winner: usize) -> Result<(), Overflow> {
        let at = self.words.len() - (2 - winner) * self.limbs;
        add(&mut self.words[at..at + self.limbs], &[1])
    }

    /// Adds the games of an entry of another list, with at most as many limbs, to the last entry.
    #[inline]
    pub(super) fn add(&mut self, other: &Tallies, place: usize) -> Result<(), Overflow> {
        let at = self.words.len() - 2 * self.limbs;
        let from = &other.words[2 * other.limbs * place..2 * other.limbs * (place + 1)];
        let (first, second) = self.words[at..].split_at_mut(self.limbs);
        add(first, &from[..other.limbs])?;
        add(second, &from[other.limbs..])
    }

    /// Returns the numbers of an entry.
    pub(super) fn get(&self, place: usize) -> BySide<BigUint> {
        BySide::from([0, 1]).map(|side| {
            let at = (2 * place + side) * self.limbs;
            let limbs = &self.words[at..at + self.limbs];
            BigUint::new(
                limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]).collect(),
            )
        })
    }
}

/// Adds a number with at most as many limbs.
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
            large.add(&small, 1).expect("enough memory");
        }
        large.add_one(0).expect("enough memory");
        let most = BigUint::from(u64::MAX);
        assert_eq!(large.get(0), BySide::new(&most * 3u32 + 1u32, &most * 3u32 - 3u32));
        small.add_one(1).expect("enough memory");
        assert_eq!(small.get(1), BySide::new(most.clone(), most));
        assert_eq!(small.add_one(1), Err(Overflow));
    }
}

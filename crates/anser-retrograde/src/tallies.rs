//! Exact tallies of games, one per position of a part of a layer, in as few words as the largest
//! needs.
//!
//! A tally has two counts, the games that each side wins, and a third one, the drawn games, if
//! there are any. All counts of a part have the same number of limbs of 64 bits, the least
//! significant first.

use anser_core::{BySide, Outcome};
use num_bigint::BigUint;

use crate::parallel::CHUNK;
use crate::tally::Tally;

/// Layout of the tallies of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Limbs of a count.
    pub(crate) limbs: usize,
    /// Counts of a tally: 2, or 3 with the drawn games.
    pub(crate) kinds: usize,
}

/// Why tallies do not fit into their shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// A count is too large.
    Limbs,
    /// A game is drawn.
    Kinds,
}

impl Shape {
    /// The least shape.
    pub(crate) const LEAST: Shape = Shape { limbs: 1, kinds: 2 };

    /// The words of a tally.
    pub(crate) fn words(self) -> usize {
        self.limbs * self.kinds
    }

    /// Returns the least shape that holds tallies of both shapes.
    pub(crate) fn join(self, other: Shape) -> Shape {
        Shape { limbs: self.limbs.max(other.limbs), kinds: self.kinds.max(other.kinds) }
    }

    /// The next shape to try.
    pub(crate) fn grown(self, misfit: Misfit) -> Shape {
        match misfit {
            Misfit::Limbs => Shape { limbs: self.limbs + 1, ..self },
            Misfit::Kinds => Shape { kinds: 3, ..self },
        }
    }

    /// Adds one game with this outcome.
    pub(crate) fn add_end(self, tally: &mut [u64], outcome: Outcome) -> Result<(), Misfit> {
        let kind = match outcome {
            Outcome::Win(side) => side.index(),
            Outcome::Draw => 2,
        };
        let count =
            tally.get_mut(kind * self.limbs..(kind + 1) * self.limbs).ok_or(Misfit::Kinds)?;
        add(count, &[1])
    }

    /// Adds the games of `other`, a tally of a shape that fits into this one.
    #[inline]
    pub(crate) fn add_tally(
        self,
        tally: &mut [u64],
        other: &[u64],
        shape: Shape,
    ) -> Result<(), Misfit> {
        for kind in 0..shape.kinds {
            let count = &mut tally[kind * self.limbs..(kind + 1) * self.limbs];
            add(count, &other[kind * shape.limbs..(kind + 1) * shape.limbs])?;
        }
        Ok(())
    }

    /// Returns the numbers of a tally.
    pub(crate) fn read(self, tally: &[u64]) -> Tally {
        let mut counts = tally.chunks_exact(self.limbs).map(|limbs| {
            let digits =
                limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]).collect();
            BigUint::new(digits)
        });
        let mut next = || counts.next().unwrap_or_default();
        Tally { won: BySide::new(next(), next()), drawn: next() }
    }
}

/// Adds a number of at most as many limbs.
#[inline]
fn add(sum: &mut [u64], other: &[u64]) -> Result<(), Misfit> {
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
    if carry { Err(Misfit::Limbs) } else { Ok(()) }
}

/// Tallies of equal shape, by slot.
#[derive(Clone, Debug)]
pub(crate) struct Tallies {
    pub(crate) shape: Shape,
    words: Vec<u64>,
}

impl Tallies {
    /// Tallies of zero games.
    pub(crate) fn zero(shape: Shape, slots: usize) -> Tallies {
        Tallies { shape, words: vec![0; slots * shape.words()] }
    }

    /// Returns the memory of the tallies, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        8 * self.words.len() as u64
    }

    #[inline]
    pub(crate) fn get(&self, slot: usize) -> &[u64] {
        let words = self.shape.words();
        &self.words[slot * words..(slot + 1) * words]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, slot: usize) -> &mut [u64] {
        let words = self.shape.words();
        &mut self.words[slot * words..(slot + 1) * words]
    }

    /// Divides the tallies into chunks of [`CHUNK`] slots, each with the number of its first slot.
    pub(crate) fn chunks_mut(&mut self) -> impl Iterator<Item = (usize, &mut [u64])> {
        (0..).step_by(CHUNK).zip(self.words.chunks_mut(CHUNK * self.shape.words()))
    }
}

#[cfg(test)]
mod tests {
    use anser_core::Side;

    use super::*;

    #[test]
    fn counts_carry_and_say_when_they_do_not_fit() {
        let shape = Shape { limbs: 2, kinds: 2 };
        let mut tally = [u64::MAX, 0, 7, 0];
        shape.add_tally(&mut tally, &[1, 2], Shape::LEAST).expect("enough memory");
        assert_eq!(tally, [0, 1, 9, 0]);
        shape.add_end(&mut tally, Outcome::Win(Side::Second)).expect("enough memory");
        assert_eq!(shape.add_end(&mut tally, Outcome::Draw), Err(Misfit::Kinds));
        let read = shape.read(&tally);
        assert_eq!(read.won, BySide::new(BigUint::from(1_u128 << 64), BigUint::from(10_u32)));
        assert_eq!(read.drawn, BigUint::ZERO);
        let mut full = [u64::MAX, u64::MAX, 0, 0];
        assert_eq!(shape.add_end(&mut full, Outcome::Win(Side::First)), Err(Misfit::Limbs));
        let mut sums = Tallies::zero(shape, 2);
        for _ in 0..3 {
            let added = shape.add_tally(sums.get_mut(1), &[u64::MAX, u64::MAX - 1], Shape::LEAST);
            added.expect("enough memory");
        }
        let most = BigUint::from(u64::MAX);
        let won = BySide::new(&most * 3_u32, &most * 3_u32 - 3_u32);
        assert_eq!(shape.read(sums.get(1)), Tally::won_by(won));
        assert_eq!(sums.get(0), [0; 4]);
    }
}

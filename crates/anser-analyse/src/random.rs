//! A small reproducible generator of random numbers.

use anser_core::hunt::{HuntIndex, Position};
use anser_core::{Hunt, LayerIndex, Side};

/// `SplitMix64` (Steele, Lea, and Flood, "Fast splittable pseudorandom number generators", 2014),
/// with 64 bits of state. The same on every machine; not for cryptography.
///
/// ```
/// use anser_analyse::Random;
/// let (mut one, mut other) = (Random::new(7), Random::new(7));
/// assert_eq!(one.bits(), other.bits());
/// assert!((0.0..1.0).contains(&one.unit()));
/// ```
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Returns the next number of the interval [0, 1), a multiple of 2^-53.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a number below `count`, all with the same chance but for less than one in 2^32.
    ///
    /// # Panics
    /// If `count` is 0 or more than 2^32.
    pub fn below(&mut self, count: usize) -> usize {
        assert!(count as u64 <= 1 << 32, "at most 2^32 numbers, {count} were asked for");
        (self.bits() % count as u64) as usize
    }

    /// Returns a position of the layer of an index with one of these sides to move: every class of
    /// symmetric positions with the same chance, then every symmetry. `None` if there is none.
    ///
    /// ```
    /// use anser_analyse::Random;
    /// use anser_core::Side;
    /// use anser_core::Hunt;
    /// let game = Hunt::default();
    /// let position = Random::new(7).position(&game, &game.index(5), &[Side::Second]);
    /// let position = position.expect("layer 5 has positions with the geese to move");
    /// assert_eq!((game.layer(&position), position.to_move()), (5, Side::Second));
    /// ```
    pub fn position(
        &mut self,
        game: &Hunt,
        index: &HuntIndex,
        to_move: &[Side],
    ) -> Option<Position> {
        /// Draws before the entries that are classes are listed instead.
        const DRAWS: usize = 1_000;
        let all: u64 = to_move.iter().map(|&side| index.len(side)).sum();
        let entry = |mut number: u64| {
            let side =
                *to_move.iter().find(|&&side| match number.checked_sub(index.len(side)) {
                    Some(rest) => {
                        number = rest;
                        false
                    }
                    None => true,
                })?;
            Some((side, number))
        };
        let is_class = |&(side, rank): &(Side, u64)| index.orbit(side, rank) > 0;
        for _ in 0..DRAWS {
            let drawn = entry(self.bits().checked_rem(all)?);
            if let Some((side, rank)) = drawn.filter(is_class) {
                let position = index.unrank(side, rank);
                return Some(game.image(&position, self.below(game.symmetries())));
            }
        }
        let classes = || (0..all).filter_map(entry).filter(is_class);
        let number = self.bits().checked_rem(classes().count() as u64)?;
        let (side, rank) = classes().nth(number as usize)?;
        Some(game.image(&index.unrank(side, rank), self.below(game.symmetries())))
    }

    /// Returns a number below `weights.len()`, each with the chance of its weight; `None` if no
    /// weight is above 0.
    pub fn weighted(&mut self, weights: &[f64]) -> Option<usize> {
        let all: f64 = weights.iter().sum();
        let last = weights.iter().rposition(|&weight| weight > 0.0)?;
        let mut left = self.unit() * all;
        let found = weights.iter().position(|&weight| {
            left -= weight;
            left < 0.0
        });
        // Rounding may leave a remainder, which falls to the last one.
        Some(found.unwrap_or(last))
    }
}

#[cfg(test)]
mod tests {
    use anser_core::Hunt;
    use anser_core::hexapawn::BoardSize;

    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_paper() {
        let mut random = Random::new(1_234_567);
        assert_eq!(
            [random.bits(), random.bits()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]
        );
    }

    /// Hexapawn 3x3 has few positions: each comes up, as often as it should.
    #[test]
    fn every_position_of_a_layer_is_drawn() {
        let game = Hunt::hexapawn(BoardSize::THREE);
        let index = game.index(4);
        for to_move in [&Side::BOTH[..], &[Side::First], &[Side::Second]] {
            let mut random = Random::new(3);
            let mut counts = std::collections::HashMap::new();
            for _ in 0..200_000 {
                let position = random.position(&game, &index, to_move).expect("there are some");
                assert!(to_move.contains(&position.to_move()));
                assert_eq!(game.layer(&position), 4);
                let class = (position.to_move(), index.rank(&position));
                *counts.entry(class).or_insert(0_u32) += 1;
            }
            let all: u64 = to_move.iter().map(|&side| index.len(side)).sum();
            assert_eq!(counts.len() as u64, all);
            let mean = 200_000.0 / all as f64;
            for (class, count) in counts {
                assert!((f64::from(count) - mean).abs() < 6.0 * mean.sqrt(), "{class:?} {count}");
            }
        }
        assert_eq!(Random::new(3).position(&game, &index, &[]), None);
    }

    #[test]
    fn weights_are_chances() {
        let mut random = Random::new(1);
        let mut counts = [0_u32; 4];
        for _ in 0..10_000 {
            counts[random.weighted(&[0.0, 3.0, 1.0, 0.0]).expect("two have a chance")] += 1;
        }
        assert_eq!((counts[0], counts[3]), (0, 0));
        assert!((7_300..7_700).contains(&counts[1]), "{counts:?}");
        assert_eq!(random.weighted(&[0.0]), None);
        assert_eq!(random.weighted(&[]), None);
    }
}

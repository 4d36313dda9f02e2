//! A small reproducible generator of random numbers.

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
        // What is lost in rounding is the last one's.
        Some(found.unwrap_or(last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_paper() {
        let mut random = Random::new(1_234_567);
        assert_eq!(
            [random.bits(), random.bits()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]
        );
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

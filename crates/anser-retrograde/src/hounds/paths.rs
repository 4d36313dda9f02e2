//! Arithmetic for the exact number of games, which is the number of paths from the start to the
//! terminal positions.
//!
//! The numbers have hundreds of bits. They are counted modulo numbers just below 2^58, one pass
//! over the game per modulus, and combined by the Chinese remainder theorem. A first pass in
//! floating point, with bounded rounding errors, gives an upper bound of the result. The product of
//! the moduli exceeds that bound.

use num_bigint::BigUint;

/// Moduli are at most 2^`BITS`, and reduced numbers are below 2^`BITS` + 2^16.
const BITS: u32 = 58;

/// Largest number of reduced addends of one sum: the paths over 4 moves of the lone man, each the
/// sum over at most 12 moves of the pack; one more such sum; and the running total.
#[cfg(test)]
const MAX_ADDENDS: u64 = 4 * 12 + 12 + 1;

/// Arithmetic on the number of paths.
///
/// Implemented for numbers modulo a prime, and for approximate ones.
pub(super) trait Numbers: Copy + Send + Sync {
    /// Number of paths to one position.
    type Path: Copy + Default + Send + Sync;
    /// Sum over many positions.
    type Sum: Copy + Default + Send + std::ops::AddAssign;

    /// Returns the number 1.
    fn one(self) -> Self::Path;
    /// Adds two numbers. A sum may have at most 61 reduced addends.
    fn add(a: Self::Path, b: Self::Path) -> Self::Path;
    /// Reduces a sum, so that it can be an addend again.
    fn reduce(self, path: Self::Path) -> Self::Path;
    /// Converts a number for a sum over positions.
    fn widen(self, path: Self::Path) -> Self::Sum;
    /// Returns the number if the lowest bit of `bits` is set, otherwise 0.
    fn only_if(path: Self::Path, bits: u64) -> Self::Path;
}

/// Arithmetic modulo 2^58 - `deficit`, where `deficit` is below 2^10.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Modulo {
    deficit: u64,
}

impl Modulo {
    /// Returns `count` pairwise coprime moduli.
    pub(super) fn coprime(count: usize) -> Vec<Modulo> {
        let mut moduli: Vec<Modulo> = Vec::new();
        let mut candidates = (0..1 << 10).map(|deficit| Modulo { deficit });
        while moduli.len() < count {
            let Some(next) = candidates.next() else { break };
            // Coprime numbers have inverses.
            let modulus = BigUint::from(next.modulus());
            let inverse = |other: &Modulo| BigUint::from(other.modulus()).modinv(&modulus);
            if moduli.iter().all(|other| inverse(other).is_some()) {
                moduli.push(next);
            }
        }
        moduli
    }

    pub(super) fn modulus(self) -> u64 {
        (1 << BITS) - self.deficit
    }

    pub(super) fn remainder(self, sum: u128) -> u64 {
        (sum % u128::from(self.modulus())) as u64
    }
}

impl Numbers for Modulo {
    type Path = u64;
    type Sum = u128;

    fn one(self) -> u64 {
        1
    }

    #[inline(always)]
    fn add(a: u64, b: u64) -> u64 {
        // Sums of at most 61 reduced numbers do not overflow, so this needs no check.
        a.wrapping_add(b)
    }

    /// Replaces 2^58 by `deficit`, which is congruent. A sum of 61 numbers below 2^58 + 2^16 is
    /// below 2^64. So the part above the lowest 58 bits is below 2^6, and the result is below
    /// 2^58 + 2^16.
    #[inline(always)]
    fn reduce(self, path: u64) -> u64 {
        // Both factors have less than 32 bits, as vector multiplication to 64 bits requires.
        (path & ((1 << BITS) - 1)).wrapping_add(
            u64::from((path >> BITS) as u32).wrapping_mul(u64::from(self.deficit as u32)),
        )
    }

    #[inline(always)]
    fn widen(self, path: u64) -> u128 {
        path.into()
    }

    #[inline(always)]
    fn only_if(path: u64, bits: u64) -> u64 {
        path & (bits & 1).wrapping_neg()
    }
}

/// Arithmetic in floating point, for the bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Approximate;

impl Numbers for Approximate {
    type Path = f64;
    type Sum = f64;

    fn one(self) -> f64 {
        1.0
    }

    #[inline(always)]
    fn add(a: f64, b: f64) -> f64 {
        a + b
    }

    #[inline(always)]
    fn reduce(self, path: f64) -> f64 {
        path
    }

    #[inline(always)]
    fn widen(self, path: f64) -> f64 {
        path
    }

    #[inline(always)]
    fn only_if(path: f64, bits: u64) -> f64 {
        f64::from_bits(Modulo::only_if(path.to_bits(), bits))
    }
}

/// Returns the number of moduli for a number whose floating-point approximation is `estimate`.
///
/// All addends are positive, so each addition adds a relative error of at most 2^-53. No result
/// depends on more than 2^43 additions in sequence, which bounds its relative error by 2^-10.
pub(super) fn moduli_for(estimate: f64) -> usize {
    // Each modulus is more than 2^57.9.
    (((estimate * (1.0 + 1.0 / 1024.0)).log2().max(0.0) + 1.0) / 57.9).ceil() as usize
}

/// Returns the number below the product of the moduli with these remainders, by the Chinese
/// remainder theorem (Garner's algorithm).
pub(super) fn combine(remainders: &[(Modulo, u64)]) -> BigUint {
    let (mut number, mut product) = (BigUint::ZERO, BigUint::from(1u32));
    for &(modulo, remainder) in remainders {
        let modulus = BigUint::from(modulo.modulus());
        let inverse = product.modinv(&modulus).expect("the moduli are coprime");
        // number + product * digit has the required remainder.
        let missing = remainder + &modulus - &number % &modulus;
        number += &product * (missing * inverse % &modulus);
        product *= modulus;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_determine_a_number_below_the_product() {
        let moduli = Modulo::coprime(8);
        assert_eq!(moduli.len(), 8);
        let mut number = BigUint::from(1u32);
        for step in 0..60u32 {
            let remainders: Vec<_> = moduli
                .iter()
                .map(|&modulo| {
                    let remainder =
                        (&number % modulo.modulus()).iter_u64_digits().next().unwrap_or(0);
                    (modulo, remainder)
                })
                .collect();
            assert_eq!(combine(&remainders), number);
            number = number * 211u32 + step;
        }
        assert!(number.bits() > 400);
    }

    #[test]
    fn a_reduced_number_has_the_same_remainder_and_can_be_an_addend() {
        for modulo in Modulo::coprime(8) {
            for path in [
                0,
                1,
                (1 << 58) - 1,
                1 << 58,
                u64::MAX - 1,
                u64::MAX,
                modulo.modulus(),
                0x1234_5678_9abc_def0,
            ] {
                let reduced = modulo.reduce(path);
                assert_eq!(reduced % modulo.modulus(), path % modulo.modulus());
                assert!(reduced.checked_mul(MAX_ADDENDS).is_some());
            }
        }
    }

    #[test]
    fn larger_numbers_take_more_moduli() {
        assert_eq!(moduli_for(0.0), 1);
        assert_eq!(moduli_for(1.0), 1);
        assert_eq!(moduli_for(2f64.powi(56)), 1);
        assert_eq!(moduli_for(2f64.powi(58)), 2);
        assert_eq!(moduli_for(2f64.powi(300)), 6);
    }
}

//! The number of games, exactly, by counting the paths from the start to every position, layer by
//! layer downward.
//!
//! The numbers have hundreds of bits. They are counted modulo numbers a little below 2^58, one pass
//! over the game for each, and put together by the Chinese remainder theorem. How many passes that
//! takes is no guess: a pass in floating point comes first, whose rounding errors are bounded, and
//! the product of the moduli is more than the bound it gives.

use num_bigint::BigUint;

/// Numbers are kept below 2^58 and a little.
const BITS: u32 = 58;

/// How many numbers can be added up before they have to be reduced: the paths over all moves of the
/// pack to a position, at most 12, and those over all moves of the lone man to the next, and one
/// more.
#[cfg(test)]
const ADDENDS: u64 = 4 * 12 + 12 + 1;

/// Arithmetic on the number of paths.
pub(super) trait Numbers: Copy + Send + Sync {
    /// The number of paths to one position.
    type Path: Copy + Default + Send + Sync;
    /// A sum over many positions.
    type Sum: Copy + Default + Send + std::ops::AddAssign;

    /// One path.
    fn one(self) -> Self::Path;
    /// Both together; [`Numbers::reduce`] says how many there may be.
    fn add(a: Self::Path, b: Self::Path) -> Self::Path;
    /// The same number, small enough to be added up with 60 others.
    fn reduce(self, path: Self::Path) -> Self::Path;
    /// For sums over positions.
    fn widen(self, path: Self::Path) -> Self::Sum;
    /// The number if the lowest of `bits` is set, otherwise none.
    fn only_if(path: Self::Path, bits: u64) -> Self::Path;
}

/// Modulo 2^58 - `less`, where `less` is below 2^10.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Modulo {
    less: u64,
}

impl Modulo {
    /// So many moduli, no two of which have a common factor.
    pub(super) fn some(many: usize) -> Vec<Modulo> {
        let mut moduli: Vec<Modulo> = Vec::new();
        let mut candidates = (0..1 << 10).map(|less| Modulo { less });
        while moduli.len() < many {
            let Some(next) = candidates.next() else { break };
            if moduli.iter().all(|other| common_factor(other.modulus(), next.modulus()) == 1) {
                moduli.push(next);
            }
        }
        moduli
    }

    pub(super) fn modulus(self) -> u64 {
        (1 << BITS) - self.less
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
        // Never too large, so this is not to look whether it is.
        a.wrapping_add(b)
    }

    /// 2^58 is as much as `less`. A sum of 61 numbers below 2^58 + 2^16 is below 2^64, so what is
    /// above the lowest 58 bits is below 2^6, and the result is below 2^58 + 2^16 again.
    #[inline(always)]
    fn reduce(self, path: u64) -> u64 {
        // Both factors have less than 32 bits, which is all that some registers multiply.
        (path & ((1 << BITS) - 1)).wrapping_add(
            u64::from((path >> BITS) as u32).wrapping_mul(u64::from(self.less as u32)),
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

/// Floating point: nearly right.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearly;

impl Numbers for Nearly {
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

/// How many moduli tell apart all numbers that are about `nearly`. All numbers added up are
/// positive, so every addition makes the result wrong by a factor of at most 1 + 2^-53, and no
/// number is the result of more than 2^43 of them one after the other: 2^-10 is more than all
/// errors together.
pub(super) fn moduli_for(nearly: f64) -> usize {
    // Each modulus is more than 2^57.9.
    (((nearly * (1.0 + 1.0 / 1024.0)).log2().max(0.0) + 1.0) / 57.9).ceil() as usize
}

/// The number below the product of the moduli with these remainders.
pub(super) fn combine(remainders: &[(Modulo, u64)]) -> BigUint {
    let (mut number, mut product) = (BigUint::ZERO, BigUint::from(1u32));
    for &(modulo, remainder) in remainders {
        let m = modulo.modulus();
        let small = |big: &BigUint| (big % m).iter_u64_digits().next().unwrap_or(0);
        // number + product * digit has the remainder that is wanted.
        let missing = (u128::from(remainder) + u128::from(m - small(&number))) % u128::from(m);
        let digit = missing * u128::from(inverse(small(&product), m)) % u128::from(m);
        number += &product * digit;
        product *= m;
    }
    number
}

fn common_factor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_factor(b, a % b) }
}

/// The number whose product with `a` has the remainder 1 modulo `m`, which has no factor in common
/// with `a`.
fn inverse(a: u64, m: u64) -> u64 {
    let (mut r, mut s) = ((i128::from(m), i128::from(a)), (0i128, 1i128));
    while r.1 > 0 {
        let quotient = r.0 / r.1;
        r = (r.1, r.0 - quotient * r.1);
        s = (s.1, s.0 - quotient * s.1);
    }
    s.0.rem_euclid(i128::from(m)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_tell_a_number_below_the_product() {
        let moduli = Modulo::some(8);
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
    fn a_reduced_number_has_the_same_remainder_and_can_be_added_up_again() {
        for modulo in Modulo::some(8) {
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
                assert!(reduced.checked_mul(ADDENDS).is_some());
            }
        }
    }

    #[test]
    fn more_moduli_are_taken_for_larger_numbers() {
        assert_eq!(moduli_for(0.0), 1);
        assert_eq!(moduli_for(1.0), 1);
        assert_eq!(moduli_for(2f64.powi(56)), 1);
        assert_eq!(moduli_for(2f64.powi(58)), 2);
        assert_eq!(moduli_for(2f64.powi(300)), 6);
    }
}

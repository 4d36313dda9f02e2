//! Operations that the compiler does not vectorize well by itself.
//!
//! No kernel needs `pext` or `pdep`: the layout of the sets makes every move a move of whole rows.
//! Only transposition uses 512-bit registers. In unions of rows most of their loads would cross two
//! cache lines, which was measured to take twice as long in layer 16.

use super::lanes::{self, Lanes};
use super::tile::{self, Tile};
use anser_retrograde::isa::Isa;
#[cfg(target_arch = "x86_64")]
use anser_retrograde::isa::Level;

/// Operations that are implemented once per instruction set.
pub(super) trait Vector: Isa {
    /// See [`tile::transpose_tile`].
    fn transpose_tile(self, tile: &mut Tile);
    /// See [`Lanes::gather`].
    fn gather(self, lanes: &Lanes, row: &[u64]) -> [u8; 8];
    /// See [`lanes::unzip`].
    fn unzip(self, bytes: &[u8; 64]) -> [u64; 8];
}

impl<I: Isa> Vector for I {
    #[inline(always)]
    fn transpose_tile(self, tile: &mut Tile) {
        #[cfg(target_arch = "x86_64")]
        if matches!(I::LEVEL, Level::Avx512) {
            // SAFETY: `self` proves that the processor has these instructions.
            return unsafe { transpose_tile_avx512(tile) };
        }
        tile::transpose_tile(tile);
    }

    #[inline(always)]
    fn gather(self, lanes: &Lanes, row: &[u64]) -> [u8; 8] {
        #[cfg(target_arch = "x86_64")]
        if matches!(I::LEVEL, Level::Avx2 | Level::Avx512) {
            // SAFETY: `self` proves that the processor has these instructions.
            return unsafe { lanes.gather_avx2(row) };
        }
        lanes.gather(row)
    }

    #[inline(always)]
    fn unzip(self, bytes: &[u8; 64]) -> [u64; 8] {
        #[cfg(target_arch = "x86_64")]
        if matches!(I::LEVEL, Level::Avx2 | Level::Avx512) {
            // SAFETY: `self` proves that the processor has these instructions.
            return unsafe { lanes::unzip_avx2(bytes) };
        }
        lanes::unzip(bytes)
    }
}

/// [`tile::transpose_tile`] in registers of eight words, which one instruction transposes
/// bytewise.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn transpose_tile_avx512(tile: &mut Tile) {
    use std::arch::x86_64::{_mm512_loadu_si512, _mm512_permutexvar_epi8, _mm512_storeu_si512};
    const ORDER: [u8; 64] = {
        let mut order = [0; 64];
        let mut i = 0;
        while i < 64 {
            order[i] = (8 * (i % 8) + i / 8) as u8;
            i += 1;
        }
        order
    };
    tile::transpose_bits(tile);
    for words in tile {
        // SAFETY: both arrays have 64 bytes, and unaligned loads and stores require no more.
        unsafe {
            let order = _mm512_loadu_si512(ORDER.as_ptr().cast());
            let bytes = _mm512_loadu_si512(words.as_ptr().cast());
            _mm512_storeu_si512(words.as_mut_ptr().cast(), _mm512_permutexvar_epi8(order, bytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lanes::LONGEST;
    use super::*;
    use anser_retrograde::isa::{Kernel, Level, dispatch};

    struct Gather<'a>(&'a Lanes, &'a [u64]);

    impl Kernel for Gather<'_> {
        type Output = [u8; 8];
        fn run(self, isa: impl Isa) -> [u8; 8] {
            isa.gather(self.0, self.1)
        }
    }

    struct Unzip<'a>(&'a [u8; 64]);

    impl Kernel for Unzip<'_> {
        type Output = [u64; 8];
        fn run(self, isa: impl Isa) -> [u64; 8] {
            isa.unzip(self.0)
        }
    }

    #[test]
    fn runs_are_gathered_from_every_offset_of_a_row() {
        for width in [1, 2, 13] {
            let row: Vec<u64> =
                (1..=width as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
            let bits = 64 * width as u16 - LONGEST as u16;
            for first in 0..=bits {
                let lanes = Lanes::new(
                    std::array::from_fn(|i| (first + 11 * i as u16) % (bits + 1)),
                    width,
                );
                for level in Level::available() {
                    let bytes = dispatch(level, Gather(&lanes, &row));
                    for (i, &bit) in lanes.bit.iter().enumerate() {
                        for (j, byte) in bytes[..LONGEST].iter().enumerate() {
                            let bit = usize::from(bit) + j;
                            assert_eq!(
                                u64::from(byte >> i & 1),
                                row[bit / 64] >> (bit % 64) & 1,
                                "{level:?} {bit}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn unzip_moves_bit_i_of_every_byte_to_word_i() {
        let bytes: [u8; 64] = std::array::from_fn(|i| (i as u8).wrapping_mul(151).wrapping_add(7));
        for level in Level::available() {
            let words = dispatch(level, Unzip(&bytes));
            for (i, word) in words.iter().enumerate() {
                for (j, byte) in bytes.iter().enumerate() {
                    assert_eq!(word >> j & 1, u64::from(byte >> i & 1), "{level:?} {i} {j}");
                }
            }
        }
    }
}

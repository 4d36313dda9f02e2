//! Operations that the compiler does not vectorize well by itself.
//!
//! No kernel needs `pext` or `pdep`: the layout of the sets makes every move a move of whole rows.
//! Only transposition uses 512-bit registers. In unions of rows most of their loads would cross two
//! cache lines, which was measured to take twice as long in layer 16.

use super::runs::{self, Lanes};
use super::transpose::{self, Tile};
use anser_retrograde::isa::Isa;
#[cfg(target_arch = "x86_64")]
use anser_retrograde::isa::Level;

/// Operations that are implemented once per instruction set.
pub(super) trait Vector: Isa {
    /// See [`transpose::transpose_tile`].
    fn transpose_tile(self, tile: &mut Tile);
    /// See [`Lanes::gather`].
    fn gather(self, lanes: &Lanes, row: &[u64]) -> [u8; 8];
    /// See [`runs::unzip`].
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
        transpose::transpose_tile(tile);
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
            return unsafe { runs::unzip_avx2(bytes) };
        }
        runs::unzip(bytes)
    }
}

/// [`transpose::transpose_tile`] in registers of eight words, which one instruction transposes
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
    transpose::transpose_bits(tile);
    for words in tile {
        // SAFETY: both arrays have 64 bytes, and unaligned loads and stores require no more.
        unsafe {
            let order = _mm512_loadu_si512(ORDER.as_ptr().cast());
            let bytes = _mm512_loadu_si512(words.as_ptr().cast());
            _mm512_storeu_si512(words.as_mut_ptr().cast(), _mm512_permutexvar_epi8(order, bytes));
        }
    }
}

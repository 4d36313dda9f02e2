//! The instruction sets that the kernels are compiled for, chosen at run time.
//!
//! There is one source of each kernel, in portable Rust. [`dispatch`] compiles it once more with AVX2, where the compiler finds
//! wider registers for the same loops; only what it does not find by itself is written apart, as methods of [`Isa`]. No
//! kernel needs pext or pdep: the layout of the sets sees to it that all moves are moves of whole rows. Registers of 512
//! bits gain in transposing and lose in the unions of rows, most of which would then lie across two cache lines: measured,
//! half as fast in layer 16.

use std::sync::OnceLock;

use super::runs::{self, Lanes};
use super::transpose::{self, Tile};

/// What differs between instruction sets.
pub(crate) trait Isa: Copy {
    /// See [`transpose::transpose_tile`].
    fn transpose_tile(self, tile: &mut Tile);
    /// See [`Lanes::gather`].
    fn gather(self, lanes: &Lanes, row: &[u64]) -> [u8; 8];
    /// See [`runs::unzip`].
    fn unzip(self, bytes: &[u8; 64]) -> [u64; 8];
    /// Says that words will be read soon, a hundred or so at most.
    fn prefetch(self, words: &[u64]);
}

/// Whatever the program was compiled for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Isa for Portable {
    #[inline(always)]
    fn transpose_tile(self, tile: &mut Tile) {
        transpose::transpose_tile(tile);
    }

    #[inline(always)]
    fn gather(self, lanes: &Lanes, row: &[u64]) -> [u8; 8] {
        lanes.gather(row)
    }

    #[inline(always)]
    fn unzip(self, bytes: &[u8; 64]) -> [u64; 8] {
        runs::unzip(bytes)
    }

    #[inline(always)]
    fn prefetch(self, _: &[u64]) {}
}

/// The processor has AVX2. Only [`dispatch`] makes one.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Isa for Avx2 {
    #[inline(always)]
    fn transpose_tile(self, tile: &mut Tile) {
        transpose::transpose_tile(tile);
    }

    #[inline(always)]
    fn gather(self, lanes: &Lanes, row: &[u64]) -> [u8; 8] {
        // SAFETY: a value of this type exists only where the processor was found to have these instructions.
        unsafe { lanes.gather_avx2(row) }
    }

    #[inline(always)]
    fn unzip(self, bytes: &[u8; 64]) -> [u64; 8] {
        // SAFETY: likewise.
        unsafe { runs::unzip_avx2(bytes) }
    }

    #[inline(always)]
    fn prefetch(self, words: &[u64]) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        for line in words.chunks(8) {
            // SAFETY: this reads nothing, and every processor with AVX2 has the instruction.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
        }
    }
}

/// The processor has AVX2, and AVX-512 with the subsets F, BW, VL and VBMI. Only [`dispatch`] makes one.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

#[cfg(target_arch = "x86_64")]
impl Isa for Avx512 {
    #[inline(always)]
    fn transpose_tile(self, tile: &mut Tile) {
        // SAFETY: a value of this type exists only where the processor was found to have these instructions.
        unsafe { transpose_tile_avx512(tile) }
    }

    #[inline(always)]
    fn gather(self, lanes: &Lanes, row: &[u64]) -> [u8; 8] {
        Avx2(()).gather(lanes, row)
    }

    #[inline(always)]
    fn unzip(self, bytes: &[u8; 64]) -> [u64; 8] {
        Avx2(()).unzip(bytes)
    }

    #[inline(always)]
    fn prefetch(self, words: &[u64]) {
        Avx2(()).prefetch(words);
    }
}

/// [`transpose::transpose_tile`] in registers of eight words, with one instruction to transpose their bytes.
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
        // SAFETY: both arrays have 64 bytes, and unaligned loads and stores need no more.
        unsafe {
            let order = _mm512_loadu_si512(ORDER.as_ptr().cast());
            let bytes = _mm512_loadu_si512(words.as_ptr().cast());
            _mm512_storeu_si512(words.as_mut_ptr().cast(), _mm512_permutexvar_epi8(order, bytes));
        }
    }
}

/// The instruction sets there are code paths for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// Portable Rust as the program was compiled.
    Portable,
    /// The same with 256-bit registers.
    Avx2,
    /// The same, and AVX-512 for transposing.
    Avx512,
}

impl Level {
    /// The levels that this processor has, slowest first.
    pub(crate) fn available() -> Vec<Level> {
        let mut levels = vec![Level::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("lzcnt");
            if avx2 {
                levels.push(Level::Avx2);
            }
            let avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vbmi");
            if avx512 && levels.contains(&Level::Avx2) {
                levels.push(Level::Avx512);
            }
        }
        levels
    }

    /// The fastest level that this processor has.
    pub(crate) fn best() -> Level {
        static BEST: OnceLock<Level> = OnceLock::new();
        *BEST.get_or_init(|| Level::available().pop().unwrap_or(Level::Portable))
    }
}

/// Something to be computed, whatever the instruction set.
pub(crate) trait Kernel {
    /// What comes out.
    type Output;
    /// Computes it. Implementations are `#[inline(always)]`, and so is all they call in their loops.
    fn run(self, isa: impl Isa) -> Self::Output;
}

/// Runs a kernel with the instructions of a level, which the processor must have.
///
/// # Panics
/// If the processor has no such level.
pub(crate) fn dispatch<K: Kernel>(level: Level, kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if level != Level::Portable {
        static AVAILABLE: OnceLock<Vec<Level>> = OnceLock::new();
        assert!(AVAILABLE.get_or_init(Level::available).contains(&level), "the processor has no {level:?}");
        return match level {
            // SAFETY: the processor has the instructions, as was just looked up.
            Level::Avx512 => unsafe { run_avx2(kernel, Avx512(())) },
            // SAFETY: likewise.
            _ => unsafe { run_avx2(kernel, Avx2(())) },
        };
    }
    debug_assert_eq!(level, Level::Portable);
    kernel.run(Portable)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn run_avx2<K: Kernel>(kernel: K, isa: impl Isa) -> K::Output {
    kernel.run(isa)
}

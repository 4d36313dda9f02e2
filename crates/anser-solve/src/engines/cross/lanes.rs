//! Bits of eight words or bytes at a time: runs that begin at any bit of a row, and single bits of
//! bytes. [`Vector`](super::vector::Vector) chooses the implementation.

/// Offsets of the runs of eight outer words in rows of one width.
#[derive(Clone, Copy)]
pub(super) struct Lanes {
    /// First bits of the runs.
    pub(super) bit: [u16; 8],
    /// The same as a byte of the row and a shift from there, such that four bytes from that byte
    /// lie within the row.
    byte: [u32; 8],
    shift: [u32; 8],
    /// Width of the rows in words.
    pub(super) width: usize,
}

/// Maximum length of a run in bits.
pub(super) const LONGEST: usize = 6;

impl Lanes {
    pub(super) fn new(bit: [u16; 8], width: usize) -> Lanes {
        let last = 8 * width as u32 - 4;
        let byte = bit.map(|bit| u32::from(bit / 8).min(last));
        let shift = std::array::from_fn(|i| u32::from(bit[i]) - 8 * byte[i]);
        Lanes { bit, byte, shift, width }
    }

    /// Reads the runs: bit `i` of byte `j` is bit `j` of the run of word `i`. Bits beyond the end
    /// of a run are unspecified.
    #[inline(always)]
    pub(super) fn gather(&self, row: &[u64]) -> [u8; 8] {
        let mut values = 0;
        for (i, &bit) in self.bit.iter().enumerate() {
            let (word, bit) = (usize::from(bit / 64), usize::from(bit % 64));
            let mut value = row[word] >> bit;
            if bit + LONGEST > 64 && word + 1 < row.len() {
                value |= row[word + 1] << (64 - bit);
            }
            values |= (value & 0xff) << (8 * i);
        }
        transpose_8x8(values).to_le_bytes()
    }

    /// [`Lanes::gather`] with one load instruction for all eight words.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    pub(super) fn gather_avx2(&self, row: &[u64]) -> [u8; 8] {
        use std::arch::x86_64::{
            _mm256_castsi256_ps, _mm256_i32gather_epi32, _mm256_loadu_si256, _mm256_movemask_ps,
            _mm256_slli_epi32, _mm256_srlv_epi32,
        };
        assert!(row.len() >= self.width);
        // SAFETY: both arrays have 32 bytes, and unaligned loads require no more. `new` ensures
        // that four bytes from each `byte` lie within a row of `width` words, and `row` has at
        // least that many.
        let values = unsafe {
            let byte = _mm256_loadu_si256(self.byte.as_ptr().cast());
            let shift = _mm256_loadu_si256(self.shift.as_ptr().cast());
            _mm256_srlv_epi32(_mm256_i32gather_epi32::<1>(row.as_ptr().cast(), byte), shift)
        };
        let signs = |values| _mm256_movemask_ps(_mm256_castsi256_ps(values)) as u8;
        [
            signs(_mm256_slli_epi32::<31>(values)),
            signs(_mm256_slli_epi32::<30>(values)),
            signs(_mm256_slli_epi32::<29>(values)),
            signs(_mm256_slli_epi32::<28>(values)),
            signs(_mm256_slli_epi32::<27>(values)),
            signs(_mm256_slli_epi32::<26>(values)),
            0,
            0,
        ]
    }
}

/// Bit `i` of byte `j` becomes bit `j` of word `i`.
#[inline(always)]
pub(super) fn unzip(bytes: &[u8; 64]) -> [u64; 8] {
    let mut words = [0; 8];
    for (group, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
        let transposed = transpose_8x8(u64::from_le_bytes(*eight)).to_le_bytes();
        for (word, byte) in words.iter_mut().zip(transposed) {
            *word |= u64::from(byte) << (8 * group);
        }
    }
    words
}

/// [`unzip`] with instructions that extract one bit of each byte.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
pub(super) fn unzip_avx2(bytes: &[u8; 64]) -> [u64; 8] {
    use std::arch::x86_64::{_mm256_add_epi8, _mm256_loadu_si256, _mm256_movemask_epi8};
    // SAFETY: the array has 64 bytes, and unaligned loads of 32 bytes require no more.
    let [mut low, mut high] = unsafe {
        [
            _mm256_loadu_si256(bytes.as_ptr().cast()),
            _mm256_loadu_si256(bytes.as_ptr().add(32).cast()),
        ]
    };
    let mut words = [0; 8];
    // From the highest bit down: each addition shifts the next bit to the top.
    for word in words.iter_mut().rev() {
        *word = u64::from(_mm256_movemask_epi8(low) as u32)
            | u64::from(_mm256_movemask_epi8(high) as u32) << 32;
        (low, high) = (_mm256_add_epi8(low, low), _mm256_add_epi8(high, high));
    }
    words
}

/// Bit `j` of byte `i` becomes bit `i` of byte `j`.
#[inline(always)]
fn transpose_8x8(mut x: u64) -> u64 {
    let mut moved = (x ^ x >> 7) & 0x00aa_00aa_00aa_00aa;
    x ^= moved ^ moved << 7;
    moved = (x ^ x >> 14) & 0x0000_cccc_0000_cccc;
    x ^= moved ^ moved << 14;
    moved = (x ^ x >> 28) & 0x0000_0000_f0f0_f0f0;
    x ^ moved ^ moved << 28
}

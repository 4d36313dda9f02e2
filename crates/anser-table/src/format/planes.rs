//! Conversion between 64 codes and a group of words with one bit per code.
//!
//! Registers of AVX-512 have masks with one bit per lane: a word of a group is such a mask.

use super::codes::LONGEST_GROUP;
use super::outcomes::ENTRIES_PER_PAIR;

/// Number of codes in a group.
pub(super) const CODES: usize = ENTRIES_PER_PAIR as usize;

/// Whether the processor has the instructions.
#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")
}

/// Returns the codes of a group of words, of which at most 16 count.
#[inline]
pub(super) fn codes_of(group: &[u64]) -> [u16; CODES] {
    let group = &group[..group.len().min(LONGEST_GROUP)];
    #[cfg(target_arch = "x86_64")]
    if has_avx512() {
        // SAFETY: the processor has the instructions.
        return unsafe { codes_of_avx512(group) };
    }
    codes_of_portable(group)
}

/// Returns the words of a group of codes; those beyond the bits of the codes are 0.
#[inline]
pub(super) fn group_of(codes: &[u16; CODES]) -> [u64; LONGEST_GROUP] {
    #[cfg(target_arch = "x86_64")]
    if has_avx512() {
        // SAFETY: the processor has the instructions.
        return unsafe { group_of_avx512(codes) };
    }
    group_of_portable(codes)
}

/// Portable version of [`codes_of`]: transposes squares of eight times eight bits.
fn codes_of_portable(group: &[u64]) -> [u16; CODES] {
    let mut codes = [0; CODES];
    for (half, words) in group.chunks(8).enumerate() {
        for (byte, codes) in codes.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let planes = words.iter().enumerate();
            let square = planes.fold(0, |square, (plane, word)| {
                square | u64::from(word.to_le_bytes()[byte]) << (8 * plane)
            });
            for (code, byte) in codes.iter_mut().zip(transpose(square).to_le_bytes()) {
                *code |= u16::from(byte) << (8 * half);
            }
        }
    }
    codes
}

/// Portable version of [`group_of`]: transposes squares of eight times eight bits.
fn group_of_portable(codes: &[u16; CODES]) -> [u64; LONGEST_GROUP] {
    let mut group = [0; LONGEST_GROUP];
    let halves = if codes.iter().all(|&code| code <= u8::MAX.into()) { 1 } else { 2 };
    for (half, words) in group.as_chunks_mut::<8>().0.iter_mut().enumerate().take(halves) {
        for (byte, codes) in codes.as_chunks::<8>().0.iter().enumerate() {
            let square = u64::from_le_bytes(codes.map(|code| code.to_le_bytes()[half]));
            for (word, plane) in words.iter_mut().zip(transpose(square).to_le_bytes()) {
                *word |= u64::from(plane) << (8 * byte);
            }
        }
    }
    group
}

/// Transposes a square of eight times eight bits: bit `j` of byte `i` goes to bit `i` of byte `j`.
const fn transpose(mut square: u64) -> u64 {
    // Swaps the two off-diagonal quarters of squares of two, four, and eight bits.
    let mut swap = (square ^ square >> 7) & 0x00aa_00aa_00aa_00aa;
    square ^= swap ^ swap << 7;
    swap = (square ^ square >> 14) & 0x0000_cccc_0000_cccc;
    square ^= swap ^ swap << 14;
    swap = (square ^ square >> 28) & 0x0000_0000_f0f0_f0f0;
    square ^ swap ^ swap << 28
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
fn codes_of_avx512(group: &[u64]) -> [u16; CODES] {
    use std::arch::x86_64::{
        _mm512_maskz_mov_epi16, _mm512_or_si512, _mm512_set1_epi16, _mm512_setzero_si512,
        _mm512_storeu_si512,
    };
    let mut halves = [_mm512_setzero_si512(); 2];
    for (plane, &word) in group.iter().enumerate() {
        let bit = _mm512_set1_epi16(1 << plane);
        for (half, lanes) in halves.iter_mut().zip([word as u32, (word >> 32) as u32]) {
            *half = _mm512_or_si512(*half, _mm512_maskz_mov_epi16(lanes, bit));
        }
    }
    let mut codes = [0; CODES];
    for (codes, half) in codes.as_chunks_mut::<32>().0.iter_mut().zip(halves) {
        // SAFETY: the array has 64 bytes, and an unaligned store requires no more.
        unsafe { _mm512_storeu_si512(codes.as_mut_ptr().cast(), half) };
    }
    codes
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
fn group_of_avx512(codes: &[u16; CODES]) -> [u64; LONGEST_GROUP] {
    use std::arch::x86_64::{
        _mm512_loadu_si512, _mm512_or_si512, _mm512_set1_epi16, _mm512_test_epi16_mask,
    };
    let halves = codes.as_chunks::<32>().0;
    // SAFETY: each array has 64 bytes, and unaligned loads require no more.
    let (low, high) = unsafe {
        (
            _mm512_loadu_si512(halves[0].as_ptr().cast()),
            _mm512_loadu_si512(halves[1].as_ptr().cast()),
        )
    };
    let any = _mm512_or_si512(low, high);
    let mut group = [0; LONGEST_GROUP];
    for (plane, word) in group.iter_mut().enumerate() {
        let rest = _mm512_set1_epi16((u16::MAX << plane).cast_signed());
        if _mm512_test_epi16_mask(any, rest) == 0 {
            break;
        }
        let bit = _mm512_set1_epi16((1_u16 << plane).cast_signed());
        let low = u64::from(_mm512_test_epi16_mask(low, bit));
        *word = low | u64::from(_mm512_test_epi16_mask(high, bit)) << 32;
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_a_bit_of_each_code_with_any_instructions() {
        let mut state = 1_u64;
        for bits in 1..=16 {
            for _ in 0..100 {
                let codes: [u16; CODES] = std::array::from_fn(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (state >> 48) as u16 >> (16 - bits)
                });
                let group: [u64; LONGEST_GROUP] = std::array::from_fn(|plane| {
                    let bit = |(entry, code): (usize, u16)| u64::from(code >> plane & 1) << entry;
                    codes.into_iter().enumerate().map(bit).sum()
                });
                assert_eq!(group_of(&codes), group);
                assert_eq!(group_of_portable(&codes), group);
                assert_eq!(codes_of(&group[..bits]), codes);
                assert_eq!(codes_of_portable(&group[..bits]), codes);
            }
        }
        assert_eq!(codes_of(&[]), [0; CODES]);
        assert_eq!(codes_of(&[u64::MAX; 20]), [u16::MAX; CODES]);
    }
}

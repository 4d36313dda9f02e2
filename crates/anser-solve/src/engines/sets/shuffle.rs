//! Permutes scores within runs, many at a time.
//!
//! The instruction `vpermi2b` (AVX-512 VBMI) selects 64 bytes from a window of 128, `vpermi2w`
//! (AVX-512 BW) 32 words of 16 bits from a window of 64, and `vpshufb` (AVX2) 32 bytes from a
//! window of 16. Most blocks of ranks read from few windows, because runs are short or the move
//! keeps the order of most sets.

use anser_retrograde::isa::{Isa, Level};
#[cfg(target_arch = "x86_64")]
use bytemuck::{cast_slice, cast_slice_mut};

use super::layout::PADDING;
use super::scores::Score;

/// Least average number of ranks per shuffle. Below it, spans or single ranks are used.
const PER_SHUFFLE: usize = 3;

/// Lists with fewer ranks always use shuffles.
const SHORT_LIST: usize = 32;

/// The place of a rank that a shuffle does not set.
const UNSET: u8 = 1 << 7;

/// Scores taken from windows, in the order of the blocks of ranks that they set.
#[derive(Default)]
pub(super) struct Shuffles {
    /// The first rank of the block, and the first rank of the window.
    ranks: Vec<[u16; 2]>,
    /// By shuffle and rank of the block: the place in the window, or [`UNSET`].
    places: Vec<u8>,
}

/// Numbers of consecutive ranks.
#[derive(Clone, Copy)]
pub(super) struct Widths {
    /// Those that one shuffle sets.
    block: usize,
    /// Those that it reads.
    window: usize,
}

const AVX2: Widths = Widths { block: 32, window: 16 };
const AVX512: Widths = Widths { block: 64, window: 128 };
const AVX512_OF_16_BITS: Widths = Widths { block: 32, window: 64 };

/// Returns the widths of shuffles of scores of type `S`; `None` if they are not shuffled.
#[inline(always)]
pub(super) fn widths<S: Score, I: Isa>(_: I) -> Option<Widths> {
    match (I::LEVEL, size_of::<S>()) {
        (Level::Avx2, 1) => Some(AVX2),
        (Level::Avx512, 1) => Some(AVX512),
        (Level::Avx512, 2) => Some(AVX512_OF_16_BITS),
        _ => None,
    }
}

impl Shuffles {
    pub(super) fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.ranks.clear();
        self.places.clear();
    }

    /// Finds the shuffles that take scores from the ranks `to` to the ranks `at`, which ascend.
    /// Returns false, and has none, if a shuffle would set fewer than [`PER_SHUFFLE`] ranks on
    /// average.
    pub(super) fn find(&mut self, widths: Widths, at: &[u16], to: &[u16]) -> bool {
        self.clear();
        let Shuffles { ranks, places } = self;
        let Widths { block: lanes, window } = widths;
        let most = if at.len() < SHORT_LIST { at.len() } else { at.len() / PER_SHUFFLE };
        // The shuffles of a block follow each other, from `first` on.
        let (mut first, mut block) = (0, usize::MAX);
        for (&at, &to) in at.iter().zip(to) {
            let (at, to) = (usize::from(at), usize::from(to));
            if at / lanes != block {
                (first, block) = (ranks.len(), at / lanes);
            }
            let from = (to / window * window) as u16;
            let known = ranks[first..].iter().position(|ranks| ranks[1] == from);
            let number = known.map_or(ranks.len(), |place| first + place);
            if known.is_none() {
                if number == most {
                    self.clear();
                    return false;
                }
                ranks.push([(block * lanes) as u16, from]);
                places.resize(places.len() + lanes, UNSET);
            }
            places[number * lanes + at % lanes] = (to % window) as u8;
        }
        true
    }

    /// Takes the opposite of each shuffled score where it is better. The shuffles were found with
    /// the [`widths`] for this type of scores and these instructions.
    #[inline(always)]
    pub(super) fn take_opposites<S: Score, I: Isa>(
        &self,
        isa: I,
        values: &[S; PADDING],
        best: &mut [S; PADDING],
    ) {
        #[cfg(target_arch = "x86_64")]
        if widths::<S, I>(isa).is_some() {
            let (values, best) = (values.as_slice(), best.as_mut_slice());
            if size_of::<S>() == size_of::<i16>() {
                let (values, best) = (cast_slice(values), cast_slice_mut(best));
                // SAFETY: the processor has the instructions of the level of `isa`, which are
                // these, because there are no widths for these scores at another level.
                return unsafe { take_opposites_avx512_of_16_bits(self, values, best) };
            }
            let (values, best) = (cast_slice(values), cast_slice_mut(best));
            return match I::LEVEL {
                // SAFETY: the processor has the instructions of the level of `isa`, which are
                // these.
                Level::Avx512 => unsafe { take_opposites_avx512(self, values, best) },
                // SAFETY: likewise; with portable instructions there are no widths.
                Level::Avx2 | Level::Portable => unsafe {
                    take_opposites_avx2(self, values, best);
                },
            };
        }
        let _ = (isa, values, best);
        unreachable!("there are shuffles only where there are widths of them");
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn take_opposites_avx2(shuffles: &Shuffles, values: &[i8], best: &mut [i8]) {
    use std::arch::x86_64::{
        _mm_loadu_si128, _mm256_broadcastsi128_si256, _mm256_loadu_si256, _mm256_max_epi8,
        _mm256_set1_epi8, _mm256_shuffle_epi8, _mm256_storeu_si256, _mm256_sub_epi8,
        _mm256_xor_si256,
    };
    let none = _mm256_set1_epi8(i8::MIN);
    let (places, _) = shuffles.places.as_chunks::<{ AVX2.block }>();
    for (&[at, from], places) in shuffles.ranks.iter().zip(places) {
        let best: &mut [i8; AVX2.block] =
            best[usize::from(at)..].first_chunk_mut().expect("runs are padded");
        let window: &[i8; AVX2.window] =
            values[usize::from(from)..].first_chunk().expect("runs are padded");
        // SAFETY: the arrays have 32, 32, and 16 bytes, and unaligned loads and stores require no
        // more.
        unsafe {
            let places = _mm256_loadu_si256(places.as_ptr().cast());
            let window = _mm256_broadcastsi128_si256(_mm_loadu_si128(window.as_ptr().cast()));
            // The opposites, but with the sign bit flipped: no move is 0, as are unset ranks.
            let opposites = _mm256_sub_epi8(none, window);
            let found = _mm256_xor_si256(_mm256_shuffle_epi8(opposites, places), none);
            let known = _mm256_loadu_si256(best.as_ptr().cast());
            _mm256_storeu_si256(best.as_mut_ptr().cast(), _mm256_max_epi8(known, found));
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn take_opposites_avx512(shuffles: &Shuffles, values: &[i8], best: &mut [i8]) {
    use std::arch::x86_64::{
        _mm512_loadu_si512, _mm512_mask_max_epi8, _mm512_movepi8_mask, _mm512_permutex2var_epi8,
        _mm512_setzero_si512, _mm512_storeu_si512, _mm512_sub_epi8,
    };
    let (places, _) = shuffles.places.as_chunks::<{ AVX512.block }>();
    for (&[at, from], places) in shuffles.ranks.iter().zip(places) {
        let best: &mut [i8; AVX512.block] =
            best[usize::from(at)..].first_chunk_mut().expect("runs are padded");
        let window: &[i8; AVX512.window] =
            values[usize::from(from)..].first_chunk().expect("runs are padded");
        // SAFETY: the arrays have 64, 64, and 128 bytes, and unaligned loads and stores require no
        // more.
        unsafe {
            let places = _mm512_loadu_si512(places.as_ptr().cast());
            let low = _mm512_loadu_si512(window.as_ptr().cast());
            let high = _mm512_loadu_si512(window[AVX512.block..].as_ptr().cast());
            let found = _mm512_permutex2var_epi8(low, places, high);
            // The opposite of no move is no move.
            let found = _mm512_sub_epi8(_mm512_setzero_si512(), found);
            let known = _mm512_loadu_si512(best.as_ptr().cast());
            let is_set = !_mm512_movepi8_mask(places);
            let better = _mm512_mask_max_epi8(known, is_set, known, found);
            _mm512_storeu_si512(best.as_mut_ptr().cast(), better);
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn take_opposites_avx512_of_16_bits(shuffles: &Shuffles, values: &[i16], best: &mut [i16]) {
    use std::arch::x86_64::{
        _mm256_loadu_si256, _mm256_movepi8_mask, _mm512_cvtepu8_epi16, _mm512_loadu_si512,
        _mm512_mask_max_epi16, _mm512_permutex2var_epi16, _mm512_setzero_si512,
        _mm512_storeu_si512, _mm512_sub_epi16,
    };
    const WIDTHS: Widths = AVX512_OF_16_BITS;
    let (places, _) = shuffles.places.as_chunks::<{ WIDTHS.block }>();
    for (&[at, from], places) in shuffles.ranks.iter().zip(places) {
        let best: &mut [i16; WIDTHS.block] =
            best[usize::from(at)..].first_chunk_mut().expect("runs are padded");
        let window: &[i16; WIDTHS.window] =
            values[usize::from(from)..].first_chunk().expect("runs are padded");
        // SAFETY: the arrays have 32 bytes, 64 bytes, and 128 bytes, and unaligned loads and stores
        // require no more.
        unsafe {
            let places = _mm256_loadu_si256(places.as_ptr().cast());
            let low = _mm512_loadu_si512(window.as_ptr().cast());
            let high = _mm512_loadu_si512(window[WIDTHS.block..].as_ptr().cast());
            let found = _mm512_permutex2var_epi16(low, _mm512_cvtepu8_epi16(places), high);
            // The opposite of no move is no move.
            let found = _mm512_sub_epi16(_mm512_setzero_si512(), found);
            let known = _mm512_loadu_si512(best.as_ptr().cast());
            let is_set = !_mm256_movepi8_mask(places);
            let better = _mm512_mask_max_epi16(known, is_set, known, found);
            _mm512_storeu_si512(best.as_mut_ptr().cast(), better);
        }
    }
}

#[cfg(test)]
mod tests {
    use anser_retrograde::isa::{Kernel, Level, dispatch};
    use bytemuck::must_cast_slice;

    use super::*;

    struct Take<'a, S> {
        at: &'a [u16],
        to: &'a [u16],
        values: &'a [S; PADDING],
        best: &'a mut [S; PADDING],
    }

    impl<S: Score> Kernel for Take<'_, S> {
        /// Whether there are shuffles; `None` if there are none with these instructions.
        type Output = Option<bool>;
        const HAS_AVX512: bool = true;

        #[inline(always)]
        fn run(self, isa: impl Isa) -> Option<bool> {
            let Take { at, to, values, best } = self;
            let mut shuffles = Shuffles::default();
            let found = shuffles.find(widths::<S, _>(isa)?, at, to);
            assert_eq!(found, !shuffles.is_empty());
            if found {
                shuffles.take_opposites(isa, values, best);
            }
            Some(found)
        }
    }

    /// Compares shuffles with ranks one by one. `with_shuffles` has the levels at which there are
    /// any.
    fn compare<S: Score>(with_shuffles: &[Level]) {
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        let mut scores = || {
            (0..PADDING).map(|_| must_cast_slice::<u64, S>(&[random(1 << 31) as u64])[0]).collect()
        };
        let [values, before]: [Vec<S>; 2] = [scores(), scores()];
        let values: &[S; PADDING] = values.first_chunk().expect("as long");
        for len in [1, 5, 31, 63, 64, 65, 200, 924, 5000, 65_536] {
            for (step, spread) in [(1, 1), (2, 1), (3, 40), (2, 65_536)] {
                let at: Vec<u16> = (0..len).step_by(step).map(|rank| rank as u16).collect();
                let to: Vec<u16> =
                    at.iter().map(|&at| at.wrapping_add(random(spread) as u16)).collect();
                let mut expected = before.clone();
                for (&at, &to) in at.iter().zip(&to) {
                    let best = &mut expected[usize::from(at)];
                    *best = (*best).max(values[usize::from(to)].opposite());
                }
                for level in Level::available() {
                    let mut best = before.clone();
                    let best: &mut [S; PADDING] = best.first_chunk_mut().expect("as long");
                    let found = dispatch(level, Take { at: &at, to: &to, values, best });
                    // Ranks that go anywhere need too many, with narrow windows also those that go
                    // far.
                    let far = if level == Level::Avx512 { 65_536 } else { 40 };
                    let is_found = at.len() < SHORT_LIST || spread < far;
                    let expected_found = with_shuffles.contains(&level).then_some(is_found);
                    assert_eq!(found, expected_found, "{level:?} {len} {step} {spread}");
                    let expected = if found == Some(true) { &expected } else { &before };
                    assert!(best[..] == expected[..], "{level:?} {len} {step} {spread}");
                }
            }
        }
    }

    #[test]
    fn shuffles_take_the_scores_that_ranks_one_by_one_take() {
        compare::<i8>(&[Level::Avx2, Level::Avx512]);
        compare::<i16>(&[Level::Avx512]);
    }
}

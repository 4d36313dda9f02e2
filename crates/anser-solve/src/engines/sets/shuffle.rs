//! Moves of scores of 8 bits within runs, many at a time.
//!
//! AVX-512 has an instruction that takes 64 bytes from any places of a window of 128. Ranks that follow
//! each other before a move mostly lead to few windows, since runs are short or the move keeps the
//! order of most sets.

use anser_retrograde::isa::{Isa, Level};

use super::maps::PADDING;
use super::scores::Score;

/// Ranks that a shuffle sets.
const LANES: usize = 64;

/// Ranks that a shuffle reads from.
const WINDOW: usize = 128;

/// Least number of ranks per shuffle, on average; with fewer, they are taken one by one.
const PER_SHUFFLE: usize = 3;

/// Runs with fewer sets are always shuffled.
const FEW: usize = 32;

/// Scores that move from a window to some of the ranks that follow each other.
pub(super) struct Shuffle {
    /// The first of the ranks that it sets.
    at: u16,
    /// The first rank of the window.
    from: u16,
    /// The ranks that it sets: bit `i` for rank `at + i`.
    lanes: u64,
    /// For each of them, the place in the window.
    places: [u8; LANES],
}

/// Whether scores of type `S` are shuffled.
#[inline(always)]
pub(super) fn has_shuffles<S: Score>(isa: impl Isa) -> bool {
    level(isa) == Level::Avx512 && S::BITS == i8::BITS
}

#[inline(always)]
const fn level<I: Isa>(_: I) -> Level {
    I::LEVEL
}

/// Finds the shuffles that take scores from the ranks `to` to the ranks `at`, which ascend. Returns
/// false if there are too many to be worth it.
pub(super) fn find_shuffles(at: &[u16], to: &[u16], shuffles: &mut Vec<Shuffle>) -> bool {
    shuffles.clear();
    // Shuffles of the same ranks `at` follow each other, from `first` on.
    let (mut first, mut block) = (0, usize::MAX);
    for (&at, &to) in at.iter().zip(to) {
        let (at, to) = (usize::from(at), usize::from(to));
        if at / LANES != block {
            (first, block) = (shuffles.len(), at / LANES);
        }
        let from = (to / WINDOW * WINDOW) as u16;
        let known = shuffles[first..].iter().position(|shuffle| shuffle.from == from);
        let number = known.map_or(shuffles.len(), |place| first + place);
        if known.is_none() {
            let at = (block * LANES) as u16;
            shuffles.push(Shuffle { at, from, lanes: 0, places: [0; LANES] });
        }
        let shuffle = &mut shuffles[number];
        shuffle.lanes |= 1 << (at % LANES);
        shuffle.places[at % LANES] = (to % WINDOW) as u8;
    }
    at.len() < FEW || shuffles.len() * PER_SHUFFLE <= at.len()
}

/// Replaces scores of a run by the opposites of those that shuffles bring, where these are better.
///
/// # Panics
/// If there are [no shuffles](has_shuffles) for scores of this type.
#[inline(always)]
pub(super) fn take_opposites<S: Score>(
    isa: impl Isa,
    shuffles: &[Shuffle],
    values: &[S; PADDING],
    best: &mut [S; PADDING],
) {
    assert!(has_shuffles::<S>(isa));
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the argument proves that the processor has these instructions.
    unsafe {
        take_opposites_avx512(
            shuffles,
            bytemuck::must_cast_slice(values),
            bytemuck::must_cast_slice_mut(best),
        );
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn take_opposites_avx512(shuffles: &[Shuffle], values: &[i8], best: &mut [i8]) {
    use std::arch::x86_64::{
        _mm512_loadu_si512, _mm512_mask_max_epi8, _mm512_permutex2var_epi8, _mm512_setzero_si512,
        _mm512_storeu_si512, _mm512_sub_epi8,
    };
    for shuffle in shuffles {
        let [at, from] = [shuffle.at, shuffle.from].map(usize::from);
        let best: &mut [i8; LANES] = best[at..].first_chunk_mut().expect("runs are padded");
        let window: &[i8; WINDOW] = values[from..].first_chunk().expect("runs are padded");
        // SAFETY: the arrays have 64, 64, and 128 bytes, and unaligned loads and stores require no
        // more.
        unsafe {
            let places = _mm512_loadu_si512(shuffle.places.as_ptr().cast());
            let low = _mm512_loadu_si512(window.as_ptr().cast());
            let high = _mm512_loadu_si512(window[LANES..].as_ptr().cast());
            let found = _mm512_permutex2var_epi8(low, places, high);
            // The opposite of no move is no move.
            let found = _mm512_sub_epi8(_mm512_setzero_si512(), found);
            let known = _mm512_loadu_si512(best.as_ptr().cast());
            let better = _mm512_mask_max_epi8(known, shuffle.lanes, known, found);
            _mm512_storeu_si512(best.as_mut_ptr().cast(), better);
        }
    }
}

#[cfg(test)]
mod tests {
    use anser_retrograde::isa::{Kernel, Level, dispatch};

    use super::*;

    struct Take<'a>(&'a [Shuffle], &'a [i8; PADDING], &'a mut [i8; PADDING]);

    impl Kernel for Take<'_> {
        type Output = bool;

        fn run(self, isa: impl Isa) -> bool {
            let has_shuffles = has_shuffles::<i8>(isa);
            if has_shuffles {
                take_opposites(isa, self.0, self.1, self.2);
            }
            has_shuffles
        }
    }

    #[test]
    fn shuffles_move_what_single_moves_do() {
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        let values: Vec<i8> = (0..PADDING).map(|_| random(256) as i8).collect();
        let before: Vec<i8> = (0..PADDING).map(|_| random(256) as i8).collect();
        let values: &[i8; PADDING] = values.first_chunk().expect("as long");
        let mut worth = 0;
        for len in [0, 1, 5, 63, 64, 65, 200, 924, 5000, 65_536] {
            for (step, spread) in [(1, 1), (2, 1), (3, 40), (2, 65_536)] {
                let at: Vec<u16> = (0..len).step_by(step).map(|rank| rank as u16).collect();
                let to: Vec<u16> =
                    at.iter().map(|&at| at.wrapping_add(random(spread) as u16)).collect();
                let mut shuffles = Vec::new();
                worth += usize::from(find_shuffles(&at, &to, &mut shuffles));
                let mut expected = before.clone();
                for (&at, &to) in at.iter().zip(&to) {
                    let best = &mut expected[usize::from(at)];
                    *best = (*best).max(values[usize::from(to)].wrapping_neg());
                }
                for level in Level::available() {
                    let mut best = before.clone();
                    let best: &mut [i8; PADDING] = best.first_chunk_mut().expect("as long");
                    if dispatch(level, Take(&shuffles, values, best)) {
                        assert_eq!(best[..], expected[..], "{len} {step} {spread}");
                    }
                }
            }
        }
        assert!((20..40).contains(&worth), "{worth}");
    }
}

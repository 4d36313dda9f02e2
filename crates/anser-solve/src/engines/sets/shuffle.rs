//! Permutes 8-bit scores within runs, 64 at a time.
//!
//! The instruction `vpermi2b` (AVX-512 VBMI) selects 64 bytes from a window of 128. Most blocks of
//! 64 ranks read from few windows, because runs are short or the move keeps the order of most sets.

use anser_retrograde::isa::{Isa, Level};

use super::maps::PADDING;
use super::scores::Score;

/// Number of consecutive ranks that one shuffle sets.
const LANES: usize = 64;

/// Number of ranks in a window.
const WINDOW: usize = 128;

/// Least average number of ranks per shuffle. Below it, spans or single ranks are used.
const PER_SHUFFLE: usize = 3;

/// Lists with fewer ranks always use shuffles.
const SHORT_LIST: usize = 32;

/// Scores taken from one window, for some ranks of one block of 64.
pub(super) struct Shuffle {
    /// The first rank of the block.
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
pub(super) fn has_shuffles<S: Score, I: Isa>(_: I) -> bool {
    matches!(I::LEVEL, Level::Avx512) && S::BITS == i8::BITS
}

/// Finds the shuffles that take scores from the ranks `to` to the ranks `at`, which ascend. Returns
/// false, and none, if a shuffle would set fewer than [`PER_SHUFFLE`] ranks on average.
pub(super) fn find_shuffles(at: &[u16], to: &[u16], shuffles: &mut Vec<Shuffle>) -> bool {
    shuffles.clear();
    let most = if at.len() < SHORT_LIST { at.len() } else { at.len() / PER_SHUFFLE };
    // The shuffles of a block follow each other, from `first` on.
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
            if shuffles.len() == most {
                shuffles.clear();
                return false;
            }
            let at = (block * LANES) as u16;
            shuffles.push(Shuffle { at, from, lanes: 0, places: [0; LANES] });
        }
        let shuffle = &mut shuffles[number];
        shuffle.lanes |= 1 << (at % LANES);
        shuffle.places[at % LANES] = (to % WINDOW) as u8;
    }
    true
}

/// Takes the opposite of each shuffled score where it is better.
#[inline(always)]
pub(super) fn take_opposites<S: Score, I: Isa>(
    isa: I,
    shuffles: &[Shuffle],
    values: &[S; PADDING],
    best: &mut [S; PADDING],
) {
    #[cfg(target_arch = "x86_64")]
    if has_shuffles::<S, I>(isa) {
        let (values, best) = (values.as_slice(), best.as_mut_slice());
        let (values, best) =
            (bytemuck::must_cast_slice(values), bytemuck::must_cast_slice_mut(best));
        // SAFETY: the processor has AVX-512, because the level of `isa` is that, as was just seen.
        return unsafe { take_opposites_avx512(shuffles, values, best) };
    }
    let _ = isa;
    take_opposites_portable(shuffles, values, best);
}

fn take_opposites_portable<S: Score>(shuffles: &[Shuffle], values: &[S], best: &mut [S]) {
    for shuffle in shuffles {
        let [at, from] = [shuffle.at, shuffle.from].map(usize::from);
        for lane in (0..LANES).filter(|lane| shuffle.lanes >> lane & 1 != 0) {
            let best = &mut best[at + lane];
            *best = (*best).max(values[from + usize::from(shuffle.places[lane])].opposite());
        }
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
        type Output = ();

        #[inline(always)]
        fn run(self, isa: impl Isa) {
            take_opposites(isa, self.0, self.1, self.2);
        }
    }

    #[test]
    fn shuffles_take_the_scores_that_ranks_one_by_one_take() {
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        let values: Vec<i8> = (0..PADDING).map(|_| random(256) as i8).collect();
        let before: Vec<i8> = (0..PADDING).map(|_| random(256) as i8).collect();
        let values: &[i8; PADDING] = values.first_chunk().expect("as long");
        for len in [1, 5, 31, 63, 64, 65, 200, 924, 5000, 65_536] {
            for (step, spread) in [(1, 1), (2, 1), (3, 40), (2, 65_536)] {
                let at: Vec<u16> = (0..len).step_by(step).map(|rank| rank as u16).collect();
                let to: Vec<u16> =
                    at.iter().map(|&at| at.wrapping_add(random(spread) as u16)).collect();
                let mut shuffles = Vec::new();
                let found = find_shuffles(&at, &to, &mut shuffles);
                // Only ranks that go anywhere need too many.
                assert_eq!(found, at.len() < SHORT_LIST || spread < 65_536, "{len} {spread}");
                assert_eq!(found, !shuffles.is_empty());
                if !found {
                    continue;
                }
                let mut expected = before.clone();
                for (&at, &to) in at.iter().zip(&to) {
                    let best = &mut expected[usize::from(at)];
                    *best = (*best).max(values[usize::from(to)].wrapping_neg());
                }
                for level in Level::available() {
                    let mut best = before.clone();
                    let best: &mut [i8; PADDING] = best.first_chunk_mut().expect("as long");
                    dispatch(level, Take(&shuffles, values, best));
                    assert_eq!(best[..], expected[..], "{level:?} {len} {step} {spread}");
                }
            }
        }
    }
}

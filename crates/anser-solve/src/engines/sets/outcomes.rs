//! Outcomes as scores, of which arrays hold 32 in a word.
//!
//! If outcomes alone are solved, all wins are the same, and captures count from the first round on.
//! So there are four values: a win, a loss, a draw so far, and [`Score::UNDECIDED`]. They are told
//! apart by bits 1 and 2 of a score, and these are stored.

use std::ops::{Neg, Range};

use anser_core::Side;
use anser_retrograde::isa::Isa;
#[cfg(target_arch = "x86_64")]
use anser_retrograde::isa::Level;
use bytemuck::{Pod, Zeroable};

use super::scores::Score;

/// An outcome as a score: 3 for a win, -3 for a loss, and 0 or [`Score::UNDECIDED`] for a draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(super) struct OutcomeScore(i8);

// SAFETY: it is an `i8`, of which all bits are valid, without padding.
unsafe impl Zeroable for OutcomeScore {}
// SAFETY: likewise.
unsafe impl Pod for OutcomeScore {}

/// Values of a cell.
const PER_CELL: usize = 32;

/// Values of a byte of a cell.
const PER_BYTE: usize = 4;

/// By the two bits of a score: the score.
const SCORES: [i8; 4] = [0, 3, -3, -1];

/// By byte of a cell: the scores.
static SCORES_OF_BYTE: [[i8; PER_BYTE]; 256] = {
    let mut scores = [[0; PER_BYTE]; 256];
    let mut byte = 0;
    while byte < scores.len() {
        let mut place = 0;
        while place < PER_BYTE {
            scores[byte][place] = SCORES[byte >> (2 * place) & 3];
            place += 1;
        }
        byte += 1;
    }
    scores
};

impl Neg for OutcomeScore {
    type Output = Self;

    fn neg(self) -> Self {
        OutcomeScore(-self.0)
    }
}

impl Score for OutcomeScore {
    type Cell = u64;
    /// Of a game that is over: as a score of 8 bits, that counts from the first round on.
    type Saved = i8;

    const BITS: u32 = 2;
    const PER_CELL: usize = PER_CELL;
    const NONE: Self = OutcomeScore(i8::MIN);
    const WON: Self = OutcomeScore(3);
    const UNDECIDED: Self = OutcomeScore(-1);
    const LONGEST_LOSS: Self = OutcomeScore(-3);

    #[inline(always)]
    fn tells(_: u16, _: Side) -> bool {
        true
    }

    #[inline(always)]
    fn won_in(_: u16) -> Self {
        Self::WON
    }

    /// The code of a game that is over.
    #[inline(always)]
    fn code(self, side: Side) -> u16 {
        match self.0 {
            3 => 1 + side as u16,
            -3 => 2 - side as u16,
            _ => 0,
        }
    }

    #[inline(always)]
    fn opposite(self) -> Self {
        OutcomeScore(self.0.wrapping_neg())
    }

    #[inline(always)]
    fn before(self) -> Self {
        self
    }

    #[inline(always)]
    fn is_last(self) -> bool {
        false
    }

    fn round_of_loss(self) -> u16 {
        1
    }

    fn greatest_loss(round: u64) -> Self {
        if round == 0 { Self::NONE } else { Self::LONGEST_LOSS }
    }

    fn saved(self) -> i8 {
        match self.0 {
            3 => i8::WON,
            -3 => -i8::WON,
            draw => draw,
        }
    }

    fn restored(saved: i8) -> Self {
        match saved {
            1.. => Self::WON,
            ..=-2 => -Self::WON,
            draw => OutcomeScore(draw),
        }
    }

    #[inline(always)]
    fn get(cells: &[u64], place: usize) -> Self {
        let bits = cells[place / PER_CELL] >> (2 * (place % PER_CELL)) & 3;
        // The scores are in a word, which is faster than to read one of an array.
        OutcomeScore((i32::from_le_bytes(SCORES.map(i8::cast_unsigned)) >> (8 * bits)) as i8)
    }

    #[inline(always)]
    fn set(cells: &mut [u64], place: usize, score: Self) {
        let (cell, shift) = (&mut cells[place / PER_CELL], 2 * (place % PER_CELL));
        *cell = *cell & !(3 << shift) | ((score.0 >> 1 & 3) as u64) << shift;
    }

    #[inline(always)]
    fn view<'c>(
        isa: impl Isa,
        cells: &'c [u64],
        places: Range<usize>,
        copy: &'c mut Vec<Self>,
    ) -> &'c [Self] {
        let first = places.start % PER_CELL;
        let cells = &cells[Self::cells(places)];
        if copy.len() < cells.len() * PER_CELL {
            copy.resize(cells.len() * PER_CELL, Self::default());
        }
        let scores: &mut [i8] = bytemuck::must_cast_slice_mut(copy);
        unpack(isa, cells, scores.as_chunks_mut().0);
        &copy[first..]
    }

    #[inline(always)]
    fn put(cells: &mut [u64], first: usize, values: &[Self]) {
        let (mut rest, mut place) = (bytemuck::must_cast_slice(values), first);
        while !rest.is_empty() {
            let (cell, at) = (&mut cells[place / PER_CELL], place % PER_CELL);
            let (values, others) = rest.split_at(rest.len().min(PER_CELL - at));
            let mask = (u64::MAX >> (2 * (PER_CELL - values.len()))) << (2 * at);
            *cell = *cell & !mask | pack(values) << (2 * at);
            (rest, place) = (others, place + values.len());
        }
    }
}

/// Returns a cell with up to 32 scores.
#[inline(always)]
fn pack(scores: &[i8]) -> u64 {
    let mut cell = 0;
    for (number, scores) in scores.chunks(size_of::<u64>()).enumerate() {
        let mut bytes = [0; size_of::<u64>()];
        bytes[..scores.len()].copy_from_slice(bytemuck::must_cast_slice(scores));
        let bits = u64::from_le_bytes(bytes) >> 1 & 0x0303_0303_0303_0303;
        // Twice as many are brought together at a time.
        let bits = (bits | bits >> 6) & 0x000f_000f_000f_000f;
        let bits = (bits | bits >> 12) & 0x0000_00ff_0000_00ff;
        let bits = (bits | bits >> 24) & 0xffff;
        cell |= bits << (u16::BITS as usize * number);
    }
    cell
}

/// Writes the scores of cells.
#[inline(always)]
fn unpack<I: Isa>(_: I, cells: &[u64], scores: &mut [[i8; PER_CELL]]) {
    #[cfg(target_arch = "x86_64")]
    if I::LEVEL != Level::Portable {
        // SAFETY: the processor has the instructions of the level of `I`, and these are among those
        // of every other level.
        return unsafe { unpack_avx2(cells, scores) };
    }
    for (cell, scores) in cells.iter().zip(scores) {
        for (byte, scores) in cell.to_le_bytes().into_iter().zip(scores.as_chunks_mut().0) {
            *scores = SCORES_OF_BYTE[usize::from(byte)];
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn unpack_avx2(cells: &[u64], scores: &mut [[i8; PER_CELL]]) {
    use std::arch::x86_64::{
        _mm_cvtsi64_si128, _mm256_and_si256, _mm256_cvtepu8_epi32, _mm256_or_si256,
        _mm256_set1_epi8, _mm256_set1_epi32, _mm256_shuffle_epi8, _mm256_slli_epi32,
        _mm256_storeu_si256,
    };
    let table = _mm256_set1_epi32(i32::from_le_bytes(SCORES.map(i8::cast_unsigned)));
    let mask = _mm256_set1_epi8(3);
    for (&cell, scores) in cells.iter().zip(scores) {
        // A byte of the cell in each lane, and then each two bits of it at the start of a byte.
        let bytes = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(cell.cast_signed()));
        let bits = _mm256_or_si256(bytes, _mm256_slli_epi32::<12>(bytes));
        let bits = _mm256_or_si256(bits, _mm256_slli_epi32::<6>(bits));
        let found = _mm256_shuffle_epi8(table, _mm256_and_si256(bits, mask));
        // SAFETY: the array has 32 bytes, and an unaligned store requires no more.
        unsafe { _mm256_storeu_si256(scores.as_mut_ptr().cast(), found) };
    }
}

#[cfg(test)]
mod tests {
    use anser_retrograde::isa::{Kernel, Level, dispatch};

    use super::*;

    const ALL: [OutcomeScore; 4] =
        [OutcomeScore(0), OutcomeScore::UNDECIDED, OutcomeScore::WON, OutcomeScore::LONGEST_LOSS];

    struct View<'c>(&'c [u64], Range<usize>, &'c mut Vec<OutcomeScore>);

    impl<'c> Kernel for View<'c> {
        type Output = &'c [OutcomeScore];
        const HAS_AVX512: bool = true;

        #[inline(always)]
        fn run(self, isa: impl Isa) -> &'c [OutcomeScore] {
            OutcomeScore::view(isa, self.0, self.1, self.2)
        }
    }

    #[test]
    fn values_are_read_as_they_were_set_with_any_instructions() {
        const PLACES: usize = 1000;
        let mut random = fastrand::Rng::with_seed(1);
        let mut cells = vec![0; PLACES.div_ceil(PER_CELL)];
        let mut expected = vec![OutcomeScore::default(); PLACES];
        let levels = Level::available();
        let mut copy = Vec::new();
        for number in 0..3000 {
            let first = random.usize(..PLACES);
            let len = random.usize(..=(PLACES - first).min(200));
            if number % 2 == 0 {
                let values: Vec<OutcomeScore> = (0..len).map(|_| ALL[random.usize(..4)]).collect();
                OutcomeScore::put(&mut cells, first, &values);
                expected[first..first + len].copy_from_slice(&values);
            } else {
                let value = ALL[random.usize(..4)];
                OutcomeScore::set(&mut cells, first, value);
                expected[first] = value;
            }
            assert!((0..PLACES).all(|at| OutcomeScore::get(&cells, at) == expected[at]));
            let places = first..first + len;
            for &level in &levels {
                let found = dispatch(level, View(&cells, places.clone(), &mut copy));
                assert_eq!(found[..len], expected[places.clone()], "{level:?}");
            }
        }
    }

    #[test]
    fn scores_are_those_of_outcomes_and_are_saved_as_the_soonest() {
        for side in Side::BOTH {
            for winner in Side::BOTH {
                let code = anser_core::Dtw::ended(Some(winner).into()).code();
                let score = OutcomeScore::of_code(code, side);
                assert_eq!(score, OutcomeScore::over(winner == side));
                assert_eq!(score.code(side), code);
                assert_eq!(score.saved(), i8::of_code(code, side));
            }
        }
        for score in ALL {
            assert_eq!(OutcomeScore::restored(score.saved()), score);
            assert_eq!((score.before(), score.is_last()), (score, false));
        }
        // Of an engine of distances as well.
        let restored = [-100, -2, -1, 0, 1, 100].map(OutcomeScore::restored);
        let [draw, undecided, win, loss] = ALL;
        assert_eq!(restored, [loss, loss, undecided, draw, win, win]);
    }
}

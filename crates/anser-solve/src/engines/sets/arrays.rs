//! Arrays of the values of a layer: orbits of arrangements of the few, each with all sets of the
//! many.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::ops::Range;
use std::slice::ChunksMut;

use anser_core::{BySide, Dtw, Side};
use anser_retrograde::isa::{Isa, Kernel, Level, dispatch};
use anser_retrograde::parallel;

use super::layout::PADDING;
use super::scores::Score;
use crate::SolveError;
use crate::engines::store::{Store, Words};
use crate::io::codes::LayerValues;

/// The scores of a layer with one side to move, in memory or in a scratch file.
pub(super) struct Scores<S> {
    words: Words,
    /// Values of an orbit, and the number of orbits.
    sets: usize,
    orbits: usize,
    of: PhantomData<S>,
}

impl<S: Score> Scores<S> {
    /// Allocates draws: so many values of each of so many orbits.
    ///
    /// # Errors
    /// Errors of the scratch file.
    pub(super) fn draws(
        store: Store<'_>,
        [sets, orbits]: [usize; 2],
    ) -> Result<Scores<S>, SolveError> {
        /// Words of the smallest pages.
        const WORDS_OF_PAGE: usize = (4 << 10) / size_of::<u64>();
        let cells = orbits * S::cells(0..sets).len() + S::cells(0..PADDING).len();
        let mut words = store.zeros((cells * size_of::<S::Cell>()).div_ceil(size_of::<u64>()))?;
        if store.scratch.is_none() {
            // A page that is read first is mapped twice, the second time when it is written.
            parallel::for_each(words.chunks_mut(parallel::CHUNK), &|words| {
                words.iter_mut().step_by(WORDS_OF_PAGE).for_each(|word| *word = 0);
            });
        }
        Ok(Scores { words, sets, orbits, of: PhantomData })
    }

    /// Returns the values of an orbit and of those that follow it, padded.
    pub(super) fn orbit(&self, number: usize) -> &[S::Cell] {
        &bytemuck::cast_slice(&self.words)[number * S::cells(0..self.sets).len()..]
    }

    /// Returns the values of orbits, so many together.
    pub(super) fn orbits_mut(&mut self, together: usize) -> ChunksMut<'_, S::Cell> {
        let of_orbit = S::cells(0..self.sets).len();
        let cells: &mut [S::Cell] = bytemuck::cast_slice_mut(&mut self.words);
        cells[..self.orbits * of_orbit].chunks_mut(together * of_orbit)
    }

    /// Returns the orbits of entries, each with its places.
    fn places(
        &self,
        entries: Range<usize>,
    ) -> impl Iterator<Item = (usize, Range<usize>)> + use<S> {
        let sets = self.sets;
        let mut next = entries.start;
        std::iter::from_fn(move || {
            let (orbit, first) = (next / sets, next % sets);
            let end = sets.min(first + entries.end - next);
            next += end - first;
            (end > first).then_some((orbit, first..end))
        })
    }

    /// Sets the values from an entry on.
    pub(super) fn write(&mut self, first: usize, values: &[S]) {
        let of_orbit = S::cells(0..self.sets).len();
        let mut rest = values;
        for (orbit, places) in self.places(first..first + values.len()) {
            let cells: &mut [S::Cell] = bytemuck::cast_slice_mut(&mut self.words);
            let (values, others) = rest.split_at(places.len());
            S::put(&mut cells[orbit * of_orbit..], places.start, values);
            rest = others;
        }
    }
}

impl<S: Score> LayerValues<S> for Scores<S> {
    fn len(&self) -> usize {
        self.sets * self.orbits
    }

    fn read(&self, entries: Range<usize>) -> Cow<'_, [S]> {
        if S::PER_CELL == 1 {
            return Cow::Borrowed(&bytemuck::cast_slice(self.orbit(0))[entries]);
        }
        let (mut values, mut copy) = (Vec::with_capacity(entries.len()), Vec::new());
        for (orbit, places) in self.places(entries) {
            let len = places.len();
            values.extend_from_slice(&view(self.orbit(orbit), places, &mut copy)[..len]);
        }
        Cow::Owned(values)
    }
}

/// Returns values as [`Score::view`] does.
pub(super) fn view<'c, S: Score>(
    cells: &'c [S::Cell],
    places: Range<usize>,
    copy: &'c mut Vec<S>,
) -> &'c [S] {
    dispatch(Level::best(), View { cells, places, copy })
}

struct View<'c, S: Score> {
    cells: &'c [S::Cell],
    places: Range<usize>,
    copy: &'c mut Vec<S>,
}

impl<'c, S: Score> Kernel for View<'c, S> {
    type Output = &'c [S];
    const HAS_AVX512: bool = true;

    #[inline(always)]
    fn run(self, isa: impl Isa) -> &'c [S] {
        S::view(isa, self.cells, self.places, self.copy)
    }
}

/// Scores that a thread looks at at a time.
const CHUNK: usize = 1 << 14;

/// Returns the longest win of each side among scores of `side`.
pub(super) fn longest<S: Score>(
    scores: &(impl LayerValues<S> + ?Sized),
    side: Side,
) -> BySide<Option<u16>> {
    let parts = parallel::map(parallel::ranges(scores.len(), CHUNK), &|entries| {
        dispatch(Level::best(), Slowest(&scores.read(entries)))
    });
    let [won, lost] = parts.into_iter().fold([None; 2], |[won, lost], part| {
        let least = won.into_iter().chain(part[0]).min();
        [least, lost.into_iter().chain(part[1]).max()]
    });
    let plies = |score: S| Dtw::from_code(score.code(side)).and_then(Dtw::plies);
    BySide::from_fn(|winner| if winner == side { won } else { lost }.and_then(plies))
}

/// Finds the least score of a win, and the greatest of a loss.
struct Slowest<'s, S>(&'s [S]);

impl<S: Score> Kernel for Slowest<'_, S> {
    type Output = [Option<S>; 2];

    #[inline(always)]
    fn run(self, _: impl Isa) -> [Option<S>; 2] {
        let draw = S::default();
        let (mut least, mut greatest) = (S::WON, -S::WON);
        let (mut won, mut lost) = (false, false);
        for &score in self.0 {
            let (is_won, is_lost) = (score > draw, score <= S::LONGEST_LOSS);
            least = least.min(if is_won { score } else { S::WON });
            greatest = greatest.max(if is_lost { score } else { -S::WON });
            won |= is_won;
            lost |= is_lost;
        }
        [won.then_some(least), lost.then_some(greatest)]
    }
}

/// Returns the number of scores that are not draws, as far as they [count](Score::counted), counted
/// by all threads.
pub(super) fn decided_of_all<S: Score>(
    scores: &(impl LayerValues<S> + ?Sized),
    greatest: S,
) -> u64 {
    let of_chunk = |entries: Range<usize>| {
        let scores = scores.read(entries);
        let counted = scores.iter().filter(|score| score.counted(greatest) != S::default());
        counted.count() as u64
    };
    parallel::map(parallel::ranges(scores.len(), CHUNK), &of_chunk).into_iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::sets::outcomes::OutcomeScore;

    /// Writes and reads entries of orbits whose sets do not fill their cells.
    fn entries_are_read_as_written<S: Score + std::fmt::Debug>() {
        let mut random = fastrand::Rng::with_seed(1);
        for [sets, orbits] in [[1, 9], [31, 5], [32, 4], [100, 3], [5000, 2]] {
            let mut scores = Scores::<S>::draws(Store::MEMORY, [sets, orbits]).unwrap();
            let mut expected = vec![S::default(); sets * orbits];
            assert_eq!(scores.len(), expected.len());
            for _ in 0..200 {
                let first = random.usize(..=expected.len());
                let len = random.usize(..=expected.len() - first);
                let all = [S::default(), S::UNDECIDED, S::WON, -S::WON];
                let values: Vec<S> = (0..len).map(|_| all[random.usize(..4)]).collect();
                scores.write(first, &values);
                expected[first..first + len].copy_from_slice(&values);
                let first = random.usize(..=expected.len());
                let entries = first..random.usize(first..=expected.len());
                assert_eq!(*scores.read(entries.clone()), expected[entries]);
                let [orbit, place] = [orbits, sets].map(|below| random.usize(..below));
                assert_eq!(S::get(scores.orbit(orbit), place), expected[orbit * sets + place]);
            }
            let together = random.usize(1..=orbits);
            assert_eq!(scores.orbits_mut(together).len(), orbits.div_ceil(together));
        }
    }

    #[test]
    fn entries_of_all_scores_are_read_as_written() {
        entries_are_read_as_written::<OutcomeScore>();
        entries_are_read_as_written::<i8>();
        entries_are_read_as_written::<i16>();
    }
}

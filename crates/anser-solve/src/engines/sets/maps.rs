//! Takes the best value of a move for many sets of one arrangement of the few at once.

use std::ops::Range;
use std::slice;

use anser_retrograde::isa::{Isa, Kernel, Level, dispatch, prefetch};

use super::layout::{Orbit, PADDING, Run, Runs};
use super::moves::{Change, Image, Move};
use super::scores::Score;
use super::shuffle::{Shuffles, Widths, widths};

/// The values that a move leads to.
#[derive(Clone, Copy)]
pub(super) struct Source<'a, S: Score> {
    /// The values of one arrangement of the few, as scores of the side that is then to move.
    pub(super) values: &'a [S::Cell],
    /// That arrangement.
    pub(super) orbit: &'a Orbit,
    /// The symmetry that takes the sets there.
    pub(super) image: &'a Image,
}

/// Values of a run that are prefetched.
const PREFETCHED: usize = 1 << 10;

/// Values in any order that are prefetched.
const GATHERED: usize = 64;

/// Ranks per span, on average, from which on they are taken span by span.
const PER_SPAN: usize = 6;

/// The best moves beside an arrangement of the few, and buffers of a thread.
#[derive(Default)]
pub(super) struct Buffers<S> {
    /// The best scores after a move, of a stretch of sets, padded.
    pub(super) best: Vec<S>,
    /// The place of the first of them.
    pub(super) first: usize,
    /// The numbers of the runs of the stretch.
    pub(super) stretch: Range<usize>,
    /// The runs for which moves are taken.
    pub(super) runs: Runs,
    /// Values before and after they are replaced, as far as they count.
    pub(super) before: Vec<S>,
    pub(super) after: Vec<S>,
    /// The best of the moves that are compulsory.
    pub(super) forced: Vec<S>,
    pub(super) propagate: PropagateBuffers<S>,
    /// See [`Score::view`].
    pub(super) copy: Vec<S>,
    lists: Lists,
    /// The values of a run, copied to be read in any order.
    run: Vec<S>,
}

/// Buffers of a thread that propagates changes.
#[derive(Default)]
pub(super) struct PropagateBuffers<S> {
    /// Changed sets, and the score of a move to each.
    pub(super) changes: Vec<(u64, S)>,
    /// Sets that read one of these, with the place of the set and the score of the move.
    pub(super) reads: Vec<(u64, u32, S)>,
    /// Sets, with their places, for which all moves are looked at.
    pub(super) undecided: Vec<(u64, u32)>,
    /// These, each at one of its moves.
    pub(super) looks: Vec<Look<S>>,
    /// Sets whose values these change.
    pub(super) sets: Vec<u64>,
    /// Sets of a run, with their places, with captures that count from this round on.
    pub(super) due: Vec<(u64, u32)>,
}

/// A set whose moves are looked at one by one.
#[derive(Clone, Copy)]
pub(super) struct Look<S> {
    pub(super) set: u64,
    /// The place of the set.
    pub(super) place: u32,
    /// The number of the next move, and the place of the value that it leads to.
    pub(super) mv: u32,
    pub(super) to: u32,
    /// The best score of the moves before it.
    pub(super) best: S,
}

/// The low parts of the sets to which a move applies. They are kept for the next move, which often
/// differs only in high points.
#[derive(Default)]
struct Lists {
    of: Option<LowMove>,
    /// A bit for each number of low points whose entries were needed so far.
    prepared: u64,
    /// By number of low points.
    entries: Vec<Entries>,
}

/// The low points of a move.
#[derive(Clone, Copy, PartialEq, Eq)]
struct LowMove {
    change: Change,
    /// The few before it.
    few: u64,
    /// The few after it, and the symmetry, if values are read there.
    to: Option<(u64, usize)>,
}

/// Low parts of the sets to which a move applies, all of one size.
#[derive(Default)]
struct Entries {
    /// Ranks of the low parts.
    at: Vec<u16>,
    /// For each of them, the rank to which the move leads; empty if high and low points mix.
    to: Vec<u16>,
    /// For each of them, the image of its points, if high and low points mix.
    images: Vec<u64>,
    /// The largest of `to`.
    last: u16,
    /// The same as `at` and `to`, as consecutive ranks that lead to consecutive ones. Empty if
    /// `shuffles` is used.
    spans: Vec<Span>,
    /// The same as shuffles. Empty if `spans` is used.
    shuffles: Shuffles,
}

/// Consecutive ranks that lead to consecutive ranks.
#[derive(Clone, Copy)]
struct Span {
    at: u16,
    to: u16,
    len: u16,
}

impl Entries {
    fn clear(&mut self) {
        self.at.clear();
        self.to.clear();
        self.images.clear();
        self.last = 0;
        self.spans.clear();
        self.shuffles.clear();
    }

    /// Adds a rank and the one it leads to, in ascending order of `at`.
    #[inline(always)]
    fn push(&mut self, at: u16, to: u16) {
        self.at.push(at);
        self.to.push(to);
    }

    /// Groups the entries into shuffles if these are few enough, otherwise into spans.
    fn group(&mut self, widths: Option<Widths>) {
        self.last = self.to.iter().copied().max().unwrap_or(0);
        if widths.is_some_and(|widths| self.shuffles.find(widths, &self.at, &self.to)) {
            return;
        }
        for (&at, &to) in self.at.iter().zip(&self.to) {
            match self.spans.last_mut() {
                Some(span)
                    if at.wrapping_sub(span.at) == span.len
                        && to.wrapping_sub(span.to) == span.len =>
                {
                    span.len += 1;
                }
                _ => self.spans.push(Span { at, to, len: 1 }),
            }
        }
    }
}

/// Sets of the many to which a move applies, run by run.
struct Domain<'a> {
    orbit: &'a Orbit,
    /// The numbers of the runs, of which only those in `runs` count.
    stretch: Range<usize>,
    runs: &'a Runs,
    change: Change,
    /// The widths of shuffles; `None` if there are none.
    widths: Option<Widths>,
}

impl Domain<'_> {
    /// Calls `visit` with each run that has such sets: the first place of the run, its high points,
    /// the low parts, which `add` has added one by one, and the high points of the next such run.
    #[inline(always)]
    fn visit(
        &self,
        lists: &mut Lists,
        to: Option<(u64, usize)>,
        add: impl Fn(&mut Entries, u16, u32),
        mut visit: impl FnMut(usize, u32, &Entries, Option<u32>),
    ) {
        let Domain { orbit, ref stretch, runs, change, widths } = *self;
        let low_points = orbit.low.points;
        let low_mask = (1u64 << low_points) - 1;
        let low = change.within(low_mask);
        let (has, lacks) = (low.has as u32, low.lacks as u32);
        let (high_has, high_lacks) =
            ((change.has >> low_points) as u32, (change.lacks >> low_points) as u32);
        let of = LowMove {
            change: low,
            few: orbit.few & low_mask,
            to: to.map(|(few, symmetry)| (few & low_mask, symmetry)),
        };
        let Lists { of: known, prepared, entries } = lists;
        if known.replace(of) != Some(of) {
            *prepared = 0;
            entries.resize_with(orbit.low.by_size.len().max(entries.len()), Entries::default);
        }
        let applies = |&&Run { high, .. }: &&Run| {
            high & high_has == high_has && high & high_lacks == 0 && runs.has(high)
        };
        let mut runs = orbit.high.runs[stretch.clone()].iter().filter(applies).peekable();
        while let Some(&Run { high, start, low: size }) = runs.next() {
            let entries = &mut entries[usize::from(size)];
            if *prepared >> size & 1 == 0 {
                *prepared |= 1 << size;
                entries.clear();
                for (rank, &set) in (0..).zip(&orbit.low.by_size[usize::from(size)]) {
                    if set & has == has && set & lacks == 0 {
                        add(entries, rank, set);
                    }
                }
                entries.group(widths);
            }
            visit(start as usize, high, entries, runs.peek().map(|run| run.high));
        }
    }
}

impl<S: Score> Buffers<S> {
    /// Begins with the scores of some moves of all sets of an orbit, or without any move. Moves are
    /// taken for a stretch of runs, given by their numbers.
    pub(super) fn start(&mut self, orbit: &Orbit, known: &[S], stretch: Range<usize>) {
        let places = orbit.places_of(stretch.clone());
        (self.first, self.stretch) = (places.start, stretch);
        self.best.resize(places.len() + PADDING, S::NONE);
        let best = &mut self.best[..places.len()];
        match known.get(places) {
            Some(known) => best.copy_from_slice(known),
            None => best.fill(S::NONE),
        }
    }

    /// Takes the value of a move for each set of `orbit` to which it applies, if it is better than
    /// the best one so far. The values of `source` are padded with [`PADDING`] others.
    pub(super) fn take(&mut self, orbit: &Orbit, change: Change, source: Source<'_, S>) {
        dispatch(Level::best(), TakeBest { orbit, change, source, buffers: self });
    }

    /// Takes a move of the few to an orbit with these values.
    pub(super) fn take_move(
        &mut self,
        orbit: &Orbit,
        mv: &Move,
        (values, to): (&[S::Cell], &Orbit),
        images: &[Image],
    ) {
        let image = &images[usize::from(mv.symmetry)];
        self.take(orbit, mv.change, Source { values, orbit: to, image });
    }

    /// Takes `value` for each set of `orbit` to which a move applies, if it is better than the best
    /// one so far.
    pub(super) fn take_value(&mut self, orbit: &Orbit, change: Change, value: S) {
        let Buffers { best, first, stretch, runs, lists, .. } = self;
        Domain { orbit, stretch: stretch.clone(), runs, change, widths: None }.visit(
            lists,
            None,
            |entries, rank, _| entries.push(rank, rank),
            |start, _, entries, _| {
                for span in &entries.spans {
                    let from = start - *first + usize::from(span.at);
                    for best in &mut best[from..from + usize::from(span.len)] {
                        *best = (*best).max(value);
                    }
                }
            },
        );
    }
}

struct TakeBest<'a, S: Score> {
    orbit: &'a Orbit,
    change: Change,
    source: Source<'a, S>,
    buffers: &'a mut Buffers<S>,
}

impl<S: Score> Kernel for TakeBest<'_, S> {
    type Output = ();
    const HAS_AVX512: bool = true;

    #[inline(always)]
    fn run(self, isa: impl Isa) {
        let TakeBest { orbit, change, source, buffers } = self;
        let Source { values, orbit: to, image } = source;
        let Buffers { best, first: first_of_all, stretch, runs, copy, lists, run, .. } = buffers;
        let (first_of_all, stretch) = (*first_of_all, stretch.clone());
        let low_points = orbit.low.points;
        let low_mask = (1u64 << low_points) - 1;
        let low_flip = (change.flip & low_mask) as u32;
        let high_flip = (change.flip >> low_points) as u32;
        let domain = Domain { orbit, stretch, runs, change, widths: widths::<S, _>(isa) };
        let after = Some((to.few, image.symmetry));
        if !image.keeps_low {
            let add = |entries: &mut Entries, rank, set| {
                entries.at.push(rank);
                entries.images.push(image.of_low(set ^ low_flip));
            };
            domain.visit(lists, after, add, |start, high, entries, _| {
                let high_image = image.of(u64::from(high ^ high_flip) << low_points);
                let best = &mut best[start - first_of_all..];
                // The values lie anywhere.
                let mut places = [0; GATHERED];
                let images = entries.images.chunks(GATHERED);
                for (at, images) in entries.at.chunks(GATHERED).zip(images) {
                    for (place, low_image) in places.iter_mut().zip(images) {
                        *place = to.place(high_image | low_image);
                        prefetch(isa, slice::from_ref(&values[*place / S::PER_CELL]));
                    }
                    for (&at, &place) in at.iter().zip(&places) {
                        let best = &mut best[usize::from(at)];
                        *best = (*best).max(S::get(values, place).opposite());
                    }
                }
            });
            return;
        }
        let add = |entries: &mut Entries, rank, set| {
            entries.push(rank, to.low.rank[image.of_low(set ^ low_flip) as usize]);
        };
        copy.resize(copy.len().max(PADDING + S::PER_CELL), S::default());
        run.resize(PADDING, S::default());
        let run: &mut [S; PADDING] = run.first_chunk_mut().expect("as long");
        let place = |high: u32| to.high.start(image.of_high(high ^ high_flip)) as usize;
        let mut upcoming = None;
        domain.visit(lists, after, add, |start, high, entries, next| {
            let first = upcoming.unwrap_or_else(|| place(high));
            upcoming = next.map(place);
            let len = usize::from(entries.last) + 1;
            // The runs are read in the order of another arrangement of the points.
            if let Some(first) = upcoming {
                prefetch(isa, &values[S::cells(first..first + len.min(PREFETCHED))]);
            }
            let values = S::view(isa, values, first..first + len, copy);
            let values: &[S; PADDING] = values.first_chunk().expect("values are padded");
            let best: &mut [S; PADDING] =
                best[start - first_of_all..].first_chunk_mut().expect("the best are padded");
            if !entries.shuffles.is_empty() {
                entries.shuffles.take_opposites(isa, values, best);
            } else if entries.at.len() >= PER_SPAN * entries.spans.len() {
                for span in &entries.spans {
                    let [at, to, len] = [span.at, span.to, span.len].map(usize::from);
                    for (best, &value) in best[at..at + len].iter_mut().zip(&values[to..to + len]) {
                        *best = (*best).max(value.opposite());
                    }
                }
            } else {
                for (opposite, &value) in run[..len].iter_mut().zip(&values[..len]) {
                    *opposite = value.opposite();
                }
                for (&at, &to) in entries.at.iter().zip(&entries.to) {
                    let best = &mut best[usize::from(at)];
                    *best = (*best).max(run[usize::from(to)]);
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use anser_core::Hunt;
    use anser_core::hunt::PointSet;

    use super::*;
    use crate::engines::sets::frontier::runs_that_read;
    use crate::engines::sets::layout::{High, Low};
    use crate::engines::sets::order::PointOrder;
    use crate::engines::sets::outcomes::OutcomeScore;
    use crate::engines::sets::tests::on_board;

    fn orbit([points, low_points]: [u32; 2], few: u64, many: usize) -> Orbit {
        let low = Low::new(low_points, few & ((1 << low_points) - 1));
        let high_points = points - low_points;
        let high = High::of_all(high_points, few >> low_points, &low, many);
        Orbit { few, low: Arc::new(low), high: Arc::new(high) }
    }

    fn for_each_set(orbit: &Orbit, mut visit: impl FnMut(usize, u64)) {
        for &run in &orbit.high.runs {
            orbit.for_each_set(run, &mut visit);
        }
    }

    fn random_scores<S: Score>(len: usize, state: &mut u64) -> Vec<S> {
        let mut next = || {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let random = *state >> 40;
            if S::BITS == OutcomeScore::BITS {
                [S::default(), S::UNDECIDED, S::WON, -S::WON][random as usize % 4]
            } else {
                bytemuck::must_cast_slice::<u64, S>(&[random])[0]
            }
        };
        (0..len).map(|_| next()).collect()
    }

    /// Compares all ways to take the best of a move with a look at each set. `change` has the
    /// points of the move, by their bits; the few are on point 0, and on `to` after it.
    fn compare<S: Score + std::fmt::Debug>(
        board: [u32; 2],
        image: &Image,
        change: Change,
        to: u64,
        many: usize,
    ) {
        let mut state = 1;
        let from = orbit(board, 1, many);
        let [taken, added] =
            [change.has, change.lacks].map(|of| (change.flip & of).count_ones() as usize);
        let to = orbit(board, image.of(to), many + added - taken);
        let mut sets = 0;
        for_each_set(&from, |_, _| sets += 1);
        let mut of_to = 0;
        for_each_set(&to, |_, _| of_to += 1);
        let before: Vec<S> = random_scores(sets + PADDING, &mut state);
        let values: Vec<S> = random_scores(of_to + PADDING, &mut state);
        let mut cells = vec![S::Cell::default(); S::cells(0..values.len()).len()];
        S::put(&mut cells, 0, &values);
        let mut expected = before.clone();
        for_each_set(&from, |place, set| {
            if set & change.has == change.has && set & change.lacks == 0 {
                let set = image.of(set ^ change.flip);
                expected[place] = expected[place].max(values[to.place(set)].opposite());
            }
        });
        assert_ne!(expected, before);
        for level in Level::available() {
            let (best, runs, stretch) = (before.clone(), Runs::all(&from), 0..from.high.runs.len());
            let mut buffers = Buffers { best, stretch, runs, ..Buffers::default() };
            let source = Source { values: &cells, orbit: &to, image };
            let (orbit, buffers) = (&from, &mut buffers);
            dispatch(level, TakeBest { orbit, change, source, buffers: &mut *buffers });
            assert!(
                buffers.best == expected,
                "{level:?}, {board:?}, {}, {change:?}",
                image.symmetry
            );
        }
    }

    #[test]
    fn runs_that_read_a_changed_set_are_computed_and_others_are_not() {
        let game = Hunt::new(on_board(4, 4)).expect("the description is right");
        let order = PointOrder::of_tables(16);
        for (low_points, many) in [(6, 5), (8, 4), (9, 5)] {
            let from = orbit([16, low_points], 1, many);
            for symmetry in 0..game.symmetries() {
                let image = Image::new(&game, symmetry, &order, low_points);
                let (here, there) = (1 << (low_points - 1), 1 << 15);
                let change = Change { has: here, lacks: there, flip: here | there };
                for changed_high in [1, 3, 6] {
                    let mut changed = Runs::default();
                    changed.insert(changed_high);
                    let none = Runs::default();
                    let reading =
                        runs_that_read(&from, &none, [(change, &image, &changed)].into_iter());
                    let mut expected = Runs::default();
                    for_each_set(&from, |_, set| {
                        let after = image.of(set ^ change.flip);
                        let applies = set & change.has == change.has && set & change.lacks == 0;
                        if applies && changed.has((after >> low_points) as u32) {
                            expected.insert((set >> low_points) as u32);
                        }
                    });
                    for run in &from.high.runs {
                        let (reads, needs) = (reading.has(run.high), expected.has(run.high));
                        assert!(reads || !needs, "{low_points} {symmetry} {}", run.high);
                    }
                    if image.keeps_low {
                        let read = from.high.runs.iter().filter(|run| reading.has(run.high));
                        assert!(read.count() <= 1, "more runs than the one that is mapped there");
                    }
                    let own = runs_that_read(&from, &reading, std::iter::empty());
                    for run in &from.high.runs {
                        assert_eq!(own.has(run.high), reading.has(run.high));
                    }
                }
            }
        }
    }

    #[test]
    fn the_best_of_a_move_is_taken_for_every_set_with_any_instructions() {
        // Numbers of low points that rotations and mirrors map to low ones, and others that they do
        // not.
        for (columns, low_points, many) in
            [(4, 12, 6), (4, 9, 5), (5, 12, 8), (5, 16, 9), (5, 13, 4)]
        {
            let game = Hunt::new(on_board(columns, columns)).expect("the description is right");
            // Corners, the points beside them, and so on: orbits of the symmetries follow each
            // other.
            let points = columns * columns;
            let mut order: Vec<u8> = (0..points as u8).collect();
            let least = |&point: &u8| {
                let image = |symmetry| game.image_of_set(PointSet::of(point), symmetry).first();
                (0..game.symmetries()).map(image).min()
            };
            order.sort_by_key(least);
            let order = PointOrder::new(order);
            for symmetry in 0..game.symmetries() {
                let image = Image::new(&game, symmetry, &order, low_points);
                let board = [points as u32, low_points];
                let (low, other, high) = (2, 1 << 5, 1 << (points - 1));
                for (change, to) in [
                    // A step of the few, without and with a capture.
                    (Change { has: 0, lacks: low, flip: 0 }, low),
                    (Change { has: 0, lacks: high, flip: 0 }, high),
                    (Change { has: other, lacks: low, flip: other }, low),
                    // A step of the many, and a placement.
                    (Change { has: low, lacks: other, flip: low | other }, 1),
                    (Change { has: low, lacks: high, flip: low | high }, 1),
                    (Change { has: 0, lacks: high, flip: high }, 1),
                    (Change { has: 0, lacks: low, flip: low }, 1),
                ] {
                    compare::<i8>(board, &image, change, to, many);
                    compare::<i16>(board, &image, change, to, many);
                    compare::<OutcomeScore>(board, &image, change, to, many);
                }
            }
        }
    }
}

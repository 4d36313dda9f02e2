//! The fixpoints of a layer: one operator, iterated from below or from above.
//!
//! A position with the geese to move is *good for the geese* if some move leads to a good one. A
//! position with the fox to move is good if all steps lead to good ones and all captures do; the
//! latter does not change during the rounds and is precomputed as `allowed`. The least set that
//! satisfies this is what the geese win, and the greatest is what the fox does not win. Both are
//! computed by the same two passes in turn: geese to move from fox to move, and fox to move from
//! geese to move. A pass recomputes only the blocks that read something that the previous pass
//! changed.

use super::passes::Fields;
use crate::engines::store::{Store, Words, shared};
use std::ops::DerefMut;
use std::sync::atomic::{AtomicBool, AtomicU64};

use anser_core::Side;

use super::bound::Bound;
use super::codes::Codes;
use super::delta::{Changes, Propagation};
use super::kernels::ones;
use super::moves::FoxStep;
use super::passes::{FoxPass, GeesePass, Scratch};
use super::releases::Releases;
use super::report::Report;
use super::shape::Shape;
use super::symmetry::{Space, transpose_field};
use crate::SolveError;
use anser_retrograde::isa::dispatch;
use anser_retrograde::parallel::{self, Buffers};

/// Contribution of captures to the positions with the fox to move; see
/// [`captures`](super::captures).
#[derive(Default)]
pub(super) struct Captures {
    /// By class, in orientation 0: all captures lead to good positions. If captures are timed, all
    /// that are released lead to good positions from below, and none leads to a position that is
    /// not good from above.
    pub(super) allowed: Vec<Words>,
    /// By class, in orientation 0: the fox must capture, so its steps do not count. Empty unless
    /// captures are compulsory.
    pub(super) forced: Vec<Words>,
    /// When captures take effect, if they take effect in the rounds of their distances and lead to
    /// positions with different distances.
    pub(super) releases: Option<Releases>,
}

/// Threshold in words per change: the changes of a block are propagated one by one if there is at
/// most one per this many words of the block. Propagating one change then costs about as much as
/// recomputing that many words.
pub(super) const WORDS_PER_CHANGE: u64 = 24;

/// State of the iteration.
pub(super) struct Fixpoint<'a> {
    space: Space<'a>,
    bound: Bound,
    /// The contribution of captures.
    pub(super) captures: Captures,
    /// Codes that the passes record, if distances are computed.
    pub(super) codes: Option<Codes<'a>>,
    /// Good positions with the fox to move, in both orientations.
    pub(super) fox: Fields,
    /// Good positions with the geese to move, in the orientations that fox steps read.
    pub(super) geese: Fields,
    /// By class and block, in orientation 0: whether the last pass changed `geese`, or changed
    /// `fox` without a delta.
    changed: [Vec<Vec<bool>>; 2],
    /// Deltas of the last pass of `fox`: the class, and the block and changes in the first
    /// orientation in which the geese are kept.
    deltas: Vec<(usize, usize, Changes)>,
    /// See [`WORDS_PER_CHANGE`].
    pub(super) words_per_change: u64,
    /// Whether no round has begun yet.
    before_rounds: bool,
    /// By class and block, in orientation 0: whether captures were released since the last pass of
    /// the fox to move.
    released: Vec<Vec<bool>>,
    /// Whether the iteration started from the empty set, which no goose move leads to.
    from_empty: bool,
    /// By class: the orbits that can contain a good position with the fox to move. In the others
    /// every fox has a capture that is not good for the geese.
    live: Vec<Vec<usize>>,
}

/// The blocks of one class, each to be written by one task.
pub(super) struct Outputs<'a> {
    shape: &'a Shape,
    /// By orientation and block; empty for an orientation that is not kept.
    blocks: [Vec<Option<&'a mut [u64]>>; 2],
}

impl<'a> Outputs<'a> {
    /// Splits the rows of both orientations.
    pub(super) fn new(shape: &'a Shape, rows: &'a mut [impl DerefMut<Target = [u64]>; 2]) -> Self {
        let blocks = rows.each_mut().map(|rows| {
            if rows.is_empty() {
                Vec::new()
            } else {
                shape.split(rows).into_iter().map(Some).collect()
            }
        });
        Outputs { shape, blocks }
    }

    /// Takes the blocks of an orbit, each in both orientations. Orbits are disjoint.
    pub(super) fn take(&mut self, orbit: &[usize]) -> Vec<[Option<&'a mut [u64]>; 2]> {
        let mut take =
            |half: usize, number: usize| self.blocks[half].get_mut(number).and_then(Option::take);
        let both = |&number: &usize| {
            let transposed = self.shape.transposed_number(&self.shape.blocks[number]);
            [take(0, number), take(1, transposed)]
        };
        orbit.iter().map(both).collect()
    }
}

impl<'a> Fixpoint<'a> {
    /// Starts from `known`, positions with the fox to move in orientation 0: a subset of the
    /// fixpoint from below, a superset from above. With `codes`, these record what the passes
    /// decide, and captures take effect in the rounds of their distances.
    pub(super) fn new(
        store: Store<'_>,
        space: Space<'a>,
        bound: Bound,
        captures: Captures,
        known: Vec<Words>,
        codes: Option<Codes<'a>>,
    ) -> Result<Self, SolveError> {
        let Space { shape, foxes, orbits, level } = space;
        let may_be_good = |class: usize, number: usize| match (&codes, bound, &captures.releases) {
            // Values that captures decide are recorded in every block.
            (Some(_), Bound::Greatest, _) => true,
            (Some(_), Bound::Least, Some(releases)) => releases.may_be_good(class, number),
            _ => captures.allowed.get(class).is_some_and(|allowed| {
                shape.blocks[number].of(allowed).iter().any(|&word| word != 0)
            }),
        };
        let live = parallel::map(orbits.iter().enumerate(), &|(class, orbits)| {
            let some = |&number: &usize| may_be_good(class, number);
            (0..orbits.len()).filter(|&orbit| orbits[orbit].iter().any(some)).collect()
        });
        let is_empty = |rows: &Words| rows.iter().all(|&word| word == 0);
        let from_empty =
            bound == Bound::Least && !parallel::map(&known, &is_empty).contains(&false);
        let fox: Fields = parallel::try_map(known, &|rows| {
            let transposed = transpose_field(store, shape, level, &rows)?;
            Ok::<_, SolveError>([rows, transposed])
        })?;
        let geese = parallel::try_map(foxes, &|fox| {
            let rows = |read: bool| match (read, bound) {
                (false, _) => Ok(Words::default()),
                (true, Bound::Least) => store.zeros(shape.words),
                (true, Bound::Greatest) => ones(store, shape),
            };
            Ok::<_, SolveError>([rows(fox.read[0])?, rows(fox.read[1])?])
        })?;
        let flags = |value| vec![vec![value; shape.blocks.len()]; foxes.len()];
        Ok(Fixpoint {
            space,
            bound,
            captures,
            codes,
            fox,
            geese,
            released: flags(false),
            changed: [flags(true), flags(true)],
            deltas: Vec::new(),
            words_per_change: WORDS_PER_CHANGE,
            before_rounds: true,
            from_empty,
            live,
        })
    }

    /// Returns the recorded codes.
    ///
    /// # Panics
    /// If none are recorded.
    pub(super) fn codes(&mut self) -> &mut Codes<'a> {
        self.codes.as_mut().expect("codes are recorded")
    }

    /// Releases the captures of a round: those into positions in which the geese move, and that are
    /// won in that number of rounds by the side that wins the members of the bound. Returns whether
    /// captures are left for later rounds.
    pub(super) fn release(&mut self, round: u16) -> bool {
        let Fixpoint { space, bound, ref mut captures, ref mut released, .. } = *self;
        let shape = space.shape;
        let Captures { allowed, releases: Some(releases), .. } = captures else { return false };
        let releases = &*releases;
        let classes = allowed.iter_mut().zip(released).enumerate();
        let blocks = classes.flat_map(|(class, (allowed, released))| {
            let blocks = shape.split(allowed).into_iter().zip(released).enumerate();
            blocks.map(move |(number, block)| (class, number, block))
        });
        parallel::for_each(blocks, &|(class, number, (allowed, released))| {
            let block = (number, &shape.blocks[number]);
            *released |= releases.apply(bound, round, class, block, allowed);
        });
        releases.last(bound).is_some_and(|last| last > round)
    }

    /// Recomputes the geese to move where the fox to move changed. Returns the approximate number
    /// of classes that changed.
    pub(super) fn geese_pass(&mut self, report: &Report<'_>) -> u64 {
        let Fixpoint { space, bound, ref fox, ref mut geese, ref changed, ref mut codes, .. } =
            *self;
        let Space { shape, foxes, orbits, level } = space;
        let mut records = split_codes(codes.as_mut(), Side::Second, foxes.len());
        let classes = geese.iter_mut().zip(&mut records).enumerate();
        let tasks = parallel::map(classes, &|(class, (rows, record))| {
            let (fox, changed) = (&foxes[class], &changed[0][class]);
            let mut outputs = Outputs::new(shape, rows);
            let dirty = |&number: &usize| {
                fox.any_goose_target(shape, &shape.blocks[number], |target| changed[target])
            };
            let orbits =
                orbits[class].iter().enumerate().filter(|(_, orbit)| orbit.iter().any(dirty));
            let tasks = orbits.map(|(number, orbit)| {
                (class, orbit, outputs.take(orbit), take_record(record, number))
            });
            tasks.collect::<Vec<_>>()
        });
        report.begin(tasks.iter().flatten().map(|(_, orbit, ..)| words(shape, orbit)).sum());
        let buffers = Buffers::<Scratch>::default();
        let done = parallel::map(tasks.into_iter().flatten(), &|(class, orbit, out, record)| {
            let (fox, field) = (&foxes[class], &fox[class]);
            let bits = buffers.with(|scratch| {
                let pass = GeesePass { shape, fox, field, bound, orbit, out, record, scratch };
                dispatch(level, pass)
            });
            report.advance(words(shape, orbit));
            let blocks = orbit.iter().zip(bits);
            blocks.map(|(&number, bits)| (class, number, bits)).collect::<Vec<_>>()
        });
        self.record_changes(1, done.into_iter().flatten()) + self.propagate_deltas()
    }

    /// Propagates the deltas of the last fox pass to the positions with the geese to move. Returns
    /// the approximate number of classes that changed.
    fn propagate_deltas(&mut self) -> u64 {
        let Fixpoint {
            space, bound, ref fox, ref mut geese, ref mut changed, ref mut codes, ..
        } = *self;
        let Space { shape, foxes, level, .. } = space;
        let codes = codes.as_mut().map(|codes| codes.share(Side::Second, shape));
        let geese: Vec<[&[AtomicU64]; 2]> =
            geese.iter_mut().map(|rows| rows.each_mut().map(|rows| shared(rows))).collect();
        let flags: Vec<Vec<AtomicBool>> = foxes
            .iter()
            .map(|_| shape.blocks.iter().map(|_| AtomicBool::new(false)).collect())
            .collect();
        let deltas = std::mem::take(&mut self.deltas);
        let counts = parallel::map(deltas, &|(class, number, changes)| {
            let orientation = foxes[class].first_read();
            let propagation = Propagation {
                block: &shape.blocks[number],
                changes: &changes,
                shape,
                fox: &foxes[class],
                bound,
                orientation,
                field: &fox[class][orientation],
                geese: geese[class][orientation],
                geese_transposed: (foxes[class].read == [true; 2]).then_some(geese[class][1]),
                changed: &flags[class],
                codes: codes.as_ref().map(|codes| &codes[class]),
            };
            (class, dispatch(level, propagation))
        });
        for (class, flags) in flags.into_iter().enumerate() {
            for (number, flag) in flags.into_iter().enumerate() {
                changed[1][class][foxes[class].read_number(shape, number)] |= flag.into_inner();
            }
        }
        let mut by_class = vec![0; foxes.len()];
        for (class, count) in counts {
            by_class[class] += count;
        }
        self.count_classes(&by_class)
    }

    /// Recomputes the fox to move where the geese to move changed. Returns the approximate number
    /// of classes that changed.
    pub(super) fn fox_pass(&mut self, report: &Report<'_>) -> u64 {
        let Space { shape, foxes, orbits, level } = self.space;
        let Fixpoint { bound, words_per_change, before_rounds, ref captures, ref mut fox, .. } =
            *self;
        let Fixpoint { ref geese, ref changed, ref live, ref released, ref mut codes, .. } = *self;
        let timed = codes.is_some();
        let mut records = split_codes(codes.as_mut(), Side::First, foxes.len());
        let classes = fox.iter_mut().zip(&mut records).enumerate();
        let tasks = parallel::map(classes, &|(class, (rows, record))| {
            let mut outputs = Outputs::new(shape, rows);
            let dirty = |&number: &usize| {
                let block = &shape.blocks[number];
                let step =
                    |step: &FoxStep| step.any_target(shape, block, |to| changed[1][step.to][to]);
                released[class][number] || foxes[class].steps.iter().any(step)
            };
            // Blocks in which the fox cannot step read nothing, so the first pass decides them.
            let orbits = live[class].iter().map(|&number| (number, &orbits[class][number]));
            let orbits = orbits.filter(|(_, orbit)| before_rounds || orbit.iter().any(dirty));
            let tasks = orbits.map(|(number, orbit)| {
                let both =
                    |rows: Option<_>| rows.expect("both orientations of the fox to move are kept");
                let out: Vec<_> =
                    outputs.take(orbit).into_iter().map(|halves| halves.map(both)).collect();
                (class, orbit, out, take_record(record, number))
            });
            tasks.collect::<Vec<_>>()
        });
        report.begin(tasks.iter().flatten().map(|(_, orbit, ..)| words(shape, orbit)).sum());
        let buffers = Buffers::<Scratch>::default();
        let done = parallel::map(tasks.into_iter().flatten(), &|(class, orbit, out, record)| {
            let forced = captures.forced.get(class).map(|forced| &**forced);
            let allowed = &captures.allowed[class];
            let fox = &foxes[class];
            let bits = buffers.with(|scratch| {
                let pass = FoxPass {
                    shape,
                    fox,
                    geese,
                    bound,
                    words_per_change,
                    timed,
                    allowed,
                    forced,
                    orbit,
                    out,
                    record,
                    scratch,
                };
                dispatch(level, pass)
            });
            report.advance(words(shape, orbit));
            let blocks = orbit.iter().zip(bits);
            blocks.map(|(&number, bits)| (class, number, bits)).collect::<Vec<_>>()
        });
        let (mut bits, mut in_deltas) = (Vec::with_capacity(done.len()), Vec::new());
        for (class, number, changed) in done.into_iter().flatten() {
            bits.push((class, number, changed.bits));
            if let Some(changes) = changed.delta {
                self.deltas.push((class, foxes[class].read_number(shape, number), changes));
                in_deltas.push((class, number));
            }
        }
        for released in &mut self.released {
            released.fill(false);
        }
        let classes = self.record_changes(0, bits);
        // A block with a delta is not recomputed.
        for (class, number) in in_deltas {
            self.changed[0][class][number] = false;
        }
        classes
    }

    /// Starts the rounds. If the iteration started from the empty set, or records codes, the passes
    /// so far noted all changes; otherwise every block counts as changed.
    pub(super) fn begin_rounds(&mut self) {
        if !self.from_empty && self.codes.is_none() {
            for flags in &mut self.changed[0] {
                flags.fill(true);
            }
        }
        self.before_rounds = false;
    }

    /// Records which blocks of a side changed. Returns the approximate number of classes that
    /// changed.
    fn record_changes(
        &mut self,
        side: usize,
        done: impl IntoIterator<Item = (usize, usize, u64)>,
    ) -> u64 {
        for flags in &mut self.changed[side] {
            flags.fill(false);
        }
        let mut by_class = vec![0; self.space.foxes.len()];
        for (class, number, bits) in done {
            self.changed[side][class][number] = bits > 0;
            by_class[class] += bits;
        }
        self.count_classes(&by_class)
    }

    /// Returns the approximate number of classes of the given numbers of positions per fox class.
    fn count_classes(&self, by_class: &[u64]) -> u64 {
        by_class
            .iter()
            .zip(self.space.foxes)
            .map(|(bits, fox)| bits.div_ceil(u64::from(fox.symmetries)))
            .sum()
    }
}

/// Returns the number of words in the blocks of an orbit.
fn words(shape: &Shape, orbit: &[usize]) -> u64 {
    orbit.iter().map(|&number| shape.blocks[number].len() as u64).sum()
}

/// Blocks that receive codes, by plane.
type Record<'c> = Vec<&'c mut [u64]>;

/// Takes the blocks of an orbit that receive codes, none if no codes are recorded.
fn take_record<'c>(records: &mut [Record<'c>], orbit: usize) -> Record<'c> {
    records.get_mut(orbit).map(std::mem::take).unwrap_or_default()
}

/// Returns the blocks that receive codes, by class and orbit; nothing for a class if no codes are
/// recorded.
fn split_codes<'c>(
    codes: Option<&'c mut Codes<'_>>,
    side: Side,
    classes: usize,
) -> Vec<Vec<Record<'c>>> {
    match codes {
        Some(codes) => codes.split(side),
        None => (0..classes).map(|_| Vec::new()).collect(),
    }
}

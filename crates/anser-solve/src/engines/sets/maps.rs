//! Moves as maps between the sets of the many.
//!
//! A move applies to the sets that have some points and lack others, and changes fixed points of
//! them. If the few move, the arrangement that they leave behind is replaced by the representative
//! of its orbit, and the set by its image under a symmetry. The best value of a move is taken for
//! all sets of one arrangement of the few at once.

use anser_core::Hunt;
use anser_core::hunt::PointSet;

use super::layout::{Orbit, Run};

/// A position without a move so far: less than every score.
pub(super) const NONE: i16 = i16::MIN;

/// The score of a win in 0 plies for the side to move. One ply more is one less; 0 is a draw, and a
/// loss is the negative score of the win of the other side.
pub(super) const WON: i16 = i16::MAX;

/// Which sets of the many a move applies to, and the points of them that it changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    /// Points that the set must have.
    pub(super) has: u64,
    /// Points that the set must not have.
    pub(super) lacks: u64,
    /// Points that the move takes away or adds.
    pub(super) flip: u64,
}

/// A symmetry as a map of sets of points.
pub(super) struct Image {
    /// By byte of a set: the image of the byte.
    bytes: [[u64; 256]; 5],
    /// Whether it maps the low points to the low points.
    keeps_low: bool,
}

impl Image {
    pub(super) fn new(game: &Hunt, symmetry: usize, low_points: u32) -> Image {
        let of =
            |set: u64| game.image_of_set(PointSet::from_bits(set.into()), symmetry).bits() as u64;
        let points = game.description().points.len();
        let bytes = std::array::from_fn(|byte| {
            std::array::from_fn(|set| {
                let bits = (0..8).filter(|bit| set >> bit & 1 != 0 && 8 * byte + bit < points);
                bits.fold(0, |image, bit| image | of(1 << (8 * byte + bit)))
            })
        });
        let low = (1 << low_points) - 1;
        Image { bytes, keeps_low: of(low) == low }
    }

    #[inline]
    fn of(&self, set: u64) -> u64 {
        let bytes = self.bytes.iter().zip(set.to_le_bytes());
        bytes.fold(0, |image, (table, byte)| image | table[usize::from(byte)])
    }
}

/// The values that a move leads to.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    /// The values of one arrangement of the few, as scores of the side that is then to move.
    pub(super) values: &'a [i16],
    /// That arrangement.
    pub(super) orbit: &'a Orbit,
    /// The symmetry that takes the sets there.
    pub(super) image: &'a Image,
}

/// Buffers of a thread.
#[derive(Default)]
pub(super) struct Buffers {
    /// By number of low points.
    entries: Vec<Entries>,
}

/// Low parts of the sets to which a move applies, all of one size.
#[derive(Default)]
struct Entries {
    /// Ranks of the low parts.
    at: Vec<u32>,
    /// For each of them, where the move leads: a rank of low points, or the image of low points.
    to: Vec<u64>,
    /// Whether the move maps each low part to the one of the same rank.
    same: bool,
}

/// Sets of the many to which a move applies, run by run.
struct Domain<'a> {
    orbit: &'a Orbit,
    low_points: u32,
    change: Change,
}

impl Domain<'_> {
    /// Calls `visit` with each run that has such sets: the first place of the run, its high points,
    /// and the low parts, whose `to` are those that `to` returns.
    fn visit(
        &self,
        buffers: &mut Buffers,
        to: impl Fn(u32) -> u64,
        mut visit: impl FnMut(usize, u32, &Entries),
    ) {
        let Domain { orbit, low_points, change } = *self;
        let low_mask = (1u64 << low_points) - 1;
        let [has, lacks] = [change.has, change.lacks].map(|set| (set & low_mask) as u32);
        let [high_has, high_lacks] =
            [change.has, change.lacks].map(|set| (set >> low_points) as u32);
        let sizes = orbit.low.by_size.len().max(buffers.entries.len());
        buffers.entries.resize_with(sizes, Entries::default);
        let mut prepared = 0u64;
        for &Run { high, start, low: size } in &orbit.high.runs {
            if high & high_has != high_has || high & high_lacks != 0 {
                continue;
            }
            let entries = &mut buffers.entries[usize::from(size)];
            if prepared >> size & 1 == 0 {
                prepared |= 1 << size;
                let sets = &orbit.low.by_size[usize::from(size)];
                entries.at.clear();
                entries.to.clear();
                entries.same = true;
                for (rank, &set) in (0..).zip(sets) {
                    if set & has == has && set & lacks == 0 {
                        let to = to(set);
                        entries.same &= to == u64::from(rank);
                        entries.at.push(rank);
                        entries.to.push(to);
                    }
                }
                entries.same &= entries.at.len() == sets.len();
            }
            visit(start as usize, high, entries);
        }
    }
}

/// Takes the value of a move for each set of `orbit` to which it applies, if it is better than the
/// one in `best`.
pub(super) fn take_best(
    best: &mut [i16],
    orbit: &Orbit,
    low_points: u32,
    change: Change,
    source: Source<'_>,
    buffers: &mut Buffers,
) {
    let Source { values, orbit: to, image } = source;
    let low_mask = (1u64 << low_points) - 1;
    let low_flip = (change.flip & low_mask) as u32;
    let high_flip = (change.flip >> low_points) as u32;
    let high_image = |high: u32| image.of(u64::from(high ^ high_flip) << low_points);
    let domain = Domain { orbit, low_points, change };
    if image.keeps_low {
        let low_rank = |set: u32| to.low.rank[image.of((set ^ low_flip).into()) as usize].into();
        domain.visit(buffers, low_rank, |start, high, entries| {
            let first = to.high.start[(high_image(high) >> low_points) as usize];
            let (best, values) = (&mut best[start..], &values[first as usize..]);
            if entries.same {
                let len = entries.at.len();
                for (best, &value) in best[..len].iter_mut().zip(&values[..len]) {
                    *best = (*best).max(-value);
                }
            } else {
                for (&at, &to) in entries.at.iter().zip(&entries.to) {
                    let best = &mut best[at as usize];
                    *best = (*best).max(-values[to as usize]);
                }
            }
        });
    } else {
        let low_image = |set: u32| image.of((set ^ low_flip).into());
        domain.visit(buffers, low_image, |start, high, entries| {
            let (best, high_image) = (&mut best[start..], high_image(high));
            for (&at, &low_image) in entries.at.iter().zip(&entries.to) {
                let set = high_image | low_image;
                let place = to.high.start[(set >> low_points) as usize]
                    + to.low.rank[(set & low_mask) as usize];
                let best = &mut best[at as usize];
                *best = (*best).max(-values[place as usize]);
            }
        });
    }
}

/// Takes `value` for each set of `orbit` to which a move applies, if it is better than the one in
/// `best`.
pub(super) fn take_value(
    best: &mut [i16],
    orbit: &Orbit,
    low_points: u32,
    change: Change,
    value: i16,
    buffers: &mut Buffers,
) {
    Domain { orbit, low_points, change }.visit(
        buffers,
        |_| 0,
        |start, _, entries| {
            for &at in &entries.at {
                let best = &mut best[start + at as usize];
                *best = (*best).max(value);
            }
        },
    );
}

/// Calls `visit` with the place and the points of every set of the many.
pub(super) fn for_each_set(orbit: &Orbit, low_points: u32, mut visit: impl FnMut(usize, u64)) {
    for &Run { high, start, low } in &orbit.high.runs {
        for (place, &set) in (start as usize..).zip(&orbit.low.by_size[usize::from(low)]) {
            visit(place, u64::from(high) << low_points | u64::from(set));
        }
    }
}

//! Moves as maps between the sets of the many.
//!
//! A move applies to the sets that have some points and lack others, and changes fixed points of
//! them. If the few move, the arrangement that they leave behind is replaced by the representative
//! of its orbit, and the set by its image under a symmetry.

use anser_core::Hunt;
use anser_core::hunt::PointSet;

use super::order::{MOST_LOW, PointOrder};

/// Condition of a move on the set of the many, and the points that it changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    /// Points that the set must have.
    pub(super) has: u64,
    /// Points that the set must not have.
    pub(super) lacks: u64,
    /// Points that the move takes away or adds.
    pub(super) flip: u64,
}

impl Change {
    /// Whether a set meets the condition.
    #[inline(always)]
    pub(super) fn applies_to(self, set: u64) -> bool {
        set & self.has == self.has && set & self.lacks == 0
    }

    /// Returns the part within these points.
    pub(super) fn within(self, points: u64) -> Change {
        let Change { has, lacks, flip } = self;
        Change { has: has & points, lacks: lacks & points, flip: flip & points }
    }
}

/// A move beside an arrangement of the few.
#[derive(Clone)]
pub(super) struct Move {
    pub(super) change: Change,
    /// The orbit that it leads to, and the symmetry that takes the pieces there.
    pub(super) orbit: u32,
    pub(super) symmetry: u16,
}

/// A symmetry as a map of sets of points.
pub(super) struct Image {
    /// The number of the symmetry.
    pub(super) symmetry: usize,
    /// The number of the inverse symmetry.
    pub(super) inverse: usize,
    /// By byte of a set: the image of the byte.
    bytes: [[u64; 256]; 5],
    /// Whether it maps the low points to the low points.
    pub(super) keeps_low: bool,
    /// If so, the images of all sets of the first [`FIRST_HIGH`] high points, and of all sets of
    /// the others, shifted to bit 0.
    high: [Vec<u32>; 2],
}

/// Number of high points whose images are in one table.
const FIRST_HIGH: u32 = 8;

impl Image {
    pub(super) fn new(game: &Hunt, symmetry: usize, order: &PointOrder, low_points: u32) -> Image {
        let of = |set: u64| order.bits_of(game.image_of_set(order.set_of(set), symmetry));
        let points = game.description().points.len();
        let undoes = |inverse: &usize| {
            let back = |point| game.image_of_set(game.image_of_set(point, symmetry), *inverse);
            (0..points as u8).map(PointSet::of).all(|point| back(point) == point)
        };
        let inverse = (0..game.symmetries()).find(undoes).expect("symmetries form a group");
        let bytes = std::array::from_fn(|byte| {
            std::array::from_fn(|set| {
                let bits = (0..8).filter(|bit| set >> bit & 1 != 0 && 8 * byte + bit < points);
                bits.fold(0, |image, bit| image | of(1 << (8 * byte + bit)))
            })
        });
        let low = (1 << low_points) - 1;
        let keeps_low = of(low) == low;
        let high = if keeps_low {
            let high_points = points as u32 - low_points;
            let first = FIRST_HIGH.min(high_points);
            [(0, first), (first, high_points - first)].map(|(shift, points)| {
                let images = (0..1 << points).map(|set: u64| of(set << (low_points + shift)));
                images.map(|image| (image >> low_points) as u32).collect()
            })
        } else {
            Default::default()
        };
        Image { symmetry, inverse, bytes, keeps_low, high }
    }

    #[inline(always)]
    pub(super) fn of(&self, set: u64) -> u64 {
        if self.symmetry == 0 {
            return set;
        }
        let bytes = self.bytes.iter().zip(set.to_le_bytes());
        bytes.fold(0, |image, (table, byte)| image | table[usize::from(byte)])
    }

    /// Returns the image of high points, which are high ones, too; both are shifted to bit 0.
    #[inline(always)]
    pub(super) fn of_high(&self, set: u32) -> u32 {
        if self.symmetry == 0 {
            return set;
        }
        let [first, others] = &self.high;
        first[(set & ((1 << FIRST_HIGH) - 1)) as usize] | others[(set >> FIRST_HIGH) as usize]
    }

    /// Returns the high points of the run that a run with these is mapped to, both shifted to bit
    /// 0; `None` if its sets are mapped to several runs.
    pub(super) fn of_run(&self, high: u32) -> Option<u32> {
        self.keeps_low.then(|| self.of_high(high))
    }

    /// Returns the image of low points.
    #[inline(always)]
    pub(super) fn of_low(&self, set: u32) -> u64 {
        const { assert!(MOST_LOW <= 24) };
        let bytes = self.bytes[..3].iter().zip(set.to_le_bytes());
        bytes.fold(0, |image, (table, byte)| image | table[usize::from(byte)])
    }
}

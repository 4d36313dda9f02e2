//! The order of the points of a board as bits of sets.

use anser_core::hunt::PointSet;

/// Most low points: the sets of one size have ranks of 16 bits.
pub(super) const MOST_LOW: usize = 18;

/// The bits of the points of a board.
pub(super) struct PointOrder {
    /// By bit: the point.
    points: Vec<u8>,
    /// By point: the bit.
    bits: Vec<u64>,
}

impl PointOrder {
    /// Returns the order of the tables.
    pub(super) fn of_tables(points: usize) -> PointOrder {
        PointOrder::new((0..points as u8).collect())
    }

    /// Returns the order of these points, each of the board once, from bit 0 up.
    pub(super) fn new(points: Vec<u8>) -> PointOrder {
        let mut bits = vec![0; points.len()];
        for (place, &point) in points.iter().enumerate() {
            bits[usize::from(point)] = 1 << place;
        }
        PointOrder { points, bits }
    }

    /// Returns the number of points.
    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    pub(super) fn bit(&self, point: u8) -> u64 {
        self.bits[usize::from(point)]
    }

    pub(super) fn bits(&self, points: &[u8]) -> u64 {
        points.iter().fold(0, |bits, &point| bits | self.bit(point))
    }

    /// Returns the bits of a set.
    pub(super) fn bits_of(&self, set: PointSet) -> u64 {
        set.iter().fold(0, |bits, point| bits | self.bit(point))
    }

    /// Returns the set with these bits.
    pub(super) fn set_of(&self, bits: u64) -> PointSet {
        let points = self.points.iter().enumerate();
        let set = points.filter(|(place, _)| bits >> place & 1 != 0);
        PointSet::from_bits(set.fold(0, |set, (_, point)| set | 1 << point))
    }
}

//! The partition of the board into a ring and two halves, and how the symmetries act on it.
//!
//! The cross without d4 consists of the *ring* of d4's eight neighbors and of four arms of six
//! points. No line joins two arms, and d4 is joined to the ring alone. The arms are paired into two
//! *halves* of twelve points, left and right in half 0, bottom and top in half 1, so a step never
//! touches both halves. A set of points of one half is called an arm set.
//!
//! As in the index, a goose on d4 is stored at the bit of the fox's own point, where no goose can
//! be.

use std::sync::LazyLock;

use anser_core::fox_geese::{POINTS, Point};
use anser_core::{Group, Symmetry};

/// Number of inner points of a half.
pub(super) const INNER: usize = 4;

/// Number of points of a half.
pub(super) const ARM: usize = 12;
/// Number of points of the ring.
pub(super) const RING: usize = 8;

/// The bit of the partition that stands for a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PointBit {
    /// A bit of a half, 0 to 11.
    Arm { half: usize, bit: usize },
    /// A bit of the ring, 0 to 7.
    Ring { bit: usize },
    /// d4, which has no bit of its own.
    Center,
}

/// Tables that do not depend on game, layer, or fox.
pub(super) struct Sets {
    bit_of: [PointBit; POINTS],
    /// Rank of each arm set among the arm sets with the same number of points, in ascending order.
    pub(super) rank: Box<[u16; 1 << ARM]>,
    /// Arm sets in ascending order, by number of points.
    pub(super) arm: [Vec<u16>; ARM + 1],
    /// Number of words of a row with one bit per arm set, by number of points.
    pub(super) width: [usize; ARM + 1],
    /// Image of each ring set, by symmetry code.
    ring_image: Vec<[u8; 1 << RING]>,
    /// Ranks of the images of the arm sets, by mirror (code 1, code 2), half, and number of points.
    mirrored: [[[Vec<u16>; ARM + 1]; 2]; 2],
}

/// The tables, computed on first use.
pub(super) static SETS: LazyLock<Sets> = LazyLock::new(Sets::new);

impl Sets {
    fn new() -> Sets {
        let bit_of = assign_bits();
        let mut arm = [const { Vec::new() }; ARM + 1];
        let mut rank = Box::new([0; 1 << ARM]);
        for set in 0..1u16 << ARM {
            let list: &mut Vec<u16> = &mut arm[set.count_ones() as usize];
            rank[usize::from(set)] = list.len() as u16;
            list.push(set);
        }
        let point_of = |wanted: PointBit| {
            Point::all()
                .find(|p| bit_of[p.number()] == wanted)
                .expect("every bit of the partition is a point")
        };
        let ring_image = Symmetry::all()
            .map(|s| {
                let image: [usize; RING] = std::array::from_fn(|bit| {
                    match bit_of[point_of(PointBit::Ring { bit }).image(s).number()] {
                        PointBit::Ring { bit } => bit,
                        other => unreachable!(
                            "the ring is closed under symmetries, {other:?} is outside"
                        ),
                    }
                });
                std::array::from_fn(|set| {
                    (0..RING).filter(|b| set >> b & 1 != 0).fold(0, |all, b| all | 1 << image[b])
                })
            })
            .collect();
        let mirrored = [1, 2].map(|code| {
            [0, 1].map(|half| {
                let image: [usize; ARM] = std::array::from_fn(|bit| {
                    match bit_of
                        [point_of(PointBit::Arm { half, bit }).image(Symmetry::new(code)).number()]
                    {
                        PointBit::Arm { half: h, bit } if h == half => bit,
                        other => unreachable!("mirrors keep each half, {other:?} is outside"),
                    }
                });
                std::array::from_fn(|points| {
                    let of = |set: u16| {
                        (0..ARM).filter(|b| set >> b & 1 != 0).fold(0, |all, b| all | 1 << image[b])
                    };
                    arm[points].iter().map(|&set| rank[of(set) as usize]).collect()
                })
            })
        });
        let width = std::array::from_fn(|points| arm[points].len().div_ceil(64));
        Sets { bit_of, rank, arm, width, ring_image, mirrored }
    }

    /// Returns the bit that stands for a point.
    pub(super) fn bit_of(&self, point: Point) -> PointBit {
        self.bit_of[point.number()]
    }

    /// Returns the image of a ring set.
    pub(super) fn ring_image(&self, symmetry: Symmetry, set: u8) -> u8 {
        self.ring_image[usize::from(symmetry.code())][usize::from(set)]
    }

    /// Returns the rank of the image under a mirror, code 1 or 2, of each arm set of `points`
    /// points, by rank of the arm set.
    pub(super) fn mirrored(&self, mirror: Symmetry, half: usize, points: usize) -> &[u16] {
        &self.mirrored[usize::from(mirror.code()) - 1][half][points]
    }
}

/// Assigns the bits to the points. In half 0 the four points of the index's inner half come first,
/// so the sets that differ only in these, and have the same number of points, have consecutive
/// ranks. The diagonal mirror (code 4) maps each bit of half 0 to the same bit of half 1.
fn assign_bits() -> [PointBit; POINTS] {
    let mut bit_of = [PointBit::Center; POINTS];
    let distance = |p: &Point| {
        let (x, y) = p.coordinates();
        (x.abs().max(y.abs()), x.abs() + y.abs())
    };
    for (bit, p) in Point::all().filter(|p| distance(p).0 == 1).enumerate() {
        bit_of[p.number()] = PointBit::Ring { bit };
    }
    let arms = || Point::all().filter(|p| p.coordinates().0.abs() > 1);
    let inner = |p: &Point| distance(p) == (2, 3);
    for (bit, p) in arms().filter(inner).chain(arms().filter(|p| !inner(p))).enumerate() {
        bit_of[p.number()] = PointBit::Arm { half: 0, bit };
        bit_of[p.image(Symmetry::new(4)).number()] = PointBit::Arm { half: 1, bit };
    }
    bit_of
}

/// Returns the members of a group with codes 1, 2, and 4. They generate each of the groups that can
/// fix a fox.
pub(super) fn generators(group: Group) -> Vec<Symmetry> {
    [1, 2, 4].map(Symmetry::new).into_iter().filter(|&s| group.contains(s)).collect()
}

/// Returns whether a symmetry exchanges the halves.
pub(super) fn swaps_halves(symmetry: Symmetry) -> bool {
    symmetry.code() & 4 != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_their_sizes_and_every_bit_stands_for_one_point() {
        let count =
            |test: fn(&PointBit) -> bool| Point::all().filter(|&p| test(&SETS.bit_of(p))).count();
        assert_eq!(count(|p| matches!(p, PointBit::Ring { .. })), RING);
        assert_eq!(count(|p| matches!(p, PointBit::Arm { half: 0, .. })), ARM);
        assert_eq!(count(|p| matches!(p, PointBit::Arm { half: 1, .. })), ARM);
        assert_eq!(SETS.bit_of(Point::CENTER), PointBit::Center);
        for bit in 0..ARM {
            for half in 0..2 {
                assert_eq!(
                    Point::all().filter(|&p| SETS.bit_of(p) == PointBit::Arm { half, bit }).count(),
                    1
                );
            }
        }
    }

    #[test]
    fn the_diagonal_mirror_keeps_the_bits_of_the_arms() {
        for p in Point::all() {
            if let PointBit::Arm { half, bit } = SETS.bit_of(p) {
                assert_eq!(
                    SETS.bit_of(p.image(Symmetry::new(4))),
                    PointBit::Arm { half: 1 - half, bit }
                );
            }
        }
    }
}

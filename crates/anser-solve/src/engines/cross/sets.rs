//! Goose sets in three parts, and how the symmetries act on them.
//!
//! The cross without d4 falls into the *ring* of d4's eight neighbours and four arms of six points. No line joins two arms,
//! and d4 is joined to the ring alone. So the arms are taken as two *halves* of twelve points, left and right in half 0,
//! bottom and top in half 1, and no step ever touches both halves. A set within a half is called an arm set.
//!
//! As in the index, a goose on d4 is written at the bit of the fox's own point, which no goose can need.

use std::sync::LazyLock;

use anser_core::fox_geese::{POINTS, Point};
use anser_core::{Group, Symmetry};

/// The points of a half.
pub(super) const ARM: usize = 12;
/// The points of the ring.
pub(super) const RING: usize = 8;

/// Where a point is in the partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The bit of a half, 0 to 11.
    Arm { half: usize, bit: usize },
    /// The bit of the ring, 0 to 7.
    Ring { bit: usize },
    /// d4.
    Centre,
}

/// What does not depend on game, layer or fox.
pub(super) struct Sets {
    place: [Place; POINTS],
    /// By arm set: its place among the arm sets with equally many points, in ascending order.
    pub(super) rank: Box<[u16; 1 << ARM]>,
    /// By number of points: the arm sets in ascending order.
    pub(super) arm: [Vec<u16>; ARM + 1],
    /// By number of points: how many words a row of all arm sets with so many points takes.
    pub(super) width: [usize; ARM + 1],
    /// By symmetry code: what it does to each ring set.
    ring_image: Vec<[u8; 1 << RING]>,
    /// By mirror (code 1, code 2), half and number of points: the ranks of the images of the arm sets.
    mirrored: [[[Vec<u16>; ARM + 1]; 2]; 2],
}

/// The tables, made once.
pub(super) static SETS: LazyLock<Sets> = LazyLock::new(Sets::new);

impl Sets {
    fn new() -> Sets {
        let place = places();
        let mut arm = [const { Vec::new() }; ARM + 1];
        let mut rank = Box::new([0; 1 << ARM]);
        for set in 0..1u16 << ARM {
            let list: &mut Vec<u16> = &mut arm[set.count_ones() as usize];
            rank[usize::from(set)] = list.len() as u16;
            list.push(set);
        }
        let point_of = |wanted: Place| {
            Point::all().find(|p| place[p.number()] == wanted).expect("every bit of the partition is a point")
        };
        let ring_image = Symmetry::all()
            .map(|s| {
                let image: [usize; RING] =
                    std::array::from_fn(|bit| match place[point_of(Place::Ring { bit }).image(s).number()] {
                        Place::Ring { bit } => bit,
                        other => unreachable!("the ring is closed under symmetries, {other:?} is outside"),
                    });
                std::array::from_fn(|set| (0..RING).filter(|b| set >> b & 1 != 0).fold(0, |all, b| all | 1 << image[b]))
            })
            .collect();
        let mirrored = [1, 2].map(|code| {
            [0, 1].map(|half| {
                let image: [usize; ARM] = std::array::from_fn(|bit| {
                    match place[point_of(Place::Arm { half, bit }).image(Symmetry::new(code)).number()] {
                        Place::Arm { half: h, bit } if h == half => bit,
                        other => unreachable!("mirrors keep each half, {other:?} is outside"),
                    }
                });
                std::array::from_fn(|points| {
                    let of = |set: u16| (0..ARM).filter(|b| set >> b & 1 != 0).fold(0, |all, b| all | 1 << image[b]);
                    arm[points].iter().map(|&set| rank[of(set) as usize]).collect()
                })
            })
        });
        let width = std::array::from_fn(|points| arm[points].len().div_ceil(64));
        Sets { place, rank, arm, width, ring_image, mirrored }
    }

    /// Where a point is.
    pub(super) fn place(&self, point: Point) -> Place {
        self.place[point.number()]
    }

    /// The image of a ring set.
    pub(super) fn ring_image(&self, symmetry: Symmetry, set: u8) -> u8 {
        self.ring_image[usize::from(symmetry.code())][usize::from(set)]
    }

    /// By the rank of each arm set of `points` points: the rank of its image under a mirror, code 1 or 2.
    pub(super) fn mirrored(&self, mirror: Symmetry, half: usize, points: usize) -> &[u16] {
        &self.mirrored[usize::from(mirror.code()) - 1][half][points]
    }
}

/// Half 0 is numbered so that the four points of the index's inner half come first; then the sets that differ in these
/// alone, and have equally many points, have consecutive ranks. The diagonal mirror (code 4) takes each bit of half 0 to the
/// same bit of half 1.
fn places() -> [Place; POINTS] {
    let mut place = [Place::Centre; POINTS];
    let distance = |p: &Point| {
        let (x, y) = p.coordinates();
        (x.abs().max(y.abs()), x.abs() + y.abs())
    };
    for (bit, p) in Point::all().filter(|p| distance(p).0 == 1).enumerate() {
        place[p.number()] = Place::Ring { bit };
    }
    let arms = || Point::all().filter(|p| p.coordinates().0.abs() > 1);
    let inner = |p: &Point| distance(p) == (2, 3);
    for (bit, p) in arms().filter(inner).chain(arms().filter(|p| !inner(p))).enumerate() {
        place[p.number()] = Place::Arm { half: 0, bit };
        place[p.image(Symmetry::new(4)).number()] = Place::Arm { half: 1, bit };
    }
    place
}

/// The members with codes 1, 2 and 4 of a group; each of the groups that can fix a fox is generated by them.
pub(super) fn generators(group: Group) -> Vec<Symmetry> {
    [1, 2, 4].map(Symmetry::new).into_iter().filter(|&s| group.contains(s)).collect()
}

/// Whether a symmetry exchanges the halves.
pub(super) fn swaps_halves(symmetry: Symmetry) -> bool {
    symmetry.code() & 4 != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_have_their_sizes_and_every_bit_one_point() {
        let count = |test: fn(&Place) -> bool| Point::all().filter(|&p| test(&SETS.place(p))).count();
        assert_eq!(count(|p| matches!(p, Place::Ring { .. })), RING);
        assert_eq!(count(|p| matches!(p, Place::Arm { half: 0, .. })), ARM);
        assert_eq!(count(|p| matches!(p, Place::Arm { half: 1, .. })), ARM);
        assert_eq!(SETS.place(Point::CENTER), Place::Centre);
        for bit in 0..ARM {
            for half in 0..2 {
                assert_eq!(Point::all().filter(|&p| SETS.place(p) == Place::Arm { half, bit }).count(), 1);
            }
        }
    }

    #[test]
    fn the_diagonal_mirror_keeps_the_bits_of_the_arms() {
        for p in Point::all() {
            if let Place::Arm { half, bit } = SETS.place(p) {
                assert_eq!(SETS.place(p.image(Symmetry::new(4))), Place::Arm { half: 1 - half, bit });
            }
        }
    }
}

//! Goose sets as two halves of 16 bits, and their classes under a group of symmetries, by tables.
//!
//! [`CrossIndex`](super::CrossIndex) has the specification.

use std::sync::{LazyLock, OnceLock};

use crate::fox_geese::{POINTS, Point};
use crate::{Group, Symmetry};

/// Number of subsets of a half.
const SETS: usize = 1 << 16;

/// A goose set seen from a fox: the 16 outer points in the low half, the 16 inner points in the
/// high half. The bit of the fox's own point stands for d4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Halves(u32);

impl Halves {
    pub(super) fn new(outer: u16, inner: u16) -> Halves {
        Halves(u32::from(outer) | u32::from(inner) << 16)
    }

    /// Returns the halves of a goose set in which bit `n` stands for point number `n`.
    #[inline]
    pub(super) fn of(geese: u64, fox: Point) -> Halves {
        let tables = &*LABELS;
        let bits = geese as usize;
        let mut halves = tables.from_points[0][bits & 0x7ff]
            | tables.from_points[1][bits >> 11 & 0x7ff]
            | tables.from_points[2][bits >> 22];
        if geese & Point::CENTER.bit() != 0 {
            halves |= tables.bit[fox.number()];
        }
        Halves(halves)
    }

    #[inline]
    pub(super) fn geese(self, fox: Point) -> u64 {
        let tables = &*LABELS;
        let bytes = self.0.to_le_bytes();
        let geese = (0..4).fold(0, |geese, i| geese | tables.to_points[i][usize::from(bytes[i])]);
        if geese & fox.bit() != 0 { geese & !fox.bit() | Point::CENTER.bit() } else { geese }
    }

    /// Outer points in the low half.
    pub(super) fn bits(self) -> u32 {
        self.0
    }

    /// Returns the point of a bit: 0 to 15 outer, 16 to 31 inner.
    pub(super) fn point(bit: usize) -> Point {
        let bits = &LABELS.bit;
        Point::all().find(|p| bits[p.number()] == 1 << bit).unwrap_or(Point::CENTER)
    }

    #[inline]
    pub(super) fn outer(self) -> u16 {
        self.0 as u16
    }

    #[inline]
    pub(super) fn inner(self) -> u16 {
        (self.0 >> 16) as u16
    }

    /// The image; the fox, and with it the meaning of its bit, moves along.
    #[inline]
    pub(super) fn image(self, symmetry: Symmetry) -> Halves {
        let images = &LABELS.images[usize::from(symmetry.code())];
        let bytes = self.0.to_le_bytes();
        Halves((0..4).fold(0, |halves, i| halves | images[i][usize::from(bytes[i])]))
    }
}

/// Tables between points and the bits of the halves.
struct Labels {
    /// The bit of each point; none for d4.
    bit: [u32; POINTS],
    /// Halves of the goose sets within points 0..11, 11..22 and 22..33, d4 left out.
    from_points: [Box<[u32]>; 3],
    /// Points of each byte of the halves.
    to_points: [[u64; 256]; 4],
    /// By symmetry: the image of each byte of the halves.
    images: Vec<[[u32; 256]; 4]>,
}

static LABELS: LazyLock<Labels> = LazyLock::new(|| {
    let mut bit = [0u32; POINTS];
    let (mut outer, mut inner) = (0, 16);
    for point in Point::all() {
        let (x, y) = point.coordinates();
        let next = match (x.abs().max(y.abs()), x.abs() + y.abs()) {
            (0, _) => continue,
            // The neighbors of d4 and the points a knight's move from it.
            (1, _) | (2, 3) => &mut inner,
            _ => &mut outer,
        };
        bit[point.number()] = 1 << *next;
        *next += 1;
    }
    let point_of =
        |b: usize| Point::all().find(|p| bit[p.number()] == 1 << b).unwrap_or(Point::CENTER);
    let each_bit = |byte: usize, of: &dyn Fn(usize) -> u64, shift: usize| {
        (0..16).filter(|b| byte >> b & 1 != 0).fold(0, |all, b| all | of(shift + b))
    };
    let mut to_points = [[0; 256]; 4];
    for (i, table) in to_points.iter_mut().enumerate() {
        for (byte, points) in table.iter_mut().enumerate() {
            *points = each_bit(byte, &|b| point_of(b).bit(), 8 * i);
        }
    }
    let images = Symmetry::all()
        .map(|s| {
            let mut table = [[0; 256]; 4];
            for (i, bytes) in table.iter_mut().enumerate() {
                for (byte, image) in bytes.iter_mut().enumerate() {
                    *image =
                        each_bit(byte, &|b| u64::from(bit[point_of(b).image(s).number()]), 8 * i)
                            as u32;
                }
            }
            table
        })
        .collect();
    let from_points = [0, 11, 22].map(|start| {
        (0..1usize << 11)
            .map(|set| each_bit(set, &|b| u64::from(bit[b.min(POINTS - 1)]), start) as u32)
            .collect()
    });
    Labels { bit, from_points, to_points, images }
});

/// Action of a group on the outer sets: the class of each, and its stabilizer.
pub(super) struct OuterOrbits {
    /// By outer set.
    pub(super) class: Box<[OuterClass]>,
    /// Canonical outer sets by number of points, then by the number of the subgroup that fixes
    /// them, ascending.
    pub(super) canonical: Vec<[Vec<u16>; 10]>,
}

/// The class of an outer set under a group.
#[derive(Clone, Copy)]
pub(super) struct OuterClass {
    /// The place of the canonical set among those with the same number of points and the same
    /// stabilizer.
    pub(super) rank: u16,
    /// The number of the subgroup that fixes the canonical set.
    pub(super) stabilizer: u8,
    /// A member of the group that takes the set to the canonical one.
    pub(super) to_canonical: Symmetry,
}

/// Action of a group on the inner sets.
pub(super) struct InnerOrbits {
    /// By inner set: the place of its class among the classes with the same number of points.
    pub(super) rank: Box<[u16]>,
    /// Canonical inner sets by number of points, ascending.
    pub(super) canonical: Vec<Vec<u16>>,
}

/// Returns the classes of outer sets under `group`, computed once.
pub(super) fn outer_orbits(group: Group) -> &'static OuterOrbits {
    static TABLES: [OnceLock<OuterOrbits>; 10] = [const { OnceLock::new() }; 10];
    TABLES[group.number()].get_or_init(|| {
        let image = |set: u16, s: Symmetry| Halves::new(set, 0).image(s).outer();
        let none = OuterClass { rank: 0, stabilizer: 0, to_canonical: Symmetry::IDENTITY };
        let mut class = vec![none; SETS].into_boxed_slice();
        let mut canonical = vec![[const { Vec::new() }; 10]; 17];
        for set in 0..=u16::MAX {
            // Sets come in ascending order, so the canonical one of each class comes first.
            let best = group.members().min_by_key(|&s| image(set, s)).unwrap_or(Symmetry::IDENTITY);
            let least = image(set, best);
            if least < set {
                class[usize::from(set)] =
                    OuterClass { to_canonical: best, ..class[usize::from(least)] };
                continue;
            }
            let stabilizer = group.filter(|s| image(set, s) == set).number();
            let list = &mut canonical[set.count_ones() as usize][stabilizer];
            class[usize::from(set)] = OuterClass {
                rank: list.len() as u16,
                stabilizer: stabilizer as u8,
                to_canonical: Symmetry::IDENTITY,
            };
            list.push(set);
        }
        OuterOrbits { class, canonical }
    })
}

/// Returns the classes of inner sets under the subgroup with this number, computed once.
pub(super) fn inner_orbits(subgroup: usize) -> &'static InnerOrbits {
    static TABLES: [OnceLock<InnerOrbits>; 10] = [const { OnceLock::new() }; 10];
    TABLES[subgroup].get_or_init(|| {
        let group = Group::SUBGROUPS[subgroup];
        let image = |set: u16, s: Symmetry| Halves::new(0, set).image(s).inner();
        let mut rank = vec![0u16; SETS].into_boxed_slice();
        let mut canonical = vec![Vec::new(); 17];
        for set in 0..=u16::MAX {
            let least = group.members().map(|s| image(set, s)).min().unwrap_or(set);
            if least < set {
                rank[usize::from(set)] = rank[usize::from(least)];
                continue;
            }
            let list = &mut canonical[set.count_ones() as usize];
            rank[usize::from(set)] = list.len() as u16;
            list.push(set);
        }
        InnerOrbits { rank, canonical }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_half_has_sixteen_points_closed_under_all_symmetries() {
        for s in Symmetry::all() {
            for bit in 0..32 {
                let single = Halves(1 << bit);
                let image = single.image(s);
                assert_eq!(image.0.count_ones(), 1);
                assert_eq!(single.outer() == 0, image.outer() == 0);
            }
        }
    }

    #[test]
    fn goose_sets_pass_through_the_halves_unchanged() {
        for fox in Point::all() {
            for a in Point::all().filter(|&a| a != fox) {
                for b in Point::all().filter(|&b| b != fox) {
                    let geese = a.bit() | b.bit();
                    let halves = Halves::of(geese, fox);
                    assert_eq!(halves.0.count_ones(), geese.count_ones());
                    assert_eq!(halves.geese(fox), geese);
                    for s in Symmetry::all() {
                        let image = a.image(s).bit() | b.image(s).bit();
                        assert_eq!(Halves::of(image, fox.image(s)), halves.image(s));
                    }
                }
            }
        }
    }
}

//! The symmetries of the rules: permutations of the points, found by search and checked.

use std::cmp::Reverse;

use crate::hunt::{Condition, Description, PointSet};

/// Greatest number of symmetries of a game.
pub const MOST_SYMMETRIES: usize = 16;

/// Greatest number of partial permutations that are looked at, half of it for one number of fixed
/// points.
const MOST_STEPS: u64 = 400_000;

/// A permutation of the points.
#[derive(Clone)]
pub(super) struct Symmetry {
    /// By point: its image.
    images: Vec<u8>,
    /// By byte of a set and value of the byte: its image.
    bytes: Vec<[u128; 256]>,
}

impl Symmetry {
    fn new(images: Vec<u8>) -> Symmetry {
        let mut bytes = vec![[0; 256]; images.len().div_ceil(8)];
        for (number, table) in bytes.iter_mut().enumerate() {
            let image = |bit: usize| images.get(8 * number + bit).map_or(0, |&to| 1u128 << to);
            for (byte, entry) in table.iter_mut().enumerate() {
                *entry = (0..8).filter(|bit| byte >> bit & 1 != 0).map(image).sum();
            }
        }
        Symmetry { images, bytes }
    }

    /// Returns the image of a set of points.
    #[inline]
    pub(super) fn image(&self, set: PointSet) -> PointSet {
        let mut bits = set.bits();
        let mut image = 0;
        for table in &self.bytes {
            image |= table[(bits & 0xff) as usize];
            bits >>= 8;
        }
        PointSet::from_bits(image)
    }

    /// Returns the images of the points.
    pub(super) fn images(&self) -> &[u8] {
        &self.images
    }
}

/// Returns the symmetries of the rules, the identity first and the others ordered by the images of
/// the points: the permutations that keep the steps, jumps, and captures of both sides, the points
/// where pieces may be placed, and those of each end.
///
/// At most [`MOST_SYMMETRIES`] are returned. If there are more, these are the ones that fix the
/// first points, as few of them as necessary.
pub(super) fn symmetries(description: &Description) -> Vec<Symmetry> {
    let points = description.points.len();
    let relations = Relations::new(description);
    let numbered =
        description.ends.iter().any(|rule| matches!(rule.condition, Condition::Behind(_)));
    let fixed = if numbered { points } else { 0 };
    let mut left = MOST_STEPS;
    let found = (fixed..=points).find_map(|fixed| {
        // With all points fixed there is the identity alone.
        let most = if fixed == points { u64::MAX } else { left.min(MOST_STEPS / 2) };
        let mut search = Search::new(&relations, fixed, most);
        let is_done = search.run();
        left = left.saturating_sub(search.steps);
        is_done.then_some(search.found)
    });
    let mut found = found.unwrap_or_default();
    found.sort_unstable();
    found.into_iter().map(Symmetry::new).collect()
}

/// Everything that a symmetry has to keep.
struct Relations {
    points: usize,
    /// By point: a number that no symmetry changes.
    colors: Vec<u64>,
    /// By kind of move, and point: the points that it leads to. A jump has three kinds: from its
    /// first point to the middle, from there to the last, and from the first to the last.
    pairs: Vec<Vec<PointSet>>,
    triples: Vec<std::collections::BTreeSet<[u8; 3]>>,
}

impl Relations {
    fn new(description: &Description) -> Relations {
        let points = description.points.len();
        let table = |moves: &[[u8; 2]]| {
            let mut table = vec![PointSet::EMPTY; points];
            for &[from, to] in moves {
                table[usize::from(from)] |= PointSet::of(to);
            }
            table
        };
        let sides = &description.sides;
        let pairs: Vec<_> = sides
            .iter()
            .flat_map(|side| {
                let of_jumps = |[from, to]: [usize; 2]| {
                    let jumps = side.jumps.iter().map(|jump| [jump[from], jump[to]]);
                    table(&jumps.collect::<Vec<_>>())
                };
                let jumps = [[0, 1], [1, 2], [0, 2]].map(of_jumps);
                [table(&side.steps), table(&side.captures)].into_iter().chain(jumps)
            })
            .collect();
        let triples: Vec<_> =
            sides.iter().map(|side| side.jumps.iter().copied().collect()).collect();
        let exempt = description.ends.iter().any(|rule| rule.except_start);
        let starts = sides.iter().filter(|_| exempt).map(|side| &side.start[..]);
        let sets: Vec<&[u8]> = sides
            .iter()
            .map(|side| &side.region[..])
            .chain(description.ends.iter().map(|rule| rule.condition.points()))
            .chain(starts)
            .collect();
        let mut colors: Vec<u64> = (0..points as u8)
            .map(|point| {
                let member = |(number, set): (usize, &&[u8])| {
                    // A number for each set, of which no two sums are the same.
                    let mut salt = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    salt = (salt ^ salt >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                    salt = (salt ^ salt >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
                    if set.contains(&point) { salt ^ salt >> 31 } else { 0 }
                };
                sets.iter().enumerate().map(member).fold(0, u64::wrapping_add)
            })
            .collect();
        let mut relations = Relations { points, colors: Vec::new(), pairs, triples };
        // Each pass mixes the colors of the neighbors in, so that points are told apart by what is
        // around them.
        for _ in 0..4 {
            colors = relations.mixed(&colors);
        }
        relations.colors = colors;
        relations
    }

    /// Returns the points in an order in which each has many neighbors among those before it, so
    /// that wrong images are found early. The first `fixed` points come first.
    fn order(&self, fixed: usize) -> Vec<u8> {
        let mut order: Vec<u8> = (0..fixed as u8).collect();
        let mut left: Vec<u8> = (fixed as u8..self.points as u8).collect();
        while !left.is_empty() {
            let neighbors = |point: u8| {
                let of = |&other: &u8| {
                    let is_pair = |table: &Vec<PointSet>| {
                        table[usize::from(point)].contains(other)
                            || table[usize::from(other)].contains(point)
                    };
                    self.pairs.iter().any(is_pair)
                };
                order.iter().filter(|other| of(other)).count()
            };
            let of_color = |point: u8| {
                let color = self.colors[usize::from(point)];
                self.colors.iter().filter(|&&other| other == color).count()
            };
            let best = (0..left.len())
                .max_by_key(|&at| (neighbors(left[at]), Reverse((of_color(left[at]), at))))
                .unwrap_or(0);
            order.push(left.remove(best));
        }
        order
    }

    fn mixed(&self, colors: &[u64]) -> Vec<u64> {
        let mix = |value: u64, salt: u64| {
            (value ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15))
                .wrapping_mul(0xff51_afd7_ed55_8ccd)
                .rotate_left(29)
        };
        let mut next: Vec<u64> = colors.iter().map(|&color| mix(color, 1)).collect();
        for (kind, table) in self.pairs.iter().enumerate() {
            for (from, to) in table.iter().enumerate() {
                for to in to.iter().map(usize::from) {
                    next[from] = next[from].wrapping_add(mix(colors[to], 2 + 2 * kind as u64));
                    next[to] = next[to].wrapping_add(mix(colors[from], 3 + 2 * kind as u64));
                }
            }
        }
        for (kind, table) in self.triples.iter().enumerate() {
            for triple in table {
                let [from, over, to] = triple.map(usize::from);
                let sum = mix(colors[from], 20).wrapping_add(mix(colors[over], 21));
                let sum = mix(sum.wrapping_add(mix(colors[to], 22)), 23 + kind as u64);
                for (place, point) in [from, over, to].into_iter().enumerate() {
                    next[point] = next[point].wrapping_add(mix(sum, 30 + place as u64));
                }
            }
        }
        next
    }
}

/// A search through the permutations, one point after the other.
struct Search<'a> {
    relations: &'a Relations,
    /// The points in the order of the search.
    order: Vec<u8>,
    /// By point: its image, for the points so far.
    images: Vec<u8>,
    /// The number of points so far.
    len: usize,
    taken: PointSet,
    /// The number of first points that are their own images.
    fixed: usize,
    found: Vec<Vec<u8>>,
    /// The number of partial permutations so far, and the greatest number.
    steps: u64,
    most_steps: u64,
}

impl<'a> Search<'a> {
    fn new(relations: &'a Relations, fixed: usize, most_steps: u64) -> Search<'a> {
        Search {
            relations,
            order: relations.order(fixed),
            images: vec![0; relations.points],
            len: 0,
            taken: PointSet::EMPTY,
            fixed,
            found: Vec::new(),
            steps: 0,
            most_steps,
        }
    }

    /// Finds all symmetries that fix the first points; `false` if there are too many, or if it
    /// takes too long.
    fn run(&mut self) -> bool {
        let relations = self.relations;
        self.steps += 1;
        if self.steps > self.most_steps {
            return false;
        }
        let Some(&point) = self.order.get(self.len) else {
            if self.keeps_triples() {
                self.found.push(self.images.clone());
            }
            return self.found.len() <= MOST_SYMMETRIES;
        };
        for image in 0..relations.points as u8 {
            let allowed = usize::from(point) >= self.fixed || image == point;
            if !allowed || self.taken.contains(image) || !self.fits(point, image) {
                continue;
            }
            self.images[usize::from(point)] = image;
            self.len += 1;
            self.taken |= PointSet::of(image);
            let done = self.run();
            self.len -= 1;
            self.taken = self.taken - PointSet::of(image);
            if !done {
                return false;
            }
        }
        true
    }

    /// Whether the pairs of a point with the points so far are kept.
    fn fits(&self, point: u8, image: u8) -> bool {
        let Relations { colors, pairs, .. } = self.relations;
        let (from, to) = (usize::from(point), usize::from(image));
        colors[from] == colors[to]
            && pairs.iter().all(|table| {
                self.order[..self.len].iter().all(|&other| {
                    let other_image = self.images[usize::from(other)];
                    table[from].contains(other) == table[to].contains(other_image)
                        && table[usize::from(other)].contains(point)
                            == table[usize::from(other_image)].contains(image)
                })
            })
    }

    fn keeps_triples(&self) -> bool {
        self.relations.triples.iter().all(|triples| {
            triples.iter().all(|triple| {
                triples.contains(&triple.map(|point| self.images[usize::from(point)]))
            })
        })
    }
}

/// Returns for each symmetry the number of its inverse.
pub(super) fn inverses(symmetries: &[Symmetry]) -> Vec<u8> {
    let undoes = |first: &Symmetry, second: &Symmetry| {
        (0..).zip(&first.images).all(|(p, &image)| second.images[usize::from(image)] == p)
    };
    let inverse = |first| symmetries.iter().position(|second| undoes(first, second));
    symmetries.iter().map(|first| inverse(first).unwrap_or(0) as u8).collect()
}

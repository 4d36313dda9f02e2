//! Permutations of the packing order of `cross33`, by tables. `index.rs` has the specification.

use std::cmp::Reverse;
use std::sync::OnceLock;

use crate::Group;
use crate::fox_geese::orbits::{Halves, inner_orbits, outer_orbits};
use crate::fox_geese::{POINTS, Point};

/// Places of the canonical words of the two halves, for a fox on its representative.
pub(super) struct Places {
    /// By number of points and subgroup that fixes the words.
    pub(super) outer: Vec<[Vec<u16>; 10]>,
    /// By subgroup and number of points; empty for other groups than subgroups of the stabilizer of
    /// the fox.
    pub(super) inner: [Vec<Vec<u16>>; 10],
}

/// Returns the tables for a fox that `group` fixes, computed once.
pub(super) fn places(fox: Point, group: Group) -> &'static Places {
    static TABLES: [[OnceLock<Places>; 10]; POINTS] =
        [const { [const { OnceLock::new() }; 10] }; POINTS];
    TABLES[fox.number()][group.number()].get_or_init(|| {
        let (outer, inner) = (Reading::new(fox, 0), Reading::new(fox, 16));
        let none = [const { Vec::new() }; 10];
        let within =
            |subgroup: usize| Group::SUBGROUPS[subgroup].members().all(|s| group.contains(s));
        Places {
            outer: outer_orbits(group)
                .canonical
                .iter()
                .map(|lists| std::array::from_fn(|subgroup| outer.places(&lists[subgroup])))
                .collect(),
            inner: {
                let mut all = none;
                for (subgroup, lists) in
                    all.iter_mut().enumerate().filter(|&(subgroup, _)| within(subgroup))
                {
                    *lists = inner_orbits(subgroup)
                        .canonical
                        .iter()
                        .map(|list| inner.places(list))
                        .collect();
                }
                all
            },
        }
    })
}

/// Reading of the words of a half for a fox.
struct Reading {
    /// The reading of each byte of a word.
    bytes: [[u16; 256]; 2],
}

impl Reading {
    /// For the outer half `first` is 0, for the inner one 16.
    fn new(fox: Point, first: usize) -> Reading {
        let mut bits: Vec<usize> = (0..16).collect();
        bits.sort_by_key(|&bit| Reverse(weight(Halves::point(first + bit), fox)));
        let mut bytes = [[0; 256]; 2];
        for (byte, table) in bytes.iter_mut().enumerate() {
            for (word, read) in table.iter_mut().enumerate() {
                let set = |&&bit: &&usize| word << (8 * byte) >> bit & 1 != 0;
                *read = bits
                    .iter()
                    .enumerate()
                    .filter(|(_, bit)| set(bit))
                    .fold(0, |read, (at, _)| read | 1 << at);
            }
        }
        Reading { bytes }
    }

    fn read(&self, word: u16) -> u16 {
        let [low, high] = word.to_le_bytes();
        self.bytes[0][usize::from(low)] | self.bytes[1][usize::from(high)]
    }

    /// Returns the place of each word of a list in the order of the readings.
    fn places(&self, words: &[u16]) -> Vec<u16> {
        // One integer holds the reading and the number of the word: sorting delays the opening of a
        // table.
        let key = |(number, &word): (usize, &u16)| u32::from(self.read(word)) << 16 | number as u32;
        let mut order: Vec<u32> = words.iter().enumerate().map(key).collect();
        order.sort_unstable();
        let mut places = vec![0; words.len()];
        for (place, key) in order.into_iter().enumerate() {
            places[(key & 0xffff) as usize] = place as u16;
        }
        places
    }
}

/// Returns the weight of a point: the farther from the fox and from d4, the less it matters.
fn weight(point: Point, fox: Point) -> i32 {
    let square = |p: Point, q: Point| {
        let ((px, py), (qx, qy)) = (p.coordinates(), q.coordinates());
        (i32::from(px) - i32::from(qx)).pow(2) + (i32::from(py) - i32::from(qy)).pow(2)
    };
    square(point, fox) + 2 * square(point, Point::CENTER)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LayerIndex;
    use crate::Side;
    use crate::hunt::Hunt;

    #[test]
    fn every_entry_has_a_place_of_its_own() {
        for (rules, layer) in [("free", 4), ("free", 29), ("forward", 3)] {
            let index = Hunt::fox_geese(rules).unwrap().index(layer);
            let order = index.packing_order(Side::Second);
            assert_eq!(order.len(), index.len(Side::Second));
            let mut seen = vec![false; order.len() as usize];
            order.visit_places(0..order.len(), |place| {
                assert!(
                    !std::mem::replace(&mut seen[place as usize], true),
                    "{rules}, layer {layer}"
                );
            });
        }
    }

    #[test]
    fn words_are_read_from_the_farthest_point_to_the_nearest() {
        // The fox stands on e5.
        let fox = Point::all().find(|p| p.coordinates() == (1, 1)).unwrap();
        let reading = Reading::new(fox, 16);
        let bit = |x, y| {
            let bit = (0..16).find(|&bit| Halves::point(16 + bit).coordinates() == (x, y)).unwrap();
            reading.read(1 << bit)
        };
        assert!(bit(0, -1) < bit(0, 1));
        assert!(bit(-2, -1) < bit(-1, -1) && bit(-1, -1) < bit(1, 1));
        let all: u16 = (0..16).map(|bit| reading.read(1 << bit)).fold(0, |all, one| all | one);
        assert_eq!(all, u16::MAX);
    }
}

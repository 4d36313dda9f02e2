//! The eleven points, the steps of the hare and of the hounds, the columns, and the mirror.
//!
//! ```text
//!     1---2---3
//!    /|\  |  /|\
//!   / | \ | / | \
//!  /  |  \|/  |  \
//! 4---5---6---7---8
//!  \  |  /|\  |  /
//!   \ | / | \ | /
//!    \|/  |  \|/
//!     9---10--11
//! ```

/// Number of points.
pub const POINTS: usize = 11;

/// The goal of the hare.
pub(super) const GOAL: u8 = 4;

/// Steps of the hare from each point; number 0 is not a point.
pub(super) const HARE: [&[u8]; POINTS + 1] = [
    &[],
    &[2, 4, 5, 6],
    &[1, 3, 6],
    &[2, 6, 7, 8],
    &[1, 5, 9],
    &[1, 4, 6, 9],
    &[1, 2, 3, 5, 7, 9, 10, 11],
    &[3, 6, 8, 11],
    &[3, 7, 11],
    &[4, 5, 6, 10],
    &[6, 9, 11],
    &[6, 7, 8, 10],
];

/// Steps of a hound from each point: to the right, up, and down.
pub(super) const HOUNDS: [&[u8]; POINTS + 1] = [
    &[],
    &[2, 5, 6],
    &[3, 6],
    &[7, 8],
    &[1, 5, 9],
    &[1, 6, 9],
    &[2, 3, 7, 10, 11],
    &[3, 8, 11],
    &[],
    &[5, 6, 10],
    &[6, 11],
    &[7, 8],
];

/// Returns the column of a point, 0 to 4 from the left.
pub(super) const fn column(point: u8) -> u8 {
    match point {
        4 => 0,
        1 | 5 | 9 => 1,
        2 | 6 | 10 => 2,
        3 | 7 | 11 => 3,
        _ => 4,
    }
}

/// Returns the image of a point under the mirror of top and bottom row.
pub(super) const fn mirror(point: u8) -> u8 {
    match point {
        1..=3 => point + 8,
        9..=11 => point - 8,
        _ => point,
    }
}

/// A set of points: bit `n - 1` is set when point `n` belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PointSet(u16);

impl PointSet {
    /// Number of bit patterns of a set.
    pub(super) const PATTERNS: usize = 1 << POINTS;

    pub(super) fn of(points: impl IntoIterator<Item = u8>) -> PointSet {
        PointSet(points.into_iter().fold(0, |bits, point| bits | 1 << (point - 1)))
    }

    pub(super) const fn bits(self) -> u16 {
        self.0
    }

    pub(super) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub(super) const fn contains(self, point: u8) -> bool {
        self.0 >> (point - 1) & 1 != 0
    }

    /// Returns the set with one member moved.
    pub(super) const fn moved(self, from: u8, to: u8) -> PointSet {
        PointSet(self.0 & !(1 << (from - 1)) | 1 << (to - 1))
    }

    /// Returns the members in ascending order.
    pub(super) fn iter(self) -> impl Iterator<Item = u8> + Clone {
        (1..=POINTS as u8).filter(move |&point| self.contains(point))
    }

    pub(super) fn mirror(self) -> PointSet {
        PointSet::of(self.iter().map(mirror))
    }

    /// Returns all sets of three points, in ascending order of the bits.
    pub(super) fn triples() -> impl Iterator<Item = PointSet> {
        (0..PointSet::PATTERNS as u16).map(PointSet).filter(|set| set.len() == 3)
    }

    /// Returns the sum of the columns of the members.
    pub(super) fn columns(self) -> u16 {
        self.iter().map(|point| u16::from(column(point))).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hare_may_go_back_the_way_it_came_and_hounds_go_where_a_hare_can() {
        for from in 1..=11 {
            for &to in HARE[usize::from(from)] {
                assert!(HARE[usize::from(to)].contains(&from), "{from}-{to}");
            }
            for to in HOUNDS[usize::from(from)] {
                assert!(HARE[usize::from(from)].contains(to), "{from}-{to}");
            }
        }
        assert_eq!(HARE.iter().map(|list| list.len()).sum::<usize>(), 2 * 22);
    }

    #[test]
    fn hounds_go_one_column_to_the_right_or_stay_in_theirs() {
        for from in 1..=11 {
            // Exactly the lines that lead not to the left.
            let expected: Vec<u8> = HARE[usize::from(from)]
                .iter()
                .copied()
                .filter(|&to| column(to) >= column(from))
                .collect();
            assert_eq!(HOUNDS[usize::from(from)], expected);
            assert!(expected.iter().all(|&to| column(to) <= column(from) + 1));
        }
    }

    #[test]
    fn both_lists_look_the_same_upside_down() {
        for lists in [HARE, HOUNDS] {
            for from in 1..=11 {
                let mut images: Vec<u8> =
                    lists[usize::from(from)].iter().map(|&to| mirror(to)).collect();
                images.sort_unstable();
                assert_eq!(lists[usize::from(mirror(from))], images, "from {from}");
                assert_eq!(mirror(mirror(from)), from);
                assert_eq!(column(mirror(from)), column(from));
            }
        }
    }
}

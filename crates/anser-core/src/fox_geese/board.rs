//! The 33-point cross as data: points, sets of points, lines, and jumps.
//!
//! Points are numbered from 0 (c1) to 32 (e7), rank by rank from rank 1 and along each rank from
//! file a; d4 is 16.

use std::fmt;
use std::sync::LazyLock;

use crate::Symmetry;

/// Number of points.
pub const POINTS: usize = 33;

/// The first point of each rank, and its file.
const RANKS: [(u8, i8); 7] = [(0, 2), (3, 2), (6, 0), (13, 0), (20, 0), (27, 2), (30, 2)];

/// A point of the cross, numbered 0 (c1) to 32 (e7).
///
/// ```
/// use anser_core::fox_geese::Point;
/// let d4 = Point::CENTER;
/// assert_eq!((d4.to_string().as_str(), d4.number(), d4.coordinates()), ("d4", 16, (0, 0)));
/// assert!(Point::at(-3, 3).is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u8);

impl Point {
    /// d4.
    pub const CENTER: Point = Point(16);

    /// All points in the order of their numbers.
    pub fn all() -> impl DoubleEndedIterator<Item = Point> + ExactSizeIterator {
        (0..POINTS as u8).map(Point)
    }

    /// Returns the point with this number; `None` from 33 up.
    pub const fn new(number: u8) -> Option<Point> {
        if (number as usize) < POINTS { Some(Point(number)) } else { None }
    }

    /// Returns the point `x` files right of d4 and `y` ranks above it, if it exists.
    pub const fn at(x: i8, y: i8) -> Option<Point> {
        if x < -3 || x > 3 || y < -3 || y > 3 || (x.abs() > 1 && y.abs() > 1) {
            return None;
        }
        let (start, first_file) = RANKS[(y + 3) as usize];
        Some(Point(start + (x + 3 - first_file) as u8))
    }

    /// Returns the number, below 33.
    pub const fn number(self) -> usize {
        self.0 as usize
    }

    /// Returns the files right of d4 and the ranks above d4, each from -3 to 3.
    pub const fn coordinates(self) -> (i8, i8) {
        let mut rank = 6;
        while RANKS[rank].0 > self.0 {
            rank -= 1;
        }
        let (start, first_file) = RANKS[rank];
        ((self.0 - start) as i8 + first_file - 3, rank as i8 - 3)
    }

    /// The image under a symmetry of the board.
    #[inline]
    #[must_use]
    pub const fn image(self, symmetry: Symmetry) -> Point {
        IMAGES[symmetry.code() as usize][self.number()]
    }

    /// Returns the set of this point alone.
    pub const fn set(self) -> PointSet {
        PointSet(1 << self.0)
    }
}

/// The image of each point under each symmetry.
const IMAGES: [[Point; POINTS]; 8] = {
    let mut images = [[Point::CENTER; POINTS]; 8];
    let mut at = 0;
    while at < 8 * POINTS {
        let (symmetry, number) = (at / POINTS, at % POINTS);
        let (x, y) = Point(number as u8).coordinates();
        let (x, y) = Symmetry::new(symmetry as u8).apply(x, y);
        images[symmetry][number] = match Point::at(x, y) {
            Some(point) => point,
            None => unreachable!(),
        };
        at += 1;
    }
    images
};

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (x, y) = self.coordinates();
        write!(f, "{}{}", char::from(b'd'.wrapping_add_signed(x)), y + 4)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of points: bit `n` stands for point number `n`.
///
/// ```
/// use anser_core::fox_geese::{Point, PointSet};
/// let center = Point::CENTER.set();
/// assert_eq!(center.len(), 1);
/// assert!((center | PointSet::ALL).contains(Point::CENTER));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct PointSet(u64);

impl PointSet {
    /// The empty set.
    pub const EMPTY: PointSet = PointSet(0);
    /// All 33 points.
    pub const ALL: PointSet = PointSet((1 << POINTS) - 1);

    /// Creates the set with these bits; bits from 33 up are dropped.
    pub const fn from_bits(bits: u64) -> PointSet {
        PointSet(bits & PointSet::ALL.0)
    }

    /// Returns the bits; bit `n` stands for point number `n`.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Number of points.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set has no point.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `point` belongs to the set.
    pub const fn contains(self, point: Point) -> bool {
        self.0 >> point.0 & 1 != 0
    }

    /// Returns the points in the order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = Point> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let number = rest.trailing_zeros() as u8;
                rest &= rest - 1;
                Point(number)
            })
        })
    }

    /// The image under a symmetry of the board.
    #[inline]
    #[must_use]
    pub fn image(self, symmetry: Symmetry) -> PointSet {
        self.iter().fold(PointSet::EMPTY, |set, point| set | point.image(symmetry).set())
    }
}

impl std::ops::BitOr for PointSet {
    type Output = PointSet;
    fn bitor(self, other: PointSet) -> PointSet {
        PointSet(self.0 | other.0)
    }
}

impl std::ops::BitAnd for PointSet {
    type Output = PointSet;
    fn bitand(self, other: PointSet) -> PointSet {
        PointSet(self.0 & other.0)
    }
}

impl std::ops::Not for PointSet {
    type Output = PointSet;
    fn not(self) -> PointSet {
        PointSet(!self.0 & PointSet::ALL.0)
    }
}

impl std::ops::Sub for PointSet {
    type Output = PointSet;
    fn sub(self, other: PointSet) -> PointSet {
        PointSet(self.0 & !other.0)
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// A jump along a line: over the first point, onto the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    /// The point of the captured goose.
    pub over: Point,
    /// The point the fox lands on.
    pub to: Point,
}

/// The lines of the board, and the directions in which geese may step along them.
#[derive(Debug, PartialEq, Eq)]
pub struct Board {
    neighbors: [PointSet; POINTS],
    goose_targets: [PointSet; POINTS],
    goose_sources: [PointSet; POINTS],
    jumps: [Vec<Jump>; POINTS],
}

impl Board {
    /// Creates the board. With `forward`, geese step sideways and toward rank 7 only.
    pub fn get(orthogonal: bool, forward: bool) -> &'static Board {
        static BOARDS: LazyLock<[Board; 4]> = LazyLock::new(|| {
            [
                Board::build(false, false),
                Board::build(false, true),
                Board::build(true, false),
                Board::build(true, true),
            ]
        });
        &BOARDS[2 * usize::from(orthogonal) + usize::from(forward)]
    }

    fn build(orthogonal: bool, forward: bool) -> Board {
        let mut board = Board {
            neighbors: [PointSet::EMPTY; POINTS],
            goose_targets: [PointSet::EMPTY; POINTS],
            goose_sources: [PointSet::EMPTY; POINTS],
            jumps: [const { Vec::new() }; POINTS],
        };
        for from in Point::all() {
            let (x, y) = from.coordinates();
            for (dx, dy) in DIRECTIONS {
                // Diagonal lines run through the points of d4's parity only; a diagonal step keeps
                // the parity, so the second half of a diagonal jump is on a line whenever the first
                // is.
                if dx != 0 && dy != 0 && (orthogonal || (x + y) % 2 != 0) {
                    continue;
                }
                let Some(to) = Point::at(x + dx, y + dy) else { continue };
                board.neighbors[from.number()] = board.neighbors[from.number()] | to.set();
                if !forward || dy >= 0 {
                    board.goose_targets[from.number()] =
                        board.goose_targets[from.number()] | to.set();
                    board.goose_sources[to.number()] =
                        board.goose_sources[to.number()] | from.set();
                }
                if let Some(landing) = Point::at(x + 2 * dx, y + 2 * dy) {
                    board.jumps[from.number()].push(Jump { over: to, to: landing });
                }
            }
        }
        board
    }

    /// Returns the points one step along a line away.
    pub fn neighbors(&self, point: Point) -> PointSet {
        self.neighbors[point.number()]
    }

    /// Returns the points to which a goose on `point` may step if they are empty.
    pub fn goose_targets(&self, point: Point) -> PointSet {
        self.goose_targets[point.number()]
    }

    /// Returns the points from which a goose on `point` may have stepped.
    pub fn goose_sources(&self, point: Point) -> PointSet {
        self.goose_sources[point.number()]
    }

    /// Returns the jumps of a fox on `point`, in the order of the directions.
    pub fn jumps(&self, point: Point) -> &[Jump] {
        &self.jumps[point.number()]
    }

    /// Returns every line between neighbors once, lower point first, in ascending order.
    pub fn lines(&self) -> impl Iterator<Item = (Point, Point)> + '_ {
        Point::all().flat_map(|from| {
            self.neighbors(from).iter().filter(move |&to| from < to).map(move |to| (from, to))
        })
    }
}

/// Right, up-right, up, up-left, left, down-left, down, down-right.
const DIRECTIONS: [(i8, i8); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cross_has_33_points_named_from_c1_to_e7() {
        let names: Vec<String> = Point::all().map(|p| p.to_string()).collect();
        assert_eq!(names.len(), 33);
        assert_eq!(
            (&names[0][..], &names[6][..], &names[16][..], &names[32][..]),
            ("c1", "a3", "d4", "e7")
        );
        for point in Point::all() {
            let (x, y) = point.coordinates();
            assert_eq!(Point::at(x, y), Some(point));
        }
    }

    #[test]
    fn the_full_board_has_72_lines_and_the_orthogonal_one_52() {
        assert_eq!(Board::get(false, false).lines().count(), 72);
        assert_eq!(Board::get(true, false).lines().count(), 52);
    }

    #[test]
    fn lines_run_both_ways_and_are_kept_by_all_symmetries() {
        for orthogonal in [false, true] {
            let board = Board::get(orthogonal, false);
            for from in Point::all() {
                for to in board.neighbors(from).iter() {
                    assert!(board.neighbors(to).contains(from));
                    for s in Symmetry::all() {
                        assert!(board.neighbors(from.image(s)).contains(to.image(s)));
                    }
                }
            }
        }
    }

    #[test]
    fn forward_geese_keep_the_left_right_mirror_only() {
        let board = Board::get(false, true);
        let kept = |s: Symmetry| {
            Point::all().all(|p| board.goose_targets(p).image(s) == board.goose_targets(p.image(s)))
        };
        assert_eq!(
            Symmetry::all().filter(|&s| kept(s)).map(Symmetry::code).collect::<Vec<_>>(),
            [0, 1]
        );
    }
}

//! The 33-point cross as data: points, lines, and jumps.
//!
//! Points are numbered from 0 (c1) to 32 (e7), rank by rank from rank 1 and along each rank from
//! file a; d4 is 16.

use std::fmt;

use crate::Symmetry;
use crate::fox_geese::Cross;

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

    /// Returns the bit of the point in sets of points.
    pub(super) const fn bit(self) -> u64 {
        1 << self.0
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

impl Cross {
    /// Returns the points one step along a line away, in the order of their numbers.
    pub fn neighbors(&self, point: Point) -> impl Iterator<Item = Point> {
        let (x, y) = point.coordinates();
        Point::all().filter(move |to| {
            let (dx, dy) = (to.coordinates().0 - x, to.coordinates().1 - y);
            // Diagonal lines run through the points of d4's parity only.
            self.directions.contains(&(dx, dy)) && (dx == 0 || dy == 0 || (x + y) % 2 == 0)
        })
    }

    /// Returns the points to which a goose on `point` may step if they are empty; with `backward`,
    /// those from which it may have stepped.
    pub fn goose_steps(&self, point: Point, backward: bool) -> impl Iterator<Item = Point> {
        self.neighbors(point).filter(move |&other| {
            let [from, to] = if backward { [other, point] } else { [point, other] };
            let ((x, y), (to_x, to_y)) = (from.coordinates(), to.coordinates());
            self.goose_directions.contains(&(to_x - x, to_y - y))
        })
    }

    /// Returns the jumps of a fox on `point`, in the order of the directions: the points jumped
    /// over and landed on.
    pub fn jumps(&self, point: Point) -> Vec<[Point; 2]> {
        let (x, y) = point.coordinates();
        let jump =
            |&(dx, dy)| Some([Point::at(x + dx, y + dy)?, Point::at(x + 2 * dx, y + 2 * dy)?]);
        // A diagonal step keeps the parity, so both halves of a jump are on a line if one is.
        let is_line = |&[over, _]: &[Point; 2]| self.neighbors(point).any(|to| to == over);
        self.directions.iter().filter_map(jump).filter(is_line).collect()
    }
}

/// Right, up-right, up, up-left, left, down-left, down, down-right.
pub(crate) static DIRECTIONS: [(i8, i8); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// Right, up, left, down.
pub(crate) static ORTHOGONAL: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hunt;

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

    fn cross(rules: &str) -> Cross {
        Hunt::fox_geese(rules).unwrap().cross().expect("the board is the cross")
    }

    #[test]
    fn the_full_board_has_72_lines_and_the_orthogonal_one_52() {
        let ends = |rules| Point::all().map(|p| cross(rules).neighbors(p).count()).sum::<usize>();
        assert_eq!((ends("free"), ends("free+orthogonal")), (2 * 72, 2 * 52));
    }

    #[test]
    fn lines_run_both_ways_and_are_kept_by_all_symmetries() {
        for rules in ["free", "free+orthogonal"] {
            let cross = cross(rules);
            let is_line = |from, to| cross.neighbors(from).any(|other| other == to);
            for from in Point::all() {
                for to in cross.neighbors(from) {
                    assert!(is_line(to, from));
                    assert!(Symmetry::all().all(|s| is_line(from.image(s), to.image(s))));
                }
            }
        }
    }

    #[test]
    fn forward_geese_keep_the_left_right_mirror_only() {
        let cross = cross("forward");
        let is_step = |from, to| cross.goose_steps(from, false).any(|other| other == to);
        let kept = |s: Symmetry| {
            Point::all().all(|from| {
                let mut steps = cross.goose_steps(from, false);
                steps.all(|to| {
                    is_step(from.image(s), to.image(s))
                        && cross.goose_steps(to, true).any(|p| p == from)
                })
            })
        };
        assert_eq!(
            Symmetry::all().filter(|&s| kept(s)).map(Symmetry::code).collect::<Vec<_>>(),
            [0, 1]
        );
    }
}

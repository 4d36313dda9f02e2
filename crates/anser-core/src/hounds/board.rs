//! The playable squares of an n x n chessboard as data: squares, sets of squares, and diagonal
//! steps.
//!
//! Columns `x` and rows `y` are counted from 0, from the left and from the bottom. Square number
//! `y * (n / 2) + x / 2`, rounded down, is the playable one of two: squares are numbered row by row
//! from the bottom, from left to right, and so that a step up goes to a higher number.

use std::fmt;
use std::sync::LazyLock;

/// Greatest number of playable squares of a board, that of 12 x 12.
pub const MOST_SQUARES: usize = 72;

/// A playable square by its number, from 0 on the bottom row; the [`Board`] determines its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Returns the square with this number; `None` from [`MOST_SQUARES`] up.
    pub const fn new(number: usize) -> Option<Square> {
        if number < MOST_SQUARES { Some(Square(number as u8)) } else { None }
    }

    /// Returns the number.
    #[inline]
    pub const fn number(self) -> usize {
        self.0 as usize
    }

    /// Returns the set of this square alone.
    #[inline]
    pub const fn set(self) -> SquareSet {
        SquareSet(1 << self.0)
    }
}

/// A set of squares: bit `s` stands for square number `s`.
///
/// ```
/// use anser_core::hounds::{Square, SquareSet};
/// let set = SquareSet::from_bits(0b1010);
/// assert_eq!(set.iter().map(Square::number).collect::<Vec<_>>(), [1, 3]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SquareSet(u128);

impl SquareSet {
    /// The empty set.
    pub const EMPTY: SquareSet = SquareSet(0);

    /// Creates the set of these bits; bits from [`MOST_SQUARES`] up are dropped.
    pub const fn from_bits(bits: u128) -> SquareSet {
        SquareSet(bits & ((1 << MOST_SQUARES) - 1))
    }

    /// Returns the bits.
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// Returns the number of squares.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `square` is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 != 0
    }

    /// Returns the squares of the set with a lower number than `square`.
    #[inline]
    #[must_use]
    pub const fn below(self, square: Square) -> SquareSet {
        SquareSet(self.0 & ((1 << square.0) - 1))
    }

    /// Returns the square with the lowest number.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square(self.0.trailing_zeros() as u8)) }
    }

    /// Returns the squares in the order of their numbers.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Square> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let square = SquareSet(left).first()?;
            left &= left - 1;
            Some(square)
        })
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> SquareSet {
        squares.into_iter().fold(SquareSet::EMPTY, |set, square| set | square.set())
    }
}

impl std::ops::BitOr for SquareSet {
    type Output = SquareSet;

    #[inline]
    fn bitor(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 | other.0)
    }
}

impl std::ops::BitAnd for SquareSet {
    type Output = SquareSet;

    #[inline]
    fn bitand(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 & other.0)
    }
}

/// Returns the squares of the first set that are not in the second.
impl std::ops::Sub for SquareSet {
    type Output = SquareSet;

    #[inline]
    fn sub(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 & !other.0)
    }
}

/// Color of the playable squares. On a chessboard the left corner of the bottom row, a1, is dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// Squares with `x + y` even, a1 among them: the board of Hasenspiel.
    Dark,
    /// Squares with `x + y` odd, the mirror image: the board of Fox-and-Hounds.
    Light,
}

/// Error of a size that no board has.
///
/// ```
/// use anser_core::fox_hounds::RuleSet;
/// use anser_core::hunt::Hunt;
/// let error = Hunt::fox_hounds(7, RuleSet::Escape).unwrap_err();
/// assert!(error.to_string().contains("even number from 2 to 12"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeError {
    size: usize,
    hounds: usize,
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SizeError { size, hounds } = self;
        if Board::SIZES.contains(size) {
            return write!(
                f,
                "a pack of {hounds} does not fit: on {size} x {size} squares it has 1 to {}, as many as the bottom row has \
                 squares",
                size / 2
            );
        }
        write!(
            f,
            "there is no board of {size} x {size} squares; the size is an even number from 2 to 12, as in fox-hounds:8"
        )
    }
}

impl std::error::Error for SizeError {}

/// The board of one size and color, for a pack of one size: its squares and the steps between them.
///
/// ```
/// use anser_core::hounds::{Board, Color};
/// let board = Board::get(8, Color::Light)?;
/// let e8 = board.square(4, 7).unwrap();
/// assert_eq!((e8.number(), board.coordinates(e8), board.square_name(e8)), (30, (4, 7), "e8".into()));
/// assert_eq!(board.square(3, 7), None);
/// # Ok::<(), anser_core::hounds::SizeError>(())
/// ```
#[derive(Debug)]
pub struct Board {
    size: usize,
    color: Color,
    hounds: usize,
    squares: SquareSet,
    /// The squares of even rows, and those of odd rows.
    rows: [SquareSet; 2],
    /// The squares from which a step up goes `size / 2 - 1`, `size / 2` and `size / 2 + 1` numbers
    /// on.
    up_from: [SquareSet; 3],
    steps: [[Option<Square>; 4]; MOST_SQUARES],
    neighbors: [SquareSet; MOST_SQUARES],
    reach: [SquareSet; MOST_SQUARES],
    /// The place of each square in the order of (x, y), and the square at each place.
    by_column: [u8; MOST_SQUARES],
    from_column: [Square; MOST_SQUARES],
}

/// The directions in the order of the lone man's moves: down-left, down-right, up-left, up-right.
const DIRECTIONS: [(isize, isize); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

impl Board {
    /// The sizes of boards.
    pub const SIZES: [usize; 6] = [2, 4, 6, 8, 10, 12];

    /// Returns the board of `size` x `size` squares for a pack that fills its bottom row.
    ///
    /// # Errors
    /// If `size` is not one of [`Board::SIZES`].
    pub fn get(size: usize, color: Color) -> Result<&'static Board, SizeError> {
        Board::with_hounds(size, color, size / 2)
    }

    /// Returns the board for a pack of `hounds`, 1 to `size / 2`.
    ///
    /// ```
    /// use anser_core::hounds::{Board, Color};
    /// assert_eq!(Board::with_hounds(10, Color::Dark, 3)?.hounds(), 3);
    /// assert!(Board::with_hounds(10, Color::Dark, 6).is_err());
    /// # Ok::<(), anser_core::hounds::SizeError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no board of this size, or the pack does not fit on its bottom row.
    pub fn with_hounds(
        size: usize,
        color: Color,
        hounds: usize,
    ) -> Result<&'static Board, SizeError> {
        static BOARDS: LazyLock<Vec<Board>> = LazyLock::new(|| {
            let both = [Color::Dark, Color::Light];
            let packs = Board::SIZES
                .iter()
                .flat_map(|&size| (1..=size / 2).map(move |hounds| (size, hounds)));
            packs
                .flat_map(|(size, hounds)| both.map(|color| Board::build(size, color, hounds)))
                .collect()
        });
        let is_it =
            |board: &&Board| (board.size, board.color, board.hounds) == (size, color, hounds);
        BOARDS.iter().find(is_it).ok_or(SizeError { size, hounds })
    }

    fn build(size: usize, color: Color, hounds: usize) -> Board {
        let mut board = Board {
            size,
            color,
            hounds,
            squares: SquareSet::from_bits((1 << (size * size / 2)) - 1),
            rows: [SquareSet::EMPTY; 2],
            up_from: [SquareSet::EMPTY; 3],
            steps: [[None; 4]; MOST_SQUARES],
            neighbors: [SquareSet::EMPTY; MOST_SQUARES],
            reach: [SquareSet::EMPTY; MOST_SQUARES],
            by_column: [0; MOST_SQUARES],
            from_column: [Square(0); MOST_SQUARES],
        };
        for from in board.squares.iter() {
            let (x, y) = board.coordinates(from);
            board.rows[y % 2] = board.rows[y % 2] | from.set();
            for (direction, (dx, dy)) in DIRECTIONS.into_iter().enumerate() {
                let target = x.checked_add_signed(dx).zip(y.checked_add_signed(dy));
                let Some(to) = target.and_then(|(x, y)| board.square(x, y)) else { continue };
                board.steps[from.number()][direction] = Some(to);
                board.neighbors[from.number()] = board.neighbors[from.number()] | to.set();
                if dy > 0 {
                    let kind = to.number() + 1 - from.number() - size / 2;
                    board.up_from[kind] = board.up_from[kind] | from.set();
                }
            }
        }
        // From the top down: the reach of a square is the union of the reaches above it.
        for from in (0..board.squares.len()).rev().filter_map(Square::new) {
            let up = board.up_steps(from).into_iter().flatten();
            board.reach[from.number()] =
                up.fold(from.set(), |reach, to| reach | board.reach[to.number()]);
        }
        let mut order: Vec<Square> = board.squares.iter().collect();
        order.sort_by_key(|&square| board.coordinates(square));
        for (place, square) in order.into_iter().enumerate() {
            board.by_column[square.number()] = place as u8;
            board.from_column[place] = square;
        }
        board
    }

    /// Returns the number of rows, which is the number of columns.
    #[inline]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the color of the playable squares.
    pub fn color(&self) -> Color {
        self.color
    }

    /// Returns the number of playable squares in a row.
    #[inline]
    pub fn width(&self) -> usize {
        self.size / 2
    }

    /// Returns the number of hounds.
    #[inline]
    pub fn hounds(&self) -> usize {
        self.hounds
    }

    /// Returns all squares.
    #[inline]
    pub fn squares(&self) -> SquareSet {
        self.squares
    }

    /// Returns the squares on even rows (0), the bottom row among them, or on odd rows (1).
    ///
    /// # Panics
    /// If `parity` is not 0 or 1.
    #[inline]
    pub fn rows(&self, parity: usize) -> SquareSet {
        self.rows[parity]
    }

    /// Returns the square in column `x` and row `y`; `None` if it is not playable.
    pub fn square(&self, x: usize, y: usize) -> Option<Square> {
        let light = (x + y) % 2 == 1;
        let there = x < self.size && y < self.size && light == (self.color == Color::Light);
        there.then(|| Square((y * (self.size / 2) + x / 2) as u8))
    }

    /// Returns column and row of a square, from 0.
    pub fn coordinates(&self, square: Square) -> (usize, usize) {
        let (y, place) = (square.number() / (self.size / 2), square.number() % (self.size / 2));
        (2 * place + usize::from((y % 2 == 0) == (self.color == Color::Light)), y)
    }

    /// Returns the row of a square, from 0.
    #[inline]
    pub fn row(&self, square: Square) -> usize {
        square.number() / (self.size / 2)
    }

    /// Returns the name: a letter for the column, a number from 1 for the row.
    pub fn square_name(&self, square: Square) -> String {
        let (x, y) = self.coordinates(square);
        format!("{}{}", char::from(b'a' + x as u8), y + 1)
    }

    /// Returns the squares one step down-left, down-right, up-left and up-right.
    #[inline]
    pub fn steps(&self, square: Square) -> [Option<Square>; 4] {
        self.steps[square.number()]
    }

    /// Returns the squares one step up-left and up-right.
    #[inline]
    pub fn up_steps(&self, square: Square) -> [Option<Square>; 2] {
        let [_, _, left, right] = self.steps[square.number()];
        [left, right]
    }

    /// Returns the squares one step away in any direction.
    #[inline]
    pub fn neighbors(&self, square: Square) -> SquareSet {
        self.neighbors[square.number()]
    }

    /// Returns the squares one step up from any of these.
    #[inline]
    pub fn up(&self, squares: SquareSet) -> SquareSet {
        let half = self.size / 2;
        let [before, straight, after] = self.up_from.map(|from| (squares & from).bits());
        SquareSet(before << (half - 1) | straight << half | after << (half + 1))
    }

    /// Returns the squares that hounds on these could ever reach on an empty board, their own
    /// included.
    #[inline]
    pub fn reach(&self, hounds: SquareSet) -> SquareSet {
        hounds.iter().fold(SquareSet::EMPTY, |reach, hound| reach | self.reach[hound.number()])
    }

    /// Returns these squares column by column from the left, upward in each column.
    #[inline]
    pub fn by_column(&self, squares: SquareSet) -> impl Iterator<Item = Square> {
        let places =
            squares.iter().fold(0, |places, square| places | 1 << self.by_column[square.number()]);
        SquareSet(places).iter().map(|place| self.from_column[place.number()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boards() -> impl Iterator<Item = &'static Board> {
        Board::SIZES
            .into_iter()
            .flat_map(|size| [Color::Dark, Color::Light].map(|c| Board::get(size, c).unwrap()))
    }

    #[test]
    fn squares_are_numbered_row_by_row_from_the_bottom() {
        for board in boards() {
            let mut number = 0;
            for y in 0..board.size() {
                for x in 0..board.size() {
                    let Some(square) = board.square(x, y) else { continue };
                    assert_eq!(
                        (square.number(), board.coordinates(square), board.row(square)),
                        (number, (x, y), y)
                    );
                    number += 1;
                }
            }
            assert_eq!(number, board.size() * board.size() / 2);
            assert_eq!(board.squares(), board.rows(0) | board.rows(1));
        }
        let names = |color| {
            let board = Board::get(8, color).unwrap();
            [0, 29, 31].map(|number| board.square_name(Square(number))).join(" ")
        };
        assert_eq!(names(Color::Dark), "a1 d8 h8");
        assert_eq!(names(Color::Light), "b1 c8 g8");
    }

    #[test]
    fn steps_are_diagonal_and_a_whole_set_steps_up_as_its_squares_do() {
        for board in boards() {
            for from in board.squares().iter() {
                let (x, y) = board.coordinates(from);
                for (step, (dx, dy)) in
                    board.steps(from).into_iter().zip([(-1, -1), (1, -1), (-1, 1), (1, 1)])
                {
                    let target = (x as isize + dx, y as isize + dy);
                    let found =
                        step.map(|to| board.coordinates(to)).map(|(x, y)| (x as isize, y as isize));
                    let inside = |c: isize| (0..board.size() as isize).contains(&c);
                    assert_eq!(found, (inside(target.0) && inside(target.1)).then_some(target));
                }
                assert_eq!(
                    board.neighbors(from),
                    board.steps(from).into_iter().flatten().collect()
                );
            }
            let mut bits = 1u128;
            for _ in 0..1000 {
                bits = bits.wrapping_mul(0x2545_F491_4F6C_DD1D_9E37_79B9_7F4A_7C15).rotate_left(77)
                    | 1;
                let set = SquareSet::from_bits(bits & (bits >> 31)) & board.squares();
                assert_eq!(
                    board.up(set),
                    set.iter().flat_map(|from| board.up_steps(from)).flatten().collect()
                );
            }
        }
    }

    #[test]
    fn hounds_reach_what_lies_above_them_between_the_diagonals() {
        for board in boards() {
            for hound in board.squares().iter() {
                let (x, y) = board.coordinates(hound);
                let above = |&to: &Square| {
                    let (u, v) = board.coordinates(to);
                    v >= y && x.abs_diff(u) <= v - y
                };
                assert_eq!(
                    board.reach(hound.set()),
                    board.squares().iter().filter(above).collect()
                );
            }
        }
    }

    #[test]
    fn columns_come_from_the_left_and_upward() {
        for board in boards() {
            let order: Vec<_> =
                board.by_column(board.squares()).map(|square| board.coordinates(square)).collect();
            assert_eq!(order.len(), board.squares().len());
            assert!(order.is_sorted());
        }
    }
}

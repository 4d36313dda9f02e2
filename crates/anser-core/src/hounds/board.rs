//! The boards of games in rows: the playable squares of an n x n chessboard, for packs of each
//! size.
//!
//! Columns `x` and rows `y` are counted from 0, from the left and from the bottom. Square number
//! `y * (n / 2) + x / 2`, rounded down, is the playable one of two: squares are numbered row by row
//! from the bottom, from left to right, and so that a step up goes to a higher number.

use std::fmt;
use std::sync::LazyLock;

use crate::hunt::PointSet;

/// Greatest number of playable squares of a board, that of 12 x 12.
pub(crate) const MOST_SQUARES: usize = 72;

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
/// use anser_core::hunt::Hunt;
/// let error = Hunt::fox_hounds(7, "escape").unwrap_err();
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
                "a pack of {hounds} does not fit: on {size} x {size} squares it has 1 to {}, as \
                 many as the bottom row has squares",
                size / 2
            );
        }
        write!(
            f,
            "there is no board of {size} x {size} squares; the size is an even number from 2 to \
             12, as in fox-hounds:8"
        )
    }
}

impl std::error::Error for SizeError {}

/// The board of one size and color, for a pack of one size.
///
/// ```
/// use anser_core::hunt::Hunt;
/// let game = Hunt::hasenspiel(10, 3, "literal")?;
/// let board = game.rows().expect("the pawns only go up").board;
/// assert_eq!((board.size(), board.width(), board.hounds()), (10, 5, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Board {
    size: usize,
    color: Color,
    hounds: usize,
    /// The squares of even rows, and those of odd rows.
    rows: [PointSet; 2],
    neighbors: [PointSet; MOST_SQUARES],
    reach: [PointSet; MOST_SQUARES],
}

impl Board {
    /// The sizes of boards.
    pub const SIZES: [usize; 6] = [2, 4, 6, 8, 10, 12];

    /// Returns the board of `size` x `size` squares for a pack of `hounds`, 1 to `size / 2`.
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
        let none = [PointSet::EMPTY; MOST_SQUARES];
        let mut board =
            Board { size, color, hounds, rows: [PointSet::EMPTY; 2], neighbors: none, reach: none };
        let squares = size * size / 2;
        // From the top down: the reach of a square is the union of the reaches above it.
        for from in (0..squares).rev() {
            let (x, y) = board.coordinates(from);
            board.rows[y % 2] |= PointSet::of(from as u8);
            board.reach[from] |= PointSet::of(from as u8);
            for to in 0..squares {
                let (to_x, to_y) = board.coordinates(to);
                if x.abs_diff(to_x) == 1 && y.abs_diff(to_y) == 1 {
                    board.neighbors[from] |= PointSet::of(to as u8);
                    if to_y > y {
                        board.reach[from] |= board.reach[to];
                    }
                }
            }
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

    /// Returns the number of playable squares.
    pub(crate) fn squares(&self) -> usize {
        self.size * self.size / 2
    }

    /// Returns the squares on even rows (0), the bottom row among them, or on odd rows (1).
    ///
    /// # Panics
    /// If `parity` is not 0 or 1.
    #[inline]
    pub fn rows(&self, parity: usize) -> PointSet {
        self.rows[parity]
    }

    /// Returns column and row of a square, from 0.
    fn coordinates(&self, square: usize) -> (usize, usize) {
        let (y, place) = (self.row(square), square % self.width());
        (2 * place + usize::from((y % 2 == 0) == (self.color == Color::Light)), y)
    }

    /// Returns the row of a square, from 0.
    #[inline]
    pub(crate) fn row(&self, square: usize) -> usize {
        square / self.width()
    }

    /// Returns the squares one step away in any direction.
    #[inline]
    pub fn neighbors(&self, square: u8) -> PointSet {
        self.neighbors[usize::from(square)]
    }

    /// Returns the squares that hounds on these could ever reach on an empty board, their own
    /// included.
    #[inline]
    pub fn reach(&self, hounds: PointSet) -> PointSet {
        hounds.iter().fold(PointSet::EMPTY, |reach, hound| reach | self.reach[usize::from(hound)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boards() -> impl Iterator<Item = &'static Board> {
        let of_size =
            |size| [Color::Dark, Color::Light].map(|c| Board::with_hounds(size, c, 1).unwrap());
        Board::SIZES.into_iter().flat_map(of_size)
    }

    #[test]
    fn squares_are_numbered_row_by_row_from_the_bottom() {
        for board in boards() {
            let mut number = 0;
            let of_row = |y| (0..board.size()).map(move |x| (x, y));
            for (x, y) in (0..board.size()).flat_map(of_row) {
                if ((x + y) % 2 == 1) == (board.color() == Color::Light) {
                    assert_eq!((board.coordinates(number), board.row(number)), ((x, y), y));
                    number += 1;
                }
            }
            assert_eq!(number, board.squares());
            assert_eq!(PointSet::first_points(number), board.rows(0) | board.rows(1));
        }
        let at = |color| {
            let board = Board::with_hounds(8, color, 4).unwrap();
            [0, 29, 31].map(|number| board.coordinates(number))
        };
        assert_eq!(at(Color::Dark), [(0, 0), (3, 7), (7, 7)]);
        assert_eq!(at(Color::Light), [(1, 0), (2, 7), (6, 7)]);
    }

    #[test]
    fn neighbors_are_diagonal_and_hounds_reach_what_lies_above_them_between_the_diagonals() {
        for board in boards() {
            for hound in 0..board.squares() {
                let (x, y) = board.coordinates(hound);
                let those = |kept: &dyn Fn(usize, usize) -> bool| -> PointSet {
                    let squares = 0..board.squares() as u8;
                    squares
                        .filter(|&to| {
                            let (u, v) = board.coordinates(to.into());
                            kept(u, v)
                        })
                        .collect()
                };
                assert_eq!(
                    board.neighbors(hound as u8),
                    those(&|u, v| [(x + 1, y + 1), (x + 1, y.wrapping_sub(1))].contains(&(u, v))
                        || [(x.wrapping_sub(1), y + 1), (x.wrapping_sub(1), y.wrapping_sub(1))]
                            .contains(&(u, v)))
                );
                assert_eq!(
                    board.reach(PointSet::of(hound as u8)),
                    those(&|u, v| v >= y && x.abs_diff(u) <= v - y)
                );
            }
        }
    }
}

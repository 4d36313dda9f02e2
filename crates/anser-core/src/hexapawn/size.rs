//! Board sizes: columns x rows, `3x3`.

use std::fmt;
use std::str::FromStr;

/// The size of a board: 1 to 8 columns, 3 to 8 rows, at most 36 squares.
///
/// ```
/// use anser_core::hexapawn::BoardSize;
/// let size: BoardSize = "5x4".parse()?;
/// assert_eq!((size.columns(), size.rows(), size.squares()), (5, 4, 20));
/// assert_eq!(size.to_string(), "5x4");
/// assert_eq!(BoardSize::all().count(), 38);
/// # Ok::<(), anser_core::hexapawn::BoardSizeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardSize {
    columns: u8,
    rows: u8,
}

impl BoardSize {
    /// The board of the first article and of the document.
    pub const THREE: BoardSize = BoardSize { columns: 3, rows: 3 };
    /// Greatest number of columns, and of rows.
    pub const MOST: u8 = 8;
    /// Least number of rows: with two, no pawn could step.
    pub const FEWEST_ROWS: u8 = 3;
    /// Greatest number of squares.
    pub const MOST_SQUARES: u8 = 36;

    /// Creates the size of a board with these columns and rows.
    ///
    /// # Errors
    /// If a number is out of range, or the board has more than [`BoardSize::MOST_SQUARES`] squares.
    pub fn new(columns: u8, rows: u8) -> Result<BoardSize, BoardSizeError> {
        let problem = if !(1..=BoardSize::MOST).contains(&columns) {
            format!("{columns} columns are not offered")
        } else if !(BoardSize::FEWEST_ROWS..=BoardSize::MOST).contains(&rows) {
            format!("{rows} rows are not offered")
        } else if columns * rows > BoardSize::MOST_SQUARES {
            format!("{columns}x{rows} has {} squares", columns * rows)
        } else {
            return Ok(BoardSize { columns, rows });
        };
        Err(BoardSizeError { problem })
    }

    /// Returns all sizes, by columns and then by rows.
    pub fn all() -> impl Iterator<Item = BoardSize> {
        (1..=BoardSize::MOST).flat_map(|columns| {
            (BoardSize::FEWEST_ROWS..=BoardSize::MOST)
                .filter_map(move |rows| BoardSize::new(columns, rows).ok())
        })
    }

    /// Returns the number of columns, which is the number of pawns of each side at the start.
    pub const fn columns(self) -> u8 {
        self.columns
    }

    /// Returns the number of rows.
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// Returns the number of squares.
    pub const fn squares(self) -> u8 {
        self.columns * self.rows
    }

    /// Returns the sum of the rows that all pawns have to go at the start.
    pub(crate) const fn rows_to_go(self) -> u16 {
        2 * self.columns as u16 * (self.rows as u16 - 1)
    }

    /// Returns the squares of a row, 0 at the bottom, as bits: bit `row * columns + column`.
    pub(super) const fn row(self, row: u8) -> u64 {
        ((1 << self.columns) - 1) << (row * self.columns)
    }

    /// Returns the squares of a column.
    #[cfg(test)]
    fn column(self, column: u8) -> u64 {
        (0..self.rows).fold(0, |bits, row| bits | 1 << (row * self.columns + column))
    }

    /// Returns the images of squares under the mirror of left and right.
    pub(super) fn mirror(self, bits: u64) -> u64 {
        (0..self.rows).fold(0, |image, row| {
            let shift = row * self.columns;
            let word = (bits >> shift) as u8 & ((1u16 << self.columns) - 1) as u8;
            image | u64::from(word.reverse_bits() >> (8 - self.columns)) << shift
        })
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

impl FromStr for BoardSize {
    type Err = BoardSizeError;

    fn from_str(text: &str) -> Result<BoardSize, BoardSizeError> {
        let number = |part: &str| match part.as_bytes() {
            [digit @ b'0'..=b'9'] => Ok(digit - b'0'),
            _ => {
                Err(BoardSizeError { problem: format!("{part:?} is no number of columns or rows") })
            }
        };
        let Some((columns, rows)) = text.split_once('x') else {
            return Err(BoardSizeError { problem: format!("{text:?} is no board size") });
        };
        BoardSize::new(number(columns)?, number(rows)?)
    }
}

/// Error of a board size: malformed, or out of range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardSizeError {
    problem: String,
}

impl fmt::Display for BoardSizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}; a board has columns x rows, as 3x3: 1 to {most} columns, {} to {most} rows, at \
             most {} squares",
            self.problem,
            BoardSize::FEWEST_ROWS,
            BoardSize::MOST_SQUARES,
            most = BoardSize::MOST,
        )
    }
}

impl std::error::Error for BoardSizeError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_reads_back() {
        for size in BoardSize::all() {
            assert_eq!(size.to_string().parse(), Ok(size));
            assert!(size.squares() <= 36);
        }
    }

    #[test]
    fn wrong_sizes_say_what_a_right_one_is() {
        for wrong in [
            "", "3", "x", "3x", "x3", "3x2", "9x3", "0x3", "7x6", "3x33", "03x3", "3X3", "3x3 ",
            "+3x3", "300x300",
        ] {
            let error = wrong.parse::<BoardSize>().unwrap_err().to_string();
            assert!(error.contains("3x3") && error.contains("36"), "{error}");
        }
    }

    #[test]
    fn the_mirror_exchanges_the_columns() {
        for size in BoardSize::all() {
            for column in 0..size.columns() {
                assert_eq!(
                    size.mirror(size.column(column)),
                    size.column(size.columns() - 1 - column),
                    "{size}"
                );
            }
            for row in 0..size.rows() {
                assert_eq!(size.mirror(size.row(row)), size.row(row));
            }
        }
    }
}

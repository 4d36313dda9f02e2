//! Boards for drawing: points, lines between them, and pieces.

use crate::Side;

/// A board with its pieces: everything that a program needs to draw it.
///
/// ```
/// use anser_core::Hunt;
/// use anser_core::Side;
/// let game = Hunt::default();
/// let picture = game.picture(&game.start());
/// assert_eq!((picture.points.len(), picture.lines.len()), (33, 72));
/// let pieces = picture.points.iter().filter_map(|point| point.piece);
/// assert_eq!(pieces.filter(|(side, _)| *side == Side::Second).count(), 13);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The points or squares that pieces can stand on.
    pub points: Vec<PicturePoint>,
    /// The lines between points, as indexes of `points`; empty on a board of squares.
    pub lines: Vec<[usize; 2]>,
    /// The names of the columns from the left; empty if columns have no names.
    pub columns: Vec<String>,
    /// The names of the rows from the bottom; empty if rows have no names.
    pub rows: Vec<String>,
}

/// A point of a [`Picture`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PicturePoint {
    /// The column, from 0 at the left.
    pub x: usize,
    /// The row, from 0 at the bottom.
    pub y: usize,
    /// The piece on it, with its letter in the notation.
    pub piece: Option<(Side, char)>,
    /// The name, if it does not follow from row and column.
    pub name: Option<String>,
}

//! The points of a board in rows, as notation and diagrams have them.

use crate::hunt::Description;

/// The points of a board in rows, as they are written.
pub(super) struct Rows {
    /// By row from the top, and place from the left: the point.
    pub(super) points: Vec<Vec<u8>>,
    /// By row: how many columns without a point are before each point, and after the last. Empty
    /// for boards of squares.
    pub(super) gaps: Vec<Vec<usize>>,
    /// By point: the number of its column and of its row, from the left and from the bottom.
    pub(super) grid: Vec<(usize, usize)>,
    pub(super) columns: usize,
    /// The word for one point: `square`.
    pub(super) point_word_one: String,
    /// Whether points are called by a letter for the column and a number for the row.
    pub(super) named_by_grid: bool,
}

impl Rows {
    pub(super) fn new(description: &Description) -> Rows {
        let points = &description.points;
        let places = |of: &dyn Fn(usize) -> i32| {
            let mut places: Vec<i32> = (0..points.len()).map(of).collect();
            places.sort_unstable();
            places.dedup();
            places
        };
        let xs = places(&|point| points[point].x);
        let ys = places(&|point| points[point].y);
        let grid: Vec<(usize, usize)> = points
            .iter()
            .map(|point| {
                (xs.partition_point(|&x| x < point.x), ys.partition_point(|&y| y < point.y))
            })
            .collect();
        let rows: Vec<Vec<u8>> = (0..ys.len())
            .rev()
            .map(|y| {
                let mut row: Vec<u8> =
                    (0..points.len() as u8).filter(|&p| grid[usize::from(p)].1 == y).collect();
                row.sort_by_key(|&point| grid[usize::from(point)].0);
                row
            })
            .collect();
        let gaps = rows.iter().filter(|_| !description.lines.is_empty()).map(|row| {
            let columns: Vec<usize> = row.iter().map(|&point| grid[usize::from(point)].0).collect();
            let ends = columns.iter().copied().chain([xs.len()]);
            let starts = [0].into_iter().chain(columns.iter().map(|column| column + 1));
            ends.zip(starts).map(|(end, start)| end - start).collect()
        });
        let named_by_grid =
            points.iter().zip(&grid).all(|(point, &place)| point.name == grid_name(place));
        Rows {
            gaps: gaps.collect(),
            points: rows,
            columns: xs.len(),
            point_word_one: one(&description.point_word),
            named_by_grid,
            grid,
        }
    }
}

/// Returns the letter of a column, from 0.
pub(super) fn column_letter(x: usize) -> char {
    char::from(b'a' + x.min(25) as u8)
}

/// Returns the letter of the column and the number of the row.
pub(super) fn grid_name((x, y): (usize, usize)) -> String {
    format!("{}{}", column_letter(x), y + 1)
}

/// Returns the singular of the word for points: `squares` are of the kind `square`.
fn one(points: &str) -> String {
    points.strip_suffix('s').unwrap_or(points).to_owned()
}

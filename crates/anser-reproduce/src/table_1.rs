//! Table 1 of the paper on Fox-and-Geese, as printed.
//!
//! S. Edelkamp, H. Messerschmidt, "Strongly Solving Fox-and-Geese on Multi-core CPU" (KI 2010).

const TEXT: &str = include_str!("../data/fox-geese-table1.csv");

/// One row of the table: the layer of one number of geese.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableRow {
    /// The number of geese, 1 to 31.
    pub geese: u16,
    /// Positions that the geese win, both sides to move.
    pub won: u64,
    /// Passes over the undecided positions, the last of which changed nothing.
    pub iterations: u32,
    /// Wall and processor seconds; `None` in the row of 18 geese, which has none.
    pub seconds: Option<(f64, f64)>,
}

/// Returns the rows of the table, by ascending number of geese.
///
/// ```
/// use anser_reproduce::table_1;
/// let row = table_1::rows().find(|row| row.geese == 6).expect("the table has 31 rows");
/// assert_eq!((row.won, row.iterations), (21_380, 17));
/// ```
pub fn rows() -> impl Iterator<Item = TableRow> {
    // A test reads every row.
    TEXT.lines()
        .filter(|line| line.starts_with(|first: char| first.is_ascii_digit()))
        .filter_map(row)
}

/// Returns the printed count of positions that the geese win with this number of geese, both sides
/// to move.
pub fn won(geese: u16) -> Option<u64> {
    rows().find(|row| row.geese == geese).map(|row| row.won)
}

fn row(line: &str) -> Option<TableRow> {
    let mut cells = line.split(',');
    let row = TableRow {
        geese: cells.next()?.parse().ok()?,
        won: cells.next()?.parse().ok()?,
        iterations: cells.next()?.parse().ok()?,
        seconds: None,
    };
    let seconds = cells.next()?.parse().ok().zip(cells.next()?.parse().ok());
    Some(TableRow { seconds, ..row })
}

/// Returns a note for a table that shows the printed counts beside computed ones: where they come
/// from and why most differ.
///
/// `game` and `rules` are the identifiers that tables have. Returns `None` for games and rule sets
/// that the printed counts are not compared with.
pub fn note(game: &str, rules: &str) -> Option<String> {
    let nearest = match (game, rules) {
        ("fox-geese", "free") => "",
        ("fox-geese", "first-capture") => {
            " Of all rule sets this one comes nearest, mostly within one percent."
        }
        _ => return None,
    };
    Some(format!(
        "printed: Edelkamp & Messerschmidt, KI 2010, Table 1. Equal up to 6 geese. From 7 geese on \
         the printed column cannot be right for any rules with the symmetry of the board: a \
         position that all eight symmetries leave unchanged has the fox on d4 and a number of \
         geese divisible by four. So for every other number of geese the count is even, and eleven \
         of the printed ones are odd.{nearest}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layer_has_a_printed_count() {
        assert_eq!((1..=6).filter_map(won).collect::<Vec<_>>(), [0, 0, 0, 40, 1_280, 21_380]);
        assert_eq!((1..=31).filter_map(won).count(), 31);
        let odd =
            (1..=31).filter(|&geese| won(geese).is_some_and(|won| won % 2 == 1 && geese % 4 != 0));
        assert_eq!(odd.collect::<Vec<_>>(), [7, 9, 13, 17, 18, 21, 22, 23, 25, 30, 31]);
    }

    #[test]
    fn every_row_but_that_of_18_geese_has_times() {
        assert_eq!(rows().map(|row| row.geese).collect::<Vec<_>>(), (1..=31).collect::<Vec<_>>());
        let without: Vec<u16> =
            rows().filter(|row| row.seconds.is_none()).map(|row| row.geese).collect();
        assert_eq!(without, [18]);
    }
}

//! Orders of the entries of a layer that put similar entries next to each other, for compression.
//!
//! # Specification
//!
//! The ranks of a layer are cut, in their order, into *grids*: `rows * columns` ranks each, row by
//! row. A grid has a permutation of its rows and one of its columns, chosen so that adjacent rows,
//! and adjacent columns, have similar values. Entries are put in order as *words* of 64 entries,
//! with rows and columns permuted, in three parts:
//!
//! 1. for each grid, for each whole group of 64 rows, for each column: the 64 entries of these rows
//!    in this column;
//! 2. for each grid, for each whole group of 64 columns, for each of the remaining rows, fewer than
//!    64: the 64 entries of this row in these columns;
//! 3. for each grid, for each of the remaining rows: the entries in the remaining columns, fewer
//!    than 64.
//!
//! The *place* of an entry is its number in this order, from 0.

use std::borrow::Cow;
use std::ops::Range;

/// Number of entries in a word.
const WORD: u64 = 64;
/// The same as a length in memory.
const GROUP: usize = WORD as usize;

/// Order of the entries with one side to move. The source of the module has the specification.
///
/// ```
/// use anser_core::{Permutation, PackingOrder};
/// let rows: Vec<u16> = (0..70).rev().collect();
/// let order = PackingOrder::new([(Permutation::Table(rows.into()), Permutation::Identity(3))]);
/// assert_eq!(order.len(), 210);
/// // The last row comes first; its entries are 64 places from each other.
/// assert_eq!([207, 208, 209].map(|rank| order.place(rank)), [0, 64, 128]);
/// ```
#[derive(Clone, Debug)]
pub struct PackingOrder {
    grids: Vec<Grid>,
    len: u64,
}

/// Permutation of the rows or columns of a grid.
#[derive(Clone, Debug)]
pub enum Permutation {
    /// The identity on this number of rows or columns.
    Identity(u64),
    /// Number `i` goes to place `table[i]`.
    Table(Cow<'static, [u16]>),
}

impl Permutation {
    fn len(&self) -> u64 {
        match self {
            Permutation::Identity(len) => *len,
            Permutation::Table(table) => table.len() as u64,
        }
    }

    #[inline]
    fn place(&self, number: u64) -> u64 {
        match self {
            Permutation::Identity(_) => number,
            Permutation::Table(table) => u64::from(table[number as usize]),
        }
    }

    /// Returns the number at each place.
    fn inverse(&self) -> Vec<u32> {
        let mut inverse = vec![0; self.len() as usize];
        for number in 0..self.len() {
            inverse[self.place(number) as usize] = number as u32;
        }
        inverse
    }
}

/// A grid, and the starts of its three parts.
#[derive(Clone, Debug)]
struct Grid {
    /// The first rank.
    start: u64,
    rows: Permutation,
    columns: Permutation,
    /// The place of the first entry of each part.
    parts: [u64; 3],
}

impl Grid {
    /// Returns the number of rows, and of columns, in whole groups.
    fn whole(&self) -> (u64, u64) {
        (self.rows.len() / WORD * WORD, self.columns.len() / WORD * WORD)
    }

    fn len(&self) -> u64 {
        self.rows.len() * self.columns.len()
    }

    /// Returns the number of entries in each part.
    fn lens(&self) -> [u64; 3] {
        let (whole_rows, whole_columns) = self.whole();
        let left = self.rows.len() - whole_rows;
        [
            whole_rows * self.columns.len(),
            left * whole_columns,
            left * (self.columns.len() - whole_columns),
        ]
    }

    /// Visits the places of the entries of `row` in `columns`.
    #[inline]
    fn visit_row(&self, row: u64, columns: Range<u64>, mut visit: impl FnMut(u64)) {
        let (whole_rows, whole_columns) = self.whole();
        let row = self.rows.place(row);
        if row < whole_rows {
            let first = self.parts[0] + row / WORD * WORD * self.columns.len() + row % WORD;
            for column in columns {
                visit(first + self.columns.place(column) * WORD);
            }
            return;
        }
        let (row, left) = (row - whole_rows, self.rows.len() - whole_rows);
        for column in columns {
            let column = self.columns.place(column);
            visit(if column < whole_columns {
                self.parts[1] + (column / WORD * left + row) * WORD + column % WORD
            } else {
                self.parts[2] + row * (self.columns.len() - whole_columns) + column - whole_columns
            });
        }
    }
}

/// The entries of a grid in the packing order, as offsets from the grid's first rank.
#[derive(Clone, Debug)]
pub struct GridEntries {
    /// The row at each place.
    rows: Vec<u32>,
    columns: Vec<u32>,
    /// Returns the ranks of the grid.
    pub ranks: Range<u64>,
}

impl GridEntries {
    /// Returns the number of words in the first part, and in the second.
    pub fn words(&self) -> [usize; 2] {
        let (rows, columns) = (self.rows.len(), self.columns.len());
        [rows / GROUP * columns, rows % GROUP * (columns / GROUP)]
    }

    /// Returns the offsets of the entries of word number `word < self.words()[0]` of the first
    /// part.
    #[inline]
    pub fn first(&self, word: usize) -> impl Iterator<Item = u64> {
        let columns = self.columns.len();
        let (column, group) = (self.columns[word % columns], word / columns * GROUP);
        self.rows[group..group + GROUP].iter().map(move |&row| self.offset(row, column))
    }

    /// Returns the offsets of the entries of word number `word < self.words()[1]` of the second
    /// part.
    #[inline]
    pub fn second(&self, word: usize) -> impl Iterator<Item = u64> {
        let left = self.rows.len() % GROUP;
        let (row, group) = (self.rows[self.rows.len() - left + word % left], word / left * GROUP);
        self.columns[group..group + GROUP].iter().map(move |&column| self.offset(row, column))
    }

    /// Returns the offsets of the entries of the third part.
    pub fn third(&self) -> impl Iterator<Item = u64> {
        let left = |list: &[u32]| list.len() / GROUP * GROUP;
        let columns = &self.columns[left(&self.columns)..];
        self.rows[left(&self.rows)..]
            .iter()
            .flat_map(move |&row| columns.iter().map(move |&column| self.offset(row, column)))
    }

    #[inline]
    fn offset(&self, row: u32, column: u32) -> u64 {
        u64::from(row) * self.columns.len() as u64 + u64::from(column)
    }
}

impl PackingOrder {
    /// Creates the order of these grids, given by their rows and columns.
    pub fn new(grids: impl IntoIterator<Item = (Permutation, Permutation)>) -> PackingOrder {
        let mut start = 0;
        let mut grids: Vec<Grid> = grids
            .into_iter()
            .map(|(rows, columns)| {
                let grid = Grid { start, rows, columns, parts: [0; 3] };
                start += grid.len();
                grid
            })
            .filter(|grid| grid.len() > 0)
            .collect();
        let mut place = 0;
        for part in 0..3 {
            for grid in &mut grids {
                grid.parts[part] = place;
                place += grid.lens()[part];
            }
        }
        PackingOrder { grids, len: start }
    }

    /// Creates the order of `len` entries by rank.
    pub fn by_rank(len: u64) -> PackingOrder {
        // Any multiple of 64 will do. It bounds the memory of callers that work grid by grid.
        const COLUMNS: u64 = 1 << 20;
        let columns = (0..len).step_by(COLUMNS as usize).map(|start| COLUMNS.min(len - start));
        PackingOrder::new(
            columns.map(|columns| (Permutation::Identity(1), Permutation::Identity(columns))),
        )
    }

    /// Returns the number of entries.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the place of the entry of a rank.
    ///
    /// # Panics
    /// If `rank` is not below [`len`](PackingOrder::len).
    #[inline]
    pub fn place(&self, rank: u64) -> u64 {
        assert!(rank < self.len, "rank {rank} is beyond the {} entries", self.len);
        let grid = &self.grids[self.grids.partition_point(|grid| grid.start <= rank) - 1];
        let (row, column) =
            ((rank - grid.start) / grid.columns.len(), (rank - grid.start) % grid.columns.len());
        let mut place = 0;
        grid.visit_row(row, column..column + 1, |found| place = found);
        place
    }

    /// Returns the row of a rank.
    ///
    /// ```
    /// use anser_core::{PackingOrder, Permutation};
    /// let rows: Vec<u16> = (0..70).rev().collect();
    /// let order = PackingOrder::new([(Permutation::Table(rows.into()), Permutation::Identity(3))]);
    /// // Row 20 is number 49 of the first group.
    /// let row = order.row(61);
    /// let group = row.group.expect("it is not one of the last rows");
    /// assert!(group.columns().eq([0, 64, 128]));
    /// assert_eq!((row.ranks, group.places, group.row), (60..63, 0..192, 49));
    /// assert!(order.row(17).group.is_none());
    /// ```
    ///
    /// # Panics
    /// If `rank` is not below [`len`](PackingOrder::len).
    pub fn row(&self, rank: u64) -> Row<'_> {
        assert!(rank < self.len, "rank {rank} is beyond the {} entries", self.len);
        let grid = &self.grids[self.grids.partition_point(|grid| grid.start <= rank) - 1];
        let (columns, (whole_rows, _)) = (grid.columns.len(), grid.whole());
        let row = (rank - grid.start) / columns;
        let first = grid.start + row * columns;
        let place = grid.rows.place(row);
        let start = grid.parts[0] + place / WORD * WORD * columns;
        let group = (place < whole_rows).then(|| RowGroup {
            places: start..start + WORD * columns,
            row: (place % WORD) as usize,
            columns: &grid.columns,
        });
        Row { ranks: first..first + columns, group }
    }

    /// Visits the place of each rank of `ranks` in order, much faster than
    /// [`place`](PackingOrder::place).
    ///
    /// # Panics
    /// If `ranks` goes beyond [`len`](PackingOrder::len).
    pub fn visit_places(&self, ranks: Range<u64>, mut visit: impl FnMut(u64)) {
        assert!(ranks.end <= self.len, "ranks {ranks:?} go beyond the {} entries", self.len);
        let first = self.grids.partition_point(|grid| grid.start + grid.len() <= ranks.start);
        for grid in self.grids[first..].iter().take_while(|grid| grid.start < ranks.end) {
            let columns = grid.columns.len();
            let (mut from, to) =
                (ranks.start.max(grid.start) - grid.start, ranks.end.min(grid.start + grid.len()));
            while from < to - grid.start {
                let row = from / columns;
                let end = (to - grid.start).min((row + 1) * columns);
                grid.visit_row(row, from % columns..end - row * columns, &mut visit);
                from = end;
            }
        }
    }

    /// Returns the inverse of the order, for [`PlacedRanks::visit_ranks`].
    pub fn ranks(&self) -> PlacedRanks {
        let grids = self.grids.iter().zip(self.grids()).map(|(grid, entries)| Placed {
            entries,
            parts: grid.parts,
            lens: grid.lens(),
        });
        PlacedRanks { grids: grids.collect(), len: self.len }
    }

    /// Returns the entries of each grid, in the order of their ranks.
    pub fn grids(&self) -> impl Iterator<Item = GridEntries> {
        self.grids.iter().map(|grid| GridEntries {
            rows: grid.rows.inverse(),
            columns: grid.columns.inverse(),
            ranks: grid.start..grid.start + grid.len(),
        })
    }
}

/// Row of a grid of a [`PackingOrder`].
#[derive(Clone, Debug)]
pub struct Row<'a> {
    /// The ranks of the row.
    pub ranks: Range<u64>,
    /// The group of the row; `None` for the last rows of a grid, fewer than 64.
    pub group: Option<RowGroup<'a>>,
}

/// Group of 64 rows of a grid, whose entries have consecutive places.
#[derive(Clone, Debug)]
pub struct RowGroup<'a> {
    /// The places of the entries of the group: for each column, those of the 64 rows.
    pub places: Range<u64>,
    /// The number of the row in the group.
    pub row: usize,
    columns: &'a Permutation,
}

impl RowGroup<'_> {
    /// Number of rows.
    pub const ROWS: usize = GROUP;

    /// Returns for each column, in the order of ranks, the number of the first of its 64 places
    /// among those of the group.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = usize> {
        (0..self.columns.len() as usize)
            .map(|column| self.columns.place(column as u64) as usize * GROUP)
    }
}

/// The inverse of a [`PackingOrder`]: the rank at each place.
#[derive(Clone, Debug)]
pub struct PlacedRanks {
    grids: Vec<Placed>,
    len: u64,
}

/// Entries of a grid by place.
#[derive(Clone, Debug)]
struct Placed {
    entries: GridEntries,
    /// The place of the first entry of each part, and the number of entries.
    parts: [u64; 3],
    lens: [u64; 3],
}

impl PlacedRanks {
    /// Visits the rank at each place of `places` in order.
    ///
    /// ```
    /// use anser_core::{PackingOrder, Permutation};
    /// let rows: Vec<u16> = (0..70).rev().collect();
    /// let order = PackingOrder::new([(Permutation::Table(rows.into()), Permutation::Identity(3))]);
    /// let mut ranks = Vec::new();
    /// order.ranks().visit_ranks(62..66, |rank| ranks.push(rank));
    /// assert_eq!(ranks, [21, 18, 208, 205]);
    /// ```
    ///
    /// # Panics
    /// If `places` goes beyond the length of the order.
    pub fn visit_ranks(&self, places: Range<u64>, mut visit: impl FnMut(u64)) {
        assert!(places.end <= self.len, "places {places:?} go beyond the {} entries", self.len);
        for part in 0..3 {
            for grid in &self.grids {
                let from = places.start.max(grid.parts[part]);
                let to = places.end.min(grid.parts[part] + grid.lens[part]);
                if from < to {
                    grid.visit(part, from - grid.parts[part]..to - grid.parts[part], &mut visit);
                }
            }
        }
    }
}

impl Placed {
    /// Visits the ranks of entries `at` of a part.
    fn visit(&self, part: usize, at: Range<u64>, visit: &mut impl FnMut(u64)) {
        let entries = &self.entries;
        let mut visit = |offset: u64| visit(entries.ranks.start + offset);
        let (from, to) = (at.start as usize, at.end as usize);
        if part == 2 {
            entries.third().skip(from).take(to - from).for_each(visit);
            return;
        }
        for word in from / GROUP..to.div_ceil(GROUP) {
            let (first, end) =
                (from.max(word * GROUP) - word * GROUP, to.min((word + 1) * GROUP) - word * GROUP);
            if part == 0 {
                entries.first(word).take(end).skip(first).for_each(&mut visit);
            } else {
                entries.second(word).take(end).skip(first).for_each(&mut visit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permutation(len: u64, step: u64) -> Permutation {
        let table: Vec<u16> = (0..len).map(|i| ((i * step + 3) % len) as u16).collect();
        Permutation::Table(table.into())
    }

    /// Steps are prime to the lengths, so the tables are permutations.
    fn order() -> PackingOrder {
        PackingOrder::new([
            (permutation(130, 7), permutation(67, 5)),
            (Permutation::Identity(1), Permutation::Identity(1)),
            (permutation(3, 2), permutation(200, 3)),
            (Permutation::Identity(0), permutation(5, 2)),
            (permutation(64, 5), Permutation::Identity(1)),
        ])
    }

    #[test]
    fn an_order_is_a_bijection_however_it_is_walked() {
        let order = order();
        assert_eq!(order.len(), 130 * 67 + 1 + 600 + 64);
        let mut seen = vec![false; order.len() as usize];
        for rank in 0..order.len() {
            assert!(!std::mem::replace(&mut seen[order.place(rank) as usize], true));
        }
        for ranks in [0..order.len(), 100..9000, 8709..8712, 5..5, 9370..9375] {
            let mut expected = ranks.clone();
            order.visit_places(ranks, |place| {
                assert_eq!(Some(place), expected.next().map(|rank| order.place(rank)));
            });
            assert_eq!(expected.next(), None);
        }
    }

    #[test]
    fn the_ranks_at_the_places_are_the_inverse() {
        let order = order();
        let ranks = order.ranks();
        for places in [0..order.len(), 100..9000, 8700..8722, 5..5, 9300..9375] {
            let mut place = places.start;
            ranks.visit_ranks(places.clone(), |rank| {
                assert_eq!(order.place(rank), place);
                place += 1;
            });
            assert_eq!(place, places.end);
        }
    }

    #[test]
    fn the_entries_of_the_grids_come_part_by_part_in_the_order_of_their_places() {
        let order = order();
        let mut place = 0;
        let mut next = |rank: u64| {
            assert_eq!(order.place(rank), place);
            place += 1;
        };
        for part in 0..3 {
            for grid in order.grids() {
                let start = grid.ranks.start;
                match part {
                    0 => (0..grid.words()[0])
                        .for_each(|word| grid.first(word).for_each(|at| next(start + at))),
                    1 => (0..grid.words()[1])
                        .for_each(|word| grid.second(word).for_each(|at| next(start + at))),
                    _ => grid.third().for_each(|at| next(start + at)),
                }
            }
        }
        assert_eq!(place, order.len());
    }

    #[test]
    fn the_rows_are_those_of_the_places() {
        let order = order();
        let (mut rank, mut groups) = (0, 0);
        while rank < order.len() {
            let Row { ranks, group } = order.row(rank);
            assert_eq!(ranks.start, rank);
            assert_eq!(order.row(ranks.end - 1).ranks, ranks);
            let mut entries = ranks.clone();
            for (at, RowGroup { places, row, .. }) in
                group.iter().flat_map(|group| group.columns().map(move |at| (at, group)))
            {
                let entry = entries.next().expect("a row has as many entries as columns");
                assert_eq!(places.start + (at + row) as u64, order.place(entry));
                assert!(places.contains(&order.place(entry)));
            }
            groups += u32::from(group.is_some());
            rank = ranks.end;
        }
        // Two groups of the first grid, and one of the last.
        assert_eq!(groups, 3 * RowGroup::ROWS as u32);
    }

    #[test]
    fn by_rank_every_entry_has_its_rank_as_its_place() {
        let order = PackingOrder::by_rank((1 << 20) + 1000);
        assert!(
            (0..1000).chain((1 << 20) - 100..order.len()).all(|rank| order.place(rank) == rank)
        );
        assert!(PackingOrder::by_rank(0).is_empty());
    }
}

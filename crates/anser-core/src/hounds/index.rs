//! The index `hounds`, version 1: a minimal perfect numbering of the positions of a layer.
//!
//! # Specification
//! The board has `n` x `n` squares, half of them playable, and there are `k` hounds, `n / 2` or
//! fewer. Rows `y` are counted from 0, from the bottom; a square has the number
//! `s = y * n / 2 + x / 2`, each rounded down (`x` the column from 0). Hasenspiel has the rabbit
//! for the fox and the pawns for the hounds. No symmetry is used. A reader needs these four steps
//! and nothing else.
//!
//! 1. *Layer.* `S` is the sum of the hounds' rows and `left = k * (n - 1) - S`. The parity
//!    `e = (row of the fox + S + t) mod 2`, where `t` is 0 with the fox to move and 1 with the
//!    hounds to move, never changes in play; at the start it is 1. The layer is `left` where `e` is
//!    1, and `k * (n - 1) + 1 + left` where it is 0. So layer and side to move give `S` and the
//!    parity `p = (e + S + t) mod 2` of the fox's row. A layer holds, for either side to move, all
//!    placements of `k` hounds with this `S`, each with the fox on every square of such rows that
//!    no hound stands on.
//! 2. *Groups.* Hound sets are ordered by the number `v` of hounds on even rows, ascending. In a
//!    group, every set has the same number of places for the fox: `slots = n * n / 4` less the
//!    hounds on rows of parity `p`, which are `v` or `k - v`.
//! 3. *Hound sets* of a group are in colexicographic order: the set whose highest square is lower
//!    comes first, then the one whose second highest is lower, and so on. `N[s][i][r][w]` is the
//!    number of sets of `i` of the squares `0..s`, `s` left out, with row sum `r` and `w` squares
//!    on even rows. For hounds on `s_1 < ... < s_k` the number of the set in its group is the sum
//!    over `i` of `N[s_i][i][r_i][w_i]`, where `r_i` and `w_i` belong to the set `s_1 .. s_i`.
//! 4. *Rank.* `start + number * slots + place`: the number of positions in the groups before; the
//!    number of the hound set; the number of squares below the fox's that are on rows of parity `p`
//!    and have no hound on them.
//!
//! So the positions with one hound set are consecutive, all sets of a group have the same number of
//! them, and a move of a hound leads to a set of the layer below.

use std::ops::{ControlFlow, Range};
use std::sync::OnceLock;

use crate::hounds::{Board, MOST_SQUARES, Square, SquareSet};
use crate::hunt::Position;
use crate::{IndexScheme, LayerIndex, Side};

/// Index of one layer. The source of the module has the specification.
///
/// It also ranks the hound sets, for engines that process a layer set by set.
///
/// ```
/// use anser_core::LayerIndex;
/// use anser_core::Side;
/// use anser_core::hunt::Hunt;
/// let game = Hunt::fox_hounds(8, "escape".parse()?)?;
/// let start = game.start();
/// let index = game.index(game.layer(&start));
/// // With all hounds on the bottom row the fox to move is on one of the 16 squares of odd rows.
/// assert_eq!(index.len(Side::First), 16);
/// assert_eq!(index.rank(&start), 14);
/// assert_eq!(index.rows().unwrap().groups(Side::First)[4].len(), 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HoundsIndex {
    tables: &'static Tables,
    sum: usize,
    /// By side to move: the parity of the fox's row.
    parities: [usize; 2],
    /// By side to move, then by number of hounds on even rows.
    groups: [[HoundsGroup; MOST_HOUNDS + 1]; 2],
}

/// Greatest number of hounds, on 12 x 12.
const MOST_HOUNDS: usize = 6;

/// The positions of a layer with one side to move and a given number of hounds on even rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct HoundsGroup {
    /// The number of hounds on even rows.
    pub on_even_rows: usize,
    /// The first rank.
    pub start: u64,
    /// The number of hound sets.
    pub sets: u64,
    /// The number of places for the fox, and of consecutive ranks, that each hound set has.
    pub slots: u64,
}

impl HoundsGroup {
    /// Returns the number of positions.
    pub const fn len(&self) -> u64 {
        self.sets * self.slots
    }

    /// Whether there are no positions.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The numbers `N` of a board size, and the increments of their indexes by square.
#[derive(Debug)]
struct Tables {
    board: &'static Board,
    /// `N[s][i][r][w]` at `s` plus the key of a set of `i` squares with row sum `r` and `w` of them
    /// on even rows.
    counts: Vec<u32>,
    /// The increment of the key of a set by each square.
    keys: [u32; MOST_SQUARES],
    /// By square: its place among the squares on rows of the same parity.
    places: [u8; MOST_SQUARES],
}

impl Tables {
    fn get(board: &'static Board) -> &'static Tables {
        // By size, and by number of hounds.
        static TABLES: [[OnceLock<Tables>; MOST_HOUNDS]; Board::SIZES.len()] =
            [const { [const { OnceLock::new() }; MOST_HOUNDS] }; Board::SIZES.len()];
        TABLES[board.size() / 2 - 1][board.hounds() - 1].get_or_init(|| Tables::build(board))
    }

    fn build(board: &'static Board) -> Tables {
        let (squares, end) = (board.squares().len(), Tables::key(board, board.hounds() + 1, 0, 0));
        let mut tables = Tables {
            board,
            counts: vec![0; end],
            keys: [0; MOST_SQUARES],
            places: [0; MOST_SQUARES],
        };
        for square in board.squares().iter() {
            let row = board.row(square);
            tables.keys[square.number()] =
                Tables::key(board, 1, row, usize::from(row.is_multiple_of(2))) as u32;
            tables.places[square.number()] = board.rows(row % 2).below(square).len() as u8;
        }
        tables.counts[0] = 1;
        for square in 0..squares {
            let key = tables.keys[square] as usize;
            for without in (0..end).step_by(squares + 1) {
                let count = tables.counts[without + square];
                tables.counts[without + square + 1] += count;
                // Keys of more squares than hounds are beyond the end. Those of fewer squares have
                // a place for every sum and every number on even rows, so no two kinds of sets
                // share a key.
                if count > 0 && without + key < end {
                    tables.counts[without + key + square + 1] += count;
                }
            }
        }
        tables
    }

    /// Returns the key of sets with this number of squares and this row sum, of which `even` are on
    /// even rows.
    fn key(board: &Board, squares: usize, sum: usize, even: usize) -> usize {
        let (sums, evens) = (most_rows(board) + 1, board.hounds() + 1);
        ((squares * sums + sum) * evens + even) * (board.squares().len() + 1)
    }

    /// Returns the number of sets of squares below number `square` with this key.
    #[inline]
    fn count(&self, square: usize, key: usize) -> u64 {
        u64::from(self.counts[key + square])
    }

    /// Returns the increment of the key of a set by a square.
    #[inline]
    fn key_of(&self, square: Square) -> usize {
        self.keys[square.number()] as usize
    }

    /// Returns the set of this number among those with this key, in squares below `end`.
    #[inline]
    fn unrank(&self, mut key: usize, mut number: u64, mut end: usize) -> SquareSet {
        let mut set = SquareSet::EMPTY;
        while key > 0 {
            // The highest square is the last one with at most `number` sets below it.
            end -= 1;
            while self.count(end, key) > number {
                end -= 1;
            }
            number -= self.count(end, key);
            key -= self.keys[end] as usize;
            set = set | SquareSet::from_bits(1 << end);
        }
        set
    }
}

impl HoundsIndex {
    /// Creates the index of a layer, empty beyond the last one.
    pub(crate) fn new(board: &'static Board, layer: u16) -> HoundsIndex {
        let tables = Tables::get(board);
        let (hounds, most) = (board.hounds(), most_rows(board));
        let (kept, left) = match usize::from(layer).checked_sub(most + 1) {
            None => (1, usize::from(layer)),
            Some(left) => (0, left),
        };
        let (end, sum) = (board.squares().len(), most.saturating_sub(left));
        let parities = [0, 1].map(|turn| (kept + sum + turn) % 2);
        let groups = parities.map(|parity| {
            let (mut groups, mut start) = ([HoundsGroup::default(); MOST_HOUNDS + 1], 0);
            for (on_even_rows, group) in groups.iter_mut().enumerate().take(hounds + 1) {
                let sets = tables.count(end, Tables::key(board, hounds, sum, on_even_rows));
                let taken = if parity == 0 { on_even_rows } else { hounds - on_even_rows };
                let slots = (board.rows(parity).len() - taken) as u64;
                *group = HoundsGroup {
                    on_even_rows,
                    start,
                    sets: if left > most { 0 } else { sets },
                    slots,
                };
                start += group.len();
            }
            groups
        });
        HoundsIndex { tables, sum, parities, groups }
    }

    /// Returns the sum of the hounds' rows in this layer.
    pub fn row_sum(&self) -> usize {
        self.sum
    }

    /// Returns the parity, 0 or 1, of the fox's row with `side` to move.
    #[inline]
    pub fn fox_parity(&self, side: Side) -> usize {
        self.parities[side.index()]
    }

    /// Returns the groups in the order of their ranks: group `v` has `v` hounds on even rows.
    #[inline]
    pub fn groups(&self, side: Side) -> &[HoundsGroup] {
        &self.groups[side.index()][..=self.tables.board.hounds()]
    }

    /// Returns the group of a hound set: the number of hounds on even rows.
    #[inline]
    pub fn group_of(&self, hounds: SquareSet) -> usize {
        (hounds & self.tables.board.rows(0)).len()
    }

    /// Returns the number of a hound set of this layer in its group.
    #[inline]
    pub fn rank_hounds(&self, hounds: SquareSet) -> u64 {
        let (mut key, mut rank) = (0, 0);
        for hound in hounds.iter() {
            key += self.tables.key_of(hound);
            rank += self.tables.count(hound.number(), key);
        }
        rank
    }

    /// Returns the hound set of this number in its group.
    ///
    /// # Panics
    /// If the group has fewer sets.
    #[inline]
    pub fn unrank_hounds(&self, group: usize, number: u64) -> SquareSet {
        let HoundsGroup { sets, .. } = self.groups(Side::First)[group];
        assert!(number < sets, "set {number} is beyond the {sets} of the group");
        let board = self.tables.board;
        self.tables.unrank(
            Tables::key(board, board.hounds(), self.sum, group),
            number,
            board.squares().len(),
        )
    }

    /// Visits the hound sets of these numbers of a group in order, until `visit` breaks, much
    /// faster than one by one.
    ///
    /// # Panics
    /// If the group has fewer sets.
    pub fn visit_hounds<B>(
        &self,
        group: usize,
        numbers: Range<u64>,
        mut visit: impl FnMut(SquareSet) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if numbers.is_empty() {
            return ControlFlow::Continue(());
        }
        let HoundsGroup { sets, .. } = self.groups(Side::First)[group];
        assert!(numbers.end <= sets, "sets {numbers:?} go beyond the {sets} of the group");
        let mut hounds = self.unrank_hounds(group, numbers.start);
        visit(hounds)?;
        for _ in numbers.start + 1..numbers.end {
            hounds = self.next_hounds(hounds);
            visit(hounds)?;
        }
        ControlFlow::Continue(())
    }

    /// Returns the hound set after this one, which is not the last of its group.
    #[inline]
    fn next_hounds(&self, hounds: SquareSet) -> SquareSet {
        let tables = self.tables;
        let (mut key, mut rank) = (0, 0);
        let mut low = hounds.iter().peekable();
        while let Some(hound) = low.next() {
            key += tables.key_of(hound);
            rank += tables.count(hound.number(), key);
            // The lowest hounds take their next arrangement as soon as there is one below the
            // others.
            let end = low.peek().map_or(tables.board.squares().len(), |above| above.number());
            if rank + 1 < tables.count(end, key) {
                let high = hounds - hounds.below(hound) - hound.set();
                return high | tables.unrank(key, rank + 1, end);
            }
        }
        hounds
    }

    /// Returns the squares that the fox can be on with these hounds and `side` to move, in the
    /// order of the slots.
    #[inline]
    pub fn fox_squares(&self, side: Side, hounds: SquareSet) -> SquareSet {
        self.tables.board.rows(self.fox_parity(side)) - hounds
    }
}

/// Returns the sum of the rows of hounds that are all at the top.
pub(crate) fn most_rows(board: &Board) -> usize {
    board.hounds() * (board.size() - 1)
}

impl LayerIndex for HoundsIndex {
    fn scheme(&self) -> IndexScheme {
        IndexScheme { name: "hounds", version: 1, symmetries: 1 }
    }

    fn len(&self, side: Side) -> u64 {
        self.groups(side).last().map_or(0, |last| last.start + last.len())
    }

    #[inline]
    fn rank(&self, position: &Position) -> u64 {
        let to_move = position.to_move();
        let hounds = SquareSet::from_bits(position.many().bits());
        let fox = position.few().first().and_then(|fox| Square::new(fox.into()));
        let fox = fox.expect("a position in rows has one piece of the few");
        let tables = self.tables;
        let parity = self.fox_parity(to_move);
        debug_assert_eq!(tables.board.row(fox) % 2, parity, "the position is of another layer");
        let (mut key, mut number, mut even) = (0, 0, 0);
        let mut place = u64::from(tables.places[fox.number()]);
        for hound in hounds.iter() {
            key += tables.key_of(hound);
            number += tables.count(hound.number(), key);
            let on_even_row = tables.board.rows(0).contains(hound);
            even += usize::from(on_even_row);
            place -= u64::from(hound < fox && on_even_row == (parity == 0));
        }
        let HoundsGroup { start, slots, .. } = self.groups[to_move.index()][even];
        start + number * slots + place
    }

    #[inline]
    fn unrank(&self, side: Side, rank: u64) -> Position {
        assert!(
            rank < self.len(side),
            "rank {rank} is beyond the layer's {} positions",
            self.len(side)
        );
        // An empty group begins where the next one does, so this takes the last group that begins
        // at or below the rank.
        let groups = self.groups(side);
        let group = groups[groups.partition_point(|group| group.start <= rank) - 1];
        let hounds = self.unrank_hounds(group.on_even_rows, (rank - group.start) / group.slots);
        let mut places = self.fox_squares(side, hounds).bits();
        for _ in 0..(rank - group.start) % group.slots {
            places &= places - 1;
        }
        // The number of slots is the number of free squares, so a square remains.
        let fox = SquareSet::from_bits(places)
            .first()
            .unwrap_or_else(|| unreachable!("a slot is a square"));
        Position::on_board(1 << fox.number(), hounds.bits(), side)
    }

    fn orbit(&self, _side: Side, _rank: u64) -> u64 {
        1
    }
}

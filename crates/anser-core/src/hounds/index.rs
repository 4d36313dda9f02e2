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

use std::sync::OnceLock;

use crate::hounds::{Board, MOST_SQUARES};
use crate::hunt::{PointSet, Position};
use crate::{IndexScheme, LayerIndex, Side};

/// Index of one layer. The source of the module has the specification.
#[derive(Clone, Debug)]
pub(crate) struct HoundsIndex {
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
#[derive(Clone, Copy, Debug, Default)]
struct HoundsGroup {
    /// The first rank.
    start: u64,
    /// The number of hound sets.
    sets: u64,
    /// The number of places for the fox, and of consecutive ranks, that each hound set has.
    slots: u64,
}

impl HoundsGroup {
    /// Returns the number of positions.
    const fn len(&self) -> u64 {
        self.sets * self.slots
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
        let (squares, end) = (board.squares(), Tables::key(board, board.hounds() + 1, 0, 0));
        let mut tables = Tables {
            board,
            counts: vec![0; end],
            keys: [0; MOST_SQUARES],
            places: [0; MOST_SQUARES],
        };
        for square in 0..squares {
            let row = board.row(square);
            let key = Tables::key(board, 1, row, usize::from(row.is_multiple_of(2)));
            tables.keys[square] = key as u32;
            tables.places[square] = board.rows(row % 2).below(square as u8).len() as u8;
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
        ((squares * sums + sum) * evens + even) * (board.squares() + 1)
    }

    /// Returns the number of sets of squares below number `square` with this key.
    #[inline]
    fn count(&self, square: usize, key: usize) -> u64 {
        u64::from(self.counts[key + square])
    }

    /// Returns the set of this number among those with this key, in squares below `end`.
    #[inline]
    fn unrank(&self, mut key: usize, mut number: u64, mut end: usize) -> PointSet {
        let mut set = PointSet::EMPTY;
        while key > 0 {
            // The highest square is the last one with at most `number` sets below it.
            end -= 1;
            while self.count(end, key) > number {
                end -= 1;
            }
            number -= self.count(end, key);
            key -= self.keys[end] as usize;
            set |= PointSet::of(end as u8);
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
        let (end, sum) = (board.squares(), most.saturating_sub(left));
        let parities = [0, 1].map(|turn| (kept + sum + turn) % 2);
        let groups = parities.map(|parity| {
            let (mut groups, mut start) = ([HoundsGroup::default(); MOST_HOUNDS + 1], 0);
            for (on_even_rows, group) in groups.iter_mut().enumerate().take(hounds + 1) {
                let sets = tables.count(end, Tables::key(board, hounds, sum, on_even_rows));
                let taken = if parity == 0 { on_even_rows } else { hounds - on_even_rows };
                let slots = (board.rows(parity).len() - taken) as u64;
                *group = HoundsGroup { start, sets: if left > most { 0 } else { sets }, slots };
                start += group.len();
            }
            groups
        });
        HoundsIndex { tables, sum, parities, groups }
    }

    /// Returns the groups in the order of their ranks: group `v` has `v` hounds on even rows.
    #[inline]
    fn groups(&self, side: Side) -> &[HoundsGroup] {
        &self.groups[side.index()][..=self.tables.board.hounds()]
    }
}

/// Returns the sum of the rows of hounds that are all at the top.
fn most_rows(board: &Board) -> usize {
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
        let fox = position.few().first().expect("a position in rows has one piece of the few");
        let tables = self.tables;
        let parity = self.parities[to_move.index()];
        debug_assert_eq!(
            tables.board.row(fox.into()) % 2,
            parity,
            "the position is of another layer"
        );
        let (mut key, mut number, mut even) = (0, 0, 0);
        let mut place = u64::from(tables.places[usize::from(fox)]);
        for hound in position.many().iter() {
            key += tables.keys[usize::from(hound)] as usize;
            number += tables.count(hound.into(), key);
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
        let even = groups.partition_point(|group| group.start <= rank) - 1;
        let (HoundsGroup { start, slots, .. }, board) = (groups[even], self.tables.board);
        let key = Tables::key(board, board.hounds(), self.sum, even);
        let hounds = self.tables.unrank(key, (rank - start) / slots, board.squares());
        let mut places = board.rows(self.parities[side.index()]) - hounds;
        for _ in 0..(rank - start) % slots {
            places = PointSet::from_bits(places.bits() & (places.bits() - 1));
        }
        // The number of slots is the number of free squares, so a square remains.
        let fox = places.first().unwrap_or_else(|| unreachable!("a slot is a square"));
        Position::on_board(1 << fox, hounds.bits(), side)
    }
}

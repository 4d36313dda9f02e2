//! The index `hexapawn`, version 1: a minimal perfect numbering of the classes of a layer under the
//! mirror.
//!
//! # Specification
//! The board has `m` columns and `n` rows. The layer is the number of rows that all pawns of both
//! sides together still have to go to their far rows; for either side to move it holds all
//! arrangements that are positions with that side to move: the side not to move has a pawn and at
//! most one on its far row, the side to move none there.
//!
//! 1. *Words.* A row is a word in base 3: the digit of the leftmost column is the lowest, 0 is an
//!    empty square, 1 a white pawn, 2 a black one. A word's image is the word with its digits in
//!    the opposite order.
//! 2. *Classes.* Rows are read from the bottom (White's first row). A position is canonical if in
//!    the first row that is not its own image the word is less than its image; if every row is its
//!    own image it is canonical as well.
//! 3. *Order.* Canonical positions are compared by their rows, the bottom row first. Two words of
//!    the same row are compared by their number of white pawns, then by their number of black
//!    pawns; then, if all rows below are their own images, a word that is its own image comes
//!    first; then by their value.
//! 4. *Rank.* The place of the canonical position among all canonical ones of the layer with the
//!    same side to move, from 0.
//!
//! So the rank is a sum over the rows of the number of positions that share the rows below and have
//! a lesser word in this one. That number depends only on the row, the pawns of either side and the
//! rows to go that are left for it and the rows above, and whether all rows below are their own
//! images; so it comes from tables of at most some millions of numbers, however large the layer is.

use std::sync::OnceLock;

use crate::hexapawn::BoardSize;
use crate::hexapawn::words::{Group, Words};
use crate::hunt::Position;
use crate::{IndexScheme, LayerIndex, Side};

/// Index of one layer. The source of the module has the specification.
///
/// ```
/// use anser_core::LayerIndex;
/// use anser_core::hunt::Hunt;
/// let game = Hunt::hexapawn("5x5".parse()?);
/// let start = game.start();
/// let index = game.index(game.layer(&start));
/// assert_eq!(index.unrank(start.to_move(), index.rank(&start)), start);
/// # Ok::<(), anser_core::hexapawn::BoardSizeError>(())
/// ```
pub(crate) struct HexapawnIndex {
    layer: u16,
    tables: &'static Tables,
}

/// The rest of the board above full rows.
#[derive(Clone, Copy)]
struct State {
    row: u8,
    /// The pawns of either side in the rows below.
    white: u8,
    black: u8,
    /// The sum of the rows that the pawns of this row and above still have to go.
    to_go: u16,
    /// Whether all rows below are their own images.
    symmetric: bool,
}

/// Numbers of ways to fill a board, for both sides to move.
struct Tables {
    size: BoardSize,
    words: Words,
    /// By side to move and state: the number of ways to fill this row and those above.
    ways: Vec<u64>,
    /// By side to move, state, and group: the number of these ways with a word of an earlier group
    /// in this row.
    before: Vec<u64>,
}

impl Tables {
    /// Returns the tables of a size, built on first use.
    fn get(size: BoardSize) -> &'static Tables {
        const SIZES: usize = BoardSize::MOST as usize + 1;
        static TABLES: [OnceLock<Tables>; SIZES * SIZES] =
            [const { OnceLock::new() }; SIZES * SIZES];
        TABLES[usize::from(size.columns()) * SIZES + usize::from(size.rows())]
            .get_or_init(|| Tables::new(size))
    }

    fn new(size: BoardSize) -> Tables {
        let words = Words::new(size.columns());
        let mut tables = Tables { size, words, ways: Vec::new(), before: Vec::new() };
        let top = State {
            row: size.rows(),
            white: size.columns(),
            black: size.columns(),
            to_go: size.rows_to_go(),
            symmetric: true,
        };
        let states = tables.place(Side::Second, top) + 1;
        tables.ways = vec![0; states];
        tables.before = vec![0; states * tables.words.groups.len()];
        for side in Side::BOTH {
            for row in (0..=size.rows()).rev() {
                for white in 0..=size.columns() {
                    for black in 0..=size.columns() {
                        for to_go in 0..=size.rows_to_go() {
                            for symmetric in [false, true] {
                                tables.count(side, State { row, white, black, to_go, symmetric });
                            }
                        }
                    }
                }
            }
        }
        tables
    }

    /// Fills in the numbers of a state; those of the row above exist.
    fn count(&mut self, side: Side, state: State) {
        let place = self.place(side, state);
        if state.row == self.size.rows() {
            // The side that is not to move has a pawn.
            let others = if side == Side::First { state.black } else { state.white };
            self.ways[place] = u64::from(state.to_go == 0 && others > 0);
            return;
        }
        let mut ways = 0;
        for number in 0..self.words.groups.len() {
            self.before[place * self.words.groups.len() + number] = ways;
            let group = &self.words.groups[number];
            if let Some(next) = self.after(side, state, group) {
                ways += if state.symmetric {
                    let closed = State { symmetric: false, ..next };
                    group.symmetric.len() as u64 * self.ways(side, next)
                        + group.least.len() as u64 * self.ways(side, closed)
                } else {
                    group.all.len() as u64 * self.ways(side, next)
                };
            }
        }
        self.ways[place] = ways;
    }

    /// Returns the state after a word of `group` that is its own image, if the row can have one.
    fn after(&self, side: Side, state: State, group: &Group) -> Option<State> {
        let (size, &Group { white, black, .. }) = (self.size, group);
        let last = size.rows() - 1;
        // Only the move just made can have brought a pawn to a far row.
        let (most_white, most_black) = match side {
            Side::First => (0, 1),
            Side::Second => (1, 0),
        };
        if state.row == last && white > most_white || state.row == 0 && black > most_black {
            return None;
        }
        let to_go = u16::from(white) * u16::from(last - state.row)
            + u16::from(black) * u16::from(state.row);
        let next = State {
            row: state.row + 1,
            white: state.white + white,
            black: state.black + black,
            to_go: state.to_go.checked_sub(to_go)?,
            symmetric: state.symmetric,
        };
        (next.white <= size.columns() && next.black <= size.columns()).then_some(next)
    }

    fn place(&self, side: Side, state: State) -> usize {
        let pawns = usize::from(self.size.columns()) + 1;
        let mut place = side.index() * (usize::from(self.size.rows()) + 1) + usize::from(state.row);
        place = place * pawns + usize::from(state.white);
        place = place * pawns + usize::from(state.black);
        place = place * (usize::from(self.size.rows_to_go()) + 1) + usize::from(state.to_go);
        2 * place + usize::from(state.symmetric)
    }

    fn ways(&self, side: Side, state: State) -> u64 {
        self.ways[self.place(side, state)]
    }

    /// By group: the ways with an earlier group.
    fn before(&self, side: Side, state: State) -> &[u64] {
        let groups = self.words.groups.len();
        let place = self.place(side, state);
        &self.before[place * groups..(place + 1) * groups]
    }
}

/// Returns the state of the empty board.
fn start(layer: u16, symmetric: bool) -> State {
    State { row: 0, white: 0, black: 0, to_go: layer, symmetric }
}

impl HexapawnIndex {
    pub(crate) fn new(size: BoardSize, layer: u16) -> HexapawnIndex {
        HexapawnIndex { layer, tables: Tables::get(size) }
    }

    /// Returns the number of positions of the layer.
    pub(crate) fn positions(&self, side: Side) -> u64 {
        self.tables.ways(side, start(self.layer, false))
    }

    /// Returns the state after a word of the group with this number.
    fn after(&self, side: Side, state: State, group: usize) -> State {
        let tables = self.tables;
        // A group without a way holds no rank, and no position has it.
        tables.after(side, state, &tables.words.groups[group]).unwrap_or(start(0, false))
    }
}

impl LayerIndex for HexapawnIndex {
    fn scheme(&self) -> IndexScheme {
        IndexScheme { name: "hexapawn", version: 1, symmetries: 2 }
    }

    fn len(&self, side: Side) -> u64 {
        self.tables.ways(side, start(self.layer, true))
    }

    fn rank(&self, position: &Position) -> u64 {
        let &Tables { size, ref words, .. } = self.tables;
        let side = position.to_move();
        let pawns = Side::BOTH.map(|side| position.pieces(side).bits() as u64);
        let mut state = start(self.layer, true);
        let mut mirrored = false;
        let mut rank = 0;
        for row in 0..size.rows() {
            let shift = row * size.columns();
            let [white, black] = pawns.map(|pawns| (pawns & size.row(row)) >> shift);
            let mut word = words.word(white, black);
            let image = words.mirror(word);
            let group = words.group(word);
            rank += self.tables.before(side, state)[group];
            let next = self.after(side, state, group);
            if state.symmetric && image != word {
                mirrored = image < word;
            }
            if mirrored {
                word = image;
            }
            state = if !state.symmetric {
                rank += words.place(word) * self.tables.ways(side, next);
                next
            } else if image == word && !mirrored {
                rank += words.symmetric_place(word) * self.tables.ways(side, next);
                next
            } else {
                let closed = State { symmetric: false, ..next };
                rank += words.groups[group].symmetric.len() as u64 * self.tables.ways(side, next);
                rank += words.symmetric_place(word) * self.tables.ways(side, closed);
                closed
            };
        }
        rank
    }

    fn unrank(&self, side: Side, rank: u64) -> Position {
        assert!(
            rank < self.len(side),
            "rank {rank} is beyond the layer's {} classes",
            self.len(side)
        );
        let &Tables { size, ref words, .. } = self.tables;
        let mut state = start(self.layer, true);
        let mut rest = rank;
        let mut pawns = [0; 2];
        for row in 0..size.rows() {
            let before = self.tables.before(side, state);
            let number = before.partition_point(|&ways| ways <= rest) - 1;
            rest -= before[number];
            let group = &words.groups[number];
            let mut next = self.after(side, state, number);
            let mut list = &group.all;
            if state.symmetric {
                let symmetric = group.symmetric.len() as u64 * self.tables.ways(side, next);
                if rest < symmetric {
                    list = &group.symmetric;
                } else {
                    rest -= symmetric;
                    list = &group.least;
                    next.symmetric = false;
                }
            }
            let ways = self.tables.ways(side, next);
            let (white, black) = Words::columns(list[(rest / ways) as usize]);
            rest %= ways;
            pawns[0] |= white << (row * size.columns());
            pawns[1] |= black << (row * size.columns());
            state = next;
        }
        Position::on_board(pawns[0].into(), pawns[1].into(), side)
    }

    fn orbit(&self, side: Side, rank: u64) -> u64 {
        let position = self.unrank(side, rank);
        let is_symmetric = Side::BOTH.into_iter().all(|side| {
            let pawns = position.pieces(side).bits() as u64;
            self.tables.size.mirror(pawns) == pawns
        });
        if is_symmetric { 1 } else { 2 }
    }
}

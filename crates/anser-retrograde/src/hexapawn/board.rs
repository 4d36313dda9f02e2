//! The rules on bits, and keys: positions as numbers of at most 61 bits.
//!
//! Squares are bits as in [`anser_core::hunt::Position`]. The *code* of an arrangement has one
//! field per row, which holds a number with one digit of base three per column: 0 empty, 1 white, 2
//! black. It is a sum over the pawns, so a move adds precomputed differences to it, and to the code
//! of the mirror image likewise. The *key* of a position is the smaller of the two codes with the
//! side to move above it, mixed by a bijection that spreads keys evenly.

use anser_core::Side;
use anser_core::hexapawn::BoardSize;
use anser_core::hunt::{PointSet, Position};

use crate::bits::for_each_bit;

/// An odd number without a pattern (2^64 divided by the golden ratio).
const MIXER: u64 = 0x9E37_79B9_7F4A_7C15;

/// A position with the codes of itself and of its mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arrangement {
    pub(super) white: u64,
    pub(super) black: u64,
    pub(super) to_move: Side,
    code: u64,
    mirrored: u64,
}

impl Arrangement {
    /// Whether it is its own mirror image.
    pub(super) fn is_symmetric(&self) -> bool {
        self.code == self.mirrored
    }
}

/// Result of a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    pub(super) next: Arrangement,
    /// Decrease of the layer: one row, and the rows that a captured pawn had to go.
    pub(super) drop: u16,
    /// Whether the pawn reaches its far row.
    pub(super) through: bool,
}

/// A board, with the tables that turn its positions into keys.
#[derive(Clone, Debug)]
pub(super) struct Board {
    columns: u32,
    /// The number of rows, the most layers that a move descends.
    pub(super) rows: u32,
    squares: u32,
    all: u64,
    left: u64,
    right: u64,
    bottom: u64,
    top: u64,
    /// The numbers of bits of a row in a code, and of a key.
    row_bits: u32,
    pub(super) key_bits: u32,
    /// By square: what a white pawn adds to the code, and to that of the mirror image. A black pawn
    /// adds twice as much.
    weights: Vec<[u64; 2]>,
    /// By code of a row: the columns of white and of black pawns, and the code of the mirrored row.
    of_row: Vec<([u8; 2], u16)>,
    /// All ones if mirror images are different positions.
    apart: u64,
    unmixer: u64,
}

impl Board {
    /// Creates the board. Mirror images share a key, unless they are kept `apart`.
    pub(super) fn new(size: BoardSize, apart: bool) -> Board {
        let (columns, rows, squares) =
            (u32::from(size.columns()), u32::from(size.rows()), u32::from(size.squares()));
        let codes = 3u64.pow(columns);
        let row_bits = u64::BITS - (codes - 1).leading_zeros();
        let bottom = (1 << columns) - 1;
        let left = (0..rows).fold(0, |bits, row| bits | 1 << (row * columns));
        let weights = (0..squares).map(|square| {
            let (row, column) = (square / columns, square % columns);
            [column, columns - 1 - column].map(|column| 3u64.pow(column) << (row * row_bits))
        });
        let of_row = (0..codes).map(|code| {
            let digit = |column| code / 3u64.pow(column) % 3;
            let pawns = [1, 2].map(|color| {
                (0..columns)
                    .filter(|&column| digit(column) == color)
                    .fold(0, |bits, column| bits | 1 << column)
            });
            (pawns, (0..columns).fold(0, |mirrored, column| mirrored * 3 + digit(column)) as u16)
        });
        // Newton's iteration doubles the number of correct bits. An odd number starts with three.
        let unmixer =
            (0..5).fold(MIXER, |x, _| x.wrapping_mul(2u64.wrapping_sub(MIXER.wrapping_mul(x))));
        Board {
            columns,
            rows,
            squares,
            all: (1 << squares) - 1,
            left,
            right: left << (columns - 1),
            bottom,
            top: bottom << (columns * (rows - 1)),
            row_bits,
            key_bits: rows * row_bits + 1,
            weights: weights.collect(),
            of_row: of_row.collect(),
            apart: if apart { u64::MAX } else { 0 },
            unmixer,
        }
    }

    /// Converts a position of the game; `None` if it has pawns outside this board.
    pub(super) fn arrangement(&self, position: &Position) -> Option<Arrangement> {
        let [few, many] = [position.few(), position.many()];
        let (white, black) = (few.bits(), many.bits());
        if (white | black) >> self.squares != 0 {
            return None;
        }
        let sum = |image: usize| {
            let of = |pawns: PointSet| {
                pawns.iter().map(|square| self.weights[usize::from(square)][image]).sum::<u64>()
            };
            of(few) + 2 * of(many)
        };
        Some(Arrangement {
            white: white as u64,
            black: black as u64,
            to_move: position.to_move(),
            code: sum(0),
            mirrored: sum(1),
        })
    }

    /// Returns the key of a position and of its mirror image.
    #[inline]
    pub(super) fn key(&self, position: &Arrangement) -> u64 {
        // If images are kept apart, their code is never the smaller one.
        let code = position.code.min(position.mirrored | self.apart);
        self.mix(code | (position.to_move.index() as u64) << (self.key_bits - 1))
    }

    /// Returns the position of a key: of two mirror images the one with the smaller code.
    #[inline]
    pub(super) fn of_key(&self, key: u64) -> Arrangement {
        let code = self.unmix(key);
        let to_move = if code >> (self.key_bits - 1) == 0 { Side::First } else { Side::Second };
        let code = code & ((1 << (self.key_bits - 1)) - 1);
        let (mut white, mut black, mut mirrored) = (0, 0, 0);
        for row in 0..self.rows {
            let shift = row * self.row_bits;
            let (pawns, image) = self.of_row[(code >> shift & ((1 << self.row_bits) - 1)) as usize];
            white |= u64::from(pawns[0]) << (row * self.columns);
            black |= u64::from(pawns[1]) << (row * self.columns);
            mirrored |= u64::from(image) << shift;
        }
        Arrangement { white, black, to_move, code, mirrored }
    }

    /// Returns the number of positions with the key of this one.
    #[inline]
    pub(super) fn orbit(&self, position: &Arrangement) -> u64 {
        if self.apart != 0 || position.is_symmetric() { 1 } else { 2 }
    }

    /// Multiplications carry differences to higher bits, shifts to lower ones; each step is
    /// invertible.
    #[inline]
    fn mix(&self, code: u64) -> u64 {
        let (half, mask) = (self.key_bits / 2 + 1, (1 << self.key_bits) - 1);
        let code = (code ^ code >> half).wrapping_mul(MIXER) & mask;
        (code ^ code >> half).wrapping_mul(MIXER) & mask
    }

    #[inline]
    fn unmix(&self, key: u64) -> u64 {
        let (half, mask) = (self.key_bits / 2 + 1, (1 << self.key_bits) - 1);
        let key = key.wrapping_mul(self.unmixer) & mask;
        let key = (key ^ key >> half).wrapping_mul(self.unmixer) & mask;
        key ^ key >> half
    }

    /// Whether the side that has just moved has brought a pawn to its far row.
    #[inline]
    pub(super) fn is_through(&self, position: &Arrangement) -> bool {
        match position.to_move {
            Side::First => position.black & self.bottom != 0,
            Side::Second => position.white & self.top != 0,
        }
    }

    /// Whether the side to move can bring a pawn to its far row at once.
    #[inline]
    pub(super) fn can_get_through(&self, position: &Arrangement) -> bool {
        let [steps, left, right] = self.targets(position);
        let far = if position.to_move == Side::First { self.top } else { self.bottom };
        (steps | left | right) & far != 0
    }

    /// Returns the squares that pawns of the side to move can step to, and capture on to the left
    /// and to the right.
    #[inline]
    fn targets(&self, position: &Arrangement) -> [u64; 3] {
        let Arrangement { white, black, .. } = *position;
        let (columns, empty) = (self.columns, self.all & !(white | black));
        match position.to_move {
            Side::First => [
                white << columns & empty,
                (white & !self.left) << (columns - 1) & black,
                (white & !self.right) << (columns + 1) & black,
            ],
            Side::Second => [
                black >> columns & empty,
                (black & !self.left) >> (columns + 1) & white,
                (black & !self.right) >> (columns - 1) & white,
            ],
        }
    }

    /// Visits every move from a position without a pawn on its far row.
    #[inline]
    pub(super) fn visit_moves(&self, position: &Arrangement, visit: impl FnMut(Reached)) {
        match position.to_move {
            Side::First => self.visit_moves_of::<true>(position, visit),
            Side::Second => self.visit_moves_of::<false>(position, visit),
        }
    }

    /// Visits every move of white, or of black.
    #[inline]
    fn visit_moves_of<const WHITE: bool>(
        &self,
        position: &Arrangement,
        mut visit: impl FnMut(Reached),
    ) {
        let [steps, left, right] = self.targets(position);
        let columns = self.columns;
        let Arrangement { white, black, .. } = *position;
        // The digits of pawns in codes, and the distances of captures to the left and to the right.
        let (own, other) = if WHITE { (1, 2) } else { (2, 1) };
        let (to_left, to_right) =
            if WHITE { (columns - 1, columns + 1) } else { (columns + 1, columns - 1) };
        let far = if WHITE { self.top } else { self.bottom };
        for (targets, distance) in [(steps, columns), (left, to_left), (right, to_right)] {
            for_each_bit(targets, |to| {
                let to = to as u32;
                let from = if WHITE { to - distance } else { to + distance };
                let (moved, target) = (1 << to | 1 << from, 1 << to);
                let captured = target & if WHITE { black } else { white };
                let (minus, plus) = (self.weights[from as usize], self.weights[to as usize]);
                let code = |code: u64, image: usize| {
                    let gone = if captured == 0 { 0 } else { plus[image] };
                    code - own * minus[image] + own * plus[image] - other * gone
                };
                let (code, mirrored) = (code(position.code, 0), code(position.mirrored, 1));
                let next = if WHITE {
                    let (white, black) = (white ^ moved, black ^ captured);
                    Arrangement { white, black, to_move: Side::Second, code, mirrored }
                } else {
                    let (white, black) = (white ^ captured, black ^ moved);
                    Arrangement { white, black, to_move: Side::First, code, mirrored }
                };
                let height = if WHITE { to / columns } else { self.rows - 1 - to / columns };
                let drop = 1 + if captured == 0 { 0 } else { height };
                visit(Reached { next, drop: drop as u16, through: target & far != 0 });
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;

    use anser_core::{Hunt, Next};

    use super::*;

    /// Returns positions of random play, always the same ones.
    fn positions(game: &Hunt, plays: u64) -> Vec<Position> {
        let mut seed = 20_u64;
        let mut found = Vec::new();
        for _ in 0..plays {
            let mut position = game.start();
            loop {
                found.push(position);
                let mut next = Vec::new();
                let _ = game.visit_moves(&position, |_, to| {
                    if let Next::Position(to) = to {
                        next.push(to);
                    }
                    ControlFlow::<()>::Continue(())
                });
                if game.terminal(&position).is_some() {
                    break;
                }
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position = next[(seed >> 33) as usize % next.len()];
            }
        }
        found
    }

    #[test]
    fn every_board_has_keys_of_at_most_61_bits_that_read_back() {
        for size in BoardSize::all() {
            let game = Hunt::hexapawn(size);
            for apart in [false, true] {
                let board = Board::new(size, apart);
                assert!((7..=61).contains(&board.key_bits), "{size}");
                for position in positions(&game, 20) {
                    let arrangement = board.arrangement(&position).expect("it is on the board");
                    let image = board
                        .arrangement(&game.image(&position, game.symmetries() - 1))
                        .expect("it is on the board");
                    let key = board.key(&arrangement);
                    assert_eq!(key >> board.key_bits, 0);
                    let back = board.of_key(key);
                    assert!(back == arrangement || !apart && back == image, "{position:?}");
                    assert_eq!(
                        board.key(&image) == key,
                        !apart || image == arrangement,
                        "{position:?}"
                    );
                    assert_eq!(image.is_symmetric(), image == arrangement);
                }
            }
        }
    }

    #[test]
    fn moves_are_those_of_the_rules_and_lower_the_layer_by_what_they_say() {
        for size in BoardSize::all() {
            let game = Hunt::hexapawn(size);
            let board = Board::new(size, true);
            for position in positions(&game, 20) {
                let arrangement = board.arrangement(&position).expect("it is on the board");
                let mut expected = BTreeSet::new();
                let _ = game.visit_moves(&position, |_, to| {
                    if let Next::Position(to) = to {
                        expected.insert(to);
                    }
                    ControlFlow::<()>::Continue(())
                });
                let over = board.is_through(&arrangement);
                let mut found = BTreeSet::new();
                let mut through = false;
                if !over {
                    board.visit_moves(&arrangement, |reached| {
                        let pieces = [reached.next.white, reached.next.black]
                            .map(|pawns| PointSet::from_bits(pawns.into()));
                        let next = game.position(pieces, [0; 2], reached.next.to_move);
                        let next = next.expect("moves lead to positions");
                        assert_eq!(board.arrangement(&next), Some(reached.next));
                        assert_eq!(game.layer(&next), game.layer(&position) - reached.drop);
                        assert_eq!(board.is_through(&reached.next), reached.through);
                        through |= reached.through;
                        found.insert(next);
                    });
                    assert_eq!(board.can_get_through(&arrangement), through);
                }
                assert_eq!(found, expected, "{}", game.format_position(&position));
            }
        }
    }
}

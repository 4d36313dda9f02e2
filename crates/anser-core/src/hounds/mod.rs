//! Games of a lone man against a pack on a chessboard: the common parts of Fox-and-Hounds and
//! Hasenspiel.
//!
//! On the squares of one color of an n x n board, `n / 2` hounds, or fewer, start on the bottom row
//! and the fox near the middle of the top row. The fox steps to any empty square diagonally next to
//! it; the hounds step one at a time, up only. Nothing is captured. A hound never comes back, so
//! every game ends, and none in a draw.
//!
//! The games differ in the color of the squares, the letters, and the end of the game: a
//! [`HuntRules`] type. They are [`FoxHounds`](crate::fox_hounds::FoxHounds) and
//! [`Hasenspiel`](crate::hasenspiel::Hasenspiel), which are [`Hunt`] under their rules. The names
//! of fields and methods are those of Fox-and-Hounds.
//!
//! A layer is the number of rows that the hounds still have to go; `index.rs` specifies the index.

mod board;
pub(crate) mod index;
mod moves;
mod notation;
mod position;
mod rules;

use std::fmt::Write;
use std::ops::{ControlFlow, RangeInclusive};

pub use board::{Board, Color, MOST_SQUARES, SizeError, Square, SquareSet};
pub use index::{HoundsGroup, HoundsIndex};
pub use position::{Move, Position};
pub use rules::{HuntRules, PackOrder, RuleSetError, Style};
pub(crate) use rules::{blocked_loses, lone_wins};

use crate::prelude::*;
use crate::{Next, NotationError, Noun, Outcome, Picture, Side};

/// A game of a lone man against a pack; `R` defines its end.
#[derive(Clone, Copy, Debug)]
pub struct Hunt<R> {
    board: &'static Board,
    rules: R,
}

impl<R: HuntRules> Hunt<R> {
    /// The game on a board of `size` x `size` squares.
    pub(crate) fn on_board(size: usize, rules: R) -> Result<Hunt<R>, SizeError> {
        Ok(Hunt { board: Board::get(size, R::STYLE.color)?, rules })
    }

    /// The same with a pack of `hounds`.
    pub(crate) fn with_hounds(size: usize, hounds: usize, rules: R) -> Result<Hunt<R>, SizeError> {
        Ok(Hunt { board: Board::with_hounds(size, R::STYLE.color, hounds)?, rules })
    }

    /// Returns the rule set.
    pub fn rules(&self) -> R {
        self.rules
    }

    /// Returns the board.
    #[inline]
    pub fn board(&self) -> &'static Board {
        self.board
    }

    /// Returns the layers that play from the start can reach: the lower half. The upper half has
    /// the other value of the parity that no move changes.
    ///
    /// ```
    /// use anser_core::prelude::*;
    /// use anser_core::fox_hounds::FoxHounds;
    /// let game = FoxHounds::default();
    /// assert_eq!(game.start_layers(), 0..=game.layer(&game.start()));
    /// assert_eq!((game.start_layers(), game.layers()), (0..=28, 0..=57));
    /// ```
    pub fn start_layers(&self) -> RangeInclusive<u16> {
        0..=index::most_rows(self.board) as u16
    }
}

impl<R: HuntRules> Rules for Hunt<R> {
    type Position = Position;
    type Move = Move;

    fn name(&self) -> String {
        R::game_name(self.board)
    }

    fn rules_id(&self) -> String {
        self.rules.to_string()
    }

    fn fingerprint(&self) -> String {
        let mut text = format!(
            "{} rules={} lone={} pack={} pack-men={} lone-steps=any pack-steps=up captures=none end={} lines=",
            self.name(),
            self.rules,
            R::STYLE.side_names[0],
            R::STYLE.side_names[1],
            self.board.hounds(),
            self.rules.end_tests(self.board),
        );
        for from in self.board.squares().iter() {
            for to in self.board.up_steps(from).into_iter().flatten() {
                // Writing to a string does not fail.
                let _ = write!(
                    text,
                    "{}>{},",
                    self.board.square_name(from),
                    self.board.square_name(to)
                );
            }
        }
        text
    }

    /// Returns the position with the hounds on the leftmost squares of the bottom row, and the fox
    /// on the top row next to the middle and to move.
    fn start(&self) -> Position {
        let width = self.board.width();
        // The boards of the two colors are mirror images, and so are their starts.
        let place = match self.board.color() {
            Color::Light => width / 2,
            Color::Dark => width - 1 - width / 2,
        };
        let top = self.board.squares().iter().nth(width * (self.board.size() - 1) + place);
        Position {
            hounds: SquareSet::from_bits((1 << self.board.hounds()) - 1),
            fox: top.unwrap_or_else(|| unreachable!("every board has a top row")),
            to_move: Side::First,
        }
    }

    #[inline]
    fn side_to_move(&self, position: &Position) -> Side {
        position.to_move
    }

    #[inline]
    fn terminal(&self, position: &Position) -> Option<Outcome> {
        self.rules.terminal(self.board, position)
    }

    fn passed(&self, position: &Position) -> Option<Position> {
        Some(position.pass())
    }

    #[inline]
    fn visit_moves<B>(
        &self,
        position: &Position,
        visit: impl FnMut(Move, Next<Position>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        moves::visit_moves(self.rules, self.board, position, visit)
    }

    fn symmetries(&self) -> usize {
        1
    }

    fn image(&self, position: &Position, _symmetry: usize) -> Position {
        *position
    }
}

impl<R: HuntRules> Layers for Hunt<R> {
    type Index = HoundsIndex;

    fn layers(&self) -> RangeInclusive<u16> {
        0..=2 * index::most_rows(self.board) as u16 + 1
    }

    #[inline]
    fn layer(&self, position: &Position) -> u16 {
        index::layer(self.board, position)
    }

    fn lower_layers(&self, layer: u16) -> Vec<u16> {
        // At the bottom of either half all hounds are at the top.
        let bottom = layer == 0 || usize::from(layer) == index::most_rows(self.board) + 1;
        if bottom { Vec::new() } else { vec![layer - 1] }
    }

    fn stays_in_layer(&self, _layer: u16, side: Side) -> bool {
        side == Side::First
    }

    fn positions(&self, layer: u16, side: Side) -> u64 {
        self.index(layer).len(side)
    }

    #[inline]
    fn visit_unmoves<B>(
        &self,
        position: &Position,
        visit: impl FnMut(Move, Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        moves::visit_unmoves(self.rules, self.board, position, visit)
    }

    fn index(&self, layer: u16) -> HoundsIndex {
        HoundsIndex::new(self.board, layer)
    }

    /// Bits 0: side to move, 1 to 7: square of the fox, 8 to 79: hounds by the number of their
    /// square.
    #[inline]
    fn encode(&self, position: &Position) -> u128 {
        let side = position.to_move.index() as u128;
        position.hounds.bits() << 8 | (position.fox.number() as u128) << 1 | side
    }

    fn decode(&self, code: u128) -> Option<Position> {
        if code >> (8 + MOST_SQUARES) != 0 {
            return None;
        }
        let fox = Square::new((code >> 1) as usize & 0x7f)?;
        Position::new(
            self.board,
            fox,
            SquareSet::from_bits(code >> 8),
            Side::BOTH[(code & 1) as usize],
        )
    }
}

impl<R: HuntRules> Notation for Hunt<R> {
    fn side_name(&self, side: Side) -> &str {
        R::STYLE.side_names[side.index()]
    }

    fn noun(&self, side: Side) -> Noun {
        match side {
            Side::First => Noun::Singular,
            Side::Second => Noun::Plural,
        }
    }

    fn ending(&self, position: &Position) -> Option<&str> {
        self.rules.ending(self.board, position)
    }

    fn parse_position(&self, text: &str) -> Result<Position, NotationError> {
        notation::parse_position::<R>(self.board, text)
    }

    fn format_position(&self, position: &Position) -> String {
        notation::format_position::<R>(self.board, position)
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, NotationError> {
        notation::parse_move(self, position, text)
    }

    fn format_move(&self, mv: &Move) -> String {
        notation::format_move(self.board, *mv)
    }

    fn diagram(&self, position: &Position) -> String {
        notation::diagram::<R>(self.board, position)
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(notation::picture::<R>(self.board, position))
    }
}

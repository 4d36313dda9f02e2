//! Hexapawn on boards of columns x rows: pawns that step forward and capture diagonally forward, as
//! in chess.
//!
//! A pawn on its far row has won; a side to move without a pawn or without a move has lost. So at
//! every end of the game the side to move has lost, and there are no draws. A layer is the number
//! of rows that all pawns of both sides together still have to go. Every move lowers it, so no
//! position repeats.

pub(crate) mod index;
mod moves;
mod notation;
mod position;
mod rules;
mod size;
mod words;

use std::ops::{ControlFlow, RangeInclusive};

pub use index::HexapawnIndex;
pub use position::{Move, Position, Square};
pub use rules::{RuleSet, RuleSetError};
pub use size::{BoardSize, BoardSizeError};

use crate::prelude::*;
use crate::{BLOCKED, Next, NotationError, Outcome, Picture, Side};

/// Hexapawn on a board of some size.
///
/// ```
/// use anser_core::prelude::*;
/// use anser_core::{Outcome, Side, hexapawn::Hexapawn};
/// let game = Hexapawn::default();
/// assert_eq!(game.format_position(&game.start()), "ppp/3/PPP w");
/// // Every pawn is blocked, and nobody can capture: the side to move has lost.
/// let blocked = game.parse_position("p2/P2/3 w")?;
/// assert_eq!(game.terminal(&blocked), Some(Outcome::Win(Side::Second)));
/// # Ok::<(), anser_core::NotationError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Hexapawn {
    size: BoardSize,
}

impl Hexapawn {
    /// Creates the game on a board of this size.
    pub fn new(size: BoardSize) -> Hexapawn {
        Hexapawn { size }
    }

    /// Returns the size of the board.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// Returns the rule set.
    pub fn rules(&self) -> RuleSet {
        RuleSet::Standard
    }

    /// Returns the position with pawns on these squares (see [`Position`] for the bits), if it is
    /// one.
    ///
    /// ```
    /// use anser_core::prelude::*;
    /// use anser_core::{Side, hexapawn::Hexapawn};
    /// let game = Hexapawn::default();
    /// assert_eq!(game.position(0b000_000_111, 0b111_000_000, Side::First), Some(game.start()));
    /// // White's pawn on the far row has ended the game, so White is not to move.
    /// assert_eq!(game.position(0b001_000_000, 0b010_000_000, Side::First), None);
    /// ```
    pub fn position(&self, white: u64, black: u64, to_move: Side) -> Option<Position> {
        let position = Position { pawns: [white, black], to_move };
        let most = u32::from(self.size.columns());
        let (mover, other) = position.mover_and_other();
        let far = |side: Side| position::far_row(self.size, side);
        let sound = (white | black) >> self.size.squares() == 0
            && white & black == 0
            && mover.count_ones() <= most
            && (1..=most).contains(&other.count_ones())
            && mover & far(to_move) == 0
            && (other & far(to_move.other())).count_ones() <= 1;
        sound.then_some(position)
    }
}

impl Rules for Hexapawn {
    type Position = Position;
    type Move = Move;

    fn name(&self) -> String {
        format!("hexapawn:{}", self.size)
    }

    fn rules_id(&self) -> String {
        self.rules().to_string()
    }

    fn fingerprint(&self) -> String {
        format!(
            "hexapawn columns={} rows={} rules={} far-row-wins no-pawn-loses blocked-mover-loses",
            self.size.columns(),
            self.size.rows(),
            self.rules()
        )
    }

    fn start(&self) -> Position {
        Position {
            pawns: [self.size.row(0), self.size.row(self.size.rows() - 1)],
            to_move: Side::First,
        }
    }

    fn side_to_move(&self, position: &Position) -> Side {
        position.to_move
    }

    fn terminal(&self, position: &Position) -> Option<Outcome> {
        moves::terminal(self.size, position)
    }

    fn passed(&self, position: &Position) -> Option<Position> {
        self.position(position.pawns[0], position.pawns[1], position.to_move.other())
    }

    fn visit_moves<B>(
        &self,
        position: &Position,
        mut visit: impl FnMut(Move, Next<Position>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        moves::visit_moves(self.size, position, |mv, next| visit(mv, Next::Position(next)))
    }

    fn symmetries(&self) -> usize {
        2
    }

    fn image(&self, position: &Position, symmetry: usize) -> Position {
        if symmetry == 0 { *position } else { position.mirror(self.size) }
    }
}

impl Layers for Hexapawn {
    type Index = HexapawnIndex;

    fn layers(&self) -> RangeInclusive<u16> {
        0..=self.size.rows_to_go()
    }

    fn layer(&self, position: &Position) -> u16 {
        let last = self.size.rows() - 1;
        (0..=last)
            .map(|row| {
                let pawns =
                    |side: Side| (position.of(side) & self.size.row(row)).count_ones() as u16;
                pawns(Side::First) * u16::from(last - row) + pawns(Side::Second) * u16::from(row)
            })
            .sum()
    }

    /// A step lowers the layer by one, a capture also by the rows that the captured pawn had to go.
    fn lower_layers(&self, layer: u16) -> Vec<u16> {
        (layer.saturating_sub(u16::from(self.size.rows()))..layer).collect()
    }

    fn stays_in_layer(&self, _layer: u16, _side: Side) -> bool {
        false
    }

    fn positions(&self, layer: u16, side: Side) -> u64 {
        index::Tables::get(self.size).positions(layer, side)
    }

    fn visit_unmoves<B>(
        &self,
        _position: &Position,
        _visit: impl FnMut(Move, Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        ControlFlow::Continue(())
    }

    fn index(&self, layer: u16) -> HexapawnIndex {
        HexapawnIndex::new(self.size, layer)
    }

    /// Bits 0: side to move, 1 to 36: Black's pawns by the number of their square, 37 to 72:
    /// White's.
    #[inline]
    fn encode(&self, position: &Position) -> u128 {
        let [white, black] = position.pawns.map(u128::from);
        white << 37 | black << 1 | position.to_move.index() as u128
    }

    fn decode(&self, code: u128) -> Option<Position> {
        if code >> 73 != 0 {
            return None;
        }
        let pawns = |shift: u32| (code >> shift) as u64 & ((1 << 36) - 1);
        self.position(pawns(37), pawns(1), Side::BOTH[(code & 1) as usize])
    }
}

impl Notation for Hexapawn {
    fn side_name(&self, side: Side) -> &str {
        match side {
            Side::First => "white",
            Side::Second => "black",
        }
    }

    fn ending(&self, position: &Position) -> Option<&str> {
        let (mover, other) = position.mover_and_other();
        self.terminal(position).map(|_| {
            if other & position::far_row(self.size, position.to_move.other()) != 0 {
                "far row"
            } else if mover == 0 {
                "no pawns"
            } else {
                BLOCKED
            }
        })
    }

    fn parse_position(&self, text: &str) -> Result<Position, NotationError> {
        notation::parse_position(self.size, text)
    }

    fn format_position(&self, position: &Position) -> String {
        notation::format_position(self.size, position)
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, NotationError> {
        notation::parse_move(self, position, text)
    }

    fn format_move(&self, mv: &Move) -> String {
        mv.to_string()
    }

    fn diagram(&self, position: &Position) -> String {
        notation::diagram(self.size, position)
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(notation::picture(self.size, position))
    }
}

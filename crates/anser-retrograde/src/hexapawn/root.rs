//! The board of a game, and the position that is solved.

use anser_core::Hunt;
use anser_core::hexapawn::BoardSize;
use anser_core::hunt::Position;

use super::board::{Arrangement, Board};

/// The position that is solved, on its board.
#[derive(Clone, Debug)]
pub(super) struct Root {
    pub(super) size: BoardSize,
    pub(super) board: Board,
    pub(super) start: Arrangement,
    /// The layer of the start.
    pub(super) top: u16,
}

impl Root {
    /// Returns the root; `None` if the game is not [Hexapawn](Hunt::pawn_board), or the position is
    /// not one of the game.
    pub(super) fn new(game: &Hunt, position: &Position) -> Option<Root> {
        let size = game.pawn_board()?;
        let pieces = [position.few(), position.many()];
        let position = game.position(pieces, [0; 2], position.to_move())?;
        let start = Board::new(size, false).arrangement(&position)?;
        // If the mirror image of every reachable position can be reached as well, both are one
        // class.
        let board = Board::new(size, !start.is_symmetric());
        Some(Root { size, board, start, top: game.layer(&position) })
    }
}

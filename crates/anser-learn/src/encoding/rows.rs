//! Games of a lone piece against a pack that only goes up: Fox-and-Hounds and Hasenspiel.

use anser_core::hounds::{Board, Square};
use anser_core::hunt::Position;
use anser_core::{Hunt, Side};

use super::{Encoding, mark, push_each};

/// A lone piece against a pack on a board of squares.
///
/// Inputs: the square of the fox and those of the hounds, once for the fox to move and once for the
/// hounds; the half of the other side is empty. Actions: the four steps of the fox, then the two
/// steps up from each square.
#[derive(Clone, Debug)]
pub struct RowsEncoding {
    game: Hunt,
    board: &'static Board,
}

impl RowsEncoding {
    /// Creates the encoding of a game; `None` if it is not [in rows](Hunt::rows).
    pub fn new(game: &Hunt) -> Option<RowsEncoding> {
        Some(RowsEncoding { game: game.clone(), board: game.rows()?.board })
    }

    fn squares(&self) -> usize {
        self.board.squares().len()
    }
}

const FOX_STEPS: usize = 4;

impl Encoding for RowsEncoding {
    fn name(&self) -> &'static str {
        "hunt-1"
    }

    fn inputs(&self) -> usize {
        4 * self.squares()
    }

    fn actions(&self) -> usize {
        FOX_STEPS + 2 * self.squares()
    }

    fn encode(&self, position: &Position, inputs: &mut [f32]) {
        let start = position.to_move().index() * 2 * self.squares();
        mark(inputs, start, position.few().iter().map(usize::from));
        mark(inputs, start + self.squares(), position.many().iter().map(usize::from));
    }

    fn push_actions(&self, position: &Position, actions: &mut Vec<u16>) {
        push_each(&self.game, position, actions, |mv| {
            let [from, to] = [mv.path()[0], mv.path()[1]].map(|point| Square::new(point.into()));
            let from = from.expect("a point of the game is a square of its board");
            match position.to_move() {
                Side::First => {
                    let step = self.board.steps(from).into_iter().position(|step| step == to);
                    step.expect("a move is a step")
                }
                Side::Second => {
                    let step = self.board.up_steps(from).into_iter().position(|step| step == to);
                    FOX_STEPS + 2 * from.number() + step.expect("a move is a step up")
                }
            }
        });
    }
}

//! Fox-and-Hounds and Hasenspiel.

use anser_core::Side;
use anser_core::hounds::{Hunt, HuntRules, Position, Square};

use super::{Encoding, mark, push_each};

/// A hunt on a board of squares.
///
/// Inputs: the square of the fox and those of the hounds, once for the fox to move and once for the
/// hounds; the half of the other side is empty. Actions: the four steps of the fox, then the two
/// steps up from each square.
#[derive(Clone, Debug)]
pub struct HuntEncoding<R> {
    game: Hunt<R>,
}

impl<R: HuntRules> HuntEncoding<R> {
    /// Creates the encoding of a hunt.
    pub fn new(game: &Hunt<R>) -> HuntEncoding<R> {
        HuntEncoding { game: *game }
    }

    fn squares(&self) -> usize {
        self.game.board().squares().len()
    }
}

const FOX_STEPS: usize = 4;

impl<R: HuntRules> Encoding<Hunt<R>> for HuntEncoding<R> {
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
        inputs[start + position.fox().number()] = 1.0;
        let hounds = position.hounds().iter().map(Square::number);
        mark(inputs, start + self.squares(), hounds);
    }

    fn push_actions(&self, position: &Position, actions: &mut Vec<u16>) {
        let board = self.game.board();
        push_each(&self.game, position, actions, |mv| {
            let to = Some(mv.to);
            match position.to_move() {
                Side::First => {
                    let step = board.steps(mv.from).into_iter().position(|step| step == to);
                    step.expect("a move is a step")
                }
                Side::Second => {
                    let step = board.up_steps(mv.from).into_iter().position(|step| step == to);
                    FOX_STEPS + 2 * mv.from.number() + step.expect("a move is a step up")
                }
            }
        });
    }
}

//! Hare-and-Hounds.

use anser_core::Side;
use anser_core::hare_hounds::{HareHounds, Position};

use super::{Encoding, mark, push_each};

/// The number of points of the board.
const POINTS: usize = 11;
/// The plies left count in units of this many.
const PLIES: f32 = 30.0;

/// Hare-and-Hounds.
///
/// Inputs: the points of the hare and of the hounds, once for the hare to move and once for the
/// hounds, and the plies left if the rules limit them. Actions: the point that the hare goes to,
/// then the points that a hound goes from and to.
#[derive(Clone, Debug)]
pub struct HareEncoding {
    game: HareHounds,
}

impl HareEncoding {
    /// Creates the encoding of a rule set.
    pub fn new(game: &HareHounds) -> HareEncoding {
        HareEncoding { game: game.clone() }
    }
}

impl Encoding<HareHounds> for HareEncoding {
    fn name(&self) -> &'static str {
        "hare-1"
    }

    fn inputs(&self) -> usize {
        4 * POINTS + 1
    }

    fn actions(&self) -> usize {
        POINTS + POINTS * POINTS
    }

    fn encode(&self, position: &Position, inputs: &mut [f32]) {
        let start = position.to_move().index() * 2 * POINTS;
        inputs[start + usize::from(position.hare()) - 1] = 1.0;
        mark(inputs, start + POINTS, position.hounds().into_iter().map(|at| usize::from(at) - 1));
        inputs[4 * POINTS] = position.left().map_or(0.0, |plies| f32::from(plies) / PLIES);
    }

    fn push_actions(&self, position: &Position, actions: &mut Vec<u16>) {
        push_each(&self.game, position, actions, |mv| {
            let [from, to] = [mv.from(), mv.to()].map(|point| usize::from(point) - 1);
            match position.to_move() {
                Side::First => to,
                Side::Second => POINTS + from * POINTS + to,
            }
        });
    }
}

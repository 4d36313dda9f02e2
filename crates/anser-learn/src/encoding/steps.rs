//! Games of one piece in which pieces only step, as Hare-and-Hounds.

use anser_core::hunt::Position;
use anser_core::{Hunt, Side};

use super::{Encoding, mark, push_each};

/// The plies left count in units of this many.
const PLIES: f32 = 30.0;

/// One piece against others on any board, where both sides step and nothing else.
///
/// Inputs: the points of the few and of the many, once for the few to move and once for the many,
/// and the plies left if the rules limit them. Actions: the point that the only piece goes to, then
/// the points that a piece of the many goes from and to.
#[derive(Clone, Debug)]
pub struct StepsEncoding {
    game: Hunt,
}

impl StepsEncoding {
    /// Creates the encoding of a game; `None` if pieces jump, capture, are placed, or pass, or the
    /// few are several.
    pub fn new(game: &Hunt) -> Option<StepsEncoding> {
        let description = game.description();
        let steps_only = description
            .sides
            .iter()
            .all(|side| side.hand == 0 && side.jumps.is_empty() && side.captures.is_empty());
        let suits = steps_only
            && description.sides[0].number == [1, 1]
            && Side::BOTH.into_iter().all(|side| description.blocked_loses(side));
        suits.then(|| StepsEncoding { game: game.clone() })
    }

    fn points(&self) -> usize {
        self.game.description().points.len()
    }
}

impl Encoding for StepsEncoding {
    fn name(&self) -> &'static str {
        "hare-1"
    }

    fn inputs(&self) -> usize {
        4 * self.points() + 1
    }

    fn actions(&self) -> usize {
        self.points() + self.points() * self.points()
    }

    fn encode(&self, position: &Position, inputs: &mut [f32]) {
        let points = self.points();
        let start = position.to_move().index() * 2 * points;
        mark(inputs, start, position.few().iter().map(usize::from));
        mark(inputs, start + points, position.many().iter().map(usize::from));
        inputs[4 * points] = position.plies_left().map_or(0.0, |plies| f32::from(plies) / PLIES);
    }

    fn push_actions(&self, position: &Position, actions: &mut Vec<u16>) {
        let points = self.points();
        push_each(&self.game, position, actions, |mv| {
            let [from, to] = [mv.path()[0], mv.path()[1]].map(usize::from);
            match position.to_move() {
                Side::First => to,
                Side::Second => points + from * points + to,
            }
        });
    }
}

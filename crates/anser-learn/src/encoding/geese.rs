//! Fox-and-Geese.

use anser_core::fox_geese::Point;
use anser_core::hunt::{Move, Position};
use anser_core::{Hunt, Side};

use super::{Encoding, mark, push_each};

/// The number of points of the board.
const POINTS: usize = 33;
/// The steps of a goose: to one of the nine points of the square around it.
const STEPS: usize = 9;

/// Fox-and-Geese, with any number of geese, without chains of captures.
///
/// Inputs: the points of the fox and of the geese, once for the fox to move and once for the geese;
/// the half of the other side is empty. Actions: the point that the fox steps to, the point that it
/// jumps to, then the steps of a goose from each point.
#[derive(Clone, Debug)]
pub struct GeeseEncoding {
    game: Hunt,
}

impl GeeseEncoding {
    /// Creates the encoding of a rule set of Fox-and-Geese; `None` for other games, and if captures
    /// come in chains, of which several can lead to the same point.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// use anser_learn::GeeseEncoding;
    /// assert!(GeeseEncoding::new(&Hunt::fox_geese("free".parse()?)).is_some());
    /// assert!(GeeseEncoding::new(&Hunt::fox_geese("free+chain".parse()?)).is_none());
    /// # Ok::<(), anser_core::fox_geese::RuleSetError>(())
    /// ```
    pub fn new(game: &Hunt) -> Option<GeeseEncoding> {
        game.cross().filter(|cross| !cross.rules().chain())?;
        Some(GeeseEncoding { game: game.clone() })
    }
}

fn action(side: Side, mv: &Move) -> usize {
    let (from, to) = (mv.path()[0], mv.path()[mv.path().len() - 1]);
    match side {
        Side::First => usize::from(mv.is_capture()) * POINTS + usize::from(to),
        Side::Second => {
            let place = |point: u8| Point::new(point).map_or((0, 0), Point::coordinates);
            let ((x, y), (to_x, to_y)) = (place(from), place(to));
            let step = 3 * (to_y - y + 1) + (to_x - x + 1);
            2 * POINTS + STEPS * usize::from(from) + step as usize
        }
    }
}

impl Encoding for GeeseEncoding {
    fn name(&self) -> &'static str {
        "geese-1"
    }

    fn inputs(&self) -> usize {
        4 * POINTS
    }

    fn actions(&self) -> usize {
        (2 + STEPS) * POINTS
    }

    fn encode(&self, position: &Position, inputs: &mut [f32]) {
        let start = position.to_move().index() * 2 * POINTS;
        mark(inputs, start, position.few().iter().map(usize::from));
        mark(inputs, start + POINTS, position.many().iter().map(usize::from));
    }

    fn push_actions(&self, position: &Position, actions: &mut Vec<u16>) {
        push_each(&self.game, position, actions, |mv| action(position.to_move(), &mv));
    }
}

//! Fox-and-Geese.

use anser_core::Side;
use anser_core::fox_geese::{FoxGeese, Move, Point, Position};

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
    game: FoxGeese,
}

impl GeeseEncoding {
    /// Creates the encoding of a rule set; `None` if its captures come in chains, of which several
    /// can lead to the same point.
    ///
    /// ```
    /// use anser_core::fox_geese::FoxGeese;
    /// use anser_learn::GeeseEncoding;
    /// assert!(GeeseEncoding::new(&FoxGeese::new("free".parse()?)).is_some());
    /// assert!(GeeseEncoding::new(&FoxGeese::new("free+chain".parse()?)).is_none());
    /// # Ok::<(), anser_core::fox_geese::RuleSetError>(())
    /// ```
    pub fn new(game: &FoxGeese) -> Option<GeeseEncoding> {
        (!game.rules().chain()).then(|| GeeseEncoding { game: game.clone() })
    }
}

fn action(side: Side, mv: &Move) -> usize {
    let (from, to) = (mv.path()[0], mv.path()[mv.path().len() - 1]);
    match side {
        Side::First => usize::from(mv.is_capture()) * POINTS + to.number(),
        Side::Second => {
            let ((x, y), (to_x, to_y)) = (from.coordinates(), to.coordinates());
            let step = 3 * (to_y - y + 1) + (to_x - x + 1);
            2 * POINTS + STEPS * from.number() + step as usize
        }
    }
}

impl Encoding<FoxGeese> for GeeseEncoding {
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
        inputs[start + position.fox().number()] = 1.0;
        mark(inputs, start + POINTS, position.geese().iter().map(Point::number));
    }

    fn push_actions(&self, position: &Position, actions: &mut Vec<u16>) {
        push_each(&self.game, position, actions, |mv| action(position.to_move(), &mv));
    }
}

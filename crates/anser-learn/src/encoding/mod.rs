//! What a network sees of a position, and the numbers of its moves.

mod any;
mod geese;
mod hare;
mod hexapawn;
mod hunt;

use anser_core::prelude::*;

pub use any::encodings_of;
pub use geese::GeeseEncoding;
pub use hare::HareEncoding;
pub use hexapawn::{DocumentEncoding, HexapawnEncoding};
pub use hunt::HuntEncoding;

/// Inputs and outputs of a network for one game.
///
/// The side to move sees the board as its own: an encoding may turn the board, and need not state
/// whose turn it is. The legal moves of a position have different actions.
pub trait Encoding<G: Rules>: Send + Sync {
    /// Returns the name, with a version: a model can only be used with the encoding that it was
    /// trained with.
    fn name(&self) -> &'static str;

    /// Returns the number of inputs.
    fn inputs(&self) -> usize;

    /// Returns the number of actions.
    fn actions(&self) -> usize;

    /// Writes a position into `inputs`, which holds zeros.
    fn encode(&self, position: &G::Position, inputs: &mut [f32]);

    /// Appends the actions of the legal moves of a position, in generation order.
    fn push_actions(&self, position: &G::Position, actions: &mut Vec<u16>);
}

/// The encoding of a game for another type of the same game with the same
/// [codes](anser_core::Layers::encode).
///
/// ```
/// use anser_core::prelude::*;
/// use anser_core::hexapawn::Hexapawn;
/// use anser_learn::{Encoding, HexapawnEncoding, Recoded};
/// let game = Hexapawn::default();
/// let recoded = Recoded::new(game.clone(), game.clone(), HexapawnEncoding::new(&game));
/// let mut inputs = vec![0.0; recoded.inputs()];
/// recoded.encode(&game.start(), &mut inputs);
/// assert_eq!(inputs.iter().sum::<f32>(), 6.0);
/// ```
pub struct Recoded<G, H, E> {
    game: G,
    outer: H,
    encoding: E,
}

impl<G: Game, H: Game, E: Encoding<G>> Recoded<G, H, E> {
    /// Creates the encoding of `outer`, which is `game` in another type.
    pub fn new(game: G, outer: H, encoding: E) -> Recoded<G, H, E> {
        Recoded { game, outer, encoding }
    }

    fn inner(&self, position: &H::Position) -> G::Position {
        let code = self.outer.encode(position);
        self.game.decode(code).expect("both types are the same game")
    }
}

impl<G: Game, H: Game, E: Encoding<G>> Encoding<H> for Recoded<G, H, E> {
    fn name(&self) -> &'static str {
        self.encoding.name()
    }

    fn inputs(&self) -> usize {
        self.encoding.inputs()
    }

    fn actions(&self) -> usize {
        self.encoding.actions()
    }

    fn encode(&self, position: &H::Position, inputs: &mut [f32]) {
        self.encoding.encode(&self.inner(position), inputs);
    }

    fn push_actions(&self, position: &H::Position, actions: &mut Vec<u16>) {
        self.encoding.push_actions(&self.inner(position), actions);
    }
}

/// Appends the action that `action` gives to each legal move, in generation order.
fn push_each<G: Rules>(
    game: &G,
    position: &G::Position,
    actions: &mut Vec<u16>,
    mut action: impl FnMut(G::Move) -> usize,
) {
    let _ = game.visit_moves(position, |mv, _| {
        actions.push(action(mv) as u16);
        std::ops::ControlFlow::<()>::Continue(())
    });
}

/// Writes a one for each of these squares, at `start`.
fn mark(inputs: &mut [f32], start: usize, squares: impl Iterator<Item = usize>) {
    for square in squares {
        inputs[start + square] = 1.0;
    }
}

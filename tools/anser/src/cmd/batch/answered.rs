//! Answers of a batch, in any form.

use anser_games::answers::{MoveAnswer, RatedPosition};

use crate::failure::Failure;

/// The answer to a position.
pub(super) struct Answered {
    pub(super) rated: RatedPosition,
    /// Only if requested.
    pub(super) moves: Option<Vec<MoveAnswer>>,
    /// Why the answer is incomplete, if a table cannot be used.
    pub(super) incomplete: Option<Failure>,
}

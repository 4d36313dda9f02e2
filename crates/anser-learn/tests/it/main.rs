//! Tests of the learner: encodings, search, training, grades, and model files.

mod encodings;
mod grades;
mod models;
mod oracle;
mod searches;
mod training;

use anser_core::hexapawn::BoardSize;
use anser_core::hunt::Position;
use anser_core::{Hunt, Next};
use anser_retrograde::Solution;

/// Hexapawn on a board of this size.
fn hexapawn(columns: u8, rows: u8) -> Hunt {
    Hunt::hexapawn(BoardSize::new(columns, rows).unwrap())
}

/// The positions that play can reach from the start.
fn positions(solution: &Solution) -> Vec<Position> {
    let layers = solution.layers().flat_map(|layer| solution.positions(layer));
    layers.map(|(position, _)| position).collect()
}

/// The position after a move of a game in which no move ends the game by itself.
fn after(next: Next) -> Position {
    match next {
        Next::Position(next) => next,
        Next::End(end) => panic!("{}", end.reason),
    }
}

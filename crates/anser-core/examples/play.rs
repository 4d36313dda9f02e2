//! Plays a random game of Fox-and-Geese and draws the final position:
//!
//! ```text
//! cargo run -p anser-core --example play -- 42
//! ```

use std::error::Error;

use anser_core::words::wins;
use anser_core::{Hunt, Outcome};

fn main() -> Result<(), Box<dyn Error>> {
    let mut seed: u64 = std::env::args().nth(1).map_or(Ok(1), |seed| seed.parse())?;
    let game = Hunt::default();
    let mut position = game.start();
    let mut played = Vec::new();
    let mut result = None;
    while result.is_none() && played.len() < 200 {
        let moves = game.moves(&position);
        if !moves.is_empty() {
            // The constants are those of a linear congruential generator.
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let (mv, next) = moves[(seed >> 33) as usize % moves.len()];
            played.push(game.format_move(&mv));
            position = *next.position();
            result = game.outcome_after(&next);
        }
    }
    println!("{}\n\n{}", played.join(" "), game.diagram(&position));
    match result {
        Some(Outcome::Win(side)) => println!("{} after {} plies", wins(&game, side), played.len()),
        Some(Outcome::Draw) => println!("a draw after {} plies", played.len()),
        None => println!("undecided after {} plies", played.len()),
    }
    Ok(())
}

//! Solves a game from its start in memory:
//! `cargo run --release -p anser-analyse --example count -- 8` for Fox-and-Hounds on 8 x 8 squares.

use anser_analyse::{Tie, best_line};
use anser_core::words::value_text;
use anser_core::{BySide, Hunt, Outcome, Side};
use anser_retrograde::{Count, Limits, Solution, WholeCensus};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let size = std::env::args().nth(1).map_or(Ok(6), |size| size.parse())?;
    let game = Hunt::fox_hounds(size, "escape")?;
    let start = game.start();
    let limits = Limits { memory: 4 << 30, ..Limits::default() };

    let counted = Count::of(&game, &start, &limits)?;
    println!("{}: {}", game.name(), value_text(&game, counted.value));
    println!("{} reachable positions, {} games", counted.reachable, counted.tally.games());
    let census = WholeCensus::of(&game, &start, false, &limits)?.reachable;
    for side in Side::BOTH {
        println!(
            "{} positions are won for the {}",
            census.outcome(Outcome::Win(side)),
            game.side_name(side)
        );
    }
    if size <= 8 {
        let solution = Solution::reachable_within(&game, &start, &limits)?;
        let line = best_line(&game, &start, BySide::new(Tie::First, Tie::First), &solution)?;
        let moves: Vec<String> =
            line.moves.iter().map(|rated| game.format_move(&rated.mv)).collect();
        println!("best play: {}", moves.join(" "));
    }
    Ok(())
}

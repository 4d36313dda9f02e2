//! Times batches of probes: `probe_batch GAME RULES DIRECTORY read|map CODES REPEATS`.
//!
//! CODES is a file of positions, 16 bytes each: the code in little-endian order. Prints the fastest
//! of the repetitions, in seconds, for the game behind virtual calls and for its own type.

use anser_core::Hunt;
use anser_core::hunt::Position;
use anser_games::Registry;
use anser_table::{Access, Mapping, PositionedReads, Tablebase};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [game, rules, directory, access, codes, repeats] = &args[..] else {
        return Err("probe_batch GAME RULES DIRECTORY read|map CODES REPEATS".into());
    };
    let game = Registry::standard().game(game, Some(rules))?;
    let bytes = std::fs::read(codes)?;
    let codes: Vec<u128> =
        bytes.as_chunks::<16>().0.iter().map(|code| u128::from_le_bytes(*code)).collect();
    // SAFETY: nobody writes into the tables while this program measures.
    let mapping = unsafe { Mapping::new() };
    let access: &dyn Access = if access == "map" { &mapping } else { &PositionedReads };
    let repeats = repeats.parse()?;
    println!("{:.4}", fastest(&game, directory, access, &codes, repeats)?);
    Ok(())
}

/// Returns the seconds of the fastest batch.
fn fastest(
    game: &Hunt,
    directory: &str,
    access: &dyn Access,
    codes: &[u128],
    repeats: u32,
) -> Result<f64, Box<dyn Error>> {
    let tables = Tablebase::open_with(game.clone(), [directory], access)?;
    let mut fastest = f64::INFINITY;
    for _ in 0..repeats {
        let begun = Instant::now();
        let positions: Option<Vec<Position>> =
            codes.iter().map(|&code| game.decode(code)).collect();
        let positions = positions.ok_or("a code is none of the game")?;
        for value in tables.probe_many(&positions) {
            value?;
        }
        fastest = fastest.min(begun.elapsed().as_secs_f64());
    }
    Ok(fastest)
}

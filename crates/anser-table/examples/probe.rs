//! Opens a directory of tables, and answers a position of Fox-and-Geese with all its moves:
//!
//! ```text
//! cargo run -p anser-table --example probe -- \
//!     crates/anser-games/tables first-capture '2F/gg1/7/gg1ggg1/7/3/3 g'
//! ```

use std::env;
use std::error::Error;

use anser_core::words::outcome_text;
use anser_core::{Hunt, Value};
use anser_table::{ProbeError, Tablebase};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [directory, rules, position] = &args[..] else {
        return Err("usage: probe DIRECTORY RULES POSITION".into());
    };
    let game = Hunt::fox_geese(rules)?;
    let position = game.parse_position(position)?;
    let tablebase = Tablebase::open(game.clone(), [directory])?;
    let text = |value: Value| outcome_text(&game, value.outcome, value.plies);

    match tablebase.probe(&position) {
        Ok(value) => println!("{}: {}", game.format_position(&position), text(value)),
        Err(ProbeError::MissingLayer(missing)) => {
            return Err(format!(
                "solve layers {} to {} first: {missing}",
                missing.first, missing.layer
            )
            .into());
        }
        Err(error) => return Err(error.into()),
    }
    for rated in tablebase.probe_moves(&position)? {
        println!(
            "  {}: {}",
            game.format_move(&rated.mv),
            rated.value.map_or("unknown".into(), text)
        );
    }
    Ok(())
}

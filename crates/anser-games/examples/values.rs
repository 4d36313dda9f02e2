//! Probes a position of any game: `cargo run --example values -- fox-hounds:6`, or with a position
//! after the game.

use anser_core::Probe;
use anser_games::{Files, Position, Registry, Scope, SearchPath, Values};
use anser_table::{Metric, PositionedReads};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let name = words.first().map_or("fox-geese", String::as_str);
    let registry = Registry::standard();
    let game = registry.game(name, None)?;
    let position = match words.get(1) {
        Some(text) => Position::parse(&game, text)?,
        None => Position::start(&game),
    };
    // Tables in the directory `tables`, embedded tables, or a solution in memory.
    let mut path = SearchPath::embedded();
    path.directories.extend(std::path::Path::new("tables").is_dir().then(|| "tables".into()));
    let sources = Files::new(&registry, path, &PositionedReads);
    let values = Values::find(&game, &Scope::Position(*position.at()), Metric::Wdl, &sources)?;
    let value = values.value(position.at())?;
    println!("{position}\n{}{:?}, plies {:?}", position.diagram(), value.outcome, value.plies);
    let side = position.side_to_move();
    let mut moves = values.rated_moves(&game, position.at())?;
    moves.sort_by_key(|rated| std::cmp::Reverse(rated.score(side)));
    for rated in moves {
        println!("  {:8} {:?}", game.format_move(&rated.mv), rated.value);
    }
    Ok(())
}

//! The command line of Anser with another game:
//! `cargo run -p anser --example leopard -- census leopard`.
//!
//! `docs/add-a-game.md` explains this program.

mod game;

use std::process::ExitCode;

use anser_games::{AnyGame, GameInfo, Registry, RuleSetInfo};

fn main() -> ExitCode {
    let rules = RuleSetInfo {
        id: "standard".into(),
        meaning: "Captures are optional. A side that cannot move has lost.".into(),
    };
    let about = "a leopard against 2 to 5 goats on nine points";
    let mut leopard = GameInfo::new("leopard", about, "standard", vec![rules], |_size, _rules| {
        Ok(AnyGame::new(game::Leopard))
    });
    leopard.layer_unit = "goats";
    leopard.layer_unit_one = "goat";
    let mut registry = Registry::standard();
    registry.register(leopard);
    anser::main(registry)
}

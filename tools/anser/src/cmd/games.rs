//! `anser games`: what can be solved.

use clap::Args;
use serde::Serialize;

use crate::failure::Failure;
use crate::games::GAMES;
use crate::output::{print, print_json};
use crate::text::Columns;

const AFTER: &str = "\
Examples:
  anser games
  anser games --json";

/// List the games that can be solved
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct GamesArgs {
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    games: Vec<GameAnswer>,
}

#[derive(Serialize)]
struct GameAnswer {
    game: &'static str,
    about: &'static str,
    layer: &'static str,
    layers: [u16; 2],
    default_rules: &'static str,
    rules: Vec<String>,
}

impl GamesArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let games: Vec<GameAnswer> = GAMES
            .iter()
            .map(|info| GameAnswer {
                game: info.name,
                about: info.about,
                layer: info.layer,
                layers: [*info.layers.start(), *info.layers.end()],
                default_rules: info.default_rules,
                rules: (info.rules)().into_iter().map(|rules| rules.id).collect(),
            })
            .collect();
        if self.json {
            return print_json(&Answer { games });
        }
        let mut columns = Columns::new(4, ["game", "layers", "rule sets", "what it is"]);
        for game in games {
            columns.row([
                game.game.into(),
                format!("{}-{} ({})", game.layers[0], game.layers[1], game.layer),
                game.rules.len().to_string(),
                game.about.into(),
            ]);
        }
        print(&format!("{}\n`anser rules GAME` explains the rule sets of a game.\n", columns.text()))
    }
}

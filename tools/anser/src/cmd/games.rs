//! `anser games`: what can be solved.

use anser_core::Game;
use clap::Args;
use serde::Serialize;

use crate::failure::Failure;
use crate::games::{self, GAMES, GameInfo, Job};
use crate::output::{print, print_json};
use crate::text::{Columns, wrap};

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
    game: String,
    /// What to write after the colon, for games that come in sizes.
    sizes: Option<&'static str>,
    about: &'static str,
    layer: &'static str,
    layers: [u16; 2],
    default_rules: &'static str,
    rules: Vec<String>,
}

impl GamesArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let games = GAMES.iter().map(|info| games::play(info.name, None, Describe));
        let games = games.collect::<Result<Vec<GameAnswer>, Failure>>()?;
        if self.json {
            return print_json(&Answer { games });
        }
        let mut columns = Columns::new(4, ["game", "layers", "rule sets", "what it is"]);
        for game in games {
            columns.row([
                game.game,
                format!("{}-{} ({})", game.layers[0], game.layers[1], game.layer),
                game.rules.len().to_string(),
                game.about.into(),
            ]);
        }
        let mut text = format!("{}\n", columns.text());
        for info in GAMES {
            if let Some(size) = &info.size {
                text += &wrap(&format!("{}: {}.", info.name, size.meaning), 0, 100);
            }
        }
        text += "`anser rules GAME` explains the rule sets of a game.\n";
        print(&text)
    }
}

/// What is said of a game.
struct Describe;

impl Job for Describe {
    type Output = GameAnswer;

    fn run<G: Game>(self, game: &G, info: &GameInfo) -> Result<GameAnswer, Failure> {
        Ok(GameAnswer {
            game: game.name(),
            sizes: info.size.as_ref().map(|size| size.meaning),
            about: info.about,
            layer: info.layer,
            layers: [*game.layers().start(), *game.layers().end()],
            default_rules: info.default_rules,
            rules: (info.rules)().into_iter().map(|rules| rules.id).collect(),
        })
    }
}

//! `anser games`: what can be solved.

use anser_core::prelude::*;
use anser_games::{AnyGame, GameInfo, Opening, START};
use clap::Args;
use serde::Serialize;

use crate::failure::Failure;
use crate::games;
use crate::look::look;
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
    /// What a layer number counts.
    layer_unit: &'static str,
    first_layer: u16,
    last_layer: u16,
    default_rules: &'static str,
    rule_sets: Vec<String>,
    openings: Vec<OpeningAnswer>,
}

#[derive(Serialize)]
struct OpeningAnswer {
    opening: &'static str,
    position: String,
    about: &'static str,
}

impl GamesArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let games = games::registry().games().iter().map(|info| games::with_game(info.name, None, describe));
        let games = games.collect::<Result<Vec<GameAnswer>, Failure>>()?;
        if self.json {
            return print_json(&Answer { games });
        }
        let mut columns = Columns::new(4, ["game", "layers", "rule sets", "what it is"]);
        let mut openings = Columns::new(4, ["game", "opening", "position", "what it is"]);
        for game in games {
            for OpeningAnswer { opening, position, about } in game.openings {
                openings.row([game.game.clone(), opening.into(), position, about.into()]);
            }
            columns.row([
                game.game,
                format!("{}-{} ({})", game.first_layer, game.last_layer, game.layer_unit),
                game.rule_sets.len().to_string(),
                game.about.into(),
            ]);
        }
        let mut text = format!("{}\n{}\n", columns.text(), openings.text());
        for info in games::registry().games() {
            if let Some(size) = &info.sizes {
                text += &wrap(&format!("{}: {}.", info.name, size.meaning), 0, look().at_most(100));
            }
        }
        text += "--opening NAME begins with an opening. ";
        text += "`anser rules GAME` explains the rule sets of a game.\n";
        print(&text)
    }
}

/// Describes a game.
fn describe(game: &AnyGame, info: &GameInfo) -> Result<GameAnswer, Failure> {
    let start =
        OpeningAnswer { opening: START, position: game.format_position(&game.start()), about: "where play starts" };
    let named = info.openings.iter().map(|&Opening { name, position, about }| OpeningAnswer {
        opening: name,
        position: position.to_owned(),
        about,
    });
    let openings = [start].into_iter().chain(named).collect();
    Ok(GameAnswer {
        game: game.name(),
        sizes: info.sizes.map(|size| size.meaning),
        about: info.about,
        layer_unit: info.layer_unit,
        first_layer: *game.layers().start(),
        last_layer: *game.layers().end(),
        default_rules: info.default_rules,
        rule_sets: info.rule_sets.iter().map(|rules| rules.id.clone()).collect(),
        openings,
    })
}

//! `anser games`: the games, their sizes, and their openings.

use anser_games::answers::{GameAnswer, GamesAnswer, OpeningAnswer};
use anser_games::describe;
use clap::Args;

use crate::failure::Failure;
use crate::games;
use crate::known;
use crate::output::{print, print_json};
use crate::text::{Columns, wrap};
use crate::text_style::text_style;

const AFTER: &str = "\
Examples:
  anser games
  anser games --json
  anser games --describe hare-hounds --rules unlimited > my-hunt.toml";

/// List the games that can be solved
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct GamesArgs {
    /// Answer in JSON
    #[arg(long)]
    json: bool,
    /// Print the description of a game as a file, to start from: change the name, and use the file
    /// wherever a command takes a game
    #[arg(long, value_name = "GAME", conflicts_with = "json", value_parser = known::game(), hide_possible_values = true)]
    describe: Option<String>,
    /// Rule set of the description
    #[arg(long, value_name = "ID", requires = "describe", value_parser = known::rules(), hide_possible_values = true)]
    rules: Option<String>,
}

impl GamesArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        if let Some(name) = &self.describe {
            return games::with_game(name, self.rules.as_deref(), |game, info| {
                print(&describe(game, &info.about))
            });
        }
        let answer = |game: &_, info: &_| Ok(GameAnswer::new(game, info));
        let games =
            games::registry().games().map(|info| games::with_game(&info.name, None, answer));
        let games = games.collect::<Result<Vec<GameAnswer>, Failure>>()?;
        if self.json {
            return print_json(&GamesAnswer { games });
        }
        let mut columns = Columns::new(4, ["game", "layers", "rule sets", "what it is"]);
        let mut openings = Columns::new(4, ["game", "opening", "position", "what it is"]);
        for game in games {
            for OpeningAnswer { opening, position, about } in game.openings {
                openings.row([game.game.clone(), opening, position, about]);
            }
            columns.row([
                game.game,
                format!("{}-{} ({})", game.first_layer, game.last_layer, game.layer_unit),
                game.rule_sets.len().to_string(),
                game.about,
            ]);
        }
        let mut text = format!("{}\n{}\n", columns.text(), openings.text());
        for info in games::registry().games() {
            if let Some(size) = &info.sizes {
                text += &wrap(
                    &format!("{}: {}.", info.name, size.meaning),
                    0,
                    text_style().at_most(100),
                );
            }
        }
        text += "--opening NAME selects the position of an opening. ";
        text += "`anser rules GAME` explains the rule sets of a game.\n";
        print(&text)
    }
}

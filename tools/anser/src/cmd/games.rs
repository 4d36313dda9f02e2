//! `anser games`: the games, their sizes, and their openings.

use anser_core::Hunt;
use anser_games::answers::{GameAnswer, GamesAnswer, OpeningAnswer};
use anser_games::{
    GameInfo, NameError, Opening, describe, is_path, is_solved_on_the_spot, kept_value,
};
use clap::Args;

use crate::board::board;
use crate::failure::Failure;
use crate::games;
use crate::known;
use crate::output::{Form, print, print_json};
use crate::reply::Reply;
use crate::text::{Columns, counted, outcome_text, wrapped};

const AFTER: &str = "\
Examples:
  anser games
  anser games bagh-chal
  anser games denmark
  anser games --json
  anser games --describe hare-hounds --rules unlimited > my-hunt.toml";

/// List the games that can be solved
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct GamesArgs {
    /// Game to explain, or a word to search for in what is known of games: their names, titles,
    /// regions, dates, sources, and lines about them
    #[arg(
        value_name = "GAME",
        conflicts_with = "describe",
        value_parser = known::game(),
        hide_possible_values = true
    )]
    game: Option<String>,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
    /// Print the description of a game as a file, to start from: change the name, and use the file
    /// wherever a command takes a game. It has one rule set, without its explanation and sources
    #[arg(
        long,
        value_name = "GAME",
        conflicts_with = "json",
        value_parser = known::game(),
        hide_possible_values = true
    )]
    describe: Option<String>,
    /// Rule set of the game or of the description
    #[arg(
        long,
        value_name = "ID",
        value_parser = known::rules(),
        hide_possible_values = true
    )]
    rules: Option<String>,
}

/// Greatest number of openings listed per game.
const LISTED: usize = 3;

impl GamesArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        if let Some(name) = &self.describe {
            let (game, info) = games::open(name, self.rules.as_deref())?;
            return print(&describe(&game, &info.about));
        }
        if self.rules.is_some() && !self.game.as_deref().is_some_and(names_game) {
            return Err(Failure::usage("--rules needs the name of a game")
                .advice("`anser games kaooa --rules 6` is one way"));
        }
        match &self.game {
            None => self.list(&games::registry().games().collect::<Vec<_>>()),
            Some(name) if names_game(name) => {
                let (game, info) = games::open(name, self.rules.as_deref())?;
                let answer = GamesAnswer { games: vec![GameAnswer::new(&game, info)] };
                Reply::new(answer, explained(&game, info)).print(Form::of(self.json))
            }
            Some(word) => {
                let found = games::registry().games().filter(|info| has_word(info, word));
                let found: Vec<&GameInfo> = found.collect();
                if found.is_empty() {
                    return Err(Failure::usage(format!(
                        "no game has {word:?} in its name, title, region, date, source, or the line \
                         about it"
                    ))
                    .advice("`anser games` lists all games"));
                }
                self.list(&found)
            }
        }
    }

    /// Prints a line for each game, first for those that need no tables, and sizes and openings.
    fn list(&self, infos: &[&GameInfo]) -> Result<(), Failure> {
        let games = infos
            .iter()
            .map(|&info| Ok((info, games::registry().game(&info.default_name(), None)?)))
            .collect::<Result<Vec<_>, NameError>>()?;
        if self.json {
            let answers = games.iter().map(|(info, game)| GameAnswer::new(game, info)).collect();
            return print_json(&GamesAnswer { games: answers });
        }
        let (spot, tables): (Vec<_>, Vec<_>) =
            games.iter().partition(|(_, game)| is_solved_on_the_spot(game));
        let mut text = String::new();
        for (head, group) in
            [("Games that are played without tables:", spot), ("Games that need tables:", tables)]
        {
            let rows = group.into_iter().map(|(info, _)| {
                [info.default_name(), info.rule_sets.len().to_string(), info.about.clone()]
            });
            text += &table(head, ["game", "rule sets", "what it is"], rows.collect());
        }
        let sizes = infos.iter().filter_map(|info| {
            Some(wrapped(&format!("{}: {}.", info.name, info.sizes?.meaning), 0))
        });
        let sizes: String = sizes.collect();
        if !sizes.is_empty() {
            text += &format!("{sizes}\n");
        }
        let openings = infos.iter().flat_map(|info| {
            let row =
                |it: &Opening| [&info.name, &it.name, &it.position, &it.about].map(String::clone);
            info.openings.iter().take(LISTED).map(row)
        });
        let head = "Positions for --opening NAME, the first three of each game; start is where \
                    play starts in every game:";
        text += &table(head, ["game", "opening", "position", "what it is"], openings.collect());
        text += "`anser games GAME` explains a game with all its openings, and `anser rules GAME` \
                 its rule sets.\n";
        print(&text)
    }
}

/// Whether a word names a game, or the file of one.
fn names_game(word: &str) -> bool {
    is_path(word) || games::registry().find(word).is_ok()
}

/// A table with a line above it; nothing without rows.
fn table<const N: usize>(head: &str, names: [&str; N], rows: Vec<[String; N]>) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut columns = Columns::new(N, names);
    for row in rows {
        columns.row(row);
    }
    format!("{head}\n{}\n", columns.text())
}

/// Whether a word is part of what is known of a game, in upper or lower case.
fn has_word(info: &GameInfo, word: &str) -> bool {
    let origin = &info.origin;
    let known = [&origin.title, &origin.region, &origin.date, &origin.source];
    let texts = known.into_iter().flatten().chain([&info.name, &info.about]);
    texts.into_iter().any(|text| text.to_lowercase().contains(&word.to_lowercase()))
}

/// Everything about a game.
fn explained(game: &Hunt, info: &GameInfo) -> String {
    let mut columns = Columns::new(2, ["game", game.name()]);
    let mut row = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            columns.row([name.to_owned(), value]);
        }
    };
    let origin = &info.origin;
    row("title", origin.title.clone());
    row("region", origin.region.clone());
    row("date", origin.date.clone());
    row("source", origin.source.clone());
    let points = game.description().points.len();
    let size = format!(
        "{points} {}, {}",
        game.description().point_word,
        counted(game.symmetries() as u64, "symmetry", "symmetries")
    );
    row("board", Some(size));
    let layers = game.layers();
    row("layers", Some(format!("{}-{} ({})", layers.start(), layers.end(), info.layer_unit)));
    row("rules", Some(format!("{}, one of {}", game.rules_id(), info.rule_sets.len())));
    for OpeningAnswer { opening, position, .. } in GameAnswer::new(game, info).openings {
        let kept = game.parse_position(&position).ok();
        let kept = kept.and_then(|position| kept_value(game, &position));
        let value = kept.map(|value| outcome_text(game, value.outcome, value.plies));
        let value = value.map_or_else(String::new, |value| format!(" ({value})"));
        row(&opening, Some(position + &value));
    }
    let meaning = info.rule_sets.iter().find(|rules| rules.id == game.rules_id());
    let meaning = meaning.map(|rules| wrapped(&rules.meaning, 0));
    format!(
        "{}\n\n{}\n{}\n{}\n`anser rules {}` explains the rule sets.\n",
        info.about,
        columns.text(),
        board(game, &game.start()),
        meaning.unwrap_or_default(),
        games::word(&info.name)
    )
}

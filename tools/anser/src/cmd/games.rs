//! `anser games`: the games, their sizes, and their openings.

use anser_core::Hunt;
use anser_games::answers::{GameAnswer, GamesAnswer, OpeningAnswer};
use anser_games::{GameInfo, NameError, describe, game_word, is_path, is_solved_on_the_spot};
use clap::Args;

use crate::board::board;
use crate::failure::Failure;
use crate::games;
use crate::known;
use crate::output::{Form, print, print_json};
use crate::reply::Reply;
use crate::text::{Columns, counted, wrapped};

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
    /// Game to explain, or a word to search for in names, titles, regions, and sources
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
    /// wherever a command takes a game
    #[arg(
        long,
        value_name = "GAME",
        conflicts_with = "json",
        value_parser = known::game(),
        hide_possible_values = true
    )]
    describe: Option<String>,
    /// Rule set of the description
    #[arg(
        long,
        value_name = "ID",
        requires = "describe",
        value_parser = known::rules(),
        hide_possible_values = true
    )]
    rules: Option<String>,
}

impl GamesArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        if let Some(name) = &self.describe {
            let (game, info) = games::open(name, self.rules.as_deref())?;
            return print(&describe(&game, &info.about));
        }
        match &self.game {
            None => self.list(&games::registry().games().collect::<Vec<_>>()),
            Some(name) if is_path(name) || games::registry().find(name).is_ok() => {
                let (game, info) = games::open(name, None)?;
                let answer = GamesAnswer { games: vec![GameAnswer::new(&game, info)] };
                Reply::new(answer, explained(&game, info)).print(Form::of(self.json))
            }
            Some(word) => {
                let found = games::registry().games().filter(|info| has_word(info, word));
                let found: Vec<&GameInfo> = found.collect();
                if found.is_empty() {
                    let games = games::registry().names().map(str::to_owned).collect();
                    return Err(NameError::Game { name: word.clone(), games }.into());
                }
                self.list(&found)
            }
        }
    }

    /// Prints a line for each game: the games of documents, then those of printed sources, first
    /// those that need no tables.
    fn list(&self, infos: &[&GameInfo]) -> Result<(), Failure> {
        let answers = |infos: &[&GameInfo]| -> Result<Vec<GameAnswer>, Failure> {
            let answer = |info: &&GameInfo| {
                let game = info.make(default_size(info), &info.default_rules)?;
                Ok(GameAnswer::new(&game, info))
            };
            infos.iter().map(answer).collect()
        };
        if self.json {
            return print_json(&GamesAnswer { games: answers(infos)? });
        }
        let (printed, documents): (Vec<&GameInfo>, Vec<&GameInfo>) =
            infos.iter().partition(|info| info.origin.source.is_some());
        let mut text = String::new();
        if !documents.is_empty() {
            text += &documents_text(&documents, answers(&documents)?);
        }
        let is_solved = |info: &&GameInfo| {
            let game = info.make(default_size(info), &info.default_rules)?;
            Ok::<_, NameError>(is_solved_on_the_spot(&game))
        };
        let solved = printed.iter().map(is_solved).collect::<Result<Vec<_>, _>>()?;
        for (what, of_group) in [(", played without tables", true), (" that need tables", false)] {
            let infos = printed.iter().zip(&solved).filter(|&(_, &solved)| solved == of_group);
            let infos: Vec<&GameInfo> = infos.map(|(info, _)| *info).collect();
            if infos.is_empty() {
                continue;
            }
            let mut columns = Columns::new(3, ["game", "rule sets", "what it is"]);
            for info in infos {
                let rule_sets = info.rule_sets.len().to_string();
                columns.row([info.name.clone(), rule_sets, info.about.clone()]);
            }
            text += &format!("Games of printed sources{what}:\n{}\n", columns.text());
        }
        text += "`anser games GAME` explains a game, and `anser rules GAME` its rule sets.\n";
        print(&text)
    }
}

/// The size of a game that is used if none is named.
fn default_size(info: &GameInfo) -> &str {
    info.sizes.map_or("", |sizes| sizes.default)
}

/// Whether a word is part of what is known of a game, in upper or lower case.
fn has_word(info: &GameInfo, word: &str) -> bool {
    let origin = &info.origin;
    let known = [&origin.title, &origin.region, &origin.date, &origin.source];
    let texts = known.into_iter().flatten().chain([&info.name, &info.about]);
    texts.into_iter().any(|text| text.to_lowercase().contains(&word.to_lowercase()))
}

/// The games of documents, with their sizes and openings.
fn documents_text(infos: &[&GameInfo], games: Vec<GameAnswer>) -> String {
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
    for info in infos {
        if let Some(size) = &info.sizes {
            let size = format!("{}: {}.", info.name, size.meaning);
            text += &wrapped(&size, 0);
        }
    }
    text + "--opening NAME selects the position of an opening.\n\n"
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
    row("rules", Some(format!("{}, one of {}", info.default_rules, info.rule_sets.len())));
    for OpeningAnswer { opening, position, .. } in GameAnswer::new(game, info).openings {
        row(&opening, Some(position));
    }
    let meaning = info.rule_sets.iter().find(|rules| rules.id == info.default_rules);
    let meaning = meaning.map(|rules| wrapped(&rules.meaning, 0));
    format!(
        "{}\n\n{}\n{}\n{}\n`anser rules {}` explains the rule sets.\n",
        info.about,
        columns.text(),
        board(game, &game.start()),
        meaning.unwrap_or_default(),
        game_word(&info.name)
    )
}

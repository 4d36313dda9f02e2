//! Arguments that several commands share, with their parsers.

mod parse;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Once;

use anser_core::Hunt;
use anser_core::hunt::Position;
use anser_games::{GameInfo, is_path};
use anser_retrograde::Limits;
use anser_retrograde::parallel::install;
use anser_solve::{SolveError, available_memory, make_pool, threads_of};
use anser_table::Metric;
use clap::{Args, ValueEnum, ValueHint};

use crate::failure::Failure;
use crate::games;
use crate::known;
use crate::output::{Form, note};
use crate::progress::Progress;
#[cfg(feature = "server")]
pub(crate) use parse::time;
pub(crate) use parse::{count, layers, memory, metric, one_of, whole, within};

/// Arguments that select a game.
#[derive(Args, Debug)]
pub(crate) struct GameArg {
    /// Game; `anser games` lists all games [default: fox-geese]
    #[arg(value_name = "GAME", value_parser = known::game(), hide_possible_values = true)]
    game: Option<String>,
    /// Game, as an option
    #[arg(
        long = "game",
        value_name = "GAME",
        value_parser = known::game(),
        hide_possible_values = true
    )]
    named: Option<String>,
}

impl GameArg {
    /// Name of the game, if given.
    pub(crate) fn given(&self) -> Result<Option<&str>, Failure> {
        one_game(self.game.as_deref(), self.named.as_deref())
    }

    /// Name of the game, or of the default one.
    pub(crate) fn name(&self) -> Result<&str, Failure> {
        Ok(self.given()?.unwrap_or(DEFAULT_GAME))
    }
}

/// Arguments that select a game and its rule set.
#[derive(Args, Debug)]
pub(crate) struct GameArgs {
    #[command(flatten)]
    pub(crate) game: GameArg,
    #[command(flatten)]
    pub(crate) rules: RulesArg,
}

impl GameArgs {
    /// Returns the requested game.
    pub(crate) fn open(&self) -> Result<(Hunt, &'static GameInfo), Failure> {
        games::open(self.game.name()?, self.rules.id.as_deref())
    }
}

/// Arguments that select a game and a position: `[GAME] [POSITION]`, either of which may be
/// omitted.
#[derive(Args, Debug)]
pub(crate) struct SubjectArgs {
    /// Game, with its size if it has sizes: fox-geese, bagh-chal, hexapawn:3x3; `anser games` lists
    /// all [default: fox-geese]
    #[arg(value_name = "GAME", value_parser = known::game(), hide_possible_values = true)]
    first: Option<String>,
    /// Position, in one word or more [default: where play starts]
    #[arg(value_name = "POSITION", num_args = 0..=6)]
    position: Vec<String>,
    /// Game, as an option
    #[arg(
        long = "game",
        value_name = "GAME",
        value_parser = known::game(),
        hide_possible_values = true
    )]
    named: Option<String>,
    /// Position of an opening, by its name, for example 13; `anser games` lists them
    #[arg(long, value_name = "NAME", value_parser = known::opening(), hide_possible_values = true)]
    opening: Option<String>,
    #[command(flatten)]
    pub(crate) rules: RulesArg,
}

impl SubjectArgs {
    /// Name of the game, and the position as written, if any.
    fn read(&self) -> Result<(&str, Option<String>), Failure> {
        let words: Vec<&str> =
            self.first.iter().chain(&self.position).map(String::as_str).collect();
        let (game, position) = match words.split_first() {
            Some((first, rest))
                if is_game_name(first) || games::registry().is_like_a_name(first) =>
            {
                (Some(*first), rest)
            }
            Some((first, _)) if Path::new(first).exists() => {
                return Err(Failure::usage(format!(
                    "{first} is a file or directory, and its name is not that of a game: files with \
                     descriptions end in .toml, tables in .anser or .anserz"
                )));
            }
            _ => (None, &words[..]),
        };
        if !position.is_empty() && self.opening.is_some() {
            return Err(Failure::usage(
                "a position cannot be used with --opening, which names one",
            ));
        }
        let game = one_game(game, self.named.as_deref())?.unwrap_or(DEFAULT_GAME);
        Ok((game, (!position.is_empty()).then(|| position.join(" "))))
    }

    /// Name of the game.
    pub(crate) fn game(&self) -> Result<&str, Failure> {
        Ok(self.read()?.0)
    }

    /// Whether a game, position, or opening was given.
    pub(crate) fn is_given(&self) -> bool {
        self.first.is_some() || self.named.is_some() || self.opening.is_some()
    }

    /// Whether a position or opening was given.
    pub(crate) fn has_position(&self) -> bool {
        self.opening.is_some() || self.read().is_ok_and(|(_, position)| position.is_some())
    }

    /// Position given, else the position of the opening, else the start of the game.
    pub(crate) fn position(&self, game: &Hunt) -> Result<Position, Failure> {
        match (self.read()?, &self.opening) {
            ((name, _), Some(opening)) => Ok(games::find(name)?.0.opening(game, opening)?),
            ((_, Some(position)), None) => game.parse_position(&position).map_err(|malformed| {
                let example = malformed.example().to_owned();
                let failure = Failure::from(malformed);
                match games_of(&position).as_slice() {
                    games @ ([_] | [_, _] | [_, _, _]) => failure.advice(format!(
                        "a right one looks like \"{example}\", and this is one of {}, whose name goes \
                         before it",
                        games.join(" or ")
                    )),
                    _ => failure,
                }
            }),
            ((_, None), None) => Ok(game.start()),
        }
    }

    /// Returns the requested game.
    pub(crate) fn open(&self) -> Result<(Hunt, &'static GameInfo), Failure> {
        games::open(self.game()?, self.rules.id.as_deref())
    }
}

/// Returns the names of the games that a text is a position of, with default sizes and rule sets.
fn games_of(position: &str) -> Vec<&'static str> {
    let games = games::registry();
    let reads = |name: &&str| {
        games.game(name, None).is_ok_and(|game| game.parse_position(position).is_ok())
    };
    games.names().filter(reads).collect()
}

/// Game that commands use if none is given.
pub(crate) const DEFAULT_GAME: &str = "fox-geese";

/// Name of the game, if given as a word or by the option.
///
/// # Errors
/// If word and option differ.
fn one_game<'a>(
    word: Option<&'a str>,
    option: Option<&'a str>,
) -> Result<Option<&'a str>, Failure> {
    match (word, option) {
        (Some(word), Some(option)) if word != option => Err(Failure::usage(format!(
            "two games are named: {word:?} and, with --game, {option:?}; name one"
        ))),
        _ => Ok(word.or(option)),
    }
}

/// Whether a word is the name of a game, or a file with a game, rather than a position: positions
/// contain `/` or upper-case letters.
fn is_game_name(word: &str) -> bool {
    if is_path(word) {
        return true;
    }
    let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-:.".contains(c);
    word.starts_with(|c: char| c.is_ascii_lowercase()) && word.chars().all(is_allowed)
}

/// Argument that selects a rule set.
#[derive(Args, Debug)]
pub(crate) struct RulesArg {
    /// Rule set; `anser rules GAME` explains them [default: free for fox-geese]
    #[arg(
        long = "rules",
        value_name = "ID",
        value_parser = known::rules(),
        hide_possible_values = true
    )]
    pub(crate) id: Option<String>,
}

const TABLES: &str = "Directory of tables; may be given several times [env: ANSER_TABLES, a path list] \
    [default: ./tables if it exists; for answers also the tables built into anser]";

/// Argument that selects the directories of tables.
#[derive(Args, Clone, Debug)]
pub(crate) struct TablesArgs {
    /// Directories given; if empty, [`TablesArgs::search_path`] chooses.
    #[arg(long = "tables", value_name = "DIR", value_hint = ValueHint::DirPath, help = TABLES)]
    pub(crate) dirs: Vec<PathBuf>,
    /// Directory of tables that were solved for this command alone, searched after the others.
    #[arg(skip)]
    pub(crate) temporary: Option<PathBuf>,
}

const ACCESS: &str = "Access to table files. map: mapped into memory, the fastest; no program may \
                      change the files meanwhile. read: block by block, with a checksum verified \
                      at every read, so that changed files and failing disks lead to errors and \
                      never to wrong answers [default: read for `serve`, `play`, and \
                      `probe --batch -`, which wait for questions; map otherwise]";

/// Argument that selects how tables are read.
#[derive(Args, Debug)]
pub(crate) struct AccessArg {
    #[arg(long = "access", value_name = "HOW", help = ACCESS)]
    pub(crate) mode: Option<AccessMode>,
}

/// Access to the bytes of a table file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AccessMode {
    /// Reads of whole blocks
    Read,
    /// Mapped into memory
    Map,
}

/// Argument that has missing tables solved first.
#[derive(Args, Debug)]
pub(crate) struct OfferArgs {
    /// Solve missing tables first, into the directory of `anser solve` [default: ask on a terminal,
    /// if it takes less than an hour]
    #[arg(long)]
    pub(crate) solve: bool,
}

/// Arguments about the tables that the answer about a position comes from.
#[derive(Args, Debug)]
pub(crate) struct SourceArgs {
    #[command(flatten)]
    pub(crate) tables: TablesArgs,
    #[command(flatten)]
    pub(crate) offer: OfferArgs,
    #[command(flatten)]
    pub(crate) access: AccessArg,
}

/// Argument that selects layers.
#[derive(Args, Debug)]
pub(crate) struct LayersArg {
    /// Layers, for example 1-8 or 7 [default: all]
    #[arg(long = "layers", value_name = "A-B", value_parser = layers)]
    pub(crate) range: Option<RangeInclusive<u16>>,
}

impl LayersArg {
    /// Whether a layer is selected.
    pub(crate) fn includes(&self, layer: u16) -> bool {
        self.range.as_ref().is_none_or(|range| range.contains(&layer))
    }

    /// Selected layers; `None` if all are selected.
    ///
    /// # Errors
    /// If the game lacks one of the layers.
    pub(crate) fn of(&self, game: &Hunt) -> Result<Option<RangeInclusive<u16>>, Failure> {
        let all = game.layers();
        let ends = self.range.iter().flat_map(|range| [*range.start(), *range.end()]);
        match ends.into_iter().find(|layer| !all.contains(layer)) {
            None => Ok(self.range.clone()),
            Some(layer) => {
                Err(SolveError::NoSuchLayer { layer, game: game.name().into(), layers: all }.into())
            }
        }
    }
}

/// Argument that selects the number of threads.
#[derive(Args, Debug)]
pub(crate) struct ThreadsArg {
    /// Number of threads, at most 256 or four per core, whichever is larger [default: one per core]
    #[arg(long = "threads", value_name = "N", value_parser = count::<usize>)]
    count: Option<usize>,
}

impl ThreadsArg {
    /// Number of threads given, if any, reduced to the limit with a note.
    pub(crate) fn count(&self) -> Option<usize> {
        static NOTED: Once = Once::new();
        let requested = self.count?;
        let threads = threads_of(Some(requested));
        if threads < requested {
            NOTED.call_once(|| {
                note(format_args!(
                    "{requested} threads are more than this machine can use; {threads} are started"
                ));
            });
        }
        Some(threads)
    }
}

/// Arguments that limit the resources of an answer.
#[derive(Args, Debug)]
pub(crate) struct ResourceArgs {
    #[command(flatten)]
    threads: ThreadsArg,
    /// Memory limit, for example 8GiB [default: four fifths of the available memory]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<u64>,
}

impl ResourceArgs {
    /// Runs work on the requested number of threads.
    pub(crate) fn on_threads<T: Send>(
        &self,
        work: impl FnOnce() -> Result<T, Failure> + Send,
    ) -> Result<T, Failure> {
        install(&make_pool(self.threads.count())?, work)
    }

    /// Number of threads given, if any.
    pub(crate) fn threads(&self) -> Option<usize> {
        self.threads.count()
    }

    /// Memory limit given, in bytes, if any.
    pub(crate) fn given_memory(&self) -> Option<u64> {
        self.memory
    }

    /// Memory limit in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let default = || available_memory().map(|bytes| bytes / 5 * 4);
        self.given_memory().or_else(default).unwrap_or(u64::MAX)
    }

    /// Limits of a solution in memory.
    pub(crate) fn limits<'a>(&self, progress: &'a Progress) -> Limits<'a> {
        Limits { memory: self.memory(), observer: progress }
    }
}

/// Argument that selects the form of an answer with comma-separated values.
#[derive(Args, Debug)]
pub(crate) struct FormatArg {
    /// Format of the answer
    #[arg(long, value_name = "FORM", default_value = "text", conflicts_with = "json")]
    format: Form,
}

impl FormatArg {
    /// The form; `json` is whether that of `--json` is requested.
    pub(crate) fn form(&self, json: bool) -> Form {
        if json { Form::Json } else { self.format }
    }
}

/// Argument that selects tables by metric.
#[derive(Args, Debug)]
pub(crate) struct MetricArg {
    /// Only tables of this metric: wdl (outcomes) or dtw (distances in plies) [default: every
    /// metric found]
    #[arg(long = "metric", value_name = "METRIC", value_parser = metric)]
    pub(crate) name: Option<Metric>,
}

/// Argument that selects rule sets. A command says in the help of its argument `rules` which are
/// the default.
#[derive(Args, Debug)]
pub(crate) struct RuleSetsArg {
    #[arg(
        id = "rules",
        long = "rules",
        value_name = "ID,ID,..",
        value_delimiter = ',',
        value_parser = known::rules(),
        hide_possible_values = true
    )]
    pub(crate) ids: Vec<String>,
}

/// Arguments that select tables of several games.
#[cfg(any(feature = "fetch", all(feature = "server", unix)))]
#[derive(Args, Debug)]
#[command(mut_arg("rules", |arg| {
    arg.help("Rule sets, separated by commas [default: every rule set found]")
}))]
pub(crate) struct SelectionArgs {
    /// Games, separated by commas [default: every game found]
    #[arg(
        long = "game",
        value_name = "GAME,GAME,..",
        value_delimiter = ',',
        value_parser = known::game(),
        hide_possible_values = true
    )]
    pub(crate) games: Vec<String>,
    #[command(flatten)]
    pub(crate) rules: RuleSetsArg,
    #[command(flatten)]
    pub(crate) layers: LayersArg,
    #[command(flatten)]
    pub(crate) metric: MetricArg,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_games_are_distinguished_from_positions() {
        for name in ["fox-geese", "fox-hounds:8", "hexapawn:3x3", "chess", "x"] {
            assert!(is_game_name(name), "{name}");
        }
        for position in
            ["", "3/3/7/3F3/ggggggg/ggg/ggg", "ppp/3/PPP_w", "h2/h3R/h2", "3", "gFg", "\u{1b}[31m"]
        {
            assert!(!is_game_name(position), "{position}");
        }
    }
}

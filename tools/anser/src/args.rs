//! Arguments that several commands share, with their parsers.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Once;

use anser_core::Game;
use anser_games::{AnyGame, GameInfo};
use anser_solve::{SolveError, threads_of};
use anser_table::Metric;
use clap::{Args, ValueEnum, ValueHint};

use crate::failure::Failure;
use crate::games;
use crate::known;
use crate::output::note;

/// Arguments that select a game.
#[derive(Args, Debug)]
pub(crate) struct GameArg {
    /// Game; `anser games` lists all games [default: fox-geese]
    #[arg(value_name = "GAME", value_parser = known::game(), hide_possible_values = true)]
    game: Option<String>,
    /// Game, as an option
    #[arg(long = "game", value_name = "GAME", value_parser = known::game(), hide_possible_values = true)]
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
    /// Calls `work` with the requested game.
    pub(crate) fn with_game<T>(
        &self,
        work: impl FnOnce(&AnyGame, &GameInfo) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        games::with_game(self.game.name()?, self.rules.id.as_deref(), work)
    }
}

/// Arguments that select a game and a position: `[GAME] [POSITION]`, either of which may be
/// omitted.
#[derive(Args, Debug)]
pub(crate) struct SubjectArgs {
    /// Game, with its size if it has sizes: fox-geese, fox-hounds:8, hasenspiel, hare-hounds,
    /// hexapawn:3x3 [default: fox-geese]
    #[arg(value_name = "GAME", value_parser = known::game(), hide_possible_values = true)]
    first: Option<String>,
    /// Position, in one word or more [default: where play starts]
    #[arg(value_name = "POSITION", num_args = 0..=3)]
    position: Vec<String>,
    /// Game, as an option
    #[arg(long = "game", value_name = "GAME", value_parser = known::game(), hide_possible_values = true)]
    named: Option<String>,
    /// Position of an opening, by its name, for example 13; `anser games` lists them
    #[arg(long, value_name = "NAME", value_parser = known::opening(), hide_possible_values = true)]
    opening: Option<String>,
    #[command(flatten)]
    pub(crate) rules: RulesArg,
}

/// Game and position of [`SubjectArgs`].
struct Subject<'a> {
    game: &'a str,
    /// Position as written, if any.
    position: Option<String>,
}

impl SubjectArgs {
    /// Separates the name of the game from the words of the position.
    fn read(&self) -> Result<Subject<'_>, Failure> {
        let words: Vec<&str> = self.first.iter().chain(&self.position).map(String::as_str).collect();
        let (game, position) = match words.split_first() {
            Some((first, rest)) if is_game_name(first) => (Some(*first), rest),
            _ => (None, &words[..]),
        };
        let position = if position.is_empty() { None } else { Some(position.join(" ")) };
        if position.is_some() && self.opening.is_some() {
            return Err(Failure::usage("a position cannot be used with --opening, which names one"));
        }
        Ok(Subject { game: one_game(game, self.named.as_deref())?.unwrap_or(DEFAULT_GAME), position })
    }

    /// Name of the game.
    pub(crate) fn game(&self) -> Result<&str, Failure> {
        Ok(self.read()?.game)
    }

    /// Whether a game, position, or opening was given.
    pub(crate) fn is_given(&self) -> bool {
        self.first.is_some() || self.named.is_some() || self.opening.is_some()
    }

    /// Whether a position or opening was given.
    pub(crate) fn has_position(&self) -> bool {
        self.opening.is_some() || self.read().is_ok_and(|subject| subject.position.is_some())
    }

    /// Position given, else the position of the opening, else the start of the game.
    pub(crate) fn position<G: Game>(&self, game: &G) -> Result<G::Position, Failure> {
        match (self.read()?, &self.opening) {
            (Subject { game: name, .. }, Some(opening)) => {
                let notation = games::find(name)?.0.opening_notation(opening)?;
                Ok(notation.map_or_else(|| Ok(game.start()), |text| game.parse_position(text))?)
            }
            (Subject { position: Some(position), .. }, None) => Ok(game.parse_position(&position)?),
            (Subject { position: None, .. }, None) => Ok(game.start()),
        }
    }

    /// Calls `work` with the requested game.
    pub(crate) fn with_game<T>(
        &self,
        work: impl FnOnce(&AnyGame, &GameInfo) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        games::with_game(self.game()?, self.rules.id.as_deref(), work)
    }
}

/// Game that commands use if none is given.
pub(crate) const DEFAULT_GAME: &str = "fox-geese";

/// Name of the game, if given as a word or by the option.
///
/// # Errors
/// If word and option differ.
pub(crate) fn one_game<'a>(word: Option<&'a str>, option: Option<&'a str>) -> Result<Option<&'a str>, Failure> {
    match (word, option) {
        (Some(word), Some(option)) if word != option => {
            Err(Failure::usage(format!("two games are named: {word:?} and, with --game, {option:?}; name one")))
        }
        _ => Ok(word.or(option)),
    }
}

/// Whether a word is the name of a game rather than a position: positions contain `/` or upper-case
/// letters.
fn is_game_name(word: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-:.".contains(c);
    word.starts_with(|c: char| c.is_ascii_lowercase()) && word.chars().all(is_allowed)
}

/// Argument that selects a rule set.
#[derive(Args, Debug)]
pub(crate) struct RulesArg {
    /// Rule set; `anser rules GAME` explains them [default: free for fox-geese]
    #[arg(long = "rules", value_name = "ID", value_parser = known::rules(), hide_possible_values = true)]
    pub(crate) id: Option<String>,
}

const TABLES: &str = "Directory of tables; may be given several times [env: ANSER_TABLES, a path list] \
    [default: ./tables if it exists, and the tables built into anser]";

/// Argument that selects the directories of tables.
#[derive(Args, Debug)]
pub(crate) struct TablesArgs {
    /// Directories given; if empty, [`TablesArgs::search_path`] chooses.
    #[arg(long = "tables", value_name = "DIR", value_hint = ValueHint::DirPath, help = TABLES)]
    pub(crate) dirs: Vec<PathBuf>,
}

const ACCESS: &str = "Access to table files. map: mapped into memory, the fastest; no program may change the files \
    meanwhile. read: block by block, with a checksum verified at every read, so that changed files and failing disks \
    lead to errors and never to wrong answers [default: read for `probe --batch -` and `play`, which \
    wait for input; map otherwise]";

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

/// Argument that selects layers.
#[derive(Args, Debug)]
pub(crate) struct LayersArg {
    /// Layers, for example 1-8 or 7 [default: all]
    #[arg(long = "layers", value_name = "A-B")]
    pub(crate) range: Option<Layers>,
}

impl LayersArg {
    /// Whether all layers are selected.
    pub(crate) fn is_all(&self) -> bool {
        self.range.is_none()
    }

    /// Whether a layer is selected.
    pub(crate) fn includes(&self, layer: u16) -> bool {
        self.range.is_none_or(|Layers(first, last)| (first..=last).contains(&layer))
    }

    /// Selected layers; `None` if all are selected.
    ///
    /// # Errors
    /// If the game lacks one of the layers.
    pub(crate) fn of<G: Game>(&self, game: &G) -> Result<Option<RangeInclusive<u16>>, Failure> {
        let (all, range) = (game.layers(), self.range.map(|Layers(first, last)| first..=last));
        let ends = range.iter().flat_map(|range| [*range.start(), *range.end()]);
        match ends.into_iter().find(|layer| !all.contains(layer)) {
            None => Ok(range),
            Some(layer) => {
                Err(SolveError::NoSuchLayer { layer, game: game.name(), layers: (*all.start(), *all.end()) }.into())
            }
        }
    }
}

/// Argument that selects the number of threads.
#[derive(Args, Debug)]
pub(crate) struct ThreadsArg {
    /// Number of threads, at most 256 or four per core, whichever is larger [default: one per core]
    #[arg(long = "threads", value_name = "N", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
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
                note(format_args!("{requested} threads are more than this machine can use; {threads} are started"));
            });
        }
        Some(threads)
    }
}

/// Range of layers, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layers(u16, u16);

impl FromStr for Layers {
    type Err = String;

    fn from_str(text: &str) -> Result<Layers, String> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let number = |text: &str| {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            let number = text.parse::<u16>().ok().filter(|_| digits);
            number.ok_or_else(|| format!("{text:?} is not a layer number; write 1-8, or 7 for one layer"))
        };
        let layers = Layers(number(first)?, number(last)?);
        if layers.0 > layers.1 {
            return Err(format!("the lower layer comes first: write {}-{}", layers.1, layers.0));
        }
        Ok(layers)
    }
}

/// Number of bytes: `8GiB`, `500MB`, `1.5TiB`, `4294967296`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Memory(pub(crate) u64);

const UNITS: [(&str, u64); 9] = [
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
    ("b", 1),
];

const TOO_MUCH: &str = "this exceeds 2^64 - 1 bytes, the largest memory size";

impl FromStr for Memory {
    type Err = String;

    fn from_str(text: &str) -> Result<Memory, String> {
        let wrong = || "write a number of bytes, or one with a unit: 8GiB, 500MiB, 8GB".to_owned();
        let lower = text.to_ascii_lowercase();
        let digits = lower.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let (number, unit) = (&lower[..lower.len() - digits.len()], digits.trim_start());
        let unit = match unit {
            "" => 1,
            unit => UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(wrong)?.1,
        };
        let bytes = if let Ok(number) = number.parse::<u64>() {
            number.checked_mul(unit).ok_or(TOO_MUCH)?
        } else {
            let bytes = number.parse::<f64>().map_err(|_| wrong())? * unit as f64;
            // `u64::MAX as f64` rounds to 2^64, the smallest number of bytes that does not fit.
            if bytes >= u64::MAX as f64 {
                return Err(TOO_MUCH.into());
            }
            bytes as u64
        };
        if bytes == 0 { Err("no memory is too little; write a size such as 8GiB".into()) } else { Ok(Memory(bytes)) }
    }
}

/// Metric, parsed from its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MetricName(pub(crate) Metric);

impl FromStr for MetricName {
    type Err = String;

    fn from_str(text: &str) -> Result<MetricName, String> {
        let found = Metric::ALL.into_iter().find(|metric| metric.id() == text).map(MetricName);
        found.ok_or_else(|| "the metrics are wdl (outcomes) and dtw (outcomes with distances in plies)".into())
    }
}

/// Argument that selects tables by metric.
#[derive(Args, Debug)]
pub(crate) struct MetricArg {
    /// Only tables of this metric: wdl (outcomes) or dtw (distances in plies) [default: every
    /// metric found]
    #[arg(long = "metric", value_name = "METRIC")]
    name: Option<MetricName>,
}

impl MetricArg {
    /// Metric, if given.
    pub(crate) fn get(&self) -> Option<Metric> {
        self.name.map(|MetricName(metric)| metric)
    }
}

/// Shell with a completion script for `anser`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Shell {
    /// bash
    Bash,
    /// zsh
    Zsh,
    /// fish
    Fish,
    /// elvish
    Elvish,
    /// PowerShell
    Powershell,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_games_are_distinguished_from_positions() {
        for name in ["fox-geese", "fox-hounds:8", "hexapawn:3x3", "chess", "x"] {
            assert!(is_game_name(name), "{name}");
        }
        for position in ["", "3/3/7/3F3/ggggggg/ggg/ggg", "ppp/3/PPP_w", "h2/h3R/h2", "3", "gFg", "\u{1b}[31m"] {
            assert!(!is_game_name(position), "{position}");
        }
    }

    #[test]
    fn layers_are_one_number_or_two() {
        assert_eq!("7".parse(), Ok(Layers(7, 7)));
        assert_eq!("1-13".parse(), Ok(Layers(1, 13)));
        for wrong in ["", "-", "1-", "-3", "1-2-3", "a", "5-3", "1..3", "99999", "+1"] {
            assert!(wrong.parse::<Layers>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn memory_is_a_number_with_or_without_a_unit() {
        for (text, bytes) in [
            ("4096", 4096),
            ("8GiB", 8 << 30),
            ("8gib", 8 << 30),
            ("8 GiB", 8 << 30),
            ("1.5KiB", 1536),
            ("500MB", 500_000_000),
            ("2TiB", 2 << 40),
            ("1B", 1),
        ] {
            assert_eq!(text.parse(), Ok(Memory(bytes)), "{text}");
        }
        for wrong in [
            "",
            "GiB",
            "8G",
            "8 gigs",
            "-1GiB",
            "1.2.3GB",
            "0",
            "0.0GiB",
            "99999999999TiB",
            "99999999999999999999GiB",
            "99999999999999999999",
            "18446744073709551616.0",
            "8GiBx",
            "∞",
        ] {
            assert!(wrong.parse::<Memory>().is_err(), "{wrong}");
        }
    }
}

//! Games from files: descriptions in TOML, and those that tables carry.
//!
//! `docs/describe-a-game.md` explains the format with two games. [`describe`] writes the description
//! of a game, to start from; [`read`] reads one. A file has the rules of a game as they are, and
//! changes to them: `rule-sets` that stand for themselves, and `switches` that combine.

mod error;
mod parse;
mod schema;
mod write;

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use anser_core::Side;
use anser_core::hunt::{Description, Hunt, Layering};
use anser_table::{PositionedReads, Table};

use crate::registry::{GameInfo, Opening, RuleSetInfo};
use crate::{NameError, Registry};

pub use error::{FileError, Location};
pub use write::describe;

use parse::Source;

/// Greatest length of a file in bytes.
const LONGEST: u64 = 1 << 20;

/// Greatest number of rule sets that are listed, unless more have a name: every base alone and with
/// switches.
const MOST_LISTED: usize = 64;

/// Whether the name of a game stands for a file: it ends in `.toml`, or as a table, in `.anser` or
/// `.anserz`.
///
/// ```
/// use anser_games::is_path;
/// assert!(is_path("hunts/my-hunt.toml"));
/// assert!(is_path("tables/my-hunt.standard.L02.wdl.anserz"));
/// assert!(!is_path("fox-hounds:8"));
/// ```
pub fn is_path(name: &str) -> bool {
    let path = Path::new(name);
    path.extension().is_some_and(|extension| extension == "toml") || is_table(path)
}

fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "anser" || extension == "anserz")
}

/// Reads the description of a game from a file, or from a table, which has one rule set.
///
/// # Errors
/// A file that cannot be read, or what is wrong in it, with line and column.
pub fn read(path: &Path) -> Result<GameInfo, FileError> {
    use std::io::Read;
    if is_table(path) {
        return of_table(path);
    }
    let cannot_read = |error| FileError::Read { path: path.into(), error: Arc::new(error) };
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(cannot_read)?;
    file.take(LONGEST + 1).read_to_string(&mut text).map_err(cannot_read)?;
    parse(path, &text)
}

/// Returns the game of a table, under the rules of the table.
fn of_table(path: &Path) -> Result<GameInfo, FileError> {
    let table = Table::open(path, &PositionedReads).map_err(FileError::Table)?;
    let game = table.hunt().map_err(FileError::Table)?;
    let name = game.name();
    if is_reserved(&game) {
        return Err(FileError::Reserved { path: path.to_owned(), name: name.into() });
    }
    Ok(GameInfo::of_game(&game))
}

impl GameInfo {
    /// Describes a game that has no name here, under its own rules.
    ///
    /// ```
    /// use anser_games::{GameInfo, Registry};
    /// let game = Registry::standard().game("fox-hounds:6", None)?;
    /// let info = GameInfo::of_game(&game);
    /// assert_eq!((&info.name[..], &info.about[..]), ("fox-hounds:6", "fox against hounds"));
    /// assert_eq!(info.make("", "escape")?.fingerprint(), game.fingerprint());
    /// # Ok::<(), anser_games::NameError>(())
    /// ```
    pub fn of_game(game: &Hunt) -> GameInfo {
        let (name, rules) = (game.name().to_owned(), game.rules_id().to_owned());
        let game = game.clone();
        let [one, several] = layer_units(game.description());
        let [few, many] = Side::BOTH.map(|side| game.side_name(side).to_owned());
        let meaning = "Its only rules here.".to_owned();
        let sets = vec![RuleSetInfo { id: rules.clone(), meaning }];
        let make = {
            let (name, known) = (name.clone(), rules.clone());
            move |_: &str, rules: &str| {
                if rules == known {
                    return Ok(game.clone());
                }
                let problem = format!("only the rules {known} are known");
                Err(NameError::Rules { game: name.clone(), rules: rules.to_owned(), problem })
            }
        };
        GameInfo {
            layer_unit: several,
            layer_unit_one: one,
            ..GameInfo::new(name, format!("{few} against {many}"), rules, sets, make)
        }
    }
}

/// Reads the description of a game from a text; errors name `path`.
///
/// ```
/// use anser_games::{describe, parse_file};
/// let registry = anser_games::Registry::standard();
/// let game = registry.game("hare-hounds", Some("unlimited"))?;
/// let text = describe(&game, "Hare-and-Hounds").replace("\"hare-hounds\"", "\"my-hare\"");
/// let info = parse_file("my-hare.toml".as_ref(), &text)?;
/// let mine = info.make("", "unlimited")?;
/// assert_eq!(mine.format_position(&mine.start()), "h2/h3R/h2 h");
/// // The rules are the same, whatever they are called.
/// assert_eq!(mine.fingerprint(), game.fingerprint());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the text does not describe a game; the error has the problem with line and column.
pub fn parse(path: &Path, text: &str) -> Result<GameInfo, FileError> {
    let source = Source { path, text };
    if text.len() as u64 > LONGEST {
        return source.fail(
            0,
            format!("the file has more than {LONGEST} bytes"),
            "a game takes a few thousand",
        );
    }
    let file = schema::read(&source)?;
    // Every rule set is read at once, so that a mistake in any of them is found now.
    let mut games = Vec::new();
    for id in file.ids() {
        games.push((id.clone(), checked(&source, &file, &id)?));
    }
    let (_, default) = &games[0];
    reserved(&source, &file, default)?;
    let openings = file.openings();
    for (given, opening) in file.given_openings().iter().zip(&openings) {
        default.parse_position(&opening.position).map_err(|error| {
            let start = source.inside(given.position.span()) + error.column() - 1;
            source.error(start, error.problem().to_owned(), format!("as {}", error.example()))
        })?;
    }
    entry(path, text.to_owned(), file, games)
}

/// Returns the entry of a file of this program. Its rule sets are checked when they are made; the
/// tests of this crate check all of them.
pub(crate) fn shipped(path: &Path, text: &'static str) -> Result<GameInfo, FileError> {
    let file = schema::read(&Source { path, text })?;
    entry(path, text, file, Vec::new())
}

/// Returns the entry of a file, some of whose rule sets have been checked.
fn entry(
    path: &Path,
    text: impl Into<Cow<'static, str>>,
    file: schema::File,
    checked: Vec<(String, Hunt)>,
) -> Result<GameInfo, FileError> {
    let text = text.into();
    let source = Source { path, text: &text };
    let mut rule_sets = Vec::new();
    for id in file.ids() {
        let meaning = file.meaning(&source, &id)?;
        rule_sets.push(RuleSetInfo { id, meaning });
    }
    let default = rule_sets[0].id.clone();
    let [one, several] = match checked.first() {
        Some((_, game)) => layer_units(game.description()),
        None => layer_units(&file.description(&source, &default)?),
    };
    Ok(GameInfo {
        layer_unit: several,
        layer_unit_one: one,
        openings: file.openings(),
        origin: file.origin(),
        ..GameInfo::new(
            file.name().to_owned(),
            file.about(),
            default,
            rule_sets,
            maker(path.to_owned(), text, file, checked),
        )
    })
}

/// Returns what makes the game under the rule set of an id. A game is checked once.
fn maker(
    path: PathBuf,
    text: Cow<'static, str>,
    file: schema::File,
    checked_before: Vec<(String, Hunt)>,
) -> impl Fn(&str, &str) -> Result<Hunt, NameError> + Send + Sync + 'static {
    let made: RwLock<HashMap<String, Hunt>> = RwLock::new(checked_before.into_iter().collect());
    move |_size, rules| {
        if let Some(game) = made.read().unwrap_or_else(PoisonError::into_inner).get(rules) {
            return Ok(game.clone());
        }
        let source = Source { path: &path, text: &text };
        let game = checked(&source, &file, rules).map_err(|error| NameError::Rules {
            game: file.name().into(),
            rules: rules.to_owned(),
            problem: error.to_string(),
        })?;
        let mut made = made.write().unwrap_or_else(PoisonError::into_inner);
        Ok(made.entry(rules.to_owned()).or_insert(game).clone())
    }
}

/// Reads and checks a rule set, and says where in the file it is wrong.
fn checked(source: &Source<'_>, file: &schema::File, rules: &str) -> Result<Hunt, FileError> {
    let description = file.description(source, rules)?;
    Hunt::new(description).map_err(|problem| {
        let place = file.place(rules, problem.place);
        source.error(place, format!("{}: {}", problem.place, problem.what), problem.right)
    })
}

/// Checks that the name is not one of the games of this program, unless it is that game.
fn reserved(source: &Source<'_>, file: &schema::File, game: &Hunt) -> Result<(), FileError> {
    if !is_reserved(game) {
        return Ok(());
    }
    let name = game.name();
    source.fail(
        file.name_span().start,
        format!("the name {name} belongs to a game of this program"),
        format!("choose another name, as my-{}", name.replace(':', "-")),
    )
}

/// Whether the game has the name of one of this program, and is another.
fn is_reserved(game: &Hunt) -> bool {
    let (registry, name) = (Registry::standard(), game.name());
    let is_known = registry.find(name.split(':').next().unwrap_or(name)).is_ok();
    let known = registry.game(name, Some(game.rules_id()));
    is_known && !known.is_ok_and(|known| known.description() == game.description())
}

/// Returns the units of a layer number, singular and plural.
fn layer_units(description: &Description) -> [String; 2] {
    let many = &description.sides[1];
    match description.layers {
        Layering::Pieces => [many.piece.clone(), many.name.clone()],
        Layering::Advance | Layering::Plies => ["left".into(), "left".into()],
        Layering::Placement => ["layer".into(), "layer".into()],
    }
}

impl schema::File {
    /// Returns the openings, whose positions are not checked.
    fn openings(&self) -> Vec<Opening> {
        let opening = |given: &schema::GivenOpening| Opening {
            name: given.name.clone(),
            position: given.position.get_ref().clone(),
            about: given.about.clone().unwrap_or_default(),
        };
        self.given_openings().iter().map(opening).collect()
    }
}

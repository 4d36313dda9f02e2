//! Games from files: descriptions in TOML, and those that tables carry.
//!
//! `docs/describe-a-game.md` explains the format with two games. [`describe`] writes the
//! description of a game, to start from; [`read`] reads one. A file has the rules of a game as they
//! are, and changes to them: `rule-sets` that stand for themselves, and `switches` that combine.

mod description;
pub(crate) mod entry;
mod error;
mod parse;
mod schema;
mod write;

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use anser_core::Hunt;
use anser_table::{PositionedReads, Table};

use crate::info::GameInfo;
use crate::registry::Registry;

pub use error::{FileError, Location};
pub use write::describe;

use entry::{checked, entry};
use parse::Source;

/// Greatest length of a file in bytes.
const LONGEST: u64 = 1 << 20;

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
        return Ok(GameInfo { file: Some(path.into()), ..of_table(path)? });
    }
    let cannot_read = |error| FileError::Read { path: path.into(), error: Arc::new(error) };
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(cannot_read)?;
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(cannot_read)?;
    if bytes.len() as u64 > LONGEST {
        return Err(too_long(Source { path, text: "" }));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let right = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(&error.as_bytes()[..right]).into_owned();
        Source { path, text: &text }.error(
            right,
            "the file is no text in UTF-8",
            "save it in UTF-8; `anser games --describe GAME` prints such a file",
        )
    })?;
    Ok(GameInfo { file: Some(path.into()), ..parse(path, &text)? })
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
        return Err(too_long(source));
    }
    let file = schema::read(&source)?;
    // Every rule set is read at once, so that a mistake in any of them is found now.
    let mut games = Vec::new();
    for id in file.ids() {
        games.push((id.clone(), checked(&source, &file, &id)?));
    }
    let (_, default) = &games[0];
    named(&source, &file, default)?;
    let mut names = HashSet::from(["start"]);
    for opening in &file.openings {
        let is_hidden = opening.name.chars().any(char::is_control);
        if is_hidden || opening.name.trim().is_empty() || !names.insert(&opening.name) {
            return source.fail(
                opening.position.span().start,
                format!("no opening can have the name {:?}", opening.name),
                "each opening has a name of its own; start is where play starts",
            );
        }
        default.parse_position(opening.position.get_ref()).map_err(|error| {
            let start = source.inside(opening.position.span()) + error.column() - 1;
            source.error(start, error.problem().to_owned(), format!("as {}", error.example()))
        })?;
    }
    entry(path, text.to_owned(), file, games)
}

fn too_long(source: Source<'_>) -> FileError {
    let problem = format!("the file has more than {LONGEST} bytes");
    source.error(0, problem, "a game takes a few thousand")
}

/// Checks that the name is not one of the games of this program, unless it is that game, and names
/// no size, which other games do not have.
fn named(source: &Source<'_>, file: &schema::File, game: &Hunt) -> Result<(), FileError> {
    let (name, start) = (game.name(), file.name.span().start);
    let plain = name.replace(':', "-");
    if is_reserved(game) {
        let problem = format!("the name {name} belongs to a game of this program");
        return source.fail(start, problem, format!("choose another name, as my-{plain}"));
    }
    if plain != name && Registry::standard().find(name).is_err() {
        let problem = format!("{name:?} has a colon, which stands before the size of a game");
        return source.fail(start, problem, format!("a name without one, as {plain}"));
    }
    Ok(())
}

/// Whether the game has the name of one of this program, and is another.
fn is_reserved(game: &Hunt) -> bool {
    let (registry, name) = (Registry::standard(), game.name());
    let is_known = registry.find(name.split(':').next().unwrap_or(name)).is_ok();
    let known = registry.game(name, Some(game.rules_id()));
    is_known && !known.is_ok_and(|known| known.description() == game.description())
}

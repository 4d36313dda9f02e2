//! Games by name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anser_core::Hunt;

use crate::directory::TableFile;
use crate::error::{NameError, plain_name};
use crate::file::{self, FileError};
use crate::info::GameInfo;
use crate::shell::shell_word;
use crate::shipped::{self, Shipped};
use crate::standard;

/// The games that a program knows by name.
///
/// ```
/// use anser_games::Registry;
///
/// let game = Registry::standard().game("fox-hounds:6", None)?;
/// assert_eq!((game.name(), game.rules_id()), ("fox-hounds:6".into(), "escape".into()));
/// # Ok::<(), anser_games::NameError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Registry {
    games: Vec<Entry>,
}

/// A game of a registry.
#[derive(Clone, Debug)]
enum Entry {
    Made(Arc<GameInfo>),
    /// One of a file of this program, which is read when the game is asked for.
    Shipped(&'static Shipped),
}

impl Entry {
    fn name(&self) -> &str {
        match self {
            Entry::Made(info) => &info.name,
            Entry::Shipped(shipped) => shipped.name(),
        }
    }

    fn info(&self) -> &GameInfo {
        match self {
            Entry::Made(info) => info,
            Entry::Shipped(shipped) => shipped.info(),
        }
    }
}

impl Registry {
    /// No games.
    pub fn empty() -> Registry {
        Registry { games: Vec::new() }
    }

    /// The games of this workspace.
    pub fn standard() -> Registry {
        let shipped = shipped::GAMES.iter().map(Entry::Shipped);
        Registry {
            games: standard::games()
                .into_iter()
                .map(|game| Entry::Made(Arc::new(game)))
                .chain(shipped)
                .collect(),
        }
    }

    /// Adds a game; one of the same name is replaced.
    pub fn register(&mut self, game: GameInfo) {
        self.games.retain(|other| other.name() != game.name);
        self.games.push(Entry::Made(Arc::new(game)));
    }

    /// Adds the games that no name here stands for, as the first table of each of their rule sets
    /// describes them. Returns the errors of tables that cannot be read, whose rule sets are not
    /// added.
    ///
    /// ```
    /// use anser_games::{Registry, SearchPath};
    /// let mut registry = Registry::standard();
    /// let listed = SearchPath::embedded().list(&registry)?;
    /// let errors = registry.register_described(listed.iter().flat_map(|place| &place.tables));
    /// assert!(errors.is_empty());
    /// # Ok::<(), anser_table::TableError>(())
    /// ```
    pub fn register_described<'a>(
        &mut self,
        tables: impl IntoIterator<Item = &'a TableFile>,
    ) -> Vec<FileError> {
        let mut described: BTreeMap<&str, GameInfo> = BTreeMap::new();
        let (mut seen, mut errors) = (BTreeSet::new(), Vec::new());
        for TableFile { name, path, .. } in tables {
            let is_known = self.find(&self.name_in_files(&name.game)).is_ok();
            if is_known || !seen.insert((&name.game, &name.rules)) {
                continue;
            }
            let read = match file::read(path) {
                Ok(read) => read,
                Err(error) => {
                    errors.push(error);
                    continue;
                }
            };
            let info = match described.remove(&*name.game) {
                Some(info) => info.with_rules_of(&read),
                None => read,
            };
            described.insert(&name.game, info);
        }
        for info in described.into_values() {
            self.register(info);
        }
        errors
    }

    /// Returns all games, in the order in which they were registered.
    pub fn games(&self) -> impl Iterator<Item = &GameInfo> {
        self.games.iter().map(Entry::info)
    }

    /// Returns the names of all games without their sizes, in the order of [`Registry::games`].
    ///
    /// ```
    /// use anser_games::Registry;
    /// let registry = Registry::standard();
    /// assert_eq!(registry.names().next(), Some("fox-geese"));
    /// assert!(registry.names().any(|name| name == "bagh-chal"));
    /// ```
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.games.iter().map(Entry::name)
    }

    /// Whether a text is the name of a game but for hyphens and upper case, as titles are.
    ///
    /// ```
    /// let registry = anser_games::Registry::standard();
    /// assert!(registry.is_like_a_name("Bagh-Chal") && registry.is_like_a_name("baghchal"));
    /// assert!(!registry.is_like_a_name("T3T/5/5/5/T3T"));
    /// ```
    pub fn is_like_a_name(&self, text: &str) -> bool {
        let wanted = plain_name(text);
        self.names().any(|name| plain_name(name) == wanted)
    }

    /// Returns the games that are not read from a file of this program.
    pub(crate) fn made(&self) -> impl Iterator<Item = &GameInfo> {
        self.games.iter().filter_map(|entry| match entry {
            Entry::Made(info) => Some(&**info),
            Entry::Shipped(_) => None,
        })
    }

    /// Returns the game of a name with or without a size, and the size: the default one if none is
    /// named, empty for games of one size.
    ///
    /// ```
    /// use anser_games::Registry;
    /// let registry = Registry::standard();
    /// let (info, size) = registry.find("hexapawn")?;
    /// assert_eq!((&info.name[..], size), ("hexapawn", "3x3"));
    /// # Ok::<(), anser_games::NameError>(())
    /// ```
    ///
    /// # Errors
    /// [`NameError::Game`] for an unknown game, [`NameError::OneSize`] for a size of a game that
    /// has one.
    pub fn find<'n>(&self, name: &'n str) -> Result<(&GameInfo, &'n str), NameError> {
        let (base, size) =
            name.split_once(':').map_or((name, None), |(base, size)| (base, Some(size)));
        let Some(entry) = self.games.iter().find(|game| game.name() == base) else {
            return Err(NameError::Game {
                name: name.to_owned(),
                games: self.names().map(str::to_owned).collect(),
            });
        };
        let info = entry.info();
        match (info.sizes, size) {
            (None, None) => Ok((info, "")),
            (None, Some(_)) => Err(NameError::OneSize { game: info.name.clone() }),
            (Some(sizes), size) => Ok((info, size.unwrap_or(sizes.default))),
        }
    }

    /// Returns the game of a name, with its size or the default one, under the rule set of an id or
    /// the default one.
    ///
    /// # Errors
    /// [`NameError`] if there is no such game, size, or rule set.
    pub fn game(&self, name: &str, rules: Option<&str>) -> Result<Hunt, NameError> {
        let (info, size) = self.find(name)?;
        info.make(size, rules.unwrap_or(&info.default_rules))
    }

    /// Returns a game as a word of a command line: its name, or the quoted path of the file that it
    /// was read from. Unknown names are returned as they are.
    pub fn word(&self, name: &str) -> String {
        let of_file = self.made().find(|info| info.name == name);
        let file = of_file.and_then(|info| info.file.as_deref());
        file.map_or_else(|| name.to_owned(), shell_word)
    }

    /// Returns the name of a game from its form in file names, which have a hyphen for the colon:
    /// `fox-hounds-8` is `fox-hounds:8`. Unknown names are returned as they are.
    pub fn name_in_files(&self, in_files: &str) -> String {
        // No game of a file of this program has sizes.
        let sized = self.made().filter(|info| info.sizes.is_some()).find_map(|info| {
            let size = in_files.strip_prefix(&info.name)?.strip_prefix('-')?;
            Some(format!("{}:{size}", info.name))
        });
        sized.unwrap_or_else(|| in_files.to_owned())
    }
}

impl Default for Registry {
    /// [`Registry::standard`].
    fn default() -> Registry {
        Registry::standard()
    }
}

//! Sets of tables, each of one game and rule set: finding them, and running a command on each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anser_core::Hunt;
use anser_games::answers::{ErrorKind, SetAnswer, SetsAnswer};
use anser_games::{GameInfo, SearchPath, TableDirectory};
use anser_table::{Metric, MissingLayer, TableName};
use clap::Args;
use serde::Serialize;

use crate::args::{DEFAULT_GAME, GameArgs, LayersArg};
use crate::failure::Failure;
use crate::games;
use crate::output::{Form, note, print, print_json};
use crate::reply::Reply;
use crate::text::layers_text;

/// Arguments that select a game and rule set, or all with tables.
#[derive(Args, Debug)]
#[command(mut_arg("game", |game| game.help("Game [default: every game with tables]")))]
pub(crate) struct SetsArgs {
    #[command(flatten)]
    selected: GameArgs,
}

/// Filter of the tables that make a set.
#[derive(Default)]
pub(crate) struct Filter<'a> {
    pub(crate) layers: Option<&'a LayersArg>,
    pub(crate) metric: Option<Metric>,
    /// Whether to include sets that manifests or checksum files list but no table is left of.
    pub(crate) listed: bool,
}

/// Tables found of one game and rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundSet {
    /// Game, as on the command line.
    pub(crate) game: String,
    /// Rule set.
    pub(crate) rules: String,
    /// Layers with a table; empty if the set is only listed in a manifest or checksum file.
    pub(crate) layers: BTreeSet<u16>,
    /// All tables of the set; they describe a game that this program does not know.
    tables: Vec<PathBuf>,
}

impl FoundSet {
    /// Finds the sets with tables that match the filter, ordered by game and rule set. Embedded
    /// tables count only if the directories hold none.
    pub(crate) fn all(path: &SearchPath, filter: &Filter<'_>) -> Result<Vec<FoundSet>, Failure> {
        let own = FoundSet::among(
            &SearchPath::directories(&path.directories).list(games::registry())?,
            filter,
        );
        if own.is_empty() && path.embedded {
            return Ok(FoundSet::among(&[TableDirectory::embedded(games::registry())], filter));
        }
        Ok(own)
    }

    /// The failure of the work on the set, named in the message. Tables of an unknown game or rule
    /// set are not wrong usage.
    fn failure(&self, failure: Failure) -> Failure {
        let name = format!("{} (rules {})", self.game, self.rules);
        match failure.kind() {
            ErrorKind::Usage if games::registry().game(&self.game, Some(&self.rules)).is_err() => {
                Failure::corrupt(format!(
                    "there are tables of {name}, which this version of anser does not know"
                ))
                .advice("if a file describes the game, give that file as GAME")
            }
            _ => failure.naming(&name),
        }
    }

    fn among(directories: &[TableDirectory], filter: &Filter<'_>) -> Vec<FoundSet> {
        let mut sets = BTreeMap::<(String, String), BTreeSet<u16>>::new();
        for directory in directories {
            for found in &directory.tables {
                let TableName { game, rules, layer, metric, .. } = &found.name;
                if filter.layers.is_none_or(|layers| layers.includes(*layer))
                    && filter.metric.is_none_or(|wanted| wanted == *metric)
                {
                    sets.entry((games::registry().name_in_files(game), rules.clone()))
                        .or_default()
                        .insert(*layer);
                }
            }
            // A listed set counts if all its tables are lost, not if the filter excludes them.
            for (game, rules) in directory.listed.iter().filter(|_| filter.listed) {
                let is_of = |name: &TableName| name.game == *game && name.rules == *rules;
                if !directory.tables.iter().any(|found| is_of(&found.name)) {
                    sets.entry((games::registry().name_in_files(game), rules.clone())).or_default();
                }
            }
        }
        let all = || directories.iter().flat_map(|directory| &directory.tables);
        let tables = |game: &str, rules: &str| {
            let is_of = |name: &TableName| {
                name.rules == rules && games::registry().name_in_files(&name.game) == game
            };
            all().filter(|found| is_of(&found.name)).map(|found| found.path.clone()).collect()
        };
        sets.into_iter()
            .map(|((game, rules), layers)| {
                let tables = tables(&game, &rules);
                FoundSet { game, rules, layers, tables }
            })
            .collect()
    }

    /// Describes the set: `fox-geese --rules free, layers 1-7`.
    pub(crate) fn describe(&self) -> String {
        let layers: Vec<u16> = self.layers.iter().copied().collect();
        let layers = match &layers[..] {
            [] => "listed, but without tables".to_owned(),
            layers => layers_text(layers),
        };
        format!("{} --rules {}, {layers}", self.game, self.rules)
    }
}

/// Lists the sets found, for an error about a missing set. Returns an empty text if tables of that
/// set were found, or none at all.
pub(crate) fn other_sets(game: &str, rules: &str, path: &SearchPath) -> String {
    // Unreadable directories are reported elsewhere.
    let found = FoundSet::all(path, &Filter::default()).unwrap_or_default();
    if found.is_empty() || found.iter().any(|set| set.game == game && set.rules == rules) {
        return String::new();
    }
    let found: Vec<String> = found.iter().map(FoundSet::describe).collect();
    format!("; found {}", found.join("; "))
}

/// Lists the sets found, for a missing layer, as [`other_sets`] does.
pub(crate) fn sets_besides(missing: &MissingLayer) -> String {
    let dirs: Vec<PathBuf> = missing.searched.iter().filter(|dir| dir.is_dir()).cloned().collect();
    other_sets(
        &missing.game,
        &missing.rules,
        &SearchPath { embedded: dirs.len() < missing.searched.len(), directories: dirs },
    )
}

impl SetsArgs {
    /// Prints the answer of `work` about the requested set, or about each set that has requested
    /// tables, one after another. A failure of one set does not stop the work on the others; the
    /// worst failure is the result.
    pub(crate) fn each<A: Serialize>(
        &self,
        path: &SearchPath,
        filter: &Filter<'_>,
        form: Form,
        work: impl Fn(&Hunt, &GameInfo) -> Result<Reply<A>, Failure>,
    ) -> Result<(), Failure> {
        let GameArgs { game, rules } = &self.selected;
        let (game, rules) = (game.given()?, rules.id.as_deref());
        let one = |game: &str, rules| {
            let (game, info) = games::open(game, rules)?;
            work(&game, info)?.print(form)
        };
        let work_on = |set: &FoundSet| {
            let tables = set.tables.iter().map(|path| &**path);
            let (game, info) = games::open_of_tables(&set.game, &set.rules, tables)?;
            work(&game, info)
        };
        let found = match (game, rules) {
            (Some(game), Some(rules)) => return one(game, Some(rules)),
            (None, Some(rules)) if games::registry().game(DEFAULT_GAME, Some(rules)).is_ok() => {
                return one(DEFAULT_GAME, Some(rules));
            }
            (game, rules) => {
                let game = game.map(games::find).transpose()?;
                let name = game.map(|(info, size)| info.sized_name(size));
                let mut found = FoundSet::all(path, filter)?;
                found.retain(|set| name.as_ref().is_none_or(|name| set.game == *name));
                found.retain(|set| rules.is_none_or(|rules| set.rules == rules));
                found
            }
        };
        match &found[..] {
            [] => return one(game.unwrap_or(DEFAULT_GAME), rules),
            [set] => {
                if games::find(&set.game).is_ok_and(|(info, _)| info.default_rules != set.rules) {
                    note(format_args!("found one set of tables: {}", set.describe()));
                }
                return work_on(set)
                    .and_then(|reply| reply.print(form))
                    .map_err(|failure| set.failure(failure));
            }
            several => {
                let all: Vec<String> = several.iter().map(FoundSet::describe).collect();
                note(format_args!("found {} sets of tables: {}", several.len(), all.join("; ")));
            }
        }
        let (mut answers, mut failures, mut is_first) = (Vec::new(), Vec::new(), true);
        for set in &found {
            match work_on(set) {
                Err(failure) if failure.ends_work() => return Err(failure),
                Err(failure) => {
                    let failure = set.failure(failure);
                    answers.push(SetAnswer::Failed(failure.of_set(&set.game, &set.rules)));
                    failures.push(failure);
                }
                Ok(reply) => {
                    if form != Form::Json {
                        let text = reply.text(form, is_first)?;
                        print(&text)?;
                        is_first &= text.is_empty();
                    }
                    answers.push(SetAnswer::Answered(reply.answer));
                    failures.extend(reply.failure.map(|failure| set.failure(failure)));
                }
            }
        }
        if form == Form::Json {
            print_json(&SetsAnswer { sets: answers })?;
        }
        worst(failures, found.len(), "sets of tables")
    }
}

/// Combines the failures of `sets` sets, which are called `what`: a single one is returned, several
/// are noted and their worst status returned.
pub(crate) fn worst(mut failures: Vec<Failure>, sets: usize, what: &str) -> Result<(), Failure> {
    // From worst: corrupt, unreadable, missing, not applicable.
    let rank = |failure: &Failure| match failure.kind() {
        ErrorKind::Corrupt => 3,
        ErrorKind::Io => 2,
        ErrorKind::Missing => 1,
        _ => 0,
    };
    match failures.len() {
        0 => Ok(()),
        1 => Err(failures.remove(0)),
        count => {
            for failure in &failures {
                note(failure.message());
            }
            let kind = failures
                .iter()
                .max_by_key(|failure| rank(failure))
                .map_or(ErrorKind::Usage, Failure::kind);
            Err(Failure::new(kind, format!("{count} of {sets} {what} failed")))
        }
    }
}

//! Sets of tables, each of one game and rule set: finding them, and running a command on each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anser_core::Hunt;
use anser_games::answers::{ErrorKind, SetAnswer, SetError, SetsAnswer};
use anser_games::{GameInfo, SearchPath, TableDirectory};
use anser_table::{Metric, MissingLayer, TableName};
use clap::Args;
use serde::Serialize;

use crate::args::{DEFAULT_GAME, LayersArg, RulesArg, one_game};
use crate::failure::Failure;
use crate::games;
use crate::known;
use crate::output::{Form, note, print, print_json};
use crate::reply::Reply;
use crate::text::ranges;

/// Arguments that select a game and rule set, or all with tables.
#[derive(Args, Debug)]
pub(crate) struct SetsArgs {
    /// Game [default: every game with tables]
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
    #[command(flatten)]
    rules: RulesArg,
}

/// Filter of the tables that make a set.
#[derive(Default)]
pub(crate) struct Filter<'a> {
    pub(crate) layers: Option<&'a LayersArg>,
    pub(crate) metric: Option<Metric>,
    /// Whether to include sets that manifests or checksum files list but no table is left of.
    pub(crate) listed: bool,
}

impl Filter<'_> {
    fn matches(&self, name: &TableName) -> bool {
        self.layers.is_none_or(|layers| layers.includes(name.layer))
            && self.metric.is_none_or(|metric| metric == name.metric)
    }
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

    /// Finds the sets of a game or of all games, and of a rule set or of all rule sets.
    fn matching(
        game: Option<&str>,
        rules: Option<&str>,
        path: &SearchPath,
        filter: &Filter<'_>,
    ) -> Result<Vec<FoundSet>, Failure> {
        let name = match game.map(games::find).transpose()? {
            Some((info, "")) => Some(info.name.clone()),
            Some((info, size)) => Some(format!("{}:{size}", info.name)),
            None => None,
        };
        let mut found = FoundSet::all(path, filter)?;
        found.retain(|set| name.as_ref().is_none_or(|name| set.game == *name));
        found.retain(|set| rules.is_none_or(|rules| set.rules == rules));
        Ok(found)
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
            }
            _ => failure.naming(&name),
        }
    }

    fn among(directories: &[TableDirectory], filter: &Filter<'_>) -> Vec<FoundSet> {
        let mut sets = BTreeMap::<(String, String), BTreeSet<u16>>::new();
        for directory in directories {
            for found in &directory.tables {
                let TableName { game, rules, layer, .. } = &found.name;
                if filter.matches(&found.name) {
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
        sets.into_iter().map(|((game, rules), layers)| FoundSet { game, rules, layers }).collect()
    }

    /// Describes the set: `fox-geese --rules free, layers 1-7`.
    pub(crate) fn describe(&self) -> String {
        let layers = match self.layers.len() {
            0 => "listed, but without tables".to_owned(),
            1 => format!("layer {}", ranges(self.layers.iter().copied())),
            _ => format!("layers {}", ranges(self.layers.iter().copied())),
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
        let (game, rules) =
            (one_game(self.game.as_deref(), self.named.as_deref())?, self.rules.id.as_deref());
        let one = |game: &str, rules| games::with_game(game, rules, &work)?.print(form);
        let found = match (game, rules) {
            (Some(game), Some(rules)) => return one(game, Some(rules)),
            (None, Some(rules)) if games::registry().game(DEFAULT_GAME, Some(rules)).is_ok() => {
                return one(DEFAULT_GAME, Some(rules));
            }
            (game, rules) => FoundSet::matching(game, rules, path, filter)?,
        };
        match &found[..] {
            [] => return one(game.unwrap_or(DEFAULT_GAME), rules),
            [set] => {
                if games::find(&set.game).is_ok_and(|(info, _)| info.default_rules != set.rules) {
                    note(format_args!("found one set of tables: {}", set.describe()));
                }
                return one(&set.game, Some(&set.rules)).map_err(|failure| set.failure(failure));
            }
            several => {
                let all: Vec<String> = several.iter().map(FoundSet::describe).collect();
                note(format_args!("found {} sets of tables: {}", several.len(), all.join("; ")));
            }
        }
        let done = print_all(&found, form, work)?;
        if form == Form::Json {
            let answers =
                found.iter().zip(&done).map(|(FoundSet { game, rules, .. }, done)| match done {
                    Ok((answer, _)) => SetAnswer::Answered(answer),
                    Err(failure) => SetAnswer::Failed(SetError {
                        game: game.clone(),
                        rules: rules.clone(),
                        error: failure.answer(),
                    }),
                });
            print_json(&SetsAnswer { sets: answers.collect() })?;
        }
        let failures =
            done.into_iter().filter_map(|done| done.map_or_else(Some, |(_, failure)| failure));
        worst(failures.collect(), found.len(), "sets of tables")
    }
}

/// The answer about a set, with the failure that it reports; or the failure of the work.
type Done<A> = Result<(A, Option<Failure>), Failure>;

/// Does the work on each set, and prints the texts or tables; JSON is left to the caller.
fn print_all<A>(
    found: &[FoundSet],
    form: Form,
    work: impl Fn(&Hunt, &GameInfo) -> Result<Reply<A>, Failure>,
) -> Result<Vec<Done<A>>, Failure> {
    let (mut done, mut texts) = (Vec::new(), 0);
    for set in found {
        done.push(match games::with_game(&set.game, Some(&set.rules), &work) {
            Err(failure) if failure.ends_work() => return Err(failure),
            Err(failure) => Err(set.failure(failure)),
            Ok(Reply { answer, text, csv, failure, .. }) => {
                match (form, csv) {
                    (Form::Json, _) => {}
                    (Form::Csv, Some(csv)) => {
                        print(&csv.text(texts == 0)?)?;
                        texts += 1;
                    }
                    _ if text.is_empty() => {}
                    _ => {
                        print(&format!("{}{text}", if texts == 0 { "" } else { "\n" }))?;
                        texts += 1;
                    }
                }
                Ok((answer, failure.map(|failure| set.failure(failure))))
            }
        });
    }
    Ok(done)
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

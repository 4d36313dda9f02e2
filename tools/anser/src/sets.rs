//! Sets of tables, each of one game under one rule set: which there are, and commands that work on all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anser_games::answers::{ErrorKind, SetAnswer, SetError, SetsAnswer};
use anser_games::{AnyGame, GameInfo, SearchPath, TableDirectory};
use anser_table::{Metric, MissingLayer, TableName};
use clap::Args;
use serde::Serialize;

use crate::args::{LayersArg, RulesArg, USUAL_GAME, one_game};
use crate::failure::Failure;
use crate::games;
use crate::known;
use crate::output::{Reply, note, print, print_json};
use crate::text::ranges;

/// The game and its rules, of a command that works on everything it finds where they are not named.
#[derive(Args, Debug)]
pub(crate) struct SetsArgs {
    /// The game [default: every game that there are tables of]
    #[arg(value_name = "GAME", value_parser = known::game(), hide_possible_values = true)]
    game: Option<String>,
    /// The game, named by an option
    #[arg(long = "game", value_name = "GAME", value_parser = known::game(), hide_possible_values = true)]
    named: Option<String>,
    #[command(flatten)]
    rules: RulesArg,
}

/// Which tables are looked for.
#[derive(Default)]
pub(crate) struct Wanted<'a> {
    pub(crate) layers: Option<&'a LayersArg>,
    pub(crate) metric: Option<Metric>,
    /// Whether sets that are listed, in manifests or checksums, and of which no table is there are sets as well.
    pub(crate) listed: bool,
}

impl Wanted<'_> {
    fn is(&self, name: &TableName) -> bool {
        self.layers.is_none_or(|layers| layers.includes(name.layer))
            && self.metric.is_none_or(|metric| metric == name.metric)
    }
}

/// The tables of one game under one rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundSet {
    /// The game, as on the command line.
    pub(crate) game: String,
    /// The rule set.
    pub(crate) rules: String,
    /// The layers that there are tables of; none if there is only a manifest.
    pub(crate) layers: BTreeSet<u16>,
}

impl FoundSet {
    /// The sets that lie in these places, of the tables that are wanted, ordered by game and rule set. Tables that are part
    /// of the program are left out where there are others.
    pub(crate) fn all(places: &SearchPath, wanted: &Wanted<'_>) -> Result<Vec<FoundSet>, Failure> {
        let own = FoundSet::among(&SearchPath::directories(&places.directories).list(games::registry())?, wanted);
        if own.is_empty() && places.embedded {
            return Ok(FoundSet::among(&[TableDirectory::embedded(games::registry())], wanted));
        }
        Ok(own)
    }

    fn among(directories: &[TableDirectory], wanted: &Wanted<'_>) -> Vec<FoundSet> {
        let mut sets = BTreeMap::<(String, String), BTreeSet<u16>>::new();
        for directory in directories {
            for found in &directory.tables {
                let TableName { game, rules, layer, .. } = &found.name;
                if wanted.is(&found.name) {
                    sets.entry((games::registry().name_in_files(game), rules.clone())).or_default().insert(*layer);
                }
            }
            // A set all tables of which were lost is a set; one with tables none of which is wanted is not.
            for (game, rules) in directory.listed.iter().filter(|_| wanted.listed) {
                let is_of = |name: &TableName| name.game == *game && name.rules == *rules;
                if !directory.tables.iter().any(|found| is_of(&found.name)) {
                    sets.entry((games::registry().name_in_files(game), rules.clone())).or_default();
                }
            }
        }
        sets.into_iter().map(|((game, rules), layers)| FoundSet { game, rules, layers }).collect()
    }

    /// The set for people: `fox-geese --rules free, layers 1-7`.
    pub(crate) fn describe(&self) -> String {
        let layers = match self.layers.len() {
            0 => "listed and not there".to_owned(),
            1 => format!("layer {}", ranges(self.layers.iter().copied())),
            _ => format!("layers {}", ranges(self.layers.iter().copied())),
        };
        format!("{} --rules {}, {layers}", self.game, self.rules)
    }
}

/// The sets in these directories, for an error about another set that is not there; empty if the directories hold
/// tables of that other set, or none at all.
pub(crate) fn others(game: &str, rules: &str, places: &SearchPath) -> String {
    // Directories that cannot be read have an error of their own.
    let found = FoundSet::all(places, &Wanted::default()).unwrap_or_default();
    if found.is_empty() || found.iter().any(|set| set.game == game && set.rules == rules) {
        return String::new();
    }
    let found: Vec<String> = found.iter().map(FoundSet::describe).collect();
    format!("; there is {}", found.join("; "))
}

/// The same for a layer that is missing.
pub(crate) fn others_than(missing: &MissingLayer) -> String {
    let dirs: Vec<PathBuf> = missing.searched.iter().filter(|dir| dir.is_dir()).cloned().collect();
    others(
        &missing.game,
        &missing.rules,
        &SearchPath { embedded: dirs.len() < missing.searched.len(), directories: dirs },
    )
}

/// Work on each set.
pub(crate) trait SetJob {
    /// The answer about one set, an object.
    type Answer: Serialize;

    /// Works on the tables of one game.
    fn run(&self, game: &AnyGame, info: &GameInfo) -> Result<Reply<Self::Answer>, Failure>;
}

impl SetsArgs {
    /// Runs a job on the requested set, or on each set that has requested tables, one after another. A failure of one set
    /// does not stop the work on the others; the worst failure is the result.
    pub(crate) fn each<J: SetJob>(
        &self,
        places: &SearchPath,
        wanted: &Wanted<'_>,
        json: bool,
        job: &J,
    ) -> Result<(), Failure> {
        let (game, rules) = (one_game(self.game.as_deref(), self.named.as_deref())?, self.rules.id.as_deref());
        let one = |game: &str, rules| games::with_game(game, rules, |game, info| job.run(game, info))?.print(json);
        let found = match (game, rules) {
            (Some(game), Some(rules)) => return one(game, Some(rules)),
            (None, Some(rules)) if games::registry().game(USUAL_GAME, Some(rules)).is_ok() => {
                return one(USUAL_GAME, Some(rules));
            }
            (None, rules) => {
                let mut found = FoundSet::all(places, wanted)?;
                found.retain(|set| rules.is_none_or(|rules| set.rules == rules));
                found
            }
            (Some(game), None) => {
                let (info, size) = games::find(game)?;
                let name = if size.is_empty() { info.name.to_owned() } else { format!("{}:{size}", info.name) };
                let mut found = FoundSet::all(places, wanted)?;
                found.retain(|set| set.game == name);
                found
            }
        };
        match &found[..] {
            [] => return one(game.unwrap_or(USUAL_GAME), rules),
            [set] => {
                if games::find(&set.game).is_ok_and(|(info, _)| info.default_rules != set.rules) {
                    note(format_args!("the one set of tables that is there: {}", set.describe()));
                }
                return one(&set.game, Some(&set.rules)).map_err(|failure| failure.about_set(set));
            }
            several => {
                let all: Vec<String> = several.iter().map(FoundSet::describe).collect();
                note(format_args!("{} sets of tables are there: {}", several.len(), all.join("; ")));
            }
        }
        let (mut done, mut texts) = (Vec::new(), 0);
        for set in &found {
            done.push(match games::with_game(&set.game, Some(&set.rules), |game, info| job.run(game, info)) {
                Err(failure) if failure.is_interruption() => return Err(failure),
                Err(failure) => Err(failure.about_set(set)),
                Ok(Reply { answer, text, failure }) => {
                    if !json && !text.is_empty() {
                        print(&format!("{}{text}", if texts == 0 { "" } else { "\n" }))?;
                        texts += 1;
                    }
                    Ok((answer, failure.map(|failure| failure.about_set(set))))
                }
            });
        }
        if json {
            let answers = found.iter().zip(&done).map(|(FoundSet { game, rules, .. }, done)| match done {
                Ok((answer, _)) => SetAnswer::Answered(answer),
                Err(failure) => {
                    SetAnswer::Failed(SetError { game: game.clone(), rules: rules.clone(), error: failure.answer() })
                }
            });
            print_json(&SetsAnswer { sets: answers.collect() })?;
        }
        let failures = done.into_iter().filter_map(|done| done.map_or_else(Some, |(_, failure)| failure));
        worst(failures.collect(), found.len())
    }
}

/// The worst of the failures of `sets` sets, after a note about each if there are several.
fn worst(mut failures: Vec<Failure>, sets: usize) -> Result<(), Failure> {
    // Damage is worse than what cannot be read, and that is worse than what is missing or does not apply.
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
            let kind = failures.iter().max_by_key(|failure| rank(failure)).map_or(ErrorKind::Usage, Failure::kind);
            Err(Failure::new(kind, format!("{count} of {sets} sets of tables failed")))
        }
    }
}

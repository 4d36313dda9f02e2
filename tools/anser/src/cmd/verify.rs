//! `anser verify`: checks of tables, from checksums to every stored value.

use std::collections::BTreeMap;
use std::path::Path;

use anser_core::Hunt;
use anser_games::SearchPath;
use anser_games::answers::{VerifiedTable, VerifyAnswer};
use anser_solve::{FileKind, Problem, Verified, VerifyOptions};
use anser_table::{Metric, ProbeError};
use clap::Args;

use crate::args::{LayersArg, MetricArg, TablesArgs, ThreadsArg};
use crate::failure::{Failure, words};
use crate::output::{Form, note};
use crate::progress::Progress;
use crate::reply::Reply;
use crate::sets::{Filter, SetsArgs};
use crate::tables;
use crate::text::{Columns, duration, grouped, layers_text, printable};

const AFTER: &str = "\
Without GAME and --rules, checks every game and rule set found.

Without --full, checks the checksums, digests, and structure of every file, and that every file \
listed in a manifest or SHA256SUMS exists. With --full, also recomputes every stored value from \
the values of its successors in the files. The code for this shares the rules and the ranking of \
positions with the solver, but no solving method. It needs the tables of the lower layers.

Values can be consistent with their successors and still be wrong: a win may only lead to wins in \
a cycle, and never to the end of the game. --well-founded also proves that every win is \
well-founded, which means forced in a finite number of moves: starting from terminal positions \
and lower layers, it derives all wins in rounds, and reports the number of rounds. It includes \
--full and takes about ten times as long. Tables of distances (metric dtw) are well-founded if \
--full succeeds, because every win has a successor with a shorter distance.

The exit status is 3 if a table has a problem, 4 if one could not be read, and 1 if values could \
not be recomputed because a lower layer is missing. All tables are checked in any case. Values that \
depend on a damaged table of a lower layer are not recomputed: replace that table, and check again.

Examples:
  anser verify
  anser verify fox-geese --rules forward --full
  anser verify --layers 1-10 --well-founded
  anser verify --tables /big/tables --layers 8 --json";

/// Check tables, down to every stored value
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    sets: SetsArgs,
    #[command(flatten)]
    layers: LayersArg,
    #[command(flatten)]
    tables: TablesArgs,
    /// Recompute every stored value from its successors
    #[arg(long)]
    full: bool,
    /// Prove also that every win is forced in a finite number of moves; includes --full
    #[arg(long)]
    well_founded: bool,
    #[command(flatten)]
    metric: MetricArg,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

impl VerifyArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let path = SearchPath::directories(self.tables.dirs());
        let wanted = Filter {
            layers: Some(&self.layers),
            metric: self.metric.name,
            listed: self.layers.range.is_none(),
        };
        self.sets.each(&path, &wanted, Form::of(self.json), |game, _| {
            let (metric, threads) = (self.metric.name, self.threads.count());
            let options = VerifyOptions {
                layers: self.layers.of(game)?,
                full: self.full,
                well_founded: self.well_founded,
                threads,
                metric,
            };
            let dirs = &path.directories;
            // Verification cannot be resumed.
            let interrupted = "interrupted before all tables were checked";
            let verified = Progress::during(game, threads, interrupted, |progress| {
                anser_solve::verify(game, dirs, &options, &tables::mapping(), progress)
            })?;
            if verified.is_empty() {
                return Err(tables::no_tables(game, &path, metric));
            }
            let commands = commands(game, &verified);
            let not_compared = not_compared(game, &verified);
            not_compared.iter().for_each(note);
            note_problems(&verified, &commands);
            let tables = verified.iter().zip(commands).map(|(table, command)| {
                let not_recomputed = table.not_recomputed.as_ref().map(not_recomputed);
                let unreadable = table.unreadable.as_ref().map(words);
                VerifiedTable::new(table, command, not_recomputed, unreadable)
            });
            let tables: Vec<VerifiedTable> = tables.collect();
            let answer = VerifyAnswer {
                game: game.name().into(),
                rules: game.rules_id().into(),
                full: self.full || self.well_founded,
                founded: self.well_founded,
                sound: tables.iter().all(|table| table.sound),
                tables,
                not_compared,
            };
            Ok(Reply::new(answer, text(&verified)).with_failure(failure(&verified)))
        })
    }
}

/// Failure for the worst finding, if any.
fn failure(verified: &[Verified]) -> Option<Failure> {
    let count =
        |is_one: fn(&Verified) -> bool| verified.iter().filter(|table| is_one(table)).count();
    let (unsound, unreadable) =
        (count(|table| !table.problems.is_empty()), count(|table| table.unreadable.is_some()));
    let not_recomputed = count(|table| table.not_recomputed.is_some());
    let missing = count(|table| {
        let is_missing = |problem: &Problem| matches!(problem, Problem::NotThere { .. });
        !table.problems.is_empty() && table.problems.iter().all(is_missing)
    });
    let all = verified.len();
    let what = if verified.iter().all(Verified::is_table) { "tables" } else { "files" };
    if unsound > 0 && missing == unsound {
        let (are, them) = if missing == 1 { ("is", "it") } else { ("are", "them") };
        let are_tables = verified.iter().all(|it| it.problems.is_empty() || it.is_table());
        let again = if are_tables {
            format!("copy or solve {them} again; the command of a run that was stopped resumes it")
        } else {
            format!("copy {them} again")
        };
        return Some(Failure::corrupt(format!("{missing} of {all} {what} {are} missing; {again}")));
    }
    if unsound > 0 {
        return Some(Failure::corrupt(format!(
            "{unsound} of {all} {what} have problems; move the damaged files away, and copy or \
             solve them again"
        )));
    }
    if unreadable > 0 {
        return Some(Failure::io(format!("{unreadable} of {all} {what} could not be read")));
    }
    (not_recomputed > 0).then(|| {
        Failure::missing(format!(
            "the values of {not_recomputed} of {all} {what} depend on layers that are missing or \
             damaged; solve those and verify again"
        ))
    })
}

/// Commands that replace the damaged tables.
fn commands(game: &Hunt, verified: &[Verified]) -> Vec<Option<String>> {
    let is_sound_other = |table: &Verified, other: &Verified| {
        let key = |table: &Verified| {
            (table.layer(), table.metric(), table.path.parent().map(Path::to_owned))
        };
        key(other) == key(table)
            && other.file != table.file
            && other.problems.is_empty()
            && other.unreadable.is_none()
    };
    let command = |table: &Verified| {
        let FileKind::Table { layer, metric, kind } = table.file else { return None };
        let other = verified.iter().any(|other| is_sound_other(table, other));
        (!table.problems.is_empty())
            .then(|| tables::repair_commands(game, &table.path, layer, (metric, kind), other))
    };
    verified.iter().map(command).collect()
}

/// Tables without a digest of the whole file, one sentence per directory.
fn not_compared(game: &Hunt, verified: &[Verified]) -> Vec<String> {
    let mut by_dir = BTreeMap::<&Path, (Vec<u16>, Vec<u16>)>::new();
    for table in verified.iter().filter(|table| table.path.exists()) {
        let Some(layer) = table.layer() else { continue };
        let dir = table.path.parent().unwrap_or(Path::new("."));
        let (all, alone) = by_dir.entry(dir).or_default();
        all.push(layer);
        // A file with problems may be listed, and was not compared if it could not be opened.
        let is_sound = table.problems.is_empty() && table.unreadable.is_none();
        if is_sound && !table.compared.manifest && !table.compared.sums {
            alone.push(layer);
        }
    }
    let lacking = by_dir.into_iter().filter(|(_, (_, alone))| !alone.is_empty());
    lacking
        .map(|(dir, (all, mut alone))| {
            let which = if alone.len() == all.len() {
                "the tables".to_owned()
            } else {
                alone.dedup();
                format!("tables of {}", layers_text(&alone))
            };
            format!(
                "{}: {which} of {} (rules {}) are listed in no manifest and no SHA256SUMS, so \
                 whole files were not compared with a digest, only with the checksums inside them",
                dir.display(),
                game.name(),
                game.rules_id()
            )
        })
        .collect()
}

/// Notes every problem, and the commands that solve them.
fn note_problems(verified: &[Verified], commands: &[Option<String>]) {
    for (table, command) in verified.iter().zip(commands) {
        table.problems.iter().for_each(note);
        table.unreadable.iter().for_each(|error| note(words(error)));
        if let Some(command) = command {
            note(format_args!("to replace it: {command}"));
        }
        if let Some(error) = &table.not_recomputed {
            note(not_recomputed(error));
        }
    }
}

/// Why values could not be recomputed.
fn not_recomputed(error: &ProbeError) -> String {
    match error {
        ProbeError::MissingLayer(missing) => words(&**missing),
        ProbeError::Table(error) => {
            format!("values not recomputed, because a table of a lower layer is damaged: {error}")
        }
    }
}

fn text(verified: &[Verified]) -> String {
    let mut columns = Columns::new(3, ["table", "kind", "verdict", "values", "time"]);
    for table in verified {
        let verdict = match (table.problems.len(), table.full) {
            (0, _) if table.unreadable.is_some() => "not readable".into(),
            (0, true) if table.not_recomputed.is_some() => "sound, values not recomputed".into(),
            (0, true) if table.metric() == Some(Metric::Dtw) => "sound, every distance".into(),
            (0, true) => match table.rounds {
                Some(1) => "sound, every win well-founded in 1 round".into(),
                Some(rounds) => format!("sound, every win well-founded in {rounds} rounds"),
                None => "sound, every value".into(),
            },
            (0, false) => "sound".into(),
            (1, _) => "1 problem".into(),
            (count, _) => format!("{count} problems"),
        };
        columns.row([
            printable(&table.path.display().to_string()),
            table.file.id().into(),
            verdict,
            if table.entries > 0 { grouped(table.entries) } else { "-".into() },
            duration(table.seconds),
        ]);
    }
    columns.text()
}

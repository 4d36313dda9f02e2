//! `anser verify`: whether tables are what they should be.

use anser_core::Game;
use anser_solve::{SolveError, Verified, VerifyOptions, verify};
use anser_table::Metric;
use clap::Args;
use serde::Serialize;

use crate::args::{GameArgs, LayersArg, MetricArg, TablesArgs, ThreadsArg};
use crate::failure::Failure;
use crate::games::{GameInfo, Job};
use crate::output::{note, print, print_json};
use crate::progress::Watcher;
use crate::tables::{self, Places};
use crate::text::{Columns, duration, grouped};

const AFTER: &str = "\
Without --full the checksums, the digests and the shape of every file are checked, and that \
nothing is missing that a manifest lists. With --full every stored value is recomputed from the values of its successors \
too, read from the files, by code that shares with the solver the rules and the numbering of positions, and nothing of how \
it solves; that needs the tables of the lower layers.

Values that follow from each other may still be wrong: won only by going round in circles. With --founded every win is \
traced back to the end of the game too: it must be reached, round after round, from ends and from lower layers, and the \
answer says how many rounds that takes. It begins with --full and takes some ten times as long. Distances (tables of the \
metric dtw) need no more than --full: each win leads to one that is a ply shorter, so they are their own foundation, and \
--founded does for them what --full does.

The exit status is 3 if a table has a problem, 4 if one could not be read, 1 if values could not be recomputed because a lower layer is missing; all \
tables are looked at all the same.

Examples:
  anser verify
  anser verify fox-geese --rules forward --full
  anser verify --layers 1-10 --founded
  anser verify --tables /big/tables --layers 8 --json";

/// Check tables, down to every stored value
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    layers: LayersArg,
    #[command(flatten)]
    tables: TablesArgs,
    /// Recompute every stored value from its successors
    #[arg(long)]
    full: bool,
    /// Show too that every win is forced in a finite number of moves; includes --full
    #[arg(long)]
    founded: bool,
    #[command(flatten)]
    metric: MetricArg,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    game: String,
    rules: String,
    full: bool,
    founded: bool,
    sound: bool,
    tables: Vec<TableAnswer<'a>>,
}

#[derive(Serialize)]
struct TableAnswer<'a> {
    layer: u16,
    path: String,
    metric: &'static str,
    kind: &'static str,
    /// Values that were recomputed.
    entries: u64,
    full: bool,
    /// Rounds in which all wins were founded; null if that was not looked at, if there are problems, and for distances.
    rounds: Option<u64>,
    sound: bool,
    problems: &'a [String],
    not_recomputed: Option<String>,
    unreadable: Option<&'a str>,
    seconds: f64,
}

impl VerifyArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.game.play(self)
    }
}

impl Job for &VerifyArgs {
    type Output = ();

    fn run<G: Game>(self, game: &G, _: &GameInfo) -> Result<(), Failure> {
        let dirs = self.tables.dirs();
        let options = VerifyOptions {
            layers: self.layers.of(game)?,
            full: self.full,
            founded: self.founded,
            threads: self.threads.count,
            metric: self.metric.get(),
        };
        let watcher = Watcher::new(game, options.threads)?;
        let verified = verify(game, &dirs, &options, &tables::mapping(), &watcher);
        drop(watcher);
        let mut verified = verified.map_err(|error| match self.tables.advise(error) {
            // Nothing was begun that could be gone on with.
            SolveError::Interrupted => Failure::new(Failure::INTERRUPTED, "interrupted; not all tables were looked at"),
            error => error.into(),
        })?;
        if let Some(dir) = self.tables.dirs.first() {
            for missing in verified.iter_mut().filter_map(|table| table.not_recomputed.as_mut()) {
                missing.make_in = Some(dir.clone());
            }
        }
        if self.json {
            print_json(&answer(game, self, &verified))?;
        } else if !verified.is_empty() {
            print(&text(&verified))?;
        }
        let unsound = verified.iter().filter(|table| !table.problems.is_empty()).count();
        if unsound > 0 {
            return Err(Failure::corrupt(format!(
                "{unsound} of {} tables have problems; move away what is damaged, and copy or make it again",
                verified.len()
            )));
        }
        let unreadable = verified.iter().filter(|table| table.unreadable.is_some()).count();
        if unreadable > 0 {
            return Err(Failure::io(format!("{unreadable} of {} tables could not be read", verified.len())));
        }
        let not_recomputed = verified.iter().filter(|table| table.not_recomputed.is_some()).count();
        if not_recomputed > 0 {
            return Err(Failure::missing(format!(
                "the values of {not_recomputed} of {} tables rest on layers that are missing; make those and check again",
                verified.len()
            )));
        }
        if verified.is_empty() {
            return Err(tables::nothing_there(game, &Places { dirs, shipped: false }, self.metric.get()));
        }
        Ok(())
    }
}

fn answer<'a, G: Game>(game: &G, args: &VerifyArgs, verified: &'a [Verified]) -> Answer<'a> {
    let tables = verified.iter().map(|table| TableAnswer {
        layer: table.layer,
        path: table.path.display().to_string(),
        metric: table.metric,
        kind: table.kind,
        entries: table.entries,
        full: table.full,
        rounds: table.rounds,
        sound: table.problems.is_empty() && table.unreadable.is_none(),
        problems: &table.problems,
        not_recomputed: table.not_recomputed.as_ref().map(ToString::to_string),
        unreadable: table.unreadable.as_deref(),
        seconds: table.seconds,
    });
    let sound = verified.iter().all(|table| table.problems.is_empty() && table.unreadable.is_none());
    Answer {
        game: game.name(),
        rules: game.rules_id(),
        full: args.full || args.founded,
        founded: args.founded,
        sound,
        tables: tables.collect(),
    }
}

fn text(verified: &[Verified]) -> String {
    let mut columns = Columns::new(3, ["table", "kind", "verdict", "values", "time"]);
    for table in verified {
        let verdict = match (table.problems.len(), table.full) {
            (0, _) if table.unreadable.is_some() => "not readable".into(),
            (0, true) if table.not_recomputed.is_some() => "sound, values not recomputed".into(),
            (0, true) if table.metric == Metric::Dtw.id() => "sound, every distance".into(),
            (0, true) => match table.rounds {
                Some(rounds) => format!("sound, every win founded in {rounds} rounds"),
                None => "sound, every value".into(),
            },
            (0, false) => "sound".into(),
            (1, _) => "1 problem".into(),
            (count, _) => format!("{count} problems"),
        };
        columns.row([
            table.path.display().to_string(),
            table.kind.into(),
            verdict,
            if table.entries > 0 { grouped(table.entries) } else { "-".into() },
            duration(table.seconds),
        ]);
        for problem in table.problems.iter().chain(&table.unreadable) {
            note(problem);
        }
        if let Some(missing) = &table.not_recomputed {
            note(missing);
        }
    }
    columns.text()
}

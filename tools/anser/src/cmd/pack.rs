//! `anser pack` and `anser unpack`: raw tables into the compressed ones that are shipped, and back.

use std::path::PathBuf;

use anser_core::Game;
use anser_solve::{Bytes, PackOptions, Packed, SolveError, UnpackOptions, pack, unpack};
use clap::Args;
use serde::Serialize;

use crate::args::{GameArgs, LayersArg, MetricArg, TablesArgs, ThreadsArg};
use crate::failure::Failure;
use crate::games::{GameInfo, Job};
use crate::output::{print, print_json};
use crate::progress::Watcher;
use crate::tables::{self, Places};
use crate::text::{Columns, duration};

const AFTER_PACK: &str = "\
Packed tables are a fraction of the size, and every position can be probed without unpacking. \
Values, and so all answers, are the same. A manifest with the digests of all files is written beside them.

Examples:
  anser pack --out ship
  anser pack fox-geese --rules forward --layers 1-7 --tables big --out ship";

const AFTER_UNPACK: &str = "\
Unpacking gives back the very bytes that were packed, as solving would have made them; `anser \
solve` goes on from there.

Examples:
  anser unpack --tables ship --out tables
  anser unpack --rules first-capture --layers 8 --out tables";

/// What packing and unpacking take alike.
#[derive(Args, Debug)]
struct BothArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The directory the tables go to; created where it is missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    layers: LayersArg,
    #[command(flatten)]
    metric: MetricArg,
    #[command(flatten)]
    tables: TablesArgs,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// Compress raw tables into packed ones
#[derive(Args, Debug)]
#[command(after_help = AFTER_PACK)]
pub(crate) struct PackArgs {
    #[command(flatten)]
    both: BothArgs,
    /// The level of compression, 1 (fast) to 22 (small); tables that are packed already are copied as they are [default: 15]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=22))]
    level: Option<i32>,
}

/// Turn packed tables back into raw ones
#[derive(Args, Debug)]
#[command(after_help = AFTER_UNPACK)]
pub(crate) struct UnpackArgs {
    #[command(flatten)]
    both: BothArgs,
}

#[derive(Serialize)]
struct Answer {
    game: String,
    rules: String,
    tables: Vec<TableAnswer>,
}

#[derive(Serialize)]
struct TableAnswer {
    layer: u16,
    metric: &'static str,
    path: String,
    raw_bytes: u64,
    bytes: u64,
    /// Whether the table was there already.
    kept: bool,
    seconds: f64,
}

impl PackArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.both.game.play(self)
    }
}

impl UnpackArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.both.game.play(self)
    }
}

impl Job for &PackArgs {
    type Output = ();

    fn run<G: Game>(self, game: &G, _: &GameInfo) -> Result<(), Failure> {
        let both = &self.both;
        let options = PackOptions {
            from: both.tables.dirs(),
            out: both.out.clone(),
            layers: both.layers.of(game)?,
            level: self.level,
            threads: both.threads.count,
            metric: both.metric.get(),
        };
        let watcher = Watcher::new(game, options.threads)?;
        let packed = pack(game, &options, &watcher);
        drop(watcher);
        both.report(game, &options.from, &packed.map_err(|error| both.failure(error))?)
    }
}

impl Job for &UnpackArgs {
    type Output = ();

    fn run<G: Game>(self, game: &G, _: &GameInfo) -> Result<(), Failure> {
        let both = &self.both;
        let options = UnpackOptions {
            from: both.tables.dirs(),
            out: both.out.clone(),
            layers: both.layers.of(game)?,
            threads: both.threads.count,
            metric: both.metric.get(),
        };
        let watcher = Watcher::new(game, options.threads)?;
        let unpacked = unpack(game, &options, &watcher);
        drop(watcher);
        both.report(game, &options.from, &unpacked.map_err(|error| both.failure(error))?)
    }
}

impl BothArgs {
    fn failure(&self, error: SolveError) -> Failure {
        Failure::of_work(
            self.tables.advise(error),
            "the layers that are done are kept, and the same command does the rest",
        )
    }

    fn report<G: Game>(&self, game: &G, from: &[PathBuf], made: &[Packed]) -> Result<(), Failure> {
        if made.is_empty() {
            return Err(tables::nothing_there(
                game,
                &Places { dirs: from.to_vec(), shipped: false },
                self.metric.get(),
            ));
        }
        if self.json {
            let tables = made.iter().map(|table| TableAnswer {
                layer: table.layer,
                metric: table.metric.id(),
                path: table.path.display().to_string(),
                raw_bytes: table.raw_bytes,
                bytes: table.bytes,
                kept: table.kept,
                seconds: table.seconds,
            });
            return print_json(&Answer { game: game.name(), rules: game.rules_id(), tables: tables.collect() });
        }
        let mut columns = Columns::new(2, ["table", "", "raw", "now", "of raw", "time"]);
        for table in made {
            columns.row([
                table.path.display().to_string(),
                if table.kept { "was there".into() } else { "made".into() },
                Bytes(table.raw_bytes).to_string(),
                Bytes(table.bytes).to_string(),
                format!("{:.1} %", table.bytes as f64 / table.raw_bytes.max(1) as f64 * 100.0),
                duration(table.seconds),
            ]);
        }
        print(&columns.text())
    }
}

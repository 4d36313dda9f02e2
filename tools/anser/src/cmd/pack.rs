//! `anser pack` and `anser unpack`: raw tables into the compressed ones that are shipped, and back.

use std::path::PathBuf;

use anser_games::answers::PackAnswer;
use anser_games::{AnyGame, GameInfo, SearchPath};
use anser_solve::{Bytes, PackOptions, Packed, UnpackOptions};
use clap::{Args, ValueHint};

use crate::args::{LayersArg, MetricArg, TablesArgs, ThreadsArg};
use crate::failure::Failure;
use crate::output::{Reply, note};
use crate::progress::Watcher;
use crate::sets::{SetJob, SetsArgs, Wanted};
use crate::tables;
use crate::text::{Columns, duration, printable};

const AFTER_PACK: &str = "\
Packed tables are a fraction of the size, and every position can be probed without unpacking. \
Values, and so all answers, are the same. A manifest with the digests of all files is written beside them. Without GAME and \
--rules every game and rule set is packed that there are tables of.

Examples:
  anser pack --out ship
  anser pack fox-geese --rules forward --layers 1-7 --tables big --out ship
  anser pack --repack --tables old --out old";

const AFTER_UNPACK: &str = "\
Unpacking gives back the very bytes that were packed, as solving would have made them; `anser \
solve` goes on from there. Without GAME and --rules every game and rule set is unpacked that there are tables of.

Examples:
  anser unpack --tables ship --out tables
  anser unpack --rules first-capture --layers 8 --out tables";

/// What packing and unpacking take alike.
#[derive(Args, Debug)]
struct BothArgs {
    #[command(flatten)]
    sets: SetsArgs,
    /// The directory the tables go to; created where it is missing
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
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
    /// The level of compression, 1 (fast) to 22 (small); tables that are packed already are copied as they are, except with --repack [default: 15]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=22))]
    level: Option<i32>,
    /// Pack tables that are packed already anew, where their format is an older one or their level is not --level; they may
    /// go into the directory that they come from
    #[arg(long)]
    repack: bool,
}

/// Turn packed tables back into raw ones
#[derive(Args, Debug)]
#[command(after_help = AFTER_UNPACK)]
pub(crate) struct UnpackArgs {
    #[command(flatten)]
    both: BothArgs,
}

impl PackArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.both.convert(Way::Pack { level: self.level, repack: self.repack })
    }
}

impl UnpackArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.both.convert(Way::Unpack)
    }
}

/// Packs or unpacks one set of tables.
struct Convert<'a> {
    args: &'a BothArgs,
    from: &'a [PathBuf],
    threads: Option<usize>,
    way: Way,
}

#[derive(Clone, Copy)]
enum Way {
    Pack { level: Option<i32>, repack: bool },
    Unpack,
}

impl BothArgs {
    fn convert(&self, way: Way) -> Result<(), Failure> {
        let places = SearchPath::directories(self.tables.dirs());
        let wanted = Wanted { layers: Some(&self.layers), metric: self.metric.get(), listed: false };
        let job = Convert { args: self, from: &places.directories, threads: self.threads.count(), way };
        self.sets.each(&places, &wanted, self.json, &job)
    }
}

impl SetJob for Convert<'_> {
    type Answer = PackAnswer;

    fn run(&self, game: &AnyGame, _: &GameInfo) -> Result<Reply<PackAnswer>, Failure> {
        let Convert { args, threads, way, .. } = *self;
        let (from, out) = (self.from.to_vec(), args.out.clone());
        let (layers, metric) = (args.layers.of(game)?, args.metric.get());
        args.tables.advise();
        let watcher = Watcher::new(game, threads)?;
        let made = match way {
            Way::Pack { level, repack } => {
                game.pack(&PackOptions { from, out, layers, level, repack, threads, metric }, &watcher)
            }
            Way::Unpack => game.unpack(&UnpackOptions { from, out, layers, threads, metric }, &watcher),
        };
        drop(watcher);
        let made = made.map_err(|error| {
            let kept = "the layers that are done are kept, and the same command does the rest";
            Failure::of_work(error, kept)
        })?;
        if made.is_empty() {
            return Err(tables::nothing_there(game, &SearchPath::directories(self.from.to_vec()), metric));
        }
        let old = made.iter().filter(|table| !table.current).count();
        if old > 0 {
            let tables = if old == 1 { "1 table has".into() } else { format!("{old} tables have") };
            note(format_args!(
                "{tables} an older format, which stays readable; packing again with --repack makes them smaller"
            ));
        }
        Ok(Reply { answer: PackAnswer::new(game, &made), text: text(&made), failure: None })
    }
}

fn text(made: &[Packed]) -> String {
    let mut columns = Columns::new(2, ["table", "", "raw", "now", "of raw", "time"]);
    for table in made {
        columns.row([
            printable(&table.path.display().to_string()),
            if table.kept { "was there".into() } else { "made".into() },
            Bytes(table.raw_bytes).to_string(),
            Bytes(table.bytes).to_string(),
            format!("{:.1} %", table.bytes as f64 / table.raw_bytes.max(1) as f64 * 100.0),
            duration(table.seconds),
        ]);
    }
    columns.text()
}

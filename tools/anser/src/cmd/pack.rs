//! `anser pack` and `anser unpack`: conversion of raw tables into packed ones, and back.

use std::path::PathBuf;

use anser_core::Hunt;
use anser_games::SearchPath;
use anser_games::answers::PackAnswer;
use anser_solve::{Bytes, PackOptions, Packed, SolveError, UnpackOptions};
use clap::{Args, ValueHint};

use crate::args::{LayersArg, MetricArg, TablesArgs, ThreadsArg, within};
use crate::failure::Failure;
use crate::output::Form;
use crate::progress::Progress;
use crate::reply::Reply;
use crate::sets::{Filter, SetsArgs};
use crate::tables;
use crate::text::{Columns, duration, printable};

const AFTER_PACK: &str = "\
Packed tables are a fraction of the size, and positions are probed without unpacking. All values \
stay the same. A manifest with the digests of all files is written beside the tables. Without \
GAME and --rules, packs every game and rule set found.

Tables of several directories are merged into the one of --out. If several have a table, the first \
one is used.

Examples:
  anser pack --out ship
  anser pack fox-geese --rules forward --layers 1-7 --tables big --out ship
  anser pack --level 19 --tables ship --out ship
  anser pack --tables shards/4 --tables shards/5 --out ship";

const AFTER_UNPACK: &str = "\
Unpacking restores the raw tables byte for byte, and `anser solve` continues from them. Without \
GAME and --rules, unpacks every game and rule set found.

Examples:
  anser unpack --tables ship --out tables
  anser unpack --rules first-capture --layers 8 --out tables";

/// Arguments of both commands.
#[derive(Args, Debug)]
struct BothArgs {
    #[command(flatten)]
    sets: SetsArgs,
    /// Directory to write the tables to; created if missing
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
    /// Compression level, 1 (fast) to 22 (small) [default: 15]. Packed tables are copied unchanged
    /// unless another level is given; then --out may be their own directory
    #[arg(long, value_name = "N", value_parser = within::<i32>(1..=22))]
    level: Option<i32>,
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
        let level = self.level;
        self.both.convert(|game, options, progress| {
            let UnpackOptions { from, out, layers, threads, metric } = options;
            anser_solve::pack(
                game,
                &PackOptions { from, out, layers, level, threads, metric },
                progress,
            )
        })
    }
}

impl UnpackArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.both.convert(|game, options, progress| anser_solve::unpack(game, &options, progress))
    }
}

impl BothArgs {
    /// Converts the requested sets of tables, each with `convert`.
    fn convert(
        &self,
        convert: impl Fn(&Hunt, UnpackOptions, &Progress) -> Result<Vec<Packed>, SolveError>,
    ) -> Result<(), Failure> {
        let path = SearchPath::directories(self.tables.dirs());
        let wanted = Filter { layers: Some(&self.layers), metric: self.metric.name, listed: false };
        self.sets.each(&path, &wanted, Form::of(self.json), |game, _| {
            let (threads, metric) = (self.threads.count(), self.metric.name);
            let (from, out) = (path.directories.clone(), self.out.clone());
            let layers = self.layers.of(game)?;
            let options = UnpackOptions { from, out, layers, threads, metric };
            let interrupted =
                "interrupted; finished layers are kept, and the same command does the rest";
            let made = Progress::during(game, threads, interrupted, |progress| {
                convert(game, options, progress)
            })?;
            if made.is_empty() {
                return Err(tables::no_tables(game, &path, metric));
            }
            Ok(Reply::new(PackAnswer::new(game, &made), text(&made)))
        })
    }
}

fn text(made: &[Packed]) -> String {
    let mut columns = Columns::new(2, ["table", "", "raw", "now", "of raw", "time"]);
    for table in made {
        columns.row([
            printable(&table.path.display().to_string()),
            if table.kept { "kept".into() } else { "made".into() },
            Bytes(table.raw_bytes).to_string(),
            Bytes(table.bytes).to_string(),
            format!("{:.1} %", table.bytes as f64 / table.raw_bytes.max(1) as f64 * 100.0),
            duration(table.seconds),
        ]);
    }
    columns.text()
}

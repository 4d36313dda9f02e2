//! `anser export`: every position with its value, one per line, for machine learning and data
//! analysis.

use std::io::{self, BufWriter, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anser_core::hunt::HuntIndex;
use anser_core::{Hunt, LayerIndex, Observer, Side, Value, hunt, orbit_members};
use anser_games::answers::{ExportAnswer, RatedPosition};
use anser_games::{Scope, Size, Values};
use anser_retrograde::Solution;
use anser_table::Metric;

use clap::{Args, ValueEnum};

use crate::args::{AccessMode, GameArgs, LayersArg, ResourceArgs, TablesArgs};
use crate::csv::or_empty;
use crate::failure::Failure;
use crate::output::{NewFile, write_json};
use crate::progress::Progress;
use crate::tables;
use crate::values;

/// Number of classes whose values are read at a time.
const CHUNK: u64 = 1 << 12;
/// Largest number of classes of a game that is solved in memory if --tables is not given.
const SMALL: u64 = 4_000_000;

const AFTER: &str = "\
Each line holds the layer of a position, the position in notation, the side to move, the outcome \
with best play (a side, or draw), the distance in plies (empty or null if it is not known, and for \
draws that are not terminal), and the number of positions in its symmetry class (1 if the rules \
have no symmetries). Positions are ordered by layer, side to move, and class; the same command \
always writes the same lines.

The values come from tables of distances; small games that have none are solved in memory. \
--tables requires tables for small games too. All positions of the layers are exported, or only \
the reachable ones with --reachable; layers in which the game is always over have no tables, and no \
lines.

CSV has a header line. NDJSON has one object per line, with the keys of docs/json.md. pandas, \
Polars, DuckDB, and Arrow read both, and convert them to Parquet.

Examples:
  anser export hexapawn:3x3 --reachable
  anser export hare-hounds --rules unlimited --format ndjson --out hare-hounds.ndjson
  anser export fox-geese --rules first-capture --layers 4-5 --canonical --out geese.csv";

/// Write every position with its value
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    layers: LayersArg,
    /// Format of the lines
    #[arg(long, value_name = "FORM", default_value = "csv")]
    format: Form,
    /// Same as --format ndjson
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// File to write; it appears under this name when it is complete [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Only one position of each symmetry class
    #[arg(long)]
    canonical: bool,
    /// Only positions reachable from the start, solved in memory
    #[arg(long, conflicts_with = "dirs")]
    reachable: bool,
    #[command(flatten)]
    tables: TablesArgs,
    #[command(flatten)]
    resources: ResourceArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Comma-separated values with a header line
    Csv,
    /// A JSON object in each line
    Ndjson,
}

impl ExportArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.resources.on_threads(|| self.export(&self.game.open()?.0))
    }

    fn values(
        &self,
        game: &Hunt,
        layers: RangeInclusive<u16>,
        progress: &Progress,
    ) -> Result<Values, Failure> {
        if self.reachable {
            let limits = self.resources.limits(progress);
            let solution = Solution::reachable_within(game, &game.start(), &limits)?;
            return Ok(Values::Solution(solution.into()));
        }
        let is_small: fn(Size) -> bool = |size| size.classes <= SMALL;
        let mode = AccessMode::Read;
        let sources = values::sources(&self.tables, &mode, &self.resources, is_small, progress);
        let scope = Scope::Layers(layers.clone());
        let values = Values::find(game, &scope, Metric::Dtw, &sources)?;
        if let Some(tables) = values.tables() {
            // Reports the highest missing layer, because its advice covers the layers below.
            layers.rev().try_for_each(|layer| tables.table(layer).map(drop))?;
        }
        Ok(values)
    }

    /// Writes the lines of all selected layers. Returns why they are incomplete, if tables of the
    /// layers cannot be used.
    fn lines(
        &self,
        game: &Hunt,
        out: &mut dyn Write,
        progress: &Progress,
    ) -> Result<Option<Failure>, Failure> {
        let layers = self.layers.of(game)?.unwrap_or_else(|| game.layers());
        let values = self.values(game, layers.clone(), progress)?;
        let unusable = values.tables().and_then(|tables| tables::unusable(tables, layers.clone()));
        let mut lines =
            Lines { game, form: if self.json { Form::Ndjson } else { self.format }, out };
        if lines.form == Form::Csv {
            lines.text("layer,position,to_move,outcome,dtw,orbit\n")?;
        }
        for layer in layers {
            let index = game.index(layer);
            progress.begin(
                &format!("layer {layer}"),
                Side::BOTH.into_iter().map(|side| index.len(side)).sum(),
            );
            for side in Side::BOTH {
                let len = index.len(side);
                for start in (0..len).step_by(CHUNK as usize) {
                    progress.check()?;
                    let end = len.min(start + CHUNK);
                    self.chunk(&mut lines, &values, &index, side, start..end)?;
                    progress.advance(end - start);
                }
            }
        }
        Ok(unusable)
    }

    fn chunk(
        &self,
        lines: &mut Lines<'_>,
        values: &Values,
        index: &HuntIndex,
        side: Side,
        ranks: std::ops::Range<u64>,
    ) -> Result<(), Failure> {
        let classes: Vec<hunt::Position> =
            ranks.clone().map(|rank| index.unrank(side, rank)).collect();
        let from_tables = values.tables().map(|tables| tables.probe_many(&classes));
        let mut from_tables = from_tables.into_iter().flatten();
        for (rank, canonical) in ranks.zip(classes) {
            let of_class = from_tables.next();
            let orbit = index.orbit(side, rank);
            if orbit == 0 {
                // No position has the number of this entry.
                continue;
            }
            let of_class = of_class.transpose()?;
            let mut members = orbit_members(lines.game, &canonical);
            if self.canonical {
                members.sort_by_key(|member| *member != canonical);
            }
            // Not every member of a reachable class is reachable.
            let value = |member: &hunt::Position| match values {
                Values::Solution(solution) if !solution.contains(member) => None,
                Values::Solution(solution) => solution.get(member).map(Value::from),
                Values::Tables(_) => of_class,
            };
            let found = members.iter().filter_map(|member| Some((member, value(member)?)));
            let shown = if self.canonical { 1 } else { members.len() };
            for (position, value) in found.take(shown) {
                lines.row(position, value, orbit)?;
            }
        }
        Ok(())
    }

    /// Exports the positions of a game.
    fn export(&self, game: &Hunt) -> Result<(), Failure> {
        let progress = Progress::of_answer()?;
        let unusable = match &self.out {
            None => {
                let mut out = BufWriter::with_capacity(1 << 16, io::stdout());
                let unusable = self.lines(game, &mut out, &progress)?;
                out.flush().map_err(|error| Failure::output(&error))?;
                unusable
            }
            Some(path) if path.as_os_str() == "-" => {
                return Err(Failure::usage("- does not name a file")
                    .advice("leave --out out for standard output, or write ./-"));
            }
            Some(path) => {
                let mut file = NewFile::create(path)?;
                let unusable = self.lines(game, &mut file.out, &progress)?;
                file.finish()?;
                unusable
            }
        };
        unusable.map_or(Ok(()), Err)
    }
}

/// Writer of lines in one format.
struct Lines<'a> {
    game: &'a Hunt,
    form: Form,
    out: &'a mut dyn Write,
}

impl Lines<'_> {
    fn row(&mut self, position: &hunt::Position, value: Value, orbit: u64) -> Result<(), Failure> {
        let row = ExportAnswer {
            layer: self.game.layer(position),
            rated: RatedPosition::new(self.game, position, Some(value)),
            orbit,
        };
        match self.form {
            Form::Csv => {
                // No notation contains a comma or a quotation mark.
                let ExportAnswer { layer, rated, orbit } = &row;
                let RatedPosition { position, to_move, outcome, dtw } = rated;
                let (outcome, dtw) = (outcome.as_deref().unwrap_or_default(), or_empty(*dtw));
                self.text(&format!("{layer},{position},{to_move},{outcome},{dtw},{orbit}\n"))
            }
            Form::Ndjson => write_json(&mut self.out, &row),
        }
    }

    fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.out.write_all(text.as_bytes()).map_err(|error| Failure::output(&error))
    }
}

//! `anser probe`: outcome and distance of a position, and of its moves.

use std::path::PathBuf;

use anser_core::{Hunt, Probe, RatedMove, Value, hunt};
use anser_games::answers::ProbeAnswer;
use anser_games::{GameInfo, Scope, Size, Values, missing_among};
use anser_table::{Metric, Tablebase};
use clap::{Args, ValueHint};

use crate::args::{AccessMode, ResourceArgs, SourceArgs, SubjectArgs};
use crate::board::board;
use crate::cmd::batch::{self, Format};
use crate::failure::{Failure, words};
use crate::games::registry;
use crate::output::{Form, note};
use crate::reply::Reply;
use crate::tables;
use crate::text::outcome_text;
use crate::values;

const AFTER: &str = "\
A position lists the ranks from the top, with existing points only: digits for runs of empty \
points, F for the fox, g for a goose; then a space (or _) and the side to move, f or g.

Examples:
  anser probe '3/3/7/3F3/ggggggg/ggg/ggg f'
  anser probe gFg/1g1/3g3/7/7/3/3_f --rules first-capture
  anser probe --json 3/3/7/3F3/2ggg2/1g1/3 g
  anser probe fox-geese --opening 13
  anser probe fox-hounds:8 '2F1/4/4/4/4/4/4/hhhh f'
  anser probe --batch positions.txt > answers.jsonl
  anser probe --batch games.csv --format csv --moves > answers.csv

A batch has one position per line. Each gets one line of JSON, in the same order; --moves adds \
the moves:
  {\"schema\":1,\"line\":1,\"game\":..,\"rules\":..,\"position\":..,\"to_move\":..,\
\"outcome\":..,\"dtw\":null}
  {\"schema\":1,\"line\":2,\"input\":..,\"error\":{\"code\":2,\"kind\":..,\"message\":..,\"hint\":..}}
With --format csv the input may have several columns, named in its first line, one of them \
position. The answer has the columns of the input, then to_move, outcome, dtw, moves with \
--moves, and error. As for a single position, games of up to 4,000,000 symmetry classes, 500,000 \
if play can return to a position, are solved in memory if no tables are named; with --memory so \
are larger ones that fit into it, if that takes an hour at most.

The distance dtw is the number of plies to the end of the game if the winner hurries and the \
loser delays. Tables of distances have it (`anser solve --metric dtw` makes them); terminal \
positions have distance 0. Outcome and distance of a move are those of the position after it, and \
the best moves come first.

An empty line is a malformed position. An error of a line does not end the batch. Its code does \
not become the exit status, except 3 for a corrupt table and 4 for a table that cannot be read.";

/// Show who wins a position, and by which moves
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct ProbeArgs {
    #[command(flatten)]
    subject: SubjectArgs,
    #[command(flatten)]
    source: SourceArgs,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
    /// Answer every line of a file, or of standard input (-)
    #[arg(long, value_name = "FILE|-", value_hint = ValueHint::FilePath)]
    batch: Option<PathBuf>,
    /// Answer a batch with the moves of each position too
    #[arg(long, requires = "batch")]
    moves: bool,
    /// Format of the answers to a batch
    #[arg(long, value_enum, default_value_t = Format::Json, requires = "batch")]
    format: Format,
    #[command(flatten)]
    resources: ResourceArgs,
}

impl ProbeArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        if self.batch.is_some() && self.subject.has_position() {
            return Err(Failure::usage(
                "a position cannot be used with --batch, which reads positions",
            ));
        }
        if self.batch.is_none() && !self.subject.is_given() {
            return Err(Failure::usage("a game, a position, --opening or --batch is required")
                .advice("`anser probe fox-geese --opening 13` is one way"));
        }
        self.resources.on_threads(|| {
            let (game, info) = self.subject.open()?;
            self.answer_for(&game, info)
        })
    }

    /// Answers for one game.
    fn answer_for(&self, game: &Hunt, info: &GameInfo) -> Result<(), Failure> {
        if let Some(file) = &self.batch {
            // Standard input may be another program that asks for days.
            let usual = if file.as_os_str() == "-" { AccessMode::Read } else { AccessMode::Map };
            let how = self.source.access.mode.unwrap_or(usual);
            return batch::run(game, &self.values(game, how)?, file, self.format, self.moves);
        }
        let position = self.subject.position(game)?;
        let (values, value) = self.source.answered(
            game,
            (position, Metric::Wdl),
            self.json,
            (&self.resources, None),
            |values| values.value(&position),
        )?;
        let moves = values.probe_moves(game, &position)?;
        let unusable = values.tables().and_then(|tables| {
            note_missing_layers(tables, &position, &moves);
            tables::unusable(tables, tables::layers_of(game, &position))
        });
        values.check_unchanged()?;
        let text = text(game, info, &position, value, &moves);
        Reply::new(ProbeAnswer::new(game, &position, Some(value), &moves), text)
            .with_failure(unusable)
            .print(Form::of(self.json))
    }

    /// Finds values for a batch, whose positions may be any of the game.
    fn values(&self, game: &Hunt, mode: AccessMode) -> Result<Values, Failure> {
        let (tables, scope) = (&self.source.tables, Scope::Layers(game.layers()));
        if !scope.size(game).is_small() {
            return Ok(Values::Tables(tables.search_path().open(registry(), game, &mode)?.into()));
        }
        values::find(game, &scope, Metric::Wdl, (tables, mode), &self.resources, Size::is_small)
    }
}

/// Names the layers whose absence leaves moves without an outcome or a distance, each once.
fn note_missing_layers(tables: &Tablebase, position: &hunt::Position, moves: &[RatedMove]) {
    for missing in missing_among(tables, position, moves) {
        let what = if missing.metric.has_distances() { "distance" } else { "outcome" };
        note(format_args!("some moves have no {what}: {}", words(&missing)));
    }
}

/// Answer as text.
fn text(
    game: &Hunt,
    info: &GameInfo,
    position: &hunt::Position,
    found: Value,
    moves: &[RatedMove],
) -> String {
    let (name, rules, layer) = (game.name(), game.rules_id(), game.layer(position));
    let mut text = format!(
        "{name}, rules {rules}, {}\n{}\n\n",
        info.layer_text(layer),
        game.format_position(position)
    );
    text += &board(game, position);
    text.push('\n');
    if let Some(reason) = game.ending(position) {
        let won = value(game, Some(found.outcome.into()));
        text += &format!("the game is over: {won} ({reason})\n");
    } else {
        let to_move = game.side_name(position.to_move());
        text += &format!("{to_move} to move: {}\n\n", value(game, Some(found)));
        text += &move_list(game, moves);
    }
    text
}

/// Number of moves on a line.
const MOVES_ON_LINE: usize = 8;

/// Text of the moves with their values, best first, grouped by value.
fn move_list(game: &Hunt, moves: &[RatedMove]) -> String {
    let groups: Vec<(String, Vec<String>)> = moves
        .chunk_by(|a, b| a.value == b.value)
        .map(|group| {
            let names = group.iter().map(|rated| game.format_move(&rated.mv));
            (value(game, group[0].value), names.collect())
        })
        .collect();
    let label_width = groups.iter().map(|(label, _)| label.len()).max().unwrap_or(0);
    let move_width = groups.iter().flat_map(|(_, names)| names).map(String::len).max().unwrap_or(0);
    let mut text = String::new();
    for (label, names) in groups {
        for (number, line) in names.chunks(MOVES_ON_LINE).enumerate() {
            let label = if number == 0 { &label } else { "" };
            let cells: Vec<String> =
                line.iter().map(|name| format!("{name:<move_width$}")).collect();
            text += format!("  {label:<label_width$}  {}", cells.join("  ")).trim_end();
            text.push('\n');
        }
    }
    text
}

fn value(game: &Hunt, value: Option<Value>) -> String {
    value.map_or("unknown".into(), |value| outcome_text(game, value.outcome, value.plies))
}

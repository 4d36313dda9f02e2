//! `anser line`: best play from a position to the end, or the values along a game that was played.

use std::path::PathBuf;

use anser_analyse::{LineEnd, Tie, best_line};
use anser_core::{BySide, Hunt, Next, Outcome, Side, hunt};
use anser_games::answers::{self, LineAnswer, PlayedLineAnswer, PositionAnswer};
use anser_table::Metric;
use clap::Args;

use crate::args::{ResourceArgs, SourceArgs, SubjectArgs};
use crate::board::board;
use crate::cmd::play::{PlayValues, Reviewed, Saved, known, known_text, marked, remarks, review};
use crate::failure::Failure;
use crate::offer::Offer;
use crate::output::Form;
use crate::reply::Reply;
use crate::text::{Columns, ended_text, heading, outcome_text, plies, value_text};

const AFTER: &str = "\
The winner plays the fastest win, and the loser delays it as long as possible. Of equal moves the \
first in the game's order is played; --tie changes that for a side. The document of \
Hare-and-Hounds prints its line with the first of equal moves for the hounds and the last for the \
hare: --tie hare=last. The values come from tables of distances (anser solve --metric dtw); small \
games that have none are solved in memory.

Examples:
  anser line fox-hounds:8
  anser line hare-hounds 'h2/h3R/h2 h' --tie hare=last
  anser line fox-geese --opening 13 --tables big/tables
  anser line hexapawn:3x3 ppp/3/PPP_w --json
  anser line --record game.json

--record shows the moves of a record that `anser play` wrote, of a game of this program or of the \
file that is named, with a ? after each move that gave \
the outcome away and ?! after each that kept it but lost ten plies or more. It names a better \
move, and the reply that refutes the played one.";

/// Play best moves from a position to the end, with the value after each
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct LineArgs {
    #[command(flatten)]
    subject: SubjectArgs,
    /// Start of the game; same as --opening start
    #[arg(long, conflicts_with = "opening")]
    start: bool,
    /// Choice of a side among equal moves, the first or the last in the game's order; may be given
    /// for either side
    #[arg(long = "tie", value_name = "SIDE=first|last")]
    ties: Vec<String>,
    /// Show the values along the game of a record, as `save` and --json in `anser play` write it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["start", "opening", "ties"])]
    record: Option<PathBuf>,
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    resources: ResourceArgs,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

impl LineArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        if let Some(path) = &self.record {
            if self.subject.has_position() {
                return Err(Failure::usage(
                    "a position cannot be used with --record: the record has one",
                ));
            }
            let saved = Saved::read(path)?;
            let game = saved.open(&self.subject, ("line", "--record"), path)?;
            return self.resources.on_threads(|| self.along(&game, &saved));
        }
        if self.start && self.subject.has_position() {
            return Err(Failure::usage("a position cannot be used with --start, which names one"));
        }
        if !self.start && !self.subject.is_given() {
            return Err(Failure::usage("a game, a position, --opening or --start is required")
                .advice("`anser line hexapawn:3x3` is one way"));
        }
        self.resources.on_threads(|| self.best(&self.subject.open()?.0))
    }

    /// Returns the choice of either side among equal moves.
    fn ties(&self, game: &Hunt) -> Result<BySide<Tie>, Failure> {
        let mut ties = BySide::default();
        for text in &self.ties {
            let (name, tie) = text.split_once('=').unwrap_or((text, ""));
            let side = game.side_named(name);
            let tie = match tie {
                "first" => Some(Tie::First),
                "last" => Some(Tie::Last),
                _ => None,
            };
            let (Some(side), Some(tie)) = (side, tie) else {
                let [first, second] = Side::BOTH.map(|side| game.side_name(side));
                let problem = format!(
                    "{text:?} is no rule for equal moves; write {first}=last or {second}=first"
                );
                return Err(Failure::usage(problem));
            };
            ties[side] = tie;
        }
        Ok(ties)
    }

    /// Prints the values along a record.
    fn along(&self, game: &Hunt, saved: &Saved) -> Result<(), Failure> {
        let LineArgs { source: SourceArgs { tables, offer: args, .. }, resources, json, .. } = self;
        let (start, played) = saved.moves(game)?;
        args.make_directory(tables)?;
        let offer = Offer { args, json: *json, tables, resources: Some(resources) };
        let values = PlayValues::find(game, &start, resources, &offer)?;
        let line = review(game, &values, &start, &played);
        let last = played.last().map_or(Next::Position(start), |played| played.next);
        let over = game.outcome_after(&last);
        let value = known(game, &values, &start);
        let rows = line.iter().map(|Reviewed { ply, after, .. }| {
            let (mv, position) = (marked(ply), ply.ply.played.position.clone());
            [ply.ply.ply.to_string(), ply.ply.side.clone(), mv, known_text(game, *after), position]
        });
        let mut text = text(game, &start, &known_text(game, value), rows);
        text += &match over {
            Some(outcome) => format!("\nover: {}\n", ended_text(game, outcome, &last)),
            None => "\nthe record ends here\n".to_owned(),
        };
        text += &remarks(game, &line);
        let answer = PlayedLineAnswer {
            root: PositionAnswer::new(game, &start, value),
            line: line.into_iter().map(|reviewed| reviewed.ply).collect(),
            end: if over.is_some() { answers::LineEnd::Over } else { answers::LineEnd::Left },
            repeats_from: None,
        };
        Reply::new(answer, text).print(Form::of(*json))
    }

    /// Prints a line of best play.
    fn best(&self, game: &Hunt) -> Result<(), Failure> {
        let ties = self.ties(game)?;
        let position = self.subject.position(game)?;
        let (values, _) = self.source.answered(
            game,
            (position, Metric::Dtw),
            self.json,
            (&self.resources, Some(&self.resources)),
            |values| values.distance(&position),
        )?;
        let line = best_line(game, &position, ties, &values.exact())?;
        values.check_unchanged()?;
        let answer = LineAnswer::new(game, &position, &line);
        let rows = (1..).zip(line.played()).map(|(ply, (side, rated)): (usize, _)| {
            let value = rated.value.map(|value| outcome_text(game, value.outcome, value.plies));
            let (side, mv) = (game.side_name(side).to_owned(), game.format_move(&rated.mv));
            let position = game.format_position(rated.next.position());
            [ply.to_string(), side, mv, value.unwrap_or_default(), position]
        });
        let mut text = text(game, &position, &value_text(game, line.value), rows);
        let last = line.moves.last().map_or(Next::Position(position), |last| last.next);
        text += &match line.end {
            LineEnd::Over(outcome) => format!("\nover: {}\n", ended_text(game, outcome, &last)),
            LineEnd::Repeats(count) => {
                let outcome = outcome_text(game, Outcome::Draw, None);
                format!("\nthe position after {} has come again: {outcome}\n", plies(count as u64))
            }
        };
        if !line.moves.is_empty() {
            text += &format!("\n{}", board(game, last.position()));
        }
        Reply::new(answer, text).print(Form::of(self.json))
    }
}

/// Text of a start with its value, and of the plies from there.
fn text(
    game: &Hunt,
    start: &hunt::Position,
    value: &str,
    plies: impl Iterator<Item = [String; 5]>,
) -> String {
    let mut columns = Columns::new(5, ["ply", "side", "move", "value after it", "position"]);
    plies.for_each(|ply| columns.row(ply));
    let (heading, position, board) =
        (heading(game), game.format_position(start), board(game, start));
    format!("{heading}{position}\n\n{board}\n{value}\n\n{}", columns.text())
}

//! Driver of the commands that answer a question about a position: reads the game and the position,
//! shows the progress, and prints the answer.

use std::ops::RangeInclusive;

use anser_core::hounds::Board;
use anser_core::{Hunt, ProbeLayer, Side, hunt};
use anser_games::{Files, Scope, Size, Values, tables_command};
use anser_retrograde::{AnalyseError, Limits, Solution};
use anser_table::{Metric, Table};
use clap::Args;
use serde::Serialize;

use crate::args::{
    AccessArg, AccessMode, FormatArg, LayersArg, ResourceArgs, SubjectArgs, TablesArgs, layers,
};
use crate::cost::Cost;
use crate::failure::Failure;
use crate::games;
use crate::output::{Form, note};
use crate::plot::PlotArgs;
use crate::progress::Progress;
use crate::reply::Reply;
use crate::tables;
use crate::text::heading;
use crate::values;

/// Arguments of a question.
#[derive(Args, Debug)]
pub(crate) struct QuestionArgs {
    #[command(flatten)]
    subject: SubjectArgs,
    #[command(flatten)]
    resources: ResourceArgs,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

impl QuestionArgs {
    /// Answers a question about the requested game and position, and prints the answer.
    pub(crate) fn ask<A: Serialize>(
        &self,
        answer: impl FnOnce(&Question<'_>) -> Result<Reply<A>, Failure> + Send,
    ) -> Result<(), Failure> {
        self.ask_shown(Shown::default(), answer)
    }

    /// As [`ask`](QuestionArgs::ask); prints the answer as requested, or its plot.
    fn ask_shown<A: Serialize>(
        &self,
        shown: Shown<'_>,
        answer: impl FnOnce(&Question<'_>) -> Result<Reply<A>, Failure> + Send,
    ) -> Result<(), Failure> {
        self.resources.on_threads(|| {
            let (game, _) = self.subject.open()?;
            self.print(&game, shown, answer)
        })
    }

    /// Answers a question about all positions of layers if they are requested, else about the
    /// requested position. Prints the answer as requested, or its plot.
    pub(crate) fn ask_layers_or_position<'a, A: Serialize>(
        &self,
        source: &LayerSourceArgs,
        shown: impl Into<Shown<'a>>,
        of_layers: impl FnOnce(&LayerQuestion<'_>) -> Result<Reply<A>, Failure> + Send,
        of_position: impl FnOnce(&Question<'_>) -> Result<Reply<A>, Failure> + Send,
    ) -> Result<(), Failure> {
        let shown = shown.into();
        if !source.is_given()? {
            return self.ask_shown(shown, of_position);
        }
        if self.has_position() {
            return Err(Failure::usage(
                "a position cannot be used with --layers, which takes all positions of the layers",
            ));
        }
        self.resources.on_threads(|| {
            let (game, _) = &self.subject.open()?;
            let progress = Progress::of_answer()?;
            let layers = LayersArg { range: source.range.clone() }.of(game)?;
            let layers = layers.unwrap_or_else(|| game.layers());
            let (tables, mode) = (&source.tables, source.access.mode.unwrap_or(AccessMode::Map));
            let files = values::sources(tables, &mode, &self.resources, Size::is_small, &progress);
            let cache_bytes = LARGEST_CACHE.min(files.limits.memory / 4);
            let files = Files { cache_bytes, ..files };
            // With distances if there are any.
            let values = Values::find(game, &Scope::Layers(layers.clone()), Metric::Dtw, &files)?;
            let question = LayerQuestion { game, layers, values, progress: &progress };
            question.note_look_ahead();
            let reply = of_layers(&question)?;
            question.values.check_unchanged()?;
            let tables = question.values.tables();
            let unusable =
                tables.and_then(|tables| tables::unusable(tables, question.layers.clone()));
            drop(progress);
            self.show(shown, reply)?;
            unusable.map_or(Ok(()), Err)
        })
    }

    /// As [`ask`](QuestionArgs::ask), for a question about the games of a lone piece against a pack
    /// that only goes up. Prints the answer, or its plot. The answer gets the board.
    pub(crate) fn ask_in_rows<A: Serialize>(
        &self,
        plot: &PlotArgs,
        answer: impl FnOnce(&Question<'_>, &'static Board) -> Result<Reply<A>, Failure> + Send,
    ) -> Result<(), Failure> {
        self.resources.on_threads(|| {
            let (game, _) = self.subject.open()?;
            let Some(rows) = game.rows() else {
                return Err(Failure::usage(format!(
                    "this question is about fox-hounds and hasenspiel, and not about {}",
                    self.subject.game()?
                ))
                .advice(
                    "ask it about fox-hounds:8 or hasenspiel; in every game, `anser study GAME \
                     --fuzz P` has the chances against a player that errs",
                ));
            };
            self.print(&game, plot.into(), |question| answer(question, rows.board))
        })
    }

    /// Whether a position was given.
    pub(crate) fn has_position(&self) -> bool {
        self.subject.has_position()
    }

    /// Finds the answer, with a progress bar, and prints it.
    fn print<A: Serialize>(
        &self,
        game: &Hunt,
        shown: Shown<'_>,
        answer: impl FnOnce(&Question<'_>) -> Result<Reply<A>, Failure>,
    ) -> Result<(), Failure> {
        let progress = Progress::of_answer()?;
        let position = self.subject.position(game)?;
        let resources = &self.resources;
        let reply = answer(&Question { game, position, resources, progress: &progress })?;
        drop(progress);
        self.show(shown, reply)
    }

    /// Prints an answer, or its plot if that is requested.
    fn show<A: Serialize>(&self, shown: Shown<'_>, reply: Reply<A>) -> Result<(), Failure> {
        match (shown.plot, &reply.plot) {
            (Some(args), Some(plot)) if args.is_requested() => args.show(plot),
            _ => reply.print(match shown.format {
                Some(format) => format.form(self.json),
                None => Form::of(self.json),
            }),
        }
    }
}

/// Arguments that select the form of an answer.
#[derive(Clone, Copy, Default)]
pub(crate) struct Shown<'a> {
    /// The arguments that request a plot, if the answer has one.
    plot: Option<&'a PlotArgs>,
    /// The argument that selects the form, if the answer has more than text and JSON.
    format: Option<&'a FormatArg>,
}

impl<'a> From<&'a PlotArgs> for Shown<'a> {
    fn from(plot: &'a PlotArgs) -> Shown<'a> {
        Shown { plot: Some(plot), format: None }
    }
}

/// Arguments that select whole layers, and the tables that have their values.
#[derive(Args, Debug)]
pub(crate) struct LayerSourceArgs {
    /// All positions of these layers, for example 1-8 or 7, from tables of any size
    #[arg(long = "layers", value_name = "A-B", value_parser = layers)]
    range: Option<RangeInclusive<u16>>,
    #[command(flatten)]
    tables: TablesArgs,
    #[command(flatten)]
    access: AccessArg,
}

/// Arguments of a question about positions that is also answered about whole layers, in every form.
#[derive(Args, Debug)]
#[command(mut_arg("format", |arg| arg.conflicts_with_all(["plot", "svg"])))]
pub(crate) struct LayeredArgs {
    #[command(flatten)]
    source: LayerSourceArgs,
    #[command(flatten)]
    pub(crate) plot: PlotArgs,
    #[command(flatten)]
    format: FormatArg,
}

impl LayeredArgs {
    /// Fails if a plot is requested without layers, for a question that has plots of layers alone.
    pub(crate) fn check_plot(&self) -> Result<(), Failure> {
        if !self.source.is_given()? && self.plot.is_requested() {
            return Err(Failure::usage("only answers about layers have a plot: add --layers A-B"));
        }
        Ok(())
    }

    /// As [`ask_layers_or_position`](QuestionArgs::ask_layers_or_position).
    pub(crate) fn ask<A: Serialize>(
        &self,
        question: &QuestionArgs,
        of_layers: impl FnOnce(&LayerQuestion<'_>) -> Result<Reply<A>, Failure> + Send,
        of_position: impl FnOnce(&Question<'_>) -> Result<Reply<A>, Failure> + Send,
    ) -> Result<(), Failure> {
        let shown = Shown { plot: Some(&self.plot), format: Some(&self.format) };
        question.ask_layers_or_position(&self.source, shown, of_layers, of_position)
    }
}

/// The most memory for blocks of packed tables, in bytes. The values of a side to move that the
/// tables of Fox-and-Geese omit follow from up to half of it at a time.
const LARGEST_CACHE: u64 = 1 << 30;

impl LayerSourceArgs {
    /// Whether layers are requested.
    ///
    /// # Errors
    /// If tables are given, but no layers.
    pub(crate) fn is_given(&self) -> Result<bool, Failure> {
        if self.range.is_none() && (!self.tables.dirs.is_empty() || self.access.mode.is_some()) {
            return Err(Failure::usage(
                "--tables and --access are for questions about whole layers: add --layers A-B",
            ));
        }
        Ok(self.range.is_some())
    }
}

/// Subject of a question about whole layers.
pub(crate) struct LayerQuestion<'a> {
    pub(crate) game: &'a Hunt,
    pub(crate) layers: RangeInclusive<u16>,
    pub(crate) values: Values,
    pub(crate) progress: &'a Progress,
}

/// Layers with more entries than this take minutes if values are found by look-ahead.
const LONG_LOOK_AHEAD: u64 = 1_000_000_000;

impl LayerQuestion<'_> {
    /// Notes which layers take long because their packed tables store one side to move.
    fn note_look_ahead(&self) {
        let Some(tables) = self.values.tables() else { return };
        let is_long = |table: &Table| {
            let entries = table.header().entries();
            Side::BOTH
                .into_iter()
                .any(|side| !table.stores(side) && entries[side] > LONG_LOOK_AHEAD)
        };
        let any_long = |layer: &u16| {
            Metric::ALL.into_iter().any(|metric| tables.table_of(*layer, metric).is_ok_and(is_long))
        };
        let long: Vec<u16> = self.layers.clone().filter(any_long).collect();
        let (Some(first), Some(last)) = (long.first(), long.last()) else { return };
        let (game, rules) = (games::word(self.game.name()), self.game.rules_id());
        note(format_args!(
            "packed tables store one side to move, and the values of the other take some ten seconds \
             of processor time per 100 million; for several questions unpack the layers first: \
             `anser unpack {game} --rules {rules} --layers {first}-{last} --out DIR`, then --tables \
             DIR before the others"
        ));
    }

    /// Title of a plot.
    pub(crate) fn title(&self, what: &str) -> String {
        let (game, rules) = (self.game.name(), self.game.rules_id());
        let (first, last) = (self.layers.start(), self.layers.end());
        let layers =
            if first == last { format!("layer {first}") } else { format!("layers {first}-{last}") };
        format!("{game}, rules {rules}, {layers}: {what}")
    }

    /// Fails if one of these layers has no distances; of several, the error is about the highest.
    /// Checking first spares hours of reading.
    pub(crate) fn require_distances(
        &self,
        layers: impl IntoIterator<Item = u16, IntoIter: DoubleEndedIterator>,
    ) -> Result<(), Failure> {
        let read = |layer| self.values.read_distances(layer, Side::First, 0, &mut []);
        Ok(layers.into_iter().rev().try_for_each(read)?)
    }

    /// As [`require_distances`](LayerQuestion::require_distances), for outcomes.
    pub(crate) fn require_outcomes(&self) -> Result<(), Failure> {
        let read = |layer| self.values.read_outcomes(layer, Side::First, 0, &mut []);
        Ok(self.layers.clone().rev().try_for_each(read)?)
    }
}

/// Subject of a question.
pub(crate) struct Question<'a> {
    pub(crate) game: &'a Hunt,
    /// Position where play begins.
    pub(crate) position: hunt::Position,
    pub(crate) progress: &'a Progress,
    resources: &'a ResourceArgs,
}

impl Question<'_> {
    /// Limits of the work on the answer.
    pub(crate) fn limits(&self) -> Limits<'_> {
        self.resources.limits(self.progress)
    }

    /// First lines of a text: the game, its rules, and the position.
    pub(crate) fn heading(&self) -> String {
        heading(self.game) + &self.position_text() + "\n"
    }

    /// Position in the notation of the game.
    pub(crate) fn position_text(&self) -> String {
        self.game.format_position(&self.position)
    }

    /// Fails if all positions that play may reach from the position do not fit into the memory, or
    /// without `--memory` if they may take longer than an hour. `layered` is the command if it also
    /// answers about whole layers, from tables.
    ///
    /// Solving finds out only after minutes. Where play cannot return to a position, much less may
    /// be reached, and solving is fast, so that it is tried.
    pub(crate) fn check_size(&self, layered: Option<&str>) -> Result<(), Failure> {
        let game = self.game;
        let cost = Cost(Size::below(game, &self.position));
        if cost.is_allowed(self.resources) {
            return Ok(());
        }
        let (name, rules, layer) = (game.name(), game.rules_id(), game.layer(&self.position));
        let failure = Failure::usage(format!(
            "play from here can reach up to {}",
            cost.refusal(name, self.resources)
        ));
        let more = cost.advice(self.resources);
        let smaller = format!("begin from a position nearer to the end of the game, or {more}");
        Err(match layered {
            Some(command) => failure.advice(format_args!(
                "`{}` answers from tables; or {smaller}",
                tables_command(
                    games::registry(),
                    command,
                    name,
                    rules,
                    game.first_needed(layer)..=layer,
                    Metric::Wdl
                )
            )),
            None => failure.advice(smaller),
        })
    }

    /// Solves all positions that play can reach from the position.
    pub(crate) fn solution(&self) -> Result<Solution, Failure> {
        self.check_size(None)?;
        Ok(Solution::reachable_within(self.game, &self.position, &self.limits())?)
    }

    /// Solves all positions that play can reach from the position, to have a player meet each of
    /// them. Where there may be too many, says so at once.
    #[cfg(feature = "learn")]
    pub(crate) fn solution_to_grade(&self) -> Result<Solution, Failure> {
        /// More take long to solve, and a network that searches takes days for them.
        const MOST: u64 = 1_000_000_000;
        let size = Size::below(self.game, &self.position);
        if size.classes > MOST {
            return Err(Failure::usage(format!(
                "play from here can reach up to {} positions of {}, symmetric ones counted once: too \
                 many to grade a move in each",
                crate::text::grouped(size.classes),
                self.game.name()
            ))
            .advice("begin from a position nearer to the end of the game, or take a smaller board"));
        }
        self.solution()
    }

    /// Solves all positions of the game.
    pub(crate) fn solution_of_all(&self) -> Result<Solution, AnalyseError> {
        Solution::of_layers(self.game, self.game.layers(), &self.limits())
    }
}

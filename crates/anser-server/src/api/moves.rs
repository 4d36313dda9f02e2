//! The moves of the computer.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::time::Duration;

use anser_analyse::{Advisor, Basis, Budget, Random, Strategy, Style, Unknown};
use anser_core::{Hunt, Probe, Value, hunt};
use anser_games::answers::{MoveAnswer, PositionAnswer};
use anser_games::{Position, Values};
use anser_table::Metric;
use serde::Deserialize;

use super::probe::{parse, unknown};
use crate::answers::{ChoiceBasis, ChosenMove, Searched};
use crate::app::App;
use crate::clients::Client;
use crate::problem::Problem;
use crate::reply::{Keep, Reply};
use crate::store::Set;

/// Bounds of a search that has its turn: about a second on a busy machine.
const BUDGET: Budget<'static> =
    Budget { time: Some(Duration::from_millis(700)), ..Budget::nodes(200_000) };

/// Bounds of a search while another request has the turn.
const BRIEF: Budget<'static> =
    Budget { time: Some(Duration::from_millis(50)), ..Budget::nodes(10_000) };

/// A game so far, and how the computer plays.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveQuery {
    /// The game, with its size if it has sizes: fox-geese, fox-hounds:8.
    pub(crate) game: String,
    /// The rule set; the game's default if left out.
    pub(crate) rules: Option<String>,
    /// The position in the notation of the game; _ may stand for the space.
    pub(crate) position: String,
    /// The moves from the position so far, separated by commas: d4-d5,c3-c4.
    #[serde(default)]
    pub(crate) moves: String,
    /// A level, which errs as people do: beginner, casual, skilled, expert; a search of at most so
    /// many plies that uses no tables: search-2, search-4, search-7, search-12; or quick, which
    /// does not err unless fuzz says so.
    pub(crate) style: Option<String>,
    /// Fuzz factor, 0 to 1: the weight of other moves, relative to a best one.
    #[serde(default)]
    pub(crate) fuzz: f64,
    /// The same seed chooses the same of equal moves.
    pub(crate) seed: Option<u64>,
}

/// Values for a search: a layer that is not served is skipped without cost.
struct Served<'a> {
    set: &'a Set,
    values: &'a Values,
}

impl Probe for Served<'_> {
    type Error = Unknown;

    fn value(&self, position: &hunt::Position) -> Result<Value, Unknown> {
        let is_missing = self.values.tables().is_some()
            && !self.set.tables.has_values(self.set.game.layer(position), Metric::Wdl);
        if is_missing {
            self.set.game.terminal(position).map(Value::ended).ok_or(Unknown)
        } else {
            self.values.value(position).map_err(|_| Unknown)
        }
    }
}

impl Advisor for Served<'_> {}

/// `GET /api/v1/move`.
pub(crate) fn best_move(
    app: &App,
    client: Option<Client>,
    asked: &MoveQuery,
) -> Result<Reply, Problem> {
    if !(0.0..=1.0).contains(&asked.fuzz) {
        return Err(Problem::usage("fuzz is a number from 0 to 1"));
    }
    let named = |name: &str| Style::named(name, &Style::STRENGTHS);
    let style = asked.style.as_deref().map_or(Ok(Style::Quick), named).map_err(Problem::usage)?;
    if style.is_level() && asked.fuzz > 0.0 {
        return Err(Problem::usage("fuzz is not for levels, which err by themselves"));
    }
    app.with_set(&asked.game, asked.rules.as_deref(), |set| {
        let game = &set.game;
        let (seen, here) = after(game, parse(set, &asked.position)?, &asked.moves)?;
        let found = set.probe(&here)?;
        let values = set.find(game.layer(&here), Metric::Wdl)?;
        let source = Served { set, values: &values };
        let strategy = Strategy { style, fuzz: asked.fuzz, ..Strategy::default() };
        let seed = asked.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
        // Where any move is drawn at random, the best one does not matter.
        let turn = if asked.fuzz < 1.0 { app.tasks.turn() } else { None };
        let budget = if turn.is_some() { BUDGET } else { BRIEF };
        let played = strategy.play(game, &source, &here, &seen, &budget, &mut Random::new(seed));
        let played = played.ok_or_else(|| Problem::missing("there is no move to choose from"))?;
        app.metrics.probes.add(1);
        let (unknown, solving) = unknown(app, set, &found, client);
        let answer = ChosenMove {
            root: PositionAnswer::new(game, &here, found.value),
            chosen: MoveAnswer::new(game, &played.chosen),
            by: match played.basis {
                Basis::Only => ChoiceBasis::Only,
                Basis::Distances => ChoiceBasis::Distance,
                Basis::Outcomes | Basis::Learned => ChoiceBasis::Outcome,
                Basis::Conversion => ChoiceBasis::Conversion,
                Basis::Search => ChoiceBasis::Search,
            },
            searched: played
                .opinion
                .map(|opinion| Searched { plies: opinion.depth, positions: opinion.nodes }),
            unknown,
            solving,
        };
        Reply::new(&answer, Keep::Not)
    })
}

/// Plays moves from a position. Returns the positions before the last one, and the last one.
fn after(
    game: &Hunt,
    start: hunt::Position,
    moves: &str,
) -> Result<(Vec<hunt::Position>, hunt::Position), Problem> {
    let (mut seen, mut last) = (Vec::new(), Position::new(game, start));
    let texts = moves.split(',').map(str::trim).filter(|text| !text.is_empty());
    for (ply, text) in (1..).zip(texts) {
        seen.push(in_play(&last)?);
        last = last.play(text).map_err(|error| {
            let why = error.problem();
            Problem::usage(format!("move {ply}, {text:?}, cannot be played: {why}"))
        })?;
    }
    Ok((seen, in_play(&last)?))
}

/// Returns the position of an unfinished game.
fn in_play(last: &Position) -> Result<hunt::Position, Problem> {
    match last.ending() {
        None => Ok(*last.at()),
        Some(reason) => {
            Err(Problem::usage(format!("the game is over ({reason}), so there is no move")))
        }
    }
}

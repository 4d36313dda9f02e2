//! Positions drawn at random: puzzles.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::time::{Duration, Instant};

use anser_analyse::Random;
use anser_core::{Hunt, Outcome, Probe, RatedMove, Side, Value, hunt};
use anser_games::Values;
use anser_games::answers::{HardestAnswer, LongestAnswer, outcome_name};
use anser_table::Metric;
use serde::Deserialize;

use super::layers::{SOLVE_FIRST, longest_wins};
use super::probe::served;
use super::solving::instead;
use crate::answers::ServedProbe;
use crate::app::App;
use crate::clients::Client;
use crate::kept::malformed;
use crate::problem::Problem;
use crate::reply::{Keep, Reply};
use crate::store::{Set, set_text};

/// Most positions drawn for one answer.
const DRAWS: u32 = 20_000;

/// Number of layers tried, if the request names none.
const LAYERS_TRIED: u32 = 20;

/// Time limit of drawing, for a request that has its turn.
const LONGEST: Duration = Duration::from_millis(800);

/// Time limit of drawing, while another request has the turn.
const BRIEF: Duration = Duration::from_millis(100);

/// Requested properties of a position.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct RandomQuery {
    /// The game, with its size if it has sizes: fox-geese, fox-hounds:8.
    pub(crate) game: String,
    /// The rule set; the game's default if left out.
    pub(crate) rules: Option<String>,
    /// A layer; one of those served if left out.
    pub(crate) layer: Option<u16>,
    /// The side that wins, or draw.
    pub(crate) outcome: Option<String>,
    /// The side to move.
    pub(crate) to_move: Option<String>,
    /// The least distance.
    pub(crate) min_plies: Option<u16>,
    /// The greatest distance.
    pub(crate) max_plies: Option<u16>,
    /// Exactly one move keeps the win or the draw.
    #[serde(default)]
    pub(crate) only_move: bool,
    /// No best move captures or ends the game, unless a worse one does, too.
    #[serde(default)]
    pub(crate) quiet: bool,
    /// A longest win of its layer of Fox-and-Geese, or of a small game; needs distances.
    #[serde(default)]
    pub(crate) longest: bool,
    /// The same seed draws the same position.
    pub(crate) seed: Option<u64>,
    /// Number of draws, instead of a limit of time: then the answer depends on the seed alone.
    #[serde(skip)]
    pub(crate) draws: Option<u32>,
}

impl RandomQuery {
    /// Whether the query bounds the distance.
    fn has_plies(&self) -> bool {
        self.min_plies.is_some() || self.max_plies.is_some()
    }

    /// Whether a distance is within the requested bounds.
    fn accepts(&self, plies: Option<u16>) -> bool {
        let Some(plies) = plies else { return !self.has_plies() };
        self.min_plies.is_none_or(|least| least <= plies)
            && self.max_plies.is_none_or(|most| plies <= most)
    }
}

/// Draws positions of a set that are as requested.
struct Draw<'a> {
    app: &'a App,
    set: &'a Set,
    asked: &'a RandomQuery,
    outcome: Option<Outcome>,
    to_move: Option<Side>,
    random: Random,
}

/// `GET /api/v1/random`.
pub(crate) fn random(
    app: &App,
    client: Option<Client>,
    asked: &RandomQuery,
) -> Result<Reply, Problem> {
    Reply::new(&random_position(app, client, asked)?, Keep::Not)
}

/// Draws a position, and describes it. Where nothing is known, the client requests a layer.
pub(crate) fn random_position(
    app: &App,
    client: Option<Client>,
    asked: &RandomQuery,
) -> Result<ServedProbe, Problem> {
    app.with_set(&asked.game, asked.rules.as_deref(), |set| {
        let game = &set.game;
        if let (Some(least), Some(most)) = (asked.min_plies, asked.max_plies)
            && least > most
        {
            return Err(Problem::usage(format!(
                "no win takes at least {least} and at most {most} plies"
            )));
        }
        let mut draw = Draw {
            app,
            set,
            asked,
            outcome: asked.outcome.as_deref().map(|name| outcome_of(game, name)).transpose()?,
            to_move: asked.to_move.as_deref().map(|name| side_of(game, name)).transpose()?,
            random: Random::new(asked.seed.unwrap_or_else(|| RandomState::new().hash_one(0))),
        };
        let all = asked.draws.unwrap_or(DRAWS);
        let (layers, draws) = match asked.layer {
            Some(layer) if game.layers().contains(&layer) => (vec![layer], all),
            Some(layer) => {
                return Err(Problem::usage(format!(
                    "layer {layer} is none of {}: its layers are {} to {}",
                    game.name(),
                    game.layers().start(),
                    game.layers().end()
                )));
            }
            None => {
                let layers = at_hand(set, asked.has_plies())
                    .map_err(|problem| instead(app, set, client, asked.has_plies(), problem))?;
                (layers, all / LAYERS_TRIED)
            }
        };
        if asked.longest {
            return served(app, set, &draw.longest(&layers)?, None);
        }
        // Solving the game first does not consume the time for drawing.
        if let Some(&layer) = layers.first() {
            set.find(layer, Metric::Wdl)?;
            set.index(layer);
        }
        let turn = app.tasks.turn();
        let limit = if turn.is_some() { LONGEST } else { BRIEF };
        let until = asked.draws.is_none().then(|| Instant::now() + limit);
        for _ in 0..all / draws {
            let layer = layers[draw.random.below(layers.len())];
            if let Some(position) = draw.of_layer(layer, draws, until)? {
                return served(app, set, &position, None);
            }
        }
        // Distances that cannot be read may be the reason.
        if asked.has_plies()
            && let Some((_, error)) = layers.iter().flat_map(|&layer| set.tables.lost(layer)).next()
        {
            return Err(error.clone().into());
        }
        Err(Problem::missing("no such position was found among those drawn at random")
            .hint("ask for fewer plies, for another layer, or again"))
    })
}

impl Draw<'_> {
    /// Draws one of the longest wins in these layers.
    fn longest(&mut self, layers: &[u16]) -> Result<hunt::Position, Problem> {
        let game = &self.set.game;
        if self.outcome == Some(Outcome::Draw) {
            return Err(Problem::usage("a draw is no win, so it cannot be one of the longest"));
        }
        let found: HardestAnswer = serde_json::from_slice(longest_wins(self.set, true)?.body())
            .map_err(|error| malformed(&error))?;
        let of_layers = found.layers.iter().flatten().flat_map(|layer| layer.to_move.iter());
        let wins: Vec<&LongestAnswer> = match &found.layers {
            Some(_) => of_layers.flat_map(|(_, wins)| wins).collect(),
            None => found.longest.iter().collect(),
        };
        let mut positions = Vec::new();
        for example in wins.into_iter().flat_map(|win| &win.examples) {
            let position = game.parse_position(&example.rated.position)?;
            let layer = game.layer(&position);
            if !layers.contains(&layer)
                || self.to_move.is_some_and(|side| side != position.to_move())
            {
                continue;
            }
            let values = self.set.find(layer, Metric::Wdl)?;
            if self.accepts(&values, &position)? {
                positions.push(position);
            }
            self.app.metrics.probes.add(1);
        }
        if positions.is_empty() {
            return Err(Problem::missing("none of the longest wins known here is like this")
                .hint("GET /api/v1/hardest lists them; leave out a condition"));
        }
        let position = &positions[self.random.below(positions.len())];
        Ok(game.image(position, self.random.below(game.symmetries())))
    }

    /// Draws positions of a layer until one is as requested.
    fn of_layer(
        &mut self,
        layer: u16,
        draws: u32,
        until: Option<Instant>,
    ) -> Result<Option<hunt::Position>, Problem> {
        let game = &self.set.game;
        let values = self.set.find(layer, Metric::Wdl)?;
        let index = self.set.index(layer);
        let to_move = self.to_move.map_or(Side::BOTH.to_vec(), |side| vec![side]);
        for _ in 0..draws {
            if until.is_some_and(|until| Instant::now() > until) {
                break;
            }
            let Some(position) = self.random.position(game, &index, &to_move) else { break };
            if game.terminal(&position).is_some() {
                continue;
            }
            self.app.metrics.probes.add(1);
            if self.accepts(&values, &position)? {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    /// Whether a position has the requested outcome, distance, and moves.
    fn accepts(&self, values: &Values, position: &hunt::Position) -> Result<bool, Problem> {
        let (game, asked) = (&self.set.game, self.asked);
        let value = values.value(position)?;
        if self.outcome.is_some_and(|wanted| game.winner(wanted) != game.winner(value.outcome))
            || !asked.accepts(value.plies)
        {
            return Ok(false);
        }
        if !asked.only_move && !asked.quiet {
            return Ok(true);
        }
        let moves = values.probe_moves(game, position)?;
        Ok((!asked.only_move || is_only_move(game, position, value, &moves))
            && (!asked.quiet || is_quiet(game, &moves)))
    }
}

/// Whether no best move captures or ends the game, or a worse one does, too. The moves are sorted,
/// best first.
fn is_quiet(game: &Hunt, moves: &[RatedMove]) -> bool {
    let best = moves.iter().take_while(|rated| rated.value == moves[0].value).count();
    // In every notation a capture has an x.
    let is_loud = |rated: &RatedMove| {
        game.outcome_after(&rated.next).is_some() || game.format_move(&rated.mv).contains('x')
    };
    let (best, worse) = moves.split_at(best);
    !best.iter().any(is_loud) || worse.iter().any(is_loud)
}

/// The outcome of a name.
fn outcome_of(game: &Hunt, name: &str) -> Result<Outcome, Problem> {
    let mut all = Outcome::ALL.to_vec();
    let mut names: Vec<&str> = all.iter().map(|&outcome| outcome_name(game, outcome)).collect();
    if game.endless().is_some() {
        // Nothing is drawn.
        names.remove(1);
        all.remove(1);
    }
    match names.iter().position(|known| *known == name) {
        Some(at) => Ok(all[at]),
        None => Err(Problem::usage(format!(
            "no outcome is called {name:?}; write {}",
            names.join(", ")
        ))),
    }
}

/// The side of a name.
fn side_of(game: &Hunt, name: &str) -> Result<Side, Problem> {
    game.side_named(name).ok_or_else(|| {
        let names = Side::BOTH.map(|side| game.side_name(side)).join(" or ");
        Problem::usage(format!("no side is called {name:?}; write {names}"))
    })
}

/// The layers served: those with distances, if there are any or they are needed.
fn at_hand(set: &Set, needs_distances: bool) -> Result<Vec<u16>, Problem> {
    let game = &set.game;
    let at_hand = [set.layers_with(Metric::Dtw), set.solved_layers(), set.layers_with(Metric::Wdl)];
    let kinds = if needs_distances { 2 } else { 3 };
    at_hand.into_iter().take(kinds).find(|layers| !layers.is_empty()).ok_or_else(|| {
        let what = if needs_distances { "no distance is" } else { "nothing is" };
        Problem::missing(format!("{what} known of {} here", set_text(game))).hint(SOLVE_FIRST)
    })
}

/// Whether exactly one of several moves keeps a win, by endless play, too, or else a draw, for the
/// side to move.
fn is_only_move(game: &Hunt, position: &hunt::Position, value: Value, moves: &[RatedMove]) -> bool {
    let winner = game.winner(value.outcome);
    let keeps =
        |rated: &&RatedMove| rated.value.is_some_and(|after| game.winner(after.outcome) == winner);
    let is_lost = winner == Some(position.to_move().other());
    let all_known = moves.iter().all(|rated| rated.value.is_some());
    !is_lost && all_known && moves.len() > 1 && moves.iter().filter(keeps).count() == 1
}

//! Positions drawn at random: puzzles.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::slice;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anser_analyse::Random;
use anser_core::{Hunt, Outcome, Probe, RatedMove, Side, Value, hunt};
use anser_games::Values;
use anser_games::answers::{HardestAnswer, LongestAnswer, outcome_name};
use anser_table::Metric;
use serde::Deserialize;

use super::layers::longest_wins;
use super::probe::served;
use crate::app::App;
use crate::kept::malformed;
use crate::problem::Problem;
use crate::reply::{Keep, Reply};
use crate::store::Set;

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
#[serde(deny_unknown_fields)]
pub(crate) struct RandomQuery {
    pub(crate) game: String,
    pub(crate) rules: Option<String>,
    pub(crate) layer: Option<u16>,
    pub(crate) outcome: Option<String>,
    pub(crate) to_move: Option<String>,
    pub(crate) min_plies: Option<u16>,
    pub(crate) max_plies: Option<u16>,
    /// Exactly one move keeps the outcome.
    #[serde(default)]
    pub(crate) only_move: bool,
    /// No best move captures or ends the game, unless a worse one does, too.
    #[serde(default)]
    pub(crate) quiet: bool,
    /// One of the longest wins.
    #[serde(default)]
    pub(crate) longest: bool,
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

/// The parsed query.
#[derive(Clone, Copy)]
struct Wanted {
    outcome: Option<Outcome>,
    to_move: Option<Side>,
}

/// `GET /api/v1/random`.
pub(crate) fn random(app: &App, asked: &RandomQuery) -> Result<Reply, Problem> {
    app.with_set(&asked.game, asked.rules.as_deref(), |set| {
        let game = &set.game;
        let wanted = Wanted {
            outcome: asked.outcome.as_deref().map(|name| outcome_of(game, name)).transpose()?,
            to_move: asked.to_move.as_deref().map(|name| side_of(game, name)).transpose()?,
        };
        let mut random = Random::new(asked.seed.unwrap_or_else(|| RandomState::new().hash_one(0)));
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
            None => (at_hand(set, asked.has_plies() || asked.longest)?, all / LAYERS_TRIED),
        };
        if asked.longest {
            let position = longest(app, set, asked, (&layers, wanted), &mut random)?;
            return Reply::new(&served(app, set, &position, None)?, Keep::Not);
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
            let layer = layers[random.below(layers.len())];
            if let Some(position) =
                draw(app, set, asked, (layer, wanted), &mut random, draws, until)?
            {
                return Reply::new(&served(app, set, &position, None)?, Keep::Not);
            }
        }
        // Distances that cannot be read may be the reason.
        if asked.has_plies()
            && let Some((_, error)) =
                layers.iter().flat_map(|&layer| set.tables().lost(layer)).next()
        {
            return Err(error.clone().into());
        }
        Err(Problem::missing("no such position was found among those drawn at random")
            .hint("ask for fewer plies, for another layer, or again"))
    })
}

/// Draws one of the longest wins in these layers.
fn longest(
    app: &App,
    set: &Arc<Set>,
    asked: &RandomQuery,
    (layers, wanted): (&[u16], Wanted),
    random: &mut Random,
) -> Result<hunt::Position, Problem> {
    let game = &set.game;
    if wanted.outcome == Some(Outcome::Draw) {
        return Err(Problem::usage("a draw is no win, so it cannot be one of the longest"));
    }
    let found: HardestAnswer = serde_json::from_slice(longest_wins(set, true)?.body())
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
        if !layers.contains(&layer) || wanted.to_move.is_some_and(|side| side != position.to_move())
        {
            continue;
        }
        let values = set.find(layer, Metric::Wdl)?;
        if is_as_asked(game, &values, asked, wanted, &position)? {
            positions.push(position);
        }
        app.metrics.probes.add(1);
    }
    if positions.is_empty() {
        return Err(Problem::missing("none of the longest wins known here is like this")
            .hint("GET /api/v1/hardest lists them; leave out a condition"));
    }
    let position = &positions[random.below(positions.len())];
    Ok(game.image(position, random.below(game.symmetries())))
}

/// Whether a position has the requested outcome, distance, and moves.
fn is_as_asked(
    game: &Hunt,
    values: &Values,
    asked: &RandomQuery,
    wanted: Wanted,
    position: &hunt::Position,
) -> Result<bool, Problem> {
    let value = values.value(position)?;
    if wanted.outcome.is_some_and(|wanted| game.winner(wanted) != game.winner(value.outcome))
        || !asked.accepts(value.plies)
    {
        return Ok(false);
    }
    if !asked.only_move && !asked.quiet {
        return Ok(true);
    }
    let moves = values.probe_moves(game, position)?;
    Ok((!asked.only_move || is_only_move(position, value, &moves))
        && (!asked.quiet || is_quiet(game, &moves)))
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

/// Draws positions of a layer until one has the requested properties.
fn draw(
    app: &App,
    set: &Set,
    asked: &RandomQuery,
    (layer, wanted): (u16, Wanted),
    random: &mut Random,
    draws: u32,
    until: Option<Instant>,
) -> Result<Option<hunt::Position>, Problem> {
    let game = &set.game;
    let values = set.find(layer, Metric::Wdl)?;
    let index = set.index(layer);
    let to_move = wanted.to_move.as_ref().map_or(&Side::BOTH[..], slice::from_ref);
    for _ in 0..draws {
        if until.is_some_and(|until| Instant::now() > until) {
            break;
        }
        let Some(position) = random.position(game, &index, to_move) else { break };
        if game.terminal(&position).is_some() {
            continue;
        }
        app.metrics.probes.add(1);
        if is_as_asked(game, &values, asked, wanted, &position)? {
            return Ok(Some(position));
        }
    }
    Ok(None)
}

/// The outcome of a name.
fn outcome_of(game: &Hunt, name: &str) -> Result<Outcome, Problem> {
    let mut all = vec![Outcome::Win(Side::First), Outcome::Draw, Outcome::Win(Side::Second)];
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
    Side::BOTH.into_iter().find(|&side| game.side_name(side) == name).ok_or_else(|| {
        let names = Side::BOTH.map(|side| game.side_name(side)).join(" or ");
        Problem::usage(format!("no side is called {name:?}; write {names}"))
    })
}

/// The layers served: those with distances, if there are any or they are needed.
fn at_hand(set: &Set, needs_distances: bool) -> Result<Vec<u16>, Problem> {
    let game = &set.game;
    let with = |metric| game.layers().filter(|&layer| set.has(layer, metric)).collect();
    let at_hand: [Vec<u16>; 3] = [with(Metric::Dtw), set.solved_layers(), with(Metric::Wdl)];
    let kinds = if needs_distances { 2 } else { 3 };
    at_hand.into_iter().take(kinds).find(|layers| !layers.is_empty()).ok_or_else(|| {
        let (name, rules) = (game.name(), game.rules_id());
        let what = if needs_distances { "no distance is" } else { "nothing is" };
        Problem::missing(format!("{what} known of {name} (rules {rules}) here"))
            .hint("GET /api/v1/games lists what is")
    })
}

/// Whether exactly one of several moves keeps a win, or else a draw, for the side to move.
fn is_only_move(position: &hunt::Position, value: Value, moves: &[RatedMove]) -> bool {
    let side = position.to_move();
    let keeps =
        |rated: &&RatedMove| rated.value.is_some_and(|after| after.outcome == value.outcome);
    let is_lost = value.outcome == Outcome::Win(side.other());
    let all_known = moves.iter().all(|rated| rated.value.is_some());
    !is_lost && all_known && moves.len() > 1 && moves.iter().filter(keeps).count() == 1
}

//! Whole layers and whole games.

use std::sync::{Arc, PoisonError};

use anser_analyse::{WholeCensus, hardest as hardest_of};
use anser_core::Side;
use anser_core::prelude::*;
use anser_games::Values;
use anser_games::answers::{CensusAnswer, HardestAnswer, LongestAnswer, StatsAnswer};
use serde::Deserialize;

use crate::http::App;
use crate::problem::Problem;
use crate::reply::{Keep, Reply};
use crate::store::Set;

/// Number of positions that are listed of the longest wins of a side.
const LISTED: usize = 3;

/// A game under a rule set.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetQuery {
    pub(crate) game: String,
    pub(crate) rules: Option<String>,
}

/// The longest wins of a game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HardestQuery {
    pub(crate) game: String,
    pub(crate) rules: Option<String>,
    #[serde(default)]
    pub(crate) all: bool,
}

/// `GET /api/v1/stats`.
pub(crate) fn stats(app: &App, asked: &SetQuery) -> Result<Reply, Problem> {
    app.with_set(&asked.game, asked.rules.as_deref(), |set| {
        let body = kept(set, "stats", || {
            let game = &set.game;
            let found = app.store.statistics(game)?;
            if found.layers.is_empty() {
                let (name, rules) = (game.name(), game.rules_id());
                return Err(Problem::missing(format!(
                    "there are no tables of {name} (rules {rules}) here"
                ))
                .hint("GET /api/v1/census counts the positions of small games"));
            }
            let layers = found.layers.iter().map(|layer| layer.answer(game)).collect();
            let answer = StatsAnswer { game: game.name(), rules: game.rules_id(), layers };
            Reply::new(&answer, Keep::Now)
        })?;
        Ok(Reply::written(body, Keep::Now))
    })
}

/// `GET /api/v1/census`.
pub(crate) fn census(app: &App, asked: &SetQuery) -> Result<Reply, Problem> {
    app.with_set(&asked.game, asked.rules.as_deref(), |set| {
        let body = kept(set, "census", || {
            require_small(set)?;
            let WholeCensus { reachable, all } = set.census(app.memory / 2)?;
            let all = all.and_then(Result::ok);
            let game = &set.game;
            let answer = CensusAnswer::new(game, &game.start(), &reachable, all.as_ref());
            Reply::new(&answer, Keep::Known)
        })?;
        Ok(Reply::written(body, Keep::Known))
    })
}

/// `GET /api/v1/hardest`.
pub(crate) fn hardest(app: &App, asked: &HardestQuery) -> Result<Reply, Problem> {
    let name = if asked.all { "hardest of all" } else { "hardest" };
    app.with_set(&asked.game, asked.rules.as_deref(), |set| {
        let body = kept(set, name, || {
            require_small(set)?;
            let game = &set.game;
            let reachable;
            let whole;
            let solution = if asked.all {
                whole = app.store.whole(set)?;
                match whole.values()? {
                    Values::Solution(solution) => solution,
                    Values::Tables(_) => return Err(Problem::busy("the game is being solved")),
                }
            } else {
                let limits = anser_analyse::Limits { memory: app.memory / 2, ..Default::default() };
                reachable = game.solution(&game.start(), &limits)?;
                &reachable
            };
            let mut longest = Vec::new();
            for winner in Side::BOTH {
                if let Some(found) = hardest_of(solution, winner, None, LISTED) {
                    longest.push(LongestAnswer::new(game, &found, solution)?);
                }
            }
            let position = (!asked.all).then(|| game.format_position(&game.start()));
            let (name, rules) = (game.name(), game.rules_id());
            let answer = HardestAnswer { game: name, rules, position, longest, layers: None };
            Reply::new(&answer, Keep::Known)
        })?;
        Ok(Reply::written(body, Keep::Known))
    })
}

/// Whether the whole game is small enough to be solved for an answer.
fn require_small(set: &Set) -> Result<(), Problem> {
    if set.is_small() {
        return Ok(());
    }
    let (game, rules) = (set.game.name(), set.game.rules_id());
    Err(Problem::missing(format!("{game} (rules {rules}) is too large for this question here"))
        .hint("GET /api/v1/stats has the counts of its layers, and the longest wins of tables of distances"))
}

/// Returns an answer that takes long, from the first time it was found on.
fn kept(
    set: &Arc<Set>,
    name: &'static str,
    find: impl FnOnce() -> Result<Reply, Problem>,
) -> Result<Vec<u8>, Problem> {
    let get = || {
        let kept = set.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(name).map(|body| body.to_vec())
    };
    if let Some(body) = get() {
        return Ok(body);
    }
    let body = find()?.body().to_vec();
    let mut kept = set.kept.lock().unwrap_or_else(PoisonError::into_inner);
    kept.insert(name, Arc::new(body.clone()));
    Ok(body)
}

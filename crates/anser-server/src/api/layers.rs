//! Whole layers and whole games.

use anser_games::answers::{LayerAnswer, StatsAnswer};
use anser_games::is_solved_on_the_spot;
use anser_table::{Metric, TableError};
use serde::{Deserialize, Serialize};

use super::probe::unusable;
use super::solving::instead;
use crate::answers::{ServedCensus, ServedHardest, ServedStats};
use crate::app::App;
use crate::clients::Client;
use crate::kept::KeptRun;
use crate::problem::Problem;
use crate::reply::{Keep, Reply};
use crate::store::{Set, set_text};
use crate::task::Work;

/// A game under a rule set.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct SetQuery {
    /// The game, with its size if it has sizes: fox-geese, fox-hounds:8.
    pub(crate) game: String,
    /// The rule set; the game's default if left out.
    pub(crate) rules: Option<String>,
}

/// The longest wins of a game.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct HardestQuery {
    /// The game, with its size if it has sizes: fox-geese, fox-hounds:8.
    pub(crate) game: String,
    /// The rule set; the game's default if left out.
    pub(crate) rules: Option<String>,
    /// All positions instead of the reachable ones; kept results are always of all positions.
    #[serde(default)]
    pub(crate) all: bool,
}

/// The hint where nothing is known of a game.
pub(super) const SOLVE_FIRST: &str =
    "solve it with `anser solve`, and serve the directory with its tables";

/// `GET /api/v1/stats`.
pub(crate) fn stats(app: &App, client: Option<Client>, asked: &SetQuery) -> Result<Reply, Problem> {
    app.with_set(&asked.game, asked.rules.as_deref(), |set| {
        set.kept("stats", || {
            let game = &set.game;
            let found = app.store.statistics(game)?;
            let is_lost = |(layer, metric, _): &&(u16, Metric, TableError)| {
                let mut layers = found.layers.iter();
                layers.all(|counted| counted.layer != *layer || counted.of(*metric).is_none())
            };
            let lost: Vec<_> = found.rejected.iter().filter(is_lost).cloned().collect();
            let mut layers: Vec<LayerAnswer> =
                found.layers.iter().map(|layer| layer.answer(game)).collect();
            let mut kept = Vec::new();
            if let Some(run) = KeptRun::of(game) {
                for layer in run.layers(game)? {
                    if layers.iter().all(|other| other.layer != layer.layer) {
                        kept.push(layer.layer);
                        layers.push(layer);
                    }
                }
                layers.sort_by_key(|layer| layer.layer);
            }
            if layers.is_empty() {
                if let Some((.., error)) = lost.first() {
                    return Err(error.clone().into());
                }
                let problem =
                    Problem::missing(format!("there are no tables of {} here", set_text(game)));
                return Err(if set.whole().is_some() {
                    problem.hint("GET /api/v1/census counts its positions")
                } else {
                    instead(app, set, client, false, problem.hint(SOLVE_FIRST))
                });
            }
            let stats =
                StatsAnswer { game: game.name().into(), rules: game.rules_id().into(), layers };
            let unknown = unusable(app, &lost);
            Reply::new(&ServedStats { stats, kept, unknown }, Keep::Now)
        })
    })
}

/// `GET /api/v1/census`.
pub(crate) fn census(app: &App, asked: &SetQuery) -> Result<Reply, Problem> {
    app.with_set(&asked.game, asked.rules.as_deref(), |set| {
        kept_answer(set, Work::Census, |run| {
            Ok(ServedCensus { census: run.census(&set.game)?, kept: run.numbers()? })
        })
    })
}

/// `GET /api/v1/hardest`.
pub(crate) fn hardest(app: &App, asked: &HardestQuery) -> Result<Reply, Problem> {
    app.with_set(&asked.game, asked.rules.as_deref(), |set| longest_wins(set, asked.all))
}

/// Returns the answer of `/hardest`: the longest wins of all positions, or of the reachable ones.
/// Kept results are always of all positions.
pub(super) fn longest_wins(set: &Set, all: bool) -> Result<Reply, Problem> {
    kept_answer(set, Work::Hardest { all }, |run| {
        Ok(ServedHardest { hardest: run.hardest(&set.game)?, kept: run.numbers()? })
    })
}

/// Returns the answer to a question about a whole game: for a game that is neither solved on the
/// spot nor has tables of distances that are counted, from its kept distances.
fn kept_answer<A: Serialize>(
    set: &Set,
    work: Work,
    answer: impl FnOnce(&KeptRun) -> Result<A, Problem>,
) -> Result<Reply, Problem> {
    set.kept(work.name(), || {
        if set.whole().is_some() {
            return Err(Problem::needs(set.task(work)));
        }
        match KeptRun::of(&set.game) {
            Some(run) if run.has_distances() => Reply::new(&answer(&run)?, Keep::Now),
            _ if is_solved_on_the_spot(&set.game) => Err(Problem::missing(format!(
                "this question about {} needs raw tables of distances of all layers",
                set_text(&set.game)
            ))
            .hint(
                "where missing layers are solved, GET /api/v1/probe of its starting position \
                 starts to solve them: outcomes, and distances when it is asked again after that",
            )),
            run => Err(Problem::missing(format!(
                "{} is too large for this question, and no results of a full run are kept",
                set_text(&set.game)
            ))
            .hint(if run.is_some() || !set.layers_with(Metric::Wdl).is_empty() {
                "GET /api/v1/stats has the counts of its layers, and the longest wins of tables \
                 of distances"
            } else {
                SOLVE_FIRST
            })),
        }
    })
}

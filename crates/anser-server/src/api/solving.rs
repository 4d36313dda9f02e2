//! The layers that the server solves.

use anser_table::Metric;

use super::games::GamesQuery;
use crate::answers::{SolvingLayers, SolvingState};
use crate::app::App;
use crate::clients::Client;
use crate::problem::Problem;
use crate::reply::{Keep, Reply};
use crate::solving::Solver;
use crate::store::{Set, set_text};

/// Requests a layer of a game of which nothing is known: that of the start or, where the server does
/// not solve that, the lowest one. Returns the answer meanwhile, or `problem` with the reason.
pub(super) fn instead(
    app: &App,
    set: &Set,
    client: Option<Client>,
    needs_distances: bool,
    problem: Problem,
) -> Problem {
    let Some((solver, client)) = app.solver.as_ref().zip(client) else { return problem };
    let game = &set.game;
    let mut reason = None;
    for layer in [game.layer(&game.start()), *game.layers().start()] {
        let is_missing = |&metric: &Metric| !set.tables.has_values(layer, metric);
        let metrics = [Metric::Wdl, Metric::Dtw];
        let metric = metrics.into_iter().take(1 + usize::from(needs_distances)).find(is_missing);
        let Some(metric) = metric else { continue };
        let work = solver.request_layer(client, game, layer, metric);
        match work.state {
            SolvingState::Running | SolvingState::Queued => {
                let done = work.progress.map(|share| format!(", {:.0} % done", 100.0 * share));
                let what = format!("layer {layer} of {} is being solved", set_text(game));
                let seconds = work.seconds_left.map_or(1.0, |left| (left / 4.0).clamp(1.0, 5.0));
                return Problem::busy(what + &done.unwrap_or_default()).after(seconds as u32);
            }
            SolvingState::Refused | SolvingState::Failed => {
                let why = [work.reason, work.command.map(|command| format!("`{command}`"))];
                reason = reason.or(Some(why.into_iter().flatten().collect::<Vec<_>>().join(": ")));
            }
        }
    }
    match reason {
        Some(reason) => problem.hint(reason),
        None => problem,
    }
}

/// `GET /api/v1/solving`.
pub(crate) fn solving(app: &App, asked: &GamesQuery) -> Result<Reply, Problem> {
    let mut layers = app.solver.as_deref().map(Solver::list).unwrap_or_default();
    if let Some(name) = &asked.game {
        let game = app.store.registry.game(name, None)?;
        layers.retain(|layer| layer.game == game.name());
    }
    Reply::new(&SolvingLayers { layers }, Keep::Not)
}

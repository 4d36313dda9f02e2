//! The layers that the server solves.

use anser_table::Metric;

use super::games::GamesQuery;
use crate::answers::{SolvingLayers, SolvingState};
use crate::app::App;
use crate::clients::Client;
use crate::problem::Problem;
use crate::reply::{Keep, Reply};
use crate::solving::{FULL, Solver};
use crate::store::{Set, set_text};

/// Requests a layer of a game of which nothing is known: that of the start, or the lowest one if
/// the server does not solve that. Returns the answer meanwhile, or `problem` with the reason.
pub(super) fn instead(
    app: &App,
    set: &Set,
    client: Option<Client>,
    needs_distances: bool,
    mut problem: Problem,
) -> Problem {
    let Some((solver, client)) = app.solver.as_ref().zip(client) else { return problem };
    let game = &set.game;
    let mut refused = None;
    for layer in [game.layer(&game.start()), *game.layers().start()] {
        let is_missing = |&metric: &Metric| !set.tables.has_values(layer, metric);
        let metrics = [Metric::Wdl, Metric::Dtw];
        let metric = metrics.into_iter().take(1 + usize::from(needs_distances)).find(is_missing);
        let Some(metric) = metric else { continue };
        let Some(work) = solver.request_layer(client, game, layer, metric) else {
            return Problem::busy(FULL);
        };
        let what = format!("layer {layer} of {}", set_text(game));
        match work.state {
            SolvingState::Running => {
                let done = work.progress.map(|share| format!(", {:.0} % done", 100.0 * share));
                let seconds = work.seconds_left.map_or(1.0, |left| (left / 4.0).clamp(1.0, 5.0));
                let what = format!("{what} is being solved{}", done.unwrap_or_default());
                return Problem::busy(what).after(seconds as u32);
            }
            SolvingState::Queued => {
                return Problem::busy(format!("{what} waits to be solved"));
            }
            SolvingState::Refused | SolvingState::Failed => {
                refused = refused.or(Some((work.reason, work.command)));
            }
        }
    }
    if let Some((reason, command)) = refused {
        if let Some(reason) = reason {
            problem.error.message = format!("{}: {reason}", problem.error.message);
        }
        if let Some(command) = command {
            let hint = format!("`{command}` solves it; serve the directory with its tables");
            return problem.hint(hint);
        }
    }
    problem
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

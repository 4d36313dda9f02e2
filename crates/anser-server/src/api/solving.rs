//! The layers that the server solves.

use super::games::GamesQuery;
use crate::answers::SolvingLayers;
use crate::app::App;
use crate::problem::Problem;
use crate::reply::{Keep, Reply};
use crate::solving::Solver;

/// `GET /api/v1/solving`.
pub(crate) fn solving(app: &App, asked: &GamesQuery) -> Result<Reply, Problem> {
    let mut layers = app.solver.as_deref().map(Solver::list).unwrap_or_default();
    if let Some(name) = &asked.game {
        let game = app.store.registry.game(name, None)?;
        layers.retain(|layer| layer.game == game.name());
    }
    Reply::new(&SolvingLayers { layers }, Keep::Not)
}

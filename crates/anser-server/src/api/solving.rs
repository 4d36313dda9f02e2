//! The layers that the server solves.

use serde::Deserialize;

use crate::answers::SolvingLayers;
use crate::app::App;
use crate::problem::Problem;
use crate::reply::{Keep, Reply};

/// Selection of games.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SolvingQuery {
    game: Option<String>,
}

/// `GET /api/v1/solving`.
pub(crate) fn solving(app: &App, asked: &SolvingQuery) -> Result<Reply, Problem> {
    let mut layers = app.solver.as_ref().map(|solver| solver.list()).unwrap_or_default();
    if let Some(name) = &asked.game {
        let game = app.store.registry.game(name, None)?;
        layers.retain(|layer| layer.game == game.name());
    }
    Reply::new(&SolvingLayers { layers }, Keep::Not)
}

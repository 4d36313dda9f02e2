//! The engines of games with some structure, chosen by what their descriptions say.

use std::sync::Arc;

use anser_core::Hunt;
use anser_table::Metric;

use super::cross::Cross;
use super::engine::Engine;
use super::rows::Rows;
use super::sets::Sets;

/// Returns the engines for a game, fastest first. The general ones solve the rest.
///
/// # Errors
/// Why there are none, to be read after "because of".
pub(super) fn engines(game: &Hunt) -> Result<Vec<Arc<dyn Engine>>, &'static str> {
    if game.cross().is_some() {
        return Ok(vec![Arc::new(Cross::new(Metric::Wdl)), Arc::new(Cross::new(Metric::Dtw))]);
    }
    if game.rows().is_some() {
        return Ok(vec![Arc::new(Rows::new())]);
    }
    Ok(vec![Arc::new(Sets::of(game)?)])
}

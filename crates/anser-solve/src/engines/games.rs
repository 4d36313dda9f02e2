//! The engines of games with some structure, chosen by what their descriptions say.

use anser_core::Hunt;
use anser_table::Metric;

use super::cross::Cross;
use super::engine::Engine;
use super::rows::Rows;
use super::sets::Sets;

/// Returns the engines for a game, fastest first. The general ones solve the rest.
pub(super) fn engines(game: &Hunt) -> Vec<Box<dyn Engine>> {
    if game.cross().is_some() {
        vec![Box::new(Cross::new(Metric::Wdl)), Box::new(Cross::new(Metric::Dtw))]
    } else if game.rows().is_some() {
        vec![Box::new(Rows::new())]
    } else if let Some(sets) = Sets::of(game) {
        vec![Box::new(sets)]
    } else {
        Vec::new()
    }
}

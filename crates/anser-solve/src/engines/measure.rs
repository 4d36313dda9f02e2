//! The speed of this machine, for estimates.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

use anser_core::{LayerIndex, Next, Side};

use crate::layer::LayerOf;

/// Measures the seconds that one thread takes to generate and rank the moves of one position.
pub(crate) fn seconds_per_look(of: LayerOf<'_>) -> f64 {
    // The first call fills tables and caches.
    look_around(of);
    let started = Instant::now();
    let looks = look_around(of);
    started.elapsed().as_secs_f64() / looks.max(1) as f64
}

/// Generates and ranks the moves of positions spread evenly over a layer; returns the number of
/// positions.
fn look_around(LayerOf { game, layer, index }: LayerOf<'_>) -> u64 {
    const LOOKS: u64 = 5_000;
    let mut looks = 0;
    for side in Side::BOTH {
        let len = index.len(side);
        let count = LOOKS.min(len);
        for look in 0..count {
            let position =
                index.unrank(side, (u128::from(look) * u128::from(len) / u128::from(count)) as u64);
            let _ = game.visit_successors(&position, |_, next| {
                if let Next::Position(next) = next
                    && game.layer(&next) == layer
                {
                    black_box(index.rank(&next));
                }
                ControlFlow::<()>::Continue(())
            });
        }
        looks += count;
    }
    looks
}

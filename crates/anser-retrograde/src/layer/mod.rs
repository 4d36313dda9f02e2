//! Retrograde analysis of one layer: the exact values of its classes, from those of lower layers.
//!
//! If the moves of at most one side can stay in the layer, one pass per side suffices (`passes`).
//! Otherwise the layer is loopy and is solved by rounds, one per distance (`rounds`).
//!
//! [`solve`] asks its [`Context`] for the values of lower layers, so these may be in memory or in
//! tables. A context can also save the state of the rounds and resume from it.

mod first_look;
mod passes;
mod rounds;
mod seed;
mod task;

use anser_core::BySide;

pub use self::first_look::{FirstLook, Scan, first_look};
use self::rounds::Rounds;
pub use self::task::{Context, Layer, LayerCodes, Round, Saved, TooLong};

/// Solves a layer with all threads of the current Rayon pool.
///
/// ```
/// use anser_core::hunt::Position;
/// use anser_core::{BySide, Dtw, Hunt, LayerIndex, Side};
/// use anser_retrograde::RankedSet;
/// use anser_retrograde::layer::{Context, Layer, TooLong, solve};
///
/// /// No layer is below the lowest one.
/// struct Lowest;
///
/// impl Context for Lowest {
///     type Error = TooLong;
///
///     fn below(&self, _: &Position) -> Result<Dtw, TooLong> {
///         unreachable!("no move leaves the lowest layer")
///     }
///
///     fn check_interrupt(&self) -> Result<(), TooLong> {
///         Ok(())
///     }
/// }
///
/// let game = Hunt::default();
/// let number = *game.layers().start();
/// let index = game.index(number);
/// let all = BySide::from_fn(|side| RankedSet::All(index.len(side)));
/// let layer = Layer { game: &game, number, index: &index, classes: all.as_ref() };
/// let solved = solve(&layer, &Lowest)?;
/// assert_eq!(solved.codes[Side::First].len() as u64, index.len(Side::First));
/// # Ok::<(), TooLong>(())
/// ```
///
/// # Errors
/// Those of `context`, and [`TooLong`].
pub fn solve<C: Context>(layer: &Layer<'_>, context: &C) -> Result<LayerCodes, C::Error> {
    if layer.game.is_loopy(layer.number) {
        Rounds::new(layer, context).run()
    } else {
        passes::solve(layer, context)
    }
}

/// Returns the bytes that [`Context::save`] is called with at most, apart from a few.
pub fn saved_len(loopy: bool, classes: BySide<u64>) -> u64 {
    if loopy { memory(loopy, classes) } else { 0 }
}

/// Returns the memory in bytes that [`solve`] takes for a layer of `classes`, values included.
pub fn memory(loopy: bool, classes: BySide<u64>) -> u64 {
    let of_side = |(_, classes): (_, u64)| {
        let sets = if loopy { rounds::SETS * 8 * classes.div_ceil(64) } else { 0 };
        classes.saturating_mul(2).saturating_add(sets)
    };
    classes.into_iter().map(of_side).fold(0, u64::saturating_add)
}

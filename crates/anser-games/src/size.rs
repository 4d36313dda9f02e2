//! Size of a game below a position, which decides whether it is solved in memory on demand, and
//! whether a game is solved on the spot.

use std::ops::RangeInclusive;
use std::time::Duration;
use std::{env, process};

use anser_core::{Hunt, hunt};
use anser_solve::{Estimate, SolveOptions, threads_of};
use anser_table::Metric;

/// Longest estimated time in which a game is solved on the spot, without tables that were made
/// before.
pub const ON_THE_SPOT: Duration = Duration::from_secs(10);

/// Estimates a run that is made on the spot; `None` if it takes longer, or if it is not possible.
pub fn plan_on_the_spot(game: &Hunt, options: &SolveOptions) -> Option<Estimate> {
    let estimate = anser_solve::plan(game, options).ok()?;
    estimate.check(&options.dir).ok()?;
    (estimate.time <= ON_THE_SPOT).then_some(estimate)
}

/// Whether all that play from the start can lead to is solved on the spot, with distances: in
/// memory, or into tables in a temporary directory.
///
/// The estimate of the time takes milliseconds, and is not made for games that are far too large.
///
/// ```
/// let registry = anser_games::Registry::standard();
/// let is_solved = |name| Ok::<_, anser_games::NameError>(
///     anser_games::is_solved_on_the_spot(&registry.game(name, None)?)
/// );
/// assert!(is_solved("wolf-and-sheep")?);
/// assert!(!is_solved("asalto")?);
/// # Ok::<(), anser_games::NameError>(())
/// ```
pub fn is_solved_on_the_spot(game: &Hunt) -> bool {
    /// Classes that no engine solves in this time with one thread.
    const FAR_TOO_MANY: u64 = 2_000_000_000;
    let layer = game.layer(&game.start());
    let size = Size::of_layers(game, layer..=layer);
    if size.time() <= ON_THE_SPOT {
        return true;
    }
    if size.classes / FAR_TOO_MANY >= threads_of(None) as u64 {
        return false;
    }
    let options = SolveOptions {
        layers: Some(game.first_needed(layer)..=layer),
        metrics: Metric::Dtw.into(),
        // It does not exist, so that there are no tables in it.
        ..SolveOptions::new(env::temp_dir().join(format!("anser-on-the-spot-{}", process::id())))
    };
    plan_on_the_spot(game, &options).is_some()
}

/// The size of everything below a position: an upper bound of what play from it can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Symmetry classes of positions, roughly.
    pub classes: u64,
    /// Whether play can return to a position.
    pub is_loopy: bool,
}

impl Size {
    /// Games with at most this many classes are [small](Size::is_small), if play cannot return to a
    /// position and if it can: then solving takes longer.
    const SMALL: [u64; 2] = [4_000_000, 500_000];

    /// Classes that are solved in memory, and counted, in a second.
    const PER_SECOND: u64 = 500_000;

    /// Returns the size of the layers that play can lead to from a position.
    ///
    /// ```
    /// use anser_games::{Registry, Size};
    /// let of = |name| {
    ///     let game = Registry::standard().game(name, None).expect("there is such a game");
    ///     Size::below(&game, &game.start())
    /// };
    /// assert!(of("fox-hounds:8").is_small());
    /// assert!(!of("fox-geese").is_small());
    /// ```
    pub fn below(game: &Hunt, position: &hunt::Position) -> Size {
        let layer = game.layer(position);
        Size::of_layers(game, layer..=layer)
    }

    /// Returns the size of some layers of the game, and of the layers that play can lead to from
    /// them.
    pub fn of_layers(game: &Hunt, layers: RangeInclusive<u16>) -> Size {
        let layers = game.descent(layers);
        let is_loopy = layers.iter().any(|&layer| game.is_loopy(layer));
        let positions = |&layer: &u16| {
            let [first, second] = anser_core::Side::BOTH.map(|side| game.positions(layer, side));
            first.saturating_add(second)
        };
        let classes = layers.iter().map(positions).fold(0_u64, u64::saturating_add)
            / game.symmetries() as u64;
        Size { classes, is_loopy }
    }

    /// Returns roughly the time that it takes to solve all of it in memory and to count it.
    pub fn time(self) -> Duration {
        Duration::from_secs_f64(self.classes as f64 / Size::PER_SECOND as f64)
    }

    /// Returns roughly the memory that it takes, in bytes, if play can return to a position: for each
    /// class its positions as bits, its value, and those of them that the search has yet to expand.
    /// Otherwise 0: the layers are solved one after the other.
    pub fn loopy_bytes(self) -> u64 {
        const CLASS_BYTES: u64 = 4;
        if self.is_loopy { self.classes.saturating_mul(CLASS_BYTES) } else { 0 }
    }

    /// Whether all of it is solved in memory in about a second.
    pub fn is_small(self) -> bool {
        self.classes <= Size::SMALL[usize::from(self.is_loopy)]
    }
}

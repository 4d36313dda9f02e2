//! The positions that play can reach, without their values.

use anser_core::Hunt;
use anser_core::Side;
use anser_core::hunt::Position;

use crate::error::AnalyseError;
use crate::layer::Layer;
use crate::limits::Limits;
use crate::reach;
use crate::solution::Solution;

/// The positions that play from a root can reach, the root included. Questions about them take the
/// values from any [`Probe`](anser_core::Probe).
///
/// ```
/// use anser_core::Hunt;
/// use anser_retrograde::{Limits, Reachable};
///
/// let game = Hunt::fox_hounds(4, "escape")?;
/// let reachable = Reachable::from(&game, &game.start(), &Limits::default())?;
/// assert_eq!(reachable.len(), 83);
/// assert!(reachable.contains(&game.start()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reachable(Solution);

impl Reachable {
    /// Finds the positions that play from `root` can reach.
    ///
    /// # Errors
    /// [`AnalyseError::Memory`] if `limits` do not allow enough memory,
    /// [`AnalyseError::Interrupted`] if the observer interrupts.
    pub fn from(
        game: &Hunt,
        root: &Position,
        limits: &Limits<'_>,
    ) -> Result<Reachable, AnalyseError> {
        let layers = reach::reach(game, root, limits)?;
        Ok(Reachable(Solution::without_values(game, Some(*root), layers)))
    }

    /// Returns the game.
    pub fn game(&self) -> &Hunt {
        self.0.game()
    }

    /// Returns the position from which all others are reached.
    pub fn root(&self) -> Position {
        self.0.root().copied().unwrap_or_else(|| self.game().start())
    }

    /// Returns the number of positions, symmetric ones counted separately.
    pub fn len(&self) -> u64 {
        self.0.len()
    }

    /// Returns the number of symmetry classes with a position among them.
    pub fn classes(&self) -> u64 {
        self.0.classes()
    }

    /// Whether there are no positions, not even the root: it is none of the game.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether play can reach this position itself, not only a symmetric one.
    pub fn contains(&self, position: &Position) -> bool {
        self.0.find(position).is_some()
    }

    /// Returns the number of positions of a class that play can reach, by the rank of the class in
    /// its layer.
    pub fn members(&self, layer: u16, side: Side, rank: u64) -> u64 {
        let layer = self.0.ordinal(layer).map(|ordinal| &self.0.layers[ordinal]);
        let layer = layer.filter(|it| it.sides[side].classes.slot(rank).is_some());
        layer.map_or(0, |layer| layer.members(self.game(), side, rank))
    }

    /// Returns the layers in ascending order, with the classes of which play can reach a position.
    pub fn layers(&self) -> impl DoubleEndedIterator<Item = Layer<'_>> {
        self.0.layers.iter().map(|layer| layer.of(self.game()))
    }

    /// Returns where the class of a position is: its layer, as the place in
    /// [`layers`](Reachable::layers); the side to move; and its slot among the classes. `None` if
    /// play can reach no position of the class.
    #[inline]
    pub fn locate(&self, position: &Position) -> Option<(usize, Side, usize)> {
        self.0.locate(position)
    }
}

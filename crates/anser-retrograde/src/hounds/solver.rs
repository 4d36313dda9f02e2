//! The solver, and the values of its layers for tables.

use anser_core::hounds::{Color, Rows};
use anser_core::hunt::{Condition, PointSet};
use anser_core::{BySide, Dtw, Hunt, Side};

use super::sweep::{LayerCoords, LoneRows, Sweep};

/// The solver of a game of a lone man against a pack.
///
/// It holds tables of a few megabytes. Its methods work on the threads of the current Rayon pool.
///
/// ```
/// use anser_core::Hunt;
/// use anser_core::{Dtw, Side};
/// use anser_retrograde::{Limits, hounds::{HoundsOptions, HoundsSolver}};
///
/// let solver = HoundsSolver::new(&Hunt::fox_hounds(8, "escape")?).unwrap();
/// let report = solver.analyse(HoundsOptions::default(), &Limits::default())?;
/// assert_eq!(report.start, Dtw::win(Side::Second, 44));
/// assert_eq!(report.reachable.positions(), 709_868);
/// let games = report.games.unwrap();
/// assert_eq!(games.games().to_string(), "360552037329667882019232833884");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct HoundsSolver {
    /// The name of the game, with its size.
    pub(super) name: String,
    pub(super) names: EndNames,
    pub(super) sweep: Sweep,
    /// The lane of the lone man at the start.
    pub(super) start: usize,
    pub(super) usual_start: bool,
    /// The start, in the notation of the game.
    pub(super) start_text: String,
}

/// The words for the ends of a game, as in [`Hunt::ending`].
#[derive(Clone, Debug, Default)]
pub(super) struct EndNames {
    /// The side is blocked.
    pub(super) blocked: BySide<String>,
    /// The lone man has reached its goal.
    pub(super) goal: String,
}

impl HoundsSolver {
    /// Creates the solver of a game; `None` if it is not [in rows](Hunt::rows).
    pub fn new(game: &Hunt) -> Option<HoundsSolver> {
        let Rows { board, goal } = game.rows()?;
        let sweep = Sweep::new(board.width(), board.hounds(), board.color() == Color::Light, goal);
        let start = game.start();
        let (_, lane) = sweep.sets.board.lane(start.few().first()?.into());
        let mut names = EndNames::default();
        for rule in &game.description().ends {
            match rule.condition {
                Condition::Blocked(side) => names.blocked[side].clone_from(&rule.text),
                _ => names.goal.clone_from(&rule.text),
            }
        }
        Some(HoundsSolver {
            name: game.name().into(),
            names,
            sweep,
            start: lane,
            usual_start: start.to_move() == Side::First
                && start.many() == PointSet::first_points(board.hounds())
                && !(board.rows(1) & start.few()).is_empty(),
            start_text: game.format_position(&start),
        })
    }

    /// Whether play starts with the pack on the leftmost squares of the bottom row, and the lone man
    /// on an odd row and to move: [`analyse`](HoundsSolver::analyse) needs that.
    pub fn is_usual_start(&self) -> bool {
        self.usual_start
    }

    /// Computes all values of a layer and writes them to `out`: by side to move, in the order of
    /// the game's index, each converted by `encode`.
    ///
    /// `lower` are the rows of the layer below; `None` if there is no layer below. Returns the rows
    /// of this layer, for the layer above.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// use anser_core::LayerIndex;
    /// use anser_core::{Dtw, Side};
    /// use anser_retrograde::hounds::HoundsSolver;
    ///
    /// let game = Hunt::fox_hounds(4, "escape")?;
    /// let solver = HoundsSolver::new(&game).unwrap();
    /// let (mut rows, mut values) = (None, [Vec::new(), Vec::new()]);
    /// for layer in 0..=game.layer(&game.start()) {
    ///     values = Side::BOTH.map(|side| vec![Dtw::DRAW; game.index(layer).len(side) as usize]);
    ///     let [first, second] = &mut values;
    ///     rows = Some(solver.fill(layer, rows.as_ref(), [first, second], |value| value));
    /// }
    /// // The last layer is that of the start.
    /// let start = game.start();
    /// let entry = game.index(game.layer(&start)).rank(&start) as usize;
    /// assert_eq!(values[0][entry], Dtw::win(Side::Second, 8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such layer, if the lengths of `out` differ from those of its index, or if
    /// `lower` is not the layer below.
    pub fn fill<T: Copy + Send + Sync>(
        &self,
        layer: u16,
        lower: Option<&LoneRows>,
        out: [&mut [T]; 2],
        encode: impl Fn(Dtw) -> T,
    ) -> LoneRows {
        let coords = self.coords(layer);
        for (side, out) in Side::BOTH.into_iter().zip(&out) {
            assert_eq!(
                out.len() as u64,
                self.sweep.entries(coords, side),
                "as many values as layer {layer} has"
            );
        }
        let nothing = LoneRows::default();
        let below = self.sweep.below(coords);
        assert_eq!(
            lower.is_some(),
            below.is_some(),
            "the rows below, if and only if there are any"
        );
        let lower = lower.unwrap_or(&nothing);
        assert!(
            below.is_none_or(|below| self.sweep.belongs(lower, below)),
            "the rows of the layer below"
        );
        self.sweep.fill(coords, lower, out, encode)
    }

    /// Returns the rows of a layer that was solved before, for the layer above. `value` returns the
    /// value with the first side to move at a rank; several threads call it.
    ///
    /// `None` if a value is one that no position of such a game has.
    ///
    /// # Panics
    /// If there is no such layer.
    pub fn rows(&self, layer: u16, value: impl Fn(u64) -> Dtw + Sync) -> Option<LoneRows> {
        self.sweep.read(self.coords(layer), value)
    }

    /// Returns the memory of the rows of a layer, in bytes.
    ///
    /// # Panics
    /// If there is no such layer.
    pub fn rows_len(&self, layer: u16) -> u64 {
        self.sweep.rows_len(self.coords(layer)) as u64
    }

    fn coords(&self, layer: u16) -> LayerCoords {
        match self.sweep.coords(layer) {
            Some(coords) => coords,
            None => panic!("the game has no layer {layer}"),
        }
    }
}

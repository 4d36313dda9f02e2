//! Fox-and-Hounds and Hasenspiel by whole rows of positions.
//!
//! Play never returns to an arrangement of the pack, and a layer depends only on the next lower
//! one. So one sweep over the arrangements, from the top row of the board down, solves the game. It
//! processes all squares of the lone man at once: a *row* has one byte per square of one row
//! parity, at most 36.
//!
//! ```text
//! pack to move:      row = min over the steps of the pack of (row of the next arrangement, lone
//!                    man to move), one ply more
//! lone man to move:  row = max over the four steps of (row of the same arrangement, pack to
//!                    move, shifted), one ply more
//! ```
//!
//! - `codes.rs`: a value is a byte, in the order of values, so the best move is a minimum or
//!   maximum of bytes.
//! - `lanes.rs`: the squares of even and of odd rows are numbered separately. Every step of the
//!   lone man shifts a row by a constant distance, and a few operations on bits find its terminal
//!   squares.
//! - `sets.rs`: visits the arrangements in the order of the index of the tables. Sums kept during
//!   the walk give the ranks of the arrangements one step away.
//! - `values.rs`: the two formulas above.
//! - `sweep.rs`: solves a layer on all threads, and converts it to and from tables.
//!
//! The reachable positions (`reach.rs`, one bit per square) and the numbers of paths (`games.rs`,
//! `paths.rs`) are computed in the same order reversed, from the start downward. `analyse.rs`
//! combines the results.

#![expect(
    clippy::inline_always,
    reason = "a walk over the arrangements is compiled for an instruction set by being inlined into a function that has it"
)]

mod analyse;
mod census;
mod codes;
mod games;
mod lanes;
mod paths;
mod reach;
mod sets;
mod sweep;
mod values;

pub use analyse::{HoundsOptions, HoundsReport};
use anser_core::hunt::{Condition, PointSet};
use anser_core::{BySide, Dtw, Hunt, Side};
pub use sweep::LoneRows;

use anser_core::hounds::{Color, Rows};

use sweep::Sweep;

/// The solver of a game of a lone man against a pack.
///
/// It holds tables of a few megabytes. Its methods work on the threads of the current Rayon pool.
///
/// ```
/// use anser_core::Hunt;
/// use anser_core::{Dtw, Side};
/// use anser_retrograde::{Limits, hounds::{HoundsOptions, HoundsSolver}};
///
/// let solver = HoundsSolver::new(&Hunt::fox_hounds(8, "escape".parse()?)?).unwrap();
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
    name: String,
    names: EndNames,
    sweep: Sweep,
    /// The lane of the lone man at the start.
    start: usize,
    usual_start: bool,
    /// The start, in the notation of the game.
    start_text: String,
}

/// The words for the ends of a game, as in [`Hunt::ending`].
#[derive(Clone, Debug, Default)]
struct EndNames {
    /// The side is blocked.
    blocked: BySide<String>,
    /// The lone man has reached its goal.
    goal: String,
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
    /// let game = Hunt::fox_hounds(4, "escape".parse()?)?;
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

    fn coords(&self, layer: u16) -> sweep::LayerCoords {
        match self.sweep.coords(layer) {
            Some(coords) => coords,
            None => panic!("the game has no layer {layer}"),
        }
    }
}

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
pub use sweep::LoneRows;

use anser_core::fox_hounds::{self, FoxHounds};
use anser_core::hasenspiel::{self, Hasenspiel};
use anser_core::hounds::{Color, Hunt, HuntRules};
use anser_core::prelude::*;
use anser_core::{Dtw, Side};

use lanes::Goal;
use sweep::Sweep;

/// The solver of one game of a lone man against a pack, made from a [`FoxHounds`] or a
/// [`Hasenspiel`].
///
/// It holds tables of a few megabytes. Its methods work on the threads of the current Rayon pool.
///
/// ```
/// use anser_analyse::{Limits, hounds::{HoundsOptions, HoundsSolver}};
/// use anser_core::{Dtw, Side, fox_hounds::FoxHounds};
///
/// let solver = HoundsSolver::from(&FoxHounds::default());
/// let report = solver.analyse(HoundsOptions::default(), &Limits::default())?;
/// assert_eq!(report.start, Dtw::win(Side::Second, 44));
/// assert_eq!(report.reachable.positions(), 709_868);
/// let games = report.games.unwrap();
/// assert_eq!(games.games().to_string(), "360552037329667882019232833884");
/// # Ok::<(), anser_analyse::AnalyseError>(())
/// ```
#[derive(Debug)]
pub struct HoundsSolver {
    /// The name of the game, with its size.
    name: String,
    /// The kind of end in which the lone man has reached its goal, as in [`Notation::ending`].
    goal: &'static str,
    sweep: Sweep,
    /// The lane of the lone man at the start.
    start: usize,
    /// The start, in the notation of the game.
    start_text: String,
}

impl From<&FoxHounds> for HoundsSolver {
    fn from(game: &FoxHounds) -> HoundsSolver {
        HoundsSolver::new(
            game,
            match game.rules() {
                fox_hounds::RuleSet::Escape => Goal::Escape,
                fox_hounds::RuleSet::Strict => Goal::None,
            },
            "escaped",
        )
    }
}

impl From<&Hasenspiel> for HoundsSolver {
    fn from(game: &Hasenspiel) -> HoundsSolver {
        HoundsSolver::new(
            game,
            match game.rules() {
                hasenspiel::RuleSet::Literal => Goal::BottomRow,
                hasenspiel::RuleSet::Author => Goal::PastLowest,
            },
            "home",
        )
    }
}

impl HoundsSolver {
    fn new<R: HuntRules>(game: &Hunt<R>, goal: Goal, goal_name: &'static str) -> HoundsSolver {
        let board = game.board();
        let sweep = Sweep::new(board.width(), board.hounds(), board.color() == Color::Light, goal);
        let (_, start) = sweep.sets.board.lane(game.start().fox().number());
        HoundsSolver {
            name: game.name(),
            goal: goal_name,
            sweep,
            start,
            start_text: game.format_position(&game.start()),
        }
    }

    /// Computes all values of a layer and writes them to `out`: by side to move, in the order of
    /// the game's index, each converted by `encode`.
    ///
    /// `lower` are the rows of the layer below; `None` if there is no layer below. Returns the rows
    /// of this layer, for the layer above.
    ///
    /// ```
    /// use anser_analyse::hounds::HoundsSolver;
    /// use anser_core::prelude::*;
    /// use anser_core::{Dtw, Side, fox_hounds::{FoxHounds, RuleSet}};
    ///
    /// let game = FoxHounds::new(4, RuleSet::Escape)?;
    /// let solver = HoundsSolver::from(&game);
    /// let (mut rows, mut values) = (None, [Vec::new(), Vec::new()]);
    /// for layer in game.start_layers() {
    ///     values = Side::BOTH.map(|side| vec![Dtw::DRAW; game.index(layer).len(side) as usize]);
    ///     let [first, second] = &mut values;
    ///     rows = Some(solver.fill(layer, rows.as_ref(), [first, second], |value| value));
    /// }
    /// // The last layer is that of the start.
    /// let start = game.start();
    /// let entry = game.index(game.layer(&start)).rank(&start) as usize;
    /// assert_eq!(values[0][entry], Dtw::win(Side::Second, 8));
    /// # Ok::<(), anser_core::hounds::SizeError>(())
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

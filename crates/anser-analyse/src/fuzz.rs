//! The fuzzy player: it plays its best moves, and others with some probability.
//!
//! "Fox & Hounds" (the seed of Fox-and-Hounds) describes it. Its *best moves* keep the best result;
//! of these, they make the game last longest where the fox wins, and have the greatest
//! [maxB](crate::MaxB) where the hounds win. The *fuzz factor* `p` is how often it plays other
//! moves. The text and the table of the document disagree on its meaning: see [`Weights`]. The
//! opponent knows the fuzzy player and makes no mistake.

use std::collections::HashMap;

use anser_core::hunt::Position;
use anser_core::{Outcome, Side};
use anser_retrograde::AnalyseError;

use crate::foxbox::FoxBoxes;

/// Rule that turns the fuzz factor `p` into chances of `n` moves, `b` of them best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weights {
    /// A best move weighs 1 and any other `p`, normalized. So a move is drawn from all moves with
    /// the chance `p n / (p n + (1 - p) b)`. This reproduces the table of the document and its
    /// fairest factor.
    #[default]
    Printed,
    /// With probability `p` any move, otherwise a best one, as in the text of the document.
    Literal,
}

impl Weights {
    /// Both meanings.
    pub const ALL: [Weights; 2] = [Weights::Printed, Weights::Literal];

    /// Returns the name: `printed`, `literal`.
    pub const fn id(self) -> &'static str {
        match self {
            Weights::Printed => "printed",
            Weights::Literal => "literal",
        }
    }

    /// Returns the chances of one best move and of one other move.
    pub(crate) fn chances(self, p: f64, moves: usize, best: usize) -> [f64; 2] {
        let (n, b) = (moves as f64, best as f64);
        match self {
            Weights::Printed => {
                let all = p * n + (1.0 - p) * b;
                [1.0 / all, p / all]
            }
            Weights::Literal => [p / n + (1.0 - p) / b, p / n],
        }
    }

    /// Returns the chance of each move, given which moves are best; 0 if none is.
    pub(crate) fn of_moves(self, p: f64, best: &[bool]) -> impl Iterator<Item = f64> {
        let count = best.iter().filter(|&&best| best).count();
        let [good, other] = if count == 0 { [0.0; 2] } else { self.chances(p, best.len(), count) };
        best.iter().map(move |&best| if best { good } else { other })
    }
}

/// A fuzzy player of one side, and its opponent.
///
/// ```
/// use anser_analyse::{FoxBoxes, Fuzzy, Weights};
/// use anser_core::Hunt;
/// use anser_core::Side;
/// use anser_retrograde::Solution;
/// let game = Hunt::fox_hounds(4, "escape")?;
/// let boxes = FoxBoxes::new(&Solution::reachable(&game, &game.start())?)?;
/// let hounds = Fuzzy::new(&boxes, Side::Second, Weights::Printed);
/// // Without fuzz the hounds always win; with fuzz they sometimes lose.
/// assert_eq!(hounds.opponent_wins(0.0, &game.start())?, 0.0);
/// assert!(hounds.opponent_wins(0.5, &game.start())? > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Fuzzy<'b> {
    boxes: &'b FoxBoxes,
    side: Side,
    weights: Weights,
    /// By move: whether it is a best move of the fuzzy side.
    best: Vec<bool>,
}

impl<'b> Fuzzy<'b> {
    /// A player of `side` in the positions of `boxes`.
    pub fn new(boxes: &'b FoxBoxes, side: Side, weights: Weights) -> Fuzzy<'b> {
        let graph = &boxes.graph;
        let mut best = vec![false; graph.all_moves()];
        for number in (0..graph.len()).filter(|&number| graph.to_move(number) == side) {
            let next = graph.next(number);
            let outcome = graph.values[number].outcome();
            let keeps = |&to: &u32| graph.values[to as usize].outcome() == outcome;
            let plies = |to: u32| graph.values[to as usize].plies();
            let longest = next.iter().copied().filter(keeps).map(plies).max();
            let hardest = next.iter().copied().filter(keeps).map(|to| boxes.key(to as usize)).max();
            for (mv, to) in graph.moves(number).zip(next) {
                best[mv] = keeps(to)
                    && match outcome {
                        Outcome::Win(Side::First) => Some(plies(*to)) == longest,
                        _ => Some(boxes.key(*to as usize)) == hardest,
                    };
            }
        }
        Fuzzy { boxes, side, weights, best }
    }

    /// Returns the chance that the opponent wins from `position`, if both know the fuzz factor `p`,
    /// 0 to 1.
    ///
    /// # Errors
    /// [`AnalyseError::Unknown`] if the position is not part of the solution.
    pub fn opponent_wins(&self, p: f64, position: &Position) -> Result<f64, AnalyseError> {
        let number = self.number(position)?;
        Ok(self.all(p)[number])
    }

    /// Returns the chance of [`opponent_wins`](Fuzzy::opponent_wins) for every position.
    pub fn all_opponent_wins(&self, p: f64) -> HashMap<Position, f64> {
        self.boxes.graph.positions.iter().copied().zip(self.all(p)).collect()
    }

    /// Returns the chance of each move of the fuzzy side from `position`, in generation order;
    /// empty if it is not to move or the game is over.
    ///
    /// # Errors
    /// [`AnalyseError::Unknown`] if the position is not part of the solution.
    pub fn moves(&self, p: f64, position: &Position) -> Result<Vec<f64>, AnalyseError> {
        let number = self.number(position)?;
        if self.boxes.graph.to_move(number) != self.side {
            return Ok(Vec::new());
        }
        let best = &self.best[self.boxes.graph.moves(number)];
        Ok(self.weights.of_moves(p, best).collect())
    }

    /// Returns the fuzz factor with which the opponent wins from `position` half of the time, found
    /// by bisection: the lower end of an interval of at most this width.
    ///
    /// # Errors
    /// [`AnalyseError::Unknown`] if the position is not part of the solution.
    pub fn fairest(&self, position: &Position, width: f64) -> Result<f64, AnalyseError> {
        let number = self.number(position)?;
        let (mut low, mut high) = (0.0, 1.0);
        while high - low > width {
            let middle = f64::midpoint(low, high);
            if self.all(middle)[number] < 0.5 { low = middle } else { high = middle }
        }
        Ok(low)
    }

    fn number(&self, position: &Position) -> Result<usize, AnalyseError> {
        let known = self.boxes.graph.number(position);
        known.ok_or_else(|| AnalyseError::unknown(self.boxes.game(), position))
    }

    /// Returns the chances of the opponent in all positions.
    fn all(&self, p: f64) -> Vec<f64> {
        let graph = &self.boxes.graph;
        let mut chances = Vec::with_capacity(graph.len());
        for number in 0..graph.len() {
            let next = graph.next(number);
            let after = next.iter().map(|&to| chances[to as usize]);
            let chance = if next.is_empty() {
                f64::from(u8::from(graph.values[number].winner() == Some(self.side.other())))
            } else if graph.to_move(number) == self.side {
                let best = &self.best[graph.moves(number)];
                let weights = self.weights.of_moves(p, best);
                after.zip(weights).map(|(chance, weight)| chance * weight).sum()
            } else {
                after.fold(0.0, f64::max)
            };
            chances.push(chance);
        }
        chances
    }
}

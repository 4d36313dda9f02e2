//! FoxBoxes: positions in which the hounds contain the fox, and how long it can keep out of them.
//!
//! The idea and the words are those of "Fox & Hounds" (the seed of Fox-and-Hounds). A position is a *FoxBox* if the fox is
//! shut in on one square, or every square that it could walk to if the hounds stood still is one that a hound can still come
//! to. The *B value* of a position is the number of plies that the hounds need to force a FoxBox that is also won for them,
//! the hounds hurrying and the fox delaying; without "also won" the published property would fail, by which B is finite exactly
//! where the hounds win. *maxB* is the largest B that the fox can force over the rest of the game.

use std::cmp::Reverse;

use anser_core::hounds::{Board, Hunt, HuntRules, Position};
use anser_core::prelude::*;
use anser_core::{Dtw, Outcome, Side, Value};

use crate::graph::Graph;
use crate::{AnalyseError, Solution};

/// Plies for the hounds to force a FoxBox that they also win; none if they cannot.
pub type BValue = Option<u16>;

/// A B that cannot be forced, above all others.
const NEVER: u16 = u16::MAX;

/// The largest B that the fox can force, and when: the larger the better for the fox, of equals the sooner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaxB {
    /// The largest B; none where the fox wins.
    pub b: BValue,
    /// After how many plies it comes about.
    pub plies: u16,
}

/// What is compared of a [`MaxB`], as the fox sees it.
pub(crate) type Key = (u16, Reverse<u16>);

/// Whether the hounds contain the fox, whoever is to move and whoever wins.
///
/// ```
/// use anser_analyse::is_fox_box;
/// use anser_core::prelude::*;
/// use anser_core::fox_hounds::FoxHounds;
/// let game = FoxHounds::default();
/// assert!(is_fox_box(game.board(), &game.start()));
/// // Two rows of hounds between the fox and the open end, and a hole.
/// let holed = game.parse_position("4/1F2/4/4/4/4/3h/hh1h f")?;
/// assert!(!is_fox_box(game.board(), &holed));
/// # Ok::<(), anser_core::NotationError>(())
/// ```
pub fn is_fox_box(board: &Board, position: &Position) -> bool {
    let reach = board.reach(position.hounds());
    let (mut region, mut fresh) = (position.fox().set(), position.fox().set());
    while !fresh.is_empty() {
        let mut wider = region;
        for square in fresh.iter() {
            wider = wider | (board.neighbors(square) - position.hounds());
        }
        fresh = wider - region;
        region = wider;
    }
    region.len() == 1 || (region - reach).is_empty()
}

/// The B values and maxB of all positions of a solution.
pub struct FoxBoxes<R: HuntRules> {
    game: Hunt<R>,
    pub(crate) graph: Graph,
    b: Vec<u16>,
    max: Vec<Key>,
}

impl<R: HuntRules> FoxBoxes<R> {
    /// Computes them.
    ///
    /// ```
    /// use anser_analyse::{FoxBoxes, Solution};
    /// use anser_core::prelude::*;
    /// use anser_core::fox_hounds::{FoxHounds, RuleSet};
    /// let game = FoxHounds::new(4, RuleSet::Escape)?;
    /// let boxes = FoxBoxes::new(&Solution::reachable(&game, &game.start())?)?;
    /// assert_eq!(boxes.b(&game.start()), Some(Some(0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there are too many positions for their moves to be numbered.
    pub fn new(solution: &Solution<Hunt<R>>) -> Result<FoxBoxes<R>, AnalyseError> {
        let (game, graph) = (*solution.game(), Graph::new(solution)?);
        let hounds_win = |value: Dtw| value.outcome() == Outcome::Win(Side::Second);
        let mut b = Vec::with_capacity(graph.len());
        for number in 0..graph.len() {
            b.push(if hounds_win(graph.values[number]) && is_fox_box(game.board(), &graph.positions[number]) {
                0
            } else {
                let after = graph.next(number).iter().map(|&next| b[next as usize]);
                let best = if graph.to_move(number) == Side::First { after.max() } else { after.min() };
                // The end of the game in a position that is no box: never.
                best.unwrap_or(NEVER).saturating_add(1)
            });
        }
        let mut max: Vec<Key> = Vec::with_capacity(graph.len());
        for number in 0..graph.len() {
            let later = |&next: &u32| {
                let (b, Reverse(plies)) = max[next as usize];
                (b, Reverse(plies + 1))
            };
            let after = graph.next(number).iter().map(later);
            let forced = if graph.to_move(number) == Side::First { after.max() } else { after.min() };
            let now = (b[number], Reverse(0));
            max.push(forced.map_or(now, |forced| now.max(forced)));
        }
        Ok(FoxBoxes { game, graph, b, max })
    }

    /// The game.
    pub fn game(&self) -> &Hunt<R> {
        &self.game
    }

    /// The value of a position; none if it was not solved.
    pub fn value(&self, position: &Position) -> Option<Dtw> {
        Some(self.graph.values[self.graph.number(position)?])
    }

    /// The B value of a position; none if it was not solved.
    pub fn b(&self, position: &Position) -> Option<BValue> {
        Some(b_value(self.b[self.graph.number(position)?]))
    }

    /// The maxB of a position; none if it was not solved.
    pub fn max_b(&self, position: &Position) -> Option<MaxB> {
        let (b, Reverse(plies)) = self.max[self.graph.number(position)?];
        Some(MaxB { b: b_value(b), plies })
    }

    /// The number of positions by B value, from 0 up, and of those where it is never.
    pub fn histogram(&self) -> (Vec<u64>, u64) {
        let (mut finite, mut never) = (Vec::new(), 0);
        for &b in &self.b {
            if b == NEVER {
                never += 1;
                continue;
            }
            if finite.len() <= usize::from(b) {
                finite.resize(usize::from(b) + 1, 0);
            }
            finite[usize::from(b)] += 1;
        }
        (finite, never)
    }

    /// A line of play in which the fox makes B as large as it can and the hounds as small, from `position` to where that B is
    /// met.
    pub fn line(&self, position: &Position) -> Option<Vec<Position>> {
        let mut number = self.graph.number(position)?;
        let mut line = vec![self.graph.positions[number]];
        while self.max[number].1 != Reverse(0) {
            let (b, Reverse(plies)) = self.max[number];
            let wanted = (b, Reverse(plies - 1));
            number = *self.graph.next(number).iter().find(|&&next| self.max[next as usize] == wanted)? as usize;
            line.push(self.graph.positions[number]);
        }
        Some(line)
    }

    /// What the fox can force, as a key that orders.
    pub(crate) fn key(&self, number: usize) -> Key {
        self.max[number]
    }
}

impl<R: HuntRules> Probe<Hunt<R>> for FoxBoxes<R> {
    type Error = AnalyseError;

    fn value(&self, position: &Position) -> Result<Value, AnalyseError> {
        let value = self.value(position).map(Value::from);
        value.ok_or_else(|| AnalyseError::Unknown { position: self.game.format_position(position) })
    }
}

fn b_value(b: u16) -> BValue {
    (b != NEVER).then_some(b)
}

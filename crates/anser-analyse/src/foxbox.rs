//! FoxBoxes: positions in which the hounds contain the fox, and how long the fox can avoid them.
//!
//! The terms are those of "Fox & Hounds" (the seed of Fox-and-Hounds). A position is a *FoxBox* if
//! the fox cannot leave its square, or if a hound can still reach every square that the fox could
//! walk to while the hounds stand still. The *B value* of a position is the number of plies in
//! which the hounds force a FoxBox that is also won for them; the hounds hurry and the fox delays.
//! "Also won" makes B finite exactly where the hounds win, as published. *maxB* is the largest B
//! that the fox can force in the rest of the game.

use std::cmp::Reverse;

use anser_core::hounds::{Board, Goal};
use anser_core::hunt::Position;
use anser_core::{Dtw, Hunt, Outcome, Probe, Side, Value};
use anser_retrograde::{AnalyseError, Solution};

use crate::graph::Graph;

/// Plies in which the hounds force a FoxBox that they also win; `None` if they cannot.
pub type BValue = Option<u16>;

/// The B of a position from which no FoxBox can be forced: above all others.
const NEVER: u16 = u16::MAX;

/// The largest B that the fox can force, and the time to it. The fox prefers a larger B, and of
/// equal ones the sooner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaxB {
    /// The largest B; `None` where the fox wins.
    pub b: BValue,
    /// Plies until it is reached.
    pub plies: u16,
}

/// Key of a [`MaxB`] in the order of the fox.
pub(crate) type Key = (u16, Reverse<u16>);

/// Whether the hounds contain the fox, with either side to move and regardless of the outcome.
///
/// ```
/// use anser_analyse::is_fox_box;
/// use anser_core::Hunt;
/// let game = Hunt::fox_hounds(8, "escape")?;
/// let board = game.rows().unwrap().board;
/// assert!(is_fox_box(board, &game.start()));
/// // Two rows of hounds between the fox and the open end, and a hole.
/// let holed = game.parse_position("4/1F2/4/4/4/4/3h/hh1h f")?;
/// assert!(!is_fox_box(board, &holed));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn is_fox_box(board: &Board, position: &Position) -> bool {
    let (fox, hounds) = (position.few(), position.many());
    let reach = board.reach(hounds);
    let (mut region, mut frontier) = (fox, fox);
    while !frontier.is_empty() {
        let mut wider = region;
        for square in frontier.iter() {
            wider |= board.neighbors(square) - hounds;
        }
        frontier = wider - region;
        region = wider;
    }
    region.len() == 1 || (region - reach).is_empty()
}

/// The B values and maxB of all positions of a solution.
pub struct FoxBoxes {
    game: Hunt,
    pub(crate) graph: Graph,
    b: Vec<u16>,
    max: Vec<Key>,
}

impl FoxBoxes {
    /// Whether a game is one of a lone piece that wins by getting past the pack, or by nothing but
    /// a blocked pack: then the preferences of the document suit it.
    ///
    /// ```
    /// use anser_analyse::FoxBoxes;
    /// use anser_core::Hunt;
    /// assert!(FoxBoxes::suit(&Hunt::fox_hounds(8, "escape")?));
    /// assert!(!FoxBoxes::suit(&Hunt::hasenspiel(8, 4, "literal")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn suit(game: &Hunt) -> bool {
        game.rows().is_some_and(|rows| matches!(rows.goal, Goal::Escape | Goal::None))
    }

    /// Computes the B values and maxB of all positions.
    ///
    /// ```
    /// use anser_analyse::FoxBoxes;
    /// use anser_core::Hunt;
    /// use anser_retrograde::Solution;
    /// let game = Hunt::fox_hounds(4, "escape")?;
    /// let boxes = FoxBoxes::new(&Solution::reachable(&game, &game.start())?)?;
    /// assert_eq!(boxes.b(&game.start()), Some(Some(0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`AnalyseError::NotInRows`] if the game is not of a lone piece against a pack that only goes
    /// up; [`AnalyseError::Memory`] if there are more positions or moves than 32-bit numbers.
    pub fn new(solution: &Solution) -> Result<FoxBoxes, AnalyseError> {
        let game = solution.game().clone();
        let board =
            game.rows().ok_or_else(|| AnalyseError::NotInRows { game: game.name().into() })?.board;
        let graph = Graph::new(solution)?;
        let hounds_win = |value: Dtw| value.outcome() == Outcome::Win(Side::Second);
        let mut b = Vec::with_capacity(graph.len());
        for number in 0..graph.len() {
            b.push(
                if hounds_win(graph.values[number]) && is_fox_box(board, &graph.positions[number]) {
                    0
                } else {
                    let after = graph.next(number).iter().map(|&next| b[next as usize]);
                    let best = if graph.to_move(number) == Side::First {
                        after.max()
                    } else {
                        after.min()
                    };
                    // A terminal position that is no box.
                    best.unwrap_or(NEVER).saturating_add(1)
                },
            );
        }
        let mut max: Vec<Key> = Vec::with_capacity(graph.len());
        for number in 0..graph.len() {
            let later = |&next: &u32| {
                let (b, Reverse(plies)) = max[next as usize];
                (b, Reverse(plies + 1))
            };
            let after = graph.next(number).iter().map(later);
            let forced =
                if graph.to_move(number) == Side::First { after.max() } else { after.min() };
            let now = (b[number], Reverse(0));
            max.push(forced.map_or(now, |forced| now.max(forced)));
        }
        Ok(FoxBoxes { game, graph, b, max })
    }

    /// Returns the game.
    pub fn game(&self) -> &Hunt {
        &self.game
    }

    /// Returns the exact value of a position; `None` if it is not part of the solution.
    pub fn get(&self, position: &Position) -> Option<Dtw> {
        Some(self.graph.values[self.graph.number(position)?])
    }

    /// Returns the B value of a position; `None` if it is not part of the solution.
    pub fn b(&self, position: &Position) -> Option<BValue> {
        Some(b_value(self.b[self.graph.number(position)?]))
    }

    /// Returns the maxB of a position; `None` if it is not part of the solution.
    pub fn max_b(&self, position: &Position) -> Option<MaxB> {
        let (b, Reverse(plies)) = self.max[self.graph.number(position)?];
        Some(MaxB { b: b_value(b), plies })
    }

    /// Returns the numbers of positions by B value, from 0 up, and the number of those without one.
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

    /// Returns a line of play in which the fox maximizes B and the hounds minimize it, from
    /// `position` to the position with that B.
    pub fn line(&self, position: &Position) -> Option<Vec<Position>> {
        let mut number = self.graph.number(position)?;
        let mut line = vec![self.graph.positions[number]];
        while self.max[number].1 != Reverse(0) {
            let (b, Reverse(plies)) = self.max[number];
            let wanted = (b, Reverse(plies - 1));
            number =
                *self.graph.next(number).iter().find(|&&next| self.max[next as usize] == wanted)?
                    as usize;
            line.push(self.graph.positions[number]);
        }
        Some(line)
    }

    /// Returns the key of the maxB of a position.
    pub(crate) fn key(&self, number: usize) -> Key {
        self.max[number]
    }
}

impl Probe for FoxBoxes {
    type Error = AnalyseError;

    fn value(&self, position: &Position) -> Result<Value, AnalyseError> {
        let value = self.get(position).map(Value::from);
        value.ok_or_else(|| AnalyseError::unknown(&self.game, position))
    }
}

fn b_value(b: u16) -> BValue {
    (b != NEVER).then_some(b)
}

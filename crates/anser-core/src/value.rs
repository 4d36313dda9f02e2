//! Values of positions and moves, and the trait of everything that has values.

use std::ops::ControlFlow;

use crate::hunt::{Hunt, Move, Position};
use crate::{Dtw, Next, Outcome, Side};

/// Value of a position: the outcome and, if known, the plies to the win.
///
/// ```
/// use anser_core::{Dtw, Outcome, Side, Value};
/// let outcome = Value::from(Outcome::Win(Side::First));
/// let exact = Value::from(Dtw::win(Side::First, 7));
/// assert_eq!((outcome.plies, exact.plies), (None, Some(7)));
/// assert_eq!(exact.dtw(), Some(Dtw::win(Side::First, 7)));
/// assert_eq!(outcome.dtw(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// Who wins.
    pub outcome: Outcome,
    /// Plies to the win, at most [`Dtw::LONGEST`]; 0 if the game is over. `None` for a draw, and if
    /// only the outcome is known.
    pub plies: Option<u16>,
}

impl Value {
    /// Returns the value of a position in which the game is over.
    pub const fn ended(outcome: Outcome) -> Value {
        match outcome {
            Outcome::Win(_) => Value { outcome, plies: Some(0) },
            Outcome::Draw => Value { outcome, plies: None },
        }
    }

    /// Returns the exact value; `None` for a win of unknown distance.
    pub fn dtw(self) -> Option<Dtw> {
        match (self.outcome, self.plies) {
            (Outcome::Draw, _) => Some(Dtw::DRAW),
            (Outcome::Win(side), Some(plies)) => Some(Dtw::win(side, plies)),
            (Outcome::Win(_), None) => None,
        }
    }

    /// Returns the side that wins; `None` in a draw.
    pub const fn winner(self) -> Option<Side> {
        match self.outcome {
            Outcome::Win(side) => Some(side),
            Outcome::Draw => None,
        }
    }

    /// Returns a key that orders values for `side`, the higher the better: by outcome, then by
    /// distance; the winner hurries and the loser delays. Among wins, and among losses, an unknown
    /// distance counts as the worst.
    ///
    /// ```
    /// use anser_core::{Dtw, Outcome, Side, Value};
    /// let [soon, late] = [3, 5].map(|plies| Value::from(Dtw::win(Side::First, plies)));
    /// assert!(soon.score(Side::First) > late.score(Side::First));
    /// assert!(soon.score(Side::Second) < late.score(Side::Second));
    /// let unknown = Value::from(Outcome::Win(Side::First));
    /// assert!(late.score(Side::First) > unknown.score(Side::First));
    /// assert!(soon.score(Side::Second) > unknown.score(Side::Second));
    /// ```
    pub fn score(self, side: Side) -> (i32, i32) {
        (self.outcome.score(side), self.dtw().map_or(i32::MIN, |dtw| dtw.score(side)))
    }
}

impl From<Outcome> for Value {
    /// The outcome alone.
    fn from(outcome: Outcome) -> Value {
        Value { outcome, plies: None }
    }
}

impl From<Dtw> for Value {
    fn from(dtw: Dtw) -> Value {
        Value { outcome: dtw.outcome(), plies: dtw.plies() }
    }
}

/// A legal move with its result and, if known, the value after it.
///
/// The value is that of the position *after* the move: a move that ends the game leads to a win in
/// 0 plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatedMove {
    /// The move.
    pub mv: Move,
    /// The result of the move.
    pub next: Next,
    /// The value after the move; `None` if it is unknown.
    pub value: Option<Value>,
}

impl RatedMove {
    /// Returns a key that orders moves for `side`; see [`Value::score`]. Moves of unknown value
    /// come last.
    pub fn score(&self, side: Side) -> Option<(i32, i32)> {
        self.value.map(|value| value.score(side))
    }
}

/// A source of values of positions: a tablebase, a solution in memory, a learner.
pub trait Probe {
    /// The reason why there is no value.
    type Error;

    /// Returns the value of a position.
    ///
    /// # Errors
    /// That there is no value here, or that it cannot be read.
    fn value(&self, position: &Position) -> Result<Value, Self::Error>;

    /// Returns the legal moves with the values of what they lead to, in generation order; none
    /// where the game is over.
    ///
    /// ```
    /// use std::convert::Infallible;
    /// use anser_core::hunt::Position;
    /// use anser_core::{Hunt, Outcome, Probe, Value};
    ///
    /// /// Believes that everything is drawn.
    /// struct Drawn;
    ///
    /// impl Probe for Drawn {
    ///     type Error = Infallible;
    ///     fn value(&self, _: &Position) -> Result<Value, Infallible> {
    ///         Ok(Value::from(Outcome::Draw))
    ///     }
    /// }
    ///
    /// let game = Hunt::default();
    /// let moves = Drawn.rated_moves(&game, &game.start())?;
    /// assert_eq!(moves.len(), 5);
    /// # Ok::<(), Infallible>(())
    /// ```
    ///
    /// # Errors
    /// The first error of [`Probe::value`]. Moves that end the game need no value from here.
    fn rated_moves(&self, game: &Hunt, position: &Position) -> Result<Vec<RatedMove>, Self::Error> {
        let mut moves = Vec::new();
        let flow = game.visit_moves(position, |mv, next| {
            let value = match game.outcome_after(&next) {
                Some(outcome) => Value::ended(outcome),
                None => match self.value(next.position()) {
                    Ok(value) => value,
                    Err(error) => return ControlFlow::Break(error),
                },
            };
            moves.push(RatedMove { mv, next, value: Some(value) });
            ControlFlow::Continue(())
        });
        match flow {
            ControlFlow::Continue(()) => Ok(moves),
            ControlFlow::Break(error) => Err(error),
        }
    }
}

/// A source of the values of whole layers, class after class: a tablebase, a solution in memory.
///
/// A layer is read in parts, so that it need not fit into the memory. Any number of threads may
/// read at the same time.
///
/// ```
/// use std::convert::Infallible;
/// use anser_core::hunt::Position;
/// use anser_core::{Dtw, Hunt, Outcome, Probe, ProbeLayer, Side, Value};
///
/// /// Believes that everything is drawn.
/// struct Drawn;
///
/// impl Probe for Drawn {
///     type Error = Infallible;
///     fn value(&self, _: &Position) -> Result<Value, Infallible> {
///         Ok(Value::from(Outcome::Draw))
///     }
/// }
///
/// impl ProbeLayer for Drawn {
///     fn read_distances(&self, _: u16, _: Side, _: u64, codes: &mut [u16]) -> Result<(), Infallible> {
///         codes.fill(Dtw::DRAW.code());
///         Ok(())
///     }
///     fn read_outcomes(
///         &self,
///         _: u16,
///         _: Side,
///         _: u64,
///         pairs: &mut [[u64; 2]],
///     ) -> Result<(), Infallible> {
///         pairs.fill([0, 0]);
///         Ok(())
///     }
/// }
///
/// let mut codes = [1; 64];
/// Drawn.read_distances(4, Side::First, 128, &mut codes)?;
/// assert_eq!(codes, [Dtw::DRAW.code(); 64]);
/// # Ok::<(), Infallible>(())
/// ```
pub trait ProbeLayer: Probe {
    /// Fills `codes` with the exact values of consecutive classes of `layer` with `side` to move,
    /// as [`Dtw::code`]. `first` is the rank of the first class, a multiple of 64; there are at
    /// least `first + codes.len()` classes.
    ///
    /// # Errors
    /// That there are no distances of the layer, also if `codes` is empty; or that they cannot be
    /// read.
    fn read_distances(
        &self,
        layer: u16,
        side: Side,
        first: u64,
        codes: &mut [u16],
    ) -> Result<(), Self::Error>;

    /// Fills `pairs` with the outcomes of consecutive classes of `layer` with `side` to move, 64
    /// classes per pair: the classes that the first side wins, and those that the second side wins,
    /// one bit per class. `first` is the rank of the first class, a multiple of 64. Bits beyond the
    /// last class are 0.
    ///
    /// # Errors
    /// That there are no values of the layer, also if `pairs` is empty; or that they cannot be
    /// read.
    fn read_outcomes(
        &self,
        layer: u16,
        side: Side,
        first: u64,
        pairs: &mut [[u64; 2]],
    ) -> Result<(), Self::Error>;
}

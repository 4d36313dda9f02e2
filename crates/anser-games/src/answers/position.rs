//! Positions and moves with their values.

use anser_analyse::Line;
use anser_core::hunt::{Move, Position};
use anser_core::{Hunt, Next, Outcome, Probe, RatedMove, Side, Value};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Map;

/// Returns the name of an outcome: that of the side that wins, by endless play, too, or `draw`.
pub fn outcome_name(game: &Hunt, outcome: Outcome) -> &str {
    game.winner(outcome).map_or("draw", |side| game.side_name(side))
}

/// Returns numbers of positions by the name of their outcome. Positions that a side wins by endless
/// play count for it.
pub(super) fn by_outcome(game: &Hunt, count: impl Fn(Outcome) -> u64) -> Map<u64> {
    let draws = count(Outcome::Draw);
    let won = |side| {
        let endless = if game.endless() == Some(side) { draws } else { 0 };
        (game.side_name(side), count(Outcome::Win(side)) + endless)
    };
    let drawn = ("draw", if game.endless().is_none() { draws } else { 0 });
    [won(Side::First), drawn, won(Side::Second)].into_iter().collect()
}

/// Returns the plies of a position with a known value, as in [`RatedPosition::dtw`]: 0 where the
/// game is over, also by a draw or if only the outcome is stored.
pub fn plies(game: &Hunt, position: &Position, value: Value) -> Option<u16> {
    value.plies.or_else(|| game.terminal(position).map(|_| 0))
}

/// Name of an outcome, and distance: 0 where the game is over, also by a draw.
fn value_keys(
    game: &Hunt,
    over: Option<Outcome>,
    value: Option<Value>,
) -> (Option<String>, Option<u16>) {
    let value = over.map(Value::ended).or(value);
    let outcome = value.map(|value| outcome_name(game, value.outcome).into());
    (outcome, if over.is_some() { Some(0) } else { value.and_then(|value| value.plies) })
}

/// A position with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RatedPosition {
    /// The position, in the notation of its game.
    pub position: String,
    /// The side to move.
    pub to_move: String,
    /// The side that wins with best play, or `draw`; null where it is not known.
    pub outcome: Option<String>,
    /// Plies to the end with best play; 0 where the game is over. Null in a draw that is not the
    /// end of the game, in a win by endless play, and where the distance is not known.
    pub dtw: Option<u16>,
}

impl RatedPosition {
    /// Describes a position, whose value may be unknown.
    pub fn new(game: &Hunt, position: &Position, value: Option<Value>) -> RatedPosition {
        let (outcome, dtw) = value_keys(game, game.terminal(position), value);
        RatedPosition {
            position: game.format_position(position),
            to_move: game.side_name(position.to_move()).into(),
            outcome,
            dtw,
        }
    }
}

/// A position of a game with its value.
///
/// ```
/// use anser_games::Registry;
/// use anser_games::answers::{PositionAnswer, Versioned};
/// use anser_retrograde::Solution;
///
/// let game = Registry::standard().game("hexapawn:3x3", None)?;
/// let solution = Solution::reachable(&game, &game.start())?;
/// let value = solution.get(&game.start()).map(Into::into);
/// let answer = Versioned::new(PositionAnswer::new(&game, &game.start(), value));
/// assert_eq!(
///     serde_json::to_string(&answer)?,
///     r#"{"schema":1,"game":"hexapawn:3x3","rules":"standard","position":"ppp/3/PPP w","to_move":"white","outcome":"black","dtw":6}"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PositionAnswer {
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// The position with its value.
    #[serde(flatten)]
    pub rated: RatedPosition,
}

impl PositionAnswer {
    /// Describes a position, whose value may be unknown.
    pub fn new(game: &Hunt, position: &Position, value: Option<Value>) -> PositionAnswer {
        PositionAnswer {
            game: game.name().into(),
            rules: game.rules_id().into(),
            rated: RatedPosition::new(game, position, value),
        }
    }
}

/// A possible move with the value after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveAnswer {
    /// The move, in the notation of its game.
    #[serde(rename = "move")]
    pub mv: String,
    /// The side that wins after the move, or `draw`; null where it is not known.
    pub outcome: Option<String>,
    /// Plies from the position after the move to the end; 0 where the game is over then, null where
    /// it is not known and in other draws.
    pub dtw: Option<u16>,
    /// The position after the move. If the move ends the game, probing this position alone may give
    /// another outcome, as after a first capture.
    pub position: String,
    /// Reason for the end of the game after the move; null if the game continues.
    pub ending: Option<String>,
}

impl MoveAnswer {
    /// Describes a move.
    pub fn new(game: &Hunt, rated: &RatedMove) -> MoveAnswer {
        let (outcome, dtw) = value_keys(game, game.outcome_after(&rated.next), rated.value);
        MoveAnswer {
            mv: game.format_move(&rated.mv),
            outcome,
            dtw,
            position: game.format_position(rated.next.position()),
            ending: game.ending_after(&rated.next).map(Into::into),
        }
    }
}

/// A position with its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProbeAnswer {
    /// The position with its value.
    #[serde(flatten)]
    pub root: PositionAnswer,
    /// Reason for the end of the game; null if the game continues.
    pub ending: Option<String>,
    /// The possible moves, best first; those of unknown value last.
    pub moves: Vec<MoveAnswer>,
}

impl ProbeAnswer {
    /// Describes a position with its moves, in the order in which they are given.
    pub fn new(
        game: &Hunt,
        position: &Position,
        value: Option<Value>,
        moves: &[RatedMove],
    ) -> ProbeAnswer {
        ProbeAnswer {
            root: PositionAnswer::new(game, position, value),
            ending: game.ending(position).map(Into::into),
            moves: moves.iter().map(|rated| MoveAnswer::new(game, rated)).collect(),
        }
    }
}

/// A position of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExportAnswer {
    /// The layer of the position.
    pub layer: u16,
    /// The position with its value.
    #[serde(flatten)]
    pub rated: RatedPosition,
    /// Number of positions in its symmetry class.
    pub orbit: u64,
}

/// A move that is played in a line, with the value after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ply {
    /// Number of the ply, from 1.
    pub ply: usize,
    /// The side that moves.
    pub side: String,
    /// The move with the value and the position after it.
    #[serde(flatten)]
    pub played: MoveAnswer,
}

/// Error of describing moves as a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineError<E> {
    /// A move is not legal where it is played.
    #[error("{mv} is not a legal move at ply {ply}")]
    Move {
        /// The move, in the notation of its game.
        mv: String,
        /// Number of the ply, from 1.
        ply: usize,
    },
    /// The probe of a position failed.
    #[error(transparent)]
    Value(#[from] E),
}

impl Ply {
    /// Describes the `number`th ply of a line, a move of `side`.
    pub fn new(game: &Hunt, number: usize, side: Side, played: &RatedMove) -> Ply {
        Ply {
            ply: number,
            side: game.side_name(side).into(),
            played: MoveAnswer::new(game, played),
        }
    }

    /// Describes a line of best play.
    pub fn of_line(game: &Hunt, line: &Line) -> Vec<Ply> {
        (1..)
            .zip(line.played())
            .map(|(number, (side, played))| Ply::new(game, number, side, played))
            .collect()
    }

    /// Describes moves that are played one after another from a position, with the values that
    /// `probe` knows.
    ///
    /// # Errors
    /// [`LineError::Move`] if a move is not legal, and the errors of `probe`.
    pub fn of_moves<P: Probe + ?Sized>(
        game: &Hunt,
        from: &Position,
        moves: impl IntoIterator<Item = Move>,
        probe: &P,
    ) -> Result<Vec<Ply>, LineError<P::Error>> {
        let (mut here, mut plies) = (Next::Position(*from), Vec::new());
        for (number, mv) in (1..).zip(moves) {
            let illegal = || LineError::Move { mv: game.format_move(&mv), ply: number };
            let Next::Position(from) = here else { return Err(illegal()) };
            let next = game.after(&from, &mv).ok_or_else(illegal)?;
            let value = match &next {
                Next::End(end) => Value::ended(end.outcome),
                Next::Position(next) => probe.value(next)?,
            };
            let played = RatedMove { mv, next, value: Some(value) };
            plies.push(Ply::new(game, number, from.to_move(), &played));
            here = next;
        }
        Ok(plies)
    }
}

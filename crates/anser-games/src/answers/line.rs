//! Lines, and games that were played.

use anser_analyse::Line;
use anser_core::hunt::Position;
use anser_core::{Hunt, Side};
use serde::{Deserialize, Serialize};

use super::{Map, Ply, PositionAnswer};

/// Reason for the end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LineEnd {
    /// The game is over.
    Over,
    /// A position repeats.
    Repeats,
    /// The game was left before its end.
    Left,
}

/// A line of best play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LineAnswer {
    /// First position.
    #[serde(flatten)]
    pub root: PositionAnswer,
    /// The moves.
    pub line: Vec<Ply>,
    /// Reason for its end: `over` or `repeats`.
    pub end: LineEnd,
    /// Number of plies after which the position that repeats was reached first; null if none
    /// repeats.
    pub repeats_from: Option<usize>,
}

impl LineAnswer {
    /// Describes a line of best play from a position.
    pub fn new(game: &Hunt, position: &Position, line: &Line) -> LineAnswer {
        let (end, repeats_from) = match line.end {
            anser_analyse::LineEnd::Over(_) => (LineEnd::Over, None),
            anser_analyse::LineEnd::Repeats(plies) => (LineEnd::Repeats, Some(plies)),
        };
        LineAnswer {
            root: PositionAnswer::new(game, position, Some(line.value)),
            line: Ply::of_line(game, line),
            end,
            repeats_from,
        }
    }
}

/// A move of a game that was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayedPly {
    /// The move with the value after it.
    #[serde(flatten)]
    pub ply: Ply,
    /// Whether the outcome was better for the side that moved before the move.
    pub gave_away: bool,
    /// Number of plies by which the move delays the win of the side that moved, or hastens its
    /// loss; 0 for a best move. Null where the outcome changed, in draws, and where a distance is
    /// not known.
    pub lost_plies: Option<u16>,
    /// A best move, if the move lost the outcome or plies; otherwise null.
    pub better: Option<String>,
    /// The best reply, if the move lost the outcome and the game continued; otherwise null.
    pub refutation: Option<String>,
}

/// The values along a game that was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayedLineAnswer {
    /// First position.
    #[serde(flatten)]
    pub root: PositionAnswer,
    /// The moves.
    pub line: Vec<PlayedPly>,
    /// Reason for its end: `over` or `left`.
    pub end: LineEnd,
    /// Always null.
    pub repeats_from: Option<usize>,
}

/// Player of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Player {
    /// A person.
    Person,
    /// The program.
    Computer,
}

/// Kind of end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EndedBy {
    /// The rules say that the game is over.
    End,
    /// A side resigned.
    Resignation,
    /// A position came up for the third time.
    Repetition,
    /// The game was left before its end.
    Left,
}

/// The result of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameResult {
    /// The side that won, or `draw`; null where the game was left.
    pub outcome: Option<String>,
    /// Kind of the end.
    pub by: EndedBy,
    /// Reason for the end by the rules; null for other ends.
    pub ending: Option<String>,
}

/// The record of a game that was played, or is being played. Programs read it back to resume or to
/// review the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordAnswer {
    /// First position.
    #[serde(flatten)]
    pub root: PositionAnswer,
    /// Player of each side.
    pub sides: Map<Player>,
    /// The style of the program: one for both sides (`hard`), or one per side
    /// (`fox=hard,geese=quick`).
    pub style: String,
    /// Fuzz factor of the program.
    pub fuzz: FuzzFactor,
    /// Meaning of the fuzz factor: `printed` or `literal`.
    pub fuzz_as: String,
    /// Seed of the random choices.
    pub seed: u64,
    /// Number of plies at the beginning that are played at random.
    pub random_plies: usize,
    /// The moves.
    pub line: Vec<PlayedPly>,
    /// Number of moves.
    pub plies: usize,
    /// The result; null while the game is not over.
    pub result: Option<GameResult>,
}

/// Fuzz factor of the program, 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum FuzzFactor {
    /// On both sides.
    Both(f64),
    /// By side, where they differ.
    BySide(Map<f64>),
}

/// Games between the program and itself, or a person, from the same position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchAnswer {
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// First position of each game.
    pub position: String,
    /// Number of games by the side that won, `draw`, and `left`.
    pub score: Map<usize>,
    /// The record of each game.
    pub played: Vec<RecordAnswer>,
}

impl MatchAnswer {
    /// Describes games from a position, and counts their results.
    pub fn new(game: &Hunt, position: &Position, played: Vec<RecordAnswer>) -> MatchAnswer {
        let outcome = |record: &RecordAnswer| {
            record.result.as_ref().and_then(|result| result.outcome.clone())
        };
        let outcomes: Vec<Option<String>> = played.iter().map(outcome).collect();
        let count = |name: Option<&str>| {
            outcomes.iter().filter(|outcome| outcome.as_deref() == name).count()
        };
        let won = Side::BOTH.map(|side| (game.side_name(side), count(Some(game.side_name(side)))));
        let others = [("draw", count(Some("draw"))), ("left", count(None))];
        MatchAnswer {
            game: game.name().into(),
            rules: game.rules_id().into(),
            position: game.format_position(position),
            score: won.into_iter().chain(others).collect(),
            played,
        }
    }
}

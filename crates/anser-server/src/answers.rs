//! Answers of the server that the command line does not have: boards, and reasons for unknown
//! values.

use anser_core::{Hunt, Picture, Side};
use anser_games::answers::{
    BatchAnswer, BatchError, CensusAnswer, ErrorAnswer, GameAnswer, HardestAnswer, MoveAnswer,
    PositionAnswer, ProbeAnswer, RuleSetAnswer, StatsAnswer,
};
use serde::{Deserialize, Serialize};

/// A position with its moves: the answer of `anser probe`, and its drawing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServedProbe {
    /// The position with its value and its moves.
    #[serde(flatten)]
    pub probe: ProbeAnswer,
    /// The layer of the position.
    pub layer: u16,
    /// The piece on each point of the board, in the order of the board's points: its letter in the
    /// notation, or `.` for an empty point.
    pub pieces: String,
    /// Reasons for null outcomes or distances, by layer.
    pub unknown: Vec<Unknown>,
    /// The solving of the unknown values; null if the server does not solve them, if none are
    /// unknown, or if a browser sent the request for a page of another site.
    pub solving: Option<SolvingAnswer>,
}

/// State of the solving of a layer, with the layers that it depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolvingAnswer {
    /// The layer.
    pub layer: u16,
    /// The metric that is solved: `wdl` for outcomes, `dtw` for distances.
    pub metric: String,
    /// The state.
    pub state: SolvingState,
    /// The share that is done, from 0 to 1; null unless the layer is being solved.
    pub progress: Option<f64>,
    /// Estimated seconds until the values are served; null unless the layer is being solved.
    pub seconds_left: Option<f64>,
    /// Why the layer is not solved; null if it is or will be.
    pub reason: Option<String>,
    /// The command that solves a refused layer, for the operator of the server; otherwise null.
    pub command: Option<String>,
}

/// State of the solving of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SolvingState {
    /// It is being solved.
    Running,
    /// It waits for its turn.
    Queued,
    /// It takes more time, disk space, or memory than the server may use.
    Refused,
    /// An attempt failed. A later request makes another one.
    Failed,
}

/// The layers that are being solved or wait.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolvingLayers {
    /// The layers, in the order in which they are solved.
    pub layers: Vec<SolvingLayer>,
}

/// A layer of a game that is being solved or waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolvingLayer {
    /// The game, with its size if it has sizes.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// The layer and its state.
    #[serde(flatten)]
    pub solving: SolvingAnswer,
}

/// Unknown values: a layer is not served, or its table cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unknown {
    /// The layer.
    pub layer: u16,
    /// Missing metric: `wdl` for outcomes and distances, `dtw` for distances alone.
    pub metric: String,
    /// The reason, in a sentence.
    pub reason: String,
}

/// The move that the computer plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChosenMove {
    /// The position in which it moves, with its value.
    #[serde(flatten)]
    pub root: PositionAnswer,
    /// The move.
    pub chosen: MoveAnswer,
    /// Basis of the choice.
    pub by: ChoiceBasis,
    /// The search; null if there was none.
    pub searched: Option<Searched>,
    /// Reasons for unknown values, by layer.
    pub unknown: Vec<Unknown>,
    /// The solving of the unknown values; null as in the answer of `probe`.
    pub solving: Option<SolvingAnswer>,
}

/// Basis of the choice of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ChoiceBasis {
    /// There is one legal move.
    Only,
    /// Outcomes and distances.
    Distance,
    /// Outcomes, where not all distances are known.
    Outcome,
    /// A search for the end of a known win of unknown distance.
    Conversion,
    /// A search, because the outcome is not known.
    Search,
}

/// Extent of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Searched {
    /// Plies of the last complete round of the search.
    pub plies: u16,
    /// Positions visited.
    pub positions: u64,
}

/// A batch of positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "an object with a game and positions")]
pub struct BatchRequest {
    /// The game, with its size if it has sizes.
    pub game: String,
    /// The rule set; the game's default if it is left out.
    #[serde(default)]
    pub rules: Option<String>,
    /// The positions, in the notation of the game.
    pub positions: Vec<String>,
    /// Whether to answer with the moves of each position.
    #[serde(default)]
    pub moves: bool,
}

/// One answer per position, in the order of the request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BatchReply {
    /// The answers; `line` counts the positions from 1.
    pub answers: Vec<BatchItem>,
}

/// The answer to one position of a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum BatchItem {
    /// The position with its value.
    Answered(BatchAnswer),
    /// An error.
    Failed(BatchError),
}

/// The games that are served.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServedGames {
    /// The games.
    pub games: Vec<ServedGame>,
    /// Limits of requests.
    pub limits: ServedLimits,
}

/// Limits of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServedLimits {
    /// Number of positions in a batch that is not streamed.
    pub batch: usize,
    /// Number of lines in a streamed batch.
    pub stream: u64,
    /// Length of a body in bytes, except for streamed batches.
    pub body_bytes: usize,
    /// Seconds for a request.
    pub request_seconds: u64,
}

/// A game, its board, and the layers served.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServedGame {
    /// The game.
    #[serde(flatten)]
    pub game: GameAnswer,
    /// The first and the second side.
    pub sides: Vec<ServedSide>,
    /// The board.
    pub board: Board,
    /// The rule sets, with the layers served. In a list of all games, a game with many rule sets
    /// has the default one here and those with tables.
    pub sets: Vec<ServedSet>,
}

/// A side of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServedSide {
    /// The name.
    pub name: String,
    /// Whether the name is a word in the `singular` or the `plural`, or a `name` without an
    /// article.
    pub noun: String,
    /// The letter of its pieces in the notation.
    pub piece: String,
    /// The letter of the side to move in the notation.
    pub to_move: String,
    /// The number of its pieces in hand at the start.
    pub hand: u8,
}

/// A board for drawing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Board {
    /// The points or squares that pieces can stand on.
    pub points: Vec<BoardPoint>,
    /// The lines between points, as pairs of numbers of points from 0; empty on a board of squares.
    pub lines: Vec<[usize; 2]>,
    /// The names of the columns from the left; empty if they have none.
    pub columns: Vec<String>,
    /// The names of the rows from the bottom; empty if they have none.
    pub rows: Vec<String>,
}

/// A point of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardPoint {
    /// The column, from 0 at the left.
    pub x: usize,
    /// The row, from 0 at the bottom.
    pub y: usize,
    /// The name in moves.
    pub name: String,
}

/// A rule set of a game, with the layers served.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServedSet {
    /// The rule set.
    #[serde(flatten)]
    pub rules: RuleSetAnswer,
    /// The position from which play starts, in the notation of the game.
    pub start: String,
    /// The side that has won if play never ends; null if that is a draw.
    pub endless: Option<String>,
    /// The sides, if their names differ from those of the game; otherwise null.
    pub sides: Option<Vec<ServedSide>>,
    /// The board, if it is not that of the game; otherwise null.
    pub board: Option<Board>,
    /// The layers served, by metric.
    pub layers: ServedLayers,
    /// The endpoints that answer about whole layers: `stats`, `census`, `hardest`.
    pub whole: Vec<String>,
    /// Best play from openings, from a full run whose results are kept; empty if none are.
    pub openings: Vec<KeptOpening>,
}

/// Layers served.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServedLayers {
    /// Layers with outcomes in tables.
    pub wdl: Vec<u16>,
    /// Layers with distances in tables.
    pub dtw: Vec<u16>,
    /// Layers that are solved in memory on demand, with outcomes and distances.
    pub solved: Vec<u16>,
}

/// Best play from an opening, from a full run whose results are kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KeptOpening {
    /// The position.
    pub position: String,
    /// The side that wins with best play, or `draw`.
    pub outcome: String,
    /// Plies to the win; null in a draw.
    pub dtw: Option<u16>,
    /// The moves of best play to the end.
    pub line: Vec<String>,
    /// The moves from the position with their values; empty if they are not kept.
    pub moves: Vec<KeptMove>,
}

/// A move with its value, from a full run whose results are kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KeptMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The side that wins with best play after it, or `draw`.
    pub outcome: String,
    /// Plies to the win after it; null in a draw.
    pub dtw: Option<u16>,
}

/// Statistics of layers: the answer of `anser stats`, completed by kept results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServedStats {
    /// The statistics; layers without a table here have files of no length.
    #[serde(flatten)]
    pub stats: StatsAnswer,
    /// The layers whose statistics are kept results of a full run, because no table is served.
    pub kept: Vec<u16>,
    /// Tables that cannot be used, so that their layers lack statistics or distances.
    pub unknown: Vec<Unknown>,
}

/// Positions by outcome and distance: the answer of `anser census`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServedCensus {
    /// The counts: of reachable positions and of all positions, or by layer for a large game.
    #[serde(flatten)]
    pub census: CensusAnswer,
    /// The layers whose counts are kept results of a full run.
    pub kept: Vec<u16>,
}

/// The longest wins: the answer of `anser hardest`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServedHardest {
    /// The wins; those of kept results have empty lines.
    #[serde(flatten)]
    pub hardest: HardestAnswer,
    /// The layers whose wins are kept results of a full run.
    pub kept: Vec<u16>,
}

/// An error, as RFC 9457 describes it, with the error object of the command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProblemAnswer {
    /// Always `about:blank`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The status in words.
    pub title: String,
    /// The status.
    pub status: u16,
    /// Description of the error.
    pub detail: String,
    /// The error object of the command line, with a hint.
    #[serde(flatten)]
    pub error: ErrorAnswer,
}

/// The state of a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Health {
    /// Always `ok`.
    pub status: String,
    /// The version of the program.
    pub version: String,
}

impl Board {
    /// Describes the board of a picture.
    pub fn new(picture: Picture) -> Board {
        let Picture { points, lines, columns, rows } = picture;
        let points = points.into_iter().map(|point| {
            let usual = || match (columns.get(point.x), rows.get(point.y)) {
                (Some(column), Some(row)) => format!("{column}{row}"),
                _ => String::new(),
            };
            BoardPoint { x: point.x, y: point.y, name: point.name.unwrap_or_else(usual) }
        });
        Board { points: points.collect(), lines, columns, rows }
    }
}

impl ServedSide {
    /// Describes a side.
    pub fn new(game: &Hunt, side: Side) -> ServedSide {
        let of = game.description().side(side);
        ServedSide {
            name: game.side_name(side).into(),
            noun: of.noun.word().into(),
            piece: of.letter.to_string(),
            to_move: of.turn.to_string(),
            hand: of.hand,
        }
    }
}

/// The piece on each point of a picture.
pub(crate) fn pieces(picture: &Picture) -> String {
    picture.points.iter().map(|point| point.piece.map_or('.', |(_, letter)| letter)).collect()
}

//! Learners, and the grades of players.

use serde::{Deserialize, Serialize};

use super::MoveAnswer;

/// A training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LearnAnswer {
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// The preset: `standard`, `document`, or `exact`.
    pub preset: String,
    /// The model.
    pub model: ModelAnswer,
    /// Whether all iterations are done.
    pub done: bool,
    /// A match of the network against one that is not trained, for the preset `document`; null for
    /// others, and while the training is not done.
    pub untrained: Option<ArenaAnswer>,
    /// The iterations.
    pub iterations: Vec<IterationAnswer>,
    /// Grades of the network: alone, and with the search of the training.
    pub players: Vec<PlayerAnswer>,
}

/// A model file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelAnswer {
    /// The file; null for a model that is part of the program.
    pub file: Option<String>,
    /// Name of the encoding of positions.
    pub encoding: String,
    /// Number of trained parameters.
    pub parameters: u64,
    /// The seed of its training.
    pub seed: u64,
    /// Iterations of its training.
    pub iterations: u64,
}

/// An iteration of a training: games of the network against itself, then training steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IterationAnswer {
    /// The number of the iteration, from 1.
    pub iteration: u64,
    /// Games played.
    pub games_played: u64,
    /// Plies of these games.
    pub plies: u64,
    /// Positions that networks evaluated.
    pub evaluated: u64,
    /// Training steps.
    pub steps: u64,
    /// The mean loss of the training steps.
    pub loss: f64,
    /// The match of the trained network against the one before it; null without one.
    pub arena: Option<ArenaAnswer>,
    /// Time of the training up to the end of this iteration, grades left out.
    pub seconds: f64,
    /// The grade of the network alone after this iteration; null if it was not graded then.
    pub graded: Option<CountsAnswer>,
}

/// A match of a trained network against another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ArenaAnswer {
    /// Games played as each side.
    pub games_each: u32,
    /// Games that the trained network won as the first side.
    pub won_first: u32,
    /// Games that it won as the second side.
    pub won_second: u32,
    /// Whether it replaced the network before it.
    pub accepted: bool,
}

/// Grades of players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GradeAnswer {
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// Root position; null if the decisions were drawn from `layers`.
    pub position: Option<String>,
    /// Number of reachable positions, `position` included; null if `position` is.
    pub reachable: Option<u64>,
    /// First and last layer of randomly drawn decisions; null if all reachable decisions were
    /// graded.
    pub layers: Option<[u16; 2]>,
    /// The model; null if no model was graded.
    pub model: Option<ModelAnswer>,
    /// The grades.
    pub players: Vec<PlayerAnswer>,
}

/// The grade of a player. A decision is a reachable position with more than one legal move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayerAnswer {
    /// The player: `random`, or the name of a style, such as `model`.
    pub player: String,
    /// Simulations of its search before each move, 0 without one; null for players that are no
    /// models.
    pub simulations: Option<u32>,
    /// All decisions.
    pub all: CountsAnswer,
    /// Decisions, symmetric ones counted once.
    pub up_to_symmetry: CountsAnswer,
    /// Decisions reachable while one side plays perfectly; null for randomly drawn decisions.
    pub near_perfect: Option<CountsAnswer>,
    /// Decisions weighted by their frequency in perfect play; null if `near_perfect` is.
    pub perfect_games: Option<PerfectGamesAnswer>,
    /// All decisions by the number of legal moves.
    pub by_moves: Vec<CountsByMoves>,
    /// All decisions by the plies to the win.
    pub by_plies: Vec<CountsByPlies>,
    /// Decisions in which the sign of the player's value is wrong.
    pub wrong_signs: u64,
    /// Mean absolute error of the player's value; the true one is -1, 0, or 1.
    pub value_error: f64,
    /// Solution grade: `no`, `weakly` (no wrong move in games from `position`), `semi-strongly`
    /// (nor in any decision of `near_perfect`), or `strongly` (none at all); null if `near_perfect`
    /// is.
    pub solved: Option<String>,
    /// Some of the wrong moves, those of the shortest wins first.
    pub worst: Vec<WrongMove>,
}

/// Counted decisions of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CountsAnswer {
    /// Decisions.
    pub decisions: u64,
    /// Decisions in which the move makes the outcome worse for the player.
    pub wrong: u64,
    /// Decisions in which the move keeps the outcome but is not the fastest win or the longest
    /// defence.
    pub imperfect: u64,
    /// Sum of the shares of wrong moves: their expected number if moves are drawn by shares.
    pub wrong_shares: f64,
    /// The sum of the shares of best moves, which are neither wrong nor imperfect.
    pub best_shares: f64,
}

/// Expected counts over one game of two perfect players that choose among their best moves at
/// random. Games are cut after 200 plies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PerfectGamesAnswer {
    /// The expected number of decisions.
    pub decisions: f64,
    /// The expected number of wrong moves.
    pub wrong: f64,
    /// The expected number of imperfect moves.
    pub imperfect: f64,
}

/// Counted decisions with a number of legal moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CountsByMoves {
    /// The number of legal moves.
    pub choices: u64,
    /// The decisions.
    #[serde(flatten)]
    pub counts: CountsAnswer,
}

/// Counted decisions with a distance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CountsByPlies {
    /// Plies to the win; null for draws.
    pub dtw: Option<u16>,
    /// The decisions.
    #[serde(flatten)]
    pub counts: CountsAnswer,
}

/// A wrong move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WrongMove {
    /// The position.
    pub position: String,
    /// The side that wins it with best play, or `draw`.
    pub outcome: String,
    /// Plies to the win; null in a draw.
    pub dtw: Option<u16>,
    /// The player's move, with the value after it.
    pub played: MoveAnswer,
    /// The best moves.
    pub best: Vec<String>,
}

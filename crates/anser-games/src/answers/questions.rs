//! Questions about a solved game.

use std::collections::BTreeMap;

use anser_analyse::{Hardest, Listing, best_line};
use anser_core::hunt::Position;
use anser_core::{BySide, Hunt, Probe, Side};
use anser_retrograde::{Census, Count, SideCensus, Tally};
use serde::{Deserialize, Serialize};

use super::position::by_outcome;
use super::{Map, MoveAnswer, Ply, PositionAnswer, RatedPosition, RowAnswer, outcome_name};
use crate::layer_pieces;

/// Numbers of positions and of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CountAnswer {
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// Root position.
    pub position: String,
    /// Number of reachable positions, `position` included; symmetric ones are counted separately.
    pub reachable: u64,
    /// The games.
    #[serde(flatten)]
    pub games: GamesCounted,
    /// The value of `position`.
    pub start: StartValue,
    /// Time of the count, in seconds.
    pub seconds: f64,
    /// Peak memory of the program, in bytes; null if the system does not report it.
    pub memory_bytes: Option<u64>,
}

/// Numbers of games, in decimal strings: they exceed the exact integers of JSON readers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GamesCounted {
    /// Number of games.
    pub games: String,
    /// Number of games by winner.
    pub games_won: Map<String>,
    /// Number of drawn games.
    pub games_drawn: String,
}

impl GamesCounted {
    /// Describes a tally.
    pub fn new(game: &Hunt, tally: &Tally) -> GamesCounted {
        GamesCounted {
            games: tally.games().to_string(),
            games_won: Map::by_side(game, |side| tally.won(side).to_string()),
            games_drawn: tally.drawn.to_string(),
        }
    }
}

/// The value of the position where play begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StartValue {
    /// The side that wins with best play, or `draw`.
    pub outcome: String,
    /// Plies to the win; null in a draw.
    pub dtw: Option<u16>,
}

impl CountAnswer {
    /// Describes a count from a position that took this time, in seconds, and this memory, in
    /// bytes.
    pub fn new(
        game: &Hunt,
        position: &Position,
        count: &Count,
        seconds: f64,
        memory_bytes: Option<u64>,
    ) -> CountAnswer {
        CountAnswer {
            game: game.name().into(),
            rules: game.rules_id().into(),
            position: game.format_position(position),
            reachable: count.reachable,
            games: GamesCounted::new(game, &count.tally),
            start: StartValue {
                outcome: outcome_name(game, count.value.outcome()).into(),
                dtw: count.value.plies(),
            },
            // Milliseconds.
            seconds: (seconds * 1000.0).round() / 1000.0,
            memory_bytes,
        }
    }
}

/// Positions by winner and depth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CensusAnswer {
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// Root position; null if layers were requested.
    pub position: Option<String>,
    /// The reachable positions; null if layers were requested.
    pub reachable: Option<CensusPart>,
    /// All positions; null if they were not requested or exceed the memory.
    pub all: Option<CensusPart>,
    /// All positions of the requested layers, the lowest first; null if none were requested.
    pub layers: Option<Vec<LayerCensus>>,
}

/// All positions of a layer; symmetric ones are counted separately.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LayerCensus {
    /// The layer.
    pub layer: u16,
    /// Pieces of its positions, only in layers by placement: `4 tigers, 16 goats, 1 captured`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pieces: Option<String>,
    /// By side to move.
    pub to_move: Map<CensusValues>,
}

/// Counted positions; symmetric ones are counted separately.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CensusPart {
    /// By side to move.
    pub to_move: Map<CensusSide>,
}

/// Counted positions with one side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CensusSide {
    /// By value.
    #[serde(flatten)]
    pub values: CensusValues,
    /// Positions in which the game is over, by reason, then by outcome.
    pub ends: Map<Map<u64>>,
}

/// Counted positions with one side to move, by value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CensusValues {
    /// By outcome.
    pub outcomes: Map<u64>,
    /// By winner, then by plies to the win.
    pub depths: Map<Map<u64>>,
}

impl CensusPart {
    /// Describes a census.
    pub fn new(game: &Hunt, census: &Census) -> CensusPart {
        let side = |side| CensusSide::new(game, census.to_move(side));
        CensusPart { to_move: Map::by_side(game, side) }
    }
}

impl CensusSide {
    fn new(game: &Hunt, census: &SideCensus) -> CensusSide {
        let mut ends = BTreeMap::<&'static str, BTreeMap<&'static str, u64>>::new();
        for (kind, outcome, count) in census.ends() {
            *ends.entry(kind).or_default().entry(outcome_name(game, outcome)).or_default() += count;
        }
        let ends = ends.into_iter().map(|(kind, counts)| (kind, counts.into_iter().collect()));
        CensusSide { values: CensusValues::new(game, census), ends: ends.collect() }
    }
}

impl CensusValues {
    fn new(game: &Hunt, census: &SideCensus) -> CensusValues {
        let depths = |winner| {
            census.depths(winner).iter().map(|(plies, &count)| (plies.to_string(), count)).collect()
        };
        CensusValues {
            outcomes: by_outcome(game, |outcome| census.outcome(outcome)),
            depths: Map::by_side(game, depths),
        }
    }
}

impl LayerCensus {
    /// Describes a census of a layer.
    pub fn new(game: &Hunt, layer: u16, census: &Census) -> LayerCensus {
        let side = |side| CensusValues::new(game, census.to_move(side));
        LayerCensus { layer, pieces: layer_pieces(game, layer), to_move: Map::by_side(game, side) }
    }
}

impl CensusAnswer {
    /// Describes a census from a position, and one of all positions.
    pub fn new(
        game: &Hunt,
        position: &Position,
        reachable: &Census,
        all: Option<&Census>,
    ) -> CensusAnswer {
        CensusAnswer {
            game: game.name().into(),
            rules: game.rules_id().into(),
            position: Some(game.format_position(position)),
            reachable: Some(CensusPart::new(game, reachable)),
            all: all.map(|all| CensusPart::new(game, all)),
            layers: None,
        }
    }

    /// Describes censuses of layers.
    pub fn of_layers(game: &Hunt, layers: impl IntoIterator<Item = LayerCensus>) -> CensusAnswer {
        CensusAnswer {
            game: game.name().into(),
            rules: game.rules_id().into(),
            position: None,
            reachable: None,
            all: None,
            layers: Some(layers.into_iter().collect()),
        }
    }
}

/// The first position that the loser of the root position wins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OppositeAnswer {
    /// Root position.
    #[serde(flatten)]
    pub root: PositionAnswer,
    /// The position that was found.
    pub opposite: RatedPosition,
    /// The moves that lead there.
    pub line: Vec<Ply>,
    /// Number of positions that were searched.
    pub searched: u64,
}

/// Zugzwangs and stalemates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ZugzwangAnswer {
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// Root position; null if all positions were searched.
    pub position: Option<String>,
    /// The positions, by kind; in all requested layers together, if layers were requested.
    pub kinds: Vec<ZugzwangKindAnswer>,
    /// The positions of each requested layer, the lowest first; null if none were requested.
    pub layers: Option<Vec<LayerZugzwangs>>,
}

/// The zugzwangs of a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LayerZugzwangs {
    /// The layer.
    pub layer: u16,
    /// Pieces of its positions, only in layers by placement: `4 tigers, 16 goats, 1 captured`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pieces: Option<String>,
    /// The positions, by kind.
    pub kinds: Vec<ZugzwangKindAnswer>,
}

/// A kind of zugzwang.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ZugzwangKind {
    /// The side to move loses, and so does the other side if it is to move.
    Full,
    /// A side loses if it is to move, and the game is drawn if the other side is.
    OneSided,
    /// The side to move has no move.
    Stalemate,
}

impl ZugzwangKind {
    /// Returns the name of the kind in answers.
    ///
    /// ```
    /// use anser_games::answers::ZugzwangKind;
    /// let kind = ZugzwangKind::OneSided;
    /// assert_eq!(serde_json::to_value(kind)?, kind.id());
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn id(self) -> &'static str {
        match self {
            ZugzwangKind::Full => "full",
            ZugzwangKind::OneSided => "one-sided",
            ZugzwangKind::Stalemate => "stalemate",
        }
    }
}

/// The positions of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ZugzwangKindAnswer {
    /// The kind.
    pub kind: ZugzwangKind,
    /// The side to move; null where the kind is of either side.
    pub to_move: Option<String>,
    /// Number of positions; symmetric ones are counted separately.
    pub positions: u64,
    /// The first of them.
    pub examples: Vec<RatedPosition>,
}

impl ZugzwangKindAnswer {
    /// Describes the positions of one kind, with this side to move if that is part of the kind.
    pub fn new(
        game: &Hunt,
        kind: ZugzwangKind,
        to_move: Option<Side>,
        listing: &Listing,
    ) -> ZugzwangKindAnswer {
        let examples = listing.first.iter();
        let examples =
            examples.map(|(position, value)| RatedPosition::new(game, position, Some(*value)));
        ZugzwangKindAnswer {
            kind,
            to_move: to_move.map(|side| game.side_name(side).into()),
            positions: listing.count,
            examples: examples.collect(),
        }
    }
}

/// The longest wins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HardestAnswer {
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// Root position; null if all positions were searched.
    pub position: Option<String>,
    /// The longest wins of each side that wins a position; in all requested layers together, if
    /// layers were requested.
    pub longest: Vec<LongestAnswer>,
    /// The longest wins in each requested layer, the lowest first; null if none were requested.
    pub layers: Option<Vec<LayerHardest>>,
}

impl HardestAnswer {
    /// Describes the longest wins of a game: of all positions, unless `position` is a root.
    pub fn new(
        game: &Hunt,
        position: Option<String>,
        longest: Vec<LongestAnswer>,
    ) -> HardestAnswer {
        let (game, rules) = (game.name().into(), game.rules_id().into());
        HardestAnswer { game, rules, position, longest, layers: None }
    }

    /// Describes the longest wins of layers, the lowest first, and of all of them together, with up
    /// to `limit` examples: those of higher layers first.
    pub fn of_layers(game: &Hunt, layers: Vec<LayerHardest>, limit: usize) -> HardestAnswer {
        let longest = Side::BOTH.into_iter().filter_map(|side| {
            let winner = game.side_name(side);
            let dtw = layers.iter().filter_map(|layer| layer.longest(winner)).max()?;
            let wins = layers.iter().rev().flat_map(|layer| layer.wins(winner));
            let wins: Vec<&LongestAnswer> = wins.filter(|win| win.dtw == dtw).collect();
            Some(LongestAnswer {
                outcome: winner.into(),
                dtw,
                positions: wins.iter().map(|win| win.positions).sum(),
                classes: wins.iter().map(|win| win.classes).sum(),
                examples: wins.iter().flat_map(|win| &win.examples).take(limit).cloned().collect(),
            })
        });
        let answer = HardestAnswer::new(game, None, longest.collect());
        HardestAnswer { layers: Some(layers), ..answer }
    }
}

/// The longest wins in a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LayerHardest {
    /// The layer.
    pub layer: u16,
    /// Pieces of its positions, only in layers by placement: `4 tigers, 16 goats, 1 captured`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pieces: Option<String>,
    /// By side to move: the longest wins of each side that wins a position.
    pub to_move: Map<Vec<LongestAnswer>>,
}

impl LayerHardest {
    /// Describes the longest wins in a layer, which are given by side to move.
    pub fn new(game: &Hunt, layer: u16, to_move: Map<Vec<LongestAnswer>>) -> LayerHardest {
        LayerHardest { layer, pieces: layer_pieces(game, layer), to_move }
    }

    /// Returns the plies of the longest win of a side, by its name; `None` if it wins no position.
    pub fn longest(&self, winner: &str) -> Option<u16> {
        self.wins(winner).map(|win| win.dtw).max()
    }

    /// The longest wins of a side, by its name, for each side to move.
    fn wins(&self, winner: &str) -> impl Iterator<Item = &LongestAnswer> {
        let wins = self.to_move.iter().flat_map(|(_, wins)| wins);
        wins.filter(move |win| win.outcome == winner)
    }
}

/// The longest wins of a side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LongestAnswer {
    /// The side that wins.
    pub outcome: String,
    /// Plies to the win.
    pub dtw: u16,
    /// Number of positions of this length; symmetric ones are counted separately.
    pub positions: u64,
    /// Number of positions of this length; symmetric ones are counted once.
    pub classes: u64,
    /// Examples, no two of them symmetric.
    pub examples: Vec<LongestExample>,
}

impl LongestAnswer {
    /// Describes the longest wins of a side, with lines of best play; of equal moves the first is
    /// played.
    ///
    /// # Errors
    /// Those of `values`.
    pub fn new<P: Probe + ?Sized>(
        game: &Hunt,
        found: &Hardest,
        values: &P,
    ) -> Result<LongestAnswer, P::Error> {
        let mut examples = Vec::new();
        for (position, _) in &found.positions.first {
            let line = best_line(game, position, BySide::default(), values)?;
            examples.push(LongestExample {
                rated: RatedPosition::new(game, position, Some(line.value)),
                line: Ply::of_line(game, &line),
            });
        }
        Ok(LongestAnswer {
            outcome: game.side_name(found.winner).into(),
            dtw: found.plies,
            positions: found.positions.count,
            classes: found.classes,
            examples,
        })
    }
}

/// A longest win.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LongestExample {
    /// The position with its value.
    #[serde(flatten)]
    pub rated: RatedPosition,
    /// A line of best play.
    pub line: Vec<Ply>,
}

/// Enclosure of the lone piece by the pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FoxBoxAnswer {
    /// The position with its value.
    #[serde(flatten)]
    pub root: PositionAnswer,
    /// Whether the position is a `FoxBox`.
    pub fox_box: bool,
    /// B in plies; null where the hounds cannot force a `FoxBox`.
    pub b: Option<u16>,
    /// maxB.
    pub max_b: MaxBAnswer,
    /// Number of reachable positions by B, from 0.
    pub positions_by_b: Vec<u64>,
    /// Number of reachable positions from which the hounds cannot force a `FoxBox`.
    pub positions_never: u64,
    /// The moves that lead to the largest B that the fox can force.
    pub line: Vec<FoxBoxPly>,
}

/// The largest B that the fox can force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MaxBAnswer {
    /// B in plies; null where the hounds cannot force a `FoxBox`.
    pub b: Option<u16>,
    /// Plies until the position with this B is reached.
    pub plies: u16,
}

/// A move towards the largest B.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FoxBoxPly {
    /// The move with the value after it.
    #[serde(flatten)]
    pub ply: Ply,
    /// B in plies after the move; null where the hounds cannot force a `FoxBox`.
    pub b: Option<u16>,
}

/// Winning chances against a fuzzy player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FuzzAnswer {
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// Root position.
    pub position: String,
    /// Meaning of the fuzz factor: `printed` or `literal`.
    pub weights: String,
    /// The columns of the table.
    pub columns: Vec<FuzzColumn>,
    /// The rows of the table.
    pub table: Vec<FuzzRow>,
}

/// A column of the table of chances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FuzzColumn {
    /// Root position.
    pub position: String,
    /// The side to move.
    pub to_move: String,
    /// The side whose chances the column shows.
    pub side: String,
    /// The side that errs.
    pub fuzzy: String,
    /// Fuzz factor for which each side wins half of the games.
    pub fairest: f64,
}

/// A row of the table of chances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FuzzRow {
    /// Fuzz factor, 0 to 1.
    pub p: f64,
    /// Winning chance, 0 to 1, in each column.
    pub chances: Vec<f64>,
}

/// Chances of the moves of a fuzzy player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FuzzMovesAnswer {
    /// The position with its value.
    #[serde(flatten)]
    pub root: PositionAnswer,
    /// The side that errs.
    pub fuzzy: String,
    /// Meaning of the fuzz factor: `printed` or `literal`.
    pub weights: String,
    /// Fuzz factor, 0 to 1.
    pub p: f64,
    /// The possible moves, the most likely first.
    pub moves: Vec<FuzzMove>,
}

/// A move of a fuzzy player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FuzzMove {
    /// The move with the value after it.
    #[serde(flatten)]
    pub rated: MoveAnswer,
    /// Chance that the move is played, 0 to 1.
    pub chance: f64,
}

/// Moves ranked by shares of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PolicyAnswer {
    /// The position with its value.
    #[serde(flatten)]
    pub root: PositionAnswer,
    /// The games from the position.
    #[serde(flatten)]
    pub games: GamesCounted,
    /// The possible moves by rank, the best first.
    pub moves: Vec<PolicyMove>,
    /// Moves that are played by rank.
    pub line: Vec<Ply>,
    /// Figures that a document prints about the position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub published: Vec<RowAnswer>,
}

/// A ranked move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PolicyMove {
    /// The move with the value after it.
    #[serde(flatten)]
    pub rated: MoveAnswer,
    /// Whether the opponent can force a win after the move.
    pub opponent_forces: bool,
    /// Number of games after the move, in decimal.
    pub games: String,
    /// Share of these games that the opponent wins, 0 to 1.
    pub share: f64,
}

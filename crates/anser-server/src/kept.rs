//! Results of full runs that are kept with the program: counts and longest wins of large games, for
//! answers that would take minutes, or tables that are not served.

use anser_core::{Hunt, LayerIndex, Outcome, Side, Value};
use anser_games::answers::{
    CensusAnswer, CensusValues, HardestAnswer, LayerAnswer, LayerBytes, LayerCensus, LayerHardest,
    LongestAnswer, LongestExample, Map, RatedPosition, StatsAnswer, TableRun,
};
use anser_games::{FullRun, full_run, layer_pieces};
use serde::Deserialize;

use crate::answers::{KeptMove, KeptOpening};
use crate::problem::Problem;
use crate::whole::LISTED;

/// Results of the full run of a game under a rule set.
pub(crate) struct KeptRun(FullRun);

/// Distances of a full run, as `scripts/distances.py` and `scripts/bagh-chal.py` write them.
#[derive(Deserialize)]
struct Distances {
    openings: Vec<Opening>,
    layers: Vec<KeptLayer>,
    /// The start under several rule sets; not of every game.
    #[serde(default)]
    captures: Vec<Start>,
}

/// The moves from the start under a rule set.
#[derive(Deserialize)]
struct Start {
    rules: String,
    first_moves: Vec<KeptMove>,
}

/// Best play from an opening.
#[derive(Deserialize)]
struct Opening {
    position: String,
    outcome: String,
    dtw: Option<u16>,
    /// The moves with a space between them.
    line: String,
}

#[derive(Deserialize)]
struct KeptLayer {
    layer: u16,
    to_move: Map<CensusValues>,
    longest: Map<Vec<Longest>>,
    /// The table of distances, if there was no run for outcomes.
    table: Option<KeptTable>,
}

/// Run and digest of a table.
#[derive(Deserialize)]
struct KeptTable {
    rounds: u64,
    seconds: f64,
    blake3: String,
}

#[derive(Deserialize)]
struct Longest {
    outcome: String,
    dtw: u16,
    positions: u64,
    classes: u64,
    position: String,
}

impl KeptRun {
    /// Finds the results of a game under a rule set.
    pub(crate) fn of(game: &Hunt) -> Option<KeptRun> {
        full_run(game).map(KeptRun)
    }

    /// Whether distances are kept, not only outcomes.
    pub(crate) fn has_distances(&self) -> bool {
        self.0.distances.is_some()
    }

    fn distances(&self) -> Result<Distances, Problem> {
        self.0.distances.map_or_else(
            || Err(Problem::missing("the full run was for outcomes alone")),
            |text| serde_json::from_str(text).map_err(|error| malformed(&error)),
        )
    }

    /// The statistics of all layers, without files.
    pub(crate) fn layers(&self, game: &Hunt) -> Result<Vec<LayerAnswer>, Problem> {
        let Some(outcomes) = self.0.outcomes else {
            let layers = self.distances()?.layers.into_iter();
            return Ok(layers.map(|layer| layer.statistics(game)).collect());
        };
        let kept: StatsAnswer =
            serde_json::from_str(outcomes).map_err(|error| malformed(&error))?;
        let mut layers = kept.layers;
        for layer in &mut layers {
            layer.table.bytes = LayerBytes::default();
        }
        Ok(layers)
    }

    /// The numbers of the layers.
    pub(crate) fn numbers(&self) -> Result<Vec<u16>, Problem> {
        Ok(self.distances()?.layers.iter().map(|layer| layer.layer).collect())
    }

    /// Counts by outcome and distance.
    pub(crate) fn census(&self, game: &Hunt) -> Result<CensusAnswer, Problem> {
        let layers = self.distances()?.layers.into_iter();
        let layers = layers.map(|KeptLayer { layer, to_move, .. }| {
            let pieces = layer_pieces(game, layer);
            LayerCensus { layer, pieces, to_move }
        });
        Ok(CensusAnswer::of_layers(game, layers))
    }

    /// The longest wins of every layer and of all layers.
    pub(crate) fn hardest(&self, game: &Hunt) -> Result<HardestAnswer, Problem> {
        let mut layers = Vec::new();
        for KeptLayer { layer, longest, .. } in self.distances()?.layers {
            let mut to_move = Vec::new();
            for (side, wins) in longest.iter() {
                let wins: Result<Vec<_>, Problem> =
                    wins.iter().map(|win| win.answer(game)).collect();
                to_move.push((side.to_owned(), wins?));
            }
            layers.push(LayerHardest::new(game, layer, to_move.into_iter().collect()));
        }
        Ok(HardestAnswer::of_layers(game, layers, LISTED))
    }

    /// Best play from the openings; none if only outcomes are kept.
    pub(crate) fn openings(&self, game: &Hunt) -> Result<Vec<KeptOpening>, Problem> {
        if !self.has_distances() {
            return Ok(Vec::new());
        }
        let Distances { openings, mut captures, .. } = self.distances()?;
        captures.retain(|start| start.rules == game.rules_id());
        let start = game.format_position(&game.start());
        let openings = openings.into_iter().map(|opening| KeptOpening {
            moves: captures
                .iter_mut()
                .filter(|_| opening.position == start)
                .flat_map(|start| start.first_moves.drain(..))
                .collect(),
            position: opening.position,
            outcome: opening.outcome,
            dtw: opening.dtw,
            line: opening.line.split_whitespace().map(str::to_owned).collect(),
        });
        Ok(openings.collect())
    }
}

impl KeptLayer {
    /// The statistics of the layer, without files.
    fn statistics(self, game: &Hunt) -> LayerAnswer {
        let index = game.index(self.layer);
        let longest = |side: &CensusValues, winner: &str| -> Option<u16> {
            let depths = side.depths.get(winner)?.iter();
            depths.filter_map(|(plies, _)| plies.parse().ok()).max()
        };
        let by_winner = |side: &CensusValues| {
            Map::by_side(game, |winner| longest(side, game.side_name(winner)))
        };
        let sides = || self.to_move.iter();
        let table = self.table.as_ref().map(|table| TableRun {
            rounds: Some(table.rounds),
            seconds: Some(table.seconds),
            bytes: LayerBytes::default(),
            blake3: table.blake3.clone(),
        });
        LayerAnswer {
            layer: self.layer,
            pieces: layer_pieces(game, self.layer),
            positions: sides()
                .flat_map(|(_, side)| side.outcomes.iter().map(|(_, count)| count))
                .sum(),
            to_move: sides().map(|(name, side)| (name, side.outcomes.clone())).collect(),
            classes: Side::BOTH.into_iter().map(|side| index.classes(side)).sum(),
            table: table.clone().unwrap_or_default(),
            longest: Some(sides().map(|(name, side)| (name, by_winner(side))).collect()),
            dtw: table,
        }
    }
}

impl Longest {
    /// The win with its position, and without its line, which is not kept.
    fn answer(&self, game: &Hunt) -> Result<LongestAnswer, Problem> {
        let position = game.parse_position(&self.position)?;
        let outcome = Outcome::from(game.side_named(&self.outcome));
        let value = Value { outcome, plies: Some(self.dtw) };
        let rated = RatedPosition::new(game, &position, Some(value));
        Ok(LongestAnswer {
            outcome: self.outcome.clone(),
            dtw: self.dtw,
            positions: self.positions,
            classes: self.classes,
            examples: vec![LongestExample { rated, line: Vec::new() }],
        })
    }
}

/// The results that are part of the program cannot be read.
pub(crate) fn malformed(error: &serde_json::Error) -> Problem {
    Problem::internal(format!("a kept result: {error}")).hint("please report it")
}

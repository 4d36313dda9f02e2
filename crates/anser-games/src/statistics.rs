//! Statistics of tables, from their headers and manifests.

use anser_core::{Hunt, LayerIndex, Outcome, Side};
use anser_table::format::{Counts, Longest, hex};
use anser_table::manifest::RunInfo;
use anser_table::{Kind, Metric, TableError};
use std::path::PathBuf;

use crate::answers::{LayerAnswer, LayerBytes, TableRun, longest_wins, position_counts};
use crate::{Registry, SearchPath, layer_pieces};

/// Statistics of the tables of a game.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Statistics {
    /// Layers with tables, lowest first.
    pub layers: Vec<LayerStats>,
    /// Files with the name of a table that cannot be used, by layer and metric.
    pub rejected: Vec<(u16, Metric, TableError)>,
    /// Tables that are ignored, because their values differ from those of the first table of the
    /// same layer and metric.
    pub differing: Vec<PathBuf>,
}

/// Statistics of one layer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LayerStats {
    /// The layer.
    pub layer: u16,
    /// By metric; there is one at least.
    tables: [Option<TableStats>; Metric::ALL.len()],
}

/// Statistics of the tables of one layer and metric.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TableStats {
    /// Number of symmetry classes of positions.
    pub classes: u64,
    /// Longest wins, in plies, if the values are distances.
    pub longest: Option<Longest>,
    /// Numbers of positions by side to move and outcome.
    pub counts: Counts,
    /// BLAKE3 digest of the values.
    pub digest: [u8; 32],
    /// Length of the raw table in bytes.
    pub raw: Option<u64>,
    /// Length of the packed table in bytes.
    pub packed: Option<u64>,
    /// The run that solved the layer, if a manifest has it.
    pub run: Option<RunInfo>,
}

impl SearchPath {
    /// Reads the headers of all tables of a game, of the metrics that `wanted` accepts.
    ///
    /// ```
    /// use anser_games::{Registry, SearchPath};
    ///
    /// let registry = Registry::standard();
    /// let game = registry.game("fox-geese", Some("free"))?;
    /// let found = SearchPath::embedded().statistics(&registry, &game, |_| true)?;
    /// assert_eq!(found.layers.len(), 7);
    /// assert_eq!(found.layers[3].answer(&game).positions, 2_373_360);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`SearchPath::list`].
    pub fn statistics(
        &self,
        registry: &Registry,
        game: &Hunt,
        wanted: impl Fn(Metric) -> bool,
    ) -> Result<Statistics, TableError> {
        let mut gathered = Statistics::default();
        for directory in self.list(registry)? {
            let of_game = |found: &crate::TableFile| found.is_of(game) && wanted(found.name.metric);
            for found in directory.tables.into_iter().filter(of_game) {
                let table = match found.open_as(game) {
                    Ok(table) => table,
                    Err(error) => {
                        gathered.rejected.push((found.name.layer, found.name.metric, error));
                        continue;
                    }
                };
                let header = table.header();
                let number =
                    gathered.layers.binary_search_by_key(&header.layer(), |layer| layer.layer);
                let number = number.unwrap_or_else(|number| {
                    gathered.layers.insert(
                        number,
                        LayerStats { layer: header.layer(), tables: Metric::ALL.map(|_| None) },
                    );
                    number
                });
                let layer = gathered.layers[number].tables[header.metric() as usize]
                    .get_or_insert_with(|| TableStats {
                        classes: classes(game, header.layer()),
                        longest: header.longest(),
                        counts: header.counts(),
                        digest: *header.payload_digest(),
                        raw: None,
                        packed: None,
                        run: None,
                    });
                if layer.digest != *header.payload_digest() {
                    gathered.differing.push(found.path);
                    continue;
                }
                let bytes = match header.kind() {
                    Kind::Raw => &mut layer.raw,
                    Kind::Packed => &mut layer.packed,
                };
                bytes.get_or_insert(found.bytes);
                layer.run = layer.run.take().or_else(|| {
                    found.manifest_entry(game.name(), game.rules_id()).and_then(|entry| entry.run)
                });
            }
        }
        Ok(gathered)
    }
}

impl TableStats {
    /// Number of positions, with either side to move.
    pub fn positions(&self) -> u64 {
        self.counts.as_array().iter().flatten().sum()
    }

    /// Number of positions that `winner` wins, with either side to move.
    pub fn won(&self, winner: Side) -> u64 {
        let slot = anser_table::format::count_slot(Outcome::Win(winner));
        self.counts.iter().map(|(_, outcomes)| outcomes[slot]).sum()
    }

    /// Longest win of `winner` in plies, with either side to move.
    pub fn longest_win(&self, winner: Side) -> Option<u16> {
        self.longest?.iter().filter_map(|(_, longest)| longest[winner]).max()
    }

    fn answer(&self) -> TableRun {
        TableRun {
            rounds: self.run.as_ref().map(|run| run.rounds),
            seconds: self.run.as_ref().map(|run| run.seconds),
            bytes: LayerBytes { raw: self.raw, packed: self.packed },
            blake3: hex(&self.digest),
        }
    }
}

impl LayerStats {
    /// Number of positions that `winner` wins, with either side to move.
    pub fn won(&self, winner: Side) -> u64 {
        self.tables.iter().flatten().next().map_or(0, |table| table.won(winner))
    }

    /// The statistics of the tables of a metric.
    pub fn of(&self, metric: Metric) -> Option<&TableStats> {
        self.tables[metric as usize].as_ref()
    }

    /// Describes the layer.
    pub fn answer(&self, game: &Hunt) -> LayerAnswer {
        let [wdl, dtw] = &self.tables;
        // Either metric counts the positions; there is one at least.
        let counts = wdl.as_ref().or(dtw.as_ref()).map(|table| (table.counts, table.classes));
        let (counts, classes) = counts.unwrap_or_default();
        let table = wdl.as_ref().or(dtw.as_ref()).map(TableStats::answer).unwrap_or_default();
        let longest = dtw
            .as_ref()
            .and_then(|table| table.longest)
            .map(|longest| longest_wins(game, &longest));
        LayerAnswer {
            layer: self.layer,
            pieces: layer_pieces(game, self.layer),
            positions: counts.as_array().iter().flatten().sum(),
            to_move: position_counts(game, &counts),
            classes,
            table,
            longest,
            dtw: dtw.as_ref().map(TableStats::answer),
        }
    }
}

/// Returns the number of symmetry classes of a layer, with either side to move.
fn classes(game: &Hunt, layer: u16) -> u64 {
    let index = game.index(layer);
    Side::BOTH.into_iter().map(|side| index.classes(side)).sum()
}

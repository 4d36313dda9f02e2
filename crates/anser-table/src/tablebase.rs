//! The tables of one game under one rule set, found in directories.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anser_core::Game;

use crate::cache::BlockCache;
use crate::error::{Defect, MissingLayer, ProbeError, TableError};
use crate::layout::Metric;
use crate::names::TableName;
use crate::storage::{Access, Mapping, PositionedReads};
use crate::table::Table;

/// The solved layers of a game under a rule set, for as many layers as there are tables.
///
/// Any thread may probe at any time. Directories are searched in order, and in each the raw table of a layer is
/// preferred to the packed one. A file that cannot be used is passed over, and its error is given to who asks for its
/// layer when no other file answers; the other layers are not affected. A layer may have a table of outcomes, one of
/// distances or both: who asks for outcomes is answered from either, and from that of outcomes if there is one.
pub struct Tablebase<G: Game> {
    pub(crate) game: G,
    searched: Vec<PathBuf>,
    make_in: Option<PathBuf>,
    first_layer: u16,
    layers: Vec<Layer<G>>,
    pub(crate) cache: BlockCache,
}

/// What was found of one layer, by metric.
type Layer<G> = [Found<G>; Metric::ALL.len()];

/// What was found of one layer in one metric.
struct Found<G: Game> {
    open: Option<OpenLayer<G>>,
    rejected: Vec<TableError>,
    unfinished: Vec<PathBuf>,
}

/// A table and the numbering of its entries.
pub(crate) struct OpenLayer<G: Game> {
    pub(crate) table: Table,
    /// The same for all metrics of a layer.
    pub(crate) index: Arc<G::Index>,
}

impl<G: Game> Tablebase<G> {
    /// Opens the tables of `game` in the directories `paths`, to be read with positioned reads.
    ///
    /// Fails only if a directory cannot be read.
    ///
    /// ```
    /// use anser_core::fox_geese::FoxGeese;
    /// use anser_table::Tablebase;
    /// let error = Tablebase::open(FoxGeese::default(), ["no/such/directory"]).unwrap_err();
    /// assert!(error.to_string().contains("no/such/directory"));
    /// ```
    pub fn open<P: AsRef<Path>>(game: G, paths: impl IntoIterator<Item = P>) -> Result<Tablebase<G>, TableError> {
        Tablebase::open_with(game, paths, &PositionedReads)
    }

    /// Opens the tables of `game` in the directories `paths`, to be mapped into memory.
    ///
    /// # Safety
    /// The contract of [`Mapping::new`]: nobody changes the files while the tablebase lives.
    pub unsafe fn open_mapped<P: AsRef<Path>>(
        game: G,
        paths: impl IntoIterator<Item = P>,
    ) -> Result<Tablebase<G>, TableError> {
        // SAFETY: the caller keeps the contract.
        let mapping = unsafe { Mapping::new() };
        Tablebase::open_with(game, paths, &mapping)
    }

    /// Opens the tables of `game` in the directories `paths` in some other way.
    pub fn open_with<P: AsRef<Path>>(
        game: G,
        paths: impl IntoIterator<Item = P>,
        access: &impl Access,
    ) -> Result<Tablebase<G>, TableError> {
        let mut tablebase = Tablebase::empty(game);
        for path in paths {
            let directory = path.as_ref();
            tablebase
                .search(directory, access)
                .map_err(|error| TableError::new(directory, Defect::Directory(error)))?;
        }
        Ok(tablebase)
    }

    /// The tablebase of these tables, which were opened before; of several for one layer and metric the first that fits is
    /// used.
    pub fn from_tables(game: G, tables: impl IntoIterator<Item = Table>) -> Tablebase<G> {
        let mut tablebase = Tablebase::empty(game);
        for table in tables {
            let (layer, metric) = (table.header().layer(), table.header().metric());
            tablebase.add(layer, metric, || Ok(table));
        }
        tablebase
    }

    /// Adds tables that were opened before, for layers and metrics that no directory has a usable table of. Errors about a
    /// missing layer name `place` among what was searched.
    #[must_use]
    pub fn with_tables(mut self, place: impl Into<PathBuf>, tables: impl IntoIterator<Item = Table>) -> Tablebase<G> {
        for table in tables {
            let (layer, metric) = (table.header().layer(), table.header().metric());
            self.add(layer, metric, || Ok(table));
        }
        self.searched.push(place.into());
        self
    }

    /// Names the directory where errors about a missing layer advise to make it; without this they name none.
    #[must_use]
    pub fn make_in(mut self, dir: impl Into<PathBuf>) -> Tablebase<G> {
        self.make_in = Some(dir.into());
        self
    }

    /// Bounds the memory for decoded blocks; without this it is [`BlockCache::DEFAULT_BYTES`].
    #[must_use]
    pub fn with_cache_bytes(mut self, bytes: u64) -> Tablebase<G> {
        self.cache = BlockCache::new(bytes);
        self
    }

    fn empty(game: G) -> Tablebase<G> {
        let found = |_| Found { open: None, rejected: Vec::new(), unfinished: Vec::new() };
        Tablebase {
            searched: Vec::new(),
            make_in: None,
            first_layer: *game.layers().start(),
            layers: game.layers().map(|_| Metric::ALL.map(found)).collect(),
            cache: BlockCache::default(),
            game,
        }
    }

    fn search(&mut self, directory: &Path, access: &impl Access) -> io::Result<()> {
        let (mut finished, mut unfinished) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            let file_name = entry.file_name();
            let Some(name) = file_name.to_str() else { continue };
            if let Some(name) = TableName::parse(name).filter(|name| self.owns(name)) {
                finished.push((name, entry.path()));
            } else if let Some(name) = TableName::parse_part(name).filter(|name| self.owns(name)) {
                unfinished.push((name, entry.path()));
            }
        }
        // Directories list their files in any order. Names sort by layer, and raw before packed.
        finished.sort();
        unfinished.sort();
        for (name, path) in finished {
            self.add(name.layer, name.metric, || Table::open(path, access));
        }
        for (name, path) in unfinished {
            if let Some(layer) = self.slot(name.layer) {
                self.layers[layer][name.metric as usize].unfinished.push(path);
            }
        }
        self.searched.push(directory.to_owned());
        Ok(())
    }

    /// Whether a file name is that of a table of this game and rule set.
    fn owns(&self, name: &TableName) -> bool {
        let own = TableName::new(&self.game.name(), &self.game.rules_id(), name.layer, name.metric, name.kind);
        *name == own && self.slot(name.layer).is_some()
    }

    /// Uses a table of `metric` for `layer`, unless there is one already.
    fn add(&mut self, layer: u16, metric: Metric, open: impl FnOnce() -> Result<Table, TableError>) {
        let Some(slot) = self.slot(layer) else { return };
        if self.layers[slot][metric as usize].open.is_some() {
            return;
        }
        let known = self.layers[slot].iter().find_map(|found| Some(Arc::clone(&found.open.as_ref()?.index)));
        let index = known.unwrap_or_else(|| Arc::new(self.game.index(layer)));
        let checked = open().and_then(|table| match table.header().check_identity(&self.game, layer, &index) {
            Ok(()) => Ok(table.with_index(&*index)),
            Err(defect) => Err(table.error(defect)),
        });
        match checked {
            Ok(table) => self.layers[slot][metric as usize].open = Some(OpenLayer { table, index }),
            Err(error) => self.layers[slot][metric as usize].rejected.push(error),
        }
    }

    fn slot(&self, layer: u16) -> Option<usize> {
        let slot = usize::from(layer.checked_sub(self.first_layer)?);
        (slot < self.layers.len()).then_some(slot)
    }

    /// The game and its rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The cache of decoded blocks.
    pub fn cache(&self) -> &BlockCache {
        &self.cache
    }

    /// Fails if one of the files was changed since it was opened, as far as lengths and modification times tell.
    ///
    /// A program that keeps [mapped](Mapping) tables open for long calls this after it has read values and before it passes
    /// them on. Batches do it themselves. It costs a system call for each file.
    ///
    /// # Errors
    /// [`Defect::Changed`] of the first such file.
    pub fn check_unchanged(&self) -> Result<(), TableError> {
        let mut open = self.layers.iter().flatten().filter_map(|found| found.open.as_ref());
        open.try_for_each(|open| open.table.check_unchanged())
    }

    /// The layers that there are tables for, of whatever metric, lowest first.
    pub fn layers(&self) -> impl Iterator<Item = u16> {
        self.numbered().filter(|(_, there)| *there).map(|(number, _)| number)
    }

    /// The layers of the game that there are no usable tables for, lowest first. [`table`](Tablebase::table) says why.
    pub fn missing_layers(&self) -> impl Iterator<Item = u16> {
        self.numbered().filter(|(_, there)| !there).map(|(number, _)| number)
    }

    /// The layers that there are tables of distances for, lowest first.
    pub fn layers_with_distances(&self) -> impl Iterator<Item = u16> {
        self.game.layers().filter(|&layer| self.has(layer, Metric::Dtw))
    }

    /// The files that have the name of a table of this game but cannot be used.
    pub fn rejected(&self) -> impl Iterator<Item = &TableError> {
        self.layers.iter().flatten().flat_map(|found| &found.rejected)
    }

    /// The unfinished files of a solver that were seen and left alone.
    pub fn unfinished(&self) -> impl Iterator<Item = &Path> {
        self.layers.iter().flatten().flat_map(|found| &found.unfinished).map(PathBuf::as_path)
    }

    /// Every layer, and whether there is a table for it.
    fn numbered(&self) -> impl Iterator<Item = (u16, bool)> {
        (self.first_layer..).zip(self.layers.iter().map(|layer| layer.iter().any(|found| found.open.is_some())))
    }

    /// The table that answers for the outcomes of a layer, of whatever metric, or why there is none.
    pub fn table(&self, layer: u16) -> Result<&Table, ProbeError> {
        self.layer(layer, Metric::Wdl).map(|open| &open.table)
    }

    /// The table of a metric of a layer, or why there is none.
    pub fn table_of(&self, layer: u16, metric: Metric) -> Result<&Table, ProbeError> {
        self.layer_of(layer, metric).map(|open| &open.table)
    }

    /// Whether there is a table of this metric for a layer.
    pub(crate) fn has(&self, layer: u16, metric: Metric) -> bool {
        self.opened(layer, metric).is_some()
    }

    #[inline]
    fn opened(&self, layer: u16, metric: Metric) -> Option<&OpenLayer<G>> {
        self.slot(layer).and_then(|slot| self.layers[slot][metric as usize].open.as_ref())
    }

    /// A layer as a metric has it.
    #[inline]
    pub(crate) fn layer_of(&self, layer: u16, metric: Metric) -> Result<&OpenLayer<G>, ProbeError> {
        self.opened(layer, metric).ok_or_else(|| self.without(layer, &[metric]))
    }

    /// A layer as a metric has it, or else another.
    #[inline]
    pub(crate) fn layer(&self, layer: u16, preferred: Metric) -> Result<&OpenLayer<G>, ProbeError> {
        let other = || Metric::ALL.into_iter().find_map(|metric| self.opened(layer, metric));
        self.opened(layer, preferred).or_else(other).ok_or_else(|| self.without(layer, &Metric::ALL))
    }

    /// Why there is no table for a layer, of any of these metrics.
    #[cold]
    fn without(&self, layer: u16, metrics: &[Metric]) -> ProbeError {
        let slot = self.slot(layer);
        let found = || metrics.iter().filter_map(|&metric| Some(&self.layers[slot?][metric as usize]));
        if let Some(error) = found().find_map(|found| found.rejected.first()) {
            return ProbeError::Table(error.clone());
        }
        ProbeError::MissingLayer(Box::new(MissingLayer {
            game: self.game.name(),
            rules: self.game.rules_id(),
            layer,
            metric: metrics.first().copied().unwrap_or(Metric::Wdl),
            first: first_needed(&self.game, layer),
            searched: self.searched.clone(),
            make_in: self.make_in.clone(),
            unfinished: found().flat_map(|found| found.unfinished.clone()).collect(),
        }))
    }
}

impl<G: Game> fmt::Debug for Tablebase<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebase")
            .field("game", &self.game.name())
            .field("rules", &self.game.rules_id())
            .field("searched", &self.searched)
            .field("layers", &self.layers().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

/// The layer to begin with when `layer` is to be solved and nothing is there yet: itself if it stands alone, otherwise the
/// game's lowest.
///
/// ```
/// use anser_core::fox_geese::{FoxGeese, RuleSet};
/// use anser_table::first_needed;
/// assert_eq!(first_needed(&FoxGeese::new(RuleSet::FREE), 9), 1);
/// assert_eq!(first_needed(&FoxGeese::new(RuleSet::FIRST_CAPTURE), 9), 9);
/// ```
pub fn first_needed<G: Game>(game: &G, layer: u16) -> u16 {
    if game.lower_layers(layer).is_empty() { layer } else { *game.layers().start() }
}

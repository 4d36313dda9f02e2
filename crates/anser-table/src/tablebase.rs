//! The tables of one game under one rule set.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anser_core::Hunt;
use anser_core::hunt::HuntIndex;

use crate::cache::BlockCache;
use crate::error::{Defect, MissingLayer, ProbeError, TableError};
use crate::kinds::Metric;
use crate::names::TableName;
use crate::storage::{Access, PositionedReads};
use crate::table::Table;

/// The tables of a game under one rule set.
///
/// Any number of threads may probe at the same time. Directories are searched in order, and in each
/// the raw table of a layer is preferred to the packed one. A file that cannot be used is skipped;
/// its error is returned for positions of its layer if no other file has them, and other layers are
/// not affected. A layer may have a table of outcomes, a table of distances, or both. Outcomes are
/// read from the table of outcomes if it exists, and otherwise from the table of distances.
pub struct Tablebase {
    pub(crate) game: Hunt,
    searched: Vec<PathBuf>,
    first_layer: u16,
    layers: Vec<FilesOfLayer>,
    pub(crate) cache: BlockCache,
}

/// The files of one layer, by metric.
type FilesOfLayer = [FilesOfMetric; Metric::ALL.len()];

/// The files of one layer and metric.
#[derive(Default)]
struct FilesOfMetric {
    open: Option<OpenLayer>,
    rejected: Vec<TableError>,
    unfinished: Vec<PathBuf>,
}

/// A table and the index of its layer.
pub(crate) struct OpenLayer {
    pub(crate) table: Table,
    /// Shared by all metrics of the layer.
    pub(crate) index: Arc<HuntIndex>,
}

impl Tablebase {
    /// Opens the tables of `game` in the directories `paths` for positioned reads.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// use anser_table::Tablebase;
    /// let error = Tablebase::open(Hunt::default(), ["no/such/directory"]).unwrap_err();
    /// assert!(error.to_string().contains("no/such/directory"));
    /// ```
    ///
    /// # Errors
    /// If a directory cannot be read. Files that cannot be used are
    /// [rejected](Tablebase::rejected), not errors.
    pub fn open<P: AsRef<Path>>(
        game: Hunt,
        paths: impl IntoIterator<Item = P>,
    ) -> Result<Tablebase, TableError> {
        Tablebase::open_with(game, paths, &PositionedReads)
    }

    /// Opens the tables of `game` in the directories `paths` and maps them into memory.
    ///
    /// # Errors
    /// If a directory cannot be read.
    ///
    /// # Safety
    /// The contract of [`Mapping::new`](crate::Mapping::new): nobody changes the files while the
    /// tablebase exists.
    #[cfg(feature = "mmap")]
    pub unsafe fn open_mapped<P: AsRef<Path>>(
        game: Hunt,
        paths: impl IntoIterator<Item = P>,
    ) -> Result<Tablebase, TableError> {
        // SAFETY: the caller keeps the contract.
        let mapping = unsafe { crate::Mapping::new() };
        Tablebase::open_with(game, paths, &mapping)
    }

    /// Opens the tables of `game` in the directories `paths` with any access.
    ///
    /// # Errors
    /// If a directory cannot be read.
    pub fn open_with<P: AsRef<Path>>(
        game: Hunt,
        paths: impl IntoIterator<Item = P>,
        access: &(impl Access + ?Sized),
    ) -> Result<Tablebase, TableError> {
        let mut tablebase = Tablebase::empty(game);
        for path in paths {
            let directory = path.as_ref();
            tablebase
                .search(directory, access)
                .map_err(|error| TableError::new(directory, Defect::Directory(error)))?;
        }
        Ok(tablebase)
    }

    /// Creates a tablebase of tables that are already open. Of several tables for a layer and
    /// metric, the first usable one is used.
    pub fn from_tables(game: Hunt, tables: impl IntoIterator<Item = Table>) -> Tablebase {
        let mut tablebase = Tablebase::empty(game);
        tablebase.add_all(tables);
        tablebase
    }

    /// Adds open tables for layers and metrics without a usable table. Errors about a missing layer
    /// list `place` among the searched directories.
    #[must_use]
    pub fn with_tables(
        mut self,
        place: impl Into<PathBuf>,
        tables: impl IntoIterator<Item = Table>,
    ) -> Tablebase {
        self.add_all(tables);
        self.searched.push(place.into());
        self
    }

    fn add_all(&mut self, tables: impl IntoIterator<Item = Table>) {
        for table in tables {
            let (layer, metric) = (table.header().layer(), table.header().metric());
            self.add(layer, metric, || Ok(table));
        }
    }

    /// Sets the bound of the block cache in bytes; the default is [`BlockCache::DEFAULT_BYTES`].
    #[must_use]
    pub fn with_cache_bytes(mut self, bytes: u64) -> Tablebase {
        self.cache = BlockCache::new(bytes);
        self
    }

    fn empty(game: Hunt) -> Tablebase {
        Tablebase {
            searched: Vec::new(),
            first_layer: *game.layers().start(),
            layers: game.layers().map(|_| FilesOfLayer::default()).collect(),
            cache: BlockCache::default(),
            game,
        }
    }

    fn search(&mut self, directory: &Path, access: &(impl Access + ?Sized)) -> io::Result<()> {
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
        // Directories list files in any order. Names sort by layer, and raw before packed.
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

    /// Whether a file name belongs to a table of this game and rule set.
    fn owns(&self, name: &TableName) -> bool {
        name.is_of(self.game.name(), self.game.rules_id()) && self.slot(name.layer).is_some()
    }

    /// Opens a table of `metric` for `layer`, unless there is one already.
    fn add(
        &mut self,
        layer: u16,
        metric: Metric,
        open: impl FnOnce() -> Result<Table, TableError>,
    ) {
        let Some(slot) = self.slot(layer) else { return };
        if self.layers[slot][metric as usize].open.is_some() {
            return;
        }
        let known = self.layers[slot]
            .iter()
            .find_map(|found| Some(Arc::clone(&found.open.as_ref()?.index)));
        let index = known.unwrap_or_else(|| Arc::new(self.game.index(layer)));
        let checked = open().and_then(|table| {
            match table.header().check_identity(&self.game, layer, &index) {
                Ok(()) => Ok(table.with_index(&*index)),
                Err(defect) => Err(table.error(defect)),
            }
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

    /// Returns the game.
    pub fn game(&self) -> &Hunt {
        &self.game
    }

    /// Returns the block cache.
    pub fn cache(&self) -> &BlockCache {
        &self.cache
    }

    /// Checks that no file has changed since it was opened, as far as lengths and modification
    /// times show.
    ///
    /// A program that keeps mapped tables open for a long time calls this after it has read values
    /// and before it returns them. Batches do so themselves. It costs one system call per file.
    ///
    /// # Errors
    /// [`Defect::Changed`] of the first such file.
    pub fn check_unchanged(&self) -> Result<(), TableError> {
        let mut open = self.layers.iter().flatten().filter_map(|found| found.open.as_ref());
        open.try_for_each(|open| open.table.check_unchanged())
    }

    /// Returns the layers that have a table of any metric, lowest first.
    pub fn layers(&self) -> impl Iterator<Item = u16> {
        self.game.layers().filter(|&layer| self.has_values(layer, Metric::Wdl))
    }

    /// Returns the layers without a usable table, lowest first. [`table`](Tablebase::table) returns
    /// the reason.
    pub fn missing_layers(&self) -> impl Iterator<Item = u16> {
        self.game.layers().filter(|&layer| !self.has_values(layer, Metric::Wdl))
    }

    /// Returns the layers that have a table of distances, lowest first.
    pub fn layers_with_distances(&self) -> impl Iterator<Item = u16> {
        self.game.layers().filter(|&layer| self.has(layer, Metric::Dtw))
    }

    /// Returns the errors of files that have the name of a table of this game and cannot be used.
    pub fn rejected(&self) -> impl Iterator<Item = &TableError> {
        self.layers.iter().flatten().flat_map(|found| &found.rejected)
    }

    /// Returns the values of a layer that are lost because no file with them can be used, with the
    /// error of the first such file. A table of distances has outcomes as well.
    pub fn lost(&self, layer: u16) -> impl Iterator<Item = (Metric, &TableError)> {
        let found = self.slot(layer).map(|slot| &self.layers[slot]);
        Metric::ALL.into_iter().filter_map(move |metric| {
            let error = found?[metric as usize].rejected.first()?;
            (!self.has_values(layer, metric)).then_some((metric, error))
        })
    }

    /// Returns whether an error is that of a file that could not be used when the tables were
    /// opened.
    pub fn is_rejected(&self, error: &ProbeError) -> bool {
        let ProbeError::Table(error) = error else { return false };
        self.rejected().any(|rejected| rejected.path() == error.path())
    }

    /// Returns the unfinished files of this game. They are not opened.
    pub fn unfinished(&self) -> impl Iterator<Item = &Path> {
        self.layers.iter().flatten().flat_map(|found| &found.unfinished).map(PathBuf::as_path)
    }

    /// Returns the table that answers outcomes of a layer, of either metric.
    ///
    /// # Errors
    /// [`ProbeError::MissingLayer`], or the error of the file that was rejected.
    pub fn table(&self, layer: u16) -> Result<&Table, ProbeError> {
        self.layer(layer, Metric::Wdl).map(|open| &open.table)
    }

    /// Returns the table of a layer and metric.
    ///
    /// # Errors
    /// [`ProbeError::MissingLayer`], or the error of the file that was rejected.
    pub fn table_of(&self, layer: u16, metric: Metric) -> Result<&Table, ProbeError> {
        self.layer_of(layer, metric).map(|open| &open.table)
    }

    /// Whether a layer has a table with values of this metric. Distances count as outcomes, too.
    pub fn has_values(&self, layer: u16, metric: Metric) -> bool {
        self.has(layer, metric) || !metric.has_distances() && self.has(layer, Metric::Dtw)
    }

    /// Whether a layer has a table of this metric.
    pub(crate) fn has(&self, layer: u16, metric: Metric) -> bool {
        self.opened(layer, metric).is_some()
    }

    #[inline]
    fn opened(&self, layer: u16, metric: Metric) -> Option<&OpenLayer> {
        self.slot(layer).and_then(|slot| self.layers[slot][metric as usize].open.as_ref())
    }

    /// Returns the table and index of a layer and metric.
    #[inline]
    pub(crate) fn layer_of(&self, layer: u16, metric: Metric) -> Result<&OpenLayer, ProbeError> {
        self.opened(layer, metric).ok_or_else(|| self.without(layer, &[metric]))
    }

    /// Returns the table and index of a layer, of the preferred metric or else of another.
    #[inline]
    pub(crate) fn layer(&self, layer: u16, preferred: Metric) -> Result<&OpenLayer, ProbeError> {
        let other = || Metric::ALL.into_iter().find_map(|metric| self.opened(layer, metric));
        self.opened(layer, preferred)
            .or_else(other)
            .ok_or_else(|| self.without(layer, &Metric::ALL))
    }

    /// Returns the reason why a layer has no table of these metrics.
    #[cold]
    fn without(&self, layer: u16, metrics: &[Metric]) -> ProbeError {
        let slot = self.slot(layer);
        let found =
            || metrics.iter().filter_map(|&metric| Some(&self.layers[slot?][metric as usize]));
        if let Some(error) = found().find_map(|found| found.rejected.first()) {
            return ProbeError::Table(error.clone());
        }
        ProbeError::MissingLayer(Box::new(MissingLayer {
            game: self.game.name().into(),
            rules: self.game.rules_id().into(),
            layer,
            metric: metrics.first().copied().unwrap_or(Metric::Wdl),
            first: self.game.first_needed(layer),
            searched: self.searched.clone(),
            unfinished: found().flat_map(|found| found.unfinished.clone()).collect(),
        }))
    }
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebase")
            .field("game", &self.game.name())
            .field("rules", &self.game.rules_id())
            .field("searched", &self.searched)
            .field("layers", &self.layers().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

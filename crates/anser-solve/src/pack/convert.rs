//! Conversion of tables of a directory, for packing and unpacking: sources, existing tables, and
//! the manifest.

use std::fs::File;
use std::io::{self, Read};
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Instant;

use anser_core::hunt::HuntIndex;
use anser_core::{Dtw, Hunt, Observer, Outcome};
use anser_retrograde::parallel;
use anser_table::format::Header;
use anser_table::manifest::{FileDigest, Manifest, RunInfo};
use anser_table::{
    Defect, ErrorClass, Kind, Metric, PositionedReads, ProbeError, Table, TableError, Tablebase,
};

use crate::error::{TableFault, WrongTable, io_error};
use crate::io::files::{AtomicFile, Lock, create_dir, remove_leftovers};
use crate::io::manifest::{digest_of, is_listed, load_manifest, record_table, table_name};
use crate::observer::{Event, RunObserver};
use crate::pack::PackLevel;
use crate::pack::payload::Packable;
use crate::reports::Packed;
use crate::run::options::{layers_of, metrics_of, require_table};
use crate::verify::full::Checked;
use crate::{SolveError, check_interrupt};

/// Conversion of tables of any kind to tables of one kind in a directory.
pub(crate) struct Conversion<'a> {
    pub(crate) game: &'a Hunt,
    pub(crate) tables: &'a Tablebase,
    pub(crate) out: &'a Path,
    pub(crate) to: To,
    /// The metric to convert; `None` for all.
    pub(crate) metric: Option<Metric>,
    pub(crate) observer: &'a dyn RunObserver,
}

/// The kind of the new tables.
#[derive(Clone, Copy)]
pub(crate) enum To {
    Raw,
    Packed {
        /// The zstd level.
        level: PackLevel,
        /// Whether the level was requested.
        level_matters: bool,
    },
}

impl Conversion<'_> {
    /// Converts these layers; `None` for all that have tables.
    pub(crate) fn run(
        &self,
        layers: Option<RangeInclusive<u16>>,
    ) -> Result<Vec<Packed>, SolveError> {
        let sources = self.sources(layers)?;
        if sources.is_empty() {
            // Nothing is written, so no directory is created.
            return Ok(Vec::new());
        }
        create_dir(self.out)?;
        let _lock = Lock::take(self.out)?;
        remove_leftovers(self.out)?;
        let convert = |source: Result<&Table, ProbeError>| {
            let table = self.table(source?)?;
            if table.kept {
                self.observer.event(&Event::Kept { layer: table.layer });
            }
            Ok(table)
        };
        sources.into_iter().map(convert).collect()
    }

    /// Returns the tables to convert, lowest layer first.
    fn sources(
        &self,
        requested: Option<RangeInclusive<u16>>,
    ) -> Result<Vec<Result<&Table, ProbeError>>, SolveError> {
        // A layer with only a damaged table is not skipped: it fails when its turn comes.
        let there = |layer: u16| {
            metrics_of(self.metric)
                .map(move |metric| self.tables.table_of(layer, metric))
                .filter(|table| !matches!(table, Err(ProbeError::MissingLayer(_))))
        };
        let Some(requested) = requested else {
            return Ok(self.game.layers().flat_map(there).collect());
        };
        let mut sources = Vec::new();
        // A missing or damaged table is reported before hours are spent on the others.
        for layer in layers_of(self.game, Some(&requested))? {
            let before = sources.len();
            for table in there(layer) {
                sources.push(Ok(table?));
            }
            if sources.len() == before {
                require_table(self.tables, layer, self.metric)?;
            }
        }
        Ok(sources)
    }

    /// Converts one table. The directory `out` is locked.
    pub(crate) fn table(&self, source: &Table) -> Result<Packed, SolveError> {
        let started = Instant::now();
        let (layer, metric) = (source.header().layer(), source.header().metric());
        let index = self.game.index(layer);
        let path = self.out.join(table_name(self.game, layer, metric, self.kind()).to_string());
        let there = self.there(&path, source, &index)?.filter(|there| self.accepts(there));
        let kept = there.is_some();
        let header = match there {
            Some(there) => there,
            None => self.make(&path, source, &index)?,
        };
        self.record(&path, source, &header, kept)?;
        let raw = header.to_raw().map_err(|defect| SolveError::Header { layer, defect })?;
        Ok(Packed {
            layer,
            metric,
            path,
            raw_bytes: raw.layout().file_len(),
            bytes: header.layout().file_len(),
            kept,
            seconds: started.elapsed().as_secs_f64(),
        })
    }

    /// Returns the header of the existing table at this path, if it is sound and has the values of
    /// `source`.
    ///
    /// A file that no reader can use is replaced. A sound table with other values is not: values
    /// follow from the rules, so one of the two is wrong, and only a full check shows which. Files
    /// that are not tables of this game, or have a newer format, are not replaced either.
    fn there(
        &self,
        path: &Path,
        source: &Table,
        index: &HuntIndex,
    ) -> Result<Option<Header>, SolveError> {
        let layer = source.header().layer();
        let table = match Table::open(path, &PositionedReads) {
            Ok(table) => table,
            Err(error) => match error.defect() {
                Defect::Io(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
                // A loss of power can leave a new file like this.
                Defect::NotATable if is_blank(path) => return Ok(None),
                Defect::HeaderDamaged
                | Defect::HeaderInvalid(_)
                | Defect::Length { .. }
                | Defect::Unfinished => {
                    return Ok(None);
                }
                _ => return Err(error.into()),
            },
        };
        let header = table.header();
        header
            .check_identity(self.game, layer, index)
            .map_err(|defect| TableError::new(path, defect))?;
        if header.payload_digest() == source.header().payload_digest() {
            return match self.check(&table, "checking") {
                Ok(()) => Ok(Some(header.clone())),
                Err(SolveError::Table(error)) if error.class() == ErrorClass::Corrupt => Ok(None),
                Err(error) => Err(error),
            };
        }
        let fault = TableFault::OtherValues { of: source.path().to_owned() };
        Err(WrongTable::error(self.game, path, (layer, header.metric(), self.kind()), fault))
    }

    fn make(&self, path: &Path, source: &Table, index: &HuntIndex) -> Result<Header, SolveError> {
        let mut file = AtomicFile::create(path)?;
        let header = source.header();
        let header = if header.kind() == self.kind() && self.accepts(header) {
            self.copy(source, file.file(), path)?
        } else {
            let write = match header.metric() {
                Metric::Wdl => Self::write::<Outcome>,
                Metric::Dtw => Self::write::<Dtw>,
            };
            write(self, source, index, file.file(), path)?
        };
        file.commit()?;
        Ok(header)
    }

    fn kind(&self) -> Kind {
        match self.to {
            To::Raw => Kind::Raw,
            To::Packed { .. } => Kind::Packed,
        }
    }

    /// Whether a table of the right kind with the right values can be kept, or copied as it is.
    fn accepts(&self, table: &Header) -> bool {
        match self.to {
            To::Raw => true,
            To::Packed { level, level_matters } => {
                !level_matters || table.packing().is_some_and(|packing| packing.level == level.0)
            }
        }
    }

    /// Writes the table with the values of `source` into an empty file.
    fn write<V: Packable + Checked>(
        &self,
        source: &Table,
        index: &HuntIndex,
        file: &mut File,
        path: &Path,
    ) -> Result<Header, SolveError> {
        match self.to {
            To::Raw => self.unpack_values::<V>(source, index, file, path),
            To::Packed { level, .. } => self.pack_values::<V>(level, source, index, file, path),
        }
    }

    /// Copies a table that is of the right kind, if it is sound.
    fn copy(&self, source: &Table, file: &mut File, path: &Path) -> Result<Header, SolveError> {
        self.check(source, "copying")?;
        let mut original = File::open(source.path()).map_err(io_error(source.path(), "opening"))?;
        io::copy(&mut original, file).map_err(io_error(path, "copying to it"))?;
        Ok(source.header().clone())
    }

    /// Checks all checksums of a table.
    fn check(&self, table: &Table, doing: &str) -> Result<(), SolveError> {
        let layer = table.header().layer();
        self.observer.begin(&format!("{doing} layer {layer}"), table.parts());
        check_table(table, self.observer)
    }

    /// Lists the table in the manifest, unless it was kept and is already listed.
    fn record(
        &self,
        path: &Path,
        source: &Table,
        header: &Header,
        kept: bool,
    ) -> Result<(), SolveError> {
        let listed =
            |manifest: Manifest| Some(manifest.get(path.file_name()?.to_str()?)?.file.clone());
        if kept
            && load_manifest(self.game, self.out)?.and_then(listed)
                == Some(FileDigest::of_file(path)?)
        {
            return Ok(());
        }
        let digest = digest_of(path, header.layout().file_len())?;
        record_table(self.game, self.out, header, digest, self.run_of(source)?)
    }

    /// Returns how the values were solved, from the manifest in the directory of the source.
    fn run_of(&self, source: &Table) -> Result<Option<RunInfo>, SolveError> {
        let Some((dir, name)) = source.path().parent().zip(source.path().file_name()) else {
            return Ok(None);
        };
        // The table may have been replaced by one that another run solved.
        let manifest = load_manifest(self.game, dir)?.filter(|all| is_listed(all, source));
        Ok(manifest.zip(name.to_str()).and_then(|(manifest, name)| manifest.get(name)?.run.clone()))
    }
}

/// Checks all checksums of a table; advances by its parts.
pub(crate) fn check_table(table: &Table, observer: &dyn Observer) -> Result<(), SolveError> {
    if let Some(damaged) = damaged_parts(table, observer)?.into_iter().next() {
        return Err(damaged.into());
    }
    Ok(table.verify_rest()?)
}

/// Returns an error for each part of a table that is damaged, in the order of the parts; advances
/// by the parts. A failure to read one is an error.
pub(crate) fn damaged_parts(
    table: &Table,
    observer: &dyn Observer,
) -> Result<Vec<TableError>, SolveError> {
    /// Calls at most: raw tables have many small parts.
    const CALLS: u64 = 1 << 12;
    let parts = table.parts();
    let in_call = parts.div_ceil(CALLS).max(1);
    let damaged = parallel::try_map((0..parts).step_by(in_call as usize), &|first| {
        let mut damaged = Vec::new();
        for part in first..parts.min(first + in_call) {
            check_interrupt(observer)?;
            if let Err(error) = table.verify_part(part) {
                match error.class() {
                    ErrorClass::Io | ErrorClass::Resources => return Err(error.into()),
                    _ => damaged.push(error),
                }
            }
            observer.advance(1);
        }
        Ok::<_, SolveError>(damaged)
    })?;
    Ok(damaged.into_iter().flatten().collect())
}

/// Whether the first page of a file is empty or holds only zeros.
fn is_blank(path: &Path) -> bool {
    let mut start = Vec::new();
    File::open(path).and_then(|file| file.take(4096).read_to_end(&mut start)).is_ok()
        && start.iter().all(|&byte| byte == 0)
}

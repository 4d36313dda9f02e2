//! What packing and unpacking share: which tables there are to be, what is there already, and the manifest.

use std::fs::File;
use std::io::{self, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::shell::shell_word;
use anser_core::{Game, Observer};
use anser_table::format::Header;
use anser_table::manifest::{FileDigest, Manifest, RunInfo};
use anser_table::{Defect, ErrorClass, Kind, Metric, PositionedReads, ProbeError, Table, TableError, Tablebase};
use rayon::prelude::*;

use crate::SolveError;
use crate::error::{io_error, metric_words};
use crate::io::files::{AtomicFile, Lock, create_dir, remove_leftovers};
use crate::io::manifest::{load_manifest, record_table, table_name};
use crate::observer::{Event, RunObserver};
use crate::run::layers_of;

/// A table that was packed or unpacked.
#[derive(Clone, Debug, PartialEq)]
pub struct Packed {
    /// The layer.
    pub layer: u16,
    /// What its values are.
    pub metric: Metric,
    /// The file.
    pub path: PathBuf,
    /// The length of the layer's raw table in bytes.
    pub raw_bytes: u64,
    /// The length of the file in bytes.
    pub bytes: u64,
    /// Whether it was there already.
    pub kept: bool,
    /// The version of its format.
    pub format_version: u16,
    /// Whether a table of its kind and metric is written in this format today.
    pub current: bool,
    /// How long it took.
    pub seconds: f64,
}

/// Tables of any kind, to be made into tables of one kind in a directory.
pub(crate) struct Conversion<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) tables: &'a Tablebase<G>,
    pub(crate) out: &'a Path,
    pub(crate) to: Kind,
    /// Tables of which metric; `None` for all.
    pub(crate) metric: Option<Metric>,
    pub(crate) observer: &'a dyn RunObserver,
}

/// What is particular to one direction.
pub(crate) trait Converter<G: Game>: Sync {
    /// Whether a table with the values of `source` is as wanted, so that it can stay.
    fn accepts(&self, there: &Header, source: &Header) -> bool;
    /// Whether a table that is of the wanted kind already is copied as it is.
    fn copies(&self, source: &Header) -> bool;
    /// Writes the table with the values of `source` into an empty file.
    fn write(&self, source: &Table, index: &G::Index, file: &mut File, path: &Path) -> Result<Header, SolveError>;
}

impl<G: Game> Conversion<'_, G> {
    /// Converts layers; `None` for all that there are tables of.
    pub(crate) fn run(
        &self,
        layers: Option<RangeInclusive<u16>>,
        converter: &impl Converter<G>,
    ) -> Result<Vec<Packed>, SolveError> {
        let sources = self.sources(layers)?;
        if sources.is_empty() {
            // Nothing is to be written, so no directory is made.
            return Ok(Vec::new());
        }
        create_dir(self.out)?;
        let _lock = Lock::take(self.out)?;
        remove_leftovers(self.out)?;
        sources.into_iter().map(|source| self.table(source?, converter)).collect()
    }

    /// The tables to be converted, lowest layer first.
    fn sources(&self, asked: Option<RangeInclusive<u16>>) -> Result<Vec<Result<&Table, ProbeError>>, SolveError> {
        // A layer with nothing but a damaged table is not passed over: its error comes when its turn comes.
        let there = |layer: u16| {
            let wanted = Metric::ALL.into_iter().filter(|&metric| self.metric.is_none_or(|wanted| wanted == metric));
            wanted
                .map(move |metric| self.tables.table_of(layer, metric))
                .filter(|table| !matches!(table, Err(ProbeError::MissingLayer(_))))
        };
        let Some(asked) = asked else {
            return Ok(self.game.layers().flat_map(there).collect());
        };
        let mut sources = Vec::new();
        // All that is missing or damaged at sight is said before hours are spent on what is not.
        for layer in layers_of(self.game, Some(&asked))? {
            let before = sources.len();
            for table in there(layer) {
                sources.push(Ok(table?));
            }
            if sources.len() == before {
                // The reader says where it looked, and what makes the table.
                self.metric.map_or_else(|| self.tables.table(layer), |metric| self.tables.table_of(layer, metric))?;
            }
        }
        Ok(sources)
    }

    fn table(&self, source: &Table, converter: &impl Converter<G>) -> Result<Packed, SolveError> {
        let started = Instant::now();
        let (layer, metric) = (source.header().layer(), source.header().metric());
        let index = self.game.index(layer);
        let path = self.out.join(table_name(self.game, layer, metric, self.to).to_string());
        let there = self.there(&path, source, &index)?.filter(|there| converter.accepts(there, source.header()));
        let kept = there.is_some();
        let header = match there {
            Some(there) => {
                self.observer.event(&Event::Kept { layer });
                there
            }
            None => self.make(&path, source, &index, converter)?,
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
            format_version: header.format_version(),
            current: header.is_current(),
            seconds: started.elapsed().as_secs_f64(),
        })
    }

    /// The header of the table of the same values that has this path already.
    ///
    /// A file that no reader could use is replaced: that repairs it. A sound table of other values is not. Values follow
    /// from the rules, so one of the two is wrong, and which one is not for this program to guess. Neither is replaced what
    /// is no table of this game, or of a newer format.
    fn there(&self, path: &Path, source: &Table, index: &G::Index) -> Result<Option<Header>, SolveError> {
        let layer = source.header().layer();
        let table = match Table::open(path, &PositionedReads) {
            Ok(table) => table,
            Err(error) => match error.defect() {
                Defect::Io(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
                // What a loss of power leaves of a file that was just written.
                Defect::NotATable if is_blank(path) => return Ok(None),
                Defect::HeaderDamaged | Defect::HeaderInvalid(_) | Defect::Length { .. } | Defect::Unfinished => {
                    return Ok(None);
                }
                _ => return Err(error.into()),
            },
        };
        let header = table.header();
        header.check_identity(self.game, layer, index).map_err(|defect| TableError::new(path, defect))?;
        if header.payload_digest() == source.header().payload_digest() {
            return match self.check(&table, "checking") {
                Ok(()) => Ok(Some(header.clone())),
                Err(SolveError::Table(error)) if error.class() == ErrorClass::Corrupt => Ok(None),
                Err(error) => Err(error),
            };
        }
        Err(SolveError::Wrong {
            path: path.to_owned(),
            problem: format!(
                "its values are not those of {}, so one of the two is wrong; `anser verify --full` tells which; if \
                 it is this one",
                source.path().display()
            ),
            command: self.command(layer, source),
        })
    }

    fn make(
        &self,
        path: &Path,
        source: &Table,
        index: &G::Index,
        converter: &impl Converter<G>,
    ) -> Result<Header, SolveError> {
        let mut file = AtomicFile::create(path)?;
        let header = if source.header().kind() == self.to && converter.copies(source.header()) {
            self.copy(source, file.file(), path)?
        } else {
            converter.write(source, index, file.file(), path)?
        };
        file.commit()?;
        Ok(header)
    }

    /// Copies a table that is of the wanted kind already, if it is sound.
    fn copy(&self, source: &Table, file: &mut File, path: &Path) -> Result<Header, SolveError> {
        self.check(source, "copying")?;
        let mut original = File::open(source.path()).map_err(io_error(source.path(), "opening"))?;
        io::copy(&mut original, file).map_err(io_error(path, "copying to it"))?;
        Ok(source.header().clone())
    }

    /// Compares everything in a table that has a checksum.
    fn check(&self, table: &Table, doing: &str) -> Result<(), SolveError> {
        let layer = table.header().layer();
        self.observer.begin(&format!("{doing} layer {layer}"), table.parts());
        check_table(table, self.observer)
    }

    /// Lists the table in the manifest, unless it was kept and is listed.
    fn record(&self, path: &Path, source: &Table, header: &Header, kept: bool) -> Result<(), SolveError> {
        let listed = |manifest: Manifest| Some(manifest.get(path.file_name()?.to_str()?)?.file.clone());
        if kept && load_manifest(self.game, self.out)?.and_then(listed) == Some(FileDigest::of_file(path)?) {
            return Ok(());
        }
        record_table(self.game, self.out, header, path, self.run_of(source)?)
    }

    /// How the values were solved, if the manifest beside their table says so.
    fn run_of(&self, source: &Table) -> Result<Option<RunInfo>, SolveError> {
        let Some((dir, name)) = source.path().parent().zip(source.path().file_name()) else { return Ok(None) };
        let manifest = load_manifest(self.game, dir)?;
        Ok(manifest.zip(name.to_str()).and_then(|(manifest, name)| manifest.get(name)?.run.clone()))
    }

    /// The command that makes the table.
    fn command(&self, layer: u16, source: &Table) -> String {
        let verb = if self.to == Kind::Packed { "pack" } else { "unpack" };
        let (game, rules, out) = (self.game.name(), self.game.rules_id(), shell_word(self.out));
        let metric = metric_words(source.header().metric());
        let from = shell_word(source.path().parent().unwrap_or(Path::new(".")));
        format!("anser {verb} {game} --rules {rules} --layers {layer}{metric} --tables {from} --out {out}")
    }
}

/// Compares everything in a table that has a checksum; advances by its parts.
pub(crate) fn check_table(table: &Table, observer: &dyn Observer) -> Result<(), SolveError> {
    (0..table.parts()).into_par_iter().try_for_each(|part| {
        if observer.interrupted() {
            return Err(SolveError::Interrupted);
        }
        table.verify_part(part)?;
        observer.advance(1);
        Ok(())
    })?;
    Ok(table.verify_rest()?)
}

/// Whether a file is empty or holds nothing but zeros in its first page.
fn is_blank(path: &Path) -> bool {
    let mut start = Vec::new();
    File::open(path).and_then(|file| file.take(4096).read_to_end(&mut start)).is_ok()
        && start.iter().all(|&byte| byte == 0)
}

//! Checks finished tables: checksums here, every value in `full.rs`, well-foundedness in
//! `well_founded.rs`.

mod blockwise;
mod distances;
pub(crate) mod full;
mod listings;
pub(crate) mod options;
mod outcomes;
pub(crate) mod problem;
mod reading;
pub(crate) mod recompute;
mod view;
mod well_founded;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anser_core::hunt::HuntIndex;
use anser_core::{Dtw, Hunt, Observer, Outcome};
use anser_table::{
    Access, ErrorClass, Kind, Metric, PositionedReads, ProbeError, Table, TableError, Tablebase,
};

use crate::error::io_error;
use crate::io::manifest::table_name;
use crate::pack::convert::damaged_parts;
use crate::run::options::{layers_of, metrics_of, require_table};
use crate::system::memory::available_memory;
use crate::system::threads::make_pool;
use crate::verify::full::{Findings, full_check, memory_of_check};
use crate::verify::listings::Listings;
use crate::verify::options::VerifyOptions;
use crate::verify::problem::{Compared, Problem, Verified};
use crate::{LayerOf, SolveError};

/// Checks every table of a game in some directories, raw and packed, of one metric or of all.
///
/// Every check covers the header, all checksums, and the digest of the payload. If a manifest or
/// `SHA256SUMS` lists the file, its digest is compared too; see [`Verified::compared`]. Problems of
/// the lists themselves, and listed files that are missing, follow after the tables. All tables of
/// a layer must count the same outcomes, whatever their metric and kind.
///
/// With `full`, every value is compared with what follows from the values of the successors, and
/// the counts in the header with the values. With `well_founded`, every win must also be forced in
/// a finite number of moves: consistent outcomes may be wrong, because positions that lead to each
/// other can support each other's wins. Consistent distances cannot, because they decrease with
/// every move.
///
/// A problem of a table is not an error but part of the result, so that every table is checked.
///
/// A full check holds the values of one layer in memory, those of a raw table with one side to move
/// at a time: two bits per outcome, two bytes per distance. Values of lower layers are needed as
/// well, and for outcomes as much again for `well_founded`, which takes both sides together. The
/// values of lower layers that are looked up one by one are read through `access`. The table itself
/// is read by positioned reads, which report errors of a failing disk.
///
/// # Errors
/// Before anything is checked: if a directory cannot be read, a requested layer has no table, or
/// there is not enough memory for a full check. Later, if the work is interrupted.
pub fn verify(
    game: &Hunt,
    dirs: &[PathBuf],
    options: &VerifyOptions,
    access: &(impl Access + Sync + ?Sized),
    observer: &dyn Observer,
) -> Result<Vec<Verified>, SolveError> {
    let pool = make_pool(options.threads)?;
    let check = Check { game, dirs, options, access, observer };
    let listings: Vec<Listings<'_>> = dirs.iter().map(|dir| Listings::read(game, dir)).collect();
    let mut tables = Vec::new();
    for layer in layers_of(game, options.layers.as_ref())? {
        let before = tables.len();
        for (dir, listings) in dirs.iter().zip(&listings) {
            for metric in metrics_of(options.metric) {
                for kind in Kind::ALL {
                    let path = dir.join(table_name(game, layer, metric, kind).to_string());
                    if path.try_exists().map_err(io_error(&path, "looking for it"))? {
                        tables.push((listings, path, layer, (metric, kind)));
                    }
                }
            }
        }
        if options.layers.is_some() && tables.len() == before {
            require_table(&Tablebase::open(game.clone(), dirs)?, layer, options.metric)?;
        }
    }
    // A directory that does not exist is an error, although it has no tables to check.
    Tablebase::open(game.clone(), dirs)?;
    let to_check = tables.iter().map(|&(_, _, layer, what)| (layer, what));
    check.require_memory(to_check, available_memory())?;
    let verify =
        |(listings, path, layer, what)| pool.install(|| check.table(listings, path, layer, what));
    let mut verified = tables.into_iter().map(verify).collect::<Result<Vec<_>, _>>()?;
    for listings in listings {
        verified.extend(listings.rest(options));
    }
    Ok(verified)
}

/// Checks of the tables of a game in some directories.
struct Check<'a, A: ?Sized> {
    game: &'a Hunt,
    dirs: &'a [PathBuf],
    options: &'a VerifyOptions,
    access: &'a A,
    observer: &'a dyn Observer,
}

impl<A: Access + Sync + ?Sized> Check<'_, A> {
    /// Fails if the full check of one of these tables takes more memory than is available.
    fn require_memory(
        &self,
        tables: impl Iterator<Item = (u16, (Metric, Kind))>,
        available: Option<u64>,
    ) -> Result<(), SolveError> {
        let Check { game, options, .. } = *self;
        let Some(available) = available.filter(|_| options.is_full()) else {
            return Ok(());
        };
        for (layer, what) in tables {
            let needed = memory_of_check(game, layer, what, options.well_founded);
            if needed > available {
                return Err(SolveError::CheckMemory { layer, needed, available });
            }
        }
        Ok(())
    }

    /// Checks one table. `listings` are those of its directory.
    fn table(
        &self,
        listings: &Listings<'_>,
        path: PathBuf,
        layer: u16,
        (metric, kind): (Metric, Kind),
    ) -> Result<Verified, SolveError> {
        let started = Instant::now();
        let mut verified = Verified::new(path, layer, metric, kind);
        match self.values(listings, layer, &mut verified) {
            Ok(()) => {
                verified.seconds = started.elapsed().as_secs_f64();
                Ok(verified)
            }
            Err(error) if is_unreadable(&error) => {
                Ok(Verified::unreadable(verified.path, verified.file, error))
            }
            Err(error) => Err(error),
        }
    }

    /// Checks the checksums of a table, and its values if requested.
    fn values(
        &self,
        listings: &Listings<'_>,
        layer: u16,
        verified: &mut Verified,
    ) -> Result<(), SolveError> {
        let Check { game, options, .. } = *self;
        let index = game.index(layer);
        (verified.problems, verified.compared) =
            self.sums(listings, layer, &verified.path, &index)?;
        verified.full = options.is_full();
        // Values that cannot be read cannot be recomputed.
        if !verified.full || !verified.problems.is_empty() {
            return Ok(());
        }
        let table = Table::open(&verified.path, &PositionedReads)?.with_index(&index);
        let lower = Tablebase::open_with(game.clone(), self.dirs, self.access)?;
        let of = LayerOf { game, layer, index: &index };
        let check = match table.header().metric() {
            Metric::Wdl => full_check::<Outcome>,
            Metric::Dtw => full_check::<Dtw>,
        };
        match check(of, &lower, self.observer, &table, options.well_founded) {
            Err(SolveError::Probe(ProbeError::Table(error)))
                if error.class() == ErrorClass::Corrupt && error.path() == verified.path =>
            {
                verified.problems = vec![Problem::File(error)];
            }
            // A lower layer that the values depend on.
            Err(SolveError::Probe(error))
                if matches!(error.class(), ErrorClass::Missing | ErrorClass::Corrupt) =>
            {
                verified.not_recomputed = Some(error);
            }
            found => {
                verified.entries = table.header().entries().as_array().iter().sum();
                (verified.rounds, verified.problems) = found?;
            }
        }
        Ok(())
    }

    /// Checks everything that has a checksum.
    fn sums(
        &self,
        listings: &Listings<'_>,
        layer: u16,
        path: &Path,
        index: &HuntIndex,
    ) -> Result<(Vec<Problem>, Compared), SolveError> {
        let table = match Table::open(path, &PositionedReads) {
            Ok(table) => table,
            Err(error) => return Ok((vec![problem(error)?], Compared::default())),
        };
        if let Err(defect) = table.header().check_identity(self.game, layer, index) {
            return Ok((vec![Problem::File(TableError::new(path, defect))], Compared::default()));
        }
        self.observer.begin(&format!("checksums of layer {layer}"), table.parts());
        let mut damaged = Findings::default();
        for error in damaged_parts(&table, self.observer)? {
            damaged.note(|| Problem::File(error));
        }
        let mut problems = damaged.problems();
        if let Err(error) = table.verify_rest() {
            let rest = problem(error)?;
            // The digest of the payload ends at its first damaged part.
            if problems.iter().all(|known| known.to_string() != rest.to_string()) {
                problems.push(rest);
            }
        }
        problems.extend(self.other_counts(layer, index, &table));
        let (differences, compared) = listings.compare(&table)?;
        problems.extend(differences);
        Ok((problems, compared))
    }

    /// Compares the counts in the header with those of the other tables of the layer. A table that
    /// cannot be opened is no problem of this one.
    fn other_counts(&self, layer: u16, index: &HuntIndex, table: &Table) -> Vec<Problem> {
        let Check { game, dirs, .. } = *self;
        let header = table.header().counts();
        let names = Metric::ALL.into_iter().flat_map(|metric| {
            Kind::ALL.map(|kind| table_name(game, layer, metric, kind).to_string())
        });
        let paths = names.flat_map(|name| dirs.iter().map(move |dir| dir.join(&name)));
        let others = paths.filter(|path| path != table.path()).filter_map(|other| {
            let found = Table::open(&other, &PositionedReads).ok()?;
            let counts = found.header().counts();
            let differs =
                found.header().check_identity(game, layer, index).is_ok() && counts != header;
            differs.then_some(Problem::OtherCounts { header, other, counts })
        });
        others.collect()
    }
}

/// Whether the system failed to read the table, or one that its values depend on.
fn is_unreadable(error: &SolveError) -> bool {
    match error {
        SolveError::Io { .. } => true,
        SolveError::Table(error) | SolveError::Probe(ProbeError::Table(error)) => {
            matches!(error.class(), ErrorClass::Io | ErrorClass::Resources)
        }
        _ => false,
    }
}

/// Damage of a file is a problem, part of the result. A failure to read it is an error.
fn problem(error: TableError) -> Result<Problem, SolveError> {
    match error.class() {
        ErrorClass::Io | ErrorClass::Resources => Err(error.into()),
        _ => Ok(Problem::File(error)),
    }
}

#[cfg(test)]
mod tests {
    use anser_core::{LayerIndex, Side, Unobserved};

    use super::*;

    #[test]
    fn memory_that_does_not_suffice_for_one_of_the_tables_is_an_error() {
        let (game, distances) = (Hunt::default(), (Metric::Dtw, Kind::Raw));
        let check = |options: &VerifyOptions, layers: &[u16], what, available| {
            let check = Check {
                game: &game,
                dirs: &[],
                options,
                access: &PositionedReads,
                observer: &Unobserved,
            };
            check.require_memory(layers.iter().map(|&layer| (layer, what)), available)
        };
        let full = VerifyOptions { full: true, ..VerifyOptions::default() };
        let sums = VerifyOptions::default();
        let found = check(&full, &[4, 6, 5], distances, Some(0));
        let Err(SolveError::CheckMemory { layer: 4, available: 0, .. }) = found else {
            panic!("{found:?}");
        };
        let needed = |what| memory_of_check(&game, 6, what, false);
        let entries = Side::BOTH.map(|side| game.index(6).len(side));
        assert!(needed(distances) >= 2 * entries[0].max(entries[1]), "two bytes for each distance");
        let of_side = 2 * entries[0].min(entries[1]);
        assert_eq!(needed((Metric::Dtw, Kind::Packed)), needed(distances) + of_side);
        assert!(needed((Metric::Wdl, Kind::Raw)) < needed(distances) / 7);
        assert!(check(&full, &[4, 6, 5], distances, Some(needed(distances))).is_ok());
        let found = check(&full, &[4, 6, 5], distances, Some(needed(distances) - 1));
        let Err(SolveError::CheckMemory { layer: 6, needed: named, .. }) = found else {
            panic!("{found:?}");
        };
        assert_eq!(named, needed(distances));
        assert!(check(&full, &[6], distances, None).is_ok(), "a system that does not report it");
        assert!(check(&sums, &[6], distances, Some(0)).is_ok());
    }
}

//! The results of all ranks in one file: tables and checkpoints.

use std::fs::File;
use std::ops::Range;
use std::path::PathBuf;

use anser_core::{BySide, Dtw, Outcome, Side};
use anser_retrograde::parallel;
use anser_table::Metric;
use anser_table::format::{ENTRIES_PER_PAIR, pairs};
use bytemuck::must_cast_slice;

use super::part::{Part, Values};
use crate::SolveError;
use crate::checkpoint::{Checkpoint, Checkpoints};
use crate::engines::engine::{Filled, Task};
use crate::engines::sets::arrays::longest;
use crate::engines::sets::layer::{per_word, restore_all, word_of};
use crate::engines::sets::scores::WholeScore;
use crate::error::io_error;
use crate::io::codes::groups_of;
use crate::io::raw_file::RawFile;
use crate::system::platform;

/// Ranks write to different pages of a file.
const PAGE: u64 = 4096;

/// Entries that are converted at a time, a multiple of 64.
const CONVERTED: usize = 1 << 16;

/// An unfinished table to which all ranks write.
struct Unfinished {
    metric: Metric,
    path: PathBuf,
    /// Bytes before the payload.
    offset: u64,
    /// Words of a group of 64 entries.
    bits: u32,
}

impl Part<'_> {
    /// Writes the tables of the layer. Rank 0, which has the task, gets them as files that lack
    /// their headers only.
    ///
    /// # Errors
    /// Errors of the files, here or on another rank.
    pub(super) fn write<S: WholeScore>(
        &self,
        task: Option<&Task<'_>>,
        mut values: Values<S>,
        rounds: u64,
    ) -> Result<Option<Filled>, SolveError> {
        for values in &mut values {
            values.truncate(self.len());
        }
        let mut tables = Vec::new();
        for metric in self.metrics.iter() {
            let created = match metric {
                Metric::Wdl => task.map(Task::outcomes),
                Metric::Dtw => {
                    let longest = self.longest(&values);
                    task.map(|task| task.distances(longest))
                }
            };
            tables.push((metric, self.check(created.transpose())?));
        }
        let shared = tables.iter().map(|(metric, table)| self.share(*metric, table.as_ref()));
        let unfinished: Vec<Unfinished> = shared.collect();
        let files = unfinished.iter().map(Unfinished::open).collect::<Result<Vec<_>, _>>();
        let written = self.write_values(&unfinished, files, &values);
        let sync = |(file, to): (File, &Unfinished)| {
            file.sync_data().map_err(io_error(&to.path, "syncing"))
        };
        self.check(
            written.and_then(|files| files.into_iter().zip(&unfinished).try_for_each(sync)),
        )?;
        let mut filled = Vec::new();
        for (_, table) in tables {
            // On some network file systems an open file does not show what other machines write.
            filled.extend(self.check(table.map(RawFile::reopened).transpose())?);
        }
        Ok(task.map(|_| Filled { tables: filled, rounds }))
    }

    /// Returns the longest wins of the layer, by side to move and winner.
    fn longest<S: WholeScore>(&self, values: &Values<S>) -> BySide<BySide<Option<u16>>> {
        // No win is 0, one in `n` plies is `n + 1`.
        let word = |plies: Option<u16>| plies.map_or(0, |plies| u64::from(plies) + 1);
        let [few, many] = values;
        let own = [longest(&few[..], Side::First), longest(&many[..], Side::Second)];
        let words = own.map(|longest| Side::BOTH.map(|winner| word(longest[winner])));
        let all = self.cluster.gather(words.as_flattened());
        let of_all = |place: usize| {
            let most = all.iter().skip(place).step_by(4).max().copied().unwrap_or(0);
            most.checked_sub(1).map(|plies| plies as u16)
        };
        BySide::from_fn(|side| BySide::from_fn(|winner| of_all(2 * side.index() + winner.index())))
    }

    /// Returns the table, which rank 0 has, as all ranks write to it.
    fn share(&self, metric: Metric, table: Option<&RawFile>) -> Unfinished {
        let name = table.and_then(|table| table.temporary_path().file_name());
        let mut name = name.map_or(Vec::new(), |name| name.as_encoded_bytes().to_vec());
        self.cluster.broadcast(&mut name);
        let path = self.dir.join(&*String::from_utf8_lossy(&name));
        let about = table.map_or([0; 2], |table| [table.offset(), table.bits().into()]);
        let about = self.cluster.gather(&about);
        Unfinished { metric, path, offset: about[0], bits: about[1] as u32 }
    }

    /// Writes this rank's shares of the values to tables, whose files it has opened.
    fn write_values<S: WholeScore>(
        &self,
        tables: &[Unfinished],
        files: Result<Vec<File>, SolveError>,
        values: &Values<S>,
    ) -> Result<Vec<File>, SolveError> {
        let mut written = files;
        let entries = self.layer.entries.last().map_or(0, |entries| entries.end);
        let (own, size) = (self.cluster.rank(), self.cluster.size());
        for (side, values) in Side::BOTH.into_iter().zip(values) {
            let region = |table: &Unfinished, rank| table.region(side, entries, (rank, size));
            // The shares of the tables are the same but for pages at their ends.
            let wanted = |rank: usize| {
                let of_table = |table: &Unfinished| table.entries(&region(table, rank), entries);
                let shares = tables.iter().map(of_table).filter(|share| !share.is_empty());
                let both = |a: Range<u64>, b: Range<u64>| a.start.min(b.start)..a.end.max(b.end);
                shares.reduce(both).unwrap_or_default()
            };
            let first = wanted(own).start;
            let writer = |table| {
                let (region, start) = (region(table, own), Unfinished::start(table, side, entries));
                Writer { to: table, side, start, region, first }
            };
            let mut writers: Vec<Writer<'_>> = tables.iter().map(writer).collect();
            let mut pending = Vec::new();
            // The other ranks send everything, whether or not this one could write it.
            let mut write = |values: &[S]| {
                for (number, writer) in writers.iter_mut().enumerate() {
                    if let Ok(files) = &written
                        && let Err(error) = writer.write(&files[number], values)
                    {
                        written = Err(error);
                    }
                }
            };
            for mut values in self.collect(values, (0..size).map(wanted).collect()) {
                pending.append(&mut values);
                let whole = pending.len() - pending.len() % CONVERTED;
                write(&pending[..whole]);
                pending.drain(..whole);
            }
            write(&pending);
        }
        written
    }

    /// Writes a checkpoint with the scores that `to` makes of the values, on rank 0: as the engine
    /// does alone, so that any number of ranks can resume from it.
    ///
    /// # Errors
    /// Errors of the file, here or on another rank.
    pub(super) fn save<S: WholeScore, T: WholeScore>(
        &self,
        checkpoints: Option<&Checkpoints<'_>>,
        round: u64,
        values: &Values<S>,
        to: impl Fn(S) -> T,
    ) -> Result<(), SolveError> {
        let entries = self.layer.entries.last().map_or(0, |entries| entries.end);
        let wanted = || {
            let of_rank = |rank: usize| if rank == 0 { 0..entries } else { 0..0 };
            (0..self.cluster.size()).map(of_rank).collect::<Vec<_>>()
        };
        let mut sides = values.each_ref().map(|values| self.collect(values, wanted()));
        let saved = match checkpoints {
            Some(checkpoints) => {
                let to = &to;
                let greatest = self.greatest_losses::<S>(round);
                let words = sides.iter_mut().zip(greatest).flat_map(|(side, greatest)| {
                    let stretches = move |values: Vec<S>| {
                        (0..values.len()).step_by(CONVERTED).map(move |first| {
                            let stretch = &values[first..values.len().min(first + CONVERTED)];
                            stretch.iter().map(|value| to(value.counted(greatest))).collect()
                        })
                    };
                    words_of(side.flat_map(stretches))
                });
                checkpoints.save(round, &[T::BITS.into()], words)
            }
            None => Ok(()),
        };
        // The other ranks send everything, whether or not this one could write it.
        for side in sides {
            side.for_each(drop);
        }
        self.check(saved)
    }

    /// Restores the values of a checkpoint, which rank 0 has, beside what they hold. Returns the
    /// number of rounds, or `None` if there is no checkpoint: one of no round may have values.
    ///
    /// # Errors
    /// Errors of the file, here or on another rank.
    pub(super) fn restore<S: WholeScore>(
        &self,
        found: Option<Checkpoint>,
        values: &mut Values<S>,
    ) -> Result<Option<u64>, SolveError> {
        let rounds = found.as_ref().map_or([0; 2], |found| [1, found.rounds]);
        let rounds = self.cluster.gather(&rounds);
        if rounds[0] == 0 {
            return Ok(None);
        }
        let mut found = found.map(|found| Saved { found, read: Vec::new() });
        let orbits: Vec<usize> = (0..self.orbits.len()).collect();
        for values in values {
            for orbits in orbits.chunks(Part::at_a_time(&self.layer)) {
                let entries = self.layer.entries[orbits[0]].start
                    ..self.layer.entries[orbits[orbits.len() - 1]].end;
                let read = match &mut found {
                    Some(found) => found.take((entries.end - entries.start) as usize),
                    None => Ok(Vec::new()),
                };
                let read = read.map(|read| {
                    let of_orbit = |&orbit: &usize| {
                        let of_orbit = &self.layer.entries[orbit];
                        let at = |entry: u64| (entry - entries.start) as usize;
                        let read = read.get(at(of_orbit.start)..at(of_orbit.end))?;
                        Some(self.of_entries(&self.layer, orbit, read))
                    };
                    parallel::map(orbits, &of_orbit).into_iter().flatten().collect()
                });
                let mut lists = vec![Vec::new(); self.cluster.size()];
                lists[0] = orbits.to_vec();
                for (orbit, dealt) in self.deal(&self.layer, &lists, read, &self.owned)?.iter() {
                    let values = &mut values[self.starts[orbit]..self.starts[orbit + 1]];
                    restore_all(values, dealt, rounds[1]);
                }
            }
            if let Some(found) = &mut found {
                // The values of a side end with a word.
                found.read.clear();
            }
        }
        self.check(found.map_or(Ok(()), |found| found.found.finish()))?;
        Ok(Some(rounds[1]))
    }
}

/// Returns words of values, which come in stretches of any length.
fn words_of<S: WholeScore>(stretches: impl Iterator<Item = Vec<S>>) -> impl Iterator<Item = u64> {
    let mut rest = Vec::new();
    stretches.map(Some).chain([None]).flat_map(move |stretch| {
        let is_end = stretch.is_none();
        rest.extend(stretch.into_iter().flatten());
        let more = if is_end { 0 } else { rest.len() % per_word::<S>() };
        let whole = rest.len() - more;
        let words: Vec<u64> = rest[..whole].chunks(per_word::<S>()).map(word_of).collect();
        rest.drain(..whole);
        words
    })
}

/// A checkpoint that is read.
struct Saved<S> {
    found: Checkpoint,
    /// Values that were read, and not taken.
    read: Vec<S>,
}

impl<S: WholeScore> Saved<S> {
    /// Takes the next values.
    fn take(&mut self, len: usize) -> Result<Vec<S>, SolveError> {
        let missing = len.saturating_sub(self.read.len());
        let mut words = vec![0; missing.div_ceil(per_word::<S>())];
        self.found.read(&mut words)?;
        self.read.extend_from_slice(must_cast_slice(&words));
        Ok(self.read.drain(..len).collect())
    }
}

impl Unfinished {
    fn open(&self) -> Result<File, SolveError> {
        let what = "opening what rank 0 has made in the directory that all ranks share";
        File::options().write(true).open(&self.path).map_err(io_error(&self.path, what))
    }

    /// Returns the byte of the file at which the words with `side` to move begin.
    fn start(&self, side: Side, entries: u64) -> u64 {
        self.offset + 8 * side as u64 * self.words(entries)
    }

    /// Returns the number of words with one side to move.
    fn words(&self, entries: u64) -> u64 {
        pairs(entries) * u64::from(self.bits)
    }

    /// Returns the words with a side to move that a rank writes, about equal shares. They are cut
    /// between pages. Both sides may meet on a page: the last rank has it, as the shares of the
    /// second side are in descending order.
    fn region(&self, side: Side, entries: u64, (rank, ranks): (usize, usize)) -> Range<u64> {
        let (words, start) = (self.words(entries), self.start(side, entries));
        let cut = |share: usize| {
            let word = (u128::from(words) * share as u128 / ranks as u128) as u64;
            let byte = start + 8 * word;
            match side {
                _ if share == 0 || share == ranks => word,
                Side::First => (byte - byte % PAGE).saturating_sub(start) / 8,
                Side::Second => words.min((byte.next_multiple_of(PAGE) - start) / 8),
            }
        };
        let share = match side {
            Side::First => rank,
            Side::Second => ranks - 1 - rank,
        };
        cut(share)..cut(share + 1)
    }

    /// Returns the entries of the groups that have words of a region.
    fn entries(&self, region: &Range<u64>, entries: u64) -> Range<u64> {
        let bits = u64::from(self.bits);
        if region.is_empty() {
            return 0..0;
        }
        let [start, end] = [region.start / bits, region.end.div_ceil(bits)];
        start * ENTRIES_PER_PAIR..entries.min(end * ENTRIES_PER_PAIR)
    }
}

/// Writes consecutive values with one side to move to the region of a rank.
struct Writer<'t> {
    to: &'t Unfinished,
    side: Side,
    /// The byte of the file at which the words with this side to move begin.
    start: u64,
    region: Range<u64>,
    /// The entry of the next value, a multiple of 64.
    first: u64,
}

impl Writer<'_> {
    /// Writes the next values, whole groups but for the last ones.
    fn write<S: WholeScore>(&mut self, file: &File, values: &[S]) -> Result<(), SolveError> {
        let Writer { to, side, start, ref region, first } = *self;
        self.first += values.len() as u64;
        let code = |value: &S, side| value.code(side);
        let groups = |values: &[S]| match to.metric {
            Metric::Wdl => groups_of::<Outcome, S>(values, side, &code, to.bits),
            Metric::Dtw => groups_of::<Dtw, S>(values, side, &code, to.bits),
        };
        let words = parallel::map(values.chunks(CONVERTED), &groups).concat();
        let first = first / ENTRIES_PER_PAIR * u64::from(to.bits);
        // Groups at the ends may lie on pages of two ranks.
        let written = first.max(region.start)..(first + words.len() as u64).min(region.end);
        if written.is_empty() {
            return Ok(());
        }
        let words = &words[(written.start - first) as usize..(written.end - first) as usize];
        platform::write_all_at(file, must_cast_slice(words), start + 8 * written.start)
            .map_err(io_error(&to.path, "writing"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_written_by_one_rank_and_every_page_as_well() {
        for entries in [0, 1, 64, 1000, 40_000, 300_000] {
            for (bits, offset, ranks) in [(2, 4096, 1), (2, 4096, 3), (7, 8192, 4), (9, 4096, 16)] {
                let (metric, path) = (Metric::Dtw, PathBuf::new());
                let table = Unfinished { metric, path, offset, bits };
                let mut owners = Vec::new();
                for side in Side::BOTH {
                    let start = (table.start(side, entries) - offset) / 8;
                    assert_eq!(start as usize, owners.len());
                    owners.resize((start + table.words(entries)) as usize, None);
                    for rank in 0..ranks {
                        let region = table.region(side, entries, (rank, ranks));
                        for word in start + region.start..start + region.end {
                            assert_eq!(owners[word as usize].replace(rank), None);
                        }
                    }
                }
                assert!(!owners.contains(&None));
                for page in owners.chunks(PAGE as usize / 8) {
                    assert!(page.iter().all(|owner| *owner == page[0]), "{entries} {bits} {ranks}");
                }
                let words = |rank| owners.iter().filter(|owner| **owner == Some(rank)).count();
                let page = PAGE as usize / 8;
                let share = owners.len() / ranks;
                assert!((0..ranks).all(|rank| words(rank).abs_diff(share) <= 2 * page));
            }
        }
    }
}

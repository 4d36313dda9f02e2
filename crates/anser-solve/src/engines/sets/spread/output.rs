//! The results of all ranks in one file: tables and checkpoints.

use std::fs::File;
use std::ops::Range;
use std::path::PathBuf;

use anser_core::{BySide, Dtw, Outcome, Side};
use anser_retrograde::parallel;
use anser_table::Metric;
use anser_table::format::{ENTRIES_PER_PAIR, pairs};

use super::part::{Part, Values};
use crate::SolveError;
use crate::checkpoint::{Checkpoint, Checkpoints};
use crate::engines::engine::{Filled, Task};
use crate::engines::sets::layer::{per_word, word_of};
use crate::engines::sets::scores::{Score, longest};
use crate::error::io_error;
use crate::io::files::word_bytes;
use crate::io::raw_file::RawFile;
use crate::io::stored::Stored;
use crate::system::platform;

/// Ranks write to different pages of a file.
const PAGE: u64 = 4096;

/// Entries that are converted at a time, a multiple of 64.
const CONVERTED: usize = 1 << 16;

/// An unfinished table to which all ranks write.
struct Unfinished {
    path: PathBuf,
    /// Bytes before the payload.
    offset: u64,
    /// Words of a group of 64 entries.
    bits: u32,
}

impl Part<'_> {
    /// Writes the tables of the layer. Rank 0, which has the task, gets them as files that lack their
    /// headers only.
    ///
    /// # Errors
    /// Errors of the files, here or on another rank.
    pub(super) fn write<S: Score>(
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
            tables.extend(match metric {
                Metric::Wdl => {
                    let create = |task: &Task<'_>| task.outcomes();
                    self.write_table::<Outcome, S>(task.map(create), &values)?
                }
                Metric::Dtw => {
                    let longest = self.longest(&values);
                    let create = |task: &Task<'_>| task.distances(longest);
                    self.write_table::<Dtw, S>(task.map(create), &values)?
                }
            });
        }
        Ok(task.map(|_| Filled { tables, rounds }))
    }

    /// Returns the longest wins of the layer, by side to move and winner.
    fn longest<S: Score>(&self, values: &Values<S>) -> BySide<BySide<Option<u16>>> {
        // No win is 0, one in `n` plies is `n + 1`.
        let word = |plies: Option<u16>| plies.map_or(0, |plies| u64::from(plies) + 1);
        let [few, many] = values;
        let own = [longest(few, Side::First), longest(many, Side::Second)];
        let words = own.map(|longest| Side::BOTH.map(|winner| word(longest[winner])));
        let all = self.cluster.gather(words.as_flattened());
        let of_all = |place: usize| {
            let most = all.iter().skip(place).step_by(4).max().copied().unwrap_or(0);
            most.checked_sub(1).map(|plies| plies as u16)
        };
        BySide::from_fn(|side| BySide::from_fn(|winner| of_all(2 * side.index() + winner.index())))
    }

    /// Writes a table. `created` is the file, on rank 0.
    fn write_table<V: Stored, S: Score>(
        &self,
        created: Option<Result<RawFile, SolveError>>,
        values: &Values<S>,
    ) -> Result<Option<RawFile>, SolveError> {
        let table = self.check(created.transpose())?;
        let name = table.as_ref().and_then(|table| table.temporary_path().file_name());
        let mut name = name.map_or(Vec::new(), |name| name.as_encoded_bytes().to_vec());
        self.cluster.broadcast(&mut name);
        let path = self.dir.join(&*String::from_utf8_lossy(&name));
        let about = table.as_ref().map_or([0; 2], |table| [table.offset(), table.bits().into()]);
        let about = self.cluster.gather(&about);
        let to = Unfinished { path, offset: about[0], bits: about[1] as u32 };
        let mut written = to.open();
        let entries = self.layer.entries.last().map_or(0, |entries| entries.end);
        let words = pairs(entries) * u64::from(to.bits);
        for (to_move, values) in Side::BOTH.into_iter().zip(values) {
            let side = to_move as u64;
            let base = to.offset + 8 * side * words;
            let (rank, size) = (self.cluster.rank(), self.cluster.size());
            let regions: Vec<Range<u64>> =
                (0..size).map(|rank| region(to.offset, words, side, (rank, size))).collect();
            let wanted = regions.iter().map(|region| to.entries(region, entries)).collect();
            let mut writer = Writer {
                to: &to,
                base,
                region: regions[rank].clone(),
                pending: Vec::new(),
                first: 0,
            };
            writer.first = to.entries(&regions[rank], entries).start;
            for values in self.collect(values, wanted) {
                let codes = values.into_iter().map(|value| value.code(to_move));
                written = written.and_then(|file| writer.add::<V>(file, codes));
            }
            written = written.and_then(|file| writer.end::<V>(file));
        }
        let synced =
            written.and_then(|file| file.sync_data().map_err(io_error(&to.path, "syncing")));
        self.check(synced)?;
        // On some network file systems an open file does not show what other machines write.
        self.check(table.map(RawFile::reopened).transpose())
    }

    /// Writes a checkpoint, on rank 0: as the engine does alone, so that any number of ranks can
    /// resume from it.
    ///
    /// # Errors
    /// Errors of the file, here or on another rank.
    pub(super) fn save<S: Score>(
        &self,
        checkpoints: Option<&Checkpoints<'_>>,
        round: u64,
        values: &Values<S>,
    ) -> Result<(), SolveError> {
        let entries = self.layer.entries.last().map_or(0, |entries| entries.end);
        let wanted = || {
            let of_rank = |rank: usize| if rank == 0 { 0..entries } else { 0..0 };
            (0..self.cluster.size()).map(of_rank).collect::<Vec<_>>()
        };
        let mut sides = values.each_ref().map(|values| self.collect(values, wanted()));
        let saved = match checkpoints {
            Some(checkpoints) => {
                let words = sides.iter_mut().flat_map(|side| words_of(side.flatten()));
                checkpoints.save(round, &[S::BITS.into()], words)
            }
            None => Ok(()),
        };
        // The other ranks send everything, whether or not this one could write it.
        for side in sides {
            side.for_each(drop);
        }
        self.check(saved)
    }

    /// Restores the values of a checkpoint, which rank 0 has. Returns the number of rounds.
    ///
    /// # Errors
    /// Errors of the file, here or on another rank.
    pub(super) fn restore<S: Score>(
        &self,
        found: Option<Checkpoint>,
        values: &mut Values<S>,
    ) -> Result<u64, SolveError> {
        let rounds = found.as_ref().map_or([0; 2], |found| [1, found.rounds]);
        let rounds = self.cluster.gather(&rounds);
        if rounds[0] == 0 {
            return Ok(0);
        }
        let mut found = found.map(|found| Saved { found, read: Vec::new(), at: 0 });
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
                    values[self.starts[orbit]..self.starts[orbit + 1]].copy_from_slice(dealt);
                }
            }
            if let Some(found) = &mut found {
                // The values of a side end with a word.
                found.read.clear();
                found.at = 0;
            }
        }
        self.check(found.map_or(Ok(()), |found| found.found.finish()))?;
        Ok(rounds[1])
    }
}

/// Returns words of values.
fn words_of<S: Score>(mut values: impl Iterator<Item = S>) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let (mut word, mut len) = ([S::default(); u64::BITS as usize / 8], 0);
        for value in values.by_ref().take(per_word::<S>()) {
            word[len] = value;
            len += 1;
        }
        (len > 0).then(|| word_of(&word[..len]))
    })
}

/// A checkpoint that is read.
struct Saved<S> {
    found: Checkpoint,
    /// Values that were read.
    read: Vec<S>,
    /// The number of those that were taken.
    at: usize,
}

impl<S: Score> Saved<S> {
    /// Takes the next values.
    fn take(&mut self, len: usize) -> Result<Vec<S>, SolveError> {
        let left = self.read.len() - self.at;
        let mut words = vec![0; len.saturating_sub(left).div_ceil(per_word::<S>())];
        self.found.read(&mut words)?;
        self.read.drain(..self.at);
        for word in words {
            let value = |place: usize| S::from_bits(word >> (place as u32 * S::BITS));
            self.read.extend((0..per_word::<S>()).map(value));
        }
        self.at = len;
        Ok(self.read[..len].to_vec())
    }
}

/// Returns the words of a side to move that a rank writes: the payload begins at the byte `offset` of
/// the file, has `words` words for each side, and is cut into about equal shares between pages.
fn region(offset: u64, words: u64, side: u64, (rank, ranks): (usize, usize)) -> Range<u64> {
    let cut = |rank: usize| {
        if rank == ranks {
            return 2 * words;
        }
        let byte = offset + 8 * (u128::from(2 * words) * rank as u128 / ranks as u128) as u64;
        (byte - byte % PAGE).saturating_sub(offset) / 8
    };
    let within = |word: u64| word.saturating_sub(side * words).min(words);
    within(cut(rank))..within(cut(rank + 1))
}

impl Unfinished {
    fn open(&self) -> Result<File, SolveError> {
        let what = "opening what rank 0 has made in the directory that all ranks share";
        File::options().write(true).open(&self.path).map_err(io_error(&self.path, what))
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

/// Writes codes of consecutive entries to the region of a rank.
struct Writer<'t> {
    to: &'t Unfinished,
    /// The byte of the file at which the words begin.
    base: u64,
    region: Range<u64>,
    /// Codes that are not written yet, and the first entry of them, a multiple of 64.
    pending: Vec<u16>,
    first: u64,
}

impl Writer<'_> {
    fn add<V: Stored>(
        &mut self,
        file: File,
        codes: impl Iterator<Item = u16>,
    ) -> Result<File, SolveError> {
        self.pending.extend(codes);
        let whole = self.pending.len() - self.pending.len() % CONVERTED;
        self.flush::<V>(&file, whole)?;
        Ok(file)
    }

    fn end<V: Stored>(&mut self, file: File) -> Result<File, SolveError> {
        self.flush::<V>(&file, self.pending.len())?;
        Ok(file)
    }

    /// Writes the first `len` codes.
    fn flush<V: Stored>(&mut self, file: &File, len: usize) -> Result<(), SolveError> {
        let bits = self.to.bits;
        let groups = |codes: &[u16]| V::into_groups(V::of_distances(codes), bits);
        let words = parallel::map(self.pending[..len].chunks(CONVERTED), &groups).concat();
        let start = self.first / ENTRIES_PER_PAIR * u64::from(bits);
        // Groups at the ends may lie on pages of two ranks.
        let written =
            start.max(self.region.start)..(start + words.len() as u64).min(self.region.end);
        if !written.is_empty() {
            let words = &words[(written.start - start) as usize..(written.end - start) as usize];
            let bytes: Vec<[u8; 8]> = words.iter().copied().map(word_bytes).collect();
            platform::write_all_at(file, bytes.as_flattened(), self.base + 8 * written.start)
                .map_err(io_error(&self.to.path, "writing"))?;
        }
        self.pending.drain(..len);
        self.first += len as u64;
        Ok(())
    }
}

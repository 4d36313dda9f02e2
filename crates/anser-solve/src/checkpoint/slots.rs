//! Checkpoints: two copies of unfinished work in one file, each with a record of its checksums.
//!
//! The file of a layer that is being solved has two *slots*. A slot holds everything that a run
//! needs to resume: the payload, and *sections*, whose number and lengths the engine chooses. A
//! *record* for each slot follows:
//!
//! | words | content |
//! |---|---|
//! | 1 | `anser-02` |
//! | 1 | sequence number, from 1 |
//! | 1 | identity: xxh3 of the table's name, the engine, the lengths of the parts, and the number of the slot |
//! | 32 | progress, in the engine's encoding |
//! | n | xxh3 of every block of 16 KiB of the slot, part by part; those of the payload are the checks of a raw table |
//! | 1 | xxh3 of the words before |
//!
//! A checkpoint goes to the slot that the newest sound record does *not* name. The slot is synced,
//! then its record is written and synced. So after a kill or a loss of power the older slot and its
//! record are intact, whatever happened to the newer ones. A run resumes from the newest record
//! whose own checksum and slot match, or else from the other one, or else starts again. Values
//! change only in a slot without a sound record, so nothing that was written after the last
//! checkpoint is ever read.
//!
//! The meaning of the words of a part does not matter here. Entries of a payload may have any
//! width: two bits for outcomes, up to sixteen for distances. An engine whose values are consistent
//! only at certain moments, such as the end of a round, keeps what it needs in sections, and writes
//! checkpoints only then.

use std::collections::TryReserveError;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anser_table::format::{CHECK_BLOCK, Region, bytes_of, raw_check, words_of};
use memmap2::MmapRaw;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::SolveError;
use crate::checkpoint::is_due;
use crate::error::io_error;
use crate::io::codes::word_bytes;

/// Number of words of a record that belong to the engine.
pub(crate) const PROGRESS_WORDS: usize = 32;

/// Progress of an engine, in its own encoding.
pub(crate) type Words = [u64; PROGRESS_WORDS];

/// First word of a record, and last word of the file.
pub(crate) const MARK: u64 = u64::from_le_bytes(*b"anser-02");

/// Number of words of a record before the checksums of the blocks.
const HEAD: usize = 3 + PROGRESS_WORDS;

const PAGE: u64 = 4096;

/// Number of blocks after which the memory of the mapping is released: 64 MiB.
const BATCH: usize = 4096;

/// Places of the slots and their records in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SlotLayout {
    /// Regions by slot and part.
    slots: [Vec<Region>; 2],
    records: [Region; 2],
}

impl SlotLayout {
    /// Lays out the file. The payload of slot 0 is at `payload`, its place in the finished table.
    /// The rest follows `table_end`. Lengths are in bytes, multiples of 8.
    pub(crate) fn new(payload: Region, table_end: u64, sections: &[u64]) -> SlotLayout {
        let mut end = table_end;
        let mut place = |len: u64| {
            let offset = end.checked_next_multiple_of(PAGE).unwrap_or(u64::MAX);
            end = offset.saturating_add(len);
            Region { offset, len }
        };
        let first =
            std::iter::once(payload).chain(sections.iter().map(|&len| place(len))).collect();
        let second: Vec<Region> =
            std::iter::once(payload.len).chain(sections.iter().copied()).map(&mut place).collect();
        let blocks = second
            .iter()
            .fold(0, |sum: u64, part| sum.saturating_add(part.len.div_ceil(CHECK_BLOCK)));
        let record = blocks.saturating_add(HEAD as u64 + 1).saturating_mul(8);
        SlotLayout { slots: [first, second], records: [place(record), place(record)] }
    }

    /// Returns the length of the file, in bytes.
    pub(crate) fn file_len(&self) -> u64 {
        self.records[1].offset.saturating_add(self.records[1].len).saturating_add(8)
    }

    /// Returns the blocks of a slot, in the order of their checksums.
    fn blocks(&self, slot: usize) -> Vec<Region> {
        let blocks_of = |part: &Region| {
            let Region { offset, len } = *part;
            let block = move |at| Region { offset: offset + at, len: CHECK_BLOCK.min(len - at) };
            (0..len).step_by(CHECK_BLOCK as usize).map(block)
        };
        self.slots[slot].iter().flat_map(blocks_of).collect()
    }
}

/// Checkpoints of an earlier run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "there is one value per opened file")]
pub(crate) enum Found {
    /// No checkpoint.
    Nothing,
    /// A sound checkpoint, now the newest one. `fell_back` if a later one is damaged or was cut
    /// off.
    Checkpoint { words: Words, fell_back: bool },
    /// Damaged checkpoints only.
    Damaged,
    /// Checkpoints of other work only.
    Other,
}

/// The slots of a mapped file.
pub(crate) struct Slots {
    /// Path of the file, for errors.
    path: PathBuf,
    map: MmapRaw,
    layout: SlotLayout,
    identity: String,
    /// Least time between two checkpoints.
    every: Duration,
    state: Mutex<State>,
}

struct State {
    /// The slot of the newest checkpoint.
    newest: Option<usize>,
    /// Sequence number of the next record.
    sequence: u64,
    /// Checksums of the blocks of each slot, if they are known.
    sums: [Option<Vec<u64>>; 2],
    /// Whether a slot was never written.
    blank: [bool; 2],
    /// End of the last checkpoint.
    last: Instant,
    /// Duration of the last checkpoint.
    took: Duration,
    /// Start of the current checkpoint.
    begun: Option<Instant>,
}

/// State of a record in the file.
#[expect(clippy::large_enum_variant, reason = "a file has two records")]
enum Record {
    Blank,
    Damaged,
    Other,
    Sound { sequence: u64, words: Words, sums: Vec<u64> },
}

impl Slots {
    /// Opens the slots of a mapped file of `layout.file_len()` bytes, for work with this identity.
    /// `blank` if the file is new and holds zeros.
    pub(crate) fn open(
        path: &Path,
        map: MmapRaw,
        layout: SlotLayout,
        identity: String,
        every: Duration,
        blank: bool,
    ) -> (Slots, Found) {
        assert!(layout.file_len() <= map.len() as u64, "the file has its length");
        let state = State {
            newest: None,
            sequence: 1,
            sums: [None, None],
            blank: [blank; 2],
            last: Instant::now(),
            took: Duration::ZERO,
            begun: None,
        };
        let slots =
            Slots { path: path.to_owned(), map, layout, identity, every, state: Mutex::new(state) };
        let found = if blank { Found::Nothing } else { slots.recover() };
        (slots, found)
    }

    fn recover(&self) -> Found {
        let (mut traces, mut others, mut sound) = (0, 0, Vec::new());
        for slot in 0..2 {
            match self.read_record(slot) {
                Record::Blank => {}
                Record::Damaged => traces += 1,
                Record::Other => others += 1,
                Record::Sound { sequence, words, sums } => {
                    sound.push((sequence, slot, words, sums));
                }
            }
        }
        // Newest first.
        sound.sort_by_key(|&(sequence, ..)| std::cmp::Reverse(sequence));
        self.state().sequence = sound.first().map_or(1, |newest| newest.0.saturating_add(1));
        for (_, slot, words, sums) in sound {
            if self.sums(slot).is_ok_and(|found| found == sums) {
                let mut state = self.state();
                state.newest = Some(slot);
                state.sums[slot] = Some(sums);
                return Found::Checkpoint { words, fell_back: traces > 0 };
            }
            traces += 1;
        }
        match (traces, others) {
            (0, 0) => Found::Nothing,
            (0, _) => Found::Other,
            _ => Found::Damaged,
        }
    }

    /// Returns a part of the newest checkpoint.
    ///
    /// # Panics
    /// If there is no checkpoint.
    pub(crate) fn newest(&self, part: usize) -> &[AtomicU64] {
        let slot = self.state().newest.expect("there is a checkpoint");
        self.words(self.layout.slots[slot][part])
    }

    /// Returns whether a checkpoint is due.
    pub(crate) fn is_due(&self) -> bool {
        let state = self.state();
        is_due(state.last, state.took, self.every)
    }

    /// Begins a checkpoint that changes the newest one: copies it to the other slot, and returns
    /// the number of that slot.
    pub(crate) fn stage(&self) -> Result<usize, SolveError> {
        let (newest, target, there, blank) = {
            let mut state = self.state();
            state.begun = Some(Instant::now());
            let target = state.newest.map_or(1, |newest| 1 - newest);
            let blank = std::mem::take(&mut state.blank[target]);
            (state.newest, target, state.sums[target].take(), blank)
        };
        if newest.is_none() && blank {
            return Ok(target);
        }
        let to = self.layout.blocks(target);
        let from = newest.map(|newest| (self.layout.blocks(newest), self.known(newest)));
        self.for_each_block(to.len(), |block, bytes| {
            let to = self.words(to[block]);
            let Some((from, known)) = &from else {
                fill(to, std::iter::repeat_n(0, to.len()));
                return Ok(());
            };
            if there.as_ref().is_some_and(|there| there[block] == known[block]) {
                return Ok(());
            }
            read(self.words(from[block]), bytes);
            if raw_check(bytes) != known[block] {
                return Err(self.changed());
            }
            fill(to, words_of(bytes));
            Ok(())
        })?;
        Ok(target)
    }

    /// Returns a part of the slot that [`stage`](Slots::stage) returned, to be changed.
    pub(crate) fn staged(&self, slot: usize, part: usize) -> &[AtomicU64] {
        self.words(self.layout.slots[slot][part])
    }

    /// Completes the checkpoint in the slot that [`stage`](Slots::stage) returned.
    pub(crate) fn commit(&self, slot: usize, words: &Words) -> Result<(), SolveError> {
        let sums = self.sums(slot)?;
        self.seal(slot, words, sums)
    }

    /// Writes a checkpoint of these parts, which are in memory.
    ///
    /// Other threads may change the parts meanwhile. Each word is read once, for the file and the
    /// checksum.
    pub(crate) fn save(&self, parts: &[&[AtomicU64]], words: &Words) -> Result<(), SolveError> {
        let (target, known) = {
            let mut state = self.state();
            state.begun = Some(Instant::now());
            let target = state.newest.map_or(1, |newest| 1 - newest);
            state.blank[target] = false;
            (target, state.sums[target].take())
        };
        let blocks = self.layout.blocks(target);
        let sources = self.sources(parts);
        let sums = self.for_each_block(blocks.len(), |block, bytes| {
            read(sources[block], bytes);
            let sum = raw_check(bytes);
            // Unchanged blocks are not written.
            if known.as_ref().is_none_or(|known| known[block] != sum) {
                fill(self.words(blocks[block]), words_of(bytes));
            }
            Ok(sum)
        })?;
        self.seal(target, words, sums)
    }

    /// Reads the newest checkpoint into these parts, which are in memory, and compares its
    /// checksums.
    ///
    /// # Panics
    /// If there is no checkpoint.
    pub(crate) fn load(&self, parts: &[&[AtomicU64]]) -> Result<(), SolveError> {
        let newest = self.state().newest.expect("there is a checkpoint");
        let (blocks, known) = (self.layout.blocks(newest), self.known(newest));
        let targets = self.sources(parts);
        self.for_each_block(blocks.len(), |block, bytes| {
            read(self.words(blocks[block]), bytes);
            if raw_check(bytes) != known[block] {
                return Err(self.changed());
            }
            fill(targets[block], words_of(bytes));
            Ok(())
        })
        .map(drop)
    }

    /// Compares the checksums of the newest checkpoint, and returns those of its blocks. Fails if
    /// one differs.
    pub(crate) fn check(&self) -> Result<Vec<u64>, SolveError> {
        let newest = self.state().newest.expect("there is a checkpoint");
        let sums = self.sums(newest)?;
        if sums == self.known(newest) { Ok(sums) } else { Err(self.changed()) }
    }

    /// Copies the newest checkpoint to slot 0, the place of the payload in the finished table.
    pub(crate) fn sync(&self, words: &Words) -> Result<(), SolveError> {
        if self.state().newest == Some(0) {
            return Ok(());
        }
        let slot = self.stage()?;
        self.commit(slot, words)
    }

    /// Releases the memory of the mapping, if the system supports it.
    pub(crate) fn evict(&self) {
        // The system may refuse, and keep the memory.
        #[cfg(unix)]
        // SAFETY: the mapping is a shared one of a file. Released pages are still in the file, with
        // everything that was stored through the mapping, and the next access maps them again.
        let _ = unsafe { self.map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // The work of a thread that panicked gets no record.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the checksums of the blocks of a sound slot.
    fn known(&self, slot: usize) -> Vec<u64> {
        self.state().sums[slot].clone().expect("a sound slot has its checksums")
    }

    fn changed(&self) -> SolveError {
        SolveError::Changed { path: self.path.clone() }
    }

    /// Syncs a slot, then writes its record.
    fn seal(&self, slot: usize, words: &Words, sums: Vec<u64>) -> Result<(), SolveError> {
        self.layout.slots[slot].iter().try_for_each(|&part| self.flush(part))?;
        let mut record = vec![MARK, self.state().sequence, self.identity_of(slot)];
        record.extend(words);
        record.extend(&sums);
        record.push(checksum(&record));
        let region = self.layout.records[slot];
        fill(self.words(region), record.into_iter());
        self.flush(region)?;
        let (now, mut state) = (Instant::now(), self.state());
        state.newest = Some(slot);
        state.sequence = state.sequence.saturating_add(1);
        state.sums[slot] = Some(sums);
        state.took = state.begun.take().map_or(Duration::ZERO, |begun| now - begun);
        state.last = now;
        drop(state);
        self.evict();
        Ok(())
    }

    fn flush(&self, Region { offset, len }: Region) -> Result<(), SolveError> {
        self.map
            .flush_range(offset as usize, len as usize)
            .map_err(io_error(&self.path, "writing a checkpoint"))
    }

    fn read_record(&self, slot: usize) -> Record {
        let words: Vec<u64> =
            self.words(self.layout.records[slot]).iter().map(|word| word.load(Relaxed)).collect();
        if words.iter().all(|&word| word == 0) {
            return Record::Blank;
        }
        let (&sum, body) = words.split_last().expect("a record has words");
        if body[0] != MARK || checksum(body) != sum {
            return Record::Damaged;
        }
        if body[2] != self.identity_of(slot) {
            return Record::Other;
        }
        let progress = std::array::from_fn(|at| body[3 + at]);
        Record::Sound { sequence: body[1], words: progress, sums: body[HEAD..].to_vec() }
    }

    fn identity_of(&self, slot: usize) -> u64 {
        let lengths: Vec<u64> = self.layout.slots[slot].iter().map(|part| part.len).collect();
        xxh3_64(format!("{} {lengths:?} {slot}", self.identity).as_bytes())
    }

    /// Computes the checksums of the blocks of a slot.
    fn sums(&self, slot: usize) -> Result<Vec<u64>, SolveError> {
        let blocks = self.layout.blocks(slot);
        self.for_each_block(blocks.len(), |block, bytes| {
            read(self.words(blocks[block]), bytes);
            Ok(raw_check(bytes))
        })
    }

    /// Calls `visit` with the number of every block and a buffer, in parallel. Returns the results
    /// in the order of the blocks.
    fn for_each_block<T: Send>(
        &self,
        blocks: usize,
        visit: impl Fn(usize, &mut Vec<u8>) -> Result<T, SolveError> + Sync,
    ) -> Result<Vec<T>, SolveError> {
        let mut results = Vec::new();
        results.try_reserve_exact(blocks).map_err(|error: TryReserveError| {
            io_error(&self.path, "allocating memory for its checksums")(std::io::Error::other(
                error,
            ))
        })?;
        for first in (0..blocks).step_by(BATCH) {
            let batch = first..blocks.min(first + BATCH);
            let visited: Vec<Result<T, SolveError>> = batch
                .into_par_iter()
                .map_init(Vec::new, |bytes, block| visit(block, bytes))
                .collect();
            for result in visited {
                results.push(result?);
            }
            if blocks > BATCH {
                self.evict();
            }
        }
        Ok(results)
    }

    /// Returns the words of each block of these parts, which are in memory.
    fn sources<'p>(&self, parts: &[&'p [AtomicU64]]) -> Vec<&'p [AtomicU64]> {
        let lengths = self.layout.slots[0].iter().map(|part| part.len);
        assert!(
            parts.iter().map(|part| part.len() as u64 * 8).eq(lengths),
            "every part has its length"
        );
        parts.iter().flat_map(|part| part.chunks(CHECK_BLOCK as usize / 8)).collect()
    }

    /// Returns the words of a region of the file, which begins at a multiple of 8.
    fn words(&self, region: Region) -> &[AtomicU64] {
        assert!(region.end() <= self.map.len() as u64, "the region is inside the file");
        debug_assert!(region.offset.is_multiple_of(8) && region.len.is_multiple_of(8));
        #[expect(
            clippy::cast_ptr_alignment,
            reason = "regions begin at a multiple of 8, mappings at a page"
        )]
        let start = self.map.as_ptr().wrapping_add(region.offset as usize).cast::<AtomicU64>();
        // SAFETY: the region lies inside the mapping, which lives as long as `self`. Mappings begin
        // at a page, so the words are aligned, and any bits are a valid word. The mapping is shared
        // and writable, and this process accesses it only through these atomics. Other processes do
        // not write to it, because the directory is locked.
        unsafe { std::slice::from_raw_parts(start, region.len as usize / 8) }
    }
}

/// Reads words as bytes.
fn read(words: &[AtomicU64], bytes: &mut Vec<u8>) {
    bytes.clear();
    bytes.extend(words.iter().flat_map(|word| word_bytes(word.load(Relaxed))));
}

/// Stores words where they differ, so that unchanged pages stay clean.
fn fill(words: &[AtomicU64], values: impl Iterator<Item = u64>) {
    for (word, value) in words.iter().zip(values) {
        if word.load(Relaxed) != value {
            word.store(value, Relaxed);
        }
    }
}

fn checksum(words: &[u64]) -> u64 {
    xxh3_64(&bytes_of(words))
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::File;
    use std::os::unix::fs::FileExt;

    use memmap2::MmapOptions;

    use super::*;

    /// A payload of 100 groups of 64 entries of 12 bits, as distances have, and two sections.
    const PAYLOAD: Region = Region { offset: 4096, len: 100 * 12 * 8 };
    const SECTIONS: [u64; 2] = [8, 3 * CHECK_BLOCK + 16];

    fn layout() -> SlotLayout {
        SlotLayout::new(PAYLOAD, PAYLOAD.end(), &SECTIONS)
    }

    fn open(file: &File, blank: bool) -> (Slots, Found) {
        let map = MmapOptions::new().map_raw(file).unwrap();
        Slots::open(
            Path::new("work"),
            map,
            layout(),
            "distances".into(),
            Duration::from_hours(1),
            blank,
        )
    }

    fn parts(seed: u64) -> Vec<Vec<AtomicU64>> {
        let mut word = seed;
        let mut next = || {
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            AtomicU64::new(word)
        };
        [PAYLOAD.len, SECTIONS[0], SECTIONS[1]]
            .map(|len| (0..len / 8).map(|_| next()).collect())
            .into()
    }

    fn save(slots: &Slots, seed: u64) {
        let parts = parts(seed);
        slots
            .save(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>(), &[seed; PROGRESS_WORDS])
            .unwrap();
    }

    /// Returns whether the newest checkpoint is that of a seed.
    fn is(slots: &Slots, seed: u64) -> bool {
        let (read, expected) = (parts(0), parts(seed));
        slots.load(&read.iter().map(Vec::as_slice).collect::<Vec<_>>()).unwrap();
        let same = |a: &Vec<AtomicU64>, b: &Vec<AtomicU64>| {
            a.iter().map(|word| word.load(Relaxed)).eq(b.iter().map(|word| word.load(Relaxed)))
        };
        read.iter().zip(&expected).all(|(a, b)| same(a, b))
    }

    fn at(words: u64, fell_back: bool) -> Found {
        Found::Checkpoint { words: [words; PROGRESS_WORDS], fell_back }
    }

    #[test]
    fn payloads_of_any_width_and_sections_are_kept_and_every_damage_is_found() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(layout().file_len()).unwrap();
        let (slots, found) = open(&file, true);
        assert_eq!(found, Found::Nothing);
        for seed in [1, 2, 3] {
            save(&slots, seed);
            assert!(is(&slots, seed));
        }
        drop(slots);
        let (slots, found) = open(&file, false);
        assert!(found == at(3, false) && is(&slots, 3));
        drop(slots);
        // The third checkpoint is in slot 1, the second in slot 0.
        let flip = |offset: u64| {
            let mut byte = [0];
            file.read_exact_at(&mut byte, offset).unwrap();
            file.write_all_at(&[byte[0] ^ 4], offset).unwrap();
        };
        let SlotLayout { slots: [second, third], records } = layout();
        let places = |parts: &[Region], record: Region| {
            parts
                .iter()
                .chain([&record])
                .flat_map(|part| [part.offset, part.end() - 1])
                .collect::<Vec<_>>()
        };
        for &here in &places(&third, records[1]) {
            flip(here);
            let (slots, found) = open(&file, false);
            assert!(found == at(2, true) && is(&slots, 2), "{here}");
            drop(slots);
            for &there in &places(&second, records[0]) {
                flip(there);
                assert_eq!(open(&file, false).1, Found::Damaged, "{here} and {there}");
                flip(there);
            }
            flip(here);
        }
        assert_eq!(open(&file, false).1, at(3, false));
        let map = MmapOptions::new().map_raw(&file).unwrap();
        let other =
            Slots::open(Path::new("work"), map, layout(), "outcomes".into(), Duration::ZERO, false);
        assert_eq!(other.1, Found::Other);
    }

    #[test]
    fn staged_changes_are_invisible_until_committed_and_damage_meanwhile_is_an_error() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(layout().file_len()).unwrap();
        let (slots, _) = open(&file, true);
        save(&slots, 1);
        let slot = slots.stage().unwrap();
        slots.staged(slot, 1)[0].store(77, Relaxed);
        assert!(is(&slots, 1));
        assert_eq!(open(&file, false).1, at(1, false));
        slots.commit(slot, &[2; PROGRESS_WORDS]).unwrap();
        assert_eq!(slots.newest(1)[0].load(Relaxed), 77);
        assert!(
            slots
                .newest(2)
                .iter()
                .zip(&parts(1)[2])
                .all(|(a, b)| a.load(Relaxed) == b.load(Relaxed))
        );
        save(&slots, 3);
        assert_ne!(slots.newest(0).as_ptr(), slots.words(PAYLOAD).as_ptr());
        slots.sync(&[3; PROGRESS_WORDS]).unwrap();
        assert_eq!(slots.newest(0).as_ptr(), slots.words(PAYLOAD).as_ptr());
        assert!(is(&slots, 3));
        save(&slots, 4);
        slots.newest(0)[5].fetch_xor(1, Relaxed);
        assert!(matches!(slots.stage(), Err(SolveError::Changed { .. })));
        assert!(matches!(slots.check(), Err(SolveError::Changed { .. })));
    }
}

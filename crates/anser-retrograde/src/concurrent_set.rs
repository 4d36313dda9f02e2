//! Sets of keys that several threads insert into.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use anser_core::Side;
use rayon::slice::ParallelSliceMut;

use crate::bits;
use crate::parallel::{defaults, lock};
use crate::ranked_set::RankedSet;

/// Key spaces of at most this size, 4 MiB of bits, are bitmaps from the start.
const SMALL: u64 = 1 << 25;

/// Inserts keys into the sets of several layers, from one thread.
///
/// Every key passed to [`Inserter::insert`] is inserted: immediately if the set is a bitmap, and
/// otherwise at the latest when the inserter is dropped. Nothing else inserts keys into a
/// [`ConcurrentSet`].
pub(crate) struct Inserter<'a> {
    /// By layer and side.
    sets: &'a [[ConcurrentSet; 2]],
    /// Keys not yet added to their lists, by layer and side.
    pending: Vec<(usize, Side, Vec<u64>)>,
    /// The layer whose new keys are collected.
    followed: Option<usize>,
    new: Vec<u64>,
}

impl<'a> Inserter<'a> {
    /// An inserter that collects the keys that are new in the bitmaps of the layer number
    /// `followed`.
    pub(crate) fn new(sets: &'a [[ConcurrentSet; 2]], followed: Option<usize>) -> Inserter<'a> {
        Inserter { sets, pending: Vec::new(), followed, new: Vec::new() }
    }

    /// Inserts a key of the layer with index `ordinal`, with `side` to move.
    #[inline]
    pub(crate) fn insert(&mut self, ordinal: usize, side: Side, key: u64) {
        match self.sets[ordinal][side.index()].insert_bit(key) {
            Some(true) => {}
            Some(false) => {
                if self.followed == Some(ordinal) {
                    self.new.push(key);
                }
            }
            None => {
                match self.pending.iter_mut().find(|list| (list.0, list.1) == (ordinal, side)) {
                    Some(list) => list.2.push(key),
                    None => self.pending.push((ordinal, side, vec![key])),
                }
            }
        }
    }

    /// Takes the keys of the followed layer that were new in bitmaps. [`ConcurrentSet::take_new`]
    /// returns the other new ones.
    pub(crate) fn take_new(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.new)
    }
}

impl Drop for Inserter<'_> {
    fn drop(&mut self) {
        for (ordinal, side, keys) in &mut self.pending {
            self.sets[*ordinal][side.index()].add(keys);
        }
    }
}

/// The keys of one layer and side: in a list, for a large space of keys that may stay nearly empty,
/// or in a bitmap.
pub(crate) struct ConcurrentSet {
    keys: u64,
    /// Set for small spaces, and once the list takes more memory. It has all keys then.
    bits: OnceLock<Vec<AtomicU64>>,
    list: Mutex<List>,
}

#[derive(Default)]
struct List {
    /// Ascending, without duplicates.
    sorted: Vec<u64>,
    /// In any order, with duplicates.
    pending: Vec<u64>,
    /// The keys that were new in [`ConcurrentSet::add`] since [`ConcurrentSet::follow`] or
    /// [`ConcurrentSet::take_new`].
    new: Option<Vec<u64>>,
}

impl ConcurrentSet {
    /// The empty set in a space of `keys` keys.
    pub(crate) fn new(keys: u64) -> ConcurrentSet {
        let bits =
            if keys <= SMALL { OnceLock::from(defaults(words(keys))) } else { OnceLock::new() };
        ConcurrentSet { keys, bits, list: Mutex::default() }
    }

    /// Inserts a key into the bitmap; returns whether it was a member before. `None` if the set is
    /// a list, to which [`Inserter`] adds the key.
    #[inline]
    fn insert_bit(&self, key: u64) -> Option<bool> {
        self.bits.get().map(|words| insert(words, key))
    }

    /// Moves keys to the set, in any order and with duplicates.
    fn add(&self, keys: &mut Vec<u64>) {
        let mut list = lock(&self.list);
        if let Some(words) = self.bits.get() {
            let is_new = |&key: &u64| !insert(words, key);
            let found = keys.drain(..).filter(is_new);
            match &mut list.new {
                Some(new) => new.extend(found),
                None => found.for_each(drop),
            }
            return;
        }
        list.pending.append(keys);
        if list.pending.len() > list.sorted.len() + (1 << 20) {
            // Without other threads: one that waits for them may be given work that adds keys, too,
            // and needs the lock.
            list.merge(<[u64]>::sort_unstable, <[u64]>::sort);
            self.set_bits(&mut list);
        }
    }

    /// Returns all keys so far; from now on [`ConcurrentSet::take_new`] returns those that are new
    /// and that no [`Inserter`] takes.
    pub(crate) fn follow(&mut self) -> Vec<u64> {
        self.merge();
        let list = &mut *lock(&self.list);
        list.new = Some(Vec::new());
        match self.bits.get() {
            Some(words) => bits::numbers(words.iter().map(|word| word.load(Relaxed))),
            None => list.sorted.clone(),
        }
    }

    /// Takes the new keys since the last call.
    pub(crate) fn take_new(&mut self) -> Vec<u64> {
        self.merge();
        lock(&self.list).new.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Merges the pending keys of the list.
    pub(crate) fn merge(&mut self) {
        let mut list = lock(&self.list);
        list.merge(<[u64]>::par_sort_unstable, <[u64]>::par_sort);
        self.set_bits(&mut list);
    }

    /// Turns a list that takes more memory than a bitmap into one.
    fn set_bits(&self, list: &mut List) {
        if list.sorted.len() as u64 <= self.keys / 64 {
            return;
        }
        let bits: Vec<AtomicU64> = (0..words(self.keys)).map(|_| AtomicU64::new(0)).collect();
        for &key in &list.sorted {
            insert(&bits, key);
        }
        *list = List { new: list.new.take(), ..List::default() };
        // Only the holder of the lock sets it, and a set with bits has no list.
        let _ = self.bits.set(bits);
    }

    /// Memory of the set in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        if let Some(words) = self.bits.get() {
            return words.len() as u64 * 8;
        }
        let list = lock(&self.list);
        8 * (list.sorted.len() + list.pending.len()) as u64
    }

    /// Returns the finished set.
    pub(crate) fn finish(mut self) -> RankedSet {
        self.merge();
        if let Some(words) = self.bits.into_inner() {
            return RankedSet::from_words(words.into_iter().map(AtomicU64::into_inner).collect());
        }
        let mut sorted = self.list.into_inner().unwrap_or_else(PoisonError::into_inner).sorted;
        sorted.shrink_to_fit();
        RankedSet::Sorted(sorted)
    }
}

/// Returns the number of words of a bitmap for this many keys.
fn words(keys: u64) -> usize {
    keys.div_ceil(64) as usize
}

/// Inserts a key into a bitmap; returns whether it was a member before.
#[inline]
fn insert(words: &[AtomicU64], key: u64) -> bool {
    let (word, bit) = (&words[(key / 64) as usize], 1 << (key % 64));
    // Most keys are members already, and a load leaves the cache line shared among threads.
    word.load(Relaxed) & bit != 0 || word.fetch_or(bit, Relaxed) & bit != 0
}

impl List {
    /// Merges the pending keys, with these ways to sort.
    fn merge(&mut self, sort_unstable: fn(&mut [u64]), sort: fn(&mut [u64])) {
        sort_unstable(&mut self.pending);
        self.pending.dedup();
        let sorted = &self.sorted;
        self.pending.retain(|key| sorted.binary_search(key).is_err());
        if let Some(new) = &mut self.new {
            new.extend_from_slice(&self.pending);
        }
        self.sorted.append(&mut self.pending);
        // The stable sort merges two sorted runs in one pass.
        sort(&mut self.sorted);
    }
}

#[cfg(test)]
mod tests {
    use rayon::prelude::*;

    use super::*;

    #[test]
    fn a_long_list_turns_into_a_bitmap_and_loses_nothing() {
        let keys = SMALL + 1;
        let mut set = ConcurrentSet::new(keys);
        assert_eq!(set.insert_bit(5), None);
        set.add(&mut vec![7, 5, 7]);
        assert_eq!(set.follow(), [5, 7]);
        set.add(&mut vec![6, 5]);
        assert_eq!(set.take_new(), [6]);
        let mut many: Vec<u64> = (0..keys / 32).map(|number| number * 32 + 1).collect();
        set.add(&mut many);
        assert_eq!(set.take_new().len() as u64, keys / 32);
        assert_eq!(set.insert_bit(6), Some(true));
        assert_eq!(set.insert_bit(8), Some(false));
        let finished = set.finish();
        assert_eq!(finished.len() as u64, keys / 32 + 4);
        assert_eq!(finished.members(0..6).collect::<Vec<_>>(), [1, 5, 6, 7, 8, 33]);
    }

    #[test]
    fn a_list_turns_into_a_bitmap_while_keys_are_added() {
        let keys = SMALL + 1;
        let mut set = ConcurrentSet::new(keys);
        set.add(&mut vec![4]);
        assert_eq!(set.follow(), [4]);
        let mut many: Vec<u64> = (0..keys / 16).map(|number| number * 16 + 4).collect();
        set.add(&mut many);
        assert_eq!((set.insert_bit(20), set.insert_bit(21)), (Some(true), Some(false)));
        // An inserter has kept these since the set was a list.
        set.add(&mut vec![22, 21, 20, 22]);
        let new = set.take_new();
        assert_eq!(new.len() as u64, keys / 16);
        assert_eq!(new[..2], [20, 36]);
        assert_eq!(new.last(), Some(&22));
        assert_eq!(set.finish().len() as u64, keys / 16 + 2);
    }

    #[test]
    fn threads_that_insert_while_a_list_turns_into_a_bitmap_lose_nothing() {
        let keys = SMALL * 4;
        let mut sets = [[ConcurrentSet::new(keys), ConcurrentSet::new(keys)]];
        assert!(sets[0][1].follow().is_empty());
        let inserted = |start: u64| {
            let mut inserter = Inserter::new(&sets, Some(0));
            // Each key twice, by two of the chunks.
            let chunk = (start / 2) * (1 << 16)..(start / 2 + 1) * (1 << 16);
            chunk.for_each(|number| inserter.insert(0, Side::Second, number * 17 % keys));
            inserter.take_new()
        };
        let new: Vec<Vec<u64>> = (0..128_u64).into_par_iter().map(inserted).collect();
        let mut new = new.concat();
        new.append(&mut sets[0][1].take_new());
        new.sort_unstable();
        let mut expected: Vec<u64> = (0..64 << 16).map(|number| number * 17 % keys).collect();
        expected.sort_unstable();
        assert_eq!(new, expected);
        assert_eq!(sets[0][1].insert_bit(expected[9]), Some(true));
    }

    #[test]
    fn every_key_is_inserted_into_a_bitmap_and_into_a_list() {
        for keys in [SMALL, SMALL + 1] {
            let mut sets = [[ConcurrentSet::new(keys), ConcurrentSet::new(keys)]];
            Inserter::new(&sets, None).insert(0, Side::Second, 5);
            let mut marker = Inserter::new(&sets, Some(0));
            for key in [7, 5, 7] {
                marker.insert(0, Side::Second, key);
            }
            assert_eq!(marker.take_new(), if keys == SMALL { vec![7] } else { Vec::new() });
            drop(marker);
            assert_eq!(sets[0][1].follow(), [5, 7]);
            assert!(sets[0][0].follow().is_empty());
        }
    }

    #[test]
    fn a_short_list_stays_one() {
        let mut set = ConcurrentSet::new(SMALL * 1000);
        set.add(&mut vec![SMALL * 999, 3]);
        set.merge();
        assert_eq!(set.bytes(), 16);
        let finished = set.finish();
        assert_eq!(finished.members(0..2).collect::<Vec<_>>(), [3, SMALL * 999]);
    }
}

//! Sets of keys that several threads insert into.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use anser_core::Side;
use rayon::slice::ParallelSliceMut;

use crate::bits;
use crate::parallel::{defaults, lock};
use crate::ranked_set::RankedSet;

/// Key spaces of at most this size, 4 MiB of bits, are bitmaps from the start.
const SMALL: u64 = 1 << 25;

/// Inserts keys into the sets of several layers, from one thread.
///
/// Every key passed to [`Inserter::insert`] is inserted: immediately into a bitmap, and into a list
/// at the latest when the inserter is dropped. Nothing else inserts keys into a [`ConcurrentSet`].
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

    /// Takes the new keys of the bitmaps of the followed layer. [`ConcurrentSet::take_new`] returns
    /// those of lists.
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

/// The keys of one layer and side.
pub(crate) struct ConcurrentSet {
    keys: u64,
    held: Held,
}

enum Held {
    Bits(Vec<AtomicU64>),
    /// For large key spaces, which may stay nearly empty.
    List(Mutex<List>),
}

#[derive(Default)]
struct List {
    /// Ascending, without duplicates.
    sorted: Vec<u64>,
    /// In any order, with duplicates.
    pending: Vec<u64>,
    /// The keys added to `sorted` since [`ConcurrentSet::follow`] or [`ConcurrentSet::take_new`].
    new: Option<Vec<u64>>,
}

impl ConcurrentSet {
    /// The empty set in a space of `keys` keys.
    pub(crate) fn new(keys: u64) -> ConcurrentSet {
        let held = if keys <= SMALL {
            Held::Bits(defaults(keys.div_ceil(64) as usize))
        } else {
            Held::List(Mutex::default())
        };
        ConcurrentSet { keys, held }
    }

    /// Inserts a key into the bitmap; returns whether it was a member before. `None` if the set is
    /// a list, to which [`Inserter`] adds the key.
    #[inline]
    fn insert_bit(&self, key: u64) -> Option<bool> {
        let Held::Bits(words) = &self.held else { return None };
        let (word, bit) = (&words[(key / 64) as usize], 1 << (key % 64));
        // Most keys are members already, and a load leaves the cache line shared among threads.
        Some(word.load(Relaxed) & bit != 0 || word.fetch_or(bit, Relaxed) & bit != 0)
    }

    /// Moves keys to the list, in any order and with duplicates.
    fn add(&self, keys: &mut Vec<u64>) {
        if let Held::List(list) = &self.held {
            let mut list = lock(list);
            list.pending.append(keys);
            if list.pending.len() > list.sorted.len() + (1 << 20) {
                list.merge();
            }
        }
    }

    /// Returns all keys so far; from now on [`ConcurrentSet::take_new`] returns the new ones of a
    /// list.
    pub(crate) fn follow(&mut self) -> Vec<u64> {
        self.merge();
        match &mut self.held {
            Held::Bits(words) => bits::numbers(words.iter().map(|word| word.load(Relaxed))),
            Held::List(list) => {
                let list = list.get_mut().unwrap_or_else(PoisonError::into_inner);
                list.new = Some(Vec::new());
                list.sorted.clone()
            }
        }
    }

    /// Takes the new keys of a list since the last call.
    pub(crate) fn take_new(&mut self) -> Vec<u64> {
        let new = match &mut self.held {
            Held::Bits(_) => return Vec::new(),
            Held::List(list) => {
                let list = list.get_mut().unwrap_or_else(PoisonError::into_inner);
                list.merge();
                list.new.as_mut().map(std::mem::take).unwrap_or_default()
            }
        };
        self.merge();
        new
    }

    /// Merges the pending keys of a list. A list that takes more memory than a bitmap becomes one.
    pub(crate) fn merge(&mut self) {
        let Held::List(list) = &mut self.held else { return };
        let list = list.get_mut().unwrap_or_else(PoisonError::into_inner);
        list.merge();
        if list.sorted.len() as u64 > self.keys / 64 {
            let words: Vec<AtomicU64> = defaults(self.keys.div_ceil(64) as usize);
            for &key in &list.sorted {
                words[(key / 64) as usize].fetch_or(1 << (key % 64), Relaxed);
            }
            self.held = Held::Bits(words);
        }
    }

    /// Memory of the set in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        match &self.held {
            Held::Bits(words) => words.len() as u64 * 8,
            Held::List(list) => {
                let list = lock(list);
                8 * (list.sorted.len() + list.pending.len()) as u64
            }
        }
    }

    /// Returns the finished set.
    pub(crate) fn finish(mut self) -> RankedSet {
        self.merge();
        match self.held {
            Held::Bits(words) => {
                RankedSet::from_words(words.into_iter().map(AtomicU64::into_inner).collect())
            }
            Held::List(list) => {
                let mut sorted = list.into_inner().unwrap_or_else(PoisonError::into_inner).sorted;
                sorted.shrink_to_fit();
                RankedSet::Sorted(sorted)
            }
        }
    }
}

impl List {
    fn merge(&mut self) {
        self.pending.par_sort_unstable();
        self.pending.dedup();
        let sorted = &self.sorted;
        self.pending.retain(|key| sorted.binary_search(key).is_err());
        if let Some(new) = &mut self.new {
            new.extend_from_slice(&self.pending);
        }
        self.sorted.append(&mut self.pending);
        // The stable sort merges two sorted runs in one pass.
        self.sorted.par_sort();
    }
}

#[cfg(test)]
mod tests {
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

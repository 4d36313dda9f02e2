//! Keys being collected by many threads: the set of what was reached while it is still growing.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use anser_core::Side;
use rayon::slice::ParallelSliceMut;

use crate::slots::Slots;

/// A set of at most this many keys is a bitmap from the start: 4 MiB.
const SMALL: u64 = 1 << 25;

/// Marks keys in the sets of several layers, from one thread.
///
/// Every key passed to [`Marker::mark`] is marked: at once in a bitmap, and in a list at the latest when the marker is
/// dropped. Nothing else adds keys to [`Marks`].
pub(crate) struct Marker<'a> {
    /// By place and side.
    marks: &'a [[Marks; 2]],
    /// Keys not yet added to their lists, by place and side.
    pending: Vec<(usize, Side, Vec<u64>)>,
    /// The layer whose newly marked keys are collected.
    followed: Option<usize>,
    fresh: Vec<u64>,
}

impl<'a> Marker<'a> {
    /// A marker for these sets that collects no newly marked keys.
    pub(crate) fn new(marks: &'a [[Marks; 2]]) -> Marker<'a> {
        Marker::following(marks, None)
    }

    /// A marker that also collects the keys newly marked in the bitmaps of the layer at `followed`.
    pub(crate) fn following(marks: &'a [[Marks; 2]], followed: Option<usize>) -> Marker<'a> {
        Marker { marks, pending: Vec::new(), followed, fresh: Vec::new() }
    }

    /// Marks a key of the layer at `place` with `side` to move.
    #[inline]
    pub(crate) fn mark(&mut self, place: usize, side: Side, key: u64) {
        match self.marks[place][side.index()].mark_bit(key) {
            Some(true) => {}
            Some(false) => {
                if self.followed == Some(place) {
                    self.fresh.push(key);
                }
            }
            None => match self.pending.iter_mut().find(|list| (list.0, list.1) == (place, side)) {
                Some(list) => list.2.push(key),
                None => self.pending.push((place, side, vec![key])),
            },
        }
    }

    /// Takes the keys newly marked in the bitmaps of the followed layer. [`Marks::take_fresh`] returns those of lists.
    pub(crate) fn take_fresh(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.fresh)
    }
}

impl Drop for Marker<'_> {
    fn drop(&mut self) {
        for (place, side, keys) in &mut self.pending {
            self.marks[*place][side.index()].add(keys);
        }
    }
}

/// The reached keys of one layer and side.
pub(crate) struct Marks {
    keys: u64,
    held: Held,
}

enum Held {
    Bits(Vec<AtomicU64>),
    /// For key spaces that may stay nearly empty.
    List(Mutex<List>),
}

#[derive(Default)]
struct List {
    /// Ascending, each once.
    sorted: Vec<u64>,
    /// In any order, also such as are there already.
    pending: Vec<u64>,
    /// What became part of `sorted` since [`Marks::follow`].
    fresh: Option<Vec<u64>>,
}

impl Marks {
    /// No mark yet, in a space of so many keys.
    pub(crate) fn new(keys: u64) -> Marks {
        let held = if keys <= SMALL { Held::Bits(bits(keys)) } else { Held::List(Mutex::default()) };
        Marks { keys, held }
    }

    /// Marks a key in the bitmap and returns whether it was marked before. `None` if there is a list instead, to which the
    /// key must be added; [`Marker`] does so.
    #[inline]
    fn mark_bit(&self, key: u64) -> Option<bool> {
        let Held::Bits(words) = &self.held else { return None };
        let (word, bit) = (&words[(key / 64) as usize], 1 << (key % 64));
        // Most keys are marked already, and a look does not take the cache line from other threads.
        Some(word.load(Relaxed) & bit != 0 || word.fetch_or(bit, Relaxed) & bit != 0)
    }

    /// Adds keys to the list, in any order and each any number of times, and empties `keys`.
    fn add(&self, keys: &mut Vec<u64>) {
        if let Held::List(list) = &self.held {
            let mut list = list.lock().unwrap_or_else(PoisonError::into_inner);
            list.pending.append(keys);
            if list.pending.len() > list.sorted.len() + (1 << 20) {
                list.settle();
            }
        }
    }

    /// All keys marked so far; from now on [`Marks::take_fresh`] tells the new ones of a list.
    pub(crate) fn follow(&mut self) -> Vec<u64> {
        self.settle();
        match &mut self.held {
            Held::Bits(words) => {
                let mut keys = Vec::new();
                for (number, word) in words.iter().enumerate() {
                    let mut rest = word.load(Relaxed);
                    while rest != 0 {
                        keys.push(number as u64 * 64 + u64::from(rest.trailing_zeros()));
                        rest &= rest - 1;
                    }
                }
                keys
            }
            Held::List(list) => {
                let list = list.get_mut().unwrap_or_else(PoisonError::into_inner);
                list.fresh = Some(Vec::new());
                list.sorted.clone()
            }
        }
    }

    /// The keys that were added to a list, and not there before, since they were last asked for.
    pub(crate) fn take_fresh(&mut self) -> Vec<u64> {
        let fresh = match &mut self.held {
            Held::Bits(_) => return Vec::new(),
            Held::List(list) => {
                let list = list.get_mut().unwrap_or_else(PoisonError::into_inner);
                list.settle();
                list.fresh.as_mut().map(std::mem::take).unwrap_or_default()
            }
        };
        self.settle();
        fresh
    }

    /// Puts what was added to a list in order. A list that has become longer than a bitmap would be turns into one.
    pub(crate) fn settle(&mut self) {
        let Held::List(list) = &mut self.held else { return };
        let list = list.get_mut().unwrap_or_else(PoisonError::into_inner);
        list.settle();
        if list.sorted.len() as u64 > self.keys / 64 {
            let words = bits(self.keys);
            for &key in &list.sorted {
                words[(key / 64) as usize].fetch_or(1 << (key % 64), Relaxed);
            }
            self.held = Held::Bits(words);
        }
    }

    /// The bytes that the marks take.
    pub(crate) fn bytes(&self) -> u64 {
        match &self.held {
            Held::Bits(words) => words.len() as u64 * 8,
            Held::List(list) => {
                let list = list.lock().unwrap_or_else(PoisonError::into_inner);
                8 * (list.sorted.len() + list.pending.len()) as u64
            }
        }
    }

    /// The set of all that was marked.
    pub(crate) fn finish(mut self) -> Slots {
        self.settle();
        match self.held {
            Held::Bits(words) => Slots::from_words(words.into_iter().map(AtomicU64::into_inner).collect()),
            Held::List(list) => {
                let mut sorted = list.into_inner().unwrap_or_else(PoisonError::into_inner).sorted;
                sorted.shrink_to_fit();
                Slots::Sorted(sorted)
            }
        }
    }
}

impl List {
    fn settle(&mut self) {
        self.pending.par_sort_unstable();
        self.pending.dedup();
        let sorted = &self.sorted;
        self.pending.retain(|key| sorted.binary_search(key).is_err());
        if let Some(fresh) = &mut self.fresh {
            fresh.extend_from_slice(&self.pending);
        }
        self.sorted.append(&mut self.pending);
        // Two runs in order: the stable sort merges them in one pass.
        self.sorted.par_sort();
    }
}

fn bits(keys: u64) -> Vec<AtomicU64> {
    (0..keys.div_ceil(64)).map(|_| AtomicU64::new(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_turns_into_a_bitmap_and_loses_nothing() {
        let keys = SMALL + 1;
        let mut marks = Marks::new(keys);
        assert_eq!(marks.mark_bit(5), None);
        marks.add(&mut vec![7, 5, 7]);
        assert_eq!(marks.follow(), [5, 7]);
        marks.add(&mut vec![6, 5]);
        assert_eq!(marks.take_fresh(), [6]);
        let mut many: Vec<u64> = (0..keys / 32).map(|number| number * 32 + 1).collect();
        marks.add(&mut many);
        assert_eq!(marks.take_fresh().len() as u64, keys / 32);
        assert_eq!(marks.mark_bit(6), Some(true));
        assert_eq!(marks.mark_bit(8), Some(false));
        let set = marks.finish();
        assert_eq!(set.len() as u64, keys / 32 + 4);
        assert_eq!(set.members(0..6).collect::<Vec<_>>(), [1, 5, 6, 7, 8, 33]);
    }

    #[test]
    fn every_key_is_marked_whether_the_set_is_a_bitmap_or_a_list() {
        for keys in [SMALL, SMALL + 1] {
            let mut marks = [[Marks::new(keys), Marks::new(keys)]];
            Marker::new(&marks).mark(0, Side::Second, 5);
            let mut marker = Marker::following(&marks, Some(0));
            for key in [7, 5, 7] {
                marker.mark(0, Side::Second, key);
            }
            assert_eq!(marker.take_fresh(), if keys == SMALL { vec![7] } else { Vec::new() });
            drop(marker);
            assert_eq!(marks[0][1].follow(), [5, 7]);
            assert!(marks[0][0].follow().is_empty());
        }
    }

    #[test]
    fn a_short_list_stays_one() {
        let mut marks = Marks::new(SMALL * 1000);
        marks.add(&mut vec![SMALL * 999, 3]);
        marks.settle();
        assert_eq!(marks.bytes(), 16);
        let set = marks.finish();
        assert_eq!(set.members(0..2).collect::<Vec<_>>(), [3, SMALL * 999]);
    }
}
